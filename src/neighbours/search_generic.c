/* search_generic.c - search.h for any processor. */
#include "kernels/fused.h"
#include "neighbours/search_table.h"

#include <math.h>
#include <string.h>

#define TABLE ank_search_generic

typedef float vec __attribute__((vector_size(32)));

#define EACH_LANE(statement)                                                                                 \
  do {                                                                                                       \
    for (size_t l = 0; l < ANK_FLOATS; l++) statement;                                                       \
  } while (0)

#define LOAD(v, from) EACH_LANE((v)[l] = (from)[l])
#define STORE(to, v) EACH_LANE((to)[l] = (v)[l])
#define SUBTRACT(out, a, b) ((out) = (a) - (b))
#define SPLAT(v, x) EACH_LANE((v)[l] = (x))
#define ADD_SQUARE(sum, d) EACH_LANE((sum)[l] = ank_fused((d)[l], (d)[l], (sum)[l]))
#define MINIMUM(low, v) EACH_LANE((low)[l] = (v)[l] < (low)[l] ? (v)[l] : (low)[l])
#define MAXIMUM(high, v) EACH_LANE((high)[l] = (v)[l] > (high)[l] ? (v)[l] : (high)[l])

static uint64_t mark_half(const int16_t *estimates, int limit) {
  uint64_t near = 0;
  for (size_t i = 0; i < 64; i++) near |= (uint64_t)(estimates[i] <= limit) << i;
  return near;
}

static ank_marks mark(const int16_t estimates[ANK_CELL], int limit) {
  return (ank_marks){mark_half(estimates, limit), mark_half(estimates + 64, limit)};
}

static ank_marks estimate(int16_t *out, const uint32_t *row, const int8_t *codes, const int16_t *bases,
                          size_t pairs, int limit) {
  int16_t own[ANK_CELL];
  memcpy(own, bases, sizeof own);
  for (size_t p = 0; p < pairs; p++, codes += 2 * ANK_CELL) {
    int left = (int)(row[p] & 0xff), right = (int)(row[p] >> 8 & 0xff);
    for (size_t i = 0; i < ANK_CELL; i++)
      own[i] = (int16_t)(uint16_t)(own[i] - left * codes[2 * i] - right * codes[2 * i + 1]);
  }
  if (out) memcpy(out, own, sizeof own);
  return mark(own, limit);
}

static void scale_up(float out[ANK_CELL], const int16_t estimates[ANK_CELL], float norm, float square) {
  for (size_t i = 0; i < ANK_CELL; i++) {
    float about = (norm + 2 * (float)estimates[i]) * square;
    out[i] = about > 0 ? about : 0;
  }
}

static uint64_t mark_half_within(const float *about, float limit) {
  uint64_t near = 0;
  for (size_t i = 0; i < 64; i++) near |= (uint64_t)(about[i] <= limit) << i;
  return near;
}

static ank_marks mark_within(const float about[ANK_CELL], float limit) {
  return (ank_marks){mark_half_within(about, limit), mark_half_within(about + 64, limit)};
}

static void ranks(uint32_t *rank, const float *values, size_t count) {
  for (size_t i = 0; i < count; i++) {
    rank[i] = 0;
    for (size_t j = 0; j < count; j++) rank[i] += values[j] < values[i];
  }
}

static size_t count_within(const float *bounds, size_t count, float limit) {
  size_t within = 0;
  for (size_t i = 0; i < count; i++) within += bounds[i] <= limit;
  return within;
}

static unsigned not_above_worst(const float distance[ANK_FLOATS], float worst) {
  unsigned near = 0;
  for (size_t i = 0; i < ANK_FLOATS; i++) near |= (unsigned)(distance[i] <= worst) << i;
  return near;
}

static unsigned distances(float out[ANK_FLOATS], const float *row, const float *const reference[ANK_FLOATS],
                          size_t dim, size_t count, float worst) {
  unsigned near = 0;
  for (size_t i = 0; i < count; i++) {
    out[i] = 0;
    for (size_t j = 0; j < dim; j++)
      out[i] = ank_fused(row[j] - reference[i][j], row[j] - reference[i][j], out[i]);
    near |= (unsigned)(out[i] <= worst) << i;
  }
  return near;
}

static unsigned lane_distances(float out[ANK_STRETCH], const float *row, const float *lanes, size_t dim,
                               float worst) {
  unsigned near = 0;
  for (size_t i = 0; i < ANK_STRETCH; i++) {
    const float *lane = lanes + i / ANK_FLOATS * dim * ANK_FLOATS + i % ANK_FLOATS;
    out[i] = 0;
    for (size_t j = 0; j < dim; j++)
      out[i] = ank_fused(row[j] - lane[j * ANK_FLOATS], row[j] - lane[j * ANK_FLOATS], out[i]);
    near |= (unsigned)(out[i] <= worst) << i;
  }
  return near;
}

#include "neighbours/search_body.h"
