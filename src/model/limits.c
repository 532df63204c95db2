/* limits.c - see limits.h. */
#include "model/limits.h"

#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "core/method_constants.h"
#include "kernels/sort.h"

enum { FEWEST_ROWS = 100, FEWEST = 15, FEWEST_STEPS = 3, WHOLE_STEPS = 30, MOST_BEYOND = 3, ROUNDS = 60 };

/* ---- one tail ---------------------------------------------------------------------------------------- */

typedef struct tail {
  const double *deviation; /* descending; the first `k` exceed `from` */
  size_t k;                /* the first MOST_BEYOND may be errors: they are known to be at least the next */
  double from;
  double step; /* of whole numbers; 0: there are many different values */
} tail;

static double excess(const tail *of, size_t i) { return of->deviation[i] - of->from - of->step / 2; }

/* Of at most `most` deviations. Returns 0 if they are too few or too similar. */
static int open_tail(tail *out, const double *deviation, size_t count, double most) {
  size_t k = (size_t)fmin(most, 0.9 * (double)count), steps = 0;
  *out = (tail){.deviation = deviation};
  if (k < FEWEST) return 0;
  out->from = deviation[k];
  while (k > 0 && !(deviation[k - 1] > out->from)) k--;
  out->k = k;
  if (k < FEWEST || !(deviation[MOST_BEYOND] > out->from) || !isfinite(deviation[MOST_BEYOND])) return 0;
  double step = INFINITY;
  for (size_t i = MOST_BEYOND; i < k; i++)
    if (deviation[i] > deviation[i + 1]) step = fmin(step, deviation[i] - deviation[i + 1]), steps++;
  if (steps < WHOLE_STEPS) out->step = step;
  return steps >= FEWEST_STEPS;
}

/* The shape of the generalised Pareto distribution of the excesses, where the likelihood is greatest among values of
 * shape / scale (Grimshaw 1993): 0 is exponential, 1/2 falls off as the square, below 0 ends. */
static double find_shape(const tail *of) {
  enum { BELOW = 14, ABOVE = 40 };
  double first = excess(of, MOST_BEYOND), m = (double)(of->k - MOST_BEYOND), mean = MOST_BEYOND * first / m;
  for (size_t i = MOST_BEYOND; i < of->k; i++) mean += excess(of, i) / m;
  double best = -m * (log(mean) + 1), shape = 0;
  for (size_t t = 0; t < BELOW + ABOVE; t++) {
    double ratio = t < BELOW ? -0.98 / first * (1 - (double)t / BELOW)
                             : 0.02 * pow(15000, (double)(t - BELOW) / (ABOVE - 1)) / mean;
    double sum = 0;
    for (size_t i = MOST_BEYOND; i < of->k; i++) sum += log1p(ratio * excess(of, i));
    double found = (sum + MOST_BEYOND * log1p(ratio * first)) / m;
    double likely = -m * log(found / ratio) - sum - m;
    if (likely > best) best = likely, shape = found;
  }
  return shape;
}

/* The most likely scale for a shape of at least 0. */
static double find_scale(const tail *of, double shape) {
  double m = (double)(of->k - MOST_BEYOND), scale = excess(of, MOST_BEYOND), last = 0;
  for (size_t round = 0; round < ROUNDS && fabs(scale - last) > 1e-4 * scale; round++) {
    double sum = 0, first = excess(of, MOST_BEYOND);
    for (size_t i = MOST_BEYOND; i < of->k; i++) sum += excess(of, i) / (scale + shape * excess(of, i));
    last = scale;
    scale *= ((1 + shape) * sum + MOST_BEYOND * first / (scale + shape * first)) / m;
  }
  return scale;
}

/* The deviation that fewer than `expected` rows exceed. In exponential tails also a gap below the first three that
 * is as unlikely: the spacings there are independent, the r-th exponential with 1/r of the scale (Renyi 1953). */
static double find_limit(const tail *of, double shape, double expected) {
  double used = shape > 0 ? fmin(shape + ANK_APART_HEAVIER, ANK_APART_HEAVIEST) : 0;
  double scale = find_scale(of, used), ratio = (double)of->k / expected;
  double limit = of->from + of->step + scale * (used > 0 ? (pow(ratio, used) - 1) / used : log(ratio));
  const double *deviation = of->deviation;
  for (size_t r = MOST_BEYOND; used <= 0 && r > 0; r--)
    if (deviation[r - 1] < limit &&
        (double)r * (deviation[r - 1] - deviation[r] - of->step) > scale * log(MOST_BEYOND / expected))
      return (deviation[r - 1] + deviation[r]) / 2;
  return limit;
}

static double rows_of_shape(size_t n) { return fmin(ANK_APART_SHAPE * (double)n, ANK_APART_SHAPE_ROWS); }

