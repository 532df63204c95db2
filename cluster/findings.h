/* findings.h - rows judged by all processes, the findings in one file: the bytes of the command line.
 *
 * Each process scores and counts the rows of its pieces; counts are merged, and all get them (anorank_tally). In a second
 * reading, rows that are to be reported go to the process whose share of the order they are in; there they are sorted, get
 * their reasons and are written behind the shares before. */
#ifndef CLUSTER_FINDINGS_H
#define CLUSTER_FINDINGS_H

#include "inputs.h"
#include "ranking.h"

/* Scores that a fit has given to some of the rows, ascending by row. */
typedef struct findings_own {
  size_t *rows;
  double *scores;
  size_t count;
} findings_own;

/* By ranking->model, which all have. `watched`: look at the rows as a whole. Returns the exit code, for all; 1 for an anomaly under --exit-on-anomaly. */
int findings_make(cli_ranking *ranking, cli_call *call, const cli_inputs *inputs, const findings_own *own,
                  int watched);

/* Is it work for one process: options that need all rows in memory, standard input? Then process 0 does it by the command of
 * the command line, and `*code` is set. */
int findings_by_one(int *code, cli_call *call, const cli_command *command, size_t first);

#endif
