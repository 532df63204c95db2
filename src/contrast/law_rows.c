/* law_rows.c - laws that draw cells of the data; missing and infinite cells are drawn
 * as often as they occur.
 *
 *   file     whole rows of the data, with replacement: a bootstrap, or a second sample that the user brings
 *            (--data names it; to learn, known anomalies join U with a separate weight, which the learner
 *            sets, not the law)
 *   permute  each cell from another row: the columns keep their laws and lose what binds them. Only rows
 *            that are strange in a combination differ from the data, so scorers learn nothing about rows that
 *            are strange in one column alone. */
#include "contrast/law.h"

static anorank_status check_rows(void **learned, const anorank_table *data, const anorank_settings *settings,
                                 anorank_error *err) {
  (void)learned, (void)settings;
  return ank_law_needs_rows(data, err);
}

static inline void copy_cell(const ank_draw *draw, size_t i, const anorank_table *data, size_t row,
                             size_t column) {
  const ank_column *from = &data->column[column];
  ank_column *to = &draw->table->column[column];
  if (from->kind != ANORANK_CATEGORICAL)
    to->numbers[draw->first + i] = from->numbers[row];
  else
    to->codes[draw->first + i] = from->codes[row];
}

static anorank_status draw_file(const ank_draw *draw, anorank_error *err) {
  (void)err;
  const anorank_table *data = draw->data;
  for (size_t i = 0; i < draw->count; i++) {
    ank_rng rng;
    ank_draw_row(&rng, draw, i);
    size_t row = (size_t)ank_rng_below(&rng, data->rows);
    for (size_t j = 0; j < data->columns; j++) copy_cell(draw, i, data, row, j);
  }
  return ANORANK_OK;
}

static anorank_status draw_permute(const ank_draw *draw, anorank_error *err) {
  (void)err;
  const anorank_table *data = draw->data;
  for (size_t i = 0; i < draw->count; i++) {
    ank_rng rng;
    ank_draw_row(&rng, draw, i);
    for (size_t j = 0; j < data->columns; j++)
      copy_cell(draw, i, data, (size_t)ank_rng_below(&rng, data->rows), j);
  }
  return ANORANK_OK;
}

const ank_law ank_law_file = {
    .info = {"file", "rows of the data, drawn with replacement", "", 2},
    .learn = check_rows,
    .draw = draw_file,
};

const ank_law ank_law_permute = {
    .info = {"permute", "each cell from a random row, which keeps columns but makes them independent", "", 2},
    .learn = check_rows,
    .draw = draw_permute,
};
