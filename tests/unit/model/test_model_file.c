/* Model files: nothing in them is trusted, everything in them comes back. */
#include <unistd.h>

#include "core/alloc.h"
#include "scorers/blend.h"
#include "support/find.h"
#include "support/model_bytes.h"
#include "support/models.h"

static anorank_table *table;
static anorank_model *model;
static ank_bytes saved;
static double *scores;

enum { ROWS = 240 };

static int set_up(void **state) {
  (void)state;
  anorank_settings settings = model_settings();
  settings.fast = 1; /* neighbours, a small model: it is loaded some ten thousand times */
  settings.subsamples = 3;
  settings.subsample = 16;
  settings.learning_rate = 0.1;
  settings.missing = " odd ,\n,=x"; /* what a line of a settings file could not hold */
  table = model_table(ROWS, 0, 21);
  assert_ok(anorank_fit(&model, table, NULL, &settings, NULL));
  assert_ok(anorank_model_save(model, ANORANK_TO_MEMORY(&saved.data, &saved.length, "m"), NULL));
  scores = model_scores(model, table);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  ank_bytes_free(&saved);
  anorank_model_free(model);
  anorank_table_free(table);
  return 0;
}

static unsigned char *copy_of_saved(void) {
  unsigned char *copy = test_memory(saved.length);
  assert_non_null(copy);
  memcpy(copy, saved.data, saved.length);
  return copy;
}

static void assert_refused(const void *bytes, size_t length, const char *words) {
  anorank_error err = {0};
  anorank_model *loaded = model;
  assert_status(anorank_model_load(&loaded, ANORANK_FROM_MEMORY(bytes, length, "the.anr"), &err),
                ANORANK_ERROR_MODEL);
  assert_null(loaded);
  assert_error(&err, words);
  assert_string_equal(err.file, "the.anr");
}

TEST(everything_comes_back) {
  scoped_model *loaded;
  char path[] = "/tmp/anorank-model-XXXXXX";
  int file = mkstemp(path);
  assert_true(file >= 0);
  close(file);
  assert_ok(anorank_model_save(model, ANORANK_TO_FILE(path), NULL));
  assert_ok(anorank_model_load(&loaded, ANORANK_FROM_FILE(path), NULL));
  unlink(path);
  double *again = model_scores(loaded, table);
  assert_memory_equal(scores, again, ROWS * sizeof *scores);
  assert_int_equal(anorank_notes_count(anorank_model_notes(loaded)),
                   anorank_notes_count(anorank_model_notes(model)));
  for (size_t i = 0; i < anorank_notes_count(anorank_model_notes(model)); i++)
    assert_string_equal(anorank_notes_at(anorank_model_notes(loaded), i)->text,
                        anorank_notes_at(anorank_model_notes(model), i)->text);
  size_t assumed = 0;
  for (size_t i = 0; i < anorank_notes_count(anorank_model_notes(model)); i++) {
    assert_int_equal(anorank_notes_at(anorank_model_notes(loaded), i)->kind,
                     anorank_notes_at(anorank_model_notes(model), i)->kind);
    assumed += anorank_notes_at(anorank_model_notes(loaded), i)->kind == ANORANK_NOTE_ASSUMED;
  }
  assert_int_equal(assumed, 1); /* what the p-values rest on */
  assert_null(
      anorank_notes_at(anorank_model_notes(loaded), anorank_notes_count(anorank_model_notes(loaded))));
  const anorank_settings *settings = anorank_model_settings(loaded);
  assert_string_equal(settings->missing, " odd ,\n,=x");
  assert_string_equal(settings->id, "name");
  assert_int_equal(settings->seed, 5);
  assert_close(settings->learning_rate, 0.1, 0);
  assert_int_equal(settings->threads, 0);
  assert_int_equal(anorank_model_get_info(loaded)->train_rows, ROWS);
  assert_int_equal(loaded->pipeline.background_rows, model->pipeline.background_rows);
  assert_int_equal(anorank_model_get_info(loaded)->columns, 5);
  for (size_t i = 0; i < 5; i++) {
    anorank_model_column a = *anorank_model_column_at(model, i), b = *anorank_model_column_at(loaded, i);
    assert_string_equal(a.name, b.name);
    assert_int_equal(a.role, b.role);
  }
}

TEST(what_is_no_model_is_called_so) {
  assert_refused("", 0, "model-not-a-model");
  assert_refused("a,b\n1,2\n", 8, "model-not-a-model");
  assert_refused("ANORANK", 7, "model-not-a-model");
  assert_refused("ANORANK\0\1", 9, "model-cut-short");
}

