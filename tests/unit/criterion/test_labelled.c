/* test_labelled.c - measures with labels. */
#include "golden/criterion.inc"
#include "support/check.h"

#define COUNT(array) (sizeof array / sizeof array[0])

TEST(metrics_agree_with_scikit_learn) {
  enum { N = COUNT(tied_x), M = COUNT(tied_u) };
  double scores[N + M];
  unsigned char labels[N + M];
  for (size_t i = 0; i < N + M; i++) { /* mixed up: rows need not come by label */
    size_t to = i * 5 % (N + M);
    scores[to] = i < N ? tied_x[i] : tied_u[i - N];
    labels[to] = i >= N;
  }
  anorank_labelled metrics;
  assert_ok(anorank_labelled_metrics(&metrics, scores, labels, N + M, NULL, NULL));
  assert_int_equal(metrics.normal, N);
  assert_int_equal(metrics.anomalies, M);
  assert_close(metrics.roc_auc.estimate, tied_roc_auc, 1e-15);
  assert_close(metrics.roc_auc.sd, tied_area_sd, 1e-15);
  assert_true(metrics.roc_auc.low < tied_roc_auc && tied_roc_auc < metrics.roc_auc.high);
  assert_close(metrics.average_precision, tied_average_precision, 1e-14);
}

TEST(one_anomaly_gets_a_wide_interval) {
  const double scores[] = {0.1, 0.5, 0.3, 0.9};
  const unsigned char labels[] = {0, 0, 1, 0};
  anorank_labelled metrics;
  assert_ok(anorank_labelled_metrics(&metrics, scores, labels, 4, NULL, NULL));
  assert_close(metrics.roc_auc.estimate, 2 / 3.0, 1e-15);
  assert_close(metrics.average_precision, 0.5, 1e-15);
  assert_true(metrics.roc_auc.low < 0.1 && metrics.roc_auc.high > 0.95);
}

TEST(one_class_only_or_a_strange_label_is_a_data_error) {
  const double scores[] = {1, 2, 3}, broken[] = {1, 2, NAN};
  const unsigned char zeros[] = {0, 0, 0}, ones[] = {1, 1, 1}, strange[] = {0, 2, 1}, good[] = {0, 0, 1};
  anorank_labelled metrics;
  anorank_error err = {0};
  assert_status(anorank_labelled_metrics(&metrics, scores, zeros, 3, NULL, &err), ANORANK_ERROR_DATA);
  assert_status(anorank_labelled_metrics(&metrics, scores, ones, 3, NULL, &err), ANORANK_ERROR_DATA);
  assert_status(anorank_labelled_metrics(&metrics, NULL, NULL, 0, NULL, &err), ANORANK_ERROR_DATA);
  assert_fails(anorank_labelled_metrics(&metrics, scores, strange, 3, NULL, &err), ANORANK_ERROR_DATA,
               "label-value row=2");
  assert_fails(anorank_labelled_metrics(&metrics, broken, good, 3, NULL, &err), ANORANK_ERROR_DATA,
               "score-nan row=3");
  assert_status(anorank_labelled_metrics(NULL, scores, good, 3, NULL, &err), ANORANK_ERROR_USAGE);
  assert_status(anorank_labelled_metrics(&metrics, scores, NULL, 3, NULL, &err), ANORANK_ERROR_USAGE);
}

TEST(accuracy_counts_ties_by_the_places_left) {
  const double scores[] = {1, 2, 2, 2, 3};
  const unsigned char labels[] = {1, 1, 0, 0, 1};
  static const double expected[] = {1, (1 + 1 / 3.0) / 2, (1 + 2 / 3.0) / 3, 2 / 4.0, 3 / 5.0};
  double accuracy;
  for (size_t k = 1; k <= 5; k++) {
    assert_ok(anorank_accuracy_lowest(&accuracy, scores, labels, 5, k, NULL));
    assert_close(accuracy, expected[k - 1], 1e-15);
  }
  assert_status(anorank_accuracy_lowest(&accuracy, scores, labels, 5, 0, NULL), ANORANK_ERROR_USAGE);
  assert_status(anorank_accuracy_lowest(&accuracy, scores, labels, 5, 6, NULL), ANORANK_ERROR_USAGE);
}

TEST(accuracy_is_the_mean_over_ways_to_break_ties) {
  const double same[] = {7, 7, 7, 7};
  const unsigned char labels[] = {0, 1, 0, 0}, none[] = {0, 0, 0, 0};
  double accuracy;
  assert_ok(anorank_accuracy_lowest(&accuracy, same, labels, 4, 3, NULL));
  assert_close(accuracy, 0.25, 1e-15);
  assert_ok(anorank_accuracy_lowest(&accuracy, same, none, 4, 3, NULL)); /* one class is fine here */
  assert_close(accuracy, 0, 0);
}
