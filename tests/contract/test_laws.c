/* The contract of every law: the promises of src/contrast/law.h. A new law is covered once it is in the
 * registry. */
#include "contrast/contrast_matrix.h"
#include "contrast/law.h"
#include "core/alloc.h"
#include "core/rng.h"
#include "support/check.h"

enum { ROWS = 20, DIM = 3 };

/* Few data rows to a chunk of 65536 cells: 30000 rows of 3 columns are two chunks. */
static anorank_settings settings_of(const char *law, int64_t rows) {
  anorank_settings settings = test_settings();
  strcpy(settings.law, law);
  settings.rows = rows;
  settings.dim = DIM;
  settings.seed = 99;
  settings.alpha = 2;
  return settings;
}

/* Three numeric columns that hang together, around (0.3, 0.3, 0.3); with `category` a fourth one of two
 * levels. */
static anorank_table *make_data(int category) {
  anorank_table *table;
  ank_rng rng;
  assert_ok(ank_table_new(&table, DIM + (size_t)category, NULL));
  if (category) {
    int32_t code;
    ank_table_set_kind(table, DIM, ANORANK_CATEGORICAL);
    assert_ok(ank_levels_code(&code, &table->column[DIM].levels, "a", 1, NULL));
    assert_ok(ank_levels_code(&code, &table->column[DIM].levels, "b", 1, NULL));
  }
  assert_ok(ank_table_reserve(table, ROWS, NULL));
  table->rows = ROWS;
  ank_rng_open(&rng, 3, 77, 0);
  for (size_t j = 0; j < table->columns; j++) assert_ok(ank_table_set_name(table, j, "", 0, NULL));
  for (size_t i = 0; i < ROWS; i++) {
    double shared = 0.3 * ank_rng_normal(&rng);
    for (size_t j = 0; j < DIM; j++) table->column[j].numbers[i] = 0.3 + shared + 0.3 * ank_rng_normal(&rng);
    if (category) table->column[DIM].codes[i] = (int32_t)(i % 2);
  }
  return table;
}

static anorank_table *data_for(const anorank_law *law) { return law->around_data ? make_data(0) : NULL; }

static void assert_same_rows(const anorank_table *a, size_t a_first, const anorank_table *b, size_t b_first,
                             size_t count) {
  assert_int_equal(a->columns, b->columns);
  for (size_t j = 0; j < a->columns; j++)
    if (a->column[j].kind == ANORANK_NUMERIC)
      assert_memory_equal(a->column[j].numbers + a_first, b->column[j].numbers + b_first,
                          count * sizeof(double));
    else
      assert_memory_equal(a->column[j].codes + a_first, b->column[j].codes + b_first,
                          count * sizeof(int32_t));
}

TEST(the_registry_is_complete_and_names_settings_that_exist) {
  assert_null(anorank_law_at(1000));
  assert_non_null(anorank_law_at(6));
  for (size_t l = 0; anorank_law_at(l); l++) {
    const anorank_law *law = anorank_law_at(l);
    const ank_law *inner = ank_law_at(l);
    char words[256], *rest = words, *word;
    assert_ptr_equal(ank_law_find(law->name), inner);
    assert_true(strlen(law->help) > 0 && law->around_data >= 0 && law->around_data <= 2);
    assert_non_null(inner->draw);
    assert_true(strlen(law->settings) < sizeof words);
    strcpy(words, law->settings);
    while ((word = strtok_r(rest, " ", &rest))) {
      assert_non_null(anorank_setting_find(word));
      assert_true(anorank_setting_find(word)->applies_to & ANORANK_FOR_SIMULATE);
    }
  }
}

TEST(the_number_of_threads_changes_no_byte) {
  static const int64_t threads[] = {1, 2, 8};
  for (size_t l = 0; anorank_law_at(l); l++) {
    anorank_table *data = data_for(anorank_law_at(l)), *out[3];
    anorank_settings settings = settings_of(anorank_law_at(l)->name, 50001);
    for (size_t t = 0; t < 3; t++) {
      settings.threads = threads[t];
      assert_ok(anorank_simulate(&out[t], data, &settings, NULL));
      assert_same_rows(out[0], 0, out[t], 0, 50001);
    }
    for (size_t t = 0; t < 3; t++) ank_table_free(out[t]);
    ank_table_free(data);
  }
}

