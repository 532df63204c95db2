/* scorer_trees.c - contrast trees: extremely randomised trees (Geurts, Ernst and Wehenkel 2006) that separate
 * X from U.
 *
 * A tree takes m' = `tree-rows` rows of X without replacement (0: min(1024, ceil(.632 n)), at most n) and up
 * to 4 m' rows of U without replacement, with weights that sum to 4 m'. Without U it draws 4 m' rows x_j + s
 * sd e around rows of X, s log-uniform on [jitter-from, jitter-to] per row, sd that of the column. A row of X
 * weighs 4, so both sides have the same weight. With a = 4 nX and b the weight of U in a node, the split of a
 * node maximises
 *
 *   (a_left^2 + b_left^2) / (a_left + b_left) + the same on the right          (Gini)
 *
 * among floor(sqrt(d)) columns drawn from those not constant there, with one threshold each, uniform between
 * the least and the largest value. Columns are drawn until a split leaves 3 rows on each side. Nodes of fewer
 * than 6 rows, pure and constant ones are leaves; depth is not limited. A leaf adds
 *
 *   log((4 nX + 1) / (b + 1)),
 *
 * the logit of p = (4 nX + 1) / (b + 4 nX + 2). The score is the mean over trees. Tree t draws from (seed,
 * ANK_STREAM_FIT, t). Fit O(trees m' sqrt(d) log m'), score O(trees log m') per row. */
#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "scorers/tree.h"

enum { LEAST_LEAF = 3, LEAST_SPLIT = 2 * LEAST_LEAF, CONTRAST = 4, MOST_OWN_ROWS = 1024 };

typedef struct {
  const ank_samples *samples;
  const anorank_settings *settings;
  size_t take_x, take_u, candidates;
  const double *sd; /* of X's columns; NULL if the caller gave U */
} planting;

/* The rows of one tree: take_x of X, then those of U. */
typedef struct {
  double *values, *weight; /* weight: of U; -1 for X */
  uint32_t *order, *columns;
  size_t dim;
} plot;

/* ---- the rows of a tree ------------------------------------------------------------------------------ */

static void gather(double *out, const ank_matrix *rows, const size_t *chosen, size_t count) {
  for (size_t i = 0; i < count; i++)
    memcpy(out + i * rows->dim, rows->values + chosen[i] * rows->dim, rows->dim * sizeof *out);
}

/* Scale the given weights to sum 4 m'. */
static void weigh(double *weight, const size_t *chosen, const planting *work) {
  double total = 0;
  for (size_t j = 0; j < work->take_u; j++) {
    weight[j] = chosen && work->samples->u_weight ? work->samples->u_weight[chosen[j]] : 1;
    total += weight[j];
  }
  double scale = total > 0 ? CONTRAST * (double)work->take_x / total : 0;
  for (size_t j = 0; j < work->take_u; j++) weight[j] *= scale;
}

static void jitter(double *out, const planting *work, ank_rng *rng) {
  const ank_matrix *x = &work->samples->x;
  double from = log(work->settings->jitter_from), to = log(work->settings->jitter_to);
  for (size_t i = 0; i < work->take_u; i++, out += x->dim) {
    const double *around = x->values + ank_rng_below(rng, x->rows) * x->dim;
    double width = exp(from + (to - from) * ank_rng_uniform(rng));
    for (size_t j = 0; j < x->dim; j++) out[j] = around[j] + width * work->sd[j] * ank_rng_normal(rng);
  }
}

static anorank_status lay_out(plot *p, const planting *work, ank_rng *rng, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const ank_samples *samples = work->samples;
  size_t total = work->take_x + work->take_u, *chosen = NULL;
  p->dim = samples->x.dim;
  ANK_TRY(ank_alloc_raw(&p->values, total * p->dim, sizeof *p->values, err));
  ANK_TRY(ank_alloc_raw(&p->weight, total, sizeof *p->weight, err));
  ANK_TRY(ank_alloc_raw(&p->order, total, sizeof *p->order, err));
  ANK_TRY(ank_alloc_raw(&p->columns, p->dim, sizeof *p->columns, err));
  ANK_TRY(ank_alloc_raw(&chosen, total, sizeof *chosen, err));
  for (size_t i = 0; i < total; i++) p->order[i] = (uint32_t)i;
  for (size_t j = 0; j < p->dim; j++) p->columns[j] = (uint32_t)j;
  for (size_t i = 0; i < work->take_x; i++) p->weight[i] = -1;
  ANK_TRY(ank_rng_sample(rng, chosen, work->take_x, samples->x.rows, err));
  gather(p->values, &samples->x, chosen, work->take_x);
  if (work->sd) {
    jitter(p->values + work->take_x * p->dim, work, rng);
    weigh(p->weight + work->take_x, NULL, work);
  } else {
    ANK_TRY(ank_rng_sample(rng, chosen, work->take_u, samples->u.rows, err));
    gather(p->values + work->take_x * p->dim, &samples->u, chosen, work->take_u);
    weigh(p->weight + work->take_x, chosen, work);
  }
done:
  ank_free(chosen);
  return status;
}

static void plot_free(plot *p) {
  ank_free(p->values);
  ank_free(p->weight);
  ank_free(p->order);
  ank_free(p->columns);
}

/* ---- cutting ----------------------------------------------------------------------------------------- */

typedef struct {
  double threshold, gain;
  uint32_t column;
  ank_span left, right;
} cut;

static double purity(const ank_span *span) {
  double a = CONTRAST * span->x, total = a + span->u;
  return total > 0 ? (a * a + span->u * span->u) / total : 0;
}

