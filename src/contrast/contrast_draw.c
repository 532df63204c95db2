/* contrast_draw.c - draw contrast rows by a plan; see contrast_plan.h. */
#include "contrast/contrast_plan.h"

#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "core/rng.h"

/* The correction of a drawn column. */
typedef enum repair { REPAIR_NOTHING, REPAIR_ROUND, REPAIR_EMPTY } repair;

/* The columns around which a law draws. Cells are borrowed if possible. */
typedef struct around {
  anorank_table view;
  double **own; /* copied cells */
  repair *repairs;
} around;

static void free_around(around *data) {
  for (size_t j = 0; data->own && j < data->view.columns; j++) ank_free(data->own[j]);
  ank_free(data->own);
  ank_free(data->repairs);
  ank_free(data->view.column);
}

static int is_whole(const double *values, size_t rows) {
  for (size_t i = 0; i < rows; i++)
    if (isfinite(values[i]) && values[i] != floor(values[i])) return 0;
  return 1;
}

static anorank_status add_numbers(around *data, size_t place, const double *values, size_t rows,
                                  anorank_error *err) {
  ank_column *column = &data->view.column[place];
  size_t finite = 0, infinite = 0;
  for (size_t i = 0; values && i < rows; i++) {
    finite += isfinite(values[i]) != 0;
    infinite += isinf(values[i]) != 0;
  }
  data->repairs[place] = finite == 0 ? REPAIR_EMPTY : is_whole(values, rows) ? REPAIR_ROUND : REPAIR_NOTHING;
  if (finite > 0 && infinite == 0) return ANORANK_OK;
  ANK_CHECK(ank_alloc(&data->own[place], rows, sizeof **data->own, err));
  for (size_t i = 0; finite > 0 && i < rows; i++)
    data->own[place][i] = isinf(values[i]) ? (double)NAN : values[i];
  column->kind = ANORANK_NUMERIC;
  column->numbers = data->own[place];
  column->codes = NULL;
  return ANORANK_OK;
}

static anorank_status look_around(around *data, const anorank_table *table, size_t rows,
                                  const ank_used_column *columns, anorank_error *err) {
  data->view = *table;
  data->view.rows = rows;
  data->view.columns = 0;
  data->view.column = NULL;
  ANK_CHECK(ank_alloc(&data->view.column, table->columns, sizeof *data->view.column, err));
  ANK_CHECK(ank_alloc(&data->own, table->columns, sizeof *data->own, err));
  ANK_CHECK(ank_alloc(&data->repairs, table->columns, sizeof *data->repairs, err));
  for (size_t j = 0; j < table->columns; j++) {
    if (!columns[j].used) continue;
    size_t place = data->view.columns++;
    ank_column *column = &data->view.column[place];
    *column = table->column[j];
    column->name = (char *)(uintptr_t)columns[j].name; /* borrowed by a read-only view */
    if (column->kind != ANORANK_CATEGORICAL || column->levels.count == 0) {
      if (column->kind == ANORANK_CATEGORICAL) column->levels = (ank_levels){0};
      ANK_CHECK(
          add_numbers(data, place, column->kind != ANORANK_CATEGORICAL ? column->numbers : NULL, rows, err));
    }
  }
  data->view.column_capacity = data->view.columns;
  return ANORANK_OK;
}

static void repair_column(anorank_table *drawn, const repair *repairs) {
  for (size_t j = 0; j < drawn->columns; j++) {
    double *values = drawn->column[j].numbers;
    if (drawn->column[j].kind == ANORANK_CATEGORICAL || repairs[j] == REPAIR_NOTHING) continue;
    for (size_t i = 0; i < drawn->rows; i++)
      values[i] = repairs[j] == REPAIR_EMPTY ? (double)NAN : nearbyint(values[i]);
  }
}

