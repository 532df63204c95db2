/* context_past.c - the usual values of an entity just before a row, in the units of the column, for reasons. */
#include <math.h>
#include <string.h>

#include "context/context_parts.h"
#include "core/alloc.h"

#define USUAL_SPREADS 2.0 /* on either side of the level */
#define NEAR 1e-6         /* of a spread: less than anything that is unusual */

void ank_pasts_free(ank_pasts *pasts) {
  for (size_t k = 0; k < ANK_CONTEXT_KEYS; k++) ank_levels_free(&pasts->names[k]);
  ank_free(pasts->of);
  *pasts = (ank_pasts){0};
}

/* The cell that ank_usual_value makes `value` of. */
static double cell_of_value(const ank_usual *usual, double value, double time) {
  if (usual->season != ANK_SEASON_NONE) value += usual->profile[ank_season_phase(usual->season, time)];
  return usual->logs ? exp(value) : value;
}

/* Replace the past of a row by `one`, if that counts more. */
static void consider(ank_own_past *past, ank_own_past one, size_t key, size_t entity) {
  if (!(one.size > past->size)) return;
  one.key = key;
  one.code = (int32_t)entity;
  *past = one;
}

static void look_at(ank_own_past *past, const ank_track *track, const ank_usual *usual, double value,
                    double time) {
  double spread = fmax((double)track->spread, usual->least_spread), level = (double)track->level;
  double low = level, high = level, distance;
  if (usual->trends) { /* no usual level: between the recent one and the last value */
    if (track->rows == 0) return;
    spread = fmax((double)track->change, usual->least_change);
    level = (double)track->recent;
    low = fmin(level, (double)track->last), high = fmax(level, (double)track->last);
  }
  distance = (value > high ? value - high : value < low ? value - low : 0) / spread;
  if (!isfinite(value)) return;
  past->distance = distance;
  /* within the range, the farthest; beyond it, in nats as other kinds are */
  past->size = fabs(distance) * NEAR;
  if (fabs(distance) > USUAL_SPREADS)
    past->size += ANK_DEVIATIONS * log((1 + distance * distance) / (1 + USUAL_SPREADS * USUAL_SPREADS));
  past->level = cell_of_value(usual, level, time);
  past->low = cell_of_value(usual, low - USUAL_SPREADS * spread, time);
  past->high = cell_of_value(usual, high + USUAL_SPREADS * spread, time);
  past->trends = usual->trends;
  past->rows = (size_t)track->rows;
  past->logs = usual->logs;
  past->season = usual->season;
}

/* Entities continue from the model's history, unless their rows begin before its end. */
static void start_track(ank_track *track, const ank_key *key, const char *name, double time, int fresh,
                        size_t columns, size_t j) {
  int nameless = *key->by && !*name;
  uint32_t e = fresh || nameless ? ANK_NO_ENTITY : ank_entity_find(&key->names, name);
  ank_track_start(track, &key->usual[j]);
  if (e == ANK_NO_ENTITY || key->entity[e].rows == 0 || time < key->entity[e].last) return;
  if (key->track[e * columns + j].rows > 0) *track = key->track[e * columns + j];
}

/* The state of an entity besides its numbers. */
typedef struct replayed {
  double rows, last;
  int started;
} replayed;

static void start_more(replayed *own, float *more, const ank_key *key, const char *name, double time,
                       int fresh) {
  uint32_t e = fresh ? ANK_NO_ENTITY : ank_entity_find(&key->names, name);
  *own = (replayed){.started = 1};
  memset(more, 0, key->extra * sizeof *more);
  if (e == ANK_NO_ENTITY || key->entity[e].rows == 0 || time < key->entity[e].last) return;
  own->rows = (double)key->entity[e].rows;
  own->last = key->entity[e].last;
  memcpy(more, key->more + e * key->extra, key->extra * sizeof *more);
}

