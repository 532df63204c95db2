/* Losses against slow obvious versions, and gradients against central differences. */
#include "core/alloc.h"
#include "core/rng.h"
#include "kernels/sort.h"
#include "learn/objective.h"
#include "support/check.h"

enum { MOST = 400 };

typedef struct {
  double scores[MOST], weights[MOST];
  ank_scored scored;
} sample;

/* Scores of n X and m U, some tied, some far apart; U has weights when asked. */
static void draw(sample *s, size_t n, size_t m, int weighted, uint64_t seed) {
  ank_rng rng;
  ank_rng_open(&rng, seed, 99, 0);
  for (size_t i = 0; i < n + m; i++) {
    s->scores[i] = ank_rng_normal(&rng) + (i < n ? 1.0 : 0.0);
    if (i % 10 == 3) s->scores[i] = 0.25; /* ties */
    if (i % 17 == 5) s->scores[i] += 40;  /* far */
    s->weights[i] = 0.5 + ank_rng_uniform(&rng);
  }
  s->scored = (ank_scored){s->scores, n, m, weighted ? s->weights : NULL};
}

static double kernel(double t) { return t <= -1 ? 0 : t >= 1 ? 1 : 0.5 + 0.75 * t - 0.25 * t * t * t; }

static double weight_of(const ank_scored *s, size_t k) {
  return k < s->n || !s->u_weight ? 1 : s->u_weight[k - s->n];
}

/* From the definition: the jump of each point (tied ones share theirs by weight), then all pairs. */
static double slow_rank_loss(const ank_scored *s, const ank_phi *phi, double parameter, double h) {
  double total = 0, sum = 0, jump[MOST];
  size_t count = s->n + s->m;
  for (size_t k = 0; k < count; k++) total += weight_of(s, k);
  for (size_t k = 0; k < count; k++) {
    double below = 0.5, tied = 0;
    for (size_t l = 0; l < count; l++) {
      if (s->scores[l] < s->scores[k]) below += weight_of(s, l);
      if (s->scores[l] == s->scores[k]) tied += weight_of(s, l);
    }
    jump[k] =
        (phi->value((below + tied) / (total + 1), parameter) - phi->value(below / (total + 1), parameter)) *
        weight_of(s, k) / tied;
  }
  for (size_t i = 0; i < s->n; i++) {
    sum += phi->value(0.5 / (total + 1), parameter);
    for (size_t k = 0; k < count; k++) sum += jump[k] * kernel((s->scores[i] - s->scores[k]) / h);
  }
  return -sum / (double)s->n;
}

static const struct {
  size_t n, m;
  int weighted;
  double h;
} shapes[] = {{30, 20, 0, 0.5}, {30, 20, 1, 0.5}, {200, 150, 0, 0.03}, {200, 150, 1, 3},
              {1, 1, 0, 1},     {5, 300, 0, 50},  {100, 1, 1, 0.001}};

TEST(rank_loss_equals_the_slow_sum_for_every_phi) {
  for (size_t c = 0; c < sizeof shapes / sizeof shapes[0]; c++)
    for (size_t f = 0; anorank_phi_at(f); f++) {
      const ank_phi *phi = ank_phi_at(f);
      double slopes[MOST] = {0}, loss, parameter = ank_phi_parameter(phi, NULL);
      sample s;
      draw(&s, shapes[c].n, shapes[c].m, shapes[c].weighted, 7 + c);
      anorank_status status = ank_loss_rank(&loss, slopes, &s.scored, phi, parameter, shapes[c].h, NULL);
      assert_ok(status);
      assert_close_relative(loss, slow_rank_loss(&s.scored, phi, parameter, shapes[c].h), 1e-10);
    }
}

TEST(rank_gradient_equals_central_differences) {
  for (size_t c = 0; c < sizeof shapes / sizeof shapes[0]; c++)
    for (size_t f = 0; anorank_phi_at(f); f++) {
      const ank_phi *phi = ank_phi_at(f);
      double slopes[MOST] = {0}, parameter = ank_phi_parameter(phi, NULL), loss, largest = 0;
      sample s;
      draw(&s, shapes[c].n, shapes[c].m, shapes[c].weighted, 7 + c);
      /* where scores tie a move to either side passes another place: break ties, farther than the steps go */
      for (size_t i = 3; i < s.scored.n + s.scored.m; i += 10) s.scores[i] += 1e-3 * (double)i;
      assert_ok(ank_loss_rank(&loss, slopes, &s.scored, phi, parameter, shapes[c].h, NULL));
      for (size_t i = 0; i < s.scored.n + s.scored.m; i++)
        if (fabs(slopes[i]) > largest) largest = fabs(slopes[i]);
      for (size_t i = 0; i < s.scored.n + s.scored.m; i += 3) {
        double step = 1e-6 * shapes[c].h, at = s.scores[i], nearest = INFINITY;
        for (size_t k = 0; k < s.scored.n + s.scored.m; k++)
          if (k != i) nearest = fmin(nearest, fabs(s.scores[k] - at));
        if (nearest <= step) continue; /* it would pass another place */
        s.scores[i] = at + step;
        double up = slow_rank_loss(&s.scored, phi, parameter, shapes[c].h), high = s.scores[i];
        s.scores[i] = at - step;
        double down = slow_rank_loss(&s.scored, phi, parameter, shapes[c].h);
        double difference = (up - down) / (high - s.scores[i]);
        s.scores[i] = at;
        /* relative to the largest slope; the loss itself is known to about 1e-15, so this is what differences
         * give */
        assert_close(slopes[i], difference, 1e-6 * largest + 1e-9 / shapes[c].h);
      }
    }
}

