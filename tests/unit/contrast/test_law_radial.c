/* test_law_radial.c - direction uniform on the sphere, radius Beta(alpha, beta). */
#include "contrast/law.h"
#include "support/check.h"
#include "support/laws.h"

static anorank_settings settings_of(int64_t rows, int64_t dim, double alpha, double beta) {
  anorank_settings settings = test_settings();
  strcpy(settings.law, "radial");
  settings.rows = rows;
  settings.dim = dim;
  settings.alpha = alpha;
  settings.beta = beta;
  settings.seed = 6;
  return settings;
}

/* A table of 2 columns from pairs. */
static anorank_table *table_of(const double *values, size_t rows) {
  anorank_table *table;
  assert_ok(ank_table_new(&table, 2, NULL));
  assert_ok(ank_table_set_name(table, 0, "first", 5, NULL));
  assert_ok(ank_table_set_name(table, 1, "second", 6, NULL));
  assert_ok(ank_table_reserve(table, rows, NULL));
  for (size_t i = 0; i < 2 * rows; i++) table->column[i % 2].numbers[i / 2] = values[i];
  table->rows = rows;
  return table;
}

static double norm_of(const anorank_table *table, size_t i) {
  double square = 0;
  for (size_t j = 0; j < table->columns; j++)
    square += table->column[j].numbers[i] * table->column[j].numbers[i];
  return sqrt(square);
}

typedef struct {
  double a, b;
} pair;

static double beta_law(double x, const void *context) {
  const pair *shape = context;
  return beta_cdf(shape->a, shape->b, x);
}

TEST(radius_is_beta_for_every_dimension_and_shape) {
  enum { N = 10000 };
  static double radii[N];
  static const pair shapes[] = {{3, 1}, {2, 1}, {0.5, 0.5}, {1, 1}, {6, 4}};
  for (int64_t dim = 1; dim <= 9; dim += 4)
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
      anorank_settings settings = settings_of(N, dim, shapes[s].a, shapes[s].b);
      scoped_table *table;
      settings.radius = 8;
      assert_ok(anorank_simulate(&table, NULL, &settings, NULL));
      for (size_t i = 0; i < N; i++) radii[i] = norm_of(table, i) / 8;
      assert_fits(radii, N, beta_law, &shapes[s]);
    }
}

static double coordinate_law(double x, const void *context) {
  (void)context;
  return beta_cdf(1, 1, (x + 1) / 2); /* in three dimensions a coordinate is uniform (Archimedes) */
}

TEST(direction_is_uniform) {
  enum { N = 50000 };
  static double cosines[N];
  anorank_settings settings = settings_of(N, 3, 3, 1);
  scoped_table *table;
  assert_ok(anorank_simulate(&table, NULL, &settings, NULL));
  for (size_t j = 0; j < 3; j++) {
    for (size_t i = 0; i < N; i++) cosines[i] = table->column[j].numbers[i] / norm_of(table, i);
    assert_fits(cosines, N, coordinate_law, NULL);
  }
}

/* alpha = 2, beta = 1 in the plane is the uniform law on the disc: x has the distribution
 * of a half circle. */
static double half_circle_law(double x, const void *context) {
  (void)context;
  return 0.5 + (x * sqrt(1 - x * x) + asin(x)) / M_PI;
}

TEST(alpha_2_beta_1_in_the_plane_is_uniform_on_the_disc) {
  anorank_settings settings = settings_of(50000, 2, 2, 1);
  scoped_table *table;
  assert_ok(anorank_simulate(&table, NULL, &settings, NULL));
  for (size_t j = 0; j < 2; j++) assert_fits(table->column[j].numbers, 50000, half_circle_law, NULL);
}

TEST(data_dilate_by_their_largest_norm_plus_epsilon_and_give_the_names) {
  static const double values[] = {0, 1, -3, 4, NAN, 4.5, NAN, NAN};
  enum { N = 20000 };
  static double radii[N];
  anorank_settings settings = settings_of(N, 7, 3, 1);
  scoped_table *table, *data = table_of(values, 4);
  settings.epsilon = 0.5;
  assert_ok(anorank_simulate(&table, data, &settings, NULL));
  assert_int_equal(table->columns, 2);
  assert_string_equal(table->column[1].name, "second");
  for (size_t i = 0; i < N; i++) radii[i] = norm_of(table, i) / 5.5;
  assert_fits(radii, N, beta_law, &((pair){3, 1}));
  assert_true(radii[N - 1] <= 1 + 1e-15 && radii[N - 1] > 0.999);
}

TEST(norms_near_the_ends_of_the_doubles_neither_overflow_nor_vanish) {
  static const double scales[] = {1e-310, 1e-160, 1e160, 1e307};
  anorank_settings settings = settings_of(200, 2, 3, 1);
  settings.epsilon = 0;
  for (size_t s = 0; s < 4; s++) {
    double largest = 0;
    scoped_table *table, *data = table_of((double[]){3 * scales[s], 4 * scales[s]}, 1);
    assert_ok(anorank_simulate(&table, data, &settings, NULL));
    for (size_t i = 0; i < 200; i++)
      largest = fmax(largest, hypot(table->column[0].numbers[i], table->column[1].numbers[i]));
    assert_close_relative(largest, 5 * scales[s], 0.02);
  }
}

static void check_refused(const double *values, size_t rows, int categorical, const char *words) {
  anorank_settings settings = settings_of(10, 2, 3, 1);
  anorank_error err = {0};
  anorank_table *out = (anorank_table *)&settings, *data = table_of(values, categorical ? 0 : rows);
  if (categorical) {
    int32_t code;
    ank_table_set_kind(data, 1, ANORANK_CATEGORICAL);
    assert_ok(ank_levels_code(&code, &data->column[1].levels, "a", 1, NULL));
    assert_ok(ank_table_reserve(data, 1, NULL));
    data->column[0].numbers[0] = 1;
    data->column[1].codes[0] = 0;
    data->rows = 1;
  }
  assert_status(anorank_simulate(&out, data, &settings, &err), ANORANK_ERROR_DATA);
  assert_null(out);
  assert_error(&err, words);
  ank_table_free(data);
}

TEST(data_without_a_norm_are_refused) {
  check_refused(NULL, 0, 0, "contrast-no-rows");
  check_refused((double[]){1, 2, 3, -INFINITY}, 2, 0, "contrast-infinite row=2 column=second");
  check_refused((double[]){1.7e308, 1.7e308}, 1, 0, "contrast-too-wide");
  check_refused(NULL, 0, 1, "law-needs-numbers column=second");
}
