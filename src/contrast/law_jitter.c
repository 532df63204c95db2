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
#define MOST_PANELS 4096
#define FARTHEST 40.0 /* no normal draw is as many deviations from 0 */

/* A node of the quadrature over log s that the density needs. */
typedef struct {
  double log_weight; /* the weights add up to 1 */
  double log_s, s, half_precision /* 1 / (2 s^2) */;
} node;

typedef struct {
  double sd, log_sd; /* of numbers */
  size_t levels;     /* of a category; 0 for numbers */
} width;

typedef struct {
  const anorank_table *data;
  width *widths;
  node *nodes;
  size_t node_count, categories;
  double from, to;
} jitter;

/* 8 points of Gauss and Legendre on [-1, 1]: (point, weight), the other four mirrored. */
static const double gauss[4][2] = {{0.1834346424956498, 0.3626837833783620},
                                   {0.5255324099163290, 0.3137066458778873},
                                   {0.7966664774136267, 0.2223810344533745},
                                   {0.9602898564975363, 0.1012285362903763}};

static node node_at(double log_s, double weight) {
  double s = exp(log_s);
  return (node){.log_weight = log(weight), .log_s = log_s, .s = s, .half_precision = 0.5 / s / s};
}

/* As a function of t = log s a row's density is exp(-d t - q exp(-2 t) / 2): it falls by e^8 over a panel of
 * 8 / d at most, which 8 points follow to about 1e-6. */
static anorank_status make_nodes(jitter *law, size_t dim, anorank_error *err) {
  double start = log(law->from), length = log(law->to) - start;
  double most = dim > 8 ? 8 / (double)dim : 1, wanted = ceil(length / most);
  size_t panels = wanted > MOST_PANELS ? MOST_PANELS : wanted < 1 ? 1 : (size_t)wanted;
  anorank_status status = ank_alloc(&law->nodes, 8 * panels, sizeof *law->nodes, err);
  if (status != ANORANK_OK) return status;
  if (!(length > 0)) {
    law->nodes[law->node_count++] = node_at(start, 1);
    return ANORANK_OK;
  }
  double half = length / (double)panels / 2;
  for (size_t p = 0; p < panels; p++)
    for (size_t g = 0; g < 8; g++) {
      double point = g < 4 ? gauss[g][0] : -gauss[g - 4][0];
      law->nodes[law->node_count++] =
          node_at(start + half * (2 * (double)p + 1 + point), gauss[g % 4][1] / 2 / (double)panels);
    }
  return ANORANK_OK;
}

static anorank_status measure(width *out, const anorank_table *data, size_t column, double most_s,
                              anorank_error *err) {
  char quoted[ANK_QUOTE_SIZE];
  ank_column_facts facts;
  *out = (width){0};
  if (data->column[column].kind == ANORANK_CATEGORICAL)
    return ank_column_levels(&out->levels, data, column, NAME, err);
  anorank_status status = ank_column_measure(&facts, data, column, NAME, err);
  if (status != ANORANK_OK) return status;
  out->sd = facts.sd;
  out->log_sd = log(facts.sd);
  double reach = FARTHEST * most_s * facts.sd;
  if (isfinite(facts.low - reach) && isfinite(facts.high + reach)) return ANORANK_OK;
  return ank_fail(err, ANORANK_ERROR_DATA, "contrast-too-wide",
                  "column '%s' with noise of %g standard deviations is too wide; scale it or lower jitter-to",
                  ank_column_quote(quoted, data, column), most_s);
}

static void free_jitter(void *state) {
  jitter *law = state;
  if (!law) return;
  ank_free(law->widths);
  ank_free(law->nodes);
  ank_free(law);
}

static anorank_status open_jitter(void **state, const anorank_table *data, const anorank_settings *settings,
                                  anorank_error *err) {
  anorank_status status = ANORANK_OK;
  jitter *law = NULL;
  size_t varying = 0;
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
  for (size_t j = 0; j < data->columns; j++) {
    ANK_TRY(measure(&law->widths[j], data, j, law->to, err));
    varying += law->widths[j].sd > 0;
    law->categories += law->widths[j].levels > 0;
  }
  ANK_TRY(make_nodes(law, varying, err));
  *state = law;
  law = NULL;
done:
  free_jitter(law);
  return status;
}

