/* scorer_isolation.c - isolation forest (Liu, Ting and Zhou 2008).
 *
 *   s(x) = - 2 ^ ( - mean over trees of h_t(x) / c(psi) )
 *
 * A tree takes psi = `tree_rows` rows of X without replacement (0: 256, at most n) and cuts them at random:
 * a column drawn among those not constant in the node, a threshold uniform between its least and largest
 * value there; x <= threshold goes left. It stops at one row, at equal rows or at depth ceil(log2 psi).
 * h(x) is the depth of x's leaf plus c(rows in the leaf), c(k) the mean depth of an unsuccessful search in a
 * binary search tree of k. Tree t draws from (seed, ANK_STREAM_FIT, t). psi = 1 says nothing: all scores are
 * -1/2. Every finite row has a score in (-1, 0). Fit O(trees psi d log psi), score O(trees log psi) per row. */
#include <math.h>

#include "core/alloc.h"
#include "scorers/tree.h"

#define EULER 0.57721566490153286061

enum { OWN_RULE = 256 };

typedef struct {
  ank_forest forest; /* the value of a leaf is h */
  size_t psi;
} isolation;

static double mean_depth(size_t k) {
  if (k <= 1) return 0;
  if (k == 2) return 1;
  double n = (double)k;
  return 2 * (log(n - 1) + EULER) - 2 * (n - 1) / n;
}

/* ---- fit --------------------------------------------------------------------------------------------- */

typedef struct {
  const ank_matrix *x;
  size_t psi;
  uint64_t seed;
} planting;

/* Draw columns without replacement until one is not constant in the node; 0 if all are. */
static int draw_cut(uint32_t *column, double *threshold, const size_t *rows, size_t count,
                    const ank_matrix *x, uint32_t *columns, ank_rng *rng) {
  for (size_t tried = 0; tried < x->dim; tried++) {
    *column = ank_draw_column(columns, tried, x->dim, rng);
    double low = x->values[rows[0] * x->dim + *column], high = low;
    for (size_t i = 1; i < count; i++) {
      double value = x->values[rows[i] * x->dim + *column];
      low = value < low ? value : low;
      high = value > high ? value : high;
    }
    if (!(low < high)) continue;
    *threshold = ank_between(low, high, ank_rng_uniform(rng));
    return 1;
  }
  return 0;
}

/* Rows at or below the threshold first; how many. */
static uint32_t part(size_t *rows, size_t count, const ank_matrix *x, uint32_t column, double threshold) {
  uint32_t left = 0;
  for (size_t i = 0; i < count; i++) {
    size_t row = rows[i];
    if (x->values[row * x->dim + column] > threshold) continue;
    rows[i] = rows[left];
    rows[left++] = row;
  }
  return left;
}

static anorank_status grow(ank_tree *tree, const void *context, size_t t, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const planting *work = context;
  size_t *chosen = NULL;
  uint32_t *columns = NULL, limit = 0, column;
  double threshold;
  ank_rng rng;
  while ((size_t)1 << limit < work->psi) limit++;
  ANK_TRY(ank_alloc_raw(&chosen, work->psi, sizeof *chosen, err));
  ANK_TRY(ank_alloc_raw(&columns, work->x->dim, sizeof *columns, err));
  for (size_t j = 0; j < work->x->dim; j++) columns[j] = (uint32_t)j;
  ank_rng_open(&rng, work->seed, ANK_STREAM_FIT, t);
  ANK_TRY(ank_rng_sample(&rng, chosen, work->psi, work->x->rows, err));
  ANK_TRY(ank_tree_start(tree, &(ank_span){.count = (uint32_t)work->psi}, err));
  for (size_t i = 0; i < tree->count; i++) {
    ank_span node = tree->spans[i];
    size_t *rows = chosen + node.from;
    if (node.count <= 1 || node.depth >= limit ||
        !draw_cut(&column, &threshold, rows, node.count, work->x, columns, &rng)) {
      tree->nodes[i].value = (double)node.depth + mean_depth(node.count);
      continue;
    }
    uint32_t left = part(rows, node.count, work->x, column, threshold);
    ank_span below = {.from = node.from, .count = left, .depth = node.depth + 1};
    ank_span above = {.from = node.from + left, .count = node.count - left, .depth = node.depth + 1};
    ANK_TRY(ank_tree_split(tree, i, column, threshold, &below, &above, err));
  }
done:
  ank_free(chosen);
  ank_free(columns);
  return status;
}

static anorank_status isolation_fit(void *scorer, const ank_samples *samples,
                                    const anorank_settings *settings, anorank_error *err) {
  isolation *self = scorer;
  size_t psi = settings->tree_rows > 0 ? (size_t)settings->tree_rows : OWN_RULE;
  self->psi = psi < samples->x.rows ? psi : samples->x.rows;
  planting work = {&samples->x, self->psi, settings->seed};
  return ank_forest_grow(&self->forest, samples->x.dim, (size_t)settings->trees, grow, &work, settings, err);
}

static anorank_status isolation_score(double *scores, const void *scorer, const ank_matrix *rows,
                                      anorank_error *err) {
  const isolation *self = scorer;
  double scale = (double)self->forest.trees * mean_depth(self->psi);
  (void)err;
  ank_forest_sum(scores, &self->forest, rows);
  for (size_t i = 0; i < rows->rows; i++) scores[i] = -exp2(scale > 0 ? -scores[i] / scale : -1.0);
  return ANORANK_OK;
}

