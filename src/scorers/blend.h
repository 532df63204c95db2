/* blend.h - a calibrated ensemble of several views of a row; the default scorer (`--scorer auto`).
 *
 *   s(x) = - sum_p weight_p z_p(x),   z_p = bend( (v_p(x) - centre_p) / scale_p )
 *
 * Each part p has a value v_p, high = abnormal, and is calibrated by the values of rows that the part does
 * not know: centre = q50, scale = max((q90 - q10) / 2.56, 1e-3) over at most 2,000 of them, each left out
 * of its neighbours (kept rows) or of the subsets that hold it. bend(z) = z on [-6, 10]; beyond, it
 * continues as 10 + log(1 + (z - 10)) and -6 - log(1 + (-6 - z)): one part cannot drown the others, and yet
 * two rows that are both far away keep their order, and the difference its reasons.
 *
 * One search serves all parts that look at kept rows: for the nearest in the normal space. A part of
 * another space looks at the 32 that were found, in the order of their distances there (double precision;
 * equal ones in the order found): rows that are near in one space are nearly those that are near in the
 * other.
 *
 * The parts (blend_parts.c):
 *   hull      hull.h over the k nearest kept rows
 *   nearest   log(d_k + 1e-3), d_k the distance to the k-th nearest kept row
 *   subsets   the mean over random subsets of the kept rows of log(d_1 + 1e-3), in the standard space
 *   histogram how rare the values are in their columns: minus the score of the class `histogram`, 20 bins
 *   answers   what is known of some rows (confirmed anomalies, rows dismissed as normal), in the space of the
 *             search and in units of the sum of the other parts (blend_feedback_fit.c):
 *               sum_a pull_a exp(-d_a / length) + w max(0, 1 - z_c) - w' max(0, -z_d),
 *             z_c and z_d being log(d + 0.01) - 1/2 log(d_1 + 0.01), calibrated, of the nearest confirmed and the
 *             nearest dismissed row; w and w' are 0 unless leaving each answer out shows a gain
 *   known     the same of confirmed anomalies alone, with a fixed weight: in model files of version 0.1
 *             (blend_known_v1.c)
 *   crowd     log(d_k + 1e-3), d_k the distance to the k-th nearest of at most 2,560 random rows, trimmed or
 *             not, in their own standard space; k is one in 256 of them, at least 2. z is cut at 0 from below
 *   tokens    values and pairs of values that training rows hardly ever show (blend_tokens.h), in units of the sum
 *             of the parts before it. z is cut at 0 from below, and joined with that sum s: the cube root of
 *             s^3 + (weight z)^3 where both are positive
 *   shape     half the log of the squared Mahalanobis distance to the kept rows in the normal space, with the
 *             covariance shrunk (mahalanobis.h); a kept row is taken out of it first
 *
 * The recipes (blend_fit.c), f the share of the columns with two values among those that are not constant
 * (marks of levels and missing cells apart), c the share of the categorical among all columns, g = min(1, 2 c), d
 * the columns of numbers:
 *   clean              hull in the normal space, hull and nearest with k = 1 in the range space, (1 - f^2) / 3
 *                      each; subsets (32 of 64 rows) with weight f^2. Where extremes rule the table, the range
 *                      space is one of normal scores (ank_spaces_score_ranges). Tokens are joined with a separate
 *                      weight, where the layout of the rows is known
 *   clean, fast        subsets: `subsamples` of `subsample` rows
 *   contaminated       over the rows that trim.h keeps (70 %): nearest with k = 5, weight 1 - 3/4 g, and a hull in
 *                      the normal space, 1/2 - 1/4 g, half a hull in the range space, the histogram of all rows,
 *                      0.2 + 0.2 g; all over 2.2. Where there are categories, the trimmed rows count as said
 *                      below, and crowd is added with weight 0.8 g. Where 20 <= d and there are at most 1,024
 *                      features, shape is, with weight d / (d + 200)
 *   contaminated, fast subsets (64 of 16 rows) of the 75 % that trim.h keeps
 *   rows that are known, if there are: answers; training rows that equal a confirmed anomaly are among no rows
 *                      that others are compared with. They do take part in the trimming, so that it, and what
 *                      is drawn at random, is the same with and without answers
 *
 * One numeric column and no other: rows farther out are not less abnormal. Beyond the outermost hundredth on either
 * side (2 to 256 rows), at a value v of the rows of the fit, with s the sum of the parts without that row,
 *       least(v) = max( s(v), least(v') + 1e-6 ),   v' the next value inward; at the first, s(v) alone.
 * The sum at x is at least least(v), v the last such value up to x. So equal values far out do not vouch for each other,
 * and a value in a gap keeps what its own sum says. With answers there are no such bounds.
 *
 * Why these hedges. Trimming sets small groups apart: that finds anomalies that come in a clump and vouch
 * for each other, and it wrongs rare groups that are normal. Which of the two a small group is, is what
 * the labels mean; no number of the table tells. But levels of a category make rare groups by design: the more
 * of a row is categories, the more often a far group is just a rare level. Hence g. With it
 *   - a hull or nearest part over the kept rows, v, gives way to that over all rows, a:
 *         a + max(0, v - a - g t),   t the 85 % quantile of v - a over the rows of the fit.
 *     The gap v - a is small where the data just thin out, and large for a group that stands apart;
 *   - what the crowd finds abnormal is added, and what it finds normal takes nothing away (the cut at 0). It sees
 *     amounts as they are, where the normal space squashes them;
 *   - the nearest distance, which the squashing and the trimming hurt most, counts less.
 * With many columns the sum over all of them drowns a few that are off, unless the many are known to move
 * together: that is what the covariance knows, hence d.
 *
 * A row may be scored by a model that holds that very row. So under `contaminated`, and under `clean` where no
 * two rows of the fit are equal (skip_copies.h says why), one exact copy (distance 0) of a row among the kept ones is
 * skipped in any call: the score is a function of the row alone. (In the subsets every copy is.) Under
 * `contaminated` it is the leave-one-out score of the rows of the fit; under `clean` score_left_out leaves out exactly
 * the row itself, from the range space and from whole subsets, too.
 *
 * Size: at most `references` rows are kept (contaminated: and at most 7,000), held once with 4 bytes per
 * value: 10,000 x 10 is 0.4 MB, and at most 12 kB more per heavy-tailed column, 400 bytes of histogram per
 * column, 8 kB of subsets, 4 bytes per value of an answer or of the crowd, 4 d^2 bytes of shape. Memory:
 * about five times that. At most 20,000 rows take part in a fit under `contaminated`. */
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
  double least, most; /* z is cut here before it is bent; infinite: it is not */
  double gap; /* hull, nearest: how far apart a group must stand; negative: kept rows are all it sees */
} ank_part;

