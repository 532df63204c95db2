/* test_agreement.c - the agreement of two orders of the same rows. */
#include "evaluate/agreement.h"
#include "golden/agreement.inc"
#include "support/check.h"

#define COUNT(array) (sizeof array / sizeof array[0])

static anorank_agreement agree(const double *first, const double *second, size_t n) {
  anorank_agreement out;
  anorank_error err = {0};
  if (ank_rank_agreement(&out, first, second, n, ank_settings_or_default(NULL), &err) != ANORANK_OK)
    print_error("%s\n", err.message);
  assert_string_equal(err.message, "");
  assert_int_equal(out.rows, n);
  return out;
}

TEST(tied_scores_agree_as_scipy_and_random_tie_breaking_say) {
  static const size_t ks[] = {1, 3, 6};
  anorank_agreement found = agree(agree_first, agree_second, COUNT(agree_first));
  assert_close(found.spearman, agree_spearman, 1e-14);
  for (size_t i = 0; i < ANORANK_AGREEMENT_SHARES; i++) {
    assert_int_equal(found.lowest[i].rows, ks[i]);
    assert_close(found.lowest[i].overlap, agree_overlap[i], 5 * agree_overlap_sd[i] + 1e-12);
    assert_close(found.lowest[i].by_chance, (double)ks[i] / (double)COUNT(agree_first), 1e-15);
  }
}

TEST(equal_and_opposite_orders_are_the_two_ends) {
  double up[200], curved[200], down[200];
  for (size_t i = 0; i < 200; i++) {
    up[i] = (double)(i * 7 % 200);
    curved[i] = exp(up[i] / 50);
    down[i] = -up[i];
  }
  anorank_agreement same = agree(up, curved, 200), opposite = agree(up, down, 200);
  assert_close(same.spearman, 1, 1e-15);
  assert_close(opposite.spearman, -1, 1e-15);
  for (size_t i = 0; i < ANORANK_AGREEMENT_SHARES; i++) {
    assert_close(same.lowest[i].overlap, 1, 0);
    assert_close(opposite.lowest[i].overlap, 0, 0);
  }
  assert_int_equal(same.lowest[0].rows, 2);
  assert_int_equal(same.lowest[1].rows, 10);
  assert_int_equal(same.lowest[2].rows, 20);
}

TEST(constant_scores_agree_by_chance_only) {
  double constant[100] = {0}, other[100];
  for (size_t i = 0; i < 100; i++) other[i] = (double)(i * 31 % 100);
  anorank_agreement found[] = {agree(constant, constant, 100), agree(constant, other, 100)};
  for (size_t s = 0; s < 2; s++) {
    assert_true(isnan(found[s].spearman));
    for (size_t i = 0; i < ANORANK_AGREEMENT_SHARES; i++)
      assert_close(found[s].lowest[i].overlap, found[s].lowest[i].by_chance, 1e-12);
  }
}
