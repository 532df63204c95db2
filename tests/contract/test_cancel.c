/* Every public call that takes settings checks their stop callback, and returns ANORANK_CANCELLED soon after
 * the callback cancels, at any time. A call of the headers that is in neither list below fails the test. */
#include "support/check.h"

#include <stdlib.h>

#include "anorank/arrow.h"
#include "support/models.h"

enum { ROWS = 400 };

static anorank_table *table;
static anorank_model *model;
static anorank_ranking *ranking;
static unsigned char *csv, *jsonl, *npy;
static size_t csv_length, jsonl_length, npy_length;
static double x[2000], u[2000];

/* ---- calls ------------------------------------------------------------------------------------------- */

static anorank_status fit(const anorank_settings *s, anorank_error *err) {
  anorank_model *made = NULL;
  anorank_status status = anorank_fit(&made, table, NULL, s, err);
  anorank_model_free(made);
  return status;
}

static anorank_status score(const anorank_settings *s, anorank_error *err) {
  double scores[ROWS];
  return anorank_model_score(model, table, scores, NULL, s, err);
}

static anorank_status score_table(const anorank_settings *s, anorank_error *err) {
  anorank_table *made = NULL;
  anorank_status status = anorank_model_score_table(&made, model, table, 1, s, err);
  anorank_table_free(made);
  return status;
}

static anorank_status rank(const anorank_settings *s, anorank_error *err) {
  anorank_ranking *made = NULL;
  anorank_status status = anorank_ranking_make(&made, model, table, s, err);
  anorank_ranking_free(made);
  return status;
}

static anorank_status detect(const anorank_settings *s, anorank_error *err) {
  anorank_model *made = NULL;
  anorank_ranking *found = NULL;
  anorank_status status = anorank_detect(&made, &found, table, NULL, s, err);
  anorank_ranking_free(found);
  anorank_model_free(made);
  return status;
}

static anorank_status explain(const anorank_settings *s, anorank_error *err) {
  anorank_ranking *made = NULL;
  anorank_status status = anorank_explain(&made, model, table, 3, s, err);
  anorank_ranking_free(made);
  return status;
}

static anorank_status read_bytes(const unsigned char *bytes, size_t length, const anorank_settings *s,
                                 anorank_error *err) {
  anorank_table *made = NULL;
  anorank_status status = anorank_table_read(&made, ANORANK_FROM_MEMORY(bytes, length, "bytes"), s, err);
  anorank_table_free(made);
  return status;
}

static anorank_status read_csv(const anorank_settings *s, anorank_error *err) {
  return read_bytes(csv, csv_length, s, err);
}

static anorank_status read_jsonl(const anorank_settings *s, anorank_error *err) {
  return read_bytes(jsonl, jsonl_length, s, err);
}

static anorank_status read_npy(const anorank_settings *s, anorank_error *err) {
  return read_bytes(npy, npy_length, s, err);
}

static anorank_status drain(anorank_reader *reader, anorank_status status, anorank_error *err) {
  const anorank_table *block = NULL;
  do
    if (status == ANORANK_OK) status = anorank_reader_next(reader, &block, err);
  while (status == ANORANK_OK && block);
  anorank_reader_free(reader);
  return status;
}

static anorank_status read_blocks(const anorank_settings *s, anorank_error *err) {
  anorank_reader *reader = NULL;
  anorank_status status = anorank_reader_open(&reader, ANORANK_FROM_MEMORY(csv, csv_length, "csv"), s, err);
  return drain(reader, status, err);
}

static anorank_status read_ahead(const anorank_settings *s, anorank_error *err) {
  anorank_reader *reader = NULL;
  anorank_status status = anorank_reader_open(&reader, ANORANK_FROM_MEMORY(csv, csv_length, "csv"), s, err);
  if (status == ANORANK_OK) anorank_reader_prefetch(reader);
  return drain(reader, status, err);
}

