/* alloc.c - see alloc.h. */
#include "core/alloc.h"

#include <stdlib.h>
#include <string.h>

#include "core/platform.h"

#ifdef ANORANK_FAULT_INJECTION
#include <stdatomic.h>
#endif

#ifdef ANORANK_FAULT_INJECTION
static atomic_size_t requests;
static atomic_size_t failing; /* requests until one fails; 0: none does */

size_t ank_alloc_fail_at(size_t k) {
  atomic_store(&failing, k);
  return atomic_exchange(&requests, 0);
}

static int chosen_to_fail(void) {
  size_t mine = atomic_fetch_add(&requests, 1) + 1;
  return mine == atomic_load(&failing);
}
#else
static int chosen_to_fail(void) { return 0; }
#endif

static _Thread_local ank_budget *within; /* the budget that applies now; see ank_alloc_within */

ank_budget *ank_alloc_within(ank_budget *budget) {
  ank_budget *before = within;
  within = budget;
  return before;
}

static int over_budget(size_t bytes) {
  if (!within) return 0;
  if (bytes > within->left) return within->exceeded = 1;
  within->left -= bytes;
  return 0;
}

static anorank_status out_of_memory(size_t count, size_t size, anorank_error *err) {
  char text[ANK_BYTES_TEXT];
  return ank_fail(err, ANORANK_ERROR_RESOURCES, "memory-exhausted",
                  "cannot allocate %s; use fewer rows, read in blocks, or use a machine with more memory",
                  ank_bytes_text(text, (double)count * (double)size));
}

/* ---- workspaces --------------------------------------------------------------------------------------- */

enum { ALIGNED = 64 };

/* The header of each piece of a workspace. */
typedef struct head {
  size_t bytes, before; /* offset of the previous piece; 0: none */
  int freed;
} head;

static _Thread_local ank_workspace *entered;

static head *head_of(const ank_workspace *from, size_t piece) {
  return (head *)(void *)(from->memory + piece - ALIGNED);
}

static int is_ours(const void *pointer) {
  const unsigned char *byte = pointer;
  return entered && byte && byte >= entered->memory && byte < entered->memory + entered->capacity;
}

/* Return NULL if no workspace is entered or the piece does not fit. */
static void *take(size_t bytes) {
  ank_workspace *from = entered;
  if (!from) return NULL;
  if (bytes == 0) bytes = 1; /* even an empty piece must start inside the workspace */
  size_t rounded = (bytes + 2 * ALIGNED - 1) / ALIGNED * ALIGNED; /* including the header */
  if (bytes > PTRDIFF_MAX - 2 * ALIGNED || rounded > from->capacity - from->top) {
    from->lacking += rounded;
    return NULL;
  }
  size_t piece = from->top + ALIGNED;
  *head_of(from, piece) = (head){bytes, from->last, 0};
  from->last = piece;
  from->top += rounded;
  return from->memory + piece;
}

static void give_back(void *pointer) {
  ank_workspace *to = entered;
  head_of(to, (size_t)((unsigned char *)pointer - to->memory))->freed = 1;
  while (to->last > 0 && head_of(to, to->last)->freed) {
    to->top = to->last - ALIGNED;
    to->last = head_of(to, to->last)->before;
  }
}

anorank_status ank_workspace_make(ank_workspace *out, size_t bytes, anorank_error *err) {
  *out = (ank_workspace){0};
  size_t whole = bytes / ALIGNED * ALIGNED + ALIGNED;
  out->memory = aligned_alloc(ALIGNED, whole);
  if (chosen_to_fail() || !out->memory) {
    free(out->memory);
    out->memory = NULL;
    return out_of_memory(whole, 1, err);
  }
  out->capacity = whole;
  return ANORANK_OK;
}

void ank_workspace_enter(ank_workspace *workspace) {
  workspace->top = workspace->last = workspace->lacking = 0;
  entered = workspace;
}

void ank_workspace_leave(void) { entered = NULL; }

void ank_workspace_free(ank_workspace *workspace) {
  free(workspace->memory);
  *workspace = (ank_workspace){0};
}

/* ---- memory ------------------------------------------------------------------------------------------- */

/* Ask for huge pages before the first touch, for the part of a large array that can have them: page faults
 * cost more than the work on it. */
