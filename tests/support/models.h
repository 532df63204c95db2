/* models.h - tables to fit models on. */
#ifndef TEST_SUPPORT_MODELS_H
#define TEST_SUPPORT_MODELS_H

#include "core/rng.h"
#include "model/model.h"
#include "support/check.h"

static inline anorank_settings model_settings(void) {
  anorank_settings settings = test_settings();
  settings.seed = 5;
  settings.threads = 2;
  settings.id = "name";
  return settings;
}

/* Columns name (an id), a, b (a tenth missing), c, kind (x, y, z) of normal rows; row i depends on seed and
 * i. Where `odd` > 0 the last `odd` rows are far away in a. */
static inline anorank_table *model_table(size_t rows, size_t odd, uint64_t seed) {
  anorank_settings settings = test_settings();
  anorank_table *table;
  size_t size = 64 + rows * 120, used;
  char *text = test_memory(size);
  used = (size_t)snprintf(text, size, "name,a,b,c,kind\n");
  for (size_t i = 0; i < rows; i++) {
    ank_rng rng;
    char b[40] = "";
    ank_rng_open(&rng, seed, 99, i);
    double z = ank_rng_normal(&rng), a = z + (i + odd >= rows ? 50 : 0);
    if (ank_rng_uniform(&rng) > 0.1) snprintf(b, sizeof b, "%.17g", 2 * ank_rng_normal(&rng) + z);
    used += (size_t)snprintf(text + used, size - used, "row-%zu,%.17g,%s,%.17g,%c\n", i, a, b,
                             ank_rng_normal(&rng), "xxxyyz"[ank_rng_below(&rng, 6)]);
  }
  assert_ok(anorank_table_read(&table, ANORANK_FROM_MEMORY(text, used, "made"), &settings, NULL));
  return table;
}

/* Scores of all rows. */
static inline double *model_scores(const anorank_model *model, const anorank_table *table) {
  double *scores = test_memory((anorank_table_rows(table) + 1) * sizeof *scores);
  assert_ok(anorank_model_score(model, table, scores, NULL, NULL, NULL));
  return scores;
}

static inline void assert_same_bits(const double *a, const double *b, size_t n) {
  assert_memory_equal(a, b, n * sizeof *a);
}

#endif
