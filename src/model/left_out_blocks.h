/* left_out_blocks.h - blocks of rows to leave out together, if rows resemble those near them in time.
 *
 * The rows of each entity, in the order of time, are cut into as many stretches as there are parts; part k has the
 * k-th stretch of each. A fit without part k also leaves out the rows of the same entities up to `exclusion` before and
 * after its stretches. So no row is scored by rows around it, which are nearly copies of it: scores of training rows
 * are then comparable to those of later rows, and rows of one incident do not mask each other. */
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
  uint32_t *hidden; /* of each row: a bit for each part whose fit does not see it */
} ank_blocks;

/* How the rows of a table are to be left out; out->gap is 0 where one by one will do: the setting `exclusion` says so or,
 * where it is not set, there is no context or no row resembles those that follow. An invalid setting is
 * ANORANK_ERROR_USAGE. */
anorank_status ank_blocks_plan(ank_blocks *out, const anorank_table *table, const ank_context *context,
                               const anorank_settings *settings, anorank_error *err);

/* Cut: `share` 0 for parts 0 .. parts - 1; else part 1 has about that share of the rows, in two stretches of each entity,
 * and part 0 all others. */
anorank_status ank_blocks_cut(ank_blocks *blocks, size_t parts, double share, anorank_error *err);

void ank_blocks_free(ank_blocks *blocks);

#endif
