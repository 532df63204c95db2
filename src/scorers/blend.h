/* blend.h - a calibrated ensemble of several views of a row; the default scorer (`--scorer auto`).
 *
 *   s(x) = - sum_p weight_p z_p(x),   z_p = bend( (v_p(x) - centre_p) / scale_p )
 *
 * Each part p has a value v_p, high = abnormal. It is calibrated by the values of at most 2,000 rows that the
 * part has not seen: centre = q50, scale = max((q90 - q10) / 2.56, 1e-3). A kept row is left out of its
 * neighbours, or of the subsets that contain it. bend(z) = z on [-6, 10]; beyond, it continues as 10 + log(1
 * + (z - 10)) and -6 - log(1 + (-6 - z)). So no part can dominate the others, but two rows that are both far
 * away keep their order, and the difference its reasons.
 *
 * One search, for the nearest rows in the normal space, serves all parts that use kept rows. A part of
 * another space re-orders the 32 rows that the search found by their distances there (double precision; equal
 * ones in the order found). Rows that are near in one space are mostly near in the others.
 *
 * The parts (blend_parts.c):
 *   hull      hull.h over the k nearest kept rows
 *   nearest   log(d_k + 1e-3), d_k the distance to the k-th nearest kept row
 *   subsets   the mean over random subsets of the kept rows of log(d_1 + 1e-3), in the standard space
 *   histogram the rarity of the values in their columns: minus the score of the class `histogram`, 20 bins
 *   answers   feedback on some rows (confirmed anomalies, rows dismissed as normal), in the space of the search and
 *             in units of the sum of the other parts (blend_feedback_fit.c):
 *               sum_a pull_a exp(-d_a / length) + w max(0, 1 - z_c) - w' max(0, -z_d),
 *             where z_c and z_d are log(d + 0.01) - 1/2 log(d_1 + 0.01), calibrated, of the nearest confirmed and the
 *             nearest dismissed row; w and w' are 0 unless leaving each feedback row out shows a gain
 *   known     the same of confirmed anomalies alone, with a fixed weight: in model files of version 0.1
 *             (blend_known_v1.c)
 *   crowd     log(d_k + 1e-3), d_k the distance to the k-th nearest of at most 2,560 random rows, trimmed or
 *             not, in their own standard space; k is one in 256 of them, at least 2. Negative z count as 0
 *   tokens    values and pairs of values that are rare among the training rows (blend_tokens.h), in units of the sum
 *             s of the parts before it. Negative z count as 0. Where both are positive, s and the part are joined as
 *             the cube root of s^3 + (weight z)^3
 *   shape     half the log of the squared Mahalanobis distance to the kept rows in the normal space, with a shrunk
 *             covariance (mahalanobis.h); a kept row is excluded from it first
 *
 * The recipes (blend_fit.c). Among the columns that are not constant, without 0/1 columns of levels and
 * missing cells, f is the share with two values. c is the share of categorical columns, g = min(1, 2 c), d
 * the number of numeric columns:
 *   clean              hull in the normal space, hull and nearest with k = 1 in the range space, (1 - f^2) / 3
 *                      each; subsets (32 of 64 rows) with weight f^2. Where extremes dominate the table, the range
 *                      space is one of normal scores (ank_spaces_score_ranges). Tokens have a separate weight, and
 *                      need a known layout of the rows
 *   clean, fast        subsets: `subsamples` of `subsample` rows
 *   contaminated       over the rows that trim.h keeps (70 %): nearest with k = 5, weight 1 - 3/4 g; a hull in the
 *                      normal space, 1/2 - 1/4 g; half a hull in the range space; the histogram of all rows,
 *                      0.2 + 0.2 g; all divided by 2.2. With categories, the trimmed rows count as described
 *                      below, and crowd is added with weight 0.8 g. With 20 <= d and at most 1,024 features,
 *                      shape is added with weight d / (d + 200)
 *   contaminated, fast subsets (64 of 16 rows) of the 75 % that trim.h keeps
 *   with feedback      the part answers. Training rows that equal a confirmed anomaly are excluded from all rows
 *                      that others are compared with. They do take part in the trimming, so that trimming and
 *                      random draws are the same with and without feedback
 *
 * A single numeric column, without others: rows farther out are not less abnormal. Beyond the outermost
 * hundredth on either side (2 to 256 rows), at a value v of the training rows, with s the sum of the parts
 * without that row,
 *       least(v) = max( s(v), least(v') + 1e-6 ),   v' the next value inward; at the first, s(v) alone.
 * The sum at x is at least least(v), where v is the last such value up to x. So equal values far out do not
 * make each other look normal, and a value in a gap keeps its own sum. With feedback there are no such
 * bounds.
 *
 * Why these hedges. Trimming removes small groups. That finds anomalies that form a group, but it also hits
 * rare groups that are normal. Only labels could tell which of the two a small group is; no statistic of the
 * table can. But levels of a category form rare groups by design: the more of a row is categorical, the more
 * often a far group is just a rare level. Hence g. With it
 *   - a hull or nearest part over the kept rows, v, is moderated by that over all rows, a:
 *         a + max(0, v - a - g t),   t the 85 % quantile of v - a over the training rows.
 *     The gap v - a is small where the data just thin out, and large for a separate group;
 *   - the crowd can make a row more abnormal, never more normal (its z is at least 0). It sees amounts as they are,
 *     where the normal space compresses them;
 *   - the nearest distance, which compression and trimming distort most, has less weight.
 * With many columns, the sum over all of them hides a few abnormal ones, unless the columns move together.
 * The covariance knows that, hence d.
 *
 * A model may score a row that it keeps. So under `contaminated`, and under `clean` if no two training
 * rows are equal (skip_copies.h has the reason), one exact copy (distance 0) of a row among the kept ones is
 * skipped in every call: the score is a function of the row alone. (Subsets skip every copy.) Under
 * `contaminated` that is the leave-one-out score of the training rows. Under `clean`, score_left_out leaves
 * out exactly the row itself, also from the range space and from whole subsets.
 *
 * Size: at most `references` rows are kept (contaminated: and at most 7,000), stored once with 4 bytes per
 * value: 10,000 x 10 is 0.4 MB, and at most 12 kB more per heavy-tailed column, 400 bytes of histogram per
 * column, 8 kB of subsets, 4 bytes per value of feedback or of the crowd, 4 d^2 bytes of shape. Memory: about
 * five times that. At most 20,000 rows take part in a fit under `contaminated`. */
