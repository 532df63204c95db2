/* blend_fit.c - the recipes of blend.h: which rows are kept, which parts look at them, and their calibration.
 */
#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "core/parallel.h"
#include "kernels/sort.h"
#include "scorers/blend.h"
#include "scorers/references.h"
#include "scorers/trim.h"

enum {
  HULL_NEIGHBOURS = 10,
  CALIBRATION_ROWS = 2000,
  TRIMMED_ROWS = 20000, /* that take part in the trimming */
  TRIMMED_KEPT = 7000,
  /* indices of ANK_STREAM_FIT: 0 is the draw of ank_references_draw, trim.c has those from 2^16 on */
  DRAW_SUBSETS = 1 << 20,
  DRAW_KEPT = (1 << 20) - 1,
  DRAW_CALIBRATION = (1 << 20) - 2
};

static const ank_trim_plan careful = {0.5, 4, {0.55, 0.60, 0.65, 0.70}}, quick = {0.75, 0, {0}};

static size_t at_most(size_t count, int64_t limit) { return (uint64_t)limit < count ? (size_t)limit : count; }

anorank_status ank_blend_draw(size_t **out, size_t *count, size_t rows, const anorank_settings *settings,
                              anorank_error *err) {
  *count = at_most(rows, settings->references);
  return ank_references_draw(out, 0, *count, rows, settings->seed, err);
}

static void add_part(ank_blend *blend, ank_part_kind kind, anorank_space space, size_t neighbours,
                     double weight) {
  blend->part[blend->parts++] = (ank_part){kind, space, neighbours, weight, 0, 1, INFINITY};
}

static anorank_status add_subsets(ank_blend *blend, size_t sets, size_t size, double weight,
                                  const anorank_settings *settings, anorank_error *err) {
  const ank_kept *kept = &blend->kept;
  add_part(blend, ANK_PART_SUBSETS, ANORANK_SPACE_STANDARD, 1, weight);
  return ank_subsets_make(&blend->subsets, kept->rows, kept->dim, NULL, kept->count, sets, size,
                          settings->seed, DRAW_SUBSETS, err);
}

/* ---- clean ------------------------------------------------------------------------------------------- */

/* Of the columns that are not constant, the share with two values. */
static double share_of_pairs(const ank_kept *kept) {
  size_t moving = 0, pairs = 0;
  for (size_t j = 0; j < kept->dim; j++) {
    float first = kept->rows[j], second = first;
    int more = 0;
    for (size_t i = 1; i < kept->count && !more; i++) {
      float value = kept->rows[i * kept->dim + j];
      if (value == first || value == second) continue;
      more = second != first;
      second = value;
    }
    moving += second != first;
    pairs += second != first && !more;
  }
  return moving ? (double)pairs / (double)moving : 0;
}

static anorank_status fit_clean(ank_blend *blend, const ank_matrix *x, const anorank_settings *settings,
                                anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t *chosen = NULL, count;
  ANK_TRY(ank_blend_draw(&chosen, &count, x->rows, settings, err));
  ANK_TRY(ank_kept_make(&blend->kept, x, chosen, count, settings, err));
  size_t half = count / 2 + count % 2; /* so that a row is left out of as many subsets as it is in */
  if (settings->fast) {
    ANK_TRY(add_subsets(blend, (size_t)settings->subsamples, at_most(half, settings->subsample), 1, settings,
                        err));
    goto done;
  }
  add_part(blend, ANK_PART_HULL, ANORANK_SPACE_RANGE, HULL_NEIGHBOURS, 1.0 / 3);
  add_part(blend, ANK_PART_HULL, ANORANK_SPACE_NORMAL, HULL_NEIGHBOURS, 1.0 / 3);
  add_part(blend, ANK_PART_NEAREST, ANORANK_SPACE_STANDARD, 1, 1.0 / 3);
  double pairs = share_of_pairs(&blend->kept);
  if (pairs > 0) ANK_TRY(add_subsets(blend, 32, at_most(half, 64), pairs, settings, err));
done:
  ank_free(chosen);
  return status;
}

/* ---- contaminated ------------------------------------------------------------------------------------ */

/* Keep a random part of the rows that were not trimmed. */
static anorank_status keep(ank_kept *kept, const float *held, const uint32_t *safe, size_t safe_count,
                           const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t *drawn = NULL, dim = kept->dim;
  kept->count = at_most(at_most(safe_count, TRIMMED_KEPT), settings->references);
  ANK_TRY(ank_references_draw(&drawn, DRAW_KEPT, kept->count, safe_count, settings->seed, err));
  ANK_TRY(ank_alloc_raw(&kept->rows, kept->count, dim * sizeof *kept->rows, err));
  for (size_t i = 0; i < kept->count; i++)
    memcpy(kept->rows + i * dim, held + safe[drawn[i]] * dim, dim * sizeof *held);
done:
  ank_free(drawn);
  return status;
}

