/* context_fit.c - the fit on all training rows: logarithms, seasons, trends, levels and units. */
#include <math.h>
#include <string.h>

#include "context/context_parts.h"
#include "core/alloc.h"
#include "kernels/sort.h"

#define NORMAL_SPREAD 1.4826 /* standard deviation of a normal value in median absolute deviations */
#define LOG_SPAN 4.0         /* 95 % over 5 % quantile from which logarithms of positive values are used */
#define LOG_TINY 1e-3        /* unless one in a hundred is smaller than this part of the median */
#define TREND 0.8            /* rank correlation with time that makes a column follow it */
#define SPREAD_ROWS 5        /* of an entity, for its spread to be compared with others */
#define TREND_ROWS 10        /* of an entity, to say anything about it */
#define LEAST_SPREAD 0.05    /* of the standard deviation */
#define LEAST_CHANGE 0.01
#define LEAST_BETWEEN 1e-3
#define ALONE_WEIGHT 5.0 /* rows that the spread of one entity weighs; of many, up to 50 */
#define FELLOW_WEIGHT 45.0
#define FELLOWS 9.0
#define DIFFERENT_WEIGHT 8.0 /* of entities whose spreads differ by a factor e */
#define SPREAD_NOISE 1.36    /* variance of the log of a spread by medians, times rows: normal law */
#define LEAST_TAIL 0.2       /* spreads in which the tail of an event falls by a factor e, at least */
#define LEAST_SPREADS 5      /* entities whose spreads are compared */

enum {
  LEARN_ROWS = 200000,  /* with more rows, only a part of the entities is used */
  LEAST_ENTITIES = 1000 /* but no fewer */
};

static const double time_constants[] = {1.25, 2, 5, 10, 20, 50};

/* A column of one key during the fit. */
typedef struct learning {
  ank_key *key;
  size_t column, entities;
  double learns;     /* rows after which the level of an entity holds */
  uint32_t *grouped; /* rows by entity, each in time order */
  size_t *start;     /* of each entity among them */
  size_t rows;
  double *value;        /* of these rows */
  double skill, steady; /* sum over columns without trend, and their number */
  double *work, *more;
} learning;

static anorank_status median_of(double *out, double *values, size_t n, anorank_error *err) {
  *out = 0;
  if (n == 0) return ANORANK_OK;
  ANK_CHECK(ank_sort(values, n, NULL, err));
  *out = n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
  return ANORANK_OK;
}

static anorank_status spread_of(double *median, double *spread, double *values, size_t n,
                                anorank_error *err) {
  ANK_CHECK(median_of(median, values, n, err));
  for (size_t i = 0; i < n; i++) values[i] = fabs(values[i] - *median);
  ANK_CHECK(median_of(spread, values, n, err));
  *spread *= NORMAL_SPREAD;
  return ANORANK_OK;
}

/* The finite values of entity e in time order, into `work`. */
static size_t values_of(const learning *of, size_t e) {
  size_t filled = 0;
  for (size_t k = of->start[e]; k < of->start[e + 1]; k++)
    if (isfinite(of->value[k])) of->work[filled++] = of->value[k];
  return filled;
}

/* The variation of the spreads of the entities: the spread of their logarithms. */
static anorank_status difference_of_spreads(double *out, size_t *known, learning *of, int logs,
                                            anorank_error *err) {
  anorank_status status = ANORANK_OK;
  double *spreads = NULL, median;
  *known = 0;
  ANK_TRY(ank_alloc_raw(&spreads, of->entities, sizeof *spreads, err));
  for (size_t e = 0; e < of->entities; e++) {
    size_t n = values_of(of, e);
    for (size_t i = 0; logs && i < n; i++) of->work[i] = log(of->work[i]);
    if (n < SPREAD_ROWS) continue;
    ANK_TRY(spread_of(&median, &spreads[*known], of->work, n, err));
    if (spreads[*known] > 0) spreads[*known] = log(spreads[*known]), ++*known;
  }
  ANK_TRY(spread_of(&median, out, spreads, *known, err));
done:
  ank_free(spreads);
  return status;
}

