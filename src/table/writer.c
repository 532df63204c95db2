/* writer.c - code shared by all formats: the file extension, compression, and a check that every block has
 * the columns of the first. */
#include "table/writer.h"

#include <string.h>

#include "core/alloc.h"
#include "table/format.h"

#define TEXT_SIZE ((size_t)1 << 16)

/* ---- the name ---------------------------------------------------------------------------------------- */

/* Extensions of unsupported formats: the wrong program would open a CSV file of such a name. */
static const char *const other_endings =
    ".json .parquet .feather .arrow .xlsx .xls .ods .h5 .hdf5 .mat .pkl .svg .png .pdf .html .zip";

/* Choose the format for a path of `length` bytes, without the extension of compression. */
static anorank_status choose_format(const ank_format **out, const char *path, size_t length, const char *name,
                                    anorank_error *err) {
  char list[ANK_FORMAT_LIST], shown[ANK_QUOTE_SIZE];
  int by_ending = !name || strcmp(name, "auto") == 0;
  *out = by_ending ? ank_format_ending(path, length) : ank_format_named(name);
  if (*out && !(*out)->writer)
    return ank_fail(err, ANORANK_ERROR_USAGE, "output-format",
                    "%s: anorank cannot write the format %s; use %s", path, (*out)->info.name,
                    ank_formats_written(list));
  if (!*out && !by_ending)
    return ank_fail(err, ANORANK_ERROR_USAGE, "output-format", "%s: unknown format '%s'; use %s", path,
                    ank_quote(shown, name, strlen(name)), ank_formats_written(list));
  if (!*out && ank_has_ending(path, length, other_endings))
    return ank_fail(err, ANORANK_ERROR_USAGE, "output-format",
                    "%s: its ending names a format that anorank cannot write; use %s", path,
                    ank_formats_written(list));
  if (!*out) *out = ank_format_at(0);
  return ANORANK_OK;
}

/* ---- bytes ------------------------------------------------------------------------------------------- */

anorank_status ank_writer_put(anorank_writer *writer, const void *bytes, size_t length, anorank_error *err) {
  return writer->packer ? ank_packer_write(writer->packer, bytes, length, err)
                        : ank_output_write(writer->output, bytes, length, err);
}

anorank_status ank_writer_flush(anorank_writer *writer, anorank_error *err) {
  size_t used = writer->used;
  writer->used = 0;
  return ank_writer_put(writer, writer->text, used, err);
}

anorank_status ank_writer_reserve(anorank_writer *writer, size_t length, anorank_error *err) {
  if (length <= writer->capacity - writer->used) return ANORANK_OK;
  ANK_CHECK(ank_writer_flush(writer, err));
  return ank_reserve(&writer->text, &writer->capacity, length > TEXT_SIZE ? length : TEXT_SIZE, 1, err);
}

size_t ank_writer_number(anorank_writer *writer, size_t ahead, const ank_column *column, size_t j,
                         size_t row) {
  ank_last_number *last = &writer->last[j];
  char *to = writer->text + writer->used + ahead;
  uint64_t bits;
  memcpy(&bits, &column->numbers[row], sizeof bits);
  if (last->length == 0 || last->bits != bits) {
    last->bits = bits;
    last->length = (uint8_t)ank_cell_number(last->text, column, row);
  }
  memcpy(to, last->text, ANK_CELL_SIZE);
  return last->length;
}

int ank_writer_can_patch(const anorank_writer *writer) {
  return !writer->packer && ank_output_can_seek(writer->output);
}

/* ---- open, append, commit ---------------------------------------------------------------------------- */

anorank_status anorank_writer_open(anorank_writer **out, const anorank_sink *sink, const char *format,
                                   anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_writer *writer = NULL;
  ank_packing packing = ANK_PACK_NOT;
  ANK_NEED(out);
  *out = NULL;
  ANK_NEED(sink);
  ank_sink_start(sink);
  const char *name = sink->path ? sink->path : sink->name ? sink->name : sink->write ? "callback" : "memory";
  ANK_TRY(ank_alloc(&writer, 1, sizeof *writer, err));
  /* check the name before creating a file */
  if (!sink->path || sink->path[0])
    ANK_TRY(choose_format(&writer->format, name, ank_bare_length(name, &packing), format, err));
  ANK_TRY(ank_output_of(&writer->output, sink, err));
  ANK_TRY(ank_packer_new(&writer->packer, packing, writer->output, err));
  *out = writer;
  writer = NULL;
done:
  anorank_writer_free(writer);
  return status;
}

static anorank_status remember_columns(anorank_writer *writer, const anorank_table *block,
                                       anorank_error *err) {
  ANK_CHECK(ank_table_new(&writer->schema, block->columns, err));
  ANK_CHECK(ank_alloc(&writer->last, block->columns, sizeof *writer->last, err));
  for (size_t j = 0; j < block->columns; j++) {
    ank_column *column = &writer->schema->column[j];
    ANK_CHECK(ank_copy_text(&column->name, block->column[j].name, strlen(block->column[j].name), err));
    column->kind = block->column[j].kind;
  }
  return ANORANK_OK;
}

