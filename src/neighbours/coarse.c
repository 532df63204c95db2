/* coarse.c - see coarse.h: the integer codes of references and rows, and when to use them. */
#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "kernels/vector.h"
#include "neighbours/coarse_table.h"

enum {
  FEWEST_COLUMNS = 6, /* with fewer, computing all distances is as fast */
  ENOUGH = 64,        /* rows that test whether rounding decides enough */
  OFTEN = 3           /* it does not if more than one in this many stayed undecided */
};

/* ---- references --------------------------------------------------------------------------------------- */

static double value_at(const ank_coarse *coarse, size_t block, size_t lane, size_t column) {
  return (double)coarse->values[(block * coarse->dim + column) * ANK_LANES + lane];
}

/* Unused lanes are infinite in all columns. */
static int is_empty(const ank_coarse *coarse, size_t block, size_t lane) {
  return !(value_at(coarse, block, lane, 0) < INFINITY);
}

/* Round to whole steps, without calls, since every row comes through here. Any integer would be correct: the
 * search accounts for the rounding error. */
static double rounded(const ank_coarse *coarse, double value) {
  const double shift = 0x1.8p52, most = ANK_COARSE_MOST;
  double steps = value * coarse->per_step;
  steps = steps > most ? most : steps < -most ? -most : steps;
  return (steps + shift) - shift;
}

/* Rounding lengthens a reference by at most half a step per column. */
static void choose_step(ank_coarse *coarse) {
  double widest = 0, longest = 0, room = ANK_COARSE_LENGTH - sqrt((double)coarse->dim) / 2;
  for (size_t block = 0; block < coarse->sets * coarse->blocks; block++)
    for (size_t lane = 0; lane < ANK_LANES && !is_empty(coarse, block, lane); lane++) {
      double square = 0;
      for (size_t j = 0; j < coarse->dim; j++) {
        double value = value_at(coarse, block, lane, j);
        square += value * value;
        widest = fmax(widest, fabs(value));
      }
      longest = fmax(longest, sqrt(square));
    }
  coarse->step = fmax(fmax(widest / ANK_COARSE_MOST, longest / fmax(room, 1)), 1e-30);
  coarse->per_step = 1 / coarse->step;
  coarse->slack = ((double)coarse->dim + 8) * 0x1p-23;
}

/* Round a reference. Returns the squared distance between it and its code. */
static double round_reference(ank_coarse *coarse, size_t block, size_t lane) {
  int16_t *base = &coarse->bases[block * ANK_LANES + lane];
  double norm = 0, sum = 0, moved = 0;
  *base = ANK_NO_KEY;
  if (is_empty(coarse, block, lane)) return 0;
  for (size_t j = 0; j < coarse->dim; j++) {
    double value = value_at(coarse, block, lane, j), whole = rounded(coarse, value);
    norm += whole * whole;
    sum += whole;
    moved += (value - whole * coarse->step) * (value - whole * coarse->step);
    coarse->codes[((block * coarse->pairs + j / 2) * ANK_LANES + lane) * 2 + j % 2] = (int8_t)whole;
  }
  *base = (int16_t)(uint16_t)(int64_t)(floor(norm / 2) + ANK_COARSE_MOST * sum);
  return moved;
}

anorank_status ank_coarse_make(ank_coarse **out, const float *values, size_t sets, size_t blocks, size_t dim,
                               anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_coarse *coarse = NULL;
  double moved = 0;
  *out = NULL;
  ANK_TRY(ank_alloc(&coarse, 1, sizeof *coarse, err));
  coarse->values = values;
  coarse->sets = sets;
  coarse->blocks = blocks;
  coarse->dim = dim;
  coarse->pairs = dim / 2 + dim % 2;
  ANK_TRY(
      ank_alloc(&coarse->codes, sets * blocks * ANK_LANES, coarse->pairs * 2 * sizeof *coarse->codes, err));
  ANK_TRY(ank_alloc_raw(&coarse->bases, sets * blocks, ANK_LANES * sizeof *coarse->bases, err));
  choose_step(coarse);
  for (size_t block = 0; block < sets * blocks; block++)
    for (size_t lane = 0; lane < ANK_LANES; lane++) moved = fmax(moved, round_reference(coarse, block, lane));
  coarse->moved = sqrt(moved);
  ANK_HAND_OVER(out, coarse);
done:
  ank_coarse_free(coarse);
  return status;
}

void ank_coarse_free(ank_coarse *coarse) {
  if (!coarse) return;
  ank_free(coarse->codes);
  ank_free(coarse->bases);
  ank_free(coarse);
}

