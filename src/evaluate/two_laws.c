/* two_laws.c - the outcomes of one order or of two by two contrast laws, and both together; see
 * experimental.h. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "contrast/law.h"
#include "evaluate/evaluate.h"

/* ---- each -------------------------------------------------------------------------------------------- */

/* Scores of single columns have areas a little below 0.5 by `permute`: if columns depend on each other,
 * swapped cells change the distribution of their sum. That does not mean that they find combinations. */
#define WEAK_ABOVE 0.4

static anorank_law_outcome outcome_of_one(const anorank_law_verdict *verdict) {
  anorank_interval area = verdict->of[0]->info.area;
  if (area.low > 0.5) return ANORANK_LAW_REVERSED;
  if (!(area.high < 0.5)) return ANORANK_LAW_UNDECIDED;
  return area.estimate > WEAK_ABOVE ? ANORANK_LAW_WEAK : ANORANK_LAW_SEPARATES;
}

/* Return whether two outcomes of one order differ. */
static int differ(anorank_law_outcome a, anorank_law_outcome b) {
  return (a == ANORANK_LAW_SEPARATES) != (b == ANORANK_LAW_SEPARATES) ||
         (a == ANORANK_LAW_REVERSED) != (b == ANORANK_LAW_REVERSED);
}

static anorank_law_outcome better_of(const anorank_comparison *comparison, double level) {
  if (!(comparison->p_value <= 1 - level)) return ANORANK_LAW_UNDECIDED;
  return comparison->difference.estimate < 0 ? ANORANK_LAW_FIRST : ANORANK_LAW_SECOND;
}

static anorank_law_outcome outcome_of_two(const anorank_law_verdict *verdict) {
  if (verdict->of[0]->saturation.blind && verdict->of[1]->saturation.blind) return ANORANK_LAW_BLIND;
  return better_of(verdict->comparison, verdict->of[0]->settings.level);
}

/* Return whether each of the two orders is better by one law. */
static int opposed(anorank_law_outcome a, anorank_law_outcome b) {
  return (a == ANORANK_LAW_FIRST && b == ANORANK_LAW_SECOND) ||
         (a == ANORANK_LAW_SECOND && b == ANORANK_LAW_FIRST);
}

const anorank_law_verdict *ank_two_laws_against(const anorank_two_laws *laws,
                                                const anorank_comparison *comparison, double level) {
  anorank_law_outcome better = better_of(comparison, level);
  return opposed(better, laws->combinations.outcome) ? &laws->combinations
         : opposed(better, laws->extremes.outcome)   ? &laws->extremes
                                                     : NULL;
}

/* ---- in words ---------------------------------------------------------------------------------------- */

enum { PART = 256 };

static int decimals_of(double value) {
  double apart = fmin(fabs(value), fabs(1 - value));
  return apart > 0 && apart < 1e-2 ? (int)fmin(12, 2 - floor(log10(apart))) : 3;
}

/* "strange combinations (law 'permute': area 0.123, 0.110 to 0.137)" */
static const char *part_of_one(char text[PART], const anorank_law_verdict *verdict) {
  anorank_interval area = verdict->of[0]->info.area;
  int digits = decimals_of(area.estimate);
  ank_print(text, PART, "%s (law '%s': area %.*f, %.*f to %.*f)",
            verdict->law == ank_law_permute.info.name ? "strange combinations" : "extreme values",
            verdict->law, digits, area.estimate, digits, area.low, digits, area.high);
  return text;
}

/* "combinations (law 'permute': area smaller by 0.0123, p < 0.0001)" */
static const char *part_of_two(char text[PART], const anorank_law_verdict *verdict) {
  const anorank_comparison *comparison = verdict->comparison;
  int digits = decimals_of(comparison->difference.estimate) + 1;
  if (verdict->outcome == ANORANK_LAW_BLIND)
    ank_print(text, PART, "%s (law '%s': hardly any contrast row falls among the evaluated rows)",
              verdict->kind, verdict->law);
  else if (verdict->outcome == ANORANK_LAW_UNDECIDED)
    ank_print(text, PART, "%s (law '%s': difference of area %.*f, p = %.4f)", verdict->kind, verdict->law,
              digits, comparison->difference.estimate, comparison->p_value);
  else
    ank_print(text, PART,
              comparison->p_value < 0.0001 ? "%s (law '%s': area smaller by %.*f, p < 0.0001)"
                                           : "%s (law '%s': area smaller by %.*f, p = %.4f)",
              verdict->kind, verdict->law, digits, fabs(comparison->difference.estimate),
              comparison->p_value);
  return text;
}