TEST(a_file_cut_anywhere_is_refused) {
  for (size_t length = 8; length < saved.length; length += length < 200 ? 1 : 97)
    assert_refused(saved.data, length, "model-cut-short");
  unsigned char *longer = test_memory(saved.length + 1);
  assert_non_null(longer);
  memcpy(longer, saved.data, saved.length);
  longer[saved.length] = 0;
  assert_refused(longer, saved.length + 1, "model-checksum");
}

TEST(a_newer_format_is_refused_with_advice) {
  unsigned char *copy = copy_of_saved();
  copy[8] = 2;
  assert_refused(copy, saved.length, "model-version");
  assert_refused(copy, saved.length, "model-version");
  copy[8] = 1;
  copy[24] ^= 1;
  assert_refused(copy, saved.length, "model-byte-order");
}

/* The minor version and sections that are not known belong to later versions that older ones can read. */
TEST(an_unknown_section_and_a_later_minor_version_are_passed_over) {
  static const unsigned char extra[] = {5,   0, 0, 0, 0, 0, 0, 0, 'l', 'a', 't', 'e',
                                        'r', 3, 0, 0, 0, 0, 0, 0, 0,   1,   2,   3};
  scoped_model *loaded;
  size_t length = saved.length + sizeof extra;
  unsigned char *bytes = test_memory(length);
  assert_non_null(bytes);
  memcpy(bytes, saved.data, 48);
  memcpy(bytes + 48, extra, sizeof extra);
  memcpy(bytes + 48 + sizeof extra, saved.data + 48, saved.length - 48);
  bytes[16] = 7;
  bytes[40]++;
  model_mend(bytes, length);
  assert_ok(anorank_model_load(&loaded, ANORANK_FROM_MEMORY(bytes, length, "later"), NULL));
  double *again = model_scores(loaded, table);
  assert_memory_equal(scores, again, ROWS * sizeof *scores);
}

/* Write `to` over the first place behind the settings where `word` stands, and make the frame right. */
static void refuse_replaced(const char *word, const char *to, const char *words) {
  unsigned char *copy = copy_of_saved();
  unsigned char *from = find_bytes(copy, saved.length, "prepare", 7);
  assert_non_null(from);
  unsigned char *at = find_bytes(from, (size_t)(copy + saved.length - from), word, strlen(word));
  assert_non_null(at);
  memcpy(at, to, strlen(to));
  model_mend(copy, saved.length);
  assert_refused(copy, saved.length, words);
}

TEST(sections_must_be_there_once_and_make_sense) {
  refuse_replaced("neighbours", "neighbourz", "model-scorer-unknown");
  refuse_replaced("calibration", "calibratiox", "model-section-missing");
}

TEST(any_changed_byte_is_noticed) {
  unsigned char *copy = copy_of_saved();
  ank_rng rng;
  ank_rng_open(&rng, 1, 99, 0);
  for (int k = 0; k < 10000; k++) {
    size_t at = (size_t)ank_rng_below(&rng, saved.length);
    anorank_model *loaded;
    anorank_error err = {0};
    copy[at] ^= (unsigned char)(1 + ank_rng_below(&rng, 255));
    anorank_status status =
        anorank_model_load(&loaded, ANORANK_FROM_MEMORY(copy, saved.length, "changed"), &err);
    if (at >= 16 && at < 24 && status == ANORANK_OK) print_error("minor version was not covered\n");
    assert_status(status, ANORANK_ERROR_MODEL);
    assert_true(err.message[0] != '\0');
    copy[at] = saved.data[at];
  }
}

/* With the frame made right the sections see the change: they load something that works, or say no. */
TEST(any_changed_byte_behind_a_right_checksum_does_no_harm) {
  unsigned char *copy = copy_of_saved();
  size_t loaded_count = 0, refused = 0;
  ank_rng rng;
  ank_rng_open(&rng, 2, 99, 0);
  for (int k = 0; k < 4000; k++) {
    size_t at = 40 + (size_t)ank_rng_below(&rng, saved.length - 48);
    anorank_model *loaded;
    double p[ROWS];
    copy[at] ^= (unsigned char)(1 + ank_rng_below(&rng, 255));
    model_mend(copy, saved.length);
    anorank_status status =
        anorank_model_load(&loaded, ANORANK_FROM_MEMORY(copy, saved.length, "changed"), NULL);
    if (status == ANORANK_OK) {
      loaded_count++;
      status = anorank_model_score(loaded, table, NULL, p, NULL, NULL); /* its columns may have new names */
      assert_true(status == ANORANK_OK || status == ANORANK_ERROR_DATA);
    } else {
      assert_status(status, ANORANK_ERROR_MODEL);
      refused++;
    }
    anorank_model_free(loaded);
    copy[at] = saved.data[at];
  }
  assert_true(loaded_count > 100 && refused > 100);
}

