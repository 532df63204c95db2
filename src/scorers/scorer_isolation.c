/* scorer_isolation.c - isolation forest (Liu, Ting and Zhou 2008).
 *
 *   s(x) = - 2 ^ ( - mean over trees of h_t(x) / c(psi) )
 *
 * A tree takes psi = `tree_rows` rows of X without replacement (0: 256, at most n) and splits them at random:
 * by a column drawn among those not constant in the node, and a threshold uniform between its least and
 * largest value there; x <= threshold goes left. It stops at one row, at equal rows or at depth ceil(log2
 * psi). h(x) is the depth of x's leaf plus c(rows in the leaf), c(k) the mean depth of an unsuccessful search
 * in a binary search tree of k. Tree t draws from (seed, ANK_STREAM_FIT, t). With psi = 1 all scores are
 * -1/2. Every finite row has a score in (-1, 0). Fit O(trees psi d log psi), score O(trees log psi) per row.
 *
 * The nodes of all trees are in flat arrays: the root of a tree first, the two children of a node adjacent
 * and after it. A leaf is its own left child behind a threshold of infinity. So every row takes the same
 * number of steps, without a branch to mispredict. */
#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "core/parallel.h"
#include "scorers/tree.h"

#define EULER 0.57721566490153286061

enum { OWN_RULE = 256, ROWS = 8, MOST_DEPTH = 64 };

typedef struct {
  size_t dim, trees, psi, nodes;
  uint32_t *start;   /* first node of each tree, and the end: trees + 1 */
  uint32_t *steps;   /* depth of each tree */
  uint32_t *column;  /* of each node */
  uint32_t *left;    /* left child, counted from the tree's root; the right one follows it */
  double *threshold; /* infinity at leaves */
  double *path;      /* h at leaves, 0 elsewhere */
} isolation;

static void isolation_free(void *scorer) {
  isolation *self = scorer;
  if (!self) return;
  ank_free(self->start);
  ank_free(self->steps);
  ank_free(self->column);
  ank_free(self->left);
  ank_free(self->threshold);
  ank_free(self->path);
  ank_free(self);
}

static double mean_depth(size_t k) {
  if (k <= 1) return 0;
  if (k == 2) return 1;
  double n = (double)k;
  return 2 * (log(n - 1) + EULER) - 2 * (n - 1) / n;
}

static anorank_status alloc_nodes(isolation *self, size_t nodes, anorank_error *err) {
  self->nodes = nodes;
  ANK_CHECK(ank_alloc(&self->column, nodes, sizeof *self->column, err));
  ANK_CHECK(ank_alloc(&self->left, nodes, sizeof *self->left, err));
  ANK_CHECK(ank_alloc(&self->threshold, nodes, sizeof *self->threshold, err));
  return ank_alloc(&self->path, nodes, sizeof *self->path, err);
}

/* ---- fit --------------------------------------------------------------------------------------------- */

/* A node of a growing tree: it has the rows chosen[from .. from + count). */
typedef struct {
  uint32_t column, left, from, count, depth;
  double threshold;
} growing;

typedef struct {
  const ank_matrix *x;
  size_t psi;
  uint64_t seed;
  growing **trees;
  uint32_t *sizes;
} planting;

/* Draw columns without replacement until one is not constant here; 0 if all are. */
static int draw_cut(growing *node, const size_t *rows, const ank_matrix *x, uint32_t *columns, ank_rng *rng) {
  for (size_t tried = 0; tried < x->dim; tried++) {
    uint32_t column = ank_draw_column(columns, tried, x->dim, rng);
    double low = x->values[rows[0] * x->dim + column], high = low;
    for (size_t i = 1; i < node->count; i++) {
      double value = x->values[rows[i] * x->dim + column];
      low = value < low ? value : low;
      high = value > high ? value : high;
    }
    if (!(low < high)) continue;
    node->column = column;
    node->threshold = ank_between(low, high, ank_rng_uniform(rng));
    return 1;
  }
  return 0;
}

