/* reader.c - see reader.h. */
#include "table/reader.h"

#include <stdio.h>
#include <string.h>

#include "core/alloc.h"
#include "core/parallel.h"
#include "table/format.h"
#include "table/prefetch.h"
#include "table/source_text.h"

#define SNIFF ((size_t)4096)
#define BLOCK_BYTES ((size_t)16 << 20)
#define STEP_BYTES ((size_t)8 << 20)
#define BLOCK_STEPS 8 /* checks of the size of the texts in a block */

struct anorank_reader {
  anorank_settings settings;
  ank_source *source;
  anorank_table *table;
  const ank_format *format;
  const ank_reader_class *class;
  void *state;
  int forget;             /* reset levels before the next block */
  int prefetches;         /* prefetch the next block */
  ank_prefetch *prefetch; /* NULL before the first block */
  char *doing;            /* "reading x.csv", for progress */
  anorank_status ended;   /* a failure that every later call returns */
  anorank_error error;
};

static anorank_status choose_format(anorank_reader *reader, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const unsigned char *bytes;
  const char *name = ank_source_name(reader->source);
  size_t got;
  if (reader->settings.format != ANK_FORMAT_auto) {
    reader->format = ank_format_at((size_t)reader->settings.format - 1);
  } else {
    ANK_TRY(ank_source_peek(reader->source, &bytes, SNIFF, &got, err));
    ANK_TRY(ank_refuse_unsupported(bytes, got, name, err));
    reader->format = ank_format_of(bytes, got, name);
  }
  if (!reader->format->reader) {
    status =
        ank_fail(err, ANORANK_ERROR_USAGE, "format-unreadable",
                 "the format %s can only be written; set another input format", reader->format->info.name);
    ank_error_set_setting(err, "input-format");
    goto done;
  }
  reader->class = reader->format->reader;
done:
  return status;
}

/* Convert text of any encoding to UTF-8. */
static anorank_status decode(anorank_reader *reader, anorank_error *err) {
  char detected[ANK_ENCODING_SIZE];
  if (!reader->class->text) return ANORANK_OK;
  ANK_CHECK(ank_source_decode_text(&reader->source, reader->settings.encoding, detected, err));
  if (detected[0])
    ANK_CHECK(ank_notes_add(&reader->table->notes, ANORANK_NOTE_UNDERSTOOD, err, "encoding-guessed",
                            "the file is not valid UTF-8 and was decoded as %s; set `encoding` to override",
                            detected));
  return ANORANK_OK;
}

anorank_status ank_reader_over(anorank_reader **out, const ank_reader_class *class, void *state,
                               anorank_table *table, const char *name, const anorank_settings *settings,
                               anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_reader *reader = NULL;
  *out = NULL;
  ANK_TRY(ank_alloc(&reader, 1, sizeof *reader, err));
  reader->class = class;
  reader->state = state;
  reader->table = table;
  state = NULL;
  table = NULL;
  ANK_TRY(ank_settings_hold(&reader->settings, settings, err));
  anorank_settings_on_progress(&reader->settings, settings->progress, settings->progress_context);
  anorank_settings_on_stop(&reader->settings, settings->stop, settings->stop_context);
  ANK_TRY(ank_alloc_raw(&reader->doing, strlen(name) + 16, 1, err));
  snprintf(reader->doing, strlen(name) + 16, "reading %s", name);
  ANK_TRY(ank_copy_text(&reader->table->source, name, strlen(name), err));
  ANK_TRY(ank_copy_text(&reader->table->missing, settings->missing, strlen(settings->missing), err));
  reader->table->limit = ank_memory_limit(settings);
  *out = reader;
  reader = NULL;
done:
  if (state) class->free(state);
  ank_table_free(table);
  anorank_reader_free(reader);
  return status;
}

/* Add the file to an error that names none. */
static void name_file(anorank_error *err, anorank_status status, const char *name) {
  if (err && name && !err->file[0] && (status == ANORANK_ERROR_DATA || status == ANORANK_ERROR_RESOURCES))
    ank_error_set_location(err, name, (size_t)err->line, NULL);
}

