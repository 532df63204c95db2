/* model_json.c - see model_json.h. */
#include "model_json.h"

#include <string.h>

#include "model_options.h"

const char *cli_changed_setting(const anorank_model *model, const anorank_setting *setting, char *value,
                                size_t size) {
  char usual[2048];
  anorank_settings_get(NULL, setting->name, usual, sizeof usual);
  anorank_settings_get(anorank_model_settings(model), setting->name, value, size);
  return strcmp(value, usual) == 0 ? NULL : value;
}

static void number(cli_json *json, const char *key, double value) {
  cli_json_key(json, key);
  cli_json_number(json, value);
}

static void count(cli_json *json, const char *key, size_t value) {
  cli_json_key(json, key);
  cli_json_unsigned(json, value);
}

static void string(cli_json *json, const char *key, const char *value) {
  cli_json_key(json, key);
  cli_json_string(json, value);
}

static void json_columns(cli_json *json, const anorank_model *model) {
  cli_json_key(json, "columns");
  cli_json_open(json, '[', 0);
  for (size_t i = 0; i < anorank_model_get_info(model)->columns; i++) {
    anorank_model_column column = *anorank_model_column_at(model, i);
    cli_json_open(json, '{', 1);
    string(json, "name", column.name);
    string(json, "role", cli_role_word(column.role));
    number(json, "missing_share", column.missing_share);
    if (column.role == ANORANK_ROLE_NUMERIC) {
      number(json, "low", column.low);
      number(json, "median", column.median);
      number(json, "high", column.high);
    }
    if (column.role == ANORANK_ROLE_CATEGORICAL) count(json, "levels", column.levels);
    count(json, "features", column.features);
    cli_json_close(json, '}');
  }
  cli_json_close(json, ']');
}

void cli_model_json(cli_json *json, const anorank_model *model) {
  char value[2048];
  string(json, "scorer", anorank_model_get_info(model)->scorer);
  count(json, "train_rows", anorank_model_get_info(model)->train_rows);
  count(json, "known_rows", anorank_model_get_info(model)->known_rows);
  count(json, "bytes", anorank_model_get_info(model)->bytes);
  count(json, "calibration_rows", anorank_model_get_info(model)->calibration->rows);
  number(json, "smallest_p_value", anorank_model_get_info(model)->calibration->smallest_p_value);
  string(json, "p_values", anorank_model_get_info(model)->p_values);
  json_columns(json, model);
  cli_json_key(json, "settings");
  cli_json_open(json, '{', 0);
  for (size_t i = 0; anorank_setting_at(i); i++)
    if (cli_changed_setting(model, anorank_setting_at(i), value, sizeof value))
      string(json, anorank_setting_at(i)->name, value);
  cli_json_close(json, '}');
  cli_json_key(json, "notes");
  cli_json_open(json, '[', 0);
  for (size_t i = 0; i < anorank_notes_count(anorank_model_notes(model)); i++)
    cli_json_string(json, anorank_notes_at(anorank_model_notes(model), i)->text);
  cli_json_close(json, ']');
}
