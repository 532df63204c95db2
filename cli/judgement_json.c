/* judgement_json.c - a judgement for another program; see judgement_parts.h. */
#include <stdlib.h>
#include <string.h>

#include "judgement_parts.h"

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

void cli_json_settings(cli_json *json, const cli_call *call, unsigned groups) {
  const anorank_setting *setting;
  cli_json_key(json, "settings");
  cli_json_open(json, '{', 0);
  for (size_t i = 0; (setting = anorank_setting_at(i)) != NULL; i++) {
    if (!(setting->applies_to & groups) && strcmp(setting->name, "seed") != 0) continue;
    ank_json_setting(json, call->settings, setting);
  }
  cli_json_close(json, '}');
}
