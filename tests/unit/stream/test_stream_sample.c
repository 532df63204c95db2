/* test_stream_sample.c - tables read block by block: any cut, any order, any merging give the same bytes, and
 * the models equal those of the whole table. */
#include "core/alloc.h"
#include "unit/stream/stream_kit.h"

enum { ROWS = 7000, DRAWN = 2000 };

/* Memory for DRAWN rows with the columns of model_table. */
static anorank_settings small_settings(void) {
  anorank_settings settings = model_settings();
  settings.max_memory = 4 * 104 * DRAWN;
  return settings;
}

static anorank_stream *gather(const anorank_table *table, const anorank_settings *settings, size_t from,
                              size_t to, size_t step, int backwards) {
  anorank_stream *made;
  assert_ok(anorank_stream_new(&made, NULL, settings, NULL));
  for (size_t done = 0; done < to - from; done += step) {
    size_t first = backwards ? (to - from - done > step ? to - done - step : from) : from + done;
    size_t last = backwards ? to - done : (to - first > step ? first + step : to);
    scoped_table *block = cut(table, first, last);
    assert_ok(anorank_stream_add(made, block, first, NULL));
  }
  return made;
}

/* The bytes, to be freed; frees the gathering. */
static unsigned char *bytes_of(anorank_stream *made, size_t *length) {
  unsigned char *bytes;
  assert_ok(anorank_stream_to_bytes(&bytes, length, made, NULL));
  anorank_stream_free(made);
  return bytes;
}

static void assert_same(anorank_stream *made, const unsigned char *bytes, size_t length) {
  size_t own_length;
  scoped_result *own = bytes_of(made, &own_length);
  assert_int_equal(own_length, length);
  assert_memory_equal(own, bytes, length);
}

/* All blocks of a reader, and its columns at the end. */
static void read_all(anorank_stream *stream, anorank_reader *reader) {
  const anorank_table *block;
  for (size_t at = 0;; at += anorank_table_rows(block)) {
    assert_ok(anorank_reader_next(reader, &block, NULL));
    assert_ok(anorank_stream_add(stream, block ? block : anorank_reader_schema(reader), at, NULL));
    if (!block) break;
    anorank_reader_reset_levels(reader);
  }
}

TEST(any_cut_and_any_order_give_the_same_bytes) {
  static const size_t steps[] = {1, 13, 999, 1000, 4096, ROWS};
  scoped_table *table = model_table(ROWS, 5, 1);
  for (int whole = 0; whole < 2; whole++) {
    anorank_settings settings = whole ? model_settings() : small_settings();
    size_t length;
    scoped_result *bytes = bytes_of(gather(table, &settings, 0, ROWS, ROWS, 0), &length);
    for (size_t k = 0; k < sizeof steps / sizeof steps[0]; k++)
      for (int backwards = 0; backwards < 2; backwards++)
        assert_same(gather(table, &settings, 0, ROWS, steps[k], backwards), bytes, length);
  }
}

TEST(any_merging_gives_the_same_bytes) {
  static const size_t borders[][4] = {{0, 1, 2, ROWS}, {0, 3500, 3500, ROWS}, {0, 1999, 2001, ROWS}};
  static const int orders[][3] = {{0, 1, 2}, {2, 1, 0}, {1, 2, 0}, {1, 0, 2}};
  scoped_table *table = model_table(ROWS, 5, 1);
  anorank_settings settings = small_settings();
  size_t length;
  scoped_result *bytes = bytes_of(gather(table, &settings, 0, ROWS, 500, 0), &length);
  for (size_t b = 0; b < 3; b++) {
    for (size_t o = 0; o < 4; o++) {
      anorank_stream *all;
      assert_ok(anorank_stream_new(&all, NULL, &settings, NULL));
      for (size_t k = 0; k < 3; k++) { /* by way of bytes, as between processes */
        size_t part = (size_t)orders[o][k], some;
        unsigned char *sent =
            bytes_of(gather(table, &settings, borders[b][part], borders[b][part + 1], 700, k == 1), &some);
        anorank_stream *got;
        assert_ok(anorank_stream_from_bytes(&got, NULL, sent, some, &settings, NULL));
        assert_ok(anorank_stream_merge(all, got, NULL));
        anorank_stream_free(got);
        anorank_bytes_free(sent);
      }
      assert_int_equal(anorank_stream_rows(all), ROWS);
      assert_same(all, bytes, length);
    }
  }
}

