/* Every public function survives the failure of every single allocation: it returns a clean error, leaks
 * nothing (the address sanitizer checks), and the same call works afterwards. tests/checks/check_contract.sh
 * fails when a function of the header that returns a status is missing here.
 *
 * labels: long */
#include "anorank/extras.h"
#include "support/check.h"

#include <unistd.h>

#include "anorank/arrow.h"
#include "core/alloc.h"
#include "core/format_names.h"
#include "model/model.h"

static char folder[64];
static anorank_settings settings;
static double scores[2][400];
static unsigned char labels[400];
static const char csv_text[] = "id,amount,kind\n1,2.5,\"a, b\"\n2,,b\n3,1e-3,\"quote \"\" inside\"\n4,7,b\n";
static const char jsonl_text[] = "{\"a\": 1, \"b\": \"x\\u00e9\"}\n{\"a\": 2.5, \"b\": null}\n";

static const char *path_of(const char *name) {
  static char path[4][128];
  static int turn;
  turn = (turn + 1) % 4;
  snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
  return path[turn];
}

static anorank_table *small_table(void) {
  anorank_table *table;
  assert_ok(anorank_table_from_matrix(&table, scores[0], 100, 2, 2, 1, NULL, NULL));
  return table;
}

/* ---- the calls --------------------------------------------------------------------------------------- */

typedef struct {
  const char *name;
  anorank_status (*call)(anorank_error *err);
  size_t stride;
} scenario;

static scenario scenarios[100];
static size_t scenario_count;

/* A call under test; every `stride`-th of its requests fails once. Where one request comes several times, as in the
 * folds of a fit, or many are alike, a stride keeps the walk short. */
#define CALL(name, stride)                                                                                   \
  static anorank_status call_##name(anorank_error *err);                                                     \
  __attribute__((constructor)) static void add_##name(void) {                                                \
    scenarios[scenario_count++] = (scenario){#name, call_##name, stride};                                    \
  }                                                                                                          \
  static anorank_status call_##name(__attribute__((unused)) anorank_error *err)

#define STEP(call)                                                                                           \
  if (status == ANORANK_OK) status = call

/* The status, and the result at `object` is there if and only if it is OK. */
static anorank_status made(anorank_status status, const void *object) {
  const void *result;
  memcpy(&result, object, sizeof result);
  assert_true((status == ANORANK_OK) == (result != NULL));
  return status;
}

CALL(settings, 1) {
  scoped_settings *mine = NULL, *copy = NULL;
  anorank_status status = anorank_settings_new(&mine, NULL, err);
  assert_true((status == ANORANK_OK) == (mine != NULL));
  STEP(anorank_settings_set(mine, "id", "a,b", err));
  STEP(anorank_settings_set_number(mine, "seed", 4, err));
  STEP(anorank_settings_set_number(mine, "level", 0.9, err));
  STEP(anorank_settings_parse(mine, "ties = max\nid = c\n", 18, err));
  STEP(anorank_settings_new(&copy, mine, err));
  assert_true((status == ANORANK_OK) == (copy != NULL));
  return status;
}

CALL(from_matrix, 1) {
  scoped_table *table;
  const char *names[] = {"first", "first"};
  return made(anorank_table_from_matrix(&table, scores[0], 50, 2, 1, 50, names, err), &table);
}

static anorank_status read_memory(const char *text, int32_t format, anorank_error *err) {
  scoped_table *table;
  anorank_settings mine = settings;
  mine.format = format;
  return made(anorank_table_read(&table, ANORANK_FROM_MEMORY(text, strlen(text), "memory"), &mine, err),
              &table);
}

CALL(read_csv, 1) { return read_memory(csv_text, ANK_FORMAT_csv, err); }

CALL(read_jsonl, 1) { return read_memory(jsonl_text, ANK_FORMAT_jsonl, err); }

static anorank_status read_file(const char *name, anorank_error *err) {
  scoped_table *table;
  return made(anorank_table_read(&table, ANORANK_FROM_FILE(path_of(name)), &settings, err), &table);
}

CALL(read_npy, 1) { return read_file("t.npy", err); }
CALL(read_gz, 1) { return read_file("t.csv.gz", err); }
CALL(read_zst, 1) { return read_file("t.jsonl.zst", err); }

CALL(read_npz, 1) {
  scoped_table *table;
  anorank_settings mine = settings;
  mine.array = "X";
  return made(anorank_table_read(&table, ANORANK_FROM_FILE(TEST_DATA "/contract.npz"), &mine, err), &table);
}

