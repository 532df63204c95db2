/* context_run.c - one pass over rows, block by block: the recursion of context.h and what it remembers. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "context/context_parts.h"
#include "core/alloc.h"

/* The source of the state of a row's entity: the run, the population, or entity number START_FROM + e of the history. */
enum { START_NOT = 0, START_BLANK = 1, START_FROM = 2 };

/* ---- keys -------------------------------------------------------------------------------------------- */

static void forget_entities(ank_key *key) {
  ank_entity_names_free(&key->names);
  ank_free(key->entity);
  ank_free(key->track);
  ank_free(key->more);
  key->entity = NULL;
  key->track = NULL;
  key->more = NULL;
  key->capacity = 0;
}

void ank_key_unlearn(ank_key *key) {
  ank_free(key->usual);
  ank_free(key->rhythm);
  ank_free(key->habit);
  ank_joint_free(&key->joint);
  key->usual = NULL;
  key->rhythm = NULL;
  key->habit = NULL;
}

void ank_key_free(ank_key *key) {
  forget_entities(key);
  ank_free(key->by);
  ank_key_unlearn(key);
}

size_t ank_key_extra(const ank_key *key, const ank_context *context) {
  size_t extra = ank_rhythm_state(key->rhythm) + ank_second_state(context);
  for (size_t c = 0; c < context->categories; c++) extra += key->habit[c].tail.unit > 0 ? ANK_HABIT_STATE : 0;
  return extra;
}

/* Number of values of each of so many entities; not 0, since memory of 0 bytes is none. */
static size_t room(size_t entities, size_t each) { return entities * (each > 0 ? each : 1); }

anorank_status ank_key_reserve(ank_key *key, size_t columns, size_t need, anorank_error *err) {
  size_t had = key->capacity;
  if (need <= had) return ANORANK_OK;
  if (had > 0 && need < had + had / 4) need = had + had / 4;
  ANK_CHECK(ank_resize(&key->entity, need, sizeof *key->entity, err));
  ANK_CHECK(ank_resize(&key->track, room(need, columns), sizeof *key->track, err));
  if (key->extra > 0) ANK_CHECK(ank_resize(&key->more, need * key->extra, sizeof *key->more, err));
  key->capacity = need;
  return ANORANK_OK;
}

anorank_status ank_key_put(ank_key *to, const ank_key *from, size_t e, size_t columns, size_t most,
                           anorank_error *err) {
  const char *name = ank_entity_name(&from->names, e);
  int evicted;
  ANK_CHECK(ank_entity_reserve(&to->names, to->names.count < most ? to->names.count + 1 : most,
                               strlen(name) + 1, err));
  uint32_t number = ank_entity_add(&evicted, &to->names, name, most);
  to->entity[number] = from->entity[e];
  memcpy(to->track + number * columns, from->track + e * columns, columns * sizeof *to->track);
  if (to->extra > 0)
    memcpy(to->more + number * to->extra, from->more + e * to->extra, to->extra * sizeof *to->more);
  return ANORANK_OK;
}

/* All entities of a key, in the order of their use. */
static anorank_status put_entities(ank_key *to, const ank_key *from, size_t columns, size_t most,
                                   anorank_error *err) {
  uint32_t e = from->names.oldest;
  size_t count = to->names.count + from->names.count;
  ANK_CHECK(ank_key_reserve(to, columns, count < most ? count : most, err));
  for (size_t k = 0; k < from->names.count; k++) {
    ANK_CHECK(ank_key_put(to, from, e, columns, most, err));
    if (k + 1 < from->names.count) e = from->names.newer[e];
  }
  return ANORANK_OK;
}

/* ---- runs -------------------------------------------------------------------------------------------- */

void ank_context_run_free(ank_context_run *run) {
  if (!run) return;
  for (size_t k = 0; k < ANK_CONTEXT_KEYS; k++) forget_entities(&run->key[k]);
  ank_free(run);
}

size_t ank_context_run_rows(const ank_context_run *run) { return run->rows; }

