/* cmd_judge.c - anorank judge: evaluate the scores of any tool, without labels. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/ascii.h"
#include "core/file_io.h"
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

/* Return file and column without the directory, because a legend is short. */
static const char *legend(const cli_scores *scores) {
  const char *column = strstr(scores->label, ", column '"), *file = column;
  while (file > scores->label && !strchr(ANK_SLASHES, file[-1])) file--;
  return file;
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
    status = anorank_judge(&result->other_bands, result->other_x.values, result->other_x.rows,
                           result->other_u.values, result->other_u.rows, call->settings, &err);
  if (status == ANORANK_OK && curve)
    status = write_points(curve, &info->curve->mass, info->points, 6, of_curve, &err);
  if (status == ANORANK_OK && excess)
    status = write_points(excess, &info->excess->t, info->points, 2, of_excess, &err);
  if (status == ANORANK_OK && figure)
    status = anorank_figure_mass_volume(ANORANK_TO_FILE(figure), result->judgement, legend(&result->x),
                                        result->other_bands,
                                        result->other_bands ? legend(&result->other_x) : NULL, &err);
  return cli_failure(call, status, &err);
}

/* Only one output can go to standard output; a file takes precedence over the text. */
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

static anorank_status judge_plain(anorank_judgement **out, const cli_scores *x, const cli_scores *u,
                                  const cli_call *call, anorank_error *err) {
  anorank_settings *settings = NULL;
  anorank_status status = anorank_settings_new(&settings, call->settings, err);
  if (status == ANORANK_OK) status = anorank_settings_set_number(settings, "bootstrap", 0, err);
  if (status == ANORANK_OK)
    status = anorank_judge(out, x->values, x->rows, u->values, u->rows, settings, err);
  anorank_settings_free(settings);
  return status;
}

/* A contrast sample that is blind for one scorer may still separate the two, and the result must be symmetric
 * in the two scorers. */
static anorank_status measure_other(cli_judged *result, const cli_call *call, anorank_error *err) {
  const cli_scores *x = &result->x, *other = &result->other_x;
  anorank_status status = judge_plain(&result->other_judgement, other, &result->other_u, call, err);
  if (status != ANORANK_OK) return status;
  result->blind = result->blind && anorank_judgement_get_info(result->other_judgement)->saturation->blind;
  return anorank_compare(&result->comparison, x->values, other->values, x->rows, result->u.values,
                         result->other_u.values, result->u.rows, call->settings, err);
}

/* Judge by two laws; --contrast then has combinations. */
static anorank_status measure_laws(cli_judged *result, const cli_call *call, anorank_error *err) {
  const cli_scores *x = &result->x, *other = &result->other_x, *u = &result->extremes;
  anorank_law_verdict *combinations = &result->laws.combinations, *extremes = &result->laws.extremes;
  anorank_status status = judge_plain(&result->by_extremes[0], x, u, call, err);
  if (status == ANORANK_OK && other->values) {
    status = judge_plain(&result->by_extremes[1], other, &result->other_extremes, call, err);
    if (status == ANORANK_OK)
      status = anorank_compare(&result->extremes_comparison, x->values, other->values, x->rows, u->values,
                               result->other_extremes.values, u->rows, call->settings, err);
    combinations->comparison = &result->comparison;
    extremes->comparison = &result->extremes_comparison;
  }
  combinations->of[0] = result->judgement;
  combinations->of[1] = result->other_judgement;
  for (size_t c = 0; c < 2; c++) extremes->of[c] = result->by_extremes[c];
  return status == ANORANK_OK ? anorank_two_laws_conclude(&result->laws, err) : status;
}

static int measure(cli_judged *result, cli_call *call) {
  anorank_error err = {0};
  cli_progress_part(&call->progress, 0.5, result->other_x.values ? 0.8 : 0.95);
  anorank_status status = anorank_judge(&result->judgement, result->x.values, result->x.rows,
                                        result->u.values, result->u.rows, call->settings, &err);
  if (status == ANORANK_OK) result->blind = anorank_judgement_get_info(result->judgement)->saturation->blind;
  if (status == ANORANK_OK && result->other_x.values) status = measure_other(result, call, &err);
  if (status == ANORANK_OK && result->extremes.values) status = measure_laws(result, call, &err);
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
  anorank_judgement_free(result.other_bands);
  for (size_t c = 0; c < 2; c++) anorank_judgement_free(result.by_extremes[c]);
  cli_scores_free(&result.x);
  cli_scores_free(&result.u);
  cli_scores_free(&result.extremes);
  cli_scores_free(&result.other_x);
  cli_scores_free(&result.other_u);
  cli_scores_free(&result.other_extremes);
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
        "p-values. It also says whether the contrast sample can tell scorers apart.\nOne contrast law shows "
        "one "
        "kind of anomaly. --contrast-extremes adds a second: --contrast then takes scores of strange "
        "combinations "
        "('anorank simulate permute --permute-share 0.3'), --contrast-extremes those of extreme values "
        "('anorank simulate displace'). If the two disagree, the result says so.",
    .everyday = "contrast column higher-is-abnormal against labels figure output-format",
    .positionals = {{"SCORES", "table with the scores of normal rows; '-' is standard input", 1, NULL}},
    .options =
        {{"contrast", 0, "FILE", NULL, "the same tool's scores of contrast rows; required"},
         {"contrast-extremes", 0, "FILE", NULL,
          "the same tool's scores of extreme values; --contrast then has strange combinations"},
         {"column", 0, "NAME", NULL, "column of the scores; by default 'score', or the only numeric column"},
         {"higher-is-abnormal", 0, NULL, NULL, "high scores mean abnormal; reverse them"},
         {"against", 0, "FILE", NULL,
          "other scores to compare with; a column of all files, or a file with the rows of all"},
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
                 {"anorank judge x.csv --contrast swapped.csv --contrast-extremes displaced.csv",
                  "tell strange combinations from extreme values"},
                 {"anorank judge x.csv --contrast u.csv --curve curve.csv --figure curve.svg",
                  "write the mass-volume curve as a table and a figure"}},
    .settings = ANORANK_FOR_RUN | ANORANK_FOR_READ | ANORANK_FOR_JUDGE,
    .run = run,
};
