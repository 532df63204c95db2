/* wasi.h - included before every file of the library: functions that wasi-libc does not have. They are declared here, so
 * that files which mention them compile, and fail (no_files.c): a page reads and writes memory alone. */
#ifndef ANORANK_WASM_WASI_H
#define ANORANK_WASM_WASI_H

#include <sys/types.h>

int fchmod(int file, mode_t mode);
char *realpath(const char *path, char *resolved);
int mkstemp(char *path);

#endif
