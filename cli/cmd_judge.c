/* cmd_judge.c - anorank judge: evaluate the scores of any tool, without labels. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/ascii.h"
#include "judge.h"
#include "result_file.h"
#include "text.h"

/* ---- the lowest k, where there are labels ------------------------------------------------------------ */

/* Add the numbers of "25,50"; 0 if the list is invalid. */
static int add_lowest(cli_judged *result, const char *list) {
  for (;;) {
    char *end;
    errno = 0;
    if (*list < '0' || *list > '9') return 0;
    unsigned long long k = strtoull(list, &end, 10);
    if (k == 0 || errno != 0 || (*end != '\0' && *end != ',')) return 0;
    result->accuracies[result->accuracy_count++].k = (size_t)k;
    if (*end == '\0') return 1;
    list = end + 1;
  }
}

static int choose_lowest(cli_judged *result, const cli_call *call) {
  char shown[80];
  size_t cursor = 0, capacity = 8;
  const char *list;
  while ((list = cli_next_value(call, "lowest", &cursor)) != NULL) capacity += strlen(list) + 1;
  result->accuracies = cli_allocate(capacity, sizeof *result->accuracies);
  for (cursor = 0; (list = cli_next_value(call, "lowest", &cursor)) != NULL;)
    if (!add_lowest(result, list))
      return cli_usage_error(call, "option-value",
                             "--lowest is '%s'; it takes whole numbers above 0, such as 25,50,100",
                             cli_printable(shown, sizeof shown, list));
  for (size_t i = 0; i < result->accuracy_count; i++)
    if (result->accuracies[i].k > result->x.rows)
      return cli_usage_error(call, "lowest-too-many", "--lowest is %zu, but there are only %zu rows",
                             result->accuracies[i].k, result->x.rows);
  if (result->accuracy_count == 0)
    for (size_t k = 25; k <= 100 && k <= result->x.rows; k += 25)
      result->accuracies[result->accuracy_count++].k = k;
  return 0;
}

static int measure_labelled(cli_judged *result, const cli_call *call) {
  anorank_error err = {0};
  int code = choose_lowest(result, call);
  if (code != 0) return code;
  anorank_status status = anorank_labelled_metrics(&result->labelled, result->x.values, result->labels,
                                                   result->x.rows, call->settings, &err);
  for (size_t i = 0; status == ANORANK_OK && i < result->accuracy_count; i++)
    status = anorank_accuracy_lowest(&result->accuracies[i].precision, result->x.values, result->labels,
                                     result->x.rows, result->accuracies[i].k, &err);
  return cli_failure(call, status, &err);
}

/* ---- files ------------------------------------------------------------------------------------------- */

static anorank_status write_points(const char *path, const double *first, size_t points, size_t columns,
                                   const char *const *names, anorank_error *err) {
  anorank_table *table = NULL;
  anorank_status status = anorank_table_from_matrix(&table, first, points, columns, columns, 1, names, err);
  if (status == ANORANK_OK) status = anorank_table_write(table, ANORANK_TO_FILE(path), NULL, err);
  anorank_table_free(table);
  return status;
}

_Static_assert(sizeof(anorank_curve_point) == 6 * sizeof(double), "a curve is a matrix with 6 columns");
_Static_assert(sizeof(anorank_excess_point) == 2 * sizeof(double), "an excess curve is one with 2");

/* File and column without the folder: a legend has little room. */
static const char *legend(const cli_scores *scores) {
  size_t file = strlen(scores->label) - strlen(strstr(scores->label, ", column '"));
  while (file > 0 && scores->label[file - 1] != '/') file--;
  return scores->label + file;
}

