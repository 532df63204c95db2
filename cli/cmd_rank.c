/* cmd_rank.c - anorank rank MODEL FILE: the rows of a file, most abnormal first, with reasons. */
#include <stdio.h>
#include <string.h>

#include "model_options.h"
#include "report_file.h"

/* What there is to say of the file as a whole. */
static int check_shift(cli_ranking *ranking, const cli_call *call) {
  anorank_error err = {0};
  anorank_stream *stream = NULL;
  if (call->quiet) return 0;
  anorank_status status = anorank_stream_new(&stream, ranking->model, call->settings, &err);
  if (status == ANORANK_OK) status = anorank_stream_check(stream, ranking->table, 0, NULL, &err);
  if (status == ANORANK_OK) status = cli_notes_of_stream(&ranking->notes, stream, &err);
  anorank_stream_free(stream);
  return cli_failure(call, status, &err);
}

static int rank_in_blocks(cli_ranking *ranking, cli_call *call, cli_inputs *inputs) {
  anorank_error err = {0};
  anorank_stream *stream = NULL;
  anorank_parts parts = cli_inputs_parts(inputs, call);
  anorank_status status = anorank_rank_stream(&stream, ranking->model, &parts, call->settings, &err);
  if (status == ANORANK_OK && !call->quiet) status = cli_notes_of_stream(&ranking->notes, stream, &err);
  int code = inputs->code != 0 ? inputs->code : cli_failure(call, status, &err);
  if (code == 0) code = cli_ranking_write(ranking, call, stream);
  anorank_stream_free(stream);
  return code;
}

static int rank(cli_ranking *ranking, cli_call *call, cli_inputs *inputs) {
  anorank_error err = {0};
  int streams = 0, code = cli_ranking_options(ranking, call);
  if (code == 0)
    code = cli_failure(
        call, anorank_model_load(&ranking->model, ANORANK_FROM_FILE(call->positionals[0]), &err), &err);
  if (code == 0) code = cli_failure(call, cli_settings_of_model(call, ranking->model, &err), &err);
  if (code == 0) code = cli_inputs_find(inputs, call, 1);
  if (code == 0) code = cli_inputs_keep(inputs, call, &ranking->notes);
  if (code == 0) code = cli_ranking_streams(inputs, call, &streams);
  if (code == 0 && streams) return rank_in_blocks(ranking, call, inputs);
  if (code == 0) code = cli_ranking_prefer_incidents(ranking, call);
  cli_progress_part(&call->progress, 0, 0.3);
  if (code == 0) code = cli_ranking_take(ranking, call, inputs);
  cli_progress_part(&call->progress, 0.3, 1);
  if (code == 0) code = check_shift(ranking, call);
  return code == 0 ? cli_ranking_report(ranking, call) : code;
}

static int run(cli_call *call) {
  cli_ranking ranking = {0};
  cli_inputs inputs = {0};
  cli_progress_start(&call->progress, call->settings, call->quiet);
  int code = cli_check_stdin(call, 0, 1);
  if (code == 0) code = rank(&ranking, call, &inputs);
  cli_ranking_free(&ranking);
  cli_inputs_free(&inputs);
  return code;
}

const cli_command cli_cmd_rank = {
    .name = "rank",
    .summary = "list the rows of a file by a model, most abnormal first",
    .usage = "MODEL FILE... [--lowest K | --mass A | --fdr Q] [OPTION]...",
    .description =
        "Score the rows of FILE with MODEL and list them, most abnormal first, with reasons.\nEach row "
        "has its rank, its number in the file (from 1), the columns that identify it, its score, "
        "p-value, q-value and reasons. The p-value is the share of normal rows that would look at least"
        " as abnormal, measured on rows that the model did not learn from. The q-value is the expected "
        "share of false alarms if you report this row and all above it.\nRows with equal scores share a"
        " rank, and --lowest never cuts between them. A reason compares a cell with those of training "
        "rows that resemble the row in all other columns. If nothing selects rows, the first 1000 have "
        "reasons. 'anorank inspect MODEL' says what the p-values rest on.",
    .everyday = "lowest fdr mass reasons output output-format exit-on-anomaly verbose",
    .positionals = {{"MODEL", "model file, made by 'anorank fit'", 1, NULL},
                    {"FILE",
                     "table whose rows are to be ranked, or parts of one, or a folder; '-' is standard input",
                     CLI_SEVERAL, NULL}},
    .options = {CLI_RANKING_OPTIONS},
    .examples = {{"anorank rank model.anr today.csv",
                  "the 20 most abnormal rows, in a terminal; else all, as CSV"},
                 {"anorank rank model.anr today.csv --fdr 0.1 -o alerts.csv",
                  "alerts of which, on average, at most a tenth are false alarms"},
                 {"anorank rank model.anr today.csv --mass 0.99 --exit-on-anomaly -q",
                  "for scripts: exit code 1 if a row is more unusual than 99 % of normal ones"}},
    .settings = ANORANK_FOR_RUN | ANORANK_FOR_READ | ANORANK_FOR_RANKING | ANORANK_FOR_RESULT,
    .run = run,
};
