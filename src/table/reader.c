/* reader.c - from a source to a table, whole or in blocks; the registry of formats. */
#include "table/reader.h"

#include <stdio.h>
#include <string.h>

#include "core/alloc.h"
#include "table/foreign.h"

#define SNIFF ((size_t)4096)
#define BLOCK_BYTES ((size_t)16 << 20)
#define STEP_BYTES ((size_t)8 << 20)
#define BLOCK_STEPS 8    /* looks at the size of the texts of a block */
#define KEPT_LEVELS 1024 /* of a column whose levels are forgotten: categories stay */

/* In the order in which they are tried; the last takes whatever is left. */
static const ank_reader_class *const classes[] = {
    &ank_reader_npy, &ank_reader_npz, &ank_reader_jsonl, &ank_reader_tsv, &ank_reader_csv,
};
enum { CLASS_COUNT = sizeof classes / sizeof classes[0] };

struct anorank_reader {
  anorank_settings settings;
  ank_source *source;
  anorank_table *table;
  const ank_reader_class *class;
  void *state;
  int forget;           /* the levels, before the next block */
  char *doing;          /* "reading x.csv", for progress */
  anorank_status ended; /* a failure that every later call repeats */
  anorank_error error;
};

/* The path without .gz or .zst at its end. */
static anorank_status bare_path(char **out, const char *path, anorank_error *err) {
  static const char *const endings[] = {".gz", ".zst", ".GZ", ".ZST"};
  size_t length = strlen(path);
  for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
    size_t ending = strlen(endings[i]);
    if (length > ending && strcmp(path + length - ending, endings[i]) == 0) {
      length -= ending;
      break;
    }
  }
  return ank_copy_text(out, path, length, err);
}

static anorank_status choose_class(anorank_reader *reader, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const anorank_setting *row = anorank_setting_find("format");
  const unsigned char *bytes;
  char word[32], *path = NULL;
  size_t got;
  if (reader->settings.format != ANORANK_FORMAT_AUTO) {
    anorank_settings_get(&reader->settings, row, word, sizeof word);
    for (size_t i = 0; i < CLASS_COUNT; i++)
      if (strcmp(classes[i]->name, word) == 0) reader->class = classes[i];
    if (!reader->class) {
      status = ank_fail(err, ANORANK_ERROR_USAGE, "the format %s cannot be read; set another one", word);
      ank_blame(err, "format");
    }
    goto done;
  }
  ANK_TRY(bare_path(&path, ank_source_name(reader->source), err));
  ANK_TRY(ank_source_peek(reader->source, &bytes, SNIFF, &got, err));
  ANK_TRY(ank_refuse_foreign(bytes, got, ank_source_name(reader->source), err));
  for (size_t i = 0; i < CLASS_COUNT && !reader->class; i++)
    if (i + 1 == CLASS_COUNT || classes[i]->recognise(bytes, got, path)) reader->class = classes[i];
done:
  ank_free(path);
  return status;
}

/* The file of a failure that did not name it itself. */
static void name_file(anorank_error *err, anorank_status status, const char *name) {
  if (err && name && !err->file[0] && (status == ANORANK_ERROR_DATA || status == ANORANK_ERROR_RESOURCES))
    ank_place(err, name, (size_t)err->line, NULL);
}

/* Everything up to the first row. */
static anorank_status begin(anorank_reader **out, ank_source *source, const anorank_settings *settings,
                            anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_reader *reader = NULL;
  const char *name = ank_source_name(source);
  *out = NULL;
  ANK_TRY(ank_alloc(&reader, 1, sizeof *reader, err));
  reader->settings = *settings;
  reader->source = source;
  source = NULL;
  ank_source_watch(reader->source, &reader->settings);
  ANK_TRY(ank_alloc_raw(&reader->doing, strlen(name) + 16, 1, err));
  snprintf(reader->doing, strlen(name) + 16, "reading %s", name);
  ANK_TRY(ank_table_new(&reader->table, 0, err));
  ANK_TRY(ank_copy_text(&reader->table->source, name, strlen(name), err));
  ANK_TRY(ank_copy_text(&reader->table->missing, settings->missing, strlen(settings->missing), err));
  reader->table->limit = ank_memory_limit(settings);
  ANK_TRY(choose_class(reader, err));
  ANK_TRY(reader->class->open(&reader->state, reader->source, reader->table, &reader->settings, err));
  *out = reader;
  reader = NULL;
done:
  if (reader && reader->table) name_file(err, status, reader->table->source);
  ank_reader_free(reader);
  ank_source_free(source);
  return status;
}

static anorank_status tell_progress(const anorank_reader *reader, anorank_error *err) {
  double share = ank_source_share(reader->source);
  return ank_progress(&reader->settings, share < 0 ? 0 : share, reader->doing, err);
}

