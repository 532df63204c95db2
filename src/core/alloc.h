/* alloc.h - the one way to get memory in the library.
 *
 * Every count * size is checked for overflow, every failure has a message that says how much was asked, large
 * arrays get huge pages where the kernel has them, and tests can make the k-th request fail. */
#ifndef ANK_CORE_ALLOC_H
#define ANK_CORE_ALLOC_H

#include "core/status.h"

/* A zeroed array (`*out`: the address of a pointer of any type). Zero elements give a valid pointer that may
 * be freed. NULL in `*out` on failure. */
anorank_status ank_alloc(void *out, size_t count, size_t size, anorank_error *err);

/* The same without zeroing: for large arrays that are written at once. */
anorank_status ank_alloc_raw(void *out, size_t count, size_t size, anorank_error *err);

/* Resize the array at `*out`, keeping its content; on failure it is left as it was. New elements are not
 * zeroed. */
anorank_status ank_resize(void *out, size_t count, size_t size, anorank_error *err);

/* Make room for at least `need` elements, growing by half so that appending is linear; `*capacity` counts
 * elements. */
anorank_status ank_reserve(void *out, size_t *capacity, size_t need, size_t size, anorank_error *err);

/* A copy of `length` bytes with a NUL after them. */
anorank_status ank_copy_text(char **out, const char *text, size_t length, anorank_error *err);

void ank_free(void *pointer);

/* Bytes that one table may take: settings->max_memory, or four fifths of the machine's memory. */
size_t ank_memory_limit(const anorank_settings *settings);

/* A limit for all requests of this thread until another (or none) is set; returns the one before. What a file
 * from a stranger makes us ask for goes through it. Every request counts in full and is not given back. */
typedef struct ank_budget {
  size_t left;
  int exceeded; /* a request failed for it */
} ank_budget;
ank_budget *ank_alloc_within(ank_budget *budget);

/* For tests: the k-th request from now on fails (1 = the next), all others work; 0 switches this off. Returns
 * how many requests were made since the last call. */
size_t ank_alloc_fail_at(size_t k);

#endif
