/* test_match.c - the model's columns and levels in another table. */
#include "unit/prepare/prepare_kit.h"

#define TRAIN "amount,city,code,day\n1,Ulm,007,1\n2,Bonn,12,2\n4,Ulm,7,5\n9,Bonn,x1,3\n5,Kiel,12,1\n"

static ank_prepare *train(void) {
  anorank_settings settings = plain_settings();
  assert_ok(ank_settings_lend(&settings, "categorical", "code", NULL));
  scoped_table *table = table_with(TRAIN, &settings);
  return must_fit(table, NULL);
}

/* Refused with this code, and with these names in the sentence: that of a missing column, or one like it. */
static void must_not_match(const ank_prepare *prepare, const char *csv, const char *categorical,
                           const char *code, const char *names) {
  anorank_settings settings = plain_settings();
  anorank_error err = {0};
  ank_match *match;
  assert_ok(ank_settings_lend(&settings, "categorical", categorical, NULL));
  scoped_table *table = table_with(csv, &settings);
  assert_status(ank_match_make(&match, prepare, table, &err), ANORANK_ERROR_DATA);
  if (!strstr(err.message, names)) print_error("\"%s\"\nwanted \"%s\"\n", err.message, names);
  assert_string_equal(err.code, code);
  assert_non_null(strstr(err.message, names));
  assert_null(match);
}

TEST(columns_are_found_by_name_wherever_they_stand) {
  scoped_prepare *prepare = train();
  double *x = matrix_of_csv(prepare, TRAIN);
  double *y = matrix_of_csv(prepare, "extra,day,code,city,amount\nq,1,007,Ulm,1\nq,2,12,Bonn,2\nq,5,7,Ulm,4\n"
                                     "q,3,x1,Bonn,9\nr,1,12,Kiel,5\n");
  assert_memory_equal(x, y, 5 * ank_prepare_dim(prepare) * sizeof *x);
}

TEST(missing_columns_are_named_with_a_guess) {
  scoped_prepare *prepare = train();
  must_not_match(prepare, "Amount,City Name,code\n1,Ulm,7\n", "code", "column-missing",
                 "'amount', 'city', 'day'");
  must_not_match(prepare, "Amount,City Name,code\n1,Ulm,7\n", "code", "column-missing", " 'Amount' ");
  must_not_match(prepare, "amount,city,code,date\n1,Ulm,7,1\n", "code", "column-missing", "'day' (");
  must_not_match(prepare, "amount,city,code,dat\n1,Ulm,7,1\n", "code", "column-missing", " 'dat' ");
  must_not_match(prepare, "amount,city,day\n1,Ulm,7\n", "", "column-missing", "'code' ("); /* no guess */
  must_not_match(prepare, "amuont,city,code,day\n1,Ulm,7,1\n", "code", "column-missing", " 'amuont' ");
}

TEST(columns_of_another_type_are_refused) {
  scoped_prepare *prepare = train();
  must_not_match(prepare, "amount,city,code,day\nfree,Ulm,7,1\n3,Ulm,7,1\n", "", "column-text", "\"free\"");
  must_not_match(prepare, "amount,city,code,day\n1,Ulm,7,1\n3,Ulm,7,1\n", "amount", "column-categories",
                 "'amount'");
  must_not_match(prepare, "amount,city,code,day\n2025-12-31,Ulm,7,1\n2025-12-30,Ulm,7,1\n", "code",
                 "column-times", "'amount'");
}

/* Numbers are looked up as texts: by their shortest form, then by value. */
TEST(a_file_of_codes_may_look_numeric) {
  scoped_prepare *prepare = train();
  scoped_table *numbers = table_of("amount,city,code,day\n1,Ulm,12,1\n1,Ulm,7,1\n1,Ulm,8,1\n1,Ulm,,1\n");
  assert_int_equal(anorank_table_kind(numbers, 2), ANORANK_NUMERIC);
  double *x = matrix_of_csv(prepare, "amount,city,code,day\n1,Ulm,12,1\n1,Ulm,7,1\n1,Ulm,a,1\n1,Ulm,,1\n");
  double *y = matrix_of(prepare, numbers);
  size_t dim = ank_prepare_dim(prepare);
  for (size_t i = 0; i < 4 * dim; i++) assert_close(y[i], x[i], 0);
  assert_close(y[dim - 1], 0, 0);
  assert_close(y[3 * dim - 1], 1, 0);
  assert_close(y[4 * dim - 1], 1, 0);
  /* "x1" apart, all levels of the model are numbers; 007 means 7 where there is no 7 */
  scoped_prepare *other;
  anorank_settings settings = plain_settings();
  assert_ok(ank_settings_lend(&settings, "categorical", "c", NULL));
  scoped_table *table = table_with("c,v\n007,1\n1.50,2\n007,4\n", &settings);
  other = must_fit(table, NULL);
  y = matrix_of_csv(other, "c,v\n7,1\n1.5,1\n8,1\n");
  dim = ank_prepare_dim(other);
  assert_close(y[0], 1, 0);
  for (size_t i = 0; i < 3; i++) assert_close(y[i * dim + dim - 1], i == 2, 0);
  anorank_table_free(table);
  ank_prepare_free(other);
  /* both are there: the same text wins */
  table = table_with("c,v\n007,1\n007,2\n007,4\n7,2\n7,3\n", &settings);
  other = must_fit(table, NULL);
  y = matrix_of_csv(other, "c,v\n7,1\n");
  assert_close(y[0], 0, 0);
  assert_close(y[1], 1, 0);
}

