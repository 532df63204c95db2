/* law_gaussian.c - N(0, sigma^2 I): the normal rows of the paper's experiment. */
#include "contrast/law.h"

static anorank_status draw_gaussian(const ank_draw *draw, anorank_error *err) {
  (void)err;
  for (size_t i = 0; i < draw->count; i++) {
    ank_rng rng;
    ank_draw_row(&rng, draw, i);
    for (size_t j = 0; j < draw->table->columns; j++)
      draw->table->column[j].numbers[draw->first + i] = draw->settings->sigma * ank_rng_normal(&rng);
  }
  return ANORANK_OK;
}

const ank_law ank_law_gaussian = {
    .info = {"gaussian", "independent Gaussian columns with mean 0 and standard deviation sigma", "dim sigma",
             0},
    .draw = draw_gaussian,
};
