/* test_tally.c - a table judged block by block, next to the verdict of the whole: every number and sentence. */
#include <math.h>

#include "model/row_subset.h"
#include "support/models.h"
#include "verdict/tally.h"

enum { ROWS = 3000 };

static anorank_table *cut(const anorank_table *table, size_t from, size_t to) {
  anorank_table *block;
  size_t *rows = malloc((to - from + 1) * sizeof *rows);
  for (size_t i = from; i < to; i++) rows[i - from] = i;
  assert_ok(ank_copy_rows(&block, table, rows, to - from, NULL, NULL));
  free(rows);
  return block;
}

static void each(anorank_tally *tally, const anorank_table *table, size_t from, size_t to, size_t step,
                 int fetch) {
  for (size_t at = from; at < to; at += step) {
    anorank_table *block = cut(table, at, to - at < step ? to : at + step);
    assert_ok((fetch ? anorank_tally_fetch : anorank_tally_add)(tally, block, at, NULL));
    anorank_table_free(block);
  }
}

/* Findings of the verdict from `at` on, in parts of at most `most`; where they end. */
static size_t assert_same_from(size_t at, const anorank_verdict *whole, anorank_tally *tally, size_t most) {
  const anorank_verdict *verdict;
  const anorank_table *table;
  for (;;) {
    assert_ok(anorank_tally_next(&verdict, &table, tally, most, NULL));
    if (!verdict) break;
    assert_string_equal(anorank_verdict_get_info(verdict)->answer, anorank_verdict_get_info(whole)->answer);
    assert_string_equal(anorank_verdict_get_info(verdict)->note, anorank_verdict_get_info(whole)->note);
    assert_string_equal(anorank_verdict_get_info(verdict)->resolution,
                        anorank_verdict_get_info(whole)->resolution);
    assert_int_equal(anorank_verdict_get_info(verdict)->discoveries,
                     anorank_verdict_get_info(whole)->discoveries);
    for (size_t i = 0; i < anorank_verdict_get_info(verdict)->count; i++, at++) {
      const anorank_finding *a = anorank_verdict_at(whole, at), *b = anorank_verdict_at(verdict, i);
      assert_non_null(a);
      assert_int_equal(a->rank, b->rank);
      assert_int_equal(a->row, b->row);
      assert_true(a->score == b->score && a->p_value == b->p_value && a->q_value == b->q_value);
      assert_int_equal(a->reasons, b->reasons);
      for (size_t k = 0; k < a->reasons; k++) {
        char one[512], other[512];
        anorank_reason_text(anorank_verdict_reason(whole, at, k), one, sizeof one);
        anorank_reason_text(anorank_verdict_reason(verdict, i, k), other, sizeof other);
        assert_string_equal(one, other);
      }
    }
  }
  return at;
}

static void assert_same_findings(const anorank_verdict *whole, anorank_tally *tally, size_t most) {
  assert_int_equal(assert_same_from(0, whole, tally, most), anorank_verdict_get_info(whole)->count);
}

/* In one tally and in three that are merged by way of bytes, for every way to choose rows. */
static void findings_are_those_of_the_whole_table(void **state) {
  anorank_table *table = model_table(ROWS, 12, 1);
  (void)state;
  for (int k = 0; k < 10; k++) {
    anorank_settings settings = model_settings();
    anorank_model *model;
    anorank_verdict *whole;
    settings.train = k % 2 ? ANORANK_TRAIN_CONTAMINATED : ANORANK_TRAIN_CLEAN;
    settings.scorer = k / 2 == 4 ? "isolation" : "neighbours";
    settings.trees = 3; /* ties */
    assert_ok(anorank_fit(&model, table, &settings, NULL));
    settings.lowest = k / 2 == 0 || k / 2 == 4 ? 15 : 0;
    settings.mass = k / 2 == 1 ? 0.98 : 0;
    settings.fdr = k / 2 == 2 ? 0.2 : 0;
    settings.max_memory = 1; /* what is reported is sorted on disk */
    assert_ok(anorank_verdict_make(&whole, model, table, &settings, NULL));
    anorank_tally *tally, *parts[3], *all;
    assert_ok(anorank_tally_new(&tally, model, &settings, NULL));
    each(tally, table, 0, ROWS, 700, 0);
    assert_ok(anorank_tally_finish(tally, NULL));
    each(tally, table, 0, ROWS, 1000, 1);
    assert_same_findings(whole, tally, k % 2 ? 7 : SIZE_MAX);
    anorank_tally_free(tally);
    assert_ok(anorank_tally_new(&all, model, &settings, NULL));
    for (size_t p = 0; p < 3; p++) {
      unsigned char *bytes;
      size_t length;
      assert_ok(anorank_tally_new(&parts[p], model, &settings, NULL));
      each(parts[p], table, p * 1000, (p + 1) * 1000, 300, 0);
      assert_ok(anorank_tally_to_bytes(&bytes, &length, parts[p], NULL));
      assert_ok(anorank_tally_from_bytes(&tally, model, bytes, length, &settings, NULL));
      assert_ok(anorank_tally_merge(all, tally, NULL));
      anorank_tally_free(tally);
      anorank_bytes_free(bytes);
    }
    for (size_t p = 0; p < 3; p++) {
      assert_ok(anorank_tally_take_counts(parts[p], all, NULL));
      assert_int_equal(anorank_tally_rows(parts[p]), ROWS);
      assert_ok(anorank_tally_finish(parts[p], NULL));
    }
    for (size_t p = 0; p < 3; p++) anorank_tally_free(parts[p]);
    anorank_tally_free(all);
    anorank_verdict_free(whole);
    anorank_model_free(model);
  }
  anorank_table_free(table);
}

