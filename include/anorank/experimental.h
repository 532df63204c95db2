/* experimental.h - streams (tables larger than memory, in one process or in many), feedback, evaluation of models, drift.
 * Everything here may change in any version (VERSIONING.md). Conventions are those of anorank.h. */
#ifndef ANORANK_EXPERIMENTAL_H
#define ANORANK_EXPERIMENTAL_H

#include "anorank/anorank.h"
#include "anorank/criterion.h"
#include "anorank/io.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- answers of a person ------------------------------------------------------------------------------ */

typedef enum anorank_answer {
  ANORANK_ANSWER_OPEN = -1, /* not answered yet */
  ANORANK_ANSWER_NORMAL = 0,
  ANORANK_ANSWER_ANOMALY = 1,
  ANORANK_ANSWER_SKIPPED = 2 /* nobody knows; not to be asked again */
} anorank_answer;

/* A review: the rows of one table that a person is asked about, and the answers. A round is
 *   anorank_detect(.., &(anorank_training){.labels = anorank_review_labels(review)}, ..);
 *   anorank_review_ask(review, ranking, ..);
 *   anorank_review_answer(..) of each row that is open. */
typedef struct anorank_review anorank_review;

/* The table must outlive the review. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_review_new(anorank_review **out,
                                                                 const anorank_table *table,
                                                                 anorank_error *err);
ANORANK_API void anorank_review_free(anorank_review *review);

/* Take in a table of answers: `label` (1, 0, skip, or empty: open; words as in the column of settings.labels), and
 * `row` (from 1), the identifiers that settings.id names (without it, columns that look like some), or both.
 * Where both are there and disagree, the identifiers decide. Of two answers about a row the later counts. Other columns are ignored. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_review_read(anorank_review *review,
                                                                  const anorank_table *answers,
                                                                  const anorank_settings *settings,
                                                                  anorank_error *err);

/* Ask about the most abnormal rows that the ranking reports and nobody was asked about, until
 * settings.review_rows are open; open ones are given their reasons. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_review_ask(anorank_review *review,
                                                                 const anorank_ranking *ranking,
                                                                 const anorank_settings *settings,
                                                                 anorank_error *err);

/* `row` from 0. A row that nobody was asked about may be answered, too, and an answer changed. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_review_answer(anorank_review *review, size_t row,
                                                                    anorank_answer answer,
                                                                    anorank_error *err);

/* The table of answers, in the order asked: the identifiers, row, label and, of open rows,
 * reasons. anorank_review_read takes it back. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_review_table(anorank_table **out,
                                                                   const anorank_review *review,
                                                                   const anorank_settings *settings,
                                                                   anorank_error *err);

/* A row that a person is asked about. May grow at the end. */
typedef struct anorank_question {
  size_t row; /* of the table, from 0 */
  anorank_answer answer;
  const char *reasons; /* "" where there are none */
} anorank_question;

/* How many rows were asked about, and the i-th, in the order asked (NULL past the last). Lent until the next call that
 * changes the review. */
ANORANK_API size_t anorank_review_count(const anorank_review *review);
ANORANK_API const anorank_question *anorank_review_at(const anorank_review *review, size_t i);

/* Of each row of the table: 1, 0 or -1, for anorank_training. Lent; changes with the answers. */
ANORANK_API const signed char *anorank_review_labels(const anorank_review *review);

/* ---- evaluating models ------------------------------------------------------------------------------- */

/* What two orders have in common among their k lowest rows: the share of these that both have. Rows tied at
 * the border count as if each order broke its ties by lot. */
typedef struct anorank_overlap {
  double share;     /* of all rows: 0.01, 0.05, 0.1 */
  size_t rows;      /* k, that share of the rows rounded up */
  double overlap;   /* in [0, 1] */
  double by_chance; /* of two orders that have nothing to do with each other: k / n */
} anorank_overlap;

#define ANORANK_AGREEMENT_SHARES 3

/* How far two orders of the same rows agree. */
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

/* How good the order of one model is on rows that it was not fitted on, or of two on the same rows. */
typedef struct anorank_evaluation anorank_evaluation;

/* Judge a model on the rows of a table, against contrast rows of the law settings->contrast around them.
 * Without a model (NULL): split the rows at random in thirds, fit on two with these settings, judge on the
 * last; two more fits, on one third each, show how stable the order is. With settings->labels also the
 * measures that need labels; a fit never sees these, but if it is told that its rows are normal (clean), rows
 * labelled as anomalies are left out of it and of all but those measures. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_evaluate(anorank_evaluation **out,
                                                               const anorank_model *model,
                                                               const anorank_table *table,
                                                               const anorank_settings *settings,
                                                               anorank_error *err);

/* Two models, or without models (both NULL) two fits with these two settings on the same two thirds of the
 * rows, on the same rows and against the same contrast rows. What is not about fitting comes from the first
 * settings. */
