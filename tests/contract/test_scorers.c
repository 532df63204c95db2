/* What every scorer class keeps, whatever it is: the promises at the top of src/scorers/scorer.h. A new class
 * is under this test by being in the registry. */
#include "support/check.h"

#include <string.h>

#include "core/alloc.h"
#include "core/rng.h"
#include "learn/learn.h"

enum { N = 300, M = 300, DIM = 3, PROBES = 64 };

static double x[N * DIM], u[M * DIM], probes[PROBES * DIM];
static ank_samples samples = {{x, N, DIM}, {u, M, DIM}, NULL, {0}, NULL};
static ank_matrix probe_rows = {probes, PROBES, DIM};

/* X: two clusters; U: uniform around them. The first half of the probes is like X, the second far from it. */
static int set_up(void **state) {
  ank_rng rng;
  (void)state;
  ank_rng_open(&rng, 5, 77, 0);
  for (size_t i = 0; i < N; i++)
    for (size_t j = 0; j < DIM; j++) x[i * DIM + j] = 0.3 * ank_rng_normal(&rng) + (i % 2 ? 1 : -1);
  for (size_t k = 0; k < M * DIM; k++) u[k] = 6 * ank_rng_uniform(&rng) - 3;
  for (size_t i = 0; i < PROBES; i++)
    for (size_t j = 0; j < DIM; j++)
      probes[i * DIM + j] = i < PROBES / 2 ? 0.3 * ank_rng_normal(&rng) + (i % 2 ? 1 : -1)
                                           : (j == 0 ? 2.8 : -2.8) + 0.1 * ank_rng_normal(&rng);
  return 0;
}

static anorank_settings settings_for(const ank_scorer_class *type) {
  anorank_settings settings;
  ank_settings_default(&settings);
  settings.scorer = type->info.name;
  settings.lambda = "0.1";
  settings.learning_rate = 0.05;
  settings.trees = 20;
  settings.rounds = 50;
  settings.subsamples = 8;
  settings.subsample = 64;
  settings.threads = 1;
  return settings;
}

static void fit(ank_learned *learned, const ank_scorer_class *type, const anorank_settings *settings) {
  anorank_error err = {0};
  (void)type;
  anorank_status status = ank_learn(learned, &samples, NULL, 0, settings, &err);
  if (status != ANORANK_OK) print_error("%s: %s\n", type->info.name, err.message);
  assert_ok(status);
}

static void every_class_is_complete_and_its_settings_exist(void **state) {
  (void)state;
  size_t count = 0;
  for (size_t c = 0; ank_scorer_at(c); c++, count++) {
    const ank_scorer_class *type = ank_scorer_at(c);
    char list[512], *name;
    assert_ptr_equal(ank_scorer_find(type->info.name), type);
    assert_true((type->fit != NULL) != (type->gradient != NULL));
    assert_true(type->score && type->dim && type->bytes && type->save && type->load && type->free);
    assert_int_equal(type->info.differentiable, type->gradient != NULL);
    assert_true(strlen(type->info.help) > 10);
    snprintf(list, sizeof list, "%s", type->info.settings);
    for (name = strtok(list, " "); name; name = strtok(NULL, " ")) {
      if (!anorank_setting_find(name)) print_error("%s names '%s'\n", type->info.name, name);
      assert_non_null(anorank_setting_find(name));
    }
  }
  assert_true(count >= 10);
  assert_null(ank_scorer_find("no such class"));
}

static void rows_like_the_normal_ones_score_above_rows_far_away(void **state) {
  (void)state;
  for (size_t c = 0; ank_scorer_at(c); c++) {
    const ank_scorer_class *type = ank_scorer_at(c);
    anorank_settings settings = settings_for(type);
    ank_learned learned;
    double scores[PROBES];
    size_t above = 0;
    fit(&learned, type, &settings);
    assert_ok(ank_score(scores, type, learned.candidates[0].scorer, &probe_rows, &settings, NULL));
    for (size_t i = 0; i < PROBES / 2; i++)
      for (size_t j = PROBES / 2; j < PROBES; j++) above += scores[i] > scores[j];
    double auc = (double)above / (PROBES / 2) / (PROBES / 2);
    if (!(auc > 0.95)) print_error("%s: AUC %g\n", type->info.name, auc);
    assert_true(auc > 0.95);
    ank_learned_free(&learned);
  }
}

