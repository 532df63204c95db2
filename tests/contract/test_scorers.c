/* The contract of every scorer class: the promises at the top of src/scorers/scorer.h. A new class is covered
 * once it is in the registry, and so is every choice of its settings. */
#include "learn/learn.h"
#include "support/check.h"
#include "support/scorers.h"

enum { N = 300, M = 300, DIM = 3, PROBES = 64, KEPT = 120, MANY = 5000 };

static double x[N * DIM], u[M * DIM], probes[PROBES * DIM], many_x[MANY * DIM];
static ank_cell_features cells[] = {
    {0, 1, ANK_CELL_NUMBER}, {1, 1, ANK_CELL_NUMBER}, {2, 1, ANK_CELL_NUMBER}};
static const ank_row_layout layout = {cells, DIM};
static ank_samples samples = {{x, N, DIM}, {u, M, DIM}, NULL, {0}, NULL, 0, &layout};
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
  for (size_t k = 0; k < MANY * DIM; k++) many_x[k] = ank_rng_normal(&rng);
  return 0;
}

/* A class with settings that keep it small; `choice` says how it departs from them. */
typedef struct variant {
  const ank_scorer_class *type;
  anorank_settings settings;
  char choice[64];
} variant;

static void small_settings(variant *v, const ank_scorer_class *type) {
  v->type = type;
  ank_settings_default(&v->settings);
  v->settings.scorer = type->info.name;
  v->settings.lambda = "0.1";
  v->settings.learning_rate = 0.05;
  v->settings.trees = 20;
  v->settings.rounds = 50;
  v->settings.subsamples = 8;
  v->settings.subsample = 64;
  v->settings.reference_rows = KEPT;
  v->settings.hull_neighbours = 5;
  v->settings.threads = 1;
  snprintf(v->choice, sizeof v->choice, "by default");
}

/* Call `check` with every class, and again with each word of each choice among the settings of a class that is
 * fitted at once. (What classes trained by gradients choose from are ways of learning: tests/unit/learn.) */
static void with_every_class(void (*check)(variant *)) {
  for (size_t c = 0; ank_scorer_at(c); c++) {
    const ank_scorer_class *type = ank_scorer_at(c);
    char names[512], words[256], *names_left, *words_left;
    variant v;
    small_settings(&v, type);
    check(&v);
    snprintf(names, sizeof names, "%s", type->fit ? type->info.settings : "");
    for (char *name = strtok_r(names, " ", &names_left); name; name = strtok_r(NULL, " ", &names_left)) {
      const anorank_setting *setting = anorank_setting_find(name);
      if (!setting->choices) continue;
      snprintf(words, sizeof words, "%s", setting->choices);
      for (char *word = strtok_r(words, "|", &words_left); word; word = strtok_r(NULL, "|", &words_left)) {
        if (strcmp(word, setting->default_value) == 0) continue;
        small_settings(&v, type);
        assert_ok(anorank_settings_set(&v.settings, name, word, NULL));
        snprintf(v.choice, sizeof v.choice, "%s %s", name, word);
        check(&v);
      }
    }
  }
}

static void told(const variant *v, const char *what) {
  print_error("%s, %s: %s\n", v->type->info.name, v->choice, what);
}

/* The learned scorer; freed by v->type->free. */
static void *fit(const variant *v, const ank_samples *from) {
  anorank_error err = {0};
  ank_learned learned;
  anorank_status status = ank_learn(&learned, from, NULL, 0, &v->settings, &err);
  if (status != ANORANK_OK) told(v, err.message);
  assert_ok(status);
  void *scorer = learned.candidates[0].scorer;
  learned.candidates[0].scorer = NULL;
  ank_learned_free(&learned);
  assert_int_equal(v->type->dim(scorer), from->x.dim);
  assert_true(v->type->bytes(scorer) > 0);
  return scorer;
}

/* ---- what a class is -------------------------------------------------------------------------------- */

TEST(every_class_is_complete_and_its_settings_exist) {
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
    type->free(NULL);
  }
  assert_true(count >= 10);
  assert_null(ank_scorer_find("no such class"));
}

/* ---- scores ------------------------------------------------------------------------------------------ */

static void check_order(variant *v) {
  double scores[PROBES];
  size_t above = 0;
  void *scorer = fit(v, &samples);
  test_score(scores, v->type, scorer, probes, PROBES, DIM);
  for (size_t i = 0; i < PROBES / 2; i++)
    for (size_t j = PROBES / 2; j < PROBES; j++) above += scores[i] > scores[j];
  double auc = (double)above / (PROBES / 2) / (PROBES / 2);
  if (!(auc > 0.95)) told(v, "rows far away are not below the others");
  assert_true(auc > 0.95);
  v->type->free(scorer);
}