static anorank_status read_arrow_blocks(const anorank_settings *s, anorank_error *err) {
  struct ArrowArrayStream stream;
  anorank_reader *reader = NULL;
  assert_ok(anorank_table_to_arrow_stream(&stream, table, NULL));
  anorank_status status = anorank_reader_open_arrow(&reader, &stream, s, err);
  return drain(reader, status, err);
}

static anorank_status read_arrow_stream(const anorank_settings *s, anorank_error *err) {
  struct ArrowArrayStream stream;
  anorank_table *made = NULL;
  assert_ok(anorank_table_to_arrow_stream(&stream, table, NULL));
  anorank_status status = anorank_table_from_arrow_stream(&made, &stream, s, err);
  anorank_table_free(made);
  return status;
}

static anorank_status read_arrow(const anorank_settings *s, anorank_error *err) {
  struct ArrowArrayStream stream;
  struct ArrowSchema schema;
  struct ArrowArray array;
  anorank_table *made = NULL;
  assert_ok(anorank_table_to_arrow_stream(&stream, table, NULL));
  assert_int_equal(stream.get_schema(&stream, &schema), 0);
  assert_int_equal(stream.get_next(&stream, &array), 0);
  anorank_status status = anorank_table_from_arrow(&made, &array, &schema, s, err);
  stream.release(&stream);
  anorank_table_free(made);
  return status;
}

static anorank_status simulate(const anorank_settings *s, anorank_error *err) {
  anorank_table *made = NULL;
  anorank_status status = anorank_simulate(&made, NULL, s, err);
  anorank_table_free(made);
  return status;
}

static anorank_status judge(const anorank_settings *s, anorank_error *err) {
  anorank_judgement *made = NULL;
  anorank_status status = anorank_judge(&made, x, 2000, u, 2000, s, err);
  anorank_judgement_free(made);
  return status;
}

static anorank_status compare(const anorank_settings *s, anorank_error *err) {
  anorank_comparison made;
  return anorank_compare(&made, x, u, 2000, u, x, 2000, s, err);
}

static anorank_status evaluate(const anorank_settings *s, anorank_error *err) {
  anorank_evaluation *made = NULL;
  anorank_status status = anorank_evaluate(&made, model, table, s, err);
  anorank_evaluation_free(made);
  return status;
}

static anorank_status evaluate_two(const anorank_settings *s, anorank_error *err) {
  anorank_evaluation *made = NULL;
  anorank_status status = anorank_evaluate_two(&made, model, model, table, s, s, err);
  anorank_evaluation_free(made);
  return status;
}

static anorank_status evaluate_repeated(const anorank_settings *s, anorank_error *err) {
  anorank_repeats made = {0};
  return anorank_evaluate_repeated(&made, table, s, NULL, 5, err);
}

static anorank_status drift(const anorank_settings *s, anorank_error *err) {
  anorank_drift *made = NULL;
  anorank_status status = anorank_drift_make(&made, table, table, s, err);
  anorank_drift_free(made);
  return status;
}

/* Parts are opened with settings without a stop callback. */
static anorank_status open_part(void *context, size_t part, anorank_reader **reader, anorank_error *err) {
  (void)context, (void)part;
  return anorank_reader_open(reader, ANORANK_FROM_MEMORY(csv, csv_length, "csv"), NULL, err);
}

static const anorank_parts parts = {.open = open_part, .count = 2};

static anorank_status stream_read(const anorank_settings *s, anorank_error *err) {
  anorank_stream *stream = NULL;
  assert_ok(anorank_stream_new(&stream, model, NULL, NULL));
  anorank_status status = anorank_stream_read(stream, &parts, s, err);
  anorank_stream_free(stream);
  return status;
}