static int write_files(cli_judged *result, cli_call *call) {
  const char *curve = cli_value(call, "curve"), *excess = cli_value(call, "excess");
  static const char *const of_curve[] = {"mass", "volume", "low", "high", "band_low", "band_high"};
  static const char *const of_excess[] = {"t", "excess"};
  const char *figure = cli_value(call, "figure");
  const anorank_judgement_info *info = anorank_judgement_get_info(result->judgement);
  anorank_error err = {0};
  anorank_status status = ANORANK_OK;
  cli_progress_part(&call->progress, 0.95, 1);
  if (figure && result->other_x.values)
    status = anorank_judge(&result->other_judgement, result->other_x.values, result->other_x.rows,
                           result->other_u.values, result->other_u.rows, call->settings, &err);
  if (status == ANORANK_OK && curve)
    status = write_points(curve, &info->curve->mass, info->points, 6, of_curve, &err);
  if (status == ANORANK_OK && excess)
    status = write_points(excess, &info->excess->t, info->points, 2, of_excess, &err);
  if (status == ANORANK_OK && figure)
    status = anorank_figure_mass_volume(ANORANK_TO_FILE(figure), result->judgement, legend(&result->x),
                                        result->other_judgement,
                                        result->other_judgement ? legend(&result->other_x) : NULL, &err);
  return cli_failure(call, status, &err);
}

/* At most one thing can go to standard output; the text gives way to a file, as it is for people. */
static int check_standard_output(const cli_call *call, int *taken) {
  static const char *const names[] = {"curve", "excess", "figure"};
  *taken = 0;
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    const char *path = cli_value(call, names[i]);
    *taken += path && strcmp(path, "-") == 0;
  }
  if (*taken + cli_wants_json(call) > 1)
    return cli_usage_error(
        call, "stdout-twice",
        "only one of --json, --curve -, --excess - and --figure - can use standard output");
  return 0;
}

/* ---- the command ------------------------------------------------------------------------------------- */

static void hint_sign(const cli_call *call, anorank_interval area, const char *label, const char *option) {
  if (area.estimate > 0.6 || area.low > 0.5)
    cli_note(call, "judge-sign",
             "%s: area %.3f is above 0.5, worse than random: lower scores must mean more abnormal; try %s%s",
             label, area.estimate, cli_value(call, option) ? "without --" : "--", option);
}

/* Blind for one scorer alone is not blind to its difference from the other; and which of the two is judged
 * and which is the rival must not matter. */
static anorank_status find_blind(cli_judged *result, const cli_call *call, anorank_error *err) {
  anorank_settings *settings = NULL;
  anorank_judgement *other = NULL;
  result->blind = anorank_judgement_get_info(result->judgement)->saturation->blind;
  if (!result->blind || !result->other_x.values) return ANORANK_OK;
  anorank_status status = anorank_settings_new(&settings, call->settings, err);
  if (status == ANORANK_OK) status = anorank_settings_set_number(settings, "bootstrap", 0, err);
  if (status == ANORANK_OK)
    status = anorank_judge(&other, result->other_x.values, result->other_x.rows, result->other_u.values,
                           result->other_u.rows, settings, err);
  if (status == ANORANK_OK) result->blind = anorank_judgement_get_info(other)->saturation->blind;
  anorank_judgement_free(other);
  anorank_settings_free(settings);
  return status;
}

static int measure(cli_judged *result, cli_call *call) {
  anorank_error err = {0};
  cli_progress_part(&call->progress, 0.5, result->other_x.values ? 0.8 : 0.95);
  anorank_status status = anorank_judge(&result->judgement, result->x.values, result->x.rows,
                                        result->u.values, result->u.rows, call->settings, &err);
  if (status == ANORANK_OK && result->other_x.values)
    status = anorank_compare(&result->comparison, result->x.values, result->other_x.values, result->x.rows,
                             result->u.values, result->other_u.values, result->u.rows, call->settings, &err);
  if (status == ANORANK_OK) status = find_blind(result, call, &err);
  if (status != ANORANK_OK) return cli_failure(call, status, &err);
  hint_sign(call, anorank_judgement_get_info(result->judgement)->area, result->x.label, "higher-is-abnormal");
  if (result->other_x.values)
    hint_sign(call, result->comparison.second, result->other_x.label, "against-higher-is-abnormal");
  if (anorank_settings_integer(call->settings, "ties") == ANORANK_TIES_MAX)
    cli_note(call, "ties-max",
             "--ties max gives constant scores the largest W; do not select a scorer by it");
  return result->labels ? measure_labelled(result, call) : 0;
}

