/* law_box.c - uniform on the smallest box that holds the data, widened by `pad` times its width on each side;
 * categories are uniform over their levels. Its volume is Lebesgue measure, as in the paper's definition of
 * the mass-volume curve, but hardly a row falls among the data beyond about 8 columns. */
#include <math.h>

#include "contrast/law.h"
#include "core/alloc.h"

typedef struct {
  double low, high;
  double half;   /* of the width: the width itself may be beyond the largest double */
  size_t levels; /* of a category; 0 for numbers */
} side;

typedef struct {
  side *sides;
  double log_density;
} box;

/* Range of a numeric column without its missing cells. */
static anorank_status measure(side *out, const anorank_table *data, size_t column, double pad,
                              anorank_error *err) {
  char quoted[ANK_QUOTE_SIZE];
  const double *x = data->column[column].numbers;
  double low = INFINITY, high = -INFINITY;
  for (size_t i = 0; i < data->rows; i++) {
    if (isinf(x[i]))
      return ank_fail(
          err, ANORANK_ERROR_DATA,
          "column '%s' is infinite in row %zu, so the data have no box; mend or leave out the row",
          ank_column_quote(quoted, data, column), i + 1);
    if (x[i] < low) low = x[i];
    if (x[i] > high) high = x[i];
  }
  if (low > high)
    return ank_fail(err, ANORANK_ERROR_DATA,
                    "column '%s' has no value, so the data have no box; leave it out",
                    ank_column_quote(quoted, data, column));
  double grow = high > low && pad > 0 ? 2 * (pad * (high / 2 - low / 2)) : 0;
  *out = (side){.low = low - grow, .high = high + grow};
  out->half = out->high / 2 - out->low / 2;
  if (!isfinite(out->low) || !isfinite(out->high))
    return ank_fail(err, ANORANK_ERROR_DATA, "column '%s' padded by %g is too wide; scale it or pad less",
                    ank_column_quote(quoted, data, column), pad);
  return ANORANK_OK;
}

static void free_box(void *state) {
  box *law = state;
  if (law) ank_free(law->sides);
  ank_free(law);
}

static anorank_status open_box(void **state, const anorank_table *data, const anorank_settings *settings,
                               anorank_error *err) {
  anorank_status status = ANORANK_OK;
  char quoted[ANK_QUOTE_SIZE];
  box *law = NULL;
  *state = NULL;
  if (data->rows == 0) ANK_FAIL(ANORANK_ERROR_DATA, "the data have no rows, so they have no box");
  ANK_TRY(ank_alloc(&law, 1, sizeof *law, err));
  ANK_TRY(ank_alloc(&law->sides, data->columns, sizeof *law->sides, err));
  for (size_t j = 0; j < data->columns; j++) {
    side *s = &law->sides[j];
    if (data->column[j].kind == ANORANK_NUMERIC) {
      ANK_TRY(measure(s, data, j, settings->pad, err));
      if (s->half > 0) law->log_density -= log(s->half) + log(2.0);
    } else {
      s->levels = data->column[j].levels.count;
      if (s->levels == 0)
        ANK_FAIL(ANORANK_ERROR_DATA, "column '%s' has no value, so the data have no box; leave it out",
                 ank_column_quote(quoted, data, j));
      law->log_density -= log((double)s->levels);
    }
  }
  *state = law;
  law = NULL;
done:
  free_box(law);
  return status;
}

static double draw_number(const side *s, double u) {
  double step = u * s->half, x = s->low + 2 * step;
  if (isinf(2 * step)) x = s->low + step + step;
  return x < s->high ? x : s->high;
}

static anorank_status draw_box(const void *state, const ank_draw *draw, anorank_error *err) {
  (void)err;
  const box *law = state;
  for (size_t i = 0; i < draw->count; i++) {
    ank_rng rng;
    ank_draw_row(&rng, draw, i);
    for (size_t j = 0; j < draw->table->columns; j++) {
      const side *s = &law->sides[j];
      ank_column *column = &draw->table->column[j];
      if (s->levels)
        column->codes[draw->first + i] = (int32_t)ank_rng_below(&rng, s->levels);
      else
        column->numbers[draw->first + i] = draw_number(s, ank_rng_uniform(&rng));
    }
  }
  return ANORANK_OK;
}

static void log_density_box(const void *state, const anorank_table *rows, size_t first, size_t count,
                            double *out) {
  const box *law = state;
  for (size_t i = 0; i < count; i++) out[i] = law->log_density;
  for (size_t j = 0; j < rows->columns; j++) {
    const side *s = &law->sides[j];
    for (size_t i = 0; i < count; i++) {
      int inside;
      if (s->levels) {
        int32_t code = rows->column[j].codes[first + i];
        inside = code >= 0 && (size_t)code < s->levels;
      } else {
        double x = rows->column[j].numbers[first + i];
        inside = x >= s->low && x <= s->high;
      }
      if (!inside) out[i] = -INFINITY;
    }
  }
}

const ank_law ank_law_box = {
    .info = {"box", "uniform on the range of each of the data's columns, and over the levels of categories",
             "pad", 2},
    .open = open_box,
    .draw = draw_box,
    .log_density = log_density_box,
    .free = free_box,
};
