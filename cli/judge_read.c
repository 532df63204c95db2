/* judge_read.c - find the columns of the scores, the contrast scores, the other scores and the labels. Every
 * error lists the columns found and suggests a correction. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/number.h"
#include "core/print.h"
#include "judge.h"
#include "text.h"

static int data_error(const cli_call *call, const char *code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static int data_error(const cli_call *call, const char *code, const char *format, ...) {
  anorank_error err = {0};
  snprintf(err.code, sizeof err.code, "%s", code);
  va_list arguments;
  va_start(arguments, format);
  ank_vprint(err.message, sizeof err.message, format, arguments);
  va_end(arguments);
  return cli_failure(call, ANORANK_ERROR_DATA, &err);
}

static const char *file_name(const char *path) { return strcmp(path, "-") == 0 ? "standard input" : path; }

void cli_scores_free(cli_scores *scores) {
  anorank_table_free(scores->table);
  free(scores->own_values);
  memset(scores, 0, sizeof *scores);
}

/* Write "'a', 'b' (text), 'c'", truncated if it is long. */
static void list_columns(char *text, size_t size, const anorank_table *table) {
  size_t columns = anorank_table_columns(table), used = 0;
  char name[48];
  text[0] = '\0';
  for (size_t i = 0; i < columns; i++) {
    if (used + 80 > size) {
      snprintf(text + used, size - used, ", ... (%zu in all)", columns);
      return;
    }
    cli_printable(name, sizeof name, anorank_table_name(table, i));
    used += (size_t)snprintf(text + used, size - used, "%s'%s'%s", i ? ", " : "", name,
                             anorank_table_kind(table, i) == ANORANK_CATEGORICAL ? " (text)" : "");
  }
}

/* Return the first text of a column that is not a number; NULL if there is none. */
static const char *first_text(const anorank_table *table, size_t column) {
  double value;
  for (size_t i = 0; i < anorank_table_levels(table, column); i++) {
    const char *level = anorank_table_level(table, column, i);
    if (*level && ank_number_parse(&value, level, strlen(level)) == ANK_NUMBER_NONE) return level;
  }
  return NULL;
}

/* Return the only column besides the labels that is numeric, or would be with decimal points; SIZE_MAX if
 * there are none or several. */
static size_t only_numeric(const anorank_table *table, const char *labels) {
  size_t found = SIZE_MAX;
  for (size_t i = 0; i < anorank_table_columns(table); i++) {
    const char *text = first_text(table, i);
    if (anorank_table_kind(table, i) != ANORANK_NUMERIC && !(text && cli_is_written_number(text))) continue;
    if (labels && strcmp(anorank_table_name(table, i), labels) == 0) continue;
    if (found != SIZE_MAX) return SIZE_MAX;
    found = i;
  }
  return found;
}

/* Find the column of scores: the requested one, else 'score', else the only numeric one. `wanted` may name a
 * column that is optional (`must` = 0). */
static int score_column(const cli_call *call, const anorank_table *table, const char *path,
                        const char *wanted, int must, size_t *column) {
  char columns[600], shown[80], sample[48];
  const char *labels = cli_value(call, "labels");
  *column = wanted ? anorank_table_find(table, wanted) : SIZE_MAX;
  if (*column == SIZE_MAX && must && wanted) {
    list_columns(columns, sizeof columns, table);
    return cli_usage_error(call, "column-unknown", "%s: there is no column '%s'; the columns are %s",
                           file_name(path), cli_printable(shown, sizeof shown, wanted), columns);
  }
  if (*column == SIZE_MAX) *column = anorank_table_find(table, "score");
  if (*column == SIZE_MAX) *column = only_numeric(table, labels);
  if (*column == SIZE_MAX) {
    list_columns(columns, sizeof columns, table);
    return data_error(call, "judge-which-column",
                      "%s: several columns could hold the scores; pass --column NAME; the columns are %s",
                      file_name(path), columns);
  }
  if (anorank_table_kind(table, *column) != ANORANK_NUMERIC) {
    const char *text = first_text(table, *column);
    const char *advice =
        !text || !cli_is_written_number(text) ? "name another with --column" : "write numbers like 1234.5";
    return data_error(call, "judge-score-text", "%s: column '%s' holds text, not scores%s%s%s; %s",
                      file_name(path), cli_printable(shown, sizeof shown, anorank_table_name(table, *column)),
                      text ? ", such as '" : "", cli_printable(sample, sizeof sample, text ? text : ""),
                      text ? "'" : "", advice);
  }
  return 0;
}

