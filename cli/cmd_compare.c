/* cmd_compare.c - anorank compare: compare two models, or two scorers, on the same rows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "evaluation_run.h"
#include "text.h"

/* --scorer A,B: one class for each. */
static int choose_classes(cli_evaluation *work, const cli_call *call) {
  const char *given = cli_value(call, "scorer"), *comma = given ? strchr(given, ',') : NULL;
  if (!comma || comma == given || !comma[1] || strchr(comma + 1, ','))
    return cli_usage_error(
        call, "compare-arguments",
        "name two scorers with --scorer A,B, or give two models: anorank compare MODEL MODEL FILE");
  snprintf(work->names[0], sizeof work->names[0], "%.*s", (int)(comma - given), given);
  snprintf(work->names[1], sizeof work->names[1], "%s", comma + 1);
  return 0;
}

static int choose_repeats(cli_evaluation *work, const cli_call *call) {
  const char *given = cli_value(call, "repeats");
  char *end;
  char shown[80];
  if (!given) return 0;
  unsigned long splits = strtoul(given, &end, 10);
  if (*given < '0' || *given > '9' || *end || splits < 5 || splits > 1000)
    return cli_usage_error(call, "option-value",
                           "--repeats is '%s'; it takes a number of splits from 5 to 1000",
                           cli_printable(shown, sizeof shown, given));
  if (call->positional_count != 1)
    return cli_usage_error(
        call, "compare-repeats-fitted",
        "--repeats compares methods, not fitted models; give FILE alone with --scorer A,B");
  work->splits = splits;
  return 0;
}

static anorank_status evaluate(cli_evaluation *work, const cli_call *call, anorank_error *err) {
  anorank_settings *each[2] = {NULL, NULL};
  anorank_status status = ANORANK_OK;
  for (size_t i = 0; i < 2 && status == ANORANK_OK; i++) {
    status = anorank_settings_new(&each[i], call->settings, err);
    if (status == ANORANK_OK && !work->models[0])
      status = anorank_settings_set(each[i], "scorer", work->names[i], err);
  }
  if (status == ANORANK_OK)
    status = anorank_evaluate_two(&work->evaluation, work->models[0], work->models[1], work->table, each[0],
                                  each[1], err);
  if (status == ANORANK_OK && work->splits > 0)
    status = anorank_evaluate_repeated(&work->repeats, work->table, each[0], each[1], work->splits, err);
  for (size_t i = 0; i < 2; i++) anorank_settings_free(each[i]);
  return status;
}

static int run(cli_call *call) {
  cli_evaluation work = {0};
  if (call->positional_count == 2)
    return cli_usage_error(call, "compare-arguments",
                           "give two models and a table, or a table alone with --scorer A,B");
  int code = choose_repeats(&work, call);
  if (code == 0 && call->positional_count == 1) code = choose_classes(&work, call);
  return code == 0 ? cli_evaluation_run(&work, call, evaluate) : code;
}

const cli_command cli_cmd_compare = {
    .name = "compare",
    .summary = "compare two models or methods on the same rows",
    .usage = "(FIRST SECOND FILE | FILE --scorer A,B) [OPTION]...",
    .description =
        "Compare two models, or two methods, by how well they order the same rows. No labels are needed. "
        "FILE should hold rows that neither model was fitted on.\nBoth models score FILE and the same "
        "contrast rows. The result is the difference of their areas under the mass-volume curve, with a "
        "paired interval and p-value. It also shows the differences of the rank statistics and how far the "
        "two orders agree. --labels COLUMN adds the difference of ROC-AUC with DeLong's paired "
        "interval.\nWith FILE alone, both methods are fitted on the same two thirds of the rows and compared "
        "on the rest (--train contaminated by default, as in 'detect'). One split compares two fits; "
        "--repeats R compares the methods.\nThe two are also compared on strange combinations and on extreme "
        "values. If these disagree, the result says so.\nA smaller area can rule out an order, but cannot "
        "prove that your anomalies come first.",
    .everyday = "scorer repeats labels drop figure output-format",
    .positionals = {{"FIRST", "the first model; or the only table, for --scorer A,B", 1, NULL},
                    {"SECOND", "the second model", 0, NULL},
                    {"FILE", "table to score with both models; '-' is standard input", 0, NULL}},
    .options = {{"repeats", 0, "R", NULL,
                 "compare the methods over R random splits (5 or more); needs --scorer A,B"},
                CLI_EVALUATION_OPTIONS},
    .examples = {{"anorank compare old.anr new.anr later.csv", "compare a new model with an old one"},
                 {"anorank compare history.csv --scorer neighbours,isolation --repeats 10",
                  "choose a method for a table"},
                 {"anorank compare old.anr new.anr labelled.csv --labels fraud",
                  "also compare ROC-AUC, with labels"}},
    .settings = ANORANK_FOR_RUN | ANORANK_FOR_READ | ANORANK_FOR_FIT | ANORANK_FOR_LEARN | ANORANK_FOR_JUDGE,
    .assume = "train = contaminated",
    .run = run,
};
