/* table_one.h - the paper's section 4: the numbers of Table 1. paper_figures.h has its figures. */
#ifndef ANK_PAPER_TABLE_ONE_H
#define ANK_PAPER_TABLE_ONE_H

#include "anorank/extras.h"
#include "learn/learn.h"
#include "paper/paper_data.h"

enum {
  ANK_PAPER_COLUMNS = 4, /* n_lowest = 25, 50, 75, 100 */
  ANK_PAPER_MOST_LAMBDAS = 64,
  ANK_PAPER_MOST_DIM = 1000
};

struct anorank_reproduction {
  anorank_settings settings; /* owns its texts */
  const ank_scorer_class *type;
  anorank_accuracy table[ANK_PAPER_COLUMNS];
  double lambdas[ANK_PAPER_MOST_LAMBDAS];
  size_t lambda_count, chosen[ANK_PAPER_MOST_LAMBDAS];
  size_t networks;
  double seconds;
};

/* ---- for the figures ---- */

/* Return the settings of one repetition, on one thread: the networks' starts differ from repetition to
 * repetition. */
anorank_settings ank_paper_settings(const anorank_settings *settings, size_t repetition);

/* Compute minus the squared norm: an increasing function of the true density. */
void ank_paper_density(double *scores, const double *rows, size_t count, size_t dim);

/* Compute mean and standard deviation (divided by the number, as usual in tables of papers) of values
 * `stride` bytes apart. */
void ank_paper_summarise(double *mean, double *sd, const double *first, size_t count, size_t stride);

#endif
