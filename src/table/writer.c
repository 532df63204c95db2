/* writer.c - what all formats share: the name's ending, compression, and that every block has the columns of
 * the first. */
#include "table/writer.h"

#include <string.h>
#include <strings.h>

#include "core/alloc.h"

#define TEXT_SIZE ((size_t)1 << 16)

static const ank_writer_class *const classes[] = {&ank_writer_csv, &ank_writer_tsv, &ank_writer_npy,
                                                  &ank_writer_jsonl};
enum { CLASS_COUNT = sizeof classes / sizeof classes[0] };

/* ---- the name ---------------------------------------------------------------------------------------- */

static int ends_with(const char *path, size_t length, const char *ending, size_t tail) {
  return length > tail && strncasecmp(path + length - tail, ending, tail) == 0;
}

static int has_ending(const char *path, size_t length, const char *endings) {
  while (*endings) {
    size_t tail = strcspn(endings, " ");
    if (ends_with(path, length, endings, tail)) return 1;
    endings += tail + (endings[tail] != '\0');
  }
  return 0;
}

/* Endings of formats that we do not write: a CSV file of such a name would be opened by the wrong program. */
static const char *const other_endings =
    ".json .parquet .feather .arrow .xlsx .xls .ods .h5 .hdf5 .mat .pkl .svg .png .pdf .html .zip";

