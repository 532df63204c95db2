/* test_stream_context.c - rows that are compared with earlier rows, in several processes: the state goes from one to the next. */
#include "core/alloc.h"
#include "unit/stream/stream_kit.h"

enum { ROWS = 3000, MACHINES = 7 };

static const size_t borders[] = {0, 1, 700, 700, 2100, ROWS};
enum { PARTS = sizeof borders / sizeof borders[0] - 1 };

/* A level for each machine; a row in 500 is far from its own. Some rows have no machine. */
static anorank_table *fleet(void) {
  anorank_settings settings = test_settings();
  anorank_table *table;
  size_t size = 64 + (size_t)ROWS * 80, used;
  char *text = test_memory(size);
  used = (size_t)snprintf(text, size, "machine,t,x,y\n");
  for (size_t i = 0; i < ROWS; i++) {
    ank_rng rng;
    ank_rng_open(&rng, 1, 99, i);
    size_t machine = ank_rng_below(&rng, MACHINES);
    double x = 10 * (double)machine + ank_rng_normal(&rng) + (i % 500 == 499 ? 15 : 0);
    if (i % 97) used += (size_t)snprintf(text + used, size - used, "m%zu", machine);
    used += (size_t)snprintf(text + used, size - used, ",%zu,%.17g,%.17g\n", i, x, ank_rng_normal(&rng));
  }
  assert_ok(anorank_table_read(&table, ANORANK_FROM_MEMORY(text, used, "made"), &settings, NULL));
  return table;
}

static anorank_settings fleet_settings(void) {
  anorank_settings settings = test_settings();
  settings.seed = 5;
  settings.by = "machine";
  settings.time = "t";
  settings.scorer = "neighbours";
  return settings;
}

/* Serialise a stream and load it again. */
static anorank_stream *again(anorank_stream *stream, const anorank_model *model,
                             const anorank_settings *settings) {
  scoped_result *bytes;
  size_t length;
  anorank_stream *loaded;
  assert_ok(anorank_stream_to_bytes(&bytes, &length, stream, NULL));
  anorank_stream_free(stream);
  assert_ok(anorank_stream_from_bytes(&loaded, model, bytes, length, settings, NULL));
  return loaded;
}

static void assert_same_model(const anorank_model *a, const anorank_model *b) {
  scoped_result *one, *other;
  size_t one_length, other_length;
  assert_ok(anorank_model_save(a, ANORANK_TO_MEMORY(&one, &one_length, NULL), NULL));
  assert_ok(anorank_model_save(b, ANORANK_TO_MEMORY(&other, &other_length, NULL), NULL));
  assert_int_equal(one_length, other_length);
  assert_memory_equal(one, other, one_length);
}

/* All rows are drawn, or a part of them once the context is learned from the first. */
TEST(a_fit_goes_on_in_another_process_and_gives_the_same_model) {
  scoped_table *table = fleet();
  for (int drawn = 0; drawn < 2; drawn++) {
    anorank_settings settings = fleet_settings();
    scoped_model *whole, *parts;
    anorank_stream *stream;
    if (drawn) settings.max_memory = 150000;
    assert_ok(anorank_stream_new(&stream, NULL, &settings, NULL));
    assert_ok(anorank_stream_add(stream, table, 0, NULL));
    assert_true(!stream->run == !drawn);
    assert_ok(anorank_stream_fit(&whole, stream, NULL, &settings, NULL));
    anorank_stream_free(stream);
    assert_ok(anorank_stream_new(&stream, NULL, &settings, NULL));
    for (size_t p = 0; p < PARTS; p++) {
      scoped_table *part = cut(table, borders[p], borders[p + 1]);
      assert_ok(anorank_stream_add(stream, part, borders[p], NULL));
      stream = again(stream, NULL, &settings);
    }
    assert_ok(anorank_stream_fit(&parts, stream, NULL, &settings, NULL));
    anorank_stream_free(stream);
    assert_same_model(whole, parts);
  }
}

/* The states before each part, and after the last. */
static void find_states(unsigned char **state, size_t *length, const anorank_table *table,
                        const anorank_model *model, const anorank_settings *settings) {
  for (size_t p = 0; p <= PARTS; p++) {
    anorank_stream *stream;
    assert_ok(anorank_stream_new(&stream, model, settings, NULL));
    if (p > 0) {
      scoped_table *part = cut(table, borders[p - 1], borders[p]);
      assert_ok(anorank_stream_resume(stream, state[p - 1], length[p - 1], NULL));
      assert_ok(anorank_stream_skip(stream, part, borders[p - 1], NULL));
    }
    assert_ok(anorank_stream_state(&state[p], &length[p], stream, NULL));
    anorank_stream_free(stream);
  }
}

static void assert_same_ranking(anorank_stream *a, anorank_stream *b) {
  const anorank_ranking *one, *other;
  const anorank_table *rows;
  assert_ok(anorank_stream_next(&one, &rows, a, SIZE_MAX, NULL));
  assert_ok(anorank_stream_next(&other, &rows, b, SIZE_MAX, NULL));
  size_t count = anorank_ranking_get_info(one)->count;
  assert_true(count > 3);
  assert_int_equal(anorank_ranking_get_info(other)->count, count);
  for (size_t i = 0; i < count; i++) {
    const anorank_finding *mine = anorank_ranking_at(one, i), *theirs = anorank_ranking_at(other, i);
    assert_int_equal(mine->row, theirs->row);
    assert_same_bits(&mine->score, &theirs->score, 1);
    assert_same_bits(&mine->q_value, &theirs->q_value, 1);
  }
}

