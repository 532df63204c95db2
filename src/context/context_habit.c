/* context_habit.c - the levels that an entity usually has, and how surprising one is.
 *
 * An entity remembers 8 levels by 24-bit hashes of their texts, each with its share p of the entity's cells, of late: a share
 * moves by 1/n, or by 1/200 once there are more cells. A new level replaces the one with the smallest share. After n cells with d
 * distinct levels, the next one is
 *   P(level) = (1 - e) p + e q,    e = c d/(n + d),    q its share of all training rows
 * (d/(n + d) is the escape probability of method C of prediction by partial matching: who often has new levels, has another one).
 * c makes the mean of e that of new levels in the training rows. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "context/context_parts.h"
#include "core/alloc.h"
#include "kernels/sort.h"

#define LATE 200.0        /* cells */
#define WORTH 0.9         /* mean surprise that the entity's past must leave of that without, or less */
#define LEAST_CELLS 20    /* to say so */
#define LEAST_SHARE 1e-30 /* of a level that was there, however long ago */
#define SURPRISING                                                                                           \
  6.9 /* nats from which a level counts, if fewer than 1 in 100 training rows reach that: 1 in 1,000 */

enum { MOST_LEVELS = 256 };

/* 1 to 2^24 - 1, which a float holds: FNV-1a, the same everywhere. */
static uint32_t id_of(const char *text) {
  uint64_t hash = 0xCBF29CE484222325u;
  for (; *text; text++) hash = (hash ^ (unsigned char)*text) * 0x100000001B3u;
  return (uint32_t)((hash ^ hash >> 32) % 0xFFFFFF) + 1;
}

/* ---- shares among all training rows ------------------------------------------------------------------- */

void ank_category_free(ank_category *category) {
  ank_free(category->name);
  ank_free(category->id);
  ank_free(category->share);
}

typedef struct counted {
  uint32_t id;
  size_t rows;
} counted;

static int more_rows(const void *a, const void *b) {
  const counted *one = a, *two = b;
  if (one->rows != two->rows) return one->rows < two->rows ? 1 : -1;
  return one->id < two->id ? -1 : one->id > two->id;
}

static int smaller_id(const void *a, const void *b) {
  const counted *one = a, *two = b;
  return one->id < two->id ? -1 : one->id > two->id;
}

anorank_status ank_category_learn(ank_category *out, const anorank_table *table, const char *name,
                                  anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const ank_column *column = &table->column[ank_table_find(table, name, strlen(name))];
  size_t levels = column->levels.count, filled = 0, left = 0;
  counted *list = NULL;
  ANK_TRY(ank_copy_text(&out->name, name, strlen(name), err));
  ANK_TRY(ank_alloc(&list, levels, sizeof *list, err));
  for (size_t k = 0; k < levels; k++) list[k].id = id_of(column->levels.text[k]);
  for (size_t i = 0; i < table->rows; i++)
    if (column->codes[i] >= 0) list[column->codes[i]].rows++, filled++;
  qsort(list, levels, sizeof *list, more_rows);
  out->levels = levels < MOST_LEVELS ? levels : MOST_LEVELS;
  while (out->levels > 0 && list[out->levels - 1].rows == 0) out->levels--;
  for (size_t k = out->levels; k < levels; k++) left += list[k].rows;
  qsort(list, out->levels, sizeof *list, smaller_id);
  ANK_TRY(ank_alloc(&out->id, out->levels, sizeof *out->id, err));
  ANK_TRY(ank_alloc(&out->share, out->levels, sizeof *out->share, err));
  for (size_t k = 0; k < out->levels; k++) {
    out->id[k] = list[k].id;
    out->share[k] = ((double)list[k].rows + 0.5) / ((double)filled + 1);
  }
  out->rest = ((double)left + 0.5) / (double)(levels - out->levels + 1) / ((double)filled + 1);
done:
  ank_free(list);
  return status;
}

static double share_of(const ank_category *of, uint32_t id) {
  size_t low = 0, high = of->levels;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (of->id[middle] < id)
      low = middle + 1;
    else
      high = middle;
  }
  return low < of->levels && of->id[low] == id ? of->share[low] : of->rest;
}

/* ---- the levels of a table ---------------------------------------------------------------------------- */

void ank_cells_free(ank_cells *cells, size_t categories) {
  for (size_t c = 0; cells && c < categories; c++) {
    ank_free(cells[c].id);
    ank_free(cells[c].share);
  }
  ank_free(cells);
}

anorank_status ank_cells_make(ank_cells **out, const ank_context *context, const anorank_table *table,
                              anorank_error *err) {
  ANK_CHECK(ank_alloc(out, context->categories, sizeof **out, err));
  for (size_t c = 0; c < context->categories; c++) {
    const ank_category *category = &context->category[c];
    ank_cells *of = &(*out)[c];
    size_t at = ank_table_find(table, category->name, strlen(category->name));
    if (at == SIZE_MAX || table->column[at].kind != ANORANK_CATEGORICAL) continue;
    const ank_column *column = &table->column[at];
    of->code = column->codes;
    ANK_CHECK(ank_alloc_raw(&of->id, column->levels.count, sizeof *of->id, err));
    ANK_CHECK(ank_alloc_raw(&of->share, column->levels.count, sizeof *of->share, err));
    for (size_t k = 0; k < column->levels.count; k++) {
      of->id[k] = id_of(column->levels.text[k]);
      of->share[k] = share_of(category, of->id[k]);
    }
  }
  return ANORANK_OK;
}