anorank_status ank_context_run_new(ank_context_run **out, const ank_context *context, ank_history history,
                                   anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_context_run *run = NULL;
  *out = NULL;
  ANK_TRY(ank_alloc(&run, 1, sizeof *run, err));
  run->context = context;
  run->history = history;
  run->time = NAN;
  for (size_t k = 0; k < context->keys; k++) {
    const ank_key *from = &context->key[k];
    run->key[k].by = from->by;
    run->key[k].usual = from->usual;
    run->key[k].joint = from->joint;
    run->key[k].persistence = from->persistence;
    run->key[k].extra = from->extra;
    run->key[k].weight = from->weight;
    run->key[k].learns = from->learns;
    run->key[k].rhythm = from->rhythm;
    run->key[k].habit = from->habit;
  }
  ANK_HAND_OVER(out, run);
done:
  ank_context_run_free(run);
  return status;
}

void ank_context_keep(ank_context *context, ank_context_run *run) {
  for (size_t k = 0; k < context->keys; k++) {
    ank_key *to = &context->key[k], *from = &run->key[k];
    forget_entities(to);
    to->names = from->names;
    to->entity = from->entity;
    to->track = from->track;
    to->more = from->more;
    to->capacity = from->capacity;
    *from = (ank_key){0};
    if (to->names.count < to->capacity &&
        ank_resize(&to->track, room(to->names.count, context->columns), sizeof *to->track, NULL) ==
            ANORANK_OK &&
        (to->extra == 0 ||
         ank_resize(&to->more, to->names.count * to->extra, sizeof *to->more, NULL) == ANORANK_OK) &&
        ank_resize(&to->entity, to->names.count, sizeof *to->entity, NULL) == ANORANK_OK)
      to->capacity = to->names.count;
  }
  ank_context_run_free(run);
}

/* Whether both have learned the same about rows besides their numbers. */
static int same_habits(const ank_key *a, const ank_key *b, size_t categories) {
  if (!a->rhythm != !b->rhythm || a->extra != b->extra) return 0;
  if (a->rhythm && memcmp(a->rhythm, b->rhythm, sizeof *a->rhythm) != 0) return 0;
  return categories == 0 || memcmp(a->habit, b->habit, categories * sizeof *a->habit) == 0;
}

anorank_status ank_context_merge(ank_context *context, const ank_context *from, anorank_error *err) {
  int same = context->columns == from->columns && context->keys == from->keys &&
             context->categories == from->categories;
  for (size_t k = 0; same && k < context->keys; k++)
    same = strcmp(context->key[k].by, from->key[k].by) == 0 &&
           memcmp(context->key[k].usual, from->key[k].usual, context->columns * sizeof(ank_usual)) == 0 &&
           same_habits(&context->key[k], &from->key[k], context->categories);
  for (size_t k = 0; same && k < context->keys; k++)
    for (size_t e = 0; same && e < from->key[k].names.count; e++)
      same =
          ank_entity_find(&context->key[k].names, ank_entity_name(&from->key[k].names, e)) == ANK_NO_ENTITY;
  if (!same)
    return ank_fail(err, ANORANK_ERROR_USAGE, "context-merge",
                    "these histories cannot be merged: they must come from one fit and share no entity; give "
                    "each part whole entities");
  for (size_t k = 0; k < context->keys; k++)
    ANK_CHECK(put_entities(&context->key[k], &from->key[k], context->columns, context->most, err));
  return ANORANK_OK;
}

/* ---- the order of rows ------------------------------------------------------------------------------- */

/* The rows of one key: whose they are, and the next state of each. */
typedef struct key_rows {
  ank_row_entities own; /* entities of this block */
  uint32_t *entity;     /* of each row: number among the run's */
  uint32_t *start;
  uint32_t *known; /* of each entity of this block: its number among the run's, or ANK_NO_ENTITY */
  float *together; /* for `pass`; NULL: not needed */
} key_rows;

static void key_rows_free(key_rows *rows) {
  ank_row_entities_free(&rows->own);
  ank_free(rows->entity);
  ank_free(rows->start);
  ank_free(rows->known);
  ank_free(rows->together);
}