static double rows_of_tail(size_t n) {
  double most = ANK_APART_TAIL_ROWS + ANK_APART_TAIL_MORE * (double)n;
  return fmin(fmax(ANK_APART_TAIL * (double)n, FEWEST + 1), most);
}

/* ---- columns ----------------------------------------------------------------------------------------- */

/* The first `most` distances from the middle on one side of a sorted column, descending. Returns how many there are in all. */
static size_t measure_side(double *deviation, const double *sorted, size_t n, int above, size_t most) {
  double middle = sorted[n / 2];
  size_t least = 0, end = n;
  while (least < end) { /* the first row above the middle, or not below it */
    size_t at = least + (end - least) / 2;
    if (above ? sorted[at] > middle : !(sorted[at] < middle))
      end = at;
    else
      least = at + 1;
  }
  size_t count = above ? n - least : least;
  for (size_t i = 0; i < count && i < most; i++)
    deviation[i] = above ? sorted[n - 1 - i] - middle : middle - sorted[i];
  return count;
}

/* The limit with `r` rows beyond it on one side: the middle of the gap to the next row. */
static double gap_after(double *inner, const double *sorted, size_t n, int above, size_t r) {
  double outer = above ? sorted[n - r] : sorted[r - 1];
  *inner = above ? sorted[n - 1 - r] : sorted[r];
  return fabs(outer / 2 + *inner / 2 - sorted[n / 2]);
}

/* A tenth of the rows are at the end of a range, as at zero: the few beyond it are not more of the same. INFINITY: not
 * so, or the value is that of nearly all rows. */
static double end_limit(const double *sorted, size_t n, int above) {
  double inner;
  for (size_t r = MOST_BEYOND; r > 0; r--) {
    double limit = gap_after(&inner, sorted, n, above, r);
    int ends = above ? sorted[n - 1 - n / 10 - r] == inner && sorted[n - r] > inner
                     : sorted[n / 10 + r] == inner && sorted[r - 1] < inner;
    if (ends && (above ? sorted[MOST_BEYOND] < inner : sorted[n - 1 - MOST_BEYOND] > inner)) return limit;
  }
  return INFINITY;
}

/* For too few different values for a tail: beyond the range of nearly all by half of that range; where nearly all are
 * equal, beyond a gap half as wide as the range of the rest. */
static double range_limit(const double *sorted, size_t n, int above) {
  size_t out = n / 200 > MOST_BEYOND ? n / 200 : MOST_BEYOND;
  double middle = sorted[n / 2], first = sorted[out], last = sorted[n - 1 - out], range = last - first, inner;
  if (range > 0 && isfinite(range)) return (above ? last - middle : middle - first) + range / 2;
  for (size_t r = MOST_BEYOND; r > 0; r--) {
    double limit = gap_after(&inner, sorted, n, above, r);
    range = above ? inner - sorted[0] : sorted[n - 1] - inner;
    if (range > 0 && 2 * (limit - fabs(inner - middle)) > range / 2) return limit;
  }
  return INFINITY;
}

/* What limits one side of a column, in distances from the middle. */
typedef struct side {
  double end, range;    /* by the rules for ends and ranges */
  double shape, weight; /* of the tail, and its values; NAN: there is no tail */
  double group;         /* a group of rows is farther out than this: a kind of row, not an error */
  tail outer;
} side;

/* `deviation` has room for rows_of_tail, `work` for rows_of_shape, and one more. */
static side learn_side(const double *sorted, size_t n, int above, double *deviation, double *work) {
  size_t most = n / ANK_APART_GROUP > MOST_BEYOND ? n / ANK_APART_GROUP : MOST_BEYOND;
  side found = {.end = end_limit(sorted, n, above), .range = range_limit(sorted, n, above), .shape = NAN};
  found.group = n <= most ? -INFINITY : above ? sorted[n - 1 - most] : -sorted[most];
  tail wide;
  size_t room = (size_t)fmax(rows_of_tail(n), rows_of_shape(n)) + 1;
  size_t count = measure_side(work, sorted, n, above, room);
  if (!open_tail(&found.outer, work, count, rows_of_tail(n)) ||
      !open_tail(&wide, work, count, rows_of_shape(n)))
    return found;
  found.shape = find_shape(&wide);
  found.weight = (double)(wide.k - MOST_BEYOND);
  memcpy(deviation, work, (found.outer.k + 1) * sizeof *deviation);
  found.outer.deviation = deviation;
  return found;
}

/* `usual`: the mean shape over all sides of the table. */
static double side_limit(const side *of, double usual, double expected) {
  if (isfinite(of->end)) return of->end;
  if (isnan(of->shape)) return of->range;
  double shape = (of->weight * of->shape + ANK_APART_USUAL * usual) / (of->weight + ANK_APART_USUAL);
  return find_limit(&of->outer, shape, expected);
}

