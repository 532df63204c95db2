/* test_rng.c - words against numpy, laws against their distribution functions. */
#include "core/alloc.h"
#include "core/rng.h"
#include "core/ziggurat.h"
#include "golden/rng.inc"
#include "support/check.h"
#include "support/laws.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

enum { DRAWS = 100000 };
static double values[DRAWS];

TEST(words_equal_numpys) {
  for (size_t i = 0; i < COUNT(golden_words); i++) {
    ank_rng rng;
    ank_rng_open(&rng, golden_words[i].seed, golden_words[i].stream, golden_words[i].index);
    for (size_t j = 0; j < 9; j++) assert_true(ank_rng_word(&rng) == golden_words[i].words[j]);
  }
}

TEST(an_index_has_its_sequence_whatever_was_drawn_before) {
  ank_rng fresh, reused;
  ank_rng_open(&reused, 3, 1, 0);
  for (uint64_t index = 0; index < 50; index++) {
    for (uint64_t k = 0; k < index % 7; k++) ank_rng_gamma(&reused, 0.5);
    ank_rng_open(&fresh, 3, 1, index);
    ank_rng_open(&reused, 3, 1, index);
    for (int k = 0; k < 5; k++) {
      assert_true(ank_rng_normal(&fresh) == ank_rng_normal(&reused));
      assert_true(ank_rng_beta(&fresh, 0.5, 2) == ank_rng_beta(&reused, 0.5, 2));
    }
  }
}

TEST(seeds_streams_and_indices_differ) {
  ank_rng a, b, c, d;
  ank_rng_open(&a, 1, 1, 1);
  ank_rng_open(&b, 2, 1, 1);
  ank_rng_open(&c, 1, 2, 1);
  ank_rng_open(&d, 1, 1, 2);
  uint64_t first = ank_rng_word(&a);
  assert_true(first != ank_rng_word(&b) && first != ank_rng_word(&c) && first != ank_rng_word(&d));
}

TEST(the_slow_distribution_functions_of_this_test_equal_scipys) {
  for (size_t i = 0; i < COUNT(golden_gamma); i++)
    assert_close(gamma_cdf(golden_gamma[i].shape, golden_gamma[i].x), golden_gamma[i].p, 1e-9);
  for (size_t i = 0; i < COUNT(golden_beta); i++)
    assert_close(beta_cdf(golden_beta[i].a, golden_beta[i].b, golden_beta[i].x), golden_beta[i].p, 1e-9);
}

static double uniform_law(double x, const void *context) {
  (void)context;
  return x;
}

TEST(uniforms_are_uniform_and_inside) {
  ank_rng rng;
  ank_rng_open(&rng, 11, 0, 0);
  for (size_t i = 0; i < DRAWS; i++) {
    values[i] = ank_rng_uniform(&rng);
    assert_true(values[i] > 0 && values[i] < 1);
  }
  assert_fits(values, DRAWS, uniform_law, NULL);
}

TEST(uniforms_of_the_extreme_words_stay_inside) {
  ank_rng rng = {.words = {0, UINT64_MAX, 1, UINT64_MAX - 1}, .used = 0};
  assert_true(ank_rng_uniform(&rng) == 0x1p-53);
  assert_true(ank_rng_uniform(&rng) == 1 - 0x1p-53);
}

static double normal_law(double x, const void *context) {
  (void)context;
  return normal_cdf(x);
}

TEST(normals_are_normal) {
  ank_rng rng;
  for (uint64_t part = 0; part < 5; part++) {
    ank_rng_open(&rng, 12, 0, part);
    for (size_t i = 0; i < DRAWS; i++) values[i] = ank_rng_normal(&rng);
    assert_fits(values, DRAWS, normal_law, NULL);
  }
}

/* Cells at the places where a ziggurat can go wrong: its tail, and within the first layers. */
TEST(tails_of_normals_have_their_share) {
  static const double edges[] = {0.2, 1, 2, 2.5, 3, 3.3, 3.5, 3.6541528853610088, 3.8, 4.1, INFINITY};
  enum { CELLS = COUNT(edges) };
  size_t counts[2 * CELLS] = {0};
  double shares[2 * CELLS];
  ank_rng rng;
  ank_rng_open(&rng, 13, 0, 0);
  for (size_t i = 0; i < 2000000; i++) {
    double x = ank_rng_normal(&rng);
    size_t cell = 0;
    while (fabs(x) > edges[cell]) cell++;
    counts[2 * cell + (x < 0)]++;
  }
  for (size_t cell = 0; cell < CELLS; cell++) {
    double from = cell ? edges[cell - 1] : 0;
    shares[2 * cell] = shares[2 * cell + 1] = normal_cdf(-from) - normal_cdf(-edges[cell]);
  }
  assert_counts_fit(counts, shares, 2 * CELLS);
}

