/* shift_notes.c - the notes of a shift check on the table as a whole: another unit, time or source, and trends. */
#include <math.h>
#include <stdlib.h>

#include "core/alloc.h"
#include "core/print.h"
#include "model/trend.h"
#include "stream/shift_check.h"

#define UNLIKE 0.3 /* share of rows with low p-values that is worth a note */

static int ascending(const void *a, const void *b) {
  double left = *(const double *)a, right = *(const double *)b;
  return left < right ? -1 : left > right;
}

anorank_status ank_shift_note_unlike(ank_shift_check *check, size_t low, size_t all, anorank_error *err) {
  char list[3 * 170], percent[32];
  size_t found;
  if (all < ANK_SHIFT_FEWEST_ROWS || (double)low < UNLIKE * (double)all) return ANORANK_OK;
  ANK_CHECK(ank_shift_name_columns(list, sizeof list, &found, check->model,
                                   &(ank_shift_sample){check->sample, check->sampled, check->width}, 1, err));
  ank_print(percent, sizeof percent, "%.0f", 100 * (double)low / (double)all);
  return ank_notes_add(&check->notes, ANORANK_NOTE_WARNING, err, "shift-found",
                       "these rows differ from the training rows as a whole (%s %% have p <= 0.05): %s%s; "
                       "check units, time range and source",
                       percent, found > 0 ? list : "no column alone explains it",
                       found > ANK_SHIFT_NAMED ? " and others" : "");
}

static double median_of(const double *value, size_t count, double *work) {
  size_t filled = 0;
  for (size_t i = 0; i < count; i++)
    if (!isnan(value[i])) work[filled++] = value[i];
  qsort(work, filled, sizeof *work, ascending);
  return filled > 0 ? work[filled / 2] : (double)NAN;
}

/* Return whether the first or the last third of the rows is outside the usual range. A trend within the range, such as
 * that of the hour over a day, does no harm. */
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
