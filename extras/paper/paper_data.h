/* paper_data.h - the data of the paper's section 4, for any dimension. */
#ifndef ANK_PAPER_PAPER_DATA_H
#define ANK_PAPER_PAPER_DATA_H

#include "scorers/scorer.h"

/* The paper's sizes: 1000 normal and 500 contrast rows for training, 400 and 100 for the test; plus our rows
 * for mass-volume curves, which no training has seen. */
enum {
  ANK_PAPER_X = 1000,
  ANK_PAPER_U = 500,
  ANK_PAPER_TEST_X = 400,
  ANK_PAPER_TEST_U = 100,
  ANK_PAPER_CURVE_X = 1000,
  ANK_PAPER_CURVE_U = 2000
};

typedef struct ank_paper_data {
  size_t dim;
  double radius; /* largest norm of X, plus epsilon */
  double *x, *u; /* training: N(0, 0.1 I), and the radial law (3, 1) dilated by the radius */
  double *test;  /* TEST_X normal rows, then TEST_U of the radial law (2, 1), dilated by the radius */
  unsigned char labels[ANK_PAPER_TEST_X + ANK_PAPER_TEST_U];
  double *curve_x, *curve_u; /* fresh: normal rows, and rows uniform in the ball of that radius */
  double *block;             /* owns them all */
} ank_paper_data;

/* Draw repetition b; depends on the seed and b alone. */
anorank_status ank_paper_draw(ank_paper_data *out, size_t repetition, const anorank_settings *settings,
                              anorank_error *err);
void ank_paper_free(ank_paper_data *data);

#endif
