/* test_prepare_rows.c - cells to features: closed forms on small tables, and invariants. */
#include "unit/prepare/prepare_kit.h"

TEST(numbers_get_mean_0_and_standard_deviation_1) {
  scoped_table *table = table_of("a,b\n1,10\n2,20\n6,30\n");
  scoped_prepare *prepare = must_fit(table, NULL);
  double *x = matrix_of(prepare, table), sd = sqrt(14.0 / 3), wide = sqrt(200.0 / 3);
  const double wanted[] = {-2 / sd, -10 / wide, 0, -1 / sd, 0, 0, 3 / sd, 10 / wide, 0};
  assert_int_equal(ank_prepare_dim(prepare), 3);
  for (size_t i = 0; i < 9; i++) assert_close(x[i], wanted[i], 1e-14);
  anorank_model_column column = ank_prepare_column(prepare, 0);
  assert_close(column.low, 1, 0);
  assert_close(column.median, 2, 0);
  assert_close(column.high, 6, 0);
  assert_int_equal(column.first_feature, 0);
  assert_int_equal(column.features, 1);
}

TEST(unit_scale_brings_the_range_to_0_and_1) {
  anorank_settings settings = plain_settings();
  settings.scale = ANORANK_SCALE_UNIT;
  scoped_table *table = table_of("a,b\n-4,u\n6,u\n,v\n1,v\n");
  scoped_prepare *prepare = must_fit(table, &settings);
  double *x = matrix_of(prepare, table), step = 1 / sqrt(12.0);
  /* value, mark, u, v, rarity, surprise */
  assert_int_equal(ank_prepare_dim(prepare), 6);
  assert_close(x[0], 0, 0);
  assert_close(x[6], 1, 1e-15);
  assert_close(x[12], 0.5, 1e-15); /* the mean, 1 */
  assert_close(x[13], step, 1e-15);
  assert_close(x[18], 0.5, 1e-15);
  assert_close(x[19], 0, 0);
  assert_close(x[2], step, 1e-15);
  assert_close(x[3], 0, 0);
}

TEST(missing_numbers_get_the_mean_and_a_mark) {
  scoped_table *table = table_of("a,b\n1,5\n,6\n3,8\n");
  scoped_prepare *prepare = must_fit(table, NULL);
  double *x = matrix_of(prepare, table);
  assert_int_equal(ank_prepare_dim(prepare), 4);
  const double first[] = {-1, 0, 1}, mark[] = {0, 1, 0};
  for (size_t i = 0; i < 3; i++) {
    assert_close(x[4 * i], first[i], 1e-15);
    assert_close(x[4 * i + 1], mark[i], 0);
    assert_close(x[4 * i + 3], 0, 0);
  }
  assert_true(has_note(prepare, "columns-with-gaps 33.3 % of 'a'"));
  /* Where the training rows had none it is a surprise. */
  x = matrix_of_csv(prepare, "a,b\n2,\n,7\n");
  assert_close(x[2], 0, 0);
  assert_close(x[3], 1, 0);
  assert_close(x[4 + 3], 0, 0);
}

TEST(levels_get_indicators_and_their_rarity) {
  /* 9 rows: c 4, a 2, b 2, d 1 */
  scoped_table *table = table_of("k\nb\nc\nc\na\nc\nd\nc\nb\na\n");
  scoped_prepare *prepare = must_fit(table, NULL);
  double *x = matrix_of(prepare, table), mean = 0, squares = 0;
  const double count[] = {4, 2, 2, 1};
  double rarity[4];
  for (size_t k = 0; k < 4; k++) {
    rarity[k] = -log((count[k] + 0.5) / 10);
    mean += count[k] * rarity[k] / 9;
  }
  for (size_t k = 0; k < 4; k++) squares += count[k] * (rarity[k] - mean) * (rarity[k] - mean) / 9;
  double spread = sqrt(squares) > 0.5 ? sqrt(squares) : 0.5;
  /* c, a, b, other, rarity, surprise */
  assert_int_equal(ank_prepare_dim(prepare), 6);
  const size_t level[] = {2, 0, 0, 1, 0, 3, 0, 2, 1};
  for (size_t i = 0; i < 9; i++) {
    for (size_t k = 0; k < 4; k++) assert_close(x[6 * i + k], k == level[i], 0);
    assert_close(x[6 * i + 4], (rarity[level[i]] - mean) / spread, 1e-13);
    assert_close(x[6 * i + 5], 0, 0);
  }
  /* A level never seen, and a missing cell where none was. */
  x = matrix_of_csv(prepare, "k,z\nnew,1\n,1\nd,1\n");
  for (size_t i = 0; i < 2; i++) {
    assert_close(x[6 * i + 3], 1, 0);
    assert_close(x[6 * i + 4], (-log(0.05) - mean) / spread, 1e-13);
    assert_close(x[6 * i + 5], 1, 0);
  }
  assert_close(x[12 + 5], 0, 0);
  assert_int_equal(ank_prepare_level_rows(prepare, 0, "c"), 4);
  assert_int_equal(ank_prepare_level_rows(prepare, 0, "new"), 0);
  assert_int_equal(ank_prepare_level_rows(prepare, 0, NULL), 0);
}

