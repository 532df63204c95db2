/* api_writer.c - writing tables: check the arguments, then inward. */
#include "table/format.h"

anorank_status anorank_writer_open(anorank_writer **out, const anorank_sink *sink, const char *format,
                                   anorank_error *err) {
  ANK_NEED(out);
  *out = NULL;
  ANK_NEED(sink);
  ank_sink_start(sink);
  return ank_writer_open(out, sink, format, err);
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

anorank_status anorank_table_write(const anorank_table *table, const anorank_sink *sink, const char *format,
                                   anorank_error *err) {
  ANK_NEED(sink);
  ank_sink_start(sink);
  ANK_NEED(table);
  return ank_table_write(table, sink, format, err);
}

const anorank_format *anorank_format_at(size_t i) {
  const ank_format *format = ank_format_at(i);
  return format ? &format->info : NULL;
}
