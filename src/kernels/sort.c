/* sort.c - see sort.h.
 *
 * Values become integers of the same order (words.h). A partition distributes them to some thousand buckets
 * that fit the cache, and each bucket is sorted separately. Ranking moves eight bytes per row, not sixteen. A
 * word holds the row in its last bits, and above it as many bits of the key, after those that the bucket
 * implies, as fit. Such words sort directly, and stably, since rows ascend. Where neighbours agree in these
 * bits and bits were left out, the rest is read from the values and sorted likewise. For values without ties
 * that is rare. */
#include "kernels/sort.h"

#include "core/alloc.h"
#include "kernels/words.h"

enum { FEW = 32 };

typedef struct {
  double *values;
  ank_word *keys;
} sorting;

static void finish_values(void *context, size_t begin, size_t end, ank_word *scratch) {
  sorting *s = context;
  ank_sort_words(s->keys + begin, scratch, end - begin);
  for (size_t i = begin; i < end; i++) s->values[i] = ank_value_of_key(s->keys[i]);
}

/* By insertion. */
static void sort_few(double *values, size_t n) {
  uint64_t keys[FEW];
  for (size_t i = 0; i < n; i++) {
    uint64_t key, bits;
    size_t at = i;
    memcpy(&bits, &values[i], sizeof bits);
    for (key = ank_key_of_bits(bits); at > 0 && keys[at - 1] > key; at--) keys[at] = keys[at - 1];
    keys[at] = key;
  }
  for (size_t i = 0; i < n; i++) values[i] = ank_value_of_key(keys[i]);
}

anorank_status ank_sort(double *values, size_t n, const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_word *words = (ank_word *)values;
  ank_partition partition = {.start = NULL};
  sorting s = {.values = values};
  if (n <= FEW) {
    sort_few(values, n);
    return ANORANK_OK;
  }
  ANK_TRY(ank_alloc_raw(&s.keys, n, sizeof *s.keys, err));
  ANK_TRY(ank_partition_make(&partition, s.keys, words, n, ANK_KEYS_FROM_DOUBLES, settings, err));
  if (partition.sorted) {
    for (size_t i = 0; i < n; i++) values[i] = ank_value_of_key(ank_key_of_bits(words[i]));
  } else {
    status = ank_partition_visit(&partition, s.keys, words, finish_values, &s, settings, err);
    for (size_t i = 0; status != ANORANK_OK && i < n; i++)
      values[i] = ank_value_of_key(s.keys[i]); /* keep all values */
  }
done:
  ank_free(partition.start);
  ank_free(s.keys);
  return status;
}

/* ---- rows in order ----------------------------------------------------------------------------------- */

typedef struct {
  const ank_word *values; /* as bits */
  ank_word *packed;
  uint64_t row_mask; /* of a packed word */
  ank_partition partition;
  uint32_t *order; /* one of these two is the output */
  double *ranks;
  anorank_ties ties;
} ranking;

static inline uint32_t row_of(const ranking *r, uint64_t word) { return (uint32_t)(word & r->row_mask); }

/* Write rows packed[begin .. end), which are equal. */
static inline void emit(const ranking *r, size_t begin, size_t end) {
  double rank = r->ties == ANORANK_TIES_MAX ? (double)end : 0.5 * ((double)(begin + 1) + (double)end);
  for (size_t i = begin; i < end; i++) r->ranks[row_of(r, r->packed[i])] = rank;
}

static inline size_t run_end(const ranking *r, size_t begin, size_t end) {
  const ank_word *packed = r->packed;
  uint64_t last = packed[begin] | r->row_mask;
  size_t i = begin + 1;
  while (i < end && packed[i] <= last) i++;
  return i;
}

/* Order rows whose leading bits agree by the bits that packing left out. */
static void finish_run(const ranking *r, size_t begin, size_t end, unsigned left_out, ank_word *scratch) {
  const ank_plan *plan = &r->partition.plan;
  ank_word *packed = r->packed;
  for (size_t i = begin; i < end; i++) {
    uint32_t row = row_of(r, packed[i]);
    packed[i] = ank_plan_rest(plan, ank_key_of_bits(r->values[row]), left_out) << plan->row_bits | row;
  }
  ank_sort_words(packed + begin, scratch, end - begin);
}

static void finish_rows(void *context, size_t begin, size_t end, ank_word *scratch) {
  const ranking *r = context;
  ank_word *packed = r->packed;
  ank_sort_words(packed + begin, scratch, end - begin);
  uint64_t first = ank_key_of_bits(r->values[row_of(r, packed[begin])]);
  unsigned left_out = ank_plan_left_out(&r->partition.plan, first);
  for (size_t i = begin, next; i < end; i = next) {
    next = run_end(r, i, end);
    if (next - i > 1 && left_out > 0) finish_run(r, i, next, left_out, scratch);
    if (!r->ranks) continue;
    for (size_t k = i, tied; k < next; k = tied) {
      tied = run_end(r, k, next);
      emit(r, k, tied);
    }
  }
  if (r->order)
    for (size_t i = begin; i < end; i++) r->order[i] = row_of(r, packed[i]);
}

/* Rank values that already ascend: nothing was packed. */
static void finish_sorted(const ranking *r, size_t n) {
  if (r->order)
    for (size_t i = 0; i < n; i++) r->order[i] = (uint32_t)i;
  if (!r->ranks) return;
  for (size_t i = 0, end; i < n; i = end) {
    uint64_t key = ank_key_of_bits(r->values[i]);
    for (end = i + 1; end < n && ank_key_of_bits(r->values[end]) == key;) end++;
    double rank = r->ties == ANORANK_TIES_MAX ? (double)end : 0.5 * ((double)(i + 1) + (double)end);
    for (size_t k = i; k < end; k++) r->ranks[k] = rank;
  }
}

static anorank_status order_rows(ranking *r, size_t n, const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  if (n > UINT32_MAX)
    ANK_FAIL(ANORANK_ERROR_USAGE, "scores-too-many", "%zu values cannot be ranked at once; use at most %lu",
             n, (unsigned long)UINT32_MAX);
  if (n == 0) goto done;
  ANK_TRY(ank_alloc_raw(&r->packed, n, sizeof *r->packed, err));
  ANK_TRY(ank_partition_make(&r->partition, r->packed, r->values, n, ANK_PACKED_FROM_DOUBLES, settings, err));
  r->row_mask = ((uint64_t)1 << r->partition.plan.row_bits) - 1;
  if (r->partition.sorted)
    finish_sorted(r, n);
  else
    ANK_TRY(ank_partition_visit(&r->partition, r->packed, NULL, finish_rows, r, settings, err));
done:
  ank_free(r->partition.start);
  ank_free(r->packed);
  return status;
}

anorank_status ank_argsort(uint32_t *order, const double *values, size_t n, const anorank_settings *settings,
                           anorank_error *err) {
  ranking r = {.values = (const ank_word *)values, .order = order};
  return order_rows(&r, n, settings, err);
}

anorank_status ank_rank(double *ranks, const double *values, size_t n, anorank_ties ties,
                        const anorank_settings *settings, anorank_error *err) {
  ranking r = {.values = (const ank_word *)values, .ranks = ranks, .ties = ties};
  return order_rows(&r, n, settings, err);
}
