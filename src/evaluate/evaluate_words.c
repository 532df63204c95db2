/* evaluate_words.c - an evaluation in sentences: its verdict and its caveat. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/print.h"
#include "evaluate/evaluate.h"

/* Return decimals that show two digits of the distance to 0 or to 1, at least four. */
static int decimals_of(double area) {
  double apart = fmin(fabs(area), fabs(1 - area));
  return apart > 0 && apart < 1e-3 ? (int)fmin(12, 1 - floor(log10(apart))) : 4;
}

static const char *p_text(char *text, size_t size, double p) {
  ank_print(text, size, p < 0.0001 ? "< 0.0001" : "= %.4f", p);
  return text;
}

static void write_one(char *text, size_t size, const anorank_judgement *judgement, double level) {
  anorank_interval area = judgement->info.area;
  int digits = decimals_of(area.estimate);
  char found[160];
  ank_print(found, sizeof found, "area %.*f (%.4g %% interval %.*f to %.*f; 0.5 is a random order)", digits,
            area.estimate, 100 * level, digits, area.low, digits, area.high);
  if (judgement->saturation.blind)
    snprintf(
        text, size,
        "No verdict: hardly any contrast row falls among the evaluated rows, so any sensible order would "
        "look as good (%s). Choose another contrast law.",
        found);
  else if (area.high < 0.5)
    snprintf(text, size, "The order separates these rows from contrast rows: %s.", found);
  else if (area.low > 0.5)
    snprintf(text, size, "The order is worse than a random one: contrast rows score above these rows, %s.",
             found);
  else
    snprintf(text, size, "The order is not distinguishable from a random one: %s.", found);
}

static void write_two(char *text, size_t size, const anorank_evaluation *evaluation, double level) {
  const anorank_interval *difference = &evaluation->comparison.difference;
  const char *better = difference->estimate < 0 ? "first" : "second";
  double low = difference->estimate < 0 ? -difference->high : difference->low;
  double high = difference->estimate < 0 ? -difference->low : difference->high;
  int digits = decimals_of(difference->estimate) + 1;
  const anorank_law_verdict *contrary =
      ank_two_laws_against(&evaluation->laws, &evaluation->comparison, level);
  char p[32];
  p_text(p, sizeof p, evaluation->comparison.p_value);
  if (evaluation->blind)
    ank_print(
        text, size,
        "No verdict: hardly any contrast row falls among the evaluated rows, so they cannot separate two "
        "sensible orders (difference of area %.*f, p %s). Choose another contrast law.",
        digits, difference->estimate, p);
  else if (evaluation->laws.disagree)
    snprintf(text, size, "%s", evaluation->laws.conclusion);
  else if (contrary)
    ank_print(
        text, size,
        "Which is better depends on the contrast law: by '%s' the %s (its area is smaller by %.*f, p %s), "
        "by '%s' the other. Choose the law closest to your anomalies, or compare with labels.",
        evaluation->law, better, digits, fabs(difference->estimate), p, contrary->law);
  else if (evaluation->comparison.p_value <= 1 - level)
    ank_print(
        text, size,
        "By this measure the %s is better: its area is smaller by %.*f (%.4g %% interval %.*f to %.*f), p "
        "%s.",
        better, digits, fabs(difference->estimate), 100 * level, digits, low, digits, high, p);
  else
    ank_print(
        text, size,
        "No significant difference: the areas differ by %.*f (first minus second; %.4g %% interval %.*f "
        "to %.*f), p %s.",
        digits, difference->estimate, 100 * level, digits, difference->low, digits, difference->high, p);
}

void ank_evaluation_write_verdict(anorank_evaluation *evaluation, double level) {
  if (evaluation->count == 1)
    write_one(evaluation->verdict, sizeof evaluation->verdict, evaluation->found[0].judgement, level);
  else
    write_two(evaluation->verdict, sizeof evaluation->verdict, evaluation, level);
}

const char *ank_evaluation_caveat(const anorank_evaluation *evaluation) {
  return evaluation->has_labels
             ? "The label-free part measures how well the order separates these rows from contrast rows of "
               "one law. It can veto an order, but cannot prove that your anomalies come lowest. The "
               "measures with labels hold for anomalies like the labelled ones only."
             : "This measures how well the order separates these rows from contrast rows of one law. It can "
               "veto an order, but cannot prove that your anomalies come lowest: it misses anomalies unlike "
               "any contrast row, or frequent among these rows. Only labelled rows can show that.";
}
