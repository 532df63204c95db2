/* rng.c - Philox4x64-10 and the laws drawn from its words; see rng.h.
 *
 * All laws are exact up to the rounding of doubles: rejection and inversion, no table of quantiles, no
 * approximation by a simpler law. The number of words that a draw takes is part of the contract: if it
 * changes, every simulated table changes. */
#include "core/rng.h"

#include <math.h>

#include "core/alloc.h"
#include "core/wide.h"
#include "core/ziggurat.h"

/* ---- words ------------------------------------------------------------------------------------------- */

static void next_block(ank_rng *rng) {
  const uint64_t multiplier0 = 0xD2E7470EE14C6C93u, multiplier1 = 0xCA5A826395121157u;
  const uint64_t weyl0 = 0x9E3779B97F4A7C15u, weyl1 = 0xBB67AE8584CAA73Bu;
  uint64_t key0 = rng->key[0], key1 = rng->key[1];
  uint64_t w0 = ++rng->block, w1 = rng->index, w2 = 0, w3 = 0;
  for (int round = 0; round < 10; round++) {
    ank_wide product0 = ank_mul_64_64(multiplier0, w0), product1 = ank_mul_64_64(multiplier1, w2);
    w0 = product1.high ^ w1 ^ key0;
    w1 = product1.low;
    w2 = product0.high ^ w3 ^ key1;
    w3 = product0.low;
    key0 += weyl0;
    key1 += weyl1;
  }
  rng->words[0] = w0;
  rng->words[1] = w1;
  rng->words[2] = w2;
  rng->words[3] = w3;
  rng->used = 0;
}

static inline uint64_t next_word(ank_rng *rng) {
  if (rng->used == 4) next_block(rng);
  return rng->words[rng->used++];
}

/* Return odd multiples of 2^-53: symmetric around 1/2 and never 0 or 1, so that logarithms and quantiles are
 * finite. */
static inline double midpoint(uint64_t word) { return ((double)(word >> 12) + 0.5) * 0x1p-52; }

static inline double uniform(ank_rng *rng) { return midpoint(next_word(rng)); }

void ank_rng_open(ank_rng *rng, uint64_t seed, uint64_t stream, uint64_t index) {
  rng->key[0] = seed;
  rng->key[1] = stream;
  rng->index = index;
  rng->block = 0;
  rng->used = 4;
}

uint64_t ank_rng_word(ank_rng *rng) { return next_word(rng); }

double ank_rng_uniform(ank_rng *rng) { return uniform(rng); }

/* Lemire 2019: take the high half of word * n, and reject the few low halves that would make some results
 * likelier. */
uint64_t ank_rng_below(ank_rng *rng, uint64_t n) {
  ank_wide product = ank_mul_64_64(next_word(rng), n);
  if (product.low < n) {
    uint64_t threshold = (0 - n) % n; /* 2^64 mod n */
    while (product.low < threshold) product = ank_mul_64_64(next_word(rng), n);
  }
  return product.high;
}

/* ---- normal and gamma -------------------------------------------------------------------------------- */

/* Marsaglia 1964: draw from the tail beyond the edge of the base layer. */
static double normal_tail(ank_rng *rng) {
  double edge = ziggurat_edges[1];
  for (;;) {
    double x = -log(uniform(rng)) / edge, y = -log(uniform(rng));
    if (2 * y > x * x) return edge + x;
  }
}

/* Ziggurat (Marsaglia and Tsang 2000). One word serves layer, sign and position, with different bits: Doornik
 * (2005) found that shared bits bias the result. Only two draws in a hundred need more than a product. */
static inline double normal(ank_rng *rng) {
  for (;;) {
    uint64_t word = next_word(rng);
    size_t layer = word & 255;
    double x = midpoint(word) * ziggurat_edges[layer];
    double sign = (double)((int64_t)(word >> 7 & 2) - 1); /* -1 or 1 without a branch */
    if (x < ziggurat_edges[layer + 1]) return sign * x;
    if (layer == 0) return sign * normal_tail(rng);
    double low = exp(-0.5 * ziggurat_edges[layer] * ziggurat_edges[layer]);
    double high = exp(-0.5 * ziggurat_edges[layer + 1] * ziggurat_edges[layer + 1]);
    if (low + uniform(rng) * (high - low) < exp(-0.5 * x * x)) return sign * x;
  }
}

double ank_rng_normal(ank_rng *rng) { return normal(rng); }

