/* test_stream_ranking.c - a table ranked block by block equals the ranking of the whole: every number and
 * sentence. */
#include "unit/stream/stream_kit.h"

enum { ROWS = 3000 };

static void each(anorank_stream *stream, const anorank_table *table, size_t from, size_t to, size_t step,
                 int fetch) {
  for (size_t at = from; at < to; at += step) {
    scoped_table *block = cut(table, at, to - at < step ? to : at + step);
    assert_ok((fetch ? anorank_stream_fetch : anorank_stream_add)(stream, block, at, NULL));
  }
}

/* Findings of the verdict from `at` on, in parts of at most `most`; where they end. */
static size_t assert_same_from(size_t at, const anorank_ranking *whole, anorank_stream *stream, size_t most) {
  const anorank_ranking *ranking;
  const anorank_table *table;
  for (;;) {
    assert_ok(anorank_stream_next(&ranking, &table, stream, most, NULL));
    if (!ranking) break;
    assert_string_equal(anorank_ranking_get_info(ranking)->answer, anorank_ranking_get_info(whole)->answer);
    assert_string_equal(anorank_ranking_get_info(ranking)->note, anorank_ranking_get_info(whole)->note);
    assert_string_equal(anorank_ranking_get_info(ranking)->resolution,
                        anorank_ranking_get_info(whole)->resolution);
    assert_int_equal(anorank_ranking_get_info(ranking)->discoveries,
                     anorank_ranking_get_info(whole)->discoveries);
    for (size_t i = 0; i < anorank_ranking_get_info(ranking)->count; i++, at++) {
      const anorank_finding *a = anorank_ranking_at(whole, at), *b = anorank_ranking_at(ranking, i);
      assert_non_null(a);
      assert_int_equal(a->rank, b->rank);
      assert_int_equal(a->row, b->row);
      assert_true(a->score == b->score && a->p_value == b->p_value && a->q_value == b->q_value);
      assert_int_equal(a->reasons, b->reasons);
      for (size_t k = 0; k < a->reasons; k++) {
        char one[512], other[512];
        anorank_reason_text(anorank_ranking_reason(whole, at, k), one, sizeof one);
        anorank_reason_text(anorank_ranking_reason(ranking, i, k), other, sizeof other);
        assert_string_equal(one, other);
      }
    }
  }
  return at;
}

static void assert_same_findings(const anorank_ranking *whole, anorank_stream *stream, size_t most) {
  assert_int_equal(assert_same_from(0, whole, stream, most), anorank_ranking_get_info(whole)->count);
}

/* In one stream and in three that are merged by way of bytes, for every way to choose rows. */
TEST(findings_are_those_of_the_whole_table) {
  scoped_table *table = model_table(ROWS, 12, 1);
  for (int k = 0; k < 10; k++) {
    anorank_settings settings = model_settings();
    scoped_model *model;
    scoped_ranking *whole;
    settings.train = k % 2 ? ANORANK_TRAIN_CONTAMINATED : ANORANK_TRAIN_CLEAN;
    settings.scorer = k / 2 == 4 ? "isolation" : "neighbours";
    settings.trees = 3; /* ties */
    assert_ok(anorank_fit(&model, table, NULL, &settings, NULL));
    settings.lowest = k / 2 == 0 || k / 2 == 4 ? 15 : 0;
    settings.mass = k / 2 == 1 ? 0.98 : 0;
    settings.fdr = k / 2 == 2 ? 0.2 : 0;
    settings.max_memory = 1; /* what is reported is sorted on disk */
    assert_ok(anorank_ranking_make(&whole, model, table, &settings, NULL));
    anorank_stream *stream, *parts[3], *all;
    assert_ok(anorank_stream_new(&stream, model, &settings, NULL));
    each(stream, table, 0, ROWS, 700, 0);
    assert_ok(anorank_stream_select(stream, NULL));
    each(stream, table, 0, ROWS, 1000, 1);
    assert_same_findings(whole, stream, k % 2 ? 7 : SIZE_MAX);
    anorank_stream_free(stream);
    assert_ok(anorank_stream_new(&all, model, &settings, NULL));
    for (size_t p = 0; p < 3; p++) {
      scoped_result *bytes;
      size_t length;
      assert_ok(anorank_stream_new(&parts[p], model, &settings, NULL));
      each(parts[p], table, p * 1000, (p + 1) * 1000, 300, 0);
      assert_ok(anorank_stream_to_bytes(&bytes, &length, parts[p], NULL));
      assert_ok(anorank_stream_from_bytes(&stream, model, bytes, length, &settings, NULL));
      assert_ok(anorank_stream_merge(all, stream, NULL));
      anorank_stream_free(stream);
    }
    assert_int_equal(anorank_stream_rows(all), ROWS);
    assert_ok(anorank_stream_select(all, NULL));
    each(all, table, 0, ROWS, 999, 1); /* rows that others have counted are scored again */
    assert_same_findings(whole, all, 50);
    for (size_t p = 0; p < 3; p++) anorank_stream_free(parts[p]);
    anorank_stream_free(all);
  }
}

