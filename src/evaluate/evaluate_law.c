/* evaluate_law.c - whether the result depends on the contrast law.
 *
 * Which of two orders separates the evaluated rows better from contrast rows depends on the contrast
 * rows: around the data (jitter) one may win, in the box of the data the other. So two orders are
 * compared by a second law as well, on a few thousand contrast rows, and a contradiction is reported. */
#include <stdio.h>
#include <string.h>

#include "contrast/contrast_plan.h"
#include "criterion/compare.h"
#include "evaluate/evaluate.h"

const char *ank_evaluation_other_law(const anorank_evaluation *evaluation) {
  return strcmp(evaluation->law, ank_law_box.info.name) == 0 ? ank_law_jitter.info.name
                                                             : ank_law_box.info.name;
}

static anorank_status judge_both(anorank_evaluation *out, const double *const x[2], size_t n,
                                 const double *const u[2], size_t m, const anorank_settings *settings,
                                 anorank_error *err) {
  anorank_settings own = *settings;
  own.bootstrap = 0; /* no bands: the difference alone is looked at */
  out->blind = 1;
  for (size_t c = 0; c < 2; c++) {
    ANK_CHECK(ank_judge(&out->found[c].judgement, x[c], n, u[c], m, &own, err));
    out->blind = out->blind && out->found[c].judgement->saturation.blind;
  }
  ANK_CHECK(anorank_compare(&out->comparison, x[0], x[1], n, u[0], u[1], m, &own, err));
  if (strcmp(out->law, ank_law_jitter.info.name) == 0)
    ANK_CHECK(ank_evaluation_pair_rows(out, x, u, &own, err));
  return ANORANK_OK;
}

anorank_status ank_evaluation_try_law(anorank_evaluation *evaluation, const char *law,
                                      const double *const x[2], size_t n, const double *const u[2], size_t m,
                                      const anorank_settings *settings, anorank_error *err) {
  anorank_evaluation by_other = {.count = 2};
  snprintf(by_other.law, sizeof by_other.law, "%s", law);
  anorank_status status = judge_both(&by_other, x, n, u, m, settings, err);
  for (size_t c = 0; c < 2; c++) anorank_judgement_free(by_other.found[c].judgement);
  if (status != ANORANK_OK) return status;
  const anorank_comparison *here = &evaluation->comparison, *there = &by_other.comparison;
  int sure = there->p_value <= 1 - settings->level, first = there->difference.estimate < 0;
  int contrary = sure && !by_other.blind && !evaluation->blind && here->p_value <= 1 - settings->level &&
                 first != (here->difference.estimate < 0);
  if (contrary) {
    memcpy(evaluation->contrary_law, by_other.law, sizeof evaluation->contrary_law);
    return ANORANK_OK; /* the ranking says it */
  }
  if (by_other.blind)
    return ank_notes_add(&evaluation->notes, ANORANK_NOTE_DETAIL, err, "evaluate-law-blind",
                         "the contrast law '%s' cannot tell the two apart", law);
  if (!sure)
    return ank_notes_add(&evaluation->notes, ANORANK_NOTE_DETAIL, err, "evaluate-law-undecided",
                         "by the contrast law '%s', no significant difference", law);
  return ank_notes_add(&evaluation->notes, ANORANK_NOTE_DETAIL, err, "evaluate-law-better",
                       "by the contrast law '%s', the %s is better", law, first ? "first" : "second");
}