/* A model file of an earlier version, and rows with the scores and p-values that it had then. */
static anorank_model *load_golden(const char *name) {
  char path[256];
  anorank_model *golden;
  scoped_table *rows;
  anorank_error err = {0};
  snprintf(path, sizeof path, "%s/%s.anr", TEST_DATA, name);
  anorank_status status = anorank_model_load(&golden, ANORANK_FROM_FILE(path), &err);
  if (status != ANORANK_OK) print_error("%s\n", err.message);
  assert_ok(status);
  snprintf(path, sizeof path, "%s/%s.csv", TEST_DATA, name);
  assert_ok(anorank_table_read(&rows, ANORANK_FROM_FILE(path), NULL, NULL));
  size_t count = anorank_table_rows(rows);
  const double *wanted = anorank_table_numbers(rows, anorank_table_find(rows, "expected_score"));
  const double *wanted_p = anorank_table_numbers(rows, anorank_table_find(rows, "expected_p"));
  double *got = model_scores(golden, rows), p[64];
  assert_true(count > 20 && count <= 64);
  assert_ok(anorank_model_score(golden, rows, NULL, p, NULL, NULL));
  for (size_t i = 0; i < count; i++) {
    assert_close(got[i], wanted[i], 1e-9);
    assert_close(p[i], wanted_p[i], 1e-12);
  }
  return golden;
}

TEST(the_golden_model_of_format_1_still_gives_its_scores) {
  scoped_model *golden = load_golden("model-v1");
  assert_string_equal(anorank_model_get_info(golden)->scorer, "neighbours");
  assert_int_equal(anorank_model_settings(golden)->seed, 1);
}

TEST(golden_models_of_0_2_still_give_their_scores) {
  static const char *const made[] = {"clean", "contaminated", "pca_box", "mixture"};
  static const char *const scorers[] = {"blend", "blend", "mlp", "trees"};
  for (size_t i = 0; i < sizeof made / sizeof made[0]; i++) {
    char name[64];
    snprintf(name, sizeof name, "model-0.2-%s", made[i]);
    scoped_model *golden = load_golden(name);
    assert_string_equal(anorank_model_get_info(golden)->scorer, scorers[i]);
  }
}

/* They continue their history, and are saved as they were. */
TEST(golden_models_with_a_context_of_version_3_still_give_their_scores) {
  static const char *const train[] = {"clean", "contaminated"};
  for (size_t i = 0; i < sizeof train / sizeof train[0]; i++) {
    char name[64];
    scoped_bytes file = {0}, again = {0};
    snprintf(name, sizeof name, "model-context-v3-%s", train[i]);
    scoped_model *golden = load_golden(name);
    assert_ok(anorank_model_save(golden, ANORANK_TO_MEMORY(&file.data, &file.length, "m"), NULL));
    char path[512];
    snprintf(path, sizeof path, "%s/%s.anr", TEST_DATA, name);
    FILE *stream = fopen(path, "rb");
    assert_non_null(stream);
    assert_ok(ank_alloc_raw(&again.data, file.length + 1, 1, NULL));
    again.length = fread(again.data, 1, file.length + 1, stream);
    fclose(stream);
    assert_same_bytes(&again, &file);
  }
}

/* The name of a law that anorank no longer has stays in the model, and its rows are scored as before. */
TEST(a_model_of_a_removed_law_can_be_saved_but_not_fitted_again) {
  static const char *const laws[] = {"pca_box", "mixture"};
  for (size_t i = 0; i < sizeof laws / sizeof laws[0]; i++) {
    char name[64], contrast[32];
    scoped_bytes file = {0}, again = {0};
    anorank_model *copy, *fitted;
    anorank_error err = {0};
    snprintf(name, sizeof name, "model-0.2-%s", laws[i]);
    scoped_model *golden = load_golden(name);
    assert_ok(anorank_model_save(golden, ANORANK_TO_MEMORY(&file.data, &file.length, "m"), NULL));
    assert_ok(anorank_model_load(&copy, ANORANK_FROM_MEMORY(file.data, file.length, "copy"), NULL));
    anorank_settings_get(anorank_model_settings(copy), "contrast", contrast, sizeof contrast);
    assert_string_equal(contrast, laws[i]);
    assert_ok(anorank_model_save(copy, ANORANK_TO_MEMORY(&again.data, &again.length, "m"), NULL));
    assert_same_bytes(&again, &file);
    assert_fails(anorank_fit(&fitted, table, NULL, anorank_model_settings(copy), &err), ANORANK_ERROR_USAGE,
                 "law-unknown");
    anorank_model_free(copy);
  }
}

