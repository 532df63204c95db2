/* judge_report.c - the output of `anorank judge`: text in 80 columns, or JSON. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/print.h"
#include "judge.h"
#include "judgement_parts.h"
#include "terminal.h"
#include "text.h"

void cli_judge_compared(char *text, size_t size, const cli_judged *result, double level) {
  const anorank_comparison *comparison = &result->comparison;
  char p[32];
  double difference = comparison->difference.estimate;
  cli_p_equals(p, sizeof p, comparison->p_value);
  if (result->laws.disagree)
    snprintf(text, size, "%s", result->laws.conclusion);
  else if (result->blind)
    ank_print(text, size,
              "No verdict: this contrast sample is blind and cannot separate two sensible scorers "
              "(difference of area %.5f, %s).",
              difference, p);
  else if (comparison->p_value <= 1 - level)
    ank_print(text, size, "The %s scores are better: their area is smaller by %.5f (%.5f to %.5f), %s.",
              difference < 0 ? "first" : "second", fabs(difference),
              difference < 0 ? -comparison->difference.high : comparison->difference.low,
              difference < 0 ? -comparison->difference.low : comparison->difference.high, p);
  else
    ank_print(text, size,
              "No significant difference: the areas differ by %.5f (first minus second; %.5f to %.5f), %s. "
              "More rows on both sides would detect smaller differences.",
              difference, comparison->difference.low, comparison->difference.high, p);
}

static void print_comparison(FILE *stream, const cli_judged *result, double level) {
  const anorank_comparison *comparison = &result->comparison;
  char text[1024];
  cli_head(stream, "Comparison with the other scores, on the same rows");
  cli_print_note(stream, "first: %s: area %.*f", result->x.label, cli_area_decimals(comparison->first),
                 comparison->first.estimate);
  cli_print_note(stream, "second: %s: area %.*f", result->other_x.label,
                 cli_area_decimals(comparison->second), comparison->second.estimate);
  cli_judge_compared(text, sizeof text, result, level);
  cli_print_note(stream, "%s", text);
  if (result->blind) return;
  if (!result->extremes.values)
    cli_print_note(
        stream,
        "This holds for contrast rows of this law. Another law may disagree: draw contrast rows with "
        "'anorank simulate displace --data FILE', score them with both detectors, and give the scores to "
        "--contrast-extremes.");
  if (anorank_judgement_get_info(result->judgement)->saturation->blind)
    cli_print_note(stream, "The contrast sample is blind for the first scores only; the second separate "
                           "contrast rows from normal ones.");
  cli_say_end(stream, comparison, level, "scores are");
}

void cli_judge_text(FILE *stream, const cli_judged *result, const cli_call *call) {
  const anorank_judgement *judgement = result->judgement;
  double level = anorank_settings_number(call->settings, "level");
  cli_title(stream, "Rows");
  cli_print_note(stream, "n = %zu rows assumed normal (%s)", anorank_judgement_get_info(judgement)->n,
                 result->x.label);
  cli_print_note(stream, "m = %zu contrast rows (%s)", anorank_judgement_get_info(judgement)->m,
                 result->u.label);
  if (result->extremes.values)
    cli_print_note(stream, "%zu contrast rows with extreme values (%s)", result->extremes.rows,
                   result->extremes.label);
  cli_print_area(stream, judgement, level);
  cli_print_saturation(stream, judgement);
  cli_print_partial(stream, judgement, level, "mean volume");
  cli_print_w(stream, judgement);
  if (result->extremes.values) cli_print_laws(stream, &result->laws, level);
  if (result->other_x.values) print_comparison(stream, result, level);
  if (result->labels)
    cli_print_labelled(stream, &result->labelled, result->accuracies, result->accuracy_count, level);
  cli_print_written(stream, call);
  cli_head(stream, "Limitations");
  cli_print_note(stream,
                 "This compares the order with one contrast sample, on independent rows assumed normal. It "
                 "misses anomalies unlike both, and it flatters scores of training rows: judge unseen rows.");
}

void cli_judge_json(FILE *stream, const cli_judged *result, const cli_call *call) {
  ank_json json;
  char text[1024];
  cli_json_open(&json, stream);
  ank_json_judgement(&json, result->judgement);
  if (result->extremes.values) ank_json_laws(&json, &result->laws);
  if (result->other_x.values) {
    cli_judge_compared(text, sizeof text, result, anorank_settings_number(call->settings, "level"));
    cli_json_comparison(&json, &result->comparison, text);
  }
  if (result->labels)
    ank_json_labelled(&json, &result->labelled, result->accuracies, result->accuracy_count, "accuracy_lowest",
                      "accuracy");
  cli_json_settings(&json, call, ANORANK_FOR_JUDGE);
  cli_json_close(&json);
}
