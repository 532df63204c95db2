/* extras.h - additions to the library: built-in example tables, and the paper's experiment. The command line and the
 * tests link them statically; libanorank does not export them, and VERSIONING.md does not cover them. Conventions as in
 * anorank.h. */
#ifndef ANORANK_EXTRAS_H
#define ANORANK_EXTRAS_H

#include "anorank/anorank.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- built-in examples -------------------------------------------------------------------------------- */

/* A generated example table, with synthetic anomalies and a column that marks them. */
typedef struct anorank_example {
  const char *name;
  const char *help; /* one line */
} anorank_example;

size_t anorank_example_count(void);
const anorank_example *anorank_example_at(size_t i);

/* Make `settings->rows` rows of the named example. `settings->anomalies` is the share of synthetic anomalies; it does not
 * change the other rows. Row i depends only on the example, that share, the seed and first_row + i. */
ANORANK_MUST_CHECK anorank_status anorank_example_make(anorank_table **out, const char *name,
                                                       const anorank_settings *settings, anorank_error *err);

/* ---- the paper's experiment -------------------------------------------------------------------------- */

/* A column of the paper's Table 1: the share of true outliers among the n_lowest test rows with the lowest scores, as
 * mean and standard deviation over the repetitions; the same for the true density on the same test rows (a scorer that
 * also knows the radius of the outliers can be slightly better); and the values in the paper. */
typedef struct anorank_accuracy {
  size_t n_lowest;
  double mean, sd, ceiling_mean, ceiling_sd, paper_mean, paper_sd;
} anorank_accuracy;

typedef struct anorank_reproduction anorank_reproduction;

/* Run Section 4: `repetitions` times, draw the data, train the networks of the grid (lambda, restarts), select the one
 * with the highest W, and score the test rows. Repetition b depends only on the seed and b. */
ANORANK_MUST_CHECK anorank_status anorank_reproduce(anorank_reproduction **out,
                                                    const anorank_settings *settings, anorank_error *err);
void anorank_reproduction_free(anorank_reproduction *reproduction);
const anorank_accuracy *anorank_reproduction_table(const anorank_reproduction *reproduction, size_t *count);

/* Return how often each lambda was chosen: lambdas[i] in chosen[i] repetitions. */
size_t anorank_reproduction_lambdas(const anorank_reproduction *reproduction, const double **lambdas,
                                    const size_t **chosen);

/* Return the number of networks trained, and their CPU time in seconds. */
size_t anorank_reproduction_networks(const anorank_reproduction *reproduction, double *seconds);

/* Write every figure of the paper as SVG, and its data as CSV, to a directory, which is created if needed. `written`,
 * which may be NULL, receives each path. The averaged curves need two more networks per repetition, trained here with
 * the settings and the progress callback of the reproduction. */
ANORANK_MUST_CHECK anorank_status anorank_reproduction_write(const anorank_reproduction *reproduction,
                                                             const char *folder,
                                                             void (*written)(void *context, const char *path),
                                                             void *context, anorank_error *err);

#ifdef __cplusplus
}
#endif
#endif