/* Use logarithms for positive values with a wide range; with several entities, only if logarithms make their spreads more
 * alike. */
static anorank_status choose_logs(ank_usual *usual, learning *of, anorank_error *err) {
  size_t filled = 0, n = of->rows, known;
  double plain, in_logs;
  for (size_t i = 0; i < n; i++)
    if (isfinite(of->value[i])) of->work[filled++] = of->value[i];
  usual->logs = 0;
  if (filled < 10) return ANORANK_OK;
  ANK_CHECK(ank_sort(of->work, filled, NULL, err));
  const double *sorted = of->work;
  usual->logs = sorted[0] > 0 && sorted[filled * 95 / 100] >= LOG_SPAN * sorted[filled / 20] &&
                sorted[filled / 100] >= LOG_TINY * sorted[filled / 2];
  if (!usual->logs) return ANORANK_OK;
  ANK_CHECK(difference_of_spreads(&plain, &known, of, 0, err));
  ANK_CHECK(difference_of_spreads(&in_logs, &known, of, 1, err));
  if (known >= 3) usual->logs = in_logs < plain;
  for (size_t i = 0; usual->logs && i < n; i++) of->value[i] = log(of->value[i]);
  return ANORANK_OK;
}

/* Return whether half of the rows belong to entities whose values follow time. */
static anorank_status find_trend(ank_usual *usual, learning *of, anorank_error *err) {
  size_t seen = 0, following = 0;
  for (size_t e = 0; e < of->entities; e++) {
    size_t n = values_of(of, e);
    double sum = 0, squares = 0, middle = ((double)n + 1) / 2;
    if (n < TREND_ROWS) continue;
    ANK_CHECK(ank_rank(of->more, of->work, n, ANORANK_TIES_MID, NULL, err));
    for (size_t i = 0; i < n; i++) {
      sum += (of->more[i] - middle) * ((double)i + 1 - middle);
      squares += (of->more[i] - middle) * (of->more[i] - middle);
    }
    double along = ((double)n * (double)n - 1) * (double)n / 12;
    seen += n;
    following += squares > 0 && fabs(sum) >= TREND * sqrt(squares * along) ? n : 0;
  }
  usual->trends = 2 * following > seen;
  return ANORANK_OK;
}

/* Return the weight of the population's spread, in rows: smaller, the more the log spreads of entities differ beyond noise.
 * `noise` is the sum of their variances. */
static anorank_status weigh_spread(double *weight, double *spreads, size_t known, double noise,
                                   size_t entities, anorank_error *err) {
  double unused, differ;
  ANK_CHECK(spread_of(&unused, &differ, spreads, known, err));
  double between = differ * differ - noise / fmax((double)known, 1);
  *weight = ALONE_WEIGHT + FELLOW_WEIGHT * ((double)entities - 1) / ((double)entities + FELLOWS);
  if (known >= LEAST_SPREADS && between > 0)
    *weight = fmax(ALONE_WEIGHT, fmin(*weight, DIFFERENT_WEIGHT / between));
  return ANORANK_OK;
}