static anorank_status stream_fit(const anorank_settings *s, anorank_error *err) {
  anorank_stream *stream = NULL;
  anorank_model *made = NULL;
  assert_ok(anorank_stream_new(&stream, NULL, s, NULL));
  assert_ok(anorank_stream_add(stream, table, 0, NULL));
  anorank_status status = anorank_stream_fit(&made, stream, NULL, s, err);
  anorank_stream_free(stream);
  anorank_model_free(made);
  return status;
}

static anorank_status rank_stream(const anorank_settings *s, anorank_error *err) {
  anorank_stream *stream = NULL;
  anorank_status status = anorank_rank_stream(&stream, model, &parts, s, err);
  anorank_stream_free(stream);
  return status;
}

static anorank_status detect_stream(const anorank_settings *s, anorank_error *err) {
  anorank_stream *stream = NULL;
  anorank_model *made = NULL;
  anorank_status status = anorank_detect_stream(&made, &stream, &parts, NULL, s, err);
  anorank_stream_free(stream);
  anorank_model_free(made);
  return status;
}

static anorank_status report(const anorank_settings *s, anorank_error *err) {
  unsigned char *bytes = NULL;
  size_t length = 0;
  const anorank_report about = {.model = model, .table = table};
  anorank_status status = anorank_report_write(ANORANK_TO_MEMORY(&bytes, &length, NULL), &about, s, err);
  anorank_bytes_free(bytes);
  return status;
}

static const struct {
  const char *name;
  anorank_status (*call)(const anorank_settings *settings, anorank_error *err);
} calls[] = {{"anorank_fit", fit},
             {"anorank_model_score", score},
             {"anorank_model_score_table", score_table},
             {"anorank_ranking_make", rank},
             {"anorank_detect", detect},
             {"anorank_explain", explain},
             {"anorank_table_read", read_csv},
             {"anorank_table_read", read_jsonl},
             {"anorank_table_read", read_npy},
             {"anorank_reader_open", read_blocks},
             {"anorank_reader_open", read_ahead},
             {"anorank_reader_open_arrow", read_arrow_blocks},
             {"anorank_table_from_arrow_stream", read_arrow_stream},
             {"anorank_table_from_arrow", read_arrow},
             {"anorank_simulate", simulate},
             {"anorank_judge", judge},
             {"anorank_compare", compare},
             {"anorank_evaluate", evaluate},
             {"anorank_evaluate_two", evaluate_two},
             {"anorank_evaluate_repeated", evaluate_repeated},
             {"anorank_drift_make", drift},
             {"anorank_stream_read", stream_read},
             {"anorank_stream_fit", stream_fit},
             {"anorank_rank_stream", rank_stream},
             {"anorank_detect_stream", detect_stream},
             {"anorank_report_write", report}};

/* No more than a sort, or a pass over rows that are in memory. */
static const char *const short_calls[] = {
    "anorank_ranks",        "anorank_labelled_metrics", "anorank_review_read",       "anorank_review_ask",
    "anorank_review_table", "anorank_stream_new",       "anorank_stream_from_bytes", "anorank_figure_write"};

/* ---- the walk ---------------------------------------------------------------------------------------- */

typedef struct asked {
  size_t times, stop_at; /* 0: never */
} asked;

static int ask(void *context) {
  asked *count = context;
  return ++count->times >= count->stop_at && count->stop_at > 0;
}

static anorank_settings settings_for(asked *count, int64_t threads) {
  anorank_settings settings = model_settings();
  settings.threads = threads;
  settings.rows = 2000;
  anorank_settings_on_stop(&settings, ask, count);
  return settings;
}

