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

/* Tell of a file that was written, and free its name. */
static anorank_status finish(anorank_status status, const ank_paper_sink *sink, char *path) {
  if (status == ANORANK_OK && sink->written) sink->written(sink->context, path);
  ank_free(path);
  return status;
}

anorank_status ank_paper_put_chart(const ank_paper_sink *sink, const char *name, const ank_chart *chart,
                                   anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_output *output = NULL;
  char *path = NULL;
  ANK_TRY(path_of(&path, sink, name, ".svg", err));
  ANK_TRY(ank_output_open(&output, path, err));
  ANK_TRY(ank_chart_print(output, chart, err));
  ANK_TRY(ank_output_commit(output, err));
done:
  ank_output_free(output);
  return finish(status, sink, path);
}

anorank_status ank_paper_put_table(const ank_paper_sink *sink, const char *name,
                                   const ank_paper_column *columns, const double *data, size_t dim,
                                   size_t rows, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_table *table = NULL;
  char *path = NULL, text[32];
  size_t named = 0;
  while (columns[named].name) named++;
  ANK_TRY(ank_table_new(&table, named + dim, err));
  for (size_t j = 0; j < named + dim; j++) {
    if (j < named)
      snprintf(text, sizeof text, "%s", columns[j].name);
    else
      snprintf(text, sizeof text, "x%zu", j - named + 1);
    ANK_TRY(ank_table_set_name(table, j, text, strlen(text), err));
  }
  ANK_TRY(ank_table_reserve(table, rows, err));
  table->rows = rows;
  for (size_t j = 0; j < named + dim; j++) {
    const ank_paper_column column =
        j < named ? columns[j] : (ank_paper_column){.values = data + (j - named), .stride = dim};
    for (size_t i = 0; i < rows; i++)
      table->column[j].numbers[i] = column.values[i * (column.stride ? column.stride : 1)];
  }
  ANK_TRY(path_of(&path, sink, name, ".csv", err));
  ANK_TRY(ank_table_write(table, path, "csv", err));
done:
  ank_table_free(table);
  return finish(status, sink, path);
}

/* ---- the table --------------------------------------------------------------------------------------- */

static anorank_status put_table1(const ank_paper_sink *sink, const ank_paper_figures *figures,
                                 anorank_error *err) {
  enum { STRIDE = sizeof(anorank_accuracy) / sizeof(double) };
  const anorank_accuracy *a = figures->reproduction->table;
  double n_lowest[ANK_PAPER_COLUMNS];
  for (size_t c = 0; c < ANK_PAPER_COLUMNS; c++) n_lowest[c] = (double)a[c].n_lowest;
  const ank_paper_column columns[] = {{"n_lowest", n_lowest, 1},
                                      {"mean", &a->mean, STRIDE},
                                      {"sd", &a->sd, STRIDE},
                                      {"ceiling_mean", &a->ceiling_mean, STRIDE},
                                      {"ceiling_sd", &a->ceiling_sd, STRIDE},
                                      {"paper_mean", &a->paper_mean, STRIDE},
                                      {"paper_sd", &a->paper_sd, STRIDE},
                                      {0}};
  return ank_paper_put_table(sink, "table1", columns, NULL, 0, ANK_PAPER_COLUMNS, err);
}

static anorank_status put_lambdas(const ank_paper_sink *sink, const ank_paper_figures *figures,
                                  anorank_error *err) {
  const anorank_reproduction *r = figures->reproduction;
  double chosen[ANK_PAPER_MOST_LAMBDAS];
  for (size_t l = 0; l < r->lambda_count; l++) chosen[l] = (double)r->chosen[l];
  const ank_paper_column columns[] = {{"lambda", r->lambdas, 1}, {"chosen", chosen, 1}, {0}};
  return ank_paper_put_table(sink, "lambda_chosen", columns, NULL, 0, r->lambda_count, err);
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
