/* criterion.h - evaluate a scoring function from its scores: score-generating functions, ranks, the mass-volume curve,
 * comparisons, measures with labels; the laws of contrast rows and the scorers. Conventions as in anorank.h. */
#ifndef ANORANK_CRITERION_H
#define ANORANK_CRITERION_H

#include "anorank/anorank.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the second sample and simulated data ------------------------------------------------------------ */

typedef struct anorank_law {
  const char *name;
  const char *help;     /* one line */
  const char *settings; /* names of the settings it reads, separated by spaces */
  int around_data;      /* 0: takes no data; 1: optional data; 2: requires data */
} anorank_law;

/* Return the i-th law, NULL past the last. */
ANORANK_API const anorank_law *anorank_law_at(size_t i);

/* Draw `settings->rows` rows of `settings->law`. `data` may be NULL for laws that do not require it. Row i depends only
 * on the law, its settings, the seed and first_row + i. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_simulate(anorank_table **out, const anorank_table *data,
                                                               const anorank_settings *settings,
                                                               anorank_error *err);

/* ---- the criterion ----------------------------------------------------------------------------------- */

/* A score-generating function: non-decreasing on (0, 1), the weight of a normal row's rank (Definition 2). */
typedef struct anorank_phi {
  const char *name;
  const char *formula;
  const char *looks_at; /* the part of the order it weighs, in a sentence */
  const char *setting;  /* the setting that is its parameter, or NULL */
  int in_paper;         /* 1: from the paper; 0: an addition for the abnormal end */
} anorank_phi;

/* Return the i-th function, NULL past the last. */
ANORANK_API const anorank_phi *anorank_phi_at(size_t i);

/* Compute ranks 1..n of the scores, in the order of the rows: ranks[i] is the rank of scores[i], lowest
 * first. -0 ties with 0. A NaN is ANORANK_ERROR_DATA. O(n) memory and time (radix sort). */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_ranks(double *ranks, const double *scores, size_t n,
                                                            anorank_ties ties,
                                                            const anorank_settings *settings,
                                                            anorank_error *err);

/* An estimate, its standard error and an interval at `settings.level`. Never changes. */
typedef struct anorank_interval {
  double estimate, sd, low, high;
} anorank_interval;

/* W_phi of the scores, and its null distribution if s does not separate X from U (permutation mean and variance, exact
 * given the ties). `p_value` is one-sided: the probability of a W at least as large; exact for mww with n + m <= 50 and
 * no ties, otherwise by the normal approximation. */
typedef struct anorank_w {
  const char *phi;
  double sum;  /* sum over i of phi(Rank(s(X_i)) / (N + 1)) */
  double mean; /* sum / n */
  double null_mean, null_sd, z, p_value;
  int exact;
} anorank_w;

/* A point of the mass-volume curve: the set { s >= t }, t the (1 - mass)-quantile of the scores of X,
 * contains the share `volume` of U (Eq. 6). Inside a group where X and U are tied the curve is a straight
 * line, for any `ties`, so that the area under the curve is the reported area. [low, high] is the pointwise
 * interval. [band_low, band_high] belongs to the band that is simultaneous for all mass in [band_from,
 * band_to], and is NaN outside. All four are NaN without bootstrap. */
typedef struct anorank_curve_point {
  double mass, volume, low, high, band_low, band_high;
} anorank_curve_point;

/* A point of the excess-mass curve: max over sets { s >= t' } of (mass - t * volume), the sets being those of
 * the reported curve. t is evenly spaced from 0 to where a twentieth of the initial excess is left. */
typedef struct anorank_excess_point {
  double t, excess;
} anorank_excess_point;

/* Area under the curve over mass in [from, to]; divided by (to - from) it is a mean volume. With fewer than 20 rows X in
 * that range, sd and interval are NaN. */
typedef struct anorank_partial_area {
  double from, to;
  anorank_interval area;
} anorank_partial_area;

/* Whether the contrast rows can separate scorers: if hardly any falls among the normal rows, every sensible scorer has
 * an area near 0 and the comparison is blind. */