static void a_row_has_the_same_bits_alone_and_among_others(void **state) {
  (void)state;
  for (size_t c = 0; ank_scorer_at(c); c++) {
    const ank_scorer_class *type = ank_scorer_at(c);
    anorank_settings settings = settings_for(type);
    ank_learned learned;
    double together[N], alone, *many;
    fit(&learned, type, &settings);
    const void *scorer = learned.candidates[0].scorer;
    assert_ok(ank_score(together, type, scorer, &samples.x, &settings, NULL));
    for (size_t i = 0; i < N; i++) {
      ank_matrix one = {x + i * DIM, 1, DIM};
      assert_ok(type->score(&alone, scorer, &one, NULL));
      assert_true(alone == together[i] && isfinite(alone));
    }
    /* many rows over threads: the first N again and again */
    enum { TIMES = 20 };
    double *rows;
    assert_ok(ank_alloc(&rows, TIMES * N * DIM, sizeof *rows, NULL));
    assert_ok(ank_alloc(&many, TIMES * N, sizeof *many, NULL));
    for (size_t k = 0; k < TIMES; k++) memcpy(rows + k * N * DIM, x, sizeof x);
    ank_matrix all = {rows, TIMES * N, DIM};
    settings.threads = 8;
    assert_ok(ank_score(many, type, scorer, &all, &settings, NULL));
    for (size_t k = 0; k < TIMES; k++) assert_memory_equal(many + k * N, together, sizeof together);
    ank_free(rows);
    ank_free(many);
    ank_learned_free(&learned);
  }
}

static void left_out_scores_have_the_same_bits_for_any_threads_and_survive_failing_memory(void **state) {
  (void)state;
  for (size_t c = 0; ank_scorer_at(c); c++) {
    const ank_scorer_class *type = ank_scorer_at(c);
    anorank_settings settings = settings_for(type);
    ank_learned learned;
    double plain[N], first[N], again[N];
    size_t lower = 0;
    if (!type->score_left_out) continue;
    fit(&learned, type, &settings);
    const void *scorer = learned.candidates[0].scorer;
    assert_ok(type->score(plain, scorer, &samples.x, NULL));
    assert_ok(type->score_left_out(first, scorer, &samples, &settings, NULL));
    for (size_t i = 0; i < N; i++) {
      assert_true(isfinite(first[i]));
      lower += first[i] < plain[i];
    }
    assert_true(lower > N / 2); /* a row is further away from the others than from itself */
    settings.threads = 8;
    assert_ok(type->score_left_out(again, scorer, &samples, &settings, NULL));
    assert_memory_equal(first, again, sizeof first);
    settings.threads = 1;
    for (size_t k = 1;; k++) {
      (void)ank_alloc_fail_at(k);
      anorank_status status = type->score_left_out(again, scorer, &samples, &settings, NULL);
      size_t made = ank_alloc_fail_at(0);
      if (made < k) {
        assert_ok(status);
        break;
      }
      assert_status(status, ANORANK_ERROR_RESOURCES);
    }
    ank_learned_free(&learned);
  }
}

