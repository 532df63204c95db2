/* zip.h - zip archives, read only; NPZ files and workbooks are such archives.
 *
 * Supports stored and deflated members, zip64 and data descriptors; checks checksums and lengths. Refuses
 * archives that contradict themselves (a member outside the file, a directory that overlaps its members) and
 * encryption. */
#ifndef ANK_TABLE_ZIP_H
#define ANK_TABLE_ZIP_H

#include "table/source.h"

typedef struct ank_zip ank_zip;

typedef struct ank_zip_entry {
  char *name; /* bytes up to a NUL */
  uint64_t packed, size, offset;
  uint32_t crc;
  unsigned method, flags;
} ank_zip_entry;

/* Read the directory. A source that is not a plain file is first read into memory, at most `limit` bytes. The
 * source must outlive the archive. */
anorank_status ank_zip_open(ank_zip **out, ank_source *source, size_t limit, anorank_error *err);
void ank_zip_free(ank_zip *zip);

size_t ank_zip_count(const ank_zip *zip);
const ank_zip_entry *ank_zip_at(const ank_zip *zip, size_t i);

/* Find a member by name, in any case; SIZE_MAX if there is none. */
size_t ank_zip_find(const ank_zip *zip, const char *name);

/* Create a source over the unpacked bytes, named `name` in messages. The archive must outlive it. */
anorank_status ank_zip_member(ank_source **out, ank_zip *zip, size_t i, const char *name, anorank_error *err);

/* Return whether these first bytes of a file begin a zip archive. `*name` is then the first member's name,
 * `*length` its available bytes. */
int ank_zip_begins(const unsigned char *bytes, size_t length, const char **name, size_t *name_length);

#endif
