/* headline.h - the headline of a ranking, and the tiers of its rows.
 *
 * The first case that holds is the headline (anorank_headline_kind):
 *   SHIFT      most rows differ from the training rows. Where scores are distributed as in calibration, half of the
 *              p-values are above 1/2; differing = 1 - 2 share(p > 1/2) estimates the share of other rows (Storey 2002)
 *   DEPENDENT  the training rows fail the test of dependence.h, or rows are compared with earlier ones
 *   RATE       a clean history of rows that passed it
 *   APART      everything else: one file, or too few rows for the test
 * Only RATE guarantees a rate. Tiers (limits.h) do not depend on it. */
#ifndef ANK_RANKING_HEADLINE_H
#define ANK_RANKING_HEADLINE_H

#include "model/model.h"

/* Counts over all rows, in any order of blocks. */
typedef struct ank_tier_counts {
  size_t rows, apart, unusual;
  size_t high; /* p-values above 1/2 */
} ank_tier_counts;

/* The tier of each row: anorank_tier. */
void ank_tiers_find(unsigned char *tier, const anorank_model *model, const ank_match *match,
                    const anorank_table *table, const double *scores);

void ank_tiers_count(ank_tier_counts *counts, const anorank_model *model, const unsigned char *tier,
                     const double *scores, size_t rows);

/* `own`: the rows are those that the model was fitted on. */
void ank_headline_decide(anorank_headline *out, const anorank_model *model, const ank_tier_counts *counts,
                         int own, const anorank_settings *settings);

/* The headline as a sentence without a full stop. `selected`: rows selected by fdr or mass, or by the default
 * rate. */
void ank_headline_text(char *text, size_t size, const anorank_headline *headline, size_t rows,
                       size_t selected, const anorank_settings *settings);

const char *ank_tier_word(anorank_tier tier); /* "apart", "unusual", "rest" */

#endif
