/* drift_columns.c - changes of single columns.
 *
 * A column's distance is the largest difference between the shares of old and of new rows up to a value
 * (Kolmogorov and Smirnov; missing cells come before all values), or half the sum of the differences of its
 * levels' shares. Random choices of the old rows give the distribution under chance, for all columns at once.
 * A column's distance is standardised by its mean and deviation over the choices. Its p-value is the share of
 * choices in which the largest standardised distance of any column reaches it (Westfall and Young's max
 * step). So it is adjusted for the number of columns, and valid for any ties and dependence. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/alloc.h"
#include "core/parallel.h"
#include "drift/drift.h"
#include "kernels/sort.h"

enum { FEWEST_CHOICES = 60, FEWEST_PERMUTED = 1000, BATCH = 32 };

static const double most_work = 3e8, most_kept = 4e6; /* limits on cells processed, and on distances stored */
static const uint64_t first_choice = (uint64_t)1 << 41;

/* A column as groups of equal cells: group[i] of row i; the groups of numbers ascend, missing cells first. */
typedef struct grouped {
  uint32_t *group;
  uint32_t *all; /* rows of each group */
  uint32_t count;
  int ordered;
} grouped;

typedef struct comparing {
  const anorank_table *both;
  anorank_drift_column *column;
  grouped *cells; /* of each column */
  size_t columns, old_count, rows, choices;
  uint32_t most_groups;
  const size_t *row; /* indices into `both`, the old ones first */
  float *distance;   /* columns x (1 + choices): the observed one first */
  uint64_t seed;
  const anorank_settings *settings;
} comparing;

/* ---- one column -------------------------------------------------------------------------------------- */

static anorank_status group_cells(void *context, size_t k, anorank_error *err) {
  comparing *job = context;
  anorank_status status = ANORANK_OK;
  const ank_column *column = &job->both->column[job->column[k].place];
  anorank_settings alone = *job->settings;
  grouped *out = &job->cells[k];
  double *values = NULL;
  uint32_t *order = NULL;
  size_t n = job->rows;
  alone.threads = 1;
  out->ordered = column->kind != ANORANK_CATEGORICAL;
  out->count = out->ordered ? 1 : (uint32_t)column->levels.count + 1;
  ANK_TRY(ank_alloc_raw(&out->group, n, sizeof *out->group, err));
  if (out->ordered) {
    ANK_TRY(ank_alloc_raw(&values, n, sizeof *values, err));
    ANK_TRY(ank_alloc_raw(&order, n, sizeof *order, err));
    for (size_t i = 0; i < n; i++) {
      double x = column->numbers[job->row[i]];
      values[i] = isnan(x) ? -INFINITY : x;
    }
    ANK_TRY(ank_argsort(order, values, n, &alone, err));
    for (size_t i = 0; i < n; i++) {
      if (i > 0 && values[order[i]] != values[order[i - 1]]) out->count++;
      out->group[order[i]] = out->count - 1;
    }
  } else {
    for (size_t i = 0; i < n; i++) out->group[i] = (uint32_t)(column->codes[job->row[i]] + 1);
  }
  ANK_TRY(ank_alloc(&out->all, out->count, sizeof *out->all, err));
  for (size_t i = 0; i < n; i++) out->all[out->group[i]]++;
done:
  ank_free(values);
  ank_free(order);
  return status;
}

/* Compute the distance of a column with the labelled rows as old ones; `old` is zero before and after. */
static double distance_of(uint32_t *old, const grouped *cells, const unsigned char *labels, size_t old_count,
                          size_t rows) {
  double n = (double)old_count, m = (double)(rows - old_count), apart = 0, far = 0, sum = 0;
  for (size_t i = 0; i < rows; i++) old[cells->group[i]] += labels[i];
  for (uint32_t g = 0; g < cells->count; g++) {
    double step = (double)old[g] / n - (double)(cells->all[g] - old[g]) / m;
    apart += step;
    sum += fabs(step);
    if (fabs(apart) > far) far = fabs(apart);
    old[g] = 0;
  }
  return cells->ordered ? far : sum / 2;
}