TEST(drawn_rows_have_the_cells_of_the_table) {
  scoped_table *table = model_table(ROWS, 5, 1), *slow;
  anorank_settings settings = small_settings();
  scoped_stream *made = gather(table, &settings, 0, ROWS, 300, 1);
  const anorank_table *drawn;
  assert_ok(anorank_stream_sample(&drawn, made, NULL));
  assert_int_equal(drawn->rows, DRAWN);
  assert_ok(ank_copy_rows(&slow, table, made->sample->store.row, DRAWN, NULL, NULL));
  for (size_t j = 0; j < drawn->columns; j++) {
    const ank_column *a = &drawn->column[j], *b = &slow->column[j];
    assert_string_equal(a->name, b->name);
    assert_int_equal(a->levels.count, b->levels.count);
    for (size_t i = 0; i < DRAWN; i++) {
      if (a->codes)
        assert_int_equal(a->codes[i], b->codes[i]); /* levels in the order of their first appearance */
      else
        assert_true(a->numbers[i] == b->numbers[i] || (isnan(a->numbers[i]) && isnan(b->numbers[i])));
    }
  }
}

static void fit(unsigned char **bytes, size_t *length, anorank_model *model) {
  assert_ok(anorank_model_save(model, ANORANK_TO_MEMORY(bytes, length, NULL), NULL));
  anorank_model_free(model);
}

/* Of the whole table in memory, and gathered: drawn rows and all rows, clean and contaminated, few and many. */
TEST(a_fit_of_a_stream_is_that_of_the_table) {
  static const size_t rows[] = {60, 800, ROWS};
  for (size_t k = 0; k < 6; k++) {
    scoped_table *table = model_table(rows[k / 2], 5, 1);
    anorank_settings settings = small_settings();
    settings.train = k % 2 ? ANORANK_TRAIN_CONTAMINATED : ANORANK_TRAIN_CLEAN;
    anorank_model *model;
    unsigned char *expected, *got;
    size_t expected_length, length, n = rows[k / 2], scored;
    double *row_scores = test_memory(n * sizeof *row_scores);
    const size_t *scored_rows;
    const double *scores;
    assert_ok(ank_model_fit(&model, table, NULL, NULL, row_scores, &settings, NULL));
    fit(&expected, &expected_length, model);
    scoped_stream *made = gather(table, &settings, 0, n, 171, k % 2);
    assert_ok(anorank_stream_fit(&model, made, NULL, &settings, NULL));
    assert_int_equal(anorank_model_get_info(model)->train_rows, n);
    fit(&got, &length, model);
    assert_int_equal(length, expected_length);
    assert_memory_equal(got, expected, length);
    scored = made->fitted.count;
    scored_rows = made->fitted.row;
    scores = made->fitted.score;
    size_t at = 0;
    for (size_t i = 0; i < n; i++) {
      if (isnan(row_scores[i])) continue;
      assert_true(at < scored && scored_rows[at] == i && scores[at] == row_scores[i]);
      at++;
    }
    assert_int_equal(at, scored);
    anorank_bytes_free(expected);
    anorank_bytes_free(got);
  }
}

TEST(notes_come_once_in_the_order_of_the_rows) {
  static const char text[] = "when;amount\n2025-01-02;1,5\n2025-01-03;2,25\n2025-01-04;3,5\n2025-01-05;4,5\n";
  anorank_settings settings = model_settings();
  scoped_table *whole;
  const anorank_table *drawn;
  assert_ok(anorank_table_read(&whole, ANORANK_FROM_MEMORY(text, sizeof text - 1, "made"), &settings, NULL));
  assert_true(whole->notes.count > 0);
  settings.block_rows = 1;
  scoped_reader *reader;
  scoped_stream *made;
  assert_ok(
      anorank_reader_open(&reader, ANORANK_FROM_MEMORY(text, sizeof text - 1, "made"), &settings, NULL));
  assert_ok(anorank_stream_new(&made, NULL, &settings, NULL));
  read_all(made, reader);
  assert_ok(anorank_stream_sample(&drawn, made, NULL));
  assert_int_equal(drawn->rows, 4);
  assert_int_equal(drawn->notes.count, whole->notes.count);
  for (size_t i = 0; i < drawn->notes.count; i++)
    assert_string_equal(drawn->notes.list[i].text, whole->notes.list[i].text);
  assert_string_equal(drawn->source, "made");
}

