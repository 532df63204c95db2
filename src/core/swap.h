/* swap.h - rows with some of their cells replaced by cells of other rows. The law `permute` draws them with a
 * share below 1, and the gate of the default scorer tests on them (scorers/blend_tokens.h). */
#ifndef ANK_CORE_SWAP_H
#define ANK_CORE_SWAP_H

#include "core/rng.h"

/* Draw the source row of each cell of row `own`: another row with probability `share`, and for at least one
 * cell; else `own`. Needs two rows unless there are no cells. */
void ank_swap_draw(size_t *from, size_t cells, size_t own, size_t rows, double share, ank_rng *rng);

#endif
