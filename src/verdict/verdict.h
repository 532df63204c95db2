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

/* What so many calibration rows can and cannot show, in words: the smallest p-value is 1 / (count + 1), and
 * one alert among `rows` rows at level `fdr` needs about rows / fdr calibration rows. */
void ank_resolution(char *text, size_t size, size_t calibration_count, size_t rows, double fdr);

/* How much column c adds to the abnormality of a row: the mean over background rows b of s(row with the
 * features of c taken from b) - s(row). Positive: this column makes the row abnormal. Works for every scorer
 * class. */
typedef struct ank_reason {
  size_t column; /* of the model */
  double contribution;
} ank_reason;

/* All usable columns, largest contribution first. `features`: the prepared row. `reasons` has room for one
 * per column of the model; returns their number in `*count`. */
anorank_status ank_reasons(ank_reason *reasons, size_t *count, const anorank_model *model,
                           const double *features, anorank_error *err);

/* One reason as words about the row of a table: "amount 41.2 is far above its usual 0.3 to 9.8". */
void ank_reason_text(char *text, size_t size, const anorank_model *model, const ank_match *match,
                     const anorank_table *table, size_t row, const ank_reason *reason);

#endif
