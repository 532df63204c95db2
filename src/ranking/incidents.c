/* incidents.c - see incidents.h. */
#include "ranking/incidents.h"

#include <math.h>
#include <stdlib.h>

#include "core/alloc.h"

#define LAW_ROWS 5.0 /* marked rows that the law of stretches counts as; independence: one */

void ank_stretches_free(ank_stretches *stretches) {
  ank_free(stretches->list);
  *stretches = (ank_stretches){0};
}

/* ---- stretches --------------------------------------------------------------------------------------- */

/* The distance of row `place` of the order from an earlier one of its entity. */
static double distance(const ank_judged_rows *rows, size_t earlier, size_t place) {
  const ank_sequences *in = rows->sequences;
  return rows->gap.in_time ? in->time[in->order[place]] - in->time[in->order[earlier]]
                           : (double)(place - earlier);
}

/* Whether row `place` of the order is the first of its entity. */
static int begins_entity(const ank_sequences *in, size_t place) {
  return place == 0 || in->entity[in->order[place]] != in->entity[in->order[place - 1]];
}

/* Peak, tier, numbers and p-value of the rows place..place + rows - 1. */
static void describe(ank_stretch *out, const ank_judged_rows *rows) {
  const uint32_t *row = rows->sequences->order + out->place;
  double smallest = 1;
  out->first = out->peak = row[0];
  out->last = row[out->rows - 1];
  out->entity = rows->sequences->entity[row[0]];
  out->tier = 0;
  out->marked = 0;
  for (size_t k = 0; k < out->rows; k++) {
    size_t i = row[k];
    if (rows->scores[i] < rows->scores[out->peak]) out->peak = i;
    if (rows->tier[i] > out->tier) out->tier = rows->tier[i];
    if (rows->p[i] < smallest) smallest = rows->p[i];
    out->marked += rows->marked[i];
  }
  out->p_value = ank_stretch_p_value(rows->law, smallest, out->rows);
}

/* For sorting: stretches with their keys beside them. */
typedef struct keyed {
  double first, second;
  ank_stretch stretch;
} keyed;

static int compare(const void *a, const void *b) {
  const keyed *one = a, *two = b;
  if (one->first != two->first) return one->first < two->first ? -1 : 1;
  if (one->second != two->second) return one->second < two->second ? -1 : 1;
  return one->stretch.place < two->stretch.place ? -1 : one->stretch.place > two->stretch.place;
}

static anorank_status sort(ank_stretches *out, const double *scores, int by_p_value, anorank_error *err) {
  keyed *all = NULL;
  ANK_CHECK(ank_alloc_raw(&all, out->count, sizeof *all, err));
  for (size_t i = 0; i < out->count; i++) {
    const ank_stretch *one = &out->list[i];
    all[i] = (keyed){by_p_value ? one->p_value : 0, scores[one->peak], *one};
  }
  qsort(all, out->count, sizeof *all, compare);
  for (size_t i = 0; i < out->count; i++) out->list[i] = all[i].stretch;
  ank_free(all);
  return ANORANK_OK;
}

anorank_status ank_incidents_find(ank_stretches *out, const ank_judged_rows *rows, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const ank_sequences *in = rows->sequences;
  size_t most = 0, last = SIZE_MAX; /* the last marked row of the entity */
  *out = (ank_stretches){0};
  for (size_t i = 0; i < in->rows; i++) most += rows->marked[i];
  ANK_TRY(ank_alloc_raw(&out->list, most, sizeof *out->list, err));
  for (size_t place = 0; place < in->rows; place++) {
    if (begins_entity(in, place)) last = SIZE_MAX;
    if (!rows->marked[in->order[place]]) continue;
    if (last == SIZE_MAX || distance(rows, last, place) > rows->gap.length)
      out->list[out->count++] = (ank_stretch){.place = place};
    out->list[out->count - 1].rows = place - out->list[out->count - 1].place + 1;
    last = place;
  }
  for (size_t i = 0; i < out->count; i++) describe(&out->list[i], rows);
  ANK_TRY(sort(out, rows->scores, 0, err));
done:
  if (status != ANORANK_OK) ank_stretches_free(out);
  return status;
}

