/* evaluate.h - the quality of the order of one or two models on unseen rows.
 *
 *   agreement.c          agreement of two orders
 *   evaluate_rows.c      the split into training and evaluated rows
 *   evaluate.c           fits, scores, judgements
 *   evaluate_pairs.c     intervals if contrast rows derive from evaluated ones
 *   evaluate_laws.c      the same evaluation by two other contrast laws
 *   two_laws.c           the combined result of two laws
 *   evaluate_repeated.c  two methods over several splits
 *   evaluate_labelled.c  the measures with labels
 *   evaluate_spread.c    distributions of the scores
 *   evaluate_words.c     its sentences */
#ifndef ANK_EVALUATE_EVALUATE_H
#define ANK_EVALUATE_EVALUATE_H

#include "anorank/experimental.h"
#include "contrast/law.h"
#include "core/print.h"
#include "criterion/judgement.h"
#include "model/model.h"
#include "model/pipeline.h"

enum { ANK_MOST_PRECISIONS = 4, ANK_SPREAD = 1001, ANK_LAWS = 2 };

/* Results of one of the two models. */
typedef struct ank_found {
  char scorer[32];
  anorank_judgement *judgement;
  anorank_labelled labelled;
  anorank_precision precision[ANK_MOST_PRECISIONS];
  size_t precisions;
  anorank_evaluated info; /* the public part */
} ank_found;

struct anorank_evaluation {
  size_t count; /* 1 or 2 */
  ank_found found[2];
  int has_labels, has_stability, has_auc_difference;
  anorank_agreement stability, agreement;
  anorank_comparison comparison;
  anorank_auc_difference auc_difference;
  char law[32];
  int is_volume, blind;
  anorank_judgement *by_law[ANK_LAWS][2];
  anorank_comparison law_comparison[ANK_LAWS];
  anorank_two_laws laws;
  size_t fit_rows;
  double judged_at[ANK_SPREAD],
      contrast_at[ANK_SPREAD]; /* of the first: evenly spaced quantiles of the scores */
  ank_notes notes;
  char verdict[ANK_SENTENCE_SIZE];
  anorank_evaluation_info info; /* the public part */
};

/* Evaluate 1 or 2 (`count`). Models are given for all or for none (NULL). */
anorank_status ank_evaluate(anorank_evaluation **out, const anorank_model *const models[2], size_t count,
                            const anorank_table *table, const anorank_settings *const settings[2],
                            anorank_error *err);

/* ---- evaluate_rows.c ---- */

/* The rows of the table by their part. */
typedef struct ank_parts {
  size_t *rows;                 /* evaluated, then labelled anomalies that only labels measure, then training
                                 * rows */
  size_t judged, extra, taught; /* number of each */
  size_t drawn;                 /* 0, or: all of them are a random sample of this many */
} ank_parts;

/* Split the rows. `labels` may be NULL. `fit`: keep two thirds for fitting; otherwise all rows are evaluated.
 * `clean`: rows labelled as anomalies are extra. ANORANK_ERROR_DATA if there are too few rows. */
anorank_status ank_parts_make(ank_parts *out, const anorank_table *table, const signed char *labels, int fit,
                              int clean, const anorank_settings *settings, anorank_error *err);
void ank_parts_free(ank_parts *parts);

/* Count the model's background rows that are, feature by feature, among the first `rows` rows of the table; 0
 * if many of them are equal to each other, which is inconclusive. */
anorank_status ank_count_seen_rows(size_t *out, const anorank_model *model, const anorank_table *table,
                                   size_t rows, anorank_error *err);

/* ---- evaluate_pairs.c ---- */

/* One or two orders of the same evaluated rows against contrast rows of a law. */
typedef struct ank_judged {
  const ank_law *law;
  const anorank_settings *settings; /* of the law and the judgement */
  size_t count, n, m, cells;        /* cells: from the plan of the contrast rows */
  const double *x[2], *u[2];        /* scores of the evaluated rows and of the contrast rows */
  anorank_judgement **judgement;    /* one each */
  anorank_comparison *comparison;   /* with two orders */
} ank_judged;

/* Correct the intervals of the areas and of their difference if the contrast rows are evaluated rows with
 * some cells changed. */
anorank_status ank_pair_rows(const ank_judged *judged, anorank_error *err);

/* ---- evaluate_laws.c ---- */

/* Return settings with the law to draw by: k = 0 for combinations, 1 for extremes. */
anorank_settings ank_settings_of_law(size_t k, const anorank_settings *settings);

/* Judge, and compare two, by both laws: u[k][c] are the scores of the m[k] contrast rows of law k by contestant c. */
anorank_status ank_evaluation_judge_by_laws(anorank_evaluation *evaluation, const double *const x[2],
                                            size_t n, double *const u[ANK_LAWS][2], const size_t m[ANK_LAWS],
                                            const size_t cells[ANK_LAWS], const anorank_settings *settings,
                                            anorank_error *err);

/* ---- two_laws.c ---- */

/* Return the law, if any, by which the other of two is better than by this comparison; NULL: none. */
const anorank_law_verdict *ank_two_laws_against(const anorank_two_laws *laws,
                                                const anorank_comparison *comparison, double level);

/* ---- evaluate_repeated.c; see anorank.h ---- */

anorank_status ank_evaluate_repeated(anorank_repeats *out, const anorank_table *table,
                                     const anorank_settings *const settings[2], size_t splits,
                                     anorank_error *err);

/* ---- evaluate_labelled.c ---- */

/* `labels` of `count` rows: 1 anomaly, 0 normal, -1 unknown; scores[1] only if two are evaluated. */
anorank_status ank_evaluation_measure_labelled(anorank_evaluation *evaluation, const double *const scores[2],
                                               const signed char *labels, size_t count,
                                               const anorank_settings *settings, anorank_error *err);

/* ---- evaluate_spread.c ---- */

/* Scores of the evaluated rows and of the contrast rows; at least one each. */
anorank_status ank_evaluation_spread(anorank_evaluation *evaluation, const double *x, size_t n,
                                     const double *u, size_t m, const anorank_settings *settings,
                                     anorank_error *err);

/* ---- evaluate_words.c ---- */

void ank_evaluation_write_verdict(anorank_evaluation *evaluation, double level);
const char *ank_evaluation_caveat(const anorank_evaluation *evaluation);

#endif
