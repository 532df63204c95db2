/* disagreement.c - which columns a cell disagrees with: "height 4.2 with weight 310: rows with weight 305 to 316
 * have height 6.1 to 7.4".
 *
 * For one or two other columns, the rows alike are the kept rows nearest to this row in these columns, and all others
 * between them; texts must be equal. A cell disagrees if hardly any row alike has such a cell, although it is so frequent
 * among all kept rows that chance does not explain this (binomial law, over all columns tried). Of the columns that it
 * disagrees with, the one that leaves the cell farthest out is named. Two are named only if no single one suffices. */
#include <math.h>
#include <stdlib.h>

#include "core/alloc.h"
#include "ranking/ranking.h"

enum { FEWEST_ALIKE = 8, SELDOM_PART = 16 };

#define CHANCE 0.01   /* of rows alike that lack such cells, over all columns tried */
#define FAR_OUT 0.25  /* of the range of rows alike: how far outside a number is, at least */
#define MOST_HAVE 0.5 /* a level that more than this share of the rows alike have is theirs */
#define NARROW 0.01   /* of the usual range: no range of rows alike counts as narrower */

typedef struct {
  const ank_row_context *row_context;
  const double *own;
  double *work;
  size_t column; /* whose cell is looked at */
  size_t tried;  /* how many boxes are looked at */
} search;

/* Rows that agree in the named columns. */
typedef struct {
  size_t column[2], count;
  double low[2], high[2];
  size_t rows;
  double cells_low, cells_high; /* numbers: 10 and 90 % quantiles of their cells */
  size_t level;                 /* texts: what most of them have */
  double level_share, own_share;
  double outness; /* how far the cell is from theirs, higher is farther */
  int disagrees;
} box;

static double cell_of(const search *in, size_t b, size_t c) {
  const ank_background *background = in->row_context->background;
  return background->model->pipeline.cells[b * background->columns + c];
}

static int is_text(const search *in, size_t c) {
  return in->row_context->background->column[c].role == ANORANK_ROLE_CATEGORICAL;
}

static int can_agree(const search *in, const box *alike, size_t b) {
  if (b == in->row_context->itself) return 0;
  for (size_t k = 0; k < alike->count; k++) {
    double cell = cell_of(in, b, alike->column[k]);
    if (isnan(cell) || (is_text(in, alike->column[k]) && cell != in->own[alike->column[k]])) return 0;
  }
  return 1;
}

static double distance_to(const search *in, const box *alike, size_t b) {
  double sum = 0;
  for (size_t k = 0; k < alike->count; k++)
    if (!is_text(in, alike->column[k]))
      sum += in->row_context->distance[alike->column[k] * in->row_context->background->rows + b];
  return sum;
}

/* The ranges of the nearest rows; 0: too few, or this row is outside. */
static int find_ranges(box *alike, const search *in) {
  size_t rows = in->row_context->background->rows, found = 0,
         wanted = ank_similar_wanted(in->row_context->background);
  double least[ANK_SIMILAR], most;
  for (size_t b = 0; b < rows; b++) {
    double d = distance_to(in, alike, b);
    if (!can_agree(in, alike, b) || (found == wanted && d >= least[wanted - 1])) continue;
    size_t at = found < wanted ? found++ : found - 1;
    for (; at > 0 && least[at - 1] > d; at--) least[at] = least[at - 1];
    least[at] = d;
  }
  if (found < FEWEST_ALIKE) return 0;
  most = least[found - 1];
  for (size_t k = 0; k < alike->count; k++) {
    size_t c = alike->column[k];
    alike->low[k] = INFINITY, alike->high[k] = -INFINITY;
    if (is_text(in, c)) continue;
    for (size_t b = 0; b < rows; b++) {
      if (!can_agree(in, alike, b) || distance_to(in, alike, b) > most) continue;
      alike->low[k] = fmin(alike->low[k], cell_of(in, b, c));
      alike->high[k] = fmax(alike->high[k], cell_of(in, b, c));
    }
    if (!(alike->low[k] <= in->own[c] && in->own[c] <= alike->high[k])) return 0;
  }
  return 1;
}

static int is_alike(const search *in, const box *alike, size_t b) {
  if (!can_agree(in, alike, b)) return 0;
  for (size_t k = 0; k < alike->count; k++) {
    double cell = cell_of(in, b, alike->column[k]);
    if (!is_text(in, alike->column[k]) && (cell < alike->low[k] || cell > alike->high[k])) return 0;
  }
  return 1;
}

static int ascending(const void *a, const void *b) {
  double left = *(const double *)a, right = *(const double *)b;
  return left < right ? -1 : left > right;
}

/* P(X <= k) of a binomial X. */
static double at_most(size_t k, size_t n, double p) {
  double term = pow(1 - p, (double)n), sum = term;
  for (size_t i = 1; i <= k && i <= n; i++) {
    term *= (double)(n - i + 1) / (double)i * p / (1 - p);
    sum += term;
  }
  return sum;
}

/* The share of all kept rows with a cell like this one: the same level, or as far up (side > 0) or down. */
static double share_like(const search *in, int side) {
  double own = in->own[in->column];
  size_t like = 0, filled = 0;
  for (size_t b = 0; b < in->row_context->background->rows; b++) {
    double cell = cell_of(in, b, in->column);
    filled += !isnan(cell);
    like += side > 0 ? cell >= own : side < 0 ? cell <= own : cell == own;
  }
  return filled > 0 ? (double)like / (double)filled : 0;
}

