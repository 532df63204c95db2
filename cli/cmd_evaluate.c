/* cmd_evaluate.c - anorank evaluate [MODEL] FILE: how good is the order, without labels? */
#include <stdio.h>

#include "evaluation_run.h"

/* As `detect` has it: one file is all there is, and anomalies are among its rows. */
static anorank_status evaluate(cli_evaluation *work, const cli_call *call, anorank_error *err) {
  anorank_status status =
      anorank_evaluate(&work->evaluation, work->models[0], work->table, call->settings, err);
  if (status == ANORANK_OK && !work->models[0])
    snprintf(work->names[0], sizeof work->names[0], "%s",
             anorank_evaluation_get_info(work->evaluation)->of[0]->scorer);
  return status;
}

static int run(cli_call *call) {
  cli_evaluation work = {0};
  return cli_evaluation_run(&work, call, evaluate);
}

const cli_command cli_cmd_evaluate = {
    .name = "evaluate",
    .summary = "say how good a model's order is, without labels or with them",
    .usage = "[MODEL] FILE [--labels COLUMN] [OPTION]...",
    .description =
        "Say how well a model orders rows that it was not fitted on, without labels, or with them. With"
        " FILE alone a model is fitted on two thirds of its rows and judged on the rest.\nWithout "
        "labels: the area under the mass-volume curve against contrast rows drawn around the judged "
        "rows, with its interval, rank statistics, and whether the contrast rows can tell scorers apart"
        " at all. Contrast rows with strange combinations and rows with extreme values show which kind of "
        "anomaly the order finds. With --labels COLUMN also ROC-AUC, average precision and the share of "
        "anomalies among"
        " the lowest rows.\nWith FILE alone the fit has the settings of 'anorank fit' (--train "
        "contaminated by default, as in 'detect'), and two more fits, on one third each, show how "
        "stable the order is. These fits never see the labels. With --train clean, rows labelled as "
        "anomalies are left out of the fit and of the part without labels.",
    .everyday = "labels train drop figure output-format bootstrap seed",
    .positionals = {{"MODEL",
                     "a fitted model to judge; without it one is fitted on two thirds of the rows of FILE", 1,
                     NULL},
                    {"FILE", "table whose rows are judged; '-' is standard input", 0, NULL}},
    .options = {CLI_EVALUATION_OPTIONS},
    .examples = {{"anorank evaluate transactions.csv", "how good is the order, without labels?"},
                 {"anorank evaluate model.anr later.csv --figure curve.svg",
                  "a model on rows that it has not seen"},
                 {"anorank evaluate labelled.csv --labels fraud --json", "with labels, for another program"}},
    .settings = ANORANK_FOR_RUN | ANORANK_FOR_READ | ANORANK_FOR_FIT | ANORANK_FOR_LEARN | ANORANK_FOR_JUDGE,
    .assume = "train = contaminated",
    .run = run,
};
