/* reasons.c - which columns make a row abnormal, by asking the scorer itself (verdict.h has the formula).
 *
 * Replacing a cell by that of any background row would make rows that exist nowhere: where columns depend on
 * each other, the mean over all of them blames the wrong column. So each column is compared with the rows
 * that resemble this one in all others. The distance of column j between the row and background row b,
 *
 *   d_j(b) = |features of j in the row - in b|^2 / mean over b' of |features of j in the row - in b'|^2,
 *
 * has mean 1 over the background: a cell far from everything has nearly the same distance to all of it, so a
 * second altered cell does not decide which rows count as near. Nearness in all columns but c is the sum of
 * d_j over j != c.
 *
 * Scores say little where they are flat: a forest or a sum of steps cannot tell six deviations from three. So
 * positive contributions are put in order after multiplying them by the squared distance of the cell to those
 * of the near rows, in their standard deviations (at most 10). Over ten kinds of tables this took the worst
 * class from 44 to 87 % of rows with an altered column first (tests/slow/verdict.c). */
#include <math.h>
#include <stdlib.h>

#include "core/alloc.h"
#include "verdict/verdict.h"

enum {
  BLOCK_VALUES = 1 << 19, /* doubles of substituted rows at a time: 4 MiB */
  MOST_SCORES = 640,      /* for one row, while FEWEST_COMPARED rows per column allow it */
  FEWEST_COMPARED = 8
};

#define FARTHEST 10.0 /* distances beyond say no more */

typedef struct {
  const anorank_model *model;
  const double *features;
  const unsigned char *surprising;
  size_t dim, columns, background;
  size_t compared; /* near rows asked about: at most ANK_COMPARED */
  anorank_model_column *column;
  double *distance;          /* columns x background */
  double *total;             /* background: sum over columns */
  size_t near[ANK_COMPARED]; /* of one column: background rows */
} asking;

static int is_surprising(const asking *ask, size_t c) { return ask->surprising && ask->surprising[c] != 0; }

static void measure_distances(asking *ask) {
  for (size_t c = 0; c < ask->columns; c++) {
    double *distance = ask->distance + c * ask->background, sum = 0;
    size_t first = ask->column[c].first_feature, count = ask->column[c].features;
    if (count == 0) continue;
    for (size_t b = 0; b < ask->background; b++) {
      const double *other = ask->model->pipeline.background + b * ask->dim;
      for (size_t j = first; j < first + count; j++) {
        double d = ask->features[j] - other[j];
        distance[b] += d * d;
      }
      sum += distance[b];
    }
    for (size_t b = 0; sum > 0 && b < ask->background; b++) {
      distance[b] *= (double)ask->background / sum;
      ask->total[b] += distance[b];
    }
  }
}

/* So that a row of many columns does not cost its square: 32 up to 20 columns, 8 from 80 on. */
static size_t rows_to_compare(size_t columns, size_t background) {
  size_t rows = columns == 0 ? ANK_COMPARED : MOST_SCORES / columns;
  if (rows > ANK_COMPARED) rows = ANK_COMPARED;
  if (rows < FEWEST_COMPARED) rows = FEWEST_COMPARED;
  return rows < background ? rows : background;
}

/* The background rows nearest in all columns but c, by insertion: they are few. */
static void find_near(asking *ask, size_t c) {
  double best[ANK_COMPARED];
  size_t count = 0;
  for (size_t b = 0; b < ask->background; b++) {
    double d = ask->total[b] - ask->distance[c * ask->background + b];
    size_t at = count;
    if (count == ask->compared && d >= best[count - 1]) continue;
    if (count < ask->compared)
      count++;
    else
      at--;
    for (; at > 0 && best[at - 1] > d; at--) best[at] = best[at - 1], ask->near[at] = ask->near[at - 1];
    best[at] = d;
    ask->near[at] = b;
  }
}

/* Rows with the features of c taken from the near rows. */
static void substitute(double *out, const asking *ask, size_t c, size_t count) {
  size_t first = ask->column[c].first_feature, features = ask->column[c].features;
  for (size_t k = 0; k < count; k++) {
    double *row = out + k * ask->dim;
    const double *other = ask->model->pipeline.background + ask->near[k] * ask->dim;
    for (size_t j = 0; j < ask->dim; j++) row[j] = ask->features[j];
    for (size_t j = first; j < first + features; j++) row[j] = other[j];
    if (is_surprising(ask, c)) row[ask->dim - 1] -= 1;
  }
}

static void describe_near(ank_reason *reason, const asking *ask, size_t count) {
  double sorted[ANK_COMPARED];
  size_t feature = ask->column[reason->column].first_feature;
  if (ask->column[reason->column].features == 0) return;
  for (size_t k = 0; k < count; k++) {
    double value = ask->model->pipeline.background[ask->near[k] * ask->dim + feature];
    size_t at = k;
    for (; at > 0 && sorted[at - 1] > value; at--) sorted[at] = sorted[at - 1];
    sorted[at] = value;
  }
  reason->near_low = sorted[count / 10];
  reason->near_high = sorted[count - 1 - count / 10];
}

/* How far the cell is from those of the near rows, in their standard deviations (over all features of the
 * column; at least a tenth of the background's, so that equal rows do not make everything far). */
