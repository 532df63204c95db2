/* search.c - see search.h. */
#include "kernels/search.h"

#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "kernels/distance.h"

struct ank_search {
  size_t count, dim;
  float *rows;
};

anorank_status ank_search_make(ank_search **out, const float *rows, size_t count, size_t dim,
                               anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_search *search = NULL;
  *out = NULL;
  ANK_TRY(ank_alloc(&search, 1, sizeof *search, err));
  search->count = count;
  search->dim = dim;
  ANK_TRY(ank_alloc_raw(&search->rows, count, dim * sizeof *search->rows, err));
  memcpy(search->rows, rows, count * dim * sizeof *rows);
  *out = search;
  search = NULL;
done:
  ank_search_free(search);
  return status;
}

void ank_search_free(ank_search *search) {
  if (!search) return;
  ank_free(search->rows);
  ank_free(search);
}

size_t ank_search_count(const ank_search *search) { return search->count; }
size_t ank_search_dim(const ank_search *search) { return search->dim; }

size_t ank_search_bytes(const ank_search *search) {
  return sizeof *search + search->count * search->dim * sizeof *search->rows;
}

const float *ank_search_row(const ank_search *search, size_t i) { return search->rows + i * search->dim; }

static float squared_distance(const float *x, const float *r, size_t dim) {
  float sum = 0;
  for (size_t j = 0; j < dim; j++) sum = fmaf(x[j] - r[j], x[j] - r[j], sum);
  return sum;
}

anorank_status ank_search_nearest(uint32_t *place, float *squared, size_t k, const ank_search *search,
                                  const float *rows, size_t number, anorank_error *err) {
  (void)err;
  for (size_t i = 0; i < number; i++) {
    float *best = squared + i * k;
    uint32_t *at = place + i * k;
    size_t found = 0;
    for (size_t r = 0; r < search->count; r++) {
      float d = squared_distance(rows + i * search->dim, ank_search_row(search, r), search->dim);
      size_t p = found < k ? found++ : k - 1;
      if (p == k - 1 && found == k && r >= k && d >= best[p]) continue;
      for (; p > 0 && best[p - 1] > d; p--) best[p] = best[p - 1], at[p] = at[p - 1];
      best[p] = d;
      at[p] = (uint32_t)r;
    }
  }
  return ANORANK_OK;
}