#ifndef ANK_SCORERS_BLEND_H
#define ANK_SCORERS_BLEND_H

#include "neighbours/reference_set.h"
#include "neighbours/subsets.h"
#include "scorers/blend_tokens.h"
#include "scorers/scorer.h"

typedef enum ank_part_kind {
  ANK_PART_HULL = 0,
  ANK_PART_NEAREST,
  ANK_PART_SUBSETS,
  ANK_PART_HISTOGRAM,
  ANK_PART_KNOWN,
  ANK_PART_GLOBAL_KNN,
  ANK_PART_MAHALANOBIS,
  ANK_PART_FEEDBACK,
  ANK_PART_TOKENS
} ank_part_kind;

enum {
  ANK_PART_KINDS = 9,
  ANK_BLEND_PARTS = 8,
  ANK_BLEND_BLOCK = ANK_LEFT_OUT_BLOCK,
  ANK_BLEND_FOUND = 32,
  ANK_BLEND_SEPARATED = 16,
  ANK_MOST_FEEDBACK = 256 /* of each kind */
};

typedef struct ank_part {
  ank_part_kind kind;
  anorank_space space; /* the first of equal ones (ank_spaces_first) */
  size_t neighbours;   /* hull, nearest */
  double weight, centre, scale;
  double least, most; /* limits of z before it is bent; infinite: none */
  double gap; /* hull, nearest: least gap of a separate group; negative: the part sees kept rows only */
} ank_part;

/* Feedback rows: first those confirmed as anomalies, then those dismissed as normal. */
typedef struct ank_feedback {
  size_t confirmed, dismissed; /* both 0: no feedback */
  float *rows;                 /* as held */
  float *mapped;               /* in the space of the search */
  double *pull, length;        /* pull of each row, and its range */
  double near[2];              /* weights of the nearest confirmed and the nearest dismissed row */
  double centre[2], scale[2];
} ank_feedback;

