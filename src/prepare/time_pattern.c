/* time_pattern.c - whether the time of day, the day of the week, or the month changes what is normal.
 *
 * Hours, weekdays and days of the year are features only if other columns depend on them. Otherwise they add noise, and rows at unusual times
 * hide rows with unusual values. The rows must cover the cycle several times. Whole cycles are left out in turn, because
 * neighbours in time resemble each other. The mean of a column in each hour of the other cycles must predict the cells
 * left out better than the mean over all hours. With D_f the decrease of the sum of squares in left-out part f, and F
 * parts, a column depends on the cycle if
 *   sum D_f >= LEAST_SHARE * (sum of squares around the mean)  and  mean(D) / (sd(D) / sqrt(F)) >= 3 + 6 / (F - 1).
 * The first condition is about size: for payments, the hour explains 3 to 5 % of a column's variance, which helps. Below
 * 2 %, no gain was seen. The second condition decides whether the dependence is real.
 * There are few years, and what rises over all of them rises within each: numbers are detrended first. A year has 12 bins, the
 * months.
 * Numbers are cut to their 5 % and 95 % quantiles; of texts, the most frequent levels are tried as 0 and 1. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/alloc.h"
#include "kernels/sort.h"
#include "prepare/prepare_parts.h"

#define DAY 86400.0
#define FEWEST_CYCLES 4
#define MOST_BINS 24
#define MOST_PARTS 16
#define MOST_LEVELS 5     /* levels of a text that are tested */
#define MOST_ROWS 200000  /* rows that are used */
#define LEAST_SHARE 0.025 /* of the variance that the cycle must explain */
#define PRIOR_ROWS 3.0    /* weight of the mean of all rows in the mean of an hour */

typedef struct cell_sums {
  double count, sum, squares;
} cell_sums;

/* The used rows, with their places in the cycle. */
typedef struct cycle_rows {
  size_t count, bins, parts, cycles;
  size_t *row;
  unsigned char *bin, *part;
  double *time; /* in cycles; NULL: numbers keep their line in time */
} cycle_rows;

static void free_rows(cycle_rows *rows) {
  ank_free(rows->row);
  ank_free(rows->bin);
  ank_free(rows->part);
  ank_free(rows->time);
}

/* The place of a moment: the number of its cycle, and the hour, weekday or month. */
static double place_of(unsigned char *bin, ank_circle_kind kind, double seconds) {
  long year;
  int month = ank_month_of(seconds, &year);
  double day = floor(seconds / DAY);
  *bin = (unsigned char)(kind == ANK_CIRCLE_DAY    ? ank_hour_of(seconds)
                         : kind == ANK_CIRCLE_WEEK ? ank_weekday_of(seconds)
                                                   : month);
  return kind == ANK_CIRCLE_DAY ? day : kind == ANK_CIRCLE_WEEK ? floor((day + 3) / 7) : (double)year;
}

static anorank_status place_rows(cycle_rows *out, ank_circle_kind kind, const ank_column *time, size_t n,
                                 const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  double *cycle = NULL, *sorted = NULL;
  size_t step = 1 + (n - 1) / MOST_ROWS, most = (n + step - 1) / step;
  static const size_t bins[ANK_CIRCLES] = {24, 7, 12};
  *out = (cycle_rows){.bins = bins[kind]};
  ANK_TRY(ank_alloc_raw(&out->row, most, sizeof *out->row, err));
  ANK_TRY(ank_alloc_raw(&out->bin, most, 1, err));
  ANK_TRY(ank_alloc_raw(&out->part, most, 1, err));
  if (kind == ANK_CIRCLE_YEAR) ANK_TRY(ank_alloc_raw(&out->time, most, sizeof *out->time, err));
  ANK_TRY(ank_alloc_raw(&cycle, most, sizeof *cycle, err));
  ANK_TRY(ank_alloc_raw(&sorted, most, sizeof *sorted, err));
  for (size_t i = 0; i < n; i += step) {
    double seconds = ank_seconds_of(time, i);
    if (!isfinite(seconds)) continue;
    cycle[out->count] = place_of(&out->bin[out->count], kind, seconds);
    if (out->time) out->time[out->count] = seconds / (365.2425 * DAY);
    out->row[out->count++] = i;
  }
  if (out->count == 0) goto done;
  memcpy(sorted, cycle, out->count * sizeof *sorted);
  ANK_TRY(ank_sort(sorted, out->count, settings, err));
  out->cycles = 1;
  for (size_t i = 1; i < out->count; i++) out->cycles += sorted[i] != sorted[i - 1];
  out->parts = out->cycles < MOST_PARTS ? out->cycles : MOST_PARTS;
  for (size_t i = 0; i < out->count; i++)
    out->part[i] = (unsigned char)(cycle[i] - floor(cycle[i] / (double)out->parts) * (double)out->parts);
done:
  ank_free(cycle);
  ank_free(sorted);
  return status;
}

static void add_to(cell_sums *sums, const cell_sums *more, double sign) {
  sums->count += sign * more->count;
  sums->sum += sign * more->sum;
  sums->squares += sign * more->squares;
}

static double error_around(const cell_sums *sums, double mean) {
  return sums->squares - 2 * mean * sums->sum + mean * mean * sums->count;
}