/* Each process fetches what is to be reported of its own rows. */
static void rows_are_fetched_where_they_were_counted(void **state) {
  anorank_table *table = model_table(ROWS, 12, 1);
  anorank_settings settings = model_settings();
  anorank_model *model;
  anorank_verdict *whole;
  anorank_tally *parts[3], *all;
  size_t found = 0;
  (void)state;
  settings.scorer = "neighbours";
  assert_ok(anorank_fit(&model, table, &settings, NULL));
  settings.lowest = 100;
  assert_ok(anorank_verdict_make(&whole, model, table, &settings, NULL));
  assert_ok(anorank_tally_new(&all, model, &settings, NULL));
  for (size_t p = 0; p < 3; p++) {
    assert_ok(anorank_tally_new(&parts[p], model, &settings, NULL));
    each(parts[p], table, p * 1000, (p + 1) * 1000, 300, 0);
    assert_ok(anorank_tally_merge(all, parts[p], NULL));
  }
  for (size_t p = 0; p < 3; p++) {
    assert_ok(anorank_tally_take_counts(parts[p], all, NULL));
    assert_ok(anorank_tally_finish(parts[p], NULL));
    each(parts[p], table, p * 1000, (p + 1) * 1000, 999, 1);
    const anorank_verdict *part;
    const anorank_table *rows;
    assert_ok(anorank_tally_next(&part, &rows, parts[p], SIZE_MAX, NULL));
    found += anorank_verdict_get_info(part)->count;
    anorank_tally_free(parts[p]);
  }
  assert_int_equal(found, anorank_verdict_get_info(whole)->count);
  anorank_tally_free(all);
  anorank_verdict_free(whole);
  anorank_model_free(model);
  anorank_table_free(table);
}