static void the_fit_has_the_same_bytes_for_any_number_of_threads(void **state) {
  (void)state;
  for (size_t c = 0; ank_scorer_at(c); c++) {
    const ank_scorer_class *type = ank_scorer_at(c);
    ank_bytes first = {0};
    static const int64_t threads[] = {1, 2, 8};
    for (size_t t = 0; t < 3; t++) {
      anorank_settings settings = settings_for(type);
      ank_bytes bytes = {0};
      ank_learned learned;
      settings.threads = threads[t];
      fit(&learned, type, &settings);
      assert_ok(type->save(learned.candidates[0].scorer, &bytes, NULL));
      assert_true(type->bytes(learned.candidates[0].scorer) > 0);
      ank_learned_free(&learned);
      if (t == 0) {
        first = bytes;
        continue;
      }
      assert_int_equal(bytes.length, first.length);
      assert_memory_equal(bytes.data, first.data, first.length);
      ank_bytes_free(&bytes);
    }
    ank_bytes_free(&first);
  }
}

static void a_loaded_scorer_scores_and_saves_as_the_one_saved(void **state) {
  (void)state;
  for (size_t c = 0; ank_scorer_at(c); c++) {
    const ank_scorer_class *type = ank_scorer_at(c);
    anorank_settings settings = settings_for(type);
    ank_learned learned;
    ank_bytes bytes = {0}, again = {0};
    double before[PROBES], after[PROBES];
    void *loaded;
    fit(&learned, type, &settings);
    assert_ok(type->save(learned.candidates[0].scorer, &bytes, NULL));
    ank_cursor cursor = {bytes.data, bytes.length, 0};
    assert_ok(type->load(&loaded, &cursor, NULL));
    assert_ok(ank_cursor_end(&cursor, NULL));
    assert_int_equal(type->dim(loaded), DIM);
    assert_ok(type->score(before, learned.candidates[0].scorer, &probe_rows, NULL));
    assert_ok(type->score(after, loaded, &probe_rows, NULL));
    assert_memory_equal(before, after, sizeof before);
    assert_ok(type->save(loaded, &again, NULL));
    assert_int_equal(bytes.length, again.length);
    assert_memory_equal(bytes.data, again.data, again.length);
    type->free(loaded);
    ank_bytes_free(&bytes);
    ank_bytes_free(&again);
    ank_learned_free(&learned);
  }
}

static void damaged_bytes_give_an_error_or_a_scorer_that_scores(void **state) {
  (void)state;
  for (size_t c = 0; ank_scorer_at(c); c++) {
    const ank_scorer_class *type = ank_scorer_at(c);
    anorank_settings settings = settings_for(type);
    ank_learned learned;
    ank_bytes bytes = {0};
    ank_rng rng;
    ank_rng_open(&rng, 1, 78, c);
    settings.trees = 3;
    settings.rounds = 5;
    fit(&learned, type, &settings);
    assert_ok(type->save(learned.candidates[0].scorer, &bytes, NULL));
    ank_learned_free(&learned);
    for (int trial = 0; trial < 2000; trial++) {
      size_t at =
          trial < 256 && (size_t)trial < bytes.length ? (size_t)trial : ank_rng_below(&rng, bytes.length);
      unsigned char old = bytes.data[at];
      void *loaded;
      double score[PROBES];
      anorank_error err = {0};
      ank_cursor cursor = {bytes.data, bytes.length, 0};
      bytes.data[at] = (unsigned char)(old ^ (1 + ank_rng_below(&rng, 255)));
      if (trial % 4 == 3) cursor.length = ank_rng_below(&rng, bytes.length); /* cut short instead */
      anorank_status status = type->load(&loaded, &cursor, &err);
      bytes.data[at] = old;
      assert_true((status == ANORANK_OK) == (loaded != NULL));
      if (status == ANORANK_OK && type->dim(loaded) == DIM)
        assert_ok(type->score(score, loaded, &probe_rows, NULL));
      if (status == ANORANK_OK)
        type->free(loaded);
      else
        assert_true((status == ANORANK_ERROR_MODEL || status == ANORANK_ERROR_RESOURCES) && err.message[0]);
    }
    ank_bytes_free(&bytes);
  }
}

