/* background.c - similar rows among the background rows of a model, and their values. */
#include <math.h>
#include <stdlib.h>

#include "core/alloc.h"
#include "ranking/ranking.h"

enum {
  SIMILAR_PART = 16, /* of fewer than 512 kept rows, one in so many is similar */
  FEWEST_SIMILAR = 8,
  FEWEST_OTHERS = 8 /* kept rows without the most frequent value of a column that can have a twin */
};

#define FINEST 0.0001 /* finest resolution that people write; finer numbers count as continuous */
#define TIED 1e-9     /* rows as near as the last similar one, up to rounding, are similar, too */

/* ---- what all rows share ----------------------------------------------------------------------------- */

void ank_background_free(ank_background *background) {
  ank_free(background->column);
  ank_free(background->features);
  ank_free(background->spread);
  ank_free(background->resolution);
  ank_free(background->twin_group);
  *background = (ank_background){0};
}

static double spread_of(const double *values, size_t count) {
  double mean = 0, squares = 0;
  for (size_t b = 0; b < count; b++) mean += values[b] / (double)count;
  for (size_t b = 0; b < count; b++) squares += (values[b] - mean) * (values[b] - mean) / (double)count;
  return squares;
}

double ank_resolution_with(double resolution, double value) {
  if (!isfinite(value)) return resolution;
  for (; resolution > 0.9 * FINEST; resolution /= 10) {
    double steps = value / resolution;
    if (fabs(steps - round(steps)) <= 1e-9 * fmax(1, fabs(steps))) return resolution;
  }
  return 0;
}

static double resolution_of(const ank_background *background, size_t c) {
  const double *cells = background->model->pipeline.cells;
  double resolution = 1;
  for (size_t b = 0; b < background->rows && resolution > 0; b++)
    resolution = ank_resolution_with(resolution, cells[b * background->columns + c]);
  return resolution;
}

/* ---- twins: columns whose values come in pairs, such as country and code ---- */

typedef struct {
  double value;
  size_t row;
} placed;

static int by_value(const void *a, const void *b) {
  const placed *left = a, *right = b;
  if (left->value != right->value) return left->value < right->value ? -1 : 1;
  return left->row < right->row ? -1 : left->row > right->row;
}

/* first[b] = the first kept row that has the same cell in column c as b. Returns 0 where values hardly repeat or
 * hardly vary: such columns pair by chance. */
static int first_rows(size_t *first, placed *work, const ank_background *background, size_t c) {
  size_t rows = background->rows, distinct = 0, most = 0;
  for (size_t b = 0; b < rows; b++) {
    double value = background->model->pipeline.cells[b * background->columns + c];
    work[b] = (placed){isnan(value) ? -(double)INFINITY : value, b};
  }
  qsort(work, rows, sizeof *work, by_value);
  for (size_t b = 0, from = 0; b < rows; b++) {
    if (b == 0 || work[b].value != work[b - 1].value) from = b, distinct++;
    if (b - from + 1 > most) most = b - from + 1;
    first[work[b].row] = work[from].row;
  }
  return distinct * 2 <= rows && most + FEWEST_OTHERS <= rows;
}

static anorank_status find_twins(ank_background *out, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  placed *work = NULL;
  size_t *first = NULL;
  uint64_t *sum = NULL;
  ANK_TRY(ank_alloc_raw(&work, out->rows, sizeof *work, err));
  ANK_TRY(ank_alloc_raw(&first, out->rows, sizeof *first, err));
  ANK_TRY(ank_alloc(&sum, out->columns, sizeof *sum, err));
  for (size_t c = 0; c < out->columns; c++) {
    out->twin_group[c] = c;
    if (out->column[c].features == 0 || out->column[c].role == ANORANK_ROLE_TIME) continue;
    if (!first_rows(first, work, out, c)) continue;
    sum[c] = 14695981039346656037u; /* FNV-1a of which rows are equal */
    for (size_t b = 0; b < out->rows; b++) sum[c] = (sum[c] ^ first[b]) * 1099511628211u;
    for (size_t d = 0; d < c && out->twin_group[c] == c; d++)
      if (sum[d] == sum[c]) out->twin_group[c] = d;
  }
done:
  ank_free(work);
  ank_free(first);
  ank_free(sum);
  return status;
}

