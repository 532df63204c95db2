/* api_writer.c - writing tables: check the arguments, then inward. */
#include "table/writer.h"

anorank_status anorank_writer_open(anorank_writer **out, const char *path, anorank_format format,
                                   anorank_error *err) {
  ANK_NEED(out);
  *out = NULL;
  ANK_NEED(path);
  if (path[0] == '\0') return ank_fail(err, ANORANK_ERROR_USAGE, "the name of the file to write is empty");
  return ank_writer_open(out, path, format, err);
}

anorank_status anorank_writer_append(anorank_writer *writer, const anorank_table *block, anorank_error *err) {
  ANK_NEED(writer);
  ANK_NEED(block);
  return ank_writer_append(writer, block, err);
}

anorank_status anorank_writer_commit(anorank_writer *writer, anorank_error *err) {
  ANK_NEED(writer);
  return ank_writer_commit(writer, err);
}

void anorank_writer_free(anorank_writer *writer) { ank_writer_free(writer); }

anorank_status anorank_table_write(const anorank_table *table, const char *path, anorank_format format,
                                   anorank_error *err) {
  ANK_NEED(table);
  ANK_NEED(path);
  if (path[0] == '\0') return ank_fail(err, ANORANK_ERROR_USAGE, "the name of the file to write is empty");
  return ank_table_write(table, path, format, err);
}
