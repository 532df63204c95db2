/* test_prepare_file.c - saving and loading: the same bytes, the same features, and no trust in bytes. */
#include "prepare/prepare_parts.h"
#include "unit/prepare/prepare_kit.h"

#define TABLE                                                                                                \
  "a,b,k,c,t,i,e,m\n1,5,u,7,web,q1,,1\n2,,v,7,web,q2,,\ninf,6,u,7,web,q3,,1\n4,8,,7,web,q4,,1\n5,9,w,7,web," \
  "q5,,1\n"

static ank_prepare *fit_example(anorank_table **table) {
  anorank_settings settings = plain_settings();
  assert_ok(ank_settings_lend(&settings, "id", "i", NULL));
  *table = table_of(TABLE);
  return must_fit(*table, &settings);
}

static ank_bytes bytes_of(const ank_prepare *prepare) {
  ank_bytes bytes = {0};
  assert_ok(ank_prepare_save(prepare, &bytes, NULL));
  return bytes;
}

TEST(what_is_loaded_works_and_saves_as_the_original) {
  scoped_table *table;
  scoped_prepare *prepare = fit_example(&table), *loaded;
  scoped_bytes bytes = bytes_of(prepare);
  ank_cursor cursor = {bytes.data, bytes.length, 0};
  assert_ok(ank_prepare_load(&loaded, &cursor, NULL));
  assert_ok(ank_cursor_end(&cursor, NULL));
  scoped_bytes again = bytes_of(loaded);
  assert_same_bytes(&again, &bytes);
  assert_int_equal(ank_prepare_dim(loaded), ank_prepare_dim(prepare));
  for (size_t j = 0; j < ank_prepare_columns(prepare); j++) {
    anorank_model_column one = ank_prepare_column(prepare, j), two = ank_prepare_column(loaded, j);
    assert_string_equal(one.name, two.name);
    assert_int_equal(one.role, two.role);
    assert_int_equal(one.levels, two.levels);
    assert_int_equal(one.first_feature, two.first_feature);
    assert_int_equal(one.features, two.features);
    assert_close(one.median, two.median, 0);
    assert_close(one.missing_share, two.missing_share, 0);
  }
  assert_int_equal(ank_prepare_notes(loaded)->count, ank_prepare_notes(prepare)->count);
  for (size_t i = 0; i < ank_prepare_notes(prepare)->count; i++)
    assert_string_equal(ank_prepare_notes(loaded)->list[i].text, ank_prepare_notes(prepare)->list[i].text);
  double *x = matrix_of(prepare, table), *y = matrix_of(loaded, table);
  assert_memory_equal(x, y, 5 * ank_prepare_dim(prepare) * sizeof *x);
}

/* Any damage gives an error, or something that works: finite features for every row. */
static void try_bytes(const unsigned char *data, size_t length, const anorank_table *table) {
  anorank_error err = {0};
  ank_cursor cursor = {data, length, 0};
  ank_prepare *prepare;
  ank_match *match;
  anorank_status status = ank_prepare_load(&prepare, &cursor, &err);
  if (status != ANORANK_OK) {
    assert_status(status, ANORANK_ERROR_MODEL);
    assert_null(prepare);
    assert_int_equal(strncmp(err.code, "model-", 6), 0);
    return;
  }
  if (ank_match_make(&match, prepare, table, &err) == ANORANK_OK) {
    size_t dim = ank_prepare_dim(prepare);
    double *out = test_memory(5 * dim * sizeof *out);
    if (ank_prepare_rows(out, prepare, match, table, 0, 5, &err) == ANORANK_OK)
      for (size_t i = 0; i < 5 * dim; i++) assert_true(isfinite(out[i]));
    ank_match_free(match);
  }
  ank_prepare_free(prepare);
}

TEST(damaged_bytes_never_crash) {
  scoped_table *table;
  scoped_prepare *prepare = fit_example(&table);
  scoped_bytes bytes = bytes_of(prepare);
  static const unsigned char flips[] = {0x01, 0x80, 0xFF, 0x40, 0x10};
  for (size_t i = 0; i < bytes.length; i++)
    for (size_t k = 0; k < sizeof flips; k++) {
      bytes.data[i] ^= flips[k];
      try_bytes(bytes.data, bytes.length, table);
      bytes.data[i] ^= flips[k];
    }
  for (size_t i = 0; i + 8 <= bytes.length; i++) { /* whole words, too */
    unsigned char saved[8];
    memcpy(saved, bytes.data + i, 8);
    for (int fill = 0; fill < 3; fill++) {
      memset(bytes.data + i, fill == 0 ? 0 : fill == 1 ? 0xFF : 0x7F, 8);
      try_bytes(bytes.data, bytes.length, table);
    }
    memcpy(bytes.data + i, saved, 8);
  }
}