static void name_scores(cli_scores *scores, const char *path, const char *column) {
  cli_printable(scores->column, sizeof scores->column, column);
  snprintf(scores->label, sizeof scores->label, "%.120s, column '%.100s'", file_name(path), scores->column);
}

static int check_enough(const cli_call *call, const cli_scores *scores, const char *path, size_t rows,
                        size_t missing, size_t first) {
  if (missing)
    return data_error(
        call, "judge-score-missing",
        "%s: column '%s' has no value in %zu of %zu rows, first in row %zu; every row needs a score",
        file_name(path), scores->column, missing, rows, first);
  if (rows < 2)
    return data_error(call, "judge-too-few-rows", "%s: has %zu row%s; give at least 2", file_name(path), rows,
                      rows == 1 ? "" : "s");
  return 0;
}

/* Point `scores` at rows [from, from + rows) of a column; refuse missing values, and reverse the sign if
 * requested. */
static int take_column(const cli_call *call, cli_scores *scores, const anorank_table *table, const char *path,
                       size_t column, size_t from, size_t rows, int turn) {
  const double *values = anorank_table_numbers(table, column) + from;
  size_t missing = 0, first = 0;
  name_scores(scores, path, anorank_table_name(table, column));
  for (size_t i = 0; i < rows; i++)
    if (isnan(values[i]) && missing++ == 0) first = from + i + 1;
  int code = check_enough(call, scores, path, rows, missing, first);
  if (code != 0) return code;
  scores->values = values;
  scores->rows = rows;
  if (turn) {
    scores->own_values = cli_allocate(rows, sizeof *scores->own_values);
    for (size_t i = 0; i < rows; i++) scores->own_values[i] = -values[i];
    scores->values = scores->own_values;
  }
  return 0;
}

static int read_table(cli_call *call, anorank_table **table, const char *path) {
  anorank_error err = {0};
  /* Reading is about half of the work; each file takes half of the rest of it. */
  double from = call->progress.to < 1 ? call->progress.to : 0;
  cli_progress_part(&call->progress, from, from + (0.5 - from) / 2);
  anorank_status status = anorank_table_read(table, ANORANK_FROM_FILE(path), call->settings, &err);
  if (status != ANORANK_OK) return cli_failure(call, status, &err);
  cli_detail(call, "%s: %zu rows, %zu columns", file_name(path), anorank_table_rows(*table),
             anorank_table_columns(*table));
  return 0;
}

static int read_scores(cli_call *call, cli_scores *scores, const char *path, const char *wanted, int must,
                       int turn) {
  size_t column = 0;
  int code = read_table(call, &scores->table, path);
  if (code == 0) code = score_column(call, scores->table, path, wanted, must, &column);
  if (code == 0)
    code = take_column(call, scores, scores->table, path, column, 0, anorank_table_rows(scores->table), turn);
  return code;
}

