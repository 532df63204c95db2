/* pooled_order.h - the order of two samples that lie on many processes.
 *
 * A judgement needs the order of the scores and no more: which of them are equal, and which sample each is from. Sample sort: every
 * process sorts its own, all agree on borders, each gets the scores between two of them (equal ones stay together) and turns them
 * into groups (so many of x, so many of u). Process 0 gets the groups, a byte for most, and has the same order in small numbers. */
#ifndef CLUSTER_POOLED_ORDER_H
#define CLUSTER_POOLED_ORDER_H

#include "team.h"

/* A growing array. */
typedef struct numbers {
  double *value;
  size_t count, capacity;
} numbers;

anorank_status numbers_add(numbers *to, const double *values, size_t count, anorank_error *err);
void numbers_free(numbers *of);

/* Each process brings a part of both samples, without NaN; afterwards process 0 has as many numbers as all brought, in ascending order, that
 * are equal and ordered as the scores were, and the others have none. Collective. */
anorank_status pooled_order(numbers *x, numbers *u, const anorank_settings *settings, anorank_error *err);

#endif
