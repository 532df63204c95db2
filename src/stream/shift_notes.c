/* shift_notes.c - what the sample of a shift check says about the table as a whole: another unit, time or source, and trends. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/alloc.h"
#include "core/print.h"
#include "model/trend.h"
#include "stream/shift_check.h"

enum { MOST_NAMED = 3 };

#define UNLIKE 0.3 /* share of rows with low p-values that is worth a note */

typedef struct shift {
  double size; /* in widths of the usual range; 0: none */
  char words[160];
} shift;

static int ascending(const void *a, const void *b) {
  double left = *(const double *)a, right = *(const double *)b;
  return left < right ? -1 : left > right;
}

static void put_times(char *text, size_t size, double ratio) {
  ank_print(text, size, ratio < 9.5 ? "%.2g" : "%.0f",
            ratio >= 95 ? exp10(round(log10(ratio) * 10) / 10) : ratio);
}

static void describe_shift(shift *out, const anorank_model_column *column, const char *name, double median) {
  char times[32];
  double width = column->high - column->low, ratio = median / column->median;
  int above = median > column->high;
  if (!above && !(median < column->low)) return;
  out->size = (above ? median - column->high : column->low - median) / fmax(width, 1e-300);
  put_times(times, sizeof times, ratio >= 1 ? ratio : 1 / ratio);
  if (ratio >= 3 || (ratio > 0 && ratio <= 1 / 3.0))
    snprintf(out->words, sizeof out->words, "'%.60s' is about %s times %s", name, times,
             ratio >= 1 ? "larger" : "smaller");
  else
    ank_print(out->words, sizeof out->words, "'%.60s' is mostly %s its usual %.4g to %.4g", name,
              above ? "above" : "below", column->low, column->high);
}

/* What most cells of the column are, if that is not what they were. `work`: a double per sampled row. */
static void look_for_shift(shift *out, const ank_shift_check *check, size_t c, double *work) {
  anorank_model_column column = ank_prepare_column(check->model->pipeline.prepare, c);
  char name[ANK_QUOTE_SIZE];
  size_t filled = 0, unseen = 0, n = check->sampled;
  out->size = 0;
  if (column.role != ANORANK_ROLE_NUMERIC && column.role != ANORANK_ROLE_CATEGORICAL) return;
  ank_quote(name, column.name, strlen(column.name));
  for (size_t i = 0; i < n; i++) {
    double value = check->sample[i * check->width + c];
    if (isnan(value)) continue;
    work[filled++] = value;
    unseen += value == -1;
  }
  if (2 * (n - filled) > n && column.missing_share < 0.25) {
    out->size = 1e3;
    snprintf(out->words, sizeof out->words, "'%.60s' is mostly missing", name);
  } else if (column.role == ANORANK_ROLE_CATEGORICAL && 2 * unseen > n) {
    out->size = 1e3;
    snprintf(out->words, sizeof out->words, "most values of '%.60s' were never seen", name);
  } else if (column.role == ANORANK_ROLE_NUMERIC && filled > 0) {
    qsort(work, filled, sizeof *work, ascending);
    describe_shift(out, &column, name, work[filled / 2]);
  }
}

anorank_status ank_shift_note_unlike(ank_shift_check *check, size_t low, size_t all, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  shift most[MOST_NAMED] = {{0}}, one;
  double *work = NULL;
  char list[3 * 170] = "", percent[32];
  size_t used = 0, found = 0;
  if (all < ANK_SHIFT_FEWEST_ROWS || (double)low < UNLIKE * (double)all) return ANORANK_OK;
  ANK_TRY(ank_alloc_raw(&work, check->sampled, sizeof *work, err));
  for (size_t c = 0; c < check->columns; c++) {
    look_for_shift(&one, check, c, work);
    found += one.size > 0;
    for (size_t k = 0; k < MOST_NAMED && one.size > 0; k++)
      if (one.size > most[k].size) {
        shift weaker = most[k];
        most[k] = one;
        one = weaker;
      }
  }
  for (size_t k = 0; k < MOST_NAMED && most[k].size > 0; k++)
    used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", k > 0 ? ", " : "", most[k].words);
  ank_print(percent, sizeof percent, "%.0f", 100 * (double)low / (double)all);
  ANK_TRY(ank_notes_add(
      &check->notes, ANORANK_NOTE_WARNING, err, "shift-found",
      "these rows look unlike the training rows as a whole (%s %% have p <= 0.05): %s%s; is "
      "it another unit, time or source?",
      percent, found > 0 ? list : "no column alone explains it", found > MOST_NAMED ? " and others" : ""));
done:
  ank_free(work);
  return status;
}

static double median_of(const double *value, size_t count, double *work) {
  size_t filled = 0;
  for (size_t i = 0; i < count; i++)
    if (!isnan(value[i])) work[filled++] = value[i];
  qsort(work, filled, sizeof *work, ascending);
  return filled > 0 ? work[filled / 2] : (double)NAN;
}

/* Does the first or the last third of the rows lie outside of what is usual? A trend within it does no harm:
 * of an hour over a day. */
static int leaves_the_usual(const double *value, size_t n, const anorank_model_column *column, double *work) {
  double first = median_of(value, n / 3, work), last = median_of(value + n - n / 3, n / 3, work);
  return first < column->low || first > column->high || last < column->low || last > column->high;
}

anorank_status ank_shift_note_trend(ank_shift_check *check, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t n = check->sampled, used = 0;
  double *value = NULL, *work = NULL;
  const char **name = NULL;
  unsigned char *is_time = NULL;
  ANK_TRY(ank_alloc_raw(&work, n, sizeof *work, err));
  ANK_TRY(ank_alloc_raw(&value, check->width * n, sizeof *value, err));
  ANK_TRY(ank_alloc_raw(&name, check->width, sizeof *name, err));
  ANK_TRY(ank_alloc(&is_time, check->width, 1, err));
  for (size_t c = 0; c < check->width; c++) {
    int own = c < check->columns;
    anorank_model_column column = {.role = ANORANK_ROLE_TIME};
    if (own) column = ank_prepare_column(check->model->pipeline.prepare, c);
    if (own && column.role != ANORANK_ROLE_NUMERIC && column.role != ANORANK_ROLE_TIME) continue;
    for (size_t i = 0; i < n; i++) value[used * n + i] = check->sample[i * check->width + c];
    if (column.role == ANORANK_ROLE_NUMERIC && !leaves_the_usual(value + used * n, n, &column, work))
      continue;
    name[used] = own ? column.name : check->time_name[c - check->columns];
    is_time[used++] = column.role == ANORANK_ROLE_TIME;
  }
  ANK_TRY(ank_trend_write_note(&check->notes, &(ank_sequence){n, used, name, value, is_time}, err));
done:
  ank_free(value);
  ank_free(work);
  ank_free(name);
  ank_free(is_time);
  return status;
}
