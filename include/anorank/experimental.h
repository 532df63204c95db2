/* experimental.h - tables larger than memory: sampled for a fit, ranked and checked block by block, in one process or in
 * many. Conventions are those of anorank.h. Everything here may change in any version (VERSIONING.md). */
#ifndef ANORANK_EXPERIMENTAL_H
#define ANORANK_EXPERIMENTAL_H

#include "anorank/anorank.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A stream accumulates what a fit or a ranking needs of a table that is read block by block, in bounded memory.
 *
 *   a fit      new without a model; add all blocks; fit
 *   a ranking  new with a model; add all blocks; select; fetch from all blocks again; next until NULL
 *   detection  as a fit; then, with the model that it made, as a ranking
 *
 * The result is that of anorank_fit, anorank_verdict_make or anorank_detect for the whole table. It does not depend on
 * how the rows are cut into blocks, on their order or on who adds them: streams merge, also by way of bytes.
 *
 * Without a model a stream keeps a random sample of the rows: at most 1,000,000, and no more than max-memory allows for
 * these columns; where all rows fit, all are kept. With a model it scores and counts the rows, and checks them for shift
 * (not where the model was fitted on them). Beyond 2^20 rows whose p-values come from a fitted tail these are counted by
 * p-value: q-values are then rounded up, by less than 2^-13 of themselves. Scores of all rows (8 bytes each) and rows to
 * report that do not fit into memory are in files without a name (TMPDIR). */
typedef struct anorank_stream anorank_stream;

/* Without a model the settings seed and max-memory count. For a ranking: lowest, mass and fdr (at most one of them),
 * reasons, threads and max-memory. The model must outlive the stream. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_stream_new(anorank_stream **out,
                                                                 const anorank_model *model,
                                                                 const anorank_settings *settings,
                                                                 anorank_error *err);
ANORANK_API void anorank_stream_free(anorank_stream *stream);

/* Rows first_row, first_row + 1, ... of the table, from 0; each once, in any order. Blocks with other columns than those
 * before are ANORANK_ERROR_DATA. After a failure the stream may only be freed. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_stream_add(anorank_stream *stream,
                                                                 const anorank_table *block, size_t first_row,
                                                                 anorank_error *err);

/* Add what another stream with the same model and settings has of other rows; it stays as it is. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_stream_merge(anorank_stream *stream,
                                                                   const anorank_stream *other,
                                                                   anorank_error *err);

/* For another process of the same version; the same rows give the same bytes. Free them with anorank_bytes_free. They have
 * what merges, and the scores that a fit gave its rows (not where the stream came from bytes and rows were added since:
 * the process that it came from has them). Rows that were selected or fetched are not in them: select again.
 * `model`: the one the stream ranks with, NULL for a sample. Other bytes are ANORANK_ERROR_DATA. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_stream_to_bytes(unsigned char **out, size_t *length,
                                                                      anorank_stream *stream,
                                                                      anorank_error *err);
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_stream_from_bytes(anorank_stream **out,
                                                                        const anorank_model *model,
                                                                        const void *bytes, size_t length,
                                                                        const anorank_settings *settings,
                                                                        anorank_error *err);

ANORANK_API size_t anorank_stream_rows(const anorank_stream *stream); /* added or merged so far */

/* ---- the fit ------------------------------------------------------------------------------------------ */

/* The sampled rows in the order of their numbers; NULL before the first block. Lent until rows are added. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_stream_sample(const anorank_table **out,
                                                                    anorank_stream *stream,
                                                                    anorank_error *err);

/* anorank_fit_known of the whole table from the sample, with the same settings: the same bytes. The setting `labels`
 * needs all rows, and is ANORANK_ERROR_USAGE where only some could be kept. From here on the stream ranks with the
 * model, which must outlive it: the sample is freed, anorank_stream_rows starts from 0, and rows that the fit has scored
 * are ranked by those scores, as anorank_detect does. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_stream_fit(anorank_model **out, anorank_stream *stream,
                                                                 const anorank_table *known,
                                                                 const anorank_settings *settings,
                                                                 anorank_error *err);

/* ---- the ranking -------------------------------------------------------------------------------------- */

/* All rows were added or merged: choose those to report. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_stream_select(anorank_stream *stream,
                                                                    anorank_error *err);

/* Take the cells of rows to report from a block that was added, here or to a stream that was merged; rows added
 * elsewhere are scored again. Blocks may be cut in another way than before. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_stream_fetch(anorank_stream *stream,
                                                                   const anorank_table *block,
                                                                   size_t first_row, anorank_error *err);

/* The next rows of the ranking, at most `most`, most abnormal first, and the table that holds them; both NULL at the end.
 * Where no row is reported, the first call gives a ranking without rows. Ranks count the rows that this stream has
 * fetched; rows are those of the whole table. Lent until the next call. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_stream_next(const anorank_verdict **ranking,
                                                                  const anorank_table **table,
                                                                  anorank_stream *stream, size_t most,
                                                                  anorank_error *err);

/* ---- the shift check ---------------------------------------------------------------------------------- */

/* A stream with a model looks for what is worth a line of the table as a whole: rows of the fit among them, rows unlike
 * those of the fit, a trend, or a file that was read otherwise. anorank_stream_add checks rows; this does where they are
 * scored by other means, and does not count them. Rows come in ascending order. `p_values` are theirs; NULL for all
 * blocks: the check scores up to a thousand of the rows itself. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_stream_check(anorank_stream *stream,
                                                                   const anorank_table *block,
                                                                   size_t first_row, const double *p_values,
                                                                   anorank_error *err);

/* Draw conclusions from the rows so far: a sentence each, there until more rows come. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_stream_conclude(anorank_stream *stream,
                                                                      anorank_error *err);
ANORANK_API size_t anorank_stream_notes(const anorank_stream *stream);
ANORANK_API const char *anorank_stream_note(const anorank_stream *stream, size_t i);
ANORANK_API anorank_note_kind anorank_stream_note_kind(const anorank_stream *stream, size_t i);

/* ---- all passes at once ------------------------------------------------------------------------------- */

/* Open a part of a table, from 0; the reader is freed by the library. Parts are read in order, and more than once. */
typedef anorank_status (*anorank_open_part)(void *context, size_t part, anorank_reader **reader,
                                            anorank_error *err);

typedef struct anorank_parts {
  anorank_open_part open;
  void *context;
  size_t count;
  void *reserved[4]; /* zeros */
} anorank_parts;

/* Add all rows of all parts, numbered from 0. No row in any of them is ANORANK_ERROR_DATA. Progress and cancellation are
 * those of the settings given here, whatever settings a part is opened with. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_stream_read(anorank_stream *stream,
                                                                  const anorank_parts *parts,
                                                                  const anorank_settings *settings,
                                                                  anorank_error *err);

/* A ranking of all rows, to be taken out with anorank_stream_next, with the notes of the shift check: reads the parts
 * twice. The model must outlive the stream. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_rank_stream(anorank_stream **out,
                                                                  const anorank_model *model,
                                                                  const anorank_parts *parts,
                                                                  const anorank_settings *settings,
                                                                  anorank_error *err);

/* The same with a model fitted on these rows: reads the parts three times. */
ANORANK_API ANORANK_MUST_CHECK anorank_status
anorank_detect_stream(anorank_model **out, anorank_stream **ranked, const anorank_parts *parts,
                      const anorank_table *known, const anorank_settings *settings, anorank_error *err);

#ifdef __cplusplus
}
#endif

#endif