TEST(parts_that_start_from_the_state_before_them_rank_as_one_stream) {
  scoped_table *table = fleet();
  anorank_settings settings = fleet_settings();
  scoped_model *model;
  anorank_stream *whole, *all;
  unsigned char *state[PARTS + 1];
  size_t length[PARTS + 1];
  assert_ok(anorank_fit(&model, table, NULL, &settings, NULL));
  settings.lowest = 20;
  assert_ok(anorank_stream_new(&whole, model, &settings, NULL));
  assert_ok(anorank_stream_add(whole, table, 0, NULL));
  assert_ok(anorank_stream_select(whole, NULL));
  assert_ok(anorank_stream_fetch(whole, table, 0, NULL));
  find_states(state, length, table, model, &settings);
  assert_ok(anorank_stream_new(&all, model, &settings, NULL));
  for (size_t k = PARTS; k-- > 0;) {
    scoped_table *part = cut(table, borders[k], borders[k + 1]);
    anorank_stream *stream;
    assert_ok(anorank_stream_new(&stream, model, &settings, NULL));
    assert_ok(anorank_stream_resume(stream, state[k], length[k], NULL));
    assert_ok(anorank_stream_add(stream, part, borders[k], NULL));
    stream = again(stream, model, &settings);
    assert_ok(anorank_stream_merge(all, stream, NULL));
    anorank_stream_free(stream);
  }
  assert_ok(anorank_stream_resume(all, state[PARTS], length[PARTS], NULL));
  assert_ok(anorank_stream_select(all, NULL));
  for (size_t k = 0; k < PARTS; k++) {
    scoped_table *part = cut(table, borders[k], borders[k + 1]);
    assert_ok(anorank_stream_resume(all, state[k], length[k], NULL));
    assert_ok(anorank_stream_fetch(all, part, borders[k], NULL));
  }
  assert_same_ranking(whole, all);
  assert_ok(anorank_stream_conclude(whole, NULL));
  assert_ok(anorank_stream_conclude(all, NULL));
  const anorank_notes *notes = anorank_stream_notes(whole), *other = anorank_stream_notes(all);
  assert_true(anorank_notes_count(notes) > 0); /* rows without a machine */
  assert_int_equal(anorank_notes_count(notes), anorank_notes_count(other));
  for (size_t i = 0; i < anorank_notes_count(notes); i++)
    assert_string_equal(anorank_notes_at(notes, i)->text, anorank_notes_at(other, i)->text);
  for (size_t k = 0; k <= PARTS; k++) anorank_bytes_free(state[k]);
  anorank_stream_free(whole);
  anorank_stream_free(all);
}

TEST(mistakes_with_states_are_told) {
  scoped_table *table = fleet(), *part = cut(table, 0, 100);
  anorank_settings settings = fleet_settings(), plain = fleet_settings();
  scoped_model *model, *other, *without;
  anorank_stream *stream;
  anorank_error err = {0};
  scoped_result *state;
  size_t length;
  plain.by = plain.time = "";
  plain.id = "machine";
  assert_ok(anorank_fit(&model, table, NULL, &settings, NULL));
  assert_ok(anorank_fit(&other, part, NULL, &settings, NULL));
  assert_ok(anorank_fit(&without, table, NULL, &plain, NULL));
  assert_ok(anorank_stream_new(&stream, model, &settings, NULL));
  assert_fails(anorank_stream_skip(stream, part, 1, &err), ANORANK_ERROR_USAGE, "stream-context-order");
  assert_ok(anorank_stream_skip(stream, part, 0, NULL));
  assert_ok(anorank_stream_state(&state, &length, stream, NULL));
  assert_ok(anorank_stream_resume(stream, state, length, NULL));
  assert_fails(anorank_stream_skip(stream, part, 0, &err), ANORANK_ERROR_USAGE, "stream-context-order");
  anorank_stream_free(stream);
  assert_ok(anorank_stream_new(&stream, other, &settings, NULL));
  assert_fails(anorank_stream_resume(stream, state, length, &err), ANORANK_ERROR_DATA, "stream-bytes");
  anorank_stream_free(stream);
  assert_ok(anorank_stream_new(&stream, without, &plain, NULL));
  assert_fails(anorank_stream_skip(stream, part, 0, &err), ANORANK_ERROR_USAGE, "model-no-context");
  assert_fails(anorank_stream_resume(stream, state, length, &err), ANORANK_ERROR_USAGE, "model-no-context");
  anorank_stream_free(stream);
  assert_ok(anorank_stream_new(&stream, NULL, &settings, NULL));
  assert_fails(anorank_stream_merge(stream, stream, &err), ANORANK_ERROR_USAGE, "stream-context-parallel");
  anorank_stream_free(stream);
}

/* Cut anywhere, or with any byte changed: an error or a state that works. */
TEST(damaged_states_are_refused_or_harmless) {
  scoped_table *table = fleet(), *part = cut(table, 0, 40), *next = cut(table, 40, 80);
  anorank_settings settings = fleet_settings();
  scoped_model *model;
  anorank_stream *stream;
  anorank_error err = {0};
  scoped_result *state;
  size_t length;
  assert_ok(anorank_fit(&model, table, NULL, &settings, NULL));
  assert_ok(anorank_stream_new(&stream, model, &settings, NULL));
  assert_ok(anorank_stream_skip(stream, part, 0, NULL));
  assert_ok(anorank_stream_state(&state, &length, stream, NULL));
  for (size_t at = 0; at < length; at += 1 + at / 64)
    assert_fails(anorank_stream_resume(stream, state, at, &err), ANORANK_ERROR_DATA, "stream-bytes");
  for (size_t at = 0; at < length; at++) {
    state[at] ^= 0x81;
    if (anorank_stream_resume(stream, state, length, NULL) == ANORANK_OK)
      (void)!anorank_stream_skip(stream, next, 40, NULL);
    state[at] ^= 0x81;
  }
  anorank_stream_free(stream);
}