/* 500 rows: 380 in four levels, 120 (or 4) with unique levels. */
TEST(new_levels_are_no_surprise_where_many_occur_once) {
  for (size_t singles = 4; singles <= 120; singles += 116) {
    char *csv = test_memory(1 << 16);
    size_t used = (size_t)sprintf(csv, "k,v\n");
    for (size_t i = 0; i < 500; i++)
      used += (size_t)sprintf(csv + used, "%c%zu,%zu.5\n", i < singles ? 's' : 'f', i < singles ? i : i % 4,
                              i * i % 91);
    scoped_table *table = table_of(csv), *later = table_of("k,v\nnew,1\n,1\ns1,1\n");
    scoped_prepare *prepare = must_fit(table, NULL);
    double *x = matrix_of(prepare, later);
    size_t dim = ank_prepare_dim(prepare);
    scoped_match *match;
    assert_ok(ank_match_make(&match, prepare, later, NULL));
    assert_close(x[dim - 1], singles == 4, 0);
    assert_int_equal(ank_match_surprising(match, later, 0, 0), singles == 4);
    assert_close(x[2 * dim - 1], 1, 0); /* a missing cell still is */
    assert_close(x[3 * dim - 1], 0, 0);
    assert_close(x[4], 1, 0); /* other */
    assert_true(x[5] > x[2 * dim + 5]);
    if (singles == 120)
      assert_true(has_note(prepare, "column-levels 124 ") && has_note(prepare, "column-levels 4 "));
  }
}

TEST(equally_frequent_levels_are_not_pulled_apart) {
  scoped_table *table = table_of("k\na\nb\na\nb\na\nb\na\nb\na\nb\na\n");
  scoped_prepare *prepare = must_fit(table, NULL);
  double *x = matrix_of(prepare, table);
  /* a, b, rarity, surprise; the difference of rarities is log(6.5 / 5.5) over 1/2 */
  assert_int_equal(ank_prepare_dim(prepare), 4);
  assert_close(x[4 + 2] - x[2], 2 * log(6.5 / 5.5), 1e-13);
}

TEST(missing_categories_are_a_level_where_they_were_seen) {
  anorank_table *twice = table_of("k,v\na,1\n,2\na,3\n,5\nb,4\nb,4\n");
  scoped_prepare *prepare = must_fit(twice, NULL);
  double *x = matrix_of(prepare, twice);
  /* a, b, mark, rarity, v, surprise */
  assert_int_equal(ank_prepare_dim(prepare), 6);
  assert_close(x[6 + 2], 1, 0);
  assert_close(x[6 + 5], 0, 0);
  assert_close(x[2], 0, 0);
  assert_close(x[6 + 3], x[3], 1e-15); /* as frequent as a, as rare */
  assert_true(has_note(prepare, "columns-with-gaps 33.3 % of 'k'"));
  ank_prepare_free(prepare);
  anorank_table_free(twice);

  scoped_table *once = table_of("k,v\na,1\n,2\na,3\nb,4\nb,4\n");
  prepare = must_fit(once, NULL);
  x = matrix_of(prepare, once);
  assert_int_equal(ank_prepare_dim(prepare), 6);
  assert_close(x[6 + 2], 1, 0); /* other */
  assert_close(x[6 + 5], 0, 0);
}