TEST(tables_without_names_match_by_position) {
  const double data[] = {1, 5, 2, 3, 9, 4};
  const char *const names[] = {"left", "right"};
  scoped_table *bare, *named, *wide;
  assert_ok(anorank_table_from_matrix(&bare, data, 3, 2, 2, 1, NULL, NULL));
  assert_ok(anorank_table_from_matrix(&named, data, 3, 2, 2, 1, names, NULL));
  assert_ok(anorank_table_from_matrix(&wide, data, 2, 3, 3, 1, NULL, NULL));
  scoped_prepare *from_names = must_fit(named, NULL), *from_bare = must_fit(bare, NULL);
  double *x = matrix_of(from_names, bare), *y = matrix_of(from_bare, bare);
  assert_memory_equal(x, y, 9 * sizeof *x);
  scoped_match *match;
  assert_status(ank_match_make(&match, from_names, wide, NULL), ANORANK_ERROR_DATA);
  assert_status(ank_match_make(&match, from_bare, named, NULL), ANORANK_ERROR_DATA);
  assert_ok(ank_match_make(&match, from_bare, wide, NULL)); /* x1 and x2 are there by name */
  assert_int_equal(ank_match_column(match, 1), 1);
  double row[3];
  assert_status(ank_prepare_rows(row, from_bare, match, bare, 0, 1, NULL), ANORANK_ERROR_USAGE);
  assert_status(ank_match_update(match, bare, 0, NULL), ANORANK_ERROR_USAGE);
}

/* Levels that appear in later blocks give the same bits with an update of the match and without. */
TEST(levels_may_grow_from_block_to_block) {
  scoped_prepare *prepare = train();
  const char *csv = "amount,city,code,day\n1,Kiel,x1,1\n2,Rom,y,2\n4,Ulm,007,5\n9,Bonn,x1,3\n5,Kiel,zz,1\n";
  double *whole = matrix_of_csv(prepare, csv);
  size_t dim = ank_prepare_dim(prepare);
  char path[] = "/tmp/anorank-match-XXXXXX";
  int file = mkstemp(path);
  assert_true(file >= 0);
  FILE *stream = fdopen(file, "w");
  fputs(csv, stream);
  fclose(stream);
  for (int update = 0; update < 2; update++) {
    anorank_settings settings = plain_settings();
    anorank_reader *reader;
    const anorank_table *block;
    ank_match *match;
    double row[64];
    size_t at = 0;
    settings.block_rows = 1;
    assert_ok(anorank_reader_open(&reader, ANORANK_FROM_FILE(path), &settings, NULL));
    assert_ok(ank_match_make(&match, prepare, anorank_reader_schema(reader), NULL));
    for (;; at++) {
      assert_ok(anorank_reader_next(reader, &block, NULL));
      if (!block) break;
      if (update) assert_ok(ank_match_update(match, block, at, NULL));
      assert_ok(ank_prepare_rows(row, prepare, match, block, 0, 1, NULL));
      assert_memory_equal(row, whole + at * dim, dim * sizeof *row);
    }
    assert_int_equal(at, 5);
    ank_match_free(match);
    anorank_reader_free(reader);
  }
  remove(path);
}

TEST(surprising_cells_add_up_to_the_feature) {
  anorank_settings settings = plain_settings();
  assert_ok(ank_settings_lend(&settings, "id", "id", NULL));
  scoped_table *table = table_of("id,a,b,k,c,t\n1,1,2,u,7,web\n2,,4,v,7,web\n3,4,5,,7,web\n");
  scoped_table *later = table_of("a,b,k,c,t\n1,,w,8,app\n,4,,7,web\n,4,u,,\n1,1,v,7,web\n");
  scoped_prepare *prepare = must_fit(table, &settings);
  scoped_match *match;
  assert_ok(ank_match_make(&match, prepare, later, NULL));
  assert_true(ank_match_column(match, 0) == SIZE_MAX); /* an id may be lacking */
  double *x = matrix_of(prepare, later);
  size_t dim = ank_prepare_dim(prepare);
  const double wanted[] = {4, 0, 2, 0};
  for (size_t i = 0; i < 4; i++) {
    double sum = 0;
    for (size_t j = 0; j < ank_prepare_columns(prepare); j++) sum += ank_match_surprising(match, later, j, i);
    assert_close(sum, wanted[i], 0);
    assert_close(x[i * dim + dim - 1], wanted[i], 0);
  }
}

TEST(missing_cells_are_refused_where_the_fit_says_so) {
  anorank_settings settings = plain_settings();
  anorank_error err = {0};
  double rows[20];
  settings.on_missing = ANORANK_ON_MISSING_ERROR;
  scoped_table *table = table_of("a,b\n1,2\n2,4\n4,7\n"), *later = table_of("b,a\n1,2\n,4\n4,\n");
  scoped_prepare *prepare = must_fit(table, &settings);
  scoped_match *match;
  assert_ok(ank_match_make(&match, prepare, later, NULL));
  assert_ok(ank_match_update(match, later, 1000, NULL));
  assert_fails(ank_prepare_rows(rows, prepare, match, later, 0, 3, &err), ANORANK_ERROR_DATA, "cell-missing");
  assert_ok(ank_prepare_rows(rows, prepare, match, later, 0, 1, &err));
}

TEST(every_failing_request_for_memory_is_survived) {
  scoped_prepare *prepare = train();
  scoped_table *table = table_of("amount,city,code,day\n1,Kiel,7,1\n");
  for (size_t k = 1;; k++) {
    ank_match *match;
    (void)ank_alloc_fail_at(k);
    anorank_status status = ank_match_make(&match, prepare, table, NULL);
    (void)ank_alloc_fail_at(0);
    if (status == ANORANK_OK) {
      assert_true(k > 3);
      ank_match_free(match);
      break;
    }
    assert_status(status, ANORANK_ERROR_RESOURCES);
    assert_null(match);
  }
}
