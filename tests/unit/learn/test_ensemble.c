/* objective = auto of mlp: the ensemble sees what the paper's network does not; the same bytes for any
 * threads. */
#include "core/alloc.h"
#include "core/bytes.h"
#include "core/rng.h"
#include "learn/ensemble.h"
#include "support/models.h"

enum { TRAIN = 900, TEST_ROWS = 300 };

/* Two columns. Whether the row keeps the rule (or breaks it) shows in neither of them alone. */
typedef void (*planted)(double *row, int keeps, ank_rng *rng);

/* The white or the black fields of a board. */
static void board(double *row, int keeps, ank_rng *rng) {
  do {
    row[0] = 4 * ank_rng_uniform(rng);
    row[1] = 4 * ank_rng_uniform(rng);
  } while (((int)row[0] + (int)row[1]) % 2 == keeps);
}

/* One code follows from the other. */
static void codes(double *row, int keeps, ank_rng *rng) {
  row[0] = (double)ank_rng_below(rng, 12);
  double other = fmod(5 * row[0], 12);
  do row[1] = keeps ? other : (double)ank_rng_below(rng, 12);
  while (!keeps && row[1] == other);
}

static anorank_table *make(planted plant, size_t rows, size_t broken, uint64_t seed) {
  anorank_table *table;
  double cells[2];
  assert_ok(ank_table_new(&table, 2, NULL));
  for (size_t j = 0; j < 2; j++) assert_ok(ank_table_set_name(table, j, j ? "b" : "a", 1, NULL));
  assert_ok(ank_table_reserve(table, rows, NULL));
  table->rows = rows;
  for (size_t i = 0; i < rows; i++) {
    ank_rng rng;
    ank_rng_open(&rng, seed, 98, i);
    plant(cells, i < rows - broken, &rng);
    for (size_t j = 0; j < 2; j++) table->column[j].numbers[i] = cells[j];
  }
  return table;
}

/* Share of pairs of a row that keeps the rule and one that breaks it in which the latter has the lower score. */
static double area(planted plant, anorank_objective objective) {
  scoped_table *train = make(plant, TRAIN, 0, 1), *rows = make(plant, 2 * TEST_ROWS, TEST_ROWS, 2);
  anorank_settings settings = model_settings();
  anorank_model *model;
  double sum = 0;
  settings.id = "";
  settings.scorer = "mlp";
  settings.objective = objective;
  settings.calibration = 0.1;
  assert_ok(anorank_fit(&model, train, NULL, &settings, NULL));
  double *scores = model_scores(model, rows);
  anorank_model_free(model);
  for (size_t i = 0; i < TEST_ROWS; i++)
    for (size_t k = TEST_ROWS; k < 2 * TEST_ROWS; k++) sum += scores[k] < scores[i];
  return sum / TEST_ROWS / TEST_ROWS;
}

TEST(an_ensemble_sees_combinations_that_the_papers_network_does_not) {
  static const planted plants[] = {board, codes};
  for (size_t k = 0; k < 2; k++) {
    double papers = area(plants[k], ANORANK_OBJECTIVE_PAPER), own = area(plants[k], ANORANK_OBJECTIVE_AUTO);
    if (!(papers < 0.75 && own > 0.9)) print_error("plant %zu: %g and %g\n", k, papers, own);
    assert_true(papers < 0.75 && own > 0.9);
  }
}

/* ---- bytes and memory -------------------------------------------------------------------------------- */

enum { N = 120, M = 300, DIM = 2 };

static void *train(const ank_samples *samples, int64_t threads) {
  anorank_settings settings = test_settings();
  ank_trial trial = {.type = &ank_scorer_mlp, .train = samples, .phi = ank_phi_find("mww")};
  void *scorer;
  settings.threads = threads;
  settings.epochs = 2;
  assert_ok(ank_train_ensemble(&scorer, &trial, &settings, NULL));
  return scorer;
}

TEST(any_number_of_threads_and_a_file_give_the_same_ensemble) {
  double x[N * DIM], u[M * DIM], weight[M], scores[2][N];
  ank_rng rng;
  ank_rng_open(&rng, 4, 97, 0);
  for (size_t k = 0; k < N * DIM; k++) x[k] = ank_rng_normal(&rng);
  for (size_t k = 0; k < M * DIM; k++) u[k] = 3 * ank_rng_normal(&rng);
  for (size_t j = 0; j < M; j++) weight[j] = j < 2 ? 20 : 1;
  ank_samples samples = {.x = {x, N, DIM}, .u = {u, M, DIM}, .u_weight = weight};
  ank_bytes first = {0}, second = {0};
  void *scorer = train(&samples, 1), *other = train(&samples, 3), *loaded;
  assert_ok(ank_scorer_mlp.save(scorer, &first, NULL));
  assert_ok(ank_scorer_mlp.save(other, &second, NULL));
  assert_same_bytes(&first, &second);
  assert_ok(ank_scorer_load(&loaded, &ank_scorer_mlp, &(ank_cursor){first.data, first.length, 0}, NULL));
  assert_ok(ank_scorer_mlp.score(scores[0], scorer, &samples.x, NULL));
  assert_ok(ank_scorer_mlp.score(scores[1], loaded, &samples.x, NULL));
  assert_same_bits(scores[0], scores[1], N);
  assert_int_equal(ank_scorer_mlp.dim(loaded), DIM);
  for (size_t length = 0; length < first.length; length += 7) {
    void *part;
    assert_status(ank_scorer_load(&part, &ank_scorer_mlp, &(ank_cursor){first.data, length, 0}, NULL),
                  ANORANK_ERROR_MODEL);
  }
  ank_scorer_mlp.free(scorer);
  ank_scorer_mlp.free(other);
  ank_scorer_mlp.free(loaded);
  ank_bytes_free(&first);
  ank_bytes_free(&second);
}

/* A row that weighs much is seen often: a known anomaly pulls the scores around it down. */
TEST(weights_of_contrast_rows_count) {
  double x[N * DIM], u[M * DIM], weight[M], at[DIM] = {0.8, 0.8}, plain, weighted;
  ank_rng rng;
  ank_rng_open(&rng, 4, 96, 0);
  for (size_t k = 0; k < N * DIM; k++) x[k] = ank_rng_normal(&rng);
  for (size_t k = 0; k < M * DIM; k++) u[k] = 3 * ank_rng_normal(&rng);
  u[0] = u[1] = 0.8;
  for (size_t j = 0; j < M; j++) weight[j] = j == 0 ? 100 : 1;
  ank_samples samples = {.x = {x, N, DIM}, .u = {u, M, DIM}};
  ank_matrix one = {at, 1, DIM};
  void *scorer = train(&samples, 1);
  assert_ok(ank_scorer_mlp.score(&plain, scorer, &one, NULL));
  ank_scorer_mlp.free(scorer);
  samples.u_weight = weight;
  scorer = train(&samples, 1);
  assert_ok(ank_scorer_mlp.score(&weighted, scorer, &one, NULL));
  ank_scorer_mlp.free(scorer);
  assert_true(weighted < plain - 0.1);
}