/* Move rows at or below the threshold to the front. Returns their number. */
static size_t part(size_t *rows, const growing *node, const ank_matrix *x) {
  size_t left = 0;
  for (size_t i = 0; i < node->count; i++) {
    size_t row = rows[i];
    if (x->values[row * x->dim + node->column] > node->threshold) continue;
    rows[i] = rows[left];
    rows[left++] = row;
  }
  return left;
}

static void grow(growing *nodes, uint32_t *size, size_t *chosen, uint32_t *columns, const planting *work,
                 ank_rng *rng) {
  uint32_t limit = 0;
  while ((size_t)1 << limit < work->psi) limit++;
  nodes[0] = (growing){.count = (uint32_t)work->psi};
  *size = 1;
  for (uint32_t i = 0; i < *size; i++) {
    growing *node = &nodes[i];
    size_t *rows = chosen + node->from;
    node->threshold = INFINITY;
    if (node->count <= 1 || node->depth >= limit || !draw_cut(node, rows, work->x, columns, rng)) continue;
    uint32_t left = (uint32_t)part(rows, node, work->x);
    node->left = *size;
    nodes[(*size)++] = (growing){.from = node->from, .count = left, .depth = node->depth + 1};
    nodes[(*size)++] =
        (growing){.from = node->from + left, .count = node->count - left, .depth = node->depth + 1};
  }
}

static anorank_status plant(void *context, size_t t, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const planting *work = context;
  size_t *chosen = NULL;
  uint32_t *columns = NULL;
  ank_rng rng;
  ANK_TRY(ank_alloc_raw(&chosen, work->psi, sizeof *chosen, err));
  ANK_TRY(ank_alloc_raw(&columns, work->x->dim, sizeof *columns, err));
  ANK_TRY(ank_alloc_raw(&work->trees[t], 2 * work->psi - 1, sizeof **work->trees, err));
  for (size_t j = 0; j < work->x->dim; j++) columns[j] = (uint32_t)j;
  ank_rng_open(&rng, work->seed, ANK_STREAM_FIT, t);
  ANK_TRY(ank_rng_sample(&rng, chosen, work->psi, work->x->rows, err));
  grow(work->trees[t], &work->sizes[t], chosen, columns, work, &rng);
done:
  ank_free(chosen);
  ank_free(columns);
  return status;
}

/* Copy the trees to the flat arrays. */
static void flatten(isolation *self, growing *const *trees) {
  for (size_t t = 0; t < self->trees; t++) {
    uint32_t start = self->start[t], size = self->start[t + 1] - start;
    for (uint32_t i = 0; i < size; i++) {
      const growing *node = &trees[t][i];
      int leaf = node->left == 0;
      self->column[start + i] = leaf ? 0 : node->column;
      self->left[start + i] = leaf ? i : node->left;
      self->threshold[start + i] = node->threshold;
      self->path[start + i] = leaf ? (double)node->depth + mean_depth(node->count) : 0;
      if (self->steps[t] < node->depth) self->steps[t] = node->depth;
    }
  }
}

static anorank_status count_nodes(isolation *self, const uint32_t *sizes, anorank_error *err) {
  uint64_t total = 0;
  for (size_t t = 0; t < self->trees; t++) {
    self->start[t] = (uint32_t)total;
    total += sizes[t];
    if (total > UINT32_MAX)
      return ank_fail(err, ANORANK_ERROR_RESOURCES, "forest-size",
                      "the isolation forest has more than 2^32 nodes; lower trees or tree-rows");
  }
  self->start[self->trees] = (uint32_t)total;
  return ANORANK_OK;
}

