/* space: against golden numbers and against counting ranks. */
#include "golden/blend.inc"
#include "kernels/normal.h"
#include "neighbours/space.h"
#include "support/scorers.h"

#define scoped_spaces __attribute__((cleanup(ank_spaces_free))) ank_spaces

enum { ROWS = 12 };

static ank_spaces fitted(const double *x, size_t n, size_t dim) {
  anorank_settings settings = test_settings();
  ank_matrix rows = {x, n, dim};
  ank_spaces spaces;
  assert_ok(ank_spaces_fit(&spaces, &rows, NULL, 0, &settings, NULL));
  return spaces;
}

static void against(const double *x, size_t n, size_t dim, const double *rows, const double *expected[3]) {
  scoped_spaces spaces = fitted(x, n, dim);
  float held[ROWS * 5], mapped[ROWS * 5];
  ank_spaces_hold(held, &spaces, rows, ROWS);
  for (size_t s = 0; s < ANK_SPACES; s++) {
    ank_spaces_map(mapped, &spaces, (anorank_space)s, held, ROWS);
    for (size_t i = 0; i < ROWS * dim; i++)
      assert_close((double)mapped[i], expected[s][i], 3e-7 + 3e-7 * fabs(expected[s][i]));
  }
}

TEST(the_spaces_are_those_of_the_golden_numbers) {
  const double *smooth[] = {smooth_standard, smooth_range, smooth_normal};
  const double *pairs[] = {pairs_standard, pairs_range, pairs_normal};
  against(smooth_x, 90, 5, smooth_rows, smooth);
  against(pairs_x, 70, 4, pairs_rows, pairs);
}

/* A column with more values than knots, a tenth of it zeros, and long tails. */
static double *long_tails(size_t n) {
  double *x = test_rows(n, 1, 5);
  for (size_t i = 0; i < n; i++)
    x[i] = i % 10 == 0 ? 0 : x[i] * x[i] * x[i] / (0.001 + fabs(fmod(x[i] * 1000, 1)));
  return x;
}

static double exact_score(const double *x, size_t n, double at) {
  size_t below = 0, upto = 0;
  for (size_t i = 0; i < n; i++) below += x[i] < at, upto += x[i] <= at;
  return ank_normal_quantile(((double)(below + upto) / 2 + 0.5) / ((double)n + 1));
}

TEST(a_long_column_has_bounded_knots_and_stays_near_its_ranks) {
  enum { N = 5000 };
  double *x = long_tails(N);
  scoped_spaces spaces = fitted(x, N, 1);
  assert_true(spaces.column[0].knots <= ANK_SPACE_KNOTS && spaces.column[0].knots > ANK_SPACE_KNOTS / 2);
  for (size_t i = 0; i < N; i += 7) {
    float held;
    ank_spaces_hold(&held, &spaces, &x[i], 1);
    ank_spaces_map(&held, &spaces, ANORANK_SPACE_NORMAL, &held, 1);
    assert_close((double)held * spaces.column[0].spread, exact_score(x, N, x[i]), 0.01);
  }
  double zero = 0, most = x[0]; /* a common value and the ends are exact */
  for (size_t i = 0; i < N; i++) most = fmax(most, x[i]);
  for (int k = 0; k < 2; k++) {
    float held;
    ank_spaces_hold(&held, &spaces, k ? &most : &zero, 1);
    ank_spaces_map(&held, &spaces, ANORANK_SPACE_NORMAL, &held, 1);
    assert_close((double)held * spaces.column[0].spread, exact_score(x, N, k ? most : zero), 1e-6);
  }
}

TEST(the_normal_map_never_falls) {
  enum { N = 3000, STEPS = 20000 };
  double *x = long_tails(N);
  scoped_spaces spaces = fitted(x, N, 1);
  float before = -INFINITY;
  for (int i = 0; i < STEPS; i++) {
    float y = (float)(sinh((i - STEPS / 2) / 1000.0) / 100), mapped;
    ank_spaces_map(&mapped, &spaces, ANORANK_SPACE_NORMAL, &y, 1);
    assert_true(mapped >= before);
    before = mapped;
  }
}