TEST(every_call_asks_and_can_be_cancelled_at_its_first_middle_and_last_question) {
  int failed = 0;
  for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
    asked count = {0};
    anorank_settings settings = settings_for(&count, 1);
    anorank_error err = {0};
    anorank_status status = calls[i].call(&settings, &err);
    size_t all = count.times;
    print_message("%-32s %6zu questions %s\n", calls[i].name, all, status == ANORANK_OK ? "" : err.message);
    failed += status != ANORANK_OK || all == 0;
    for (size_t k = 0; k < 3 && all > 0; k++) {
      count = (asked){0, k == 0 ? 1 : k == 1 ? (all + 1) / 2 : all};
      err = (anorank_error){0};
      status = calls[i].call(&settings, &err);
      if (status == ANORANK_CANCELLED && strcmp(err.code, "cancelled") == 0 &&
          count.times <= count.stop_at + 1)
        continue;
      print_message("  stopped at %zu: %s, %zu questions, %s\n", count.stop_at, anorank_status_name(status),
                    count.times, err.message);
      failed++;
    }
  }
  assert_int_equal(failed, 0);
}

TEST(every_call_can_be_cancelled_when_it_has_threads) {
  for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
    asked count = {0, 1};
    anorank_settings settings = settings_for(&count, 3);
    anorank_error err = {0};
    assert_status(calls[i].call(&settings, &err), ANORANK_CANCELLED);
    assert_string_equal(err.code, "cancelled");
  }
}

static int is_known(const char *name, size_t length) {
  for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
    if (strncmp(calls[i].name, name, length) == 0 && !calls[i].name[length]) return 1;
  for (size_t i = 0; i < sizeof short_calls / sizeof short_calls[0]; i++)
    if (strncmp(short_calls[i], name, length) == 0 && !short_calls[i][length]) return 1;
  return 0;
}

static size_t check_header(const char *name) {
  static char text[1 << 20];
  char path[1024];
  size_t found = 0;
  snprintf(path, sizeof path, "%s/include/anorank/%s.h", getenv("SOURCE"), name);
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  fclose(file);
  for (char *at = text; (at = strstr(at, "\nANORANK_API")) != NULL;) {
    char *end = strchr(at, ';'), *open = strchr(at, '(');
    assert_true(end && open);
    *end = '\0';
    char *start = open;
    while (start[-1] == '_' || (start[-1] >= 'a' && start[-1] <= 'z')) start--;
    if (strstr(open, "anorank_settings *settings,") && strstr(at, "anorank_status") &&
        strncmp(start, "anorank_settings_", 17) != 0) {
      found++;
      if (!is_known(start, (size_t)(open - start)))
        fail_msg("%.*s is not walked", (int)(open - start), start);
    }
    at = end + 1;
  }
  return found;
}

TEST(every_call_with_settings_in_the_headers_is_walked) {
  static const char *const headers[] = {"anorank", "io", "arrow", "criterion", "experimental", "report"};
  size_t found = 0;
  if (!getenv("SOURCE")) skip();
  for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++) found += check_header(headers[i]);
  assert_true(found >= 30);
}

static int set_up(void **state) {
  anorank_settings settings = model_settings();
  anorank_table *numbers;
  (void)state;
  table = model_table(ROWS, 4, 1);
  assert_ok(anorank_fit(&model, table, NULL, &settings, NULL));
  assert_ok(anorank_ranking_make(&ranking, model, table, &settings, NULL));
  assert_ok(anorank_table_write(table, ANORANK_TO_MEMORY(&csv, &csv_length, NULL), "csv", NULL));
  assert_ok(anorank_table_write(table, ANORANK_TO_MEMORY(&jsonl, &jsonl_length, NULL), "jsonl", NULL));
  for (size_t i = 0; i < 2000; i++) x[i] = sin((double)i), u[i] = cos((double)i * 1.7);
  assert_ok(anorank_table_from_matrix(&numbers, x, 500, 4, 4, 1, NULL, NULL));
  assert_ok(anorank_table_write(numbers, ANORANK_TO_MEMORY(&npy, &npy_length, NULL), "npy", NULL));
  anorank_table_free(numbers);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  anorank_bytes_free(csv);
  anorank_bytes_free(jsonl);
  anorank_bytes_free(npy);
  anorank_ranking_free(ranking);
  anorank_model_free(model);
  anorank_table_free(table);
  return 0;
}

TEST_GROUP(set_up, tear_down)