static int read_labels(cli_judged *result, const cli_call *call, const char *path, const char *name) {
  char columns[600], shown[80];
  const anorank_table *table = result->x.table;
  size_t column = anorank_table_find(table, name), rows = anorank_table_rows(table);
  cli_printable(shown, sizeof shown, name);
  if (column == SIZE_MAX) {
    list_columns(columns, sizeof columns, table);
    return cli_usage_error(call, "column-unknown", "%s: there is no label column '%s'; the columns are %s",
                           file_name(path), shown, columns);
  }
  const double *values = anorank_table_numbers(table, column);
  if (!values)
    return data_error(call, "label-value",
                      "%s: column '%s' holds text; labels are 1 (anomaly) and 0 (normal)", file_name(path),
                      shown);
  result->labels = cli_allocate(rows, 1);
  for (size_t i = 0; i < rows; i++) {
    if (isnan(values[i]))
      return data_error(call, "label-value",
                        "%s: column '%s' has no value in row %zu; labels are 1 (anomaly) and 0 (normal)",
                        file_name(path), shown, i + 1);
    if (values[i] != 0 && values[i] != 1)
      return data_error(call, "label-value",
                        "%s: column '%s' holds %g in row %zu; labels are 1 (anomaly) and 0 (normal)",
                        file_name(path), shown, values[i], i + 1);
    result->labels[i] = values[i] == 1;
  }
  return 0;
}

static int explain_against(const cli_call *call, const char *found) {
  return cli_usage_error(
      call, "judge-against",
      "%s. Give the other scores in one of three ways:\n  --against FILE --against-contrast FILE_U   as many "
      "rows as SCORES and SCORES_U\n  --against FILE     one file: the rows of SCORES, then those of "
      "SCORES_U\n  --against COLUMN   a column that both SCORES and SCORES_U have\nRows or "
      "column of --contrast-extremes follow those of SCORES_U.",
      found);
}

/* Find a column that both files have. */
static int against_column(cli_judged *result, cli_call *call, const char *name, const char *x_path,
                          const char *u_path, int turn) {
  char found[400], shown[80];
  size_t x = anorank_table_find(result->x.table, name), u = anorank_table_find(result->u.table, name);
  if (x == SIZE_MAX || u == SIZE_MAX) {
    snprintf(found, sizeof found, "--against '%s' is neither a file nor a column of %s%.100s",
             cli_printable(shown, sizeof shown, name), x == SIZE_MAX && u == SIZE_MAX ? "either file" : "",
             x == SIZE_MAX && u == SIZE_MAX ? "" : file_name(x == SIZE_MAX ? x_path : u_path));
    return explain_against(call, found);
  }
  int code = 0;
  if (anorank_table_kind(result->x.table, x) != ANORANK_NUMERIC ||
      anorank_table_kind(result->u.table, u) != ANORANK_NUMERIC)
    return data_error(call, "judge-score-text",
                      "%s: column '%s' holds text, not scores; name another with --against",
                      file_name(anorank_table_kind(result->x.table, x) != ANORANK_NUMERIC ? x_path : u_path),
                      cli_printable(shown, sizeof shown, name));
  code = take_column(call, &result->other_x, result->x.table, x_path, x, 0, result->x.rows, turn);
  if (code == 0)
    code = take_column(call, &result->other_u, result->u.table, u_path, u, 0, result->u.rows, turn);
  return code;
}

/* Find the same column of the extremes. */
static int against_extremes(cli_judged *result, cli_call *call, const char *name, int turn) {
  const char *path = cli_value(call, "contrast-extremes");
  const anorank_table *table = result->extremes.table;
  size_t column = anorank_table_find(table, name);
  char found[400], shown[80];
  if (column != SIZE_MAX && anorank_table_kind(table, column) == ANORANK_NUMERIC)
    return take_column(call, &result->other_extremes, table, path, column, 0, result->extremes.rows, turn);
  snprintf(found, sizeof found, "--against '%s' is no column of numbers in %.100s",
           cli_printable(shown, sizeof shown, name), file_name(path));
  return explain_against(call, found);
}