CALL(reader, 1) {
  scoped_reader *reader;
  anorank_settings mine = settings;
  mine.block_rows = 7;
  anorank_status status = anorank_reader_open(&reader, ANORANK_FROM_FILE(path_of("t.csv.gz")), &mine, err);
  assert_true((status == ANORANK_OK) == (reader != NULL));
  const anorank_table *block = NULL;
  if (status == ANORANK_OK) do
      status = anorank_reader_next(reader, &block, err);
    while (status == ANORANK_OK && block);
  return status;
}

static anorank_status write_file(const char *name, anorank_error *err) {
  scoped_table *table = small_table();
  return anorank_table_write(table, ANORANK_TO_FILE(path_of(name)), NULL, err);
}

/* The table is made without failures: only the write is under test. */
static anorank_table *written;

static anorank_status write_blocks(const char *name, anorank_error *err) {
  scoped_writer *writer;
  anorank_status status = anorank_writer_open(&writer, ANORANK_TO_FILE(path_of(name)), NULL, err);
  assert_true((status == ANORANK_OK) == (writer != NULL));
  STEP(anorank_writer_append(writer, written, err));
  if (status == ANORANK_OK && !strstr(name, ".npy")) status = anorank_writer_append(writer, written, err);
  STEP(anorank_writer_commit(writer, err));
  return status;
}

CALL(write_csv, 1) { return write_blocks("w.csv", err); }
CALL(write_gz, 1) { return write_blocks("w.tsv.gz", err); }
CALL(write_zst, 1) { return write_blocks("w.jsonl.zst", err); }
CALL(write_npy, 1) { return write_blocks("w.npy", err); }

CALL(table_write, 1) { return anorank_table_write(written, ANORANK_TO_FILE(path_of("w.jsonl")), NULL, err); }

/* ---- memory, callbacks, Arrow ---- */

CALL(builder, 1) {
  static const double numbers[] = {1, 2, 3, 4};
  static const int32_t codes[] = {1, 0};
  static const char *const texts[] = {"one", "two"};
  anorank_builder *builder;
  scoped_table *table = NULL;
  anorank_status status = anorank_builder_new(&builder, 2, err);
  assert_true((status == ANORANK_OK) == (builder != NULL));
  STEP(anorank_builder_numbers(builder, "n", ANORANK_FLOAT64, numbers, 8, NULL, err));
  STEP(anorank_builder_times(builder, "t", ANORANK_SECONDS, ANORANK_FLOAT64, numbers, 8, NULL, err));
  STEP(anorank_builder_codes(builder, "c", codes, 4, NULL, texts, NULL, 2, err));
  STEP(anorank_builder_texts(builder, "s", texts, NULL, NULL, err));
  STEP(anorank_builder_matrix(builder, NULL, 2, ANORANK_FLOAT64, numbers, 16, 8, err));
  STEP(anorank_builder_finish(&table, builder, err));
  anorank_builder_free(builder);
  return status;
}

CALL(builder_of_table, 1) {
  static const char text[] = "n;c\n1,5;red\n2,5;blue\n";
  anorank_builder *builder = NULL;
  scoped_table *from, *table = NULL;
  anorank_status status =
      anorank_table_read(&from, ANORANK_FROM_MEMORY(text, sizeof text - 1, "x.csv"), NULL, err);
  STEP(anorank_builder_new(&builder, 2, err));
  for (size_t j = 0; j < 2 && status == ANORANK_OK; j++)
    status = anorank_builder_column(builder, j ? "a" : "b", from, j, err);
  STEP(anorank_builder_notes(builder, from, err));
  STEP(anorank_builder_finish(&table, builder, err));
  anorank_builder_free(builder);
  return status;
}

static int fetch(void *context, void *buffer, size_t size, size_t *got) {
  const char **at = context;
  *got = strlen(*at) < size ? strlen(*at) : size;
  memcpy(buffer, *at, *got);
  *at += *got;
  return 0;
}

static anorank_status drain(anorank_reader *reader, anorank_error *err) {
  const anorank_table *block = NULL;
  anorank_status status;
  do status = anorank_reader_next(reader, &block, err);
  while (status == ANORANK_OK && block);
  anorank_reader_free(reader);
  return status;
}

CALL(read_callback, 1) {
  const char *at = csv_text;
  scoped_table *table;
  return made(anorank_table_read(&table, ANORANK_FROM_CALLBACK(fetch, &at, "callback"), &settings, err),
              &table);
}