/* Allocate all memory for the rows first, so that a valid block is added completely or not at all. */
static anorank_status key_rows_make(key_rows *out, ank_key *key, const ank_context *context,
                                    const anorank_table *table, anorank_error *err) {
  size_t added = 0, text = 0;
  ANK_CHECK(ank_row_entities_make(&out->own, key->by, table, err));
  ANK_CHECK(ank_alloc_raw(&out->known, out->own.count, sizeof *out->known, err));
  for (size_t e = 0; e < out->own.count; e++) {
    out->known[e] = ank_entity_find(&key->names, out->own.name[e]);
    if (out->known[e] != ANK_NO_ENTITY) continue;
    added++;
    text += strlen(out->own.name[e]) + 1;
  }
  size_t need = key->names.count + added;
  if (need > context->most) { /* entities are evicted, and may return */
    need = context->most;
    for (size_t i = 0; i < table->rows; i++) text += strlen(out->own.name[out->own.of[i]]) + 1;
  }
  ANK_CHECK(ank_entity_reserve(&key->names, need, text, err));
  ANK_CHECK(ank_key_reserve(key, context->columns, need, err));
  if (key->joint.count > 0)
    ANK_CHECK(ank_alloc_raw(&out->together, 2 * key->joint.count, sizeof *out->together, err));
  ANK_CHECK(ank_alloc_raw(&out->entity, table->rows, sizeof *out->entity, err));
  return ank_alloc_raw(&out->start, table->rows, sizeof *out->start, err);
}

/* Rows without a name have no entity, unless all rows are one series. */
static int is_nameless(const ank_key *key, const char *name) { return *key->by && !*name; }

/* The first row, at most `*row`, that is earlier than one before it of the same entity. */
static anorank_status find_break(size_t *row, const ank_key *key, const ank_context_rows *rows,
                                 const key_rows *of, anorank_error *err) {
  const ank_row_entities *own = &of->own;
  double *last = NULL;
  if (!rows->time) return ANORANK_OK;
  ANK_CHECK(ank_alloc_raw(&last, own->count, sizeof *last, err));
  for (size_t e = 0; e < own->count; e++)
    last[e] = of->known[e] == ANK_NO_ENTITY ? -INFINITY : key->entity[of->known[e]].last;
  for (size_t i = 0; i < rows->rows && i < *row; i++) {
    double *at = &last[own->of[i]];
    if (is_nameless(key, own->name[own->of[i]])) continue;
    if (rows->time[i] < *at) *row = i;
    *at = rows->time[i];
  }
  ank_free(last);
  return ANORANK_OK;
}

static anorank_status runs_back(const ank_key *key, const ank_row_entities *own, size_t i,
                                const ank_context_run *run, const anorank_table *table, anorank_error *err) {
  char quoted[ANK_QUOTE_SIZE];
  const char *name = own->name[own->of[i]], *source = table->source ? table->source : "the table";
  const char *of = *key->by ? " of " : "";
  size_t row = run->rows + i;
  ank_quote(quoted, name, strlen(name));
  if (run->history == ANK_HISTORY_GROWS)
    (void)ank_fail(err, ANORANK_ERROR_DATA, "time-runs-back",
                   "%s: row %zu%s%s is earlier than the history of the model; give later rows, or fit again",
                   source, row + 1, of, *key->by ? quoted : "");
  else
    (void)ank_fail(
        err, ANORANK_ERROR_DATA, "time-not-sorted",
        "%s: row %zu%s%s is earlier than the previous row; sort the rows by time, or pass them as one table",
        source, row + 1, of, *key->by ? quoted : "");
  ank_place_row(err, table->source, row, run->context->time);
  return ANORANK_ERROR_DATA;
}

/* Rows stay as they are where each entity is in order; else they are sorted, if all are there, or refused. */
static anorank_status order_rows(ank_context_rows *rows, ank_context_run *run, const key_rows *of,
                                 const anorank_table *table, int whole, anorank_error *err) {
  size_t broken = rows->rows, at, by = 0;
  for (size_t k = 0; k < run->context->keys; k++) {
    at = broken;
    ANK_CHECK(find_break(&broken, &run->key[k], rows, &of[k], err));
    if (broken < at) by = k;
  }
  if (broken == rows->rows) return ANORANK_OK;
  if (!whole) return runs_back(&run->key[by], &of[by].own, broken, run, table, err);
  ANK_CHECK(ank_context_rows_sort(rows, err));
  if (run->history != ANK_HISTORY_GROWS) return ANORANK_OK;
  for (size_t k = 0; k < run->context->keys; k++) /* sorted, the first row of an entity is its earliest */
    for (size_t i = 0; i < rows->rows; i++) {
      const ank_key *key = &run->key[k];
      uint32_t e = of[k].own.of[rows->order[i]];
      uint32_t known = is_nameless(key, of[k].own.name[e]) ? ANK_NO_ENTITY : of[k].known[e];
      if (known != ANK_NO_ENTITY && rows->time[rows->order[i]] < key->entity[known].last)
        return runs_back(key, &of[k].own, rows->order[i], run, table, err);
    }
  return ANORANK_OK;
}

