/* test_report.c - the rows of a report, its map, and its page; web/tests checks the rest in a browser. */
#include "core/alloc.h"
#include "report/report_data.h"
#include "support/models.h"

static anorank_settings settings;
static anorank_table *train, *rows;
static anorank_model *model;

static int make(void **state) {
  (void)state;
  settings = model_settings();
  settings.scorer = "knn";
  train = model_table(800, 0, 1);
  rows = model_table(3000, 40, 2);
  assert_ok(anorank_fit(&model, train, NULL, &settings, NULL));
  return 0;
}

static int drop(void **state) {
  (void)state;
  anorank_model_free(model);
  anorank_table_free(train);
  anorank_table_free(rows);
  return 0;
}

static ank_report gathered(const anorank_settings *own) {
  static anorank_report about;
  ank_report report;
  about = (anorank_report){.model = model, .table = rows};
  assert_ok(ank_report_gather(&report, &about, own, NULL));
  return report;
}

static char *page_of(const anorank_report *about, size_t *length) {
  scoped_result *bytes;
  assert_ok(anorank_report_write(ANORANK_TO_MEMORY(&bytes, length, NULL), about, &settings, NULL));
  char *text = test_memory(*length + 1);
  assert_non_null(text);
  memcpy(text, bytes, *length);
  text[*length] = '\0';
  return text;
}

/* ---- rows -------------------------------------------------------------------------------------------- */

TEST(rows_that_stand_out_come_first_and_the_sample_is_of_the_others) {
  ank_report report = gathered(&settings);
  unsigned char *seen = test_memory(report.rows);
  assert_non_null(seen);
  assert_true(report.flagged >= 40 && report.flagged < 100);
  assert_int_equal(report.listed, ANK_REPORT_LEAST);
  assert_int_equal(report.sampled, ANK_REPORT_SAMPLE);
  for (size_t k = 0; k < report.rows; k++)
    assert_int_equal(ank_report_at(&report, k)->q_value <= ANORANK_USUAL_FDR, k < report.flagged);
  for (size_t i = 0; i < report.sampled; i++) {
    assert_in_range(report.sample[i], report.listed, report.rows - 1);
    assert_false(seen[report.sample[i]]);
    seen[report.sample[i]] = 1;
  }
  ank_report_free(&report);
}

/* Every row that is not listed is as likely as any other. */
TEST(the_sample_favours_no_place) {
  double early = 0, count = 0;
  for (uint64_t seed = 0; seed < 16; seed++) {
    anorank_settings own = settings;
    own.seed = seed;
    own.reasons = 0;
    ank_report report = gathered(&own);
    for (size_t i = 0; i < report.sampled; i++)
      early += report.sample[i] < report.listed + (report.rows - report.listed) / 2, count++;
    ank_report_free(&report);
  }
  assert_close(early / count, 0.5,
               0.007); /* 32,000 draws of 2,900 rows each time: four standard deviations */
}

TEST(more_rows_than_the_cap_are_cut_and_counted) {
  scoped_table *many = model_table(12000, 11000, 3);
  anorank_report about = {.model = model, .table = many};
  ank_report report;
  assert_ok(ank_report_gather(&report, &about, &settings, NULL));
  assert_true(report.flagged >= 11000);
  assert_int_equal(report.listed, ANK_REPORT_LISTED);
  ank_report_free(&report);
}

TEST(a_selected_verdict_gives_the_report_of_all_rows) {
  anorank_settings few = settings;
  scoped_ranking *ranking;
  size_t lengths[2];
  few.lowest = 3;
  assert_ok(anorank_ranking_make(&ranking, model, rows, &few, NULL));
  assert_int_equal(anorank_ranking_get_info(ranking)->count, 3);
  anorank_report about = {.model = model, .table = rows};
  char *without = page_of(&about, &lengths[0]);
  about.ranking = ranking;
  char *with = page_of(&about, &lengths[1]);
  assert_int_equal(lengths[0], lengths[1]);
  assert_memory_equal(without, with, lengths[0]);
}

TEST(a_verdict_of_another_table_is_refused) {
  scoped_ranking *ranking;
  anorank_error err = {0};
  assert_ok(anorank_ranking_make(&ranking, model, train, &settings, NULL));
  anorank_report about = {.model = model, .table = rows, .ranking = ranking};
  unsigned char *bytes;
  size_t length;
  assert_status(anorank_report_write(ANORANK_TO_MEMORY(&bytes, &length, NULL), &about, &settings, &err),
                ANORANK_ERROR_USAGE);
  assert_string_equal(err.code, "ranking-other-table");
  assert_null(bytes);
}

