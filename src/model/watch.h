/* watch.h - what is worth a line of a file as a whole, beside the rows that a model learned from:
 *
 *   - rows that the model was fitted on are among them, so that their p-values are too large;
 *   - most of them look unlike the training rows: another unit, another time, another source;
 *   - they are in the order of time, and columns rise or fall with it (trend.h);
 *   - the file was read otherwise than the training file, or something was assumed while reading it.
 *
 * Blocks go in one after the other; memory and time beyond the scoring are bounded: of long files a thinned
 * sample of rows is looked at, always the same for the same rows. */
#ifndef ANK_MODEL_WATCH_H
#define ANK_MODEL_WATCH_H

#include "core/bytes.h"
#include "model/model.h"

typedef struct anorank_watch ank_watch;

anorank_status ank_watch_new(ank_watch **out, const anorank_model *model, anorank_error *err);
void ank_watch_free(ank_watch *watch);

/* `p` are the p-values of the block's rows; NULL for all blocks: those of the sample are worked out at the end. What is said does
 * not depend on how the rows are cut into blocks. */
anorank_status ank_watch_block(ank_watch *watch, const anorank_table *block, const double *p,
                               anorank_error *err);

/* The same for rows that others have the rest of: they are numbered from `first_row`, ascending from call to call, and a block
 * without rows tells how the file was read. What two watches have seen merges, in bytes of this version, for the same model. */
anorank_status ank_watch_rows(ank_watch *watch, const anorank_table *block, size_t first_row, const double *p,
                              anorank_error *err);
anorank_status ank_watch_save(ank_bytes *out, const ank_watch *watch, anorank_error *err);
anorank_status ank_watch_merge(ank_watch *watch, const unsigned char *bytes, size_t length,
                               anorank_error *err);

/* After the last block. */
anorank_status ank_watch_finish(ank_watch *watch, anorank_error *err);
const ank_notes *ank_watch_notes(const ank_watch *watch);

#endif
