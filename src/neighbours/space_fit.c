/* space_fit.c - learn the maps of space.h from rows. */
#include <math.h>

#include "core/alloc.h"
#include "core/method_constants.h"
#include "core/parallel.h"
#include "kernels/normal.h"
#include "kernels/sort.h"
#include "neighbours/space.h"

enum { TAIL = 128, MIDDLE = ANK_SPACE_KNOTS - 2 * TAIL };

typedef struct {
  ank_spaces *spaces;
  const ank_matrix *x;
  const unsigned char *as_given; /* NULL: no column is */
  int cut;
  anorank_settings one_thread;
} fitting;

/* Return the mean of (v - mean)^power, power 2 or 4. */
static double central_moment(const double *v, size_t n, double mean, int power) {
  double sum = 0;
  for (size_t i = 0; i < n; i++) {
    double square = (v[i] - mean) * (v[i] - mean);
    sum += power == 4 ? square * square : square;
  }
  return sum / (double)n;
}

static double mean_of(const double *v, size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += v[i];
  return sum / (double)n;
}

/* Copy sorted values with the outer hundredths, at least one row each, clamped to the next value. So no
 * single row changes the column's unit or its kind. If only they differ, they stay. */
static void cut_ends(double *out, const double *sorted, size_t n, int wanted) {
  size_t cut = n / 100 > 0 ? n / 100 : 1;
  double low = sorted[cut < n ? cut : 0], high = sorted[cut < n ? n - 1 - cut : n - 1];
  int cuts = wanted && low < high;
  for (size_t i = 0; i < n; i++)
    out[i] = !cuts ? sorted[i] : sorted[i] < low ? low : sorted[i] > high ? high : sorted[i];
}

/* Return the standard deviation of x - centre, sorted and clamped; 1 if it is negligible. Scaling by the
 * largest deviation prevents overflow. */
static double unit_of(double *shifted, size_t n) {
  double most = fmax(fabs(shifted[0]), fabs(shifted[n - 1]));
  if (!(most > 0) || !isfinite(most)) return 1;
  for (size_t i = 0; i < n; i++) shifted[i] /= most;
  double unit = most * sqrt(central_moment(shifted, n, mean_of(shifted, n), 2));
  return unit >= 1e-300 && isfinite(unit) ? unit : 1;
}

static int is_heavy(const double *v, size_t n, double limit) {
  double mean = mean_of(v, n), second = central_moment(v, n, mean, 2);
  return second > 0 && central_moment(v, n, mean, 4) / second / second - 3 > limit;
}

/* ---- knots ------------------------------------------------------------------------------------------- */

/* Walk the distinct values of a sorted column from low to high. Count those that become knots and, if `out`
 * has room, write them. */
static size_t choose_knots(ank_space_column *out, const double *sorted, size_t n, size_t distinct, double low,
                           double high) {
  size_t knots = 0, seen = 0;
  double step = (double)n / MIDDLE, next = step;
  for (size_t from = 0, to; from < n; from = to, seen++) {
    for (to = from + 1; to < n && !(sorted[from] < sorted[to]);) to++;
    int keep = distinct <= ANK_SPACE_KNOTS || seen < TAIL || seen + TAIL >= distinct;
    if (!keep && (double)to >= next) keep = 1;
    while ((double)to >= next) next += step;
    if (!keep || sorted[from] < low || sorted[from] > high) continue;
    if (out->value) {
      out->value[knots] = (float)sorted[from];
      out->below[knots] = (uint32_t)from;
      out->upto[knots] = (uint32_t)to;
    }
    knots++;
  }
  return knots;
}

/* Return the standard deviation of the normal scores of all rows. */
static double spread_of(double *scores, const double *sorted, size_t n) {
  for (size_t from = 0, to; from < n; from = to) {
    for (to = from + 1; to < n && !(sorted[from] < sorted[to]);) to++;
    double score = ank_normal_quantile((((double)from + (double)to) / 2 + 0.5) / ((double)n + 1));
    for (size_t i = from; i < to; i++) scores[i] = score;
  }
  double spread = sqrt(central_moment(scores, n, mean_of(scores, n), 2));
  return spread > 1e-6 ? spread : 1;
}

/* `scratch` has the values, clamped or not. */
static anorank_status fit_knots(ank_space_column *out, const double *sorted, size_t n, double *scratch,
                                anorank_error *err) {
  size_t distinct = 1, knots;
  double low = scratch[0], high = scratch[n - 1];
  for (size_t i = 1; i < n; i++) distinct += sorted[i - 1] < sorted[i];
  knots = choose_knots(out, sorted, n, distinct, low, high);
  ANK_CHECK(ank_alloc(&out->below, knots, sizeof *out->below, err));
  ANK_CHECK(ank_alloc(&out->upto, knots, sizeof *out->upto, err));
  ANK_CHECK(ank_alloc(&out->value, knots, sizeof *out->value, err));
  out->knots = choose_knots(out, sorted, n, distinct, low, high);
  out->spread = spread_of(scratch, sorted, n);
  return ank_space_place_knots(out, n, err);
}

