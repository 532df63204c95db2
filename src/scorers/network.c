/* network.c - see network.h.
 *
 * Weights of a layer are stored input by input (weight[i * outputs + o]), then the biases. The inner loops
 * run over outputs, so a compiler can vectorise them while each output still adds its inputs in order. So the
 * bits of a score do not depend on the instruction set or on the other rows. */
#include "scorers/network.h"

#include <math.h>
#include <string.h>

#include "core/alloc.h"

enum { MOST_WIDTH = 1 << 20, MOST_NETWORKS = 1024 };

typedef struct ank_network network;

/* ---- shape ------------------------------------------------------------------------------------------- */

/* Compute the fields that follow from dim, quadratic, layers and the hidden widths; 0 if it is too large.
 * Counts in 64 bits, since the product of two of the widest layers exceeds 32. */
static int complete_shape(network *net) {
  const uint64_t dim = net->dim;
  uint64_t count = 0;
  if (net->quadratic && dim * (dim + 3) / 2 > MOST_WIDTH) return 0;
  net->width[0] = net->quadratic ? net->dim + net->dim * (net->dim + 1) / 2 : net->dim;
  net->width[net->layers] = 1;
  net->widest = 0;
  net->units = net->quadratic ? net->width[0] : 0;
  for (size_t l = 0; l <= net->layers; l++) {
    if (net->width[l] < 1 || net->width[l] > MOST_WIDTH) return 0;
    if (net->width[l] > net->widest) net->widest = net->width[l];
    if (l == 0) continue;
    net->units += net->width[l];
    count += (uint64_t)(net->width[l - 1] + 1) * net->width[l];
  }
  net->count = (size_t)count;
  return count <= (uint64_t)1 << 32 && count <= SIZE_MAX / sizeof *net->values;
}

void ank_network_free(void *scorer) {
  for (network *net = scorer, *next; net; net = next) {
    next = net->next;
    ank_encoding_free(net->encoding);
    ank_free(net->values);
    ank_free(net);
  }
}

anorank_status ank_network_join(void **out, ank_encoding *encoding, void **scorers, size_t count,
                                anorank_error *err) {
  (void)err;
  network *first = scorers[0];
  for (size_t k = 0; k < count; k++) {
    network *net = scorers[k];
    net->next = k + 1 < count ? scorers[k + 1] : NULL;
    scorers[k] = NULL;
  }
  first->encoding = encoding;
  *out = first;
  return ANORANK_OK;
}

anorank_status ank_network_start(void **out, size_t dim, const size_t *hidden, size_t hidden_count,
                                 int quadratic, ank_rng *rng, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  network *net = NULL;
  *out = NULL;
  if (hidden_count + 1 > ANK_MOST_LAYERS)
    ANK_FAIL(ANORANK_ERROR_USAGE, "network-layers", "%zu hidden layers are too many; use at most %d",
             hidden_count, ANK_MOST_LAYERS - 1);
  ANK_TRY(ank_alloc(&net, 1, sizeof *net, err));
  net->dim = dim;
  net->quadratic = quadratic;
  net->layers = hidden_count + 1;
  if (dim > MOST_WIDTH)
    ANK_FAIL(ANORANK_ERROR_USAGE, "network-columns",
             "%zu columns are too many for a network; choose another scorer, or use fewer columns", dim);
  for (size_t l = 0; l < hidden_count; l++) net->width[l + 1] = hidden[l];
  if (!complete_shape(net))
    ANK_FAIL(ANORANK_ERROR_USAGE, "network-size",
             "the network is too large (a layer has at most %d units); lower hidden", MOST_WIDTH);
  ANK_TRY(ank_alloc(&net->values, net->count, sizeof *net->values, err));
  double *value = net->values;
  for (size_t l = 0; l < net->layers; l++) {
    double reach = 1 / sqrt((double)net->width[l]);
    for (size_t k = 0; k < (net->width[l] + 1) * net->width[l + 1]; k++)
      *value++ = reach * (2 * ank_rng_uniform(rng) - 1);
  }
  ANK_HAND_OVER(out, net);
done:
  ank_network_free(net);
  return status;
}

size_t ank_network_dim(const void *scorer) {
  const network *net = scorer;
  return net->encoding ? net->encoding->dim : net->dim;
}
size_t ank_network_parameters(const void *scorer) { return ((const network *)scorer)->count; }
double *ank_network_values(void *scorer) { return ((network *)scorer)->values; }

