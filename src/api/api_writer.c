/* api_writer.c - writing tables: check the arguments, then inward. */
#include "table/format.h"

anorank_status anorank_writer_open(anorank_writer **out, const char *path, const char *format,
                                   anorank_error *err) {
  ANK_NEED(out);
  *out = NULL;
  ANK_NEED(path);
  if (path[0] == '\0')
    return ank_fail(err, ANORANK_ERROR_USAGE, "output-name-empty", "the name of the file to write is empty");
  return ank_writer_open(out, path, format, err);
}

anorank_status anorank_writer_open_callback(anorank_writer **out, anorank_write write, void *context,
                                            const char *name, const char *format, anorank_error *err) {
  ank_output *output;
  ANK_NEED(out);
  *out = NULL;
  ANK_NEED(write);
  if (!name) name = "callback";
  anorank_status status = ank_output_to_callback(&output, write, context, name, err);
  return status == ANORANK_OK ? ank_writer_over(out, output, name, format, err) : status;
}

anorank_status anorank_writer_open_memory(anorank_writer **out, const char *name, const char *format,
                                          anorank_error *err) {
  ank_output *output;
  ANK_NEED(out);
  *out = NULL;
  if (!name) name = "memory";
  anorank_status status = ank_output_to_memory(&output, name, err);
  return status == ANORANK_OK ? ank_writer_over(out, output, name, format, err) : status;
}

anorank_status anorank_writer_take(unsigned char **out, size_t *length, anorank_writer *writer,
                                   anorank_error *err) {
  ANK_NEED(out);
  *out = NULL;
  ANK_NEED(length);
  ANK_NEED(writer);
  if (writer->finished) *out = ank_output_take(writer->output, length);
  if (*out) return ANORANK_OK;
  return ank_fail(err, ANORANK_ERROR_USAGE, "writer-no-bytes",
                  "%s: there are no bytes to take: only a writer to memory has some, once "
                  "after commit",
                  ank_output_name(writer->output));
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

anorank_status anorank_table_write(const anorank_table *table, const char *path, const char *format,
                                   anorank_error *err) {
  ANK_NEED(table);
  ANK_NEED(path);
  if (path[0] == '\0')
    return ank_fail(err, ANORANK_ERROR_USAGE, "output-name-empty", "the name of the file to write is empty");
  return ank_table_write(table, path, format, err);
}

anorank_status anorank_table_to_bytes(unsigned char **out, size_t *length, const anorank_table *table,
                                      const char *format, anorank_error *err) {
  anorank_writer *writer = NULL;
  ANK_NEED(out);
  *out = NULL;
  ANK_NEED(length);
  ANK_NEED(table);
  anorank_status status = anorank_writer_open_memory(&writer, NULL, format, err);
  if (status == ANORANK_OK) status = ank_writer_append(writer, table, err);
  if (status == ANORANK_OK) status = ank_writer_commit(writer, err);
  if (status == ANORANK_OK) status = anorank_writer_take(out, length, writer, err);
  ank_writer_free(writer);
  return status;
}

const anorank_format *anorank_format_at(size_t i) {
  const ank_format *format = ank_format_at(i);
  return format ? &format->info : NULL;
}
