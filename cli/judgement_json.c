/* judgement_json.c - a judgement for another program; see judgement_parts.h. */
#include <stdlib.h>
#include <string.h>

#include "judgement_parts.h"

static void write_area(ank_json *json, const char *key, anorank_interval area) {
  ank_json_open_key(json, key, '{', 1);
  ank_json_field(json, "area", area.estimate);
  ank_json_field(json, "sd", area.sd);
  ank_json_interval(json, "interval", area);
  ank_json_close(json, '}');
}

void cli_json_comparison(ank_json *json, const anorank_comparison *comparison, const char *result) {
  ank_json_open_key(json, "comparison", '{', 0);
  write_area(json, "first", comparison->first);
  write_area(json, "second", comparison->second);
  ank_json_difference(json, comparison->difference, comparison->z, comparison->p_value);
  ank_json_open_key(json, "partial", '{', 0);
  ank_json_field(json, "from", comparison->partial_difference.from);
  ank_json_field(json, "to", comparison->partial_difference.to);
  ank_json_difference(json, comparison->partial_difference.area, comparison->partial_z,
                      comparison->partial_p_value);
  ank_json_close(json, '}');
  ank_json_words(json, "verdict", result);
  ank_json_close(json, '}');
}

void cli_json_settings(ank_json *json, const cli_call *call, unsigned groups) {
  const anorank_setting *setting;
  ank_json_open_key(json, "settings", '{', 0);
  for (size_t i = 0; (setting = anorank_setting_at(i)) != NULL; i++) {
    if (!(setting->applies_to & groups) && strcmp(setting->name, "seed") != 0) continue;
    ank_json_setting(json, call->settings, setting);
  }
  ank_json_close(json, '}');
}
