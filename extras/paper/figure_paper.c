/* figure_paper.c - the directory, the tables, and the list of figures. See figure_paper.h. */
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
                    "%s: exists and is not a directory; choose another name", quoted);
  return ank_fail(err, ANORANK_ERROR_RESOURCES, "folder-make", "%s: cannot create the directory: %s%s",
                  quoted, strerror(reason), reason == ENOENT ? "; create its parent first" : "");
}

/* Write one of the two files and report its path. */
static anorank_status put_file(const ank_paper_sink *sink, const char *name, const ank_chart *chart,
                               const anorank_table *table, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t size = strlen(sink->folder) + strlen(name) + sizeof "/.svg";
  ank_output *output = NULL;
  char *path = NULL;
  ANK_TRY(ank_alloc(&path, size, 1, err));
  snprintf(path, size, "%s/%s.%s", sink->folder, name, chart ? "svg" : "csv");
  if (chart) {
    ANK_TRY(ank_output_open(&output, path, err));
    ANK_TRY(ank_chart_print(output, chart, err));
    ANK_TRY(ank_output_commit(output, err));
  } else {
    ANK_TRY(anorank_table_write(table, ANORANK_TO_FILE(path), "csv", err));
  }
  if (sink->written) sink->written(sink->context, path);
done:
  ank_output_free(output);
  ank_free(path);
  return status;
}

static anorank_status make_table(anorank_table **out, const ank_paper_column *columns, size_t rows,
                                 const double *data, size_t dim, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t named = 0;
  while (columns[named].name) named++;
  ANK_TRY(ank_table_new(out, named + dim, err));
  ANK_TRY(ank_table_reserve(*out, rows, err));
  (*out)->rows = rows;
  for (size_t j = 0; j < named + dim; j++) {
    char name[32];
    snprintf(name, sizeof name, "x%zu", j - named + 1);
    const ank_paper_column column =
        j < named ? columns[j] : (ank_paper_column){name, data + (j - named), dim};
    ANK_TRY(ank_table_set_name(*out, j, column.name, strlen(column.name), err));
    for (size_t i = 0; i < rows; i++) (*out)->column[j].numbers[i] = column.values[i * column.stride];
  }
done:
  return status;
}

anorank_status ank_paper_put(const ank_paper_sink *sink, const char *name, const ank_chart *chart,
                             const ank_paper_column *columns, size_t rows, const double *data, size_t dim,
                             anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_table *table = NULL;
  if (chart) ANK_TRY(put_file(sink, name, chart, NULL, err));
  if (columns) {
    ANK_TRY(make_table(&table, columns, rows, data, dim, err));
    ANK_TRY(put_file(sink, name, NULL, table, err));
  }
done:
  ank_table_free(table);
  return status;
}

/* ---- the table --------------------------------------------------------------------------------------- */

static anorank_status put_table1(const ank_paper_sink *sink, const ank_paper_figures *figures,
                                 anorank_error *err) {
  static const char *const names[] = {"n_lowest",   "mean",       "sd",      "ceiling_mean",
                                      "ceiling_sd", "paper_mean", "paper_sd"};
  enum { NAMES = sizeof names / sizeof *names };
  double values[ANK_PAPER_COLUMNS][NAMES];
  ank_paper_column columns[NAMES + 1] = {{0}};
  for (size_t c = 0; c < ANK_PAPER_COLUMNS; c++) {
    const anorank_accuracy *a = &figures->reproduction->table[c];
    const double row[NAMES] = {(double)a->n_lowest, a->mean,       a->sd,      a->ceiling_mean,
                               a->ceiling_sd,       a->paper_mean, a->paper_sd};
    memcpy(values[c], row, sizeof row);
  }
  for (size_t k = 0; k < NAMES; k++) columns[k] = (ank_paper_column){names[k], &values[0][k], NAMES};
  return ank_paper_put(sink, "table1", NULL, columns, ANK_PAPER_COLUMNS, NULL, 0, err);
}

static anorank_status put_lambdas(const ank_paper_sink *sink, const ank_paper_figures *figures,
                                  anorank_error *err) {
  const anorank_reproduction *r = figures->reproduction;
  double chosen[ANK_PAPER_MOST_LAMBDAS];
  for (size_t l = 0; l < r->lambda_count; l++) chosen[l] = (double)r->chosen[l];
  const ank_paper_column columns[] = {{"lambda", r->lambdas, 1}, {"chosen", chosen, 1}, {0}};
  return ank_paper_put(sink, "lambda_chosen", NULL, columns, r->lambda_count, NULL, 0, err);
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

anorank_status anorank_reproduction_write(const anorank_reproduction *reproduction, const char *folder,
                                          void (*written)(void *context, const char *path), void *context,
                                          anorank_error *err) {
  ANK_NEED(reproduction);
  ANK_NEED(folder);
  if (!*folder)
    return ank_fail(err, ANORANK_ERROR_USAGE, "output-name-empty",
                    "the name of the output directory is empty; name a directory");
  anorank_status status = ANORANK_OK;
  const ank_paper_sink sink = {folder, written, context};
  ank_paper_figures *figures = NULL;
  ANK_TRY(make_folder(folder, err)); /* before the training, so that a wrong name costs no time */
  ANK_TRY(ank_paper_figures_make(&figures, reproduction, err));
  for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++) ANK_TRY(parts[k](&sink, figures, err));
done:
  ank_paper_figures_free(figures);
  return status;
}
