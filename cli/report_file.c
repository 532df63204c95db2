/* report_file.c - see report_file.h. */
#include "report_file.h"

#include <stdlib.h>
#include <string.h>

#include "core/ascii.h"
#include "core/file_io.h"
#include "model_options.h"
#include "text.h"

/* ---- the command that reproduces it ------------------------------------------------------------------ */

/* Return the size that a quoted word and the text before it need at most. */
static size_t room_for(const char *word) { return 4 * strlen(word) + 32; }

static char *add_word(char *end, const char *before, const char *word) {
  end += snprintf(end, room_for(word), "%s", before);
  cli_shell_word(end, room_for(word) - strlen(before), word);
  return end + strlen(end);
}

/* Return the command, which the caller frees. */
static char *command_of(const cli_call *call) {
  size_t size = room_for(call->command->name);
  for (size_t i = 0; i < call->positional_count; i++) size += room_for(call->positionals[i]);
  for (size_t i = 0; i < call->given_count; i++)
    size += room_for(call->given[i].name) + room_for(call->given[i].value);
  char *text = cli_allocate(size, 1), *end = add_word(text, "anorank ", call->command->name);
  for (size_t i = 0; i < call->positional_count; i++) end = add_word(end, " ", call->positionals[i]);
  for (size_t i = 0; i < call->given_count; i++) {
    const cli_given *one = &call->given[i];
    if (strcmp(one->name, "quiet") == 0 || strcmp(one->name, "verbose") == 0) continue;
    end = add_word(end, " --", one->name);
    if (*one->value) end = add_word(end, " ", one->value);
  }
  return text;
}

/* ---- inputs of the report ---------------------------------------------------------------------- */

/* Collect notes on the rows as a whole. */
static anorank_status check_shift(anorank_stream **out, const cli_ranking *ranking, const cli_call *call,
                                  anorank_error *err) {
  anorank_status status = anorank_stream_new(out, ranking->model, call->settings, err);
  if (status == ANORANK_OK) status = anorank_stream_check(*out, ranking->table, 0, NULL, err);
  return status == ANORANK_OK ? anorank_stream_conclude(*out, err) : status;
}

/* Evaluate the order. With too few rows, skip it unless the figure needs it. */
static anorank_status evaluate_rows(anorank_evaluation **evaluation, const cli_ranking *ranking,
                                    cli_call *call, int fitted_here, const anorank_figure_kind *figure,
                                    anorank_error *err) {
  anorank_error inner = {0};
  anorank_status status = anorank_evaluate(evaluation, fitted_here ? NULL : ranking->model, ranking->table,
                                           call->settings, &inner);
  if (status == ANORANK_ERROR_DATA && (!figure || figure->evaluation != ANORANK_FIGURE_NEEDS)) {
    cli_note(call, "report-not-evaluated", "the %s has no evaluation of the order: %s",
             figure ? "figure" : "report", inner.message);
    return ANORANK_OK;
  }
  if (status != ANORANK_OK) *err = inner;
  return status;
}

static int write_page(const cli_ranking *ranking, cli_call *call, const char *path, int fitted_here,
                      const anorank_figure_kind *figure) {
  anorank_error err = {0};
  anorank_stream *stream = NULL;
  anorank_evaluation *evaluation = NULL;
  const char *table_path = call->positionals[call->positional_count - 1], *name = ank_file_name(table_path);
  char *command = command_of(call);
  anorank_status status = ANORANK_OK;
  if (!fitted_here && !figure) status = check_shift(&stream, ranking, call, &err);
  if (status == ANORANK_OK && (!figure || figure->evaluation != 0))
    status = evaluate_rows(&evaluation, ranking, call, fitted_here, figure, &err);
  anorank_report report = {.model = ranking->model,
                           .table = ranking->table,
                           .ranking = ranking->result,
                           .evaluation = evaluation,
                           .stream = stream,
                           .title = strcmp(table_path, "-") == 0 ? "standard input" : name,
                           .command = command,
                           .table_path = table_path,
                           .model_path = call->positional_count > 1 ? call->positionals[0] : NULL};
  cli_writing(1);
  if (status == ANORANK_OK && figure)
    status = anorank_figure_write(ANORANK_TO_FILE(path), figure->name, &report, call->settings, &err);
  else if (status == ANORANK_OK)
    status = anorank_report_write(ANORANK_TO_FILE(path), &report, call->settings, &err);
  cli_writing(0);
  anorank_evaluation_free(evaluation);
  anorank_stream_free(stream);
  free(command);
  return cli_failure(call, status, &err);
}

int cli_report_write(const cli_ranking *ranking, cli_call *call, const char *path, int fitted_here) {
  return write_page(ranking, call, path, fitted_here, NULL);
}

/* Prepare to show cells as in the file. */
static anorank_status prepare(cli_call *call, const anorank_model *model, anorank_error *err) {
  const char *labels = cli_value(call, "labels");
  anorank_status status = cli_settings_of_model(call, model, err);
  if (status == ANORANK_OK) status = anorank_settings_set(call->settings, "keep", "all", err);
  if (status == ANORANK_OK && labels) status = anorank_settings_set(call->settings, "labels", labels, err);
  return status;
}

int cli_report_of_model(cli_call *call, const anorank_figure_kind *figure) {
  cli_ranking ranking = {0};
  anorank_error err = {0};
  const char *path = cli_value(call, "output");
  const char **last = call->positionals + call->positional_count - 2; /* the model and the rows */
  cli_progress_start(&call->progress, call->settings, call->quiet);
  int code = cli_failure(call, anorank_model_load(&ranking.model, ANORANK_FROM_FILE(last[0]), &err), &err);
  if (code == 0) code = cli_failure(call, prepare(call, ranking.model, &err), &err);
  cli_progress_part(&call->progress, 0, 0.2);
  if (code == 0) code = cli_ranking_read(&ranking, call, last[1]);
  cli_progress_part(&call->progress, 0.2, 1);
  if (code == 0) code = write_page(&ranking, call, path, 0, figure);
  cli_progress_clear();
  if (code == 0 && !figure && strcmp(path, "-") != 0)
    cli_note(call, "report-written", "%s: report written; open it in a browser", path);
  cli_ranking_free(&ranking);
  return code;
}
