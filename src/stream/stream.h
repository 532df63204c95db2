/* stream.h - a table read in blocks, for a fit, a ranking or both (experimental.h: anorank_stream).
 *
 *   sample.h         rows drawn for a fit
 *   rank_counts.h    scores counted for a ranking, and the rows that are reported
 *   shift_check.h    notes on the table as a whole
 *   stream_context.c rows that are compared with earlier rows
 *   stream.c         public functions
 *   stream_bytes.c   serialised streams
 *   stream_run.c     passes over a table in parts */
#ifndef ANK_STREAM_STREAM_H
#define ANK_STREAM_STREAM_H

#include "anorank/experimental.h"
#include "model/model_context.h"
#include "stream/rank_counts.h"
#include "stream/sample.h"
#include "stream/shift_check.h"

struct anorank_stream {
  anorank_settings settings;  /* held; no callbacks */
  const anorank_model *model; /* borrowed; NULL: rows are sampled for a fit */
  ank_sample *sample;         /* NULL once there is a model */
  ank_fitted_scores fitted;
  ank_rank_counts *counts;
  ank_shift_check *check;     /* NULL: the model was fitted on these rows */
  int restored, added;        /* it came from bytes; rows were added since */
  ank_context_run *run;       /* of the current pass over the rows; NULL: no pass has begun */
  ank_context_fit_of learned; /* set when there are more rows than the sample holds */
  size_t columns;             /* of the blocks, without derived ones */
  anorank_table shown;        /* the findings without derived columns; borrows from counts->table */
};

/* Begin to rank with a model. */
anorank_status ank_stream_rank_with(anorank_stream *stream, const anorank_model *model, int checks,
                                    anorank_error *err);

/* stream_context.c: the block with derived columns if the model has a context (`*own`, to be freed), else the block. */
anorank_status ank_stream_view(const anorank_table **out, anorank_table **own, anorank_stream *stream,
                               const anorank_table *block, size_t first_row, anorank_error *err);
/* Return the state of a block's entities just before it; NULL if rows have none. */
anorank_status ank_stream_before(ank_context_run **out, anorank_stream *stream, const anorank_table *block,
                                 anorank_error *err);
/* End a pass and add its notes to the shift check. */
anorank_status ank_stream_end_pass(anorank_stream *stream, anorank_error *err);
anorank_status ank_stream_sample_in_context(anorank_stream *stream, const anorank_table *block,
                                            size_t first_row, anorank_error *err);
anorank_status ank_stream_fit_in_context(anorank_model **out, anorank_stream *stream,
                                         const anorank_table *sample, const anorank_table *known,
                                         double *scores, const anorank_settings *settings,
                                         anorank_error *err);
/* Return the findings with the columns of the blocks. */
const anorank_table *ank_stream_hide_derived(anorank_stream *stream);
/* Save and load the section of a fit on more rows than it draws. The sample is loaded first. */
anorank_status ank_stream_save_learned(ank_bytes *out, const anorank_stream *stream, anorank_error *err);
anorank_status ank_stream_load_learned(ank_cursor *in, anorank_stream *stream, anorank_error *err);
/* Return this status, with the error of bytes that did not load. */
anorank_status ank_stream_damaged(anorank_status status, const anorank_error *inner, anorank_error *err);
void ank_stream_context_free(anorank_stream *stream);

#endif