/* When the row occurs. */
static void look_at_events(ank_own_past *past, const ank_context *context, size_t k, size_t entity,
                           const replayed *own, float *more, double time) {
  const ank_rhythm *rhythm = context->key[k].rhythm;
  double distance[ANK_EVENTS];
  float before[ANK_RHYTHM_STATE];
  memcpy(before, more, ank_rhythm_state(rhythm) * sizeof *more);
  (void)ank_rhythm_step(distance, more, rhythm, own->rows, own->last, time);
  for (size_t d = 0; past && own->rows > 1 && d < rhythm->events; d++) {
    double size = ank_tail_size(&rhythm->tail[d], distance[d]);
    double level = (double)ank_event_level(before, d)[0];
    double reach = USUAL_SPREADS * fmax((double)ank_event_level(before, d)[1], rhythm->usual[d].least_spread);
    if (!(size > 0)) continue;
    ank_own_past one = {.column = context->time,
                        .kind = d == ANK_GAP ? ANK_PAST_GAP : ANK_PAST_COUNT,
                        .number = d == ANK_GAP ? time - own->last : (double)ank_event_level(more, d)[-1],
                        .low = ank_rhythm_amount(rhythm, d, level - reach, time),
                        .high = ank_rhythm_amount(rhythm, d, level + reach, time),
                        .distance = distance[d],
                        .size = size,
                        .window = rhythm->window[d],
                        .seconds = context->moments,
                        .rows = (size_t)own->rows};
    consider(past, one, k, entity);
  }
}

/* The texts of the row. */
static void look_at_levels(ank_own_past *past, const ank_context *context, size_t k, size_t entity,
                           float *more, const ank_cells *cells, const anorank_table *table, size_t row) {
  const ank_key *key = &context->key[k];
  for (size_t c = 0; c < context->categories; c++) {
    if (!(key->habit[c].tail.unit > 0)) continue;
    int32_t code = cells[c].code ? cells[c].code[row] : -1;
    if (code >= 0) {
      double share = ank_habit_share(more, cells[c].id[code]), n = (double)more[0];
      double surprise =
          ank_habit_step(more, cells[c].id[code], cells[c].share[code], key->habit[c].novelty, key->learns);
      double size = ank_tail_size(&key->habit[c].tail, surprise);
      const char *name = context->category[c].name;
      const ank_column *column = &table->column[ank_table_find(table, name, strlen(name))];
      ank_own_past one = {.column = name,
                          .kind = share > 0 ? ANK_PAST_RARE : ANK_PAST_NEW,
                          .number = NAN,
                          .size = size,
                          .text = column->levels.text[code],
                          .share = share,
                          .rows = (size_t)n};
      if (past && n > 0 && !isnan(share) && size > 0) consider(past, one, k, entity);
    }
    more += ANK_HABIT_STATE;
  }
}

static anorank_status replay_more(ank_pasts *out, size_t k, const ank_context *context,
                                  const anorank_table *table, const ank_context_rows *rows,
                                  const ank_row_entities *own, const uint32_t *mine, size_t count,
                                  const size_t *place, int fresh, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const ank_key *key = &context->key[k];
  ank_cells *cells = NULL;
  replayed *entity = NULL;
  float *more = NULL;
  ANK_TRY(ank_cells_make(&cells, context, table, err));
  ANK_TRY(ank_alloc(&entity, own->count, sizeof *entity, err));
  ANK_TRY(ank_alloc_raw(&more, own->count * key->extra, sizeof *more, err));
  for (size_t n = 0; n < count; n++) {
    size_t i = mine[n], e = own->of[i];
    double time = rows->time ? rows->time[i] : 0;
    float *state = more + e * key->extra;
    ank_own_past *past = place[i] == SIZE_MAX ? NULL : &out->of[place[i]];
    if (!entity[e].started) start_more(&entity[e], state, key, own->name[e], time, fresh);
    if (key->rhythm) {
      look_at_events(past, context, k, e, &entity[e], state, time);
      state += ank_rhythm_state(key->rhythm);
    }
    look_at_levels(past, context, k, e, state + ank_second_state(context), cells, table, i);
    entity[e].rows += 1;
    entity[e].last = time;
    if (*key->by && !*own->name[e]) entity[e].started = 0; /* rows without a name have no past */
  }
done:
  ank_cells_free(cells, context->categories);
  ank_free(entity);
  ank_free(more);
  return status;
}

