/* objective.h - training objectives: functions of the scores of X and U with their slopes.
 *
 * Scores come pooled: n of X first, then m of U; they are logits, unbounded. Each function returns a loss
 * (smaller is better) and adds d loss / d score to `slopes`. */
#ifndef ANK_LEARN_OBJECTIVE_H
#define ANK_LEARN_OBJECTIVE_H

#include "criterion/phi.h"

typedef struct ank_scored {
  const double *scores; /* n + m */
  size_t n, m;
  const double *u_weight; /* m weights, NULL: all 1 */
} ank_scored;

/* 1 / (1 + exp(-z)), which does not overflow. */
double ank_sigmoid(double z);

/* Mean binary cross-entropy, X labelled 1 and U labelled 0 (paper, section 4); weights count as repeated
 * rows. The value costs more than the slopes: `loss` may be NULL. */
void ank_loss_bce(double *loss, double *slopes, const ank_scored *scored);

/* Minus scale * sum_i phi((N sigmoid(z_i) + 1) / (N + 1)), the paper's stand-in for W_phi (section 4). It
 * saturates with the sigmoid and ignores ranks. phi must have a slope. */
double ank_loss_proxy(double *slopes, const ank_scored *scored, const ank_phi *phi, double parameter,
                      double scale);

/* Minus W_phi (mean over X) with soft comparisons: each X is compared with point k by K((z_i - z_k) / h),
 * K(t) = 1/2 + 3t/4 - t^3/4 on [-1, 1], 0 below, 1 above, and coming after k is worth the jump of phi that
 * k's place in the true order makes; see rank_loss.c. For phi = mww it is minus the mean of (1/2 + sum_k w_k
 * K) / (N + 1), which is the mid-rank / (N + 1) once h is below every gap; for others it then is W within O(1
 * / N^2) per row, a tied run worth the mean of phi at its ends. Works for every phi, slope or not. O(N log N)
 * time. */
anorank_status ank_loss_rank(double *loss, double *slopes, const ank_scored *scored, const ank_phi *phi,
                             double parameter, double h, anorank_error *err);

#endif