TEST(without_heavy_tails_the_normal_space_is_the_standard_one) {
  double *x = test_rows(200, 3, 6);
  scoped_spaces spaces = fitted(x, 200, 3);
  assert_int_equal(ank_spaces_first(&spaces, ANORANK_SPACE_NORMAL), ANORANK_SPACE_STANDARD);
  assert_int_equal(ank_spaces_first(&spaces, ANORANK_SPACE_RANGE), ANORANK_SPACE_RANGE);
  ank_spaces_free(&spaces);
  spaces = fitted(smooth_x, 90, 5);
  assert_int_equal(ank_spaces_first(&spaces, ANORANK_SPACE_NORMAL), ANORANK_SPACE_NORMAL);
}

/* Once the ends are cut, one row in a column of bells may go anywhere: nothing of the others' places
 * moves. */
TEST(with_cut_ends_one_row_moves_nothing) {
  enum { N = 150 };
  anorank_settings settings = test_settings();
  double *x = test_rows(N, 1, 8);
  size_t high = 0;
  for (size_t i = 0; i < N; i++)
    if (x[i] > x[high]) high = i;
  for (int cut = 0; cut < 2; cut++) {
    scoped_spaces before, after;
    double was = x[high];
    assert_ok(ank_spaces_fit(&before, &(ank_matrix){x, N, 1}, NULL, cut, &settings, NULL));
    x[high] = 1e6;
    assert_ok(ank_spaces_fit(&after, &(ank_matrix){x, N, 1}, NULL, cut, &settings, NULL));
    x[high] = was;
    assert_int_equal(before.column[0].unit == after.column[0].unit, cut);
    assert_int_equal(after.column[0].knots > 0, !cut);
  }
}

/* An open map continues beyond its ends, and never falls; far values keep their order. */
TEST(an_open_map_squashes_nothing) {
  enum { N = 3000, STEPS = 2000 };
  anorank_settings settings = test_settings();
  double *x = long_tails(N);
  float before = -INFINITY;
  scoped_spaces spaces;
  assert_ok(ank_spaces_fit(&spaces, &(ank_matrix){x, N, 1}, NULL, 1, &settings, NULL));
  const ank_space_column *column = &spaces.column[0];
  assert_true(column->knots > 0);
  for (int i = 0; i < STEPS; i++) {
    float y = (float)sinh((i - STEPS / 2) / 100.0), mapped;
    ank_spaces_map(&mapped, &spaces, ANORANK_SPACE_NORMAL, &y, 1);
    assert_true(y > column->value[column->knots - 1] || y < column->value[0] ? mapped > before
                                                                             : mapped >= before);
    before = mapped;
  }
  float y = column->value[column->knots - 1] + 99, mapped;
  ank_spaces_map(&mapped, &spaces, ANORANK_SPACE_NORMAL, &y, 1);
  assert_close((double)(mapped - column->knot[column->knots - 1].upto), log(100), 1e-4);
}

TEST(nan_and_large_values_are_stored_as_the_limit) {
  static const double x[] = {0, 1, 2, 3}, rows[] = {NAN, 1e300, -1e300, INFINITY, -INFINITY};
  static const double expected[] = {1e16, 1e16, -1e16, 1e16, -1e16};
  scoped_spaces spaces = fitted(x, 4, 1);
  for (size_t i = 0; i < 5; i++) {
    float held, mapped;
    ank_spaces_hold(&held, &spaces, &rows[i], 1);
    assert_close_relative((double)held, expected[i], 1e-6);
    ank_spaces_map(&mapped, &spaces, ANORANK_SPACE_RANGE, &held, 1);
    assert_true(isfinite(mapped));
  }
}

/* The mark of a rare level would be 20 deviations out, where no number is. */
TEST(a_mark_keeps_its_size_in_every_space) {
  enum { N = 400 };
  static double x[N * 2];
  const unsigned char marks[] = {0, 1};
  anorank_settings settings = test_settings();
  ank_matrix rows = {x, N, 2};
  scoped_spaces spaces;
  for (size_t i = 0; i < N; i++) x[2 * i] = (double)(i % 17), x[2 * i + 1] = i == 7;
  assert_ok(ank_spaces_fit(&spaces, &rows, marks, 0, &settings, NULL));
  for (size_t s = 0; s < ANK_SPACES; s++) {
    float held[4], mapped[4];
    ank_spaces_hold(held, &spaces, x + 2 * 7, 2);
    ank_spaces_map(mapped, &spaces, (anorank_space)s, held, 2);
    assert_true(mapped[1] == 1 && mapped[3] == 0);
    assert_true(fabsf(mapped[2] - mapped[0]) < 0.5f); /* one of 17 steps, in numbers of deviation 1 */
  }
  ank_spaces_free(&spaces);
  assert_ok(ank_spaces_fit(&spaces, &rows, NULL, 0, &settings, NULL));
  float held[2];
  ank_spaces_hold(held, &spaces, x + 2 * 7, 1);
  assert_true(held[1] > 19);
}