/* The least sum of the parts beyond the bulk of a single numeric column, by value: [0] below, with the sign
 * changed, [1] above; both from the bulk outward. */
typedef struct ank_blend_tail {
  size_t column, count[2]; /* both counts 0: no tail */
  double *at[2], *least[2];
  double *values[2]; /* values of the parts there, ANK_BLEND_PARTS x count; NULL in a loaded model */
} ank_blend_tail;

typedef struct ank_blend {
  ank_reference_set reference_set;
  anorank_space space; /* the space of the search */
  size_t moving;       /* number of columns that are not constant among the kept rows */
  int skip_copies;
  ank_subsets subsets; /* sets = 0: none */
  void *histogram;     /* of the class `histogram`; NULL: none */
  ank_feedback feedback;
  float *known;                 /* confirmed anomalies of older files, as held: known_rows x dim */
  size_t known_rows;            /* 0: none */
  ank_search *near_known;       /* a search over them, in the space of the search */
  ank_reference_set trimmed;    /* trimmed rows, in the spaces of the kept ones (it has no spaces); count = 0:
                              * none */
  ank_reference_set global_knn; /* a sample of all rows; count = 0: none */
  void *mahalanobis; /* of the class `mahalanobis`, over the kept rows in the normal space; NULL: none */
  double mahalanobis_share; /* the share of one kept row in its covariance */
  ank_blend_tail tail;
  ank_tokens *tokens; /* NULL: none; after a fit with a closed gate the part has weight 0 */
  size_t parts;
  ank_part part[ANK_BLEND_PARTS];
} ank_blend;

/* Compute the values of all parts: values[p * count + i] for row i of `rows`, count = rows->rows, at most
 * ANK_BLEND_BLOCK. `own`: their indices among the kept rows, to exclude them (ANK_NOWHERE: not kept); NULL:
 * exclude none. */
anorank_status ank_blend_values(double *values, const ank_blend *blend, const ank_matrix *rows,
                                const uint32_t *own, anorank_error *err);

/* Return the sum of the parts for one row, whose value of part p is values[p * step]. */
double ank_blend_sum(const ank_blend *blend, const double *values, size_t step);

/* Join the sum of the parts before the tokens with the tokens: the cube root of the sum of cubes. What only
 * one of them sees counts in full, and the other adds little noise to it. */
double ank_blend_join(double others, double tokens);

/* Score any rows on the calling thread; `own` as above. */
anorank_status ank_blend_score(double *scores, const void *scorer, const ank_matrix *rows,
                               const uint32_t *own, anorank_error *err);

/* Set known[i], allocated: whether row i of X, or row drawn[i] unless `drawn` is NULL, equals a confirmed
 * anomaly. Unchanged if none is confirmed. */
anorank_status ank_blend_mark_known(unsigned char **known, const ank_samples *samples, const size_t *drawn,
                                    size_t count, anorank_error *err);

/* Remove known anomalies (known[i]: row i is one; NULL: none) from the drawn rows, unless all are. Returns
 * the number left. Rows are drawn regardless of feedback, so that it affects the rows near it and does not
 * redraw all others. */
size_t ank_blend_leave_known(size_t *drawn, size_t count, const unsigned char *known);

/* Return a quantile, interpolated linearly between order statistics. */
double ank_blend_quantile(const double *sorted, size_t n, double share);

/* Draw `most` random rows of X, allocated, without those that equal a confirmed anomaly (unless all do). */
anorank_status ank_blend_draw(size_t **out, size_t *count, const ank_samples *samples, int64_t most,
                              uint64_t seed, anorank_error *err);

/* ---- tokens (blend_tokens_fit.c) ---- */

/* Add the part, after the others are calibrated. `rows`: the kept ones; row[i]: their indices in X; per_nat:
 * the rise of the sum of the other parts when its rarity grows by a nat. */
anorank_status ank_blend_add_tokens(ank_blend *blend, const ank_matrix *rows, const size_t *row,
                                    double per_nat, const ank_row_layout *layout,
                                    const anorank_settings *settings, anorank_error *err);

/* ---- tails of a single numeric column (blend_tail.c) ---- */