/* Read everything before the first row. */
anorank_status ank_reader_open(anorank_reader **out, ank_source *source, const anorank_settings *settings,
                               anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_reader *reader = NULL;
  anorank_table *table = NULL;
  *out = NULL;
  ANK_TRY(ank_table_new(&table, 0, err));
  status = ank_reader_over(&reader, NULL, NULL, table, ank_source_name(source), settings, err);
  if (status != ANORANK_OK) goto done;
  reader->source = source;
  source = NULL;
  ank_source_watch(reader->source, &reader->settings);
  ANK_TRY(choose_format(reader, err));
  ANK_TRY(decode(reader, err));
  ANK_TRY(reader->class->open(&reader->state, reader->source, reader->table, &reader->settings, err));
  *out = reader;
  reader = NULL;
done:
  if (reader && reader->table) name_file(err, status, reader->table->source);
  anorank_reader_free(reader);
  ank_source_free(source);
  return status;
}

static double share_read(const anorank_reader *reader) {
  return reader->source ? ank_source_share(reader->source) : -1;
}

static anorank_status report_progress(const anorank_reader *reader, anorank_error *err) {
  double share = share_read(reader);
  return ank_progress(&reader->settings, share < 0 ? 0 : share, reader->doing, err);
}

/* Return the number of rows of about this size. */
static size_t rows_of(size_t bytes, const anorank_table *table) {
  size_t each = 0;
  for (size_t j = 0; j < table->columns; j++) each += table->column[j].kind != ANORANK_CATEGORICAL ? 8 : 4;
  return each == 0 || bytes < each ? 1 : bytes / each;
}

/* Append up to `most` rows in steps of a few MiB, to report progress and check the limit. Sources of bytes
 * check for cancellation with every piece; other rows do not. */
static anorank_status append(const anorank_reader *reader, anorank_table *table, size_t most,
                             anorank_error *err) {
  size_t step = rows_of(STEP_BYTES, table), got = 0, want;
  do {
    size_t before = table->rows;
    want = most - got < step ? most - got : step;
    ANK_CHECK(report_progress(reader, err));
    ANK_CHECK(ank_check_cancelled(&reader->settings, err));
    ANK_CHECK(ank_table_reserve(table, 0, err)); /* levels count, too */
    ANK_CHECK(reader->class->next(reader->state, table, want, err));
    got = table->rows - before == want ? got + want : most;
  } while (got < most);
  return ANORANK_OK;
}

static int has_texts(const anorank_table *table) {
  for (size_t j = 0; j < table->columns; j++)
    if (table->column[j].kind == ANORANK_CATEGORICAL || table->column[j].raw_cells) return 1;
  return 0;
}

/* Return the bytes of a block: other data needs memory, too. With prefetch, two blocks are half as large. */
static size_t block_bytes(const anorank_reader *reader) {
  size_t most = reader->table->limit / 8 < BLOCK_BYTES ? reader->table->limit / 8 : BLOCK_BYTES;
  return reader->prefetches ? most / 2 : most;
}

/* A text needs a code, and a level if it is new: so check the size step by step. */
static anorank_status append_texts(const anorank_reader *reader, anorank_table *table, anorank_error *err) {
  size_t bytes = block_bytes(reader), most = rows_of(bytes, table),
         step = rows_of(bytes / BLOCK_STEPS, table);
  size_t enough = ank_table_bytes(table) + bytes, before;
  do {
    before = table->rows;
    ANK_CHECK(append(reader, table, step, err));
  } while (table->rows == before + step && table->rows < most && ank_table_bytes(table) < enough);
  return ANORANK_OK;
}

/* Replace the rows of the table by the next block. */
static anorank_status fill_block(void *context, anorank_table *table, anorank_error *err) {
  const anorank_reader *reader = context;
  int64_t asked = reader->settings.block_rows;
  size_t most = rows_of(table->limit / 4, table);
  ank_table_clear(table);
  if (asked == 0 && has_texts(table)) return append_texts(reader, table, err);
  if (asked > 0) return append(reader, table, (size_t)asked < most ? (size_t)asked : most, err);
  return append(reader, table, rows_of(block_bytes(reader), table), err);
}

static anorank_status next_block(anorank_reader *reader, anorank_error *err) {
  if (reader->prefetches && !reader->prefetch) {
    ANK_CHECK(ank_prefetch_new(&reader->prefetch, reader->table, fill_block, reader, &reader->settings, err));
    if (!reader->prefetch) reader->prefetches = 0; /* no thread was available */
  }
  if (reader->prefetch) return ank_prefetch_next(reader->prefetch, err);
  ank_table_clear(reader->table);
  if (reader->forget) ank_table_reset_levels(reader->table, ANK_KEPT_LEVELS);
  reader->forget = 0;
  return fill_block(reader, reader->table, err);
}

