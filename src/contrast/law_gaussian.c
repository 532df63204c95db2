/* law_gaussian.c - N(0, sigma^2 I): the normal rows of the paper's experiment. */
#include "contrast/law.h"
#include "core/alloc.h"

typedef struct {
  double sigma;
} gaussian;

static anorank_status open_gaussian(void **state, const anorank_table *data, const anorank_settings *settings,
                                    anorank_error *err) {
  (void)data;
  gaussian *law = NULL;
  *state = NULL;
  ANK_CHECK(ank_alloc(&law, 1, sizeof *law, err));
  law->sigma = settings->sigma;
  *state = law;
  return ANORANK_OK;
}

static anorank_status draw_gaussian(const void *state, const ank_draw *draw, anorank_error *err) {
  (void)err;
  const gaussian *law = state;
  for (size_t i = 0; i < draw->count; i++) {
    ank_rng rng;
    ank_draw_row(&rng, draw, i);
    for (size_t j = 0; j < draw->table->columns; j++)
      draw->table->column[j].numbers[draw->first + i] = law->sigma * ank_rng_normal(&rng);
  }
  return ANORANK_OK;
}

const ank_law ank_law_gaussian = {
    .info = {"gaussian", "independent normal columns with mean 0 and standard deviation sigma", "dim sigma",
             0},
    .open = open_gaussian,
    .draw = draw_gaussian,
    .free = ank_free,
};