/* ---- entities ---------------------------------------------------------------------------------------- */

/* The initial state of an entity unknown to the run. */
static uint32_t start_of(ank_context_run *run, size_t k, const char *name, const ank_context_rows *rows,
                         size_t i) {
  const ank_key *past = &run->context->key[k];
  uint32_t known = run->history == ANK_HISTORY_GOES_ON ? ank_entity_find(&past->names, name) : ANK_NO_ENTITY;
  if (known == ANK_NO_ENTITY) return START_BLANK;
  if (rows->time && rows->time[i] < past->entity[known].last) {
    run->restarted[k]++;
    return START_BLANK;
  }
  return START_FROM + known;
}

/* The number of each row's entity among the run's. Entities are added, and evicted, in the order of the rows, so that
 * blocks do not matter. */
static void number_rows(key_rows *of, ank_context_run *run, size_t k, const ank_context_rows *rows) {
  ank_key *key = &run->key[k];
  int evicted, any = 0;
  for (size_t at = 0; at < rows->rows; at++) {
    size_t i = rows->order[at];
    const char *name = of->own.name[of->own.of[i]];
    uint32_t *number = &of->known[of->own.of[i]];
    int nameless = is_nameless(key, name);
    if (any && *number != ANK_NO_ENTITY && strcmp(ank_entity_name(&key->names, *number), name) != 0)
      *number = ANK_NO_ENTITY; /* evicted in this block */
    of->start[i] = nameless ? START_BLANK : START_NOT;
    if (*number == ANK_NO_ENTITY) {
      if (!nameless) of->start[i] = start_of(run, k, name, rows, i);
      *number = ank_entity_add(&evicted, &key->names, name, run->context->most);
      any |= evicted;
      run->evicted[k] += (size_t)evicted;
    } else {
      ank_entity_touch(&key->names, *number);
    }
    run->nameless[k] += (size_t)nameless;
    of->entity[i] = *number;
  }
}

/* ---- the recursion ----------------------------------------------------------------------------------- */

/* The destination of the derived columns of a key; NULL: none. */
typedef struct outputs {
  double **mean[ANK_WINDOWS], **spread[ANK_WINDOWS]; /* of each window: of each column, or NULL */
  double *deviation;
} outputs;

/* One key in a pass over rows. */
typedef struct pass {
  const ank_context *context;
  const ank_context_rows *rows;
  ank_key *key;
  const ank_key *past;
  const double *const *cells;
  const ank_cells *levels;
  outputs to;
  double terms, trends; /* deviations of a row; of columns that follow time */
  float *together; /* of one row: `usual` of each steady column, then their means over the window; or NULL */
} pass;

/* The initial state of the entity of a row. */
static void start_entity(const pass *of, ank_entity *own, ank_track *tracks, float *more, uint32_t start) {
  size_t columns = of->context->columns, extra = of->key->extra;
  if (start == START_BLANK) {
    *own = (ank_entity){0};
    memset(tracks, 0, columns * sizeof *tracks);
    if (extra > 0) memset(more, 0, extra * sizeof *more);
  } else if (start >= START_FROM) {
    *own = of->past->entity[start - START_FROM];
    memcpy(tracks, of->past->track + (start - START_FROM) * columns, columns * sizeof *tracks);
    if (extra > 0) memcpy(more, of->past->more + (start - START_FROM) * extra, extra * sizeof *more);
  }
}

