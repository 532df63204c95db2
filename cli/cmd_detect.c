/* cmd_detect.c - anorank detect FILE: fit on a file and rank its rows. */
#include <stdio.h>
#include <string.h>

#include "feedback.h"
#include "model_options.h"
#include "report_file.h"

static anorank_status save_model(const anorank_model *model, const cli_call *call, anorank_error *err) {
  const char *path = cli_value(call, "save-model");
  if (!path) return ANORANK_OK;
  cli_writing(1);
  anorank_status status = anorank_model_save(model, ANORANK_TO_FILE(path), err);
  cli_writing(0);
  return status;
}

/* With a single file, the training rows may include anomalies. */
static int fit_and_judge(cli_ranking *ranking, cli_call *call, anorank_review *review,
                         const anorank_table *known) {
  anorank_error err = {0};
  anorank_status status = anorank_detect(
      &ranking->model, &ranking->result, ranking->table,
      &(anorank_training){.labels = anorank_review_labels(review), .known = known}, call->settings, &err);
  if (status == ANORANK_OK) cli_notes_of_model(&ranking->notes, ranking->model);
  if (status == ANORANK_OK) status = save_model(ranking->model, call, &err);
  if (status == ANORANK_OK && cli_value(call, "review"))
    status = cli_review_put(review, call, ranking->model, ranking->table, &ranking->notes, &err);
  return cli_failure(call, status, &err);
}

/* Use the feedback file of the rows, if there is one. */
static int judge_or_review(cli_ranking *ranking, cli_call *call) {
  anorank_error err = {0};
  anorank_table *known = NULL;
  anorank_review *review = NULL;
  anorank_status status = cli_read_known(&known, call, &err);
  if (status == ANORANK_OK) status = cli_review_open(&review, call, ranking->table, &err);
  int code = cli_failure(call, status, &err), talks = cli_review_at_terminal(call);
  if (code == 0 && talks) code = cli_review_talk(review, call, ranking->table, known);
  if (code == 0 && !talks) code = fit_and_judge(ranking, call, review, known);
  if (code == 0 && !talks) code = cli_ranking_report(ranking, call);
  anorank_review_free(review);
  anorank_table_free(known);
  return code;
}

/* Detect in a table larger than memory: fit on a sample of the rows, then rank all. */
static int detect_in_blocks(cli_ranking *ranking, cli_call *call, cli_inputs *inputs) {
  anorank_error err = {0};
  anorank_stream *stream = NULL;
  anorank_table *known = NULL;
  anorank_parts parts = cli_inputs_parts(inputs, call);
  if (inputs->count > 1) ranking->inputs = inputs;
  anorank_status status = cli_read_known(&known, call, &err);
  if (status == ANORANK_OK)
    status = anorank_detect_stream(&ranking->model, &stream, &parts, known, call->settings, &err);
  anorank_table_free(known);
  if (status == ANORANK_OK) {
    cli_detail(call, "read %zu rows", anorank_stream_rows(stream));
    cli_notes_of_model(&ranking->notes, ranking->model);
  }
  if (status == ANORANK_OK) status = save_model(ranking->model, call, &err);
  int code = inputs->code != 0 ? inputs->code : cli_failure(call, status, &err);
  if (code == 0) code = cli_ranking_write(ranking, call, stream);
  anorank_stream_free(stream);
  return code;
}

static int detect(cli_ranking *ranking, cli_call *call, cli_inputs *inputs) {
  anorank_error err = {0};
  int streams = 0, code = cli_check_known(call);
  if (code == 0) code = cli_check_review(call);
  if (code == 0) code = cli_ranking_options(ranking, call);
  if (code == 0) code = cli_failure(call, cli_settings_of_model(call, NULL, &err), &err);
  if (code == 0) code = cli_inputs_find(inputs, call, 0);
  if (code == 0) code = cli_inputs_keep(inputs, call, &ranking->notes);
  if (code == 0) code = cli_ranking_streams(inputs, call, &streams);
  if (code == 0 && streams) return detect_in_blocks(ranking, call, inputs);
  if (code == 0) code = cli_ranking_prefer_incidents(ranking, call);
  cli_progress_part(&call->progress, 0, 0.1);
  if (code == 0) code = cli_ranking_take(ranking, call, inputs);
  cli_progress_part(&call->progress, 0.1, 1);
  return code == 0 ? judge_or_review(ranking, call) : code;
}

static int run(cli_call *call) {
  cli_ranking ranking = {0};
  cli_inputs inputs = {0};
  cli_progress_start(&call->progress, call->settings, call->quiet);
  int code = detect(&ranking, call, &inputs);
  cli_ranking_free(&ranking);
  cli_inputs_free(&inputs);
  return code;
}

const cli_command cli_cmd_detect = {
    .name = "detect",
    .summary = "find the abnormal rows of a file",
    .usage = "FILE... [--lowest K | --fdr Q] [OPTION]...",
    .description =
        "Rank the rows of FILE, most abnormal first, with reasons. No options are required; anorank prints "
        "how it interpreted each column.\nanorank assumes that FILE contains anomalies (--train "
        "contaminated). If you have rows known to be normal, run 'anorank fit --train clean' on them and "
        "'anorank rank' on the new rows: the guarantees are stronger.\nThe p-value is the share of normal "
        "rows that would look at least as abnormal. Small p-values are extrapolated from a tail fitted to "
        "the bulk of the scores. --fdr Q reports rows at a false-discovery rate of about Q, if the tail of "
        "the normal scores decays at least exponentially. A small group of rows that is legitimately "
        "different will be reported.\nYour feedback improves the order. --review FILE asks about the most "
        "abnormal rows, writes each answer to FILE immediately, and updates the ranking after --review-rows "
        "answers. Rows like a confirmed anomaly rise, rows like a dismissed one fall, and the others keep "
        "their place. --feedback reads such a file without asking; --labels reads labels from a column of "
        "FILE.",
    .everyday = "lowest fdr id drop keep review output report save-model",
    .positionals = {{"FILE", "table to search, its parts, or a directory of parts; '-' is standard input",
                     CLI_SEVERAL, NULL}},
    .options = {CLI_RANKING_OPTIONS,
                CLI_KNOWN_OPTION,
                CLI_FEEDBACK_OPTION,
                {"review", 0, "FILE", NULL,
                 "ask about abnormal rows and store the answers in FILE; they improve the ranking"},
                {"save-model", 0, "FILE", NULL,
                 "save the fitted model; for 'anorank rank' and 'anorank score'"}},
    .examples = {{"anorank detect transactions.csv", "show the most abnormal rows, and why"},
                 {"anorank detect transactions.csv --id account -o ranked.csv",
                  "write all rows as CSV, most abnormal first"},
                 {"zcat log.csv.gz | anorank detect - --lowest 100 --output-format jsonl",
                  "pass 100 rows to another program"}},
    .settings = ANORANK_FOR_RUN | ANORANK_FOR_READ | ANORANK_FOR_FIT | ANORANK_FOR_LEARN |
                ANORANK_FOR_RANKING | ANORANK_FOR_RESULT | ANORANK_FOR_REVIEW,
    .assume = "train = contaminated",
    .run = run,
};