/* ---- files ------------------------------------------------------------------------------------------- */

/* The nodes as a file has them: arrays of columns, left children counted from the root of their tree, thresholds and h.
 * A leaf has column 0, itself as its left child and a threshold of infinity; the h of other nodes is 0. */
typedef struct {
  uint32_t *column, *left;
  double *threshold, *path;
} node_arrays;

static void node_arrays_free(node_arrays *nodes) {
  ank_free(nodes->column);
  ank_free(nodes->left);
  ank_free(nodes->threshold);
  ank_free(nodes->path);
}

static anorank_status isolation_save(const void *scorer, ank_bytes *out, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const isolation *self = scorer;
  const ank_forest *forest = &self->forest;
  size_t count = forest->start[forest->trees];
  node_arrays nodes = {0};
  ANK_TRY(ank_alloc(&nodes.column, count, sizeof *nodes.column, err));
  ANK_TRY(ank_alloc(&nodes.left, count, sizeof *nodes.left, err));
  ANK_TRY(ank_alloc(&nodes.threshold, count, sizeof *nodes.threshold, err));
  ANK_TRY(ank_alloc(&nodes.path, count, sizeof *nodes.path, err));
  for (size_t t = 0; t < forest->trees; t++)
    for (size_t i = forest->start[t]; i < forest->start[t + 1]; i++) {
      const ank_node *node = &forest->nodes[i];
      nodes.column[i] = node->column;
      nodes.left[i] = node->left ? node->left : (uint32_t)(i - forest->start[t]);
      nodes.threshold[i] = node->left ? node->value : INFINITY;
      nodes.path[i] = node->left ? 0 : node->value;
    }
  ANK_TRY(ank_bytes_put_u64(out, forest->dim, err));
  ANK_TRY(ank_bytes_put_u64(out, self->psi, err));
  ANK_TRY(ank_bytes_put_u32s(out, forest->start, forest->trees + 1, err));
  ANK_TRY(ank_bytes_put_u32s(out, nodes.column, count, err));
  ANK_TRY(ank_bytes_put_u32s(out, nodes.left, count, err));
  ANK_TRY(ank_bytes_put_f64s(out, nodes.threshold, count, err));
  ANK_TRY(ank_bytes_put_f64s(out, nodes.path, count, err));
done:
  node_arrays_free(&nodes);
  return status;
}

/* Are the leaves, and the children, where ank_forest_rebuild has put them? */
static int sound(const ank_forest *forest, const node_arrays *nodes) {
  for (size_t t = 0; t < forest->trees; t++)
    for (size_t i = forest->start[t]; i < forest->start[t + 1]; i++) {
      const ank_node *node = &forest->nodes[i];
      if (node->left ? nodes->left[i] != node->left
                     : nodes->threshold[i] != INFINITY || !(node->value >= 0 && node->value <= 1e6))
        return 0;
    }
  return 1;
}

static anorank_status isolation_load(void *scorer, ank_cursor *in, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  isolation *self = scorer;
  node_arrays nodes = {0};
  size_t starts, counts[4], count;
  ANK_TRY(ank_cursor_size(in, &self->forest.dim, 1, UINT32_MAX - 1, "the number of columns", err));
  ANK_TRY(ank_cursor_size(in, &self->psi, 1, UINT32_MAX, "the rows of a tree", err));
  ANK_TRY(ank_cursor_u32s(in, &self->forest.start, &starts, err));
  ANK_TRY(ank_cursor_u32s(in, &nodes.column, &counts[0], err));
  ANK_TRY(ank_cursor_u32s(in, &nodes.left, &counts[1], err));
  ANK_TRY(ank_cursor_f64s(in, &nodes.threshold, &counts[2], err));
  ANK_TRY(ank_cursor_f64s(in, &nodes.path, &counts[3], err));
  count = counts[0];
  for (size_t k = 1; k < 4; k++)
    if (counts[k] != count) starts = 0; /* no forest */
  for (size_t t = 0; t + 1 < starts; t++)
    for (size_t i = self->forest.start[t]; i < self->forest.start[t + 1] && i < count; i++) {
      int leaf = nodes.left[i] == i - self->forest.start[t];
      nodes.column[i] = leaf ? 0 : nodes.column[i] < self->forest.dim ? nodes.column[i] + 1 : UINT32_MAX;
      if (!leaf) nodes.path[i] = nodes.threshold[i];
    }
  ANK_TRY(ank_forest_rebuild(&self->forest, starts, nodes.column, nodes.path, count, err));
  if (!sound(&self->forest, &nodes))
    ANK_FAIL(ANORANK_ERROR_MODEL, "model-trees", "the model is damaged: its trees are invalid");
done:
  node_arrays_free(&nodes);
  return status;
}

const ank_scorer_class ank_scorer_isolation = {
    .info = {"isolation", "isolation forest: how few random cuts set a row apart", "trees tree-rows seed", 0,
             0},
    .size = sizeof(isolation),
    .fit = isolation_fit,
    .score = isolation_score,
    .dim = ank_forest_dim, /* `forest` is the first member */
    .bytes = ank_forest_bytes,
    .save = isolation_save,
    .load = isolation_load,
    .free = ank_forest_free,
};
