/* scorer.h - the classes S_0 of scoring functions: one table of functions each.
 *
 * A scoring function maps a row of `dim` doubles to a number, lower = more abnormal. A class learns one from
 * normal rows X and, where it uses them, contrast rows U (paper, section 3.2). Rows are finite numbers,
 * already prepared (scaled, encoded) by the caller; a class does no scaling unless its definition
 * includes one.
 *
 * To add a class: write scorer_NAME.c with `const ank_scorer_class ank_scorer_NAME` and add its line to
 * classes.inc. The contract tests, `anorank list scorer` and the documents walk the registry.
 *
 * What every class must keep:
 *   - fit is deterministic: the same samples, settings and seed give the same bytes from `save`, for any
 *     number of threads (core/parallel.h, core/rng.h with ANK_STREAM_FIT and an index of your own);
 *   - a fitted scorer is immutable, so many threads may score with it at once;
 *   - a row's score has the same bits whether it is scored alone or among a million;
 *   - load trusts nothing: any bytes give a scorer that scores without fault, or ANORANK_ERROR_MODEL. */
#ifndef ANK_SCORERS_SCORER_H
#define ANK_SCORERS_SCORER_H

#include "anorank/criterion.h"
#include "core/bytes.h"
#include "core/matrix.h"
#include "core/rng.h"
#include "core/status.h"

/* Rows of which something is known: `rows` confirmed anomalies and, behind them, `dismissed` rows that were
 * looked at and are normal. Borrowed. */
typedef struct ank_known {
  const double *values;
  size_t rows, dim, dismissed;
} ank_known;

/* Which features a cell of the table became. */
typedef enum ank_cell_kind {
  ANK_CELL_NUMBER = 0, /* one number, and perhaps a mark of missing cells behind it */
  ANK_CELL_LEVEL,      /* marks, at most one of which is set, and how rare the level is */
  ANK_CELL_OTHER
} ank_cell_kind;

typedef struct ank_cell_features {
  size_t first, count;
  ank_cell_kind kind;
} ank_cell_features;

/* Features of no cell (surprise) may be behind them. */
typedef struct ank_row_layout {
  const ank_cell_features *cell;
  size_t cells;
} ank_row_layout;

typedef struct ank_samples {
  ank_matrix x;           /* normal rows, at least 1 */
  ank_matrix u;           /* contrast rows; rows = 0 for classes that do not look at them */
  const double *u_weight; /* weight of each contrast row (known anomalies weigh more); NULL: all 1 */
  ank_known known;        /* all 0: nothing */
  const unsigned char
      *as_given;  /* per column, not 0: a mark (a level, a missing cell) whose size is chosen to
                                    go with numbers of standard deviation 1; 2: how rare a level is, once per
                                    categorical column; NULL: no column is */
  int had_copies; /* 1: equal rows were taken out of the table before the fit (model/duplicate_rows.h) */
  const ank_row_layout *layout; /* NULL: not known */
} ank_samples;

/* The hooks of a class for training by gradients (learn/train.h). A scorer under training is mutable and
 * belongs to one thread; the score is unbounded (a logit): its logistic transform is the paper's score in (0,
 * 1). */
typedef struct ank_gradient_class {
  /* A scorer with random weights. */
  anorank_status (*start)(void **out, size_t dim, const anorank_settings *settings, ank_rng *rng,
                          anorank_error *err);
  size_t (*parameters)(const void *scorer);
  double *(*values)(void *scorer);

  /* Doubles of scratch memory for a pass over `rows` rows. */
  size_t (*scratch)(const void *scorer, size_t rows);

  /* Scores of the rows; `scratch` keeps what backward needs. */
  void (*forward)(const void *scorer, const double *rows, size_t count, double *scores, double *scratch);

  /* Add sum_i slopes[i] * d score_i / d parameters to `gradient`. Follows forward on the same rows. */
  void (*backward)(const void *scorer, const double *rows, size_t count, const double *slopes,
                   double *gradient, double *scratch);

  /* May be NULL. Plain SGD on the cross-entropy of one row at a time, in the order given: row i is labelled 1
   * if i < positives, else 0 with weight weights[i - positives] (NULL: 1). The same bits as forward, backward
   * and a step per row, only faster; 0 if this scorer's shape has no fast way, and then nothing was done. */
  int (*descend)(void *scorer, const double *rows, const size_t *order, size_t count, size_t positives,
                 const double *weights, double rate);
} ank_gradient_class;

/* Cells of a row, by their first features, that hold a value, or with another cell a pair of values, that none of `rows`
 * rows of the fit has. */
