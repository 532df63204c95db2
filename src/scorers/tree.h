/* tree.h - binary trees that split one column at a time, and forests of them; shared by `trees` and
 * `treerank`.
 *
 * A row goes left if its value in the node's column is at most the threshold. The two children of a node are
 * adjacent, and nodes are in the order of their splits (breadth first), so the k-th inner node has its
 * children at 2k + 1 and 2k + 2. A saved tree stores only which nodes are inner, so no bytes can describe a
 * cycle. A node is 16 bytes: a step down a tree touches one cache line, not three. */
#ifndef ANK_SCORERS_TREE_H
#define ANK_SCORERS_TREE_H

#include "scorers/scorer.h"

typedef struct ank_node {
  double value;          /* inner: threshold; leaf: contribution to the score */
  uint32_t column, left; /* leaf: both 0 (no node has the root as a child) */
} ank_node;

/* The sample rows in a node while a tree grows: a range of some order, and the weights of X and U in it. */
typedef struct ank_span {
  uint32_t from, count, depth;
  double x, u;
} ank_span;

/* A growing tree. Start with {0}. Its owner walks i = 0, 1, ... while i < count and either splits node i or
 * gives it a value: no recursion at any depth. */
typedef struct ank_tree {
  ank_node *nodes;
  ank_span *spans;
  size_t count, node_capacity, span_capacity;
} ank_tree;

anorank_status ank_tree_start(ank_tree *tree, const ank_span *root, anorank_error *err);

/* Split a node; nodes must be split in ascending order. Pointers into the tree are invalid afterwards. */
anorank_status ank_tree_split(ank_tree *tree, size_t node, uint32_t column, double threshold,
                              const ank_span *left, const ank_span *right, anorank_error *err);

/* Grow tree number `index`; runs on any thread. */
typedef anorank_status (*ank_grower)(ank_tree *tree, const void *context, size_t index, anorank_error *err);

/* A forest: a scorer whose score is the mean of its trees' leaf values. */
typedef struct ank_forest {
  size_t dim, trees;
  uint32_t *start; /* first node of each tree, and the end: trees + 1 */
  ank_node *nodes;
} ank_forest;

anorank_status ank_forest_grow(ank_forest *forest, size_t dim, size_t trees, ank_grower grow,
                               const void *context, const anorank_settings *settings, anorank_error *err);

/* The shared functions of classes whose scorers are forests. */
anorank_status ank_forest_score(double *scores, const void *scorer, const ank_matrix *rows,
                                anorank_error *err);
size_t ank_forest_dim(const void *scorer);
size_t ank_forest_bytes(const void *scorer);
anorank_status ank_forest_save(const void *scorer, ank_bytes *out, anorank_error *err);
anorank_status ank_forest_load(void *scorer, ank_cursor *in, anorank_error *err);
void ank_forest_free(void *scorer);
#define ANK_FOREST                                                                                           \
  .size = sizeof(ank_forest), .score = ank_forest_score, .dim = ank_forest_dim, .bytes = ank_forest_bytes,   \
  .save = ank_forest_save, .load = ank_forest_load, .free = ank_forest_free

/* Return a number in [low, high) between two different values, also for the largest doubles. */
double ank_between(double low, double high, double share);

/* Swap a random column of `columns` that was not yet `tried` to that position, and return it. Trying 0, 1,
 * ... draws columns without replacement. */
uint32_t ank_draw_column(uint32_t *columns, size_t tried, size_t dim, ank_rng *rng);

#endif