static anorank_status isolation_fit(void *scorer, const ank_samples *samples,
                                    const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  isolation *self = scorer;
  size_t psi = settings->tree_rows > 0 ? (size_t)settings->tree_rows : OWN_RULE;
  planting work = {.x = &samples->x, .seed = settings->seed};
  work.psi = psi < samples->x.rows ? psi : samples->x.rows;
  self->dim = samples->x.dim;
  self->psi = work.psi;
  self->trees = (size_t)settings->trees;
  ANK_TRY(ank_alloc(&self->start, self->trees + 1, sizeof *self->start, err));
  ANK_TRY(ank_alloc(&self->steps, self->trees, sizeof *self->steps, err));
  ANK_TRY(ank_alloc(&work.trees, self->trees, sizeof *work.trees, err));
  ANK_TRY(ank_alloc(&work.sizes, self->trees, sizeof *work.sizes, err));
  ANK_TRY(ank_parallel(settings, self->trees, plant, &work, err));
  ANK_TRY(count_nodes(self, work.sizes, err));
  ANK_TRY(alloc_nodes(self, self->start[self->trees], err));
  flatten(self, work.trees);
done:
  for (size_t t = 0; work.trees && t < self->trees; t++) ank_free(work.trees[t]);
  ank_free(work.trees);
  ank_free(work.sizes);
  return status;
}

/* ---- score ------------------------------------------------------------------------------------------- */

/* Walk ROWS rows through one tree: their steps are independent, so the processor overlaps them. */
static void walk(double *paths, const isolation *self, size_t t, const double *rows) {
  const uint32_t *column = self->column + self->start[t], *left = self->left + self->start[t];
  const double *threshold = self->threshold + self->start[t], *path = self->path + self->start[t];
  uint32_t at[ROWS] = {0};
  for (uint32_t step = 0; step < self->steps[t]; step++)
    for (size_t r = 0; r < ROWS; r++) {
      uint32_t node = at[r];
      at[r] = left[node] + (rows[r * self->dim + column[node]] > threshold[node]);
    }
  for (size_t r = 0; r < ROWS; r++) paths[r] += path[at[r]];
}

static void walk_one(double *total, const isolation *self, size_t t, const double *row) {
  const uint32_t *column = self->column + self->start[t], *left = self->left + self->start[t];
  const double *threshold = self->threshold + self->start[t];
  uint32_t node = 0;
  for (uint32_t step = 0; step < self->steps[t]; step++)
    node = left[node] + (row[column[node]] > threshold[node]);
  *total += self->path[self->start[t] + node];
}

/* A tree stays in the first-level cache while all rows of the block go through it. */
static anorank_status isolation_score(double *scores, const void *scorer, const ank_matrix *rows,
                                      anorank_error *err) {
  const isolation *self = scorer;
  double scale = (double)self->trees * mean_depth(self->psi);
  (void)err;
  for (size_t i = 0; i < rows->rows; i++) scores[i] = 0;
  for (size_t t = 0; t < self->trees; t++) {
    size_t i = 0;
    for (; i + ROWS <= rows->rows; i += ROWS) walk(scores + i, self, t, rows->values + i * self->dim);
    for (; i < rows->rows; i++) walk_one(scores + i, self, t, rows->values + i * self->dim);
  }
  for (size_t i = 0; i < rows->rows; i++) scores[i] = -exp2(scale > 0 ? -scores[i] / scale : -1.0);
  return ANORANK_OK;
}

/* ---- the rest ---------------------------------------------------------------------------------------- */

static size_t isolation_dim(const void *scorer) { return ((const isolation *)scorer)->dim; }

static size_t isolation_bytes(const void *scorer) {
  const isolation *self = scorer;
  return sizeof *self + (2 * self->trees + 1 + 2 * self->nodes) * sizeof(uint32_t) +
         2 * self->nodes * sizeof(double);
}

