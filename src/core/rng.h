/* rng.h - random numbers by address, not by consumption.
 *
 * Philox4x64-10 (Salmon et al. 2011). A generator is opened at (seed, stream, index): the key is (seed,
 * stream), the counter starts at (0, index, 0, 0) and its first word counts blocks of four. So row `index` of
 * a sample has its own sequence, for any order of rows and any number of threads. Word for word equal to
 * numpy's Philox with that key and counter (whose first block is number 1). */
#ifndef ANK_CORE_RNG_H
#define ANK_CORE_RNG_H

#include "core/status.h"

/* The purpose of a stream. Each use of randomness has a separate stream, so that uses are independent. */
typedef enum ank_stream {
  ANK_STREAM_SIMULATE = 1,  /* rows of a simulated law */
  ANK_STREAM_BOOTSTRAP = 2, /* replications behind a confidence band */
  ANK_STREAM_FIT = 3,       /* draws of a scorer during its fit */
  ANK_STREAM_TRAIN = 4,     /* starts and row orders of gradient training */
  ANK_STREAM_PAPER = 5,     /* the data of the paper's experiment */
  ANK_STREAM_EXAMPLE = 32,  /* rows of a built-in example */
  ANK_STREAM_DRIFT = 8,     /* rows and permutations of the drift test */
  ANK_STREAM_REPORT = 9,    /* rows that a report shows besides the lowest */
  ANK_STREAM_SAMPLE = 10,   /* keys that decide which rows are drawn (sampling/row_draw.h) */
  ANK_STREAM_MODEL = 7      /* rows for fit, calibration and background */
} ank_stream;

typedef struct ank_rng {
  uint64_t key[2], index, block, words[4];
  unsigned used; /* number of `words` used */
} ank_rng;

/* Cheap: computes the first block with the first word. */
void ank_rng_open(ank_rng *rng, uint64_t seed, uint64_t stream, uint64_t index);

uint64_t ank_rng_word(ank_rng *rng);
double ank_rng_uniform(ank_rng *rng);             /* in (0, 1), 2^52 equally spaced midpoints */
uint64_t ank_rng_below(ank_rng *rng, uint64_t n); /* 0 .. n-1 without bias; n > 0 */
double ank_rng_normal(ank_rng *rng);              /* never 0 */
double ank_rng_gamma(ank_rng *rng, double shape); /* scale 1; shape > 0; 0 only where the draw underflows */
double ank_rng_beta(ank_rng *rng, double a, double b); /* a, b > 0; in [0, 1]; 0 and 1 by rounding only */
uint64_t ank_rng_binomial(ank_rng *rng, uint64_t n, double p); /* n <= 2^53; exact law, O(1) */
void ank_rng_sphere(ank_rng *rng, double *point, size_t dim);  /* uniform on the unit sphere */
void ank_rng_shuffle(ank_rng *rng, size_t *items, size_t n);   /* Fisher-Yates */

/* Draw k of 0 .. n-1 without replacement, in random order; k <= n. O(k) memory and time. */
anorank_status ank_rng_sample(ank_rng *rng, size_t *out, size_t k, size_t n, anorank_error *err);

#endif
