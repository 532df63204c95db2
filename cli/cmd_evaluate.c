/* cmd_evaluate.c - anorank evaluate [MODEL] FILE: evaluate the order of a model. */
#include <stdio.h>

#include "evaluation_run.h"

/* As in `detect`: with a single file, the training rows may include anomalies. */
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
    .summary = "measure how well a model orders unseen rows",
    .usage = "[MODEL] FILE [--labels COLUMN] [OPTION]...",
    .description =
        "Measure how well a model orders rows that it was not fitted on, with or without labels. With FILE "
        "alone, a model is fitted on two thirds of the rows and evaluated on the rest.\nWithout labels, the "
        "measures are the area under the mass-volume curve against contrast rows, with its interval, and "
        "rank statistics. The output also says whether the contrast rows can tell scorers apart, and whether "
        "the order finds strange combinations and extreme values. --labels "
        "COLUMN adds ROC-AUC, average precision and the share of anomalies among the lowest rows.\nWith FILE "
        "alone, the fit takes the settings of 'anorank fit' (--train contaminated by default, as in "
        "'detect'). Two more fits, on one third each, measure how stable the order is. These fits never see "
        "the labels. With --train clean, rows labelled as anomalies are excluded from the fit and from the "
        "label-free measures.",
    .everyday = "labels train drop figure output-format bootstrap seed",
    .positionals = {{"MODEL", "a fitted model; without it, one is fitted on two thirds of FILE", 1, NULL},
                    {"FILE", "table to evaluate on; '-' is standard input", 0, NULL}},
    .options = {CLI_EVALUATION_OPTIONS},
    .examples = {{"anorank evaluate transactions.csv", "measure the order without labels"},
                 {"anorank evaluate model.anr later.csv --figure curve.svg",
                  "evaluate a model on unseen rows"},
                 {"anorank evaluate labelled.csv --labels fraud --json", "use labels and print JSON"}},
    .settings = ANORANK_FOR_RUN | ANORANK_FOR_READ | ANORANK_FOR_FIT | ANORANK_FOR_LEARN | ANORANK_FOR_JUDGE,
    .assume = "train = contaminated",
    .run = run,
};
