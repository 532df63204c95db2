/* cmd_figure.c - anorank figure NAME MODEL FILE -o x.svg: one chart of the report, for a paper. */
#include <string.h>

#include "model_options.h"
#include "report_file.h"
#include "result_file.h"
#include "text.h"

static const char *figure_word(size_t i) {
  const anorank_figure_kind *kind = anorank_figure_kind_at(i);
  return kind ? kind->name : NULL;
}

static int unknown(const cli_call *call) {
  char shown[80], list[256] = "";
  const char *word;
  for (size_t i = 0; (word = figure_word(i)) != NULL; i++) {
    size_t used = strlen(list);
    snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", word);
  }
  return cli_usage_error(call, "figure-unknown", "unknown figure '%s'; choose one of %s",
                         cli_printable(shown, sizeof shown, call->positionals[0]), list);
}

static int check(const cli_call *call, const anorank_figure_kind *kind) {
  if (!cli_value(call, "output"))
    return cli_usage_error(call, "option-missing",
                           "--output FILE is missing; name the figure, for example -o %s.svg", kind->name);
  int code = cli_check_ending(call, "output", 0);
  if (code != 0) return code;
  if (kind->labels == ANORANK_FIGURE_NEEDS && !cli_value(call, "labels"))
    return cli_usage_error(call, "figure-needs-labels",
                           "the figure '%s' needs labels; name their column with --labels COLUMN",
                           kind->name);
  code = cli_check_stdin(call, 1, 2);
  return code == 0 ? cli_check_selection(call) : code;
}

static int run(cli_call *call) {
  const anorank_figure_kind *kind;
  for (size_t i = 0; (kind = anorank_figure_kind_at(i)) && strcmp(kind->name, call->positionals[0]) != 0; i++)
    continue;
  if (!kind) return unknown(call);
  int code = check(call, kind);
  return code == 0 ? cli_report_of_model(call, kind) : code;
}

static void more(const cli_renderer *renderer, void *context) {
  const anorank_figure_kind *kind;
  renderer->section(context, "Figures");
  for (size_t i = 0; (kind = anorank_figure_kind_at(i)) != NULL; i++)
    renderer->entry(context, kind->name, NULL, kind->shows);
}

const cli_command cli_cmd_figure = {
    .name = "figure",
    .summary = "draw one chart of the report as SVG",
    .usage = "NAME MODEL FILE -o FILE.svg [--labels COLUMN] [OPTION]...",
    .description = "Draw one chart of 'anorank report MODEL FILE', from the same numbers, as SVG: curve, "
                   "roc, precision-recall, scores, p-values, map, columns or time.",
    .everyday = "output labels fdr bootstrap",
    .positionals = {{"NAME", "one of the charts below", 1, figure_word},
                    {"MODEL", "model written by 'anorank fit' or 'anorank detect --save-model'", 1, NULL},
                    {"FILE", "table to draw; '-' is standard input", 1, NULL}},
    .options = {{"output", 'o', "FILE", NULL, "SVG file to write (required)"},
                {"labels", 0, "COLUMN", NULL, "label column: 1 anomaly, 0 normal"}},
    .examples = {{"anorank figure map model.anr today.csv -o map.svg", "draw the map of the report"},
                 {"anorank figure roc model.anr today.csv --labels fraud -o roc.svg",
                  "draw the ROC curve from labels"}},
    .settings = ANORANK_FOR_RUN | ANORANK_FOR_READ | ANORANK_FOR_RANKING | ANORANK_FOR_JUDGE,
    .more = more,
    .run = run,
};
