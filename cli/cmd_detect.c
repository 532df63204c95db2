/* cmd_detect.c - anorank detect FILE: learn from a file and rank its own rows, in one go. */
#include <stdio.h>
#include <string.h>

#include "model_options.h"
#include "report_file.h"

/* One file is all there is, so that anomalies are among the rows learned from. */
static int fit_and_judge(cli_ranking *ranking, cli_call *call) {
  anorank_error err = {0};
  const char *path = cli_value(call, "save-model");
  anorank_table *known = NULL;
  anorank_status status = cli_read_known(&known, call, &err);
  if (status == ANORANK_OK)
    status = anorank_detect(&ranking->model, &ranking->verdict, ranking->table, known, call->settings, &err);
  anorank_table_free(known);
  if (status == ANORANK_OK) cli_notes_of_model(&ranking->notes, ranking->model);
  if (status == ANORANK_OK && path) {
    cli_writing(1);
    status = anorank_model_save(ranking->model, path, &err);
    cli_writing(0);
  }
  return cli_failure(call, status, &err);
}

static int run(cli_call *call) {
  cli_ranking ranking = {0};
  cli_progress_start(&call->progress, call->settings, call->quiet);
  int code = cli_check_known(call);
  if (code == 0) code = cli_ranking_options(&ranking, call);
  cli_progress_part(&call->progress, 0, 0.1);
  if (code == 0) code = cli_ranking_read(&ranking, call, call->positionals[0]);
  cli_progress_part(&call->progress, 0.1, 1);
  if (code == 0) code = fit_and_judge(&ranking, call);
  if (code == 0) code = cli_ranking_report(&ranking, call);
  cli_ranking_free(&ranking);
  return code;
}

static const cli_positional positionals[] = {
    {"FILE", "table to look for anomalies in; '-' is standard input", 1, NULL}, {NULL, NULL, 0, NULL}};

static const cli_option options[] = {
    {"output", 'o', "FILE", NULL,
     "write to FILE; the ending names the format (.csv, .tsv, .jsonl, .json); .gz or .zst after it "
     "compresses"},
    {"output-format", 0, "FORMAT", "table|csv|jsonl|json",
     "how to write; by default a table in a terminal, CSV elsewhere"},
    {"json", 0, NULL, NULL, "short for --output-format json"},
    CLI_FORMULAS_OPTION,
    CLI_REPORT_OPTION,
    CLI_KNOWN_OPTION,
    {"save-model", 0, "FILE", NULL, "keep the fitted model as well; for 'anorank rank' and 'anorank score'"},
    {"exit-on-anomaly", 0, NULL, NULL, "exit code 1 if --fdr or --mass selects a row; for scripts"},
    {NULL, 0, NULL, NULL, NULL}};

static const cli_example examples[] = {
    {"anorank detect transactions.csv", "the 20 most abnormal rows, and why"},
    {"anorank detect transactions.csv --id account -o ranked.csv", "all rows, most abnormal first, as CSV"},
    {"zcat log.csv.gz | anorank detect - --lowest 100 --output-format jsonl",
     "a hundred rows for another program"},
    {NULL, NULL}};

const cli_command cli_cmd_detect = {
    .name = "detect",
    .summary = "find the abnormal rows of one file, in one go",
    .usage = "FILE [--lowest K | --mass A | --fdr Q] [OPTION]...",
    .description =
        "Learn from the rows of FILE and list them, most abnormal first, with reasons. No option is "
        "needed: what was understood of the columns is told.\nAnomalies are taken to be among the rows "
        "(--train contaminated). If you have rows that are known to be normal, 'anorank fit --train "
        "clean' on those and 'anorank rank' on the new ones promise more.\nThe p-value is the share of "
        "normal rows that would look at least as abnormal. Anomalies may be among the rows it is "
        "measured on, so small ones follow a tail fitted to the bulk of the scores. "
        "--fdr Q then reports rows of which, on average, at most about Q are false alarms, if the "
        "scores of normal rows fall off at least that fast. If a small group of your rows is "
        "legitimately different, it will be reported.",
    .everyday = "lowest fdr id drop keep output output-format report save-model",
    .positionals = positionals,
    .options = options,
    .examples = examples,
    .settings = ANORANK_FOR_RUN | ANORANK_FOR_READ | ANORANK_FOR_FIT | ANORANK_FOR_LEARN |
                ANORANK_FOR_VERDICT | ANORANK_FOR_RESULT,
    .assume = "train = contaminated",
    .run = run,
};
