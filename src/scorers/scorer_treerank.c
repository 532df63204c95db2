/* scorer_treerank.c - TreeRank (Clemencon and Vayatis 2009) and ranking forests (Clemencon, Depecker and
 * Vayatis 2013).
 *
 * A tree of `depth` levels approximates the optimal mass-volume curve by a piecewise linear one. Each node is
 * split by the threshold on one column that gains most area under the ROC curve of X against U inside it,
 * which maximises
 *
 *   | X_left / X - U_left / U |,   X and U the weights of the two samples in the node:
 *
 * classification error weighted by the node's own proportions, over stumps. Nodes at the last level, of fewer
 * than 10 rows, pure or constant are leaves, and no split leaves fewer than 5 rows on a side. The leaves are
 * then ordered by their likelihood ratio, which makes the curve of the training rows convex:
 *
 *   log((X_leaf / X + e) / (U_leaf / U + e)),   e = 5 / (rows of the tree).
 *
 * With one tree that is the score, and all rows and columns are used. With more, each tree takes a bootstrap
 * sample of X and one of U (`tree-rows` of each; 0: as many as there are, at most 8192), tries ceil(sqrt(d))
 * columns per node, and its leaves have as value their mid-rank among the two samples at equal weight, in (0,
 * 1). The score is the mean rank. Tree t draws from (seed, ANK_STREAM_FIT, t).
 *
 * A tree sorts its columns once; a node keeps its rows in the order of each column. Fit O(trees d R (log R +
 * depth)) and 12 d R bytes per thread for R rows in a tree, score O(trees depth) per row. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/alloc.h"
#include "kernels/sort.h"
#include "scorers/tree.h"

enum { LEAST_LEAF = 5, LEAST_SPLIT = 2 * LEAST_LEAF, MOST_OWN_ROWS = 8192 };

/* Prior rows of ratio 1 in every leaf, which moderate the ratios of small leaves. */
#define SMOOTHING 5.0

typedef struct {
  const ank_samples *samples;
  const anorank_settings *settings;
  size_t candidates; /* columns per node */
} planting;

/* The rows of one tree: 0 .. n - 1 from X, the others from U. Column j is values[j * rows ..], its rows in
 * ascending order are order[j * rows ..]. */
typedef struct {
  double *values, *weight;
  uint32_t *order, *spare, *columns;
  unsigned char *goes_left;
  size_t n, rows, dim;
} plot;

/* ---- the rows of a tree ------------------------------------------------------------------------------ */

static void plot_free(plot *p) {
  ank_free(p->values);
  ank_free(p->weight);
  ank_free(p->order);
  ank_free(p->spare);
  ank_free(p->columns);
  ank_free(p->goes_left);
}

static size_t draws(size_t count, const anorank_settings *settings) {
  size_t most = settings->tree_rows > 0 ? (size_t)settings->tree_rows : MOST_OWN_ROWS;
  return settings->trees == 1 || count < most ? count : most;
}

static int ascending(const void *a, const void *b) {
  size_t x = *(const size_t *)a, y = *(const size_t *)b;
  return (x > y) - (x < y);
}

/* Draw the rows of a bootstrap sample in ascending order, each once, and count its draws. Returns the number
 * of rows. A single tree takes every row once. */
static size_t draw(size_t *chosen, double *times, size_t count, const anorank_settings *settings,
                   ank_rng *rng) {
  size_t taken = draws(count, settings), distinct = 0;
  for (size_t k = 0; k < taken; k++) chosen[k] = settings->trees == 1 ? k : (size_t)ank_rng_below(rng, count);
  if (settings->trees > 1) qsort(chosen, taken, sizeof *chosen, ascending);
  for (size_t k = 0; k < taken; k++) {
    if (k == 0 || chosen[k] != chosen[distinct - 1]) {
      chosen[distinct] = chosen[k];
      times[distinct++] = 0;
    }
    times[distinct - 1] += 1;
  }
  return distinct;
}

static anorank_status sort_columns(plot *p, const size_t *chosen, const ank_samples *samples,
                                   anorank_error *err) {
  ANK_CHECK(ank_alloc_raw(&p->values, p->rows * p->dim, sizeof *p->values, err));
  ANK_CHECK(ank_alloc_raw(&p->order, p->rows * p->dim, sizeof *p->order, err));
  for (size_t i = 0; i < p->rows; i++) {
    const double *row = (i < p->n ? samples->x.values : samples->u.values) + chosen[i] * p->dim;
    for (size_t j = 0; j < p->dim; j++) p->values[j * p->rows + i] = row[j];
  }
  for (size_t j = 0; j < p->dim; j++) {
    p->columns[j] = (uint32_t)j;
    ANK_CHECK(ank_argsort(p->order + j * p->rows, p->values + j * p->rows, p->rows, NULL, err));
  }
  return ANORANK_OK;
}

