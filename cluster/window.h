/* window.h - the stretch of a file that a process has in memory, and the records that it hands to a reader: these may go on
 * beyond it. */
#ifndef CLUSTER_WINDOW_H
#define CLUSTER_WINDOW_H

#include "team.h"

enum { WINDOW_BEFORE = 2 }; /* bytes before a stretch that a scan looks at */

typedef struct window {
  const char *name; /* borrowed */
  MPI_File file;
  int open;             /* `file` is */
  unsigned char *bytes; /* WINDOW_BEFORE, then the stretch */
  size_t capacity;
  uint64_t from, held;     /* the stretch: place in the file, bytes in memory */
  uint64_t next, next_end; /* of the records: what the reader has not got yet */
} window;

anorank_status window_open(window *all, const char *path, anorank_error *err);
void window_close(window *all);

/* The bytes from..to of the file, and `before` of those before them. */
anorank_status window_load(window *all, uint64_t from, uint64_t to, uint64_t before, anorank_error *err);

/* anorank_fetch of the records: what is in memory, then what lies beyond. */
int window_fetch(void *context, void *buffer, size_t size, size_t *got);

/* The failure of a file that has less than it had. */
anorank_status window_is_short(const window *all, anorank_error *err);

#endif