ANORANK_API ANORANK_MUST_CHECK anorank_status
anorank_evaluate_two(anorank_evaluation **out, const anorank_model *first, const anorank_model *second,
                     const anorank_table *table, const anorank_settings *settings,
                     const anorank_settings *second_settings, anorank_error *err);
/* Two ways of fitting over `splits` (5 to 1,000) random splits of the rows, with seeds seed, seed + 1, ...: one
 * split compares two fits, this compares what was fitted. */
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

/* Of two: the difference of ROC-AUC, first minus second as all differences (above 0, the first is better),
 * with DeLong's paired interval. */
typedef struct anorank_auc_difference {
  anorank_interval difference;
  double z, p_value;
} anorank_auc_difference;

/* What was found of one of the models. May grow at the end. */
typedef struct anorank_evaluated {
  const char *scorer;
  const anorank_judgement *judgement;
  const anorank_labelled *labelled; /* NULL without labels of both kinds */
  const anorank_precision
      *precision;         /* at k = 10, 50, 100 and the number of anomalies, ascending, as far as */
  size_t precision_count; /* there are so many labelled rows */
} anorank_evaluated;

/* What contrast rows of one law say of an order, or of two orders of the same rows, at the level of the judgements. */
typedef enum anorank_law_outcome {
  ANORANK_LAW_BLIND = 0, /* of two: hardly any of these contrast rows falls among the judged rows */
  ANORANK_LAW_UNDECIDED, /* not distinguishable from a random order; of two: no significant difference */
  ANORANK_LAW_WEAK,      /* the judged rows score above the contrast rows, but the area is above 0.4 */
  ANORANK_LAW_SEPARATES, /* the judged rows score above the contrast rows, area at most 0.4 */
  ANORANK_LAW_REVERSED,  /* they score below */
  ANORANK_LAW_FIRST,     /* of two: the first is better */
  ANORANK_LAW_SECOND
} anorank_law_outcome;

typedef struct anorank_law_verdict {
  const anorank_judgement *of[2];       /* W_phi, area and interval; of two: the second, else NULL */
  const anorank_comparison *comparison; /* of two, else NULL */
  const char *law;                      /* "permute", "displace" */
  const char *kind;                     /* the anomalies that its rows are like: "combinations", "extremes" */
  anorank_law_outcome outcome;
  double reserved[4]; /* 0 */
} anorank_law_verdict;

/* The criterion by two laws that see different anomalies: `combinations` has contrast rows of `permute` with
 * permute_share 0.3, `extremes` of `displace`. */
typedef struct anorank_two_laws {
  anorank_law_verdict combinations, extremes;
  int disagree; /* one: it separates by one law, or is reversed by one, and not by the other; of two: each is better by one law */
  char conclusion[1024];
  double reserved[8]; /* 0 */
} anorank_two_laws;

/* Fill in the rest where of[0], or of[0], of[1] and comparison, of both laws are given, as anorank_judge and
 * anorank_compare make them; they must outlive `laws`. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_two_laws_conclude(anorank_two_laws *laws,
                                                                        anorank_error *err);

/* What was found. Pointers are NULL where there is no such thing. May grow at the end. */
typedef struct anorank_evaluation_info {
  const anorank_evaluated *of[2];               /* the first, and the second of two */
  const anorank_agreement *stability;           /* of two fits of one kind on disjoint thirds of the rows */
  const anorank_comparison *comparison;         /* of two: the difference of areas, paired */
  const anorank_agreement *agreement;           /* of two: how far the orders agree */
  const anorank_auc_difference *auc_difference; /* of two with labels */
  const char *law;                              /* of the contrast rows */
  int is_volume;                                /* 1: a set's share of them is its volume */
  int blind;              /* 1: the contrast rows cannot tell scorers apart (for two: neither) */
  size_t fit_rows;        /* 0: given models */
  const char *conclusion; /* what came of it, in a sentence */
  const char *caveat;     /* what that does not prove */
  const anorank_two_laws *laws;
} anorank_evaluation_info;

/* Lent; NULL without an evaluation. */
ANORANK_API const anorank_evaluation_info *anorank_evaluation_get_info(const anorank_evaluation *evaluation);

/* What was done. */
ANORANK_API const anorank_notes *anorank_evaluation_notes(const anorank_evaluation *evaluation);

/* ---- two tables -------------------------------------------------------------------------------------- */

/* Are the rows of one table drawn like those of another? Two classes learn on half of the rows to rank old rows above
 * new ones; on the other half W_phi tests whether they do, by permutation, so that the level is exact for any number of
 * rows. Up to 20,000 rows of each table are looked at, drawn at random, and the columns that both have, matched by name;
 * a column of different kinds is ANORANK_ERROR_DATA. Experimental (VERSIONING.md). */
