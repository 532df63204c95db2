/* settings.c - the table of settings.
 *
 * To add a setting: add a row to settings.inc. The command line's options, the help, the manual pages, the
 * completions, the reference page and the checks of values all read the table. A setting that a model file
 * stores also needs a row in src/model/model_settings.c; a test checks it. */
#include <math.h>
#include <string.h>

#include "core/format_names.h"
#include "core/settings.h"

#define ANK_KIND_INTEGER ANORANK_SETTING_INTEGER
#define ANK_KIND_UNSIGNED ANORANK_SETTING_UNSIGNED
#define ANK_KIND_BYTES ANORANK_SETTING_BYTES
#define ANK_KIND_REAL ANORANK_SETTING_REAL
#define ANK_KIND_CHOICE ANORANK_SETTING_CHOICE
#define ANK_KIND_NAME ANORANK_SETTING_TEXT
#define ANK_KIND_TEXT ANORANK_SETTING_TEXT
#define ANK_KIND_LIST ANORANK_SETTING_LIST

enum {
  RUN = ANORANK_FOR_RUN,
  READ = ANORANK_FOR_READ,
  JUDGE = ANORANK_FOR_JUDGE,
  SIMULATE = ANORANK_FOR_SIMULATE,
  LEARN = ANORANK_FOR_LEARN,
  REPRODUCE = ANORANK_FOR_REPRODUCE,
  FIT = ANORANK_FOR_FIT,
  RANKING = ANORANK_FOR_RANKING,
  RESULT = ANORANK_FOR_RESULT,
  EXAMPLE = ANORANK_FOR_EXAMPLE,
  DRIFT = ANORANK_FOR_DRIFT,
  REVIEW = ANORANK_FOR_REVIEW
};

static const ank_setting_row table[] = {
#define ANK_SETTING(kind, field, name, ...)                                                                  \
  {offsetof(anorank_settings, field), {name, ANK_KIND_##kind, __VA_ARGS__}},
#include "core/settings.inc"
#undef ANK_SETTING
};

enum { COUNT = sizeof table / sizeof table[0] };

const anorank_setting *anorank_setting_at(size_t i) { return i < COUNT ? &table[i].info : NULL; }

const ank_setting_row *ank_setting_row_at(size_t i) { return i < COUNT ? &table[i] : NULL; }

/* Old names of settings, which settings files and programs may still use. */
static const struct {
  const char *old, *now;
} renamed[] = {
    {"format", "input-format"},
    {"missing-policy", "on-missing"},
    {"references", "reference-rows"},
    {"space", "hull-scaling"},
};

const ank_setting_row *ank_setting_row_find(const char *name) {
  for (size_t i = 0; name && i < sizeof renamed / sizeof renamed[0]; i++)
    if (strcmp(renamed[i].old, name) == 0) name = renamed[i].now;
  for (size_t i = 0; name && i < COUNT; i++)
    if (strcmp(table[i].info.name, name) == 0) return &table[i];
  return NULL;
}

const anorank_setting *anorank_setting_find(const char *name) {
  const ank_setting_row *row = ank_setting_row_find(name);
  return row ? &row->info : NULL;
}