static int against_files(cli_judged *result, cli_call *call, const char *path, const char *contrast_path,
                         int turn) {
  char found[400];
  size_t n = result->x.rows, m = result->u.rows, extremes = result->extremes.rows, column = 0;
  const char *wanted = cli_value(call, "column");
  cli_scores *x = &result->other_x, *u = &result->other_u;
  int code = read_table(call, &x->table, path);
  if (code == 0) code = score_column(call, x->table, path, wanted, 0, &column);
  if (code != 0) return code;
  size_t rows = anorank_table_rows(x->table);
  if (contrast_path) {
    code = read_scores(call, u, contrast_path, anorank_table_name(x->table, column), 0, turn);
    if (code != 0) return code;
    if (rows != n || u->rows != m) {
      snprintf(found, sizeof found,
               "%.100s has %zu rows and %.100s has %zu, but SCORES has %zu and SCORES_U has %zu",
               file_name(path), rows, file_name(contrast_path), u->rows, n, m);
      return explain_against(call, found);
    }
    return take_column(call, x, x->table, path, column, 0, n, turn);
  }
  if (rows != n + m + extremes) {
    snprintf(found, sizeof found,
             "%.100s has %zu rows, but SCORES has %zu and SCORES_U has %zu (%zu together)", file_name(path),
             rows, n, m + extremes, n + m + extremes);
    return explain_against(call, found);
  }
  code = take_column(call, x, x->table, path, column, 0, n, turn);
  if (code == 0) code = take_column(call, u, x->table, path, column, n, m, turn);
  if (code == 0 && extremes > 0)
    code = take_column(call, &result->other_extremes, x->table, path, column, n + m, extremes, turn);
  return code;
}

static int read_against(cli_judged *result, cli_call *call, const char *x_path, const char *u_path) {
  const char *against = cli_value(call, "against"), *contrast = cli_value(call, "against-contrast");
  int turn = cli_value(call, "against-higher-is-abnormal") != NULL;
  if (!against) return 0;
  if (contrast || strcmp(against, "-") == 0 || access(against, F_OK) == 0)
    return against_files(result, call, against, contrast, turn);
  int code = against_column(result, call, against, x_path, u_path, turn);
  return code == 0 && result->extremes.values ? against_extremes(result, call, against, turn) : code;
}

/* Check options before any file is read. */
static int check_options(const cli_call *call) {
  const char *x_path = call->positionals[0], *u_path = cli_value(call, "contrast");
  const char *against = cli_value(call, "against"), *contrast = cli_value(call, "against-contrast");
  const char *extremes = cli_value(call, "contrast-extremes");
  const char *paths[] = {x_path, u_path, extremes, against, contrast, cli_value(call, "settings")};
  int uses = 0;
  if (!u_path)
    return cli_usage_error(call, "option-missing",
                           "--contrast FILE is missing; give the same tool's scores of contrast rows, which "
                           "'anorank simulate' draws");
  for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) uses += paths[i] && strcmp(paths[i], "-") == 0;
  if (uses > 1)
    return cli_usage_error(call, "stdin-twice", "only one file can be '-' (standard input); name the others");
  if (extremes && contrast)
    return cli_usage_error(call, "judge-against",
                           "--against-contrast cannot be used with --contrast-extremes; give --against one "
                           "file with all rows, or a column");
  if (!against && contrast)
    return cli_usage_error(call, "option-needs-option", "--against-contrast needs --against");
  if (!against && cli_value(call, "against-higher-is-abnormal"))
    return cli_usage_error(call, "option-needs-option", "--against-higher-is-abnormal needs --against");
  return 0;
}

int cli_judge_read(cli_judged *result, cli_call *call) {
  const char *x_path = call->positionals[0], *u_path = cli_value(call, "contrast");
  const char *column = cli_value(call, "column"), *labels = cli_value(call, "labels");
  int turn = cli_value(call, "higher-is-abnormal") != NULL;
  int code = check_options(call);
  if (code == 0) code = read_scores(call, &result->x, x_path, column, 1, turn);
  if (code == 0)
    code = read_scores(call, &result->u, u_path, column ? column : result->x.column, column != NULL, turn);
  const char *extremes = cli_value(call, "contrast-extremes");
  if (code == 0 && extremes)
    code = read_scores(call, &result->extremes, extremes, column ? column : result->x.column, column != NULL,
                       turn);
  if (code == 0) code = read_against(result, call, x_path, u_path);
  if (code == 0 && labels) code = read_labels(result, call, x_path, labels);
  return code;
}
