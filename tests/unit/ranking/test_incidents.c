/* test_incidents.c - incidents, entities and silences against slow obvious versions, and their p-values. */
#include "support/check.h"

#include <math.h>

#include "core/alloc.h"
#include "core/rng.h"
#include "ranking/incidents.h"

enum { ROWS = 300, ENTITIES = 6 };

static const ank_stretch_law independent;

typedef struct {
  ank_sequences sequences;
  uint32_t order[ROWS], entity[ROWS];
  double time[ROWS], scores[ROWS], p[ROWS];
  unsigned char tier[ROWS], marked[ROWS];
  ank_judged_rows rows;
} world;

/* Rows of several entities, interleaved, with equal scores and equal times among them. */
static void make_world(world *w, uint64_t seed, double share, ank_gap gap) {
  ank_rng rng;
  size_t n = 0;
  double now = 0;
  ank_rng_open(&rng, seed, 91, 0);
  for (size_t i = 0; i < ROWS; i++) {
    w->entity[i] = (uint32_t)ank_rng_below(&rng, ENTITIES);
    w->time[i] = now += (double)ank_rng_below(&rng, 4);
    w->scores[i] = (double)ank_rng_below(&rng, 40);
    w->p[i] = (w->scores[i] + 1) / 41;
    w->tier[i] = (unsigned char)ank_rng_below(&rng, 3);
    w->marked[i] = ank_rng_uniform(&rng) < share;
  }
  for (uint32_t e = 0; e < ENTITIES; e++)
    for (uint32_t i = 0; i < ROWS; i++)
      if (w->entity[i] == e) w->order[n++] = i;
  w->sequences = (ank_sequences){ROWS, ENTITIES, w->order, w->entity, w->time, 0};
  w->rows = (ank_judged_rows){&w->sequences, w->scores, w->p, w->tier, w->marked, gap, &independent};
}

/* Are two marked rows neighbours among the marked rows of an entity, within the gap? */
static int joined(const world *w, size_t a, size_t b) {
  size_t between = 0;
  for (size_t i = a + 1; i < b; i++) between += w->entity[i] == w->entity[a];
  double apart = w->rows.gap.in_time ? w->time[b] - w->time[a] : (double)between + 1;
  return w->entity[a] == w->entity[b] && apart <= w->rows.gap.length;
}

/* The incident of a marked row, by walking from row to row: its first and its last row. */
static void slow_ends(const world *w, size_t row, size_t *first, size_t *last) {
  *first = *last = row;
  for (size_t i = row; i-- > 0;)
    if (w->marked[i] && joined(w, i, *first)) *first = i;
  for (size_t i = row + 1; i < ROWS; i++)
    if (w->marked[i] && joined(w, *last, i)) *last = i;
}

static void check_world(const world *w) {
  ank_stretches found = {0};
  size_t marked = 0, covered = 0;
  assert_ok(ank_incidents_find(&found, &w->rows, NULL));
  for (size_t k = 0; k < found.count; k++) {
    const ank_stretch *one = &found.list[k];
    size_t first, last, rows = 0, stand_out = 0, peak = one->first;
    unsigned char tier = 0;
    double smallest = 1;
    slow_ends(w, one->last, &first, &last);
    assert_int_equal(one->first, first);
    assert_int_equal(one->last, last);
    for (size_t i = first; i <= last; i++) {
      if (w->entity[i] != one->entity) continue;
      rows++;
      stand_out += w->marked[i];
      if (w->scores[i] < w->scores[peak]) peak = i;
      if (w->tier[i] > tier) tier = w->tier[i];
      smallest = fmin(smallest, w->p[i]);
    }
    assert_int_equal(one->rows, rows);
    assert_int_equal(one->marked, stand_out);
    assert_int_equal(one->peak, peak);
    assert_int_equal(one->tier, tier);
    assert_close(one->p_value, 1 - pow(1 - smallest, (double)rows), 1e-12);
    if (k > 0) assert_true(w->scores[found.list[k - 1].peak] <= w->scores[one->peak]);
    covered += stand_out;
  }
  for (size_t i = 0; i < ROWS; i++) marked += w->marked[i];
  assert_int_equal(covered, marked); /* each marked row is in one incident */
  ank_stretches_free(&found);
}

TEST(incidents_are_those_of_the_slow_version) {
  for (uint64_t seed = 0; seed < 40; seed++) {
    world w;
    make_world(&w, seed, seed % 4 == 0 ? 0.5 : 0.1, (ank_gap){(double)(1 + seed % 7), seed % 2 == 1});
    check_world(&w);
  }
}

TEST(no_marked_row_is_no_incident) {
  world w;
  ank_stretches found = {0};
  make_world(&w, 1, 0, (ank_gap){5, 0});
  assert_ok(ank_incidents_find(&found, &w.rows, NULL));
  assert_int_equal(found.count, 0);
  ank_stretches_free(&found);
}