static int is_no_chance(const search *in, size_t like, size_t rows, int side) {
  double share = share_like(in, side);
  return like * SELDOM_PART <= rows &&
         (share >= 1 || at_most(like, rows, share) * (double)in->tried <= CHANCE);
}

static void judge_number(box *alike, const search *in, const anorank_reason *reason) {
  double own = in->own[in->column], low, high, beyond;
  size_t n = alike->rows, like = 0;
  low = alike->cells_low = in->work[n / 10];
  high = alike->cells_high = in->work[n - 1 - n / 10];
  int side = own > high ? 1 : own < low ? -1 : 0;
  beyond = side > 0 ? own - high : low - own;
  alike->outness =
      fmax(own - high, low - own) / fmax(high - low, NARROW * (reason->usual_high - reason->usual_low));
  if (side == 0 || beyond <= FAR_OUT * (high - low) || !ank_reason_outside(reason, low, high)) return;
  for (size_t i = 0; i < n; i++) like += side > 0 ? in->work[i] >= own : in->work[i] <= own;
  alike->disagrees = is_no_chance(in, like, n, side);
}

static void judge_level(box *alike, const search *in) {
  double own = in->own[in->column];
  size_t n = alike->rows, like = 0, most = 0;
  for (size_t i = 0, from = 0; i <= n; i++) {
    if (i < n && in->work[i] == in->work[from]) continue;
    if (in->work[from] == own) like = i - from;
    if (i - from > most) most = i - from, alike->level = (size_t)in->work[from];
    from = i;
  }
  alike->level_share = (double)most / (double)n;
  alike->own_share = (double)like / (double)n;
  alike->outness = alike->level_share - alike->own_share;
  alike->disagrees = alike->level_share > MOST_HAVE && is_no_chance(in, like, n, 0);
}

static void judge(box *alike, const search *in, const anorank_reason *reason) {
  alike->outness = -INFINITY;
  alike->disagrees = 0;
  alike->rows = 0;
  if (!find_ranges(alike, in)) return;
  for (size_t b = 0; b < in->row_context->background->rows; b++) {
    double cell = cell_of(in, b, in->column);
    if (!isnan(cell) && is_alike(in, alike, b)) in->work[alike->rows++] = cell;
  }
  if (alike->rows < FEWEST_ALIKE) return;
  qsort(in->work, alike->rows, sizeof *in->work, ascending);
  if (is_text(in, in->column))
    judge_level(alike, in);
  else
    judge_number(alike, in, reason);
}

static int can_be_partner(const search *in, size_t c) {
  const ank_row_context *row_context = in->row_context;
  const anorank_model_column *column = &row_context->background->column[c];
  if (c == in->column || column->features == 0 || isnan(in->own[c])) return 0;
  for (size_t j = row_context->twin[in->column]; j != in->column; j = row_context->twin[j])
    if (j == c) return 0;
  if (column->role == ANORANK_ROLE_CATEGORICAL) return in->own[c] >= 0;
  return column->role == ANORANK_ROLE_NUMERIC;
}

/* The best with one more column beside those of `given`. */
static box best_with(const box *given, search *in, const anorank_reason *reason) {
  box best = {.outness = -INFINITY};
  for (size_t c = 0; c < in->row_context->background->columns; c++) {
    box alike = *given;
    if (!can_be_partner(in, c) || (given->count > 0 && given->column[0] == c)) continue;
    alike.column[alike.count++] = c;
    judge(&alike, in, reason);
    if (alike.disagrees > best.disagrees ||
        (alike.disagrees == best.disagrees && alike.outness > best.outness))
      best = alike;
  }
  return best;
}

int ank_find_partners(anorank_reason *reason, size_t columns[2], const ank_row_context *row_context,
                      double *work) {
  const ank_background *background = row_context->background;
  search in = {.row_context = row_context, .own = row_context->own, .work = work, .column = reason->index};
  for (size_t c = 0; c < background->columns; c++) in.tried += can_be_partner(&in, c);
  box alike = best_with(&(box){0}, &in, reason);
  if (!alike.disagrees && alike.count > 0) {
    in.tried *= 2;
    alike = best_with(&alike, &in, reason);
  }
  if (!alike.disagrees) return 0;
  reason->partners = alike.count;
  for (size_t k = 0; k < alike.count; k++) {
    size_t c = columns[k] = alike.column[k];
    int text = is_text(&in, c);
    reason->partner[k] = (anorank_partner){.column = background->column[c].name,
                                           .number = text ? (double)NAN : in.own[c],
                                           .low = text ? (double)NAN : alike.low[k],
                                           .high = text ? (double)NAN : alike.high[k],
                                           .resolution = background->resolution[c]};
  }
  reason->similar_rows = alike.rows;
  if (is_text(&in, in.column)) {
    reason->similar_level = ank_prepare_level(background->model->pipeline.prepare, in.column, alike.level);
    reason->similar_share = alike.own_share;
    reason->similar_level_share = alike.level_share;
  } else {
    reason->similar_low = alike.cells_low;
    reason->similar_high = alike.cells_high;
  }
  return 1;
}
