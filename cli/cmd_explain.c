/* cmd_explain.c - anorank explain MODEL FILE --row R: explain one row. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/print.h"
#include "core/shortest.h"
#include "json.h"
#include "model_options.h"
#include "ranking_report.h"
#include "text.h"

enum { NAME_WIDTH = 16, VALUE_WIDTH = 14, USUAL_WIDTH = 22, BAR_WIDTH = 12 };

/* Return 1203 for "1204", counted from 0; SIZE_MAX if it is not a row. */
static size_t parse_row(const char *text) {
  char *end;
  errno = 0;
  if (*text < '1' || *text > '9') return SIZE_MAX;
  unsigned long long row = strtoull(text, &end, 10);
  return *end || errno || row > SIZE_MAX ? SIZE_MAX : (size_t)row - 1;
}

static void put_cell(FILE *stream, const char *text, size_t width) {
  cli_put_cell(stream, text, width, 0);
  fputs("  ", stream);
}

static int is_time(const anorank_reason *reason) {
  return reason->kind == ANORANK_REASON_HOUR || reason->kind == ANORANK_REASON_WEEKDAY ||
         reason->kind == ANORANK_REASON_MONTH;
}

static void time_text(char *text, size_t size, const anorank_reason *reason) {
  static const char *const days[] = {"Thu", "Fri", "Sat", "Sun",
                                     "Mon", "Tue", "Wed"}; /* 1970-01-01 was a
                                                                                        * Thursday */
  static const char *const months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                       "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  double day = floor(reason->number / 86400), minute = floor((reason->number - 86400 * day) / 60);
  int weekday = (int)(day - 7 * floor(day / 7));
  time_t moment = (time_t)reason->number;
  const struct tm *date = gmtime(&moment);
  if (reason->kind == ANORANK_REASON_MONTH && date) {
    snprintf(text, size, "%s %d", months[date->tm_mon], date->tm_mday);
    return;
  }
  snprintf(text, size, reason->kind == ANORANK_REASON_WEEKDAY ? "%s %02d:%02d" : "%.0s%02d:%02d",
           days[weekday], (int)minute / 60, (int)minute % 60);
}

/* Write the values of the training rows: the 5 to 95 % range, or the share with this level. */
static void usual_text(char *text, size_t size, const anorank_reason *reason) {
  char low[32], high[32];
  cli_four_digits(low, sizeof low, reason->usual_low);
  cli_four_digits(high, sizeof high, reason->usual_high);
  if (!isnan(reason->usual_low))
    snprintf(text, size, reason->usual_low == reason->usual_high ? "%s" : "%s to %s", low, high);
  else
    ank_print(text, size, is_time(reason) ? "%.3g %% %s" : "in %.3g %% %s", 100 * reason->share,
              reason->kind == ANORANK_REASON_HOUR      ? "at this hour"
              : reason->kind == ANORANK_REASON_WEEKDAY ? "on this day"
              : reason->kind == ANORANK_REASON_MONTH   ? "in this month"
                                                       : "of rows");
}

static void put_column(FILE *stream, const anorank_reason *reason, double largest) {
  char value[ANK_SHORTEST_SIZE], usual[80], added[32];
  int missing = reason->kind == ANORANK_REASON_MISSING;
  if (is_time(reason))
    time_text(value, sizeof value, reason);
  else if (!missing && !reason->level)
    value[ank_shortest(value, reason->number)] = '\0';
  usual_text(usual, sizeof usual, reason);
  cli_four_digits(added, sizeof added, reason->contribution);
  put_cell(stream, reason->column, NAME_WIDTH);
  put_cell(stream, missing ? "(missing)" : reason->level ? reason->level : value, VALUE_WIDTH);
  put_cell(stream, usual, USUAL_WIDTH);
  size_t length = largest > 0 ? (size_t)(BAR_WIDTH * fabs(reason->contribution) / largest + 0.5) : 0;
  fprintf(stream, "%8s%s", added, length ? "  " : "");
  fputs(reason->contribution > 0 ? cli_style(stream, CLI_ALERT) : "", stream);
  for (size_t i = 0; i < length; i++) fputc(reason->contribution > 0 ? '#' : '-', stream);
  fprintf(stream, "%s\n", reason->contribution > 0 ? cli_style(stream, CLI_PLAIN) : "");
}