/* Each process gets the counts of all as bytes, and fetches the reported ones of its rows: of a table that the model
 * was fitted on, by the scores of the fit. */
TEST(rows_are_fetched_where_they_are) {
  scoped_table *table = model_table(ROWS, 12, 1);
  anorank_settings settings = model_settings();
  scoped_model *model, *same;
  scoped_ranking *whole;
  anorank_stream *all, *part;
  unsigned char *bytes[4], *seen;
  size_t length[4], found = 0, differ = 0;
  seen = test_memory(ROWS);
  settings.scorer = "neighbours";
  settings.train = ANORANK_TRAIN_CONTAMINATED;
  settings.fdr = 0.5;
  assert_ok(anorank_detect(&same, &whole, table, NULL, &settings, NULL));
  assert_ok(anorank_stream_new(&all, NULL, &settings, NULL));
  each(all, table, 0, ROWS, 800, 0);
  assert_ok(anorank_stream_fit(&model, all, NULL, &settings, NULL));
  assert_ok(anorank_stream_to_bytes(&bytes[3], &length[3], all, NULL));
  for (size_t p = 0; p < 3; p++) {
    assert_ok(anorank_stream_from_bytes(&part, model, bytes[3], length[3], &settings, NULL));
    each(part, table, p * 1000, (p + 1) * 1000, 300, 0);
    assert_ok(anorank_stream_to_bytes(&bytes[p], &length[p], part, NULL));
    anorank_stream_free(part);
  }
  for (size_t p = 3; p-- > 0;) {
    assert_ok(anorank_stream_from_bytes(&part, model, bytes[p], length[p], &settings, NULL));
    assert_int_equal(part->fitted.count, 0); /* they stay where they came from */
    assert_ok(anorank_stream_merge(all, part, NULL));
    anorank_stream_free(part);
    anorank_bytes_free(bytes[p]);
  }
  anorank_bytes_free(bytes[3]);
  assert_ok(anorank_stream_select(all, NULL)); /* the bytes after it are as good */
  assert_ok(anorank_stream_to_bytes(&bytes[3], &length[3], all, NULL));
  for (size_t p = 0; p < 3; p++) {
    const anorank_ranking *ranking;
    const anorank_table *rows;
    assert_ok(anorank_stream_from_bytes(&part, model, bytes[3], length[3], &settings, NULL));
    assert_true(part->fitted.count > ROWS / 2);
    assert_ok(anorank_stream_select(part, NULL));
    each(part, table, p * 1000, (p + 1) * 1000, 999, 1);
    assert_ok(anorank_stream_next(&ranking, &rows, part, SIZE_MAX, NULL));
    for (size_t i = 0; i < anorank_ranking_get_info(ranking)->count; i++) {
      const anorank_finding *one = anorank_ranking_at(ranking, i);
      size_t at = 0;
      while (at < anorank_ranking_get_info(whole)->count && anorank_ranking_at(whole, at)->row != one->row)
        at++;
      const anorank_finding *same_row = anorank_ranking_at(whole, at);
      assert_non_null(same_row);
      differ += same_row->score != one->score || same_row->q_value != one->q_value;
      seen[one->row]++;
      found++;
    }
    anorank_stream_free(part);
  }
  assert_int_equal(differ, 0);
  assert_true(found > 0);
  assert_int_equal(found, anorank_ranking_get_info(whole)->count);
  for (size_t i = 0; i < ROWS; i++) assert_true(seen[i] <= 1);
  anorank_bytes_free(bytes[3]);
  anorank_stream_free(all);
}

