/* stretch_law.h - the distribution of the smallest p-value among L consecutive normal rows.
 *
 * Of L independent rows, the smallest p-value is at most t with probability 1 - (1 - t)^L. Where neighbours resemble
 * each other, L rows count as fewer: 1 - (1 - t)^(theta L), theta in [1/L, 1] (the extremal index; Leadbetter 1983). It is
 * estimated on the ranked rows, since it measures dependence and not abnormality: with F the
 * share of rows, and B the share of stretches of L rows, that have a p-value of at most t,
 *
 *   theta = log(1 - B) / (L log(1 - F)).
 *
 * Lengths and levels are powers of 2; between them log theta is linear in their logarithms. Where too few rows or stretches
 * have such p-values, the nearest higher level counts; for longer stretches, the longest length that there are enough of. */
#ifndef ANK_RANKING_STRETCH_LAW_H
#define ANK_RANKING_STRETCH_LAW_H

#include "context/context.h"

enum { ANK_STRETCH_LENGTHS = 16, ANK_STRETCH_LEVELS = 12 };

typedef struct ank_stretch_law {
  size_t lengths; /* 1, 2, 4, ... that are known; 0: rows count as independent */
  double log_theta[ANK_STRETCH_LENGTHS][ANK_STRETCH_LEVELS]; /* levels 1/2, 1/4, ... */
} ank_stretch_law;

/* O(rows) for each length. `p`: of the rows by their numbers. */
void ank_stretch_law_make(ank_stretch_law *out, const ank_sequences *rows, const double *p);

/* P(the smallest p-value of so many normal rows <= smallest). */
double ank_stretch_p_value(const ank_stretch_law *law, double smallest, size_t rows);

#endif
