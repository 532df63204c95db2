/* reasons.c - which columns make a row abnormal, by asking the scorer itself (ranking.h has the formula).
 *
 * A cell taken from just any training row would make an impossible row. Where columns depend on each other, the mean
 * over such rows blames the wrong column. So a cell is replaced only by cells of rows that resemble this row in all
 * other columns.
 *
 * A cell like those of similar rows makes no difference, and computing its distance from them costs no score. So with
 * many columns, the scorer is asked only about those with the largest distances. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/alloc.h"
#include "ranking/ranking.h"

enum {
  BLOCK_VALUES = 1 << 19, /* doubles of substituted rows at a time: 4 MiB */
  MOST_SCORES = 640,      /* for one row, while FEWEST_COMPARED rows per column allow it */
  FEWEST_SCORES = 64,
  ROW_VALUES = 1 << 16,  /* of substituted rows for one row, while FEWEST_SCORES allow it */
  DEEP_VALUES = 1 << 23, /* the same where one row alone is explained */
  FEWEST_COMPARED = 8,
  ASKED = 12 /* per column; 32 give the same first reasons for three times the scores */
};

#define FARTHEST 10.0 /* larger distances count as this */
#define LEAST_SHARE                                                                                          \
  0.01 /* of the column's spread, at least: if similar rows are equal, small distances stay small */
#define LEAST_SPREAD 1e-6

static size_t clamp(size_t value, size_t low, size_t high) {
  return value < low ? low : value > high ? high : value;
}

ank_explain_budget ank_explain_budget_of(const ank_background *background, int deep) {
  size_t scores =
      deep ? DEEP_VALUES / background->dim : clamp(ROW_VALUES / background->dim, FEWEST_SCORES, MOST_SCORES);
  ank_explain_budget budget = {.columns = background->columns};
  budget.compared = clamp(MOST_SCORES / background->columns, FEWEST_COMPARED, ANK_COMPARED);
  if (budget.compared > background->usual) budget.compared = background->usual;
  budget.asked = budget.compared < ASKED ? budget.compared : ASKED;
  if (scores < FEWEST_SCORES) scores = FEWEST_SCORES;
  if (budget.columns > scores / budget.compared) budget.columns = scores / budget.compared;
  return budget;
}

/* ---- how far a cell is from those of near rows ------------------------------------------------------- */

/* In their standard deviations, over all features of the column. */
static double distance_to_near(const ank_row_context *row_context, size_t c, const size_t *near,
                               size_t count) {
  const ank_background *background = row_context->background;
  double distance = 0, spread = 0;
  size_t first = background->column[c].first_feature;
  for (size_t j = first; j < first + background->column[c].features; j++) {
    const double *values = background->features + j * background->rows;
    double mean = 0;
    for (size_t k = 0; k < count; k++) mean += values[near[k]] / (double)count;
    for (size_t k = 0; k < count; k++)
      spread += (values[near[k]] - mean) * (values[near[k]] - mean) / (double)count;
    distance += (row_context->row[j] - mean) * (row_context->row[j] - mean);
  }
  return sqrt(distance / fmax(spread, fmax(LEAST_SHARE * background->spread[c], LEAST_SPREAD)));
}

static int farther_first(const void *a, const void *b) {
  const ank_contribution *left = a, *right = b;
  if (left->distance != right->distance) return left->distance > right->distance ? -1 : 1;
  return left->column < right->column ? -1 : left->column > right->column;
}

/* Twins are one column, under the name of the first. */
static int is_later_twin(const ank_row_context *row_context, size_t c) {
  for (size_t j = row_context->twin[c]; j != c; j = row_context->twin[j])
    if (j < c) return 1;
  return 0;
}

