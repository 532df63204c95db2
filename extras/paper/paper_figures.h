/* paper_figures.h - the data of the paper's figures, beyond Table 1.
 *
 * Computed on request, from the settings of a reproduction: two more networks per repetition for the averaged
 * curves, and the first repetition again, with a log of every epoch. */
#ifndef ANK_PAPER_PAPER_FIGURES_H
#define ANK_PAPER_PAPER_FIGURES_H

#include "paper/table_one.h"

enum {
  ANK_PAPER_GRID = 101, /* masses of the mass-volume curves */
  ANK_PAPER_LOGGED = 75 /* n_lowest of the training curves' accuracy */
};

/* Mean and standard deviation of the mass-volume curve over the repetitions. */
typedef struct ank_paper_curve {
  double mean[ANK_PAPER_GRID], sd[ANK_PAPER_GRID];
} ank_paper_curve;

typedef struct ank_paper_figures {
  const anorank_reproduction *reproduction; /* borrowed */

  /* phi = u and phi = u 1{u >= u0}, both at `curve_lambda`; `optimum` is the true density's */
  ank_paper_curve curves[2], optimum;
  double curve_lambda;

  /* of the first repetition */
  ank_paper_data data;
  ank_epoch *logs; /* lambda_count * epochs */
  void *scorer;    /* the network with the highest W */
  double kept_lambda;
  double *x_score; /* of its X by that network, through the logistic function */
  double typical[ANK_PAPER_GRID], typical_optimum[ANK_PAPER_GRID]; /* mass-volume, on fresh rows */
} ank_paper_figures;

anorank_status ank_paper_figures_make(ank_paper_figures **out, const anorank_reproduction *reproduction,
                                      anorank_error *err);
void ank_paper_figures_free(ank_paper_figures *figures);

#endif
