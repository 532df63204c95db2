/* expected_distance.c - see expected_distance.h. */
#include "neighbours/expected_distance.h"

#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "core/method_constants.h"
#include "kernels/distance.h"

enum {
  SHIFT = 18,                   /* ignored bits of a float: 18 of the 23 of its fraction */
  STEPS = 0x7f800000U >> SHIFT, /* below infinity */
  LANES = 4,
  TILE = 4 /* rows at a time */
};

void ank_expected_distance_free(ank_expected_distance *expected) {
  ank_free(expected->values);
  ank_free(expected->missed);
  ank_free(expected->measure);
  *expected = (ank_expected_distance){0};
}

static float float_of(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static void fill_measure(double *measure, int logs) {
  for (uint32_t s = 0; s < STEPS; s++) {
    double middle = sqrt((double)float_of((s << SHIFT) + (1U << (SHIFT - 1))));
    measure[s] = logs ? log(middle + ANK_DISTANCE_FLOOR) : middle;
  }
}

anorank_status ank_expected_distance_make(ank_expected_distance *out, const float *rows, size_t dim,
                                          const uint32_t *from, size_t count, size_t size, int logs,
                                          anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t blocks = (count + ANK_LANES - 1) / ANK_LANES;
  *out = (ank_expected_distance){.count = count, .dim = dim, .blocks = blocks, .logs = logs};
  ANK_TRY(ank_alloc_raw(&out->values, blocks * ANK_LANES, dim * sizeof *out->values, err));
  ANK_TRY(ank_alloc_raw(&out->missed, count + 1, sizeof *out->missed, err));
  ANK_TRY(ank_alloc_raw(&out->measure, STEPS, sizeof *out->measure, err));
  for (size_t i = 0; i < blocks * ANK_LANES; i++)
    for (size_t j = 0; j < dim; j++)
      out->values[(i / ANK_LANES * dim + j) * ANK_LANES + i % ANK_LANES] =
          i < count ? rows[from[i] * dim + j] : INFINITY;
  if (size > count) size = count;
  out->missed[0] = 1;
  for (size_t c = 0; c < count; c++) {
    size_t others = count - c;
    out->missed[c + 1] = others > size ? out->missed[c] * (double)(others - size) / (double)others : 0;
  }
  fill_measure(out->measure, logs);
done:
  if (status != ANORANK_OK) ank_expected_distance_free(out);
  return status;
}

/* Find the range of the squared distances above 0, as bits, and their number. */
static size_t ends(uint32_t *low, uint32_t *high, const float *squared, size_t count) {
  int32_t least = INT32_MAX, most = 0, copies = 0;
  for (size_t r = 0; r < count; r++) {
    int32_t bits;
    memcpy(&bits, &squared[r], sizeof bits);
    int32_t other = bits ? bits : INT32_MAX;
    least = other < least ? other : least;
    most = bits > most ? bits : most;
    copies += bits == 0;
  }
  *low = (uint32_t)least >> SHIFT;
  *high = (uint32_t)most >> SHIFT;
  return count - (size_t)copies;
}

/* Compute the value from one row's squared distances. `steps` is scratch, LANES counts per step: with one
 * count, each addition would wait for the one before. */
static double value_of(const ank_expected_distance *expected, const float *squared, uint16_t *steps) {
  const double *missed = expected->missed;
  uint32_t low, high;
  size_t seen = 0, others = ends(&low, &high, squared, expected->count);
  double sum = 0;
  if (others == 0) return expected->logs ? log(ANK_DISTANCE_FLOOR) : 0;
  memset(steps + low * LANES, 0, (high - low + 1) * LANES * sizeof *steps);
  for (size_t r = 0; r < expected->count; r++) {
    uint32_t bits;
    memcpy(&bits, &squared[r], sizeof bits);
    if (bits) steps[(bits >> SHIFT) * LANES + r % LANES]++;
  }
  for (size_t s = low; s <= high && missed[seen] > ANK_EXPECTED_DISTANCE_NEGLIGIBLE; s++) {
    size_t here = 0;
    for (size_t l = 0; l < LANES; l++) here += steps[s * LANES + l];
    if (here == 0) continue;
    sum += (missed[seen] - missed[seen + here]) * expected->measure[s];
    seen += here;
  }
  return sum / (1 - missed[seen]);
}

anorank_status ank_expected_distance_values(double *out, const ank_expected_distance *expected,
                                            const float *rows, size_t count, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t stride = expected->blocks * ANK_LANES;
  float *squared = NULL;
  uint16_t *steps = NULL;
  ANK_TRY(ank_alloc_raw(&squared, TILE * stride, sizeof *squared, err));
  ANK_TRY(ank_alloc(&steps, STEPS * LANES, sizeof *steps, err));
  for (size_t from = 0; from < count; from += TILE) {
    size_t some = count - from < TILE ? count - from : TILE;
    ank_distances(squared, rows + from * expected->dim, some, expected->dim, expected->values,
                  expected->blocks);
    for (size_t i = 0; i < some; i++) out[from + i] = value_of(expected, squared + i * stride, steps);
  }
done:
  ank_free(squared);
  ank_free(steps);
  return status;
}
