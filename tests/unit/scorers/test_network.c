/* Networks: the score against a slow obvious version, gradients against central differences, and one-row
 * steps in vectors equal to the plain ones bit for bit. */
#include "core/alloc.h"
#include "scorers/network.h"
#include "support/check.h"

enum { ROWS = 12 };

typedef struct {
  size_t dim, hidden[3], hidden_count;
  int quadratic;
} mahalanobis;

static const mahalanobis shapes[] = {{2, {4}, 1, 0}, {1, {1}, 1, 0},       {5, {7, 3}, 2, 0}, {3, {0}, 0, 0},
                                     {3, {0}, 0, 1}, {2, {3, 4, 5}, 3, 1}, {32, {64}, 1, 0}};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

static ank_network *start(const mahalanobis *s, uint64_t seed) {
  void *net;
  ank_rng rng;
  ank_rng_open(&rng, seed, 1, 2);
  assert_ok(ank_network_start(&net, s->dim, s->hidden, s->hidden_count, s->quadratic, &rng, NULL));
  return net;
}

static void draw_rows(double *rows, size_t count, uint64_t seed) {
  ank_rng rng;
  ank_rng_open(&rng, seed, 3, 4);
  for (size_t k = 0; k < count; k++) rows[k] = ank_rng_normal(&rng);
}

/* Layer by layer with explicit indices. */
static double slow_score(const ank_network *net, const double *row) {
  double in[1200], out[1200];
  size_t width = net->dim;
  const double *v = net->values;
  memcpy(in, row, width * sizeof *in);
  if (net->quadratic)
    for (size_t i = 0; i < net->dim; i++)
      for (size_t j = i; j < net->dim; j++) in[width++] = row[i] * row[j];
  for (size_t l = 0; l < net->layers; l++) {
    size_t outputs = net->width[l + 1];
    for (size_t o = 0; o < outputs; o++) {
      out[o] = v[width * outputs + o];
      for (size_t i = 0; i < width; i++) out[o] += in[i] * v[i * outputs + o];
      if (l + 1 < net->layers && out[o] < 0) out[o] = 0;
    }
    v += (width + 1) * outputs;
    memcpy(in, out, outputs * sizeof *in);
    width = outputs;
  }
  return in[0];
}

TEST(scores_equal_the_slow_version) {
  for (size_t s = 0; s < SHAPES; s++) {
    ank_network *net = start(&shapes[s], 10 + s);
    double rows[ROWS * 32], scores[ROWS];
    draw_rows(rows, ROWS * shapes[s].dim, s);
    ank_matrix matrix = {rows, ROWS, shapes[s].dim};
    assert_ok(ank_network_score(scores, net, &matrix, NULL));
    for (size_t i = 0; i < ROWS; i++)
      assert_close(scores[i], slow_score(net, rows + i * shapes[s].dim), 1e-13);
    ank_network_free(net);
  }
}

static double weighted_score(const ank_network *net, const double *rows, const double *slopes) {
  double sum = 0;
  for (size_t i = 0; i < ROWS; i++) sum += slopes[i] * slow_score(net, rows + i * net->dim);
  return sum;
}

TEST(gradients_equal_central_differences) {
  for (size_t s = 0; s < SHAPES; s++) {
    ank_network *net = start(&shapes[s], 20 + s);
    double rows[ROWS * 32], slopes[ROWS], scores[ROWS], *gradient, *scratch;
    draw_rows(rows, ROWS * shapes[s].dim, s);
    draw_rows(slopes, ROWS, 100 + s);
    assert_ok(ank_alloc(&gradient, net->count, sizeof *gradient, NULL));
    assert_ok(ank_alloc(&scratch, ank_network_scratch(net, ROWS), sizeof *scratch, NULL));
    ank_network_forward(net, rows, ROWS, scores, scratch);
    ank_network_backward(net, rows, ROWS, slopes, gradient, scratch);
    for (size_t k = 0; k < net->count; k += 1 + net->count / 50) {
      double at = net->values[k];
      net->values[k] = at + 1e-6;
      double up = weighted_score(net, rows, slopes);
      net->values[k] = at - 1e-6;
      double down = weighted_score(net, rows, slopes);
      net->values[k] = at;
      assert_close(gradient[k], (up - down) / 2e-6, 1e-6 * (1 + fabs(gradient[k])));
    }
    ank_free(gradient);
    ank_free(scratch);
    ank_network_free(net);
  }
}

TEST(one_row_steps_in_vectors_have_the_bits_of_plain_ones) {
  for (size_t s = 0; s < SHAPES; s++)
    for (int weighted = 0; weighted < 2; weighted++) {
      ank_network *fast = start(&shapes[s], 30 + s), *plain = start(&shapes[s], 30 + s);
      double rows[ROWS * 32], weights[ROWS], score, slope, *gradient, *scratch;
      size_t order[ROWS];
      draw_rows(rows, ROWS * shapes[s].dim, s);
      draw_rows(weights, ROWS, 200 + s);
      for (size_t i = 0; i < ROWS; i++) order[i] = (5 * i) % ROWS;
      int done = ank_network_descend(fast, rows, order, ROWS, 8, weighted ? weights : NULL, 0.1);
      assert_int_equal(done, shapes[s].hidden_count == 1 && !shapes[s].quadratic);
      assert_ok(ank_alloc(&gradient, plain->count, sizeof *gradient, NULL));
      assert_ok(ank_alloc(&scratch, ank_network_scratch(plain, 1), sizeof *scratch, NULL));
      for (size_t k = 0; k < ROWS && done; k++) {
        const double *row = rows + order[k] * shapes[s].dim;
        ank_network_forward(plain, row, 1, &score, scratch);
        double e = exp(-fabs(score));
        double up = score > 0 ? 1 / (1 + e) : e / (1 + e), down = score > 0 ? e / (1 + e) : 1 / (1 + e);
        slope = order[k] < 8 ? -down : up * (weighted ? weights[order[k] - 8] : 1);
        memset(gradient, 0, plain->count * sizeof *gradient);
        ank_network_backward(plain, row, 1, &slope, gradient, scratch);
        for (size_t p = 0; p < plain->count; p++) plain->values[p] -= 0.1 * gradient[p];
      }
      for (size_t p = 0; p < plain->count; p++) assert_true(fast->values[p] == plain->values[p]);
      ank_free(gradient);
      ank_free(scratch);
      ank_network_free(fast);
      ank_network_free(plain);
    }
}

TEST(a_saved_network_loads_and_scores_the_same) {
  for (size_t s = 0; s < SHAPES; s++) {
    ank_network *net = start(&shapes[s], 40 + s);
    scoped_bytes bytes = {0}, again = {0};
    void *loaded;
    double row[32], score, expected;
    draw_rows(row, shapes[s].dim, 9);
    ank_matrix one = {row, 1, shapes[s].dim};
    assert_ok(ank_network_save(net, &bytes, NULL));
    ank_cursor cursor = {bytes.data, bytes.length, 0};
    assert_ok(ank_scorer_load(&loaded, &ank_scorer_mlp, &cursor, NULL));
    assert_ok(ank_network_save(loaded, &again, NULL));
    assert_same_bytes(&bytes, &again);
    assert_ok(ank_network_score(&expected, net, &one, NULL));
    assert_ok(ank_network_score(&score, loaded, &one, NULL));
    assert_true(score == expected);
    ank_network_free(loaded);
    ank_network_free(net);
  }
}