/* ---- ends ------------------------------------------------------------------------------------------- */

/* Describe the column without its first or last value, if only one row has that. */
static ank_space_end end_of(const double *sorted, size_t n, int last) {
  ank_space_end end = {NAN, 1, 0};
  const double *rest = sorted + !last;
  if (n < 3) return end;
  double value = last ? sorted[n - 1] : sorted[0], next = last ? sorted[n - 2] : sorted[1];
  double range = rest[n - 2] - rest[0], second = central_moment(rest, n - 1, mean_of(rest, n - 1), 2);
  if (value == next || !(range > 0) || !(second > 0)) return end;
  return (ank_space_end){(float)value, (sorted[n - 1] - sorted[0]) / range, second / range / range};
}

/* ---- columns ----------------------------------------------------------------------------------------- */

static anorank_status fit_column(void *context, size_t j, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const fitting *work = context;
  ank_space_column *out = &work->spaces->column[j];
  size_t n = work->x->rows, dim = work->x->dim;
  double *sorted = NULL, *scratch = NULL;
  ANK_TRY(ank_alloc_raw(&sorted, n, sizeof *sorted, err));
  ANK_TRY(ank_alloc_raw(&scratch, n, sizeof *scratch, err));
  for (size_t i = 0; i < n; i++) sorted[i] = work->x->values[i * dim + j];
  ANK_TRY(ank_sort(sorted, n, &work->one_thread, err));
  out->centre = sorted[(n - 1) / 2];
  cut_ends(scratch, sorted, n, work->cut);
  for (size_t i = 0; i < n; i++) scratch[i] -= out->centre;
  out->unit = out->factor = out->spread = 1;
  out->variance = -1;
  if (work->as_given && work->as_given[j]) goto done;
  out->unit = unit_of(scratch, n);
  ank_spaces one = {.dim = 1, .rows = n, .column = out};
  for (size_t i = 0; i < n; i++) { /* from here on the numbers as stored */
    float held;
    ank_spaces_hold(&held, &one, &sorted[i], 1);
    sorted[i] = (double)held;
  }
  double range = sorted[n - 1] - sorted[0], mean = mean_of(sorted, n),
         second = central_moment(sorted, n, mean, 2);
  if (!(range > 0) || !(second > 0)) goto done;
  out->factor = 1 / range;
  out->variance = second / range / range;
  for (int last = 0; last < 2; last++) out->end[last] = end_of(sorted, n, last);
  cut_ends(scratch, sorted, n, work->cut);
  if (is_heavy(scratch, n, work->cut ? ANK_SPACE_HEAVY_CUT : ANK_SPACE_HEAVY))
    ANK_TRY(fit_knots(out, sorted, n, scratch, err));
done:
  ank_free(sorted);
  ank_free(scratch);
  return status;
}

/* Return the mean over the numeric columns that are not constant. */
static double mean_variance(const ank_spaces *spaces) {
  double sum = 0, moving = 0;
  for (size_t j = 0; j < spaces->dim; j++)
    if (spaces->column[j].variance >= 0) sum += spaces->column[j].variance, moving++;
  return moving > 0 ? sum / moving : 1;
}

anorank_status ank_spaces_fit(ank_spaces *out, const ank_matrix *rows, const unsigned char *as_given, int cut,
                              const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  fitting work = {out, rows, as_given, cut, *settings};
  work.one_thread.threads = 1; /* columns are spread over threads, sorting is not */
  ANK_TRY(ank_spaces_shape(out, rows->dim, rows->rows, err));
  out->open = cut;
  ANK_TRY(ank_parallel(settings, rows->dim, fit_column, &work, err));
  double size = sqrt(mean_variance(out));
  for (size_t j = 0; j < rows->dim; j++)
    if (out->column[j].variance >= 0) out->column[j].factor /= size;
done:
  if (status != ANORANK_OK) ank_spaces_free(out);
  return status;
}

void ank_spaces_score_ranges(ank_spaces *spaces) {
  double before = mean_variance(spaces), moving = 0, ruled = 0;
  for (size_t j = 0; j < spaces->dim; j++) {
    double variance = spaces->column[j].variance;
    moving += variance >= 0;
    ruled += variance >= 0 && variance * ANK_SPACE_LONG * ANK_SPACE_LONG < 1;
  }
  if (!(ruled > ANK_SPACE_RULED * moving)) return;
  spaces->scored = 1;
  for (size_t j = 0; j < spaces->dim; j++) {
    ank_space_column *column = &spaces->column[j];
    if (column->variance < 0) continue;
    if (column->knots == 0) {
      column->factor *= sqrt(before);
      continue;
    }
    double range = (double)column->knot[column->knots - 1].at - (double)column->knot[0].at;
    column->factor = 1 / range;
    column->variance = 1 / range / range; /* the scores have variance 1 */
    for (size_t e = 0; e < 2; e++) column->end[e].stretch = 1, column->end[e].variance = column->variance;
  }
  double after = sqrt(mean_variance(spaces));
  for (size_t j = 0; j < spaces->dim; j++)
    if (spaces->column[j].variance >= 0) spaces->column[j].factor /= after;
}
