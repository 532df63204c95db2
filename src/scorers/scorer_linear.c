/* scorer_linear.c - a linear score of the columns, or of the columns, their squares and their products:
 * logistic regression of X against U when trained by cross-entropy. With the quadratic terms it holds every
 * Gaussian order. */
#include "scorers/network.h"

static anorank_status start(void **out, size_t dim, const anorank_settings *settings, ank_rng *rng,
                            anorank_error *err) {
  return ank_network_start(out, dim, NULL, 0, settings->quadratic, rng, err);
}

static const ank_gradient_class gradient = {
    .start = start,
    .parameters = ank_network_parameters,
    .values = ank_network_values,
    .scratch = ank_network_scratch,
    .forward = ank_network_forward,
    .backward = ank_network_backward,
    .descend = ank_network_descend,
};

const ank_scorer_class ank_scorer_linear = {
    .info = {"linear", "a linear score, by default with squares and products of the columns",
             "quadratic objective phi lambda proxy epochs learning-rate optimiser schedule shuffle batch "
             "restarts "
             "smoothing warm-up weight-decay held-out patience",
             1, 1},
    .score = ank_network_score,
    .dim = ank_network_dim,
    .bytes = ank_network_bytes,
    .save = ank_network_save,
    .load = ank_network_load,
    .free = ank_network_free,
    .gradient = &gradient,
};
