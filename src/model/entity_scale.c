/* entity_scale.c - see entity_scale.h. */
#include "model/entity_scale.h"

#include <math.h>

#include "core/alloc.h"
#include "core/method_constants.h"

#define REPEATS 3.0      /* so many rows in a row say as much as one: AR(1) noise with a coefficient of 1/2 */
#define MEAN_REPEATS 8.0 /* the same where a mean must hold for later rows: a coefficient of 0.78 */
#define LOG_NOISE 0.571  /* variance of the log of a mean absolute deviation, times rows: normal law */
#define HALF_WEIGHT 10.0 /* rows with which an entity has half of its weight in the lines */
#define MOST_STRETCH 1.4 /* log of a factor of 4 */

/* Numbers of one entity, or of a part of it. */
typedef struct moments {
  double rows, sum, apart; /* apart: sum of |score - mean of the entity| */
} moments;

/* The dependence of a statistic of entities on their number of rows, and the weight of one entity. */
typedef struct line {
  double at_one, slope; /* at log(rows) = 0, and per unit of it */
  double k;
} line;

static double line_at(const line *of, double rows) { return of->at_one + of->slope * log(fmax(rows, 1)); }

/* `noise`: variance of y times rows. */
static line fit_line(const double *rows, const double *y, size_t count, double noise) {
  double w = 0, wx = 0, wy = 0, wxx = 0, wxy = 0, between = 0, expected = 0;
  for (size_t e = 0; e < count; e++) {
    if (isnan(y[e])) continue;
    double x = log(rows[e]), u = rows[e] / (rows[e] + HALF_WEIGHT);
    w += u, wx += u * x, wy += u * y[e], wxx += u * x * x, wxy += u * x * y[e];
  }
  line out = {0, 0, INFINITY};
  if (!(w > 0)) return out;
  double spread = wxx / w - wx / w * (wx / w);
  out.slope = spread > 0.1 ? (wxy / w - wx / w * (wy / w)) / spread : 0;
  out.at_one = wy / w - out.slope * (wx / w);
  for (size_t e = 0; e < count; e++) {
    if (isnan(y[e])) continue;
    double u = rows[e] / (rows[e] + HALF_WEIGHT), off = y[e] - line_at(&out, rows[e]);
    between += u * off * off / w;
    expected += u * noise / rows[e] / w;
  }
  if (between > expected) out.k = noise / (between - expected);
  return out;
}

static double shrunk(const line *prior, double own, double rows) {
  double usual = line_at(prior, rows);
  return rows > 0 && isfinite(prior->k) && !isnan(own) ? usual + rows / (rows + prior->k) * (own - usual)
                                                       : usual;
}

typedef struct scales {
  line mean, spread;
  double centre, width; /* of all rows; width: log */
} scales;

static double log_apart(const moments *of) {
  return of->rows >= 3 && of->apart > 0 ? log(of->apart / (of->rows - 1)) : NAN;
}

static void judge(double *shift, double *stretch, const scales *all, const moments *of) {
  double mean = of->rows > 0 ? of->sum / of->rows : NAN;
  *shift = shrunk(&all->mean, mean, of->rows) - all->centre;
  *stretch = shrunk(&all->spread, log_apart(of), of->rows) - all->width;
  double known =
      of->rows + (isfinite(all->mean.k) ? all->mean.k : 1e9); /* what is known of the mean, in rows */
  *stretch += 0.5 * log1p(MEAN_REPEATS / fmax(known, 0.1));
  *stretch = fmax(-MOST_STRETCH, fmin(MOST_STRETCH, *stretch));
}

static double put_on(double centre, double score, double shift, double stretch) {
  return centre + (score - centre - shift) * exp(-stretch);
}

double ank_entity_scaled(const ank_entity_scale *scale, double score, ank_score_scale own) {
  return put_on(scale->centre, score, scale->shift + (double)own.shift, scale->stretch + (double)own.stretch);
}

/* The scores of all rows in the order of the sequences; NaN where a row has none. Entity e has from[e] .. from[e + 1] - 1. */
typedef struct ordered {
  double *score;
  unsigned char *part;
  size_t *from;
  moments *of; /* each entity */
} ordered;

static void ordered_free(ordered *rows) {
  ank_free(rows->score);
  ank_free(rows->part);
  ank_free(rows->from);
  ank_free(rows->of);
}

static anorank_status put_in_order(ordered *out, const double *scores, const size_t *rows, size_t count,
                                   const ank_sequences *sequences, const unsigned char *part, size_t *place,
                                   anorank_error *err) {
  size_t n = sequences->rows;
  ANK_CHECK(ank_alloc_raw(&out->score, n, sizeof *out->score, err));
  ANK_CHECK(ank_alloc_raw(&out->part, n, sizeof *out->part, err));
  ANK_CHECK(ank_alloc(&out->from, sequences->entities + 1, sizeof *out->from, err));
  ANK_CHECK(ank_alloc(&out->of, sequences->entities, sizeof *out->of, err));
  for (size_t k = 0; k < n; k++) {
    size_t row = sequences->order[k];
    place[row] = k;
    out->score[k] = NAN;
    out->part[k] = part[row];
    out->from[sequences->entity[row] + 1]++;
  }
  for (size_t e = 0; e < sequences->entities; e++) out->from[e + 1] += out->from[e];
  for (size_t k = 0; k < count; k++) out->score[place[rows[k]]] = scores[k];
  return ANORANK_OK;
}

