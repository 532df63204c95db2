/* cells.h - convert arrays of any number type to the doubles of a table. */
#ifndef ANK_TABLE_CELLS_H
#define ANK_TABLE_CELLS_H

#include "core/status.h"

/* Return the bytes of one value; 0: unknown type. */
size_t ank_type_size(anorank_type type);

/* Return bit `i` of a bitmap in Arrow's order. Without a bitmap, all bits are set. */
static inline int ank_bit(const uint8_t *bits, size_t i) { return !bits || (bits[i >> 3] >> (i & 7) & 1); }

/* An array to read: value i is at data + i * stride, and is missing unless bit first_bit + i of `validity` is
 * set. */
typedef struct ank_cells {
  anorank_type type;
  const void *data;
  ptrdiff_t stride;
  const uint8_t *validity; /* NULL: none is missing */
  size_t first_bit;
} ank_cells;

/* Convert `count` values; missing ones become NaN. Returns `count`, or the index of the first 64-bit integer
 * that no double holds exactly. */
size_t ank_cells_numbers(double *out, const ank_cells *cells, size_t count);

/* Convert times in units of `resolution` to seconds. Rounded once; never fails. */
void ank_cells_seconds(double *out, const ank_cells *cells, size_t count, anorank_resolution resolution);

/* Convert a time in seconds to whole steps of the resolution since 1970, rounded as text is. Returns 0 if no
 * int64 holds it. */
int ank_time_steps(int64_t *out, double seconds, anorank_resolution resolution);

#endif