TEST(rows_like_the_normal_ones_score_above_rows_far_away) { with_every_class(check_order); }

static void check_batches(variant *v) {
  enum { TIMES = 20 };
  double together[N], part[N], *rows, *many;
  void *scorer = fit(v, &samples);
  test_score(together, v->type, scorer, x, N, DIM);
  for (size_t i = 0; i < N; i++) assert_true(isfinite(together[i]));
  for (size_t step = 1; step < 128; step = step * 2 + 1)
    for (size_t from = 0; from + step <= N; from += step) {
      test_score(part, v->type, scorer, x + from * DIM, step, DIM);
      assert_memory_equal(part, together + from, step * sizeof *part);
    }
  test_score(part, v->type, scorer, x, 0, DIM);
  /* many rows over threads: the first N again and again */
  assert_ok(ank_alloc(&rows, TIMES * N * DIM, sizeof *rows, NULL));
  assert_ok(ank_alloc(&many, TIMES * N, sizeof *many, NULL));
  for (size_t k = 0; k < TIMES; k++) memcpy(rows + k * N * DIM, x, sizeof x);
  ank_matrix all = {rows, TIMES * N, DIM};
  v->settings.threads = 8;
  assert_ok(ank_score(many, v->type, scorer, &all, &v->settings, NULL));
  for (size_t k = 0; k < TIMES; k++) assert_memory_equal(many + k * N, together, sizeof together);
  ank_free(rows);
  ank_free(many);
  v->type->free(scorer);
}

TEST(a_row_has_the_same_bits_alone_and_among_others) { with_every_class(check_batches); }

static void check_left_out(variant *v) {
  const ank_scorer_class *type = v->type;
  double first[N], again[N];
  if (!type->score_left_out) return;
  void *scorer = fit(v, &samples);
  assert_ok(type->score_left_out(first, scorer, &samples, &v->settings, NULL));
  for (size_t i = 0; i < N; i++) assert_true(isfinite(first[i]));
  v->settings.threads = 8;
  assert_ok(type->score_left_out(again, scorer, &samples, &v->settings, NULL));
  assert_memory_equal(first, again, sizeof first);
  v->settings.threads = 1;
  for (size_t k = 1;; k++) {
    (void)ank_alloc_fail_at(k);
    anorank_status status = type->score_left_out(again, scorer, &samples, &v->settings, NULL);
    if (ank_alloc_fail_at(0) < k) {
      assert_ok(status);
      break;
    }
    assert_status(status, ANORANK_ERROR_RESOURCES);
  }
  type->free(scorer);
}

TEST(left_out_scores_have_the_same_bits_for_any_threads_and_survive_failing_memory) {
  with_every_class(check_left_out);
}

/* ---- files ------------------------------------------------------------------------------------------- */

/* Of enough rows that they are spread over the threads, where a class takes them all at once. */
static void check_threads(variant *v) {
  const ank_samples many = {{many_x, MANY, DIM}, {u, M, DIM}, NULL, {0}, NULL, 0, &layout};
  static const int64_t threads[] = {1, 2, 8};
  scoped_bytes first = {0};
  for (size_t t = 0; t < 3; t++) {
    v->settings.threads = threads[t];
    void *scorer = fit(v, v->type->fit ? &many : &samples);
    scoped_bytes bytes = test_save(v->type, scorer);
    v->type->free(scorer);
    if (t == 0)
      first = bytes, bytes = (ank_bytes){0};
    else
      assert_same_bytes(&first, &bytes);
  }
}

TEST(the_fit_has_the_same_bytes_for_any_number_of_threads) { with_every_class(check_threads); }

static void check_round_trip(variant *v) {
  double before[PROBES], after[PROBES];
  void *scorer = fit(v, &samples), *loaded;
  scoped_bytes bytes = test_save(v->type, scorer);
  ank_cursor cursor = {bytes.data, bytes.length, 0};
  assert_ok(ank_scorer_load(&loaded, v->type, &cursor, NULL));
  assert_ok(ank_cursor_end(&cursor, NULL));
  assert_int_equal(v->type->dim(loaded), DIM);
  assert_int_equal(v->type->bytes(loaded), v->type->bytes(scorer));
  test_score(before, v->type, scorer, probes, PROBES, DIM);
  test_score(after, v->type, loaded, probes, PROBES, DIM);
  assert_memory_equal(before, after, sizeof before);
  scoped_bytes again = test_save(v->type, loaded);
  assert_same_bytes(&bytes, &again);
  v->type->free(scorer);
  v->type->free(loaded);
}

