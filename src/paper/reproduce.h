/* reproduce.h - the paper's section 4: Table 1, and what its figures show. */
#ifndef ANK_PAPER_REPRODUCE_H
#define ANK_PAPER_REPRODUCE_H

#include "learn/learn.h"
#include "paper/data.h"

enum {
  ANK_PAPER_COLUMNS = 4, /* n_lowest = 25, 50, 75, 100 */
  ANK_PAPER_GRID = 101,  /* masses of the mass-volume curves */
  ANK_PAPER_MOST_LAMBDAS = 64,
  ANK_PAPER_LOGGED = 75 /* n_lowest of the training curves' accuracy */
};

/* Mean and standard deviation of the mass-volume curve over the repetitions. */
typedef struct ank_paper_curve {
  double mean[ANK_PAPER_GRID], sd[ANK_PAPER_GRID];
} ank_paper_curve;

struct anorank_reproduction {
  anorank_settings settings;
  anorank_accuracy table[ANK_PAPER_COLUMNS];
  double lambdas[ANK_PAPER_MOST_LAMBDAS];
  size_t lambda_count, chosen[ANK_PAPER_MOST_LAMBDAS];
  size_t networks;
  double seconds;

  /* phi = u and phi = u 1{u >= 0.7}, both with the lambda of the figure; `optimum` is the true density's */
  ank_paper_curve curves[2], optimum;
  double curve_lambda;

  /* of the first repetition */
  ank_paper_data data;
  ank_epoch *logs; /* lambda_count * epochs */
  double *x_score; /* of its X, by the network kept, through the logistic function */
  void *scorer;    /* that network, for the heat map */
  const ank_scorer_class *type;
};

anorank_status ank_reproduce(anorank_reproduction **out, const anorank_settings *settings,
                             anorank_error *err);
void ank_reproduction_free(anorank_reproduction *reproduction);

#endif