anorank_status ank_background_make(ank_background *out, const anorank_model *model, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  *out = (ank_background){
      .model = model, .rows = model->pipeline.background_rows, .usual = model->pipeline.usual_rows};
  out->dim = ank_prepare_dim(model->pipeline.prepare);
  out->columns = ank_prepare_columns(model->pipeline.prepare);
  if (out->rows == 0 || out->usual == 0)
    ANK_FAIL(ANORANK_ERROR_MODEL, "model-no-background", "the model has no background rows; fit it again");
  ANK_TRY(ank_alloc_raw(&out->column, out->columns, sizeof *out->column, err));
  ANK_TRY(ank_alloc(&out->spread, out->columns, sizeof *out->spread, err));
  ANK_TRY(ank_alloc_raw(&out->twin_group, out->columns, sizeof *out->twin_group, err));
  ANK_TRY(ank_alloc(&out->resolution, out->columns, sizeof *out->resolution, err));
  ANK_TRY(ank_alloc_raw(&out->features, out->dim * out->rows, sizeof *out->features, err));
  for (size_t b = 0; b < out->rows; b++)
    for (size_t j = 0; j < out->dim; j++)
      out->features[j * out->rows + b] = model->pipeline.background[b * out->dim + j];
  for (size_t c = 0; c < out->columns; c++) {
    out->column[c] = ank_prepare_column(model->pipeline.prepare, c);
    size_t first = out->column[c].first_feature, end = first + out->column[c].features;
    if (out->column[c].role == ANORANK_ROLE_NUMERIC) out->resolution[c] = resolution_of(out, c);
    out->members += out->column[c].features > 0;
    for (size_t j = first; j < end; j++)
      out->spread[c] += spread_of(out->features + j * out->rows, out->usual);
  }
  ANK_TRY(find_twins(out, err));
done:
  if (status != ANORANK_OK) ank_background_free(out);
  return status;
}

/* ---- one row ----------------------------------------------------------------------------------------- */

void ank_row_context_free(ank_row_context *row_context) {
  ank_free(row_context->distance);
  ank_free(row_context->total);
  ank_free(row_context->twin);
  *row_context = (ank_row_context){0};
}

static void measure_column(ank_row_context *row_context, size_t c) {
  const ank_background *background = row_context->background;
  size_t rows = background->rows, first = background->column[c].first_feature;
  double *distance = row_context->distance + c * rows, sum = 0;
  for (size_t j = first; j < first + background->column[c].features; j++) {
    const double *other = background->features + j * rows;
    for (size_t b = 0; b < rows; b++)
      distance[b] += (row_context->row[j] - other[b]) * (row_context->row[j] - other[b]);
  }
  for (size_t b = 0; b < rows; b++) sum += distance[b];
  if (!(sum > 0)) return;
  for (size_t b = 0; b < rows; b++) {
    distance[b] *= (double)rows / sum;
    row_context->total[b] += distance[b];
  }
}

/* Whether the row has the same cell as a kept row in both columns, or in neither. */
static int agree(const ank_row_context *row_context, size_t c, size_t d) {
  size_t rows = row_context->background->rows;
  const double *one = row_context->distance + c * rows, *other = row_context->distance + d * rows;
  for (size_t b = 0; b < rows; b++)
    if ((one[b] == 0) != (other[b] == 0)) return 0;
  return 1;
}

static void link_twins(ank_row_context *row_context) {
  for (size_t c = 0; c < row_context->background->columns; c++) {
    size_t first = row_context->background->twin_group[c];
    row_context->twin[c] = c;
    if (first == c || !agree(row_context, first, c)) continue;
    row_context->twin[c] = row_context->twin[first];
    row_context->twin[first] = c;
  }
}

anorank_status ank_row_context_make(ank_row_context *out, const ank_background *background, const double *row,
                                    anorank_error *err) {
  anorank_status status = ANORANK_OK;
  *out = (ank_row_context){.background = background, .row = row, .itself = SIZE_MAX};
  ANK_TRY(ank_alloc(&out->distance, background->columns * background->rows, sizeof *out->distance, err));
  ANK_TRY(ank_alloc(&out->total, background->rows, sizeof *out->total, err));
  ANK_TRY(ank_alloc_raw(&out->twin, background->columns, sizeof *out->twin, err));
  for (size_t c = 0; c < background->columns; c++) measure_column(out, c);
  link_twins(out);
  for (size_t b = background->rows; b-- > 0;)
    if (out->total[b] == 0) out->itself = b;
done:
  if (status != ANORANK_OK) ank_row_context_free(out);
  return status;
}

