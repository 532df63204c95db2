/* dependence.c - see dependence.h. */
#include "model/dependence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/alloc.h"
#include "core/method_constants.h"
#include "core/parallel.h"
#include "core/rng.h"
#include "kernels/sort.h"
#include "model/level_clock.h"
#include "prepare/prepare_parts.h"

enum {
  MOST_COLUMNS = 64, /* that count in the distance, evenly spread */
  MOST_LAGS = 16,
  RANKED = 2048, /* values that ranks are taken among */
  ANCHORS = 256, /* of a chunk */
  DRAW = 5,      /* number of the draw in ANK_STREAM_MODEL */
  NEAR_FIRST = 5,
  NEAR_LAST = 50,     /* how far others are in the local test */
  ENTITY_ROWS = 3,    /* fewest rows of an entity, on average */
  MANY_ENTITIES = 100 /* of which no single one matters */
};

#define DIFFERENT_LEVELS 0.5 /* two numbers differ by 1/3 in rank, on average */

/* The compared rows: row `anchor` of the order with those `lag` later, and with others. */
typedef struct pairs {
  size_t anchors, lags, width; /* width: lags + others */
  size_t lag[MOST_LAGS];
  size_t *anchor, *other; /* places in the order; other: anchors x width */
  double *distance;       /* anchors x width */
} pairs;

static void pairs_free(pairs *all) {
  ank_free(all->anchor);
  ank_free(all->other);
  ank_free(all->distance);
}

/* `local`: others are a few rows away instead of anywhere. */
static anorank_status pairs_make(pairs *out, size_t n, size_t most_lag, int local, uint64_t seed,
                                 anorank_error *err) {
  ank_rng rng;
  out->lags = 0;
  for (size_t lag = 1; out->lags < MOST_LAGS && lag <= most_lag; lag *= 2) out->lag[out->lags++] = lag;
  out->anchors = n - most_lag < ANK_DEPENDENCE_ROWS ? n - most_lag : ANK_DEPENDENCE_ROWS;
  out->width = out->lags + ANK_DEPENDENCE_OTHERS;
  ANK_CHECK(ank_alloc_raw(&out->anchor, out->anchors, sizeof *out->anchor, err));
  ANK_CHECK(ank_alloc_raw(&out->other, out->anchors * out->width, sizeof *out->other, err));
  ANK_CHECK(ank_alloc(&out->distance, out->anchors * out->width, sizeof *out->distance, err));
  for (size_t i = 0; i < out->anchors; i++) {
    size_t at = (size_t)((double)i * (double)(n - most_lag) / (double)out->anchors);
    size_t *other = out->other + i * out->width;
    out->anchor[i] = at;
    ank_rng_open(&rng, seed, ANK_STREAM_MODEL, DRAW + ((uint64_t)i << 8));
    for (size_t k = 0; k < out->lags; k++) other[k] = at + out->lag[k];
    for (size_t k = out->lags; k < out->width; k++) do {
        size_t step = NEAR_FIRST + (size_t)ank_rng_below(&rng, NEAR_LAST - NEAR_FIRST + 1);
        if (!local)
          other[k] = (size_t)ank_rng_below(&rng, n);
        else if (ank_rng_below(&rng, 2))
          other[k] = at + step < n ? at + step : at - step;
        else
          other[k] = at >= step ? at - step : at + step;
      } while (other[k] == at);
  }
  return ANORANK_OK;
}

/* The tested rows of a table, in order. */
typedef struct sequence {
  uint32_t *row;
  size_t count;
} sequence;

static size_t row_at(const sequence *order, size_t place) { return order->row[place]; }

/* Return how many of the sorted numbers (at least one) are below the value, or not above it. Without branches, which
 * would be mispredicted: the values come in no order. */
static size_t numbers_below(const double *sorted, size_t count, double value, int or_equal) {
  size_t from = 0;
  while (count > 1) {
    size_t half = count / 2;
    double last = sorted[from + half - 1];
    from += ((last < value) | (or_equal & (last == value))) ? half : 0;
    count -= half;
  }
  return from + (size_t)((sorted[from] < value) | (or_equal & (sorted[from] == value)));
}

/* Return the rank of a value among the sorted ones, in [0, 1]; ties get the middle. */
static double rank_of(const double *sorted, size_t count, double value) {
  size_t below = numbers_below(sorted, count, value, 0), most = below;
  if (below < count && sorted[below] == value) most = numbers_below(sorted, count, value, 1);
  return 0.5 * (double)(below + most) / (double)count;
}