static double distance_to_near(const asking *ask, size_t c, size_t count) {
  double distance = 0, spread = 0, wide = 0;
  size_t first = ask->column[c].first_feature;
  for (size_t j = first; j < first + ask->column[c].features; j++) {
    double mean = 0, squares = 0, all = 0, all_squares = 0;
    for (size_t k = 0; k < count; k++) {
      double value = ask->model->pipeline.background[ask->near[k] * ask->dim + j];
      mean += value / (double)count;
    }
    for (size_t k = 0; k < count; k++) {
      double d = ask->model->pipeline.background[ask->near[k] * ask->dim + j] - mean;
      squares += d * d / (double)count;
    }
    for (size_t b = 0; b < ask->background; b++) {
      double value = ask->model->pipeline.background[b * ask->dim + j];
      all += value / (double)ask->background;
      all_squares += value * value / (double)ask->background;
    }
    distance += (ask->features[j] - mean) * (ask->features[j] - mean);
    spread += squares;
    wide += all_squares - all * all;
  }
  distance = sqrt(distance / fmax(spread, fmax(0.01 * wide, 1e-6)));
  return distance > FARTHEST || is_surprising(ask, c) ? FARTHEST : distance;
}

/* What the scores of the substituted rows say about the column. */
static double contribution_of(const double *scores, size_t count, double own) {
  double sum = 0;
  for (size_t k = 0; k < count; k++) sum += scores[k] - own;
  return sum / (double)count;
}

/* Ask about the columns of reasons [0, count), as many at a time as fit into the block. */
static anorank_status ask_columns(ank_reason *reasons, size_t count, asking *ask, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t compared = ask->compared;
  size_t step = BLOCK_VALUES / (compared * ask->dim) + 1;
  double *rows = NULL, *scores = NULL, own = 0;
  if (step > count) step = count;
  ANK_TRY(ank_alloc_raw(&rows, step * compared, ask->dim * sizeof *rows, err));
  ANK_TRY(ank_alloc_raw(&scores, step * compared, sizeof *scores, err));
  ANK_TRY(ank_pipeline_score_features(&own, &ask->model->pipeline, ask->features, 1, err));
  for (size_t from = 0; from < count; from += step) {
    size_t asked = count - from < step ? count - from : step;
    for (size_t i = 0; i < asked; i++) {
      ank_reason *reason = &reasons[from + i];
      find_near(ask, reason->column);
      substitute(rows + i * compared * ask->dim, ask, reason->column, compared);
      describe_near(reason, ask, compared);
      reason->distance = distance_to_near(ask, reason->column, compared);
    }
    ANK_TRY(ank_pipeline_score_features(scores, &ask->model->pipeline, rows, asked * compared, err));
    for (size_t i = 0; i < asked; i++)
      reasons[from + i].contribution = contribution_of(scores + i * compared, compared, own);
  }
done:
  ank_free(rows);
  ank_free(scores);
  return status;
}

static double strength_of(const ank_reason *reason) {
  return reason->contribution > 0 ? reason->contribution * reason->distance * reason->distance
                                  : reason->contribution;
}

typedef struct {
  ank_reason reason;
  double strength;
} weighed;

/* Strongest first; where the scorer sees no difference, the cell farthest from those of similar rows. */
static int stronger_first(const void *a, const void *b) {
  const weighed *left = a, *right = b;
  if (left->strength != right->strength) return left->strength > right->strength ? -1 : 1;
  if (left->reason.distance != right->reason.distance)
    return left->reason.distance > right->reason.distance ? -1 : 1;
  return left->reason.column < right->reason.column ? -1 : left->reason.column > right->reason.column;
}

static anorank_status put_in_order(ank_reason *reasons, size_t count, anorank_error *err) {
  weighed *all = NULL;
  anorank_status status = ank_alloc_raw(&all, count, sizeof *all, err);
  if (status != ANORANK_OK) return status;
  for (size_t i = 0; i < count; i++) all[i] = (weighed){reasons[i], strength_of(&reasons[i])};
  qsort(all, count, sizeof *all, stronger_first);
  for (size_t i = 0; i < count; i++) reasons[i] = all[i].reason;
  ank_free(all);
  return ANORANK_OK;
}

anorank_status ank_reasons(ank_reason *reasons, size_t *count, const anorank_model *model,
                           const double *features, const unsigned char *surprising, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  asking ask = {.model = model, .features = features, .surprising = surprising};
  ask.dim = ank_prepare_dim(model->pipeline.prepare);
  ask.columns = ank_prepare_columns(model->pipeline.prepare);
  ask.background = model->pipeline.background_rows;
  ask.compared = rows_to_compare(ask.columns, ask.background);
  *count = 0;
  if (ask.background == 0)
    ANK_FAIL(ANORANK_ERROR_MODEL, "the model has no rows to compare with; fit it again");
  ANK_TRY(ank_alloc_raw(&ask.column, ask.columns, sizeof *ask.column, err));
  for (size_t c = 0; c < ask.columns; c++) ask.column[c] = ank_prepare_column(model->pipeline.prepare, c);
  ANK_TRY(ank_alloc(&ask.distance, ask.columns * ask.background, sizeof *ask.distance, err));
  ANK_TRY(ank_alloc(&ask.total, ask.background, sizeof *ask.total, err));
  measure_distances(&ask);
  for (size_t c = 0; c < ask.columns; c++)
    if (ask.column[c].features > 0 || is_surprising(&ask, c)) reasons[(*count)++] = (ank_reason){.column = c};
  ANK_TRY(ask_columns(reasons, *count, &ask, err));
  ANK_TRY(put_in_order(reasons, *count, err));
done:
  ank_free(ask.column);
  ank_free(ask.distance);
  ank_free(ask.total);
  return status;
}