static double without(const ank_row_context *row_context, size_t c, size_t b) {
  double left = row_context->total[b];
  if (c == SIZE_MAX) return left;
  size_t j = c;
  do {
    left -= row_context->distance[j * row_context->background->rows + b];
    j = row_context->twin[j];
  } while (j != c);
  return left;
}

size_t ank_nearest_usual(size_t *near, const ank_row_context *row_context, size_t c, size_t count) {
  double best[ANK_COMPARED] = {0};
  size_t found = 0;
  for (size_t b = 0; b < row_context->background->usual; b++) {
    double d = without(row_context, c, b);
    size_t at = found;
    if (b == row_context->itself || (found == count && d >= best[count - 1])) continue;
    if (found < count)
      found++;
    else
      at--;
    for (; at > 0 && best[at - 1] > d; at--) best[at] = best[at - 1], near[at] = near[at - 1];
    best[at] = d;
    near[at] = b;
  }
  return found;
}

/* ---- similar rows ------------------------------------------------------------------------------------ */

static int ascending(const void *a, const void *b) {
  double left = *(const double *)a, right = *(const double *)b;
  return left < right ? -1 : left > right;
}

size_t ank_similar_wanted(const ank_background *background) {
  size_t wanted = background->rows / SIMILAR_PART;
  return wanted > ANK_SIMILAR ? ANK_SIMILAR : wanted < FEWEST_SIMILAR ? FEWEST_SIMILAR : wanted;
}

/* The distance up to which a row is similar in all columns but c; -1: no other row. */
static double similar_up_to(const ank_row_context *row_context, size_t c) {
  size_t rows = row_context->background->rows, found = 0,
         wanted = ank_similar_wanted(row_context->background);
  double least[ANK_SIMILAR]; /* so far, ascending */
  for (size_t b = 0; b < rows; b++) {
    double d = without(row_context, c, b);
    if (b == row_context->itself || (found == wanted && d >= least[wanted - 1])) continue;
    size_t at = found < wanted ? found++ : found - 1;
    for (; at > 0 && least[at - 1] > d; at--) least[at] = least[at - 1];
    least[at] = d;
  }
  return found == 0 ? -1 : least[found - 1] + TIED * (1 + least[found - 1]);
}

/* The cells of similar rows that have a value, in ascending order. */
static size_t similar_cells(double *cells, const ank_row_context *row_context, size_t c) {
  const ank_background *background = row_context->background;
  double most = similar_up_to(row_context, c);
  size_t count = 0;
  for (size_t b = 0; b < background->rows; b++) {
    double value = background->model->pipeline.cells[b * background->columns + c];
    if (b != row_context->itself && without(row_context, c, b) <= most && !isnan(value))
      cells[count++] = value;
  }
  qsort(cells, count, sizeof *cells, ascending);
  return count;
}

/* The most frequent level; in ties, the more frequent in training (levels are in that order). */
static size_t commonest(const double *levels, size_t count) {
  size_t best = 0, most = 0;
  for (size_t i = 0, from = 0; i <= count; i++) {
    if (i < count && levels[i] == levels[from]) continue;
    if (i - from > most) most = i - from, best = (size_t)levels[from];
    from = i;
  }
  return best;
}

void ank_describe_similar(anorank_reason *reason, const ank_row_context *row_context, double own,
                          double *work) {
  const ank_background *background = row_context->background;
  size_t c = reason->index, count, same = 0;
  size_t own_members = background->column[c].features > 0;
  for (size_t j = row_context->twin[c]; j != c; j = row_context->twin[j]) own_members++;
  if (background->members == own_members) return; /* no other column */
  count = reason->similar_rows = similar_cells(work, row_context, c);
  if (count == 0) return;
  if (background->column[c].role == ANORANK_ROLE_CATEGORICAL) {
    for (size_t i = 0; i < count; i++) same += work[i] == own;
    size_t level = commonest(work, count), most = 0;
    for (size_t i = 0; i < count; i++) most += work[i] == (double)level;
    reason->similar_level = ank_prepare_level(background->model->pipeline.prepare, c, level);
    reason->similar_share = (double)same / (double)count;
    reason->similar_level_share = (double)most / (double)count;
  } else if (background->column[c].role == ANORANK_ROLE_NUMERIC) {
    reason->similar_low = work[count / 10];
    reason->similar_high = work[count - 1 - count / 10];
  }
}
