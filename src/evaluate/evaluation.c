/* evaluation.c - evaluations of one model, of two, and over many splits. */
#include "criterion/bands.h"
#include "criterion/pooled.h"
#include "evaluate/agreement.h"
#include "evaluate/evaluate.h"
#include "model/model_context.h"

/* Replace settings that are NULL by the defaults. */
static anorank_status settled(const anorank_settings **settings, anorank_error *err) {
  *settings = ank_settings_or_default(*settings);
  return ank_bands_check(*settings, err);
}

anorank_status anorank_evaluate(anorank_evaluation **out, const anorank_model *model,
                                const anorank_table *table, const anorank_settings *settings,
                                anorank_error *err) {
  ANK_NEED(out);
  *out = NULL;
  ANK_NEED(table);
  ANK_CHECK(settled(&settings, err));
  ank_context_fit_of fit = {.settings = *settings, .table = table};
  anorank_status status = model ? ank_model_view(&fit.table, &fit.own, model, table, err)
                                : ank_context_fit_make(&fit, table, settings, err);
  if (status == ANORANK_OK)
    status = ank_evaluate(out, (const anorank_model *[2]){model, NULL}, 1, fit.table,
                          (const anorank_settings *[2]){&fit.settings, NULL}, err);
  ank_context_fit_free(&fit);
  return status;
}

/* One contrast sample cannot compare two fits that use different columns. */
static anorank_status refuse_context(const anorank_model *const models[2],
                                     const anorank_settings *const settings[2], anorank_error *err) {
  for (size_t c = 0; c < 2; c++) ANK_CHECK(ank_context_refuse(models[c], settings[c], err));
  return ANORANK_OK;
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
  ANK_CHECK(settled(&settings, err));
  if (!second_settings) second_settings = settings;
  ANK_CHECK(settled(&second_settings, err));
  ANK_CHECK(refuse_context((const anorank_model *[2]){first, second},
                           (const anorank_settings *[2]){settings, second_settings}, err));
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
    return ank_fail(err, ANORANK_ERROR_USAGE, "compare-splits", "%zu splits are out of range; use 5 to 1000",
                    splits);
  ANK_CHECK(settled(&settings, err));
  if (!second_settings) second_settings = settings;
  ANK_CHECK(settled(&second_settings, err));
  ANK_CHECK(refuse_context((const anorank_model *[2]){NULL, NULL},
                           (const anorank_settings *[2]){settings, second_settings}, err));
  return ank_evaluate_repeated(out, table, (const anorank_settings *[2]){settings, second_settings}, splits,
                               err);
}

/* ---- getters ----------------------------------------------------------------------------------------- */

const anorank_evaluation_info *anorank_evaluation_get_info(const anorank_evaluation *evaluation) {
  return evaluation ? &evaluation->info : NULL;
}

const anorank_notes *anorank_evaluation_notes(const anorank_evaluation *evaluation) {
  return evaluation ? &evaluation->notes : NULL;
}