typedef struct ank_unseen_cell {
  size_t first;
  int alone;
  size_t with; /* SIZE_MAX: no pair */
} ank_unseen_cell;

enum { ANK_MOST_UNSEEN = 256 };

typedef struct ank_unseen {
  size_t rows, count;
  ank_unseen_cell cell[ANK_MOST_UNSEEN];
} ank_unseen;

typedef struct ank_scorer_class {
  anorank_class info;
  int uses_known; /* 1: fit looks at samples->known */

  size_t size; /* of the struct of a scorer */

  /* Fill a scorer, `size` zeroed bytes; the caller frees it, also where it fails (ank_scorer_fit). NULL for classes that are
   * trained by gradients. */
  anorank_status (*fit)(void *scorer, const ank_samples *samples, const anorank_settings *settings,
                        anorank_error *err);

  /* The scores of the rows; rows->dim is the dimension of the fit. Runs on the calling thread: the caller
   * cuts large inputs into blocks and spreads them over threads. Scratch memory is allocated per call, never
   * per row. */
  anorank_status (*score)(double *scores, const void *scorer, const ank_matrix *rows, anorank_error *err);

  /* May be NULL. The scores of samples->x, the very rows of the fit, each as if it alone had not been among
   * them (leave-one-out, or out of bag); `settings` are those of the fit. Spreads over settings->threads. */
  anorank_status (*score_left_out)(double *scores, const void *scorer, const ank_samples *samples,
                                   const anorank_settings *settings, anorank_error *err);
  /* 1: score_left_out leaves the row out of every unit and range as well, so that under `clean` its score is
   * drawn like that of a row that comes later. 0: a row that stands out has stretched its own column. */
  int left_out_of_all;

  /* May be NULL. Put the scores on the scale of another scorer of this class, fitted on nearly the same rows: so that
   * the scores of the parts of a cross-fit can be compared, and ties among them are ties. */
  void (*take_scale)(void *scorer, const void *other);

  /* May be NULL. What counts against a row because no row of the fit has it. */
  anorank_status (*unseen)(ank_unseen *out, const void *scorer, const double *row, anorank_error *err);

  size_t (*dim)(const void *scorer);
  size_t (*bytes)(const void *scorer); /* memory held */

  anorank_status (*save)(const void *scorer, ank_bytes *out, anorank_error *err);
  anorank_status (*load)(void *scorer, ank_cursor *in, anorank_error *err); /* fills as `fit` does */
  void (*free)(void *scorer);

  const ank_gradient_class *gradient; /* NULL: not differentiable */

  int distance_scores; /* 1: scores are minus a distance, or a power of one, not minus its logarithm */
} ank_scorer_class;

#define ANK_SCORER(name) extern const ank_scorer_class ank_scorer_##name;
#include "scorers/classes.inc"
#undef ANK_SCORER

const ank_scorer_class *ank_scorer_at(size_t i);           /* NULL past the end */
const ank_scorer_class *ank_scorer_find(const char *name); /* NULL if unknown */

/* A new scorer; NULL in `*out` on failure. */
anorank_status ank_scorer_fit(void **out, const ank_scorer_class *type, const ank_samples *samples,
                              const anorank_settings *settings, anorank_error *err);
anorank_status ank_scorer_load(void **out, const ank_scorer_class *type, ank_cursor *in, anorank_error *err);

/* Put a scorer that was filled with this status into `*out`, or free it; returns the status. */
anorank_status ank_scorer_hand_out(void **out, const ank_scorer_class *type, void *scorer,
                                   anorank_status status);

/* score_left_out of a class that can leave rows out by their places among its reference rows: row chosen[i] of X is at
 * place i; NULL: none is left out. `score` takes the places of its rows, ANK_NOWHERE where they have none. Runs over
 * blocks of at most ANK_LEFT_OUT_BLOCK rows. */
enum { ANK_LEFT_OUT_BLOCK = 256 };
typedef anorank_status (*ank_score_without)(double *scores, const void *scorer, const ank_matrix *rows,
                                            const uint32_t *places, anorank_error *err);
anorank_status ank_score_left_out(double *scores, const void *scorer, const ank_matrix *x,
                                  const size_t *chosen, size_t count, ank_score_without score,
                                  const anorank_settings *settings, anorank_error *err);

/* Score any number of rows: fixed blocks spread over settings->threads. */
anorank_status ank_score(double *scores, const ank_scorer_class *type, const void *scorer,
                         const ank_matrix *rows, const anorank_settings *settings, anorank_error *err);

#endif