/* All candidate columns, surprising ones first, then the farthest first. */
static size_t list_columns(ank_contribution *out, const ank_row_context *row_context,
                           const unsigned char *surprising, size_t compared) {
  const ank_background *background = row_context->background;
  size_t near[ANK_COMPARED], count = 0;
  for (size_t c = 0; c < background->columns; c++) {
    if (is_later_twin(row_context, c)) continue;
    if (background->column[c].features == 0 && !surprising[c]) continue;
    size_t found = ank_nearest_usual(near, row_context, c, compared);
    double distance = surprising[c] ? (double)INFINITY
                      : found > 0   ? distance_to_near(row_context, c, near, found)
                                    : 0;
    out[count++] = (ank_contribution){.column = c, .distance = distance};
  }
  qsort(out, count, sizeof *out, farther_first);
  return count;
}

/* ---- asking the scorer ------------------------------------------------------------------------------- */

/* Rows with the features of c and of its twins taken from the near rows. */
static void substitute(double *out, const ank_row_context *row_context, size_t c,
                       const unsigned char *surprising, const size_t *near, size_t count) {
  const ank_background *background = row_context->background;
  size_t dim = background->dim, j = c;
  for (size_t k = 0; k < count; k++) {
    double *row = out + k * dim;
    const double *other = background->model->pipeline.background + near[k] * dim;
    memcpy(row, row_context->row, dim * sizeof *row);
    do {
      size_t first = background->column[j].first_feature;
      for (size_t f = first; f < first + background->column[j].features; f++) row[f] = other[f];
      if (surprising[j] & 1) row[dim - 1] -= 1;
      j = row_context->twin[j];
    } while (j != c);
  }
}

static double contribution_of(const double *scores, size_t count, double own, double distance) {
  double sum = 0, factor = distance < FARTHEST ? distance / FARTHEST : 1;
  for (size_t k = 0; k < count; k++) sum += scores[k] - own;
  return count > 0 ? sum / (double)count * factor * factor : 0;
}

/* Process as many columns at a time as fit into the block. */
static anorank_status ask_columns(ank_contribution *columns, size_t count, const ank_row_context *row_context,
                                  const unsigned char *surprising, size_t rows_each, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const anorank_model *model = row_context->background->model;
  size_t dim = row_context->background->dim, step = BLOCK_VALUES / (rows_each * dim) + 1, near[ANK_COMPARED];
  double *rows = NULL, *scores = NULL, own = 0;
  if (step > count) step = count;
  ANK_TRY(ank_alloc_raw(&rows, step * rows_each, dim * sizeof *rows, err));
  ANK_TRY(ank_alloc_raw(&scores, step * rows_each, sizeof *scores, err));
  ANK_TRY(ank_pipeline_score_features(&own, &model->pipeline, row_context->row, 1, 0, err));
  for (size_t from = 0; from < count; from += step) {
    size_t asked = count - from < step ? count - from : step, found = 0;
    for (size_t i = 0; i < asked; i++) { /* the same number of rows for each */
      size_t c = columns[from + i].column;
      found = ank_nearest_usual(near, row_context, c, rows_each);
      substitute(rows + i * found * dim, row_context, c, surprising, near, found);
    }
    if (found > 0)
      ANK_TRY(ank_pipeline_score_features(scores, &model->pipeline, rows, asked * found, 0, err));
    for (size_t i = 0; i < asked; i++)
      columns[from + i].contribution =
          contribution_of(scores + i * found, found, own, columns[from + i].distance);
  }
done:
  ank_free(rows);
  ank_free(scores);
  return status;
}

/* If the scorer is flat, use the cell farthest from those of near rows. */
static int stronger_first(const void *a, const void *b) {
  const ank_contribution *left = a, *right = b;
  if (left->contribution != right->contribution) return left->contribution > right->contribution ? -1 : 1;
  return farther_first(a, b);
}

anorank_status ank_contributions(ank_contribution *out, size_t *count, size_t *left,
                                 const ank_row_context *row_context, const unsigned char *surprising,
                                 ank_explain_budget budget, anorank_error *err) {
  size_t all = list_columns(out, row_context, surprising, budget.compared);
  *count = all < budget.columns ? all : budget.columns;
  *left = all - *count;
  ANK_CHECK(ask_columns(out, *count, row_context, surprising, budget.asked, err));
  qsort(out, *count, sizeof *out, stronger_first);
  return ANORANK_OK;
}
