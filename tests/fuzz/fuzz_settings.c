/* Any text as a settings file: all or nothing, within bounds, and what is got can be set again. */
#include "fuzz/fuzz_table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  anorank_settings settings, before;
  anorank_error err = {0};
  anorank_settings_default(&settings);
  before = settings;
  anorank_status status = anorank_settings_parse(&settings, (const char *)data, size, &err);
  check_status(status, &err);
  if (status != ANORANK_OK) {
    MUST(status == ANORANK_ERROR_USAGE);
    MUST(memcmp(&settings, &before, sizeof settings) == 0);
    return 0;
  }
  MUST(anorank_settings_check(&settings, &err) == ANORANK_OK);
  for (size_t i = 0; i < anorank_setting_count(); i++) {
    const anorank_setting *row = anorank_setting_at(i);
    char text[2048], again[2048];
    anorank_settings other;
    anorank_settings_default(&other);
    MUST(anorank_settings_get(&settings, row, text, sizeof text) < sizeof text);
    MUST(anorank_settings_set(&other, row->name, text, &err) == ANORANK_OK);
    anorank_settings_get(&other, row, again, sizeof again);
    MUST(strcmp(text, again) == 0);
  }
  return 0;
}