static anorank_status check_columns(const anorank_writer *writer, const anorank_table *block,
                                    anorank_error *err) {
  const anorank_table *schema = writer->schema;
  char before[ANK_QUOTE_SIZE], now[ANK_QUOTE_SIZE];
  if (block->columns != schema->columns)
    return ank_fail(err, ANORANK_ERROR_USAGE, "writer-block-columns",
                    "%s: a block has %zu columns, but the first had %zu; make all alike",
                    ank_output_name(writer->output), block->columns, schema->columns);
  for (size_t j = 0; j < schema->columns; j++) {
    const ank_column *a = &schema->column[j], *b = &block->column[j];
    if (a->kind == b->kind && strcmp(a->name, b->name) == 0) continue;
    return ank_fail(
        err, ANORANK_ERROR_USAGE, "writer-block-columns",
        "%s: column %zu of a block is '%s' (%s), but '%s' (%s) in the first block; make all alike",
        ank_output_name(writer->output), j + 1, ank_quote(now, b->name, strlen(b->name)),
        ank_kind_word(b->kind), ank_quote(before, a->name, strlen(a->name)), ank_kind_word(a->kind));
  }
  return ANORANK_OK;
}

/* Refuse to continue after a failure: the file is incomplete and must not be committed. */
static anorank_status check_usable(const anorank_writer *writer, anorank_error *err) {
  if (writer->failed)
    return ank_fail(err, ANORANK_ERROR_USAGE, "output-closed",
                    "%s: an earlier write failed; open another writer", ank_output_name(writer->output));
  if (writer->finished)
    return ank_fail(err, ANORANK_ERROR_USAGE, "output-closed", "%s: is already complete; open another writer",
                    ank_output_name(writer->output));
  return ANORANK_OK;
}

anorank_status anorank_writer_append(anorank_writer *writer, const anorank_table *block, anorank_error *err) {
  ANK_NEED(writer);
  ANK_NEED(block);
  anorank_status status = check_usable(writer, err);
  if (status == ANORANK_OK && writer->schema) status = check_columns(writer, block, err);
  if (status != ANORANK_OK) return status; /* nothing was written: the writer is unchanged */
  if (!writer->schema) {
    status = remember_columns(writer, block, err);
    if (status == ANORANK_OK) status = writer->format->writer->begin(writer, block, err);
  }
  for (size_t j = 0; status == ANORANK_OK && j < block->columns; j++)
    writer->last[j].length = 0; /* times of another block may have another resolution */
  if (status == ANORANK_OK) status = writer->format->writer->append(writer, block, err);
  writer->failed = status != ANORANK_OK;
  if (status != ANORANK_OK) return status;
  writer->blocks++;
  writer->rows += block->rows;
  return status;
}

anorank_status anorank_writer_commit(anorank_writer *writer, anorank_error *err) {
  ANK_NEED(writer);
  ANK_CHECK(check_usable(writer, err));
  if (!writer->schema)
    return ank_fail(err, ANORANK_ERROR_USAGE, "writer-no-block",
                    "%s: no block was appended; append a table, which may be empty",
                    ank_output_name(writer->output));
  writer->failed = 1; /* until the block is complete */
  ANK_CHECK(ank_writer_flush(writer, err));
  if (writer->format->writer->finish) ANK_CHECK(writer->format->writer->finish(writer, err));
  if (writer->packer) ANK_CHECK(ank_packer_finish(writer->packer, err));
  ANK_CHECK(ank_output_commit(writer->output, err));
  writer->failed = 0;
  writer->finished = 1;
  return ANORANK_OK;
}

void anorank_writer_free(anorank_writer *writer) {
  if (!writer) return;
  for (size_t j = 0; writer->keys && j < writer->schema->columns; j++) ank_free(writer->keys[j]);
  ank_free(writer->keys);
  ank_free(writer->last);
  ank_table_free(writer->schema);
  ank_packer_free(writer->packer);
  ank_output_free(writer->output);
  ank_free(writer->text);
  ank_free(writer);
}

anorank_status anorank_table_write(const anorank_table *table, const anorank_sink *sink, const char *format,
                                   anorank_error *err) {
  ANK_NEED(sink);
  ank_sink_start(sink);
  ANK_NEED(table);
  anorank_writer *writer;
  anorank_status status = anorank_writer_open(&writer, sink, format, err);
  if (status == ANORANK_OK) status = anorank_writer_append(writer, table, err);
  if (status == ANORANK_OK) status = anorank_writer_commit(writer, err);
  anorank_writer_free(writer);
  return status;
}

const anorank_format *anorank_format_at(size_t i) {
  const ank_format *format = ank_format_at(i);
  return format ? &format->info : NULL;
}
