/* judge_text.c - the verdict of `anorank judge` for a person, in 80 columns. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/print.h"
#include "judge.h"
#include "judgement_parts.h"
#include "terminal.h"
#include "text.h"

void cli_judge_compared(char *text, size_t size, const cli_verdict *verdict, double level) {
  const anorank_comparison *comparison = &verdict->comparison;
  char p[32];
  double difference = comparison->difference.estimate;
  cli_p_equals(p, sizeof p, comparison->p_value);
  if (verdict->blind)
    ank_print(text, size,
              "No verdict: this contrast sample is blind, so no two sensible scorers can be told apart by it "
              "(difference of area %.5f, %s).",
              difference, p);
  else if (comparison->p_value <= 1 - level)
    ank_print(text, size, "The %s scores are better: their area is smaller by %.5f (%.5f to %.5f), %s.",
              difference < 0 ? "first" : "second", fabs(difference),
              difference < 0 ? -comparison->difference.high : comparison->difference.low,
              difference < 0 ? -comparison->difference.low : comparison->difference.high, p);
  else
    ank_print(text, size,
              "Not told apart: the areas differ by %.5f (first minus second; %.5f to %.5f), %s. More rows "
              "on both sides would show smaller differences.",
              difference, comparison->difference.low, comparison->difference.high, p);
}

static void print_comparison(FILE *stream, const cli_verdict *verdict, double level) {
  const anorank_comparison *comparison = &verdict->comparison;
  char text[512];
  cli_head(stream, "Against the other scores, on the same rows");
  cli_say(stream, "first: %s: area %.*f", verdict->x.label, cli_area_decimals(comparison->first),
          comparison->first.estimate);
  cli_say(stream, "second: %s: area %.*f", verdict->other_x.label, cli_area_decimals(comparison->second),
          comparison->second.estimate);
  cli_judge_compared(text, sizeof text, verdict, level);
  cli_say(stream, "%s", text);
  if (verdict->blind) return;
  cli_say(stream,
          "That holds for contrast rows of this law. Another law may say the opposite: draw rows of one "
          "('anorank simulate jitter --data FILE'), score them with both detectors, and judge again.");
  if (anorank_judgement_get_info(verdict->judgement)->saturation->blind)
    cli_say(stream,
            "The contrast sample is blind for the first scores only: the second leave enough contrast "
            "rows among the normal ones to be told from them.");
  cli_say_end(stream, comparison, level, "scores are");
}

void cli_judge_text(FILE *stream, const cli_verdict *verdict, const cli_call *call) {
  const anorank_judgement *judgement = verdict->judgement;
  double level = anorank_settings_number(call->settings, "level");
  fprintf(stream, "%sRows%s\n", cli_style(stream, CLI_BOLD), cli_style(stream, CLI_PLAIN));
  cli_say(stream, "n = %zu rows taken to be normal (%s)", anorank_judgement_get_info(judgement)->n,
          verdict->x.label);
  cli_say(stream, "m = %zu contrast rows (%s)", anorank_judgement_get_info(judgement)->m, verdict->u.label);
  cli_print_area(stream, judgement, level);
  cli_print_saturation(stream, judgement);
  cli_print_partial(stream, judgement, level, "mean volume");
  cli_print_w(stream, judgement);
  if (verdict->other_x.values) print_comparison(stream, verdict, level);
  if (verdict->labels)
    cli_print_labelled(stream, &verdict->labelled, verdict->accuracies, verdict->accuracy_count, level);
  cli_print_written(stream, call);
  cli_head(stream, "What this does not prove");
  cli_say(stream,
          "The order is judged against this contrast sample only, on rows taken to be normal and drawn "
          "independently. Anomalies that look like neither are not seen, and scores of rows that the "
          "scorer was fitted on flatter it: judge rows that it has not seen.");
}
