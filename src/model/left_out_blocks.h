/* left_out_blocks.h - blocks of rows to leave out together, if rows resemble those near them in time.
 *
 * The rows of each entity, sorted by time, are cut into as many stretches as there are parts; part k has the k-th stretch
 * of each entity. A fit without part k also leaves out rows of the same entities up to `exclusion` before and after its
 * stretches. So no row is scored by the rows around it, which are nearly copies. Scores of training rows are then
 * comparable to those of later rows, and rows of one incident do not mask each other. */
#ifndef ANK_MODEL_LEFT_OUT_BLOCKS_H
#define ANK_MODEL_LEFT_OUT_BLOCKS_H

#include "context/context.h"
#include "prepare/prepare.h"

enum { ANK_BLOCKS_MOST = 32 }; /* parts */

typedef struct ank_blocks {
  ank_sequences sequences;
  double gap;      /* rows, or seconds */
  int gap_seconds; /* 1: `gap` is a duration */
  unsigned char *part;
  uint32_t *hidden; /* per row: a bit for each part whose fit leaves it out */
} ank_blocks;

/* Decide how to leave out the rows of a table. out->gap is 0 if leaving out single rows suffices: the setting `exclusion`
 * says so or, if it is not set, there is no context or no row resembles its successors. An invalid setting is
 * ANORANK_ERROR_USAGE. */
anorank_status ank_blocks_plan(ank_blocks *out, const anorank_table *table, const ank_context *context,
                               const anorank_settings *settings, anorank_error *err);

/* Cut the rows into parts 0 .. parts - 1 if `share` is 0. Otherwise part 1 has about that share of the rows, in two
 * stretches of each entity, and part 0 has the others. */
anorank_status ank_blocks_cut(ank_blocks *blocks, size_t parts, double share, anorank_error *err);

void ank_blocks_free(ank_blocks *blocks);

#endif