CALL(reader_callback, 1) {
  const char *at = csv_text;
  anorank_reader *reader;
  anorank_status status =
      anorank_reader_open(&reader, ANORANK_FROM_CALLBACK(fetch, &at, NULL), &settings, err);
  return status == ANORANK_OK ? drain(reader, err) : status;
}

CALL(reader_memory, 1) {
  anorank_reader *reader;
  anorank_status status =
      anorank_reader_open(&reader, ANORANK_FROM_MEMORY(jsonl_text, strlen(jsonl_text), NULL), &settings, err);
  return status == ANORANK_OK ? drain(reader, err) : status;
}

static int lose(void *context, const void *bytes, size_t length) {
  (void)context, (void)bytes, (void)length;
  return 0;
}

CALL(writer_callback, 1) {
  scoped_writer *writer;
  anorank_status status =
      anorank_writer_open(&writer, ANORANK_TO_CALLBACK(lose, NULL, "x.csv.gz"), NULL, err);
  assert_true((status == ANORANK_OK) == (writer != NULL));
  STEP(anorank_writer_append(writer, written, err));
  STEP(anorank_writer_commit(writer, err));
  return status;
}

CALL(writer_memory, 1) {
  scoped_writer *writer;
  scoped_result *bytes = NULL;
  size_t length;
  anorank_status status = anorank_writer_open(&writer, ANORANK_TO_MEMORY(&bytes, &length, NULL), "csv", err);
  STEP(anorank_writer_append(writer, written, err));
  STEP(anorank_writer_commit(writer, err));
  return status;
}

CALL(table_to_bytes, 1) {
  scoped_result *bytes;
  size_t length;
  return made(anorank_table_write(written, ANORANK_TO_MEMORY(&bytes, &length, NULL), "jsonl", err), &bytes);
}

/* Out and in again: as a stream, array by array, in blocks. */
CALL(arrow, 1) {
  struct ArrowArrayStream stream;
  scoped_table *table = NULL;
  anorank_status status = anorank_table_to_arrow_stream(&stream, written, err);
  STEP(anorank_table_from_arrow_stream(&table, &stream, &settings, err));
  assert_null(stream.release);
  return status;
}

CALL(reader_arrow, 1) {
  struct ArrowArrayStream stream;
  anorank_reader *reader = NULL;
  anorank_status status = anorank_table_to_arrow_stream(&stream, written, err);
  STEP(anorank_reader_open_arrow(&reader, &stream, &settings, err));
  assert_null(stream.release);
  return status == ANORANK_OK ? drain(reader, err) : status;
}

CALL(arrow_array, 1) {
  struct ArrowArrayStream stream;
  struct ArrowSchema schema;
  struct ArrowArray array;
  scoped_table *table = NULL;
  anorank_status status = anorank_table_to_arrow_stream(&stream, written, err);
  if (status != ANORANK_OK) return status;
  if (stream.get_schema(&stream, &schema) != 0) {
    (void)ank_fail(err, ANORANK_ERROR_RESOURCES, "arrow-stream", "%s", stream.get_last_error(&stream));
    stream.release(&stream);
    return ANORANK_ERROR_RESOURCES;
  }
  assert_int_equal(stream.get_next(&stream, &array), 0);
  stream.release(&stream);
  return anorank_table_from_arrow(&table, &array, &schema, &settings, err);
}

static anorank_status simulate(const char *law, const anorank_table *data, anorank_error *err) {
  scoped_table *table;
  anorank_settings mine = settings;
  strcpy(mine.law, law);
  mine.rows = 10;
  return made(anorank_simulate(&table, data, &mine, err), &table);
}

CALL(file, 1) {
  anorank_file *file;
  anorank_status status = anorank_file_open(&file, path_of("bytes.gz"), err);
  STEP(anorank_file_write(file, csv_text, sizeof csv_text - 1, err));
  STEP(anorank_file_commit(file, err));
  anorank_file_free(file);
  return status;
}

CALL(simulate, 1) {
  anorank_status status = ANORANK_OK;
  for (size_t i = 0; status == ANORANK_OK && anorank_law_at(i); i++)
    status = simulate(anorank_law_at(i)->name, anorank_law_at(i)->around_data ? written : NULL, err);
  return status;
}

CALL(example, 1) {
  anorank_status status = ANORANK_OK;
  anorank_settings mine = settings;
  mine.rows = 20;
  for (size_t i = 0; status == ANORANK_OK && i < anorank_example_count(); i++) {
    scoped_table *table;
    status = anorank_example_make(&table, anorank_example_at(i)->name, &mine, err);
    assert_true((status == ANORANK_OK) == (table != NULL));
  }
  return status;
}

