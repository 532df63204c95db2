/* evaluate_labelled.c - measures with labels for one or two models. Rows without a label do not count. */
#include <string.h>

#include "core/alloc.h"
#include "criterion/compare.h"
#include "criterion/labelled.h"
#include "evaluate/evaluate.h"

/* The labelled rows of one contestant: scores of normal rows first, then of anomalies. */
typedef struct labelled_rows {
  double *scores[2];
  unsigned char *labels;
  size_t normal, anomalies;
} labelled_rows;

static anorank_status part_labelled(labelled_rows *out, const double *const scores[2], size_t count,
                                    const signed char *labels, size_t rows, anorank_error *err) {
  size_t place[2];
  for (size_t i = 0; i < rows; i++) {
    out->normal += labels[i] == 0;
    out->anomalies += labels[i] == 1;
  }
  ANK_CHECK(ank_alloc(&out->labels, out->normal + out->anomalies, sizeof *out->labels, err));
  memset(out->labels + out->normal, 1, out->anomalies);
  for (size_t c = 0; c < count; c++) {
    ANK_CHECK(ank_alloc_raw(&out->scores[c], out->normal + out->anomalies, sizeof **out->scores, err));
    place[0] = 0;
    place[1] = out->normal;
    for (size_t i = 0; i < rows; i++)
      if (labels[i] >= 0) out->scores[c][place[labels[i]]++] = scores[c][i];
  }
  return ANORANK_OK;
}

static anorank_status measure_one(ank_found *found, const labelled_rows *rows, size_t c,
                                  const anorank_settings *settings, anorank_error *err) {
  size_t n = rows->normal + rows->anomalies, ks[ANK_MOST_PRECISIONS] = {10, 50, 100, rows->anomalies};
  for (size_t i = ANK_MOST_PRECISIONS - 1; i > 0 && ks[i] < ks[i - 1]; i--) {
    size_t other = ks[i - 1];
    ks[i - 1] = ks[i];
    ks[i] = other;
  }
  ANK_CHECK(anorank_labelled_metrics(&found->labelled, rows->scores[c], rows->labels, n, settings, err));
  for (size_t i = 0; i < ANK_MOST_PRECISIONS; i++) {
    anorank_precision *precision = &found->precision[found->precisions];
    if (ks[i] > n || (i > 0 && ks[i] == ks[i - 1])) continue;
    precision->k = ks[i];
    ANK_CHECK(anorank_accuracy_lowest(&precision->precision, rows->scores[c], rows->labels, n, ks[i], err));
    found->precisions++;
  }
  return ANORANK_OK;
}

/* The anomalies take the place of U, so the paired comparison of areas is DeLong's of two ROC-AUC. */
static anorank_status compare_labelled(anorank_evaluation *evaluation, const labelled_rows *rows,
                                       const anorank_settings *settings, anorank_error *err) {
  anorank_comparison between;
  double *const *s = rows->scores;
  if (evaluation->count < 2 || rows->normal < 2 || rows->anomalies < 2) return ANORANK_OK;
  ANK_CHECK(anorank_compare(&between, s[0], s[1], rows->normal, s[0] + rows->normal, s[1] + rows->normal,
                            rows->anomalies, settings, err));
  anorank_interval area = between.difference;
  evaluation->auc_difference = (anorank_auc_difference){
      {0 - area.estimate, area.sd, -area.high, -area.low}, 0 - between.z, between.p_value};
  evaluation->has_auc_difference = 1;
  return ANORANK_OK;
}

anorank_status ank_evaluation_measure_labelled(anorank_evaluation *evaluation, const double *const scores[2],
                                               const signed char *labels, size_t count,
                                               const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  labelled_rows rows = {0};
  ANK_TRY(part_labelled(&rows, scores, evaluation->count, labels, count, err));
  if (rows.normal == 0 || rows.anomalies == 0) {
    ANK_TRY(ank_notes_add(&evaluation->notes, ANORANK_NOTE_DETAIL, err, "evaluate-no-labels",
                          "no measure with labels: of the evaluated rows %zu are labelled normal and %zu "
                          "anomalous, and both kinds are needed",
                          rows.normal, rows.anomalies));
    goto done;
  }
  for (size_t c = 0; c < evaluation->count; c++)
    ANK_TRY(measure_one(&evaluation->found[c], &rows, c, settings, err));
  ANK_TRY(compare_labelled(evaluation, &rows, settings, err));
  evaluation->has_labels = 1;
done:
  ank_free(rows.scores[0]);
  ank_free(rows.scores[1]);
  ank_free(rows.labels);
  return status;
}