/* Rows that take about so many bytes. */
static size_t rows_of(size_t bytes, const anorank_table *table) {
  size_t each = 0;
  for (size_t j = 0; j < table->columns; j++) each += table->column[j].kind != ANORANK_CATEGORICAL ? 8 : 4;
  return each == 0 || bytes < each ? 1 : bytes / each;
}

anorank_status ank_reader_open(anorank_reader **out, ank_source *source, const anorank_settings *settings,
                               anorank_error *err) {
  return begin(out, source, settings, err);
}

/* Append up to `most` rows in steps of a few MiB, so that progress is told and the limit looked at. */
static anorank_status append(anorank_reader *reader, size_t most, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_table *table = reader->table;
  size_t step = rows_of(STEP_BYTES, table), got = 0, want;
  do {
    size_t before = table->rows;
    want = most - got < step ? most - got : step;
    ANK_TRY(tell_progress(reader, err));
    ANK_TRY(ank_table_reserve(table, 0, err)); /* levels count, too */
    ANK_TRY(reader->class->next(reader->state, table, want, err));
    got = table->rows - before == want ? got + want : most;
  } while (got < most);
done:
  return status;
}

static int has_texts(const anorank_table *table) {
  for (size_t j = 0; j < table->columns; j++)
    if (table->column[j].kind == ANORANK_CATEGORICAL) return 1;
  return 0;
}

/* A text takes a code, and its level as well if it is new: so look at what was read, step by step. */
static anorank_status append_texts(anorank_reader *reader, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_table *table = reader->table;
  size_t most = rows_of(BLOCK_BYTES, table), step = rows_of(BLOCK_BYTES / BLOCK_STEPS, table), before;
  size_t enough = ank_table_bytes(table) + BLOCK_BYTES;
  do {
    before = table->rows;
    ANK_TRY(append(reader, step, err));
  } while (table->rows == before + step && table->rows < most && ank_table_bytes(table) < enough);
done:
  return status;
}

static anorank_status next_block(anorank_reader *reader, anorank_error *err) {
  int64_t asked = reader->settings.block_rows;
  ank_table_clear(reader->table);
  if (reader->forget) ank_table_forget_levels(reader->table, KEPT_LEVELS);
  reader->forget = 0;
  if (asked == 0 && has_texts(reader->table)) return append_texts(reader, err);
  return append(reader, asked > 0 ? (size_t)asked : rows_of(BLOCK_BYTES, reader->table), err);
}

anorank_status ank_reader_next(anorank_reader *reader, const anorank_table **block, anorank_error *err) {
  *block = NULL;
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

void ank_reader_forget(anorank_reader *reader) { reader->forget = 1; }

const anorank_table *ank_reader_schema(const anorank_reader *reader) { return reader->table; }

/* How many rows there will be, going by those read so far: saves growing step by step. At most half of the
 * memory goes to a guess. */
static size_t expected_rows(const anorank_reader *reader) {
  const anorank_table *table = reader->table;
  double share = ank_source_share(reader->source);
  double rows = share > 0 ? 1.1 * (double)table->rows / share : 0;
  size_t most = rows_of(table->limit / 2, table);
  return rows <= (double)table->rows ? table->rows : rows < (double)most ? (size_t)rows : table->rows;
}

anorank_status ank_reader_read_all(anorank_table **out, ank_source *source, const anorank_settings *settings,
                                   anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_reader *reader = NULL;
  *out = NULL;
  ANK_TRY(begin(&reader, source, settings, err));
  anorank_table *table = reader->table;
  size_t rows = reader->class->rows ? reader->class->rows(reader->state) : SIZE_MAX;
  if (rows == SIZE_MAX) {
    ANK_TRY(append(reader, rows_of(STEP_BYTES, table), err));
    rows = expected_rows(reader);
  }
  ANK_TRY(ank_table_reserve(table, rows, err));
  ANK_TRY(append(reader, SIZE_MAX, err));
  if (table->rows == 0) {
    int text = reader->class == &ank_reader_csv || reader->class == &ank_reader_tsv;
    status = ank_fail(err, ANORANK_ERROR_DATA, "%s: has a header but no rows of data%s", table->source,
                      text ? "; if its first line is a row, set header = no" : "");
    if (text) ank_remedy(err, "header", "no");
    goto done;
  }
  ANK_TRY(ank_progress(&reader->settings, 1, reader->doing, err));
  *out = table;
  reader->table = NULL;
done:
  if (status != ANORANK_OK && reader) name_file(err, status, reader->table ? reader->table->source : NULL);
  ank_reader_free(reader);
  return status;
}

void ank_reader_free(anorank_reader *reader) {
  if (!reader) return;
  if (reader->class && reader->class->free && reader->state) reader->class->free(reader->state);
  ank_source_free(reader->source);
  ank_table_free(reader->table);
  ank_free(reader->doing);
  ank_free(reader);
}
