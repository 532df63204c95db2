/* api_evaluate.c - evaluations for the outside: arguments are checked here, then inward. */
#include "criterion/bands.h"
#include "criterion/pooled.h"
#include "evaluate/agreement.h"
#include "evaluate/evaluate.h"

/* Settings that may be NULL for the defaults. */
static anorank_status settled(const anorank_settings **settings, anorank_error *err) {
  *settings = ank_settings_or_default(*settings);
  return ank_bands_check(*settings, err);
}

anorank_status anorank_agree(anorank_agreement *out, const double *first, const double *second, size_t n,
                             const anorank_settings *settings, anorank_error *err) {
  ANK_NEED(out);
  ANK_NEED(first);
  ANK_NEED(second);
  if (n < 2 || n > UINT32_MAX)
    return ank_fail(err, ANORANK_ERROR_DATA, "agreement-row-count",
                    "there are %zu rows; two orders are compared on 2 to %lu", n, (unsigned long)UINT32_MAX);
  settings = ank_settings_or_default(settings);
  anorank_status status = ank_scores_check(first, n, "row (first order)", err);
  if (status == ANORANK_OK) status = ank_scores_check(second, n, "row (second order)", err);
  return status == ANORANK_OK ? ank_agree(out, first, second, n, settings, err) : status;
}

anorank_status anorank_evaluate(anorank_evaluation **out, const anorank_model *model,
                                const anorank_table *table, const anorank_settings *settings,
                                anorank_error *err) {
  ANK_NEED(out);
  *out = NULL;
  ANK_NEED(table);
  anorank_status status = settled(&settings, err);
  if (status != ANORANK_OK) return status;
  return ank_evaluate(out, (const anorank_model *[2]){model, NULL}, 1, table,
                      (const anorank_settings *[2]){settings, NULL}, err);
}

anorank_status anorank_evaluate_two(anorank_evaluation **out, const anorank_model *first,
                                    const anorank_model *second, const anorank_table *table,
                                    const anorank_settings *settings, const anorank_settings *second_settings,
                                    anorank_error *err) {
  ANK_NEED(out);
  *out = NULL;
  ANK_NEED(table);
  if (!first != !second)
    return ank_fail(err, ANORANK_ERROR_USAGE, "compare-models",
                    "give both models, or neither and the settings to fit two");
  anorank_status status = settled(&settings, err);
  if (!second_settings) second_settings = settings;
  if (status == ANORANK_OK) status = settled(&second_settings, err);
  if (status != ANORANK_OK) return status;
  return ank_evaluate(out, (const anorank_model *[2]){first, second}, 2, table,
                      (const anorank_settings *[2]){settings, second_settings}, err);
}

anorank_status anorank_evaluate_repeated(anorank_repeats *out, const anorank_table *table,
                                         const anorank_settings *settings,
                                         const anorank_settings *second_settings, size_t splits,
                                         anorank_error *err) {
  ANK_NEED(out);
  *out = (anorank_repeats){0};
  ANK_NEED(table);
  if (splits < 5 || splits > 1000)
    return ank_fail(err, ANORANK_ERROR_USAGE, "compare-splits",
                    "%zu splits were asked for; it takes 5 to 1000", splits);
  anorank_status status = settled(&settings, err);
  if (!second_settings) second_settings = settings;
  if (status == ANORANK_OK) status = settled(&second_settings, err);
  if (status != ANORANK_OK) return status;
  return ank_evaluate_repeated(out, table, (const anorank_settings *[2]){settings, second_settings}, splits,
                               err);
}

void anorank_evaluation_free(anorank_evaluation *evaluation) { ank_evaluation_free(evaluation); }

/* ---- getters ----------------------------------------------------------------------------------------- */

static const ank_found *found_of(const anorank_evaluation *evaluation, size_t which) {
  return evaluation && which < evaluation->count ? &evaluation->found[which] : NULL;
}

const anorank_judgement *anorank_evaluation_judgement(const anorank_evaluation *evaluation, size_t which) {
  const ank_found *found = found_of(evaluation, which);
  return found ? found->judgement : NULL;
}

const char *anorank_evaluation_scorer(const anorank_evaluation *evaluation, size_t which) {
  const ank_found *found = found_of(evaluation, which);
  return found ? found->scorer : NULL;
}

const anorank_labelled *anorank_evaluation_labelled(const anorank_evaluation *evaluation, size_t which) {
  const ank_found *found = found_of(evaluation, which);
  return found && evaluation->has_labels ? &found->labelled : NULL;
}

const anorank_precision *anorank_evaluation_precision(const anorank_evaluation *evaluation, size_t which,
                                                      size_t *count) {
  const ank_found *found = found_of(evaluation, which);
  if (count) *count = found ? found->precisions : 0;
  return found && found->precisions > 0 ? found->precision : NULL;
}

const anorank_agreement *anorank_evaluation_stability(const anorank_evaluation *evaluation) {
  return evaluation && evaluation->has_stability ? &evaluation->stability : NULL;
}

const anorank_comparison *anorank_evaluation_comparison(const anorank_evaluation *evaluation) {
  return evaluation && evaluation->count == 2 ? &evaluation->comparison : NULL;
}

const anorank_agreement *anorank_evaluation_agreement(const anorank_evaluation *evaluation) {
  return evaluation && evaluation->count == 2 ? &evaluation->agreement : NULL;
}

const anorank_auc_difference *anorank_evaluation_auc_difference(const anorank_evaluation *evaluation) {
  return evaluation && evaluation->has_auc_difference ? &evaluation->auc_difference : NULL;
}

const char *anorank_evaluation_law(const anorank_evaluation *evaluation) {
  return evaluation ? evaluation->law : NULL;
}

int anorank_evaluation_is_volume(const anorank_evaluation *evaluation) {
  return evaluation ? evaluation->is_volume : 0;
}

int anorank_evaluation_blind(const anorank_evaluation *evaluation) {
  return evaluation ? evaluation->blind : 1;
}

size_t anorank_evaluation_fit_rows(const anorank_evaluation *evaluation) {
  return evaluation ? evaluation->fit_rows : 0;
}

size_t anorank_evaluation_notes(const anorank_evaluation *evaluation) {
  return evaluation ? evaluation->notes.count : 0;
}

const char *anorank_evaluation_note(const anorank_evaluation *evaluation, size_t i) {
  return i < anorank_evaluation_notes(evaluation) ? evaluation->notes.list[i].text : NULL;
}

const char *anorank_evaluation_verdict(const anorank_evaluation *evaluation) {
  return evaluation ? evaluation->verdict : NULL;
}

const char *anorank_evaluation_caveat(const anorank_evaluation *evaluation) {
  return evaluation ? ank_evaluation_caveat(evaluation) : NULL;
}

const char *anorank_evaluation_note_code(const anorank_evaluation *evaluation, size_t i) {
  return i < anorank_evaluation_notes(evaluation) ? evaluation->notes.list[i].code : "";
}