/* ---- one cell ------------------------------------------------------------------------------------------ */

static size_t slot_of(const float *state, uint32_t id) {
  size_t k = 0;
  while (k < ANK_HABIT_SLOTS && (uint32_t)state[2 + 2 * k] != id) k++;
  return k;
}

double ank_habit_share(const float *state, uint32_t id) {
  size_t k = slot_of(state, id);
  if (k < ANK_HABIT_SLOTS) return fmax((double)state[3 + 2 * k], LEAST_SHARE);
  return state[1] <= ANK_HABIT_SLOTS ? 0 : (double)NAN;
}

double ank_habit_step(float *state, uint32_t id, double share, double novelty, double learns) {
  double n = (double)state[0], distinct = (double)state[1], gain = fmax(1 / (n + 1), 1 / LATE), surprise = 0;
  size_t at = slot_of(state, id), least = 0;
  if (n > 0) {
    double escape = fmin(novelty * distinct / (n + distinct), 1),
           own = at < ANK_HABIT_SLOTS ? (double)state[3 + 2 * at] : 0;
    surprise = -log((1 - escape) * own + escape * share);
  }
  if (n >= learns) return surprise;
  for (size_t k = 0; k < ANK_HABIT_SLOTS; k++) {
    state[3 + 2 * k] -= (float)(gain * (double)state[3 + 2 * k]);
    if (state[3 + 2 * k] < state[3 + 2 * least]) least = k;
  }
  if (at == ANK_HABIT_SLOTS) {
    at = distinct < ANK_HABIT_SLOTS ? (size_t)distinct : least; /* slots are filled in order */
    state[1] += 1;
    state[2 + 2 * at] = (float)id;
    state[3 + 2 * at] = 0;
  }
  state[3 + 2 * at] += (float)gain;
  state[0] += 1;
  return surprise;
}

/* ---- the fit ------------------------------------------------------------------------------------------- */

int ank_key_names(const ank_key *key, const char *name) {
  size_t length = strlen(name);
  if (strcmp(key->by, name) == 0) return 1;
  for (const char *at = key->by; *at;) {
    size_t part = strcspn(at, "+");
    if (part == length && memcmp(at, name, part) == 0) return 1;
    at += part + (at[part] == '+');
  }
  return 0;
}

/* Sums over the training rows but the first of each entity. */
typedef struct learned {
  double novelty;
  size_t cells;
  double novel, escapes; /* new levels, and the sum of d/(n + d) */
  double own, without;   /* surprise with and without the entity's past */
} learned;

static void replay(learned *sums, const ank_key *key, const ank_cells *cells, const uint32_t *grouped,
                   const size_t *start, size_t entities, double *surprise) {
  *sums = (learned){.novelty = sums->novelty};
  for (size_t e = 0; e < entities; e++) {
    float state[ANK_HABIT_STATE] = {0};
    for (size_t k = start[e]; k < start[e + 1]; k++) {
      int32_t code = cells->code[grouped[k]];
      if (code < 0) continue;
      double n = (double)state[0], distinct = (double)state[1];
      double now = ank_habit_step(state, cells->id[code], cells->share[code], sums->novelty, key->learns);
      if (n == 0) continue;
      surprise[sums->cells++] = now;
      sums->novel += (double)state[1] - distinct;
      sums->escapes += distinct / (n + distinct);
      sums->own += now;
      sums->without -= log(cells->share[code]);
    }
  }
}

anorank_status ank_habits_learn(ank_key *key, const ank_context *context, const ank_cells *cells,
                                const uint32_t *grouped, const size_t *start, size_t entities, double *work,
                                anorank_error *err) {
  ANK_CHECK(ank_alloc(&key->habit, context->categories, sizeof *key->habit, err));
  for (size_t c = 0; c < context->categories; c++) {
    learned sums = {.novelty = 1};
    if (!cells[c].code || ank_key_names(key, context->category[c].name)) continue;
    replay(&sums, key, &cells[c], grouped, start, entities, work);
    if (sums.cells < LEAST_CELLS) continue;
    sums.novelty = (sums.novel + 0.5) / (sums.escapes + 0.5);
    replay(&sums, key, &cells[c], grouped, start, entities, work);
    key->habit[c].novelty = sums.novelty;
    if (sums.own > WORTH * sums.without) continue;
    ANK_CHECK(ank_sort(work, sums.cells, NULL, err));
    key->habit[c].tail = (ank_tail){fmax(work[sums.cells - 1 - sums.cells / 100], SURPRISING), 1};
  }
  return ANORANK_OK;
}