/* ---- all of them, many times ------------------------------------------------------------------------- */

/* One batch of choices; the first of all is the observed one. */
static anorank_status compare_columns(void *context, size_t chunk, anorank_error *err) {
  comparing *job = context;
  anorank_status status = ANORANK_OK;
  uint32_t *old = NULL;
  unsigned char *labels = NULL;
  size_t from = chunk * BATCH, to = from + BATCH < 1 + job->choices ? from + BATCH : 1 + job->choices;
  ANK_TRY(ank_alloc(&old, job->most_groups, sizeof *old, err));
  ANK_TRY(ank_alloc_raw(&labels, job->rows, 1, err));
  for (size_t b = from; b < to; b++) {
    if (b == 0)
      for (size_t i = 0; i < job->rows; i++) labels[i] = i < job->old_count;
    else
      ank_drift_shuffle(labels, job->old_count, job->rows, job->seed, first_choice + b);
    for (size_t k = 0; k < job->columns; k++)
      job->distance[k * (1 + job->choices) + b] =
          (float)distance_of(old, &job->cells[k], labels, job->old_count, job->rows);
  }
done:
  ank_free(old);
  ank_free(labels);
  return status;
}

/* Turn distances into standardised departures from chance, in place; then into p-values. */
static anorank_status adjust(comparing *job, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  float *largest = NULL;
  size_t width = 1 + job->choices;
  ANK_TRY(ank_alloc_raw(&largest, job->choices, sizeof *largest, err));
  for (size_t b = 0; b < job->choices; b++) largest[b] = -INFINITY;
  for (size_t k = 0; k < job->columns; k++) {
    float *distance = job->distance + k * width;
    double mean = 0, squares = 0;
    for (size_t b = 1; b < width; b++) mean += (double)distance[b] / (double)job->choices;
    for (size_t b = 1; b < width; b++) squares += pow((double)distance[b] - mean, 2) / (double)job->choices;
    double sd = sqrt(squares);
    job->column[k].distance = (double)distance[0];
    for (size_t b = 0; b < width; b++)
      distance[b] = sd > 1e-9 ? (float)(((double)distance[b] - mean) / sd) : -INFINITY;
    for (size_t b = 0; b < job->choices; b++)
      if (distance[1 + b] > largest[b]) largest[b] = distance[1 + b];
  }
  for (size_t k = 0; k < job->columns; k++) {
    size_t reached = 0;
    for (size_t b = 0; b < job->choices; b++) reached += largest[b] >= job->distance[k * width];
    job->column[k].p_value = (double)(1 + reached) / (double)width;
  }
done:
  ank_free(largest);
  return status;
}

/* ---- the kind of change ------------------------------------------------------------------------------ */

/* Collect the values of one table's rows, ascending, and count them. */
static anorank_status take_values(double *values, size_t *there, const ank_column *column, size_t from,
                                  size_t count, const anorank_settings *settings, anorank_error *err) {
  *there = 0;
  for (size_t i = 0; i < count; i++)
    if (!isnan(column->numbers[from + i])) values[(*there)++] = column->numbers[from + i];
  return ank_sort(values, *there, settings, err);
}

/* Compute quartiles, missing cells, and the value up to which the shares differ most. */
static void describe_numbers(anorank_drift_column *out, double *const values[2], const size_t there[2],
                             const size_t count[2]) {
  size_t at[2] = {0, 0};
  double most = -1;
  for (int t = 0; t < 2; t++) {
    size_t last = there[t] ? there[t] - 1 : 0;
    out->missing[t] = 1 - (double)there[t] / (double)count[t];
    if (there[t] == 0) continue;
    out->low[t] = values[t][last / 4];
    out->median[t] = values[t][last / 2];
    out->high[t] = values[t][last * 3 / 4];
  }
  while (at[0] < there[0] || at[1] < there[1]) {
    int first = at[1] == there[1] || (at[0] < there[0] && values[0][at[0]] <= values[1][at[1]]) ? 0 : 1;
    double value = values[first][at[first]], share[2];
    for (int t = 0; t < 2; t++) {
      while (at[t] < there[t] && values[t][at[t]] <= value) at[t]++;
      share[t] = (double)at[t] / (double)count[t];
    }
    if (!(fabs(share[ANK_NEW] - share[ANK_OLD]) > most)) continue;
    most = fabs(share[ANK_NEW] - share[ANK_OLD]);
    out->at = value;
    memcpy(out->share, share, sizeof share);
  }
}

