/* unread.c - what WebAssembly cannot unpack, in place of the files of src/table/ that need zlib, zstd or expat: each is refused
 * with a remedy. gzip is unpacked by JavaScript before the bytes come here. */
#include <string.h>

#include "table/format.h"
#include "table/source_codecs.h"
#include "table/writer.h"

static anorank_status refuse_packed(ank_source **out, ank_source *inner, const char *how,
                                    anorank_error *err) {
  *out = NULL;
  anorank_status status = ank_fail(err, ANORANK_ERROR_DATA, "web-compressed",
                                   "%s: is compressed %s, which anorank in WebAssembly cannot read; "
                                   "decompress it first, or use the command line",
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

/* Results are never compressed. */
anorank_status ank_packer_new(ank_packer **out, ank_packing packing, ank_output *output, anorank_error *err) {
  (void)output, (void)err;
  if (packing != ANK_PACK_NOT) __builtin_trap();
  *out = NULL;
  return ANORANK_OK;
}

anorank_status ank_packer_write(ank_packer *packer, const void *bytes, size_t length, anorank_error *err) {
  (void)packer, (void)bytes, (void)length, (void)err;
  __builtin_trap();
}

anorank_status ank_packer_finish(ank_packer *packer, anorank_error *err) {
  (void)packer, (void)err;
  __builtin_trap();
}

void ank_packer_free(ank_packer *packer) { (void)packer; }

static int begins_archive(const unsigned char *bytes, size_t length) {
  return length >= 4 && memcmp(bytes, "PK\003\004", 4) == 0;
}

static anorank_status refuse_archive(void **state, ank_source *source, anorank_table *table,
                                     const anorank_settings *settings, anorank_error *err) {
  (void)table, (void)settings;
  *state = NULL;
  return ank_fail(err, ANORANK_ERROR_DATA, "web-archive",
                  "%s: anorank in WebAssembly cannot read workbooks or archives; save the sheet as CSV, or "
                  "use the command line",
                  ank_source_name(source));
}

static const ank_reader_class refused = {.open = refuse_archive};

const ank_format ank_format_npz = {
    {"npz", "an archive of NPY arrays", ".npz", 1, 0}, 0, NULL, &refused, NULL};
const ank_format ank_format_xlsx = {
    {"xlsx", "an Excel workbook", ".xlsx .xlsm", 1, 0}, 0, begins_archive, &refused, NULL};