TEST(incidents_of_different_entities_at_one_time_are_two) {
  uint32_t order[] = {0, 2, 1, 3}, entity[] = {0, 1, 0, 1};
  double time[] = {0, 0, 1, 1}, scores[] = {-3, -4, -5, -2}, p[] = {.1, .1, .1, .1};
  unsigned char tier[4] = {0}, marked[] = {1, 1, 1, 1};
  ank_sequences sequences = {4, 2, order, entity, time, 0};
  ank_judged_rows rows = {&sequences, scores, p, tier, marked, {10, 1}, &independent};
  ank_stretches found = {0};
  assert_ok(ank_incidents_find(&found, &rows, NULL));
  assert_int_equal(found.count, 2);
  assert_int_equal(found.list[0].peak, 2); /* the lowest first */
  assert_int_equal(found.list[1].peak, 1);
  assert_int_equal(found.list[0].rows, 2);
  ank_stretches_free(&found);
}

TEST(entities_are_whole_and_in_order_of_p_value) {
  world w;
  ank_stretches found = {0};
  make_world(&w, 3, 0.1, (ank_gap){5, 0});
  assert_ok(ank_entities_find(&found, &w.rows, NULL));
  assert_int_equal(found.count, ENTITIES);
  for (size_t k = 0; k < found.count; k++) {
    size_t rows = 0;
    for (size_t i = 0; i < ROWS; i++) rows += w.entity[i] == found.list[k].entity;
    assert_int_equal(found.list[k].rows, rows);
    if (k > 0) assert_true(found.list[k - 1].p_value <= found.list[k].p_value);
  }
  ank_stretches_free(&found);
}

/* Rows marked with probability `level`, independent or in runs of three: the mean number of incidents over many worlds
 * is the expected one. */
TEST(false_incidents_are_as_many_as_expected) {
  enum { WORLDS = 400 };
  for (int kind = 0; kind < 4; kind++) {
    double sum = 0, expected = 0;
    for (uint64_t seed = 0; seed < WORLDS; seed++) {
      world w;
      ank_stretches found = {0};
      make_world(&w, 1000 + seed, kind < 2 ? 0.05 : 0.05 / 3, (ank_gap){4, kind % 2});
      memset(w.tier, 0, sizeof w.tier);
      for (size_t k = ROWS; kind >= 2 && k-- > 0;)
        for (size_t next = k + 1; w.marked[w.order[k]] == 1 && next < k + 3 && next < ROWS; next++)
          if (w.entity[w.order[next]] == w.entity[w.order[k]] && !w.marked[w.order[next]])
            w.marked[w.order[next]] = 2;
      ank_stretch_law law;
      ank_rng rng;
      ank_rng_open(&rng, seed, 92, 0);
      for (size_t i = 0; i < ROWS; i++) {
        w.marked[i] = w.marked[i] > 0;
        w.p[i] = w.marked[i] ? 0.05 * ank_rng_uniform(&rng) : 0.05 + 0.95 * ank_rng_uniform(&rng);
      }
      ank_stretch_law_make(&law, &w.sequences, w.p);
      w.rows.law = &law;
      assert_ok(ank_incidents_find(&found, &w.rows, NULL));
      sum += (double)found.count;
      expected += ROWS * ank_false_incidents(&w.rows, &found, 0.05);
      ank_stretches_free(&found);
    }
    assert_close(sum / expected, 1,
                 kind < 2 ? 0.1 : 0.35); /* runs: 15 marked rows, and a law of 300 rows that counts as five */
  }
}

/* ---- silences ---- */

TEST(silences_are_those_of_the_slow_version) {
  world w;
  ank_silences found = {0};
  size_t expected = 0;
  double latest = 0, seen[] = {-100, NAN, -3};
  make_world(&w, 5, 0, (ank_gap){5, 0});
  for (size_t i = 0; i < ROWS; i++) latest = fmax(latest, w.time[i]);
  assert_ok(ank_silences_find(&found, &w.sequences, 12, seen, 3, NULL));
  for (uint32_t e = 0; e < ENTITIES; e++) {
    double last = e < 3 ? seen[e] : NAN;
    for (size_t i = 0; i < ROWS; i++) {
      if (w.entity[i] != e) continue;
      expected += w.time[i] - last > 12;
      last = w.time[i];
    }
    expected += latest - last > 12;
  }
  assert_true(expected > 3);
  assert_int_equal(found.count, expected);
  for (size_t k = 0; k < found.count; k++) {
    const ank_silence *one = &found.list[k];
    assert_true(one->to - one->from > 12);
    if (k > 0) assert_true(found.list[k - 1].to - found.list[k - 1].from >= one->to - one->from);
    if (one->before != SIZE_MAX) assert_close(one->from, w.time[one->before], 0);
    assert_close(one->to, one->after == SIZE_MAX ? latest : w.time[one->after], 0);
  }
  assert_int_equal(found.list[0].entity, 0); /* from the history: 100 before the first row */
  ank_free(found.list);
}

TEST(an_entity_of_the_history_without_rows_is_silent) {
  uint32_t order[] = {0, 1}, entity[] = {1, 1};
  double time[] = {50, 60}, seen[] = {40, 45};
  ank_sequences sequences = {2, 2, order, entity, time, 0};
  ank_silences found = {0};
  assert_ok(ank_silences_find(&found, &sequences, 10, seen, 2, NULL));
  assert_int_equal(found.count, 1);
  assert_int_equal(found.list[0].entity, 0);
  assert_close(found.list[0].from, 40, 0);
  assert_close(found.list[0].to, 60, 0);
  assert_true(found.list[0].before == SIZE_MAX && found.list[0].after == SIZE_MAX);
  ank_free(found.list);
}
