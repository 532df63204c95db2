/* result_json.h - parts of results as JSON, for the command line and for reports. The keys are part of the
 * interface: add, never rename. Uses the public headers only. */
#ifndef ANK_REPORT_RESULT_JSON_H
#define ANK_REPORT_RESULT_JSON_H

#include "anorank/criterion.h"
#include "anorank/experimental.h"
#include "core/json_writer.h"

void ank_json_interval(ank_json *json, const char *key, anorank_interval value); /* [low, high] */

/* Write a difference with its interval and test, as fields of the open object. */
void ank_json_difference(ank_json *json, anorank_interval difference, double z, double p_value);

/* Write n, m, area, W, partial areas and saturation, as fields of the open object. */
void ank_json_judgement(ank_json *json, const anorank_judgement *judgement);

/* Write an object under `key`; null if absent. */
void ank_json_agreement(ank_json *json, const char *key, const anorank_agreement *agreement);

/* Write "labelled"; `list`, `value`: the keys of the array over k and of its numbers. */
void ank_json_labelled(ank_json *json, const anorank_labelled *labelled, const anorank_precision *precision,
                       size_t count, const char *list, const char *value);

/* Write "laws": the results by two contrast laws, and both together. */
void ank_json_laws(ank_json *json, const anorank_two_laws *laws);

/* Write an evaluation, as fields of the open object: verdict, law, whether it is blind; and the judgement and
 * labels of one model, called `name`. */
void ank_json_evaluation(ank_json *json, const anorank_evaluation *evaluation);
void ank_json_contestant(ank_json *json, const anorank_evaluation *evaluation, size_t which,
                         const char *name);

/* Return "numeric", "categorical", "id", "dropped", "constant", "unusable" or "time". */
const char *ank_role_word(anorank_role role);

/* Write "notes": their sentences. */
void ank_json_notes(ank_json *json, const anorank_notes *notes);

/* Write the reasons of finding i, with their sentences, as an array under `key`. */
void ank_json_reasons(ank_json *json, const char *key, const anorank_ranking *ranking, size_t i, int compact);

/* Write counts, sentences, the headline and silences of a ranking, as fields of the open object. */
void ank_json_ranking(ank_json *json, const anorank_model *model, const anorank_ranking *ranking);

/* Write code, status, message, place and remedies of an error, as fields of the open object. */
void ank_json_error(ank_json *json, const anorank_error *err);

/* Write a setting by its name, as a typed value. */
void ank_json_setting(ank_json *json, const anorank_settings *settings, const anorank_setting *setting);

/* Write the headline of all rows, and whether they depend on each other. */
void ank_json_headline(ank_json *json, const char *key, const anorank_ranking *ranking);
/* Write times without rows of an entity (setting expect_every) as an array under `key`; rows count from 1. */
void ank_json_silences(ank_json *json, const char *key, const anorank_ranking *ranking);
const char *ank_json_tier(anorank_tier tier); /* "apart", "unusual", "rest" */
void ank_json_dependence(ank_json *json, const char *key, const anorank_dependence *found);

#endif
