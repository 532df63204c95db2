/* column_shift.c - see column_shift.h. */
#include "ranking/column_shift.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/alloc.h"
#include "core/print.h"

enum {
  MOST_ROWS = 1000,     /* of the sample */
  MOST_VALUES = 1 << 20 /* of the sample, while ANK_SHIFT_FEWEST_ROWS allow it */
};

typedef struct shift {
  double size; /* in widths of the usual range; 0: none */
  char words[160], brief[72];
} shift;

size_t ank_shift_capacity(size_t width) {
  size_t capacity = MOST_VALUES / (width + 1);
  if (capacity > MOST_ROWS) capacity = MOST_ROWS;
  return capacity < 2 * ANK_SHIFT_FEWEST_ROWS ? 2 * ANK_SHIFT_FEWEST_ROWS : capacity;
}

static int ascending(const void *a, const void *b) {
  double left = *(const double *)a, right = *(const double *)b;
  return left < right ? -1 : left > right;
}

static void put_times(char *text, size_t size, double ratio) {
  ank_print(text, size, ratio < 9.5 ? "%.2g" : "%.0f",
            ratio >= 95 ? pow(10, round(log10(ratio) * 10) / 10) : ratio);
}

/* For the headline: a long name is cut between two characters. */
static void put_brief(shift *out, const char *name, const char *change) {
  size_t shown = strlen(name), most = 40;
  if (shown > most)
    for (shown = most; shown > 0 && (name[shown] & 0xC0) == 0x80;) shown--;
  snprintf(out->brief, sizeof out->brief, "'%.*s' %s", (int)shown, name, change);
}

static void describe_shift(shift *out, const anorank_model_column *column, const char *name, double median) {
  char times[32];
  double width = column->high - column->low, ratio = median / column->median;
  int above = median > column->high;
  if (!above && !(median < column->low)) return;
  out->size = (above ? median - column->high : column->low - median) / fmax(width, 1e-300);
  put_brief(out, name, above ? "increased" : "decreased");
  put_times(times, sizeof times, ratio >= 1 ? ratio : 1 / ratio);
  if (ratio >= 3 || (ratio > 0 && ratio <= 1 / 3.0))
    snprintf(out->words, sizeof out->words, "'%.60s' is about %s times %s", name, times,
             ratio >= 1 ? "larger" : "smaller");
  else
    ank_print(out->words, sizeof out->words, "'%.60s' is mostly %s its usual %.4g to %.4g", name,
              above ? "above" : "below", column->low, column->high);
}

/* The majority kind of the cells, if it changed. `work`: a double per sampled row. */
static void look_for_shift(shift *out, const anorank_model *model, const ank_shift_sample *sample, size_t c,
                           double *work) {
  anorank_model_column column = ank_prepare_column(model->pipeline.prepare, c);
  char name[ANK_QUOTE_SIZE];
  size_t filled = 0, unseen = 0, n = sample->rows;
  out->size = 0;
  if (column.role != ANORANK_ROLE_NUMERIC && column.role != ANORANK_ROLE_CATEGORICAL) return;
  ank_quote(name, column.name, strlen(column.name));
  for (size_t i = 0; i < n; i++) {
    double value = sample->cells[i * sample->width + c];
    if (isnan(value)) continue;
    work[filled++] = value;
    unseen += value == -1;
  }
  if (2 * (n - filled) > n && column.missing_share < 0.25) {
    out->size = 1e3;
    snprintf(out->words, sizeof out->words, "'%.60s' is mostly missing", name);
    put_brief(out, name, "is mostly missing");
  } else if (column.role == ANORANK_ROLE_CATEGORICAL && 2 * unseen > n) {
    out->size = 1e3;
    snprintf(out->words, sizeof out->words, "most values of '%.60s' were never seen", name);
    put_brief(out, name, "has mostly new values");
  } else if (column.role == ANORANK_ROLE_NUMERIC && filled > 0) {
    qsort(work, filled, sizeof *work, ascending);
    describe_shift(out, &column, name, work[filled / 2]);
  }
}

anorank_status ank_shift_name_columns(char *text, size_t size, size_t *found, const anorank_model *model,
                                      const ank_shift_sample *sample, int at_length, anorank_error *err) {
  shift most[ANK_SHIFT_NAMED] = {{0}}, one;
  double *work = NULL;
  size_t used = 0;
  *text = '\0';
  *found = 0;
  ANK_CHECK(ank_alloc_raw(&work, sample->rows, sizeof *work, err));
  for (size_t c = 0; c < ank_prepare_columns(model->pipeline.prepare); c++) {
    look_for_shift(&one, model, sample, c, work);
    *found += one.size > 0;
    for (size_t k = 0; k < ANK_SHIFT_NAMED && one.size > 0; k++)
      if (one.size > most[k].size) {
        shift weaker = most[k];
        most[k] = one;
        one = weaker;
      }
  }
  ank_free(work);
  for (size_t k = 0; k < ANK_SHIFT_NAMED && most[k].size > 0; k++)
    used += (size_t)snprintf(text + used, size - used, "%s%s", k > 0 ? ", " : "",
                             at_length ? most[k].words : most[k].brief);
  return ANORANK_OK;
}

anorank_status ank_shift_list(char *text, size_t size, const anorank_model *model,
                              const ank_shift_sample *sample, anorank_error *err) {
  size_t found, used;
  ANK_CHECK(ank_shift_name_columns(text, size, &found, model, sample, 0, err));
  used = strlen(text);
  if (found > ANK_SHIFT_NAMED) snprintf(text + used, size - used, ", ...");
  return ANORANK_OK;
}

anorank_status ank_shift_list_of_table(char *text, size_t size, const anorank_model *model,
                                       const ank_match *match, const anorank_table *table,
                                       anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t columns = ank_prepare_columns(model->pipeline.prepare), width = columns, stride = 1;
  double *cells = NULL;
  for (size_t j = 0; j < table->columns; j++) width += table->column[j].kind == ANORANK_TIME;
  size_t most = ank_shift_capacity(width); /* as where blocks are read, which keep times beside */
  while ((table->rows + stride - 1) / stride > most) stride *= 2;
  ank_shift_sample sample = {.rows = (table->rows + stride - 1) / stride, .width = columns};
  ANK_TRY(ank_alloc_raw(&cells, sample.rows * columns, sizeof *cells, err));
  for (size_t i = 0; i < sample.rows; i++)
    for (size_t c = 0; c < columns; c++)
      cells[i * columns + c] = ank_prepare_value(match, table, i * stride, c);
  sample.cells = cells;
  ANK_TRY(ank_shift_list(text, size, model, &sample, err));
done:
  ank_free(cells);
  return status;
}
