/* speeds.c - see speeds.h. Weights are whole numbers, so that machines of any kind come to the same borders. */
#include "speeds.h"

#include <stdlib.h>

enum { EQUAL = 1000, LEAST = EQUAL / 2, MOST = EQUAL + EQUAL / 2 };

anorank_status speeds_open(speeds *all, anorank_error *err) {
  *all = (speeds){.weight = malloc((size_t)team_size * sizeof *all->weight)};
  if (!all->weight) return team_fail(err, ANORANK_ERROR_RESOURCES, "out of memory");
  for (int r = 0; r < team_size; r++) all->weight[r] = EQUAL;
  return ANORANK_OK;
}

void speeds_free(speeds *all) { free(all->weight); }

/* Bytes for a millisecond of work, at least 1; 0: not known. */
static uint64_t own_speed(speeds *all, uint64_t bytes) {
  double now = team_clock(), waited = team_waited();
  double worked = now - all->begun - (waited - all->waited);
  if (all->begun > 0 && bytes > 0 && worked > 0) {
    all->bytes = all->bytes / 2 + (double)bytes;
    all->seconds = all->seconds / 2 + worked;
  }
  all->begun = now;
  all->waited = waited;
  if (!(all->seconds > 0)) return 0;
  double speed = all->bytes / all->seconds / 1000;
  return speed < 1 ? 1 : speed < 1e9 ? (uint64_t)speed : (uint64_t)1e9;
}

void speeds_update(speeds *all, uint64_t bytes) {
  uint64_t sum = 0, known = 0;
  if (team_size == 1) return;
  team_gather(all->weight, own_speed(all, bytes));
  for (int r = 0; r < team_size; r++) {
    sum += all->weight[r];
    known += all->weight[r] > 0;
  }
  for (int r = 0; r < team_size; r++) {
    uint64_t weight = all->weight[r] > 0 ? all->weight[r] * known * EQUAL / sum : EQUAL;
    all->weight[r] = weight < LEAST ? LEAST : weight > MOST ? MOST : weight;
  }
}

/* `part` of `of` parts of the whole, without the product of two large numbers. */
static uint64_t part_of(uint64_t whole, uint64_t part, uint64_t of) {
  return whole / of * part + whole % of * part / of;
}

void speeds_share(uint64_t *from, uint64_t *to, const speeds *all, uint64_t total) {
  uint64_t before = 0, sum = 0;
  for (int r = 0; r < team_size; r++) {
    if (r == team_rank) before = sum;
    sum += all->weight[r];
  }
  *from = part_of(total, before, sum);
  *to = part_of(total, before + all->weight[team_rank], sum);
}
