/* context_joint.c - joint deviation of the columns of a row: Hotelling's T² of the row and of the means over
 * the window, by covariances of the training rows. */
#include <math.h>
#include <string.h>

#include "context/context_parts.h"
#include "core/alloc.h"

#define SHRINK_ROW 0.3     /* share of the identity in the correlations of rows */
#define SHRINK_WINDOW 0.05 /* the same for means over the window */
#define LEAST_ROW 0.05     /* smallest root mean square of `usual` */
#define LEAST_WINDOW 0.02
#define MOST_USUAL 100.0  /* spreads that a value counts as, at most */
#define LEAST_ENERGY 1e-3 /* before its logarithm */
#define FAR 10.0 /* T² per column from which the row itself counts, so that a spike exceeds its return */
#define MOST_FILLING                                                                                         \
  3.0 /* T² per column that the means take of a row while the window fills: its entity is hardly known */
#define SHORT 4.0  /* the short window is this part of the window */
#define SETTLED 50 /* rows of an entity before the first that counts, or a quarter of the longest history */
#define PERSISTENCE 6.0 /* weight of the mean over the window for a correlation of 1 */
#define LEAST_PAIRS 10  /* fewer do not show a correlation: weight 1 */
#define MOST_WORK 2e9   /* rows x columns², from which only every k-th row counts */

size_t ank_joint_steady(const ank_key *key, size_t columns) {
  size_t count = 0;
  for (size_t j = 0; j < columns; j++) count += key->usual[j].used && !key->usual[j].trends;
  return count;
}

void ank_joint_free(ank_joint *joint) {
  ank_free(joint->row);
  ank_free(joint->window);
  *joint = (ank_joint){0};
}

void ank_joint_put(float *usual, float *window, const ank_step *step) {
  *usual = (float)fmax(-MOST_USUAL, fmin(MOST_USUAL, step->deviation[ANK_USUAL]));
  *window = (float)step->deviation[ANK_WINDOW];
}

static size_t triangle(size_t n) { return n * (n + 1) / 2; }

/* |W x|² / n, W lower triangular by rows. */
static double size_of(const double *whitening, const float *x, size_t n) {
  double total = 0;
  for (size_t i = 0; i < n; i++) {
    double sum = 0;
    for (size_t j = 0; j <= i; j++) sum += whitening[j] * (double)x[j];
    total += sum * sum;
    whitening += i + 1;
  }
  return total / (double)n;
}

double ank_joint_step(ank_entity *own, const ank_joint *joint, const float *usual, const float *window,
                      double gain, int fills) {
  double row = size_of(joint->row, usual, joint->count), mean = size_of(joint->window, window, joint->count);
  double quick = fmin(1, SHORT * gain), counted = fills ? fmin(row, MOST_FILLING) : row;
  own->quick += (float)(quick * (counted - (double)own->quick));
  own->slow += (float)(gain * (counted - (double)own->slow));
  return log((1 + row / FAR) * fmax((double)own->quick, LEAST_ENERGY) *
             fmax((double)own->slow, LEAST_ENERGY) * fmax(mean, LEAST_ENERGY));
}

/* W with W' W = inverse of the shrunk covariance of mean squares `sums / rows`; `sums` is a lower triangle by rows. */
static void whiten(double *out, double *sums, size_t n, double rows, double shrink, double least,
                   double *scale) {
  for (size_t i = 0; i < n; i++) scale[i] = fmax(sqrt(sums[triangle(i) + i] / rows), least);
  for (size_t i = 0; i < n; i++) {
    double *of = sums + triangle(i);
    for (size_t j = 0; j <= i; j++)
      of[j] = (1 - shrink) * of[j] / (rows * scale[i] * scale[j]) + (i == j ? shrink : 0);
  }
  for (size_t i = 0; i < n; i++) { /* Cholesky factor, in place */
    double *a = sums + triangle(i);
    for (size_t j = 0; j <= i; j++) {
      const double *b = sums + triangle(j);
      double left = a[j];
      for (size_t k = 0; k < j; k++) left -= a[k] * b[k];
      a[j] = i == j ? sqrt(fmax(left, shrink / 2)) : left / b[j];
    }
  }
  for (size_t i = 0; i < n; i++) { /* its inverse, column by column of the right side */
    const double *a = sums + triangle(i);
    double *to = out + triangle(i);
    for (size_t j = 0; j <= i; j++) {
      double left = i == j ? 1 : 0;
      for (size_t k = j; k < i; k++) left -= a[k] * out[triangle(k) + j];
      to[j] = left / a[i];
    }
  }
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j <= i; j++) out[triangle(i) + j] /= scale[j];
}

/* Sums over pairs of successive rows of one entity. */
typedef struct pairs {
  double count, first, second, first_square, second_square, product;
} pairs;