/* *out: the rows that took part, as held, for the calibration. */
static anorank_status fit_contaminated(float **out, size_t *count, ank_blend *blend, const ank_matrix *x,
                                       const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t *chosen = NULL, safe_count;
  uint32_t *safe = NULL;
  double *rows = NULL;
  *count = x->rows < TRIMMED_ROWS ? x->rows : TRIMMED_ROWS;
  blend->kept.dim = x->dim;
  blend->skip_copies = 1;
  ANK_TRY(ank_references_draw(&chosen, 0, *count, x->rows, settings->seed, err));
  ANK_TRY(ank_gather(&rows, x, chosen, *count, err));
  ank_matrix part = {rows, *count, x->dim};
  ANK_TRY(ank_spaces_fit(&blend->kept.spaces, &part, settings, err));
  ANK_TRY(ank_alloc_raw(out, *count, x->dim * sizeof **out, err));
  ank_spaces_hold(*out, &blend->kept.spaces, rows, *count);
  ANK_TRY(ank_trim(&safe, &safe_count, &part, *out, settings->fast ? &quick : &careful, settings, err));
  ANK_TRY(keep(&blend->kept, *out, safe, safe_count, settings, err));
  if (settings->fast) {
    ANK_TRY(add_subsets(blend, 64, 16, 1, settings, err));
  } else {
    add_part(blend, ANK_PART_NEAREST, ANORANK_SPACE_STANDARD, 5, 1);
  }
done:
  ank_free(chosen);
  ank_free(safe);
  ank_free(rows);
  return status;
}

/* ---- calibration ------------------------------------------------------------------------------------- */

typedef struct {
  double *values; /* parts x count */
  const ank_blend *blend;
  const float *held;
  const size_t *drawn;
  size_t count;
} calibrating;

static anorank_status values_of_chunk(void *context, size_t chunk, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const calibrating *work = context;
  const ank_blend *blend = work->blend;
  size_t from = chunk * ANK_BLEND_BLOCK, dim = blend->kept.dim, left = work->count - from;
  size_t count = left < ANK_BLEND_BLOCK ? left : ANK_BLEND_BLOCK;
  uint32_t own[ANK_BLEND_BLOCK];
  float *rows = NULL;
  double *values = NULL;
  ANK_TRY(ank_alloc_raw(&rows, count, dim * sizeof *rows, err));
  ANK_TRY(ank_alloc_raw(&values, count, ANK_BLEND_PARTS * sizeof *values, err));
  for (size_t i = 0; i < count; i++) {
    own[i] = (uint32_t)work->drawn[from + i];
    memcpy(rows + i * dim, work->held + work->drawn[from + i] * dim, dim * sizeof *rows);
  }
  ANK_TRY(ank_blend_values(values, blend, rows, count, blend->skip_copies ? NULL : own, err));
  for (size_t p = 0; p < blend->parts; p++)
    memcpy(work->values + p * work->count + from, values + p * count, count * sizeof *values);
done:
  ank_free(rows);
  ank_free(values);
  return status;
}

/* Between the order statistics, in a straight line. */
static double quantile(const double *sorted, size_t n, double share) {
  double at = share * (double)(n - 1);
  size_t below = (size_t)at, above = below + 1 < n ? below + 1 : below;
  return sorted[below] + (at - (double)below) * (sorted[above] - sorted[below]);
}

/* `held`: the kept rows under `clean`, all that took part under `contaminated`. */
static anorank_status calibrate(ank_blend *blend, const float *held, size_t rows,
                                const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t *drawn = NULL, count = rows < CALIBRATION_ROWS ? rows : CALIBRATION_ROWS;
  double *values = NULL;
  ANK_TRY(ank_references_draw(&drawn, DRAW_CALIBRATION, count, rows, settings->seed, err));
  ANK_TRY(ank_alloc_raw(&values, count, ANK_BLEND_PARTS * sizeof *values, err));
  calibrating work = {values, blend, held, drawn, count};
  ANK_TRY(
      ank_parallel(settings, (count + ANK_BLEND_BLOCK - 1) / ANK_BLEND_BLOCK, values_of_chunk, &work, err));
  for (size_t p = 0; p < blend->parts; p++) {
    double *own = values + p * count;
    ANK_TRY(ank_sort(own, count, settings, err));
    double width = (quantile(own, count, 0.9) - quantile(own, count, 0.1)) / 2.56;
    blend->part[p].centre = quantile(own, count, 0.5);
    blend->part[p].scale = width > 1e-3 ? width : 1e-3;
  }
done:
  ank_free(drawn);
  ank_free(values);
  return status;
}

anorank_status ank_blend_fit(void **out, const ank_samples *samples, const anorank_settings *settings,
                             anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_blend *blend = NULL;
  float *held = NULL;
  size_t rows = 0;
  *out = NULL;
  ANK_TRY(ank_alloc(&blend, 1, sizeof *blend, err));
  if (settings->train == ANORANK_TRAIN_CONTAMINATED) {
    ANK_TRY(fit_contaminated(&held, &rows, blend, &samples->x, settings, err));
  } else {
    ANK_TRY(fit_clean(blend, &samples->x, settings, err));
  }
  ANK_TRY(ank_blend_add_known(blend, &samples->known, err));
  ANK_TRY(ank_blend_prepare(blend, err));
  ANK_TRY(calibrate(blend, held ? held : blend->kept.rows, held ? rows : blend->kept.count, settings, err));
  *out = blend;
  blend = NULL;
done:
  ank_free(held);
  ank_blend_free(blend);
  return status;
}