static void add_levels(pairs *all, const ank_column *column, const sequence *order) {
  for (size_t i = 0; i < all->anchors; i++) {
    int32_t own = column->codes[row_at(order, all->anchor[i])];
    for (size_t k = 0; k < all->width; k++)
      if (column->codes[row_at(order, all->other[i * all->width + k])] != own)
        all->distance[i * all->width + k] += DIFFERENT_LEVELS;
  }
}

typedef struct number_ranks {
  pairs *all;
  const double *numbers;
  const sequence *order;
  double sorted[RANKED];
  size_t count;
} number_ranks;

static double number_rank(const number_ranks *work, size_t place) {
  double value = work->numbers[row_at(work->order, place)];
  return isnan(value) ? NAN : rank_of(work->sorted, work->count, value);
}

static anorank_status add_some(void *context, size_t chunk, anorank_error *err) {
  const number_ranks *work = context;
  pairs *all = work->all;
  (void)err;
  for (size_t i = chunk * ANCHORS; i < (chunk + 1) * ANCHORS && i < all->anchors; i++) {
    double own = number_rank(work, all->anchor[i]);
    for (size_t at = i * all->width; at < (i + 1) * all->width; at++) {
      double other = number_rank(work, all->other[at]), apart = fabs(own - other);
      all->distance[at] += isnan(apart) ? (isnan(own) && isnan(other) ? 0 : DIFFERENT_LEVELS) : apart;
    }
  }
  return ANORANK_OK;
}

static anorank_status add_numbers(pairs *all, const ank_column *column, size_t rows, const sequence *order,
                                  const anorank_settings *settings, anorank_error *err) {
  number_ranks work = {.all = all, .numbers = column->numbers, .order = order};
  size_t step = rows / RANKED + 1;
  for (size_t i = 0; i < rows && work.count < RANKED; i += step)
    if (!isnan(column->numbers[i])) work.sorted[work.count++] = column->numbers[i];
  if (work.count == 0) return ANORANK_OK;
  ANK_CHECK(ank_sort(work.sorted, work.count, settings, err));
  return ank_parallel(settings, (all->anchors + ANCHORS - 1) / ANCHORS, add_some, &work, err);
}

/* Compute the nearness of rows lag[k] later, and how many standard errors it is below 1/2. A row never counts as its own
 * follower. */
static void judge_lag(double *nearness, double *z, const pairs *all, size_t k) {
  double sum = 0, others = (double)(all->width - all->lags);
  size_t count = 0;
  for (size_t i = 0; i < all->anchors; i++) {
    const double *distance = all->distance + i * all->width;
    double nearer = 0;
    if (all->other[i * all->width + k] == all->anchor[i]) continue;
    for (size_t m = all->lags; m < all->width; m++)
      nearer += distance[m] < distance[k] ? 1 : distance[m] == distance[k] ? 0.5 : 0;
    sum += nearer / others;
    count++;
  }
  *nearness = count > 0 ? sum / (double)count : 0.5;
  *z = (0.5 - *nearness) / sqrt((others + 2) / (12 * others * (double)(count > 0 ? count : 1)));
}

static double share_nearest(const pairs *all) {
  size_t found = 0;
  for (size_t i = 0; i < all->anchors; i++) {
    const double *distance = all->distance + i * all->width;
    size_t m = all->lags;
    while (m < all->width && distance[0] < distance[m]) m++;
    found += m == all->width;
  }
  return (double)found / (double)all->anchors;
}

static anorank_status measure(pairs *all, const anorank_table *table, const ank_dependence_columns *columns,
                              size_t ignored, const sequence *order, const anorank_settings *settings,
                              anorank_error *err) {
  size_t step = columns->used_count / MOST_COLUMNS + 1;
  for (size_t j = 0; j < columns->used_count; j += step) {
    const ank_column *column = &table->column[columns->used[j]];
    if (columns->used[j] == ignored) continue;
    if (column->kind == ANORANK_CATEGORICAL)
      add_levels(all, column, order);
    else
      ANK_CHECK(add_numbers(all, column, table->rows, order, settings, err));
  }
  return ANORANK_OK;
}

/* Sort the rows that are not skipped by a column: its times, numbers or levels; equal rows keep their order. SIZE_MAX: the
 * order of the file. */
