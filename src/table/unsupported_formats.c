/* unsupported_formats.c - files of other programs, recognised by their first bytes; see format.h. To add one:
 * a row in `formats`. */

#include <stdio.h>
#include <string.h>

#include "core/ascii.h"
#include "table/format.h"

typedef struct format {
  size_t length;
  const char *bytes; /* '?' is any byte; lower-case letters match any case */
  int any_case;
  const char *what, *advice; /* "%s" in the advice is the name of the file */
} format;

#define BYTES(text) sizeof(text) - 1, text

static const format formats[] = {
    {BYTES("\3757zXZ\0"), 0, "is compressed by xz", "unpack it with 'xz -d', or use gzip or zstd"},
    {BYTES("BZh?1AY&SY"), 0, "is compressed by bzip2", "unpack it with 'bzip2 -d', or use gzip or zstd"},
    {BYTES("\004\"M\030"), 0, "is compressed by lz4", "unpack it with 'lz4 -d', or use gzip or zstd"},
    {BYTES("7z\274\257\047\034"), 0, "is a 7-Zip archive", "unpack it"},
    {BYTES("ANORANK\0"), 0, "is a model, not a table",
     "name the table; commands that use a model take it before the table"},
    {BYTES("PAR1"), 0, "is a Parquet file", "read it with: duckdb -csv -c \"FROM '%s'\" | anorank detect -"},
    {BYTES("ARROW1"), 0, "is an Arrow or Feather file",
     "write it as CSV: python3 -c \"import pandas; pandas.read_feather('%s').to_csv('/dev/stdout')\" | "
     "anorank detect -"},
    {BYTES("\211HDF\r\n\032\n"), 0, "is an HDF5 file", "export it as CSV or NPY"},
    {BYTES("SQLite format 3"), 0, "is an SQLite database",
     "read a table of it with: sqlite3 -csv -header '%s' 'SELECT * FROM name' | anorank detect -"},
    {BYTES("\320\317\021\340\241\261\032\341"), 0, "is an old (.xls) or encrypted Office file",
     "save it as .xlsx, or run: soffice --headless --convert-to xlsx '%s'"},
    {BYTES("%PDF-"), 0, "is a PDF document",
     "get the tables out of it first, for example: pdftotext -layout '%s' -, and save them as CSV"},
    {BYTES("\200\004\225"), 0, "is a Python pickle, which is never loaded", "save it with numpy.save"},
    {BYTES("\200\005\225"), 0, "is a Python pickle, which is never loaded", "save it with numpy.save"},
    {BYTES("<!doctype html"), 1, "is a web page, not a table", "was the download refused?"},
    {BYTES("<html"), 1, "is a web page, not a table", "was the download refused?"},
};

static int begins_like(const format *f, const unsigned char *bytes, size_t length) {
  if (length < f->length) return 0;
  for (size_t i = 0; i < f->length; i++) {
    int byte = f->any_case ? ank_lower(bytes[i]) : bytes[i];
    if (byte != (unsigned char)f->bytes[i] && f->bytes[i] != '?') return 0;
  }
  return 1;
}

anorank_status ank_refuse_unsupported(const unsigned char *bytes, size_t length, const char *name,
                                      anorank_error *err) {
  char advice[700];
  for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
    if (!begins_like(&formats[i], bytes, length)) continue;
    const char *place = strstr(formats[i].advice, "%s");
    int before = place ? (int)(place - formats[i].advice) : 0;
    if (place)
      snprintf(advice, sizeof advice, "%.*s%.300s%s", before, formats[i].advice, name, place + 2);
    else
      snprintf(advice, sizeof advice, "%s", formats[i].advice);
    return ank_fail(err, ANORANK_ERROR_DATA, "file-unsupported", "%s: %s; %s", name, formats[i].what, advice);
  }
  return ANORANK_OK;
}