/* Feedback rows: first those confirmed as anomalies, then those dismissed as normal. */
typedef struct ank_feedback {
  size_t confirmed, dismissed; /* both 0: none */
  float *rows;                 /* as held */
  float *mapped;               /* in the space of the search */
  double *pull, length;        /* of each, and how far it reaches */
  double near[2];              /* weight of the nearest confirmed row, and of the nearest dismissed one */
  double centre[2], scale[2];
} ank_feedback;

/* The least sum of the parts at the values of rows beyond the bulk of the only numeric column: [0] below, with the
 * sign changed, [1] above; both from the bulk outward. */
typedef struct ank_blend_tail {
  size_t column, count[2]; /* both counts 0: none */
  double *at[2], *least[2];
  double *values[2]; /* of the parts there, ANK_BLEND_PARTS x count; NULL in a loaded model */
} ank_blend_tail;

typedef struct ank_blend {
  ank_reference_set reference_set;
  anorank_space space; /* that is searched */
  size_t moving;       /* columns that are not constant among the kept rows */
  int skip_copies;
  ank_subsets subsets; /* sets = 0: none */
  void *histogram;     /* of the class `histogram`; NULL: none */
  ank_feedback feedback;
  float *known;              /* confirmed anomalies of older files, as held: known_rows x dim */
  size_t known_rows;         /* 0: none */
  ank_search *near_known;    /* them, in the space of the search */
  ank_reference_set trimmed; /* rows set apart, in the spaces of `kept` (it has no others); count = 0: none */
  ank_reference_set global_knn; /* some of all rows, as they came; count = 0: none */
  void *mahalanobis; /* of the class `mahalanobis`, over the kept rows in the normal space; NULL: none */
  double mahalanobis_share; /* what one kept row is of its covariance */
  ank_blend_tail tail;
  ank_tokens *tokens; /* NULL: none; of a fit whose gate is shut the part has weight 0 */
  size_t parts;
  ank_part part[ANK_BLEND_PARTS];
} ank_blend;

