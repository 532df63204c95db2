/* blend_tail.c - tails of a single numeric column: rows farther out are not less abnormal (blend.h). */
#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "core/method_constants.h"
#include "kernels/sort.h"
#include "scorers/blend.h"

static double outward(double value, size_t side) { return side ? value : -value; }

/* Return the only column that is neither an indicator nor part of a category; `dim` if there is none or more
 * than one. */
static size_t only_number(size_t dim, const unsigned char *as_given) {
  size_t found = dim;
  for (size_t j = 0; j < dim; j++) {
    if (as_given && as_given[j] == 2) return dim;
    if (as_given && as_given[j]) continue;
    if (found < dim) return dim;
    found = j;
  }
  return found;
}

/* Find the rows beyond `edge`, one per value, from the bulk outward. Returns their number. */
static size_t beyond(size_t *place, const ank_matrix *rows, size_t column, size_t side, double edge) {
  size_t count = 0;
  for (size_t i = 0; i < rows->rows; i++) {
    double value = outward(rows->values[i * rows->dim + column], side);
    size_t at = count;
    if (!(value > edge)) continue;
    while (at > 0 && outward(rows->values[place[at - 1] * rows->dim + column], side) > value) at--;
    if (at > 0 && outward(rows->values[place[at - 1] * rows->dim + column], side) == value) continue;
    memmove(place + at + 1, place + at, (count - at) * sizeof *place);
    place[at] = i;
    count++;
  }
  return count;
}

void ank_blend_tail_settle(ank_blend *blend) {
  ank_blend_tail *tail = &blend->tail;
  for (size_t s = 0; s < 2; s++)
    for (size_t k = 0; tail->values[s] && k < tail->count[s]; k++) {
      double own = ank_blend_sum(blend, tail->values[s] + k, tail->count[s]);
      tail->least[s][k] = k > 0 ? fmax(own, tail->least[s][k - 1] + ANK_BLEND_TAIL_STEP) : own;
    }
}

static anorank_status add_side(ank_blend *blend, size_t side, const ank_matrix *rows, const size_t *place,
                               size_t count, int kept, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_blend_tail *tail = &blend->tail;
  uint32_t own[ANK_BLEND_BLOCK];
  double *chosen = NULL;
  if (count == 0) return ANORANK_OK;
  ANK_TRY(ank_alloc_raw(&tail->at[side], count, sizeof **tail->at, err));
  ANK_TRY(ank_alloc_raw(&tail->least[side], count, sizeof **tail->least, err));
  ANK_TRY(ank_alloc_raw(&tail->values[side], count, ANK_BLEND_PARTS * sizeof **tail->values, err));
  ANK_TRY(ank_gather(&chosen, rows, place, count, err));
  for (size_t k = 0; k < count; k++) {
    own[k] = (uint32_t)place[k];
    tail->at[side][k] = outward(chosen[k * rows->dim + tail->column], side);
  }
  ank_matrix some = {chosen, count, rows->dim};
  ANK_TRY(ank_blend_values(tail->values[side], blend, &some, kept ? own : NULL, err));
  tail->count[side] = count;
done:
  ank_free(chosen);
  return status;
}

anorank_status ank_blend_add_tail(ank_blend *blend, const ank_matrix *rows, const unsigned char *as_given,
                                  int kept, const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t column = only_number(rows->dim, as_given), place[ANK_BLEND_BLOCK];
  size_t most = (size_t)((double)rows->rows * ANK_BLEND_TAIL_SHARE);
  double *sorted = NULL;
  if (most < ANK_BLEND_TAIL_LEAST) most = ANK_BLEND_TAIL_LEAST;
  if (most > ANK_BLEND_BLOCK) most = ANK_BLEND_BLOCK;
  if (column == rows->dim || rows->rows <= 2 * most) return ANORANK_OK;
  ANK_TRY(ank_alloc_raw(&sorted, rows->rows, sizeof *sorted, err));
  for (size_t i = 0; i < rows->rows; i++) sorted[i] = rows->values[i * rows->dim + column];
  ANK_TRY(ank_sort(sorted, rows->rows, settings, err));
  blend->tail.column = column;
  for (size_t s = 0; s < 2; s++) {
    double edge = outward(sorted[s ? rows->rows - 1 - most : most], s);
    ANK_TRY(add_side(blend, s, rows, place, beyond(place, rows, column, s, edge), kept, err));
  }
  ank_blend_tail_settle(blend);
done:
  ank_free(sorted);
  return status;
}

double ank_blend_tail_least(const ank_blend_tail *tail, const double *row) {
  for (size_t s = 0; s < 2; s++) {
    double value = outward(row[tail->column], s);
    size_t from = 0, count = tail->count[s]; /* the first position beyond the value */
    while (count > 0) {
      size_t half = count / 2;
      if (tail->at[s][from + half] <= value) {
        from += half + 1;
        count -= half + 1;
      } else {
        count = half;
      }
    }
    if (from > 0) return tail->least[s][from - 1];
  }
  return -INFINITY;
}

int ank_blend_tail_is_there(const ank_blend_tail *tail) { return tail->count[0] + tail->count[1] > 0; }

/* ---- memory and files -------------------------------------------------------------------------------- */

size_t ank_blend_tail_bytes(const ank_blend_tail *tail) {
  return (tail->count[0] + tail->count[1]) * 2 * sizeof(double);
}

anorank_status ank_blend_tail_save(const ank_blend_tail *tail, ank_bytes *out, anorank_error *err) {
  ANK_CHECK(ank_bytes_put_u64(out, tail->column, err));
  for (size_t s = 0; s < 2; s++) {
    ANK_CHECK(ank_bytes_put_f64s(out, tail->at[s], tail->count[s], err));
    ANK_CHECK(ank_bytes_put_f64s(out, tail->least[s], tail->count[s], err));
  }
  return ANORANK_OK;
}

anorank_status ank_blend_tail_load(ank_blend_tail *tail, size_t dim, ank_cursor *in, anorank_error *err) {
  int sound = 1;
  ANK_CHECK(ank_cursor_size(in, &tail->column, 0, dim - 1, "the column of the tails", err));
  for (size_t s = 0; s < 2; s++) {
    size_t count;
    ANK_CHECK(ank_cursor_f64s(in, &tail->at[s], &tail->count[s], err));
    ANK_CHECK(ank_cursor_f64s(in, &tail->least[s], &count, err));
    if (count != tail->count[s]) sound = 0;
    for (size_t k = 0; sound && k < count; k++)
      sound = isfinite(tail->at[s][k]) && isfinite(tail->least[s][k]) &&
              (k == 0 || (tail->at[s][k] > tail->at[s][k - 1] && tail->least[s][k] >= tail->least[s][k - 1]));
  }
  if (!sound)
    return ank_fail(err, ANORANK_ERROR_MODEL, "model-blend",
                    "the model is damaged: one part of its blend is invalid");
  return ANORANK_OK;
}

void ank_blend_tail_free(ank_blend_tail *tail) {
  for (size_t s = 0; s < 2; s++) {
    ank_free(tail->at[s]);
    ank_free(tail->least[s]);
    ank_free(tail->values[s]);
  }
  *tail = (ank_blend_tail){0};
}
