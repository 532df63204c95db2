/* alloc.h - memory allocation; all memory of the library comes from here.
 *
 * Every count * size is checked for overflow. An error message states the size of the request. Large arrays
 * get huge pages where the kernel supports them. In builds with ANORANK_FAULT_INJECTION, tests can make the
 * k-th request fail. */
#ifndef ANK_CORE_ALLOC_H
#define ANK_CORE_ALLOC_H

#include "core/status.h"

/* Convert `out`, the address of a pointer to an object, to the type that the functions below take. A pointer
 * to the object itself, from a forgotten &, does not compile (tests/checks/check_alloc_types.sh). */
#define ANK_OUT(out) ((void)sizeof(1 ? *(out) : (void *)0), (void *)(out))

/* Allocate a zeroed array. With zero elements, `*out` is a valid pointer that may be freed. On failure, it is
 * NULL. */
#define ank_alloc(out, count, size, err) ank_alloc_at(ANK_OUT(out), count, size, err)

/* Allocate an array without zeroing it: for large arrays that are written right away. */
#define ank_alloc_raw(out, count, size, err) ank_alloc_raw_at(ANK_OUT(out), count, size, err)

/* Resize the array at `*out` and keep its content. New elements are not zeroed. On failure, the array is
 * unchanged. */
#define ank_resize(out, count, size, err) ank_resize_at(ANK_OUT(out), count, size, err)

/* Make room for at least `need` elements. The array grows by half, so appending takes linear time.
 * `*capacity` counts elements. */
#define ank_reserve(out, capacity, need, size, err) ank_reserve_at(ANK_OUT(out), capacity, need, size, err)

/* Only the macros above call these. */
anorank_status ank_alloc_at(void *out, size_t count, size_t size, anorank_error *err);
anorank_status ank_alloc_raw_at(void *out, size_t count, size_t size, anorank_error *err);
anorank_status ank_resize_at(void *out, size_t count, size_t size, anorank_error *err);
anorank_status ank_reserve_at(void *out, size_t *capacity, size_t need, size_t size, anorank_error *err);

/* Copy `length` bytes and append a NUL. */
anorank_status ank_copy_text(char **out, const char *text, size_t length, anorank_error *err);

void ank_free(void *pointer);

/* ---- workspaces ---- */

/* Memory that is allocated once and reused. Between enter and leave, allocations of the calling thread come
 * from it. Functions that need scratch memory per call (scorer classes, searches) then run without system
 * calls. It is a stack: freed memory is reused once all later allocations are freed, too. What does not fit
 * is allocated as usual, and counted. The caller of enter leaves before it returns, and keeps nothing that
 * was allocated in between. */
typedef struct ank_workspace {
  unsigned char *memory;
  size_t capacity;
  size_t top, last; /* first free byte; start of the last piece, after its header */
  size_t lacking;   /* bytes that did not fit since enter */
} ank_workspace;

anorank_status ank_workspace_make(ank_workspace *out, size_t bytes, anorank_error *err);
void ank_workspace_enter(ank_workspace *workspace); /* no other workspace may be entered on this thread */
void ank_workspace_leave(void);
void ank_workspace_free(ank_workspace *workspace); /* frees its memory, not the struct */

/* Limit a size to size_t, which has 32 bits in a browser. */
#define ANK_SIZE_LIMIT(limit) ((uint64_t)(limit) < SIZE_MAX ? (size_t)(limit) : SIZE_MAX)

/* Return the most bytes that one table may take: settings->max_memory, or four fifths of the machine's
 * memory. */
size_t ank_memory_limit(const anorank_settings *settings);

/* Limit all requests of this thread until the next call, where NULL means no limit. Returns the previous
 * limit. Files from untrusted sources are read under such a limit. Each request counts in full, even after it
 * is freed. */
typedef struct ank_budget {
  size_t left;
  int exceeded; /* a request failed because of the limit */
} ank_budget;
ank_budget *ank_alloc_within(ank_budget *budget);

#ifdef ANORANK_FAULT_INJECTION
/* For tests: let the k-th request from now on fail (1: the next), and no other; 0 switches this off. Returns
 * the number of requests since the last call, without those that a workspace served. */
size_t ank_alloc_fail_at(size_t k);
#endif

#endif
