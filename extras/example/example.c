/* example.c - the registry of built-in tables, and its public functions. */
#include "example/example.h"

#include <string.h>

static const ank_example *const examples[] = {&ank_example_cards};

size_t anorank_example_count(void) { return sizeof examples / sizeof examples[0]; }

const anorank_example *anorank_example_at(size_t i) {
  return i < anorank_example_count() ? &examples[i]->info : NULL;
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
  for (size_t i = 0; i < anorank_example_count() && !example; i++)
    if (strcmp(examples[i]->info.name, name) == 0) example = examples[i];
  if (!example)
    ANK_FAIL(ANORANK_ERROR_USAGE, "example-unknown",
             "there is no example '%s'; anorank_example_at names them", ank_quote(shown, name, strlen(name)));
  ANK_TRY(example->make(out, settings, err));
done:
  return status;
}
