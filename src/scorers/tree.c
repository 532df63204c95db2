/* tree.c - see tree.h. */
#include "scorers/tree.h"

#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "core/parallel.h"

enum { ROWS = 8 };

/* Leaf values are logarithms or ranks: a mean of values below this is finite. */
#define LARGEST_VALUE 1e9

/* ---- growing ----------------------------------------------------------------------------------------- */

static anorank_status reserve(ank_tree *tree, size_t need, anorank_error *err) {
  ANK_CHECK(ank_reserve(&tree->nodes, &tree->node_capacity, need, sizeof *tree->nodes, err));
  return ank_reserve(&tree->spans, &tree->span_capacity, need, sizeof *tree->spans, err);
}

static void append(ank_tree *tree, const ank_span *span) {
  tree->nodes[tree->count] = (ank_node){0};
  tree->spans[tree->count++] = *span;
}

anorank_status ank_tree_start(ank_tree *tree, const ank_span *root, anorank_error *err) {
  ANK_CHECK(reserve(tree, 1, err));
  append(tree, root);
  return ANORANK_OK;
}

anorank_status ank_tree_split(ank_tree *tree, size_t node, uint32_t column, double threshold,
                              const ank_span *left, const ank_span *right, anorank_error *err) {
  ANK_CHECK(reserve(tree, tree->count + 2, err));
  tree->nodes[node] = (ank_node){threshold, column, (uint32_t)tree->count};
  append(tree, left);
  append(tree, right);
  return ANORANK_OK;
}

static void tree_free(ank_tree *tree) {
  ank_free(tree->nodes);
  ank_free(tree->spans);
  *tree = (ank_tree){0};
}

double ank_between(double low, double high, double share) {
  double cut = low * (1 - share) + high * share; /* high - low might overflow */
  return cut >= low && cut < high ? cut : low;
}

uint32_t ank_draw_column(uint32_t *columns, size_t tried, size_t dim, ank_rng *rng) {
  size_t pick = tried + (size_t)ank_rng_below(rng, dim - tried);
  uint32_t column = columns[pick];
  columns[pick] = columns[tried];
  columns[tried] = column;
  return column;
}

/* ---- forests ----------------------------------------------------------------------------------------- */

typedef struct {
  ank_tree *trees;
  ank_grower grow;
  const void *context;
} growing;

static anorank_status grow_one(void *context, size_t t, anorank_error *err) {
  const growing *work = context;
  ank_tree *tree = &work->trees[t];
  anorank_status status = work->grow(tree, work->context, t, err);
  ank_free(tree->spans);
  tree->spans = NULL;
  tree->span_capacity = 0;
  return status;
}

static anorank_status join(ank_forest *self, const ank_tree *trees, anorank_error *err) {
  uint64_t total = 0;
  ANK_CHECK(ank_alloc(&self->start, self->trees + 1, sizeof *self->start, err));
  for (size_t t = 0; t < self->trees; t++) {
    self->start[t] = (uint32_t)total;
    total += trees[t].count;
    if (total > UINT32_MAX)
      return ank_fail(err, ANORANK_ERROR_RESOURCES, "forest-size",
                      "the forest has more than 2^32 nodes; lower trees or tree-rows");
  }
  self->start[self->trees] = (uint32_t)total;
  ANK_CHECK(ank_alloc_raw(&self->nodes, (size_t)total, sizeof *self->nodes, err));
  for (size_t t = 0; t < self->trees; t++)
    memcpy(self->nodes + self->start[t], trees[t].nodes, trees[t].count * sizeof *self->nodes);
  return ANORANK_OK;
}

anorank_status ank_forest_grow(ank_forest *forest, size_t dim, size_t trees, ank_grower grow,
                               const void *context, const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  growing work = {.grow = grow, .context = context};
  forest->dim = dim;
  forest->trees = trees;
  ANK_TRY(ank_alloc(&work.trees, trees, sizeof *work.trees, err));
  ANK_TRY(ank_parallel(settings, trees, grow_one, &work, err));
  ANK_TRY(join(forest, work.trees, err));
done:
  for (size_t t = 0; work.trees && t < trees; t++) tree_free(&work.trees[t]);
  ank_free(work.trees);
  return status;
}

void ank_forest_free(void *scorer) {
  ank_forest *self = scorer;
  if (!self) return;
  ank_free(self->start);
  ank_free(self->nodes);
  ank_free(self);
}

size_t ank_forest_dim(const void *scorer) { return ((const ank_forest *)scorer)->dim; }

size_t ank_forest_bytes(const void *scorer) {
  const ank_forest *self = scorer;
  return sizeof *self + (self->trees + 1) * sizeof *self->start +
         self->start[self->trees] * sizeof *self->nodes;
}

/* ---- scoring ----------------------------------------------------------------------------------------- */

/* Walk ROWS rows through one tree: their steps are independent, so the processor overlaps them. A row at its
 * leaf waits for the others without a branch to mispredict. */
