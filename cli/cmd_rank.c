/* cmd_rank.c - anorank rank MODEL FILE: the rows of a file, most abnormal first, with reasons. */
#include <stdio.h>
#include <string.h>

#include "model_options.h"
#include "report_file.h"

/* Add notes on the file as a whole. */
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
  if (inputs->count > 1) ranking->inputs = inputs;
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
    .summary = "rank the rows of a file with a model",
    .usage = "MODEL FILE... [--lowest K | --mass A | --fdr Q] [OPTION]...",
    .description =
        "Rank the rows of FILE with MODEL, most abnormal first, with reasons.\nEach row has its rank, its "
        "number in the file (from 1), its identifying columns, score, p-value, q-value and reasons. The "
        "p-value is the share of normal rows that would look at least as abnormal, measured on rows outside "
        "the fit. The q-value is the expected share of false alarms among this row and all rows "
        "ranked before it.\nRows with equal scores share a rank, and --lowest never splits them. A reason "
        "compares a cell with the cells of training rows that are similar in all other columns. Without a "
        "selection, the first 1000 rows have reasons. 'anorank inspect MODEL' shows the assumptions behind "
        "the p-values.",
    .everyday = "lowest fdr mass reasons output output-format exit-on-anomaly verbose",
    .positionals = {{"MODEL", "model written by 'anorank fit'", 1, NULL},
                    {"FILE", "table to rank, its parts, or a directory of parts; '-' is standard input",
                     CLI_SEVERAL, NULL}},
    .options = {CLI_RANKING_OPTIONS},
    .examples = {{"anorank rank model.anr today.csv",
                  "show up to 20 rows in a terminal; else write all as CSV"},
                 {"anorank rank model.anr today.csv --fdr 0.1 -o alerts.csv",
                  "write alerts at a false-discovery rate of 10 %"},
                 {"anorank rank model.anr today.csv --mass 0.99 --exit-on-anomaly -q",
                  "exit with code 1 if a row is more unusual than 99 % of normal rows"}},
    .settings = ANORANK_FOR_RUN | ANORANK_FOR_READ | ANORANK_FOR_RANKING | ANORANK_FOR_RESULT,
    .run = run,
};