static int predicts(cell_sums sums[MOST_PARTS][MOST_BINS], const cycle_rows *rows) {
  cell_sums by_bin[MOST_BINS] = {{0}}, all = {0};
  double total = 0, gained = 0, squares = 0, used = 0;
  for (size_t f = 0; f < rows->parts; f++)
    for (size_t b = 0; b < rows->bins; b++) {
      add_to(&by_bin[b], &sums[f][b], 1);
      add_to(&all, &sums[f][b], 1);
    }
  for (size_t f = 0; f < rows->parts; f++) {
    cell_sums others = all, own = {0};
    double gain = 0;
    for (size_t b = 0; b < rows->bins; b++) add_to(&own, &sums[f][b], 1);
    add_to(&others, &own, -1);
    if (own.count < 0.5 || others.count < 0.5) continue;
    double mean = others.sum / others.count;
    for (size_t b = 0; b < rows->bins; b++) {
      cell_sums rest = by_bin[b];
      add_to(&rest, &sums[f][b], -1);
      double predicted = (rest.sum + PRIOR_ROWS * mean) / (rest.count + PRIOR_ROWS);
      gain += error_around(&sums[f][b], mean) - error_around(&sums[f][b], predicted);
    }
    total += error_around(&own, mean);
    gained += gain;
    squares += gain * gain;
    used++;
  }
  if (used < FEWEST_CYCLES || !(gained > LEAST_SHARE * total)) return 0;
  double mean = gained / used, variance = fmax(0, squares / used - mean * mean) * used / (used - 1);
  return mean * sqrt(used) >= (3 + 6 / (used - 1)) * sqrt(variance);
}

static double value_of(const ank_profile *profile, const ank_column *column, size_t row, int32_t level) {
  if (column->kind == ANORANK_CATEGORICAL) return column->codes[row] == level;
  double value = (column->numbers[row] - profile->median) * profile->unit; /* near 0: squares keep digits */
  if (isnan(value)) return value;
  return fmax(fmin(value, (profile->high - profile->median) * profile->unit),
              (profile->low - profile->median) * profile->unit);
}

/* The least-squares line of the values in time. */
static double slope_of(const cycle_rows *rows, const ank_profile *profile, const ank_column *column,
                       int32_t level) {
  double count = 0, t = 0, v = 0, tt = 0, tv = 0;
  for (size_t k = 0; rows->time && k < rows->count; k++) {
    double value = value_of(profile, column, rows->row[k], level), time = rows->time[k] - rows->time[0];
    if (isnan(value)) continue;
    count++;
    t += time, v += value;
    tt += time * time, tv += time * value;
  }
  double spread = count * tt - t * t;
  return spread > 0 ? (count * tv - t * v) / spread : 0;
}

static int depends(const cycle_rows *rows, const ank_profile *profile, const ank_column *column,
                   int32_t level) {
  cell_sums sums[MOST_PARTS][MOST_BINS];
  double slope = slope_of(rows, profile, column, level);
  memset(sums, 0, sizeof sums);
  for (size_t k = 0; k < rows->count; k++) {
    double value = value_of(profile, column, rows->row[k], level);
    if (isnan(value)) continue;
    if (rows->time) value -= slope * (rows->time[k] - rows->time[0]);
    add_to(&sums[rows->part[k]][rows->bin[k]], &(cell_sums){1, value, value * value}, 1);
  }
  return predicts(sums, rows);
}

static int some_column_depends(const cycle_rows *rows, const ank_prepare *prepare,
                               const anorank_table *table) {
  for (size_t j = 0; j < table->columns; j++) {
    const ank_profile *profile = &prepare->column[j];
    const ank_column *column = &table->column[j];
    if (ank_name_says_calendar(column->name)) continue; /* follows the time by itself */
    if (profile->role == ANORANK_ROLE_NUMERIC && depends(rows, profile, column, 0)) return 1;
    if (profile->role != ANORANK_ROLE_CATEGORICAL || column->kind != ANORANK_CATEGORICAL) continue;
    for (size_t k = 0; k < MOST_LEVELS && k < profile->levels.count; k++) {
      const char *text = profile->levels.text[k];
      if (depends(rows, profile, column, ank_levels_find(&column->levels, text, strlen(text)))) return 1;
    }
  }
  return 0;
}

/* All on the first day of 1970: "06:04" has no date. */
static int has_no_date(const ank_column *time, size_t n) {
  for (size_t i = 0; i < n; i++) {
    double seconds = ank_seconds_of(time, i);
    if (isfinite(seconds) && !(seconds >= 0 && seconds < DAY)) return 0;
  }
  return time->kind == ANORANK_TIME;
}

anorank_status ank_time_pattern_test(ank_time_use *use, ank_prepare *prepare, size_t j,
                                     const anorank_table *table, const anorank_settings *settings,
                                     anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_circle *circles = prepare->column[j].circles;
  cycle_rows rows = {0};
  *use = ANK_TIME_LEARNED;
  if (has_no_date(&table->column[j], table->rows)) {
    circles[ANK_CIRCLE_YEAR] = (ank_circle){0};
    return ANORANK_OK;
  }
  *use = ANK_TIME_TOO_SHORT;
  for (int kind = 0; kind < ANK_CIRCLES; kind++) {
    if (!circles[kind].used) continue;
    ANK_TRY(place_rows(&rows, (ank_circle_kind)kind, &table->column[j], table->rows, settings, err));
    int covered = rows.cycles >= FEWEST_CYCLES;
    if (covered && some_column_depends(&rows, prepare, table))
      *use = ANK_TIME_LEARNED;
    else
      circles[kind] = (ank_circle){0};
    if (covered && *use == ANK_TIME_TOO_SHORT) *use = ANK_TIME_NO_PATTERN;
    free_rows(&rows);
    rows = (cycle_rows){0};
  }
done:
  free_rows(&rows);
  return status;
}
