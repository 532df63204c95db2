/* blend_feedback.c - the feedback part of a blend: its values and its file (blend.h). blend_feedback_fit.c
 * learns it. */
#include <math.h>

#include "core/alloc.h"
#include "core/method_constants.h"
#include "scorers/blend.h"

void ank_feedback_free(ank_feedback *feedback) {
  ank_free(feedback->rows);
  ank_free(feedback->mapped);
  ank_free(feedback->pull);
  *feedback = (ank_feedback){0};
}

size_t ank_feedback_count(const ank_feedback *feedback) { return feedback->confirmed + feedback->dismissed; }

size_t ank_feedback_bytes(const ank_feedback *feedback, size_t dim) {
  return ank_feedback_count(feedback) * (2 * dim * sizeof *feedback->rows + sizeof *feedback->pull);
}

double ank_feedback_distance(const float *a, const float *b, size_t dim) {
  double sum = 0;
  for (size_t j = 0; j < dim; j++) sum += ((double)a[j] - (double)b[j]) * ((double)a[j] - (double)b[j]);
  return sqrt(sum);
}

double ank_feedback_farness(double distance, double nearest_kept) {
  return log(distance + ANK_FEEDBACK_FLOOR) - ANK_FEEDBACK_PLACE * log(nearest_kept + ANK_FEEDBACK_FLOOR);
}

double ank_feedback_nearness(const ank_feedback *feedback, int dismissed, double farness) {
  double z = (feedback->centre[dismissed] - farness) / feedback->scale[dismissed] + (dismissed ? 0 : 1);
  return z > ANK_FEEDBACK_MOST_NEAR ? ANK_FEEDBACK_MOST_NEAR : z > 0 ? z : 0;
}

static double value_of(const ank_feedback *feedback, const float *row, size_t dim, double nearest_kept) {
  size_t count = ank_feedback_count(feedback);
  double sum = 0, least[2] = {INFINITY, INFINITY};
  for (size_t a = 0; a < count; a++) {
    double distance = ank_feedback_distance(row, feedback->mapped + a * dim, dim);
    sum += feedback->pull[a] * exp(-distance / feedback->length);
    if (distance < least[a >= feedback->confirmed]) least[a >= feedback->confirmed] = distance;
  }
  for (int k = 0; k < 2; k++)
    if (feedback->near[k] != 0 && isfinite(least[k]))
      sum += feedback->near[k] *
             ank_feedback_nearness(feedback, k, ank_feedback_farness(least[k], nearest_kept));
  return sum;
}

void ank_feedback_values(double *values, const ank_blend *blend, const float *mapped, size_t count,
                         const float *squared, size_t step) {
  for (size_t i = 0; i < count; i++)
    values[i] = value_of(&blend->feedback, mapped + i * blend->reference_set.dim, blend->reference_set.dim,
                         sqrt((double)squared[i * step]));
}

anorank_status ank_feedback_prepare(ank_blend *blend, anorank_error *err) {
  ank_feedback *feedback = &blend->feedback;
  size_t count = ank_feedback_count(feedback);
  if (count == 0 || feedback->mapped) return ANORANK_OK;
  ANK_CHECK(
      ank_alloc_raw(&feedback->mapped, count, blend->reference_set.dim * sizeof *feedback->mapped, err));
  ank_spaces_map(feedback->mapped, &blend->reference_set.spaces, blend->space, feedback->rows, count);
  return ANORANK_OK;
}

anorank_status ank_feedback_save(const ank_blend *blend, ank_bytes *out, anorank_error *err) {
  const ank_feedback *feedback = &blend->feedback;
  size_t count = ank_feedback_count(feedback);
  ANK_CHECK(ank_bytes_put_u64(out, feedback->confirmed, err));
  ANK_CHECK(ank_bytes_put_u64(out, feedback->dismissed, err));
  if (count == 0) return ANORANK_OK;
  ANK_CHECK(ank_bytes_put_f32s(out, feedback->rows, count * blend->reference_set.dim, err));
  ANK_CHECK(ank_bytes_put_f64s(out, feedback->pull, count, err));
  ANK_CHECK(ank_bytes_put_f64(out, feedback->length, err));
  for (size_t k = 0; k < 2; k++) {
    ANK_CHECK(ank_bytes_put_f64(out, feedback->near[k], err));
    ANK_CHECK(ank_bytes_put_f64(out, feedback->centre[k], err));
    ANK_CHECK(ank_bytes_put_f64(out, feedback->scale[k], err));
  }
  return ANORANK_OK;
}

static int sound(const ank_feedback *feedback) {
  size_t count = ank_feedback_count(feedback);
  int fine = feedback->length >= 1e-12 && feedback->length <= 1e12;
  for (size_t a = 0; a < count; a++) fine = fine && fabs(feedback->pull[a]) <= 1e6;
  for (size_t k = 0; k < 2; k++)
    fine = fine && fabs(feedback->near[k]) <= 1e3 && fabs(feedback->centre[k]) <= 1e6 &&
           feedback->scale[k] >= 1e-6 && feedback->scale[k] <= 1e12;
  return fine;
}

anorank_status ank_feedback_load(ank_blend *blend, ank_cursor *in, anorank_error *err) {
  ank_feedback *feedback = &blend->feedback;
  size_t values, pulls, confirmed, dismissed;
  ANK_CHECK(ank_cursor_size(in, &confirmed, 0, ANK_MOST_FEEDBACK, "the number of confirmed rows", err));
  ANK_CHECK(ank_cursor_size(in, &dismissed, 0, ANK_MOST_FEEDBACK, "the number of dismissed rows", err));
  if (confirmed + dismissed == 0) return ANORANK_OK;
  ANK_CHECK(ank_cursor_f32s(in, &feedback->rows, &values, err));
  ANK_CHECK(ank_cursor_f64s(in, &feedback->pull, &pulls, err));
  ANK_CHECK(ank_cursor_f64(in, &feedback->length, err));
  for (size_t k = 0; k < 2; k++) {
    ANK_CHECK(ank_cursor_f64(in, &feedback->near[k], err));
    ANK_CHECK(ank_cursor_f64(in, &feedback->centre[k], err));
    ANK_CHECK(ank_cursor_f64(in, &feedback->scale[k], err));
  }
  if (pulls != confirmed + dismissed || values != pulls * blend->reference_set.dim ||
      !ank_spaces_holds(feedback->rows, values))
    return ank_fail(err, ANORANK_ERROR_MODEL, "model-feedback",
                    "the model is damaged: its feedback rows are invalid");
  feedback->confirmed = confirmed;
  feedback->dismissed = dismissed;
  if (!sound(feedback))
    return ank_fail(err, ANORANK_ERROR_MODEL, "model-feedback",
                    "the model is damaged: its feedback rows are invalid");
  return ANORANK_OK;
}