TEST(departures_from_constants_are_surprises) {
  scoped_table *table = table_of("n,t,v,m\n5,web,1,7\n5,web,2,\n5,web,4,7\n");
  scoped_prepare *prepare = must_fit(table, NULL);
  assert_int_equal(role_of(prepare, "n"), ANORANK_ROLE_CONSTANT);
  assert_int_equal(role_of(prepare, "t"), ANORANK_ROLE_CONSTANT);
  assert_int_equal(role_of(prepare, "m"), ANORANK_ROLE_CONSTANT);
  assert_true(has_note(prepare, "column-constant 'n'"));
  assert_true(has_note(prepare, "columns-with-gaps 33.3 % of 'm'"));
  /* v, mark of m, surprise */
  assert_int_equal(ank_prepare_dim(prepare), 3);
  double *x = matrix_of(prepare, table);
  for (size_t i = 0; i < 3; i++) assert_close(x[3 * i + 2], 0, 0);
  assert_close(x[3 + 1], 1, 0);
  x = matrix_of_csv(prepare, "n,t,v,m\n5,web,1,7\n5.0000000000001,web,1,7\n,app,1,\n,,,8\n");
  const double surprise[] = {0, 1, 2, 4};
  for (size_t i = 0; i < 4; i++) assert_close(x[3 * i + 2], surprise[i], 0);
}

TEST(infinite_cells_are_far_away) {
  scoped_table *table = table_of("a,b\n1,1\n3,inf\n1,3\n3,1\n1,3\n3,1\n1,3\n");
  scoped_prepare *prepare = must_fit(table, NULL);
  double *x = matrix_of(prepare, table),
         *y = matrix_of_csv(prepare, "a,b\ninf,inf\n-inf,-inf\n1e300,1e300\n-1e300,0\n");
  assert_close(x[3 + 1], x[2 * 3 + 1] + 10, 1e-12); /* largest finite training value and 10 */
  assert_close(y[0], 1e6, 0);
  assert_close(y[3], -1e6, 0);
  assert_close(y[6], 1e6, 0);
  assert_close(y[1], x[3 + 1], 0);
  assert_close(y[3 + 1], -1e6, 0);
  assert_close(y[6 + 1], y[1], 0); /* no finite value is farther than an infinite one */
}

TEST(odd_columns_of_infinities_stay_finite) {
  scoped_table *table = table_of("a,b,c,d\ninf,inf,inf,1\n-inf,5,inf,2\ninf,5,inf,3\n,5,inf,5\n");
  for (int scale = ANORANK_SCALE_STANDARD; scale <= ANORANK_SCALE_UNIT; scale++) {
    anorank_settings settings = plain_settings();
    settings.scale = scale;
    scoped_prepare *prepare = must_fit(table, &settings);
    assert_int_equal(role_of(prepare, "a"), ANORANK_ROLE_NUMERIC);
    assert_int_equal(role_of(prepare, "b"), ANORANK_ROLE_NUMERIC);
    assert_int_equal(role_of(prepare, "c"), ANORANK_ROLE_CONSTANT);
    double *x = matrix_of(prepare, table); /* a, mark, b, d, surprise */
    assert_int_equal(ank_prepare_dim(prepare), 5);
    assert_close(x[0], 10, 0);
    assert_close(x[5], -10, 0);
    assert_close(x[2], 10, 0);
    assert_close(x[4], 0, 0);
  }
}

TEST(huge_and_tiny_numbers_scale_as_ordinary_ones) {
  scoped_table *table =
      table_of("a,b,c,d\n-1.7e308,1e-310,1e-200,1\n1.7e308,3e-310,3e-200,3\n-1.7e308,1e-310,1e-200,1\n"
               "1.7e308,3e-310,3e-200,3\n");
  for (int scale = ANORANK_SCALE_STANDARD; scale <= ANORANK_SCALE_UNIT; scale++) {
    anorank_settings settings = plain_settings();
    settings.scale = scale;
    scoped_prepare *prepare = must_fit(table, &settings);
    double *x = matrix_of(prepare, table);
    for (size_t i = 0; i < 4; i++)
      for (size_t j = 0; j < 4; j++)
        assert_close(x[5 * i + j], scale == ANORANK_SCALE_UNIT ? i % 2 == 1 : i % 2 == 1 ? 1 : -1, 1e-12);
  }
}