typedef struct anorank_drift anorank_drift;

typedef enum anorank_change {
  ANORANK_CHANGE_HIGHER = 0, /* numbers: the median moved by a tenth of the spread or more */
  ANORANK_CHANGE_LOWER,
  ANORANK_CHANGE_WIDER, /* numbers: the middle half grew by a tenth or more */
  ANORANK_CHANGE_NARROWER,
  ANORANK_CHANGE_SHAPE,     /* numbers: something else; the shares up to `at` */
  ANORANK_CHANGE_LEVELS,    /* categories: the share of `level` */
  ANORANK_CHANGE_NEW_LEVEL, /* categories: no old row has `level` */
  ANORANK_CHANGE_MISSING    /* the share of missing cells */
} anorank_change;

/* One column of both tables: [0] of the old rows, [1] of the new ones. May grow at the end. */
typedef struct anorank_drift_column {
  const char *name;
  anorank_kind kind;
  size_t place;          /* among the columns that both tables have */
  anorank_change change; /* what is most to see, whether or not it is more than chance */
  double distance; /* numbers: largest difference of the shares up to a value; categories: half the sum of the
                          * differences of shares; 0 to 1 */
  double p_value;  /* of a distance as large in any column by chance: adjusted for the number of columns */
  double importance; /* what the separation loses without this column; NaN where it was not found out */
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

/* What was found. May grow at the end. */
typedef struct anorank_drift_info {
  /* Of the hypothesis that the rows are drawn alike: twice the smaller of the joint one and the smallest of the
   * columns'. */
  double p_value;
  double joint_p_value; /* of what was learned from all columns together */
  /* The probability that an old row is ranked above a new one, on rows that nothing was learned from: 0.5 where
   * nothing tells them apart, 1 where everything does. */
  anorank_interval separation;
  const char *phi;        /* whose W departs most from what chance gives */
  size_t rows[2];         /* how many old and new rows were looked at */
  size_t columns;         /* anorank_drift_column_at */
  const char *conclusion; /* a sentence */
} anorank_drift_info;

/* Lent; NULL without a result. */
ANORANK_API const anorank_drift_info *anorank_drift_get_info(const anorank_drift *drift);

/* The columns, the surest change first; NULL past the last. */
ANORANK_API const anorank_drift_column *anorank_drift_column_at(const anorank_drift *drift, size_t i);

/* What changed, without a full stop: "amount is higher: median 1250, was 12.5, 100 times as much", in at most `size`
 * bytes. Returns its length, as snprintf does. */
ANORANK_API size_t anorank_drift_column_text(const anorank_drift_column *column, char *text, size_t size);

/* What was left out or assumed. */
ANORANK_API const anorank_notes *anorank_drift_notes(const anorank_drift *drift);

/* A stream accumulates what a fit or a ranking needs of a table that is read block by block, in bounded memory.
 *
 *   a fit      new without a model; add all blocks; fit
 *   a ranking  new with a model; add all blocks; select; fetch from all blocks again; next until NULL
 *   detection  as a fit; then, with the model that it made, as a ranking
 *
 * The result is that of anorank_fit, anorank_ranking_make or anorank_detect for the whole table. It does not depend on
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

/* anorank_fit of the whole table from the sample, with the same settings: the same bytes. The setting `labels`
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
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_stream_next(const anorank_ranking **ranking,
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

/* anorank_model_score_table for the next block of a table whose rows are compared with earlier rows (by, time): the state goes
 * on from block to block, and rows are checked as above. Blocks come in order; a row that is earlier than one before it of the
 * same entity is ANORANK_ERROR_DATA. `shards` > 1: rows of entities in part `shard` alone, by a hash of the entity that is the
 * same everywhere; all shards must see all rows. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_stream_score(anorank_table **out,
                                                                   anorank_stream *stream,
                                                                   const anorank_table *block,
                                                                   size_t first_row, size_t shard,
                                                                   size_t shards, anorank_error *err);

/* Draw conclusions from the rows so far: a sentence each, there until more rows come. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_stream_conclude(anorank_stream *stream,
                                                                      anorank_error *err);
ANORANK_API const anorank_notes *anorank_stream_notes(const anorank_stream *stream);

/* ---- all passes at once ------------------------------------------------------------------------------- */

/* Open a part of a table, from 0; the reader is freed by the library. Parts are read in order, and more than once. */
typedef anorank_status (*anorank_open_part)(void *context, size_t part, anorank_reader **reader,
                                            anorank_error *err);

typedef struct anorank_parts {
  anorank_open_part open;
  void *context;
  size_t count;
  size_t *rows; /* NULL, or room for `count`: how many rows each part has, filled in while they are read */
  void *reserved[3]; /* zeros */
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
