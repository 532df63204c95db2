/* contaminated.h - tables with anomalies: ten kinds of normal rows, three kinds of anomalies. Tests measure
 * p-values and false discoveries of models fitted on them. */
#ifndef TEST_SUPPORT_CONTAMINATED_H
#define TEST_SUPPORT_CONTAMINATED_H

#include <math.h>
#include <stdlib.h>

#include "anorank/anorank.h"
#include "core/rng.h"

enum { CONTAMINATED_KINDS = 10, CONTAMINATED_TYPES = 3, CONTAMINATED_COLUMNS = 6 };

static const char *const contaminated_kinds[CONTAMINATED_KINDS] = {
    "gaussian", "correlated", "clusters",  "t3",     "lognormal",
    "discrete", "uniform",    "radial t3", "binary", "unequal"};
static const char *const contaminated_types[CONTAMINATED_TYPES] = {"local", "global", "cluster"};

/* One normal row, its deviation from the middle of its group stretched by `wide` (1: as it is). */
static inline void contaminated_draw(double *row, int kind, double wide, ank_rng *rng) {
  double shared = ank_rng_normal(rng);
  size_t group = (size_t)ank_rng_below(rng, 3);
  double radial = 1 / sqrt(ank_rng_gamma(rng, 1.5) / 1.5);
  double unequal = ank_rng_uniform(rng) < 0.05 ? 4 : 1; /* one row in 20 is of a group four times as wide */
  for (size_t j = 0; j < CONTAMINATED_COLUMNS; j++) {
    double e = ank_rng_normal(rng);
    switch (kind) {
    case 0: row[j] = wide * e; break;
    case 1: row[j] = wide * (0.8 * shared + 0.6 * e); break;
    case 2: row[j] = 6 * (double)((group + j) % 3) + wide * e; break;
    case 3: row[j] = wide * e / sqrt(ank_rng_gamma(rng, 1.5) / 1.5); break;
    case 4: row[j] = exp(wide * (0.6 * shared + 0.8 * e)); break;
    case 5:
      row[j] = j < 2   ? round(fabs(2 * wide * (0.7 * shared + 0.714 * e)))
               : j < 4 ? (double)ank_rng_binomial(rng, 40, 0.1 * fmin(9, wide))
                       : wide * e;
      break;
    case 6: row[j] = wide * (2 * ank_rng_uniform(rng) - 1); break;
    case 7: row[j] = wide * radial * e; break;
    case 8: row[j] = ank_rng_uniform(rng) < fmin(0.9, wide * 0.1 * (double)(1 + j % 3)); break;
    default: row[j] = unequal * wide * e; break;
    }
  }
}

/* `rows` rows of which the last `anomalies` are anomalies:
 *   local    four times as far from the middle of their group as normal rows are
 *   global   spread evenly over the box of the normal rows, a tenth wider on both sides
 *   cluster  close together, beyond the normal rows in all columns */
static inline void contaminated_fill(double *values, size_t rows, size_t anomalies, int kind, int type,
                                     uint64_t seed) {
  enum { D = CONTAMINATED_COLUMNS };
  double low[D], high[D], middle[D];
  size_t normal = rows - anomalies;
  ank_rng rng;
  ank_rng_open(&rng, seed, 3000 + (uint64_t)kind, 0);
  for (size_t i = 0; i < normal; i++) contaminated_draw(values + i * D, kind, 1, &rng);
  ank_rng_open(&rng, seed, 3100 + (uint64_t)kind, (uint64_t)type);
  for (size_t j = 0; j < D; j++) {
    double mean = 0, squares = 0;
    low[j] = INFINITY, high[j] = -INFINITY;
    for (size_t i = 0; i < normal; i++) {
      double x = values[i * D + j];
      low[j] = fmin(low[j], x), high[j] = fmax(high[j], x);
      mean += x / (double)normal, squares += x * x / (double)normal;
    }
    middle[j] = mean + (j % 2 ? -4 : 4) * sqrt(squares - mean * mean);
  }
  for (size_t i = normal; i < rows; i++) {
    double *row = values + i * D, one[D];
    contaminated_draw(row, kind, type == 0 ? 4 : 1, &rng);
    contaminated_draw(one, kind, 1, &rng);
    for (size_t j = 0; j < D; j++) {
      double width = high[j] - low[j], u = ank_rng_uniform(&rng);
      if (type == 1) row[j] = low[j] - 0.1 * width + 1.2 * width * u;
      if (type == 2) row[j] = middle[j] + 0.02 * width * (2 * u - 1);
      if (type > 0 && (kind == 8 || (kind == 5 && j < 4))) row[j] = round(row[j]);
    }
  }
}

#endif