static anorank_status replay_key(ank_pasts *out, size_t k, const ank_context *context,
                                 const anorank_table *table, const ank_context_rows *rows,
                                 const size_t *place, int fresh, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const ank_key *key = &context->key[k];
  ank_row_entities own = {0};
  ank_track *track = NULL;
  unsigned char *started = NULL;
  uint32_t *mine = NULL; /* rows of entities that have chosen rows */
  size_t count = 0;
  ANK_TRY(ank_row_entities_make(&own, key->by, table, err));
  ANK_TRY(ank_alloc_raw(&track, own.count, sizeof *track, err));
  ANK_TRY(ank_alloc(&started, own.count, 1, err));
  for (size_t i = 0; i < rows->rows; i++)
    if (place[i] != SIZE_MAX) started[own.of[i]] = 1;
  for (size_t n = 0; n < rows->rows; n++) count += started[own.of[n]];
  ANK_TRY(ank_alloc_raw(&mine, count, sizeof *mine, err));
  count = 0;
  for (size_t n = 0; n < rows->rows; n++)
    if (started[own.of[rows->order[n]]]) mine[count++] = rows->order[n];
  for (size_t j = 0; j < context->columns; j++) {
    const ank_usual *usual = &key->usual[j];
    size_t at = ank_table_find(table, context->column[j], strlen(context->column[j]));
    if (!usual->used || at == SIZE_MAX || table->column[at].kind != ANORANK_NUMERIC) continue;
    memset(started, 0, own.count);
    for (size_t n = 0; n < count; n++) {
      size_t i = mine[n], e = own.of[i];
      double time = rows->time ? rows->time[i] : 0, cell = table->column[at].numbers[i],
             value = ank_usual_value(usual, cell, time);
      ank_step step;
      if (!started[e]) start_track(&track[e], key, own.name[e], time, fresh, context->columns, j);
      started[e] = !*key->by || *own.name[e]; /* rows without a name have no past */
      if (place[i] != SIZE_MAX) {
        ank_own_past past = {.column = context->column[j], .number = cell};
        look_at(&past, &track[e], usual, value, time);
        past.size *= key->weight;
        consider(&out->of[place[i]], past, k, e);
      }
      ank_track_step(&step, &track[e], usual, value, cell, 1);
    }
  }
  if (key->extra > 0)
    ANK_TRY(replay_more(out, k, context, table, rows, &own, mine, count, place, fresh, err));
  for (size_t i = 0; i < out->count; i++) {
    ank_own_past *past = &out->of[i];
    if (!past->column || past->key != k) continue;
    const char *name = own.name[past->code];
    ANK_TRY(ank_levels_code(&past->code, &out->names[k], name, strlen(name), err));
  }
done:
  ank_row_entities_free(&own);
  ank_free(track);
  ank_free(started);
  ank_free(mine);
  return status;
}

anorank_status ank_context_past(ank_pasts *out, const ank_context *context, const anorank_table *table,
                                const size_t *chosen, size_t count, int fresh, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_context_rows rows = {0};
  size_t *place = NULL;
  *out = (ank_pasts){.count = count};
  ANK_TRY(ank_alloc(&out->of, count, sizeof *out->of, err));
  ANK_TRY(ank_alloc_raw(&place, table->rows, sizeof *place, err));
  for (size_t i = 0; i < table->rows; i++) place[i] = SIZE_MAX;
  for (size_t i = 0; i < count; i++) place[chosen[i]] = i;
  ANK_TRY(ank_context_rows_make(&rows, context, table, 0, 0, err));
  ANK_TRY(ank_context_rows_sort(&rows, err));
  for (size_t k = 0; k < context->keys; k++)
    ANK_TRY(replay_key(out, k, context, table, &rows, place, fresh, err));
  for (size_t i = 0; i < count; i++)
    if (out->of[i].column && *context->key[out->of[i].key].by) {
      out->of[i].by = context->key[out->of[i].key].by;
      out->of[i].entity = out->names[out->of[i].key].text[out->of[i].code];
    }
done:
  ank_context_rows_free(&rows);
  ank_free(place);
  if (status != ANORANK_OK) ank_pasts_free(out);
  return status;
}
