/* context_file.c - the context as bytes and back. Input is untrusted: anything that loads is valid. */
#include <math.h>
#include <string.h>

#include "context/context_parts.h"
#include "core/alloc.h"

enum {
  PLAIN = 3, /* numbers alone, which older programs know */
  VERSION = 4,
  MOST_ENTITIES = 100000000, /* as the setting */
  BATCH = 1024,              /* entities stored together */
  MOST_COLUMNS = ANORANK_MAX_COLUMNS,
  TRACK = sizeof(ank_track) / sizeof(float),
  PER_ENTITY = 7
};

#define MOST_WHITENING 1e6 /* far above any fitted value */
#define MOST_SHIFT 1e12F   /* of scores, and of the log of their scale */
#define MOST_STRETCH 3.0F
#define MOST_ID 16777216.0F

static anorank_status damaged(anorank_error *err) {
  return ank_fail(err, ANORANK_ERROR_MODEL, "model-context",
                  "the model is damaged: its history of entities and times is invalid");
}

/* ---- saving ------------------------------------------------------------------------------------------ */

/* The numbers of an ank_usual in the order of the file, but for the profile. */
#define NUMBERS(usual)                                                                                       \
  {                                                                                                          \
    &(usual)->level, &(usual)->between, &(usual)->within, &(usual)->change, &(usual)->time_constant,         \
        &(usual)->least_spread, &(usual)->least_change, &(usual)->weight, &(usual)->learns,                  \
        &(usual)->unit[0], &(usual)->unit[1], &(usual)->unit[2]                                              \
  }
enum { NUMBER_COUNT = 9 + ANK_DEVIATIONS };

static anorank_status save_usual(const ank_usual *usual, ank_bytes *out, anorank_error *err) {
  const double *numbers[] = NUMBERS(usual);
  int flags = usual->used | usual->logs << 1 | usual->trends << 2;
  ANK_CHECK(ank_bytes_put_u64(out, (uint64_t)flags, err));
  ANK_CHECK(ank_bytes_put_u64(out, (uint64_t)usual->season, err));
  for (size_t i = 0; i < NUMBER_COUNT; i++) ANK_CHECK(ank_bytes_put_f64(out, *numbers[i], err));
  return ank_bytes_put_f64s(out, usual->profile,
                            usual->season == ANK_SEASON_NONE ? 0 : ank_season_phases(usual->season), err);
}

static anorank_status save_category(const ank_category *category, ank_bytes *out, anorank_error *err) {
  ANK_CHECK(ank_bytes_put_text(out, category->name, err));
  ANK_CHECK(ank_bytes_put_u32s(out, category->id, category->levels, err));
  ANK_CHECK(ank_bytes_put_f64s(out, category->share, category->levels, err));
  return ank_bytes_put_f64(out, category->rest, err);
}

static anorank_status save_tail(const ank_tail *tail, ank_bytes *out, anorank_error *err) {
  ANK_CHECK(ank_bytes_put_f64(out, tail->from, err));
  return ank_bytes_put_f64(out, tail->unit, err);
}

/* What a key looks at besides the numbers of its columns. */
static anorank_status save_more(const ank_key *key, size_t categories, ank_bytes *out, anorank_error *err) {
  ANK_CHECK(ank_bytes_put_f64(out, key->weight, err));
  ANK_CHECK(ank_bytes_put_f64(out, key->learns, err));
  for (size_t c = 0; c < categories; c++) {
    ANK_CHECK(ank_bytes_put_f64(out, key->habit[c].novelty, err));
    ANK_CHECK(save_tail(&key->habit[c].tail, out, err));
  }
  ANK_CHECK(ank_bytes_put_u64(out, key->rhythm ? key->rhythm->events : 0, err));
  if (!key->rhythm) return ANORANK_OK;
  ANK_CHECK(ank_bytes_put_f64(out, key->rhythm->least, err));
  for (size_t d = 0; d < key->rhythm->events; d++) {
    if (d > ANK_GAP) ANK_CHECK(ank_bytes_put_f64(out, key->rhythm->window[d], err));
    ANK_CHECK(save_usual(&key->rhythm->usual[d], out, err));
    ANK_CHECK(save_tail(&key->rhythm->tail[d], out, err));
  }
  return ANORANK_OK;
}