TEST(a_constant_column_keeps_its_unit_in_every_space) {
  static const double x[] = {1, 5, 2, 5, 3, 5, 9, 5}, row[] = {2, 7.5};
  scoped_spaces spaces = fitted(x, 4, 2);
  for (size_t s = 0; s < ANK_SPACES; s++) {
    float held[2];
    ank_spaces_hold(held, &spaces, row, 1);
    ank_spaces_map(held, &spaces, (anorank_space)s, held, 1);
    assert_close((double)held[1], 2.5, 0);
  }
}

TEST(loaded_spaces_give_the_same_bits_and_damage_is_found) {
  ank_spaces spaces = fitted(smooth_x, 90, 5), loaded;
  scoped_bytes bytes = {0};
  float held[ROWS * 5], before[ROWS * 5], after[ROWS * 5];
  assert_ok(ank_spaces_save(&spaces, &bytes, NULL));
  ank_cursor cursor = {bytes.data, bytes.length, 0};
  assert_ok(ank_spaces_load(&loaded, &cursor, NULL));
  assert_ok(ank_cursor_end(&cursor, NULL));
  assert_int_equal(ank_spaces_bytes(&spaces), ank_spaces_bytes(&loaded));
  ank_spaces_hold(held, &spaces, smooth_rows, ROWS);
  for (size_t s = 0; s < ANK_SPACES; s++) {
    ank_spaces_map(before, &spaces, (anorank_space)s, held, ROWS);
    ank_spaces_map(after, &loaded, (anorank_space)s, held, ROWS);
    assert_memory_equal(before, after, sizeof before);
  }
  ank_spaces_free(&loaded);
  for (size_t i = 0; i < bytes.length; i++) { /* an error, or maps that stay among numbers */
    bytes.data[i] ^= 0x90;
    cursor = (ank_cursor){bytes.data, bytes.length, 0};
    if (ank_spaces_load(&loaded, &cursor, NULL) == ANORANK_OK) {
      if (loaded.dim == 5) ank_spaces_hold(held, &loaded, smooth_rows, ROWS);
      for (size_t s = 0; loaded.dim == 5 && s < ANK_SPACES; s++) {
        ank_spaces_map(after, &loaded, (anorank_space)s, held, ROWS);
        assert_true(ank_spaces_holds(after, ROWS * 5));
      }
      ank_spaces_free(&loaded);
    }
    bytes.data[i] ^= 0x90;
  }
  ank_spaces_free(&spaces);
}

/* A row that ends a column alone is left out of the ranges as if it had never been there. Rows that end
 * nothing, or share an end, change nothing. */
TEST(the_range_without_a_row_is_the_range_of_the_others) {
  enum { N = 40, D = 3 };
  anorank_settings settings = test_settings();
  double *x = test_rows(N, D, 9), rest[(N - 1) * D], factor[D];
  size_t ends = 0;
  x[7 * D] = 9, x[7 * D + 1] = -8; /* ends two columns */
  x[3 * D + 2] = x[5 * D + 2] = 7; /* end one together */
  ank_matrix rows = {x, N, D};
  ank_spaces all = {0}, others = {0};
  assert_ok(ank_spaces_fit(&all, &rows, NULL, 0, &settings, NULL));
  for (size_t i = 0; i < N; i++) {
    float held[D];
    ank_spaces_hold(held, &all, x + i * D, 1);
    if (!ank_spaces_without(factor, &all, held)) continue;
    ends++;
    for (size_t k = 0, to = 0; k < N; k++)
      for (size_t j = 0; k != i && j < D; j++) rest[to++] = x[k * D + j];
    ank_matrix fewer = {rest, N - 1, D};
    assert_ok(ank_spaces_fit(&others, &fewer, NULL, 0, &settings, NULL));
    for (size_t j = 0; j < D; j++) { /* in the units of the rows, relative to each other */
      double here = factor[j] / all.column[j].unit, there = others.column[j].factor / others.column[j].unit;
      assert_close(here / there,
                   factor[0] / all.column[0].unit / (others.column[0].factor / others.column[0].unit), 1e-6);
    }
    ank_spaces_free(&others);
  }
  assert_true(ends >= 3 && ends <= 4); /* six ends; one row has two of them, one is shared */
  ank_spaces_free(&all);
}

