/* limits.c - see limits.h. */
#include "model/limits.h"

#include <math.h>

#include "core/alloc.h"
#include "core/method_constants.h"
#include "kernels/sort.h"

enum { FEWEST_ROWS = 100, FEWEST = 15, FEW_VALUES = 4, MOST_BEYOND = 3, MOST_COLUMNS = 1 << 20 };

/* ---- one tail ---------------------------------------------------------------------------------------- */

typedef struct tail {
  double scale;  /* mean excess */
  double likely; /* log-likelihood */
  size_t exact;  /* excesses that count; those of the `cut` largest are known to be at least the next */
} tail;

/* Values that may be errors, of k. */
static size_t outermost(size_t k) { return k / 5 > 3 ? k / 5 : 3; }

static double curved(double deviation, double unit) { return asinh(deviation / unit); }

/* `in_curve`: in the scale asinh(deviation / unit). */
static tail fit_tail(const double *deviation, size_t count, size_t cut, double from, double unit,
                     int in_curve) {
  double sum = 0, jacobian = 0, start = in_curve ? curved(from, unit) : from;
  for (size_t i = cut; i < count; i++) {
    double at = in_curve ? curved(deviation[i], unit) : deviation[i];
    sum += (at - start) * (i == cut ? (double)(cut + 1) : 1);
    if (in_curve) jacobian -= 0.5 * log(unit * unit + deviation[i] * deviation[i]);
  }
  tail out = {.exact = count - cut};
  out.scale = sum / (double)out.exact;
  out.likely = -(double)out.exact * (log(out.scale) + 1) + jacobian;
  return out;
}

/* The first `k` of the deviations that exceed the next; 0 where they are too few or too much alike. */
static size_t outer(const double *deviation, size_t count, size_t n, double share, double *from) {
  size_t k = (size_t)(share * (double)n);
  if (count < 2 * k) k = count / 2;
  if (k < FEWEST) return 0;
  *from = deviation[k];
  while (k > 0 && !(deviation[k - 1] > *from)) k--;
  return k < FEWEST || !(deviation[outermost(k)] > *from) || !isfinite(deviation[outermost(k)]) ? 0 : k;
}

/* Does the tail fall off more slowly than exponentially? Light tails must be clearly more likely, both in the tail
 * itself and in a larger part of the values. */
static int is_heavy(const double *deviation, size_t count, size_t n, double unit) {
  static const double shares[] = {ANK_APART_TAIL, ANK_APART_SHAPE},
                      doubts[] = {ANK_APART_DOUBT, ANK_APART_SHAPE_DOUBT};
  for (size_t i = 0; i < 2; i++) {
    double from;
    size_t k = outer(deviation, count, n, shares[i], &from), cut = outermost(k);
    if (k == 0 || fit_tail(deviation, k, cut, from, unit, 1).likely >
                      fit_tail(deviation, k, cut, from, unit, 0).likely - doubts[i])
      return 1;
  }
  return 0;
}

double ank_tail_limit(const double *deviation, size_t count, size_t n, double unit, double expected) {
  double from, step = INFINITY;
  size_t k = outer(deviation, count, n, ANK_APART_TAIL, &from), cut = outermost(k), steps = 0;
  if (k == 0 || !(unit > 0)) return INFINITY;
  int heavy = is_heavy(deviation, count, n, unit);
  tail fitted = fit_tail(deviation, k, cut, from, unit, heavy);
  /* P(excess > x) with the scale integrated out: (1 + x / (m scale))^-m */
  double m = (double)fitted.exact, widths = m * (pow((double)k / expected, 1 / m) - 1);
  if (heavy) return unit * sinh(curved(from, unit) + ANK_APART_HEAVY * fitted.scale * widths);
  /* whole numbers: an excess is at least one step */
  for (size_t i = cut; i + 1 < k; i++)
    if (deviation[i] > deviation[i + 1]) step = fmin(step, deviation[i] - deviation[i + 1]), steps++;
  return from + fmax(fitted.scale, steps < 30 && isfinite(step) ? step : 0) * widths;
}

/* ---- columns ----------------------------------------------------------------------------------------- */

static size_t count_values(const double *sorted, size_t n, size_t most) {
  size_t values = n > 0;
  for (size_t i = 1; i < n && values <= most; i++) values += sorted[i] != sorted[i - 1];
  return values;
}

/* One side of a sorted column. `work`: room for n. */
static double side_limit(const double *sorted, size_t n, double middle, double unit, int above,
                         double expected, double *work) {
  size_t count = 0;
  for (size_t i = 0; i < n; i++) {
    double deviation = above ? sorted[n - 1 - i] - middle : middle - sorted[i];
    if (!(deviation > 0)) break;
    work[count++] = deviation;
  }
  double limit = ank_tail_limit(work, count, n, unit, expected);
  if (isfinite(limit)) return limit;
  /* Too few different values for a tail: beyond the range of nearly all by that range. */
  size_t out = n / 200;
  double first = sorted[out], last = sorted[n - 1 - out], range = last - first;
  if (!(range > 0) || !isfinite(range)) return INFINITY;
  double share = count_values(sorted, n, FEW_VALUES) <= FEW_VALUES ? 0.5 : 1;
  return (above ? last - middle : middle - first) + share * range;
}

