/* reference.c - see reference.h. */
#include "evaluate/reference.h"

#include <math.h>
#include <string.h>

#include "core/alloc.h"

/* What to put right in a drawn column. */
typedef enum repair { REPAIR_NOTHING, REPAIR_ROUND, REPAIR_EMPTY } repair;

/* The columns that a law is drawn around. Cells are borrowed where they can be. */
typedef struct around {
  anorank_table view;
  double **own; /* cells that had to be copied */
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
  anorank_status status = ank_alloc(&data->own[place], rows, sizeof **data->own, err);
  if (status != ANORANK_OK) return status;
  for (size_t i = 0; finite > 0 && i < rows; i++)
    data->own[place][i] = isinf(values[i]) ? (double)NAN : values[i];
  column->kind = ANORANK_NUMERIC;
  column->numbers = data->own[place];
  column->codes = NULL;
  return ANORANK_OK;
}

static anorank_status look_around(around *data, const anorank_table *table, size_t rows,
                                  const ank_used_column *columns, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  data->view = *table;
  data->view.rows = rows;
  data->view.columns = 0;
  data->view.column = NULL;
  ANK_TRY(ank_alloc(&data->view.column, table->columns, sizeof *data->view.column, err));
  ANK_TRY(ank_alloc(&data->own, table->columns, sizeof *data->own, err));
  ANK_TRY(ank_alloc(&data->repairs, table->columns, sizeof *data->repairs, err));
  for (size_t j = 0; j < table->columns; j++) {
    if (!columns[j].used) continue;
    size_t place = data->view.columns++;
    ank_column *column = &data->view.column[place];
    *column = table->column[j];
    column->name = (char *)(uintptr_t)columns[j].name; /* lent to a view that is only read */
    if (column->kind != ANORANK_CATEGORICAL || column->levels.count == 0) {
      if (column->kind == ANORANK_CATEGORICAL) column->levels = (ank_levels){0};
      ANK_TRY(
          add_numbers(data, place, column->kind != ANORANK_CATEGORICAL ? column->numbers : NULL, rows, err));
    }
  }
  data->view.column_capacity = data->view.columns;
done:
  return status;
}

static void mend(anorank_table *drawn, const repair *repairs) {
  for (size_t j = 0; j < drawn->columns; j++) {
    double *values = drawn->column[j].numbers;
    if (drawn->column[j].kind == ANORANK_CATEGORICAL || repairs[j] == REPAIR_NOTHING) continue;
    for (size_t i = 0; i < drawn->rows; i++)
      values[i] = repairs[j] == REPAIR_EMPTY ? (double)NAN : nearbyint(values[i]);
  }
}

anorank_status ank_reference_draw(anorank_table **out, const anorank_table *table, size_t rows,
                                  const ank_used_column *columns, const anorank_settings *settings,
                                  anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_settings own = *settings;
  around data = {0};
  const ank_law *law;
  *out = NULL;
  own.first_row = ANK_REFERENCE_FIRST_ROW;
  own.limits = ""; /* they speak of all the table's columns */
  ANK_TRY(ank_law_named(&law, own.law, err));
  if (law->info.around_data == 0)
    ANK_FAIL(ANORANK_ERROR_USAGE,
             "--contrast '%s' draws no rows around the data; take box, pca_box, jitter, permute or mixture",
             law->info.name);
  ANK_TRY(look_around(&data, table, rows, columns, err));
  ANK_TRY(ank_simulate(out, law, &data.view, &own, err));
  mend(*out, data.repairs);
done:
  free_around(&data);
  return status;
}

int ank_reference_is_uniform(const ank_law *law) {
  return law == &ank_law_box || law == &ank_law_unit || law == &ank_law_pca_box;
}
