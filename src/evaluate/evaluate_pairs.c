/* evaluate_pairs.c - intervals if contrast rows derive from evaluated rows.
 *
 * DeLong's variance assumes that X and U are independent. Rows of `jitter`, `displace` and `permute` with a
 * share below 1 are rows of X with some cells changed. If an evaluated row scores low, so do its contrast
 * rows, and most of the error of the area cancels. A row of `permute` derives from all rows whose cells it
 * has. With h the influences of rows on the area (area.c) and c(j) the rows that U_j derives from, the error
 * is to first order
 *
 *   (1/n) sum_i a_i,   a_i = h(X_i) - mean + (n/m) sum over j with i in c(j) of (h(U_j) - mean),
 *
 * a mean over independent rows, so its variance is sum a_i^2 / (n (n - 1)). The same holds for the difference
 * of two areas, with the differences of their influences. */
#include <math.h>

#include "contrast/contrast_plan.h"
#include "core/alloc.h"
#include "criterion/area.h"
#include "criterion/compare.h"
#include "evaluate/evaluate.h"
#include "kernels/student.h"

typedef struct paired {
  ank_area_influences rows;
  double *sums; /* a_i / n */
  size_t n, m;
  const ank_law *law;
  ank_origin origin;
  size_t *made_of; /* cells + 1 */
} paired;

static void free_paired(paired *work) {
  ank_free(work->rows.x_all);
  ank_free(work->rows.x_end);
  ank_free(work->rows.u_all);
  ank_free(work->rows.u_end);
  ank_free(work->sums);
  ank_free(work->made_of);
}

static anorank_status make_paired(paired *work, anorank_error *err) {
  ANK_CHECK(ank_alloc(&work->rows.x_all, work->n, sizeof(double), err));
  ANK_CHECK(ank_alloc(&work->rows.x_end, work->n, sizeof(double), err));
  ANK_CHECK(ank_alloc(&work->rows.u_all, work->m, sizeof(double), err));
  ANK_CHECK(ank_alloc(&work->rows.u_end, work->m, sizeof(double), err));
  ANK_CHECK(ank_alloc(&work->made_of, work->origin.cells + 1, sizeof *work->made_of, err));
  return ank_alloc(&work->sums, work->n, sizeof(double), err);
}

static double mean_of(const double *values, size_t n) {
  ank_sum sum = {0, 0};
  for (size_t i = 0; i < n; i++) ank_sum_add(&sum, values[i]);
  return ank_sum_value(&sum) / (double)n;
}

static double sd_of(paired *work, const double *x, const double *u) {
  double n = (double)work->n, x_mean = mean_of(x, work->n), u_mean = mean_of(u, work->m);
  ank_sum squares = {0, 0};
  for (size_t i = 0; i < work->n; i++) work->sums[i] = (x[i] - x_mean) / n;
  for (size_t j = 0; j < work->m; j++) {
    size_t count = work->law->made_of(work->made_of, &work->origin, (uint64_t)ANK_JUDGING_FIRST_ROW + j);
    for (size_t k = 0; k < count; k++) work->sums[work->made_of[k]] += (u[j] - u_mean) / (double)work->m;
  }
  for (size_t i = 0; i < work->n; i++) ank_sum_add(&squares, work->sums[i] * work->sums[i]);
  double variance = ank_sum_value(&squares) * n / (n - 1);
  return variance > 1e-28 ? sqrt(variance) : 0; /* rounding alone leaves less */
}

/* Correct a difference. If the variance is 0, the exact bounds of compare.c stay; without an interval there
 * still is none. `there`: number of rows of X that count; work->sums gave the sd. */
static void correct_difference(anorank_interval *difference, double *z, double *p_value, const paired *work,
                               double sd, double there, double most, double level) {
  if (!(sd > 0) || !(difference->sd > 0) || isnan(difference->low)) return;
  double freedom = fmin(ank_freedom_of(work->sums, work->n), fmax(there - 1, 1));
  double half = ank_student_quantile(0.5 + level / 2, freedom) * sd;
  difference->sd = sd;
  difference->low = fmax(difference->estimate - half, -most);
  difference->high = fmin(difference->estimate + half, most);
  *z = difference->estimate / sd;
  *p_value = 2 * ank_student_tail(fabs(*z), freedom);
}

static void clear(paired *work) {
  for (size_t i = 0; i < work->n; i++) work->rows.x_all[i] = work->rows.x_end[i] = 0;
  for (size_t j = 0; j < work->m; j++) work->rows.u_all[j] = work->rows.u_end[j] = 0;
}

anorank_status ank_pair_rows(const ank_judged *judged, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_comparison *compared = judged->comparison;
  const anorank_settings *settings = judged->settings;
  const ank_area_influences *rows;
  paired work = {
      .n = judged->n, .m = judged->m, .law = judged->law, .origin = {settings, judged->n, judged->cells}};
  if (!judged->law->made_of) return ANORANK_OK;
  rows = &work.rows;
  ANK_TRY(make_paired(&work, err));
  if (judged->law->made_of(work.made_of, &work.origin, ANK_JUDGING_FIRST_ROW) == 0) goto done;
  for (size_t c = 0; c < judged->count; c++) {
    anorank_interval *area = &judged->judgement[c]->info.area;
    clear(&work);
    ANK_TRY(ank_add_influences(rows, 1, judged->x[c], work.n, judged->u[c], work.m, settings, err));
    double sd = sd_of(&work, rows->x_all, rows->u_all);
    if (sd > 0 && area->sd > 0)
      *area = ank_partial_interval(area->estimate, sd, 1, INFINITY, work.m, settings->level);
    if (judged->count == 2) *(c == 0 ? &compared->first : &compared->second) = *area;
  }
  if (judged->count < 2) goto done;
  ANK_TRY(ank_add_influences(rows, -1, judged->x[0], work.n, judged->u[0], work.m, settings,
                             err)); /* second minus first */
  anorank_partial_area *end = &compared->partial_difference;
  double n = (double)work.n, width = end->to - end->from, sd = sd_of(&work, rows->x_all, rows->u_all);
  correct_difference(&compared->difference, &compared->z, &compared->p_value, &work, sd, n, 1,
                     settings->level);
  sd = sd_of(&work, rows->x_end, rows->u_end);
  correct_difference(&end->area, &compared->partial_z, &compared->partial_p_value, &work, sd, n * width,
                     width, settings->level);
done:
  free_paired(&work);
  return status;
}