/* A batch of entities: names, times of their last rows, and `each` numbers of their states. */
static anorank_status save_batch(const ank_key *key, const uint32_t *number, size_t count, size_t columns,
                                 ank_bytes *out, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t each = PER_ENTITY + columns * TRACK + key->extra;
  double last[BATCH];
  float *state = NULL;
  ANK_TRY(ank_alloc_raw(&state, count * each, sizeof *state, err));
  for (size_t i = 0; i < count; i++) {
    const ank_entity *own = &key->entity[number[i]];
    float *to = state + i * each;
    last[i] = own->last;
    memcpy(to,
           (float[PER_ENTITY]){own->rows, own->weight, own->deviation, own->quick, own->slow,
                               own->scale.shift, own->scale.stretch},
           PER_ENTITY * sizeof *to);
    memcpy(to + PER_ENTITY, key->track + number[i] * columns, columns * sizeof *key->track);
    if (key->extra > 0)
      memcpy(to + PER_ENTITY + columns * TRACK, key->more + number[i] * key->extra,
             key->extra * sizeof *key->more);
    ANK_TRY(ank_bytes_put_text(out, ank_entity_name(&key->names, number[i]), err));
  }
  ANK_TRY(ank_bytes_put_f64s(out, last, count, err));
  ANK_TRY(ank_bytes_put_f32s(out, state, count * each, err));
done:
  ank_free(state);
  return status;
}

/* Entities in the order of their use, so that those seen least recently are known later. */
static anorank_status save_key(const ank_key *key, size_t version, size_t columns, size_t categories,
                               ank_bytes *out, anorank_error *err) {
  const ank_entity_names *names = &key->names;
  uint32_t batch[BATCH], e = names->oldest;
  ANK_CHECK(ank_bytes_put_text(out, key->by, err));
  for (size_t j = 0; j < columns; j++) ANK_CHECK(save_usual(&key->usual[j], out, err));
  size_t triangle = key->joint.count * (key->joint.count + 1) / 2;
  ANK_CHECK(ank_bytes_put_f64(out, key->persistence, err));
  ANK_CHECK(ank_bytes_put_u64(out, key->joint.count, err));
  ANK_CHECK(ank_bytes_put_f64s(out, key->joint.row, triangle, err));
  ANK_CHECK(ank_bytes_put_f64s(out, key->joint.window, triangle, err));
  if (version > PLAIN) ANK_CHECK(save_more(key, categories, out, err));
  ANK_CHECK(ank_bytes_put_u64(out, names->count, err));
  for (size_t done = 0; done < names->count;) {
    size_t count = names->count - done < BATCH ? names->count - done : BATCH;
    for (size_t i = 0; i < count; i++) {
      batch[i] = e;
      if (e != names->newest) e = names->newer[e];
    }
    ANK_CHECK(save_batch(key, batch, count, columns, out, err));
    done += count;
  }
  return ANORANK_OK;
}

anorank_status ank_context_save(const ank_context *context, ank_bytes *out, anorank_error *err) {
  size_t version = PLAIN;
  for (size_t k = 0; k < context->keys; k++)
    if (context->key[k].extra > 0 || context->key[k].weight != 1 || context->second > 0) version = VERSION;
  ANK_CHECK(ank_bytes_put_u64(out, version, err));
  ANK_CHECK(ank_bytes_put_u64(out, context->columns, err));
  for (size_t j = 0; j < context->columns; j++) ANK_CHECK(ank_bytes_put_text(out, context->column[j], err));
  ANK_CHECK(ank_bytes_put_text(out, context->time, err));
  ANK_CHECK(ank_bytes_put_u64(out, (uint64_t)context->moments, err));
  ANK_CHECK(ank_bytes_put_f64(out, context->window, err));
  ANK_CHECK(ank_bytes_put_u64(out, (uint64_t)context->window_seconds, err));
  ANK_CHECK(ank_bytes_put_u64(out, context->most, err));
  ANK_CHECK(ank_bytes_put_text(out, context->ids, err));
  ANK_CHECK(ank_bytes_put_text(out, context->left_out, err));
  ANK_CHECK(ank_bytes_put_text(out, context->names, err));
  if (version > PLAIN) {
    ANK_CHECK(ank_bytes_put_f64(out, context->second, err));
    ANK_CHECK(ank_bytes_put_u64(out, context->categories, err));
    for (size_t c = 0; c < context->categories; c++)
      ANK_CHECK(save_category(&context->category[c], out, err));
  }
  ANK_CHECK(ank_bytes_put_u64(out, context->keys, err));
  for (size_t k = 0; k < context->keys; k++)
    ANK_CHECK(save_key(&context->key[k], version, context->columns, context->categories, out, err));
  return ANORANK_OK;
}

/* ---- loading ----------------------------------------------------------------------------------------- */

