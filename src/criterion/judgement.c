/* judgement.c - sort once, then compute all results for one scorer. */
#include "criterion/judgement.h"

#include <math.h>

#include "core/alloc.h"
#include "core/status.h"
#include "criterion/area.h"
#include "criterion/bands.h"
#include "criterion/compare.h"
#include "criterion/curve.h"
#include "criterion/labelled.h"
#include "criterion/phi.h"
#include "criterion/pooled.h"
#include "criterion/rankstat.h"
#include "kernels/sort.h"

/* The order without its abnormal end, and ever shorter parts of that end, where anomalies lie. */
static const struct {
  double from, to;
} ranges[ANK_PARTIAL_COUNT] = {{0, 0.9}, {0.9, 1}, {0.95, 1}, {0.99, 1}};

/* The curve of a sensible scorer is known to about 1 / sqrt(inside). With fewer than 30 contrast rows inside
 * the set of 99 % mass, its volume has a standard error above 18 % of itself. A better scorer then cannot be
 * distinguished from a worse one. */
#define SATURATION_MASS 0.99
#define FEWEST_INSIDE 30
#define COMFORTABLE_INSIDE 300

static anorank_saturation saturation_of(const ank_pooled *pooled) {
  size_t n = pooled->n, m = pooled->m;
  size_t first = (n - 1) / 100; /* F^{-1}(0.01) is the ceil(n / 100)-th lowest */
  size_t inside = m - ank_count_below(pooled->u, m, pooled->x[first]);
  const char *conclusion =
      inside < FEWEST_INSIDE
          ? "Blind: fewer than 30 contrast rows fall among 99 % of the normal rows, too few to separate "
            "scorers; use many more contrast rows, or a law closer to the data."
      : inside < COMFORTABLE_INSIDE
          ? "Coarse: fewer than 300 contrast rows fall among 99 % of the normal rows; small differences "
            "between scorers are not visible; use more contrast rows."
          : "Reliable: enough contrast rows fall among 99 % of the normal rows.";
  return (anorank_saturation){SATURATION_MASS, inside, (double)inside / (double)m, inside < FEWEST_INSIDE,
                              conclusion};
}

void anorank_judgement_free(anorank_judgement *judgement) {
  if (!judgement) return;
  ank_settings_release(&judgement->settings);
  ank_free(judgement->curve);
  ank_free(judgement->excess);
  ank_free(judgement);
}

static anorank_status fill(anorank_judgement *judgement, const ank_pooled *pooled,
                           const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_excess_point *hull = NULL;
  ank_pairs pairs;
  size_t points = judgement->points;
  ANK_TRY(ank_progress(settings, 0.3, "ranking the scores", err));
  ANK_TRY(ank_rankstat(judgement->w, &pairs, pooled, settings, err));
  judgement->info.area = ank_area(&pairs, pooled->n, pooled->m, settings->level);
  ANK_TRY(ank_progress(settings, 0.5, "measuring the curve", err));
  for (size_t k = 0; k < ANK_PARTIAL_COUNT; k++)
    judgement->partial[k] = (anorank_partial_area){.from = ranges[k].from, .to = ranges[k].to};
  ANK_TRY(ank_partial_areas(judgement->partial, ANK_PARTIAL_COUNT, pooled, settings, err));
  judgement->saturation = saturation_of(pooled);
  ank_curve(judgement->curve, points, pooled);
  ANK_TRY(ank_alloc(&hull, points + 1, sizeof *hull, err));
  ank_excess(judgement->excess, points, judgement->curve, ank_volume_of_all(pooled), hull);
  if (settings->bootstrap > 0) ANK_TRY(ank_bands(judgement->curve, points, pooled, settings, err));
  ANK_TRY(ank_progress(settings, 1, "judging the scores", err));
done:
  ank_free(hull);
  return status;
}

anorank_status ank_judge(anorank_judgement **out, const double *x, size_t n, const double *u, size_t m,
                         const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_judgement *judgement = NULL;
  ank_pooled pooled = {0};
  *out = NULL;
  if (n < 2 || m < 2)
    ANK_FAIL(ANORANK_ERROR_DATA, "judge-too-few-rows",
             "%zu normal and %zu contrast scores are too few; give at least 2 of each", n, m);
  ANK_TRY(ank_progress(settings, 0, "sorting the scores", err));
  ANK_TRY(ank_pooled_make(&pooled, x, n, "normal row", u, m, "contrast row", settings, err));
  ANK_TRY(ank_alloc(&judgement, 1, sizeof *judgement, err));
  judgement->n = n;
  judgement->m = m;
  judgement->points = (size_t)settings->points;
  ANK_TRY(ank_settings_hold(&judgement->settings, settings, err));
  ANK_TRY(ank_alloc(&judgement->curve, judgement->points, sizeof *judgement->curve, err));
  ANK_TRY(ank_alloc(&judgement->excess, judgement->points, sizeof *judgement->excess, err));
  ANK_TRY(fill(judgement, &pooled, settings, err));
  judgement->info = (anorank_judgement_info){.n = n,
                                             .m = m,
                                             .area = judgement->info.area,
                                             .w_count = ANK_PHI_COUNT,
                                             .w = judgement->w,
                                             .points = judgement->points,
                                             .curve = judgement->curve,
                                             .excess = judgement->excess,
                                             .partial_count = ANK_PARTIAL_COUNT,
                                             .partial = judgement->partial,
                                             .saturation = &judgement->saturation,
                                             .settings = &judgement->settings};
  ANK_HAND_OVER(out, judgement);
done:
  anorank_judgement_free(judgement);
  ank_pooled_free(&pooled);
  return status;
}

anorank_status anorank_ranks(double *ranks, const double *scores, size_t n, anorank_ties ties,
                             const anorank_settings *settings, anorank_error *err) {
  if (n > 0) {
    ANK_NEED(ranks);
    ANK_NEED(scores);
  }
  if (ties != ANORANK_TIES_MID && ties != ANORANK_TIES_MAX)
    return ank_fail(err, ANORANK_ERROR_USAGE, "argument-ties",
                    "anorank_ranks: 'ties' is %d; it must be MID (0) or MAX (1)", (int)ties);
  if (n > UINT32_MAX)
    return ank_fail(err, ANORANK_ERROR_DATA, "scores-too-many",
                    "%zu scores cannot be ranked at once; use at most %lu", n, (unsigned long)UINT32_MAX);
  settings = ank_settings_or_default(settings);
  anorank_status status = ank_scores_check(scores, n, "row", err);
  if (status != ANORANK_OK || n == 0) return status;
  return ank_rank(ranks, scores, n, ties, settings, err);
}

anorank_status anorank_judge(anorank_judgement **out, const double *x, size_t n, const double *u, size_t m,
                             const anorank_settings *settings, anorank_error *err) {
  ANK_NEED(out);
  *out = NULL;
  if (n > 0) ANK_NEED(x);
  if (m > 0) ANK_NEED(u);
  settings = ank_settings_or_default(settings);
  anorank_status status = ank_bands_check(settings, err);
  return status == ANORANK_OK ? ank_judge(out, x, n, u, m, settings, err) : status;
}

const anorank_judgement_info *anorank_judgement_get_info(const anorank_judgement *judgement) {
  return judgement ? &judgement->info : NULL;
}