/* Return 0 if the column is constant in the node. */
static int limits(double *low, double *high, const plot *p, const uint32_t *rows, size_t count,
                  uint32_t column) {
  *low = *high = p->values[rows[0] * p->dim + column];
  for (size_t i = 1; i < count; i++) {
    double value = p->values[rows[i] * p->dim + column];
    *low = value < *low ? value : *low;
    *high = value > *high ? value : *high;
  }
  return *low < *high;
}

/* Sum U on the right instead of subtracting the left: rounding must not create rows of U. */
static void measure(cut *c, const plot *p, const uint32_t *rows, const ank_span *node) {
  double x = 0, u_left = 0, u_right = 0;
  uint32_t count = 0;
  for (size_t i = 0; i < node->count; i++) {
    double weight = p->weight[rows[i]], of_u = weight < 0 ? 0 : weight;
    int left = p->values[rows[i] * p->dim + c->column] <= c->threshold;
    count += (uint32_t)left;
    x += left && weight < 0;
    u_left += left ? of_u : 0;
    u_right += left ? 0 : of_u;
  }
  c->left = (ank_span){node->from, count, node->depth + 1, x, u_left};
  c->right = (ank_span){node->from + count, node->count - count, node->depth + 1, node->x - x, u_right};
  c->gain = purity(&c->left) + purity(&c->right);
}

/* Return 0 if no split leaves enough rows on both sides. */
static int best_cut(cut *best, const plot *p, const ank_span *node, size_t candidates, ank_rng *rng) {
  const uint32_t *rows = p->order + node->from;
  int found = 0;
  size_t seen = 0;
  for (size_t tried = 0; tried < p->dim && (seen < candidates || !found); tried++) {
    double low, high;
    cut c = {.column = ank_draw_column(p->columns, tried, p->dim, rng)};
    if (!limits(&low, &high, p, rows, node->count, c.column)) continue;
    seen++;
    c.threshold = ank_between(low, high, ank_rng_uniform(rng));
    measure(&c, p, rows, node);
    if (c.left.count < LEAST_LEAF || c.right.count < LEAST_LEAF) continue;
    if (found && !(c.gain > best->gain)) continue;
    *best = c;
    found = 1;
  }
  return found;
}

static void part(plot *p, const ank_span *node, const cut *c) {
  uint32_t *rows = p->order + node->from;
  size_t left = 0;
  for (size_t i = 0; i < node->count; i++) {
    uint32_t row = rows[i];
    if (p->values[row * p->dim + c->column] > c->threshold) continue;
    rows[i] = rows[left];
    rows[left++] = row;
  }
}

static anorank_status grow(ank_tree *tree, const void *context, size_t index, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const planting *work = context;
  plot p = {0};
  ank_rng rng;
  ank_rng_open(&rng, work->settings->seed, ANK_STREAM_FIT, index);
  ANK_TRY(lay_out(&p, work, &rng, err));
  ank_span root = {.count = (uint32_t)(work->take_x + work->take_u), .x = (double)work->take_x};
  for (size_t i = work->take_x; i < root.count; i++) root.u += p.weight[i];
  ANK_TRY(ank_tree_start(tree, &root, err));
  for (size_t i = 0; i < tree->count; i++) {
    ank_span node = tree->spans[i];
    cut c;
    if (node.count >= LEAST_SPLIT && node.x > 0 && node.u > 0 &&
        best_cut(&c, &p, &node, work->candidates, &rng)) {
      part(&p, &node, &c);
      ANK_TRY(ank_tree_split(tree, i, c.column, c.threshold, &c.left, &c.right, err));
    } else {
      tree->nodes[i].value = log((CONTRAST * node.x + 1) / (node.u + 1));
    }
  }
done:
  plot_free(&p);
  return status;
}

/* ---- fit --------------------------------------------------------------------------------------------- */

static void column_sds(double *sd, const ank_matrix *x) {
  double n = (double)x->rows;
  for (size_t j = 0; j < x->dim; j++) {
    double mean = 0, squares = 0;
    for (size_t i = 0; i < x->rows; i++) mean += x->values[i * x->dim + j] / n;
    for (size_t i = 0; i < x->rows; i++) {
      double gap = x->values[i * x->dim + j] - mean;
      squares += gap * gap / n;
    }
    sd[j] = isfinite(squares) ? sqrt(squares) : 0;
  }
}

static anorank_status trees_fit(void *scorer, const ank_samples *samples, const anorank_settings *settings,
                                anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t n = samples->x.rows, m = samples->u.rows, dim = samples->x.dim;
  size_t own = (size_t)ceil(0.632 * (double)n);
  double *sd = NULL;
  planting work = {.samples = samples, .settings = settings};
  own = own < MOST_OWN_ROWS ? own : MOST_OWN_ROWS;
  work.take_x = settings->tree_rows > 0 ? (size_t)settings->tree_rows : own;
  work.take_x = work.take_x < n ? work.take_x : n;
  work.take_u = m > 0 && m < CONTRAST * work.take_x ? m : CONTRAST * work.take_x;
  work.candidates = (size_t)sqrt((double)dim);
  if (work.take_x + work.take_u > UINT32_MAX)
    ANK_FAIL(ANORANK_ERROR_RESOURCES, "forest-size", "trees of %zu rows are too large; lower tree-rows",
             work.take_x);
  if (m == 0) {
    ANK_TRY(ank_alloc_raw(&sd, dim, sizeof *sd, err));
    column_sds(sd, &samples->x);
    work.sd = sd;
  }
  ANK_TRY(ank_forest_grow(scorer, dim, (size_t)settings->trees, grow, &work, settings, err));
done:
  ank_free(sd);
  return status;
}

const ank_scorer_class ank_scorer_trees = {
    .info = {"trees", "contrast trees: extremely randomised trees that separate X from U",
             "trees tree-rows jitter-from jitter-to seed", 1, 0},
    .fit = trees_fit,
    ANK_FOREST,
};
