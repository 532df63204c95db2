/* subsets.c - see subsets.h. */
#include "neighbours/subsets.h"

#include <math.h>
#include <stdlib.h>

#include "core/alloc.h"
#include "core/method_constants.h"
#include "core/rng.h"
#include "kernels/distance.h"
#include "kernels/vector.h"

enum { BLOCK = 256 }; /* rows at a time: their numbers stay in the first-level cache */

void ank_subsets_free(ank_subsets *subsets) {
  ank_free(subsets->place);
  ank_free(subsets->values);
  *subsets = (ank_subsets){0};
}

static size_t stride(const ank_subsets *subsets) { return subsets->blocks * subsets->dim * ANK_LANES; }

/* Copy the rows to the kernel's layout. */
static anorank_status lay_out(ank_subsets *subsets, const float *rows, anorank_error *err) {
  size_t dim = subsets->dim, total;
  subsets->blocks = (subsets->size + ANK_LANES - 1) / ANK_LANES;
  if (__builtin_mul_overflow(stride(subsets), subsets->sets, &total)) total = SIZE_MAX;
  ANK_CHECK(ank_alloc_raw(&subsets->values, total, sizeof *subsets->values, err));
  for (size_t s = 0; s < subsets->sets; s++)
    for (size_t i = 0; i < subsets->blocks * ANK_LANES; i++)
      for (size_t j = 0; j < dim; j++)
        subsets->values[s * stride(subsets) + (i / ANK_LANES * dim + j) * ANK_LANES + i % ANK_LANES] =
            i < subsets->size ? rows[subsets->place[s * subsets->size + i] * dim + j] : INFINITY;
  return ANORANK_OK;
}

static int by_place(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

anorank_status ank_subsets_make(ank_subsets *out, const float *rows, size_t dim, const uint32_t *from,
                                size_t count, size_t sets, size_t size, uint64_t seed, uint64_t first,
                                anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t *drawn = NULL;
  ank_rng rng;
  if (size >= count && sets > 1) sets = 1; /* all sets would contain all rows */
  *out = (ank_subsets){.sets = sets, .size = size < count ? size : count, .dim = dim};
  ANK_TRY(ank_alloc_raw(&drawn, out->size, sizeof *drawn, err));
  ANK_TRY(ank_alloc_raw(&out->place, sets, out->size * sizeof *out->place, err));
  for (size_t s = 0; s < sets; s++) {
    uint32_t *place = out->place + s * out->size;
    ank_rng_open(&rng, seed, ANK_STREAM_FIT, first + s);
    ANK_TRY(ank_rng_sample(&rng, drawn, out->size, count, err));
    for (size_t i = 0; i < out->size; i++) place[i] = from ? from[drawn[i]] : (uint32_t)drawn[i];
    qsort(place, out->size, sizeof *place, by_place);
  }
  ANK_TRY(lay_out(out, rows, err));
done:
  ank_free(drawn);
  if (status != ANORANK_OK) ank_subsets_free(out);
  return status;
}

/* ---- means ------------------------------------------------------------------------------------------- */

static int holds(const uint32_t *place, size_t size, uint32_t own) {
  return bsearch(&own, place, size, sizeof *place, by_place) != NULL;
}

/* Return the smallest squared distance above 0; INFINITY if there is none. Lanes are references, as in the
 * kernel. */
static float nearest_other(const float *row, const float *blocks, size_t block_count, size_t dim) {
  float least = INFINITY;
  for (size_t b = 0; b < block_count; b++, blocks += dim * ANK_LANES) {
    float sum[ANK_LANES] = {0};
    for (size_t j = 0; j < dim; j++)
      for (size_t l = 0; l < ANK_LANES; l++) {
        float difference = row[j] - blocks[j * ANK_LANES + l];
        sum[l] += difference * difference;
      }
    for (size_t l = 0; l < ANK_LANES; l++)
      if (sum[l] > 0 && sum[l] < least) least = sum[l];
  }
  return least;
}

static void mean_of_block(double *out, const ank_subsets *subsets, const float *rows, size_t count,
                          const ank_subset_rule *rule, const uint32_t *own) {
  float squared[BLOCK];
  double distance[BLOCK], counted[BLOCK];
  size_t dim = subsets->dim;
  for (size_t i = 0; i < count; i++) out[i] = counted[i] = 0;
  for (size_t s = 0; s < subsets->sets; s++) {
    const float *set = subsets->values + s * stride(subsets);
    const uint32_t *place = subsets->place + s * subsets->size;
    ank_nearest(squared, rows, count, dim, set, subsets->blocks);
    for (size_t i = 0; rule->skip_copies && i < count; i++)
      if (squared[i] == 0) squared[i] = nearest_other(rows + i * dim, set, subsets->blocks, dim);
    for (size_t i = 0; own && i < count; i++)
      if (own[i] != UINT32_MAX && holds(place, subsets->size, own[i])) squared[i] = INFINITY;
    for (size_t i = 0; i < count; i++)
      distance[i] = sqrt((double)squared[i]) + (rule->logs ? ANK_DISTANCE_FLOOR : 0);
    if (rule->logs) ank_log(distance, distance, count);
    for (size_t i = 0; i < count; i++) {
      if (!(squared[i] < INFINITY)) continue;
      out[i] += distance[i];
      counted[i]++;
    }
  }
  for (size_t i = 0; i < count; i++)
    out[i] = counted[i] > 0 ? out[i] / counted[i] : rule->logs ? log(ANK_DISTANCE_FLOOR) : 0;
}

void ank_subsets_mean(double *out, const ank_subsets *subsets, const float *rows, size_t count,
                      const ank_subset_rule *rule) {
  for (size_t from = 0; from < count; from += BLOCK)
    mean_of_block(out + from, subsets, rows + from * subsets->dim,
                  count - from < BLOCK ? count - from : BLOCK, rule, rule->own ? rule->own + from : NULL);
}

/* ---- the rest ---------------------------------------------------------------------------------------- */

size_t ank_subsets_bytes(const ank_subsets *subsets) {
  return subsets->sets * (subsets->size * sizeof *subsets->place + stride(subsets) * sizeof *subsets->values);
}

anorank_status ank_subsets_save(const ank_subsets *subsets, ank_bytes *out, anorank_error *err) {
  ANK_CHECK(ank_bytes_put_u64(out, subsets->sets, err));
  return ank_bytes_put_u32s(out, subsets->place, subsets->sets * subsets->size, err);
}

anorank_status ank_subsets_load(ank_subsets *out, const float *rows, size_t count, size_t dim, ank_cursor *in,
                                anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t total;
  *out = (ank_subsets){.dim = dim};
  ANK_TRY(ank_cursor_size(in, &out->sets, 0, in->length, "the number of subsets", err));
  ANK_TRY(ank_cursor_u32s(in, &out->place, &total, err));
  out->size = out->sets > 0 ? total / out->sets : 0;
  int sound = out->sets * out->size == total && (out->sets == 0 || out->size > 0);
  for (size_t i = 0; sound && i < total; i++) sound = out->place[i] < count;
  for (size_t i = 1; sound && i < total; i++) sound = i % out->size == 0 || out->place[i - 1] < out->place[i];
  if (!sound) ANK_FAIL(ANORANK_ERROR_MODEL, "model-subsets", "the model is damaged: its subsets are invalid");
  ANK_TRY(lay_out(out, rows, err));
done:
  if (status != ANORANK_OK) ank_subsets_free(out);
  return status;
}
