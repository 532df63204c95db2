/* result_json.c - see result_json.h. */
#include "report/result_json.h"

#include <math.h>

#include "ranking/headline.h"

/* ---- judgements -------------------------------------------------------------------------------------- */

void ank_json_interval(ank_json *json, const char *key, anorank_interval value) {
  ank_json_numbers(json, key, (const double[]){value.low, value.high}, 2);
}

void ank_json_difference(ank_json *json, anorank_interval difference, double z, double p_value) {
  ank_json_field(json, "difference", difference.estimate);
  ank_json_field(json, "difference_sd", difference.sd);
  ank_json_interval(json, "difference_interval", difference);
  ank_json_field(json, "z", z);
  ank_json_field(json, "p_value", p_value);
}

void ank_json_judgement(ank_json *json, const anorank_judgement *judgement) {
  const anorank_judgement_info *info = anorank_judgement_get_info(judgement);
  ank_json_count(json, "n", info->n);
  ank_json_count(json, "m", info->m);
  ank_json_field(json, "area", info->area.estimate);
  ank_json_interval(json, "area_interval", info->area);
  ank_json_field(json, "area_sd", info->area.sd);
  ank_json_open_key(json, "w", '{', 0);
  for (const anorank_w *w = info->w; w < info->w + info->w_count; w++) {
    ank_json_open_key(json, w->phi, '{', 0);
    ank_json_field(json, "sum", w->sum);
    ank_json_field(json, "mean", w->mean);
    ank_json_field(json, "p_value", w->p_value);
    ank_json_field(json, "z", w->z);
    ank_json_field(json, "null_mean", w->null_mean);
    ank_json_field(json, "null_sd", w->null_sd);
    ank_json_flag(json, "exact", w->exact);
    ank_json_close(json, '}');
  }
  ank_json_close(json, '}');
  ank_json_open_key(json, "partial_areas", '[', 0);
  for (const anorank_partial_area *part = info->partial; part < info->partial + info->partial_count; part++) {
    ank_json_open(json, '{', 1);
    ank_json_field(json, "from", part->from);
    ank_json_field(json, "to", part->to);
    ank_json_field(json, "area", part->area.estimate);
    ank_json_interval(json, "interval", part->area);
    ank_json_close(json, '}');
  }
  ank_json_close(json, ']');
  ank_json_open_key(json, "saturation", '{', 0);
  ank_json_field(json, "mass", info->saturation->mass);
  ank_json_count(json, "inside", info->saturation->inside);
  ank_json_field(json, "share", info->saturation->share);
  ank_json_flag(json, "blind", info->saturation->blind);
  ank_json_words(json, "verdict", info->saturation->conclusion);
  ank_json_close(json, '}');
}

/* ---- notes ------------------------------------------------------------------------------------------- */

void ank_json_notes(ank_json *json, const anorank_notes *notes) {
  ank_json_open_key(json, "notes", '[', 0);
  for (size_t i = 0; i < anorank_notes_count(notes); i++)
    ank_json_string(json, anorank_notes_at(notes, i)->text);
  ank_json_close(json, ']');
  ank_json_open_key(json, "note_codes", '[', 0);
  for (size_t i = 0; i < anorank_notes_count(notes); i++)
    ank_json_string(json, anorank_notes_at(notes, i)->code);
  ank_json_close(json, ']');
}

/* ---- evaluations ------------------------------------------------------------------------------------- */

void ank_json_agreement(ank_json *json, const char *key, const anorank_agreement *agreement) {
  ank_json_key(json, key);
  if (!agreement) {
    ank_json_string(json, NULL);
    return;
  }
  ank_json_open(json, '{', 0);
  ank_json_count(json, "rows", agreement->rows);
  ank_json_field(json, "spearman", agreement->spearman);
  ank_json_open_key(json, "lowest", '[', 0);
  for (size_t i = 0; i < ANORANK_AGREEMENT_SHARES; i++) {
    const anorank_overlap *lowest = &agreement->lowest[i];
    ank_json_open(json, '{', 1);
    ank_json_field(json, "share", lowest->share);
    ank_json_count(json, "rows", lowest->rows);
    ank_json_field(json, "overlap", lowest->overlap);
    ank_json_field(json, "by_chance", lowest->by_chance);
    ank_json_close(json, '}');
  }
  ank_json_close(json, ']');
  ank_json_close(json, '}');
}