TEST(a_table_without_rows_is_refused) {
  anorank_table none = *rows;
  anorank_error err = {0};
  none.rows = 0;
  anorank_report about = {.model = model, .table = &none};
  assert_status(anorank_report_write(ANORANK_TO_FILE("/nonexistent/x.html"), &about, &settings, &err),
                ANORANK_ERROR_RESOURCES);
  unsigned char *bytes;
  size_t length;
  assert_status(anorank_report_write(ANORANK_TO_MEMORY(&bytes, &length, NULL), &about, &settings, &err),
                ANORANK_ERROR_DATA);
  assert_string_equal(err.code, "table-no-rows");
}

/* ---- the map ----------------------------------------------------------------------------------------- */

/* The eigenvector of the largest eigenvalue of a symmetric matrix, by many steps of the power method; the
 * matrix then continues without it. */
static double take_largest(double *vector, double *matrix, size_t dim) {
  double *next = test_memory(dim * sizeof *next), value = 0;
  for (size_t j = 0; j < dim; j++) vector[j] = 1 + (double)j;
  for (int step = 0; step < 2000; step++) {
    double square = 0;
    for (size_t j = 0; j < dim; j++) {
      next[j] = 0;
      for (size_t k = 0; k < dim; k++) next[j] += matrix[j * dim + k] * vector[k];
      square += next[j] * next[j];
    }
    value = sqrt(square);
    for (size_t j = 0; j < dim; j++) vector[j] = next[j] / value;
  }
  for (size_t j = 0; j < dim; j++)
    for (size_t k = 0; k < dim; k++) matrix[j * dim + k] -= value * vector[j] * vector[k];
  size_t top = 0; /* the largest component is positive */
  for (size_t j = 1; j < dim; j++)
    if (fabs(vector[j]) > fabs(vector[top])) top = j;
  if (vector[top] < 0)
    for (size_t j = 0; j < dim; j++) vector[j] = -vector[j];
  return value;
}

/* Against the eigenvectors of the whole covariance matrix. */
TEST(the_axes_are_the_first_two_principal_ones) {
  const ank_pipeline *pipeline = &model->pipeline;
  size_t dim = ank_prepare_dim(pipeline->prepare), n = pipeline->usual_rows;
  double *mean = test_memory(dim * sizeof *mean), *matrix = test_memory(dim * dim * sizeof *matrix),
         *vector = test_memory(dim * sizeof *vector), total = 0;
  ank_report report = gathered(&settings);
  ank_map map;
  for (size_t b = 0; b < n; b++)
    for (size_t j = 0; j < dim; j++) mean[j] += pipeline->background[b * dim + j] / (double)n;
  for (size_t b = 0; b < n; b++)
    for (size_t j = 0; j < dim; j++)
      for (size_t k = 0; k < dim; k++)
        matrix[j * dim + k] += (pipeline->background[b * dim + j] - mean[j]) *
                               (pipeline->background[b * dim + k] - mean[k]) / (double)n;
  for (size_t j = 0; j < dim; j++) total += matrix[j * dim + j];
  assert_ok(ank_map_make(&map, &report, NULL));
  for (size_t k = 0; k < 2; k++) {
    double along = 0, value = take_largest(vector, matrix, dim);
    for (size_t j = 0; j < dim; j++) along += map.axis[k][j] * vector[j];
    assert_close(along, 1, 1e-3);
    assert_close(map.share[k], value / total, 1e-3);
  }
  ank_map_free(&map);
  ank_report_free(&report);
}

/* ---- the page ---------------------------------------------------------------------------------------- */

TEST(the_page_is_the_same_for_any_number_of_threads) {
  anorank_report about = {.model = model, .table = rows, .title = "t", .command = "c"};
  size_t lengths[2];
  settings.threads = 1;
  char *one = page_of(&about, &lengths[0]);
  settings.threads = 3;
  char *three = page_of(&about, &lengths[1]);
  settings.threads = 2;
  assert_int_equal(lengths[0], lengths[1]);
  assert_memory_equal(one, three, lengths[0]);
}

/* Rows a minute apart, `when` a time or a number; the last five are odd in b. */
static char *page_over_time(int moments) {
  enum { ROWS = 3000 };
  anorank_settings own = settings;
  anorank_model *fitted;
  anorank_table *table;
  char *text = test_memory(ROWS * 100);
  size_t length, used = (size_t)snprintf(text, 100, "when,a,b\n");
  for (int i = 0; i < ROWS; i++) {
    ank_rng rng;
    ank_rng_open(&rng, 3, 99, (uint64_t)i);
    double a = ank_rng_normal(&rng), b = ank_rng_normal(&rng) + (i >= ROWS - 5 ? 40 : 0);
    used += moments ? (size_t)snprintf(text + used, 60, "2025-03-%02dT%02d:%02d:00Z", 1 + i / 1440,
                                       i / 60 % 24, i % 60)
                    : (size_t)snprintf(text + used, 60, "%d", i);
    used += (size_t)snprintf(text + used, 60, ",%.9g,%.9g\n", a, b);
  }
  own.id = "";
  own.time = moments ? "" : "when";
  assert_ok(anorank_table_read(&table, ANORANK_FROM_MEMORY(text, used, "made"), &own, NULL));
  assert_ok(anorank_fit(&fitted, table, NULL, &own, NULL));
  char *page = page_of(&(anorank_report){.model = fitted, .table = table}, &length);
  anorank_model_free(fitted);
  anorank_table_free(table);
  return page;
}

