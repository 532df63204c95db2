/* output.c - see output.h. */
#include "output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "text.h"

static int refuse(const cli_call *call, const char *path, int reason) {
  anorank_error err = {{0}};
  char shown[256];
  const char *advice = reason == ENOSPC ? "; free some space or write elsewhere" : "";
  snprintf(err.message, sizeof err.message, "%s: cannot write: %s%s",
           cli_printable(shown, sizeof shown, path), strerror(reason), advice);
  return cli_failure(call, ANORANK_ERROR_RESOURCES, &err);
}

static int refuse_folder(const cli_call *call, const char *path, int reason) {
  anorank_error err = {{0}};
  char shown[256];
  cli_printable(shown, sizeof shown, path);
  if (reason == EISDIR)
    snprintf(err.message, sizeof err.message, "%s: is a folder; name a file in it", shown);
  else
    snprintf(err.message, sizeof err.message, "%s: cannot write into its folder: %s%s", shown,
             strerror(reason), reason == ENOENT ? "; make the folder first" : "");
  return cli_failure(call, ANORANK_ERROR_RESOURCES, &err);
}

/* Where the temporary file would stand: beside what a link leads to. Freed by the caller. */
static char *folder_of(const char *path) {
  char *resolved = realpath(path, NULL);
  const char *target = resolved ? resolved : path, *slash = strrchr(target, '/');
  size_t length = slash ? (size_t)(slash - target) : 0;
  char *folder = cli_allocate(length + 2, 1);
  memcpy(folder, slash && length > 0 ? target : slash ? "/" : ".", length > 0 ? length : 1);
  free(resolved);
  return folder;
}

int cli_output_check(const cli_call *call) {
  static const char *const names[] = {"output", "curve", "excess", "figure"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    const char *path = cli_value(call, names[i]);
    struct stat existing;
    if (!path || !*path || strcmp(path, "-") == 0) continue;
    int there = stat(path, &existing) == 0;
    if (there && S_ISDIR(existing.st_mode)) return refuse_folder(call, path, EISDIR);
    if (there && !S_ISREG(existing.st_mode)) continue;
    char *folder = folder_of(path);
    int reason = access(folder, W_OK | X_OK) == 0 ? 0 : errno;
    free(folder);
    if (reason) return refuse_folder(call, path, reason);
  }
  return 0;
}

static int is_direct(const char *path) {
  struct stat existing;
  return stat(path, &existing) == 0 && !S_ISREG(existing.st_mode);
}

int cli_output_open(cli_output *output, const cli_call *call, const char *path) {
  *output = (cli_output){.stream = stdout, .path = path};
  if (strcmp(path, "-") == 0) return 0;
  cli_writing(1);
  if (is_direct(path)) {
    output->stream = fopen(path, "w");
  } else {
    struct stat existing;
    mode_t mask = umask(0), mode = stat(path, &existing) == 0 ? existing.st_mode & 0777 : 0666 & ~mask;
    umask(mask);
    size_t size = strlen(path) + 8;
    output->temporary = cli_allocate(size, 1);
    snprintf(output->temporary, size, "%s.XXXXXX", path);
    int file = mkstemp(output->temporary);
    if (file >= 0) (void)!fchmod(file, mode); /* mkstemp's file is its owner's alone */
    output->stream = file >= 0 ? fdopen(file, "w") : NULL;
  }
  if (output->stream) return 0;
  int reason = errno;
  free(output->temporary);
  cli_writing(0);
  return refuse(call, path, reason);
}

int cli_output_close(cli_output *output, const cli_call *call, int code) {
  if (output->stream == stdout) return code; /* main looks after it */
  if (code == 0 && cli_interrupted()) code = cli_failure(call, ANORANK_CANCELLED, NULL);
  errno = 0;
  int failed = ferror(output->stream) || fflush(output->stream) != 0 ||
               (output->temporary && fsync(fileno(output->stream)) != 0);
  int reason = errno;
  if (fclose(output->stream) != 0 && !failed) failed = 1, reason = errno;
  if (code == 0 && !failed && output->temporary && rename(output->temporary, output->path) != 0)
    failed = 1, reason = errno;
  if (output->temporary && (code != 0 || failed)) unlink(output->temporary);
  if (code == 0 && failed) code = refuse(call, output->path, reason ? reason : EIO);
  free(output->temporary);
  cli_writing(0);
  return code;
}
