/* Any text as a settings file: all or nothing, and values read back can be set again. */
#include "fuzz/fuzz_table.h"

/* The text of every setting, one after the other; to be freed. */
static char *all_texts(const anorank_settings *settings) {
  size_t length = 0, used = 0;
  for (size_t i = 0; anorank_setting_at(i); i++)
    length += anorank_settings_get(settings, anorank_setting_at(i)->name, NULL, 0) + 1;
  char *text = malloc(length + 1);
  MUST(text);
  for (size_t i = 0; anorank_setting_at(i); i++)
    used += anorank_settings_get(settings, anorank_setting_at(i)->name, text + used, length + 1 - used) + 1;
  for (size_t k = 0; k < used; k++)
    if (text[k] == '\0') text[k] = '\n';
  text[used] = '\0';
  return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  anorank_settings *settings, *again;
  anorank_error err = {0};
  MUST(anorank_settings_new(&settings, NULL, &err) == ANORANK_OK &&
       anorank_settings_new(&again, NULL, &err) == ANORANK_OK);
  anorank_status status = anorank_settings_parse(settings, (const char *)data, size, &err);
  check_status(status, &err);
  MUST(status == ANORANK_OK || status == ANORANK_ERROR_USAGE);
  for (size_t i = 0; status == ANORANK_OK && anorank_setting_at(i); i++) {
    const char *name = anorank_setting_at(i)->name;
    size_t length = anorank_settings_get(settings, name, NULL, 0);
    char *text = malloc(length + 1);
    MUST(text && anorank_settings_get(settings, name, text, length + 1) == length);
    MUST(anorank_settings_set(again, name, text, &err) == ANORANK_OK);
    free(text);
  }
  char *first = all_texts(settings), *second = all_texts(again);
  MUST(strcmp(first, second) == 0); /* after a failure both have the defaults */
  free(first);
  free(second);
  anorank_settings_free(settings);
  anorank_settings_free(again);
  return 0;
}