/* A group of rows beyond a limit is a kind of row, not an error. */
static int is_group(const double *sorted, size_t n, double limit, int above) {
  size_t most = n / 200 > MOST_BEYOND ? n / 200 : MOST_BEYOND;
  return n > most && (above ? sorted[n - 1 - most] > limit : sorted[most] < limit);
}

static anorank_status learn_column(double *low, double *high, const double *values, size_t rows,
                                   double expected, double *sorted, double *work,
                                   const anorank_settings *settings, anorank_error *err) {
  size_t n = 0;
  double sum = 0;
  for (size_t i = 0; i < rows; i++)
    if (isfinite(values[i])) sorted[n++] = values[i];
  if (n < FEWEST_ROWS) return ANORANK_OK;
  ANK_CHECK(ank_sort(sorted, n, settings, err));
  double middle = sorted[n / 2];
  for (size_t i = 0; i < n; i++) work[i] = fabs(sorted[i] - middle), sum += work[i] / (double)n;
  ANK_CHECK(ank_sort(work, n, settings, err));
  double unit = work[n / 2] > 0 ? work[n / 2] : sum;
  if (!(unit > 0) || !isfinite(unit)) return ANORANK_OK;
  *high = middle + side_limit(sorted, n, middle, unit, 1, expected, work);
  *low = middle - side_limit(sorted, n, middle, unit, 0, expected, work);
  if (is_group(sorted, n, *high, 1)) *high = INFINITY;
  if (is_group(sorted, n, *low, 0)) *low = -INFINITY;
  return ANORANK_OK;
}

static anorank_status make_room(ank_limits *out, size_t columns, anorank_error *err) {
  out->columns = columns;
  ANK_CHECK(ank_alloc_raw(&out->low, columns, sizeof *out->low, err));
  ANK_CHECK(ank_alloc_raw(&out->high, columns, sizeof *out->high, err));
  for (size_t c = 0; c < columns; c++) out->low[c] = -INFINITY, out->high[c] = INFINITY;
  return ANORANK_OK;
}

anorank_status ank_limits_of_table(ank_limits *out, const anorank_table *table, const ank_prepare *prepare,
                                   const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  double *sorted = NULL, *work = NULL;
  size_t columns = ank_prepare_columns(prepare), used = 0;
  ANK_TRY(make_room(out, columns, err));
  for (size_t c = 0; c < columns; c++) used += ank_prepare_column(prepare, c).role == ANORANK_ROLE_NUMERIC;
  if (table->columns != columns || used == 0) goto done;
  ANK_TRY(ank_alloc_raw(&sorted, table->rows, sizeof *sorted, err));
  ANK_TRY(ank_alloc_raw(&work, table->rows, sizeof *work, err));
  for (size_t c = 0; c < columns; c++)
    if (ank_prepare_column(prepare, c).role == ANORANK_ROLE_NUMERIC &&
        table->column[c].kind != ANORANK_CATEGORICAL)
      ANK_TRY(learn_column(&out->low[c], &out->high[c], table->column[c].numbers, table->rows,
                           ANK_APART_EXPECTED / (2 * (double)used), sorted, work, settings, err));
done:
  ank_free(sorted);
  ank_free(work);
  return status;
}

/* ---- scores ------------------------------------------------------------------------------------------ */

anorank_status ank_limits_of_scores(ank_limits *out, const double *scores, size_t count, anorank_error *err) {
  out->apart = out->unusual = -INFINITY;
  if (count < FEWEST_ROWS) return ANORANK_OK;
  double middle = scores[count / 2], unit = middle - scores[count / 4];
  double *deviation = NULL;
  if (!(unit > 0) || !isfinite(unit)) return ANORANK_OK;
  ANK_CHECK(ank_alloc_raw(&deviation, count, sizeof *deviation, err));
  size_t below = 0;
  while (below < count && scores[below] < middle) deviation[below] = middle - scores[below], below++;
  out->apart = middle - ank_tail_limit(deviation, below, count, unit, ANK_APART_EXPECTED);
  out->unusual = middle - ank_tail_limit(deviation, below, count, unit, ANK_UNUSUAL_EXPECTED);
  ank_free(deviation);
  return ANORANK_OK;
}

/* ---- as bytes ---------------------------------------------------------------------------------------- */

anorank_status ank_limits_save(const ank_limits *limits, ank_bytes *out, anorank_error *err) {
  ANK_CHECK(ank_bytes_put_f64s(out, limits->low, limits->columns, err));
  return ank_bytes_put_f64s(out, limits->high, limits->columns, err);
}

anorank_status ank_limits_load(ank_limits *out, ank_cursor *in, anorank_error *err) {
  size_t other;
  ANK_CHECK(ank_cursor_f64s(in, &out->low, &out->columns, err));
  ANK_CHECK(ank_cursor_f64s(in, &out->high, &other, err));
  int fit = other == out->columns;
  for (size_t c = 0; fit && c < other; c++) fit = out->low[c] < out->high[c];
  return fit ? ANORANK_OK
             : ank_fail(err, ANORANK_ERROR_MODEL, "model-field",
                        "the model is damaged: the limits of its columns are invalid");
}

void ank_limits_free(ank_limits *limits) {
  ank_free(limits->low);
  ank_free(limits->high);
  *limits = (ank_limits){0};
}