static anorank_status order_by(sequence *out, const anorank_table *table, const unsigned char *skip,
                               size_t column, const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const ank_column *by = column == SIZE_MAX ? NULL : &table->column[column];
  double *codes = NULL;
  size_t n = table->rows;
  out->count = 0;
  ank_free(out->row);
  out->row = NULL;
  ANK_TRY(ank_alloc_raw(&out->row, n, sizeof *out->row, err));
  if (by && by->kind == ANORANK_CATEGORICAL) {
    ANK_TRY(ank_alloc_raw(&codes, n, sizeof *codes, err));
    for (size_t i = 0; i < n; i++) codes[i] = by->codes[i];
  }
  if (by) ANK_TRY(ank_argsort(out->row, codes ? codes : by->numbers, n, settings, err));
  for (size_t i = 0; i < n; i++) {
    uint32_t row = by ? out->row[i] : (uint32_t)i;
    if (!skip || !skip[row]) out->row[out->count++] = row;
  }
done:
  ank_free(codes);
  return status;
}

/* ---- order ------------------------------------------------------------------------------------------- */

/* *out: |Spearman's correlation| of a column with the order, on up to RANKED rows; *strict: in all rows, each value is above (or
 * each is below) the previous one. *linear: |correlation| of the value itself. 0 where there are gaps. */
static anorank_status moves_with(double *out, int *strict, double *linear, const anorank_table *table,
                                 size_t column, const sequence *order, const anorank_settings *settings,
                                 anorank_error *err) {
  const double *number = table->column[column].numbers;
  double value[RANKED], sorted[RANKED];
  size_t n = order->count, step = n / RANKED + 1, count = 0, up = 0, down = 0;
  *out = *linear = 0;
  for (size_t i = 1; i < n; i++) {
    double before = number[row_at(order, i - 1)], now = number[row_at(order, i)];
    up += now > before;
    down += now < before;
  }
  *strict = (up == 0) != (down == 0); /* never reverses */
  for (size_t i = 0; i < n && count < RANKED; i += step) {
    value[count] = sorted[count] = number[row_at(order, i)];
    if (!isfinite(value[count])) return ANORANK_OK;
    count++;
  }
  ANK_CHECK(ank_sort(sorted, count, settings, err));
  double centre = 0.5 * ((double)count - 1), mean = 0, of_order = 0;
  double rank_both = 0, rank_square = 0, both = 0, square = 0;
  for (size_t i = 0; i < count; i++) mean += value[i] / (double)count;
  for (size_t i = 0; i < count; i++) {
    double at = (double)i - centre, rank = rank_of(sorted, count, value[i]) - 0.5, off = value[i] - mean;
    of_order += at * at;
    rank_both += rank * at;
    rank_square += rank * rank;
    both += off * at;
    square += off * off;
  }
  if (rank_square == 0 || square == 0) return ANORANK_OK;
  *linear = fabs(both) / sqrt(square * of_order);
  *out = fabs(rank_both) / sqrt(rank_square * of_order);
  return ANORANK_OK;
}

/* Return whether neighbours resemble each other more than rows slightly farther away. In a table of independent rows,
 * sorted by one column, they do not. */
static anorank_status test_locally(double *z, const anorank_table *table,
                                   const ank_dependence_columns *columns, size_t ignored,
                                   const sequence *order, const anorank_settings *settings,
                                   anorank_error *err) {
  anorank_status status = ANORANK_OK;
  pairs all = {0};
  double nearness;
  ANK_TRY(pairs_make(&all, order->count, 1, 1, settings->seed, err));
  ANK_TRY(measure(&all, table, columns, ignored, order, settings, err));
  judge_lag(&nearness, z, &all, 0);
done:
  pairs_free(&all);
  return status;
}

/* Whether the rows are merely sorted by one of the columns. */
static anorank_status is_sorted_only(int *out, const anorank_table *table,
                                     const ank_dependence_columns *columns, const sequence *order,
                                     const anorank_settings *settings, anorank_error *err) {
  *out = 0;
  for (size_t j = 0; j < columns->used_count && !*out; j++) {
    int strict;
    double with_order, linear, z;
    if (table->column[columns->used[j]].kind == ANORANK_CATEGORICAL) continue;
    ANK_CHECK(moves_with(&with_order, &strict, &linear, table, columns->used[j], order, settings, err));
    if (with_order < ANK_CLOCK_CORRELATION) continue;
    ANK_CHECK(test_locally(&z, table, columns, columns->used[j], order, settings, err));
    *out = z < ANK_DEPENDENCE_Z;
  }
  return ANORANK_OK;
}