void ank_json_labelled(ank_json *json, const anorank_labelled *labelled, const anorank_precision *precision,
                       size_t count, const char *list, const char *value) {
  ank_json_open_key(json, "labelled", '{', 0);
  ank_json_count(json, "normal", labelled->normal);
  ank_json_count(json, "anomalies", labelled->anomalies);
  ank_json_field(json, "roc_auc", labelled->roc_auc.estimate);
  ank_json_field(json, "roc_auc_sd", labelled->roc_auc.sd);
  ank_json_interval(json, "roc_auc_interval", labelled->roc_auc);
  ank_json_field(json, "average_precision", labelled->average_precision);
  ank_json_open_key(json, list, '[', 0);
  for (size_t i = 0; i < count; i++) {
    ank_json_open(json, '{', 1);
    ank_json_count(json, "k", precision[i].k);
    ank_json_field(json, value, precision[i].precision);
    ank_json_close(json, '}');
  }
  ank_json_close(json, ']');
  ank_json_close(json, '}');
}

void ank_json_contestant(ank_json *json, const anorank_evaluation *evaluation, size_t which,
                         const char *name) {
  const anorank_evaluated *one = anorank_evaluation_get_info(evaluation)->of[which];
  ank_json_words(json, "name", name);
  ank_json_words(json, "scorer", one->scorer);
  ank_json_judgement(json, one->judgement);
  if (one->labelled)
    ank_json_labelled(json, one->labelled, one->precision, one->precision_count, "precision_lowest",
                      "precision");
}

static void put_law(ank_json *json, const anorank_law_verdict *verdict) {
  static const char *const outcomes[] = {"blind",    "undecided", "weak",  "separates",
                                         "reversed", "first",     "second"};
  const anorank_comparison *comparison = verdict->comparison;
  ank_json_open_key(json, verdict->kind, '{', 0);
  ank_json_words(json, "law", verdict->law);
  ank_json_words(json, "outcome", outcomes[verdict->outcome]);
  for (size_t c = 0; comparison && c < 2; c++) {
    ank_json_open_key(json, c == 0 ? "first" : "second", '{', 0);
    ank_json_judgement(json, verdict->of[c]);
    ank_json_close(json, '}');
  }
  if (comparison)
    ank_json_difference(json, comparison->difference, comparison->z, comparison->p_value);
  else
    ank_json_judgement(json, verdict->of[0]);
  ank_json_close(json, '}');
}

void ank_json_laws(ank_json *json, const anorank_two_laws *laws) {
  ank_json_open_key(json, "laws", '{', 0);
  ank_json_words(json, "verdict", laws->conclusion);
  ank_json_flag(json, "disagree", laws->disagree);
  put_law(json, &laws->combinations);
  put_law(json, &laws->extremes);
  ank_json_close(json, '}');
}

void ank_json_evaluation(ank_json *json, const anorank_evaluation *evaluation) {
  const anorank_evaluation_info *info = anorank_evaluation_get_info(evaluation);
  ank_json_words(json, "verdict", info->conclusion);
  ank_json_words(json, "not_proven", info->caveat);
  ank_json_flag(json, "blind", info->blind);
  ank_json_words(json, "law", info->law);
  ank_json_flag(json, "is_volume", info->is_volume);
  ank_json_count(json, "fit_rows", info->fit_rows);
  ank_json_laws(json, info->laws);
}

/* ---- headlines --------------------------------------------------------------------------------------- */

void ank_json_dependence(ank_json *json, const char *key, const anorank_dependence *found) {
  ank_json_open_key(json, key, '{', 0);
  ank_json_flag(json, "tested", found->tested);
  if (found->tested) {
    ank_json_flag(json, "dependent", found->dependent);
    ank_json_count(json, "rows", found->rows);
    ank_json_field(json, "nearness", found->nearness);
    ank_json_field(json, "z", found->z);
    ank_json_count(json, "reach", found->reach);
    ank_json_words(json, "entity", *found->entity ? found->entity : NULL);
  }
  ank_json_close(json, '}');
}

const char *ank_json_tier(anorank_tier tier) { return ank_tier_word(tier); }

