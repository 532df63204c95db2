/* The null of calibration scores against closed forms: exponential scores give their own tail, Gaussian and
 * bounded ones larger p-values than the true, and anomalies among them change little. */
#include "kernels/normal.h"
#include "model/calibration.h"
#include "support/check.h"

enum { COUNT = 8000 };

/* Scores whose k-th lowest is the k / (COUNT + 1) quantile of a law: no noise, so that closed forms hold. */
static double *ideal(double (*quantile)(double)) {
  double *scores = test_memory(COUNT * sizeof *scores);
  assert_non_null(scores);
  for (size_t k = 0; k < COUNT; k++) scores[k] = quantile((double)(k + 1) / (COUNT + 1));
  return scores;
}

static double exponential(double level) { return 0.3 * log(level); } /* P(s <= x) = exp(x / 0.3) */
static double gaussian(double level) { return ank_normal_quantile(level); }
static double uniform(double level) { return level; }
static double pareto(double level) { return -pow(level, -1.0 / 3); } /* minus a distance with tail x^-3 */

TEST(ranks_are_conformal_and_ties_count_against_the_row) {
  const double scores[] = {-2, -1, -1, 0};
  ank_calibration null = ank_calibration_from_ranks(scores, 4);
  assert_close(ank_calibration_p_value(&null, -3), 0.2, 1e-15);
  assert_close(ank_calibration_p_value(&null, -2), 0.4, 1e-15);
  assert_close(ank_calibration_p_value(&null, -1), 0.8, 1e-15);
  assert_close(ank_calibration_p_value(&null, 5), 1, 1e-15);
  assert_close(ank_calibration_smallest(&null), 0.2, 1e-15);
}

TEST(exponential_scores_have_their_own_tail) {
  double *scores = ideal(exponential);
  ank_calibration null = ank_calibration_from_bulk(scores, COUNT, 0);
  assert_true(null.has_tail);
  assert_int_equal(null.set_aside, 0);
  for (double level = 0.2; level > 1e-8; level /= 3)
    assert_close(log(ank_calibration_p_value(&null, exponential(level))) / log(level), 1, 0.03);
  for (double level = 0.3; level < 1; level += 0.1)
    assert_close(ank_calibration_p_value(&null, exponential(level)), level, 2.0 / COUNT);
  assert_close(ank_calibration_p_value(&null, -INFINITY), ANK_SMALLEST_P_VALUE, 0);
}

TEST(distances_with_a_power_tail_have_their_own_tail) {
  double *scores = ideal(pareto);
  ank_calibration null = ank_calibration_from_bulk(scores, COUNT, 1);
  for (double level = 0.2; level > 1e-8; level /= 3)
    assert_close(log(ank_calibration_p_value(&null, pareto(level))) / log(level), 1, 0.03);
  assert_close(ank_calibration_p_value(&null, 0), 1, 1e-15);
}

TEST(lighter_tails_get_larger_p_values_and_none_is_set_aside) {
  double (*laws[])(double) = {gaussian, uniform};
  for (size_t k = 0; k < 2; k++) {
    double *scores = ideal(laws[k]);
    ank_calibration null = ank_calibration_from_bulk(scores, COUNT, 0);
    assert_int_equal(null.set_aside, 0);
    for (double level = 0.2; level > 1e-6; level /= 2)
      assert_true(ank_calibration_p_value(&null, laws[k](level)) >=
                  0.7 * level); /* the rate is the mean one below the threshold */
  }
}

/* One in 20 far out: they are set aside, and what remains is the law of the others. */
TEST(far_anomalies_among_the_scores_are_set_aside) {
  double *scores = ideal(exponential);
  for (size_t k = 0; k < COUNT / 20; k++) scores[k] = -40 - (double)(COUNT - k) / COUNT;
  ank_calibration null = ank_calibration_from_bulk(scores, COUNT, 0);
  assert_int_equal(null.set_aside, COUNT / 20);
  assert_close(ank_calibration_p_value(&null, scores[0]), ANK_SMALLEST_P_VALUE, 0);
  /* Of the normal law the lowest 5 % were overwritten, so that its levels are a little smaller now. */
  for (double level = 0.2; level > 0.06; level /= 1.2) {
    double p = ank_calibration_p_value(&null, exponential(level));
    assert_true(p >= 0.7 * (level - 0.05) / 0.95 && p <= 1.05 * level);
  }
}

TEST(p_values_never_fall_as_scores_rise) {
  double *scores = ideal(gaussian), last = 0;
  for (size_t k = 0; k < COUNT / 10; k++) scores[k] *= 3; /* a second, wider kind */
  ank_calibration null = ank_calibration_from_bulk(scores, COUNT, 0);
  for (double s = -20; s < 5; s += 0.001) {
    double p = ank_calibration_p_value(&null, s);
    assert_true(p >= last && p > 0 && p <= 1);
    last = p;
  }
}