/* Find the strongest lag, and the largest lag with a visible resemblance. */
static void judge_lags(anorank_dependence *out, const pairs *all) {
  double nearness, z;
  int seen = 1;
  *out = (anorank_dependence){.tested = 1, .rows = all->anchors, .nearness = 0.5};
  for (size_t k = 0; k < all->lags; k++) {
    judge_lag(&nearness, &z, all, k);
    if (k == 0 || z > out->z) out->nearness = nearness, out->z = z;
    seen = seen && z >= ANK_DEPENDENCE_Z;
    if (seen) out->reach = all->lag[k];
  }
  out->dependent = out->z >= ANK_DEPENDENCE_Z && out->nearness <= ANK_DEPENDENCE_NEARNESS;
  if (!out->dependent) out->reach = 0;
}

/* *nearest: the share of rows whose follower is nearer than all others. */
static anorank_status test_order(anorank_dependence *out, double *nearest, const anorank_table *table,
                                 const ank_dependence_columns *columns, const sequence *order,
                                 size_t most_lag, const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  pairs all = {0};
  ANK_TRY(pairs_make(&all, order->count, most_lag, 0, settings->seed, err));
  ANK_TRY(measure(&all, table, columns, SIZE_MAX, order, settings, err));
  judge_lags(out, &all);
  *nearest = share_nearest(&all);
done:
  pairs_free(&all);
  return status;
}

/* ---- entities ---------------------------------------------------------------------------------------- */

/* The number of distinct values; `order` sorts by them. */
static size_t count_entities(const anorank_table *table, size_t column, const sequence *order) {
  const ank_column *by = &table->column[column];
  const uint32_t *row = order->row;
  size_t distinct = order->count > 0;
  for (size_t i = 1; i < order->count; i++)
    distinct += by->kind == ANORANK_CATEGORICAL ? by->codes[row[i]] != by->codes[row[i - 1]]
                                                : by->numbers[row[i]] != by->numbers[row[i - 1]];
  return distinct;
}

/* Dependent rows invalidate a rate if there are few entities, or if the next row of an entity is mostly nearer than any
 * other row: a row of a new entity is then farther from the rest than training rows are. Rows of many entities that
 * merely share some values are harmless. */
static anorank_status test_entities(anorank_dependence *out, const anorank_table *table,
                                    const ank_dependence_columns *columns, const anorank_settings *settings,
                                    anorank_error *err) {
  anorank_status status = ANORANK_OK;
  sequence order = {0};
  for (size_t j = 0; j < columns->entity_count && !out->dependent; j++) {
    anorank_dependence one = {0};
    double nearest;
    ANK_TRY(order_by(&order, table, columns->skip, columns->entities[j], settings, err));
    size_t entities = count_entities(table, columns->entities[j], &order), level;
    ANK_TRY(ank_level_clock(&level, table, columns->entities[j], err));
    if (level != SIZE_MAX || entities < 2 || entities * ENTITY_ROWS > order.count) continue;
    ANK_TRY(test_order(&one, &nearest, table, columns, &order, 1, settings, err));
    if (!one.dependent || (entities >= MANY_ENTITIES && nearest <= ANK_DEPENDENCE_NEAREST)) continue;
    one.reach = 0;
    const char *name = table->column[columns->entities[j]].name;
    size_t length = strlen(name) < sizeof one.entity ? strlen(name) : sizeof one.entity - 1;
    while (length > 0 && ((unsigned char)name[length] & 0xc0) == 0x80) length--; /* not within a character */
    memcpy(one.entity, name, length);
    *out = one;
  }
done:
  ank_free(order.row);
  return status;
}

anorank_status ank_dependence_test(anorank_dependence *out, const anorank_table *table,
                                   const ank_dependence_columns *columns, const anorank_settings *settings,
                                   anorank_error *err) {
  anorank_status status = ANORANK_OK;
  sequence order = {0};
  double nearest;
  int sorted = 0;
  *out = (anorank_dependence){0};
  if (table->rows < ANK_DEPENDENCE_FEWEST || columns->used_count == 0) return ANORANK_OK;
  ANK_TRY(order_by(&order, table, columns->skip, columns->time, settings, err));
  if (order.count < ANK_DEPENDENCE_FEWEST) goto done;
  ANK_TRY(test_order(out, &nearest, table, columns, &order, order.count / 4, settings, err));
  if (out->dependent) ANK_TRY(is_sorted_only(&sorted, table, columns, &order, settings, err));
  if (sorted) out->dependent = 0, out->reach = 0;
  if (!out->dependent) ANK_TRY(test_entities(out, table, columns, settings, err));
done:
  ank_free(order.row);
  return status;
}