static anorank_status lay_out(plot *p, const planting *work, ank_rng *rng, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const ank_samples *samples = work->samples;
  size_t *chosen = NULL;
  size_t most = draws(samples->x.rows, work->settings) + draws(samples->u.rows, work->settings);
  p->dim = samples->x.dim;
  ANK_TRY(ank_alloc_raw(&chosen, most, sizeof *chosen, err));
  ANK_TRY(ank_alloc_raw(&p->weight, most, sizeof *p->weight, err));
  ANK_TRY(ank_alloc_raw(&p->columns, p->dim, sizeof *p->columns, err));
  p->n = draw(chosen, p->weight, samples->x.rows, work->settings, rng);
  p->rows = p->n + draw(chosen + p->n, p->weight + p->n, samples->u.rows, work->settings, rng);
  for (size_t i = p->n; samples->u_weight && i < p->rows; i++) p->weight[i] *= samples->u_weight[chosen[i]];
  ANK_TRY(ank_alloc_raw(&p->goes_left, p->rows, 1, err));
  ANK_TRY(ank_alloc_raw(&p->spare, p->rows, sizeof *p->spare, err));
  ANK_TRY(sort_columns(p, chosen, samples, err));
done:
  ank_free(chosen);
  return status;
}

/* ---- cutting ----------------------------------------------------------------------------------------- */

typedef struct {
  double gain, threshold;
  uint32_t column;
  ank_span left, right;
} cut;

/* Try all thresholds on a column, between different values only. */
static void scan(cut *best, const plot *p, const ank_span *node, uint32_t column) {
  const double *values = p->values + (size_t)column * p->rows;
  const uint32_t *rows = p->order + (size_t)column * p->rows + node->from;
  double x = 0, u = 0, here = values[rows[0]];
  for (uint32_t k = 1; k + LEAST_LEAF <= node->count; k++) {
    uint32_t row = rows[k - 1];
    double weight = p->weight[row], next = values[rows[k]];
    x += row < p->n ? weight : 0;
    u += row < p->n ? 0 : weight;
    if (next > here && k >= LEAST_LEAF) {
      double gain = fabs(x / node->x - u / node->u);
      if (gain > best->gain) {
        best->gain = gain;
        best->column = column;
        best->threshold = ank_between(here, next, 0.5);
        best->left = (ank_span){node->from, k, node->depth + 1, x, u};
      }
    }
    here = next;
  }
}

/* Return 0 if every column is constant or no split leaves enough rows on both sides. */
static int best_cut(cut *best, const plot *p, const ank_span *node, size_t candidates, ank_rng *rng) {
  size_t seen = 0;
  *best = (cut){.gain = -1};
  for (size_t tried = 0; tried < p->dim && (seen < candidates || best->gain < 0); tried++) {
    uint32_t column = candidates < p->dim ? ank_draw_column(p->columns, tried, p->dim, rng) : (uint32_t)tried;
    const double *values = p->values + (size_t)column * p->rows;
    const uint32_t *rows = p->order + (size_t)column * p->rows + node->from;
    if (!(values[rows[0]] < values[rows[node->count - 1]])) continue;
    seen++;
    scan(best, p, node, column);
  }
  return best->gain >= 0;
}

/* Sum the weights on the right instead of subtracting the left: rounding must not create rows. */
static void weigh_right(cut *c, const plot *p, const ank_span *node) {
  const uint32_t *rows = p->order + (size_t)c->column * p->rows + node->from;
  c->right = (ank_span){node->from + c->left.count, node->count - c->left.count, node->depth + 1, 0, 0};
  for (size_t k = 0; k < node->count; k++) {
    uint32_t row = rows[k];
    p->goes_left[row] = k < c->left.count;
    if (k < c->left.count) continue;
    if (row < p->n)
      c->right.x += p->weight[row];
    else
      c->right.u += p->weight[row];
  }
}

/* Every column keeps its order on both sides. */
static void part(const plot *p, const ank_span *node, uint32_t cut_column) {
  for (size_t j = 0; j < p->dim; j++) {
    uint32_t *rows = p->order + j * p->rows + node->from;
    size_t left = 0, right = 0;
    if (j == cut_column) continue;
    for (size_t k = 0; k < node->count; k++) {
      uint32_t row = rows[k];
      size_t goes = p->goes_left[row];
      rows[left] = row; /* left <= k: only rows already read are overwritten */
      p->spare[right] = row;
      left += goes;
      right += 1 - goes;
    }
    memcpy(rows + left, p->spare, right * sizeof *rows);
  }
}

