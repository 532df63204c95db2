/* evaluate_laws.c - the evaluated rows against contrast rows of two laws that test different anomalies.
 *
 *   permute, share 0.3   strange combinations: every column keeps its range, the dependence of columns is broken
 *   displace             extreme values: one value beyond its column's range, all else unchanged
 *
 * Which of two orders is better depends on the contrast rows, too: an order by single columns wins if single
 * values are extreme, and is uninformative if cells are swapped. */
#include <stdio.h>

#include "contrast/contrast_plan.h"
#include "core/method_constants.h"
#include "criterion/compare.h"
#include "evaluate/evaluate.h"

static const ank_law *const laws[ANK_LAWS] = {&ank_law_permute, &ank_law_displace};

anorank_settings ank_settings_of_law(size_t k, const anorank_settings *settings) {
  anorank_settings made = *settings;
  snprintf(made.contrast, sizeof made.contrast, "%s", laws[k]->info.name);
  made.permute_share = ANK_SWAPPED;
  made.bootstrap = 0; /* no bands: only areas, W and differences are needed */
  return made;
}

static anorank_status judge(const ank_judged *judged, anorank_error *err) {
  for (size_t c = 0; c < judged->count; c++)
    ANK_CHECK(ank_judge(&judged->judgement[c], judged->x[c], judged->n, judged->u[c], judged->m,
                        judged->settings, err));
  if (judged->count == 2)
    ANK_CHECK(anorank_compare(judged->comparison, judged->x[0], judged->x[1], judged->n, judged->u[0],
                              judged->u[1], judged->m, judged->settings, err));
  return ank_pair_rows(judged, err);
}

anorank_status ank_evaluation_judge_by_laws(anorank_evaluation *evaluation, const double *const x[2],
                                            size_t n, double *const u[ANK_LAWS][2], const size_t m[ANK_LAWS],
                                            const size_t cells[ANK_LAWS], const anorank_settings *settings,
                                            anorank_error *err) {
  anorank_two_laws *out = &evaluation->laws;
  for (size_t k = 0; k < ANK_LAWS; k++) {
    anorank_settings own = ank_settings_of_law(k, settings);
    anorank_law_verdict *verdict = k == 0 ? &out->combinations : &out->extremes;
    ANK_CHECK(judge(&(ank_judged){.law = laws[k],
                                  .settings = &own,
                                  .count = evaluation->count,
                                  .n = n,
                                  .m = m[k],
                                  .cells = cells[k],
                                  .x = {x[0], x[1]},
                                  .u = {u[k][0], u[k][1]},
                                  .judgement = evaluation->by_law[k],
                                  .comparison = &evaluation->law_comparison[k]},
                    err));
    for (size_t c = 0; c < evaluation->count; c++) verdict->of[c] = evaluation->by_law[k][c];
    if (evaluation->count == 2) verdict->comparison = &evaluation->law_comparison[k];
  }
  ANK_CHECK(anorank_two_laws_conclude(out, err));
  if (!out->disagree) return ANORANK_OK;
  return ank_notes_add(&evaluation->notes, ANORANK_NOTE_DETAIL, err, "evaluate-laws-disagree",
                       "contrast rows of the laws '%s' and '%s' give different answers; read both",
                       out->combinations.law, out->extremes.law);
}