/* The size of what a row shows besides its numbers: when it occurs, and levels that its entity seldom has. */
static double step_more(const pass *of, const ank_entity *own, float *more, size_t i) {
  const ank_key *key = of->key;
  double distance[ANK_EVENTS], size = 0;
  if (key->rhythm) {
    size += ank_rhythm_step(distance, more, key->rhythm, (double)own->rows, own->last, of->rows->time[i]);
    more += ank_rhythm_state(key->rhythm);
  }
  more += ank_second_state(of->context);
  for (size_t c = 0; c < of->context->categories; c++) {
    if (!(key->habit[c].tail.unit > 0)) continue;
    int32_t code = of->levels[c].code ? of->levels[c].code[i] : -1;
    if (code >= 0)
      size += ank_tail_size(&key->habit[c].tail,
                            ank_habit_step(more, of->levels[c].id[code], of->levels[c].share[code],
                                           key->habit[c].novelty, key->learns));
    more += ANK_HABIT_STATE;
  }
  return size;
}

/* Count the row and remember its time; returns the gain of the window, and that of the second one. */
static double next_gain(double *second_gain, float *second, const pass *of, ank_entity *own, size_t i) {
  const ank_context *context = of->context;
  double elapsed = own->rows > 0 && of->rows->time ? of->rows->time[i] - own->last : 0;
  if (second) *second_gain = ank_window_gain(second, context->second, context->window_seconds, elapsed);
  own->rows += 1;
  own->last = of->rows->time ? of->rows->time[i] : 0;
  return ank_window_gain(&own->weight, context->window, context->window_seconds, elapsed);
}

static void put_step(const outputs *to, size_t window, size_t j, size_t i, const ank_step *step) {
  if (to->mean[window] && to->mean[window][j]) to->mean[window][j][i] = step->mean;
  if (to->spread[window] && to->spread[window][j]) to->spread[window][j][i] = step->spread;
}

static void run_row(const pass *of, ank_entity *own, ank_track *tracks, float *more, size_t i) {
  const ank_context *context = of->context;
  const ank_key *key = of->key;
  double beside = key->extra > 0 ? step_more(of, own, more, i) : 0;
  float *second = context->second > 0 ? more + ank_rhythm_state(key->rhythm) : NULL;
  double second_gain = 0, gain = next_gain(&second_gain, second, of, own, i),
         time = of->rows->time ? of->rows->time[i] : 0, sum = 0, steady = 0;
  size_t count = key->joint.count, place = 0;
  for (size_t j = 0; j < context->columns; j++) {
    const ank_usual *usual = &key->usual[j];
    ank_step step;
    if (!usual->used) continue;
    double cell = of->cells[j][i];
    if (tracks[j].rows == 0) ank_track_start(&tracks[j], usual);
    double value = ank_usual_value(usual, cell, time);
    ank_track_step(&step, &tracks[j], usual, value, cell, gain);
    if (of->together && !usual->trends) {
      ank_joint_put(&of->together[place], &of->together[count + place], &step);
      place++;
    } else {
      double size = ank_step_size(&step, usual);
      sum += size;
      if (!usual->trends) steady += size;
    }
    put_step(&of->to, 0, j, i, &step);
    if (!second || usual->trends || tracks[j].rows == 0) continue;
    ank_recent_step(&step, second + 1 + ANK_RECENT * j, isfinite(value) ? (double)tracks[j].rows : 0, cell,
                    second_gain);
    put_step(&of->to, 1, j, i, &step);
    if (of->together) continue;
    sum += ank_window_size(&step, usual);
    steady += ank_window_size(&step, usual);
  }
  double deviation = 0;
  if (of->terms > 0) {
    own->deviation += (float)(gain * (steady / of->terms - (double)own->deviation));
    deviation = sum / of->terms + key->persistence * (double)own->deviation;
  }
  if (of->together) {
    int fills = !context->window_seconds && gain * (context->window - 0.5) > 1;
    deviation = ank_joint_step(own, &key->joint, of->together, of->together + count, gain, fills);
    if (of->trends > 0) deviation += (sum - steady) / of->trends;
  }
  deviation *= key->weight;
  if (beside > 0) deviation += beside / (of->together || of->terms == 0 ? ANK_DEVIATIONS : of->terms);
  if (of->to.deviation) of->to.deviation[i] += deviation;
}

enum { AHEAD = 8 }; /* rows whose state is fetched meanwhile: entities lie anywhere in memory */