/* Values of all parts: values[p * count + i] for row i of `rows`, count = rows->rows, at most
 * ANK_BLEND_BLOCK. `own`: their places among the kept rows (ANK_NOWHERE: not kept), to be left out; NULL:
 * none is. */
anorank_status ank_blend_values(double *values, const ank_blend *blend, const ank_matrix *rows,
                                const uint32_t *own, anorank_error *err);

/* The sum of the parts for one row, whose value of part p is values[p * step]. */
double ank_blend_sum(const ank_blend *blend, const double *values, size_t step);

/* The sum of the parts before the tokens, joined with the tokens: the cube root of the sum of the cubes. What only one
 * of them sees counts in full, and the other adds little noise to it. */
double ank_blend_join(double others, double tokens);

/* Scores of any rows on the calling thread; `own` as above. */
anorank_status ank_blend_score(double *scores, const void *scorer, const ank_matrix *rows,
                               const uint32_t *own, anorank_error *err);

/* known[i], allocated: does row i of X, or where `drawn` is not NULL row drawn[i], equal a confirmed anomaly? Left
 * alone where none is confirmed. */
anorank_status ank_blend_mark_known(unsigned char **known, const ank_samples *samples, const size_t *drawn,
                                    size_t count, anorank_error *err);

/* Leave the known anomalies (known[i]: row i is one; NULL: none is) out of what was drawn, unless they are all of
 * it; how many are left. Rows are drawn as if nothing were known, so that an answer moves the rows around it and
 * does not redraw all others. */
size_t ank_blend_leave_known(size_t *drawn, size_t count, const unsigned char *known);

/* Between the order statistics, in a straight line. */
double ank_blend_quantile(const double *sorted, size_t n, double share);

/* `most` random rows of X, allocated, without those of them that equal a confirmed anomaly (unless all do). */
anorank_status ank_blend_draw(size_t **out, size_t *count, const ank_samples *samples, int64_t most,
                              uint64_t seed, anorank_error *err);

/* ---- tokens (blend_tokens_fit.c) ---- */

/* Once the other parts are calibrated; adds the part. `rows`: the kept ones; row[i]: which rows of X they are;
 * per_nat: by how much the sum of the other parts rises where it becomes rarer by a nat. */
anorank_status ank_blend_add_tokens(ank_blend *blend, const ank_matrix *rows, const size_t *row,
                                    double per_nat, const ank_row_layout *layout,
                                    const anorank_settings *settings, anorank_error *err);

/* ---- tails of a single numeric column (blend_tail.c) ---- */

/* Once all parts are calibrated. `rows`: those that took part in the fit; kept: they are the kept ones, and each is
 * left out where its own value is concerned. Does nothing unless one column alone is a number. */
anorank_status ank_blend_add_tail(ank_blend *blend, const ank_matrix *rows, const unsigned char *as_given,
                                  int kept, const anorank_settings *settings, anorank_error *err);