/* The finite values of a column, sorted; *n is 0 if they are too few. */
static anorank_status sort_column(double *sorted, size_t *n, const anorank_table *table, size_t column,
                                  const anorank_settings *settings, anorank_error *err) {
  const double *values = table->column[column].numbers;
  *n = 0;
  for (size_t i = 0; i < table->rows; i++)
    if (isfinite(values[i])) sorted[(*n)++] = values[i];
  if (*n < FEWEST_ROWS) *n = 0;
  return ank_sort(sorted, *n, settings, err);
}

static anorank_status make_room(ank_limits *out, size_t columns, anorank_error *err) {
  out->columns = columns;
  ANK_CHECK(ank_alloc_raw(&out->low, columns, sizeof *out->low, err));
  ANK_CHECK(ank_alloc_raw(&out->high, columns, sizeof *out->high, err));
  for (size_t c = 0; c < columns; c++) out->low[c] = -INFINITY, out->high[c] = INFINITY;
  return ANORANK_OK;
}

static int is_number(const anorank_table *table, const ank_prepare *prepare, size_t column) {
  return ank_prepare_column(prepare, column).role == ANORANK_ROLE_NUMERIC &&
         table->column[column].kind != ANORANK_CATEGORICAL;
}

anorank_status ank_limits_of_table(ank_limits *out, const anorank_table *table, const ank_prepare *prepare,
                                   const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  double *sorted = NULL, *work = NULL, *deviations = NULL, *middle = NULL, usual = 0;
  side *sides = NULL;
  size_t columns = ank_prepare_columns(prepare), used = 0, n, known = 0;
  ANK_TRY(make_room(out, columns, err));
  for (size_t c = 0; c < columns; c++) used += ank_prepare_column(prepare, c).role == ANORANK_ROLE_NUMERIC;
  if (table->columns != columns || used == 0) goto done;
  size_t room = (size_t)rows_of_tail(table->rows) + 1;
  ANK_TRY(ank_alloc_raw(&sorted, table->rows, sizeof *sorted, err));
  ANK_TRY(ank_alloc_raw(&work, room + ANK_APART_SHAPE_ROWS, sizeof *work, err));
  ANK_TRY(ank_alloc_raw(&deviations, 2 * columns, room * sizeof *deviations, err));
  ANK_TRY(ank_alloc(&sides, 2 * columns, sizeof *sides, err));
  ANK_TRY(ank_alloc_raw(&middle, columns, sizeof *middle, err));
  for (size_t c = 0; c < columns; c++) {
    middle[c] = NAN;
    if (!is_number(table, prepare, c)) continue;
    ANK_TRY(sort_column(sorted, &n, table, c, settings, err));
    if (n == 0) continue;
    middle[c] = sorted[n / 2];
    for (size_t s = 2 * c; s < 2 * c + 2; s++) {
      sides[s] = learn_side(sorted, n, s % 2 == 1, deviations + s * room, work);
      if (!isnan(sides[s].shape)) usual += (sides[s].shape - usual) / (double)++known;
    }
  }
  double expected = ANK_APART_EXPECTED / (2 * (double)used);
  for (size_t c = 0; c < columns; c++) {
    if (isnan(middle[c])) continue;
    double low = middle[c] - side_limit(&sides[2 * c], usual, expected);
    double high = middle[c] + side_limit(&sides[2 * c + 1], usual, expected);
    out->low[c] = -sides[2 * c].group < low ? -INFINITY : low;
    out->high[c] = sides[2 * c + 1].group > high ? INFINITY : high;
  }
done:
  ank_free(sorted);
  ank_free(work);
  ank_free(deviations);
  ank_free(sides);
  ank_free(middle);
  return status;
}

/* ---- scores ------------------------------------------------------------------------------------------ */

anorank_status ank_limits_of_scores(ank_limits *out, const double *scores, size_t count, anorank_error *err) {
  out->apart = out->unusual = -INFINITY;
  if (count < FEWEST_ROWS) return ANORANK_OK;
  double middle = scores[count / 2], *deviation = NULL;
  size_t below = 0;
  tail outer, wide;
  ANK_CHECK(ank_alloc_raw(&deviation, count, sizeof *deviation, err));
  while (below < count && scores[below] < middle) deviation[below] = middle - scores[below], below++;
  if (open_tail(&outer, deviation, below, rows_of_tail(count)) &&
      open_tail(&wide, deviation, below, rows_of_shape(count))) {
    double shape = find_shape(&wide);
    out->apart = middle - find_limit(&outer, shape, ANK_APART_EXPECTED);
    out->unusual = middle - find_limit(&outer, shape, ANK_UNUSUAL_EXPECTED);
  }
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
