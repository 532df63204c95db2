/* tree.c: growing by hand, walking, and refusals on loading a forest. */
#include "core/alloc.h"
#include "scorers/tree.h"
#include "support/check.h"

/* Tree t: column 0 at t, then column 1 at 0 on the left; leaves 10 t + 1, 2, 3. */
static anorank_status grow_by_hand(ank_tree *tree, const void *context, size_t t, anorank_error *err) {
  const ank_span any = {0};
  anorank_status status = ANORANK_OK;
  (void)context;
  ANK_TRY(ank_tree_start(tree, &any, err));
  ANK_TRY(ank_tree_split(tree, 0, 0, (double)t, &any, &any, err));
  ANK_TRY(ank_tree_split(tree, 1, 1, 0, &any, &any, err));
  tree->nodes[3].value = 10 * (double)t + 1;
  tree->nodes[4].value = 10 * (double)t + 2;
  tree->nodes[2].value = 10 * (double)t + 3;
done:
  return status;
}

static double slow_score(const double *row, size_t trees) {
  double sum = 0;
  for (size_t t = 0; t < trees; t++) sum += 10 * (double)t + (row[0] > (double)t ? 3 : row[1] > 0 ? 2 : 1);
  return sum / (double)trees;
}

/* Rows on a grid: many values are thresholds, and belong to the left. */
TEST(batches_of_any_size_walk_as_single_rows_do) {
  enum { MOST = 40, TREES = 3 };
  double rows[2 * MOST], scores[MOST];
  anorank_settings settings = test_settings();
  void *forest;
  assert_ok(ank_alloc(&forest, 1, sizeof(ank_forest), NULL));
  assert_ok(ank_forest_grow(forest, 2, TREES, grow_by_hand, NULL, &settings, NULL));
  assert_int_equal(ank_forest_dim(forest), 2);
  for (size_t i = 0; i < MOST; i++) {
    rows[2 * i] = (double)(i % 5) - 1;
    rows[2 * i + 1] = (double)(i % 3) - 1;
  }
  for (size_t count = 0; count <= MOST; count++) {
    const ank_matrix matrix = {rows, count, 2};
    assert_ok(ank_forest_score(scores, forest, &matrix, NULL));
    for (size_t i = 0; i < count; i++) assert_close(scores[i], slow_score(rows + 2 * i, TREES), 1e-14);
  }
  ank_forest_free(forest);
}

TEST(thresholds_lie_between_even_the_largest_doubles) {
  assert_close(ank_between(1, 3, 0.25), 1.5, 1e-15);
  double wide = ank_between(-1.7e308, 1.7e308, 0.75);
  assert_true(wide > 0 && isfinite(wide));
  double low = 1, high = nextafter(1, 2);
  for (double share = 0.1; share < 1; share += 0.2) assert_true(ank_between(low, high, share) == low);
}

TEST(columns_are_drawn_without_replacement) {
  enum { DIM = 7 };
  uint32_t columns[DIM];
  ank_rng rng;
  for (uint32_t j = 0; j < DIM; j++) columns[j] = j;
  ank_rng_open(&rng, 1, 2, 3);
  for (int round = 0; round < 50; round++) {
    unsigned seen = 0;
    for (size_t k = 0; k < DIM; k++) seen |= 1u << ank_draw_column(columns, k, DIM, &rng);
    assert_int_equal(seen, (1u << DIM) - 1);
  }
}

/* One tree of up to 5 nodes with two columns; columns count from 1, 0 is a leaf. */
TEST(only_whole_trees_of_finite_numbers_are_loaded) {
  static const struct {
    uint32_t size, column[5];
    double value[5];
    int sound;
  } files[] = {
      {1, {0}, {7}, 1},
      {3, {2, 0, 0}, {0, 1, 2}, 1},
      {5, {1, 0, 2, 0, 0}, {0, 1, 2, 3, 4}, 1},
      {3, {0, 1, 0}, {0, 1, 2}, 0}, /* node 1 would be its own child */
      {3, {0, 0, 1}, {0, 1, 2}, 0},
      {2, {0, 0}, {0, 1}, 0},       /* not a child */
      {3, {1, 1, 0}, {0, 1, 2}, 0}, /* children past the end */
      {1, {1}, {0}, 0},
      {3, {3, 0, 0}, {0, 1, 2}, 0}, /* no such column */
      {3, {1, 0, 0}, {0, NAN, 2}, 0},
      {3, {1, 0, 0}, {0, 1e300, 2}, 0},
      {3, {1, 0, 0}, {NAN, 1, 2}, 0},
      {3, {1, 0, 0}, {INFINITY, 1, 2}, 0},
  };
  for (size_t k = 0; k < sizeof files / sizeof files[0]; k++) {
    const uint32_t start[2] = {0, files[k].size};
    scoped_bytes bytes = {0};
    anorank_error err = {0};
    void *forest;
    assert_ok(ank_bytes_put_u64(&bytes, 2, NULL));
    assert_ok(ank_bytes_put_u32s(&bytes, start, 2, NULL));
    assert_ok(ank_bytes_put_u32s(&bytes, files[k].column, files[k].size, NULL));
    assert_ok(ank_bytes_put_f64s(&bytes, files[k].value, files[k].size, NULL));
    ank_cursor cursor = {bytes.data, bytes.length, 0};
    anorank_status status = ank_scorer_load(&forest, &ank_scorer_trees, &cursor, &err);
    if ((status == ANORANK_OK) != files[k].sound) print_error("file %zu: %s\n", k, err.message);
    assert_status(status, files[k].sound ? ANORANK_OK : ANORANK_ERROR_MODEL);
    assert_true((forest != NULL) == files[k].sound);
    ank_forest_free(forest);
  }
}

TEST(trees_must_be_adjacent_and_fill_the_nodes) {
  static const uint32_t starts[][4] = {{0, 1, 2, 3}, {0, 0, 2, 3}, {0, 2, 1, 3}, {1, 1, 2, 3},
                                       {0, 1, 2, 2}, {0, 1, 9, 3}, {0, 1, 3, 3}, {0, 3, 1, 3}};
  const uint32_t leaves[3] = {0}, whole[3] = {1, 0, 0};
  const double values[3] = {0};
  for (size_t k = 0; k < sizeof starts / sizeof starts[0]; k++) {
    scoped_bytes bytes = {0};
    void *forest;
    assert_ok(ank_bytes_put_u64(&bytes, 1, NULL));
    assert_ok(ank_bytes_put_u32s(&bytes, starts[k], 4, NULL));
    assert_ok(ank_bytes_put_u32s(&bytes, starts[k][1] == 3 ? whole : leaves, 3, NULL));
    assert_ok(ank_bytes_put_f64s(&bytes, values, 3, NULL));
    ank_cursor cursor = {bytes.data, bytes.length, 0};
    assert_status(ank_scorer_load(&forest, &ank_scorer_trees, &cursor, NULL),
                  k == 0 ? ANORANK_OK : ANORANK_ERROR_MODEL);
    ank_forest_free(forest);
  }
}