static double tail_law(double x, const void *context) {
  (void)context;
  return 1 - erfc(x / sqrt(2.0)) / erfc(ziggurat_edges[1] / sqrt(2.0));
}

/* A word of layer 0 at the far end leads into the tail: one draw in 3900, so too rare to be
 * left to chance. */
TEST(normals_beyond_the_base_layer_are_normal) {
  for (size_t i = 0; i < DRAWS; i++) {
    ank_rng rng;
    ank_rng_open(&rng, 29, 0, i);
    (void)ank_rng_word(&rng);
    rng.words[0] = UINT64_MAX - 255;
    rng.used = 0;
    values[i] = fabs(ank_rng_normal(&rng));
    assert_true(values[i] >= ziggurat_edges[1]);
  }
  assert_fits(values, DRAWS, tail_law, NULL);
}

TEST(layers_of_the_ziggurat_have_equal_areas) {
  double r = ziggurat_edges[1], tail = sqrt(2 * M_PI) * 0.5 * erfc(r / sqrt(2.0));
  double area = r * exp(-0.5 * r * r) + tail;
  assert_close_relative(ziggurat_edges[0] * exp(-0.5 * r * r), area, 1e-14);
  for (size_t i = 1; i < ZIGGURAT_LAYERS; i++) {
    double x = ziggurat_edges[i], next = ziggurat_edges[i + 1];
    assert_close_relative(x * (exp(-0.5 * next * next) - exp(-0.5 * x * x)), area, 1e-12);
  }
  assert_true(ziggurat_edges[ZIGGURAT_LAYERS] == 0);
}

static double gamma_law(double x, const void *context) { return gamma_cdf(*(const double *)context, x); }

TEST(gammas_are_gamma) {
  static const double shapes[] = {0.1, 0.5, 0.9, 1, 2.5, 30, 1e4};
  for (size_t s = 0; s < COUNT(shapes); s++) {
    size_t n = shapes[s] > 100 ? DRAWS / 10 : DRAWS / 2; /* the slow function is slow there */
    ank_rng rng;
    ank_rng_open(&rng, 14, 0, s);
    for (size_t i = 0; i < n; i++) values[i] = ank_rng_gamma(&rng, shapes[s]);
    assert_fits(values, n, gamma_law, &shapes[s]);
  }
}

/* sqrt(shape) standardised draws of a huge shape are normal: 1e15 would show a lost digit
 * in the last test. */
TEST(gammas_of_huge_shape_are_finite_and_normal) {
  ank_rng rng;
  ank_rng_open(&rng, 15, 0, 0);
  double shape = 1e15;
  for (size_t i = 0; i < DRAWS; i++) values[i] = (ank_rng_gamma(&rng, shape) - shape) / sqrt(shape);
  assert_fits(values, DRAWS, normal_law, NULL);
}

typedef struct {
  double a, b;
} pair;

static double beta_law(double x, const void *context) {
  const pair *shape = context;
  return beta_cdf(shape->a, shape->b, x);
}

TEST(betas_are_beta) {
  static const pair shapes[] = {{0.05, 0.05}, {0.5, 0.5}, {3, 1},    {2, 1},     {1, 3},
                                {0.3, 7},     {7, 0.3},   {40, 2.5}, {5000, 300}};
  enum { N = 30000 };
  for (size_t s = 0; s < COUNT(shapes); s++) {
    ank_rng rng;
    ank_rng_open(&rng, 16, 0, s);
    for (size_t i = 0; i < N; i++) values[i] = ank_rng_beta(&rng, shapes[s].a, shapes[s].b);
    assert_fits(values, N, beta_law, &shapes[s]);
  }
}

TEST(betas_of_extreme_shapes_are_never_nan) {
  static const double shapes[] = {5e-324, 1e-310, 1e-300, 1e-20, 1e-3, 1, 1e8, 1e15, 1e300};
  ank_rng rng;
  ank_rng_open(&rng, 17, 0, 0);
  for (size_t a = 0; a < COUNT(shapes); a++)
    for (size_t b = 0; b < COUNT(shapes); b++)
      for (int k = 0; k < 200; k++) {
        double x = ank_rng_beta(&rng, shapes[a], shapes[b]);
        assert_true(x >= 0 && x <= 1);
      }
}