/* 20 rows of 300 columns: subsets of them take 300 times their places in the file. */
static anorank_model *wide_model(void) {
  enum { FEW = 20, WIDE = 300 };
  static double values[FEW * WIDE];
  anorank_settings settings = model_settings();
  scoped_table *wide;
  anorank_model *made;
  settings.id = "";
  settings.scorer = "blend";
  settings.fast = 1;
  settings.subsamples = 100;
  settings.subsample = 8;
  for (size_t i = 0; i < FEW * WIDE; i++) values[i] = (double)(i * i % 1009) / 7;
  assert_ok(anorank_table_from_matrix(&wide, values, FEW, WIDE, WIDE, 1, NULL, NULL));
  assert_ok(anorank_fit(&made, wide, NULL, &settings, NULL));
  return made;
}

TEST(a_small_file_cannot_ask_for_much_memory) {
  enum { TIMES = 400 };
  static const char section[] = "\6\0\0\0\0\0\0\0scorer";
  scoped_model *small = wide_model();
  scoped_bytes file = {0};
  assert_ok(anorank_model_save(small, ANORANK_TO_MEMORY(&file.data, &file.length, "m"), NULL));
  const ank_subsets *subsets = &((const ank_blend *)small->pipeline.scorer)->subsets;
  size_t places = 4 * subsets->sets * subsets->size, grown = file.length + (TIMES - 1) * places;
  unsigned char *at = find_bytes(file.data, file.length, subsets->place, places),
                *hostile = test_memory(grown), *to;
  unsigned char *head = find_bytes(file.data, file.length, section, sizeof section - 1);
  for (unsigned char *next = head; next;
       next = find_bytes(next + 1, file.length - (size_t)(next + 1 - file.data), section, sizeof section - 1))
    head = next; /* the setting has the same name, and comes first */
  assert_true(at && hostile && head);
  uint64_t length = 0;
  for (size_t i = 0; i < 8; i++) length |= (uint64_t)head[sizeof section - 1 + i] << (8 * i);
  model_put_u64(head + sizeof section - 1, length + (TIMES - 1) * places);
  model_put_u64(at - 16, TIMES * subsets->sets);
  model_put_u64(at - 8, TIMES * subsets->sets * subsets->size);
  memcpy(hostile, file.data, (size_t)(at - file.data));
  to = hostile + (at - file.data);
  for (size_t k = 0; k < TIMES; k++, to += places) memcpy(to, at, places);
  memcpy(to, at + places, file.length - (size_t)(at - file.data) - places);
  model_mend(hostile, grown);
  assert_refused(hostile, grown, "model-memory");
}

static size_t too_much(const void *scorer) {
  (void)scorer;
  return SIZE_MAX / 2;
}

/* As with 20 rows of 300 columns in 20,000 subsets, which would take a minute to fit. */
TEST(a_model_that_could_not_be_loaded_is_not_saved) {
  anorank_error err = {0};
  scoped_bytes file = {0};
  const ank_scorer_class *type = model->pipeline.type;
  ank_scorer_class large = *type;
  large.bytes = too_much;
  model->pipeline.type = &large;
  assert_status(anorank_model_save(model, ANORANK_TO_MEMORY(&file.data, &file.length, "m"), &err),
                ANORANK_ERROR_RESOURCES);
  model->pipeline.type = type;
  assert_string_equal(err.code, "model-memory");
}