/* Marsaglia and Tsang 2000, for shape >= 1. The last test is d (1 - v + log v) with v = (1 + t)^3, written in
 * t: for large shapes the plain form subtracts nearly equal numbers and multiplies by d. */
static double gamma_large(ank_rng *rng, double shape) {
  double d = shape - 1.0 / 3.0, c = 1.0 / (3.0 * sqrt(d));
  for (;;) {
    double x = normal(rng), t = c * x;
    if (t <= -1) continue;
    double u = uniform(rng), square = x * x, v = (1 + t) * (1 + t) * (1 + t);
    if (u < 1 - 0.0331 * square * square) return d * v;
    if (log(u) < 0.5 * square + d * (3 * (log1p(t) - t) - t * t * (3 + t))) return d * v;
  }
}

/* Return the logarithm of a gamma draw, which does not underflow where the draw does. For shape < 1, a draw
 * of shape + 1 is multiplied by U^(1/shape). */
static double log_gamma_draw(ank_rng *rng, double shape) {
  if (shape >= 1) return log(gamma_large(rng, shape));
  double boosted = log(gamma_large(rng, shape + 1));
  return boosted + log(uniform(rng)) / shape;
}

double ank_rng_gamma(ank_rng *rng, double shape) {
  return shape >= 1 ? gamma_large(rng, shape) : exp(log_gamma_draw(rng, shape));
}

/* A shape of 1 uses inversion, three times faster: the paper's radial law is Beta(3, 1). Other shapes use Ga
 * / (Ga + Gb). With a small shape both gammas may underflow although their ratio does not, so the ratio is
 * computed from logarithms. */
double ank_rng_beta(ank_rng *rng, double a, double b) {
  if (b == 1) return exp(log(uniform(rng)) / a);
  if (a == 1) return -expm1(log(uniform(rng)) / b);
  if (a >= 1 && b >= 1) {
    double first = gamma_large(rng, a), second = gamma_large(rng, b);
    return 1 / (1 + second / first);
  }
  double first = log_gamma_draw(rng, a), second = log_gamma_draw(rng, b);
  if (isinf(first) && isinf(second)) /* shapes below 1e-305: all mass lies at the ends */
    return uniform(rng) * (a + b) < a ? 1.0 : 0.0;
  double odds = exp(-fabs(first - second)); /* smaller over larger: at most 1, cannot overflow */
  return first < second ? odds / (1 + odds) : 1 / (1 + odds);
}

/* ---- binomial ---------------------------------------------------------------------------------------- */

/* Return log k! minus Stirling's log(sqrt(2 pi k) (k / e)^k). The series has an error below 1e-11 from 6
 * on. */
static double stirling_error(double k) {
  static const double small[] = {0, /* unused */
                                 0x1.4c071bcda0a5bp-4,
                                 0x1.52a9b923ea649p-5,
                                 0x1.c579a268d80b3p-6,
                                 0x1.54a2662fd78a9p-6,
                                 0x1.10b4e513fcbedp-6};
  if (k < 6) return small[(size_t)k];
  double s = 1 / (k * k);
  return (1.0 / 12 - s * (1.0 / 360 - s * (1.0 / 1260 - s * (1.0 / 1680 - s / 1188)))) / k;
}

/* Return k log(k / mean) + mean - k, without cancellation of its terms for k near the mean. */
static double deviance(double k, double mean) {
  double gap = k - mean, t = gap / (k + mean);
  if (fabs(t) > 0.1) return k * log(k / mean) - gap;
  double sum = gap * t, power = 2 * k * t, square = t * t; /* log(k / mean) = 2 atanh(t) */
  for (int j = 3; j < 60; j += 2) {
    power *= square;
    double more = sum + power / j;
    if (more == sum) break;
    sum = more;
  }
  return sum;
}

/* Return log P(k) for 0 <= k <= n (Loader 2000). Log-factorials would lose all digits for large n. */
static double log_binomial(double k, double n, double p) {
  if (k == 0) return n * log1p(-p);
  if (k == n) return n * log(p);
  double rest = n - k;
  return stirling_error(n) - stirling_error(k) - stirling_error(rest) - deviance(k, n * p) -
         deviance(rest, n * (1 - p)) - 0.5 * log(2 * M_PI * k * (rest / n));
}

