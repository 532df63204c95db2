/* law.c - the registry of reference laws; see law.h. */
#include "contrast/law.h"

#include <string.h>

static const ank_law *const laws[] = {&ank_law_gaussian, &ank_law_radial, &ank_law_box};

enum { COUNT = sizeof laws / sizeof laws[0] };

size_t ank_law_count(void) { return COUNT; }

const ank_law *ank_law_at(size_t i) { return i < COUNT ? laws[i] : NULL; }

const ank_law *ank_law_find(const char *name) {
  for (size_t i = 0; i < COUNT; i++)
    if (strcmp(laws[i]->info.name, name) == 0) return laws[i];
  return NULL;
}

uint64_t ank_law_stream(const ank_law *law) {
  uint64_t hash = 0xCBF29CE484222325u; /* FNV-1a */
  for (const char *p = law->info.name; *p; p++) hash = (hash ^ (unsigned char)*p) * 0x100000001B3u;
  return hash << 8 | ANK_STREAM_SIMULATE; /* the low byte says what the stream is for */
}

const char *ank_column_quote(char buffer[ANK_QUOTE_SIZE], const anorank_table *table, size_t column) {
  const char *name = table->column[column].name ? table->column[column].name : "";
  return ank_quote(buffer, name, strlen(name));
}
