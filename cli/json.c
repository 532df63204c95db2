/* json.c - see json.h. */
#include "json.h"

#include <string.h>

/* A stream remembers failures; closing checks them. */
static anorank_status put(void *context, const void *bytes, size_t length, anorank_error *err) {
  (void)err;
  (void)fwrite(bytes, 1, length, (FILE *)context);
  return ANORANK_OK;
}

void cli_json_start(ank_json *json, FILE *stream) { ank_json_start(json, put, stream, NULL); }

void cli_json_open(ank_json *json, FILE *stream) {
  cli_json_start(json, stream);
  ank_json_open(json, '{', 0);
}

void cli_json_close(ank_json *json) {
  ank_json_close(json, '}');
  ank_json_end(json);
}

/* ---- models ------------------------------------------------------------------------------------------ */

const char *cli_changed_setting(const anorank_model *model, const anorank_setting *setting, char *value,
                                size_t size) {
  char usual[2048];
  anorank_settings_get(NULL, setting->name, usual, sizeof usual);
  anorank_settings_get(anorank_model_settings(model), setting->name, value, size);
  return strcmp(value, usual) == 0 ? NULL : value;
}

static void json_columns(ank_json *json, const anorank_model *model) {
  ank_json_open_key(json, "columns", '[', 0);
  for (size_t i = 0; i < anorank_model_get_info(model)->columns; i++) {
    anorank_model_column column = *anorank_model_column_at(model, i);
    ank_json_open(json, '{', 1);
    ank_json_words(json, "name", column.name);
    ank_json_words(json, "role", ank_role_word(column.role));
    ank_json_field(json, "missing_share", column.missing_share);
    if (column.role == ANORANK_ROLE_NUMERIC) {
      ank_json_field(json, "low", column.low);
      ank_json_field(json, "median", column.median);
      ank_json_field(json, "high", column.high);
    }
    if (column.role == ANORANK_ROLE_CATEGORICAL) ank_json_count(json, "levels", column.levels);
    ank_json_count(json, "features", column.features);
    ank_json_close(json, '}');
  }
  ank_json_close(json, ']');
}

void cli_model_json(ank_json *json, const anorank_model *model) {
  const anorank_model_info *info = anorank_model_get_info(model);
  char value[2048];
  ank_json_words(json, "scorer", info->scorer);
  ank_json_count(json, "train_rows", info->train_rows);
  ank_json_count(json, "known_rows", info->known_rows);
  ank_json_count(json, "bytes", info->bytes);
  ank_json_count(json, "calibration_rows", info->calibration->rows);
  ank_json_field(json, "smallest_p_value", info->calibration->smallest_p_value);
  ank_json_words(json, "p_values", info->p_values);
  json_columns(json, model);
  ank_json_open_key(json, "settings", '{', 0);
  for (size_t i = 0; anorank_setting_at(i); i++)
    if (cli_changed_setting(model, anorank_setting_at(i), value, sizeof value))
      ank_json_words(json, anorank_setting_at(i)->name, value);
  ank_json_close(json, '}');
  ank_json_notes(json, anorank_model_notes(model));
}