static void add_pair(pairs *of, double a, double b) {
  of->count += 1;
  of->first += a;
  of->second += b;
  of->first_square += a * a;
  of->second_square += b * b;
  of->product += a * b;
}

/* An incident lasts where the deviations of successive rows resemble each other; else the window says nothing. */
static double persistence_of(const pairs *of) {
  double n = of->count, a = n * of->first_square - of->first * of->first;
  double b = n * of->second_square - of->second * of->second;
  if (!(n >= LEAST_PAIRS && a > 0 && b > 0)) return 1;
  double alike = (n * of->product - of->first * of->second) / sqrt(a * b);
  return fmin(ANK_MOST_PERSISTENCE, fmax(0, PERSISTENCE * alike));
}

static void add_products(double *sums, const float *x, size_t n) {
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j <= i; j++) *sums++ += (double)x[i] * (double)x[j];
}

/* One more row of an entity: what ank_joint_put takes of it, and its deviation, not yet over the window. */
static double step_row(float *usual, float *window, ank_track *tracks, const ank_key *key, size_t columns,
                       const double *const *cells, size_t i, double time, double gain) {
  double total = 0;
  size_t place = 0;
  for (size_t j = 0; j < columns; j++) {
    const ank_usual *of = &key->usual[j];
    ank_step step;
    if (!of->used || of->trends) continue;
    ank_track_step(&step, &tracks[j], of, ank_usual_value(of, cells[j][i], time), cells[j][i], gain);
    ank_joint_put(&usual[place], &window[place], &step);
    total += ank_step_size(&step, of);
    place++;
  }
  return total;
}

anorank_status ank_joint_learn(ank_key *key, const ank_context *context, const ank_context_rows *rows,
                               const double *const *cells, const uint32_t *grouped, const size_t *start,
                               size_t entities, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t n = ank_joint_steady(key, context->columns), longest = 0, every;
  int together = context->reference && n <= ANK_MOST_JOINT;
  size_t room = together ? triangle(n) : 0;
  ank_track *tracks = NULL;
  float *usual = NULL, *window = NULL;
  double *row_sums = NULL, *window_sums = NULL, *scale = NULL, counted = 0, before = 0;
  double gain = context->window_seconds ? ANK_USUAL_GAIN : 1 / context->window;
  pairs seen_pairs = {0};
  key->persistence = 1;
  if (n == 0) return ANORANK_OK;
  every = 1 + (size_t)((double)rows->rows * (double)n * (double)n / MOST_WORK);
  for (size_t e = 0; e < entities; e++)
    if (start[e + 1] - start[e] > longest) longest = start[e + 1] - start[e];
  size_t settled = longest / 4 < SETTLED ? longest / 4 : SETTLED;
  ANK_TRY(ank_alloc(&key->joint.row, room, sizeof *key->joint.row, err));
  ANK_TRY(ank_alloc(&key->joint.window, room, sizeof *key->joint.window, err));
  ANK_TRY(ank_alloc(&row_sums, room, sizeof *row_sums, err));
  ANK_TRY(ank_alloc(&window_sums, room, sizeof *window_sums, err));
  ANK_TRY(ank_alloc(&scale, n, sizeof *scale, err));
  ANK_TRY(ank_alloc(&usual, n, sizeof *usual, err));
  ANK_TRY(ank_alloc(&window, n, sizeof *window, err));
  ANK_TRY(ank_alloc(&tracks, context->columns, sizeof *tracks, err));
  for (size_t e = 0; e < entities; e++) {
    for (size_t j = 0; j < context->columns; j++) ank_track_start(&tracks[j], &key->usual[j]);
    for (size_t k = start[e]; k < start[e + 1]; k++) {
      size_t i = grouped[k], seen = k - start[e];
      double now = step_row(usual, window, tracks, key, context->columns, cells, i,
                            rows->time ? rows->time[i] : 0, fmax(gain, 1 / ((double)seen + 1)));
      if (seen > 0) add_pair(&seen_pairs, before, now);
      before = now;
      if (!together || seen < settled || k % every > 0) continue;
      add_products(row_sums, usual, n);
      add_products(window_sums, window, n);
      counted++;
    }
  }
  key->persistence = persistence_of(&seen_pairs);
  if (counted > 0) {
    whiten(key->joint.row, row_sums, n, counted, SHRINK_ROW, LEAST_ROW, scale);
    whiten(key->joint.window, window_sums, n, counted, SHRINK_WINDOW, LEAST_WINDOW, scale);
    key->joint.count = n;
  }
done:
  ank_free(row_sums);
  ank_free(window_sums);
  ank_free(scale);
  ank_free(usual);
  ank_free(window);
  ank_free(tracks);
  return status;
}