/* Numbers in the array of that key, and the last one. */
static size_t count_numbers(double *last, const char *page, const char *key) {
  size_t count = 0;
  const char *at = strstr(page, key);
  assert_non_null(at);
  for (at += strlen(key); *at != ']'; at++) {
    char *end;
    *last = strtod(at, &end);
    assert_true(end > at);
    count++;
    if (*end == ']') break;
    at = end;
  }
  return count;
}

TEST(the_series_is_the_column_that_most_reasons_name_with_odd_rows_marked) {
  for (int moments = 0; moments < 2; moments++) {
    char *page = page_over_time(moments), *series = strstr(page, "\"series\":{");
    double last = NAN;
    assert_non_null(series);
    const char *start =
        moments ? "\"series\":{\"time\":\"when\",\"moments\":true,\"column\":\"b\",\"joined\":false,"
                : "\"series\":{\"time\":\"when\",\"moments\":false,\"column\":\"b\",\"joined\":true,";
    assert_memory_equal(series, start, strlen(start));
    size_t count = count_numbers(&last, series, "\"times\":[");
    assert_in_range(count, 1200, 1920);
    assert_int_equal(count_numbers(&last, series, "\"values\":["), count);
    assert_true(last > 30);
    count_numbers(&last, series, "\"marks\":[");
    assert_close(last, (double)(count - 1), 0);
  }
}

TEST(a_table_without_times_has_no_series) {
  anorank_report about = {.model = model, .table = rows};
  size_t length;
  assert_null(strstr(page_of(&about, &length), "\"series\":{"));
}

TEST(a_title_is_text) {
  anorank_report about = {
      .model = model, .table = rows, .title = "</title><script>a&\x1b\xff", .command = "<b>"};
  size_t length;
  char *page = page_of(&about, &length);
  assert_non_null(strstr(page, "<title>&lt;/title&gt;&lt;script&gt;a&amp;??"));
  assert_non_null(strstr(page, "\"command\":\"\\u003cb\\u003e\""));
  assert_null(strstr(page, "<b>"));
}

TEST(a_dominating_column_is_a_warning) {
  anorank_report about = {.model = model, .table = rows};
  size_t length;
  char *page = page_of(&about, &length); /* the 40 odd rows are odd in a alone */
  assert_non_null(strstr(page, "\"what\":\"one column\",\"text\":\"column 'a' "));
}

/* The box around rows that lie so far off holds nothing but emptiness, and contrast rows from it tell nothing. */
TEST(a_blind_contrast_is_a_warning) {
  anorank_settings own = settings;
  scoped_table *far = model_table(1500, 0, 4);
  anorank_evaluation *evaluation[2];
  scoped_model *fitted;
  size_t length;
  own.scorer = "mahalanobis";
  own.bootstrap = 20;
  for (size_t j = 0; j < far->columns; j++)
    if (far->column[j].kind != ANORANK_CATEGORICAL) far->column[j].numbers[7] = 1e7;
  assert_ok(anorank_fit(&fitted, far, NULL, &own, NULL));
  assert_ok(anorank_evaluate(&evaluation[0], fitted, far, &own, NULL));
  assert_ok(anorank_evaluate(&evaluation[1], model, rows, &own, NULL));
  for (size_t i = 0; i < 2; i++) {
    anorank_report about = {
        .model = i ? model : fitted, .table = i ? rows : far, .evaluation = evaluation[i]};
    assert_int_equal(anorank_evaluation_get_info(evaluation[i])->blind, i == 0);
    char *page = page_of(&about, &length);
    assert_true((strstr(page, "\"what\":\"blind contrast\",\"text\":\"") != NULL) == (i == 0));
    anorank_evaluation_free(evaluation[i]);
  }
}

TEST(a_failing_allocation_leaves_nothing) {
  anorank_report about = {.model = model, .table = rows};
  unsigned char *bytes;
  size_t length, requests;
  settings.threads = 1;
  ank_alloc_fail_at(0);
  assert_ok(anorank_report_write(ANORANK_TO_MEMORY(&bytes, &length, NULL), &about, &settings, NULL));
  requests = ank_alloc_fail_at(0);
  anorank_bytes_free(bytes);
  for (size_t k = 1; k <= requests; k += 1 + requests / 29) {
    anorank_error err = {0};
    ank_alloc_fail_at(k);
    anorank_status status =
        anorank_report_write(ANORANK_TO_MEMORY(&bytes, &length, NULL), &about, &settings, &err);
    ank_alloc_fail_at(0);
    assert_int_equal(status, ANORANK_ERROR_RESOURCES);
    assert_null(bytes);
  }
  settings.threads = 2;
}

TEST_GROUP(make, drop)
