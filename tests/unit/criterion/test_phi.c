/* test_phi.c - the registry of score-generating functions keeps its contract. */
#include "criterion/phi.h"
#include "support/check.h"

static anorank_settings settings;

static double phi_value(size_t i, double u, const anorank_settings *chosen) {
  const ank_phi *phi = ank_phi_at(i);
  return phi->value(u, ank_phi_parameter(phi, chosen));
}

TEST(every_phi_has_a_description_and_a_unique_name) {
  for (size_t i = 0; anorank_phi_at(i); i++) {
    const anorank_phi *phi = anorank_phi_at(i);
    assert_non_null(phi->name);
    assert_true(strlen(phi->formula) > 0 && strlen(phi->looks_at) > 20);
    assert_int_equal(phi->looks_at[strlen(phi->looks_at) - 1], '.');
    assert_ptr_equal(ank_phi_find(phi->name), ank_phi_at(i));
    if (phi->setting) assert_non_null(anorank_setting_find(phi->setting));
    if (phi->setting) assert_int_equal(ank_setting_row_find(phi->setting)->offset, ank_phi_at(i)->parameter);
  }
  assert_null(anorank_phi_at(ANK_PHI_COUNT));
  assert_null(ank_phi_find("none"));
  assert_null(ank_phi_find(NULL));
}

TEST(every_phi_is_finite_and_does_not_fall_inside_the_unit_interval) {
  for (size_t i = 0; anorank_phi_at(i); i++) {
    double before = phi_value(i, 1e-9, &settings);
    assert_true(isfinite(before));
    for (int k = 1; k <= 4000; k++) {
      double u = k < 4000 ? k / 4000.0 : 1 - 1e-9, value = phi_value(i, u, &settings);
      assert_true(isfinite(value) && value >= before);
      before = value;
    }
  }
}

TEST(values_are_those_of_the_formulas) {
  static const struct {
    const char *name;
    double u, value;
  } known[] = {
      {"mww", 0.37, 0.37},
      {"logistic", 0.75, 0.8660254037844386},
      {"logrank", 1e-12, 1.0000000000005e-12},
      {"logrank", 0.5, 0.6931471805599453},
      {"median", 0.5, 0},
      {"median", 0.49, -1},
      {"median", 0.51, 1},
      {"van_der_waerden", 0.975, 1.959963984540054},
      {"truncated", 0.6999, 0},
      {"truncated", 0.7, 0.7},
      {"log", 0.1, -2.302585092994046},
      {"clipped", 0.29, 0.29},
      {"clipped", 0.9, 0.3},
  };
  for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
    const ank_phi *phi = ank_phi_find(known[k].name);
    assert_close_relative(phi->value(known[k].u, ank_phi_parameter(phi, NULL)), known[k].value, 1e-14);
  }
}

TEST(parameters_come_from_the_settings) {
  anorank_settings other = settings;
  other.truncated_u0 = 0.2;
  other.clipped_c = 0.8;
  assert_close(phi_value(5, 0.3, &other), 0.3, 0);
  assert_close(phi_value(5, 0.3, NULL), 0, 0);
  assert_close(phi_value(7, 0.9, &other), 0.8, 0);
}

TEST(slopes_are_the_derivatives) {
  const double step = 1e-6;
  for (size_t i = 0; i < ANK_PHI_COUNT; i++) {
    const ank_phi *phi = ank_phi_at(i);
    double parameter = ank_phi_parameter(phi, &settings);
    if (!phi->slope) {
      assert_string_equal(phi->info.name, "median");
      continue;
    }
    for (double u = 0.0525; u < 1; u += 0.05) {
      double slope = (phi->value(u + step, parameter) - phi->value(u - step, parameter)) / (2 * step);
      assert_close(phi->slope(u, parameter), slope, 1e-6 * (1 + fabs(slope)));
    }
  }
}

static int set_up(void **state) {
  (void)state;
  ank_settings_default(&settings);
  return 0;
}

TEST_GROUP(set_up, NULL)
