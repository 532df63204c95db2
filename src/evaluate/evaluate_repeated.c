/* evaluate_repeated.c - two methods, compared over several random splits of the rows.
 *
 * One split compares two fits. The mean difference over R splits compares the methods. With s^2 the variance
 * over the splits and test / train = 1 / 2, its variance is about (1 / R + 1 / 2) s^2, since the splits share
 * rows (Nadeau and Bengio 2003). The interval is Student's with R - 1 degrees of freedom. */
#include <math.h>

#include "core/alloc.h"
#include "evaluate/evaluate.h"
#include "kernels/student.h"

#define TEST_SHARE 0.5 /* evaluated rows per training row */

static void summarise(anorank_repeats *out, const double *differences, size_t splits, double level) {
  double mean = 0, squares = 0;
  for (size_t r = 0; r < splits; r++) {
    mean += differences[r] / (double)splits;
    out->first_better += differences[r] < 0;
  }
  for (size_t r = 0; r < splits; r++) squares += (differences[r] - mean) * (differences[r] - mean);
  double sd = sqrt(squares / (double)(splits - 1) * (1 / (double)splits + TEST_SHARE));
  double half = sd * ank_student_quantile(0.5 + level / 2, (double)splits - 1);
  out->splits = splits;
  out->difference = (anorank_interval){mean, sd, mean - half, mean + half};
}

/* Do one split, without unneeded results. */
static anorank_status difference_of(double *out, const anorank_table *table,
                                    const anorank_settings *const settings[2], size_t r, anorank_error *err) {
  anorank_settings own[2] = {*settings[0], *settings[1]};
  anorank_evaluation *made;
  for (size_t c = 0; c < 2; c++) {
    own[c].seed += r;
    own[c].bootstrap = 0;
    own[c].progress = NULL; /* reported once per split */
  }
  anorank_status status = ank_evaluate(&made, (const anorank_model *[2]){NULL, NULL}, 2, table,
                                       (const anorank_settings *[2]){&own[0], &own[1]}, err);
  if (status == ANORANK_OK) *out = made->comparison.difference.estimate;
  anorank_evaluation_free(made);
  return status;
}

anorank_status ank_evaluate_repeated(anorank_repeats *out, const anorank_table *table,
                                     const anorank_settings *const settings[2], size_t splits,
                                     anorank_error *err) {
  anorank_status status = ANORANK_OK;
  double *differences = NULL;
  *out = (anorank_repeats){0};
  ANK_TRY(ank_alloc_raw(&differences, splits, sizeof *differences, err));
  for (size_t r = 0; r < splits; r++) {
    ANK_TRY(ank_progress(settings[0], (double)r / (double)splits, "comparing over splits", err));
    ANK_TRY(difference_of(&differences[r], table, settings, r, err));
  }
  summarise(out, differences, splits, settings[0]->level);
done:
  ank_free(differences);
  return status;
}