/* The class for a path of which only `length` bytes are left once the ending of compression is off. */
static anorank_status choose_class(const ank_writer_class **out, const char *path, size_t length,
                                   anorank_format format, anorank_error *err) {
  *out = format == ANORANK_FORMAT_AUTO ? &ank_writer_csv : NULL;
  for (size_t i = 0; i < CLASS_COUNT; i++)
    if (format == ANORANK_FORMAT_AUTO ? has_ending(path, length, classes[i]->endings)
                                      : classes[i]->format == format)
      *out = classes[i];
  if (format == ANORANK_FORMAT_NPZ || (format == ANORANK_FORMAT_AUTO && ends_with(path, length, ".npz", 4)))
    return ank_fail(err, ANORANK_ERROR_USAGE,
                    "%s: NPZ can be read but not written; write .npy, .csv or .jsonl", path);
  if (format == ANORANK_FORMAT_AUTO && has_ending(path, length, other_endings))
    return ank_fail(err, ANORANK_ERROR_USAGE,
                    "%s: its ending names a format that is not written; write .csv, .tsv, .npy or .jsonl",
                    path);
  if (!*out)
    return ank_fail(err, ANORANK_ERROR_USAGE, "%s: there is no format number %d to write", path, (int)format);
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

anorank_status ank_writer_room(anorank_writer *writer, size_t length, anorank_error *err) {
  if (length <= writer->capacity - writer->used) return ANORANK_OK;
  anorank_status status = ank_writer_flush(writer, err);
  if (status != ANORANK_OK) return status;
  return ank_reserve(&writer->text, &writer->capacity, length > TEXT_SIZE ? length : TEXT_SIZE, 1, err);
}

int ank_writer_can_patch(const anorank_writer *writer) {
  return !writer->packer && ank_output_can_seek(writer->output);
}

/* ---- open, append, commit ---------------------------------------------------------------------------- */

anorank_status ank_writer_open(anorank_writer **out, const char *path, anorank_format format,
                               anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_writer *writer = NULL;
  size_t length = strlen(path);
  *out = NULL;
  int gzip = ends_with(path, length, ".gz", 3), zstd = ends_with(path, length, ".zst", 4);
  length -= gzip ? 3 : zstd ? 4 : 0;
  ANK_TRY(ank_alloc(&writer, 1, sizeof *writer, err));
  ANK_TRY(choose_class(&writer->class, path, length, format, err));
  ANK_TRY(ank_output_open(&writer->output, path, err));
  if (gzip || zstd)
    ANK_TRY(ank_packer_new(&writer->packer, gzip ? ANK_PACK_GZIP : ANK_PACK_ZSTD, writer->output, err));
  *out = writer;
  writer = NULL;
done:
  ank_writer_free(writer);
  return status;
}

static anorank_status remember_columns(anorank_writer *writer, const anorank_table *block,
                                       anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ANK_TRY(ank_table_new(&writer->schema, block->columns, err));
  for (size_t j = 0; j < block->columns; j++) {
    ank_column *column = &writer->schema->column[j];
    ANK_TRY(ank_copy_text(&column->name, block->column[j].name, strlen(block->column[j].name), err));
    column->kind = block->column[j].kind;
  }
done:
  return status;
}

static anorank_status check_columns(const anorank_writer *writer, const anorank_table *block,
                                    anorank_error *err) {
  const anorank_table *schema = writer->schema;
  char before[ANK_QUOTE_SIZE], now[ANK_QUOTE_SIZE];
  if (block->columns != schema->columns)
    return ank_fail(err, ANORANK_ERROR_USAGE, "%s: a block has %zu columns where the first had %zu",
                    ank_output_name(writer->output), block->columns, schema->columns);
  for (size_t j = 0; j < schema->columns; j++) {
    const ank_column *a = &schema->column[j], *b = &block->column[j];
    if (a->kind == b->kind && strcmp(a->name, b->name) == 0) continue;
    return ank_fail(err, ANORANK_ERROR_USAGE,
                    "%s: column %zu of a block is '%s' (%s) where the first block had '%s' (%s)",
                    ank_output_name(writer->output), j + 1, ank_quote(now, b->name, strlen(b->name)),
                    ank_kind_word(b->kind), ank_quote(before, a->name, strlen(a->name)),
                    ank_kind_word(a->kind));
  }
  return ANORANK_OK;
}

/* After a failure the file is not what it should be: it must not be committed. */
static anorank_status check_usable(const anorank_writer *writer, anorank_error *err) {
  if (writer->failed)
    return ank_fail(err, ANORANK_ERROR_USAGE, "%s: an earlier write failed; nothing more can be written",
                    ank_output_name(writer->output));
  if (writer->finished)
    return ank_fail(err, ANORANK_ERROR_USAGE, "%s: is already complete; open another writer",
                    ank_output_name(writer->output));
  return ANORANK_OK;
}

anorank_status ank_writer_append(anorank_writer *writer, const anorank_table *block, anorank_error *err) {
  anorank_status status = check_usable(writer, err);
  if (status == ANORANK_OK && writer->schema) status = check_columns(writer, block, err);
  if (status != ANORANK_OK) return status; /* nothing was written: the writer is as it was */
  if (!writer->schema) {
    status = remember_columns(writer, block, err);
    if (status == ANORANK_OK) status = writer->class->begin(writer, block, err);
  }
  if (status == ANORANK_OK) status = writer->class->append(writer, block, err);
  writer->failed = status != ANORANK_OK;
  if (status != ANORANK_OK) return status;
  writer->blocks++;
  writer->rows += block->rows;
  return status;
}

anorank_status ank_writer_commit(anorank_writer *writer, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ANK_TRY(check_usable(writer, err));
  if (!writer->schema)
    ANK_FAIL(ANORANK_ERROR_USAGE,
             "%s: no block was appended, so its columns are not known; append a table, if "
             "need be without rows",
             ank_output_name(writer->output));
  writer->failed = 1; /* until all went well */
  ANK_TRY(ank_writer_flush(writer, err));
  if (writer->class->finish) ANK_TRY(writer->class->finish(writer, err));
  if (writer->packer) ANK_TRY(ank_packer_finish(writer->packer, err));
  ANK_TRY(ank_output_commit(writer->output, err));
  writer->failed = 0;
  writer->finished = 1;
done:
  return status;
}

void ank_writer_free(anorank_writer *writer) {
  if (!writer) return;
  for (size_t j = 0; writer->keys && j < writer->schema->columns; j++) ank_free(writer->keys[j]);
  ank_free(writer->keys);
  ank_table_free(writer->schema);
  ank_packer_free(writer->packer);
  ank_output_free(writer->output);
  ank_free(writer->text);
  ank_free(writer);
}

anorank_status ank_table_write(const anorank_table *table, const char *path, anorank_format format,
                               anorank_error *err) {
  anorank_writer *writer;
  anorank_status status = ank_writer_open(&writer, path, format, err);
  if (status == ANORANK_OK) status = ank_writer_append(writer, table, err);
  if (status == ANORANK_OK) status = ank_writer_commit(writer, err);
  ank_writer_free(writer);
  return status;
}