static anorank_status find_levels(ank_usual *usual, learning *of, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  double *medians = NULL, *spreads = NULL, *logs = NULL, *changes = NULL;
  double sum = 0, squares = 0, first = NAN, noise = 0;
  size_t known = 0, changed = 0, filled = 0, compared = 0;
  ANK_TRY(ank_alloc_raw(&medians, of->entities, sizeof *medians, err));
  ANK_TRY(ank_alloc_raw(&logs, of->entities, sizeof *logs, err));
  ANK_TRY(ank_alloc_raw(&spreads, of->entities, sizeof *spreads, err));
  ANK_TRY(ank_alloc_raw(&changes, of->rows, sizeof *changes, err));
  for (size_t e = 0; e < of->entities; e++) {
    size_t n = values_of(of, e);
    if (n == 0) continue;
    if (isnan(first)) first = of->work[0];
    for (size_t i = 1; i < n; i++) changes[changed++] = of->work[i] - of->work[i - 1];
    for (size_t i = 0; i < n; i++) sum += of->work[i];
    filled += n;
    ANK_TRY(spread_of(&medians[known], &spreads[known], of->work, n, err));
    if (n >= SPREAD_ROWS && spreads[known] > 0 && !usual->trends) {
      logs[compared++] = log(spreads[known]);
      noise += SPREAD_NOISE / (double)n;
    }
    known++;
  }
  for (size_t i = 0; i < of->rows; i++)
    if (isfinite(of->value[i]))
      squares += (of->value[i] - sum / (double)filled) * (of->value[i] - sum / (double)filled);
  double sd = filled > 0 ? sqrt(squares / (double)filled) : 0, unused;
  usual->used = sd > 0 && known > 0;
  if (!usual->used) goto done;
  ANK_TRY(median_of(&usual->within, spreads, known, err));
  ANK_TRY(spread_of(&unused, &usual->change, changes, changed, err));
  ANK_TRY(spread_of(&usual->level, &usual->between, medians, known, err));
  if (of->entities == 1) {
    usual->level = first;
    usual->between = sd;
  }
  usual->least_spread = LEAST_SPREAD * sd;
  usual->least_change = LEAST_CHANGE * sd;
  usual->between = fmax(usual->between, LEAST_BETWEEN * sd);
  usual->within = fmax(usual->within, usual->least_spread);
  usual->change = fmax(usual->change / sqrt(2), usual->least_change);
  ANK_TRY(weigh_spread(&usual->weight, logs, compared, noise, of->entities, err));
done:
  ank_free(logs);
  ank_free(medians);
  ank_free(spreads);
  ank_free(changes);
  return status;
}

/* Find the time constant with which the recent level predicts the next value best, and with it the units. `skill`: mean log
 * of how much nearer a value is to the level of its entity than to that of all. */
static anorank_status find_units(double *skill, ank_usual *usual, learning *of, double gain,
                                 anorank_error *err) {
  double best = INFINITY, chosen = time_constants[0], nearer = 0, compared = 0, least = usual->least_spread;
  size_t most = of->rows > 2 * LEARN_ROWS ? LEARN_ROWS / of->entities + 1 : SIZE_MAX; /* rows of an entity */
  for (size_t c = 0; c <= sizeof time_constants / sizeof time_constants[0]; c++) {
    int last = c == sizeof time_constants / sizeof time_constants[0];
    size_t filled = 0;
    usual->time_constant = last ? chosen : time_constants[c];
    for (int d = 0; d < (last ? ANK_DEVIATIONS : 1); d++) {
      filled = 0;
      for (size_t e = 0; e < of->entities; e++) {
        ank_track track;
        ank_track_start(&track, usual);
        for (size_t k = of->start[e]; k < of->start[e + 1] && k - of->start[e] < most; k++) {
          double value = of->value[k], recent = (double)track.recent, level = (double)track.level;
          int known = track.rows > 0;
          ank_step step;
          ank_track_step(&step, &track, usual, value, value, fmax(gain, 1 / ((double)track.rows + 1)));
          if (!isfinite(value)) continue;
          if (last && d == ANK_USUAL && known) {
            nearer += log((fabs(value - usual->level) + least) / (fabs(value - level) + least));
            compared++;
          }
          if (last)
            of->work[filled++] = fabs(step.deviation[d]);
          else if (known)
            of->work[filled++] = fabs(value - recent);
        }
      }
      double median;
      ANK_CHECK(median_of(&median, of->work, filled, err));
      if (last)
        usual->unit[d] = fmax(median * NORMAL_SPREAD, 1);
      else if (median < best)
        best = median, chosen = usual->time_constant;
    }
  }
  *skill = compared > 0 ? nearer / compared : 0;
  return ANORANK_OK;
}

static void take_values(learning *of, const double *values) {
  for (size_t k = 0; k < of->rows; k++) of->value[k] = values[of->grouped[k]];
}

