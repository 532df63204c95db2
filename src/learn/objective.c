/* objective.c - cross-entropy and the paper's proxy; see objective.h. */
#include "learn/objective.h"

#include <math.h>

anorank_objective ank_objective(const anorank_settings *settings) {
  return settings->objective == ANORANK_OBJECTIVE_AUTO ? ANORANK_OBJECTIVE_PAPER
                                                       : (anorank_objective)settings->objective;
}

double ank_sigmoid(double z) {
  if (z >= 0) return 1 / (1 + exp(-z));
  double e = exp(z);
  return e / (1 + e);
}

/* Return log(1 + exp(z)) without overflow. */
static double softplus(double z) { return z > 0 ? z + log1p(exp(-z)) : log1p(exp(z)); }

static double weight_of(const ank_scored *scored, size_t j) {
  return scored->u_weight ? scored->u_weight[j] : 1;
}

static double total_weight(const ank_scored *scored) {
  if (!scored->u_weight) return (double)(scored->n + scored->m);
  double total = (double)scored->n;
  for (size_t j = 0; j < scored->m; j++) total += scored->u_weight[j];
  return total;
}

void ank_loss_bce(double *loss, double *slopes, const ank_scored *scored) {
  double share = 1 / total_weight(scored), sum = 0;
  for (size_t i = 0; i < scored->n; i++) {
    double z = scored->scores[i];
    if (loss) sum += share * softplus(-z);
    slopes[i] -= share * ank_sigmoid(-z);
  }
  for (size_t j = 0; j < scored->m; j++) {
    double z = scored->scores[scored->n + j], weight = share * weight_of(scored, j);
    if (loss) sum += weight * softplus(z);
    slopes[scored->n + j] += weight * ank_sigmoid(z);
  }
  if (loss) *loss = sum;
}

double ank_loss_proxy(double *slopes, const ank_scored *scored, const ank_phi *phi, double parameter,
                      double scale) {
  double total = (double)(scored->n + scored->m), sum = 0;
  for (size_t i = 0; i < scored->n; i++) {
    double p = ank_sigmoid(scored->scores[i]), u = (total * p + 1) / (total + 1);
    if (u > 1 - 1e-12) u = 1 - 1e-12; /* where a sigmoid rounds to 1, some phi have a pole */
    sum += phi->value(u, parameter);
    slopes[i] -= scale * phi->slope(u, parameter) * total / (total + 1) * p * (1 - p);
  }
  return -scale * sum;
}
