/* alloc.c - see alloc.h. */
#include "core/alloc.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define HUGE_PAGE ((size_t)2 << 20)

static atomic_size_t requests;
static atomic_size_t failing; /* 0: none */

size_t ank_alloc_fail_at(size_t k) {
  atomic_store(&failing, k);
  return atomic_exchange(&requests, 0);
}

static int chosen_to_fail(void) {
  size_t mine = atomic_fetch_add(&requests, 1) + 1;
  return mine == atomic_load(&failing);
}

static anorank_status out_of_memory(size_t count, size_t size, anorank_error *err) {
  return ank_fail(
      err, ANORANK_ERROR_RESOURCES,
      "out of memory: cannot allocate %zu items of %zu bytes; use fewer rows, a block reader or a "
      "machine with more memory",
      count, size);
}

/* Page faults cost more than the work on large arrays: ask for huge pages, before the first touch, for the
 * part that can have them. */
static void advise_huge(void *pointer, size_t bytes) {
  uintptr_t start = ((uintptr_t)pointer + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
  uintptr_t end = ((uintptr_t)pointer + bytes) / HUGE_PAGE * HUGE_PAGE;
  if (end > start)
    (void)madvise((void *)start, end - start, MADV_HUGEPAGE); /* an optimisation: refusal is fine */
}

/* NULL on overflow or failure. */
static void *get(size_t count, size_t size, int zeroed) {
  size_t bytes;
  if (chosen_to_fail() || __builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX) return NULL;
  if (bytes == 0) bytes = 1;
  if (bytes < 2 * HUGE_PAGE) return zeroed ? calloc(1, bytes) : malloc(bytes);
  size_t rounded = (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
  void *pointer = aligned_alloc(HUGE_PAGE, rounded);
  if (!pointer) return NULL;
  advise_huge(pointer, rounded);
  if (zeroed) memset(pointer, 0, bytes);
  return pointer;
}

anorank_status ank_alloc(void *out, size_t count, size_t size, anorank_error *err) {
  void *pointer = get(count, size, 1);
  memcpy(out, &pointer, sizeof pointer);
  return pointer ? ANORANK_OK : out_of_memory(count, size, err);
}

anorank_status ank_alloc_raw(void *out, size_t count, size_t size, anorank_error *err) {
  void *pointer = get(count, size, 0);
  memcpy(out, &pointer, sizeof pointer);
  return pointer ? ANORANK_OK : out_of_memory(count, size, err);
}

anorank_status ank_resize(void *out, size_t count, size_t size, anorank_error *err) {
  size_t bytes;
  void *pointer;
  memcpy(&pointer, out, sizeof pointer);
  if (chosen_to_fail() || __builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX)
    return out_of_memory(count, size, err);
  pointer = realloc(pointer, bytes ? bytes : 1);
  if (!pointer) return out_of_memory(count, size, err);
  advise_huge(pointer, bytes);
  memcpy(out, &pointer, sizeof pointer);
  return ANORANK_OK;
}

anorank_status ank_reserve(void *out, size_t *capacity, size_t need, size_t size, anorank_error *err) {
  if (need <= *capacity) return ANORANK_OK;
  size_t grown = *capacity + *capacity / 2 + 16;
  if (grown < need) grown = need;
  anorank_status status = ank_resize(out, grown, size, err);
  if (status == ANORANK_OK) *capacity = grown;
  return status;
}

anorank_status ank_copy_text(char **out, const char *text, size_t length, anorank_error *err) {
  *out = NULL;
  if (length == SIZE_MAX) return out_of_memory(length, 1, err);
  anorank_status status = ank_alloc_raw(out, length + 1, 1, err);
  if (status != ANORANK_OK) return status;
  memcpy(*out, text, length);
  (*out)[length] = '\0';
  return ANORANK_OK;
}

void ank_free(void *pointer) { free(pointer); }

size_t ank_memory_limit(const anorank_settings *settings) {
  if (settings && settings->max_memory > 0) return (size_t)settings->max_memory;
  long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page <= 0) return (size_t)4 << 30;
  return (size_t)pages / 5 * 4 * (size_t)page;
}