/* Subtract the season of the column, estimated on all rows. */
static anorank_status take_season_off(ank_usual *usual, learning *of, const double *cells,
                                      const uint32_t *entity, size_t entities, const ank_context_rows *rows,
                                      anorank_error *err) {
  anorank_status status = ANORANK_OK;
  double *values = NULL;
  ANK_TRY(ank_alloc_raw(&values, rows->rows, sizeof *values, err));
  for (size_t i = 0; i < rows->rows; i++) values[i] = usual->logs ? log(cells[i]) : cells[i];
  ANK_TRY(ank_season_learn(usual, values, entity, rows, entities, err));
  take_values(of, values);
done:
  ank_free(values);
  return status;
}

static anorank_status learn_column(learning *of, const ank_context *context, const double *cells,
                                   const uint32_t *entity, size_t entities, const ank_context_rows *rows,
                                   anorank_error *err) {
  ank_usual *usual = &of->key->usual[of->column];
  usual->learns = of->learns;
  take_values(of, cells);
  ANK_CHECK(choose_logs(usual, of, err));
  if (context->moments && rows->time && rows->rows > 0)
    ANK_CHECK(take_season_off(usual, of, cells, entity, entities, rows, err));
  ANK_CHECK(find_trend(usual, of, err));
  ANK_CHECK(find_levels(usual, of, err));
  double skill, gain = context->window_seconds ? ANK_USUAL_GAIN : 1 / context->window;
  if (!usual->used) return ANORANK_OK;
  ANK_CHECK(find_units(&skill, usual, of, gain, err));
  if (!usual->trends) of->skill += skill, of->steady++;
  return ANORANK_OK;
}

/* How far the training rows are from the level of an event. */
static anorank_status find_tail(ank_tail *tail, const ank_usual *usual, learning *of, anorank_error *err) {
  size_t filled = 0;
  for (size_t e = 0; e < of->entities; e++) {
    float level = (float)usual->level, spread = (float)usual->within;
    double seen = 0;
    for (size_t k = of->start[e]; k < of->start[e + 1]; k++)
      if (isfinite(of->value[k]))
        of->work[filled++] = ank_level_step(&level, &spread, seen++, usual, of->value[k]);
  }
  return ank_tail_find(tail, of->work, filled, LEAST_TAIL, err);
}

/* The logarithms of one event of all rows, NaN in the first row of an entity. */
static anorank_status fill_event(double *out, const ank_rhythm *rhythm, size_t event,
                                 const ank_context_rows *rows, const uint32_t *entity, size_t entities,
                                 anorank_error *err) {
  anorank_status status = ANORANK_OK;
  double *last = NULL, *count = NULL;
  ANK_TRY(ank_alloc_raw(&last, entities, sizeof *last, err));
  ANK_TRY(ank_alloc(&count, entities, sizeof *count, err));
  for (size_t k = 0; k < rows->rows; k++) {
    size_t i = rows->order[k], e = entity[i];
    int first = count[e] == 0;
    double gap = first ? 0 : rows->time[i] - last[e];
    count[e] = first || event == ANK_GAP ? 1 : ank_rhythm_count(rhythm, event, count[e], gap);
    out[i] = first ? NAN : log(event == ANK_GAP ? gap + rhythm->least : count[e]);
    last[e] = rows->time[i];
  }
done:
  ank_free(last);
  ank_free(count);
  return status;
}

/* When rows occur, where that is irregular. */
static anorank_status learn_rhythm(learning *of, const ank_context *context, const uint32_t *entity,
                                   size_t entities, const ank_context_rows *rows, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  double *values = NULL;
  ank_rhythm *rhythm = NULL;
  int used = 1;
  if (!rows->time || rows->rows == 0) return ANORANK_OK;
  ANK_TRY(ank_rhythm_find(&rhythm, context, rows->time, of->grouped, of->start, of->entities, of->work, err));
  if (!rhythm) goto done;
  ANK_TRY(ank_alloc_raw(&values, rows->rows, sizeof *values, err));
  for (size_t d = 0; d < rhythm->events && used; d++) {
    ank_usual *usual = &rhythm->usual[d];
    usual->learns = of->learns;
    usual->time_constant = 1;
    ANK_TRY(fill_event(values, rhythm, d, rows, entity, entities, err));
    if (context->moments) ANK_TRY(ank_season_learn(usual, values, entity, rows, entities, err));
    take_values(of, values);
    ANK_TRY(find_levels(usual, of, err));
    used = usual->used;
    for (int unit = 0; unit < ANK_DEVIATIONS; unit++) usual->unit[unit] = 1;
    if (used) ANK_TRY(find_tail(&rhythm->tail[d], usual, of, err));
  }
  if (used) {
    of->key->rhythm = rhythm;
    rhythm = NULL;
  }
done:
  ank_free(values);
  ank_free(rhythm);
  return status;
}