static double swap_chance(double s) { return s / (1 + s); }

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
    double s = exp(start + length * ank_rng_uniform(&rng)), chance = swap_chance(s);
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

/* log(exp(sum) + exp(term)), kept as largest term and sum over it. */
typedef struct {
  double top, sum;
} log_sum;

static void add_term(log_sum *total, double term) {
  if (term <= total->top) {
    total->sum += exp(term - total->top);
  } else {
    total->sum = total->sum * exp(total->top - term) + 1;
    total->top = term;
  }
}

/* What a row of the table and one of the data have to do with each other whatever s is. */
typedef struct {
  double square; /* sum of ((x - x_j) / sd)^2 */
  double log_volume, free;
} gap;

/* 0 where the law cannot lead from the data's row to the other. */
static int measure_gap(gap *out, const jitter *law, const anorank_table *rows, size_t i, size_t row) {
  *out = (gap){0};
  for (size_t j = 0; j < rows->columns; j++) {
    const width *w = &law->widths[j];
    if (w->levels) {
      int32_t a = rows->column[j].codes[i], b = law->data->column[j].codes[row];
      if ((a < 0) != (b < 0) || (a >= 0 && (size_t)a >= w->levels)) return 0;
      continue;
    }
    double a = rows->column[j].numbers[i], b = law->data->column[j].numbers[row];
    if (isnan(a) || isnan(b)) {
      if (!isnan(a) || !isnan(b)) return 0;
    } else if (w->sd > 0) {
      double z = (a - b) / w->sd;
      out->square += z * z;
      out->log_volume += w->log_sd + 0.5 * log(2 * M_PI);
      out->free++;
    } else if (a != b) {
      return 0;
    }
  }
  return isfinite(out->square);
}

static double log_categories(const jitter *law, const anorank_table *rows, size_t i, size_t row, double s) {
  double sum = 0, chance = swap_chance(s);
  for (size_t j = 0; law->categories && j < rows->columns; j++) {
    if (law->widths[j].levels == 0) continue;
    int32_t a = rows->column[j].codes[i], b = law->data->column[j].codes[row];
    if (a < 0) continue;
    sum += log((a == b ? 1 - chance : 0) + chance / (double)law->widths[j].levels);
  }
  return sum;
}

/* The mean over the data's rows and over s. O(rows of the data times nodes) for each row. */
static void log_density_jitter(const void *state, const anorank_table *rows, size_t first, size_t count,
                               double *out) {
  const jitter *law = state;
  for (size_t i = first; i < first + count; i++) {
    log_sum total = {-INFINITY, 0};
    for (size_t row = 0; row < law->data->rows; row++) {
      gap g;
      if (!measure_gap(&g, law, rows, i, row)) continue;
      for (size_t k = 0; k < law->node_count; k++) {
        const node *n = &law->nodes[k];
        double term = n->log_weight - g.log_volume - g.free * n->log_s - g.square * n->half_precision;
        add_term(&total, term + log_categories(law, rows, i, row, n->s));
      }
    }
    out[i - first] = total.top + log(total.sum) - log((double)law->data->rows);
    if (total.top == -INFINITY) out[i - first] = -INFINITY;
  }
}

static ank_spreads spreads_jitter(const void *state, size_t column) {
  return ((const jitter *)state)->widths[column].sd > 0 ? ANK_SPREADS_FREELY : ANK_SPREADS_NOT;
}

const ank_law ank_law_jitter = {
    .info = {"jitter", "rows of the data with noise of a random width; categories change now and then",
             "jitter-from jitter-to", 2},
    .open = open_jitter,
    .draw = draw_jitter,
    .log_density = log_density_jitter,
    .spreads = spreads_jitter,
    .free = free_jitter,
};