CALL(ranks, 1) {
  double ranks[400];
  return anorank_ranks(ranks, scores[0], 400, ANORANK_TIES_MID, &settings, err);
}

CALL(judge, 1) {
  scoped_judgement *judgement;
  anorank_settings mine = settings;
  mine.bootstrap = 20;
  return made(anorank_judge(&judgement, scores[0], 300, scores[1], 200, &mine, err), &judgement);
}

CALL(compare, 1) {
  anorank_comparison comparison;
  return anorank_compare(&comparison, scores[0], scores[1], 200, scores[0] + 200, scores[1] + 200, 200,
                         &settings, err);
}

CALL(two_laws, 1) {
  scoped_judgement *judgement;
  anorank_settings mine = settings;
  mine.bootstrap = 20;
  anorank_status status = anorank_judge(&judgement, scores[0], 300, scores[1], 200, &mine, err);
  if (status != ANORANK_OK) return made(status, &judgement);
  anorank_two_laws laws = {.combinations.of = {judgement}, .extremes.of = {judgement}};
  return anorank_two_laws_conclude(&laws, err);
}

CALL(labelled, 1) {
  anorank_labelled labelled;
  return anorank_labelled_metrics(&labelled, scores[0], labels, 400, &settings, err);
}

CALL(accuracy, 1) {
  double accuracy;
  return anorank_accuracy_lowest(&accuracy, scores[0], labels, 400, 50, err);
}

static anorank_judgement *judged;

CALL(figure, 1) {
  return anorank_figure_mass_volume(ANORANK_TO_FILE(path_of("figure.svg")), judged, "one", judged, "two",
                                    err);
}

CALL(figure_to_bytes, 1) {
  scoped_result *bytes;
  size_t length;
  return made(
      anorank_figure_mass_volume(ANORANK_TO_MEMORY(&bytes, &length, NULL), judged, "one", NULL, NULL, err),
      &bytes);
}

static anorank_reproduction *reproduced;

/* One network of one epoch: that each of its requests may fail takes a second as it is. */
CALL(reproduce, 1) {
  anorank_reproduction *reproduction;
  anorank_settings mine = settings;
  mine.repetitions = 1;
  mine.epochs = 1;
  mine.lambda = "1";
  anorank_status status = anorank_reproduce(&reproduction, &mine, err);
  assert_true((status == ANORANK_OK) == (reproduction != NULL));
  if (status == ANORANK_OK && !reproduced)
    reproduced = reproduction;
  else
    anorank_reproduction_free(reproduction);
  return status;
}

CALL(reproduction_write, 23) {
  return anorank_reproduction_write(reproduced, path_of("paper"), NULL, NULL, err);
}

/* ---- models: the table, the model and its bytes are made without failures ---------------------------- */

static anorank_table *fitted_on; /* numbers with missing cells, a category, an id */
static anorank_model *fitted;
static ank_bytes fitted_bytes;

static anorank_table *mixed_table(void) {
  char text[16384], number[32];
  anorank_table *table;
  size_t used = (size_t)snprintf(text, sizeof text, "id,a,b,kind\n");
  for (size_t i = 0; i < 240; i++) {
    snprintf(number, sizeof number, "%.3f", scores[1][i]);
    used += (size_t)snprintf(text + used, sizeof text - used, "n%zu,%.3f,%s,%s\n", i, scores[0][i],
                             i % 11 == 3 ? "" : number, i % 3 ? "x" : "y");
  }
  assert_ok(anorank_table_read(&table, ANORANK_FROM_MEMORY(text, used, "mixed"), &settings, NULL));
  return table;
}

static anorank_status fit_by(const char *scorer, anorank_train train, anorank_error *err) {
  scoped_model *model;
  anorank_settings mine = settings;
  mine.scorer = scorer;
  mine.id = "id";
  mine.train = train;
  mine.folds = 2;
  mine.epochs = 2;
  mine.subsamples = 3;
  return made(anorank_fit(&model, fitted_on, NULL, &mine, err), &model);
}

CALL(fit, 1) { return fit_by("auto", ANORANK_TRAIN_CLEAN, err); }

CALL(fit_contaminated, 5) { return fit_by("auto", ANORANK_TRAIN_CONTAMINATED, err); }

