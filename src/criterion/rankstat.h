/* rankstat.h - the statistics W_phi of one scorer, and their null distribution if s does not separate X from
 * U. */
#ifndef ANK_CRITERION_RANKSTAT_H
#define ANK_CRITERION_RANKSTAT_H

#include "criterion/phi.h"
#include "criterion/pooled.h"

/* Exact counts of pairs, doubled because a tie counts half. */
typedef struct ank_pairs {
  ank_wide twice_rank_sum;  /* of X in the pooled sample; ties by the setting `ties` */
  ank_wide twice_below;     /* 2 #{U_j < X_i} + #{U_j = X_i} */
  ank_wide x_squares;       /* sum over i of (2 #{j : U_j < X_i} + #{j : U_j = X_i})^2 */
  ank_wide u_squares;       /* sum over j of (2 #{i : X_i > U_j} + #{i : X_i = U_j})^2 */
  size_t groups, tied_rows; /* tied_rows: rows in groups of two or more */
} ank_pairs;

/* Compute W for every phi, in the registry's order, and the pair counts. `w` has ANK_PHI_COUNT elements, or
 * is NULL to compute the pairs alone. */
anorank_status ank_rankstat(anorank_w *w, ank_pairs *pairs, const ank_pooled *pooled,
                            const anorank_settings *settings, anorank_error *err);

/* Return P(V >= at_least) for V = #{U_j < X_i} if all orders are equally likely and there are no ties; exact.
 * n + m <= ANK_EXACT_ROWS. */
enum { ANK_EXACT_ROWS = 50 };
double ank_mann_whitney_tail(size_t n, size_t m, size_t at_least);

#endif