static void run_key(ank_key *key, const ank_key *past, const ank_context *context,
                    const ank_context_rows *rows, const key_rows *of, const double *const *cells,
                    const ank_cells *levels, const outputs *to) {
  pass all = {context, rows, key, past, cells, levels, *to, 0, 0, of->together};
  size_t columns = context->columns, line = 64 / sizeof *key->track, extra = key->extra;
  for (size_t j = 0; j < columns; j++) {
    if (!key->usual[j].used) continue;
    all.terms += key->usual[j].trends ? 1 : ANK_DEVIATIONS + (context->second > 0 ? 1 : 0);
    all.trends += key->usual[j].trends;
  }
  for (size_t k = 0; k < rows->rows; k++) {
    size_t i = rows->order[k], e = of->entity[i];
    if (k + AHEAD < rows->rows) {
      size_t next = of->entity[rows->order[k + AHEAD]];
      __builtin_prefetch(&key->entity[next], 1);
      for (size_t j = 0; j < columns; j += line) __builtin_prefetch(&key->track[next * columns + j], 1);
      if (extra > 0) __builtin_prefetch(&key->more[next * extra], 1);
    }
    float *more = extra > 0 ? &key->more[e * extra] : NULL;
    start_entity(&all, &key->entity[e], &key->track[e * columns], more, of->start[i]);
    run_row(&all, &key->entity[e], &key->track[e * columns], more, i);
  }
}

/* ---- blocks ------------------------------------------------------------------------------------------ */

/* The scale of each row's entity, as the model knows it. */
static anorank_status put_scales(anorank_table *out, const ank_context *context, const ank_row_entities *own,
                                 anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const ank_key *key = &context->key[0];
  ank_score_scale *scale = NULL;
  ANK_TRY(ank_alloc(&scale, own->count, sizeof *scale, err));
  ANK_TRY(ank_alloc_raw(&out->scale, out->rows, sizeof *out->scale, err));
  for (size_t e = 0; e < own->count; e++) {
    uint32_t known = ank_entity_find(&key->names, own->name[e]);
    if (known != ANK_NO_ENTITY) scale[e] = key->entity[known].scale;
  }
  for (size_t i = 0; i < out->rows; i++) out->scale[i] = scale[own->of[i]];
done:
  ank_free(scale);
  return status;
}

/* All keys over the rows; `out` unless NULL gets the derived columns. */
static anorank_status run_keys(ank_context_run *run, key_rows *of, const ank_context_rows *rows,
                               const anorank_table *table, anorank_table *out, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const ank_context *context = run->context;
  const double **cells = NULL;
  ank_cells *levels = NULL;
  double **to[2 * ANK_WINDOWS] = {NULL}, *deviation[ANK_CONTEXT_KEYS] = {NULL}, *best = NULL;
  size_t at = table->columns, windows = context->second > 0 ? 2 : 1;
  ANK_TRY(ank_context_number_columns(&cells, context, table, err));
  ANK_TRY(ank_cells_make(&levels, context, table, err));
  for (size_t d = 0; d < 2 * windows; d++) ANK_TRY(ank_alloc(&to[d], context->columns, sizeof **to, err));
  for (size_t j = 0; out && j < context->columns; j++)
    for (size_t d = 0; d < 2 * windows && ank_context_has_window(context, j); d++)
      to[d][j] = out->column[at++].numbers;
  for (size_t k = 0; out && k < context->keys; k++) {
    if (!ank_context_has_deviation(context, k)) continue;
    deviation[k] = out->column[at++].numbers;
    for (size_t i = 0; i < table->rows; i++) deviation[k][i] = 0;
    if (!best || context->key[k].weight == 1) best = deviation[k];
  }
  for (size_t k = 0; k < context->keys; k++) {
    outputs into = {{NULL}, {NULL}, deviation[k] ? deviation[k] : best};
    for (size_t w = 0; out && k == 0 && w < windows; w++)
      into.mean[w] = to[2 * w], into.spread[w] = to[2 * w + 1];
    number_rows(&of[k], run, k, rows);
    run_key(&run->key[k], &context->key[k], context, rows, &of[k], cells, levels, &into);
    if (out && k == 0) ANK_TRY(put_scales(out, context, &of[0].own, err));
  }
done:
  ank_free(cells);
  ank_cells_free(levels, context->categories);
  for (size_t d = 0; d < 2 * ANK_WINDOWS; d++) ank_free(to[d]);
  return status;
}

