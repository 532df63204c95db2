/* sort.c - see sort.h. */
#include "kernels/sort.h"

#include <math.h>
#include <string.h>

#include "core/alloc.h"

typedef struct {
  uint64_t key;
  uint32_t index;
} pair;

/* Order-preserving: -inf smallest, -0 = +0, NaN largest. */
static uint64_t key_of(double value) {
  uint64_t bits;
  if (isnan(value)) return UINT64_MAX;
  value += 0.0;
  memcpy(&bits, &value, sizeof bits);
  return bits ^ ((uint64_t)((int64_t)bits >> 63) | (uint64_t)1 << 63);
}

static double value_of(uint64_t key) {
  double value;
  if (key == UINT64_MAX) return NAN;
  uint64_t bits = key >> 63 ? key ^ (uint64_t)1 << 63 : ~key;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static anorank_status sorted_pairs(pair **out, const double *values, size_t n, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  pair *a = NULL, *b = NULL;
  *out = NULL;
  if (n > UINT32_MAX) ANK_FAIL(ANORANK_ERROR_USAGE, "%zu values are too many to rank", n);
  ANK_TRY(ank_alloc_raw(&a, n, sizeof *a, err));
  ANK_TRY(ank_alloc_raw(&b, n, sizeof *b, err));
  for (size_t i = 0; i < n; i++) a[i] = (pair){key_of(values[i]), (uint32_t)i};
  for (unsigned shift = 0; shift < 64; shift += 8) {
    size_t start[257] = {0};
    for (size_t i = 0; i < n; i++) start[(a[i].key >> shift & 255) + 1]++;
    for (size_t d = 0; d < 256; d++) start[d + 1] += start[d];
    for (size_t i = 0; i < n; i++) b[start[a[i].key >> shift & 255]++] = a[i];
    pair *swap = a;
    a = b;
    b = swap;
  }
  *out = a;
  a = NULL;
done:
  ank_free(a);
  ank_free(b);
  return status;
}

anorank_status ank_sort(double *values, size_t n, const anorank_settings *settings, anorank_error *err) {
  pair *pairs;
  (void)settings;
  anorank_status status = sorted_pairs(&pairs, values, n, err);
  if (status != ANORANK_OK) return status;
  for (size_t i = 0; i < n; i++) values[i] = value_of(pairs[i].key);
  ank_free(pairs);
  return ANORANK_OK;
}

anorank_status ank_argsort(uint32_t *order, const double *values, size_t n, const anorank_settings *settings,
                           anorank_error *err) {
  pair *pairs;
  (void)settings;
  anorank_status status = sorted_pairs(&pairs, values, n, err);
  if (status != ANORANK_OK) return status;
  for (size_t i = 0; i < n; i++) order[i] = pairs[i].index;
  ank_free(pairs);
  return ANORANK_OK;
}

anorank_status ank_rank(double *ranks, const double *values, size_t n, anorank_ties ties,
                        const anorank_settings *settings, anorank_error *err) {
  pair *pairs;
  (void)settings;
  anorank_status status = sorted_pairs(&pairs, values, n, err);
  if (status != ANORANK_OK) return status;
  for (size_t i = 0, end; i < n; i = end) {
    for (end = i + 1; end < n && pairs[end].key == pairs[i].key;) end++;
    double rank = ties == ANORANK_TIES_MAX ? (double)end : 0.5 * (double)(i + 1 + end);
    for (size_t k = i; k < end; k++) ranks[pairs[k].index] = rank;
  }
  ank_free(pairs);
  return ANORANK_OK;
}
