/* judge_json.c - the verdict for another program. The keys are part of the interface: add, never rename. */
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "judge.h"

static void number(cli_json *json, const char *key, double value) {
  cli_json_key(json, key);
  cli_json_number(json, value);
}

static void count(cli_json *json, const char *key, size_t value) {
  cli_json_key(json, key);
  cli_json_unsigned(json, value);
}

static void interval(cli_json *json, const char *key, anorank_interval value) {
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
    number(json, "sum", w[i].sum);
    number(json, "mean", w[i].mean);
    number(json, "p_value", w[i].p_value);
    number(json, "z", w[i].z);
    number(json, "null_mean", w[i].null_mean);
    number(json, "null_sd", w[i].null_sd);
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
    number(json, "from", partial[i].from);
    number(json, "to", partial[i].to);
    number(json, "area", partial[i].area.estimate);
    interval(json, "interval", partial[i].area);
    cli_json_close(json, '}');
  }
  cli_json_close(json, ']');
}

static void write_saturation(cli_json *json, const anorank_judgement *judgement) {
  anorank_saturation saturation = anorank_judgement_saturation(judgement);
  cli_json_key(json, "saturation");
  cli_json_open(json, '{', 0);
  number(json, "mass", saturation.mass);
  count(json, "inside", saturation.inside);
  number(json, "share", saturation.share);
  cli_json_key(json, "blind");
  cli_json_boolean(json, saturation.blind);
  cli_json_key(json, "verdict");
  cli_json_string(json, saturation.verdict);
  cli_json_close(json, '}');
}

static void write_area(cli_json *json, const char *key, anorank_interval area) {
  cli_json_key(json, key);
  cli_json_open(json, '{', 1);
  number(json, "area", area.estimate);
  number(json, "sd", area.sd);
  interval(json, "interval", area);
  cli_json_close(json, '}');
}

static void write_comparison(cli_json *json, const cli_verdict *verdict, double level) {
  const anorank_comparison *comparison = &verdict->comparison;
  char text[512];
  cli_json_key(json, "comparison");
  cli_json_open(json, '{', 0);
  write_area(json, "first", comparison->first);
  write_area(json, "second", comparison->second);
  number(json, "difference", comparison->difference.estimate);
  number(json, "difference_sd", comparison->difference.sd);
  interval(json, "difference_interval", comparison->difference);
  number(json, "z", comparison->z);
  number(json, "p_value", comparison->p_value);
  cli_json_key(json, "partial");
  cli_json_open(json, '{', 0);
  number(json, "from", comparison->partial_difference.from);
  number(json, "to", comparison->partial_difference.to);
  number(json, "difference", comparison->partial_difference.area.estimate);
  number(json, "difference_sd", comparison->partial_difference.area.sd);
  interval(json, "difference_interval", comparison->partial_difference.area);
  number(json, "z", comparison->partial_z);
  number(json, "p_value", comparison->partial_p_value);
  cli_json_close(json, '}');
  cli_judge_compared(text, sizeof text, verdict, level);
  cli_json_key(json, "verdict");
  cli_json_string(json, text);
  cli_json_close(json, '}');
}

static void write_labelled(cli_json *json, const cli_verdict *verdict) {
  const anorank_labelled *labelled = &verdict->labelled;
  cli_json_key(json, "labelled");
  cli_json_open(json, '{', 0);
  count(json, "normal", labelled->normal);
  count(json, "anomalies", labelled->anomalies);
  number(json, "roc_auc", labelled->roc_auc.estimate);
  number(json, "roc_auc_sd", labelled->roc_auc.sd);
  interval(json, "roc_auc_interval", labelled->roc_auc);
  number(json, "average_precision", labelled->average_precision);
  cli_json_key(json, "accuracy_lowest");
  cli_json_open(json, '[', 0);
  for (size_t i = 0; i < verdict->accuracy_count; i++) {
    cli_json_open(json, '{', 1);
    count(json, "k", verdict->accuracies[i].k);
    number(json, "accuracy", verdict->accuracies[i].accuracy);
    cli_json_close(json, '}');
  }
  cli_json_close(json, ']');
  cli_json_close(json, '}');
}

/* Those that can change the result: neither the threads nor the memory are among them, so that the bytes do
 * not depend on the machine. */
static void write_settings(cli_json *json, const cli_call *call) {
  const anorank_setting *setting;
  cli_json_key(json, "settings");
  cli_json_open(json, '{', 0);
  for (size_t i = 0; (setting = anorank_setting_at(i)) != NULL; i++) {
    char text[2048];
    if (!(setting->applies_to & ANORANK_FOR_JUDGE) && strcmp(setting->name, "seed") != 0) continue;
    anorank_settings_get(&call->settings, setting, text, sizeof text);
    cli_json_key(json, setting->name);
    switch (setting->kind) {
    case ANORANK_SETTING_UNSIGNED: cli_json_unsigned(json, strtoull(text, NULL, 10)); break;
    case ANORANK_SETTING_INTEGER:
    case ANORANK_SETTING_BYTES: cli_json_integer(json, strtoll(text, NULL, 10)); break;
    case ANORANK_SETTING_REAL: cli_json_number(json, strtod(text, NULL)); break;
    case ANORANK_SETTING_CHOICE:
    case ANORANK_SETTING_TEXT: cli_json_string(json, text); break;
    }
  }
  cli_json_close(json, '}');
}

void cli_judge_json(FILE *stream, const cli_verdict *verdict, const cli_call *call) {
  cli_json json;
  anorank_interval area = anorank_judgement_area(verdict->judgement);
  cli_json_start(&json, stream);
  cli_json_open(&json, '{', 0);
  count(&json, "n", anorank_judgement_n(verdict->judgement));
  count(&json, "m", anorank_judgement_m(verdict->judgement));
  number(&json, "area", area.estimate);
  interval(&json, "area_interval", area);
  number(&json, "area_sd", area.sd);
  write_w(&json, verdict->judgement);
  write_partial(&json, verdict->judgement);
  write_saturation(&json, verdict->judgement);
  if (verdict->other_x.values) write_comparison(&json, verdict, call->settings.level);
  if (verdict->labels) write_labelled(&json, verdict);
  write_settings(&json, call);
  cli_json_close(&json, '}');
  cli_json_end(&json);
}
