/* row_draw.h - sample rows of a table: those with the k smallest keys, one key per row number.
 *
 * The key of row i is a random word addressed by (seed, i), so whether a row is drawn does not depend on
 * other rows. The draw does not depend on blocks, threads or the order in which parts are read. The draws of
 * two parts contain the draw of both. Equal keys are ordered by row number. */
#ifndef ANK_SAMPLING_ROW_DRAW_H
#define ANK_SAMPLING_ROW_DRAW_H

#include "core/status.h"
#include "table/table.h"

/* Most and fewest rows for a fit: more would take time without a better order. */
enum { ANK_MOST_DRAWN = 1000000, ANK_FEWEST_DRAWN = 1000 };

/* Return the most rows with these columns that a fit within `limit` bytes may draw. Memory holds the sample,
 * a copy of a part of it, and the model. Depends on the kinds of the columns alone. */
size_t ank_draw_most(const anorank_table *table, size_t limit);

/* Compute keys[i] of row first + i. */
void ank_draw_keys(uint64_t *keys, uint64_t seed, size_t first, size_t count);

/* Return the k-th smallest word, k from 0, and reorder the words. O(n) for words in random order. */
uint64_t ank_draw_kth(uint64_t *words, size_t n, size_t k);

/* Return the `count` rows of 0 .. n - 1 with the smallest keys, ascending; count <= n. O(n) time, O(count)
 * memory. */
anorank_status ank_draw_smallest(size_t **out, size_t count, size_t n, uint64_t seed, anorank_error *err);

#endif
