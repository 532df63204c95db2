/* A program that called setlocale with a comma as decimal mark gets the same bytes from the library:
 * settings, models, tables, figures, messages. localedef generates the locale in a separate directory;
 * without localedef (setup.sh test installs it), the test skips. */
#include <errno.h>
#include <locale.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/check.h"

enum { ROWS = 60 };

static char folder[] = "/tmp/anorank-locale-XXXXXX";

static const char *path_of(const char *kind, const char *name) {
  static char path[4][128];
  static int turn;
  turn = (turn + 1) % 4;
  snprintf(path[turn], sizeof path[turn], "%s/%s-%s", folder, kind, name);
  return path[turn];
}

static void put_line(FILE *file, const char *text) { fprintf(file, "%s\n", text); }

/* A table whose cells need every way to write a number. */
static anorank_table *table_of_text(anorank_error *err) {
  static char text[ROWS * 80];
  anorank_table *table = NULL;
  size_t used = (size_t)snprintf(text, sizeof text, "id,small,large,kind\n");
  for (int i = 0; i < ROWS; i++)
    used += (size_t)snprintf(text + used, sizeof text - used, "r%d,%d.%03de-3,%d.5e10,%c\n", i, i % 9,
                             i * 7 % 1000, i * i % 53, i % 3 ? 'a' : 'b');
  assert_ok(anorank_table_read(&table, ANORANK_FROM_MEMORY(text, used, "text"), NULL, err));
  for (size_t c = 1; c <= 2; c++) assert_int_equal(anorank_table_kind(table, c), ANORANK_NUMERIC);
  return table;
}

static void write_settings(const char *kind, const anorank_model *model) {
  FILE *file = fopen(path_of(kind, "settings.txt"), "w");
  assert_non_null(file);
  scoped_settings *settings;
  anorank_error err = {0};
  assert_ok(anorank_settings_new(&settings, NULL, NULL));
  assert_ok(anorank_settings_set(settings, "level", "0.9", &err));
  assert_ok(anorank_settings_set_number(settings, "learning-rate", 1.25e-3, &err));
  assert_ok(anorank_settings_parse(settings, "band-to = 0.875\n", 16, &err));
  for (size_t i = 0; anorank_setting_at(i); i++) {
    char text[256];
    anorank_settings_get(settings, anorank_setting_at(i)->name, text, sizeof text);
    put_line(file, text);
    anorank_settings_get(anorank_model_settings(model), anorank_setting_at(i)->name, text, sizeof text);
    put_line(file, text);
  }
  assert_status(anorank_settings_set(settings, "level", "0,9", &err), ANORANK_ERROR_USAGE);
  put_line(file, err.message);
  fclose(file);
}

static void write_figure(const char *kind, const double *scores) {
  scoped_judgement *judgement;
  double contrast[ROWS];
  for (int i = 0; i < ROWS; i++) contrast[i] = scores[i] * 1.5 - 0.25;
  assert_ok(anorank_judge(&judgement, scores, ROWS, contrast, ROWS, NULL, NULL));
  assert_ok(anorank_figure_mass_volume(ANORANK_TO_FILE(path_of(kind, "figure.svg")), judgement, "a", NULL,
                                       NULL, NULL));
}

/* Everything that is written, to files that begin with `kind`. */
static void write_everything(const char *kind) {
  anorank_error err = {0};
  scoped_table *table = table_of_text(&err), *result;
  scoped_model *model, *loaded;
  double scores[ROWS];
  assert_ok(anorank_fit(&model, table, NULL, NULL, &err));
  assert_ok(anorank_model_save(model, ANORANK_TO_FILE(path_of(kind, "model.anr")), &err));
  assert_ok(anorank_model_load(&loaded, ANORANK_FROM_FILE(path_of(kind, "model.anr")), &err));
  assert_ok(anorank_model_score(loaded, table, scores, NULL, NULL, &err));
  assert_ok(anorank_model_score_table(&result, loaded, table, 1, NULL, &err));
  assert_ok(anorank_table_write(result, ANORANK_TO_FILE(path_of(kind, "scores.csv")), "csv", &err));
  assert_ok(anorank_table_write(result, ANORANK_TO_FILE(path_of(kind, "scores.jsonl")), "jsonl", &err));
  assert_ok(anorank_table_write(table, ANORANK_TO_FILE(path_of(kind, "table.csv")), "csv", &err));
  FILE *notes = fopen(path_of(kind, "notes.txt"), "w");
  assert_non_null(notes);
  for (size_t i = 0; i < anorank_notes_count(anorank_model_notes(model)); i++)
    put_line(notes, anorank_notes_at(anorank_model_notes(model), i)->text);
  anorank_ranking *ranking;
  assert_ok(anorank_ranking_make(&ranking, model, table, NULL, &err));
  put_line(notes, anorank_ranking_get_info(ranking)->resolution);
  anorank_ranking_free(ranking);
  fclose(notes);
  write_settings(kind, model);
  write_figure(kind, scores);
}

static char *read_file(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  char *bytes = test_memory(1 << 22);
  assert_non_null(file);
  assert_non_null(bytes);
  *length = fread(bytes, 1, 1 << 22, file);
  fclose(file);
  return bytes;
}

TEST(a_comma_locale_changes_no_byte) {
  static const char *const names[] = {"settings.txt", "model.anr",  "scores.csv", "scores.jsonl",
                                      "table.csv",    "figure.svg", "notes.txt"};
  char command[256], half[16];
  assert_non_null(mkdtemp(folder));
  write_everything("c");
  snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 2>%s/said", folder, folder);
  int made = system(command) == 0;
  setenv("LOCPATH", folder, 1);
  if (!made || !setlocale(LC_ALL, "de_DE.UTF-8")) {
    print_message(
        "skipped: localedef cannot make de_DE.UTF-8 (sh scripts/setup.sh test installs what it needs)\n");
    skip();
  }
  snprintf(half, sizeof half, "%.1f", 0.5);
  if (*localeconv()->decimal_point == '.') { /* musl has one locale */
    print_message("skipped: locales of this C library have no decimal comma\n");
    skip();
  }
  assert_string_equal(half, "0,5"); /* so the locale is at work */
  write_everything("de");
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    size_t one_length, other_length;
    char *one = read_file(path_of("c", names[i]), &one_length);
    char *other = read_file(path_of("de", names[i]), &other_length);
    if (one_length != other_length || memcmp(one, other, one_length) != 0)
      print_error("%s differs\n", names[i]);
    assert_true(one_length == other_length && one_length > 0);
    assert_memory_equal(one, other, one_length);
  }
  anorank_model *model; /* and one from elsewhere */
  assert_ok(anorank_model_load(&model, ANORANK_FROM_FILE(path_of("c", "model.anr")), NULL));
  anorank_model_free(model);
  setlocale(LC_ALL, "C");
  assert_ok(anorank_model_load(&model, ANORANK_FROM_FILE(path_of("de", "model.anr")), NULL));
  anorank_model_free(model);
}

static int clean_up(void **state) {
  char command[128];
  (void)state;
  setlocale(LC_ALL, "C");
  snprintf(command, sizeof command, "rm -rf %s", folder);
  return strstr(folder, "XXXXXX") ? 0 : system(command);
}

TEST_GROUP(NULL, clean_up)
