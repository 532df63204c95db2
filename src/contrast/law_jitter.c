/* law_jitter.c - rows of the data plus noise: U = x_j + s sd e with j a random row, s log-uniform on
 * [jitter-from, jitter-to] (one s per row), sd each column's standard deviation and e ~ N(0, 1). Its rows lie
 * near the data, so unlike uniform laws it still works in many columns.
 *
 * A category becomes a uniform level (possibly the same) with probability s / (1 + s): hardly ever for small
 * s, half the time for s = 1. Missing cells stay missing, so U has gaps like the data and a scorer cannot
 * separate X from U by them; a constant column stays constant. */
#include <math.h>

#include "contrast/column.h"
#include "contrast/law.h"
#include "core/alloc.h"

#define NAME ank_law_jitter.info.name
#define FARTHEST 40.0 /* no normal draw deviates this much */

typedef struct {
  double sd;     /* of numbers */
  size_t levels; /* of a category; 0 for numbers */
} width;

static anorank_status measure(width *out, const anorank_table *data, size_t column, double most_s,
                              anorank_error *err) {
  char quoted[ANK_QUOTE_SIZE];
  ank_column_facts facts;
  *out = (width){0};
  if (data->column[column].kind == ANORANK_CATEGORICAL)
    return ank_column_levels(&out->levels, data, column, NAME, err);
  ANK_CHECK(ank_column_measure(&facts, data, column, NAME, err));
  out->sd = facts.sd;
  double reach = FARTHEST * most_s * facts.sd;
  if (isfinite(facts.low - reach) && isfinite(facts.high + reach)) return ANORANK_OK;
  (void)ank_fail(err, ANORANK_ERROR_DATA, "contrast-too-wide",
                 "column '%s' with noise of %g standard deviations is too wide; scale it or lower jitter-to",
                 ank_column_quote(quoted, data, column), most_s);
  ank_error_set_location(err, data->source, 0, data->column[column].name);
  return ANORANK_ERROR_DATA;
}

anorank_status ank_law_jitter_widths(const anorank_settings *settings, anorank_error *err) {
  if (settings->jitter_from <= settings->jitter_to) return ANORANK_OK;
  return ank_fail(err, ANORANK_ERROR_USAGE, "jitter-order",
                  "jitter-from (%g) is above jitter-to (%g); swap them", settings->jitter_from,
                  settings->jitter_to);
}

static anorank_status learn_widths(void **learned, const anorank_table *data,
                                   const anorank_settings *settings, anorank_error *err) {
  width *widths;
  ANK_CHECK(ank_law_jitter_widths(settings, err));
  ANK_CHECK(ank_law_needs_rows(data, err));
  ANK_CHECK(ank_alloc(&widths, data->columns, sizeof *widths, err));
  *learned = widths;
  for (size_t j = 0; j < data->columns; j++)
    ANK_CHECK(measure(&widths[j], data, j, settings->jitter_to, err));
  return ANORANK_OK;
}

static anorank_status draw_jitter(const ank_draw *draw, anorank_error *err) {
  (void)err;
  const width *widths = draw->learned;
  const anorank_table *data = draw->data;
  double start = log(draw->settings->jitter_from), length = log(draw->settings->jitter_to) - start;
  for (size_t i = 0; i < draw->count; i++) {
    ank_rng rng;
    ank_draw_row(&rng, draw, i);
    size_t row = (size_t)ank_rng_below(&rng, data->rows); /* the first word: made_of_jitter */
    double s = exp(start + length * ank_rng_uniform(&rng)), chance = s / (1 + s);
    for (size_t j = 0; j < data->columns; j++) {
      const ank_column *from = &data->column[j];
      ank_column *to = &draw->table->column[j];
      if (widths[j].levels == 0) {
        double sd = widths[j].sd, e = sd > 0 ? s * sd * ank_rng_normal(&rng) : 0;
        to->numbers[draw->first + i] = from->numbers[row] + e;
      } else {
        int32_t code = from->codes[row];
        if (code >= 0 && ank_rng_uniform(&rng) < chance)
          code = (int32_t)ank_rng_below(&rng, widths[j].levels);
        to->codes[draw->first + i] = code;
      }
    }
  }
  return ANORANK_OK;
}

static size_t made_of_jitter(size_t *rows, const ank_origin *origin, uint64_t index) {
  ank_rng rng;
  ank_law_open(&rng, &ank_law_jitter, origin->settings, index);
  rows[0] = (size_t)ank_rng_below(&rng, origin->rows);
  return 1;
}

const ank_law ank_law_jitter = {
    .info = {"jitter", "rows of the data plus noise of random width; some categories are changed",
             "jitter-from jitter-to", 2},
    .learn = learn_widths,
    .draw = draw_jitter,
    .made_of = made_of_jitter,
};