anorank_status ank_contrast_to_judge(anorank_table **out, ank_contrast_plan *plan, const anorank_table *table,
                                     size_t rows, const ank_used_column *columns, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  around data = {0};
  *out = NULL;
  plan->cells = 0;
  if (plan->law->info.around_data == 0) {
    static const char *const laws[] = {"box", "jitter", "permute"};
    status = ank_fail(err, ANORANK_ERROR_USAGE, "contrast-law",
                      "contrast is '%s', a law that does not draw around the data; choose box or jitter",
                      plan->law->info.name);
    ank_error_set_setting(err, "contrast");
    for (size_t k = 0; k < sizeof laws / sizeof laws[0]; k++) ank_remedy(err, "contrast", laws[k]);
    goto done;
  }
  ANK_TRY(look_around(&data, table, rows, columns, err));
  ANK_TRY(ank_simulate(out, plan->law, &data.view, &plan->settings, err));
  for (size_t j = 0; j < data.view.columns; j++) plan->cells += (size_t)ank_column_varies(&data.view, j);
  repair_column(*out, data.repairs);
done:
  free_around(&data);
  return status;
}

/* ---- to learn ---------------------------------------------------------------------------------------- */

/* One contrast row in 16 gets a level that no training row has, so that classes learn the effect of such a
 * cell instead of extrapolating to it. */
static anorank_status add_unseen_levels(anorank_table *drawn, anorank_error *err) {
  enum { ONE_IN = 16 };
  static const char unseen[] = "\x01never seen";
  for (size_t j = 0; j < drawn->columns; j++) {
    int32_t code;
    if (drawn->column[j].kind != ANORANK_CATEGORICAL) continue;
    ANK_CHECK(ank_levels_code(&code, &drawn->column[j].levels, unseen, sizeof unseen - 1, err));
    for (size_t i = j % ONE_IN; i < drawn->rows; i += ONE_IN) drawn->column[j].codes[i] = code;
  }
  return ANORANK_OK;
}

/* One contrast row in 8 gets one number from its column's range, extended by half of it. Laws that stay near
 * the rows never reach the ones of a column that is nearly all zeros, 20 deviations away; there a class would
 * extrapolate. */
static void add_far_cells(anorank_table *drawn, const anorank_table *data, uint64_t seed) {
  enum { ONE_IN = 8, DRAW_FAR_CELLS = 18 }; /* number of the draw in ANK_STREAM_MODEL; model/ has others */
  ank_rng rng;
  ank_rng_open(&rng, seed, ANK_STREAM_MODEL, DRAW_FAR_CELLS);
  for (size_t j = 0; j < drawn->columns; j++) {
    const ank_column *column = &data->column[j];
    double low = INFINITY, high = -INFINITY;
    if (column->kind == ANORANK_CATEGORICAL) continue;
    for (size_t i = 0; i < data->rows; i++) {
      if (!isfinite(column->numbers[i])) continue;
      low = fmin(low, column->numbers[i]);
      high = fmax(high, column->numbers[i]);
    }
    double width = high - low;
    if (!(width > 0) || !isfinite(2 * width)) continue;
    for (size_t i = j * ONE_IN; i < drawn->rows; i += ONE_IN * drawn->columns)
      drawn->column[j].numbers[i] = low - width / 2 + 2 * width * ank_rng_uniform(&rng);
  }
}

anorank_status ank_contrast_to_learn(anorank_table **out, const ank_contrast_plan *plan,
                                     const anorank_table *table, const ank_used_column *columns,
                                     anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_table view = *table, *drawn = NULL;
  *out = NULL;
  view.columns = 0;
  view.column = NULL;
  ANK_TRY(ank_alloc(&view.column, table->columns, sizeof *view.column, err));
  for (size_t j = 0; j < table->columns; j++)
    if (columns[j].used) view.column[view.columns++] = table->column[j];
  view.column_capacity = view.columns;
  ANK_TRY(ank_simulate(&drawn, plan->law, &view, &plan->settings, err));
  ANK_TRY(add_unseen_levels(drawn, err));
  add_far_cells(drawn, &view, plan->settings.seed);
  ANK_HAND_OVER(out, drawn);
done:
  ank_table_free(drawn);
  ank_free(view.column);
  return status;
}
