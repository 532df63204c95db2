/* format.h - the registry of file formats: how each is recognised, read and written.
 *
 * To add one, see core/format_names.h. A format that is only read or only written leaves the other field
 * NULL. */
#ifndef ANK_TABLE_FORMAT_H
#define ANK_TABLE_FORMAT_H

#include "anorank/io.h"
#include "core/format_names.h"
#include "table/reader.h"
#include "table/writer.h"

typedef struct ank_format {
  anorank_format info;
  char delimiter; /* for delimited text, else 0 */

  /* Return whether the first bytes of the file (up to 4 KiB, already decompressed) are of this format.
   * Formats are tried in their order; if none matches, the file name decides. May be NULL. */
  int (*recognise)(const unsigned char *bytes, size_t length);

  const ank_reader_class *reader; /* NULL: not readable */
  const ank_writer_class *writer; /* NULL: not writable */
} ank_format;

#define ANK_FORMAT_DECLARE(name) extern const ank_format ank_format_##name;
ANK_FORMATS(ANK_FORMAT_DECLARE)

/* Return the i-th format (settings->format minus one); NULL past the end. */
const ank_format *ank_format_at(size_t i);

/* Find a format by name; NULL if there is none. */
const ank_format *ank_format_named(const char *name);

/* Find a format by the extension of a path of `length` bytes, in any case; NULL if there is none. */
const ank_format *ank_format_ending(const char *path, size_t length);

/* Find a format by content, else by extension; never NULL. */
const ank_format *ank_format_of(const unsigned char *bytes, size_t got, const char *path);

/* Names of the writable formats for messages: "csv, tsv, npy or jsonl". */
#define ANK_FORMAT_LIST 128
const char *ank_formats_written(char list[ANK_FORMAT_LIST]);

/* Return ANORANK_ERROR_DATA if `bytes` begin like a common format that anorank does not read. The message
 * says what the file is and how to get a table out of it. As CSV, such files would give misleading errors, or
 * none. */
anorank_status ank_refuse_unsupported(const unsigned char *bytes, size_t length, const char *name,
                                      anorank_error *err);

#endif