/* The table is its own second table: all of its rows are called anomalies, too. */
CALL(fit_known, 1) {
  anorank_settings mine = settings;
  scoped_model *model = NULL;
  mine.scorer = "linear";
  mine.folds = 2;
  mine.epochs = 2;
  return made(anorank_fit(&model, fitted_on, &(anorank_training){.known = fitted_on}, &mine, err), &model);
}

CALL(model_advance, 1) {
  scoped_model *model = NULL;
  scoped_stream *stream = NULL;
  scoped_table *table = NULL;
  scoped_result *state = NULL;
  size_t length = 0;
  anorank_settings mine = settings;
  mine.by = anorank_table_name(fitted_on, 0);
  mine.scorer = "histogram";
  mine.folds = 2;
  anorank_status status = anorank_fit(&model, fitted_on, NULL, &mine, err);
  STEP(anorank_model_advance(model, fitted_on, err));
  STEP(anorank_stream_new(&stream, model, &mine, err));
  STEP(anorank_stream_score(&table, stream, fitted_on, 0, 0, 2, err));
  STEP(anorank_stream_state(&state, &length, stream, err));
  STEP(anorank_stream_resume(stream, state, length, err));
  STEP(anorank_stream_skip(stream, fitted_on, anorank_table_rows(fitted_on), err));
  return status;
}

CALL(fit_linear, 1) { return fit_by("linear,mahalanobis", ANORANK_TRAIN_CLEAN, err); }

CALL(model_save, 1) { return anorank_model_save(fitted, ANORANK_TO_FILE(path_of("w.anr")), err); }

CALL(model_load, 1) {
  scoped_model *model;
  return made(anorank_model_load(&model, ANORANK_FROM_FILE(path_of("t.anr")), err), &model);
}

CALL(model_load_memory, 1) {
  scoped_model *model;
  return made(
      anorank_model_load(&model, ANORANK_FROM_MEMORY(fitted_bytes.data, fitted_bytes.length, "bytes"), err),
      &model);
}

CALL(prepare_reading, 1) {
  scoped_settings *reading = NULL;
  anorank_status status = anorank_settings_new(&reading, NULL, err);
  STEP(anorank_settings_prepare_reading(reading, fitted, err));
  return status;
}

CALL(model_score, 1) {
  double p_values[240];
  return anorank_model_score(fitted, fitted_on, NULL, p_values, &settings, err);
}

CALL(model_to_bytes, 1) {
  scoped_result *bytes;
  size_t length;
  return made(anorank_model_save(fitted, ANORANK_TO_MEMORY(&bytes, &length, NULL), err), &bytes);
}

CALL(scorer, 1) {
  anorank_scorer *scorer = NULL;
  anorank_scratch *scratch = NULL;
  double row[16] = {0}, score;
  anorank_status status = anorank_scorer_new(&scorer, fitted, NULL, 0, err);
  assert_true((status == ANORANK_OK) == (scorer != NULL));
  STEP(anorank_scratch_new(&scratch, scorer, err));
  assert_true((status == ANORANK_OK) == (scratch != NULL));
  STEP(anorank_scorer_score(scorer, scratch, row, 1, 16, &score, NULL, err));
  anorank_scratch_free(scratch);
  anorank_scorer_free(scorer);
  return status;
}

CALL(detect, 1) {
  scoped_model *model;
  scoped_ranking *ranking;
  anorank_settings mine = settings;
  mine.lowest = 1;
  mine.reasons = 1;
  mine.subsamples = 3;
  mine.calibration = 0.3; /* one fit */
  mine.scorer = "neighbours";
  anorank_status status = anorank_detect(&model, &ranking, fitted_on, NULL, &mine, err);
  assert_true((status == ANORANK_OK) == (model != NULL) && (model != NULL) == (ranking != NULL));
  return status;
}

