/* network.h - a feed-forward network: the scorer of the classes `mlp` and `linear`.
 *
 * Layers of affine maps with max(0, .) between them and one output, the score (paper, section 4: its logistic
 * transform is the paper's score). Without hidden layers it is a linear score. With `quadratic`, the inputs
 * include their squares and products, so that it can represent any quadratic form. */
#ifndef ANK_SCORERS_NETWORK_H
#define ANK_SCORERS_NETWORK_H

#include "scorers/encoding.h"

#define ANK_MOST_LAYERS 16

typedef struct ank_network {
  ank_encoding *encoding;   /* NULL: the inputs are the rows. Otherwise this is the first network of an
                             * ensemble */
  struct ank_network *next; /* next of the ensemble, whose score is the mean over its networks */
  size_t dim;               /* of the rows */
  int quadratic;
  size_t layers;                     /* affine maps */
  size_t width[ANK_MOST_LAYERS + 1]; /* width[0]: inputs after the quadratic expansion; width[layers] = 1 */
  size_t units;                      /* sum of width[1..layers]; with the expansion, width[0] too */
  size_t widest;
  size_t count;   /* of values */
  double *values; /* layer by layer: weight[i * outputs + o], then the biases */
} ank_network;

/* Create a network with `hidden_count` layers of sizes `hidden`. All weights are uniform on +-1/sqrt(inputs
 * of the layer). */
anorank_status ank_network_start(void **out, size_t dim, const size_t *hidden, size_t hidden_count,
                                 int quadratic, ank_rng *rng, anorank_error *err);

/* Hook of ank_gradient_class: an ensemble. */
anorank_status ank_network_join(void **out, ank_encoding *encoding, void **scorers, size_t count,
                                anorank_error *err);

/* The functions of both classes' tables. */
anorank_status ank_network_score(double *scores, const void *scorer, const ank_matrix *rows,
                                 anorank_error *err);
size_t ank_network_dim(const void *scorer);
size_t ank_network_bytes(const void *scorer);
anorank_status ank_network_save(const void *scorer, ank_bytes *out, anorank_error *err);
anorank_status ank_network_load(void *scorer, ank_cursor *in, anorank_error *err);
void ank_network_free(void *scorer);
size_t ank_network_parameters(const void *scorer);
double *ank_network_values(void *scorer);
size_t ank_network_scratch(const void *scorer, size_t rows);
void ank_network_forward(const void *scorer, const double *rows, size_t count, double *scores,
                         double *scratch);
void ank_network_backward(const void *scorer, const double *rows, size_t count, const double *slopes,
                          double *gradient, double *scratch);

/* network_descend.c: see ank_gradient_class. */
int ank_network_descend(void *scorer, const double *rows, const size_t *order, size_t count, size_t positives,
                        const double *weights, double rate);

#endif
