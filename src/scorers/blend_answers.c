/* blend_answers.c - the part of a blend that has been told about rows: its values and its file (blend.h). What
 * it learns from them: blend_answers_fit.c. */
#include <math.h>

#include "core/alloc.h"
#include "core/method_constants.h"
#include "scorers/blend.h"

void ank_answers_free(ank_answers *answers) {
  ank_free(answers->rows);
  ank_free(answers->mapped);
  ank_free(answers->pull);
  *answers = (ank_answers){0};
}

size_t ank_answers_count(const ank_answers *answers) { return answers->confirmed + answers->dismissed; }

size_t ank_answers_bytes(const ank_answers *answers, size_t dim) {
  return ank_answers_count(answers) * (2 * dim * sizeof *answers->rows + sizeof *answers->pull);
}

double ank_answers_distance(const float *a, const float *b, size_t dim) {
  double sum = 0;
  for (size_t j = 0; j < dim; j++) sum += ((double)a[j] - (double)b[j]) * ((double)a[j] - (double)b[j]);
  return sqrt(sum);
}

double ank_answers_farness(double distance, double nearest_kept) {
  return log(distance + ANK_FEEDBACK_FLOOR) - ANK_FEEDBACK_PLACE * log(nearest_kept + ANK_FEEDBACK_FLOOR);
}

double ank_answers_nearness(const ank_answers *answers, int dismissed, double farness) {
  double z = (answers->centre[dismissed] - farness) / answers->scale[dismissed] + (dismissed ? 0 : 1);
  return z > ANK_FEEDBACK_MOST_NEAR ? ANK_FEEDBACK_MOST_NEAR : z > 0 ? z : 0;
}

static double value_of(const ank_answers *answers, const float *row, size_t dim, double nearest_kept) {
  size_t count = ank_answers_count(answers);
  double sum = 0, least[2] = {INFINITY, INFINITY};
  for (size_t a = 0; a < count; a++) {
    double distance = ank_answers_distance(row, answers->mapped + a * dim, dim);
    sum += answers->pull[a] * exp(-distance / answers->length);
    if (distance < least[a >= answers->confirmed]) least[a >= answers->confirmed] = distance;
  }
  for (int k = 0; k < 2; k++)
    if (answers->near[k] != 0 && isfinite(least[k]))
      sum += answers->near[k] * ank_answers_nearness(answers, k, ank_answers_farness(least[k], nearest_kept));
  return sum;
}

void ank_answers_values(double *values, const ank_blend *blend, const float *mapped, size_t count,
                        const float *squared, size_t step) {
  for (size_t i = 0; i < count; i++)
    values[i] = value_of(&blend->answers, mapped + i * blend->kept.dim, blend->kept.dim,
                         sqrt((double)squared[i * step]));
}

anorank_status ank_answers_prepare(ank_blend *blend, anorank_error *err) {
  ank_answers *answers = &blend->answers;
  size_t count = ank_answers_count(answers);
  if (count == 0 || answers->mapped) return ANORANK_OK;
  ANK_CHECK(ank_alloc_raw(&answers->mapped, count, blend->kept.dim * sizeof *answers->mapped, err));
  ank_spaces_map(answers->mapped, &blend->kept.spaces, blend->space, answers->rows, count);
  return ANORANK_OK;
}

anorank_status ank_answers_save(const ank_blend *blend, ank_bytes *out, anorank_error *err) {
  const ank_answers *answers = &blend->answers;
  size_t count = ank_answers_count(answers);
  ANK_CHECK(ank_bytes_put_u64(out, answers->confirmed, err));
  ANK_CHECK(ank_bytes_put_u64(out, answers->dismissed, err));
  if (count == 0) return ANORANK_OK;
  ANK_CHECK(ank_bytes_put_f32s(out, answers->rows, count * blend->kept.dim, err));
  ANK_CHECK(ank_bytes_put_f64s(out, answers->pull, count, err));
  ANK_CHECK(ank_bytes_put_f64(out, answers->length, err));
  for (size_t k = 0; k < 2; k++) {
    ANK_CHECK(ank_bytes_put_f64(out, answers->near[k], err));
    ANK_CHECK(ank_bytes_put_f64(out, answers->centre[k], err));
    ANK_CHECK(ank_bytes_put_f64(out, answers->scale[k], err));
  }
  return ANORANK_OK;
}

static int sound(const ank_answers *answers) {
  size_t count = ank_answers_count(answers);
  int fine = answers->length >= 1e-12 && answers->length <= 1e12;
  for (size_t a = 0; a < count; a++) fine = fine && fabs(answers->pull[a]) <= 1e6;
  for (size_t k = 0; k < 2; k++)
    fine = fine && fabs(answers->near[k]) <= 1e3 && fabs(answers->centre[k]) <= 1e6 &&
           answers->scale[k] >= 1e-6 && answers->scale[k] <= 1e12;
  return fine;
}

anorank_status ank_answers_load(ank_blend *blend, ank_cursor *in, anorank_error *err) {
  ank_answers *answers = &blend->answers;
  size_t values, pulls, confirmed, dismissed;
  ANK_CHECK(ank_cursor_size(in, &confirmed, 0, ANK_MOST_ANSWERS, "the number of confirmed rows", err));
  ANK_CHECK(ank_cursor_size(in, &dismissed, 0, ANK_MOST_ANSWERS, "the number of dismissed rows", err));
  if (confirmed + dismissed == 0) return ANORANK_OK;
  ANK_CHECK(ank_cursor_f32s(in, &answers->rows, &values, err));
  ANK_CHECK(ank_cursor_f64s(in, &answers->pull, &pulls, err));
  ANK_CHECK(ank_cursor_f64(in, &answers->length, err));
  for (size_t k = 0; k < 2; k++) {
    ANK_CHECK(ank_cursor_f64(in, &answers->near[k], err));
    ANK_CHECK(ank_cursor_f64(in, &answers->centre[k], err));
    ANK_CHECK(ank_cursor_f64(in, &answers->scale[k], err));
  }
  if (pulls != confirmed + dismissed || values != pulls * blend->kept.dim ||
      !ank_spaces_holds(answers->rows, values))
    return ank_fail(err, ANORANK_ERROR_MODEL, "model-feedback",
                    "the model is damaged: the rows that it was told about are invalid");
  answers->confirmed = confirmed;
  answers->dismissed = dismissed;
  if (!sound(answers))
    return ank_fail(err, ANORANK_ERROR_MODEL, "model-feedback",
                    "the model is damaged: the rows that it was told about are invalid");
  return ANORANK_OK;
}