static anorank_status load_category(ank_category *category, ank_cursor *in, anorank_error *err) {
  size_t shares;
  ANK_CHECK(ank_cursor_text(in, &category->name, err));
  ANK_CHECK(ank_cursor_u32s(in, &category->id, &category->levels, err));
  ANK_CHECK(ank_cursor_f64s(in, &category->share, &shares, err));
  ANK_CHECK(ank_cursor_f64(in, &category->rest, err));
  int sound = shares == category->levels && category->rest > 0 && category->rest <= 1;
  for (size_t k = 0; sound && k < shares; k++)
    sound = category->share[k] > 0 && category->share[k] <= 1 &&
            (k == 0 || category->id[k - 1] < category->id[k]);
  return sound ? ANORANK_OK : damaged(err);
}

static anorank_status load_usual(ank_usual *usual, ank_cursor *in, anorank_error *err) {
  double *numbers[] = NUMBERS(usual), *profile = NULL;
  size_t flags, season, count;
  int sound = 1;
  ANK_CHECK(ank_cursor_size(in, &flags, 0, 7, "a flag", err));
  ANK_CHECK(ank_cursor_size(in, &season, 0, ANK_SEASONS - 1, "a season", err));
  usual->used = flags & 1;
  usual->logs = flags >> 1 & 1;
  usual->trends = flags >> 2 & 1;
  usual->season = (ank_season)season;
  for (size_t i = 0; i < NUMBER_COUNT; i++) {
    ANK_CHECK(ank_cursor_f64(in, numbers[i], err));
    sound &= isfinite(*numbers[i]) && (i == 0 || *numbers[i] >= 0);
  }
  if (usual->used)
    sound &= usual->between > 0 && usual->within > 0 && usual->change > 0 && usual->least_spread > 0 &&
             usual->least_change > 0 && usual->time_constant >= 1 && usual->unit[0] > 0 &&
             usual->unit[1] > 0 && usual->unit[2] > 0;
  ANK_CHECK(ank_cursor_f64s(in, &profile, &count, err));
  sound &= count == (usual->season == ANK_SEASON_NONE ? 0 : ank_season_phases(usual->season));
  for (size_t i = 0; sound && i < count; i++) {
    usual->profile[i] = profile[i];
    sound = isfinite(profile[i]) != 0;
  }
  ank_free(profile);
  return sound ? ANORANK_OK : damaged(err);
}

static anorank_status load_tail(ank_tail *tail, ank_cursor *in, anorank_error *err) {
  ANK_CHECK(ank_cursor_f64(in, &tail->from, err));
  ANK_CHECK(ank_cursor_f64(in, &tail->unit, err));
  return isfinite(tail->from) && isfinite(tail->unit) && tail->unit >= 0 ? ANORANK_OK : damaged(err);
}

static anorank_status load_rhythm(ank_rhythm *rhythm, ank_cursor *in, anorank_error *err) {
  ANK_CHECK(ank_cursor_f64(in, &rhythm->least, err));
  int sound = rhythm->least > 0 && isfinite(rhythm->least);
  for (size_t d = 0; d < rhythm->events; d++) {
    rhythm->window[d] = 1;
    if (d > ANK_GAP) ANK_CHECK(ank_cursor_f64(in, &rhythm->window[d], err));
    ANK_CHECK(load_usual(&rhythm->usual[d], in, err));
    ANK_CHECK(load_tail(&rhythm->tail[d], in, err));
    sound &= rhythm->usual[d].used && rhythm->window[d] > 0 && isfinite(rhythm->window[d]);
  }
  return sound ? ANORANK_OK : damaged(err);
}

static anorank_status load_more(ank_key *key, const ank_context *context, ank_cursor *in,
                                anorank_error *err) {
  size_t events;
  ANK_CHECK(ank_cursor_f64(in, &key->weight, err));
  ANK_CHECK(ank_cursor_f64(in, &key->learns, err));
  ANK_CHECK(ank_alloc(&key->habit, context->categories, sizeof *key->habit, err));
  for (size_t c = 0; c < context->categories; c++) {
    ANK_CHECK(ank_cursor_f64(in, &key->habit[c].novelty, err));
    ANK_CHECK(load_tail(&key->habit[c].tail, in, err));
    if (!(key->habit[c].novelty >= 0)) return damaged(err);
  }
  ANK_CHECK(ank_cursor_size(in, &events, 0, *context->time ? ANK_EVENTS : 0, "the number of events", err));
  if (events > 0) {
    ANK_CHECK(ank_alloc(&key->rhythm, 1, sizeof *key->rhythm, err));
    key->rhythm->events = events;
    ANK_CHECK(load_rhythm(key->rhythm, in, err));
  }
  if (!(key->weight >= 0 && key->weight <= 1 && key->learns >= 0)) return damaged(err);
  key->extra = ank_key_extra(key, context);
  return ANORANK_OK;
}

