/* version.c - anorank --version: the version, and what this program was built with. */
#include "help.h"

#include "anorank/io.h"
#include "kernels/vector.h"

#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#elif defined(__GNUC__)
#define COMPILER "gcc " __VERSION__
#else
#define COMPILER "an unknown compiler"
#endif

#if defined(__x86_64__)
#define PROCESSOR "x86-64"
#elif defined(__i386__)
#define PROCESSOR "i386"
#elif defined(__aarch64__)
#define PROCESSOR "aarch64"
#elif defined(__s390x__)
#define PROCESSOR "s390x"
#elif defined(__riscv)
#define PROCESSOR "RISC-V"
#else
#define PROCESSOR "another processor"
#endif

#if defined(_WIN32)
#define SYSTEM "Windows"
#elif defined(__APPLE__)
#define SYSTEM "macOS"
#elif defined(__GLIBC__)
#define SYSTEM "Linux with glibc"
#elif defined(__linux__)
#define SYSTEM "Linux without glibc"
#else
#define SYSTEM "another system"
#endif

void cli_print_version(FILE *stream) {
  const anorank_format *format;
  fprintf(stream, CLI_PROGRAM " %s\n", anorank_version());
  fprintf(stream, "built for:  " PROCESSOR ", " SYSTEM "\n");
  fprintf(stream, "built by:   " COMPILER "\n");
  fprintf(stream, "kernels:    %s\n", ank_kernels_name());
#ifdef ANORANK_HAS_SERVE
  fprintf(stream, "serve:      yes\n");
#else
  fprintf(stream, "serve:      no\n");
#endif
  fprintf(stream, "reads:     ");
  for (size_t i = 0; (format = anorank_format_at(i)) != NULL; i++)
    if (format->reads) fprintf(stream, " %s", format->name);
  fputc('\n', stream);
}
