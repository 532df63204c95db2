/* space.c - apply, save and load the maps of space.h; space_fit.c learns them. */
#include "neighbours/space.h"

#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "kernels/normal.h"

#define LIMIT 1e16

static float cut(double y) { return (float)(y < -LIMIT ? -LIMIT : y < LIMIT ? y : LIMIT); }

void ank_spaces_hold(float *out, const ank_spaces *spaces, const double *rows, size_t count) {
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < spaces->dim; j++) {
      const ank_space_column *column = &spaces->column[j];
      out[i * spaces->dim + j] = cut((rows[i * spaces->dim + j] - column->centre) / column->unit);
    }
}

static float normal_of(const ank_space_column *column, float y, int open) {
  size_t from = 0, count = column->knots; /* the first knot at or above y */
  while (count > 0) {
    size_t half = count / 2;
    if (column->value[from + half] < y) {
      from += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  if (from == column->knots) {
    double beyond = (double)y - (double)column->value[from - 1];
    return (float)((double)column->knot[from - 1].upto + (open ? log1p(beyond) : 0));
  }
  if (column->value[from] == y) return column->knot[from].at;
  if (from == 0) {
    double beyond = (double)column->value[0] - (double)y;
    return (float)((double)column->knot[0].below - (open ? log1p(beyond) : 0));
  }
  float low = column->knot[from - 1].upto, high = column->knot[from].below;
  if (!(low < high)) return low;
  double share = ((double)y - (double)column->value[from - 1]) /
                 ((double)column->value[from] - (double)column->value[from - 1]);
  return (float)((double)low + share * ((double)high - (double)low));
}

/* Return the normal score of the range space. Beyond a knot at the end it continues as the logarithm of the
 * distance from the median over that knot's. Unlike the standard deviation, the knot does not depend on the
 * row. `first` and `last` are the knots at the ends. */
static float scored_of(const ank_space_column *column, float y, size_t first, size_t last) {
  double low = (double)column->value[first], high = (double)column->value[last];
  double span = high > low ? high - low : 1, over = (double)y - high, under = low - (double)y;
  if (over > 0)
    return (float)((double)column->knot[column->knots - 1].upto + log1p(over / (high > 0 ? high : span)));
  if (under > 0) return (float)((double)column->knot[0].below - log1p(under / (low < 0 ? -low : span)));
  return normal_of(column, y, 0);
}

/* Return the score of a training row without itself: an end that it alone has lies beyond the next knot. */
static float scored_without(const ank_space_column *column, float y) {
  size_t last = column->knots - 1;
  if (last == 0) return scored_of(column, y, 0, 0);
  return scored_of(column, y, y == column->end[0].value, last - (y == column->end[1].value));
}

void ank_spaces_range(float *out, const ank_spaces *spaces, const double *factor, const float *held,
                      int left_out) {
  for (size_t j = 0; j < spaces->dim; j++) {
    const ank_space_column *column = &spaces->column[j];
    float y = held[j];
    if (spaces->scored && column->knots > 0)
      y = left_out ? scored_without(column, y) : scored_of(column, y, 0, column->knots - 1);
    out[j] = cut((double)y * factor[j]);
  }
}

void ank_spaces_map(float *out, const ank_spaces *spaces, anorank_space space, const float *held,
                    size_t count) {
  size_t dim = spaces->dim;
  if (out != held) memcpy(out, held, count * dim * sizeof *out);
  if (space == ANORANK_SPACE_STANDARD) return;
  for (size_t j = 0; j < dim; j++) {
    const ank_space_column *column = &spaces->column[j];
    if (space == ANORANK_SPACE_RANGE) {
      if (spaces->scored && column->knots > 0)
        for (size_t i = 0; i < count; i++)
          out[i * dim + j] = scored_of(column, out[i * dim + j], 0, column->knots - 1);
      for (size_t i = 0; i < count; i++) out[i * dim + j] = cut((double)out[i * dim + j] * column->factor);
    } else if (column->knots > 0) {
      for (size_t i = 0; i < count; i++) out[i * dim + j] = normal_of(column, out[i * dim + j], spaces->open);
    }
  }
}

int ank_spaces_without(double *factor, const ank_spaces *spaces, const float *held) {
  double all = 0, without = 0;
  int ends = 0;
  for (size_t j = 0; j < spaces->dim; j++) {
    const ank_space_column *column = &spaces->column[j];
    double variance = fmax(column->variance, 0);
    factor[j] = column->factor;
    all += variance;
    for (size_t e = 0; e < 2 && column->variance >= 0; e++)
      if (held[j] == column->end[e].value) {
        ends = 1;
        variance = column->end[e].variance;
        factor[j] *= column->end[e].stretch;
      }
    without += variance;
  }
  for (size_t j = 0; ends && j < spaces->dim; j++)
    if (spaces->column[j].variance >= 0) factor[j] *= sqrt(all / without);
  return ends;
}

anorank_space ank_spaces_first(const ank_spaces *spaces, anorank_space space) {
  for (size_t j = 0; space == ANORANK_SPACE_NORMAL && j < spaces->dim; j++)
    if (spaces->column[j].knots > 0) return space;
  return space == ANORANK_SPACE_NORMAL ? ANORANK_SPACE_STANDARD : space;
}

int ank_spaces_holds(const float *held, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!(fabsf(held[i]) <= (float)LIMIT)) return 0;
  return 1;
}

/* ---- memory ------------------------------------------------------------------------------------------ */

void ank_spaces_free(ank_spaces *spaces) {
  for (size_t j = 0; spaces->column && j < spaces->dim; j++) {
    ank_free(spaces->column[j].value);
    ank_free(spaces->column[j].below);
    ank_free(spaces->column[j].upto);
    ank_free(spaces->column[j].knot);
  }
  ank_free(spaces->column);
  *spaces = (ank_spaces){0};
}

anorank_status ank_spaces_shape(ank_spaces *out, size_t dim, size_t rows, anorank_error *err) {
  *out = (ank_spaces){.dim = dim, .rows = rows};
  return ank_alloc(&out->column, dim, sizeof *out->column, err);
}

static float normal_score(double count, size_t rows, double spread) {
  return (float)(ank_normal_quantile((count + 0.5) / ((double)rows + 1)) / spread);
}

anorank_status ank_space_place_knots(ank_space_column *column, size_t rows, anorank_error *err) {
  ANK_CHECK(ank_alloc(&column->knot, column->knots, sizeof *column->knot, err));
  for (size_t k = 0; k < column->knots; k++) {
    double below = column->below[k], upto = column->upto[k];
    column->knot[k] = (ank_knot){normal_score(below, rows, column->spread),
                                 normal_score((below + upto) / 2, rows, column->spread),
                                 normal_score(upto, rows, column->spread)};
  }
  return ANORANK_OK;
}

size_t ank_spaces_bytes(const ank_spaces *spaces) {
  size_t bytes = spaces->dim * sizeof *spaces->column;
  for (size_t j = 0; j < spaces->dim; j++)
    bytes += spaces->column[j].knots * (sizeof(float) + 2 * sizeof(uint32_t) + sizeof(ank_knot));
  return bytes;
}

/* ---- files ------------------------------------------------------------------------------------------- */

anorank_status ank_spaces_save(const ank_spaces *spaces, ank_bytes *out, anorank_error *err) {
  ANK_CHECK(ank_bytes_put_u64(out, spaces->dim, err));
  ANK_CHECK(ank_bytes_put_u64(out, spaces->rows, err));
  for (size_t j = 0; j < spaces->dim; j++) {
    const ank_space_column *column = &spaces->column[j];
    ANK_CHECK(ank_bytes_put_f64(out, column->centre, err));
    ANK_CHECK(ank_bytes_put_f64(out, column->unit, err));
    ANK_CHECK(ank_bytes_put_f64(out, column->factor, err));
    ANK_CHECK(ank_bytes_put_f64(out, column->spread, err));
    ANK_CHECK(ank_bytes_put_f32s(out, column->value, column->knots, err));
    ANK_CHECK(ank_bytes_put_u32s(out, column->below, column->knots, err));
    ANK_CHECK(ank_bytes_put_u32s(out, column->upto, column->knots, err));
  }
  return ANORANK_OK;
}

/* Check the invariants of the maps: finite numbers, ascending values, non-decreasing counts. */
static int sound(const ank_space_column *column, size_t rows) {
  if (!isfinite(column->centre) || !(column->unit > 0) || !isfinite(column->unit) || !(column->factor > 0) ||
      !isfinite(column->factor) || !(column->spread > 1e-9) || !isfinite(column->spread))
    return 0;
  for (size_t k = 0; k < column->knots; k++) {
    if (!isfinite(column->value[k]) || column->below[k] > column->upto[k] || column->upto[k] > rows) return 0;
    if (k > 0 && (!(column->value[k - 1] < column->value[k]) || column->upto[k - 1] > column->below[k]))
      return 0;
  }
  return 1;
}

static anorank_status load_column(ank_space_column *column, size_t rows, ank_cursor *in, anorank_error *err) {
  size_t below, upto;
  ANK_CHECK(ank_cursor_f64(in, &column->centre, err));
  ANK_CHECK(ank_cursor_f64(in, &column->unit, err));
  ANK_CHECK(ank_cursor_f64(in, &column->factor, err));
  ANK_CHECK(ank_cursor_f64(in, &column->spread, err));
  ANK_CHECK(ank_cursor_f32s(in, &column->value, &column->knots, err));
  ANK_CHECK(ank_cursor_u32s(in, &column->below, &below, err));
  ANK_CHECK(ank_cursor_u32s(in, &column->upto, &upto, err));
  if (below != column->knots || upto != column->knots || !sound(column, rows))
    return ank_fail(err, ANORANK_ERROR_MODEL, "model-column-map",
                    "the model is damaged: one of its column maps is invalid");
  column->variance = -1;
  if (column->knots > 0) ANK_CHECK(ank_space_place_knots(column, rows, err));
  return ANORANK_OK;
}

anorank_status ank_spaces_load(ank_spaces *out, ank_cursor *in, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t dim, rows;
  *out = (ank_spaces){0};
  /* A column takes at least 56 bytes: a damaged count cannot request more memory than the file is long. */
  ANK_TRY(ank_cursor_size(in, &dim, 1, in->length / 56, "the number of columns", err));
  ANK_TRY(ank_cursor_size(in, &rows, 1, UINT32_MAX, "the number of rows", err));
  ANK_TRY(ank_spaces_shape(out, dim, rows, err));
  for (size_t j = 0; j < dim; j++) ANK_TRY(load_column(&out->column[j], rows, in, err));
done:
  if (status != ANORANK_OK) ank_spaces_free(out);
  return status;
}