anorank_status ank_context_run_add(anorank_table **out, ank_context_run *run, const anorank_table *table,
                                   int whole, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_context_rows rows = {0};
  key_rows of[ANK_CONTEXT_KEYS] = {0};
  anorank_table *made = NULL;
  if (out) *out = NULL;
  ANK_TRY(ank_context_rows_make(&rows, run->context, table, run->rows, run->time, err));
  for (size_t k = 0; k < run->context->keys; k++)
    ANK_TRY(key_rows_make(&of[k], &run->key[k], run->context, table, err));
  ANK_TRY(order_rows(&rows, run, of, table, whole, err));
  if (out) ANK_TRY(ank_context_start_table(&made, run->context, table, err));
  ANK_TRY(run_keys(run, of, &rows, table, made, err));
  run->rows += table->rows;
  run->untimed += rows.untimed;
  if (rows.time && table->rows > 0) run->time = rows.time[table->rows - 1];
  if (out) ANK_HAND_OVER(out, made);
done:
  ank_context_rows_free(&rows);
  for (size_t k = 0; k < run->context->keys; k++) key_rows_free(&of[k]);
  ank_table_free(made);
  return status;
}

anorank_status ank_context_advance(ank_context *context, const anorank_table *table, anorank_error *err) {
  ank_context_run run = {.context = context, .history = ANK_HISTORY_GROWS, .time = NAN};
  for (size_t k = 0; k < context->keys; k++) run.key[k] = context->key[k];
  anorank_status status = ank_context_run_add(NULL, &run, table, 1, err);
  for (size_t k = 0; k < context->keys; k++) context->key[k] = run.key[k];
  return status;
}

/* ---- notes ------------------------------------------------------------------------------------------- */

static anorank_status note_restarted(ank_notes *notes, const ank_context_run *run, size_t k,
                                     anorank_error *err) {
  char time[ANK_QUOTE_SIZE], by[ANK_QUOTE_SIZE], who[ANK_QUOTE_SIZE + 64] = "";
  const ank_key *key = &run->key[k];
  if (run->restarted[k] == 0) return ANORANK_OK;
  if (*key->by)
    snprintf(who, sizeof who, " for %zu of '%s'", run->restarted[k], ank_quote(by, key->by, strlen(key->by)));
  return ank_notes_add(notes, ANORANK_NOTE_WARNING, err, "history-not-used",
                       "rows begin before the end of the model's history (by '%s')%s, so that history is not "
                       "used; give later rows to continue it",
                       ank_quote(time, run->context->time, strlen(run->context->time)), who);
}

anorank_status ank_context_run_notes(ank_notes *notes, const ank_context_run *run, anorank_error *err) {
  char by[ANK_QUOTE_SIZE];
  const char *time = run->context->time;
  if (run->untimed > 0)
    ANK_CHECK(
        ank_notes_add(notes, ANORANK_NOTE_WARNING, err, "times-filled",
                      "%zu row%s no value in '%s' and count%s at the time of the row before; fill %s in "
                      "or drop the row%s",
                      run->untimed, run->untimed == 1 ? " has" : "s have", ank_quote(by, time, strlen(time)),
                      run->untimed == 1 ? "s" : "", run->untimed == 1 ? "it" : "them", ANK_S(run->untimed)));
  for (size_t k = 0; k < run->context->keys; k++) {
    const char *name = ank_quote(by, run->key[k].by, strlen(run->key[k].by));
    ANK_CHECK(note_restarted(notes, run, k, err));
    if (run->nameless[k] > 0)
      ANK_CHECK(ank_notes_add(
          notes, ANORANK_NOTE_WARNING, err, "entity-missing",
          "%zu row%s no value in '%s', so %s compared with all training rows; fill %s in or drop the row%s",
          run->nameless[k], run->nameless[k] == 1 ? " has" : "s have", name,
          run->nameless[k] == 1 ? "it is" : "they are", run->nameless[k] == 1 ? "it" : "them",
          ANK_S(run->nameless[k])));
    if (run->evicted[k] > 0)
      ANK_CHECK(ank_notes_add(notes, ANORANK_NOTE_WARNING, err, "entities-evicted",
                              "'%s' has more than %zu entities; the least recently seen were evicted %zu "
                              "time%s and restart from the population; raise max-entities",
                              name, run->context->most, run->evicted[k], ANK_S(run->evicted[k])));
  }
  return ANORANK_OK;
}
