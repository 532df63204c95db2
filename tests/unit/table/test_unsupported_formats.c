/* test_unsupported_formats.c - files of other programs are named in the error; tables pass. */
#include "support/check.h"
#include "table/format.h"

#define BYTES(text) text, sizeof(text) - 1

TEST(known_formats_are_refused_by_name) {
  static const struct {
    const char *bytes;
    size_t length;
    const char *name; /* of the format; the error has no field for it */
  } rows[] = {
      {BYTES("\375"
             "7zXZ\0...."),
       " xz"},
      {BYTES("BZh91AY&SY..."), " bzip2"},
      {BYTES("BZh11AY&SY..."), " bzip2"},
      {BYTES("PAR1...."), " Parquet"},
      {BYTES("ARROW1\0\0"), " Arrow"},
      {BYTES("\211HDF\r\n\032\n..."), " HDF5"},
      {BYTES("SQLite format 3\0"), " SQLite"},
      {BYTES("%PDF-1.7\n"), " PDF"},
      {BYTES("\200\004\225\001"), " pickle"},
      {BYTES("<!DOCTYPE html>\n"), " web page"},
      {BYTES("<HTML lang=\"en\">"), " web page"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    anorank_error err = {0};
    const unsigned char *bytes = (const unsigned char *)rows[i].bytes;
    assert_status(ank_refuse_unsupported(bytes, rows[i].length, "x", &err), ANORANK_ERROR_DATA);
    assert_error(&err, "file-unsupported");
    assert_non_null(strstr(err.message, rows[i].name));
    assert_ok(ank_refuse_unsupported(bytes, 2, "x", &err)); /* too short to tell */
  }
}

TEST(tables_are_let_through) {
  static const char *const texts[] = {"",           "score\n1\n2\n",    "PAR,1\n",
                                      "BZh?,1AY\n", "<b>,score\n1,2\n", "{\"a\": 1}\n"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    assert_ok(ank_refuse_unsupported((const unsigned char *)texts[i], strlen(texts[i]), "x", NULL));
}