/* Of the scores at from .. end - 1, `mean` being that of the entity. */
static moments add_up(const ordered *rows, size_t from, size_t end, double mean) {
  moments out = {0};
  for (size_t k = from; k < end; k++) {
    if (isnan(rows->score[k])) continue;
    out.rows++;
    out.sum += rows->score[k];
    out.apart += fabs(rows->score[k] - mean);
  }
  return out;
}

static anorank_status measure(scales *out, ordered *rows, size_t entities, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  double *numbers = NULL, total = 0, sum = 0, squares = 0, freedom = 0, width = 0, weight = 0;
  ANK_TRY(ank_alloc_raw(&numbers, 3 * entities, sizeof *numbers, err));
  double *mean = numbers + entities, *apart = mean + entities;
  for (size_t e = 0; e < entities; e++) {
    moments *of = &rows->of[e];
    *of = add_up(rows, rows->from[e], rows->from[e + 1], 0);
    double centre = of->rows > 0 ? of->sum / of->rows : NAN;
    *of = add_up(rows, rows->from[e], rows->from[e + 1], centre);
    for (size_t k = rows->from[e]; k < rows->from[e + 1]; k++)
      if (!isnan(rows->score[k])) squares += (rows->score[k] - centre) * (rows->score[k] - centre);
    total += of->rows, sum += of->sum, freedom += fmax(of->rows - 1, 0);
    numbers[e] = fmax(of->rows, 1);
    mean[e] = centre;
    apart[e] = log_apart(of);
    if (!isnan(apart[e])) width += of->rows * apart[e], weight += of->rows;
  }
  out->centre = total > 0 ? sum / total : 0;
  out->width = weight > 0 ? width / weight : 0;
  out->mean = fit_line(numbers, mean, entities, REPEATS * (freedom > 0 ? squares / freedom : 0));
  out->spread = fit_line(numbers, apart, entities, REPEATS * LOG_NOISE);
done:
  ank_free(numbers);
  return status;
}

/* Rescale each part of an entity by its other parts. */
static void rescale(ordered *rows, const scales *all, size_t entities) {
  for (size_t e = 0; e < entities; e++) {
    double mean = rows->of[e].rows > 0 ? rows->of[e].sum / rows->of[e].rows : 0, shift, stretch;
    for (size_t k = rows->from[e], end; k < rows->from[e + 1]; k = end) {
      for (end = k + 1; end < rows->from[e + 1] && rows->part[end] == rows->part[k];) end++;
      moments own = add_up(rows, k, end, mean), rest = rows->of[e];
      rest.rows -= own.rows, rest.sum -= own.sum, rest.apart -= own.apart;
      judge(&shift, &stretch, all, &rest);
      for (size_t i = k; i < end; i++) rows->score[i] = put_on(all->centre, rows->score[i], shift, stretch);
    }
  }
}

anorank_status ank_entity_scale_fit(ank_entity_scale *out, double *scores, const size_t *rows, size_t count,
                                    const ank_sequences *sequences, const unsigned char *part,
                                    ank_score_scale *own, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ordered in_order = {0};
  size_t *place = NULL, entities = sequences->entities;
  scales all;
  double shift, stretch;
  *out = (ank_entity_scale){0};
  if (entities < ANK_ENTITY_FEWEST) return ANORANK_OK;
  ANK_TRY(ank_alloc_raw(&place, sequences->rows, sizeof *place, err));
  ANK_TRY(put_in_order(&in_order, scores, rows, count, sequences, part, place, err));
  ANK_TRY(measure(&all, &in_order, entities, err));
  out->used = 1;
  out->centre = all.centre;
  judge(&out->shift, &out->stretch, &all, &(moments){0});
  for (size_t e = 0; e < entities; e++) {
    judge(&shift, &stretch, &all, &in_order.of[e]);
    own[e] = (ank_score_scale){(float)(shift - out->shift), (float)(stretch - out->stretch)};
  }
  rescale(&in_order, &all, entities);
  for (size_t k = 0; k < count; k++) scores[k] = in_order.score[place[rows[k]]];
done:
  ank_free(place);
  ordered_free(&in_order);
  return status;
}

/* ---- as bytes ---------------------------------------------------------------------------------------- */

anorank_status ank_entity_scale_save(const ank_entity_scale *scale, ank_bytes *out, anorank_error *err) {
  ANK_CHECK(ank_bytes_put_u64(out, (uint64_t)scale->used, err));
  ANK_CHECK(ank_bytes_put_f64(out, scale->centre, err));
  ANK_CHECK(ank_bytes_put_f64(out, scale->shift, err));
  return ank_bytes_put_f64(out, scale->stretch, err);
}

anorank_status ank_entity_scale_load(ank_entity_scale *out, ank_cursor *in, anorank_error *err) {
  size_t used;
  ANK_CHECK(ank_cursor_size(in, &used, 0, 1, "the scale of entities", err));
  ANK_CHECK(ank_cursor_f64(in, &out->centre, err));
  ANK_CHECK(ank_cursor_f64(in, &out->shift, err));
  ANK_CHECK(ank_cursor_f64(in, &out->stretch, err));
  out->used = (int)used;
  return fabs(out->centre) <= 1e12 && fabs(out->shift) <= 1e12 && fabs(out->stretch) <= MOST_STRETCH
             ? ANORANK_OK
             : ank_fail(err, ANORANK_ERROR_MODEL, "model-context",
                        "the model is damaged: its history of entities and times is invalid");
}