static anorank_status isolation_save(const void *scorer, ank_bytes *out, anorank_error *err) {
  const isolation *self = scorer;
  ANK_CHECK(ank_bytes_put_u64(out, self->dim, err));
  ANK_CHECK(ank_bytes_put_u64(out, self->psi, err));
  ANK_CHECK(ank_bytes_put_u32s(out, self->start, self->trees + 1, err));
  ANK_CHECK(ank_bytes_put_u32s(out, self->column, self->nodes, err));
  ANK_CHECK(ank_bytes_put_u32s(out, self->left, self->nodes, err));
  ANK_CHECK(ank_bytes_put_f64s(out, self->threshold, self->nodes, err));
  return ank_bytes_put_f64s(out, self->path, self->nodes, err);
}

/* Check a tree, and compute its depth: children lie inside the tree and after their parent, so every walk
 * ends. A leaf is its own left child, with a threshold that no value exceeds. */
static int sound_tree(isolation *self, size_t t, uint32_t *depth) {
  uint32_t start = self->start[t], size = self->start[t + 1] - start;
  memset(depth, 0, size * sizeof *depth);
  for (uint32_t i = 0; i < size; i++) {
    uint32_t left = self->left[start + i];
    double threshold = self->threshold[start + i], path = self->path[start + i];
    if (self->column[start + i] >= self->dim || !(path >= 0 && path <= 1e6)) return 0;
    if (self->steps[t] < depth[i]) self->steps[t] = depth[i];
    if (left == i) {
      if (threshold != INFINITY) return 0;
      continue;
    }
    if (left < i || left >= size - 1 || !isfinite(threshold) || depth[i] >= MOST_DEPTH) return 0;
    if (depth[left] <= depth[i]) depth[left] = depth[i] + 1;
    if (depth[left + 1] <= depth[i]) depth[left + 1] = depth[i] + 1;
  }
  return 1;
}

static int sound(isolation *self, uint32_t *depth) {
  if (self->start[0] != 0 || self->start[self->trees] != self->nodes) return 0;
  for (size_t t = 0; t < self->trees; t++)
    if (self->start[t] >= self->start[t + 1] || self->start[t + 1] > self->nodes) return 0;
  for (size_t t = 0; t < self->trees; t++)
    if (!sound_tree(self, t, depth)) return 0;
  return 1;
}

static anorank_status isolation_load(void *scorer, ank_cursor *in, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  isolation *self = scorer;
  uint32_t *depth = NULL;
  size_t counts[5];
  ANK_TRY(ank_cursor_size(in, &self->dim, 1, UINT32_MAX, "the number of columns", err));
  ANK_TRY(ank_cursor_size(in, &self->psi, 1, UINT32_MAX, "the rows of a tree", err));
  ANK_TRY(ank_cursor_u32s(in, &self->start, &counts[0], err));
  ANK_TRY(ank_cursor_u32s(in, &self->column, &counts[1], err));
  ANK_TRY(ank_cursor_u32s(in, &self->left, &counts[2], err));
  ANK_TRY(ank_cursor_f64s(in, &self->threshold, &counts[3], err));
  ANK_TRY(ank_cursor_f64s(in, &self->path, &counts[4], err));
  self->nodes = counts[1];
  self->trees = counts[0] > 0 ? counts[0] - 1 : 0;
  ANK_TRY(ank_alloc(&self->steps, self->trees, sizeof *self->steps, err));
  ANK_TRY(ank_alloc(&depth, self->nodes, sizeof *depth, err));
  if (self->trees == 0 || counts[2] != self->nodes || counts[3] != self->nodes || counts[4] != self->nodes ||
      !sound(self, depth))
    ANK_FAIL(ANORANK_ERROR_MODEL, "model-trees", "the model is damaged: its trees are invalid");
done:
  ank_free(depth);
  return status;
}

const ank_scorer_class ank_scorer_isolation = {
    .info = {"isolation", "isolation forest: number of random splits that isolate a row",
             "trees tree-rows seed", 0, 0},
    .size = sizeof(isolation),
    .fit = isolation_fit,
    .score = isolation_score,
    .dim = isolation_dim,
    .bytes = isolation_bytes,
    .save = isolation_save,
    .load = isolation_load,
    .free = isolation_free,
};