/* The column that the setting `time` names; SIZE_MAX: none. */
static size_t time_of(const anorank_table *table, const anorank_settings *settings) {
  size_t j = *settings->time ? ank_table_find(table, settings->time, strlen(settings->time)) : SIZE_MAX;
  return j != SIZE_MAX && table->column[j].kind == ANORANK_CATEGORICAL ? SIZE_MAX : j;
}

/* Columns by the roles of a preparation. `used` and `entities` have room for all of them. */
static ank_dependence_columns choose_columns(size_t *used, size_t *entities, const anorank_table *table,
                                             const ank_prepare *prepare, const ank_match *match,
                                             const anorank_settings *settings) {
  ank_dependence_columns chosen = {.used = used, .entities = entities, .time = time_of(table, settings)};
  for (size_t c = 0; c < ank_prepare_columns(prepare); c++) {
    size_t at = match ? ank_match_column(match, c) : c;
    anorank_role role = ank_prepare_column(prepare, c).role;
    if (at == SIZE_MAX) continue;
    if ((role == ANORANK_ROLE_NUMERIC || role == ANORANK_ROLE_CATEGORICAL) &&
        !ank_name_says_calendar(ank_prepare_column(prepare, c).name))
      used[chosen.used_count++] = at;
    if (role == ANORANK_ROLE_ID && at != chosen.time && table->column[at].kind != ANORANK_TIME &&
        !ank_name_says_time(table->column[at].name))
      entities[chosen.entity_count++] = at;
  }
  return chosen;
}

anorank_status ank_dependence_of_table(anorank_dependence *out, const anorank_table *table,
                                       const ank_prepare *prepare, const ank_match *match,
                                       const unsigned char *skip, const anorank_settings *settings,
                                       anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t *used = NULL, *entities = NULL, columns = ank_prepare_columns(prepare);
  *out = (anorank_dependence){0};
  if (!match && columns != table->columns) return ANORANK_OK;
  ANK_TRY(ank_alloc_raw(&used, columns, sizeof *used, err));
  ANK_TRY(ank_alloc_raw(&entities, columns, sizeof *entities, err));
  ank_dependence_columns chosen = choose_columns(used, entities, table, prepare, match, settings);
  chosen.skip = skip;
  ANK_TRY(ank_dependence_test(out, table, &chosen, settings, err));
done:
  ank_free(used);
  ank_free(entities);
  return status;
}

/* ---- reach ------------------------------------------------------------------------------------------- */

/* Followers and others are of the same entity; without one, the row itself is used. */
static anorank_status pairs_within(pairs *out, const ank_sequences *rows, uint64_t seed, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t n = rows->rows, *from = NULL, *end = NULL;
  ank_rng rng;
  ANK_TRY(ank_alloc_raw(&from, n, sizeof *from, err));
  ANK_TRY(ank_alloc_raw(&end, n, sizeof *end, err));
  for (size_t k = 0; k < n; k++)
    from[k] = k > 0 && rows->entity[rows->order[k]] == rows->entity[rows->order[k - 1]] ? from[k - 1] : k;
  for (size_t k = n; k-- > 0;) end[k] = k + 1 < n && from[k + 1] == from[k] ? end[k + 1] : k + 1;
  out->lags = 0;
  for (size_t lag = 1; out->lags < MOST_LAGS && lag <= n / 4; lag *= 2) out->lag[out->lags++] = lag;
  out->anchors = n < ANK_DEPENDENCE_ROWS ? n : ANK_DEPENDENCE_ROWS;
  out->width = out->lags + ANK_DEPENDENCE_OTHERS;
  ANK_TRY(ank_alloc_raw(&out->anchor, out->anchors, sizeof *out->anchor, err));
  ANK_TRY(ank_alloc_raw(&out->other, out->anchors * out->width, sizeof *out->other, err));
  ANK_TRY(ank_alloc(&out->distance, out->anchors * out->width, sizeof *out->distance, err));
  for (size_t i = 0; i < out->anchors; i++) {
    size_t at = out->anchor[i] = (size_t)((double)i * (double)n / (double)out->anchors);
    size_t *other = out->other + i * out->width, own = end[at] - from[at];
    ank_rng_open(&rng, seed, ANK_STREAM_MODEL, DRAW + ((uint64_t)i << 8));
    for (size_t k = 0; k < out->lags; k++)
      other[k] = at + out->lag[k] < end[at] && 4 * out->lag[k] <= own ? at + out->lag[k] : at;
    for (size_t k = out->lags; k < out->width; k++) {
      size_t step = own > 1 ? 1 + (size_t)ank_rng_below(&rng, own - 1) : 0;
      other[k] = from[at] + (at - from[at] + step) % own;
    }
  }
done:
  ank_free(from);
  ank_free(end);
  return status;
}