static void put_summary(FILE *stream, const cli_ranking *ranking, const cli_call *call, size_t columns) {
  const anorank_finding *one = anorank_ranking_at(ranking->result, 0);
  char score[32], p[32], q[32], text[512], shown[200];
  cli_four_digits(score, sizeof score, one->score);
  cli_four_digits(p, sizeof p, one->p_value);
  cli_four_digits(q, sizeof q, one->q_value);
  snprintf(text, sizeof text, "Row %zu of %s: rank %zu of %zu, score %s, p-value %s, q-value %s.",
           one->row + 1, cli_printable(shown, sizeof shown, call->positionals[1]), one->rank,
           anorank_ranking_get_info(ranking->result)->rows, score, p, q);
  cli_wrap(stream, text, 0, 0, columns);
}

static void put_text(FILE *stream, const cli_ranking *ranking, const cli_call *call) {
  const anorank_ranking *result = ranking->result;
  size_t columns = cli_columns(stream), count = anorank_ranking_at(result, 0)->reasons, given = 0;
  double largest = 0;
  char text[512];
  put_summary(stream, ranking, call, columns);
  for (size_t k = 0; k < count; k++)
    largest = fmax(largest, fabs(anorank_ranking_reason(result, 0, k)->contribution));
  fprintf(stream, "\n%s%-*s  %-*s  %-*s  %8s%s\n", cli_style(stream, CLI_BOLD), NAME_WIDTH, "column",
          VALUE_WIDTH, "value", USUAL_WIDTH, "usual (5 to 95 %)", "adds", cli_style(stream, CLI_PLAIN));
  for (size_t k = 0; k < count; k++) put_column(stream, anorank_ranking_reason(result, 0, k), largest);
  fputc('\n', stream);
  for (size_t k = 0; k < count && given < (size_t)anorank_settings_integer(call->settings, "reasons"); k++) {
    const anorank_reason *reason = anorank_ranking_reason(result, 0, k);
    if (!(reason->contribution > 0)) break;
    if (reason->kind == ANORANK_REASON_USUAL && given > 0) continue;
    fprintf(stream, "%zu. ", ++given);
    anorank_reason_text(reason, text, sizeof text);
    cli_wrap(stream, text, 3, 3, columns);
  }
  if (given > 0) fputc('\n', stream);
  cli_wrap(stream,
           "'adds' is the rise of the score, towards normal, if this cell had the value of training rows "
           "that are similar in all other columns.",
           0, 0, columns);
}

static void put_json(FILE *stream, const cli_ranking *ranking) {
  const anorank_finding *one = anorank_ranking_at(ranking->result, 0);
  ank_json json;
  cli_json_open(&json, stream);
  ank_json_count(&json, "row", one->row + 1);
  ank_json_count(&json, "rank", one->rank);
  ank_json_count(&json, "rows", anorank_ranking_get_info(ranking->result)->rows);
  ank_json_field(&json, "score", one->score);
  ank_json_field(&json, "p_value", one->p_value);
  ank_json_field(&json, "q_value", one->q_value);
  ank_json_reasons(&json, "columns", ranking->result, 0, 0);
  cli_json_close(&json);
}

/* Mark the rows whose cell in the column is `typed`. */
static void look_up(unsigned char *found, const anorank_table *table, size_t column, const char *typed) {
  char cell[512];
  for (size_t i = 0; i < anorank_table_rows(table); i++) {
    size_t length = anorank_table_text(table, column, i, cell, sizeof cell);
    found[i] |= length < sizeof cell && strcmp(cell, typed) == 0;
  }
}