static void every_failing_allocation_of_fit_score_save_and_load_is_survived(void **state) {
  (void)state;
  for (size_t c = 0; ank_scorer_at(c); c++) {
    const ank_scorer_class *type = ank_scorer_at(c);
    anorank_settings settings = settings_for(type);
    settings.trees = 2;
    settings.rounds = 2;
    settings.subsamples = 2;
    settings.epochs = 1;
    size_t k = 1, step = 1;
    for (;; k += step) {
      ank_learned learned;
      ank_bytes bytes = {0};
      void *loaded = NULL;
      double score[PROBES];
      (void)ank_alloc_fail_at(k);
      anorank_status status = ank_learn(&learned, &samples, NULL, 0, &settings, NULL);
      if (status == ANORANK_OK) {
        const void *scorer = learned.candidates[0].scorer;
        status = type->score(score, scorer, &probe_rows, NULL);
        if (status == ANORANK_OK) status = type->save(scorer, &bytes, NULL);
        ank_cursor cursor = {bytes.data, bytes.length, 0};
        if (status == ANORANK_OK) status = type->load(&loaded, &cursor, NULL);
        if (loaded) type->free(loaded);
      }
      size_t made = ank_alloc_fail_at(0);
      ank_learned_free(&learned);
      ank_bytes_free(&bytes);
      if (made < k) {
        assert_ok(status);
        break;
      }
      assert_status(status, ANORANK_ERROR_RESOURCES);
      if (k > 500) step = 1 + k / 50; /* classes with many requests: a sample of the later ones */
    }
    assert_true(k > 3);
  }
}

static void awkward_tables_are_fitted_without_nonsense(void **state) {
  (void)state;
  double constant[40] = {0}, twice[40], wide[20 * 50];
  for (size_t i = 0; i < 40; i++) twice[i] = (double)(i / 2 % 2);
  for (size_t i = 0; i < 20 * 50; i++) wide[i] = (double)(i * 7919 % 101);
  const ank_samples tables[] = {{{constant, 20, 2}, {twice, 20, 2}, NULL, {0}, NULL},
                                {{twice, 20, 2}, {constant, 20, 2}, NULL, {0}, NULL},
                                {{twice, 2, 1}, {twice + 1, 2, 1}, NULL, {0}, NULL},
                                {{wide, 20, 50}, {wide, 20, 50}, NULL, {0}, NULL}};
  for (size_t c = 0; ank_scorer_at(c); c++)
    for (size_t t = 0; t < 4; t++) {
      const ank_scorer_class *type = ank_scorer_at(c);
      anorank_settings settings = settings_for(type);
      anorank_error err = {0};
      ank_learned learned;
      double scores[20];
      settings.learning_rate = 1e-4;
      anorank_status status = ank_learn(&learned, &tables[t], NULL, 0, &settings, &err);
      if (status != ANORANK_OK) print_error("%s, table %zu: %s\n", type->info.name, t, err.message);
      assert_ok(status);
      assert_ok(type->score(scores, learned.candidates[0].scorer, &tables[t].x, NULL));
      for (size_t i = 0; i < tables[t].x.rows; i++) assert_true(isfinite(scores[i]));
      ank_learned_free(&learned);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_class_is_complete_and_its_settings_exist),
      cmocka_unit_test(rows_like_the_normal_ones_score_above_rows_far_away),
      cmocka_unit_test(a_row_has_the_same_bits_alone_and_among_others),
      cmocka_unit_test(left_out_scores_have_the_same_bits_for_any_threads_and_survive_failing_memory),
      cmocka_unit_test(the_fit_has_the_same_bytes_for_any_number_of_threads),
      cmocka_unit_test(a_loaded_scorer_scores_and_saves_as_the_one_saved),
      cmocka_unit_test(damaged_bytes_give_an_error_or_a_scorer_that_scores),
      cmocka_unit_test(every_failing_allocation_of_fit_score_save_and_load_is_survived),
      cmocka_unit_test(awkward_tables_are_fitted_without_nonsense),
  };
  return cmocka_run_group_tests(tests, set_up, NULL);
}
