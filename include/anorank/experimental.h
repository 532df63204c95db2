/* experimental.h - streams (tables larger than memory, in one or several processes), feedback, evaluation of models,
 * drift. Everything here may change in any version (VERSIONING.md). Conventions as in anorank.h. */
#ifndef ANORANK_EXPERIMENTAL_H
#define ANORANK_EXPERIMENTAL_H

#include "anorank/anorank.h"
#include "anorank/criterion.h"
#include "anorank/io.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- reviews ------------------------------------------------------------------------------------------ */

typedef enum anorank_answer {
  ANORANK_ANSWER_OPEN = -1, /* not answered yet */
  ANORANK_ANSWER_NORMAL = 0,
  ANORANK_ANSWER_ANOMALY = 1,
  ANORANK_ANSWER_SKIPPED = 2 /* unknown; do not ask again */
} anorank_answer;

/* A review: rows of one table to ask a person about, and the answers. A round is
 *   anorank_detect(.., &(anorank_training){.labels = anorank_review_labels(review)}, ..);
 *   anorank_review_ask(review, ranking, ..);
 *   anorank_review_answer(..) of each row that is open. */
typedef struct anorank_review anorank_review;

/* Create a review. The table must outlive it. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_review_new(anorank_review **out,
                                                                 const anorank_table *table,
                                                                 anorank_error *err);
ANORANK_API void anorank_review_free(anorank_review *review);

/* Add the answers of a feedback table. Its columns are `label` (1, 0, skip, or empty for open; words as in the column of
 * settings.labels), and `row` (from 1) or the identifiers that settings.id names (by default, columns that look like
 * identifiers). If both are present and disagree, the identifiers decide. The later of two answers about a row counts.
 * Other columns are ignored. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_review_read(anorank_review *review,
                                                                  const anorank_table *answers,
                                                                  const anorank_settings *settings,
                                                                  anorank_error *err);

/* Ask about the most abnormal reported rows that are not yet in the review, until settings.review_rows are open, and
 * attach reasons to open rows. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_review_ask(anorank_review *review,
                                                                 const anorank_ranking *ranking,
                                                                 const anorank_settings *settings,
                                                                 anorank_error *err);

/* Answer for a row, from 0. Rows that were not asked about may be answered as well, and answers may be
 * changed. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_review_answer(anorank_review *review, size_t row,
                                                                    anorank_answer answer,
                                                                    anorank_error *err);

/* Return the feedback table, in the order asked: the identifiers, row, label and, for open rows, reasons.
 * anorank_review_read reads it back. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_review_table(anorank_table **out,
                                                                   const anorank_review *review,
                                                                   const anorank_settings *settings,
                                                                   anorank_error *err);

/* A row of a review. May grow at the end. */
typedef struct anorank_question {
  size_t row; /* of the table, from 0 */
  anorank_answer answer;
  const char *reasons; /* "" if none */
} anorank_question;

/* Return the number of rows asked about, and the i-th in the order asked (NULL past the last). Borrowed until
 * the next call that changes the review. */
ANORANK_API size_t anorank_review_count(const anorank_review *review);
ANORANK_API const anorank_question *anorank_review_at(const anorank_review *review, size_t i);

/* Return 1, 0 or -1 for each row of the table, for anorank_training. Borrowed; changes with the answers. */
ANORANK_API const signed char *anorank_review_labels(const anorank_review *review);

/* ---- evaluating models ------------------------------------------------------------------------------- */

/* Overlap of the k lowest rows of two orders, as a share of k. Ties at the border count as if broken at random. */
typedef struct anorank_overlap {
  double share;     /* of all rows: 0.01, 0.05, 0.1 */
  size_t rows;      /* k, that share of the rows rounded up */
  double overlap;   /* in [0, 1] */
  double by_chance; /* for independent orders: k / n */
} anorank_overlap;

#define ANORANK_AGREEMENT_SHARES 3

/* Agreement of two orders of the same rows. */
typedef struct anorank_agreement {
  size_t rows;
  double spearman; /* correlation of the mid-ranks; NaN where one of the two is constant */
  anorank_overlap lowest[ANORANK_AGREEMENT_SHARES];
} anorank_agreement;

/* Share of anomalies among the k lowest labelled rows (anorank_accuracy_lowest). */
typedef struct anorank_precision {
  size_t k;
  double precision;
} anorank_precision;