TEST(betas_of_shapes_near_zero_are_at_the_ends_in_the_right_proportion) {
  static const double scales[] = {1e-320, 1e-306, 1e-30, 1e-7};
  for (size_t s = 0; s < COUNT(scales); s++) {
    size_t counts[2] = {0};
    ank_rng rng;
    ank_rng_open(&rng, 18, 0, s);
    for (int k = 0; k < 20000; k++) counts[ank_rng_beta(&rng, scales[s], 3 * scales[s]) > 0.5]++;
    assert_counts_fit(counts, ((double[]){0.75, 0.25}), 2);
  }
}

TEST(binomials_are_binomial) {
  for (size_t g = 0; g < COUNT(golden_binomial); g++) {
    size_t counts[40] = {0};
    ank_rng rng;
    ank_rng_open(&rng, 19, 0, g);
    for (size_t i = 0; i < 2 * DRAWS; i++) {
      uint64_t k = ank_rng_binomial(&rng, golden_binomial[g].n, golden_binomial[g].p);
      assert_true(k <= golden_binomial[g].n);
      size_t cell = 0;
      while (k > golden_binomial[g].edge[cell]) cell++;
      counts[cell]++;
    }
    assert_counts_fit(counts, golden_binomial[g].share, golden_binomial[g].cells);
  }
}

TEST(binomials_without_chance_are_constant) {
  ank_rng rng;
  ank_rng_open(&rng, 20, 0, 0);
  assert_true(ank_rng_binomial(&rng, 0, 0.5) == 0);
  assert_true(ank_rng_binomial(&rng, 1000, 0) == 0);
  assert_true(ank_rng_binomial(&rng, 1000, 1) == 1000);
  assert_true(ank_rng_binomial(&rng, UINT64_C(1) << 53, 1) == UINT64_C(1) << 53);
  assert_true(ank_rng_binomial(&rng, UINT64_C(1) << 53, 1e-300) == 0);
  assert_true(ank_rng_binomial(&rng, 1000, NAN) == 0);
}

static double coordinate_law(double x, const void *context) { /* (x + 1) / 2 is Beta((d - 1) / 2, same) */
  double half = ((double)*(const size_t *)context - 1) / 2;
  return beta_cdf(half, half, (x + 1) / 2);
}

TEST(every_coordinate_on_the_sphere_has_its_law) {
  static const size_t dims[] = {2, 3, 7};
  enum { N = 20000 };
  for (size_t k = 0; k < COUNT(dims); k++)
    for (size_t j = 0; j < dims[k]; j++) {
      ank_rng rng;
      double point[7];
      ank_rng_open(&rng, 21, 0, k);
      for (size_t i = 0; i < N; i++) {
        double square = 0;
        ank_rng_sphere(&rng, point, dims[k]);
        for (size_t l = 0; l < dims[k]; l++) square += point[l] * point[l];
        assert_close(square, 1, 1e-14);
        values[i] = point[j];
      }
      assert_fits(values, N, coordinate_law, &dims[k]);
    }
}

TEST(coordinates_on_the_sphere_are_uncorrelated) {
  enum { N = 50000, D = 3 };
  double products[D][D] = {{0}}, point[D];
  ank_rng rng;
  ank_rng_open(&rng, 22, 0, 0);
  for (size_t i = 0; i < N; i++) {
    ank_rng_sphere(&rng, point, D);
    for (size_t j = 0; j < D; j++)
      for (size_t k = 0; k < D; k++) products[j][k] += point[j] * point[k] / N;
  }
  for (size_t j = 0; j < D; j++) /* the sd of a mean product is below 0.3 / sqrt(N) = 0.0014 */
    for (size_t k = 0; k < D; k++) assert_close(products[j][k], j == k ? 1.0 / D : 0, 0.0055);
}

TEST(the_sphere_of_one_dimension_is_plus_or_minus_one) {
  size_t counts[2] = {0};
  ank_rng rng;
  ank_rng_open(&rng, 23, 0, 0);
  for (size_t i = 0; i < 10000; i++) {
    double x;
    ank_rng_sphere(&rng, &x, 1);
    assert_true(x == 1 || x == -1);
    counts[x > 0]++;
  }
  assert_counts_fit(counts, ((double[]){0.5, 0.5}), 2);
}

