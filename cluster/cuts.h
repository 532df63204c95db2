/* cuts.h - where a file was cut, as far as one process is concerned: who took which rows once takes them again. */
#ifndef CLUSTER_CUTS_H
#define CLUSTER_CUTS_H

#include "team.h"

/* The records of this process in one round, or, after the last round of a file, how many rows that has. */
typedef struct cuts_round {
  uint64_t begin, end; /* in the file; both CUTS_END: the last round was before */
  uint64_t line;       /* at `begin` */
  uint64_t first_row, rows;
} cuts_round;

#define CUTS_END UINT64_MAX

typedef struct cuts {
  cuts_round *list;
  size_t count, capacity;
  size_t next; /* to be taken again */
} cuts;

anorank_status cuts_put(cuts *all, cuts_round one, anorank_error *err);
void cuts_free(cuts *all);

#endif