/* Quality of the order of one model on unseen rows, or of two models on the same rows. */
typedef struct anorank_evaluation anorank_evaluation;

/* Evaluate a model on the rows of a table, against contrast rows of the law settings->contrast around them. Without a
 * model (NULL), split the rows at random into thirds, fit on two of them with these settings, and evaluate on the last;
 * two more fits, on one third each, measure the stability of the order. settings->labels adds the measures with labels.
 * Fits never see labels, but with train = clean, rows labelled as anomalies are excluded from the fit and from the
 * label-free measures. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_evaluate(anorank_evaluation **out,
                                                               const anorank_model *model,
                                                               const anorank_table *table,
                                                               const anorank_settings *settings,
                                                               anorank_error *err);

/* Compare two models on the same rows and contrast rows; without models (both NULL), two fits with these settings on the
 * same two thirds of the rows. Settings that do not concern the fit come from the first. */
ANORANK_API ANORANK_MUST_CHECK anorank_status
anorank_evaluate_two(anorank_evaluation **out, const anorank_model *first, const anorank_model *second,
                     const anorank_table *table, const anorank_settings *settings,
                     const anorank_settings *second_settings, anorank_error *err);
/* Compare two methods over `splits` (5 to 1,000) random splits of the rows, with seeds seed, seed + 1, ... A single
 * split compares two fits, not two methods. */
typedef struct anorank_repeats {
  size_t splits;
  size_t first_better;         /* splits in which the first has the smaller area */
  anorank_interval difference; /* mean of the areas' differences, first minus second; the interval allows for
                                * the rows that the splits share (corrected resampled t) */
  double reserved[8];          /* 0 */
} anorank_repeats;

ANORANK_API ANORANK_MUST_CHECK anorank_status
anorank_evaluate_repeated(anorank_repeats *out, const anorank_table *table, const anorank_settings *settings,
                          const anorank_settings *second_settings, size_t splits, anorank_error *err);

ANORANK_API void anorank_evaluation_free(anorank_evaluation *evaluation);

/* Difference of ROC-AUC of two models, first minus second (above 0, the first is better), with DeLong's paired
 * interval. */
typedef struct anorank_auc_difference {
  anorank_interval difference;
  double z, p_value;
} anorank_auc_difference;

/* Results of one model. May grow at the end. */
typedef struct anorank_evaluated {
  const char *scorer;
  const anorank_judgement *judgement;
  const anorank_labelled *labelled; /* NULL without labels of both kinds */
  const anorank_precision
      *precision;         /* at k = 10, 50, 100 and the number of anomalies, ascending, as far as */
  size_t precision_count; /* there are so many labelled rows */
} anorank_evaluated;

/* The result of one order, or of two orders of the same rows, by contrast rows of one law, at the level of the
 * judgements. */
typedef enum anorank_law_outcome {
  ANORANK_LAW_BLIND = 0, /* of two: hardly any of these contrast rows falls among the evaluated rows */
  ANORANK_LAW_UNDECIDED, /* not distinguishable from a random order; of two: no significant difference */
  ANORANK_LAW_WEAK,      /* the evaluated rows score above the contrast rows, but the area is above 0.4 */
  ANORANK_LAW_SEPARATES, /* the evaluated rows score above the contrast rows, area at most 0.4 */
  ANORANK_LAW_REVERSED,  /* they score below */
  ANORANK_LAW_FIRST,     /* of two: the first is better */
  ANORANK_LAW_SECOND
} anorank_law_outcome;

typedef struct anorank_law_verdict {
  const anorank_judgement *of[2];       /* W_phi, area and interval; of two: the second, else NULL */
  const anorank_comparison *comparison; /* of two, else NULL */
  const char *law;                      /* "permute", "displace" */
  const char *kind;                     /* of anomalies: "combinations", "extremes" */
  anorank_law_outcome outcome;
  double reserved[4]; /* 0 */
} anorank_law_verdict;

/* The criterion by two laws that test different anomalies: `combinations` has contrast rows of `permute` with
 * permute_share 0.3, `extremes` of `displace`. */
typedef struct anorank_two_laws {
  anorank_law_verdict combinations, extremes;
  int disagree; /* one: only one law separates, or only one is reversed; of two: each is better by one law */
  char conclusion[1024];
  double reserved[8]; /* 0 */
} anorank_two_laws;