/* Whether an entity is one in `every`: multiples of the golden ratio do not follow any pattern of the file. */
static int is_chosen(size_t entity, size_t every) {
  return (uint64_t)((uint32_t)entity * 2654435769u) * every >> 32 == 0;
}

/* Rows by entity; of large tables with many entities, those of a part of them. */
static anorank_status group_rows(learning *of, const ank_context *context, const ank_context_rows *rows,
                                 const uint32_t *entity, size_t entities, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t every = rows->rows / LEARN_ROWS, many = entities / LEAST_ENTITIES, longest = 0, *count = NULL;
  uint32_t *number = NULL; /* among those chosen */
  if (every > many) every = many;
  if (every < 1) every = 1;
  ANK_TRY(ank_alloc(&count, entities, sizeof *count, err));
  ANK_TRY(ank_alloc_raw(&number, entities, sizeof *number, err));
  ANK_TRY(ank_alloc(&of->start, entities + 2, sizeof *of->start, err));
  for (size_t i = 0; i < rows->rows; i++) count[entity[i]]++;
  for (size_t e = 0; e < entities; e++) {
    if (count[e] > longest) longest = count[e];
    number[e] = is_chosen(e, every) ? (uint32_t)of->entities : ANK_NO_ENTITY;
    if (number[e] == ANK_NO_ENTITY) continue;
    of->start[of->entities + 2] = of->start[of->entities + 1] + count[e];
    of->entities++;
  }
  /* Training rows that are believed normal are the reference: the longest history is as much as an entity learns from,
   * so that a persistent fault does not become usual. */
  of->learns = context->reference ? (double)longest : ANK_LEARNS_ALWAYS;
  of->rows = of->start[of->entities + 1];
  ANK_TRY(ank_alloc_raw(&of->grouped, of->rows, sizeof *of->grouped, err));
  for (size_t k = 0; k < rows->rows; k++) {
    uint32_t e = number[entity[rows->order[k]]];
    if (e != ANK_NO_ENTITY) of->grouped[of->start[e + 1]++] = rows->order[k];
  }
done:
  ank_free(count);
  ank_free(number);
  return status;
}

anorank_status ank_context_learn(ank_key *key, const ank_context *context, const ank_context_rows *rows,
                                 const uint32_t *entity, size_t entities, const double *const *cells,
                                 const ank_cells *levels, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  learning of = {.key = key};
  ANK_TRY(ank_alloc(&key->usual, context->columns, sizeof *key->usual, err));
  ANK_TRY(group_rows(&of, context, rows, entity, entities, err));
  ANK_TRY(ank_alloc_raw(&of.value, of.rows, sizeof *of.value, err));
  ANK_TRY(ank_alloc_raw(&of.work, of.rows, sizeof *of.work, err));
  ANK_TRY(ank_alloc_raw(&of.more, of.rows, sizeof *of.more, err));
  for (of.column = 0; of.column < context->columns; of.column++)
    ANK_TRY(learn_column(&of, context, cells[of.column], entity, entities, rows, err));
  ANK_TRY(ank_joint_learn(key, context, rows, cells, of.grouped, of.start, of.entities, err));
  ANK_TRY(learn_rhythm(&of, context, entity, entities, rows, err));
  key->learns = of.learns;
  key->skill = of.steady > 0 ? of.skill / of.steady : 0;
  ANK_TRY(ank_habits_learn(key, context, levels, of.grouped, of.start, of.entities, of.work, err));
  key->extra = ank_key_extra(key, context);
done:
  ank_free(of.value);
  ank_free(of.work);
  ank_free(of.more);
  ank_free(of.grouped);
  ank_free(of.start);
  return status;
}