/* Columns of the example: 0 a numeric, 1 b numeric, 2 k categorical (u 2, v 1, w 1, missing
 * 1), 3 c constant. */
static void damage(ank_prepare *p, size_t which) {
  ank_profile *k = &p->column[2];
  switch (which) {
  case 0: p->column[0].unit = 0; break;
  case 1: p->column[0].inverse = -1; break;
  case 2: p->column[0].centre = (double)NAN; break;
  case 3: p->column[0].most = 2e6; break;
  case 4: p->column[0].least = -(double)INFINITY; break;
  case 5: p->column[0].low = p->column[0].high + 1; break;
  case 6: p->column[0].fill = p->column[0].least - 1; break;
  case 7: p->column[0].missing = 6; break;
  case 8: p->column[0].missing = 5; break;
  case 9: p->column[0].role = ANORANK_ROLE_CATEGORICAL; break;
  case 10: p->column[3].constant = (double)NAN; break;
  case 11: k->counts[0] = 3; break;
  case 12: k->counts[0] = 1; break;
  case 13: k->counts[2] = 0; break;
  case 14: k->levels.text[2][0] = 'v'; break; /* twice the same */
  case 15: k->levels.text[2][0] = 'a'; break; /* not in order */
  case 16: k->levels.text[1][0] = 'u'; break; /* twice the same, with other counts */
  case 17: p->column[1].name[0] = 'a'; break; /* twice the same */
  case 18: p->rows = 4; break;
  case 19: p->rows = 0; break;
  case 20: p->scale = (anorank_scale)2; break;
  case 21: p->on_missing = (anorank_on_missing)2; break;
  case 22: k->counts[0] = 1, k->counts[1] = 2; break; /* the rarer first */
  default: p->column[4].levels.count = 0; break;
  }
}

TEST(contents_that_contradict_themselves_are_refused) {
  for (size_t which = 0; which <= 23; which++) {
    scoped_table *table;
    ank_prepare *prepare = fit_example(&table), *loaded;
    size_t levels = prepare->column[4].levels.count;
    damage(prepare, which);
    scoped_bytes bytes = bytes_of(prepare);
    ank_cursor cursor = {bytes.data, bytes.length, 0};
    anorank_status status = ank_prepare_load(&loaded, &cursor, NULL);
    if (status != ANORANK_ERROR_MODEL)
      print_error("damage %zu gave '%s'\n", which, anorank_status_name(status));
    assert_int_equal(status, ANORANK_ERROR_MODEL);
    prepare->column[4].levels.count = levels;
    ank_prepare_free(prepare);
  }
}

TEST(every_shorter_file_is_refused) {
  scoped_table *table;
  ank_prepare *prepare = fit_example(&table), *loaded;
  scoped_bytes bytes = bytes_of(prepare);
  for (size_t length = 0; length < bytes.length; length++) {
    /* a copy of just that size, so that a sanitizer sees every byte beyond */
    unsigned char *copy = malloc(length + 1);
    memcpy(copy, bytes.data, length);
    ank_cursor cursor = {copy, length, 0};
    assert_status(ank_prepare_load(&loaded, &cursor, NULL), ANORANK_ERROR_MODEL);
    assert_null(loaded);
    free(copy);
  }
  ank_prepare_free(prepare);
}

TEST(every_failing_request_for_memory_is_survived) {
  anorank_table *table;
  ank_prepare *prepare = fit_example(&table), *loaded;
  scoped_bytes bytes = bytes_of(prepare);
  for (size_t k = 1;; k++) {
    ank_cursor cursor = {bytes.data, bytes.length, 0};
    (void)ank_alloc_fail_at(k);
    anorank_status status = ank_prepare_load(&loaded, &cursor, NULL);
    (void)ank_alloc_fail_at(0);
    if (status == ANORANK_OK) break;
    assert_status(status, ANORANK_ERROR_RESOURCES);
    assert_null(loaded);
  }
  ank_prepare_free(loaded);
  for (size_t k = 1;; k++) {
    ank_bytes out = {0};
    (void)ank_alloc_fail_at(k);
    anorank_status status = ank_prepare_save(prepare, &out, NULL);
    (void)ank_alloc_fail_at(0);
    ank_bytes_free(&out);
    if (status == ANORANK_OK) break;
    assert_status(status, ANORANK_ERROR_RESOURCES);
  }
  ank_prepare_free(prepare);
  anorank_table_free(table);
}