/* The tail as numbers of rows by p-value: the same rows, q-values rounded up by less than 2^-13, in one tally or three. */
static void a_long_tail_is_counted_in_cells(void **state) {
  anorank_table *table = model_table(ROWS, 12, 1);
  (void)state;
  for (int k = 0; k < 4; k++) {
    anorank_settings settings = model_settings();
    anorank_model *model;
    anorank_verdict *whole;
    const anorank_verdict *verdict;
    const anorank_table *rows;
    anorank_tally *one, *all, *part;
    size_t differ = 0;
    settings.train = ANORANK_TRAIN_CONTAMINATED;
    settings.scorer = "neighbours";
    assert_ok(anorank_fit(&model, table, &settings, NULL));
    assert_true(model->null.has_tail);
    settings.mass = k == 1 ? 0.98 : 0;
    settings.fdr = k == 2 ? 0.2 : 0;
    settings.lowest = k == 3 ? 40 : 0;
    assert_ok(anorank_verdict_make(&whole, model, table, &settings, NULL));
    assert_ok(anorank_tally_new(&one, model, &settings, NULL));
    assert_ok(anorank_tally_new(&all, model, &settings, NULL));
    one->most_in_tail = all->most_in_tail = 20;
    each(one, table, 0, ROWS, 700, 0);
    for (size_t p = 0; p < 3; p++) { /* some of them have few enough to keep the scores */
      unsigned char *bytes;
      size_t length;
      anorank_tally *sent;
      assert_ok(anorank_tally_new(&part, model, &settings, NULL));
      part->most_in_tail = p == 1 ? ROWS : 20;
      each(part, table, p * 1000, (p + 1) * 1000, 300, 0);
      assert_ok(anorank_tally_to_bytes(&bytes, &length, part, NULL));
      for (size_t at = 0; at < length; at += length / 40)
        assert_int_equal(anorank_tally_from_bytes(&sent, model, bytes, at, &settings, NULL),
                         ANORANK_ERROR_DATA);
      assert_ok(anorank_tally_from_bytes(&sent, model, bytes, length, &settings, NULL));
      assert_ok(anorank_tally_merge(all, sent, NULL));
      anorank_tally_free(sent);
      anorank_tally_free(part);
      anorank_bytes_free(bytes);
    }
    assert_ok(anorank_tally_finish(one, NULL));
    assert_ok(anorank_tally_finish(all, NULL));
    assert_non_null(one->tail_cells);
    assert_null(one->tail);
    assert_true(one->tail_count > 100);
    assert_int_equal(one->tail_count, all->tail_count);
    assert_int_equal(one->selected, all->selected);
    if (k < 3) assert_int_equal(one->selected, anorank_verdict_get_info(whole)->count);
    each(one, table, 0, ROWS, 1000, 1);
    assert_ok(anorank_tally_next(&verdict, &rows, one, SIZE_MAX, NULL));
    assert_int_equal(anorank_verdict_get_info(verdict)->count, anorank_verdict_get_info(whole)->count);
    for (size_t i = 0; i < anorank_verdict_get_info(whole)->count; i++) {
      const anorank_finding *a = anorank_verdict_at(whole, i), *b = anorank_verdict_at(verdict, i);
      assert_int_equal(a->row, b->row);
      assert_true(a->p_value == b->p_value);
      assert_true(b->q_value >= a->q_value && b->q_value < a->q_value * (1 + 1.0 / 8192));
      assert_true(ank_tallied_q(all, b->score) == b->q_value);
      differ += a->q_value != b->q_value;
    }
    assert_true(differ > 10);
    anorank_tally_free(one);
    anorank_tally_free(all);
    anorank_verdict_free(whole);
    anorank_model_free(model);
  }
  anorank_table_free(table);
}

static void expect(anorank_status got, anorank_status expected, const anorank_error *err, const char *words) {
  assert_int_equal(got, expected);
  assert_non_null(strstr(err->message, words));
}

static void mistakes_of_a_tally_are_told(void **state) {
  anorank_table *table = model_table(200, 2, 1);
  anorank_settings settings = model_settings();
  anorank_model *model;
  anorank_tally *tally, *other;
  anorank_error err = {0};
  const anorank_verdict *verdict;
  const anorank_table *rows;
  unsigned char *bytes;
  size_t length;
  (void)state;
  settings.scorer = "neighbours";
  assert_ok(anorank_fit(&model, table, &settings, NULL));
  settings.lowest = 5;
  assert_ok(anorank_tally_new(&tally, model, &settings, NULL));
  expect(anorank_tally_fetch(tally, table, 0, &err), ANORANK_ERROR_USAGE, &err,
         "rows are fetched after the tally is finished");
  assert_ok(anorank_tally_add(tally, table, 0, NULL));
  assert_ok(anorank_tally_to_bytes(&bytes, &length, tally, NULL));
  for (size_t at = 0; at < length; at += 3)
    expect(anorank_tally_from_bytes(&other, model, bytes, at, &settings, &err), ANORANK_ERROR_DATA, &err,
           "the bytes are no tally of this version");
  anorank_bytes_free(bytes);
  assert_ok(anorank_tally_finish(tally, NULL));
  expect(anorank_tally_add(tally, table, 0, &err), ANORANK_ERROR_USAGE, &err,
         "the tally is finished; add all");
  assert_ok(anorank_tally_new(&other, model, &settings, NULL));
  expect(anorank_tally_merge(tally, other, &err), ANORANK_ERROR_USAGE, &err,
         "tallies are merged before they are finished");
  expect(anorank_tally_next(&verdict, &rows, tally, 1, &err), ANORANK_ERROR_USAGE, &err,
         "no rows were fetched; fetch them");
  expect(anorank_tally_fetch(tally, table, 50, &err), ANORANK_ERROR_USAGE, &err, "row 201 was not counted");
  anorank_tally_free(tally);
  anorank_tally_free(other);
  anorank_model_free(model);
  anorank_table_free(table);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(findings_are_those_of_the_whole_table),
      cmocka_unit_test(rows_are_fetched_where_they_were_counted),
      cmocka_unit_test(a_long_tail_is_counted_in_cells),
      cmocka_unit_test(mistakes_of_a_tally_are_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
