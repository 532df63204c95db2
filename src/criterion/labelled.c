/* labelled.c - metrics with labels: 1 = anomaly, 0 = normal; lower scores should be anomalies.
 *
 * The anomalies take the place of U: ROC-AUC = 1 - area, with the same variance. Average precision is the sum
 * over distinct thresholds, from the lowest score up, of (recall step) * (precision there). */
#include "criterion/labelled.h"

#include "core/alloc.h"
#include "criterion/area.h"
#include "criterion/pooled.h"
#include "criterion/rankstat.h"

/* Split the rows by label: normal ones as X, anomalies as U. */
static anorank_status split(ank_pooled *out, const double *scores, const unsigned char *labels, size_t n,
                            const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  double *parted = NULL;
  size_t normal = 0, anomalies = 0;
  *out = (ank_pooled){0};
  ANK_TRY(ank_scores_check(scores, n, "row", err)); /* before sorting, while rows have their numbers */
  ANK_TRY(ank_alloc_raw(&parted, n, sizeof *parted, err));
  for (size_t i = 0; i < n; i++) {
    if (labels[i] > 1) {
      status = ank_fail(err, ANORANK_ERROR_DATA, "label-value",
                        "the label of row %zu is %u; use 1 for an anomaly, 0 for a normal row", i + 1,
                        (unsigned)labels[i]);
      ank_place_row(err, NULL, i, NULL);
      goto done;
    }
    if (labels[i])
      parted[n - ++anomalies] = scores[i];
    else
      parted[normal++] = scores[i];
  }
  ANK_TRY(ank_pooled_make(out, parted, normal, "row", parted + normal, anomalies, "row", settings, err));
done:
  ank_free(parted);
  return status;
}

static double average_precision(const ank_pooled *pooled) {
  ank_sum sum = {0, 0};
  ank_group group;
  for (ank_walk walk = ank_walk_all(pooled); ank_walk_next(&walk, &group);) {
    double found = (double)(group.u_before + group.u), shown = found + (double)(group.x_before + group.x);
    ank_sum_add(&sum, (double)group.u * (found / shown));
  }
  return ank_sum_value(&sum) / (double)pooled->m;
}

anorank_status anorank_labelled_metrics(anorank_labelled *out, const double *scores,
                                        const unsigned char *labels, size_t n,
                                        const anorank_settings *settings, anorank_error *err) {
  ANK_NEED(out);
  if (n > 0) {
    ANK_NEED(scores);
    ANK_NEED(labels);
  }
  settings = ank_settings_or_default(settings);
  anorank_status status = ANORANK_OK;
  ank_pooled pooled = {0};
  ank_pairs pairs;
  ANK_TRY(split(&pooled, scores, labels, n, settings, err));
  if (pooled.n == 0 || pooled.m == 0)
    ANK_FAIL(ANORANK_ERROR_DATA, "labels-one-kind",
             "all %zu labels are %s; label both normal rows and anomalies", n,
             n == 0          ? "missing"
             : pooled.m == 0 ? "0 (normal)"
                             : "1 (anomaly)");
  ANK_TRY(ank_rankstat(NULL, &pairs, &pooled, settings, err));
  anorank_interval area = ank_area(&pairs, pooled.n, pooled.m, settings->level);
  double auc = ank_wide_double(pairs.twice_below) / (2 * (double)pooled.n * (double)pooled.m);
  *out = (anorank_labelled){.normal = pooled.n,
                            .anomalies = pooled.m,
                            .roc_auc = {auc, area.sd, 1 - area.high, 1 - area.low},
                            .average_precision = average_precision(&pooled)};
done:
  ank_pooled_free(&pooled);
  return status;
}

anorank_status anorank_accuracy_lowest(double *out, const double *scores, const unsigned char *labels,
                                       size_t n, size_t k, anorank_error *err) {
  ANK_NEED(out);
  if (n > 0) {
    ANK_NEED(scores);
    ANK_NEED(labels);
  }
  anorank_status status = ANORANK_OK;
  ank_pooled pooled = {0};
  ank_group group;
  double found = 0;
  if (k < 1 || k > n)
    ANK_FAIL(ANORANK_ERROR_USAGE, "lowest-too-many",
             "k is %zu; it must be between 1 and the number of rows, %zu", k, n);
  ANK_TRY(split(&pooled, scores, labels, n, NULL, err));
  for (ank_walk walk = ank_walk_all(&pooled); ank_walk_next(&walk, &group);) {
    size_t before = group.x_before + group.u_before, size = group.x + group.u;
    if (before >= k) break;
    size_t places = k - before < size ? k - before : size;
    found += (double)group.u * ((double)places / (double)size);
  }
  *out = found / (double)k;
done:
  ank_pooled_free(&pooled);
  return status;
}
