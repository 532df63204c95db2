/* contrast_matrix.c - see contrast_matrix.h. */
#include "contrast/contrast_matrix.h"

#include "contrast/law.h"

/* Wrap the rows in a table of numeric columns x1, x2, ... */
static anorank_status wrap(anorank_table **out, const double *x, size_t n, size_t dim, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_table *table = NULL;
  *out = NULL;
  ANK_TRY(ank_table_new(&table, dim, err));
  for (size_t j = 0; j < dim; j++) ANK_TRY(ank_table_set_name(table, j, "", 0, err));
  ANK_TRY(ank_table_reserve(table, n, err));
  for (size_t j = 0; j < dim; j++)
    for (size_t i = 0; i < n; i++) table->column[j].numbers[i] = x[i * dim + j];
  table->rows = n;
  ANK_HAND_OVER(out, table);
done:
  ank_table_free(table);
  return status;
}

anorank_status ank_contrast_rows(double *out, size_t m, const double *x, size_t n, size_t dim,
                                 const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_settings inner = *settings;
  anorank_table *data = NULL, *drawn = NULL;
  const ank_law *law;
  ANK_TRY(ank_law_named(&law, settings->law, err));
  if (dim == 0)
    ANK_FAIL(ANORANK_ERROR_USAGE, "contrast-no-columns",
             "the rows have no columns, so there is nothing to draw");
  if (m == 0) goto done;
  inner.rows = (int64_t)m;
  inner.dim = (int64_t)dim;
  if (law->info.around_data > 0) ANK_TRY(wrap(&data, x, n, dim, err));
  ANK_TRY(ank_simulate(&drawn, law, data, &inner, err));
  for (size_t j = 0; j < dim; j++)
    for (size_t i = 0; i < m; i++) out[i * dim + j] = drawn->column[j].numbers[i];
done:
  ank_table_free(data);
  ank_table_free(drawn);
  return status;
}