/* Set all other fields from of[0], or from of[0], of[1] and comparison, of both laws. They come from anorank_judge and
 * anorank_compare, and must outlive `laws`. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_two_laws_conclude(anorank_two_laws *laws,
                                                                        anorank_error *err);

/* Results of an evaluation. Pointers are NULL if not applicable. May grow at the end. */
typedef struct anorank_evaluation_info {
  const anorank_evaluated *of[2];               /* the first, and the second of two */
  const anorank_agreement *stability;           /* of two fits of one kind on disjoint thirds of the rows */
  const anorank_comparison *comparison;         /* of two: the difference of areas, paired */
  const anorank_agreement *agreement;           /* of two: agreement of the orders */
  const anorank_auc_difference *auc_difference; /* of two with labels */
  const char *law;                              /* of the contrast rows */
  int is_volume;                                /* 1: the share of contrast rows in a set is its volume */
  int blind;              /* 1: the contrast rows cannot distinguish scorers (for two: neither) */
  size_t fit_rows;        /* 0: given models */
  const char *conclusion; /* the result, in a sentence */
  const char *caveat;     /* its limitations */
  const anorank_two_laws *laws;
} anorank_evaluation_info;

/* Return the results, borrowed; NULL without an evaluation. */
ANORANK_API const anorank_evaluation_info *anorank_evaluation_get_info(const anorank_evaluation *evaluation);

/* Return the notes on the evaluation. */
ANORANK_API const anorank_notes *anorank_evaluation_notes(const anorank_evaluation *evaluation);

/* ---- two tables -------------------------------------------------------------------------------------- */

/* Test two tables for distribution drift. Two scorers learn on half of the rows to rank old rows above new ones; on the
 * other half, a permutation test of W_phi checks whether they do, with an exact level for any number of rows. The test
 * uses up to 20,000 rows of each table, drawn at random, and the columns of both, matched by name. A column of different
 * kinds is ANORANK_ERROR_DATA. Experimental (VERSIONING.md). */
typedef struct anorank_drift anorank_drift;

typedef enum anorank_change {
  ANORANK_CHANGE_HIGHER = 0, /* numbers: the median moved by a tenth of the spread or more */
  ANORANK_CHANGE_LOWER,
  ANORANK_CHANGE_WIDER, /* numbers: the middle half grew by a tenth or more */
  ANORANK_CHANGE_NARROWER,
  ANORANK_CHANGE_SHAPE,     /* numbers: another change; the shares up to `at` */
  ANORANK_CHANGE_LEVELS,    /* categories: the share of `level` */
  ANORANK_CHANGE_NEW_LEVEL, /* categories: no old row has `level` */
  ANORANK_CHANGE_MISSING    /* the share of missing cells */
} anorank_change;

/* One column of both tables: [0] of the old rows, [1] of the new ones. May grow at the end. */
typedef struct anorank_drift_column {
  const char *name;
  anorank_kind kind;
  size_t place;          /* among the columns that both tables have */
  anorank_change change; /* the largest change, significant or not */
  double distance; /* numbers: largest difference of the shares up to a value; categories: half the sum of the
                          * differences of shares; 0 to 1 */
  double p_value;  /* adjusted for the number of columns */
  double importance; /* loss of separation without this column; NaN if not computed */
  double missing[2];
  double low[2], median[2], high[2]; /* numbers: quartiles; else NaN */
  double at;         /* numbers: the value up to which the shares of rows differ most; else NaN */
  const char *level; /* categories: the level whose share changed most; else NULL */
  double share[2];   /* of the rows up to that value, or with that level */
} anorank_drift_column;

ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_drift_make(anorank_drift **out,
                                                                 const anorank_table *old_rows,
                                                                 const anorank_table *new_rows,
                                                                 const anorank_settings *settings,
                                                                 anorank_error *err);
ANORANK_API void anorank_drift_free(anorank_drift *drift);

/* May grow at the end. */
typedef struct anorank_drift_info {
  /* Of the hypothesis of no drift: twice the smaller of the joint p-value and the smallest column p-value. */
  double p_value;
  double joint_p_value; /* of the scorers on all columns */
  /* The probability of ranking an old row above a new one, on held-out rows: 0.5 without drift, 1 if completely
   * separated. */
  anorank_interval separation;
  const char *phi;        /* with the most significant W */
  size_t rows[2];         /* old and new rows used */
  size_t columns;         /* anorank_drift_column_at */
  const char *conclusion; /* a sentence */
} anorank_drift_info;

