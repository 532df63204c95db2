/* prepare_kit.h - for the tests of the preparation: tables from CSV text, fits, matrices. */
#ifndef TEST_PREPARE_KIT_H
#define TEST_PREPARE_KIT_H

#include "core/alloc.h"
#include "prepare/prepare.h"
#include "support/check.h"

TEST_SCOPED(prepare, ank_prepare, ank_prepare_free)
TEST_SCOPED(match, ank_match, ank_match_free)
#define scoped_prepare scoped(prepare) ank_prepare
#define scoped_match scoped(match) ank_match

static inline anorank_settings plain_settings(void) {
  anorank_settings settings = test_settings();
  settings.header = ANORANK_HEADER_YES;
  return settings;
}

static inline anorank_table *table_with(const char *csv, const anorank_settings *settings) {
  anorank_error err = {0};
  anorank_table *table;
  if (anorank_table_read(&table, ANORANK_FROM_MEMORY(csv, strlen(csv), "in.csv"), settings, &err) !=
      ANORANK_OK) {
    print_error("%s\n", err.message);
    fail();
  }
  return table;
}

static inline anorank_table *table_of(const char *csv) {
  anorank_settings settings = plain_settings();
  return table_with(csv, &settings);
}

static inline ank_prepare *must_fit(const anorank_table *table, const anorank_settings *settings) {
  anorank_settings plain = plain_settings();
  anorank_error err = {0};
  ank_prepare *prepare;
  if (ank_prepare_fit(&prepare, table, settings ? settings : &plain, &err) != ANORANK_OK) {
    print_error("%s\n", err.message);
    fail();
  }
  return prepare;
}

static inline void must_not_fit(const char *csv, const char *name, const char *value, anorank_status status,
                                const char *part) {
  anorank_settings settings = plain_settings();
  anorank_error err = {0};
  if (name) assert_ok(ank_settings_lend(&settings, name, value, NULL));
  anorank_table *table = table_of(csv);
  ank_prepare *prepare = (ank_prepare *)&settings;
  anorank_status got = ank_prepare_fit(&prepare, table, &settings, &err);
  assert_status(got, status);
  assert_error(&err, part);
  assert_null(prepare);
  anorank_table_free(table);
}

/* The features of all rows. */
static inline double *matrix_of(const ank_prepare *prepare, const anorank_table *table) {
  anorank_error err = {0};
  ank_match *match;
  size_t rows = anorank_table_rows(table), dim = ank_prepare_dim(prepare);
  double *out = test_memory((rows * dim + 1) * sizeof *out);
  if (ank_match_make(&match, prepare, table, &err) != ANORANK_OK ||
      ank_prepare_rows(out, prepare, match, table, 0, rows, &err) != ANORANK_OK) {
    print_error("%s\n", err.message);
    fail();
  }
  ank_match_free(match);
  for (size_t i = 0; i < rows * dim; i++) assert_true(isfinite(out[i]));
  return out;
}

/* The same for another table given as CSV. */
static inline double *matrix_of_csv(const ank_prepare *prepare, const char *csv) {
  scoped_table *table = table_of(csv);
  return matrix_of(prepare, table);
}

/* A note "CODE PART": of this code, with a name or number in its sentence without a separate field. */
static inline int has_note(const ank_prepare *prepare, const char *wanted) {
  const ank_notes *notes = ank_prepare_notes(prepare);
  size_t code = strcspn(wanted, " ");
  for (size_t i = 0; i < notes->count; i++)
    if (strncmp(notes->list[i].code, wanted, code) == 0 && !notes->list[i].code[code] &&
        strstr(notes->list[i].text, wanted + code + 1))
      return 1;
  for (size_t i = 0; i < notes->count; i++) print_error("%s: %s\n", notes->list[i].code, notes->list[i].text);
  return 0;
}

static inline anorank_role role_of(const ank_prepare *prepare, const char *name) {
  for (size_t i = 0; i < ank_prepare_columns(prepare); i++)
    if (strcmp(ank_prepare_column(prepare, i).name, name) == 0) return ank_prepare_column(prepare, i).role;
  fail();
  return ANORANK_ROLE_UNUSABLE;
}

#endif