/* A round of a review, and a fit by its answers. */
CALL(review, 1) {
  static const char text[] = "row,label\n1,1\n3,0\n4,skip\n";
  scoped_model *model = NULL, *taught = NULL;
  scoped_ranking *ranking = NULL;
  anorank_review *review = NULL;
  scoped_table *answers = NULL, *table = NULL;
  anorank_settings mine = settings;
  mine.lowest = 6;
  mine.reasons = 1;
  mine.review_rows = 2;
  mine.subsamples = 3;
  mine.calibration = 0.3; /* one fit */
  mine.scorer = "neighbours";
  anorank_status status = anorank_review_new(&review, fitted_on, err);
  assert_true((status == ANORANK_OK) == (review != NULL));
  STEP(anorank_table_read(&answers, ANORANK_FROM_MEMORY(text, sizeof text - 1, "text"), NULL, err));
  STEP(anorank_review_read(review, answers, &mine, err));
  STEP(anorank_detect(&model, &ranking, fitted_on,
                      &(anorank_training){.labels = anorank_review_labels(review)}, &mine, err));
  STEP(anorank_review_ask(review, ranking, &mine, err));
  STEP(anorank_review_answer(review, 9, ANORANK_ANSWER_ANOMALY, err));
  STEP(anorank_review_table(&table, review, &mine, err));
  assert_true((status == ANORANK_OK) == (table != NULL));
  STEP(anorank_fit(&taught, fitted_on, &(anorank_training){.labels = anorank_review_labels(review)}, &mine,
                   err));
  assert_true((status == ANORANK_OK) == (taught != NULL));
  anorank_review_free(review);
  return status;
}

CALL(verdict, 1) {
  scoped_ranking *ranking;
  anorank_settings mine = settings;
  mine.lowest = 2;
  return made(anorank_ranking_make(&ranking, fitted, fitted_on, &mine, err), &ranking);
}

CALL(report, 997) {
  scoped_result *bytes;
  size_t length;
  anorank_report report = {.model = fitted, .table = fitted_on};
  return made(anorank_report_write(ANORANK_TO_MEMORY(&bytes, &length, NULL), &report, &settings, err),
              &bytes);
}

CALL(report_write, 4999) {
  anorank_report report = {.model = fitted, .table = fitted_on, .table_path = "-"};
  return anorank_report_write(ANORANK_TO_FILE(path_of("report.html")), &report, &settings, err);
}

CALL(report_figure, 997) {
  scoped_result *bytes;
  size_t length;
  anorank_report report = {.model = fitted, .table = fitted_on};
  return made(
      anorank_figure_write(ANORANK_TO_MEMORY(&bytes, &length, NULL), "columns", &report, &settings, err),
      &bytes);
}

CALL(report_figure_write, 4999) {
  anorank_report report = {.model = fitted, .table = fitted_on};
  return anorank_figure_write(ANORANK_TO_FILE(path_of("map.svg")), "map", &report, &settings, err);
}

CALL(verdict_table, 1) {
  scoped_ranking *ranking = NULL;
  scoped_table *table = NULL;
  anorank_settings mine = settings;
  mine.lowest = 2;
  anorank_status status = anorank_ranking_make(&ranking, fitted, fitted_on, &mine, err);
  STEP(anorank_ranking_table(&table, ranking, fitted_on, "all", 1, err));
  return made(status, &table);
}

CALL(guard_formulas, 1) {
  static const char text[] = "=a,b\n-x,1\n@y,2\n";
  scoped_table *table = NULL;
  anorank_status status =
      anorank_table_read(&table, ANORANK_FROM_MEMORY(text, sizeof text - 1, "text"), NULL, err);
  STEP(anorank_table_escape_formulas(table, err));
  return status;
}

CALL(explain, 1) {
  scoped_ranking *ranking;
  return made(anorank_explain(&ranking, fitted, fitted_on, 3, &settings, err), &ranking);
}

CALL(model_score_table, 1) {
  scoped_table *table;
  return made(anorank_model_score_table(&table, fitted, fitted_on, 1, &settings, err), &table);
}

CALL(stream_check, 1) {
  anorank_stream *watch, *sent = NULL;
  unsigned char *bytes = NULL;
  size_t length;
  anorank_status status = anorank_stream_new(&watch, fitted, &settings, err);
  assert_true((status == ANORANK_OK) == (watch != NULL));
  STEP(anorank_stream_check(watch, fitted_on, 0, NULL, err));
  STEP(anorank_stream_check(watch, fitted_on, 1000, NULL, err));
  STEP(anorank_stream_to_bytes(&bytes, &length, watch, err));
  STEP(anorank_stream_from_bytes(&sent, fitted, bytes, length, &settings, err));
  STEP(anorank_stream_merge(watch, sent, err));
  anorank_stream_free(sent);
  anorank_bytes_free(bytes);
  STEP(anorank_stream_conclude(watch, err));
  anorank_stream_free(watch);
  return status;
}

static anorank_status open_csv_part(void *context, size_t part, anorank_reader **reader, anorank_error *err) {
  (void)context, (void)part;
  return anorank_reader_open(reader, ANORANK_FROM_MEMORY(csv_text, strlen(csv_text), "memory"), &settings,
                             err);
}

