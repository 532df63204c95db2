/* cells.h - arrays of any type of number to the doubles of a table. */
#ifndef ANK_TABLE_CELLS_H
#define ANK_TABLE_CELLS_H

#include "core/status.h"

/* Bytes of one value; 0: unknown type. */
size_t ank_type_size(anorank_type type);

/* Bit `i` of a bitmap in Arrow's order; no bitmap has all bits set. */
static inline int ank_bit(const uint8_t *bits, size_t i) { return !bits || (bits[i >> 3] >> (i & 7) & 1); }

/* An array to be read: value i is at data + i * stride, and is there if bit first_bit + i of `validity` is
 * set. */
typedef struct ank_cells {
  anorank_type type;
  const void *data;
  ptrdiff_t stride;
  const uint8_t *validity; /* NULL: all are there */
  size_t first_bit;
} ank_cells;

/* `count` values; NaN where they are not there. Returns `count`, or the first that is a 64-bit integer
 * which no double holds exactly. */
size_t ank_cells_numbers(double *out, const ank_cells *cells, size_t count);

/* The same as seconds, of times counted in `resolution`. Rounded once; never fails. */
void ank_cells_seconds(double *out, const ank_cells *cells, size_t count, anorank_resolution resolution);

/* Whole steps of the resolution since 1970 of a time in seconds, rounded as text is; 0: no int64 holds it. */
int ank_time_steps(int64_t *out, double seconds, anorank_resolution resolution);

#endif
