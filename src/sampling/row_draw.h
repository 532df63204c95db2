/* row_draw.h - sample rows of a table: those with the k smallest keys, one key per row number.
 *
 * The key of row i is a random word addressed by (seed, i), so a row is drawn or not whatever comes before
 * or after it: the draw does not depend on blocks, threads or the order in which parts are read, and the draws of
 * two parts hold the draw of both. Equal keys are ordered by the number of the row. */
#ifndef ANK_SAMPLING_ROW_DRAW_H
#define ANK_SAMPLING_ROW_DRAW_H

#include "core/status.h"
#include "table/table.h"

/* A model is fitted on no more: more would take time and change no order that the classes can learn. */
enum { ANK_MOST_DRAWN = 1000000, ANK_FEWEST_DRAWN = 1000 };

/* How many rows with these columns a fit within `limit` bytes may draw: the sample, a copy of a part of it and what is
 * learned from it are in memory together. Depends on the kinds of the columns alone. */
size_t ank_draw_most(const anorank_table *table, size_t limit);

/* keys[i] of row first + i. */
void ank_draw_keys(uint64_t *keys, uint64_t seed, size_t first, size_t count);

/* The k-th smallest word, k from 0; reorders them. O(n) on words in random order. */
uint64_t ank_draw_kth(uint64_t *words, size_t n, size_t k);

/* The `count` rows of 0 .. n - 1 with the smallest keys, ascending; count <= n. O(n) time, O(count) memory. */
anorank_status ank_draw_smallest(size_t **out, size_t count, size_t n, uint64_t seed, anorank_error *err);

#endif
