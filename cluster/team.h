/* team.h - the processes of one job, and what they have to agree on.
 *
 * Everything here is collective: every process calls it, in the same order, whatever happened to it before. So a failure of one
 * is kept until the next team_agree, where all learn of it, and leave together. */
#ifndef CLUSTER_TEAM_H
#define CLUSTER_TEAM_H

#include <mpi.h>

#include "anorank/anorank.h"

/* Set once, by main. */
extern int team_rank, team_size;

/* Of the processes that bring a failure the lowest is heard: its status is everybody's, and its error that of all. Where pieces
 * of a file are in the order of the processes, that is the failure that one process would have met first. */
anorank_status team_agree(anorank_status status, anorank_error *err);

/* The bytes of process 0 for all, in pieces below 2 GiB. */
void team_share(void *bytes, size_t length);

/* The same for bytes that the others have no room for yet: they get it by malloc. On failure `*bytes` is NULL. */
anorank_status team_share_new(unsigned char **bytes, size_t *length, anorank_error *err);

/* Counts of MPI are int: so many bytes at a time, at most. */
#define TEAM_MOST_BYTES ((uint64_t)1 << 30)
static inline int team_step(uint64_t left) { return (int)(left < TEAM_MOST_BYTES ? left : TEAM_MOST_BYTES); }

/* Each process has bytes for each, those for process 0 first, lengths[r] for process r; `take` gets what the others have for
 * this one, process by process, and its own. Holds what one other has for this one. */
typedef anorank_status (*team_take)(void *context, const unsigned char *bytes, size_t length,
                                    anorank_error *err);
anorank_status team_exchange(const unsigned char *bytes, const size_t *lengths, team_take take, void *context,
                             anorank_error *err);

/* Sums over all processes, and over those before this one. */
uint64_t team_sum(uint64_t value);
uint64_t team_sum_before(uint64_t value);
uint64_t team_most(uint64_t value);

/* The value of each process, for all: team_size of them. */
void team_gather(uint64_t *values, uint64_t value);

/* Seconds, and how many of them this process has spent here so far: in waiting for others, but for what `take` does. */
double team_clock(void);
double team_waited(void);

/* Until all are here, without using a processor: for what process 0 does alone. */
void team_wait(void);

/* A failure in words of this program's own. */
anorank_status team_fail(anorank_error *err, anorank_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A failure of MPI, with what was done to what: "x.csv: cannot read". */
anorank_status team_fail_mpi(anorank_error *err, int code, const char *name, const char *doing);

#endif
