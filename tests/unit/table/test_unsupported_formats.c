/* test_foreign.c - files of other programs are called by their name; tables are let through. */
#include "support/check.h"
#include "table/format.h"

#define BYTES(text) text, sizeof(text) - 1

TEST(known_formats_are_refused_by_name) {
  static const struct {
    const char *bytes;
    size_t length;
    const char *expected;
  } rows[] = {
      {BYTES("\375"
             "7zXZ\0...."),
       "x: is compressed by xz; "},
      {BYTES("BZh91AY&SY..."), "x: is compressed by bzip2; "},
      {BYTES("BZh11AY&SY..."), "x: is compressed by bzip2; "},
      {BYTES("PAR1...."), "x: is a Parquet file; "},
      {BYTES("ARROW1\0\0"), "x: is an Arrow or Feather file; "},
      {BYTES("\211HDF\r\n\032\n..."), "x: is an HDF5 file; "},
      {BYTES("SQLite format 3\0"), "x: is an SQLite database; "},
      {BYTES("%PDF-1.7\n"), "x: is a PDF document; "},
      {BYTES("\200\004\225\001"), "x: is a Python pickle, which is never loaded; "},
      {BYTES("<!DOCTYPE html>\n"), "x: is a web page, not a table; "},
      {BYTES("<HTML lang=\"en\">"), "x: is a web page, not a table; "},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    anorank_error err = {0};
    const unsigned char *bytes = (const unsigned char *)rows[i].bytes;
    assert_status(ank_refuse_unsupported(bytes, rows[i].length, "x", &err), ANORANK_ERROR_DATA);
    assert_memory_equal(err.message, rows[i].expected, strlen(rows[i].expected));
    assert_ok(ank_refuse_unsupported(bytes, 2, "x", &err)); /* too short to tell */
  }
}

TEST(tables_are_let_through) {
  static const char *const texts[] = {"",           "score\n1\n2\n",    "PAR,1\n",
                                      "BZh?,1AY\n", "<b>,score\n1,2\n", "{\"a\": 1}\n"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    assert_ok(ank_refuse_unsupported((const unsigned char *)texts[i], strlen(texts[i]), "x", NULL));
}
