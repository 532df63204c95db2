/* coarse_table.h - the internals of coarse.h.
 *
 * One step s serves all sets. A value v becomes q = v / s rounded, from -MOST to MOST. With a = |q_x - q_r|
 * for a row x and a reference r, a^2 = |q_x|^2 + 2 (|q_r|^2 / 2 - q_x . q_r). The bracket, with |q_r|^2 / 2
 * rounded down, is the key of r. 16 bits suffice for it if |q_r|^2 / 2 + |q_x| |q_r| < 2^15. The choice of
 * the step ensures that for all references; rows that are too long stay undecided. Products of bytes need one
 * unsigned side, so rows hold q_x + MOST. The base of a reference, its key before any product is subtracted,
 * compensates for that, modulo 2^16.
 *
 * Proof that the nearest reference is found. Let e be the rounding error of x plus the largest of a
 * reference. Then s a - e <= |x - r| <= s a + e. Single precision computes squared distances with a relative
 * error below (d + 2) 2^-24 (and underflows by less than d 2^-149). So with slack = (d + 8) 2^-23, a computed
 * r is not nearer than a computed c if
 *     a_r > a_c (1 + slack) + (2 e (1 + slack) + 1e-18) / s.
 * c is a reference of smallest key; references above that limit are skipped. */
#ifndef ANK_NEIGHBOURS_COARSE_TABLE_H
#define ANK_NEIGHBOURS_COARSE_TABLE_H

#include "kernels/distance.h"
#include "neighbours/coarse.h"

enum {
  ANK_PAGE = 16,           /* blocks whose keys are compared at a time */
  ANK_GROUP = 16,          /* rows processed together; norms and margins have padding for as many */
  ANK_COARSE_MOST = 90,    /* 2 * (2 MOST) * MOST < 2^15: a pair of products */
  ANK_COARSE_LENGTH = 146, /* of a reference, and of a row: 1.5 * LENGTH^2 < 2^15 - 1 */
  ANK_NO_KEY = 32767       /* of unused lanes, above all others */
};

struct ank_coarse {
  const float *values; /* borrowed */
  size_t sets, blocks, dim;
  size_t pairs; /* pairs of columns */
  double step, per_step, moved, slack;
  int8_t *codes;  /* block b, lane i, column j: [((b * pairs + j / 2) * LANES + i) * 2 + j % 2] */
  int16_t *bases; /* [b * LANES + i] */
};

typedef struct ank_coarse_kernels {
  /* Like ank_coarse_nearest. Returns the number of undecided rows, with their indices in rows->open. */
  size_t (*nearest)(float *out, const ank_coarse *coarse, size_t set, const ank_coarse_rows *rows);
} ank_coarse_kernels;

/* Empty (NULL) if the compiler lacks these instructions. No other instruction set has codes. */
extern const ank_coarse_kernels ank_coarse_avx2;

#endif
