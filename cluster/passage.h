/* passage.h - what stretches of a text do to the state that a scan of records is in, one after the other. */
#ifndef CLUSTER_PASSAGE_H
#define CLUSTER_PASSAGE_H

#include "team.h"

typedef struct passage {
  unsigned char left[8]; /* the state after it, for each before it */
  uint64_t lines;        /* that end in it */
} passage;

/* Collective: all that comes before the stretch of this process, those of the processes following one another. */
passage passage_before(const anorank_scan *scan);

#endif