static int judge(cli_judged *result, cli_call *call) {
  int taken = 0, code = check_standard_output(call, &taken);
  if (code == 0) code = cli_check_ending(call, "figure", 0);
  if (code == 0 && cli_value(call, "lowest") && !cli_value(call, "labels"))
    code = cli_usage_error(call, "option-needs-option", "--lowest needs --labels COLUMN");
  if (code == 0) code = cli_judge_read(result, call);
  if (code == 0) code = measure(result, call);
  cli_writing(1);
  if (code == 0) code = write_files(result, call);
  if (code == 0 && cli_interrupted()) code = cli_signal_code();
  cli_writing(0);
  cli_progress_clear();
  if (code != 0) return code;
  if (cli_wants_json(call))
    cli_judge_json(stdout, result, call);
  else if (!(taken && call->quiet))
    cli_judge_text(taken ? stderr : stdout, result, call);
  cli_detail(call, "done in %.3g s", cli_clock() - call->progress.started);
  return 0;
}

static int run(cli_call *call) {
  cli_judged result = {0};
  call->kinds_fixed = 1;
  cli_progress_start(&call->progress, call->settings, call->quiet);
  int code = judge(&result, call);
  anorank_judgement_free(result.judgement);
  anorank_judgement_free(result.other_judgement);
  cli_scores_free(&result.x);
  cli_scores_free(&result.u);
  cli_scores_free(&result.other_x);
  cli_scores_free(&result.other_u);
  free(result.labels);
  free(result.accuracies);
  return code;
}

const cli_command cli_cmd_judge = {
    .name = "judge",
    .summary = "evaluate the scores of any tool, without labels",
    .usage = "SCORES --contrast SCORES_U [OPTION]...",
    .description =
        "Evaluate the scores of any tool, without labels. Good scores rank normal rows above contrast rows, "
        "which 'anorank simulate' draws. Lower must mean more abnormal.\nContrast rows fill the space around "
        "the data. For a good scorer, the set of the highest scores holds much of the data in little volume. "
        "The result has the area under the mass-volume curve with its interval, and rank statistics with "
        "p-values. It also says whether the contrast sample can tell scorers apart.",
    .everyday = "contrast column higher-is-abnormal against labels figure output-format",
    .positionals = {{"SCORES", "table with the scores of normal rows; '-' is standard input", 1, NULL}},
    .options =
        {{"contrast", 0, "FILE", NULL, "the same tool's scores of contrast rows; required"},
         {"column", 0, "NAME", NULL, "column of the scores; by default 'score', or the only numeric column"},
         {"higher-is-abnormal", 0, NULL, NULL, "high scores mean abnormal; reverse them"},
         {"against", 0, "FILE", NULL,
          "other scores to compare with; a file (the rows of SCORES, then of SCORES_U) or a column of both"},
         {"against-contrast", 0, "FILE", NULL,
          "the other scores of the contrast rows; if --against has those of SCORES only"},
         {"against-higher-is-abnormal", 0, NULL, NULL, "reverse the other scores"},
         {"labels", 0, "COLUMN", NULL, "label column: 1 anomaly, 0 normal; adds ROC-AUC and precision"},
         {"lowest", 0, "K,...", NULL, "share of anomalies among the K lowest, with --labels [25,50,75,100]"},
         {"curve", 0, "FILE", NULL,
          "write the mass-volume curve with its bands; the extension sets the format"},
         {"excess", 0, "FILE", NULL, "write the excess-mass curve"},
         {"figure", 0, "FILE", NULL, "draw the mass-volume curve as SVG"},
         CLI_REPORT_OPTIONS},
    .examples = {{"anorank judge x.csv --contrast u.csv", "measure the order without labels"},
                 {"anorank judge x.csv --contrast u.csv --against other --json",
                  "compare the columns 'score' and 'other'"},
                 {"anorank judge x.csv --contrast u.csv --curve curve.csv --figure curve.svg",
                  "write the mass-volume curve as a table and a figure"}},
    .settings = ANORANK_FOR_RUN | ANORANK_FOR_READ | ANORANK_FOR_JUDGE,
    .run = run,
};