/* Return the results, borrowed; NULL without them. */
ANORANK_API const anorank_drift_info *anorank_drift_get_info(const anorank_drift *drift);

/* Return the i-th column, most significant change first; NULL past the last. */
ANORANK_API const anorank_drift_column *anorank_drift_column_at(const anorank_drift *drift, size_t i);

/* Write the change as a sentence without a full stop: "amount is higher: median 1250, was 12.5, 100 times as
 * much", in at most `size` bytes. Returns its length, like snprintf. */
ANORANK_API size_t anorank_drift_column_text(const anorank_drift_column *column, char *text, size_t size);

/* Return the notes on columns and rows. */
ANORANK_API const anorank_notes *anorank_drift_notes(const anorank_drift *drift);

/* A stream accumulates a table block by block, in bounded memory, for a fit or a ranking.
 *
 *   a fit      new without a model; add all blocks; fit
 *   a ranking  new with a model; add all blocks; select; fetch from all blocks again; next until NULL
 *   detection  as a fit; then, with the model that it made, as a ranking
 *
 * The result equals that of anorank_fit, anorank_ranking_make or anorank_detect for the whole table. It does not depend
 * on the blocks, their order, or the process that adds them: streams can be merged, also after serialisation.
 *
 * Without a model, a stream keeps a random sample: at most 1,000,000 rows, within max-memory; if all rows fit, it keeps
 * all. With a model, it scores and counts the rows, and checks them for shift unless the model was fitted on them. If
 * more than 2^20 rows have p-values from a fitted tail, these are counted by p-value, and q-values are rounded up by a
 * factor of less than 1 + 2^-13. Scores of all rows (8 bytes each) and reported rows that do not fit into memory go to
 * unnamed files in TMPDIR. */
typedef struct anorank_stream anorank_stream;

/* Create a stream. Settings for a sample: seed and max-memory. For a ranking: lowest, mass or fdr (at most
 * one), reasons, threads and max-memory. The model must outlive the stream. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_stream_new(anorank_stream **out,
                                                                 const anorank_model *model,
                                                                 const anorank_settings *settings,
                                                                 anorank_error *err);
ANORANK_API void anorank_stream_free(anorank_stream *stream);

/* Add rows first_row, first_row + 1, ... of the table, from 0; each once, in any order. A block with different columns is
 * ANORANK_ERROR_DATA. After a failure the stream may only be freed. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_stream_add(anorank_stream *stream,
                                                                 const anorank_table *block, size_t first_row,
                                                                 anorank_error *err);

/* Merge another stream, with the same model and settings but other rows, into this one. It is unchanged. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_stream_merge(anorank_stream *stream,
                                                                   const anorank_stream *other,
                                                                   anorank_error *err);

/* Serialise a stream for another process of the same version; the same rows give the same bytes. Free them with
 * anorank_bytes_free. The bytes hold what can be merged, and the scores that a fit gave its rows (unless the stream
 * itself came from bytes and more rows were added). They do not hold selected or fetched rows: select again. `model` is
 * the model of the ranking, NULL for a sample. Invalid bytes are ANORANK_ERROR_DATA. */
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

/* Get the sampled rows, sorted by row number; NULL before the first block. Borrowed until rows are added. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_stream_sample(const anorank_table **out,
                                                                    anorank_stream *stream,
                                                                    anorank_error *err);

/* Fit a model on the sample; with the same settings it has the same bytes as anorank_fit of the whole table. The setting
 * `labels` needs all rows and is ANORANK_ERROR_USAGE if the sample lacks some. The stream then ranks with the model,
 * which must outlive it: the sample is freed, anorank_stream_rows restarts at 0, and rows scored by the fit keep those
 * scores, as in anorank_detect. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_stream_fit(anorank_model **out, anorank_stream *stream,
                                                                 const anorank_table *known,
                                                                 const anorank_settings *settings,
                                                                 anorank_error *err);

/* ---- the ranking -------------------------------------------------------------------------------------- */

/* After all rows are added or merged, select those to report. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_stream_select(anorank_stream *stream,
                                                                    anorank_error *err);

/* Fetch the cells of selected rows from a block added here or to a merged stream; rows added elsewhere are scored again.
 * Blocks may differ from those added. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_stream_fetch(anorank_stream *stream,
                                                                   const anorank_table *block,
                                                                   size_t first_row, anorank_error *err);

/* Get the next rows of the ranking, at most `most`, most abnormal first, and their table; both NULL at the
 * end. If no row is reported, the first call gives an empty ranking. Ranks count the rows fetched by this
 * stream; row numbers refer to the whole table. Borrowed until the next call. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_stream_next(const anorank_ranking **ranking,
                                                                  const anorank_table **table,
                                                                  anorank_stream *stream, size_t most,
                                                                  anorank_error *err);

/* ---- the shift check ---------------------------------------------------------------------------------- */

