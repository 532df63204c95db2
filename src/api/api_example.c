/* api_example.c - built-in tables for the outside: arguments are checked here, then inward. */
#include <string.h>

#include "example/example.h"

size_t anorank_example_count(void) { return ank_example_count(); }

const anorank_example *anorank_example_at(size_t i) {
  const ank_example *example = ank_example_at(i);
  return example ? &example->info : NULL;
}

anorank_status anorank_example_make(anorank_table **out, const char *name, const anorank_settings *settings,
                                    anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const ank_example *example = NULL;
  char shown[ANK_QUOTE_SIZE];
  ANK_NEED(out);
  *out = NULL;
  ANK_NEED(name);
  settings = ank_settings_or_default(settings);
  for (size_t i = 0; i < ank_example_count() && !example; i++)
    if (strcmp(ank_example_at(i)->info.name, name) == 0) example = ank_example_at(i);
  if (!example)
    ANK_FAIL(ANORANK_ERROR_USAGE, "there is no example '%s'; anorank_example_at names them",
             ank_quote(shown, name, strlen(name)));
  ANK_TRY(example->make(out, settings, err));
done:
  return status;
}
