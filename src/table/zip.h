/* zip.h - zip archives, read only; NPZ files and workbooks are such archives.
 *
 * Stored and deflated members, zip64, data descriptors; checksums and lengths are checked. What
 * contradicts itself (a member outside the file, a directory that overlaps its members) is refused.
 * Encryption is not read. */
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

/* Reads the directory. A source that is no plain file is first held in memory: `limit` bytes at most. The
 * source must outlive the archive. */
anorank_status ank_zip_open(ank_zip **out, ank_source *source, size_t limit, anorank_error *err);
void ank_zip_free(ank_zip *zip);

size_t ank_zip_count(const ank_zip *zip);
const ank_zip_entry *ank_zip_at(const ank_zip *zip, size_t i);

/* SIZE_MAX: there is none of that name, in either case of letters. */
size_t ank_zip_find(const ank_zip *zip, const char *name);

/* A source over the unpacked bytes, called `name` in messages. It must not outlive the archive. */
anorank_status ank_zip_member(ank_source **out, ank_zip *zip, size_t i, const char *name, anorank_error *err);

/* Do these first bytes of a file begin a zip archive? `*name` then is the first member's name, `*length`
 * bytes of it: what there is of it. */
int ank_zip_begins(const unsigned char *bytes, size_t length, const char **name, size_t *name_length);

#endif
