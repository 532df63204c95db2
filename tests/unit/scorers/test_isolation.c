/* isolation: the trees themselves, read from the saved bytes, and the AUC of scikit-learn's forest. */
#include "support/scorers.h"

SCORER_UNDER_TEST(ank_scorer_isolation)

enum { GOLDEN_STREAM = 78, TRAIN = 1000, NORMAL = 300, ABNORMAL = 100, ALL = TRAIN + NORMAL + ABNORMAL };

static anorank_settings small(void) {
  anorank_settings settings = test_settings();
  settings.trees = 4;
  return settings;
}

static double mean_depth(double k) {
  if (k < 2) return 0;
  return k < 3 ? 1 : 2 * (log(k - 1) + 0.5772156649015329) - 2 * (k - 1) / k;
}

/* ---- the trees --------------------------------------------------------------------------------------- */

typedef struct {
  size_t dim, psi, trees, nodes;
  uint32_t *start, *column, *left;
  double *threshold, *path;
} forest;

static forest read_forest(const void *scorer) {
  scoped_bytes saved = test_save(type, scorer);
  ank_cursor in = {saved.data, saved.length, 0};
  forest out;
  size_t count;
  assert_ok(ank_cursor_size(&in, &out.dim, 0, SIZE_MAX, "", NULL));
  assert_ok(ank_cursor_size(&in, &out.psi, 0, SIZE_MAX, "", NULL));
  assert_ok(ank_cursor_u32s(&in, &out.start, &count, NULL));
  out.trees = count - 1;
  assert_ok(ank_cursor_u32s(&in, &out.column, &out.nodes, NULL));
  assert_ok(ank_cursor_u32s(&in, &out.left, &count, NULL));
  assert_ok(ank_cursor_f64s(&in, &out.threshold, &count, NULL));
  assert_ok(ank_cursor_f64s(&in, &out.path, &count, NULL));
  return out;
}

static void free_forest(forest *trees) {
  ank_free(trees->start);
  ank_free(trees->column);
  ank_free(trees->left);
  ank_free(trees->threshold);
  ank_free(trees->path);
}

/* The leaf of a row, by branching; its depth too. */
static uint32_t leaf_of(const forest *trees, size_t t, const double *row, size_t *depth) {
  uint32_t start = trees->start[t], node = start;
  for (*depth = 0; trees->left[node] != node - start; ++*depth) {
    uint32_t left = start + trees->left[node];
    node = row[trees->column[node]] <= trees->threshold[node] ? left : left + 1;
  }
  return node;
}

/* Trees that saw all rows: each leaf must say depth + c(rows that end there), no leaf is empty, and only the
 * depth limit or equal rows keep rows together. */
TEST(leaves_hold_their_depth_and_size) {
  enum { N = 100, DIM = 3, LIMIT = 7 };
  anorank_settings settings = small();
  double *x = test_rows(N, DIM, 60), scores[N], expected[N] = {0};
  memcpy(x + DIM, x, DIM * sizeof *x);
  settings.tree_rows = N;
  scoped_scorer *scorer = test_fit(type, x, N, DIM, &settings);
  forest trees = read_forest(scorer);
  assert_int_equal(trees.trees, 4);
  assert_int_equal(trees.psi, N);
  for (size_t t = 0; t < trees.trees; t++) {
    size_t count[2 * N] = {0}, depth[N];
    uint32_t leaf[N];
    for (size_t i = 0; i < N; i++) {
      leaf[i] = leaf_of(&trees, t, x + i * DIM, &depth[i]);
      count[leaf[i] - trees.start[t]]++;
    }
    for (uint32_t k = trees.start[t]; k < trees.start[t + 1]; k++)
      assert_true((count[k - trees.start[t]] > 0) == (trees.left[k] == k - trees.start[t]));
    for (size_t i = 0; i < N; i++) {
      size_t mine = count[leaf[i] - trees.start[t]];
      assert_close(trees.path[leaf[i]], (double)depth[i] + mean_depth((double)mine), 1e-12);
      assert_true(depth[i] <= LIMIT);
      if (depth[i] < LIMIT) assert_int_equal(mine, i < 2 ? 2 : 1);
      expected[i] += trees.path[leaf[i]];
    }
  }
  test_score(scores, type, scorer, x, N, DIM);
  for (size_t i = 0; i < N; i++)
    assert_close_relative(scores[i], -exp2(-expected[i] / 4 / mean_depth(N)), 1e-13);
  free_forest(&trees);
}

TEST(constant_columns_are_never_cut) {
  anorank_settings settings = small();
  double *x = test_rows(200, 4, 61);
  size_t cuts = 0;
  for (size_t i = 0; i < 200; i++) x[i * 4] = x[i * 4 + 2] = 3;
  scoped_scorer *scorer = test_fit(type, x, 200, 4, &settings);
  forest trees = read_forest(scorer);
  for (size_t k = 0; k < trees.nodes; k++)
    if (isfinite(trees.threshold[k])) {
      assert_true(trees.column[k] % 2 == 1);
      cuts++;
    }
  assert_true(cuts > 100);
  free_forest(&trees);
}

TEST(a_tree_takes_256_rows_by_its_own_rule) {
  anorank_settings settings = small();
  double *x = test_rows(300, 1, 62);
  for (int k = 0; k < 2; k++) {
    scoped_scorer *scorer = test_fit(type, x, k ? 100 : 300, 1, &settings);
    forest trees = read_forest(scorer);
    assert_int_equal(trees.psi, k ? 100 : 256);
    free_forest(&trees);
  }
}