static void say_one(anorank_two_laws *laws) {
  static const char *const verbs[] = {[ANORANK_LAW_UNDECIDED] = "does not find",
                                      [ANORANK_LAW_WEAK] = "hardly finds",
                                      [ANORANK_LAW_SEPARATES] = "finds",
                                      [ANORANK_LAW_REVERSED] = "ranks as normal"};
  char first[PART], second[PART];
  snprintf(laws->conclusion, sizeof laws->conclusion, "%s order %s %s and %s %s.",
           laws->disagree ? "The laws disagree: the" : "The", verbs[laws->combinations.outcome],
           part_of_one(first, &laws->combinations), verbs[laws->extremes.outcome],
           part_of_one(second, &laws->extremes));
}

static int is_sure(anorank_law_outcome outcome) {
  return outcome == ANORANK_LAW_FIRST || outcome == ANORANK_LAW_SECOND;
}

static const char *which(anorank_law_outcome outcome) {
  return outcome == ANORANK_LAW_FIRST ? "first" : "second";
}

static void say_two(anorank_two_laws *laws) {
  const anorank_law_verdict *sure = &laws->combinations, *other = &laws->extremes;
  char text[2][PART];
  if (!is_sure(sure->outcome)) {
    sure = &laws->extremes;
    other = &laws->combinations;
  }
  part_of_two(text[0], sure);
  part_of_two(text[1], other);
  if (!is_sure(sure->outcome))
    snprintf(laws->conclusion, sizeof laws->conclusion, "No significant difference by either law: %s; %s.",
             text[1], text[0]);
  else if (!is_sure(other->outcome))
    snprintf(laws->conclusion, sizeof laws->conclusion,
             "The %s is better at %s. No significant difference at %s.", which(sure->outcome), text[0],
             text[1]);
  else if (!laws->disagree)
    snprintf(laws->conclusion, sizeof laws->conclusion, "The %s is better by both laws: at %s and at %s.",
             which(sure->outcome), text[0], text[1]);
  else
    snprintf(laws->conclusion, sizeof laws->conclusion,
             "The laws disagree: the %s is better at %s, the %s at %s. Choose the kind of your anomalies, "
             "or compare with labels.",
             which(sure->outcome), text[0], which(other->outcome), text[1]);
}

/* ---- together ---------------------------------------------------------------------------------------- */

anorank_status anorank_two_laws_conclude(anorank_two_laws *laws, anorank_error *err) {
  ANK_NEED(laws);
  anorank_law_verdict *const verdicts[] = {&laws->combinations, &laws->extremes};
  const anorank_law_verdict *first = verdicts[0], *second = verdicts[1];
  int two = first->of[1] != NULL;
  if (!first->of[0] || !second->of[0] || two != (second->of[1] != NULL) ||
      two != (first->comparison != NULL) || two != (second->comparison != NULL))
    return ank_fail(err, ANORANK_ERROR_USAGE, "two-laws-judgements",
                    "pass one judgement per law, or two judgements and a comparison per law");
  laws->combinations.law = ank_law_permute.info.name;
  laws->combinations.kind = "combinations";
  laws->extremes.law = ank_law_displace.info.name;
  laws->extremes.kind = "extremes";
  for (size_t k = 0; k < ANK_LAWS; k++)
    verdicts[k]->outcome = (two ? outcome_of_two : outcome_of_one)(verdicts[k]);
  laws->disagree = (two ? opposed : differ)(first->outcome, second->outcome);
  (two ? say_two : say_one)(laws);
  return ANORANK_OK;
}
