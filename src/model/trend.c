/* trend.c - see trend.h. */
#include "model/trend.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/alloc.h"
#include "core/print.h"
#include "table/table.h"

enum { FEWEST = 50, MOST_ROWS = 1000, MOST_VALUES = 1 << 20, MOST_NAMED = 3 };

#define WITH_TIME 0.5
#define WITH_ROWS 0.7
#define IN_ORDER 0.98 /* share of steps in one direction */

typedef struct place {
  double value;
  size_t row;
} place;

static int by_value(const void *a, const void *b) {
  const place *left = a, *right = b;
  if (left->value != right->value) return left->value < right->value ? -1 : 1;
  return left->row < right->row ? -1 : left->row > right->row;
}

/* Spearman's correlation of a column with the number of the row; ties share their mean rank. `work` has room
 * for all rows. 0 where there is nothing to say. */
static double correlation(const double *value, size_t rows, place *work) {
  size_t n = 0;
  for (size_t i = 0; i < rows; i++)
    if (isfinite(value[i])) work[n] = (place){value[i], n}, n++;
  if (n < FEWEST || n * 2 < rows) return 0;
  qsort(work, n, sizeof *work, by_value);
  double middle = 0.5 * ((double)n - 1), both = 0, squares = 0, of_rows = 0;
  for (size_t from = 0, to; from < n; from = to) {
    for (to = from + 1; to < n && work[to].value == work[from].value;) to++;
    double rank = 0.5 * (double)(from + to - 1) - middle;
    for (size_t i = from; i < to; i++) {
      double at = (double)work[i].row - middle;
      both += rank * at;
      squares += rank * rank;
      of_rows += at * at;
    }
  }
  return squares > 0 ? both / sqrt(squares * of_rows) : 0;
}

/* Share of steps up and of steps down, whichever is larger; equal neighbours count for both. */
static double sortedness(const double *value, size_t rows) {
  size_t up = 0, down = 0, steps = 0;
  double before = NAN;
  for (size_t i = 0; i < rows; i++) {
    if (!isfinite(value[i])) continue;
    if (!isnan(before)) steps++, up += value[i] >= before, down += value[i] <= before;
    before = value[i];
  }
  return steps == 0 ? 0 : (double)(up > down ? up : down) / (double)steps;
}

static const char *time_column(const ank_sequence *sequence) {
  for (size_t j = 0; j < sequence->columns; j++) {
    const double *value = sequence->value + j * sequence->rows;
    size_t last = sequence->rows - 1;
    if (sequence->is_time[j] && sortedness(value, sequence->rows) >= IN_ORDER && value[0] != value[last])
      return sequence->name[j];
  }
  return NULL;
}

anorank_status ank_trend_write_note(ank_notes *notes, const ank_sequence *sequence, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  place *work = NULL;
  char list[400] = "", name[ANK_QUOTE_SIZE];
  size_t found = 0, used = 0;
  if (sequence->rows < FEWEST) return ANORANK_OK;
  const char *time = time_column(sequence);
  ANK_TRY(ank_alloc_raw(&work, sequence->rows, sizeof *work, err));
  for (size_t j = 0; j < sequence->columns; j++) {
    const double *value = sequence->value + j * sequence->rows;
    if (sequence->is_time[j]) continue;
    double r = correlation(value, sequence->rows, work);
    if (fabs(r) < (time ? WITH_TIME : WITH_ROWS)) continue;
    if (!time && sortedness(value, sequence->rows) >= IN_ORDER) continue;
    if (++found > MOST_NAMED) continue;
    ank_quote(name, sequence->name[j], strlen(sequence->name[j]));
    int more = ank_print(list + used, sizeof list - used, "%s'%.60s' %s (rank correlation %.2f)",
                         found > 1 ? ", " : "", name, r > 0 ? "rises" : "falls", r);
    if (more > 0 && used + (size_t)more < sizeof list) used += (size_t)more;
  }
  if (found > MOST_NAMED) snprintf(list + used, sizeof list - used, " and %zu more", found - MOST_NAMED);
  if (found > 0 && time)
    ANK_TRY(ank_notes_add(notes, ANORANK_NOTE_WARNING, err, "order-by-time",
                          "rows are sorted by '%.60s', and with it %s; rows from other periods will look "
                          "anomalous for that reason",
                          ank_quote(name, time, strlen(time)), list));
  else if (found > 0)
    ANK_TRY(ank_notes_add(
        notes, ANORANK_NOTE_WARNING, err, "order-trend",
        "from the first row to the last %s; if rows are in time order, other periods will look anomalous",
        list));
done:
  ank_free(work);
  return status;
}

anorank_status ank_trend_of_table(ank_notes *notes, const anorank_table *table, const unsigned char *used,
                                  anorank_error *err) {
  anorank_status status = ANORANK_OK;
  double *value = NULL;
  const char **name = NULL;
  unsigned char *is_time = NULL;
  size_t columns = 0, rows = MOST_VALUES / (table->columns + 1);
  if (rows > MOST_ROWS) rows = MOST_ROWS;
  if (rows > table->rows) rows = table->rows;
  if (rows < FEWEST) return ANORANK_OK;
  ANK_TRY(ank_alloc_raw(&value, table->columns * rows, sizeof *value, err));
  ANK_TRY(ank_alloc_raw(&name, table->columns, sizeof *name, err));
  ANK_TRY(ank_alloc(&is_time, table->columns, 1, err));
  for (size_t j = 0; j < table->columns; j++) {
    const ank_column *column = &table->column[j];
    if (column->kind == ANORANK_CATEGORICAL || !(used[j] || column->kind == ANORANK_TIME)) continue;
    for (size_t i = 0; i < rows; i++)
      value[columns * rows + i] = column->numbers[(size_t)((double)i * (double)table->rows / (double)rows)];
    is_time[columns] = column->kind == ANORANK_TIME || used[j] > 1;
    name[columns++] = column->name;
  }
  ANK_TRY(ank_trend_write_note(notes, &(ank_sequence){rows, columns, name, value, is_time}, err));
done:
  ank_free(value);
  ank_free(name);
  ank_free(is_time);
  return status;
}