/* A stream with a model checks the table as a whole: for training rows, rows unlike the training rows, trends, and other
 * formats. anorank_stream_add checks rows; this function checks rows that are scored elsewhere, without counting them.
 * Rows come in ascending order. `p_values` are those of the rows; if NULL for all blocks, the check scores up to a
 * thousand of the rows. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_stream_check(anorank_stream *stream,
                                                                   const anorank_table *block,
                                                                   size_t first_row, const double *p_values,
                                                                   anorank_error *err);

/* Score the next block of a table with by or time, like anorank_model_score_table: the state continues across
 * blocks, and rows are checked as above. Blocks come in order; a row earlier than a previous one of the same
 * entity is ANORANK_ERROR_DATA. `shards` > 1 scores only the rows of entities in part `shard`, by a portable
 * hash of the entity, and with time alone every `shards`-th row; every shard must see all rows. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_stream_score(anorank_table **out,
                                                                   anorank_stream *stream,
                                                                   const anorank_table *block,
                                                                   size_t first_row, size_t shard,
                                                                   size_t shards, anorank_error *err);

/* With by or time, a row is compared with earlier rows, so each pass over the blocks goes in order. To divide the work,
 * another process continues from the state after the rows before its own:
 *
 *   anorank_stream_skip    continue the state over rows that another process adds, scores or fetches
 *   anorank_stream_state   the state after the rows of this pass; free it with anorank_bytes_free
 *   anorank_stream_resume  begin a pass there: the next block has the number of the row after them
 *
 * The state belongs to the model and to the pass: that of training rows is for a stream that was serialised after the fit. A
 * stream that ranks can be merged and serialised as without by and time; its bytes do not hold the state. Resume it after
 * the last row before anorank_stream_select, for notes on the entities of all rows. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_stream_skip(anorank_stream *stream,
                                                                  const anorank_table *block,
                                                                  size_t first_row, anorank_error *err);
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_stream_state(unsigned char **out, size_t *length,
                                                                   anorank_stream *stream,
                                                                   anorank_error *err);
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_stream_resume(anorank_stream *stream, const void *state,
                                                                    size_t length, anorank_error *err);

/* Write the notes on the rows so far; they are valid until more rows are added. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_stream_conclude(anorank_stream *stream,
                                                                      anorank_error *err);
ANORANK_API const anorank_notes *anorank_stream_notes(const anorank_stream *stream);

/* ---- all passes at once ------------------------------------------------------------------------------- */

/* Open a part of a table, from 0; the library frees the reader. Parts are read in order, several times. */
typedef anorank_status (*anorank_open_part)(void *context, size_t part, anorank_reader **reader,
                                            anorank_error *err);

typedef struct anorank_parts {
  anorank_open_part open;
  void *context;
  size_t count;
  size_t *rows;      /* NULL, or an array of `count` that receives the number of rows of each part */
  void *reserved[3]; /* zeros */
} anorank_parts;

/* Add all rows of all parts, numbered from 0. If all parts are empty, the result is ANORANK_ERROR_DATA. Progress and
 * cancellation come from these settings, not from those that open a part. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_stream_read(anorank_stream *stream,
                                                                  const anorank_parts *parts,
                                                                  const anorank_settings *settings,
                                                                  anorank_error *err);

/* Rank all rows, to be read with anorank_stream_next, with the notes of the shift check. Reads the parts twice. The model
 * must outlive the stream. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_rank_stream(anorank_stream **out,
                                                                  const anorank_model *model,
                                                                  const anorank_parts *parts,
                                                                  const anorank_settings *settings,
                                                                  anorank_error *err);

/* Rank all rows with a model fitted on them. Reads the parts three times. */
ANORANK_API ANORANK_MUST_CHECK anorank_status
anorank_detect_stream(anorank_model **out, anorank_stream **ranked, const anorank_parts *parts,
                      const anorank_table *known, const anorank_settings *settings, anorank_error *err);

#ifdef __cplusplus
}
#endif
#endif
