/* objective.h - training objectives: functions of the scores of X and U with their slopes.
 *
 * Scores are pooled: n of X first, then m of U; they are unbounded logits. Each function returns a loss
 * (smaller is better) and adds d loss / d score to `slopes`. */
#ifndef ANK_LEARN_OBJECTIVE_H
#define ANK_LEARN_OBJECTIVE_H

#include "criterion/phi.h"

typedef struct ank_scored {
  const double *scores; /* n + m */
  size_t n, m;
  const double *u_weight; /* m weights, NULL: all 1 */
} ank_scored;

/* Return the objective of a single scorer; auto means the paper's. */
anorank_objective ank_objective(const anorank_settings *settings);

/* Return 1 / (1 + exp(-z)) without overflow. */
double ank_sigmoid(double z);

/* Compute the mean binary cross-entropy, X labelled 1 and U labelled 0 (paper, section 4); weights count as
 * repeated rows. The value costs more than the slopes: `loss` may be NULL. */
void ank_loss_bce(double *loss, double *slopes, const ank_scored *scored);

/* Return minus scale * sum_i phi((N sigmoid(z_i) + 1) / (N + 1)), the paper's proxy for W_phi (section 4). It
 * saturates with the sigmoid and ignores ranks. phi must have a slope. */
double ank_loss_proxy(double *slopes, const ank_scored *scored, const ank_phi *phi, double parameter,
                      double scale);

/* Compute minus W_phi (mean over X) with soft comparisons. Each X is compared with point k by K((z_i - z_k) /
 * h), K(t) = 1/2 + 3t/4 - t^3/4 on [-1, 1], 0 below, 1 above. Coming after k adds the jump of phi at k's
 * place in the true order; see rank_loss.c. For phi = mww it is minus the mean of (1/2 + sum_k w_k K) / (N +
 * 1), which is the mid-rank / (N + 1) if h is below every gap. For others it then equals W within O(1 / N^2)
 * per row, where a tied run has the mean of phi at its ends. Works for every phi, with or without a slope.
 * O(N log N) time. */
anorank_status ank_loss_rank(double *loss, double *slopes, const ank_scored *scored, const ank_phi *phi,
                             double parameter, double h, anorank_error *err);

#endif
