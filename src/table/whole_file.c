/* whole_file.c - a file of caller-provided bytes, written atomically, compressed by extension. */
#include "core/alloc.h"
#include "core/ascii.h"
#include "table/writer.h"

struct anorank_file {
  ank_output *output;
  ank_packer *packer; /* NULL: not compressed */
  int closed;         /* a write failed, or the file is complete: no more writes */
};

anorank_status anorank_file_open(anorank_file **out, const char *path, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_file *file = NULL;
  ank_packing packing;
  ANK_NEED(out);
  *out = NULL;
  ANK_NEED(path);
  ANK_TRY(ank_alloc(&file, 1, sizeof *file, err));
  ANK_TRY(ank_output_open(&file->output, path, err));
  (void)ank_bare_length(path, &packing);
  ANK_TRY(ank_packer_new(&file->packer, packing, file->output, err));
  *out = file;
  file = NULL;
done:
  anorank_file_free(file);
  return status;
}

static anorank_status check_usable(const anorank_file *file, anorank_error *err) {
  if (!file->closed) return ANORANK_OK;
  return ank_fail(err, ANORANK_ERROR_USAGE, "output-closed",
                  "%s: is complete, or an earlier write failed; open another writer",
                  ank_output_name(file->output));
}

anorank_status anorank_file_write(anorank_file *file, const void *bytes, size_t length, anorank_error *err) {
  ANK_NEED(file);
  ANK_CHECK(check_usable(file, err));
  if (length > 0) ANK_NEED(bytes);
  anorank_status status = file->packer ? ank_packer_write(file->packer, bytes, length, err)
                                       : ank_output_write(file->output, bytes, length, err);
  file->closed = status != ANORANK_OK;
  return status;
}

anorank_status anorank_file_commit(anorank_file *file, anorank_error *err) {
  ANK_NEED(file);
  ANK_CHECK(check_usable(file, err));
  file->closed = 1;
  if (file->packer) ANK_CHECK(ank_packer_finish(file->packer, err));
  return ank_output_commit(file->output, err);
}

void anorank_file_free(anorank_file *file) {
  if (!file) return;
  ank_packer_free(file->packer);
  ank_output_free(file->output);
  ank_free(file);
}