/* Columns whose tails fall off as 1 / x (the first `heavy` of them) among uniform ones. */
static double *ruled_by_extremes(size_t n, size_t dim, size_t heavy) {
  double *x = test_memory(n * dim * sizeof *x);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < dim; j++) {
      double share = ((double)((i * (2 * j + 7)) % n) + 0.5) / (double)n;
      x[i * dim + j] = j < heavy ? tan(3.14159265358979 * (share - 0.5)) : share;
    }
  return x;
}

TEST(a_table_ruled_by_extremes_has_a_range_space_of_scores) {
  enum { N = 997, DIM = 5 };
  double *x = ruled_by_extremes(N, DIM, 3), scale[DIM] = {0};
  scoped_spaces spaces = fitted(x, N, DIM), plain = fitted(x, N, DIM);
  float held[DIM], range[DIM], normal[DIM], last = 0;
  ank_spaces_score_ranges(&spaces);
  assert_true(spaces.scored);
  for (size_t i = 0; i < N; i++) {
    ank_spaces_hold(held, &spaces, x + i * DIM, 1);
    ank_spaces_map(range, &spaces, ANORANK_SPACE_RANGE, held, 1);
    ank_spaces_map(normal, &spaces, ANORANK_SPACE_NORMAL, held, 1);
    for (size_t j = 0; j < DIM; j++) {
      if (normal[j] == 0) continue;
      double here = (double)range[j] / (double)normal[j];
      if (scale[j] == 0) scale[j] = here;
      assert_close_relative(here, scale[j], 1e-5); /* each column of one size: normal scores, or numbers */
    }
  }
  double scores = 2 * ank_normal_quantile((N - 0.5 + 0.5) / (N + 1.0)) / spaces.column[0].spread;
  double numbers = (N - 1.0) / N / plain.column[3].unit; /* lengths in the normal space: ranges are as long */
  assert_close_relative(scale[0] * scores, scale[3] * numbers, 2e-3);
  for (double far = 1e3; far < 1e9; far *= 10) { /* what is extreme stays so */
    double row[DIM] = {far, 0, 0, 0, 0};
    ank_spaces_hold(held, &spaces, row, 1);
    ank_spaces_map(range, &spaces, ANORANK_SPACE_RANGE, held, 1);
    if (far > 1e3) assert_close((double)(range[0] - last) / scale[0], log(10), 1e-3);
    last = range[0];
  }
}

/* A row that ends a column, left out, is where the others' map has it. */
TEST(scores_without_a_row_are_those_of_the_others) {
  enum { N = 401, DIM = 2 };
  double *x = ruled_by_extremes(N, DIM, DIM), factor[DIM], first = x[0], second = x[1];
  float held[DIM], here[DIM], there[DIM];
  size_t at = 0;
  for (size_t i = 0; i < N; i++) /* the row with the largest number goes to the front */
    if (x[i * DIM] > x[at * DIM]) at = i;
  x[0] = x[at * DIM], x[1] = x[at * DIM + 1], x[at * DIM] = first, x[at * DIM + 1] = second;
  scoped_spaces all = fitted(x, N, DIM), others = fitted(x + DIM, N - 1, DIM);
  ank_spaces_score_ranges(&all);
  ank_spaces_score_ranges(&others);
  assert_true(all.scored && others.scored);
  ank_spaces_hold(held, &all, x, 1);
  assert_true(ank_spaces_without(factor, &all, held));
  ank_spaces_range(here, &all, factor, held, 1);
  ank_spaces_hold(held, &others, x, 1);
  ank_spaces_map(there, &others, ANORANK_SPACE_RANGE, held, 1);
  for (size_t j = 0; j < DIM; j++)
    assert_close((double)here[j], (double)there[j], 0.02 * fabs((double)there[j]));
}

TEST(few_long_columns_leave_the_range_space_alone) {
  enum { N = 500, DIM = 5 };
  double *x = ruled_by_extremes(N, DIM, 2);
  scoped_spaces spaces = fitted(x, N, DIM), plain = fitted(x, N, DIM);
  ank_spaces_score_ranges(&spaces);
  assert_false(spaces.scored);
  for (size_t j = 0; j < DIM; j++) assert_true(spaces.column[j].factor == plain.column[j].factor);
}