/* What scores a table as a table, and rows from memory, refuses the same models. */
static void check_other_ways(const anorank_model *loaded, anorank_status expected) {
  anorank_table *scored = NULL;
  anorank_scorer *scorer = NULL;
  anorank_scratch *scratch = NULL;
  size_t columns = anorank_table_columns(table);
  double *cells = malloc(ROWS * columns * sizeof *cells), values[ROWS];
  assert_status(anorank_model_score_table(&scored, loaded, table, 1, NULL, NULL), expected);
  anorank_table_free(scored);
  for (size_t j = 0; j < columns; j++)
    for (size_t i = 0; i < ROWS; i++) {
      const double *numbers = anorank_table_numbers(table, j);
      const int32_t *codes = anorank_table_codes(table, j);
      cells[i * columns + j] = numbers ? numbers[i] : codes[i];
    }
  anorank_status status = anorank_scorer_new(&scorer, loaded, NULL, 0, NULL);
  if (status == ANORANK_OK) status = anorank_scratch_new(&scratch, scorer, NULL);
  if (status == ANORANK_OK)
    status = anorank_scorer_score(scorer, scratch, cells, ROWS, columns, values, NULL, NULL);
  if (expected != ANORANK_OK) assert_status(status, expected);
  for (size_t i = 0; status == ANORANK_OK && i < ROWS; i++) assert_true(isfinite(values[i]));
  anorank_scratch_free(scratch);
  anorank_scorer_free(scorer);
  free(cells);
}

TEST(huge_weights_that_give_no_score_are_damage) {
  static const char *const classes[] = {"linear", "mlp", "mahalanobis", "histogram", "knn", "hull"};
  size_t told = 0;
  for (size_t k = 0; k < sizeof classes / sizeof classes[0]; k++) {
    anorank_settings settings = model_settings();
    anorank_model *made, *loaded;
    scoped_bytes file = {0};
    settings.scorer = classes[k];
    settings.epochs = 2;
    assert_ok(anorank_fit(&made, table, NULL, &settings, NULL));
    assert_ok(anorank_model_save(made, ANORANK_TO_MEMORY(&file.data, &file.length, "m"), NULL));
    size_t step = file.length / 4000 * 8 + 9; /* odd: numbers stand behind texts, at any place */
    for (size_t at = 48; at + 16 < file.length; at += step) {
      anorank_error err = {0};
      unsigned char before[16];
      double values[ROWS];
      memcpy(before, file.data + at, 16);
      for (size_t i = 0; i < 16; i += 8)
        model_put_u64(file.data + at + i, 0x7fefffffffffffff); /* the largest */
      model_mend(file.data, file.length);
      if (anorank_model_load(&loaded, ANORANK_FROM_MEMORY(file.data, file.length, "m.anr"), NULL) ==
          ANORANK_OK) {
        anorank_status status = anorank_model_score(loaded, table, values, NULL, NULL, &err);
        if (status == ANORANK_OK)
          for (size_t i = 0; i < ROWS; i++) assert_true(isfinite(values[i]));
        check_other_ways(loaded, status);
        told += status == ANORANK_ERROR_MODEL && strcmp(err.code, "model-score") == 0 && err.row > 0;
        anorank_model_free(loaded);
      }
      memcpy(file.data + at, before, 16);
    }
    anorank_model_free(made);
  }
  assert_true(told > 0);
}

TEST(notes_of_a_stranger_do_not_steer_a_terminal) {
  scoped_model *loaded;
  scoped_bytes file = {0};
  const char *note = model->notes.list[0].text;
  const char hostile[] = "\x1B[2Jred \xC2\x9B"
                         "31m \xE2\x80\xAEgnp";
  model->notes.list[0].text = hostile;
  assert_ok(anorank_model_save(model, ANORANK_TO_MEMORY(&file.data, &file.length, "m"), NULL));
  model->notes.list[0].text = note;
  assert_ok(anorank_model_load(&loaded, ANORANK_FROM_MEMORY(file.data, file.length, "m.anr"), NULL));
  assert_string_equal(anorank_notes_at(anorank_model_notes(loaded), 0)->text, "?[2Jred ??31m ???gnp");
}

TEST(a_model_that_cannot_be_read_or_written_says_why) {
  anorank_error err = {0};
  anorank_model *loaded;
  assert_status(anorank_model_load(&loaded, ANORANK_FROM_FILE("/nonexistent/m.anr"), &err),
                ANORANK_ERROR_MODEL);
  assert_error(&err, "file-missing");
  assert_status(anorank_model_save(model, ANORANK_TO_FILE("/nonexistent/m.anr"), &err),
                ANORANK_ERROR_RESOURCES);
  assert_status(anorank_model_save(NULL, ANORANK_TO_FILE("x"), &err), ANORANK_ERROR_USAGE);
  assert_status(anorank_model_load(&loaded, NULL, &err), ANORANK_ERROR_USAGE);
  assert_status(anorank_model_load(NULL, ANORANK_FROM_FILE("x"), &err), ANORANK_ERROR_USAGE);
}

TEST_GROUP(set_up, tear_down)
