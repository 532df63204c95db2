/* foreign.c - see foreign.h. To add a format: a row in `formats`. */
#include "table/foreign.h"
#include "core/ascii.h"

typedef struct format {
  size_t length;
  const char *bytes; /* '?' is any byte; lower case where letters may be either */
  int any_case;
  const char *what, *advice;
} format;

#define BYTES(text) sizeof(text) - 1, text

static const format formats[] = {
    {BYTES("\375"
           "7zXZ\0"),
     0, "is compressed by xz", "unpack it with 'xz -d', or use gzip or zstd"},
    {BYTES("BZh?1AY&SY"), 0, "is compressed by bzip2", "unpack it with 'bzip2 -d', or use gzip or zstd"},
    {BYTES("\004\"M\030"), 0, "is compressed by lz4", "unpack it with 'lz4 -d', or use gzip or zstd"},
    {BYTES("7z\274\257\047\034"), 0, "is a 7-Zip archive", "unpack it"},
    {BYTES("PAR1"), 0, "is a Parquet file", "export it as CSV or NPY"},
    {BYTES("ARROW1"), 0, "is an Arrow or Feather file", "export it as CSV or NPY"},
    {BYTES("\211HDF\r\n\032\n"), 0, "is an HDF5 file", "export it as CSV or NPY"},
    {BYTES("SQLite format 3"), 0, "is an SQLite database", "export a table of it as CSV"},
    {BYTES("\320\317\021\340\241\261\032\341"), 0, "is a file of an old Office program", "save it as CSV"},
    {BYTES("%PDF-"), 0, "is a PDF document", "get the table as CSV"},
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

anorank_status ank_refuse_foreign(const unsigned char *bytes, size_t length, const char *name,
                                  anorank_error *err) {
  for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
    if (begins_like(&formats[i], bytes, length))
      return ank_fail(err, ANORANK_ERROR_DATA, "%s: %s; %s", name, formats[i].what, formats[i].advice);
  return ANORANK_OK;
}
