/* incidents.h - rows of one entity that stand out near each other, as one finding.
 *
 * The rows of a table are sequences: by entity, then by time (context.h). Marked rows stand out. Two marked rows of an
 * entity belong to the same incident if they are at most a gap apart, in rows of the entity or in time. An incident is
 * the stretch from its first to its last marked row; its peak is the row with the lowest score, the first of equals. A
 * whole entity is a stretch as well.
 *
 * The p-value of a stretch is that of its smallest p-value among as many normal rows (stretch_law.h). */
#ifndef ANK_RANKING_INCIDENTS_H
#define ANK_RANKING_INCIDENTS_H

#include "ranking/stretch_law.h"

typedef struct ank_stretch {
  size_t peak, first, last; /* rows of the table */
  size_t place, rows;       /* in the order of the sequences: where it begins, how many rows of the entity */
  size_t marked;            /* of these */
  uint32_t entity;
  unsigned char tier; /* of its most extreme row: anorank_tier */
  double p_value;
} ank_stretch;

typedef struct ank_stretches {
  ank_stretch *list; /* lowest peak first; entities: smallest p-value first, then lowest peak */
  size_t count;
} ank_stretches;

/* The largest gap between two rows of one incident. */
typedef struct ank_gap {
  double length;
  int in_time; /* 0: rows of the entity */
} ank_gap;

/* Rows and their data, by number in the table. */
typedef struct ank_judged_rows {
  const ank_sequences *sequences;
  const double *scores, *p;
  const unsigned char *tier, *marked;
  ank_gap gap;
  const ank_stretch_law *law;
} ank_judged_rows;

/* O(rows), and sorting the incidents. */
anorank_status ank_incidents_find(ank_stretches *out, const ank_judged_rows *rows, anorank_error *err);

/* Each entity that has rows, as one stretch. */
anorank_status ank_entities_find(ank_stretches *out, const ank_judged_rows *rows, anorank_error *err);

void ank_stretches_free(ank_stretches *stretches);

/* The expected incidents per row, if rows are normal and each is marked with probability `level`: level times the
 * share of marked rows that begin an incident. That share is measured on incidents without a row that is apart. The
 * law for a stretch of g + 1 rows counts as five marked rows, g the number of earlier rows of the entity within the gap.
 * Without a law, independent rows, (1 - level)^g, count as one. */
double ank_false_incidents(const ank_judged_rows *rows, const ank_stretches *incidents, double level);

/* ---- silence ---- */

/* A time without rows of an entity. */
typedef struct ank_silence {
  uint32_t entity;
  double from, to;      /* its last row before, and the next, or the latest time of the table */
  size_t before, after; /* those rows; SIZE_MAX: before in the history of the model; after: none */
} ank_silence;

typedef struct ank_silences {
  ank_silence *list; /* longest first, then by entity and time */
  size_t count;
} ank_silences;

/* Times longer than `most` without rows, also from the last row of an entity to the latest row of the table. `seen`:
 * the time of the last row of each of the first `known` entities before the table, or NaN. */
anorank_status ank_silences_find(ank_silences *out, const ank_sequences *rows, double most,
                                 const double *seen, size_t known, anorank_error *err);

#endif