/* The tail as numbers of rows by p-value: the same rows, q-values rounded up by less than 2^-13, in one stream or three. */
TEST(a_long_tail_is_counted_in_cells) {
  scoped_table *table = model_table(ROWS, 12, 1);
  for (int k = 0; k < 4; k++) {
    anorank_settings settings = model_settings();
    scoped_model *model;
    scoped_ranking *whole;
    const anorank_ranking *ranking;
    const anorank_table *rows;
    scoped_stream *one, *all;
    anorank_stream *part;
    size_t differ = 0;
    settings.train = ANORANK_TRAIN_CONTAMINATED;
    settings.scorer = "neighbours";
    assert_ok(anorank_fit(&model, table, NULL, &settings, NULL));
    assert_true(model->null.has_tail);
    settings.mass = k == 1 ? 0.98 : 0;
    settings.fdr = k == 2 ? 0.2 : 0;
    settings.lowest = k == 3 ? 40 : 0;
    assert_ok(anorank_ranking_make(&whole, model, table, &settings, NULL));
    assert_ok(anorank_stream_new(&one, model, &settings, NULL));
    assert_ok(anorank_stream_new(&all, model, &settings, NULL));
    one->counts->most_in_tail = all->counts->most_in_tail = 20;
    each(one, table, 0, ROWS, 700, 0);
    for (size_t p = 0; p < 3; p++) { /* some of them have few enough to keep the scores */
      unsigned char *bytes;
      size_t length;
      anorank_stream *sent;
      assert_ok(anorank_stream_new(&part, model, &settings, NULL));
      part->counts->most_in_tail = p == 1 ? ROWS : 20;
      each(part, table, p * 1000, (p + 1) * 1000, 300, 0);
      assert_ok(anorank_stream_to_bytes(&bytes, &length, part, NULL));
      for (size_t at = 0; at < length; at += length / 40)
        assert_int_equal(anorank_stream_from_bytes(&sent, model, bytes, at, &settings, NULL),
                         ANORANK_ERROR_DATA);
      assert_ok(anorank_stream_from_bytes(&sent, model, bytes, length, &settings, NULL));
      assert_ok(anorank_stream_merge(all, sent, NULL));
      anorank_stream_free(sent);
      anorank_stream_free(part);
      anorank_bytes_free(bytes);
    }
    assert_ok(anorank_stream_select(one, NULL));
    assert_ok(anorank_stream_select(all, NULL));
    assert_non_null(one->counts->tail_cells);
    assert_null(one->counts->tail);
    assert_true(one->counts->tail_count > 100);
    assert_int_equal(one->counts->tail_count, all->counts->tail_count);
    assert_int_equal(one->counts->selected, all->counts->selected);
    if (k < 3) assert_int_equal(one->counts->selected, anorank_ranking_get_info(whole)->count);
    each(one, table, 0, ROWS, 1000, 1);
    assert_ok(anorank_stream_next(&ranking, &rows, one, SIZE_MAX, NULL));
    assert_int_equal(anorank_ranking_get_info(ranking)->count, anorank_ranking_get_info(whole)->count);
    for (size_t i = 0; i < anorank_ranking_get_info(whole)->count; i++) {
      const anorank_finding *a = anorank_ranking_at(whole, i), *b = anorank_ranking_at(ranking, i);
      assert_int_equal(a->row, b->row);
      assert_true(a->p_value == b->p_value);
      assert_true(b->q_value >= a->q_value && b->q_value < a->q_value * (1 + 1.0 / 8192));
      assert_true(ank_counts_q(all->counts, b->score) == b->q_value);
      differ += a->q_value != b->q_value;
    }
    assert_true(differ > 10);
  }
}