TEST(a_loaded_scorer_scores_and_saves_as_the_one_saved) { with_every_class(check_round_trip); }

static void check_damage(variant *v) {
  static const unsigned char masks[] = {0x01, 0x10, 0x7F, 0x80, 0xFF};
  enum { FEW = 12, RANDOM = 2000 };
  double some[2 * FEW];
  const ank_samples few = {{some, FEW, 2}, {u, FEW, 2}, NULL, {0}, NULL, 0, NULL};
  ank_rng rng;
  memcpy(some, x, sizeof some);
  memcpy(some, some + 2,
         2 * sizeof *some); /* with copies, a file has no flag at its end that a cut could spare */
  v->settings.trees = 3;
  v->settings.rounds = 5;
  v->settings.hidden = "4";
  void *scorer = fit(v, &few);
  scoped_bytes bytes = test_save(v->type, scorer), copy = test_save(v->type, scorer);
  v->type->free(scorer);
  for (size_t length = 0; length < bytes.length; length++) try_bytes(v->type, bytes.data, length, 1);
  for (size_t i = 0; i < bytes.length; i++)
    for (size_t m = 0; m < sizeof masks; m++) {
      bytes.data[i] ^= masks[m];
      try_bytes(v->type, bytes.data, bytes.length, 0);
      bytes.data[i] ^= masks[m];
    }
  ank_rng_open(&rng, 1, 78, 0);
  for (size_t k = 0; k < RANDOM; k++) {
    memcpy(copy.data, bytes.data, bytes.length);
    for (uint64_t hits = 1 + ank_rng_below(&rng, 6); hits > 0; hits--)
      copy.data[ank_rng_below(&rng, bytes.length)] = (unsigned char)ank_rng_word(&rng);
    try_bytes(v->type, copy.data, bytes.length, 0);
  }
}

TEST(damaged_bytes_give_an_error_or_a_scorer_that_scores) { with_every_class(check_damage); }

/* ---- rows of the fit ---------------------------------------------------------------------------------- */

static double mean_of(const double *values, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; i++) sum += values[i];
  return sum / (double)count;
}

/* A class that can leave a row out must not take it for its own neighbour when the file of the fit is scored: the
 * scores lie where those left out do, and not where a row that stands next to itself would. */
static void check_own_rows(variant *v) {
  double own[N], left[N], spread = 0;
  if (!v->type->score_left_out) return;
  v->settings.reference_rows = 10000;
  void *scorer = fit(v, &samples);
  assert_ok(v->type->score(own, scorer, &samples.x, NULL));
  assert_ok(v->type->score_left_out(left, scorer, &samples, &v->settings, NULL));
  v->type->free(scorer);
  double mean = mean_of(left, N);
  for (size_t i = 0; i < N; i++) spread += (left[i] - mean) * (left[i] - mean) / N;
  if (!(fabs(mean_of(own, N) - mean) <= 0.25 * sqrt(spread)))
    told(v, "rows of the fit are their own neighbours");
  assert_true(fabs(mean_of(own, N) - mean) <= 0.25 * sqrt(spread));
}

TEST(rows_of_the_fit_score_as_if_left_out) { with_every_class(check_own_rows); }

/* ---- memory ------------------------------------------------------------------------------------------ */

/* Fit, save, load and score. */
static anorank_status whole_life(const variant *v, const ank_samples *from) {
  const ank_scorer_class *type = v->type;
  ank_learned learned;
  scoped_bytes bytes = {0};
  void *loaded = NULL;
  double scores[PROBES];
  anorank_status status = ank_learn(&learned, from, NULL, 0, &v->settings, NULL);
  if (status == ANORANK_OK) {
    status = type->save(learned.candidates[0].scorer, &bytes, NULL);
    ank_cursor cursor = {bytes.data, bytes.length, 0};
    if (status == ANORANK_OK) status = ank_scorer_load(&loaded, type, &cursor, NULL);
    if (loaded) status = type->score(scores, loaded, &probe_rows, NULL);
  }
  type->free(loaded);
  ank_learned_free(&learned);
  return status;
}