/* The least sums, after a change of the scale of a part. */
void ank_blend_tail_settle(ank_blend *blend);

/* The least sum of a row; -infinity where the row is in the bulk. */
double ank_blend_tail_least(const ank_blend_tail *tail, const double *row);

int ank_blend_tail_is_there(const ank_blend_tail *tail);
size_t ank_blend_tail_bytes(const ank_blend_tail *tail);
anorank_status ank_blend_tail_save(const ank_blend_tail *tail, ank_bytes *out, anorank_error *err);
anorank_status ank_blend_tail_load(ank_blend_tail *tail, size_t dim, ank_cursor *in, anorank_error *err);
void ank_blend_tail_free(ank_blend_tail *tail); /* what it holds, not the struct */

/* ---- answers ---- */

/* Learn from feedback on rows of the fit: `fit`, or the kept ones under `clean`. Called once the other parts are
 * calibrated; adds the part, if there is feedback. */
anorank_status ank_feedback_learn(ank_blend *blend, const ank_matrix *fit, const ank_known *feedback_rows,
                                  const anorank_settings *settings, anorank_error *err);
anorank_status ank_feedback_prepare(ank_blend *blend, anorank_error *err);

/* The part's values, given the rows in the space of the search and the squared distance of each to the
 * nearest kept row: squared[i * step]. */
void ank_feedback_values(double *values, const ank_blend *blend, const float *mapped, size_t count,
                         const float *squared, size_t step);

double ank_feedback_distance(const float *a, const float *b, size_t dim);

/* log(distance + 0.01) - 1/2 log(nearest_kept + 0.01): the second says what a distance means at that place. And
 * how near that is, 0 to 10: max(0, 1 - z) of a confirmed row, max(0, -z) of a dismissed one. */
double ank_feedback_farness(double distance, double nearest_kept);
double ank_feedback_nearness(const ank_feedback *feedback, int dismissed, double farness);

size_t ank_feedback_count(const ank_feedback *feedback);
size_t ank_feedback_bytes(const ank_feedback *feedback, size_t dim);
anorank_status ank_feedback_save(const ank_blend *blend, ank_bytes *out, anorank_error *err);
anorank_status ank_feedback_load(ank_blend *blend, ank_cursor *in, anorank_error *err);
void ank_feedback_free(ank_feedback *feedback); /* what it holds, not the struct */

/* ---- confirmed anomalies of older files ---- */

anorank_status ank_blend_prepare_known(ank_blend *blend, anorank_error *err);
anorank_status ank_blend_load_known(ank_blend *blend, ank_cursor *in, anorank_error *err);
anorank_status ank_blend_save_known(const ank_blend *blend, ank_bytes *out, anorank_error *err);

/* The part's values, given the rows in the space of the search and the squared distance of each to the
 * nearest kept row: squared[i * step]. */
anorank_status ank_blend_known_values(double *values, const ank_blend *blend, const float *mapped,
                                      size_t count, const float *squared, size_t step, anorank_error *err);

/* Take in rows that the trimming set apart; build the search for them; their file. */
anorank_status ank_blend_add_trimmed(ank_blend *blend, const ank_matrix *rows, anorank_error *err);
anorank_status ank_blend_prepare_trimmed(ank_blend *blend, anorank_error *err);
anorank_status ank_blend_save_trimmed(const ank_blend *blend, ank_bytes *out, anorank_error *err);
anorank_status ank_blend_load_trimmed(ank_blend *blend, ank_cursor *in, anorank_error *err);

/* Build what the parts need. */
anorank_status ank_blend_prepare(ank_blend *blend, anorank_error *err);

anorank_status ank_blend_fit(void *scorer, const ank_samples *samples, const anorank_settings *settings,
                             anorank_error *err);
void ank_blend_free(void *scorer);

#endif
