/* extras.h - what comes with anorank but is no part of the library: built-in tables to try things on, and the
 * paper's experiment. It is linked statically into the programs that want it (the command line, the tests);
 * libanorank does not export it, and VERSIONING.md promises nothing about it. Conventions as in anorank.h. */
#ifndef ANORANK_EXTRAS_H
#define ANORANK_EXTRAS_H

#include "anorank/anorank.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- built-in examples -------------------------------------------------------------------------------- */

/* A generated table to try things on, with planted anomalies and a column that marks them. */
typedef struct anorank_example {
  const char *name;
  const char *help; /* one line */
} anorank_example;

size_t anorank_example_count(void);
const anorank_example *anorank_example_at(size_t i);

/* Make `settings->rows` rows of the example with that name. `settings->anomalies` is the share of planted
 * anomalies (0: none; the other rows stay what they are). Row i depends on the example, that share, the seed
 * and first_row + i alone. */
ANORANK_MUST_CHECK anorank_status anorank_example_make(anorank_table **out, const char *name,
                                                       const anorank_settings *settings, anorank_error *err);

/* ---- the paper's experiment -------------------------------------------------------------------------- */

/* A column of the paper's Table 1: the share of true outliers among the n_lowest test rows with the lowest
 * scores, mean and standard deviation over the repetitions; the same for the true density on the same test
 * rows (docs/reproduce.md: a scorer that also knows the radius of the outliers' law can do slightly better);
 * and what the paper reports. */
typedef struct anorank_accuracy {
  size_t n_lowest;
  double mean, sd, ceiling_mean, ceiling_sd, paper_mean, paper_sd;
} anorank_accuracy;

typedef struct anorank_reproduction anorank_reproduction;

/* Section 4 whole: `repetitions` times draw the data, train the networks of the grid (lambda, restarts), keep
 * the one with the highest W, score the test rows. Repetition b depends on the seed and b alone. */
ANORANK_MUST_CHECK anorank_status anorank_reproduce(anorank_reproduction **out,
                                                    const anorank_settings *settings, anorank_error *err);
void anorank_reproduction_free(anorank_reproduction *reproduction);
const anorank_accuracy *anorank_reproduction_table(const anorank_reproduction *reproduction, size_t *count);

/* How often each lambda was chosen: lambdas[i] in chosen[i] repetitions. */
size_t anorank_reproduction_lambdas(const anorank_reproduction *reproduction, const double **lambdas,
                                    const size_t **chosen);

/* Networks trained in all, and the seconds of processor time they took. */
size_t anorank_reproduction_networks(const anorank_reproduction *reproduction, double *seconds);

/* Every figure of the paper as SVG and every number behind it as CSV, into a folder that exists or can be
 * made. `written` is told each path; may be NULL. The averaged curves need two more networks per repetition,
 * which are trained here, with the settings of the reproduction and its progress callback. */
ANORANK_MUST_CHECK anorank_status anorank_reproduction_write(const anorank_reproduction *reproduction,
                                                             const char *folder,
                                                             void (*written)(void *context, const char *path),
                                                             void *context, anorank_error *err);

#ifdef __cplusplus
}
#endif
#endif
