/* law.c - the registry of reference laws; see law.h. */
#include "contrast/law.h"

#include <stdio.h>
#include <string.h>

static const ank_law *const laws[] = {
#define ANK_LAW(name) &ank_law_##name,
#include "contrast/laws.inc"
#undef ANK_LAW
};

enum { COUNT = sizeof laws / sizeof laws[0] };

const ank_law *ank_law_at(size_t i) { return i < COUNT ? laws[i] : NULL; }

const ank_law *ank_law_find(const char *name) {
  for (size_t i = 0; i < COUNT; i++)
    if (strcmp(laws[i]->info.name, name) == 0) return laws[i];
  return NULL;
}

const char *ank_law_list(char *text, size_t size, int around_data_only) {
  size_t used = 0;
  text[0] = '\0';
  for (size_t i = 0; i < COUNT && used < size; i++) {
    const anorank_law *info = &laws[i]->info;
    if (around_data_only && info->around_data == 0) continue;
    used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", info->name);
  }
  return text;
}

anorank_status ank_law_named(const ank_law **out, const char *name, anorank_error *err) {
  char names[512], quoted[ANK_QUOTE_SIZE];
  *out = ank_law_find(name);
  if (*out) return ANORANK_OK;
  return ank_fail(err, ANORANK_ERROR_USAGE, "law-unknown", "unknown law '%s'; choose one of %s",
                  ank_quote(quoted, name, strlen(name)), ank_law_list(names, sizeof names, 0));
}

anorank_status ank_law_needs_data(const ank_law *law, const char *or_else, anorank_error *err) {
  return ank_fail(err, ANORANK_ERROR_USAGE, "law-needs-data",
                  "the law '%s' draws around data; give it a table%s", law->info.name, or_else);
}

anorank_status ank_law_needs_rows(const anorank_table *data, anorank_error *err) {
  if (data->rows > 0) return ANORANK_OK;
  return ank_fail(err, ANORANK_ERROR_DATA, "contrast-no-rows", "the data have no rows to draw around");
}

uint64_t ank_law_stream(const ank_law *law) {
  uint64_t hash = 0xCBF29CE484222325u; /* FNV-1a */
  for (const char *p = law->info.name; *p; p++) hash = (hash ^ (unsigned char)*p) * 0x100000001B3u;
  return hash << 8 | ANK_STREAM_SIMULATE; /* the low byte is the purpose of the stream */
}

void ank_law_open(ank_rng *rng, const ank_law *law, const anorank_settings *settings, uint64_t index) {
  ank_rng_open(rng, settings->seed, ank_law_stream(law), index);
}

const char *ank_column_quote(char buffer[ANK_QUOTE_SIZE], const anorank_table *table, size_t column) {
  const char *name = table->column[column].name ? table->column[column].name : "";
  return ank_quote(buffer, name, strlen(name));
}
