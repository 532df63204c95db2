/* api_simulate.c - reference laws for the outside: arguments are checked here, then inward. */
#include <stdio.h>
#include <string.h>

#include "contrast/law.h"

size_t anorank_law_count(void) { return ank_law_count(); }

const anorank_law *anorank_law_at(size_t i) {
  const ank_law *law = ank_law_at(i);
  return law ? &law->info : NULL;
}

/* The names of the laws that use data (or of all), joined by commas. */
static const char *list_laws(char *text, size_t size, int around_data_only) {
  size_t used = 0;
  text[0] = '\0';
  for (size_t i = 0; i < ank_law_count() && used < size; i++) {
    const anorank_law *info = &ank_law_at(i)->info;
    if (around_data_only && info->around_data == 0) continue;
    used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", info->name);
  }
  return text;
}

anorank_status anorank_simulate(anorank_table **out, const anorank_table *data,
                                const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_settings defaults;
  char names[512], quoted[ANK_QUOTE_SIZE];
  if (!out) return ank_fail(err, ANORANK_ERROR_USAGE, "out must not be NULL");
  *out = NULL;
  anorank_settings_default(&defaults);
  if (!settings) settings = &defaults;
  ANK_TRY(anorank_settings_check(settings, err));
  const ank_law *law = ank_law_find(settings->law);
  if (!law)
    ANK_FAIL(ANORANK_ERROR_USAGE, "there is no law '%s'; choose one of %s",
             ank_quote(quoted, settings->law, strlen(settings->law)), list_laws(names, sizeof names, 0));
  if (law->info.around_data == 2 && !data)
    ANK_FAIL(ANORANK_ERROR_USAGE, "the law '%s' is drawn around data, and none were given", law->info.name);
  if (law->info.around_data == 0 && data)
    ANK_FAIL(ANORANK_ERROR_USAGE, "the law '%s' makes no use of data; give none, or choose one of %s",
             law->info.name, list_laws(names, sizeof names, 1));
  ANK_TRY(ank_simulate(out, law, data, settings, err));
done:
  return status;
}