TEST(mistakes_are_told) {
  scoped_table *table = model_table(50, 0, 1), *few, *other;
  anorank_settings settings = model_settings(), another = model_settings();
  scoped_stream *made = gather(table, &settings, 0, 50, 50, 0), *second, *empty;
  anorank_model *model;
  anorank_error err = {0};
  another.seed = 6;
  assert_ok(anorank_stream_new(&second, NULL, &another, NULL));
  assert_fails(anorank_stream_merge(made, second, &err), ANORANK_ERROR_USAGE, "stream-seed");
  assert_fails(anorank_stream_fit(&model, made, NULL, &another, &err), ANORANK_ERROR_USAGE, "stream-seed");
  assert_ok(anorank_stream_new(&empty, NULL, &settings, NULL));
  assert_fails(anorank_stream_fit(&model, empty, NULL, &settings, &err), ANORANK_ERROR_USAGE, "stream-empty");
  static const double cells[] = {1, 2};
  static const char *const names[] = {"name", "b"};
  assert_ok(anorank_table_from_matrix(&few, cells, 1, 2, 2, 1, names, NULL));
  assert_fails(anorank_stream_add(made, few, 50, &err), ANORANK_ERROR_DATA, "parts-column-count");
  anorank_stream_free(made);
  assert_ok(anorank_stream_new(&made, NULL, &settings, NULL));
  assert_ok(anorank_stream_add(made, few, 0, NULL));
  static const char *const others[] = {"name", "c"};
  assert_ok(anorank_table_from_matrix(&other, cells, 1, 2, 2, 1, others, NULL));
  assert_fails(anorank_stream_add(made, other, 1, &err), ANORANK_ERROR_DATA, "parts-column-name column=c");
  anorank_table_free(other);
  assert_ok(anorank_table_read(&other, ANORANK_FROM_MEMORY("name,b\nx,2\ny,3\n", 15, "words"), NULL, NULL));
  assert_fails(anorank_stream_add(made, other, 1, &err), ANORANK_ERROR_DATA,
               "parts-column-type column=name setting=categorical");
  assert_fails(anorank_stream_add(made, few, SIZE_MAX, &err), ANORANK_ERROR_USAGE, "stream-row-number");
  assert_ok(anorank_stream_add(made, few, 0, NULL));
  unsigned char *bytes;
  size_t length;
  assert_fails(anorank_stream_to_bytes(&bytes, &length, made, &err), ANORANK_ERROR_USAGE, "stream-row-twice");
}

TEST(labels_need_all_rows) {
  scoped_table *table = model_table(ROWS, 0, 1);
  anorank_settings settings = small_settings();
  scoped_stream *made = gather(table, &settings, 0, ROWS, ROWS, 0);
  anorank_model *model;
  anorank_error err = {0};
  settings.labels = "kind";
  assert_fails(anorank_stream_fit(&model, made, NULL, &settings, &err), ANORANK_ERROR_USAGE, "stream-labels");
}

/* Cut anywhere, or with any byte changed: an error or a gathering that works. */
TEST(damaged_bytes_are_refused_or_harmless) {
  scoped_table *table = model_table(30, 0, 1);
  anorank_settings settings = model_settings();
  size_t length;
  scoped_result *bytes = bytes_of(gather(table, &settings, 0, 30, 30, 0), &length);
  anorank_stream *got;
  anorank_error err = {0};
  for (size_t cut_at = 0; cut_at < length; cut_at += 1 + cut_at / 64)
    assert_fails(anorank_stream_from_bytes(&got, NULL, bytes, cut_at, &settings, &err), ANORANK_ERROR_DATA,
                 "stream-bytes");
  for (size_t at = 0; at < length; at++) {
    bytes[at] ^= 0x81;
    if (anorank_stream_from_bytes(&got, NULL, bytes, length, &settings, NULL) == ANORANK_OK) {
      const anorank_table *drawn;
      assert_ok(anorank_stream_sample(&drawn, got, NULL));
      anorank_stream_free(got);
    }
    bytes[at] ^= 0x81;
  }
}

TEST(failing_memory_leaks_nothing) {
  scoped_table *table = model_table(3000, 0, 1);
  anorank_settings settings = small_settings();
  settings.max_memory = 1;
  for (size_t k = 1;; k++) {
    anorank_stream *made = NULL;
    unsigned char *bytes = NULL;
    size_t length;
    ank_alloc_fail_at(k);
    anorank_status status = anorank_stream_new(&made, NULL, &settings, NULL);
    if (status == ANORANK_OK) status = anorank_stream_add(made, table, 0, NULL);
    if (status == ANORANK_OK) status = anorank_stream_to_bytes(&bytes, &length, made, NULL);
    size_t asked = ank_alloc_fail_at(0);
    anorank_bytes_free(bytes);
    anorank_stream_free(made);
    if (asked < k) break;
    assert_int_equal(status, ANORANK_ERROR_RESOURCES);
    k += k / 12; /* each level is a request */
  }
}