anorank_status ank_entities_find(ank_stretches *out, const ank_judged_rows *rows, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const ank_sequences *in = rows->sequences;
  size_t entities = 0;
  *out = (ank_stretches){0};
  for (size_t place = 0; place < in->rows; place++) entities += (size_t)begins_entity(in, place);
  ANK_TRY(ank_alloc_raw(&out->list, entities, sizeof *out->list, err));
  for (size_t place = 0; place < in->rows; place++) {
    if (begins_entity(in, place)) out->list[out->count++] = (ank_stretch){.place = place};
    out->list[out->count - 1].rows = place - out->list[out->count - 1].place + 1;
  }
  for (size_t i = 0; i < out->count; i++) describe(&out->list[i], rows);
  ANK_TRY(sort(out, rows->scores, 1, err));
done:
  if (status != ANORANK_OK) ank_stretches_free(out);
  return status;
}

/* P(a marked row begins an incident), given the number of rows within the gap: one of the marked rows of such a stretch. */
static double share_begun(const ank_stretch_law *law, double level, size_t before) {
  double length = (double)before + 1;
  return law ? ank_stretch_p_value(law, level, before + 1) / (length * level) : pow(1 - level, length - 1);
}

double ank_false_incidents(const ank_judged_rows *rows, const ank_stretches *incidents, double level) {
  const ank_sequences *in = rows->sequences;
  double sum = 0, begun = 0, marked = 0, share = 1, prior = rows->law ? LAW_ROWS : 1;
  size_t before = 0;
  for (size_t place = 0, from = 0; place < in->rows; place++) {
    if (begins_entity(in, place)) from = place;
    while (distance(rows, from, place) > rows->gap.length) from++;
    if (place - from != before) share = share_begun(rows->law, level, before = place - from);
    sum += share;
  }
  if (in->rows == 0) return 0;
  for (size_t i = 0; i < incidents->count; i++) {
    if (incidents->list[i].tier == ANORANK_TIER_APART) continue; /* hardly from normal rows */
    begun++;
    marked += (double)incidents->list[i].marked;
  }
  return level * (begun + prior * sum / (double)in->rows) / (marked + prior);
}

/* ---- silence ----------------------------------------------------------------------------------------- */

static int longer(const void *a, const void *b) {
  const ank_silence *one = a, *two = b;
  double first = one->to - one->from, second = two->to - two->from;
  if (first != second) return first > second ? -1 : 1;
  if (one->entity != two->entity) return one->entity < two->entity ? -1 : 1;
  return one->from < two->from ? -1 : one->from > two->from;
}

static anorank_status add_silence(ank_silences *out, size_t *capacity, double most, ank_silence one,
                                  anorank_error *err) {
  if (!(one.to - one.from > most)) return ANORANK_OK;
  ANK_CHECK(ank_reserve(&out->list, capacity, out->count + 1, sizeof *out->list, err));
  out->list[out->count++] = one;
  return ANORANK_OK;
}

anorank_status ank_silences_find(ank_silences *out, const ank_sequences *rows, double most,
                                 const double *seen, size_t known, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t capacity = 0;
  double latest = -INFINITY;
  unsigned char *present = NULL;
  *out = (ank_silences){0};
  ANK_TRY(ank_alloc(&present, known, 1, err));
  for (size_t i = 0; i < rows->rows; i++) latest = fmax(latest, rows->time[i]);
  for (size_t place = 0; place < rows->rows; place++) {
    size_t row = rows->order[place];
    uint32_t entity = rows->entity[row];
    int ends = place + 1 == rows->rows || begins_entity(rows, place + 1);
    ank_silence one = {
        .entity = entity, .from = NAN, .to = rows->time[row], .before = SIZE_MAX, .after = row};
    if (!begins_entity(rows, place)) {
      one.before = rows->order[place - 1];
      one.from = rows->time[one.before];
    } else if (entity < known) {
      one.from = seen[entity];
    }
    if (entity < known) present[entity] = 1;
    ANK_TRY(add_silence(out, &capacity, most, one, err));
    one = (ank_silence){entity, rows->time[row], latest, row, SIZE_MAX};
    if (ends) ANK_TRY(add_silence(out, &capacity, most, one, err));
  }
  for (size_t e = 0; e < known; e++) {
    ank_silence one = {(uint32_t)e, seen[e], latest, SIZE_MAX, SIZE_MAX};
    if (!present[e]) ANK_TRY(add_silence(out, &capacity, most, one, err));
  }
  if (out->count > 1) qsort(out->list, out->count, sizeof *out->list, longer);
done:
  ank_free(present);
  if (status != ANORANK_OK) {
    ank_free(out->list);
    *out = (ank_silences){0};
  }
  return status;
}