TEST(few_tied_or_infinite_scores_leave_ranks) {
  double *scores = ideal(gaussian);
  assert_int_equal(ank_calibration_from_bulk(scores, 99, 0).has_tail, 0);
  assert_int_equal(ank_calibration_from_bulk(scores, 100, 0).has_tail, 1);
  assert_int_equal(ank_calibration_from_bulk(NULL, 0, 0).has_tail, 0);
  for (size_t k = COUNT / 20; k < COUNT; k++) scores[k] = 1;
  ank_calibration null = ank_calibration_from_bulk(scores, COUNT, 0);
  assert_false(null.has_tail);
  assert_close(ank_calibration_p_value(&null, -50), 1.0 / (COUNT + 1), 1e-15);
  for (size_t k = 0; k < COUNT; k++) scores[k] = k < COUNT / 3 ? -INFINITY : 0;
  assert_false(ank_calibration_from_bulk(scores, COUNT, 0).has_tail);
}

/* Where many of the lowest scores are tied, whatever tail would be fitted to them is none. */
TEST(lumps_in_the_tail_leave_ranks) {
  double *scores = ideal(exponential);
  for (size_t k = COUNT / 50; k < COUNT / 7; k++) scores[k] = exponential(0.14);
  assert_false(ank_calibration_from_bulk(scores, COUNT, 0).has_tail);
  for (size_t k = 0; k < COUNT; k++)
    scores[k] = exponential((double)(k / 3 + 1) / (COUNT / 3.0)); /* three of each */
  assert_false(ank_calibration_from_bulk(scores, COUNT, 0).has_tail);
}

/* Masking: 200 of 1,000 scores, close together and not far below, are anomalies; none of them hides the others. */
TEST(many_anomalies_do_not_hide_each_other) {
  enum { N = 1000, BAD = 200 };
  double scores[N];
  for (size_t k = 0; k < N; k++)
    scores[k] = k < BAD ? -3.6 - 0.001 * (double)(BAD - k) : gaussian((double)(k - BAD + 1) / (N - BAD + 1));
  ank_calibration null = ank_calibration_from_bulk(scores, N, 0);
  assert_int_equal(null.set_aside, BAD);
  assert_true(ank_calibration_p_value(&null, -3.6) * N / BAD < 0.05);
}

/* A light tail is no exponential one: the bulk says where it ends, and a row beyond is certain. */
TEST(a_row_beyond_the_end_of_a_light_tail_is_certain) {
  enum { N = 300 };
  double scores[N];
  for (size_t k = 0; k < N; k++) scores[k] = k == 0 ? -0.6 : uniform((double)k / N);
  ank_calibration null = ank_calibration_from_bulk(scores, N, 0);
  assert_int_equal(null.set_aside, 1);
  assert_true(null.tail.shape < -0.3);
  assert_true(ank_calibration_p_value(&null, -0.6) * N < 0.001); /* 0.2 by an exponential tail */
}

/* The shape is that of the law, less what a sample leaves open: of a generalised Pareto tail with shape -1/2. */
static double bounded(double level) { return -2 * (1 - sqrt(level)); }

TEST(the_shape_of_a_tail_is_estimated_from_above) {
  enum { BAD = COUNT / 50 };
  double *scores = ideal(bounded);
  for (size_t k = 0; k < COUNT; k++)
    scores[k] =
        k < BAD ? -9 - (double)(COUNT - k) / COUNT : bounded((double)(k - BAD + 1) / (COUNT - BAD + 1));
  ank_calibration null = ank_calibration_from_bulk(scores, COUNT, 0);
  assert_int_equal(null.set_aside, BAD);
  assert_true(null.tail.shape > -0.5 && null.tail.shape < -0.4);
  assert_close(null.tail.doubt, 1, 1e-3);
}

/* Three tenths of the rows are the two ends of one column, cut off by the trimming: a second mode and no gap. */
TEST(ends_that_were_cut_off_are_not_set_aside) {
  enum { N = 1000, ENDS = 300 };
  double scores[N];
  for (size_t k = 0; k < N; k++)
    scores[k] = k < ENDS ? -1.5 - 1.5 * pow((double)(ENDS - k) / ENDS, 3)
                         : 0.3 * gaussian((double)(k - ENDS + 1) / (N - ENDS + 1));
  ank_calibration null = ank_calibration_from_bulk(scores, N, 0);
  assert_int_equal(null.set_aside, 0);
}

TEST(a_single_row_apart_is_doubted) {
  double *scores = ideal(exponential);
  scores[0] = -40;
  ank_calibration null = ank_calibration_from_bulk(scores, COUNT, 0);
  assert_int_equal(null.set_aside, 1);
  assert_close(null.tail.doubt, 9, 0);
  /* the doubt is about what lies beyond the scores: among them, ranks know better */
  assert_close(ank_calibration_p_value(&null, exponential(0.09)), 0.09, 2.0 / COUNT);
  assert_close(log(ank_calibration_p_value(&null, exponential(1e-6)) / 9e-6), 0, 0.3);
}

