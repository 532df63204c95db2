/* test_figure.c - every figure of the registry; tests/cli/test_cli_figure.sh reads its numbers back from the pixels. */
#include "core/alloc.h"
#include "report/figure.h"
#include "support/models.h"

static anorank_settings settings;
static anorank_table *train, *rows;
static anorank_model *model;
static anorank_evaluation *evaluation;

static int make(void **state) {
  (void)state;
  settings = model_settings();
  settings.scorer = "knn";
  settings.bootstrap = 20;
  train = model_table(250, 0, 1);
  rows = model_table(250, 12, 2);
  assert_ok(anorank_fit(&model, train, NULL, &settings, NULL));
  assert_ok(anorank_evaluate(&evaluation, model, rows, &settings, NULL));
  return 0;
}

static int drop(void **state) {
  (void)state;
  anorank_evaluation_free(evaluation);
  anorank_model_free(model);
  anorank_table_free(train);
  anorank_table_free(rows);
  return 0;
}

/* NUL at the end. NULL where it fails. */
static char *figure_of(const char *name, const anorank_report *about, size_t *length, anorank_error *err) {
  unsigned char *bytes;
  if (anorank_figure_write(ANORANK_TO_MEMORY(&bytes, length, NULL), name, about, &settings, err) !=
      ANORANK_OK) {
    assert_null(bytes);
    return NULL;
  }
  char *text = test_memory(*length + 1);
  assert_non_null(text);
  memcpy(text, bytes, *length);
  anorank_bytes_free(bytes);
  return text;
}

static anorank_report whole(void) {
  return (anorank_report){.model = model, .table = rows, .evaluation = evaluation, .title = "rows"};
}

/* ---- all of them --------------------------------------------------------------------------------------- */

TEST(every_figure_has_a_title_a_text_and_the_same_bytes_on_any_number_of_threads) {
  const anorank_figure_kind *kind;
  anorank_report about = whole();
  size_t drawn = 0;
  for (size_t i = 0; (kind = anorank_figure_kind_at(i)) != NULL; i++) {
    size_t lengths[2];
    anorank_error err = {0};
    settings.threads = 1;
    char *one = figure_of(kind->name, &about, &lengths[0], &err);
    settings.threads = 3;
    char *three = figure_of(kind->name, &about, &lengths[1], NULL);
    settings.threads = 2;
    assert_true((one != NULL) == (three != NULL));
    if (!one) continue; /* without labels or times */
    drawn++;
    assert_int_equal(lengths[0], lengths[1]);
    assert_memory_equal(one, three, lengths[0]);
    assert_non_null(strstr(one, "<title>"));
    assert_non_null(strstr(one, "<desc>rows: 250 "));
    assert_null(strstr(one, "nan"));
    assert_null(strstr(one, "inf"));
  }
  assert_in_range(drawn, 5, 8);
}

TEST(names_are_unique_and_described) {
  const anorank_figure_kind *one, *other;
  for (size_t i = 0; (one = anorank_figure_kind_at(i)) != NULL; i++) {
    assert_true(strlen(one->shows) > 10);
    for (size_t k = 0; k < i && (other = anorank_figure_kind_at(k)) != NULL; k++)
      assert_string_not_equal(one->name, other->name);
  }
}

TEST(a_name_from_outside_is_text) {
  anorank_report about = whole();
  size_t length;
  about.title = "</desc><script>&\x1b\xff";
  char *svg = figure_of("map", &about, &length, NULL);
  assert_non_null(strstr(svg, "&lt;/desc&gt;&lt;script&gt;&amp;\xef\xbf\xbd\xef\xbf\xbd"));
  assert_null(strstr(svg, "<script"));
}

/* ---- what is missing ----------------------------------------------------------------------------------- */

static void told(const char *name, const anorank_report *about, anorank_status status, const char *words) {
  anorank_error err = {0};
  unsigned char *bytes;
  size_t length;
  assert_status(anorank_figure_write(ANORANK_TO_MEMORY(&bytes, &length, NULL), name, about, &settings, &err),
                status);
  assert_null(bytes);
  assert_error(&err, words);
}

TEST(a_figure_without_its_data_is_an_error) {
  anorank_report about = whole();
  told("maps", &about, ANORANK_ERROR_USAGE, "figure-unknown");
  told("roc", &about, ANORANK_ERROR_USAGE, "figure-needs-labels");
  told("time", &about, ANORANK_ERROR_DATA, "figure-no-time");
  about.evaluation = NULL;
  told("curve", &about, ANORANK_ERROR_USAGE, "figure-needs-evaluation");
  static const char text[] = "name,a,b,c,kind,bad\nn1,1,2,0,x,0\nn2,2,3,0,y,0\nn3,3,4,1,x,0\n";
  anorank_settings reading = settings;
  scoped_table *labelled;
  reading.labels = "bad";
  assert_ok(
      anorank_table_read(&labelled, ANORANK_FROM_MEMORY(text, sizeof text - 1, "x.csv"), &reading, NULL));
  about.table = labelled;
  settings.labels = "bad";
  told("roc", &about, ANORANK_ERROR_DATA, "labels-one-kind");
  settings.labels = "";
}

TEST(a_failing_allocation_leaves_nothing) {
  static const char *const names[] = {"curve", "map", "columns"};
  anorank_report about = whole();
  settings.threads = 1;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    unsigned char *bytes;
    size_t length;
    ank_alloc_fail_at(0);
    assert_ok(
        anorank_figure_write(ANORANK_TO_MEMORY(&bytes, &length, NULL), names[i], &about, &settings, NULL));
    size_t requests = ank_alloc_fail_at(0);
    anorank_bytes_free(bytes);
    for (size_t back = 0; back < requests && back < 100; back = 2 * back + 1) { /* drawing comes last */
      ank_alloc_fail_at(requests - back);
      anorank_status status =
          anorank_figure_write(ANORANK_TO_MEMORY(&bytes, &length, NULL), names[i], &about, &settings, NULL);
      ank_alloc_fail_at(0);
      assert_int_equal(status, ANORANK_ERROR_RESOURCES);
      assert_null(bytes);
    }
  }
  settings.threads = 2;
}

TEST_GROUP(make, drop)