TEST(smoothed_ranks_become_midranks_as_the_kernel_narrows) {
  const ank_phi *mww = ank_phi_find("mww");
  double slopes[MOST] = {0}, ranks[MOST], loss, sum = 0;
  sample s;
  draw(&s, 200, 150, 0, 3);
  assert_ok(ank_loss_rank(&loss, slopes, &s.scored, mww, 0, 1e-12, NULL));
  assert_ok(ank_rank(ranks, s.scores, 350, ANORANK_TIES_MID, NULL, NULL));
  for (size_t i = 0; i < 200; i++) sum += ranks[i] / 351;
  assert_close(-loss, sum / 200, 1e-12);
}

/* phi of a blurred rank would make the constant the best scorer of all for clipped. */
TEST(a_constant_score_is_worth_less_than_a_random_order_for_clipped) {
  const ank_phi *phi = ank_phi_find("clipped");
  double slopes[MOST] = {0}, loss, mean = 0, c = 0.5;
  sample s;
  draw(&s, 200, 200, 0, 3);
  for (size_t i = 0; i < 400; i++) s.scores[i] = 1, mean += phi->value(((double)i + 1) / 401, c) / 400;
  assert_ok(ank_loss_rank(&loss, slopes, &s.scored, phi, c, 0.1, NULL));
  assert_true(-loss < mean);
}

TEST(weights_count_as_repeated_rows) {
  const ank_phi *phi = ank_phi_find("log");
  double slopes[MOST] = {0}, once, twice;
  sample s;
  draw(&s, 50, 40, 0, 5);
  for (size_t j = 0; j < 40; j++) s.weights[j] = 2;
  s.scored.u_weight = s.weights;
  assert_ok(ank_loss_rank(&once, slopes, &s.scored, phi, 0, 0.7, NULL));
  double bce_once, bce_twice;
  ank_loss_bce(&bce_once, slopes, &s.scored);
  memcpy(s.scores + 90, s.scores + 50, 40 * sizeof(double));
  s.scored.u_weight = NULL;
  s.scored.m = 80;
  assert_ok(ank_loss_rank(&twice, slopes, &s.scored, phi, 0, 0.7, NULL));
  assert_close(once, twice, 1e-13);
  ank_loss_bce(&bce_twice, slopes, &s.scored);
  assert_close(bce_once, bce_twice, 1e-13);
}

TEST(bce_and_proxy_slopes_equal_central_differences) {
  const ank_phi *phi = ank_phi_find("logrank");
  sample s;
  draw(&s, 20, 15, 1, 11);
  for (size_t i = 0; i < 35; i++)
    if (s.scores[i] > 5) s.scores[i] -= 35; /* beyond that a difference of sigmoids has no digits left */
  double bce[MOST] = {0}, proxy[MOST] = {0}, unused[MOST];
  ank_loss_bce(NULL, bce, &s.scored);
  ank_loss_proxy(proxy, &s.scored, phi, 0, 0.1);
  for (size_t i = 0; i < 35; i++) {
    double at = s.scores[i], up[2], down[2];
    s.scores[i] = at + 1e-5;
    ank_loss_bce(&up[0], unused, &s.scored);
    up[1] = ank_loss_proxy(unused, &s.scored, phi, 0, 0.1);
    s.scores[i] = at - 1e-5;
    ank_loss_bce(&down[0], unused, &s.scored);
    down[1] = ank_loss_proxy(unused, &s.scored, phi, 0, 0.1);
    s.scores[i] = at;
    assert_close(bce[i], (up[0] - down[0]) / 2e-5, 1e-9);
    assert_close(proxy[i], (up[1] - down[1]) / 2e-5, 1e-8);
  }
}

TEST(extreme_scores_give_finite_losses) {
  double scores[4] = {800, -800, 800, -800}, slopes[4] = {0}, loss;
  ank_scored scored = {scores, 2, 2, NULL};
  ank_loss_bce(&loss, slopes, &scored);
  assert_close(loss, 400, 1e-12);
  assert_true(isfinite(ank_loss_proxy(slopes, &scored, ank_phi_find("logrank"), 0, 1)));
  for (int i = 0; i < 4; i++) assert_true(isfinite(slopes[i]));
}

TEST(each_failing_allocation_is_survived) {
  sample s;
  draw(&s, 30, 20, 0, 1);
  for (size_t k = 1; k < 50; k++) {
    double slopes[MOST] = {0}, loss;
    (void)ank_alloc_fail_at(k);
    anorank_status status = ank_loss_rank(&loss, slopes, &s.scored, ank_phi_find("mww"), 0, 1, NULL);
    if (ank_alloc_fail_at(0) < k) {
      assert_ok(status);
      assert_true(k > 5);
      return;
    }
    assert_status(status, ANORANK_ERROR_RESOURCES);
  }
  fail();
}