size_t ank_network_bytes(const void *scorer) {
  const network *first = scorer;
  size_t bytes = first->encoding ? ank_encoding_bytes(first->encoding) : 0;
  for (const network *net = first; net; net = net->next)
    bytes += sizeof *net + net->count * sizeof *net->values;
  return bytes;
}

/* ---- one row forward and back ------------------------------------------------------------------------ */

/* Compute out = weights' in + bias, then max(0, .) with `rectify`. */
static void affine(double *restrict out, const double *restrict in, const double *restrict weight,
                   size_t inputs, size_t outputs, int rectify) {
  const double *bias = weight + inputs * outputs;
  for (size_t o = 0; o < outputs; o++) out[o] = bias[o];
  for (size_t i = 0; i < inputs; i++) {
    double x = in[i];
    const double *row = weight + i * outputs;
    for (size_t o = 0; o < outputs; o++) out[o] += x * row[o];
  }
  if (!rectify) return;
  for (size_t o = 0; o < outputs; o++) out[o] = out[o] > 0 ? out[o] : 0;
}

static void expand(double *out, const double *row, size_t dim) {
  memcpy(out, row, dim * sizeof *out);
  out += dim;
  for (size_t i = 0; i < dim; i++)
    for (size_t j = i; j < dim; j++) *out++ = row[i] * row[j];
}

/* Compute the score. `units` receives the activations of all layers in sequence; the last is the score. */
static double forward_row(const network *net, const double *row, double *units) {
  const double *in = row, *weight = net->values;
  if (net->quadratic) {
    expand(units, row, net->dim);
    in = units;
    units += net->width[0];
  }
  for (size_t l = 0; l < net->layers; l++) {
    affine(units, in, weight, net->width[l], net->width[l + 1], l + 1 < net->layers);
    weight += (net->width[l] + 1) * net->width[l + 1];
    in = units;
    units += net->width[l + 1];
  }
  return in[0];
}

/* `deltas`: two arrays of `widest`. */
static void backward_row(const network *net, const double *row, const double *units, double slope,
                         double *restrict gradient, double *deltas) {
  double *delta = deltas, *below = deltas + net->widest;
  const double *weight = net->values + net->count;
  const double *out = units + net->units; /* past the outputs of layer l */
  double *grad = gradient + net->count;
  delta[0] = slope;
  for (size_t l = net->layers; l-- > 0;) {
    size_t inputs = net->width[l], outputs = net->width[l + 1];
    out -= outputs;
    weight -= (inputs + 1) * outputs;
    grad -= (inputs + 1) * outputs;
    const double *in = l > 0 || net->quadratic ? out - inputs : row;
    for (size_t o = 0; o < outputs; o++) grad[inputs * outputs + o] += delta[o];
    for (size_t i = 0; i < inputs; i++) {
      double x = in[i], sum = 0;
      double *g = grad + i * outputs;
      const double *w = weight + i * outputs;
      for (size_t o = 0; o < outputs; o++) g[o] += x * delta[o];
      if (l == 0) continue;
      for (size_t o = 0; o < outputs; o++) sum += w[o] * delta[o];
      below[i] = x > 0 ? sum : 0;
    }
    double *swap = delta;
    delta = below;
    below = swap;
  }
}

/* ---- the class functions ----------------------------------------------------------------------------- */

size_t ank_network_scratch(const void *scorer, size_t rows) {
  const network *net = scorer;
  return rows * net->units + 2 * net->widest;
}

void ank_network_forward(const void *scorer, const double *rows, size_t count, double *scores,
                         double *scratch) {
  const network *net = scorer;
  for (size_t i = 0; i < count; i++)
    scores[i] = forward_row(net, rows + i * net->dim, scratch + i * net->units);
}

void ank_network_backward(const void *scorer, const double *rows, size_t count, const double *slopes,
                          double *gradient, double *scratch) {
  const network *net = scorer;
  for (size_t i = 0; i < count; i++)
    backward_row(net, rows + i * net->dim, scratch + i * net->units, slopes[i], gradient,
                 scratch + count * net->units);
}

static anorank_status score_ensemble(double *scores, const network *first, const ank_matrix *rows,
                                     anorank_error *err) {
  double *scratch, *inputs, count = 0;
  size_t most = 0;
  for (const network *net = first; net; net = net->next) {
    size_t size = ank_network_scratch(net, 1);
    if (size > most) most = size;
    count++;
  }
  ANK_CHECK(ank_alloc_raw(&scratch, most + first->encoding->inputs, sizeof *scratch, err));
  inputs = scratch + most;
  for (size_t i = 0; i < rows->rows; i++) {
    double sum = 0;
    ank_encode(inputs, first->encoding, rows->values + i * rows->dim, 0);
    for (const network *net = first; net; net = net->next) sum += forward_row(net, inputs, scratch);
    scores[i] = sum / count;
  }
  ank_free(scratch);
  return ANORANK_OK;
}

