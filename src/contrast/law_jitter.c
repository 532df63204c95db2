/* law_jitter.c - rows of the data, shaken: U = x_j + s sd e with j a random row, s log-uniform on
 * [jitter-from, jitter-to] (one s for the row), sd each column's standard deviation and e ~ N(0, 1). Near the
 * data in any number of columns, so it does not go blind where uniform laws do.
 *
 * A category becomes a uniform level (perhaps its own) with probability s / (1 + s): hardly ever for small s,
 * half the time for s = 1. Missing cells stay missing, so U has gaps where the data have them and nobody can
 * tell X from U by them; a constant column stays constant. The law keeps the data, which must outlive it. */
#include <math.h>

#include "contrast/column.h"
#include "contrast/law.h"
#include "core/alloc.h"

#define NAME ank_law_jitter.info.name
#define FARTHEST 40.0 /* no normal draw is as many deviations from 0 */

typedef struct {
  double sd;     /* of numbers */
  size_t levels; /* of a category; 0 for numbers */
} width;

typedef struct {
  const anorank_table *data;
  width *widths;
  double from, to;
} jitter;

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

static void free_jitter(void *state) {
  jitter *law = state;
  if (!law) return;
  ank_free(law->widths);
  ank_free(law);
}

static anorank_status open_jitter(void **state, const anorank_table *data, const anorank_settings *settings,
                                  anorank_error *err) {
  anorank_status status = ANORANK_OK;
  jitter *law = NULL;
  *state = NULL;
  if (settings->jitter_from > settings->jitter_to)
    ANK_FAIL(ANORANK_ERROR_USAGE, "jitter-order",
             "jitter-from is %g and jitter-to is %g; from must not be above to", settings->jitter_from,
             settings->jitter_to);
  if (data->rows == 0)
    ANK_FAIL(ANORANK_ERROR_DATA, "contrast-no-rows", "the data have no rows to draw around");
  ANK_TRY(ank_alloc(&law, 1, sizeof *law, err));
  law->data = data;
  law->from = settings->jitter_from;
  law->to = settings->jitter_to;
  ANK_TRY(ank_alloc(&law->widths, data->columns, sizeof *law->widths, err));
  for (size_t j = 0; j < data->columns; j++) ANK_TRY(measure(&law->widths[j], data, j, law->to, err));
  *state = law;
  law = NULL;
done:
  free_jitter(law);
  return status;
}

size_t ank_jitter_row(uint64_t seed, uint64_t index, size_t rows) {
  ank_rng rng;
  ank_rng_open(&rng, seed, ank_law_stream(&ank_law_jitter), index);
  return (size_t)ank_rng_below(&rng, rows);
}

static anorank_status draw_jitter(const void *state, const ank_draw *draw, anorank_error *err) {
  (void)err;
  const jitter *law = state;
  double start = log(law->from), length = log(law->to) - start;
  for (size_t i = 0; i < draw->count; i++) {
    ank_rng rng;
    ank_draw_row(&rng, draw, i);
    size_t row = (size_t)ank_rng_below(&rng, law->data->rows); /* the first word: ank_jitter_row knows it */
    double s = exp(start + length * ank_rng_uniform(&rng)), chance = s / (1 + s);
    for (size_t j = 0; j < law->data->columns; j++) {
      const ank_column *from = &law->data->column[j];
      ank_column *to = &draw->table->column[j];
      if (law->widths[j].levels == 0) {
        double sd = law->widths[j].sd, e = sd > 0 ? s * sd * ank_rng_normal(&rng) : 0;
        to->numbers[draw->first + i] = from->numbers[row] + e;
      } else {
        int32_t code = from->codes[row];
        if (code >= 0 && ank_rng_uniform(&rng) < chance)
          code = (int32_t)ank_rng_below(&rng, law->widths[j].levels);
        to->codes[draw->first + i] = code;
      }
    }
  }
  return ANORANK_OK;
}

const ank_law ank_law_jitter = {
    .info = {"jitter", "rows of the data with noise of a random width; categories change now and then",
             "jitter-from jitter-to", 2},
    .open = open_jitter,
    .draw = draw_jitter,
    .free = free_jitter,
};