typedef struct anorank_saturation {
  double mass;            /* 0.99 */
  size_t inside;          /* contrast rows inside the set that holds that mass */
  double share;           /* inside / m */
  int blind;              /* 1: too few inside for a verdict */
  const char *conclusion; /* a sentence */
} anorank_saturation;

typedef struct anorank_judgement anorank_judgement;

/* Evaluate one scoring function from its scores x of n normal rows and u of m contrast rows, without labels. Both need
 * at least 2 rows; a NaN is ANORANK_ERROR_DATA, infinities are allowed. O(N log N) time, O(N) memory: about 16 bytes per
 * score in addition to the arguments. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_judge(anorank_judgement **out, const double *x,
                                                            size_t n, const double *u, size_t m,
                                                            const anorank_settings *settings,
                                                            anorank_error *err);
ANORANK_API void anorank_judgement_free(anorank_judgement *judgement);

/* May grow at the end. */
typedef struct anorank_judgement_info {
  size_t n, m;
  /* Area under the mass-volume curve, 1 - P(s(X) > s(U)) - P(s(X) = s(U)) / 2, with DeLong's variance. Smaller
   * is better; 0.5 is a random order. (Eq. 8: n m (1 - area) + n (n + 1) / 2 is the sum of the mid-ranks of X, which is
   * (N + 1) W_mww.) The interval is normal on the logit scale; if X and U are completely separated, it is Clopper and
   * Pearson's bound from min(n, m) disjoint pairs. */
  anorank_interval area;
  size_t w_count; /* one per score-generating function, in the order of anorank_phi_at */
  const anorank_w *w;
  size_t points; /* of both curves */
  const anorank_curve_point *curve;
  const anorank_excess_point *excess;
  size_t partial_count;
  const anorank_partial_area *partial;
  const anorank_saturation *saturation;
  const anorank_settings *settings; /* of the call, without the callbacks */
} anorank_judgement_info;

/* Return the results, borrowed; NULL without a judgement. */
ANORANK_API const anorank_judgement_info *anorank_judgement_get_info(const anorank_judgement *judgement);

/* Two scorers on the same rows, paired. `difference` is first minus second: below 0, the first is better. The two-sided
 * p_value for a difference of 0 is DeLong's, or that of the sign test over min(n, m) disjoint pairs if the difference
 * has no variance. */
typedef struct anorank_comparison {
  anorank_interval first, second, difference;
  double z, p_value;
  anorank_partial_area partial_difference; /* over the highest mass, 0.9 to 1: the abnormal end */
  double partial_z, partial_p_value;       /* NaN, as is the interval, with fewer than 5 rows there: n < 50 */
  double reserved[8];                      /* 0 */
} anorank_comparison;

ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_compare(anorank_comparison *out, const double *x_first,
                                                              const double *x_second, size_t n,
                                                              const double *u_first, const double *u_second,
                                                              size_t m, const anorank_settings *settings,
                                                              anorank_error *err);

/* Measures with labels (1 = anomaly, 0 = normal; anomalies should have lower scores). */
typedef struct anorank_labelled {
  size_t normal, anomalies;
  anorank_interval roc_auc;
  double average_precision;
  double reserved[8]; /* 0 */
} anorank_labelled;

ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_labelled_metrics(anorank_labelled *out,
                                                                       const double *scores,
                                                                       const unsigned char *labels, size_t n,
                                                                       const anorank_settings *settings,
                                                                       anorank_error *err);

/* Compute the share of anomalies among the k lowest scores (the paper's Acc). For rows tied with the k-th, it
 * is the mean over all ways to break the tie. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_accuracy_lowest(double *out, const double *scores,
                                                                      const unsigned char *labels, size_t n,
                                                                      size_t k, anorank_error *err);

/* ---- scorers ----------------------------------------------------------------------------------------- */

/* A scorer: a class of scoring functions. */
typedef struct anorank_class {
  const char *name;
  const char *help;     /* one line */
  const char *settings; /* names of the settings it reads, separated by spaces */
  int uses_contrast;    /* 1: learns to rank X above U; 0: uses X only */
  int differentiable;   /* 1: trained by gradients on settings.objective */
} anorank_class;

/* Return the i-th scorer, NULL past the last. */
ANORANK_API const anorank_class *anorank_class_at(size_t i);

#ifdef __cplusplus
}
#endif
#endif