/* The mean excess of an exponential law is 1 at any threshold; the tail of 100 rows begins at 40 of them. */
TEST(a_tail_of_few_rows_is_wider) {
  static const struct {
    size_t rows;
    double tenths, below;
  } cases[] = {{100, 4, 40}, {200, 2, 40}, {1000, 1, 100}};
  double scores[1000];
  for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
    size_t rows = cases[c].rows;
    for (size_t k = 0; k < rows; k++) scores[k] = exponential(((double)k + 0.5) / (double)rows);
    ank_calibration null = ank_calibration_from_bulk(scores, rows, 0);
    assert_int_equal(null.set_aside, 0);
    assert_close(null.tail.scale / 0.3, 1 + 0.5 * cases[c].tenths / sqrt(cases[c].below), 0.03);
  }
}

TEST(no_p_value_is_larger_than_its_conformal_one) {
  double (*const laws[])(double) = {exponential, gaussian, uniform};
  for (size_t l = 0; l < sizeof laws / sizeof laws[0]; l++)
    for (size_t apart = 0; apart < 40; apart += 1 + apart) {
      double *scores = ideal(laws[l]);
      for (size_t k = 0; k < apart; k++) scores[k] = -60 + (double)k / 100;
      ank_calibration null = ank_calibration_from_bulk(scores, COUNT, 0);
      for (size_t k = 0; k < COUNT; k++) /* of the k-th lowest: k scores are at most it, and it is one more */
        assert_true(ank_calibration_p_value(&null, scores[k]) <= (double)(k + 2) / (COUNT + 1) + 1e-15);
    }
}

/* ---- stretches ---- */

/* Two sequences of noise that runs low together now and then, of 300 and 60 rows; place by place as the model has it. */
static void make_stretches(double *sorted, uint32_t *place, double *in_order) {
  enum { ALL = 360 };
  for (size_t i = 0; i < ALL; i++) in_order[i] = sin((double)i * 0.7) + sin((double)(i * i) * 0.013);
  for (size_t i = 0; i < ALL; i++) {
    size_t below = 0;
    for (size_t j = 0; j < ALL; j++)
      below += in_order[j] < in_order[i] || (in_order[j] == in_order[i] && j < i);
    sorted[below] = in_order[i];
    place[i] = (uint32_t)(2 * below + (i == 0 || i == 300));
  }
}

TEST(stretches_agree_with_looking_at_each_of_them) {
  enum { ALL = 360, FIRST = 300 };
  double sorted[ALL], in_order[ALL];
  uint32_t place[ALL];
  make_stretches(sorted, place, in_order);
  ank_calibration null = ank_calibration_from_ranks(sorted, ALL);
  ank_calibration_order stretches = {place, ALL};
  static const size_t lengths[] = {1, 3, 50, 100, 1000};
  for (double score = -2.5; score < 2; score += 0.25)
    for (size_t l = 0; l < 5; l++) {
      size_t all = 0, hit = 0;
      for (size_t s = 0; s < 2; s++) {
        size_t from = s ? FIRST : 0, end = s ? ALL : FIRST,
               rows = end - from < lengths[l] ? end - from : lengths[l];
        for (size_t i = from; i + rows <= end; i++) {
          double least = in_order[i];
          for (size_t k = i; k < i + rows; k++) least = fmin(least, in_order[k]);
          all++;
          hit += least <= score;
        }
      }
      assert_close(ank_calibration_stretch_p_value(&null, &stretches, score, lengths[l]),
                   (1.0 + (double)hit) / (1.0 + (double)all), 1e-12);
    }
  assert_true(isnan(ank_calibration_stretch_p_value(&null, &(ank_calibration_order){0}, 0, 1)));
}

TEST(runs_of_low_scores_end_at_wide_gaps_and_at_entities) {
  /* low: rows 0, 1, 4 of the first, 5 and 6 of the second sequence */
  const double sorted[] = {-5, -4, -3, -2, -1, 0, 1, 2};
  uint32_t place[] = {2 * 0 + 1, 2 * 1, 2 * 5, 2 * 6, 2 * 2, 2 * 3 + 1, 2 * 4, 2 * 7};
  ank_calibration null = ank_calibration_from_ranks(sorted, 8);
  ank_calibration_order stretches = {place, 8};
  assert_int_equal(ank_calibration_runs(&null, &stretches, -1, 0), 3);
  assert_int_equal(ank_calibration_runs(&null, &stretches, -1, 1), 3);
  assert_int_equal(ank_calibration_runs(&null, &stretches, -1, 2), 2);
  assert_int_equal(ank_calibration_runs(&null, &stretches, -6, 2), 0);
  null.set_aside = 2; /* rows 0 and 1 are excluded as anomalies */
  assert_int_equal(ank_calibration_runs(&null, &stretches, -1, 0), 2);
}