static void walk(double *totals, const ank_node *tree, const double *rows, size_t dim) {
  uint32_t at[ROWS] = {0}, going;
  do {
    going = 0;
    for (size_t r = 0; r < ROWS; r++) {
      const ank_node *node = &tree[at[r]];
      uint32_t next = node->left + (rows[r * dim + node->column] > node->value);
      at[r] = node->left ? next : at[r];
      going |= node->left;
    }
  } while (going);
  for (size_t r = 0; r < ROWS; r++) totals[r] += tree[at[r]].value;
}

static double walk_one(const ank_node *tree, const double *row) {
  const ank_node *node = tree;
  while (node->left) node = &tree[node->left + (row[node->column] > node->value)];
  return node->value;
}

/* A tree stays in the cache while all rows of the block go through it. */
anorank_status ank_forest_score(double *scores, const void *scorer, const ank_matrix *rows,
                                anorank_error *err) {
  const ank_forest *self = scorer;
  size_t dim = self->dim;
  (void)err;
  for (size_t i = 0; i < rows->rows; i++) scores[i] = 0;
  for (size_t t = 0; t < self->trees; t++) {
    const ank_node *tree = self->nodes + self->start[t];
    size_t i = 0;
    for (; i + ROWS <= rows->rows; i += ROWS) walk(scores + i, tree, rows->values + i * dim, dim);
    for (; i < rows->rows; i++) scores[i] += walk_one(tree, rows->values + i * dim);
  }
  for (size_t i = 0; i < rows->rows; i++) scores[i] /= (double)self->trees;
  return ANORANK_OK;
}

/* ---- saving and loading ------------------------------------------------------------------------------ */

/* Columns count from 1: 0 means that the node is a leaf. */
anorank_status ank_forest_save(const void *scorer, ank_bytes *out, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const ank_forest *self = scorer;
  size_t nodes = self->start[self->trees];
  uint32_t *columns = NULL;
  double *values = NULL;
  ANK_TRY(ank_alloc_raw(&columns, nodes, sizeof *columns, err));
  ANK_TRY(ank_alloc_raw(&values, nodes, sizeof *values, err));
  for (size_t i = 0; i < nodes; i++) {
    columns[i] = self->nodes[i].left ? self->nodes[i].column + 1 : 0;
    values[i] = self->nodes[i].value;
  }
  ANK_TRY(ank_bytes_put_u64(out, self->dim, err));
  ANK_TRY(ank_bytes_put_u32s(out, self->start, self->trees + 1, err));
  ANK_TRY(ank_bytes_put_u32s(out, columns, nodes, err));
  ANK_TRY(ank_bytes_put_f64s(out, values, nodes, err));
done:
  ank_free(columns);
  ank_free(values);
  return status;
}

/* Return 0 unless the columns and values form a tree of exactly `size` nodes. */
static int rebuild(ank_node *nodes, const uint32_t *columns, const double *values, size_t size, size_t dim) {
  size_t next = 1;
  for (size_t i = 0; i < size; i++) {
    if (i >= next || !isfinite(values[i])) return 0; /* i >= next: not a child */
    if (columns[i] == 0) {
      if (fabs(values[i]) > LARGEST_VALUE) return 0;
      nodes[i] = (ank_node){values[i], 0, 0};
      continue;
    }
    if (columns[i] > dim) return 0;
    nodes[i] = (ank_node){values[i], columns[i] - 1, (uint32_t)next};
    next += 2;
  }
  return next == size;
}

anorank_status ank_forest_load(void *scorer, ank_cursor *in, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_forest *self = scorer;
  uint32_t *columns = NULL;
  double *values = NULL;
  size_t starts, nodes, count;
  ANK_TRY(ank_cursor_size(in, &self->dim, 1, UINT32_MAX - 1, "the number of columns", err));
  ANK_TRY(ank_cursor_u32s(in, &self->start, &starts, err));
  ANK_TRY(ank_cursor_u32s(in, &columns, &nodes, err));
  ANK_TRY(ank_cursor_f64s(in, &values, &count, err));
  if (starts < 2 || nodes != count || self->start[0] != 0 || self->start[starts - 1] != nodes)
    ANK_FAIL(ANORANK_ERROR_MODEL, "model-trees", "the model is damaged: %zu trees do not fit %zu nodes",
             starts, nodes);
  self->trees = starts - 1;
  ANK_TRY(ank_alloc_raw(&self->nodes, nodes, sizeof *self->nodes, err));
  for (size_t t = 0; t < self->trees; t++) {
    size_t from = self->start[t], to = self->start[t + 1];
    if (to <= from || to > nodes ||
        !rebuild(self->nodes + from, columns + from, values + from, to - from, self->dim))
      ANK_FAIL(ANORANK_ERROR_MODEL, "model-trees", "the model is damaged: tree %zu is invalid", t);
  }
done:
  ank_free(columns);
  ank_free(values);
  return status;
}
