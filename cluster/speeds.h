/* speeds.h - who takes how much of a round: the processors of a job are not equally fast (another machine, or neighbours on
 * the same one), and a round ends with its last process. So each gets bytes in proportion to what it got done in the rounds
 * before, between half of an equal share and one and a half. No result depends on who takes what. */
#ifndef CLUSTER_SPEEDS_H
#define CLUSTER_SPEEDS_H

#include "team.h"

typedef struct speeds {
  double begun, waited;  /* when the own work began, and what was waited for others until then */
  double bytes, seconds; /* of own work, older rounds counting less and less */
  uint64_t *weight;      /* of each process */
} speeds;

/* All are equal at first. */
anorank_status speeds_open(speeds *all, anorank_error *err);
void speeds_free(speeds *all);

/* Collective, before a round: this process has worked on `bytes` since the last time. */
void speeds_update(speeds *all, uint64_t bytes);

/* This process's stretch of `total`; those of all follow one another without gaps. */
void speeds_share(uint64_t *from, uint64_t *to, const speeds *all, uint64_t total);

#endif
