/* p-values and false alarms of whole models, one small table for each thing that once broke them;
 * tests/slow/false_alarms.c measures the same at length. */
#include "support/check.h"

#include "core/settings.h"
#include "support/noisy.h"

static anorank_settings quick(anorank_train train) {
  anorank_settings settings;
  ank_settings_default(&settings);
  settings.train = train;
  settings.reasons = 0;
  settings.threads = 1;
  return settings;
}

/* The share of new normal rows with p <= level, by models of `tables` tables. */
static double share_at_most(double level, noisy_kind kind, size_t rows, size_t fresh, size_t tables) {
  enum { NEW = 1000 };
  anorank_settings settings = quick(ANORANK_TRAIN_CLEAN);
  double count = 0;
  for (uint64_t seed = 0; seed < tables; seed++) {
    anorank_table *train = noisy_table(kind, rows, fresh, 0, 2 * seed),
                  *test = noisy_table(kind, NEW, NEW, 0, 2 * seed + 1);
    anorank_model *model = NULL;
    double p[NEW];
    assert_ok(anorank_fit(&model, train, &settings, NULL));
    assert_ok(anorank_model_score(model, test, NULL, p, &settings, NULL));
    for (size_t i = 0; i < NEW; i++) count += p[i] <= level;
    anorank_model_free(model);
    anorank_table_free(train);
    anorank_table_free(test);
  }
  return count / NEW / (double)tables;
}

/* The left-out rows had stretched their own columns: 0.008 of the new rows had p <= 0.002. */
static void heavy_tails_do_not_make_p_values_of_new_rows_too_small(void **state) {
  (void)state;
  double share = share_at_most(0.002, NOISY_T2_WIDE, 1000, 1000, 6);
  assert_true(share > 0.0005 && share < 0.004);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(heavy_tails_do_not_make_p_values_of_new_rows_too_small),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
