/* encoding.h - the inputs of an ensemble of networks, computed from a prepared row.
 *
 * Networks learn poorly from raw numbers: a heavy tail leaves the bulk in one corner, a code has no metric,
 * and a hidden unit is nearly linear over a narrow gap. So a numeric feature x becomes
 *   sign(z) log(1 + |z|)           z = (x - mean) / sd: its distance from the mean
 *   v                              normal score of x among the training rows; beyond them it continues as log(1 + .)
 *   surprise of x as a token / 2   as in blend_tokens.h: -log of the share of training rows whose value is at most as
 *                                  frequent, left out; 0 unless ANK_TOKEN_REPEAT of the rows share their value
 *   sin, cos of v pi / 4, v pi / 2, v pi
 * and an indicator (of a level, of a missing cell) stays unchanged. Wide tables drop the waves, then all but
 * the first. A training row is encoded with its own value excluded from the counts. */
#ifndef ANK_SCORERS_ENCODING_H
#define ANK_SCORERS_ENCODING_H

#include "scorers/scorer.h"

enum { ANK_ENCODING_KNOTS = 256, ANK_ENCODING_WAVES = 3 };

typedef struct ank_encoded_feature {
  int is_number;
  double mean, sd;
  size_t knots;
  double *at;       /* values, ascending: all of them if values are tokens, else quantiles */
  double *normal;   /* score of each */
  double *surprise; /* of each, NULL: values are not tokens */
  double *left_out; /* likewise, without one of the rows that have the value; not in files */
  double unseen;    /* surprise of another value */
} ank_encoded_feature;

typedef struct ank_encoding {
  size_t dim;
  size_t each;   /* inputs of a number: 1, 3, or with the waves 9 */
  size_t inputs; /* of a row */
  ank_encoded_feature *feature;
} ank_encoding;

anorank_status ank_encoding_learn(ank_encoding **out, const ank_samples *samples, anorank_error *err);

/* Compute the inputs of a row. `leave_out`: it is a training row. */
void ank_encode(double *inputs, const ank_encoding *encoding, const double *row, int leave_out);

size_t ank_encoding_bytes(const ank_encoding *encoding);
anorank_status ank_encoding_save(const ank_encoding *encoding, ank_bytes *out, anorank_error *err);
anorank_status ank_encoding_load(ank_encoding **out, ank_cursor *in, anorank_error *err);
void ank_encoding_free(ank_encoding *encoding);

#endif