TEST(a_large_offset_costs_no_digits) {
  scoped_table *table = table_of("a\n1000000000000001\n1000000000000002\n1000000000000006\n");
  scoped_prepare *prepare = must_fit(table, NULL);
  double *x = matrix_of(prepare, table);
  assert_close(x[0], -2 / sqrt(14.0 / 3), 1e-13);
  ank_prepare_free(prepare);
  anorank_table_free(table);
  /* The mean lies between two doubles; the standard deviation is right all the same. */
  table = table_of("a\n9007199254740990\n9007199254740991\n9007199254740991\n");
  prepare = must_fit(table, NULL);
  x = matrix_of(prepare, table);
  assert_close(x[2] - x[0], 1 / sqrt(2.0 / 9), 1e-12);
}

/* Any partition into blocks gives the same bits, also of a matrix wider than one tile. */
TEST(a_row_does_not_depend_on_the_rows_around_it) {
  size_t rows = 300, used = 0;
  char *csv = test_memory(1 << 20);
  used += (size_t)sprintf(csv, "a,b");
  for (size_t j = 0; j < 40; j++) used += (size_t)sprintf(csv + used, ",k%zu", j);
  for (size_t i = 0; i < rows; i++) {
    used += (size_t)sprintf(csv + used, "\n%g,%s", sin((double)i),
                            i % 7 == 0    ? ""
                            : i % 31 == 0 ? "inf"
                                          : "2.5");
    for (size_t j = 0; j < 40; j++) used += (size_t)sprintf(csv + used, ",L%zu", (i * i + j) % (3 + j));
  }
  sprintf(csv + used, "\n");
  scoped_table *table = table_of(csv);
  scoped_prepare *prepare = must_fit(table, NULL);
  double *whole = matrix_of(prepare, table);
  size_t dim = ank_prepare_dim(prepare);
  scoped_match *match;
  assert_ok(ank_match_make(&match, prepare, table, NULL));
  double *part = test_memory(rows * dim * sizeof *part);
  for (size_t block = 1; block <= rows; block = block * 2 + 1) {
    memset(part, 0xFF, rows * dim * sizeof *part);
    for (size_t first = 0; first < rows; first += block) {
      size_t now = rows - first < block ? rows - first : block;
      assert_ok(ank_prepare_rows(part + first * dim, prepare, match, table, first, now, NULL));
    }
    assert_memory_equal(part, whole, rows * dim * sizeof *part);
  }
  anorank_error err;
  assert_status(ank_prepare_rows(part, prepare, match, table, 290, 11, &err), ANORANK_ERROR_USAGE);
  (void)ank_alloc_fail_at(0);
  assert_ok(ank_prepare_rows(part, prepare, match, table, 0, rows, NULL));
  assert_int_equal(ank_alloc_fail_at(0), 0); /* allocates nothing */
}

TEST(features_of_training_rows_have_spread_1_and_no_surprise) {
  char *csv = test_memory(1 << 16);
  size_t used = (size_t)sprintf(csv, "a,k\n"), rows = 500;
  for (size_t i = 0; i < rows; i++)
    used +=
        (size_t)sprintf(csv + used, "%g,L%zu\n", exp(sin((double)(i * i))), (i * i) % 97 % 60 * (i % 3) / 5);
  scoped_table *table = table_of(csv);
  scoped_prepare *prepare = must_fit(table, NULL);
  size_t dim = ank_prepare_dim(prepare), rarity = dim - 2;
  double *x = matrix_of(prepare, table);
  const size_t both[] = {0, rarity};
  for (size_t f = 0; f < 2; f++) {
    double mean = 0, squares = 0;
    for (size_t i = 0; i < rows; i++) mean += x[i * dim + both[f]] / (double)rows;
    for (size_t i = 0; i < rows; i++) squares += pow(x[i * dim + both[f]] - mean, 2) / (double)rows;
    assert_close(mean, 0, 1e-12);
    assert_close(squares, 1, 1e-12);
  }
  for (size_t i = 0; i < rows; i++) {
    double set = 0;
    for (size_t f = 1; f < rarity; f++) set += x[i * dim + f];
    assert_close(set, 1, 0); /* one level each */
    assert_close(x[i * dim + dim - 1], 0, 0);
  }
}
