/* format.h - the registry of file formats: how each is known, read and written.
 *
 * To add one: core/format_names.h says how. A format that is only read or only written leaves the other
 * out. */
#ifndef ANK_TABLE_FORMAT_H
#define ANK_TABLE_FORMAT_H

#include "anorank/io.h"
#include "core/format_names.h"
#include "table/reader.h"
#include "table/writer.h"

typedef struct ank_format {
  anorank_format info;
  char delimiter; /* of delimited text, else 0 */

  /* Do the first bytes of the file (up to 4 KiB, already decompressed) say that it is of this format? The
   * formats are asked in their order; if none says yes the file's ending decides. May be NULL. */
  int (*recognise)(const unsigned char *bytes, size_t length);

  const ank_reader_class *reader; /* NULL: is not read */
  const ank_writer_class *writer; /* NULL: is not written */
} ank_format;

#define ANK_FORMAT_DECLARE(name) extern const ank_format ank_format_##name;
ANK_FORMATS(ANK_FORMAT_DECLARE)

/* The i-th format, the i of settings->format less one; NULL past the end. */
const ank_format *ank_format_at(size_t i);

/* By name; NULL: there is none. */
const ank_format *ank_format_named(const char *name);

/* By the ending of a path, in either case, of which only `length` bytes count; NULL: none has it. */
const ank_format *ank_format_ending(const char *path, size_t length);

/* By content, else by the ending of the path; never NULL. */
const ank_format *ank_format_of(const unsigned char *bytes, size_t got, const char *path);

/* "csv, tsv, npy or jsonl": names of the formats that are written, for messages. */
#define ANK_FORMAT_LIST 128
const char *ank_formats_written(char list[ANK_FORMAT_LIST]);

/* ANORANK_ERROR_DATA, saying what the file is and how to get a table out of it, if `bytes` begin like one of
 * the formats that are often met but not read; otherwise OK. As CSV such files would give odd complaints, or
 * none. */
anorank_status ank_refuse_unsupported(const unsigned char *bytes, size_t length, const char *name,
                                      anorank_error *err);

#endif
