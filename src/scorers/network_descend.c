/* network_descend.c - one-row gradient steps for networks with one small hidden layer (the paper's has 2d
 * units).
 *
 * Algorithm 1 takes a step per row, so the step must be fast. The weights are in vectors on the stack, and a
 * row goes forward, back and into the weights without a gradient array. Each number goes through the same
 * operations in the same order as in network.c, so the result has the same bits (a test compares). */
#include <math.h>
#include <string.h>

#include "scorers/network.h"

enum { LANES = 4, MOST_DIM = 32, MOST_GROUPS = 16 };

typedef double lanes __attribute__((vector_size(LANES * sizeof(double))));
typedef long long lane_masks __attribute__((vector_size(LANES * sizeof(double))));

/* Hidden units padded with zeros to whole vectors; a padded unit stays 0. */
typedef struct small_net {
  lanes first[MOST_DIM][MOST_GROUPS], bias[MOST_GROUPS], second[MOST_GROUPS];
  double last;
  size_t dim, groups;
} small_net;

static void unpack(small_net *s, const ank_network *net) {
  size_t units = net->width[1];
  const double *v = net->values;
  s->dim = net->dim;
  s->groups = (units + LANES - 1) / LANES;
  for (size_t i = 0; i < s->dim; i++, v += units) {
    memset(s->first[i], 0, s->groups * sizeof(lanes));
    memcpy(s->first[i], v, units * sizeof *v);
  }
  memset(s->bias, 0, sizeof s->bias);
  memset(s->second, 0, sizeof s->second);
  memcpy(s->bias, v, units * sizeof *v);
  memcpy(s->second, v + units, units * sizeof *v);
  s->last = v[2 * units];
}

static void pack(ank_network *net, const small_net *s) {
  size_t units = net->width[1];
  double *v = net->values;
  for (size_t i = 0; i < s->dim; i++, v += units) memcpy(v, s->first[i], units * sizeof *v);
  memcpy(v, s->bias, units * sizeof *v);
  memcpy(v + units, s->second, units * sizeof *v);
  v[2 * units] = s->last;
}

/* A macro, because vectors wider than the baseline's must not cross a function border. */
#define WHERE_POSITIVE(a, b) ((lanes)(((a) > (lanes){0}) & (lane_masks)(b)))

/* `dim` and `groups` are arguments so that the paper's case can be compiled with constants. */
static inline void step(small_net *restrict s, const double *row, int label, double weight, double rate,
                        size_t dim, size_t groups) {
  lanes active[MOST_GROUPS];
  double z = s->last;
  for (size_t g = 0; g < groups; g++) {
    lanes a = s->bias[g];
    for (size_t i = 0; i < dim; i++) a += row[i] * s->first[i][g];
    active[g] = WHERE_POSITIVE(a, a);
    lanes product = active[g] * s->second[g];
    z = z + product[0] + product[1] + product[2] + product[3];
  }
  double e = exp(-fabs(z)), small = e / (1 + e), large = 1 / (1 + e); /* sigmoids of -|z| and |z| */
  double slope = label ? -(z > 0 ? small : large) : (z > 0 ? large : small) * weight;
  for (size_t g = 0; g < groups; g++) {
    lanes below = WHERE_POSITIVE(active[g], s->second[g] * slope);
    s->second[g] -= rate * (active[g] * slope);
    s->bias[g] -= rate * below;
    for (size_t i = 0; i < dim; i++) s->first[i][g] -= rate * (row[i] * below);
  }
  s->last -= rate * slope;
}

int ank_network_descend(void *scorer, const double *rows, const size_t *order, size_t count, size_t positives,
                        const double *weights, double rate) {
  ank_network *net = scorer;
  small_net s;
  if (net->quadratic || net->layers != 2 || net->dim > MOST_DIM || net->width[1] > MOST_GROUPS * LANES)
    return 0;
  unpack(&s, net);
  for (size_t k = 0; k < count; k++) {
    size_t i = order[k];
    const double *row = rows + i * s.dim;
    int label = i < positives;
    double weight = !label && weights ? weights[i - positives] : 1;
    if (s.dim == 2 && s.groups == 1)
      step(&s, row, label, weight, rate, 2, 1);
    else
      step(&s, row, label, weight, rate, s.dim, s.groups);
  }
  pack(net, &s);
  return 1;
}