anorank_status ank_network_score(double *scores, const void *scorer, const ank_matrix *rows,
                                 anorank_error *err) {
  const network *net = scorer;
  double *scratch;
  if (net->encoding) return score_ensemble(scores, net, rows, err);
  ANK_CHECK(ank_alloc_raw(&scratch, ank_network_scratch(scorer, 1), sizeof *scratch, err));
  for (size_t i = 0; i < rows->rows; i++) scores[i] = forward_row(net, rows->values + i * net->dim, scratch);
  ank_free(scratch);
  return ANORANK_OK;
}

static anorank_status save_one(const network *net, ank_bytes *out, anorank_error *err) {
  ANK_CHECK(ank_bytes_put_u64(out, net->dim, err));
  ANK_CHECK(ank_bytes_put_u64(out, (uint64_t)net->quadratic, err));
  ANK_CHECK(ank_bytes_put_u64(out, net->layers, err));
  for (size_t l = 1; l < net->layers; l++) ANK_CHECK(ank_bytes_put_u64(out, net->width[l], err));
  return ank_bytes_put_f64s(out, net->values, net->count, err);
}

/* A single network begins with its columns, an ensemble with 0. */
anorank_status ank_network_save(const void *scorer, ank_bytes *out, anorank_error *err) {
  const network *first = scorer;
  size_t count = 0;
  if (!first->encoding) return save_one(first, out, err);
  for (const network *net = first; net; net = net->next) count++;
  ANK_CHECK(ank_bytes_put_u64(out, 0, err));
  ANK_CHECK(ank_encoding_save(first->encoding, out, err));
  ANK_CHECK(ank_bytes_put_u64(out, count, err));
  for (const network *net = first; net; net = net->next) ANK_CHECK(save_one(net, out, err));
  return ANORANK_OK;
}

/* Load everything after the number of columns. */
static anorank_status load_one(network *net, ank_cursor *in, anorank_error *err) {
  size_t quadratic, count;
  ANK_CHECK(ank_cursor_size(in, &quadratic, 0, 1, "the flag 'quadratic'", err));
  ANK_CHECK(ank_cursor_size(in, &net->layers, 1, ANK_MOST_LAYERS, "the number of layers", err));
  net->quadratic = (int)quadratic;
  for (size_t l = 1; l < net->layers; l++)
    ANK_CHECK(ank_cursor_size(in, &net->width[l], 1, MOST_WIDTH, "the width of a layer", err));
  if (!complete_shape(net))
    return ank_fail(err, ANORANK_ERROR_MODEL, "model-network",
                    "the model is damaged: its network is too large");
  ANK_CHECK(ank_cursor_f64s(in, &net->values, &count, err));
  if (count != net->count)
    return ank_fail(err, ANORANK_ERROR_MODEL, "model-network",
                    "the model is damaged: its network has %zu weights, not %zu", count, net->count);
  for (size_t k = 0; k < count; k++)
    if (!isfinite(net->values[k]))
      return ank_fail(err, ANORANK_ERROR_MODEL, "model-network",
                      "the model is damaged: a weight is not finite");
  return ANORANK_OK;
}

anorank_status ank_network_load(void *scorer, ank_cursor *in, anorank_error *err) {
  network *first = scorer;
  size_t count;
  ANK_CHECK(ank_cursor_size(in, &first->dim, 0, MOST_WIDTH, "the number of columns", err));
  if (first->dim > 0) return load_one(first, in, err);
  ANK_CHECK(ank_encoding_load(&first->encoding, in, err));
  ANK_CHECK(ank_cursor_size(in, &count, 1, MOST_NETWORKS, "the number of networks", err));
  for (network *net = first; count-- > 0; net = net->next) {
    ANK_CHECK(ank_cursor_size(in, &net->dim, first->encoding->inputs, first->encoding->inputs,
                              "the inputs of a network", err));
    ANK_CHECK(load_one(net, in, err));
    if (count > 0) ANK_CHECK(ank_alloc(&net->next, 1, sizeof *net->next, err));
  }
  return ANORANK_OK;
}