/* ---- the order of the leaves ------------------------------------------------------------------------- */

static void set_ratios(ank_tree *tree, double rows) {
  double x = tree->spans[0].x, u = tree->spans[0].u, e = SMOOTHING / rows;
  for (size_t i = 0; i < tree->count; i++) {
    const ank_span *span = &tree->spans[i];
    if (tree->nodes[i].left) continue;
    tree->nodes[i].value = log(((x > 0 ? span->x / x : 0) + e) / ((u > 0 ? span->u / u : 0) + e));
  }
}

/* Replace the ratios by mid-ranks; leaves of one ratio share theirs. */
static anorank_status set_ranks(ank_tree *tree, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  double *ratios = NULL, below = 0, x = tree->spans[0].x, u = tree->spans[0].u;
  uint32_t *order = NULL, *leaf = NULL;
  size_t leaves = 0;
  ANK_TRY(ank_alloc_raw(&ratios, tree->count, sizeof *ratios, err));
  ANK_TRY(ank_alloc_raw(&leaf, tree->count, sizeof *leaf, err));
  ANK_TRY(ank_alloc_raw(&order, tree->count, sizeof *order, err));
  for (size_t i = 0; i < tree->count; i++)
    if (!tree->nodes[i].left) {
      ratios[leaves] = tree->nodes[i].value;
      leaf[leaves++] = (uint32_t)i;
    }
  ANK_TRY(ank_argsort(order, ratios, leaves, NULL, err));
  for (size_t from = 0, to; from < leaves; from = to) {
    double mass = 0;
    for (to = from; to < leaves && ratios[order[to]] == ratios[order[from]]; to++) {
      const ank_span *span = &tree->spans[leaf[order[to]]];
      mass += ((x > 0 ? span->x / x : 0) + (u > 0 ? span->u / u : 0)) / 2;
    }
    for (size_t k = from; k < to; k++) tree->nodes[leaf[order[k]]].value = below + mass / 2;
    below += mass;
  }
done:
  ank_free(ratios);
  ank_free(order);
  ank_free(leaf);
  return status;
}

/* ---- fit --------------------------------------------------------------------------------------------- */

static anorank_status grow(ank_tree *tree, const void *context, size_t index, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const planting *work = context;
  plot p = {0};
  ank_rng rng;
  ank_rng_open(&rng, work->settings->seed, ANK_STREAM_FIT, index);
  ANK_TRY(lay_out(&p, work, &rng, err));
  ank_span root = {.count = (uint32_t)p.rows};
  for (size_t i = 0; i < p.rows; i++) *(i < p.n ? &root.x : &root.u) += p.weight[i];
  ANK_TRY(ank_tree_start(tree, &root, err));
  for (size_t i = 0; i < tree->count; i++) {
    ank_span node = tree->spans[i];
    cut c;
    if (node.count < LEAST_SPLIT || node.depth >= (uint64_t)work->settings->depth || !(node.x > 0) ||
        !(node.u > 0) || !best_cut(&c, &p, &node, work->candidates, &rng))
      continue;
    weigh_right(&c, &p, &node);
    if (node.depth + 1 < (uint64_t)work->settings->depth) part(&p, &node, c.column); /* else: leaves */
    ANK_TRY(ank_tree_split(tree, i, c.column, c.threshold, &c.left, &c.right, err));
  }
  set_ratios(tree, root.x + root.u > 0 ? root.x + root.u : 1);
  if (work->settings->trees > 1) ANK_TRY(set_ranks(tree, err));
done:
  plot_free(&p);
  return status;
}

static anorank_status treerank_fit(void *scorer, const ank_samples *samples, const anorank_settings *settings,
                                   anorank_error *err) {
  size_t dim = samples->x.dim, most = draws(samples->x.rows, settings) + draws(samples->u.rows, settings);
  planting work = {samples, settings, settings->trees == 1 ? dim : (size_t)ceil(sqrt((double)dim))};
  if (samples->u.rows == 0)
    return ank_fail(err, ANORANK_ERROR_DATA, "fit-needs-contrast", "treerank needs contrast rows; pass some");
  if (most > UINT32_MAX)
    return ank_fail(err, ANORANK_ERROR_RESOURCES, "forest-size",
                    "a tree of %zu rows is too large; lower tree-rows and raise trees", most);
  return ank_forest_grow(scorer, dim, (size_t)settings->trees, grow, &work, settings, err);
}

const ank_scorer_class ank_scorer_treerank = {
    .info = {"treerank", "TreeRank: trees that separate X from U, with leaves ordered by the ratio of X to U",
             "trees tree-rows depth seed", 1, 0},
    .fit = treerank_fit,
    ANK_FOREST,
};
