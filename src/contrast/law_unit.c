/* law_unit.c - uniform on [0, 1]^d: for data that are scaled to that cube. Categories are uniform over the
 * levels of the data; the data's numbers are not looked at. */
#include "contrast/box_bounds.h"
#include "contrast/column.h"

static anorank_status open_unit(void **state, const anorank_table *data, const anorank_settings *settings,
                                anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t columns = data ? data->columns : (size_t)settings->dim;
  ank_box_bounds *law = NULL;
  *state = NULL;
  ANK_TRY(ank_box_bounds_new(&law, columns, err));
  for (size_t j = 0; j < columns; j++) {
    size_t levels;
    if (!data || data->column[j].kind != ANORANK_CATEGORICAL) {
      ank_box_bounds_range(law, j, 0, 1);
      continue;
    }
    ANK_TRY(ank_column_levels(&levels, data, j, ank_law_unit.info.name, err));
    ank_box_bounds_levels(law, j, levels);
  }
  *state = law;
  law = NULL;
done:
  ank_box_bounds_free(law);
  return status;
}

const ank_law ank_law_unit = {
    .info = {"unit", "uniform on the cube from 0 to 1 in every column, and over the levels of categories",
             "dim", 1},
    .open = open_unit,
    .draw = ank_box_bounds_draw,
    .free = ank_box_bounds_free,
};