/* The same for what is known besides the numbers of the columns. */
static int sound_more(const ank_key *key, const ank_context *context, const float *state) {
  const float *second = state + ank_rhythm_state(key->rhythm), *habit = second + ank_second_state(context);
  int sound = context->second == 0 || second[0] > 0;
  for (size_t d = ANK_COUNT; key->rhythm && d < key->rhythm->events; d++) sound &= state[3 * d - 1] >= 0;
  for (; sound && habit < state + key->extra; habit += ANK_HABIT_STATE) {
    sound = habit[0] >= 0 && habit[1] >= 0 && habit[1] <= habit[0];
    for (size_t k = 2; sound && k < ANK_HABIT_STATE; k += 2)
      sound = habit[k] >= 0 && habit[k] < MOST_ID && habit[k + 1] >= 0 && habit[k + 1] <= 1;
  }
  return sound;
}

/* Whether it is a valid state of a run. */
static int sound_state(double last, const float *state, const ank_key *key, const ank_context *context) {
  size_t columns = context->columns, plain = PER_ENTITY + columns * TRACK;
  int sound = isfinite(last) && state[0] > 0 && state[1] > 0;
  for (size_t i = 0; sound && i < plain + key->extra; i++) sound = isfinite(state[i]) != 0;
  sound = sound && fabsf(state[5]) <= MOST_SHIFT && fabsf(state[6]) <= MOST_STRETCH;
  for (size_t j = 0; sound && j < columns; j++) sound = state[PER_ENTITY + j * TRACK] >= 0;
  return sound && sound_more(key, context, state + plain);
}

static anorank_status load_names(ank_key *key, size_t count, size_t most, ank_cursor *in,
                                 anorank_error *err) {
  for (size_t i = 0; i < count; i++) {
    char *name = NULL;
    int refused = 1;
    ANK_CHECK(ank_cursor_text(in, &name, err));
    anorank_status status = ank_entity_reserve(&key->names, key->names.count + 1, strlen(name) + 1, err);
    if (status == ANORANK_OK && ank_entity_find(&key->names, name) == ANK_NO_ENTITY)
      (void)ank_entity_add(&refused, &key->names, name, most);
    ank_free(name);
    ANK_CHECK(status);
    if (refused) return damaged(err); /* twice, or too many */
  }
  return ANORANK_OK;
}

static anorank_status load_batch(ank_key *key, size_t count, const ank_context *context, ank_cursor *in,
                                 anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t columns = context->columns, most = context->most;
  size_t first = key->names.count, plain = PER_ENTITY + columns * TRACK, each = plain + key->extra;
  size_t times = 0, values = 0;
  double *last = NULL;
  float *state = NULL;
  ANK_TRY(load_names(key, count, most, in, err));
  ANK_TRY(ank_cursor_f64s(in, &last, &times, err));
  ANK_TRY(ank_cursor_f32s(in, &state, &values, err));
  int sound = times == count && values == count * each;
  for (size_t i = 0; sound && i < count; i++) sound = sound_state(last[i], state + i * each, key, context);
  if (!sound) {
    status = damaged(err);
    goto done;
  }
  for (size_t i = 0; i < count; i++) {
    const float *from = state + i * each;
    key->entity[first + i] =
        (ank_entity){last[i], from[0], from[1], from[2], from[3], from[4], {from[5], from[6]}};
    memcpy(key->track + (first + i) * columns, from + PER_ENTITY, columns * sizeof *key->track);
    if (key->extra > 0)
      memcpy(key->more + (first + i) * key->extra, from + plain, key->extra * sizeof *key->more);
  }
done:
  ank_free(last);
  ank_free(state);
  return status;
}