CALL(stream_sample, 1) {
  scoped_stream *stream = NULL, *sent = NULL;
  const anorank_table *drawn;
  scoped_result *bytes = NULL;
  size_t length;
  anorank_status status = anorank_stream_new(&stream, NULL, &settings, err);
  assert_true((status == ANORANK_OK) == (stream != NULL));
  STEP(anorank_stream_read(stream, &(anorank_parts){.open = open_csv_part, .count = 1}, &settings, err));
  STEP(anorank_stream_to_bytes(&bytes, &length, stream, err));
  STEP(anorank_stream_from_bytes(&sent, NULL, bytes, length, &settings, err));
  assert_true((status == ANORANK_OK) == (sent != NULL));
  anorank_stream_free(stream);
  stream = NULL;
  STEP(anorank_stream_new(&stream, NULL, &settings, err));
  STEP(anorank_stream_merge(stream, sent, err));
  STEP(anorank_stream_sample(&drawn, stream, err));
  return status;
}

CALL(stream_fit, 3) {
  anorank_settings mine = settings;
  scoped_stream *stream = NULL;
  scoped_model *model = NULL;
  mine.scorer = "isolation";
  mine.trees = 2;
  mine.folds = 2;
  anorank_status status = anorank_stream_new(&stream, NULL, &mine, err);
  STEP(anorank_stream_add(stream, fitted_on, 0, err));
  STEP(anorank_stream_fit(&model, stream, NULL, &mine, err));
  return made(status, &model);
}

static anorank_status open_table_part(void *context, size_t part, anorank_reader **reader,
                                      anorank_error *err) {
  (void)context, (void)part;
  return anorank_reader_open(reader, ANORANK_FROM_FILE(path_of("t.csv")), &settings, err);
}

CALL(detect_stream, 3) {
  anorank_parts parts = {.open = open_table_part, .count = 2};
  scoped_model *model;
  scoped_stream *stream, *again = NULL;
  anorank_status status = anorank_detect_stream(&model, &stream, &parts, NULL, &settings, err);
  assert_true((status == ANORANK_OK) == (model != NULL && stream != NULL));
  STEP(anorank_rank_stream(&again, model, &parts, &settings, err));
  return status;
}

CALL(stream_ranking, 3) {
  anorank_settings mine = settings;
  scoped_stream *tally = NULL, *other = NULL;
  const anorank_ranking *ranking;
  const anorank_table *rows;
  scoped_result *bytes = NULL;
  size_t length;
  mine.lowest = 2;
  anorank_status status = anorank_stream_new(&tally, fitted, &mine, err);
  assert_true((status == ANORANK_OK) == (tally != NULL));
  STEP(anorank_stream_add(tally, fitted_on, 0, err));
  STEP(anorank_stream_to_bytes(&bytes, &length, tally, err));
  STEP(anorank_stream_from_bytes(&other, fitted, bytes, length, &mine, err));
  STEP(anorank_stream_select(tally, err));
  STEP(anorank_stream_fetch(tally, fitted_on, 0, err));
  STEP(anorank_stream_next(&ranking, &rows, tally, 9, err));
  anorank_stream_free(tally);
  tally = NULL;
  STEP(anorank_stream_new(&tally, fitted, &mine, err));
  STEP(anorank_stream_merge(tally, other, err));
  return status;
}

static anorank_table *labelled_rows;
static anorank_model *unlabelled; /* that has not learned from the labels */

static anorank_table *make_labelled(void) {
  char text[8192];
  anorank_table *table;
  size_t used = (size_t)snprintf(text, sizeof text, "a,b,kind\n");
  for (size_t i = 0; i < 90; i++)
    used += (size_t)snprintf(text + used, sizeof text - used, "%.3f,%.3f,%s\n", scores[0][i], scores[1][i],
                             i % 9 ? "normal" : "fraud");
  assert_ok(anorank_table_read(&table, ANORANK_FROM_MEMORY(text, used, "labelled"), &settings, NULL));
  return table;
}

static anorank_status evaluated(const anorank_model *model, anorank_error *err) {
  scoped_evaluation *evaluation;
  anorank_settings mine = settings;
  mine.labels = "kind";
  mine.bootstrap = 5;
  mine.folds = 2;
  mine.fast = 1; /* "fit" walks through the careful recipe */
  mine.subsamples = 3;
  mine.max_memory = 65536; /* few contrast rows */
  return made(anorank_evaluate(&evaluation, model, labelled_rows, &mine, err), &evaluation);
}

