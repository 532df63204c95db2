/* alloc.h - all memory of the library comes from here.
 *
 * Every count * size is checked for overflow, every failure has a message that says how much was asked, large
 * arrays get huge pages where the kernel has them, and in builds with ANORANK_FAULT_INJECTION tests can make the
 * k-th request fail. */
#ifndef ANK_CORE_ALLOC_H
#define ANK_CORE_ALLOC_H

#include "core/status.h"

/* `out`, the address of a pointer to an object, as the functions below take it. A pointer to the object itself, from
 * a forgotten &, does not compile (tests/checks/check_alloc_types.sh). */
#define ANK_OUT(out) ((void)sizeof(1 ? *(out) : (void *)0), (void *)(out))

/* A zeroed array. Zero elements give a valid pointer that may be freed. NULL in `*out` on failure. */
#define ank_alloc(out, count, size, err) ank_alloc_at(ANK_OUT(out), count, size, err)

/* The same without zeroing: for large arrays that are written at once. */
#define ank_alloc_raw(out, count, size, err) ank_alloc_raw_at(ANK_OUT(out), count, size, err)

/* Resize the array at `*out`, keeping its content; on failure it is left as it was. New elements are not
 * zeroed. */
#define ank_resize(out, count, size, err) ank_resize_at(ANK_OUT(out), count, size, err)

/* Make room for at least `need` elements, growing by half so that appending is linear; `*capacity` counts
 * elements. */
#define ank_reserve(out, capacity, need, size, err) ank_reserve_at(ANK_OUT(out), capacity, need, size, err)

/* Called by the macros above only. */
anorank_status ank_alloc_at(void *out, size_t count, size_t size, anorank_error *err);
anorank_status ank_alloc_raw_at(void *out, size_t count, size_t size, anorank_error *err);
anorank_status ank_resize_at(void *out, size_t count, size_t size, anorank_error *err);
anorank_status ank_reserve_at(void *out, size_t *capacity, size_t need, size_t size, anorank_error *err);

/* A copy of `length` bytes with a NUL after them. */
anorank_status ank_copy_text(char **out, const char *text, size_t length, anorank_error *err);

void ank_free(void *pointer);

/* ---- workspaces ---- */

/* Memory that is allocated once and reused. Between enter and leave, allocations of the calling thread come
 * from it, so that functions that take scratch memory per call (scorer classes, searches)
 * run without system calls. It is a stack: freed memory is reused once all later allocations are freed, too.
 * What does not fit is allocated as usual, and counted. The caller of enter must make sure that
 * nothing made in between is kept, and leaves before it returns. */
typedef struct ank_workspace {
  unsigned char *memory;
  size_t capacity;
  size_t top, last; /* first free byte; where the last piece begins, behind its head */
  size_t lacking;   /* bytes that did not fit since enter */
} ank_workspace;

anorank_status ank_workspace_make(ank_workspace *out, size_t bytes, anorank_error *err);
void ank_workspace_enter(ank_workspace *workspace); /* not while one is entered on this thread */
void ank_workspace_leave(void);
void ank_workspace_free(ank_workspace *workspace); /* what it holds, not the struct */

/* A limit on a size, as far as size_t goes: it has 32 bits in a browser. */
#define ANK_SIZE_LIMIT(limit) ((uint64_t)(limit) < SIZE_MAX ? (size_t)(limit) : SIZE_MAX)

/* Bytes that one table may take: settings->max_memory, or four fifths of the machine's memory. */
size_t ank_memory_limit(const anorank_settings *settings);

/* A limit for all requests of this thread until another (or none) is set; returns the one before. What a file
 * from a stranger makes us ask for goes through it. Every request counts in full and is not given back. */
typedef struct ank_budget {
  size_t left;
  int exceeded; /* a request failed for it */
} ank_budget;
ank_budget *ank_alloc_within(ank_budget *budget);

#ifdef ANORANK_FAULT_INJECTION
/* For tests: the k-th request from now on fails (1 = the next), all others work; 0 switches this off. Returns
 * how many requests were made since the last call; those that a workspace served are none. */
size_t ank_alloc_fail_at(size_t k);
#endif

#endif
