/* law_unit.c - uniform on [0, 1]^d: for data that are scaled to that cube. Categories are uniform over the
 * levels of the data; the numbers of the data are ignored. */
#include "contrast/box_bounds.h"
#include "contrast/column.h"
#include "core/alloc.h"

static anorank_status learn_unit(void **learned, const anorank_table *data, const anorank_settings *settings,
                                 anorank_error *err) {
  size_t columns = data ? data->columns : (size_t)settings->dim;
  ank_box_bound *bounds;
  ANK_CHECK(ank_alloc(&bounds, columns, sizeof *bounds, err));
  *learned = bounds;
  for (size_t j = 0; j < columns; j++) {
    bounds[j] = ank_box_bound_range(0, 1);
    if (data && data->column[j].kind == ANORANK_CATEGORICAL)
      ANK_CHECK(ank_column_levels(&bounds[j].levels, data, j, ank_law_unit.info.name, err));
  }
  return ANORANK_OK;
}

const ank_law ank_law_unit = {
    .info = {"unit", "uniform over [0, 1] in every column, and over categories", "dim", 1},
    .learn = learn_unit,
    .draw = ank_box_bounds_draw,
};