/* Learn the tails, after all parts are calibrated. `rows`: the rows of the fit; kept: they are the kept ones,
 * and each is excluded from its own value. Does nothing unless exactly one column is numeric. */
anorank_status ank_blend_add_tail(ank_blend *blend, const ank_matrix *rows, const unsigned char *as_given,
                                  int kept, const anorank_settings *settings, anorank_error *err);

/* Compute the least sums again, after a change of the scale of a part. */
void ank_blend_tail_settle(ank_blend *blend);

/* Return the least sum of a row; -infinity if the row is in the bulk. */
double ank_blend_tail_least(const ank_blend_tail *tail, const double *row);

int ank_blend_tail_is_there(const ank_blend_tail *tail);
size_t ank_blend_tail_bytes(const ank_blend_tail *tail);
anorank_status ank_blend_tail_save(const ank_blend_tail *tail, ank_bytes *out, anorank_error *err);
anorank_status ank_blend_tail_load(ank_blend_tail *tail, size_t dim, ank_cursor *in, anorank_error *err);
void ank_blend_tail_free(ank_blend_tail *tail); /* frees its memory, not the struct */

/* ---- answers ---- */

/* Learn from feedback on rows of the fit: `fit`, or the kept ones under `clean`. Called after the other parts
 * are calibrated; adds the part, if there is feedback. */
anorank_status ank_feedback_learn(ank_blend *blend, const ank_matrix *fit, const ank_known *feedback_rows,
                                  const anorank_settings *settings, anorank_error *err);
anorank_status ank_feedback_prepare(ank_blend *blend, anorank_error *err);

/* Compute the part's values from the rows in the space of the search and the squared distance of each to the
 * nearest kept row: squared[i * step]. */
void ank_feedback_values(double *values, const ank_blend *blend, const float *mapped, size_t count,
                         const float *squared, size_t step);

double ank_feedback_distance(const float *a, const float *b, size_t dim);

/* Return log(distance + 0.01) - 1/2 log(nearest_kept + 0.01), which puts a distance in relation to the
 * density there. The proximity, 0 to 10, is max(0, 1 - z) of a confirmed row, max(0, -z) of a dismissed
 * one. */
double ank_feedback_farness(double distance, double nearest_kept);
double ank_feedback_nearness(const ank_feedback *feedback, int dismissed, double farness);

size_t ank_feedback_count(const ank_feedback *feedback);
size_t ank_feedback_bytes(const ank_feedback *feedback, size_t dim);
anorank_status ank_feedback_save(const ank_blend *blend, ank_bytes *out, anorank_error *err);
anorank_status ank_feedback_load(ank_blend *blend, ank_cursor *in, anorank_error *err);
void ank_feedback_free(ank_feedback *feedback); /* frees its memory, not the struct */

/* ---- confirmed anomalies of older files ---- */

anorank_status ank_blend_prepare_known(ank_blend *blend, anorank_error *err);
anorank_status ank_blend_load_known(ank_blend *blend, ank_cursor *in, anorank_error *err);
anorank_status ank_blend_save_known(const ank_blend *blend, ank_bytes *out, anorank_error *err);

/* Compute the part's values from the rows in the space of the search and the squared distance of each to the
 * nearest kept row: squared[i * step]. */
anorank_status ank_blend_known_values(double *values, const ank_blend *blend, const float *mapped,
                                      size_t count, const float *squared, size_t step, anorank_error *err);

/* Store rows that the trimming removed; build the search for them; write and read them. */
anorank_status ank_blend_add_trimmed(ank_blend *blend, const ank_matrix *rows, anorank_error *err);
anorank_status ank_blend_prepare_trimmed(ank_blend *blend, anorank_error *err);
anorank_status ank_blend_save_trimmed(const ank_blend *blend, ank_bytes *out, anorank_error *err);
anorank_status ank_blend_load_trimmed(ank_blend *blend, ank_cursor *in, anorank_error *err);

/* Build the searches that the parts need. */
anorank_status ank_blend_prepare(ank_blend *blend, anorank_error *err);

anorank_status ank_blend_fit(void *scorer, const ank_samples *samples, const anorank_settings *settings,
                             anorank_error *err);
void ank_blend_free(void *scorer);

#endif