void ank_json_headline(ank_json *json, const char *key, const anorank_ranking *ranking) {
  const anorank_ranking_info *info = anorank_ranking_get_info(ranking);
  const anorank_headline *headline = &info->headline;
  static const char *const kinds[] = {"none", "rate", "apart", "dependent", "shift"};
  ank_json_open_key(json, key, '{', 0);
  ank_json_words(json, "kind", kinds[headline->kind]);
  ank_json_words(json, "text", info->answer);
  ank_json_field(json, "rate", headline->rate > 0 ? headline->rate : NAN);
  ank_json_count(json, "selected", info->discoveries);
  ank_json_count(json, "apart", headline->apart);
  ank_json_count(json, "unusual", headline->unusual);
  ank_json_field(json, "differing", headline->differing);
  ank_json_words(json, "shifted", *headline->shifted ? headline->shifted : NULL);
  ank_json_dependence(json, "dependence", &headline->dependence);
  if (headline->entities > 0) {
    ank_json_count(json, "entities", headline->entities);
    ank_json_count(json, "incidents", headline->incidents);
    ank_json_count(json, "incident_entities", headline->incident_entities);
    ank_json_count(json, "listed_incidents", headline->listed_incidents);
    ank_json_field(json, "false_incidents_per_1000_rows", headline->false_incidents);
    ank_json_field(json, "false_incidents_per_day", headline->false_incidents_per_day);
  }
  ank_json_close(json, '}');
}

static void put_row_number(ank_json *json, const char *key, size_t row) {
  ank_json_key(json, key);
  if (row == SIZE_MAX)
    ank_json_string(json, NULL);
  else
    ank_json_unsigned(json, row + 1);
}

void ank_json_silences(ank_json *json, const char *key, const anorank_ranking *ranking) {
  const anorank_ranking_info *info = anorank_ranking_get_info(ranking);
  ank_json_open_key(json, key, '[', 0);
  for (size_t i = 0; i < info->silence_count; i++) {
    const anorank_silence *one = &info->silences[i];
    ank_json_open(json, '{', 1);
    ank_json_words(json, "entity", *one->entity ? one->entity : NULL);
    ank_json_words(json, "from", one->from_text);
    ank_json_words(json, "to", one->to_text);
    put_row_number(json, "row_before", one->before);
    put_row_number(json, "row_after", one->after);
    ank_json_close(json, '}');
  }
  ank_json_close(json, ']');
}

void ank_json_ranking(ank_json *json, const anorank_model *model, const anorank_ranking *ranking) {
  const anorank_ranking_info *info = anorank_ranking_get_info(ranking);
  ank_json_count(json, "rows", info->rows);
  ank_json_count(json, "reported", info->count);
  ank_json_words(json, "scorer", anorank_model_get_info(model)->scorer);
  ank_json_count(json, "calibration_rows", anorank_model_get_info(model)->calibration->rows);
  ank_json_words(json, "note", info->note);
  ank_json_words(json, "note_code", info->note_code);
  ank_json_words(json, "reach", info->reach);
  ank_json_words(json, "reach_code", info->reach_code);
  ank_json_words(json, "resolution", info->resolution);
  ank_json_words(json, "resolution_code", info->resolution_code);
  ank_json_headline(json, "headline", ranking);
  ank_json_words(json, "expected_incidents", info->expected);
  ank_json_silences(json, "silences", ranking);
}

/* ---- reasons ----------------------------------------------------------------------------------------- */

static void put_number(ank_json *json, const char *key, double value) {
  if (!isnan(value)) ank_json_field(json, key, value);
}

static void put_string(ank_json *json, const char *key, const char *value) {
  if (value) ank_json_words(json, key, value);
}

static const char *kind_word(anorank_reason_kind kind) {
  static const char *const words[] = {
      "usual",     "high",      "low",           "together",       "rare level", "missing",  "new level",
      "new value", "hour",      "weekday",       "present",        "new code",   "new pair", "own past",
      "own gap",   "own count", "own new level", "own rare level", "month"};
  return (size_t)kind < sizeof words / sizeof words[0] ? words[kind] : "other";
}

