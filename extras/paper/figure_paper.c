/* figure_paper.c - the folder, the tables, and the list of figures. See figure_paper.h. */
#include "paper/figure_paper.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "core/alloc.h"
#include "table/table.h"
#include "table/writer.h"

/* ---- files ------------------------------------------------------------------------------------------- */

static anorank_status make_folder(const char *folder, anorank_error *err) {
  struct stat there;
  char quoted[ANK_QUOTE_SIZE];
  if (mkdir(folder, 0777) == 0) return ANORANK_OK;
  int reason = errno;
  if (reason == EEXIST && stat(folder, &there) == 0 && S_ISDIR(there.st_mode)) return ANORANK_OK;
  ank_quote(quoted, folder, strlen(folder));
  if (reason == EEXIST)
    return ank_fail(err, ANORANK_ERROR_RESOURCES, "folder-is-file",
                    "%s: already exists and is not a folder; choose another name", quoted);
  return ank_fail(err, ANORANK_ERROR_RESOURCES, "folder-make", "%s: cannot make the folder: %s%s", quoted,
                  strerror(reason), reason == ENOENT ? "; make the folder above it first" : "");
}

static anorank_status path_of(char **out, const ank_paper_sink *sink, const char *name, const char *ending,
                              anorank_error *err) {
  size_t size = strlen(sink->folder) + strlen(name) + strlen(ending) + 2;
  anorank_status status = ank_alloc(out, size, 1, err);
  if (status == ANORANK_OK) snprintf(*out, size, "%s/%s%s", sink->folder, name, ending);
  return status;
}

anorank_status ank_paper_put_figure(const ank_paper_sink *sink, const char *name, const ank_figure *figure,
                                    anorank_error *err) {
  anorank_status status = ANORANK_OK;
  char *path = NULL;
  ANK_TRY(path_of(&path, sink, name, ".svg", err));
  ANK_TRY(ank_figure_write(figure, path, err));
  if (sink->written) sink->written(sink->context, path);
done:
  ank_free(path);
  return status;
}

static anorank_status put_table(const ank_paper_sink *sink, const char *name, const anorank_table *table,
                                anorank_error *err) {
  anorank_status status = ANORANK_OK;
  char *path = NULL;
  ANK_TRY(path_of(&path, sink, name, ".csv", err));
  ANK_TRY(ank_table_write(table, path, "csv", err));
  if (sink->written) sink->written(sink->context, path);
done:
  ank_free(path);
  return status;
}

/* An empty name becomes x1, x2, ... */
static anorank_status table_make(anorank_table **out, const char *const *names, size_t named, size_t columns,
                                 size_t rows, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_table *table = NULL;
  char text[32];
  ANK_TRY(ank_table_new(&table, columns, err));
  for (size_t j = 0; j < columns; j++) {
    if (j < named)
      snprintf(text, sizeof text, "%s", names[j]);
    else
      snprintf(text, sizeof text, "x%zu", j - named + 1);
    ANK_TRY(ank_table_set_name(table, j, text, strlen(text), err));
  }
  ANK_TRY(ank_table_reserve(table, rows, err));
  table->rows = rows;
  *out = table;
  table = NULL;
done:
  ank_table_free(table);
  return status;
}

anorank_status ank_paper_put_columns(const ank_paper_sink *sink, const char *name, const char *const *names,
                                     const double *const *columns, size_t column_count, size_t rows,
                                     anorank_error *err) {
  anorank_table *table = NULL;
  anorank_status status = table_make(&table, names, column_count, column_count, rows, err);
  if (status != ANORANK_OK) return status;
  for (size_t j = 0; j < column_count; j++)
    memcpy(table->column[j].numbers, columns[j], rows * sizeof *columns[j]);
  status = put_table(sink, name, table, err);
  ank_table_free(table);
  return status;
}

anorank_status ank_paper_put_matrix(const ank_paper_sink *sink, const char *name, const char *const *names,
                                    size_t named, const double *values, size_t columns, size_t rows,
                                    anorank_error *err) {
  anorank_table *table = NULL;
  anorank_status status = table_make(&table, names, named, columns, rows, err);
  if (status != ANORANK_OK) return status;
  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j < columns; j++) table->column[j].numbers[i] = values[i * columns + j];
  status = put_table(sink, name, table, err);
  ank_table_free(table);
  return status;
}

/* ---- the table --------------------------------------------------------------------------------------- */

static anorank_status put_table1(const ank_paper_sink *sink, const ank_paper_figures *figures,
                                 anorank_error *err) {
  static const char *const names[] = {"n_lowest",   "mean",       "sd",      "ceiling_mean",
                                      "ceiling_sd", "paper_mean", "paper_sd"};
  enum { COLUMNS = 7 };
  double values[ANK_PAPER_COLUMNS * COLUMNS];
  for (size_t c = 0; c < ANK_PAPER_COLUMNS; c++) {
    const anorank_accuracy *a = &figures->reproduction->table[c];
    const double row[COLUMNS] = {(double)a->n_lowest, a->mean,       a->sd,      a->ceiling_mean,
                                 a->ceiling_sd,       a->paper_mean, a->paper_sd};
    memcpy(values + c * COLUMNS, row, sizeof row);
  }
  return ank_paper_put_matrix(sink, "table1", names, COLUMNS, values, COLUMNS, ANK_PAPER_COLUMNS, err);
}

static anorank_status put_lambdas(const ank_paper_sink *sink, const ank_paper_figures *figures,
                                  anorank_error *err) {
  static const char *const names[] = {"lambda", "chosen"};
  const anorank_reproduction *r = figures->reproduction;
  double chosen[ANK_PAPER_MOST_LAMBDAS];
  const double *const columns[] = {r->lambdas, chosen};
  for (size_t l = 0; l < r->lambda_count; l++) chosen[l] = (double)r->chosen[l];
  return ank_paper_put_columns(sink, "lambda_chosen", names, columns, 2, r->lambda_count, err);
}

/* ---- all of it --------------------------------------------------------------------------------------- */

static ank_paper_part *const parts[] = {
    put_table1,
    put_lambdas,
    ank_figure_paper_typical,
    ank_figure_paper_phi,
    ank_figure_paper_data,
    ank_figure_paper_training,
    ank_figure_paper_heat_map,
    ank_figure_paper_averaged,
};

anorank_status ank_reproduction_write(const anorank_reproduction *reproduction, const char *folder,
                                      void (*written)(void *context, const char *path), void *context,
                                      anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const ank_paper_sink sink = {folder, written, context};
  ank_paper_figures *figures = NULL;
  ANK_TRY(make_folder(folder, err)); /* before the training: a wrong name should not cost minutes */
  ANK_TRY(ank_paper_figures_make(&figures, reproduction, err));
  for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++) ANK_TRY(parts[k](&sink, figures, err));
done:
  ank_paper_figures_free(figures);
  return status;
}