static anorank_status load_joint(ank_key *key, size_t columns, ank_cursor *in, anorank_error *err) {
  ank_joint *joint = &key->joint;
  size_t rows, windows;
  ANK_CHECK(ank_cursor_f64(in, &key->persistence, err));
  ANK_CHECK(ank_cursor_size(in, &joint->count, 0, ANK_MOST_JOINT, "the number of steady columns", err));
  ANK_CHECK(ank_cursor_f64s(in, &joint->row, &rows, err));
  ANK_CHECK(ank_cursor_f64s(in, &joint->window, &windows, err));
  int sound = key->persistence >= 0 && key->persistence <= MOST_WHITENING &&
              rows == joint->count * (joint->count + 1) / 2 && windows == rows &&
              (joint->count == 0 || joint->count == ank_joint_steady(key, columns));
  for (size_t i = 0; sound && i < rows; i++)
    sound = fabs(joint->row[i]) <= MOST_WHITENING && fabs(joint->window[i]) <= MOST_WHITENING;
  return sound ? ANORANK_OK : damaged(err);
}

static anorank_status load_key(ank_key *key, const ank_context *context, size_t version, ank_cursor *in,
                               anorank_error *err) {
  size_t count, columns = context->columns, most = context->most;
  key->weight = 1;
  ANK_CHECK(ank_cursor_text(in, &key->by, err));
  ANK_CHECK(ank_alloc(&key->usual, columns, sizeof *key->usual, err));
  for (size_t j = 0; j < columns; j++) ANK_CHECK(load_usual(&key->usual[j], in, err));
  ANK_CHECK(load_joint(key, columns, in, err));
  if (version > PLAIN) ANK_CHECK(load_more(key, context, in, err));
  size_t least =
      sizeof(uint64_t) + sizeof(double) + (PER_ENTITY + columns * TRACK + key->extra) * sizeof(float);
  ANK_CHECK(ank_cursor_size(in, &count, 0, (in->length - in->at) / least, "the number of entities", err));
  ANK_CHECK(ank_key_reserve(key, columns, count, err));
  ANK_CHECK(ank_entity_reserve(&key->names, count < most ? count : most, 0, err));
  while (key->names.count < count) {
    size_t left = count - key->names.count;
    ANK_CHECK(load_batch(key, left < BATCH ? left : BATCH, context, in, err));
  }
  return ANORANK_OK;
}

anorank_status ank_context_load(ank_context **out, ank_cursor *in, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_context *context = NULL;
  size_t version, columns, flag, keys, categories = 0;
  *out = NULL;
  ANK_TRY(ank_alloc(&context, 1, sizeof *context, err));
  ANK_TRY(ank_cursor_size(in, &version, PLAIN, VERSION, "the version of its context", err));
  ANK_TRY(ank_cursor_size(in, &columns, 0, MOST_COLUMNS, "the number of its columns", err));
  ANK_TRY(ank_alloc(&context->column, columns, sizeof *context->column, err));
  while (context->columns < columns) {
    ANK_TRY(ank_cursor_text(in, &context->column[context->columns], err));
    context->columns++;
  }
  ANK_TRY(ank_cursor_text(in, &context->time, err));
  ANK_TRY(ank_cursor_size(in, &flag, 0, 1, "a flag", err));
  context->moments = (int)flag;
  ANK_TRY(ank_cursor_f64(in, &context->window, err));
  ANK_TRY(ank_cursor_size(in, &flag, 0, 1, "a flag", err));
  context->window_seconds = (int)flag;
  ANK_TRY(ank_cursor_size(in, &context->most, 1, MOST_ENTITIES, "the number of entities that it keeps", err));
  ANK_TRY(ank_cursor_text(in, &context->ids, err));
  ANK_TRY(ank_cursor_text(in, &context->left_out, err));
  ANK_TRY(ank_cursor_text(in, &context->names, err));
  if (version > PLAIN) ANK_TRY(ank_cursor_f64(in, &context->second, err));
  if (!(context->window >= 1 && context->window <= 1e12) ||
      !(context->second == 0 || (context->second >= 1 && context->second <= 1e12)) ||
      (context->window_seconds && !*context->time)) { /* before states, whose length depends on them */
    status = damaged(err);
    goto done;
  }
  if (version > PLAIN)
    ANK_TRY(ank_cursor_size(in, &categories, 0, MOST_COLUMNS, "the number of its categories", err));
  ANK_TRY(ank_alloc(&context->category, categories, sizeof *context->category, err));
  while (context->categories < categories)
    ANK_TRY(load_category(&context->category[context->categories++], in, err));
  ANK_TRY(ank_cursor_size(in, &keys, 1, ANK_CONTEXT_KEYS, "the number of its entity columns", err));
  while (context->keys < keys) {
    ank_key *key = &context->key[context->keys++];
    ANK_TRY(load_key(key, context, version, in, err));
  }
  if (!ank_context_sound(context)) {
    status = damaged(err);
    goto done;
  }
  *out = context;
  context = NULL;
done:
  ank_context_free(context);
  return status;
}