anorank_status anorank_reader_next(anorank_reader *reader, const anorank_table **block, anorank_error *err) {
  ANK_NEED(block);
  *block = NULL;
  ANK_NEED(reader);
  if (reader->ended == ANORANK_OK) {
    reader->ended = next_block(reader, &reader->error);
    if (reader->ended != ANORANK_OK) {
      name_file(&reader->error, reader->ended, reader->table->source);
      ank_table_clear(reader->table);
    }
  }
  if (reader->ended != ANORANK_OK) return ank_fail_around(err, &reader->error, "%s", reader->error.message);
  if (reader->table->rows > 0) *block = reader->table;
  return ANORANK_OK;
}

/* With large blocks it would need twice the memory. */
void anorank_reader_prefetch(anorank_reader *reader) {
  if (!reader) return;
  size_t asked = (size_t)reader->settings.block_rows;
  if (ank_threads(&reader->settings) > 1 && asked <= rows_of(block_bytes(reader) / 2, reader->table))
    reader->prefetches = 1;
}

void anorank_reader_reset_levels(anorank_reader *reader) {
  if (reader) reader->forget = 1;
}

void ank_reader_on_progress(anorank_reader *reader, anorank_progress progress, void *context) {
  anorank_settings_on_progress(&reader->settings, progress, context);
}

void ank_reader_on_stop(anorank_reader *reader, anorank_stop stop, void *context) {
  anorank_settings_on_stop(&reader->settings, stop, context);
}

anorank_status ank_reader_refuse_empty(const anorank_reader *reader, anorank_error *err) {
  int text = reader->format && reader->format->delimiter != 0;
  anorank_status status =
      ank_fail(err, ANORANK_ERROR_DATA, "table-no-rows", "%s: has a header but no data rows%s",
               reader->table->source, text ? "; if its first line is a row, read it as data" : "");
  if (text) ank_error_set_setting(err, "header");
  if (text) ank_remedy(err, "header", "no");
  return status;
}

const anorank_table *anorank_reader_schema(const anorank_reader *reader) {
  return reader ? reader->table : NULL;
}

/* Estimate the number of rows from those read so far, which avoids growing in steps. An estimate uses at most
 * half of the memory. */
static size_t expected_rows(const anorank_reader *reader) {
  const anorank_table *table = reader->table;
  double share = share_read(reader);
  double rows = share > 0 ? 1.1 * (double)table->rows / share : 0;
  size_t most = rows_of(table->limit / 2, table);
  return rows <= (double)table->rows ? table->rows : rows < (double)most ? (size_t)rows : table->rows;
}

anorank_status ank_reader_drain(anorank_table **out, anorank_reader *reader, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_table *table = reader->table;
  *out = NULL;
  size_t rows = reader->class->rows ? reader->class->rows(reader->state) : SIZE_MAX;
  if (rows == SIZE_MAX) {
    ANK_TRY(append(reader, table, rows_of(STEP_BYTES, table), err));
    rows = expected_rows(reader);
  }
  ANK_TRY(ank_table_reserve(table, rows, err));
  ANK_TRY(append(reader, table, SIZE_MAX, err));
  if (table->rows == 0 && reader->format) {
    status = ank_reader_refuse_empty(reader, err);
    goto done;
  }
  ANK_TRY(ank_progress(&reader->settings, 1, reader->doing, err));
  *out = table;
  reader->table = NULL;
done:
  if (status != ANORANK_OK && reader) name_file(err, status, reader->table ? reader->table->source : NULL);
  anorank_reader_free(reader);
  return status;
}

anorank_status ank_reader_read_all(anorank_table **out, ank_source *source, const anorank_settings *settings,
                                   anorank_error *err) {
  anorank_reader *reader;
  anorank_status status = ank_reader_open(&reader, source, settings, err);
  *out = NULL;
  return status == ANORANK_OK ? ank_reader_drain(out, reader, err) : status;
}

void anorank_reader_free(anorank_reader *reader) {
  if (!reader) return;
  ank_prefetch_free(reader->prefetch);
  if (reader->class && reader->class->free && reader->state) reader->class->free(reader->state);
  ank_source_free(reader->source);
  ank_table_free(reader->table);
  ank_settings_release(&reader->settings);
  ank_free(reader->doing);
  ank_free(reader);
}