static void put_reason(ank_json *json, const anorank_reason *reason) {
  char text[1024];
  anorank_reason_text(reason, text, sizeof text);
  put_string(json, "column", reason->column);
  put_string(json, "kind", kind_word(reason->kind));
  put_number(json, "contribution", reason->contribution);
  put_number(json, "value", reason->number);
  put_string(json, "value", reason->level);
  put_number(json, "share", reason->share);
  if (reason->level_rank > 0) {
    put_number(json, "level_rows", (double)reason->level_rows);
    put_number(json, "level_rank", (double)reason->level_rank);
    put_number(json, "levels", (double)reason->levels);
  }
  put_number(json, "usual_low", reason->usual_low);
  put_number(json, "usual_high", reason->usual_high);
  put_number(json, "similar_low", reason->similar_low);
  put_number(json, "similar_high", reason->similar_high);
  put_string(json, "similar_level", reason->similar_level);
  put_number(json, "similar_share", reason->similar_share);
  put_number(json, "similar_level_share", reason->similar_level_share);
  put_string(json, "twin", reason->twin);
  if (reason->kind >= ANORANK_REASON_OWN_PAST) {
    put_string(json, "entity", reason->entity);
    put_number(json, "usual_level", reason->usual_level);
    put_number(json, "earlier_rows", (double)reason->earlier_rows);
    if (reason->kind == ANORANK_REASON_OWN_COUNT) put_number(json, "window", reason->window);
  }
  if (reason->partners > 0) ank_json_open_key(json, "partners", '[', 1);
  for (size_t k = 0; k < reason->partners; k++) {
    ank_json_open(json, '{', 1);
    put_string(json, "column", reason->partner[k].column);
    put_number(json, "value", reason->partner[k].number);
    put_string(json, "value", reason->partner[k].level);
    put_number(json, "low", reason->partner[k].low);
    put_number(json, "high", reason->partner[k].high);
    ank_json_close(json, '}');
  }
  if (reason->partners > 0) ank_json_close(json, ']');
  if (reason->compared_rows > 0) put_number(json, "compared_rows", (double)reason->compared_rows);
  put_string(json, "text", text);
}

void ank_json_reasons(ank_json *json, const char *key, const anorank_ranking *ranking, size_t i,
                      int compact) {
  const anorank_reason *reason;
  ank_json_open_key(json, key, '[', compact);
  for (size_t k = 0; (reason = anorank_ranking_reason(ranking, i, k)) != NULL; k++) {
    ank_json_open(json, '{', 1);
    put_reason(json, reason);
    ank_json_close(json, '}');
  }
  ank_json_close(json, ']');
}

/* ---- columns ----------------------------------------------------------------------------------------- */

const char *ank_role_word(anorank_role role) {
  static const char *const words[] = {"numeric",  "categorical", "id",  "dropped",
                                      "constant", "unusable",    "time"};
  return (size_t)role < sizeof words / sizeof words[0] ? words[role] : "unknown";
}

/* ---- errors ------------------------------------------------------------------------------------------ */

static void put_filled(ank_json *json, const char *key, const char *value) {
  if (*value) ank_json_words(json, key, value);
}

void ank_json_error(ank_json *json, const anorank_error *err) {
  const char *setting, *value;
  ank_json_words(json, "code", err->code);
  ank_json_words(json, "status", anorank_status_name(err->status));
  ank_json_words(json, "message", err->message);
  put_filled(json, "file", err->file);
  if (err->line > 0) ank_json_count(json, "line", (size_t)err->line);
  if (err->row > 0) ank_json_count(json, "row", (size_t)err->row);
  put_filled(json, "column", err->column);
  put_filled(json, "setting", err->setting);
  ank_json_open_key(json, "remedies", '[', 1);
  for (size_t i = 0; anorank_error_remedy(err, i, &setting, &value); i++) {
    ank_json_open(json, '{', 1);
    ank_json_words(json, "setting", setting);
    ank_json_words(json, "value", value);
    ank_json_close(json, '}');
  }
  ank_json_close(json, ']');
}

/* ---- settings ---------------------------------------------------------------------------------------- */

void ank_json_setting(ank_json *json, const anorank_settings *settings, const anorank_setting *setting) {
  const char *name = setting->name;
  char word[64];
  ank_json_key(json, name);
  switch (setting->kind) {
  case ANORANK_SETTING_UNSIGNED:
    ank_json_unsigned(json, (uint64_t)anorank_settings_integer(settings, name));
    break;
  case ANORANK_SETTING_INTEGER:
  case ANORANK_SETTING_BYTES: ank_json_integer(json, anorank_settings_integer(settings, name)); break;
  case ANORANK_SETTING_REAL: ank_json_number(json, anorank_settings_number(settings, name)); break;
  case ANORANK_SETTING_CHOICE:
    anorank_settings_get(settings, name, word, sizeof word);
    ank_json_string(json, word);
    break;
  case ANORANK_SETTING_TEXT:
  case ANORANK_SETTING_LIST: ank_json_string(json, anorank_settings_text(settings, name)); break;
  }
}
