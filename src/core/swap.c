/* swap.c - see swap.h. */
#include "core/swap.h"

static size_t other_row(size_t own, size_t rows, ank_rng *rng) {
  size_t other = (size_t)ank_rng_below(rng, rows - 1);
  return other + (other >= own);
}

void ank_swap_draw(size_t *from, size_t cells, size_t own, size_t rows, double share, ank_rng *rng) {
  size_t swaps = 0;
  for (size_t c = 0; c < cells; c++) {
    int swapped = ank_rng_uniform(rng) < share;
    from[c] = swapped ? other_row(own, rows, rng) : own;
    swaps += (size_t)swapped;
  }
  if (swaps > 0 || cells == 0) return;
  size_t c = (size_t)ank_rng_below(rng, cells);
  from[c] = other_row(own, rows, rng);
}