TEST(below_is_uniform_even_if_two_to_64_is_not_a_multiple) {
  static const double thirds[3] = {1.0 / 3, 1.0 / 3, 1.0 / 3},
                      sevenths[7] = {1.0 / 7, 1.0 / 7, 1.0 / 7, 1.0 / 7, 1.0 / 7, 1.0 / 7, 1.0 / 7};
  size_t large[3] = {0}, small[7] = {0};
  uint64_t third = UINT64_C(1) << 62; /* n = 3/4 of 2^64: a biased version gives the thirds 1/2, 1/4, 1/4 */
  ank_rng rng;
  ank_rng_open(&rng, 24, 0, 0);
  for (size_t i = 0; i < DRAWS; i++) {
    large[ank_rng_below(&rng, 3 * third) % 3]++;
    small[ank_rng_below(&rng, 7)]++;
    assert_true(ank_rng_below(&rng, 1) == 0);
  }
  assert_counts_fit(large, thirds, 3);
  assert_counts_fit(small, sevenths, 7);
}

TEST(all_orders_of_four_are_equally_likely) {
  size_t counts[24] = {0};
  double shares[24];
  ank_rng rng;
  for (size_t i = 0; i < 24; i++) shares[i] = 1.0 / 24;
  for (uint64_t i = 0; i < DRAWS; i++) {
    size_t items[4] = {0, 1, 2, 3};
    ank_rng_open(&rng, 25, 0, i);
    ank_rng_shuffle(&rng, items, 4);
    size_t code = items[0] * 6 + (items[1] - (items[1] > items[0])) * 2 + (items[2] > items[3]);
    counts[code]++;
  }
  assert_counts_fit(counts, shares, 24);
  ank_rng_shuffle(&rng, NULL, 0);
}

/* All ordered samples of k of n, against each other. */
static void check_samples(size_t k, size_t n) {
  size_t counts[120] = {0}, out[5], cells = 1;
  double shares[120];
  for (size_t i = 0; i < k; i++) cells *= n - i;
  for (size_t i = 0; i < cells; i++) shares[i] = 1 / (double)cells;
  for (uint64_t draw = 0; draw < DRAWS; draw++) {
    ank_rng rng;
    ank_rng_open(&rng, 26, k, draw);
    assert_ok(ank_rng_sample(&rng, out, k, n, NULL));
    size_t code = 0;
    for (size_t i = 0; i < k; i++) {
      size_t digit = out[i];
      assert_true(out[i] < n);
      for (size_t j = 0; j < i; j++) {
        assert_true(out[j] != out[i]);
        digit -= out[j] < out[i];
      }
      code = code * (n - i) + digit;
    }
    counts[code]++;
  }
  assert_counts_fit(counts, shares, cells);
}

TEST(all_ordered_samples_are_equally_likely) {
  check_samples(2, 10);
  check_samples(3, 5);
  check_samples(3, 6);
  check_samples(5, 5);
  check_samples(1, 4);
}

static int compare_sizes(const void *a, const void *b) {
  size_t x = *(const size_t *)a, y = *(const size_t *)b;
  return (x > y) - (x < y);
}

TEST(a_large_sample_is_distinct_and_in_range) {
  enum { K = 20000 };
  static size_t out[K];
  static const size_t sizes[] = {K, K + 1, 2 * K, 100 * K, SIZE_MAX / 16};
  for (size_t s = 0; s < COUNT(sizes); s++) {
    ank_rng rng;
    ank_rng_open(&rng, 27, 0, s);
    assert_ok(ank_rng_sample(&rng, out, K, sizes[s], NULL));
    qsort(out, K, sizeof *out, compare_sizes);
    for (size_t i = 1; i < K; i++) assert_true(out[i - 1] < out[i]);
    assert_true(out[K - 1] < sizes[s]);
  }
  ank_rng rng;
  ank_rng_open(&rng, 27, 0, 0);
  assert_ok(ank_rng_sample(&rng, out, 0, 0, NULL));
  assert_ok(ank_rng_sample(&rng, out, 0, 10, NULL));
}

TEST(a_sample_without_memory_is_an_error) {
  size_t out[3];
  ank_rng rng;
  ank_rng_open(&rng, 28, 0, 0);
  ank_alloc_fail_at(1);
  anorank_error err = {0};
  assert_status(ank_rng_sample(&rng, out, 3, 100, &err), ANORANK_ERROR_RESOURCES);
  ank_alloc_fail_at(0);
  assert_true(err.message[0] != '\0');
}
