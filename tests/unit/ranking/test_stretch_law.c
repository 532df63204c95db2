/* test_stretch_law.c - p-values of stretches: closed forms, and uniform ones for normal entities. */
#include "support/check.h"

#include <math.h>

#include "core/alloc.h"
#include "core/rng.h"
#include "ranking/stretch_law.h"

enum { ENTITIES = 400, MOST = 200 };

typedef struct {
  ank_sequences rows;
  size_t first[ENTITIES + 1];
  uint32_t order[ENTITIES * MOST], entity[ENTITIES * MOST];
  double p[ENTITIES * MOST];
} fleet;

/* AR(1) series of 5 to 200 rows with exact p-values. */
static void make_fleet(fleet *f, double phi, uint64_t seed) {
  ank_rng rng;
  size_t n = 0;
  ank_rng_open(&rng, seed, 92, 0);
  for (uint32_t e = 0; e < ENTITIES; e++) {
    size_t rows = 5 + (size_t)ank_rng_below(&rng, MOST - 5);
    double x = ank_rng_normal(&rng);
    f->first[e] = n;
    for (size_t i = 0; i < rows; i++, n++) {
      x = phi * x + sqrt(1 - phi * phi) * ank_rng_normal(&rng);
      f->p[n] = 0.5 * erfc(x / sqrt(2));
      f->entity[n] = e;
      f->order[n] = (uint32_t)n;
    }
  }
  f->first[ENTITIES] = n;
  f->rows = (ank_sequences){n, ENTITIES, f->order, f->entity, NULL, 0};
}

static double smallest_of(const fleet *f, size_t e) {
  double smallest = 1;
  for (size_t i = f->first[e]; i < f->first[e + 1]; i++) smallest = fmin(smallest, f->p[i]);
  return smallest;
}

/* Shares of entities with a p-value of at most a, over some fleets. */
static void shares(double out[3], double phi, int law_of_dependence) {
  static const double level[] = {0.01, 0.1, 0.5};
  enum { FLEETS = 20 };
  fleet *f = test_memory(sizeof *f);
  size_t found[3] = {0};
  for (uint64_t seed = 0; seed < FLEETS; seed++) {
    ank_stretch_law law = {0};
    make_fleet(f, phi, seed);
    if (law_of_dependence) ank_stretch_law_make(&law, &f->rows, f->p);
    for (size_t e = 0; e < ENTITIES; e++) {
      double p = ank_stretch_p_value(&law, smallest_of(f, e), f->first[e + 1] - f->first[e]);
      for (size_t k = 0; k < 3; k++) found[k] += p <= level[k];
    }
  }
  for (size_t k = 0; k < 3; k++) out[k] = (double)found[k] / (FLEETS * ENTITIES);
}

TEST(p_values_of_normal_entities_are_uniform) {
  static const double phis[] = {0, 0.5, 0.9, 0.97};
  for (size_t i = 0; i < sizeof phis / sizeof *phis; i++) {
    double share[3];
    shares(share, phis[i], 1);
    print_message("phi %g: %.4f %.4f %.4f\n", phis[i], share[0], share[1], share[2]);
    assert_in_range((size_t)(1e4 * share[0]), 50, 150); /* 0.01; the standard error is 0.0011 */
    assert_in_range((size_t)(1e4 * share[1]), 800, 1250);
    assert_in_range((size_t)(1e4 * share[2]), 4500, 5600);
  }
}

TEST(without_the_law_entities_of_resembling_rows_look_too_normal) {
  double share[3];
  shares(share, 0.97, 0);
  assert_true(share[1] < 0.05);
}

TEST(stretches_of_one_row_keep_its_p_value) {
  ank_stretch_law law = {0};
  fleet *f = test_memory(sizeof *f);
  assert_close(ank_stretch_p_value(&law, 0.03, 1), 0.03, 1e-15);
  assert_close(ank_stretch_p_value(&law, 1e-12, 1000), 1e-9, 1e-15); /* digits are kept */
  assert_close(ank_stretch_p_value(&law, 1, 7), 1, 0);
  make_fleet(f, 0.9, 1);
  ank_stretch_law_make(&law, &f->rows, f->p);
  assert_close(ank_stretch_p_value(&law, 0.03, 1), 0.03, 1e-12);
}

TEST(equal_rows_count_as_one) {
  ank_stretch_law law;
  fleet *f = test_memory(sizeof *f);
  make_fleet(f, 0, 2);
  for (size_t e = 0; e < ENTITIES; e++)
    for (size_t i = f->first[e]; i < f->first[e + 1]; i++) f->p[i] = f->p[f->first[e]];
  ank_stretch_law_make(&law, &f->rows, f->p);
  assert_close(ank_stretch_p_value(&law, 0.1, 4), 0.1, 0.01);
  assert_close(ank_stretch_p_value(&law, 0.25, 16), 0.25, 0.02);
}

TEST(few_rows_count_as_independent) {
  uint32_t order[] = {0, 1, 2}, entity[3] = {0};
  double p[] = {.1, .2, .3};
  ank_sequences rows = {3, 1, order, entity, NULL, 0};
  ank_stretch_law law;
  ank_stretch_law_make(&law, &rows, p);
  assert_int_equal(law.lengths, 0);
  assert_close(ank_stretch_p_value(&law, .1, 3), 1 - pow(.9, 3), 1e-12);
}
