/* scorer.h - the classes S_0 of scoring functions: one table of functions each.
 *
 * A scoring function maps a row of `dim` doubles to a number, lower = more abnormal. A class learns one from
 * normal rows X and, if it uses them, contrast rows U (paper, section 3.2). Rows are finite numbers, already
 * prepared (scaled, encoded) by the caller. A class does no scaling unless its definition includes one.
 *
 * To add a class: write scorer_NAME.c with `const ank_scorer_class ank_scorer_NAME` and add its line to
 * classes.inc. The contract tests, `anorank list scorer` and the documents read the registry.
 *
 * Requirements for every class:
 *   - fit is deterministic: the same samples, settings and seed give the same bytes from `save`, for any
 *     number of threads (core/parallel.h, core/rng.h with ANK_STREAM_FIT and a separate index);
 *   - a fitted scorer is immutable, so many threads may score with it concurrently;
 *   - a row's score has the same bits whether it is scored alone or among a million;
 *   - load trusts nothing: any bytes give a scorer that scores without fault, or ANORANK_ERROR_MODEL. */
#ifndef ANK_SCORERS_SCORER_H
#define ANK_SCORERS_SCORER_H

#include "anorank/criterion.h"
#include "core/bytes.h"
#include "core/matrix.h"
#include "core/rng.h"
#include "core/status.h"

/* Rows with feedback: `rows` confirmed anomalies, followed by `dismissed` rows, which a person found normal.
 * Borrowed. */
typedef struct ank_known {
  const double *values;
  size_t rows, dim, dismissed;
} ank_known;

/* The features of a cell of the table. */
typedef enum ank_cell_kind {
  ANK_CELL_NUMBER = 0, /* one number, perhaps followed by an indicator of missing cells */
  ANK_CELL_LEVEL,      /* 0/1 indicators of levels, at most one of them 1, and the rarity of the level */
  ANK_CELL_OTHER
} ank_cell_kind;

typedef struct ank_cell_features {
  size_t first, count;
  ank_cell_kind kind;
} ank_cell_features;

/* Further features (surprise), of no cell, may follow. */
typedef struct ank_row_layout {
  const ank_cell_features *cell;
  size_t cells;
} ank_row_layout;

typedef struct ank_samples {
  ank_matrix x;           /* normal rows, at least 1 */
  ank_matrix u;           /* contrast rows; rows = 0 for classes that do not use them */
  const double *u_weight; /* weight of each contrast row (known anomalies weigh more); NULL: all 1 */
  ank_known known;        /* all 0: no feedback */
  const unsigned char
      *as_given;  /* per column, not 0: an indicator (a level, a missing cell) scaled to go with numbers of
                   * standard deviation 1; 2: the rarity of a level, once per categorical column; NULL:
                   * none */
  int had_copies; /* 1: equal rows were removed before the fit (model/duplicate_rows.h) */
  const ank_row_layout *layout; /* NULL: unknown */
} ank_samples;

struct ank_encoding;

/* The hooks of a class for training by gradients (learn/train.h). A scorer under training is mutable and
 * belongs to one thread; the score is unbounded (a logit): its logistic transform is the paper's score in (0,
 * 1). */
typedef struct ank_gradient_class {
  /* Create a scorer with random weights. */
  anorank_status (*start)(void **out, size_t dim, const anorank_settings *settings, ank_rng *rng,
                          anorank_error *err);
  size_t (*parameters)(const void *scorer);
  double *(*values)(void *scorer);

  /* Return the doubles of scratch memory for a pass over `rows` rows. */
  size_t (*scratch)(const void *scorer, size_t rows);

  /* Score the rows; `scratch` keeps what backward needs. */
  void (*forward)(const void *scorer, const double *rows, size_t count, double *scores, double *scratch);

  /* Add sum_i slopes[i] * d score_i / d parameters to `gradient`. Follows forward on the same rows. */
  void (*backward)(const void *scorer, const double *rows, size_t count, const double *slopes,
                   double *gradient, double *scratch);

  /* May be NULL. Plain SGD on the cross-entropy of one row at a time, in the given order: row i is labelled 1
   * if i < positives, else 0 with weight weights[i - positives] (NULL: 1). Gives the same bits as forward,
   * backward and a step per row, only faster. Returns 0, without a change, if this scorer's shape has no fast
   * path. */
  int (*descend)(void *scorer, const double *rows, const size_t *order, size_t count, size_t positives,
                 const double *weights, double rate);

  /* May be NULL. Create one scorer of rows from scorers of encoded rows (encoding.h), whose scores it
   * averages. Takes ownership of the encoding and the scorers, also on failure. */
  anorank_status (*join)(void **out, struct ank_encoding *encoding, void **scorers, size_t count,
                         anorank_error *err);
} ank_gradient_class;

