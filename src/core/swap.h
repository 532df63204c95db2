/* swap.h - rows with some of their cells taken from other rows: what the law `permute` draws with a share below 1, and
 * what the gate of the default scorer judges by (scorers/blend_tokens.h). */
#ifndef ANK_CORE_SWAP_H
#define ANK_CORE_SWAP_H

#include "core/rng.h"

/* from[c] is the row that cell c of row `own` comes from: another row with probability `share`, for at least one of the
 * cells, else `own`. Needs two rows unless there are no cells. */
void ank_swap_draw(size_t *from, size_t cells, size_t own, size_t rows, double share, ank_rng *rng);

#endif
