/* stretch_law.c - see stretch_law.h. */
#include "ranking/stretch_law.h"

#include <math.h>

enum { FEWEST_STRETCHES = 30, FEWEST_ROWS = 20 };

/* Rows and stretches whose smallest p-value is at most 2^-(k + 1), by k. */
typedef struct counts {
  size_t rows, stretches;
  size_t low_rows[ANK_STRETCH_LEVELS], low_stretches[ANK_STRETCH_LEVELS];
} counts;

/* The number of levels that are at least the p-value. */
static size_t levels_of(double p) {
  size_t k = 0;
  while (k < ANK_STRETCH_LEVELS && p <= ldexp(1, -(int)k - 1)) k++;
  return k;
}

/* All stretches of `length` rows that do not overlap, entity by entity. */
static void count_stretches(counts *out, const ank_sequences *rows, const double *p, size_t length) {
  *out = (counts){0};
  for (size_t from = 0, end; from < rows->rows; from = end) {
    uint32_t entity = rows->entity[rows->order[from]];
    for (end = from; end < rows->rows && rows->entity[rows->order[end]] == entity;) end++;
    for (size_t at = from; at + length <= end; at += length) {
      size_t most = 0;
      for (size_t i = at; i < at + length; i++) {
        size_t levels = levels_of(p[rows->order[i]]);
        for (size_t k = 0; k < levels; k++) out->low_rows[k]++;
        most = levels > most ? levels : most;
      }
      for (size_t k = 0; k < most; k++) out->low_stretches[k]++;
      out->rows += length;
      out->stretches++;
    }
  }
}

void ank_stretch_law_make(ank_stretch_law *out, const ank_sequences *rows, const double *p) {
  *out = (ank_stretch_law){0};
  for (size_t length = 1; out->lengths < ANK_STRETCH_LENGTHS; length *= 2) {
    counts found;
    count_stretches(&found, rows, p, length);
    if (found.stretches < FEWEST_STRETCHES) break;
    double *log_theta = out->log_theta[out->lengths++], before = 0;
    for (size_t k = 0; k < ANK_STRETCH_LEVELS; k++) {
      double share = (double)found.low_rows[k] / (double)found.rows, low = (double)found.low_stretches[k];
      double all = (double)found.stretches;
      /* if all stretches were low, theta would be infinite: count half a stretch as not low */
      low = fmin(low, all - 0.5);
      if (found.low_rows[k] >= FEWEST_ROWS && found.low_stretches[k] > 0 && share < 1) {
        double theta = log1p(-low / all) / ((double)length * log1p(-share));
        before = log(fmin(1, fmax(theta, 1 / (double)length)));
      }
      log_theta[k] = before;
    }
  }
}

/* log theta at a level, by its place among the levels, and a known length. */
static double at_level(const double *log_theta, double place) {
  size_t k = place > ANK_STRETCH_LEVELS - 2 ? ANK_STRETCH_LEVELS - 2 : (size_t)place;
  double share = fmin(place - (double)k, 1);
  return (1 - share) * log_theta[k] + share * log_theta[k + 1];
}

double ank_stretch_p_value(const ank_stretch_law *law, double smallest, size_t rows) {
  double count = (double)rows, log_theta = 0;
  if (!(smallest < 1)) return 1;
  if (law->lengths > 0 && rows > 1) {
    double place = fmax(0, -log2(smallest) - 1), length = log2(count);
    size_t k = length >= (double)law->lengths - 1 ? law->lengths - 1 : (size_t)length;
    log_theta = at_level(law->log_theta[k], place);
    if (k + 1 < law->lengths) {
      double share = length - (double)k;
      log_theta = (1 - share) * log_theta + share * at_level(law->log_theta[k + 1], place);
    }
  }
  return -expm1(fmax(1, count * exp(log_theta)) * log1p(-smallest));
}