TEST(mistakes_of_a_ranking_are_told) {
  scoped_table *table = model_table(200, 2, 1);
  anorank_settings settings = model_settings();
  scoped_model *model;
  scoped_stream *stream, *other;
  anorank_error err = {0};
  const anorank_ranking *ranking;
  const anorank_table *rows;
  unsigned char *bytes;
  size_t length;
  settings.scorer = "neighbours";
  assert_ok(anorank_fit(&model, table, NULL, &settings, NULL));
  settings.lowest = 5;
  assert_ok(anorank_stream_new(&stream, model, &settings, NULL));
  assert_fails(anorank_stream_fetch(stream, table, 0, &err), ANORANK_ERROR_USAGE, "stream-fetch-order");
  assert_ok(anorank_stream_add(stream, table, 0, NULL));
  assert_ok(anorank_stream_to_bytes(&bytes, &length, stream, NULL));
  for (size_t at = 0; at < length; at += 3)
    assert_fails(anorank_stream_from_bytes(&other, model, bytes, at, &settings, &err), ANORANK_ERROR_DATA,
                 "stream-bytes");
  anorank_bytes_free(bytes);
  assert_ok(anorank_stream_select(stream, NULL));
  assert_fails(anorank_stream_add(stream, table, 0, &err), ANORANK_ERROR_USAGE, "stream-finished");
  assert_ok(anorank_stream_new(&other, model, &settings, NULL));
  assert_fails(anorank_stream_merge(stream, other, &err), ANORANK_ERROR_USAGE, "stream-merge");
  assert_fails(anorank_stream_next(&ranking, &rows, stream, 1, &err), ANORANK_ERROR_USAGE,
               "stream-not-fetched");
  anorank_stream_free(other);
  assert_ok(anorank_stream_new(&other, NULL, &settings, NULL));
  assert_fails(anorank_stream_merge(stream, other, &err), ANORANK_ERROR_USAGE, "stream-merge");
  assert_fails(anorank_stream_select(other, &err), ANORANK_ERROR_USAGE, "stream-no-model");
  assert_fails(anorank_stream_sample(&rows, stream, &err), ANORANK_ERROR_USAGE, "stream-has-model");
  assert_fails(anorank_stream_conclude(other, &err), ANORANK_ERROR_USAGE, "stream-fitted-rows");
  assert_fails(anorank_stream_read(other, &(anorank_parts){.count = 1}, NULL, &err), ANORANK_ERROR_USAGE,
               "parts-none");
}

/* With any byte changed: an error, or a stream that works. */
TEST(damaged_rankings_are_refused_or_harmless) {
  scoped_table *table = model_table(120, 2, 1);
  anorank_settings settings = model_settings();
  scoped_model *model;
  anorank_stream *stream, *other;
  const anorank_ranking *ranking;
  const anorank_table *rows;
  scoped_result *bytes;
  size_t length, refused = 0;
  settings.scorer = "neighbours";
  settings.train = ANORANK_TRAIN_CONTAMINATED;
  assert_ok(anorank_fit(&model, table, NULL, &settings, NULL));
  settings.lowest = 5;
  assert_ok(anorank_stream_new(&stream, model, &settings, NULL));
  assert_ok(anorank_stream_add(stream, table, 0, NULL));
  assert_ok(anorank_stream_to_bytes(&bytes, &length, stream, NULL));
  for (size_t at = 0; at < length; at += at < 600 ? 1 : 7) {
    bytes[at] ^= 0x41;
    anorank_status status = anorank_stream_from_bytes(&other, model, bytes, length, &settings, NULL);
    refused += status != ANORANK_OK;
    if (status == ANORANK_OK) {
      (void)!anorank_stream_merge(other, stream, NULL);
      (void)!anorank_stream_conclude(other, NULL);
      assert_ok(anorank_stream_select(other, NULL));
      assert_ok(anorank_stream_fetch(other, table, 0, NULL));
      assert_ok(anorank_stream_next(&ranking, &rows, other, 10, NULL));
      anorank_stream_free(other);
    }
    bytes[at] ^= 0x41;
  }
  assert_true(refused > 50);
  anorank_stream_free(stream);
}