TEST(equal_rows_give_one_leaf_and_one_score) {
  anorank_settings settings = small();
  double x[20], scores[20];
  for (size_t i = 0; i < 20; i++) x[i] = 2;
  scoped_scorer *scorer = test_fit(type, x, 20, 1, &settings);
  test_score(scores, type, scorer, x, 20, 1);
  assert_close(scores[0], -0.5, 1e-12);
  type->free(scorer);
  scorer = test_fit(type, x, 1, 1, &settings);
  test_score(scores, type, scorer, x, 1, 1);
  assert_close(scores[0], -0.5, 0);
}

/* ---- scikit-learn ------------------------------------------------------------------------------------ */

static const struct {
  const char *table;
  uint64_t seed;
  double auc, sd;
} golden[] = {
#include "golden/scorers_isolation.inc"
};

static double *bells(uint64_t seed, size_t dim) {
  double *x = test_memory(ALL * dim * sizeof *x);
  ank_rng rng;
  ank_rng_open(&rng, seed, GOLDEN_STREAM, 0);
  for (size_t i = 0; i < ALL * dim; i++) {
    x[i] = -2;
    for (int k = 0; k < 4; k++) x[i] += ((double)(ank_rng_word(&rng) >> 11) + 0.5) * 0x1p-53;
  }
  return x;
}

/* As in make_scorers.py. */
static double *golden_table(const char *name, uint64_t seed, size_t *dim) {
  *dim = strcmp(name, "shell") == 0 ? 4 : strcmp(name, "clusters") == 0 ? 2 : 12;
  double *x = bells(seed, *dim);
  for (size_t i = 0; i < ALL; i++) {
    double *row = x + i * *dim;
    int abnormal = i >= TRAIN + NORMAL, group = (int)(i % 3);
    if (*dim == 2) {
      row[0] = abnormal ? row[0] * 2 + 2.0 : row[0] * .5 + group * 2.0;
      row[1] = abnormal ? row[1] * 2 + .5 : row[1] * .5 + (group == 1) * 2.0;
    } else if (abnormal) {
      for (size_t j = 0; j < *dim; j++) row[j] = *dim == 4 ? 1.7 * row[j] : row[j] + (j < 3 ? 1.0 : 0.0);
    }
  }
  return x;
}

/* Share of pairs (abnormal, normal) in the right order. */
static double auc(const double *scores) {
  double sum = 0;
  for (size_t i = NORMAL; i < NORMAL + ABNORMAL; i++)
    for (size_t j = 0; j < NORMAL; j++) sum += (scores[i] < scores[j]) + 0.5 * (scores[i] == scores[j]);
  return sum / NORMAL / ABNORMAL;
}

/* Ten forests against the mean of forty of theirs: the difference of means has sd * sqrt(1/10 + 1/40). */
TEST(the_auc_is_that_of_scikit_learn) {
  enum { FORESTS = 10 };
  for (size_t k = 0; k < sizeof golden / sizeof golden[0]; k++) {
    size_t dim;
    double *x = golden_table(golden[k].table, golden[k].seed, &dim), scores[NORMAL + ABNORMAL], mean = 0;
    for (uint64_t seed = 0; seed < FORESTS; seed++) {
      anorank_settings settings = small();
      settings.trees = 100;
      settings.seed = seed;
      scoped_scorer *scorer = test_fit(type, x, TRAIN, dim, &settings);
      test_score(scores, type, scorer, x + TRAIN * dim, NORMAL + ABNORMAL, dim);
      mean += auc(scores) / FORESTS;
    }
    assert_close(mean, golden[k].auc, 4 * golden[k].sd * sqrt(1.0 / FORESTS + 1.0 / 40));
  }
}

/* One tree of three nodes (a root and two leaves) with one array element replaced. */
static anorank_status load_tampered(size_t at, const void *value, size_t size) {
  anorank_settings settings = small();
  double x[] = {1, 2};
  settings.trees = 1;
  scoped_scorer *scorer = test_fit(type, x, 2, 1, &settings), *loaded;
  scoped_bytes saved = test_save(type, scorer);
  ank_cursor cursor = {saved.data, saved.length, 0};
  memcpy(saved.data + at, value, size);
  anorank_status status = ank_scorer_load(&loaded, type, &cursor, NULL);
  assert_true((status == ANORANK_OK) == (loaded != NULL));
  return status;
}

TEST(trees_that_lead_outside_are_refused) {
  enum { COLUMNS = 8 + 8 + 16 + 8, CHILDREN = COLUMNS + 12 + 8, THRESHOLDS = CHILDREN + 12 + 8 };
  uint32_t good = 1, right_outside = 2, outside = 3, second = 2, back = 0;
  double finite = 1.5, infinite = INFINITY;
  assert_ok(load_tampered(CHILDREN, &good, 4));
  assert_status(load_tampered(CHILDREN, &right_outside, 4), ANORANK_ERROR_MODEL);
  assert_status(load_tampered(CHILDREN, &outside, 4), ANORANK_ERROR_MODEL);
  assert_status(load_tampered(CHILDREN + 4, &second, 4), ANORANK_ERROR_MODEL);
  assert_status(load_tampered(CHILDREN + 4, &back, 4), ANORANK_ERROR_MODEL);
  assert_status(load_tampered(THRESHOLDS + 8, &finite, 8), ANORANK_ERROR_MODEL);
  assert_status(load_tampered(THRESHOLDS, &infinite, 8), ANORANK_ERROR_MODEL);
  assert_status(load_tampered(COLUMNS, &good, 4), ANORANK_ERROR_MODEL);
}
