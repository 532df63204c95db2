/* format.c - see format.h. */
#include "table/format.h"
#include "core/ascii.h"

#include <stdio.h>
#include <string.h>

#define ADDRESS(name) &ank_format_##name,
static const ank_format *const formats[] = {ANK_FORMATS(ADDRESS)};
enum { FORMAT_COUNT = sizeof formats / sizeof formats[0] };

const ank_format *ank_format_at(size_t i) { return i < FORMAT_COUNT ? formats[i] : NULL; }

const ank_format *ank_format_named(const char *name) {
  for (size_t i = 0; i < FORMAT_COUNT; i++)
    if (strcmp(formats[i]->info.name, name) == 0) return formats[i];
  return NULL;
}

int ank_has_ending(const char *path, size_t length, const char *endings) {
  while (*endings) {
    size_t tail = strcspn(endings, " ");
    if (length > tail && ank_same_start(path + length - tail, endings, tail)) return 1;
    endings += tail + (endings[tail] != '\0');
  }
  return 0;
}

const ank_format *ank_format_ending(const char *path, size_t length) {
  for (size_t i = 0; i < FORMAT_COUNT; i++)
    if (ank_has_ending(path, length, formats[i]->info.endings)) return formats[i];
  return NULL;
}

size_t ank_bare_length(const char *path, ank_packing *packing) {
  size_t length = strlen(path);
  *packing = ank_has_ending(path, length, ".gz")    ? ANK_PACK_GZIP
             : ank_has_ending(path, length, ".zst") ? ANK_PACK_ZSTD
                                                    : ANK_PACK_NOT;
  return length - (*packing == ANK_PACK_GZIP ? 3 : *packing == ANK_PACK_ZSTD ? 4 : 0);
}

const ank_format *ank_format_of(const unsigned char *bytes, size_t got, const char *path) {
  ank_packing packing;
  for (size_t i = 0; i < FORMAT_COUNT; i++)
    if (formats[i]->reader && formats[i]->recognise && formats[i]->recognise(bytes, got)) return formats[i];
  const ank_format *found = ank_format_ending(path, ank_bare_length(path, &packing));
  return found && found->reader ? found : formats[0];
}

const char *ank_formats_written(char list[ANK_FORMAT_LIST]) {
  size_t used = 0, left = 0;
  for (size_t i = 0; i < FORMAT_COUNT; i++) left += formats[i]->writer != NULL;
  list[0] = '\0';
  for (size_t i = 0; i < FORMAT_COUNT && used < ANK_FORMAT_LIST; i++) {
    if (!formats[i]->writer) continue;
    left--;
    used += (size_t)snprintf(list + used, ANK_FORMAT_LIST - used, "%s%s", formats[i]->info.name,
                             left > 1    ? ", "
                             : left == 1 ? " or "
                                         : "");
  }
  return list;
}