TEST(drawing_in_two_parts_equals_one_draw) {
  for (size_t l = 0; anorank_law_at(l); l++) {
    scoped_table *data = data_for(anorank_law_at(l)), *whole, *first, *second;
    anorank_settings settings = settings_of(anorank_law_at(l)->name, 30000);
    settings.first_row = 7;
    assert_ok(anorank_simulate(&whole, data, &settings, NULL));
    settings.rows = 12345;
    assert_ok(anorank_simulate(&first, data, &settings, NULL));
    settings.first_row += 12345;
    settings.rows = 30000 - 12345;
    assert_ok(anorank_simulate(&second, data, &settings, NULL));
    assert_same_rows(whole, 0, first, 0, 12345);
    assert_same_rows(whole, 12345, second, 0, 30000 - 12345);
  }
}

TEST(another_seed_gives_other_rows_and_all_numbers_are_finite) {
  for (size_t l = 0; anorank_law_at(l); l++) {
    scoped_table *data = data_for(anorank_law_at(l)), *one, *other;
    anorank_settings settings = settings_of(anorank_law_at(l)->name, 1000);
    size_t same = 0;
    assert_ok(anorank_simulate(&one, data, &settings, NULL));
    settings.seed++;
    assert_ok(anorank_simulate(&other, data, &settings, NULL));
    for (size_t j = 0; j < DIM; j++)
      for (size_t i = 0; i < 1000; i++) {
        assert_true(isfinite(one->column[j].numbers[i]));
        same += one->column[j].numbers[i] == other->column[j].numbers[i];
      }
    assert_true(same < 250); /* a law that draws rows of the data hits the same of 20 150 times by chance */
  }
}

/* Correlation of two columns, as they are or by their distance from 0. */
static double correlation(const double *a, int a_apart, const double *b, int b_apart, size_t n) {
  double sum_a = 0, sum_b = 0, aa = 0, bb = 0, ab = 0;
  for (size_t i = 0; i < n; i++) {
    double x = a_apart ? fabs(a[i]) : a[i], y = b_apart ? fabs(b[i]) : b[i];
    sum_a += x, sum_b += y, aa += x * x, bb += y * y, ab += x * y;
  }
  double count = (double)n;
  return (ab - sum_a * sum_b / count) / sqrt((aa - sum_a * sum_a / count) * (bb - sum_b * sum_b / count));
}

/* One seed for X and for U is what happens by default, and intervals take the two to be independent. */
TEST(samples_of_two_laws_with_one_seed_are_independent) {
  const size_t rows = 20000; /* a correlation has a standard error of 0.007 */
  for (size_t first = 0; anorank_law_at(first); first++)
    for (size_t second = 0; second < first; second++) {
      const anorank_law *laws[] = {anorank_law_at(first), anorank_law_at(second)};
      anorank_table *drawn[2];
      for (size_t k = 0; k < 2; k++) {
        scoped_table *data = data_for(laws[k]);
        anorank_settings settings = settings_of(laws[k]->name, (int64_t)rows);
        assert_ok(anorank_simulate(&drawn[k], data, &settings, NULL));
      }
      for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 3; j++)
          for (int apart = 0; apart < 4; apart++)
            assert_true(fabs(correlation(drawn[0]->column[i].numbers, apart & 1, drawn[1]->column[j].numbers,
                                         apart >> 1, rows)) < 0.04);
      ank_table_free(drawn[0]);
      ank_table_free(drawn[1]);
    }
}

TEST(every_failing_allocation_is_a_clean_error) {
  for (size_t l = 0; anorank_law_at(l); l++) {
    anorank_table *data = data_for(anorank_law_at(l)), *out;
    anorank_settings settings = settings_of(anorank_law_at(l)->name, 500);
    settings.threads = 1;
    for (size_t k = 1;; k++) {
      anorank_error err = {0};
      (void)ank_alloc_fail_at(k);
      anorank_status status = anorank_simulate(&out, data, &settings, &err);
      size_t requests = ank_alloc_fail_at(0);
      if (requests < k) {
        assert_ok(status);
        ank_table_free(out);
        break;
      }
      assert_status(status, ANORANK_ERROR_RESOURCES);
      assert_null(out);
      assert_true(err.message[0] != '\0');
    }
    ank_table_free(data);
  }
}