/* Find the row with this identifier: in the column of --id, or in any that the model passes through. */
static int find_id(size_t *row, const cli_call *call, const cli_ranking *ranking, const char *typed) {
  const anorank_table *table = ranking->table;
  const anorank_model_column *column;
  const char *only = cli_value(call, "id");
  size_t rows = anorank_table_rows(table), count = 0, searched = 0, at;
  char shown[80], file[80], name[80];
  unsigned char *found = calloc(rows + 1, 1);
  if (!found) return cli_failure(call, ANORANK_ERROR_RESOURCES, NULL);
  if (only && (at = anorank_table_find(table, only)) != SIZE_MAX) {
    look_up(found, table, at, typed);
    searched++;
  }
  for (size_t i = 0; !only && (column = anorank_model_column_at(ranking->model, i)); i++)
    if (column->role == ANORANK_ROLE_ID && (at = anorank_table_find(table, column->name)) != SIZE_MAX) {
      look_up(found, table, at, typed);
      searched++;
    }
  for (size_t i = rows; i-- > 0;)
    if (found[i]) *row = i, count++;
  free(found);
  cli_printable(shown, sizeof shown, typed);
  cli_printable(file, sizeof file, call->positionals[1]);
  if (only && searched == 0)
    return cli_usage_error(call, "column-unknown",
                           "--id is '%s', but %s has no such column; name one of its columns",
                           cli_printable(name, sizeof name, only), file);
  if (searched == 0)
    return cli_usage_error(
        call, "option-value",
        "--row is '%s'; give a row number from 1, or name a column of identifiers with --id COLUMN", shown);
  if (count == 0) return cli_usage_error(call, "row-unknown", "no row of %s has the id '%s'", file, shown);
  if (count > 1)
    return cli_usage_error(call, "row-ambiguous",
                           "%zu rows of %s have the id '%s', the first is row %zu; give a row number", count,
                           file, shown, *row + 1);
  return 0;
}

static int run(cli_call *call) {
  cli_ranking ranking = {0};
  anorank_error err = {0};
  char shown[80];
  const char *typed = cli_value(call, "row");
  if (!typed)
    return cli_usage_error(call, "option-missing",
                           "--row R is missing; give the number or the identifier of a row");
  size_t row = cli_value(call, "id") ? SIZE_MAX : parse_row(typed);
  cli_progress_start(&call->progress, call->settings, call->quiet);
  int code = cli_check_stdin(call, 0, 1);
  if (code == 0)
    code = cli_failure(
        call, anorank_model_load(&ranking.model, ANORANK_FROM_FILE(call->positionals[0]), &err), &err);
  if (code == 0) code = cli_failure(call, cli_settings_of_model(call, ranking.model, &err), &err);
  if (code == 0) code = cli_ranking_read(&ranking, call, call->positionals[1]);
  if (code == 0 && row == SIZE_MAX) code = find_id(&row, call, &ranking, typed);
  if (code == 0 && row >= anorank_table_rows(ranking.table))
    code =
        cli_usage_error(call, "row-unknown", "--row is %zu, but %s has only %zu row%s", row + 1,
                        cli_printable(shown, sizeof shown, call->positionals[1]),
                        anorank_table_rows(ranking.table), anorank_table_rows(ranking.table) == 1 ? "" : "s");
  if (code == 0)
    code = cli_failure(
        call, anorank_explain(&ranking.result, ranking.model, ranking.table, row, call->settings, &err),
        &err);
  cli_progress_clear();
  if (code == 0 && cli_wants_json(call))
    put_json(stdout, &ranking);
  else if (code == 0)
    put_text(stdout, &ranking, call);
  if (code == 0 && *anorank_ranking_get_info(ranking.result)->reach)
    cli_note(call, anorank_ranking_get_info(ranking.result)->reach_code, "%s",
             anorank_ranking_get_info(ranking.result)->reach);
  cli_ranking_free(&ranking);
  return code;
}

const cli_command cli_cmd_explain = {
    .name = "explain",
    .summary = "explain one row, column by column",
    .usage = "MODEL FILE --row R [OPTION]...",
    .description = "Show every column of one row: its value, the usual values, and how much it contributes "
                   "to the score. Rank and q-value refer to all rows of FILE.",
    .everyday = "row output-format input-format",
    .positionals = {{"MODEL", "model written by 'anorank fit' or 'anorank detect --save-model'", 1, NULL},
                    {"FILE", "table that contains the row; '-' is standard input", 1, NULL}},
    .options = {{"row", 0, "R", NULL, "row number, from 1, or identifier (required)"},
                {"id", 0, "COLUMN", NULL, "look up --row in this column, even if it is a number"},
                CLI_REPORT_OPTIONS},
    .examples = {{"anorank explain model.anr today.csv --row 1204", "explain row 1204"},
                 {"anorank explain model.anr today.csv --row TX-77102",
                  "explain the row with this identifier"}},
    .settings = ANORANK_FOR_RUN | ANORANK_FOR_READ | ANORANK_FOR_RANKING,
    .run = run,
};