size_t ank_coarse_bytes(const ank_coarse *coarse) {
  return sizeof *coarse + coarse->sets * coarse->blocks * ANK_LANES *
                              (coarse->pairs * 2 * sizeof *coarse->codes + sizeof *coarse->bases);
}

/* ---- rows --------------------------------------------------------------------------------------------- */

anorank_status ank_coarse_rows_make(ank_coarse_rows *out, const ank_coarse *coarse, size_t most,
                                    anorank_error *err) {
  anorank_status status = ANORANK_OK;
  *out = (ank_coarse_rows){0};
  ANK_TRY(ank_alloc_raw(&out->some, most, coarse->dim * sizeof *out->some, err));
  ANK_TRY(ank_alloc_raw(&out->found, most, sizeof *out->found, err));
  ANK_TRY(ank_alloc_raw(&out->open, most, sizeof *out->open, err));
  ANK_TRY(ank_alloc_raw(&out->codes, most, coarse->pairs * sizeof *out->codes, err));
  ANK_TRY(ank_alloc(&out->norm, most + ANK_GROUP, sizeof *out->norm, err));
  ANK_TRY(ank_alloc(&out->margin, most + ANK_GROUP, sizeof *out->margin, err));
done:
  if (status != ANORANK_OK) ank_coarse_rows_free(out);
  return status;
}

void ank_coarse_rows_free(ank_coarse_rows *rows) {
  ank_free(rows->some);
  ank_free(rows->found);
  ank_free(rows->open);
  ank_free(rows->codes);
  ank_free(rows->norm);
  ank_free(rows->margin);
  *rows = (ank_coarse_rows){0};
}

/* Return whether codes help. With many columns the step is too long, and keys do not fit 16 bits. */
static int is_useful(const ank_coarse *coarse) {
  return coarse->dim >= FEWEST_COLUMNS && coarse->dim <= ANK_COARSE_LENGTH && ank_kernels_are_fast();
}

/* A row that is too long has an infinite margin, so it stays undecided. */
static void round_row(ank_coarse_rows *rows, const ank_coarse *coarse, size_t i) {
  uint32_t *codes = rows->codes + i * coarse->pairs;
  double norm = 0, moved = 0;
  codes[coarse->pairs - 1] = 0;
  for (size_t j = 0; j < coarse->dim; j++) {
    double value = (double)rows->rows[i * coarse->dim + j], whole = rounded(coarse, value);
    uint32_t code = (uint32_t)((int)whole + ANK_COARSE_MOST) * 0x10001;
    norm += whole * whole;
    moved += (value - whole * coarse->step) * (value - whole * coarse->step);
    codes[j / 2] = j % 2 ? codes[j / 2] | code << 8 : code;
  }
  rows->norm[i] = norm;
  rows->margin[i] = (2 * (sqrt(moved) + coarse->moved) * (1 + 2 * coarse->slack) + 1e-18) * coarse->per_step;
  if (norm > ANK_COARSE_LENGTH * ANK_COARSE_LENGTH) rows->margin[i] = INFINITY;
}

void ank_coarse_take(ank_coarse_rows *rows, const ank_coarse *coarse, const float *values, size_t count) {
  rows->rows = values;
  rows->count = count;
  rows->asked = rows->opened = 0;
  if (!is_useful(coarse)) return;
  for (size_t i = 0; i < count; i++) round_row(rows, coarse, i);
}

void ank_coarse_nearest(float *out, const ank_coarse *coarse, size_t set, ank_coarse_rows *rows) {
  const float *blocks = coarse->values + set * coarse->blocks * coarse->dim * ANK_LANES;
  if (!is_useful(coarse) || (rows->asked >= ENOUGH && rows->opened > rows->asked / OFTEN)) {
    ank_nearest(out, rows->rows, rows->count, coarse->dim, blocks, coarse->blocks);
    return;
  }
  size_t open = ank_coarse_avx2.nearest(out, coarse, set, rows);
  rows->asked += rows->count;
  rows->opened += open;
  if (open == 0) return;
  for (size_t i = 0; i < open; i++)
    memcpy(rows->some + i * coarse->dim, rows->rows + rows->open[i] * coarse->dim,
           coarse->dim * sizeof *rows->some);
  ank_nearest(rows->found, rows->some, open, coarse->dim, blocks, coarse->blocks);
  for (size_t i = 0; i < open; i++) out[rows->open[i]] = rows->found[i];
}