/* Cells of a row, by their first features, with a value, or together with another cell a pair of values, that
 * none of `rows` rows of the fit has. */
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
  int uses_known; /* 1: fit uses samples->known */

  size_t size; /* size of a scorer's struct */

  /* Fit a scorer, `size` zeroed bytes, which the caller frees, also on failure (ank_scorer_fit). NULL for
   * classes trained by gradients. */
  anorank_status (*fit)(void *scorer, const ank_samples *samples, const anorank_settings *settings,
                        anorank_error *err);

  /* Score the rows; rows->dim is the dimension of the fit. Runs on the calling thread: the caller cuts large
   * inputs into blocks and spreads them over threads. Scratch memory is allocated per call, never per row. */
  anorank_status (*score)(double *scores, const void *scorer, const ank_matrix *rows, anorank_error *err);

  /* May be NULL. Score samples->x, the rows of the fit, each as if it alone had not been among them
   * (leave-one-out, or out of bag); `settings` are those of the fit. Runs on settings->threads. */
  anorank_status (*score_left_out)(double *scores, const void *scorer, const ank_samples *samples,
                                   const anorank_settings *settings, anorank_error *err);
  /* 1: score_left_out excludes the row from every unit and range as well, so that under `clean` its score has
   * the distribution of a later row's. 0: an outlier has stretched its own column. */
  int left_out_of_all;

  /* May be NULL. Put the scores on the scale of another scorer of this class, fitted on nearly the same rows,
   * so that scores of the parts of a cross-fit are comparable, and ties remain ties. */
  void (*take_scale)(void *scorer, const void *other);

  /* May be NULL. Find the values of a row that no row of the fit has. */
  anorank_status (*unseen)(ank_unseen *out, const void *scorer, const double *row, anorank_error *err);

  size_t (*dim)(const void *scorer);
  size_t (*bytes)(const void *scorer); /* bytes of memory */

  anorank_status (*save)(const void *scorer, ank_bytes *out, anorank_error *err);
  anorank_status (*load)(void *scorer, ank_cursor *in, anorank_error *err); /* fills the struct as `fit`
                                                                             * does */
  void (*free)(void *scorer);

  const ank_gradient_class *gradient; /* NULL: not differentiable */

  int distance_scores; /* 1: scores are minus a distance, or a power of one, without a logarithm */
} ank_scorer_class;

#define ANK_SCORER(name) extern const ank_scorer_class ank_scorer_##name;
#include "scorers/classes.inc"
#undef ANK_SCORER

const ank_scorer_class *ank_scorer_at(size_t i);           /* NULL past the end */
const ank_scorer_class *ank_scorer_find(const char *name); /* NULL if unknown */

/* Create a fitted scorer; NULL in `*out` on failure. */
anorank_status ank_scorer_fit(void **out, const ank_scorer_class *type, const ank_samples *samples,
                              const anorank_settings *settings, anorank_error *err);
anorank_status ank_scorer_load(void **out, const ank_scorer_class *type, ank_cursor *in, anorank_error *err);

/* Return a filled scorer in `*out` if the status is ANORANK_OK, else free it; returns the status. */
anorank_status ank_scorer_hand_out(void **out, const ank_scorer_class *type, void *scorer,
                                   anorank_status status);

/* Implement score_left_out for a class that can exclude rows by their indices among its reference rows: row
 * chosen[i] of X has index i; NULL: exclude none. `score` takes the indices of its rows, or ANK_NOWHERE. Runs
 * over blocks of at most ANK_LEFT_OUT_BLOCK rows. */
enum { ANK_LEFT_OUT_BLOCK = 256 };
typedef anorank_status (*ank_score_without)(double *scores, const void *scorer, const ank_matrix *rows,
                                            const uint32_t *places, anorank_error *err);
anorank_status ank_score_left_out(double *scores, const void *scorer, const ank_matrix *x,
                                  const size_t *chosen, size_t count, ank_score_without score,
                                  const anorank_settings *settings, anorank_error *err);

/* Score any number of rows: fixed blocks on settings->threads. */
anorank_status ank_score(double *scores, const ank_scorer_class *type, const void *scorer,
                         const ank_matrix *rows, const anorank_settings *settings, anorank_error *err);

#endif
