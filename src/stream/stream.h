/* stream.h - a table that is read block by block, for a fit, a ranking or both (experimental.h: anorank_stream).
 *
 *   sample.h         rows drawn for a fit
 *   rank_counts.h    scores counted for a ranking, and the rows that are reported
 *   shift_check.h    what is worth a line of the table as a whole
 *   stream.c         the three together
 *   stream_bytes.c   as bytes
 *   stream_run.c     all passes over a table in parts */
#ifndef ANK_STREAM_STREAM_H
#define ANK_STREAM_STREAM_H

#include "anorank/experimental.h"
#include "stream/rank_counts.h"
#include "stream/sample.h"
#include "stream/shift_check.h"

struct anorank_stream {
  anorank_settings settings;  /* held; calls nobody */
  const anorank_model *model; /* borrowed; NULL: rows are sampled for a fit */
  ank_sample *sample;         /* NULL once there is a model */
  ank_fitted_scores fitted;
  ank_rank_counts *counts;
  ank_shift_check *check; /* NULL: the model was fitted on these rows */
  int restored, added;    /* it came from bytes; rows were added since */
};

/* Begin to rank with a model. */
anorank_status ank_stream_rank_with(anorank_stream *stream, const anorank_model *model, int checks,
                                    anorank_error *err);

#endif
