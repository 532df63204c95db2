/* unread.c - what the page cannot unpack, in place of the files of src/table/ that need zlib, zstd or expat: each is refused
 * with a remedy. gzip is unpacked by the browser before the bytes come here. */
#include <string.h>

#include "table/format.h"
#include "table/source_codecs.h"

static anorank_status refuse_packed(ank_source **out, ank_source *inner, const char *how,
                                    anorank_error *err) {
  *out = NULL;
  anorank_status status = ank_fail(
      err, ANORANK_ERROR_DATA, "web-compressed",
      "%s: is compressed %s, which this page cannot read; decompress it first, or use the command line",
      ank_source_name(inner), how);
  ank_source_free(inner);
  return status;
}

anorank_status ank_source_gunzip(ank_source **out, ank_source *inner, anorank_error *err) {
  return refuse_packed(out, inner, "twice", err);
}

anorank_status ank_source_unzstd(ank_source **out, ank_source *inner, anorank_error *err) {
  return refuse_packed(out, inner, "by zstd", err);
}

/* The writers of tables mention it; without ank_packer_new, which is not linked, there is none to call it with. */
anorank_status ank_packer_write(ank_packer *packer, const void *bytes, size_t length, anorank_error *err) {
  (void)packer, (void)bytes, (void)length, (void)err;
  __builtin_trap();
}

static int begins_archive(const unsigned char *bytes, size_t length) {
  return length >= 4 && memcmp(bytes, "PK\003\004", 4) == 0;
}

static anorank_status refuse_archive(void **state, ank_source *source, anorank_table *table,
                                     const anorank_settings *settings, anorank_error *err) {
  (void)table, (void)settings;
  *state = NULL;
  return ank_fail(
      err, ANORANK_ERROR_DATA, "web-archive",
      "%s: this page cannot read workbooks or archives; save the sheet as CSV, or use the command line",
      ank_source_name(source));
}

static const ank_reader_class refused = {.open = refuse_archive};

const ank_format ank_format_npz = {
    {"npz", "an archive of NPY arrays", ".npz", 1, 0}, 0, NULL, &refused, NULL};
const ank_format ank_format_xlsx = {
    {"xlsx", "an Excel workbook", ".xlsx .xlsm", 1, 0}, 0, begins_archive, &refused, NULL};