/* Find the level whose share changed most. */
static anorank_status describe_levels(anorank_drift_column *out, const ank_column *column,
                                      const anorank_drift *drift, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t levels = column->levels.count, *count = NULL, at = 0;
  double most = -1;
  ANK_TRY(ank_alloc(&count, 2 * (levels + 1), sizeof *count, err));
  for (int t = 0; t < 2; t++)
    for (size_t i = 0; i < drift->drawn[t]; i++) count[2 * (size_t)(column->codes[at++] + 1) + (size_t)t]++;
  for (size_t k = 0; k <= levels; k++) {
    double share[2];
    for (int t = 0; t < 2; t++) share[t] = (double)count[2 * k + (size_t)t] / (double)drift->drawn[t];
    if (k == 0) memcpy(out->missing, share, sizeof share);
    if (k == 0 || !(fabs(share[ANK_NEW] - share[ANK_OLD]) > most)) continue;
    most = fabs(share[ANK_NEW] - share[ANK_OLD]);
    memcpy(out->share, share, sizeof share);
    out->level = column->levels.text[k - 1];
  }
done:
  ank_free(count);
  return status;
}

static anorank_change change_of(const anorank_drift_column *c) {
  double gaps = fabs(c->missing[ANK_NEW] - c->missing[ANK_OLD]);
  if (gaps > c->distance / 2) return ANORANK_CHANGE_MISSING;
  if (c->level) return c->share[ANK_OLD] == 0 ? ANORANK_CHANGE_NEW_LEVEL : ANORANK_CHANGE_LEVELS;
  double old_spread = c->high[ANK_OLD] - c->low[ANK_OLD], new_spread = c->high[ANK_NEW] - c->low[ANK_NEW];
  double shift = c->median[ANK_NEW] - c->median[ANK_OLD], unit = fmax(old_spread, new_spread);
  if (fabs(shift) > 0.1 * unit && shift != 0) return shift > 0 ? ANORANK_CHANGE_HIGHER : ANORANK_CHANGE_LOWER;
  if (new_spread > 1.1 * old_spread) return ANORANK_CHANGE_WIDER;
  if (old_spread > 1.1 * new_spread) return ANORANK_CHANGE_NARROWER;
  return ANORANK_CHANGE_SHAPE;
}

static anorank_status describe(anorank_drift *drift, const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  double *values[2] = {NULL, NULL};
  size_t there[2];
  for (int t = 0; t < 2; t++) ANK_TRY(ank_alloc_raw(&values[t], drift->drawn[t], sizeof *values[t], err));
  for (size_t k = 0; k < drift->columns; k++) {
    anorank_drift_column *out = &drift->column[k];
    const ank_column *column = &drift->rows_of_both->column[out->place];
    out->at = (double)NAN;
    for (int t = 0; t < 2; t++) out->low[t] = out->median[t] = out->high[t] = out->share[t] = (double)NAN;
    if (column->kind == ANORANK_CATEGORICAL) {
      ANK_TRY(describe_levels(out, column, drift, err));
    } else {
      for (int t = 0; t < 2; t++)
        ANK_TRY(take_values(values[t], &there[t], column, t == ANK_NEW ? drift->drawn[ANK_OLD] : 0,
                            drift->drawn[t], settings, err));
      describe_numbers(out, values, there, drift->drawn);
    }
    out->change = change_of(out);
  }
done:
  ank_free(values[ANK_OLD]);
  ank_free(values[ANK_NEW]);
  return status;
}