static void advise_huge(void *pointer, size_t bytes) {
  size_t page = ank_huge_page();
  if (page == 0) return;
  uintptr_t start = ((uintptr_t)pointer + page - 1) / page * page,
            end = ((uintptr_t)pointer + bytes) / page * page;
  if (end > start) ank_advise_huge((void *)start, end - start);
}

/* Return NULL on overflow or failure. */
static void *get(size_t count, size_t size, int zeroed) {
  size_t bytes;
  if (!__builtin_mul_overflow(count, size, &bytes)) {
    void *taken = take(bytes);
    if (taken) return zeroed ? memset(taken, 0, bytes) : taken;
  }
  if (chosen_to_fail() || __builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX ||
      over_budget(bytes))
    return NULL;
  if (bytes == 0) bytes = 1;
  size_t page = ank_huge_page();
  if (page == 0 || bytes < 2 * page) return zeroed ? calloc(1, bytes) : malloc(bytes);
  size_t rounded = (bytes + page - 1) / page * page;
  void *pointer = aligned_alloc(page, rounded);
  if (!pointer) return NULL;
  advise_huge(pointer, rounded);
  if (zeroed) memset(pointer, 0, bytes);
  return pointer;
}

anorank_status ank_alloc_at(void *out, size_t count, size_t size, anorank_error *err) {
  void *pointer = get(count, size, 1);
  memcpy(out, &pointer, sizeof pointer);
  return pointer ? ANORANK_OK : out_of_memory(count, size, err);
}

anorank_status ank_alloc_raw_at(void *out, size_t count, size_t size, anorank_error *err) {
  void *pointer = get(count, size, 0);
  memcpy(out, &pointer, sizeof pointer);
  return pointer ? ANORANK_OK : out_of_memory(count, size, err);
}

anorank_status ank_resize_at(void *out, size_t count, size_t size, anorank_error *err) {
  size_t bytes;
  void *pointer;
  memcpy(&pointer, out, sizeof pointer);
  if (is_ours(pointer)) {
    void *larger = get(count, size, 0);
    if (!larger) return out_of_memory(count, size, err);
    size_t old = head_of(entered, (size_t)((unsigned char *)pointer - entered->memory))->bytes;
    memcpy(larger, pointer, old < count * size ? old : count * size);
    give_back(pointer);
    memcpy(out, &larger, sizeof larger);
    return ANORANK_OK;
  }
  if (chosen_to_fail() || __builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX ||
      over_budget(bytes))
    return out_of_memory(count, size, err);
  pointer = realloc(pointer, bytes ? bytes : 1);
  if (!pointer) return out_of_memory(count, size, err);
  advise_huge(pointer, bytes);
  memcpy(out, &pointer, sizeof pointer);
  return ANORANK_OK;
}

anorank_status ank_reserve_at(void *out, size_t *capacity, size_t need, size_t size, anorank_error *err) {
  if (need <= *capacity) return ANORANK_OK;
  size_t grown = *capacity + *capacity / 2 + 16;
  if (grown < need) grown = need;
  anorank_status status = ank_resize_at(out, grown, size, err);
  if (status == ANORANK_OK) *capacity = grown;
  return status;
}

anorank_status ank_copy_text(char **out, const char *text, size_t length, anorank_error *err) {
  *out = NULL;
  if (length == SIZE_MAX) return out_of_memory(length, 1, err);
  ANK_CHECK(ank_alloc_raw(out, length + 1, 1, err));
  memcpy(*out, text, length);
  (*out)[length] = '\0';
  return ANORANK_OK;
}

void ank_free(void *pointer) {
  if (is_ours(pointer))
    give_back(pointer);
  else
    free(pointer);
}

size_t ank_memory_limit(const anorank_settings *settings) {
  if (settings && settings->max_memory > 0) return ANK_SIZE_LIMIT(settings->max_memory);
  uint64_t installed = ank_physical_memory();
  return ANK_SIZE_LIMIT(installed > 0 ? installed / 5 * 4 : (uint64_t)4 << 30);
}

void ank_remedy_default_memory(anorank_error *err, size_t limit) {
  ank_error_set_setting(err, "max-memory");
  if (limit < ank_memory_limit(NULL)) ank_remedy(err, "max-memory", "0");
}
