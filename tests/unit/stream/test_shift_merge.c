/* Shift checks over parts of a file, merged: they write the notes of one check over all rows, for any split
 * of the rows. */
#include "stream/stream.h"
#include "support/models.h"

enum { ROWS = 5000, FITTED = 400, MOST = 5 };

/* A time, a number that grows with it, one whose unit changes after two thirds, a level; the names again in the middle. */
static char *make(size_t *length) {
  char *text = test_memory(ROWS * 100 + 500);
  size_t used = (size_t)sprintf(text, "when,load,heat,kind\n");
  for (size_t i = 0; i < ROWS; i++) {
    ank_rng rng;
    ank_rng_open(&rng, 5, 96, i);
    double load = 10 + (i > 1000 ? 0.01 * (double)i : 0) + ank_rng_normal(&rng);
    double heat = (3 * i > 2 * ROWS ? 100 : 1) * (20 + ank_rng_normal(&rng));
    if (i == 2500 || i == 4000) used += (size_t)sprintf(text + used, "when,load,heat,kind\n");
    used += (size_t)sprintf(text + used, "2025-%02d-%02d %02d:00,%.6f,%.6f,%c\n", (int)(1 + i / 672),
                            (int)(1 + i / 24 % 28), (int)(i % 24), load, heat, "xy"[i % 2]);
  }
  *length = used;
  return text;
}

static anorank_model *fit_first(const char *text) {
  anorank_settings settings = test_settings();
  scoped_table *table;
  anorank_model *model;
  size_t length = 0;
  for (size_t line = 0; line <= FITTED; line++) length = (size_t)(strchr(text + length, '\n') - text) + 1;
  settings.train = ANORANK_TRAIN_CLEAN;
  settings.fast = 1;
  assert_ok(anorank_table_read(&table, ANORANK_FROM_MEMORY(text, length, "made"), NULL, NULL));
  assert_ok(anorank_fit(&model, table, NULL, &settings, NULL));
  return model;
}

/* The rows in blocks of `size`, each for one of `count` watches; p: of all rows, or NULL. */
static void watch_blocks(anorank_stream **watch, size_t count, const anorank_model *model, const char *text,
                         size_t length, long size, const double *p) {
  anorank_settings *settings;
  anorank_reader *reader;
  const anorank_table *block;
  size_t first = 0;
  assert_ok(anorank_settings_new(&settings, NULL, NULL));
  assert_ok(anorank_settings_set_number(settings, "block-rows", (double)size, NULL));
  assert_ok(anorank_reader_open(&reader, ANORANK_FROM_MEMORY(text, length, "made"), settings, NULL));
  for (size_t w = 0; w < count; w++) {
    assert_ok(anorank_stream_new(&watch[w], model, NULL, NULL));
    assert_ok(anorank_stream_check(watch[w], anorank_reader_schema(reader), 0, NULL, NULL));
  }
  for (size_t b = 0;; b++) {
    assert_ok(anorank_reader_next(reader, &block, NULL));
    if (!block) break;
    assert_ok(anorank_stream_check(watch[b * b % count], block, first, p ? p + first : NULL, NULL));
    first += anorank_table_rows(block);
  }
  assert_int_equal(first, ROWS);
  anorank_reader_free(reader);
  anorank_settings_free(settings);
}

static void add(anorank_stream *to, anorank_stream *from) {
  scoped_stream *sent;
  scoped_result *bytes;
  size_t length;
  assert_ok(anorank_stream_to_bytes(&bytes, &length, from, NULL));
  assert_ok(anorank_stream_from_bytes(&sent, from->model, bytes, length, NULL, NULL));
  assert_ok(anorank_stream_merge(to, sent, NULL));
}

static void notes_of(char *text, size_t size, anorank_stream *watch) {
  size_t used = 0;
  assert_ok(anorank_stream_conclude(watch, NULL));
  text[0] = '\0';
  for (size_t i = 0; i < anorank_notes_count(anorank_stream_notes(watch)); i++)
    used += (size_t)snprintf(text + used, size - used, "%s %s\n",
                             anorank_notes_at(anorank_stream_notes(watch), i)->code,
                             anorank_notes_at(anorank_stream_notes(watch), i)->text);
}

TEST(merged_checks_say_what_one_says) {
  size_t length;
  char *text = make(&length), one[4000], many[4000];
  scoped_model *model = fit_first(text);
  anorank_stream *watch[MOST];
  for (int given = 0; given < 2; given++) {
    anorank_table *table;
    double *p = test_memory(ROWS * sizeof *p);
    assert_ok(anorank_table_read(&table, ANORANK_FROM_MEMORY(text, length, "made"), NULL, NULL));
    assert_ok(anorank_model_score(model, table, NULL, p, NULL, NULL));
    assert_ok(anorank_stream_new(&watch[0], model, NULL, NULL));
    assert_ok(anorank_stream_check(watch[0], table, 0, given ? p : NULL, NULL));
    notes_of(one, sizeof one, watch[0]);
    anorank_stream_free(watch[0]);
    anorank_table_free(table);
    const char *repeated = strstr(one, "csv-header-again ");
    assert_non_null(repeated);
    assert_non_null(strstr(repeated, " 2502 "));
    assert_non_null(strstr(one, "shift-training-rows "));
    assert_non_null(strstr(one, "shift-found "));
    assert_non_null(strstr(one, "order-by-time "));
    for (size_t count = 1; count <= MOST; count++)
      for (int blocks = 0; blocks < 3; blocks++) {
        watch_blocks(watch, count, model, text, length,
                     blocks == 0   ? 7
                     : blocks == 1 ? 401
                                   : 3000,
                     given ? p : NULL);
        /* from the last to the first, or all into the first */
        for (size_t w = count - 1; w > 0; w--) add(blocks == 0 ? watch[w - 1] : watch[0], watch[w]);
        notes_of(many, sizeof many, watch[0]);
        assert_string_equal(many, one);
        for (size_t w = 0; w < count; w++) anorank_stream_free(watch[w]);
      }
  }
}

/* A watch that has seen nothing yet takes all from another. */
TEST(an_empty_check_becomes_the_other) {
  size_t length;
  char *text = make(&length), one[4000], other[4000];
  scoped_model *model = fit_first(text);
  scoped_stream *watch, *empty;
  assert_ok(anorank_stream_new(&empty, model, NULL, NULL));
  watch_blocks(&watch, 1, model, text, length, 500, NULL);
  add(watch, empty);
  add(empty, watch);
  notes_of(one, sizeof one, watch);
  notes_of(other, sizeof other, empty);
  assert_string_equal(one, other);
  assert_true(anorank_notes_count(anorank_stream_notes(empty)) >= 4);
}
