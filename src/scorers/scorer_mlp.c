/* scorer_mlp.c - the classes of networks.
 *
 *   mlp     the paper's class: a multi-layer network, by default one hidden layer of 2d units (section 4)
 *   linear  a network without a hidden layer: a linear score of the columns, or of the columns, their squares
 *           and their products: logistic regression of X against U when trained by cross-entropy. With the
 *           quadratic terms it includes every Gaussian order. */
#include <math.h>
#include <string.h>

#include "core/number.h"
#include "scorers/network.h"

/* Parse "auto", or sizes separated by commas. */
static anorank_status parse_hidden(size_t *sizes, size_t *count, const char *text, size_t dim,
                                   anorank_error *err) {
  const char *given = text;
  char quoted[ANK_QUOTE_SIZE];
  *count = 0;
  if (strcmp(text, "auto") == 0) {
    sizes[(*count)++] = 2 * dim;
    return ANORANK_OK;
  }
  for (;;) {
    const char *end = text + strcspn(text, ",");
    double size = 0;
    if (ank_number_parse(&size, text, (size_t)(end - text)) != ANK_NUMBER || size != floor(size) ||
        !(size >= 1 && size <= 100000) || *count + 1 >= ANK_MOST_LAYERS)
      return ank_fail(
          err, ANORANK_ERROR_USAGE, "setting-value",
          "hidden takes 'auto' or up to %d layer sizes from 1 to 100000, separated by commas, not \"%s\"",
          ANK_MOST_LAYERS - 1, ank_quote(quoted, given, strlen(given)));
    sizes[(*count)++] = (size_t)size;
    if (*end == '\0') return ANORANK_OK;
    text = end + 1;
  }
}

static anorank_status start_mlp(void **out, size_t dim, const anorank_settings *settings, ank_rng *rng,
                                anorank_error *err) {
  size_t sizes[ANK_MOST_LAYERS], count;
  *out = NULL;
  anorank_status status = parse_hidden(sizes, &count, settings->hidden, dim, err);
  return status == ANORANK_OK ? ank_network_start(out, dim, sizes, count, 0, rng, err) : status;
}

static anorank_status start_linear(void **out, size_t dim, const anorank_settings *settings, ank_rng *rng,
                                   anorank_error *err) {
  return ank_network_start(out, dim, NULL, 0, settings->quadratic, rng, err);
}

/* The fields that both classes share. */
#define TRAINING                                                                                             \
  .parameters = ank_network_parameters, .values = ank_network_values, .scratch = ank_network_scratch,        \
  .forward = ank_network_forward, .backward = ank_network_backward, .descend = ank_network_descend
#define NETWORK                                                                                              \
  .size = sizeof(ank_network), .score = ank_network_score, .dim = ank_network_dim,                           \
  .bytes = ank_network_bytes, .save = ank_network_save, .load = ank_network_load, .free = ank_network_free
#define TRAINED_BY                                                                                           \
  "objective phi lambda proxy epochs learning-rate optimiser schedule shuffle batch restarts smoothing "     \
  "warm-up weight-decay held-out patience"

static const ank_gradient_class mlp_gradient = {.start = start_mlp, TRAINING, .join = ank_network_join};
static const ank_gradient_class linear_gradient = {.start = start_linear, TRAINING};

const ank_scorer_class ank_scorer_mlp = {
    .info = {"mlp", "neural network that separates X from U (the paper's class)", "hidden " TRAINED_BY, 1, 1},
    .gradient = &mlp_gradient,
    NETWORK,
};

const ank_scorer_class ank_scorer_linear = {
    .info = {"linear", "linear score, by default with squares and products of the columns",
             "quadratic " TRAINED_BY, 1, 1},
    .gradient = &linear_gradient,
    NETWORK,
};
