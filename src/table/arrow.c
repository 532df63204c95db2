/* arrow.c - the Arrow interfaces: what is given is taken over, also where the call
 * is wrong. */
#include "anorank/arrow.h"

#include "core/settings.h"
#include "core/status.h"
#include "table/arrow_table.h"

static void give_up_stream(struct ArrowArrayStream *stream) {
  if (stream && stream->release) stream->release(stream);
}

anorank_status anorank_reader_open_arrow(anorank_reader **out, struct ArrowArrayStream *stream,
                                         const anorank_settings *settings, anorank_error *err) {
  if (out) *out = NULL;
  if (!out) give_up_stream(stream);
  ANK_NEED(out);
  ANK_NEED(stream);
  return ank_arrow_open_stream(out, stream, ank_settings_or_default(settings), err);
}

anorank_status anorank_table_from_arrow_stream(anorank_table **out, struct ArrowArrayStream *stream,
                                               const anorank_settings *settings, anorank_error *err) {
  anorank_reader *reader;
  if (out) *out = NULL;
  if (!out) give_up_stream(stream);
  ANK_NEED(out);
  anorank_status status = anorank_reader_open_arrow(&reader, stream, settings, err);
  return status == ANORANK_OK ? ank_reader_drain(out, reader, err) : status;
}

static void give_up_array(struct ArrowArray *array, struct ArrowSchema *schema) {
  if (array && array->release) array->release(array);
  if (schema && schema->release) schema->release(schema);
}

anorank_status anorank_table_from_arrow(anorank_table **out, struct ArrowArray *array,
                                        struct ArrowSchema *schema, const anorank_settings *settings,
                                        anorank_error *err) {
  anorank_reader *reader;
  if (out) *out = NULL;
  if (!out || !array || !schema) give_up_array(array, schema);
  ANK_NEED(out);
  ANK_NEED(array);
  ANK_NEED(schema);
  anorank_status status =
      ank_arrow_open_array(&reader, array, schema, ank_settings_or_default(settings), err);
  return status == ANORANK_OK ? ank_reader_drain(out, reader, err) : status;
}

anorank_status anorank_table_to_arrow_stream(struct ArrowArrayStream *out, const anorank_table *table,
                                             anorank_error *err) {
  ANK_NEED(out);
  out->release = NULL;
  ANK_NEED(table);
  return ank_arrow_export(out, table, err);
}
