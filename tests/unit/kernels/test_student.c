/* Student's law against SciPy 1.10.1 (scipy.stats.t.sf and .ppf) and closed forms. */
#include "kernels/normal.h"
#include "kernels/student.h"
#include "support/check.h"

TEST(tails_are_those_of_scipy) {
  static const double t[] = {0.5, 2, 4.5, 1.96, 6, 3, 40}, freedom[] = {1, 3, 2.5, 30, 10, 1e4, 1.7},
                      tail[] = {0.352416382349567,   0.0696629842794216,   0.014947029504367,
                                0.0296711564480253,  6.60544301773928e-05, 0.00135322409499883,
                                0.000788365307863508};
  for (size_t k = 0; k < sizeof t / sizeof *t; k++)
    assert_close_relative(ank_student_tail(t[k], freedom[k]), tail[k], 1e-11);
  assert_close(ank_student_tail(0, 5), 0.5, 1e-15);
  assert_close_relative(ank_student_tail(3, INFINITY), ank_normal_tail(3), 1e-15);
}

TEST(quantiles_are_those_of_scipy_and_undo_the_tail) {
  static const double p[] = {0.975, 0.975, 0.995, 0.6}, freedom[] = {1, 4.2, 30, 2},
                      t[] = {12.7062047364321, 2.72507272259238, 2.74999565356703, 0.288675134688007};
  for (size_t k = 0; k < 4; k++) {
    assert_close_relative(ank_student_quantile(p[k], freedom[k]), t[k], 1e-8);
    assert_close_relative(ank_student_tail(ank_student_quantile(p[k], freedom[k]), freedom[k]), 1 - p[k],
                          1e-10);
  }
}