/* Walk up from 0 until the uniform is used up; for n p < 10. */
static double binomial_inversion(ank_rng *rng, double n, double p) {
  double odds = p / (1 - p), first = exp(n * log1p(-p));
  for (;;) {
    double left = uniform(rng), share = first;
    for (double k = 0; k <= n && share > 0; k++) {
      if (left <= share) return k;
      left -= share;
      share *= (n - k) / (k + 1) * odds;
    }
  } /* rounding left a remainder of the uniform: draw again */
}

/* Hormann 1993, algorithm BTRS: transformed rejection with a squeeze, for n p >= 10 and p <= 1/2. Takes about
 * 1.15 to 1.5 rounds of two words. It rounds down the offset from the mean's whole part, not k, so that large
 * n keep their digits. */
static double binomial_rejection(ank_rng *rng, double n, double p) {
  double mean = n * p, whole = floor(mean), fraction = mean - whole + 0.5;
  double spread = sqrt(mean * (1 - p)), b = 1.15 + 2.53 * spread, a = -0.0873 + 0.0248 * b + 0.01 * p;
  double squeeze = 0.92 - 4.2 / b, scale = (2.83 + 5.1 / b) * spread, log_mode = NAN;
  for (;;) {
    double u = uniform(rng) - 0.5, v = uniform(rng), edge = 0.5 - fabs(u);
    double k = whole + floor((2 * a / edge + b) * u + fraction);
    if (edge >= 0.07 && v <= squeeze) return k;
    if (k < 0 || k > n) continue;
    if (isnan(log_mode)) log_mode = log_binomial(floor((n + 1) * p), n, p);
    if (log(v * scale / (a / (edge * edge) + b)) <= log_binomial(k, n, p) - log_mode) return k;
  }
}

uint64_t ank_rng_binomial(ank_rng *rng, uint64_t n, double p) {
  if (n == 0 || !(p > 0)) return 0;
  if (p >= 1) return n;
  double small = p <= 0.5 ? p : 1 - p, size = (double)n;
  double drawn =
      size * small < 10 ? binomial_inversion(rng, size, small) : binomial_rejection(rng, size, small);
  return p <= 0.5 ? (uint64_t)drawn : n - (uint64_t)drawn;
}

/* ---- directions and orders --------------------------------------------------------------------------- */

void ank_rng_sphere(ank_rng *rng, double *point, size_t dim) {
  double square = 0;
  for (size_t j = 0; j < dim; j++) {
    point[j] = normal(rng); /* never 0, so the norm is not 0 */
    square += point[j] * point[j];
  }
  double norm = sqrt(square);
  for (size_t j = 0; j < dim; j++) point[j] /= norm;
}

void ank_rng_shuffle(ank_rng *rng, size_t *items, size_t n) {
  for (size_t i = n; i > 1; i--) {
    size_t j = (size_t)ank_rng_below(rng, i), held = items[i - 1];
    items[i - 1] = items[j];
    items[j] = held;
  }
}

/* An item that was swapped out of the first k, by its position; open addressing, 0 = empty. */
typedef struct {
  size_t place_plus_1, item;
} moved;

static moved *find_moved(moved *slots, size_t mask, size_t place) {
  size_t at = (size_t)((uint64_t)place * 0x9E3779B97F4A7C15u >> 20) & mask;
  while (slots[at].place_plus_1 != 0 && slots[at].place_plus_1 != place + 1) at = (at + 1) & mask;
  return &slots[at];
}

/* Fisher-Yates over 0 .. n-1 that stores only the positions it touched: those below k in `out`, the others in
 * a hash table. */
anorank_status ank_rng_sample(ank_rng *rng, size_t *out, size_t k, size_t n, anorank_error *err) {
  size_t most = k < n - k ? k : n - k, count = 1;
  while (count < 2 * most) count *= 2;
  moved *slots = NULL;
  ANK_CHECK(ank_alloc(&slots, count, sizeof *slots, err));
  for (size_t i = 0; i < k; i++) out[i] = i;
  for (size_t i = 0; i < k; i++) {
    size_t j = i + (size_t)ank_rng_below(rng, n - i), held = out[i];
    if (j < k) {
      out[i] = out[j];
      out[j] = held;
    } else {
      moved *slot = find_moved(slots, count - 1, j);
      out[i] = slot->place_plus_1 ? slot->item : j;
      *slot = (moved){j + 1, held};
    }
  }
  ank_free(slots);
  return ANORANK_OK;
}