anorank_status ank_dependence_reach(size_t *out, const anorank_table *table, const ank_prepare *prepare,
                                    const ank_sequences *rows, const anorank_settings *settings,
                                    anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t *used = NULL, *entities = NULL, columns = ank_prepare_columns(prepare);
  sequence order = {.row = rows->order, .count = rows->rows};
  anorank_dependence found;
  pairs all = {0};
  *out = 0;
  if (columns != table->columns || table->rows < ANK_DEPENDENCE_FEWEST) return ANORANK_OK;
  ANK_TRY(ank_alloc_raw(&used, columns, sizeof *used, err));
  ANK_TRY(ank_alloc_raw(&entities, columns, sizeof *entities, err));
  ank_dependence_columns chosen = choose_columns(used, entities, table, prepare, NULL, settings);
  ANK_TRY(pairs_within(&all, rows, settings->seed, err));
  ANK_TRY(measure(&all, table, &chosen, SIZE_MAX, &order, settings, err));
  judge_lags(&found, &all);
  *out = found.reach;
done:
  ank_free(used);
  ank_free(entities);
  pairs_free(&all);
  return status;
}

/* ---- clocks ------------------------------------------------------------------------------------------ */

/* Return whether it has another role: row number, identifier or date. */
static anorank_status has_role(int *out, const anorank_table *table, size_t column,
                               const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const ank_column *from = &table->column[column];
  double *sorted = NULL;
  size_t finite = 0;
  ANK_TRY(ank_alloc_raw(&sorted, table->rows, sizeof *sorted, err));
  for (size_t i = 0; i < table->rows; i++)
    if (isfinite(from->numbers[i])) sorted[finite++] = from->numbers[i];
  ANK_TRY(ank_sort(sorted, finite, settings, err));
  *out = ank_look_role(ank_look_at_numbers(from->name, from->numbers, table->rows, sorted, finite)) !=
         ANORANK_ROLE_NUMERIC;
done:
  ank_free(sorted);
  return status;
}

/* A column that rises with the rows is a counter or a sort key. It is a clock if it rises evenly (or does so within each
 * level of a text column), if its name says so, or if neighbours resemble each other in the other columns, too. Otherwise
 * the rows are independent and sorted by a measurement. */
anorank_status ank_clocks_find(unsigned char *marks, const anorank_table *table,
                               const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t *used = NULL, level;
  sequence order = {0};
  ank_dependence_columns columns = {.time = time_of(table, settings)};
  ANK_TRY(ank_alloc_raw(&used, table->columns, sizeof *used, err));
  ANK_TRY(order_by(&order, table, NULL, columns.time, settings, err));
  for (size_t j = 0; j < table->columns; j++)
    if (marks[j]) used[columns.used_count++] = j;
  columns.used = used;
  for (size_t j = 0; j < table->columns; j++) {
    int looked_at = marks[j] && table->column[j].kind == ANORANK_NUMERIC && j != columns.time, strict, known;
    double with_order, linear, z = 0;
    marks[j] = 0;
    if (!looked_at || table->rows < ANK_DEPENDENCE_FEWEST) continue;
    ANK_TRY(moves_with(&with_order, &strict, &linear, table, j, &order, settings, err));
    if (!strict && with_order < ANK_CLOCK_CORRELATION) {
      ANK_TRY(ank_level_clock(&level, table, j, err));
      marks[j] = level != SIZE_MAX;
      continue;
    }
    ANK_TRY(has_role(&known, table, j, settings, err));
    if (known) continue;
    marks[j] = linear >= ANK_CLOCK_LINEAR || ank_name_says_time(table->column[j].name);
    if (marks[j]) continue;
    ANK_TRY(test_locally(&z, table, &columns, j, &order, settings, err));
    marks[j] = z >= ANK_DEPENDENCE_Z;
  }
done:
  ank_free(used);
  ank_free(order.row);
  return status;
}
