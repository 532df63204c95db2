/* The paper's samples: their laws, by moments with known standard errors, and their dependence on the
 * settings. */
#include "core/alloc.h"
#include "paper/paper_data.h"
#include "support/check.h"

static anorank_settings settings_of(int64_t dim, uint64_t seed) {
  anorank_settings settings = test_settings();
  settings.dim = dim;
  settings.seed = seed;
  return settings;
}

static double norm(const double *row, size_t dim) {
  double square = 0;
  for (size_t j = 0; j < dim; j++) square += row[j] * row[j];
  return sqrt(square);
}

TEST(normal_rows_have_variance_a_tenth) {
  double sum = 0, squares = 0;
  enum { DRAWS = 20 };
  for (size_t b = 0; b < DRAWS; b++) {
    ank_paper_data data;
    anorank_settings settings = settings_of(2, 1);
    assert_ok(ank_paper_draw(&data, b, &settings, NULL));
    for (size_t k = 0; k < 2 * ANK_PAPER_X; k++) {
      sum += data.x[k];
      squares += data.x[k] * data.x[k];
    }
    ank_paper_free(&data);
  }
  double count = DRAWS * 2.0 * ANK_PAPER_X;
  assert_close(sum / count, 0, 4 * sqrt(0.1 / count));
  assert_close(squares / count, 0.1, 4 * 0.1 * sqrt(2 / count));
}

TEST(radius_is_the_largest_norm_plus_epsilon) {
  ank_paper_data data;
  anorank_settings settings = settings_of(3, 2);
  double largest = 0;
  settings.epsilon = 0.25;
  assert_ok(ank_paper_draw(&data, 0, &settings, NULL));
  for (size_t i = 0; i < ANK_PAPER_X; i++) largest = fmax(largest, norm(data.x + 3 * i, 3));
  assert_close(data.radius, largest + 0.25, 1e-15);
  ank_paper_free(&data);
}

/* Mean of the norms over the radius, and that none is outside. */
static double mean_share(const double *rows, size_t count, const ank_paper_data *data) {
  double sum = 0;
  for (size_t i = 0; i < count; i++) {
    double share = norm(rows + i * data->dim, data->dim) / data->radius;
    assert_true(share <= 1 + 1e-12);
    sum += share;
  }
  return sum / (double)count;
}

/* Beta(a, 1) has mean a / (a + 1) and variance a / ((a + 1)^2 (a + 2)). */
TEST(norms_follow_their_beta_laws_in_any_dimension) {
  for (int64_t dim = 1; dim <= 5; dim += 2) {
    ank_paper_data data;
    anorank_settings settings = settings_of(dim, 3);
    assert_ok(ank_paper_draw(&data, 4, &settings, NULL));
    assert_int_equal(data.dim, dim);
    assert_close(mean_share(data.u, ANK_PAPER_U, &data), 0.75, 4 * sqrt(3.0 / 80 / ANK_PAPER_U));
    assert_close(mean_share(data.test + ANK_PAPER_TEST_X * data.dim, ANK_PAPER_TEST_U, &data), 2.0 / 3,
                 4 * sqrt(1.0 / 18 / ANK_PAPER_TEST_U));
    double d = (double)dim; /* uniform in the ball */
    assert_close(mean_share(data.curve_u, ANK_PAPER_CURVE_U, &data), d / (d + 1),
                 4 * sqrt(d / ((d + 1) * (d + 1) * (d + 2)) / ANK_PAPER_CURVE_U));
    ank_paper_free(&data);
  }
}

TEST(labels_mark_the_rows_of_the_radial_law) {
  ank_paper_data data;
  anorank_settings settings = settings_of(2, 5);
  assert_ok(ank_paper_draw(&data, 0, &settings, NULL));
  for (size_t i = 0; i < ANK_PAPER_TEST_X + ANK_PAPER_TEST_U; i++)
    assert_int_equal(data.labels[i], i >= ANK_PAPER_TEST_X);
  ank_paper_free(&data);
}

TEST(a_draw_depends_on_seed_and_repetition_alone) {
  const size_t bytes = 2 * ANK_PAPER_X * sizeof(double);
  anorank_settings settings = settings_of(2, 6), other = settings_of(2, 7);
  ank_paper_data a, b, c, d;
  assert_ok(ank_paper_draw(&a, 9, &settings, NULL));
  settings.threads = 8;
  assert_ok(ank_paper_draw(&b, 9, &settings, NULL));
  assert_ok(ank_paper_draw(&c, 10, &settings, NULL));
  assert_ok(ank_paper_draw(&d, 9, &other, NULL));
  assert_memory_equal(a.x, b.x, bytes);
  assert_memory_equal(a.curve_u, b.curve_u, 2 * ANK_PAPER_CURVE_U * sizeof(double));
  assert_memory_not_equal(a.x, c.x, bytes);
  assert_memory_not_equal(a.x, d.x, bytes);
  ank_paper_free(&a);
  ank_paper_free(&b);
  ank_paper_free(&c);
  ank_paper_free(&d);
}

TEST(no_memory_is_an_error) {
  ank_paper_data data;
  anorank_settings settings = settings_of(2, 1);
  (void)ank_alloc_fail_at(1);
  assert_status(ank_paper_draw(&data, 0, &settings, NULL), ANORANK_ERROR_RESOURCES);
  (void)ank_alloc_fail_at(0);
  ank_paper_free(&data);
}
