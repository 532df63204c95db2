/* verdict.h - from scores to statements: order, false-discovery rates, selection, reasons. */
#ifndef ANK_VERDICT_VERDICT_H
#define ANK_VERDICT_VERDICT_H

#include "model/model.h"

/* Benjamini-Hochberg q-values of p-values: q[i] is the smallest level at which row i would be selected. */
anorank_status ank_q_values(double *q, const double *p, size_t n, const anorank_settings *settings,
                            anorank_error *err);

/* Rows in order, most abnormal first; rows with equal scores keep their order and share the rank of the
 * first. */
anorank_status ank_order(uint32_t *order, const double *scores, size_t n, const anorank_settings *settings,
                         anorank_error *err);

/* ranks[k] of the row order[k]: 1 is the most abnormal; tied rows share the first one's. */
void ank_ranks_in_order(size_t *ranks, const uint32_t *order, const double *scores, size_t n);

/* How many rows of the order to report by lowest, mass or fdr (settings; at most one of them is set), all of
 * them if none is. Rows tied with the last one of `lowest` are all included; `*note` then says so ("asked for
 * 100; 103 rows, since 4 are tied at the border"), else it is "". */
typedef struct ank_selection {
  size_t count;
  char note[256];
} ank_selection;

anorank_status ank_select(ank_selection *out, const uint32_t *order, const double *scores, const double *p,
                          const double *q, size_t n, const anorank_model *model,
                          const anorank_settings *settings, anorank_error *err);

/* What the p-values of the model can and cannot show, in words. Ranks: the smallest is 1 / (count + 1), and
 * one alert among `rows` rows at level `fdr` needs about rows / fdr calibration rows. Bulk and tail
 * (model/null.h): what is assumed. fdr > 0. */
void ank_resolution(char *text, size_t size, const anorank_model *model, size_t rows, double fdr);

/* How much column c adds to the abnormality of a row, for every scorer class:
 *
 *   mean over b in N_c(row) of  s(row with the features of c taken from b) - s(row)
 *
 * N_c are the background rows nearest to the row in all columns but c (reasons.c says how near is measured):
 * ANK_COMPARED up to 20 columns, then 640 / columns, at least 8. What would the score be if this cell were as
 * it is in rows of this kind? Positive: this column makes the row abnormal. It is linear in s: the
 * contributions to a blend are the weighted sums of those to its parts. A cell that cannot happen by the
 * training rows (`surprising`) loses its part of the feature `surprise` as well. */
typedef struct ank_reason {
  size_t column; /* of the model */
  double contribution;
  double distance;            /* of the cell to those of N_c, in their standard deviations; at most 10 */
  double near_low, near_high; /* numeric: 10 and 90 % quantiles of the first feature over N_c */
} ank_reason;

enum { ANK_COMPARED = 32 };

/* All columns that have features or are surprising, the strongest first: positive contributions by
 * contribution times squared distance, then the others. `features`: the prepared row;
 * `surprising`: a flag for each column of the model, NULL for none. `reasons` has room for one per column of
 * the model; returns their number in `*count`. Scores the rows of N_c for each column, in blocks of bounded
 * memory; O(background_rows dim) besides. */
anorank_status ank_reasons(ank_reason *reasons, size_t *count, const anorank_model *model,
                           const double *features, const unsigned char *surprising, anorank_error *err);

/* One reason as words about the row of a table: "amount 41.2 is far above its usual 0.3 to 9.8". */
void ank_reason_text(char *text, size_t size, const anorank_model *model, const ank_match *match,
                     const anorank_table *table, size_t row, const ank_reason *reason);

/* Three digits, all of them for whole numbers below 10 million. */
void ank_short_number(char *text, size_t size, double value);

/* ---- the whole: verdict.c ---- */

struct anorank_verdict {
  size_t rows, count;
  size_t discoveries; /* rows with a q-value of at most settings->fdr, or ANORANK_USUAL_FDR */
  anorank_finding *findings;
  anorank_reason *reasons; /* of all findings, `most` places each */
  char *texts;             /* ANK_REASON_SIZE bytes for each reason */
  char **names;            /* of the model's columns: the verdict may outlive the model */
  size_t name_count;
  char note[256], resolution[512];
};

enum { ANK_REASON_SIZE = 256 };

/* `row_scores`: of the rows of the table as far as they are there (ank_model_fit), NULL: none is. */
anorank_status ank_verdict_make(anorank_verdict **out, const anorank_model *model, const anorank_table *table,
                                const double *row_scores, const anorank_settings *settings,
                                anorank_error *err);

/* Fit and judge one table: no row that the fit has scored is prepared or scored again. */
anorank_status ank_detect(anorank_model **out, anorank_verdict **verdict, const anorank_table *table,
                          const anorank_table *known, const anorank_settings *settings, anorank_error *err);
anorank_status ank_explain(anorank_verdict **out, const anorank_model *model, const anorank_table *table,
                           size_t row, const anorank_settings *settings, anorank_error *err);
void ank_verdict_free(anorank_verdict *verdict);

#endif
