/* judgement_json.c - a judgement for another program; see judgement_parts.h. */
#include <stdlib.h>
#include <string.h>

#include "judgement_parts.h"

void cli_json_field(cli_json *json, const char *key, double value) {
  cli_json_key(json, key);
  cli_json_number(json, value);
}

void cli_json_count(cli_json *json, const char *key, size_t value) {
  cli_json_key(json, key);
  cli_json_unsigned(json, value);
}

void cli_json_text(cli_json *json, const char *key, const char *value) {
  cli_json_key(json, key);
  cli_json_string(json, value);
}

void cli_json_interval(cli_json *json, const char *key, anorank_interval value) {
  cli_json_key(json, key);
  cli_json_open(json, '[', 1);
  cli_json_number(json, value.low);
  cli_json_number(json, value.high);
  cli_json_close(json, ']');
}

static void write_w(cli_json *json, const anorank_judgement *judgement) {
  size_t functions;
  const anorank_w *w = anorank_judgement_w(judgement, &functions);
  cli_json_key(json, "w");
  cli_json_open(json, '{', 0);
  for (size_t i = 0; i < functions; i++) {
    cli_json_key(json, w[i].phi);
    cli_json_open(json, '{', 0);
    cli_json_field(json, "sum", w[i].sum);
    cli_json_field(json, "mean", w[i].mean);
    cli_json_field(json, "p_value", w[i].p_value);
    cli_json_field(json, "z", w[i].z);
    cli_json_field(json, "null_mean", w[i].null_mean);
    cli_json_field(json, "null_sd", w[i].null_sd);
    cli_json_key(json, "exact");
    cli_json_boolean(json, w[i].exact);
    cli_json_close(json, '}');
  }
  cli_json_close(json, '}');
}

static void write_partial(cli_json *json, const anorank_judgement *judgement) {
  size_t parts;
  const anorank_partial_area *partial = anorank_judgement_partial(judgement, &parts);
  cli_json_key(json, "partial_areas");
  cli_json_open(json, '[', 0);
  for (size_t i = 0; i < parts; i++) {
    cli_json_open(json, '{', 1);
    cli_json_field(json, "from", partial[i].from);
    cli_json_field(json, "to", partial[i].to);
    cli_json_field(json, "area", partial[i].area.estimate);
    cli_json_interval(json, "interval", partial[i].area);
    cli_json_close(json, '}');
  }
  cli_json_close(json, ']');
}

static void write_saturation(cli_json *json, const anorank_judgement *judgement) {
  anorank_saturation saturation = anorank_judgement_saturation(judgement);
  cli_json_key(json, "saturation");
  cli_json_open(json, '{', 0);
  cli_json_field(json, "mass", saturation.mass);
  cli_json_count(json, "inside", saturation.inside);
  cli_json_field(json, "share", saturation.share);
  cli_json_key(json, "blind");
  cli_json_boolean(json, saturation.blind);
  cli_json_text(json, "verdict", saturation.verdict);
  cli_json_close(json, '}');
}

void cli_json_judgement(cli_json *json, const anorank_judgement *judgement) {
  anorank_interval area = anorank_judgement_area(judgement);
  cli_json_count(json, "n", anorank_judgement_n(judgement));
  cli_json_count(json, "m", anorank_judgement_m(judgement));
  cli_json_field(json, "area", area.estimate);
  cli_json_interval(json, "area_interval", area);
  cli_json_field(json, "area_sd", area.sd);
  write_w(json, judgement);
  write_partial(json, judgement);
  write_saturation(json, judgement);
}

static void write_area(cli_json *json, const char *key, anorank_interval area) {
  cli_json_key(json, key);
  cli_json_open(json, '{', 1);
  cli_json_field(json, "area", area.estimate);
  cli_json_field(json, "sd", area.sd);
  cli_json_interval(json, "interval", area);
  cli_json_close(json, '}');
}

void cli_json_comparison(cli_json *json, const anorank_comparison *comparison, const char *verdict) {
  cli_json_key(json, "comparison");
  cli_json_open(json, '{', 0);
  write_area(json, "first", comparison->first);
  write_area(json, "second", comparison->second);
  cli_json_field(json, "difference", comparison->difference.estimate);
  cli_json_field(json, "difference_sd", comparison->difference.sd);
  cli_json_interval(json, "difference_interval", comparison->difference);
  cli_json_field(json, "z", comparison->z);
  cli_json_field(json, "p_value", comparison->p_value);
  cli_json_key(json, "partial");
  cli_json_open(json, '{', 0);
  cli_json_field(json, "from", comparison->partial_difference.from);
  cli_json_field(json, "to", comparison->partial_difference.to);
  cli_json_field(json, "difference", comparison->partial_difference.area.estimate);
  cli_json_field(json, "difference_sd", comparison->partial_difference.area.sd);
  cli_json_interval(json, "difference_interval", comparison->partial_difference.area);
  cli_json_field(json, "z", comparison->partial_z);
  cli_json_field(json, "p_value", comparison->partial_p_value);
  cli_json_close(json, '}');
  cli_json_text(json, "verdict", verdict);
  cli_json_close(json, '}');
}

void cli_json_labelled(cli_json *json, const anorank_labelled *labelled, const anorank_precision *precision,
                       size_t count, const char *list, const char *value) {
  cli_json_key(json, "labelled");
  cli_json_open(json, '{', 0);
  cli_json_count(json, "normal", labelled->normal);
  cli_json_count(json, "anomalies", labelled->anomalies);
  cli_json_field(json, "roc_auc", labelled->roc_auc.estimate);
  cli_json_field(json, "roc_auc_sd", labelled->roc_auc.sd);
  cli_json_interval(json, "roc_auc_interval", labelled->roc_auc);
  cli_json_field(json, "average_precision", labelled->average_precision);
  cli_json_key(json, list);
  cli_json_open(json, '[', 0);
  for (size_t i = 0; i < count; i++) {
    cli_json_open(json, '{', 1);
    cli_json_count(json, "k", precision[i].k);
    cli_json_field(json, value, precision[i].precision);
    cli_json_close(json, '}');
  }
  cli_json_close(json, ']');
  cli_json_close(json, '}');
}

void cli_json_settings(cli_json *json, const cli_call *call, unsigned groups) {
  const anorank_setting *setting;
  cli_json_key(json, "settings");
  cli_json_open(json, '{', 0);
  for (size_t i = 0; (setting = anorank_setting_at(i)) != NULL; i++) {
    if (!(setting->applies_to & groups) && strcmp(setting->name, "seed") != 0) continue;
    cli_json_setting(json, call->settings, setting);
  }
  cli_json_close(json, '}');
}