static void check_failing_memory(variant *v) {
  const ank_samples few = {{x, 40, DIM}, {u, 50, DIM}, NULL, {0}, NULL, 0, &layout};
  v->settings.trees = 2;
  v->settings.rounds = 2;
  v->settings.subsamples = 2;
  v->settings.epochs = 1;
  size_t k = 1, step = 1;
  for (;; k += step) {
    (void)ank_alloc_fail_at(k);
    anorank_status status = whole_life(v, &few);
    if (ank_alloc_fail_at(0) < k) {
      assert_ok(status);
      break;
    }
    assert_status(status, ANORANK_ERROR_RESOURCES);
    if (k > 500) step = 1 + k / 50; /* classes with many requests: a sample of the later ones */
  }
  assert_true(k > 3);
}

TEST(every_failing_allocation_of_fit_score_save_and_load_is_survived) {
  with_every_class(check_failing_memory);
}

/* ---- awkward rows ------------------------------------------------------------------------------------ */

/* Nothing but finite scores, equal for equal rows, and no fault on rows far from all others. */
static void check_table(const variant *v, const ank_samples *table) {
  static const double strange[] = {0, -0.0, 1, -1e300, 1e300, 1.7e308, -1.7e308, 5e-324, 1e-300, 1e17};
  size_t n = table->x.rows, dim = table->x.dim;
  double *scores = test_memory((n > 10 ? n : 10) * sizeof *scores),
         *rows = test_memory(10 * dim * sizeof *rows);
  void *scorer = fit(v, table);
  test_score(scores, v->type, scorer, table->x.values, n, dim);
  for (size_t i = 0; i < n; i++) {
    assert_true(isfinite(scores[i]));
    if (memcmp(table->x.values, table->x.values + i * dim, dim * sizeof *rows) == 0)
      assert_true(scores[i] == scores[0]);
  }
  for (size_t i = 0; i < 10; i++)
    for (size_t j = 0; j < dim; j++) rows[i * dim + j] = strange[(i + j * (i % 3)) % 10];
  test_score(scores, v->type, scorer, rows, 10, dim);
  for (size_t i = 0; v->type->fit && i < 10; i++) { /* networks see prepared rows, which are limited */
    if (isnan(scores[i])) told(v, "a row far away has no score");
    assert_false(isnan(scores[i]));
  }
  for (size_t j = 0; j < dim; j++) rows[j] = NAN; /* not allowed, yet no fault */
  test_score(scores, v->type, scorer, rows, 1, dim);
  v->type->free(scorer);
}

static void check_shape(const variant *v, const double *rows, const double *contrast, size_t n, size_t m,
                        size_t dim) {
  ank_cell_features *each = test_memory(dim * sizeof *each);
  for (size_t j = 0; j < dim; j++) each[j] = (ank_cell_features){j, 1, ANK_CELL_NUMBER};
  check_table(v, &(ank_samples){
                     {rows, n, dim}, {contrast, m, dim}, NULL, {0}, NULL, 0, &(ank_row_layout){each, dim}});
}

static void check_awkward(variant *v) {
  static const size_t shapes[][2] = {{1, 1}, {1, 3}, {2, 1}, {2, 4}, {3, 2}, {40, 1}, {17, 50}, {64, 2}};
  static const double huge[] = {1e300, -1e300, 1.7e308, -1.7e308, 1e17, -3, 0, 1e-300, 5e-324, 2};
  double rows[240], equal[240], extreme[240];
  v->settings.learning_rate = 1e-4;
  v->settings.epochs = 20;
  for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; k++)
    check_shape(v, x, u, shapes[k][0], shapes[k][0], shapes[k][1]);
  for (size_t i = 0; i < 240; i++) equal[i] = 7, extreme[i] = huge[(i * 7 + i / 11) % 10];
  memcpy(rows, x, sizeof rows);
  for (size_t i = 0; i < 60; i++) rows[i * 4 + 1] = 0.1; /* a constant column */
  check_shape(v, rows, u, 60, 60, 4);
  for (size_t i = 0; i < 60; i++) rows[i * 4 + 2] = rows[i * 4]; /* two equal ones */
  check_shape(v, rows, u, 60, 60, 4);
  for (size_t i = 10; i < 60; i++) memcpy(rows + i * 4, rows + i % 10 * 4, 4 * sizeof *rows);
  check_shape(v, rows, rows, 60, 60, 4);
  check_shape(v, equal, equal, 60, 60, 4);
  check_shape(v, equal, u, 1, 30, 2);
  check_shape(v, rows, equal, 60, 1, 4);
  if (v->type->fit) check_shape(v, extreme, rows, 60, 60, 4); /* gradients of such numbers are none */
}

TEST(awkward_tables_are_fitted_without_nonsense) { with_every_class(check_awkward); }

TEST_GROUP(set_up, NULL)