CALL(evaluate, 1) { return evaluated(NULL, err); }
CALL(evaluate_model, 1) { return evaluated(unlabelled, err); }

CALL(evaluate_repeated, 7) {
  anorank_repeats repeats;
  anorank_settings mine = settings;
  mine.labels = "kind";
  mine.scorer = "histogram";
  mine.max_memory = 65536;
  return anorank_evaluate_repeated(&repeats, labelled_rows, &mine, NULL, 5, err);
}

CALL(evaluate_two, 1) {
  scoped_evaluation *evaluation;
  anorank_settings mine = settings;
  mine.labels = "kind";
  mine.bootstrap = 0;
  mine.max_memory = 65536;
  return made(anorank_evaluate_two(&evaluation, unlabelled, unlabelled, labelled_rows, &mine, NULL, err),
              &evaluation);
}

CALL(drift, 7) {
  anorank_drift *drift;
  anorank_settings mine = settings;
  mine.permutations = 99;
  anorank_status status = anorank_drift_make(&drift, labelled_rows, labelled_rows, &mine, err);
  assert_true((status == ANORANK_OK) == (drift != NULL));
  anorank_drift_free(drift);
  return status;
}

/* ---- the walk ---------------------------------------------------------------------------------------- */

TEST(each_allocation_of_each_function_may_fail) {
  size_t in_all = 0;
  for (size_t s = 0; s < scenario_count; s++) {
    size_t k = 1;
    for (;; k += scenarios[s].stride) {
      anorank_error err = {0};
      (void)ank_alloc_fail_at(k);
      anorank_status status = scenarios[s].call(&err);
      if (ank_alloc_fail_at(0) < k) { /* there is no k-th request: each has failed once */
        if (status != ANORANK_OK) print_error("%s: %s\n", scenarios[s].name, err.message);
        assert_ok(status);
        break;
      }
      if (status != ANORANK_ERROR_RESOURCES || strcmp(err.code, "memory-exhausted") != 0)
        print_error("%s, allocation %zu: %s \"%s\"\n", scenarios[s].name, k, anorank_status_name(status),
                    err.message);
      assert_status(status, ANORANK_ERROR_RESOURCES);
      /* errors of the producer of an Arrow stream have no code */
      assert_true(strcmp(err.code, "memory-exhausted") == 0 || strcmp(err.code, "arrow-stream") == 0);
      assert_true(k < 100000);
    }
    in_all += k - 1;
  }
  assert_true(in_all > 100);
}

static int set_up(void **state) {
  (void)state;
  ank_settings_default(&settings);
  settings.threads = 1; /* so that the k-th request is the same one each time */
  strcpy(folder, "/tmp/anorank-contract-XXXXXX");
  if (!mkdtemp(folder)) return -1;
  for (size_t i = 0; i < 400; i++) {
    scores[0][i] = sin((double)i * 12.9898) + (i % 7 == 0);
    scores[1][i] = cos((double)i * 78.233) - (double)(i % 5);
    labels[i] = i % 9 == 0;
  }
  written = small_table();
  assert_ok(write_file("t.npy", NULL));
  assert_ok(write_file("t.csv", NULL));
  assert_ok(write_file("t.csv.gz", NULL));
  assert_ok(write_file("t.jsonl.zst", NULL));
  fitted_on = mixed_table();
  assert_ok(anorank_fit(&fitted, fitted_on, NULL, &settings, NULL));
  assert_ok(anorank_model_save(fitted, ANORANK_TO_FILE(path_of("t.anr")), NULL));
  assert_ok(
      anorank_model_save(fitted, ANORANK_TO_MEMORY(&fitted_bytes.data, &fitted_bytes.length, "t"), NULL));
  labelled_rows = make_labelled();
  anorank_settings mine = settings;
  mine.labels = "kind";
  mine.subsamples = 3;
  assert_ok(anorank_fit(&unlabelled, labelled_rows, NULL, &mine, NULL));
  assert_ok(anorank_judge(&judged, scores[0], 300, scores[1], 200, &settings, NULL));
  assert_ok(call_reproduce(NULL));
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  char command[128];
  anorank_judgement_free(judged);
  anorank_model_free(fitted);
  anorank_model_free(unlabelled);
  anorank_table_free(labelled_rows);
  anorank_table_free(fitted_on);
  ank_bytes_free(&fitted_bytes);
  anorank_reproduction_free(reproduced);
  anorank_table_free(written);
  snprintf(command, sizeof command, "rm -rf %s", folder);
  return system(command);
}

TEST_GROUP(set_up, tear_down)