/* A law that can do without data says so by drawing, or says that these settings need them. */
TEST(missing_unused_or_empty_data_are_refused_with_a_message) {
  for (size_t l = 0; anorank_law_at(l); l++) {
    const anorank_law *law = anorank_law_at(l);
    anorank_settings settings = settings_of(law->name, 10);
    anorank_error err = {0};
    anorank_table *out, *data = make_data(0);
    anorank_status status = anorank_simulate(&out, NULL, &settings, &err);
    if (law->around_data == 2) assert_status(status, ANORANK_ERROR_USAGE);
    if (law->around_data == 0) assert_ok(status);
    if (status != ANORANK_OK) assert_string_equal(err.code, "law-needs-data");
    ank_table_free(out);
    status = anorank_simulate(&out, data, &settings, NULL);
    assert_status(status, law->around_data == 0 ? ANORANK_ERROR_USAGE : ANORANK_OK);
    ank_table_free(out);
    data->rows = 0;
    if (law->around_data == 2) {
      assert_fails(anorank_simulate(&out, data, &settings, &err), ANORANK_ERROR_DATA, "contrast-no-rows");
    }
    ank_table_free(data);
  }
}

/* Names, kinds and levels are the data's; a law that takes no categories says so. */
TEST(categories_are_drawn_or_refused) {
  for (size_t l = 0; anorank_law_at(l); l++) {
    const anorank_law *law = anorank_law_at(l);
    anorank_settings settings = settings_of(law->name, 2000);
    anorank_error err = {0};
    anorank_table *out, *data = make_data(1);
    size_t second = 0;
    if (law->around_data == 0) {
      ank_table_free(data);
      continue;
    }
    anorank_status status = anorank_simulate(&out, data, &settings, &err);
    if (status != ANORANK_OK) {
      assert_status(status, ANORANK_ERROR_DATA);
      assert_error(&err, "law-needs-numbers column=x4");
      ank_table_free(data);
      continue;
    }
    assert_int_equal(out->column[DIM].kind, ANORANK_CATEGORICAL);
    assert_string_equal(out->column[DIM].levels.text[1], "b");
    for (size_t i = 0; i < 2000; i++) {
      assert_true(out->column[DIM].codes[i] == 0 || out->column[DIM].codes[i] == 1);
      second += out->column[DIM].codes[i] == 1;
    }
    assert_close((double)second / 2000, 0.5, 0.04); /* 3.5 standard errors */
    ank_table_free(out);
    ank_table_free(data);
  }
}

TEST(an_infinite_cell_is_refused_or_left_as_it_is) {
  for (size_t l = 0; anorank_law_at(l); l++) {
    const anorank_law *law = anorank_law_at(l);
    int takes_cells = strcmp(law->name, "permute") == 0 || strcmp(law->name, "file") == 0;
    int looks_at_none = law->around_data == 0 || strcmp(law->name, "unit") == 0;
    anorank_settings settings = settings_of(law->name, 10);
    anorank_error err = {0};
    scoped_table *out = NULL, *data = make_data(0);
    data->column[1].numbers[4] = INFINITY;
    if (law->around_data > 0 && anorank_simulate(&out, data, &settings, &err) != ANORANK_OK)
      assert_string_equal(err.code, "contrast-infinite");
    else if (!takes_cells && !looks_at_none)
      fail_msg("%s draws around an infinite cell", law->name);
  }
}

TEST(a_matrix_gives_the_rows_that_a_table_gives) {
  enum { M = 500 };
  double x[ROWS * DIM], u[M * DIM];
  for (size_t l = 0; anorank_law_at(l); l++) {
    const anorank_law *law = anorank_law_at(l);
    anorank_settings settings = settings_of(law->name, M);
    scoped_table *out, *data = make_data(0);
    for (size_t i = 0; i < ROWS * DIM; i++) x[i] = data->column[i % DIM].numbers[i / DIM];
    assert_ok(anorank_simulate(&out, law->around_data ? data : NULL, &settings, NULL));
    settings.rows = settings.dim = 1; /* not looked at */
    assert_ok(ank_contrast_rows(u, M, x, ROWS, DIM, &settings, NULL));
    for (size_t i = 0; i < M * DIM; i++) assert_true(u[i] == out->column[i % DIM].numbers[i / DIM]);
  }
}