/* ---- all columns ------------------------------------------------------------------------------------- */

/* The most certain change first: by p-value, then by distance, then as in the table. */
static int by_certainty(const void *a, const void *b) {
  const anorank_drift_column *x = a, *y = b;
  if (x->p_value != y->p_value) return x->p_value < y->p_value ? -1 : 1;
  if (x->distance != y->distance) return x->distance > y->distance ? -1 : 1;
  return x->place < y->place ? -1 : 1;
}

static int is_compared(anorank_role role) {
  return role == ANORANK_ROLE_NUMERIC || role == ANORANK_ROLE_CATEGORICAL || role == ANORANK_ROLE_CONSTANT;
}

/* Choose rows of each table within the limit of work; they are in random order already. */
static anorank_status choose_rows(comparing *job, size_t **row, const anorank_drift *drift,
                                  anorank_error *err) {
  double room = most_work / ((double)job->choices * (double)job->columns) / 2;
  size_t most = room < FEWEST_PERMUTED / 2 ? FEWEST_PERMUTED / 2 : (size_t)room, used = 0;
  size_t take[2];
  for (int t = 0; t < 2; t++) take[t] = drift->drawn[t] < most ? drift->drawn[t] : most;
  ANK_CHECK(ank_alloc_raw(row, take[ANK_OLD] + take[ANK_NEW], sizeof **row, err));
  for (int t = 0; t < 2; t++)
    for (size_t i = 0; i < take[t]; i++) (*row)[used++] = (t == ANK_NEW ? drift->drawn[ANK_OLD] : 0) + i;
  job->row = *row;
  job->old_count = take[ANK_OLD];
  job->rows = used;
  return ANORANK_OK;
}

anorank_status ank_drift_columns(anorank_drift *drift, const ank_prepare *prepare,
                                 const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t *row = NULL;
  comparing job = {.both = drift->rows_of_both, .seed = settings->seed, .settings = settings};
  ANK_TRY(ank_alloc(&drift->column, drift->rows_of_both->columns, sizeof *drift->column, err));
  for (size_t j = 0; j < drift->rows_of_both->columns; j++)
    if (is_compared(ank_prepare_column(prepare, j).role))
      drift->column[drift->columns++] = (anorank_drift_column){.name = drift->rows_of_both->column[j].name,
                                                               .kind = drift->rows_of_both->column[j].kind,
                                                               .place = j,
                                                               .importance = (double)NAN};
  if (drift->columns == 0) goto done;
  job.column = drift->column;
  job.columns = drift->columns;
  double room = most_kept / (double)job.columns;
  job.choices = (size_t)settings->permutations;
  if ((double)job.choices > room) job.choices = room < FEWEST_CHOICES ? FEWEST_CHOICES : (size_t)room;
  ANK_TRY(choose_rows(&job, &row, drift, err));
  ANK_TRY(ank_alloc_raw(&job.distance, job.columns * (1 + job.choices), sizeof *job.distance, err));
  ANK_TRY(ank_alloc(&job.cells, job.columns, sizeof *job.cells, err));
  ANK_TRY(ank_parallel(settings, job.columns, group_cells, &job, err));
  for (size_t k = 0; k < job.columns; k++)
    if (job.cells[k].count > job.most_groups) job.most_groups = job.cells[k].count;
  ANK_TRY(ank_parallel(settings, job.choices / BATCH + 1, compare_columns, &job, err));
  ANK_TRY(adjust(&job, err));
  ANK_TRY(describe(drift, settings, err));
  qsort(drift->column, drift->columns, sizeof *drift->column, by_certainty);
done:
  for (size_t k = 0; job.cells && k < job.columns; k++) {
    ank_free(job.cells[k].group);
    ank_free(job.cells[k].all);
  }
  ank_free(job.cells);
  ank_free(row);
  ank_free(job.distance);
  return status;
}
