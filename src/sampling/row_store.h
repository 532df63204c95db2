/* row_store.h - rows kept from blocks of a table: their cells, numbers and keys; only those with the smallest
 * keys.
 *
 * A store holds up to `most` rows, and a few more until it is reduced. A settled store has its rows in the
 * order of their numbers, and levels in the order of first appearance. So the same rows give the same store
 * in any order. */
#ifndef ANK_SAMPLING_ROW_STORE_H
#define ANK_SAMPLING_ROW_STORE_H

#include "table/table.h"

typedef struct ank_row_store {
  anorank_table *table; /* NULL before the first block */
  size_t *row;
  uint64_t *key;
  size_t row_capacity, key_capacity;
  size_t most;
  uint64_t border; /* rows with larger keys are dropped */
  int settled;
} ank_row_store;

/* Begin a store with the columns of a block; only once. */
anorank_status ank_row_store_begin(ank_row_store *store, const anorank_table *like, size_t most,
                                   anorank_error *err);
void ank_row_store_free(ank_row_store *store); /* frees its memory, not the struct */

/* Offer the rows of a block with these columns: row i has the number number[i] (NULL: first + i) and
 * keys[i]. */
anorank_status ank_row_store_offer(ank_row_store *store, const anorank_table *block, const size_t *number,
                                   size_t first, const uint64_t *keys, anorank_error *err);

/* Settle the store. A duplicate row number is ANORANK_ERROR_USAGE. */
anorank_status ank_row_store_settle(ank_row_store *store, anorank_error *err);

/* Compare the columns of two tables. If they differ, the message names the first difference. */
anorank_status ank_row_store_fits(const anorank_table *have, const anorank_table *block, anorank_error *err);

#endif
