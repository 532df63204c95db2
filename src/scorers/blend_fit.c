/* blend_fit.c - the recipes of blend.h: the kept rows, the parts that use them, and their calibration. */
#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "core/method_constants.h"
#include "core/parallel.h"
#include "kernels/sort.h"
#include "neighbours/references.h"
#include "neighbours/skip_copies.h"
#include "scorers/blend.h"
#include "scorers/mahalanobis.h"
#include "scorers/trim.h"

enum {
  /* indices of ANK_STREAM_FIT: 0 is the draw of ank_references_draw, trim.c has those from 2^16 on */
  DRAW_SUBSETS = 1 << 20,
  DRAW_KEPT = (1 << 20) - 1,
  DRAW_CALIBRATION = (1 << 20) - 2,
  DRAW_CROWD = (1 << 20) - 3,
  DRAW_TRIMMED = (1 << 20) - 4
};

static const ank_trim_plan careful = {ANK_TRIM_START, ANK_TRIM_ROUNDS, {ANK_TRIM_SHARES}},
                           quick = {ANK_TRIM_FAST_SHARE, 0, {0}};

static size_t at_most(size_t count, int64_t limit) { return (uint64_t)limit < count ? (size_t)limit : count; }

static void add_part(ank_blend *blend, ank_part_kind kind, anorank_space space, size_t neighbours,
                     double weight) {
  blend->part[blend->parts++] = (ank_part){kind, space, neighbours, weight, 0, 1, -INFINITY, INFINITY, -1};
}

static anorank_status add_subsets(ank_blend *blend, size_t sets, size_t size, double weight,
                                  const anorank_settings *settings, anorank_error *err) {
  const ank_reference_set *reference_set = &blend->reference_set;
  add_part(blend, ANK_PART_SUBSETS, ANORANK_SPACE_STANDARD, 1, weight);
  return ank_subsets_make(&blend->subsets, reference_set->rows, reference_set->dim, NULL,
                          reference_set->count, sets, size, settings->seed, DRAW_SUBSETS, err);
}

/* ---- clean ------------------------------------------------------------------------------------------- */

/* Return the share with two values among the columns that are not constant. 0/1 columns of levels and missing
 * cells do not count: the number of levels of a text column says nothing about the numbers. Without numeric
 * columns, they count. */
static double share_of_pairs(const ank_reference_set *reference_set, const unsigned char *as_given) {
  size_t moving = 0, pairs = 0, marks = 0;
  for (size_t j = 0; j < reference_set->dim; j++) {
    float first = reference_set->rows[j], second = first;
    int more = 0;
    for (size_t i = 1; i < reference_set->count && !more; i++) {
      float value = reference_set->rows[i * reference_set->dim + j];
      if (value == first || value == second) continue;
      more = second != first;
      second = value;
    }
    if (as_given && as_given[j])
      marks += second != first;
    else
      moving += second != first, pairs += second != first && !more;
  }
  return moving ? (double)pairs / (double)moving : marks ? 1 : 0;
}

static anorank_status fit_clean(ank_blend *blend, const ank_matrix *rows, const ank_samples *samples,
                                const anorank_settings *settings, anorank_error *err) {
  size_t count = rows->rows,
         half = count / 2 + count % 2; /* a row is excluded from as many subsets as contain it */
  ANK_CHECK(ank_skips_copies(&blend->skip_copies, rows, samples->had_copies, settings, err));
  ANK_CHECK(ank_reference_set_make(&blend->reference_set, rows, samples->as_given, 0, settings, err));
  ank_spaces_score_ranges(&blend->reference_set.spaces);
  if (settings->fast) {
    return add_subsets(blend, (size_t)settings->subsamples, at_most(half, settings->subsample), 1, settings,
                       err);
  }
  double pairs = share_of_pairs(&blend->reference_set, samples->as_given), rest = (1 - pairs * pairs) / 3;
  if (rest > 0) {
    add_part(blend, ANK_PART_HULL, ANORANK_SPACE_NORMAL, ANK_BLEND_HULL_NEIGHBOURS, rest);
    add_part(blend, ANK_PART_HULL, ANORANK_SPACE_RANGE, ANK_BLEND_HULL_NEIGHBOURS, rest);
    add_part(blend, ANK_PART_NEAREST, ANORANK_SPACE_RANGE, 1, rest);
  }
  if (pairs > 0)
    ANK_CHECK(add_subsets(blend, ANK_BLEND_PAIR_SETS, at_most(half, ANK_BLEND_PAIR_ROWS), pairs * pairs,
                          settings, err));
  return ANORANK_OK;
}

/* ---- contaminated ------------------------------------------------------------------------------------ */

/* The rows of a contaminated fit. */
typedef struct {
  ank_matrix rows;
  const unsigned char *as_given; /* per column (scorer.h) */
  const unsigned char *known;    /* 1: a confirmed anomaly; NULL: none */
} mixture;

static size_t rows_to_keep(size_t safe_count, const anorank_settings *settings) {
  return at_most(at_most(safe_count, ANK_TRIM_KEPT), settings->reference_rows);
}

/* Keep a random part of the rows that were not trimmed. The full recipe learns the spaces from them, so that
 * trimmed rows do not stretch the spaces; the fast one learns the spaces from `all` rows. */
static anorank_status keep(ank_blend *blend, ank_reference_set *all, const mixture *from,
                           const uint32_t *safe, size_t safe_count, const anorank_settings *settings,
                           anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t *drawn = NULL, count = rows_to_keep(safe_count, settings);
  double *chosen = NULL;
  ANK_TRY(ank_references_draw(&drawn, DRAW_KEPT, count, safe_count, settings->seed, err));
  for (size_t i = 0; i < count; i++) drawn[i] = safe[drawn[i]];
  count = ank_blend_leave_known(drawn, count, from->known);
  ANK_TRY(ank_gather(&chosen, &from->rows, drawn, count, err));
  ank_matrix reference_set = {chosen, count, from->rows.dim};
  ANK_TRY(settings->fast ? ank_reference_set_rebuild(&blend->reference_set, all, &reference_set, err)
                         : ank_reference_set_make(&blend->reference_set, &reference_set, from->as_given, 1,
                                                  settings, err));
done:
  ank_free(drawn);
  ank_free(chosen);
  return status;
}

/* Return the weight of groups, 2 c, at most 1, since a small group may be a rare level (blend.h); and count
 * the numeric columns. */
static double weight_of_groups(size_t *numbers, size_t dim, const unsigned char *as_given) {
  size_t categories = 0;
  *numbers = 0;
  for (size_t j = 0; j < dim; j++) {
    *numbers += !as_given || as_given[j] == 0;
    categories += as_given && as_given[j] == 2;
  }
  return categories == 0 ? 0
                         : fmin(1, ANK_BLEND_GROUPS * (double)categories / (double)(categories + *numbers));
}

/* Store an equal share of the trimmed rows: both together are a sample of all rows. */
static anorank_status store_trimmed(ank_blend *blend, const mixture *from, const uint32_t *order,
                                    size_t safe_count, const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t *drawn = NULL, rest = from->rows.rows - safe_count,
         reference_set = rows_to_keep(safe_count, settings);
  size_t count = (size_t)((double)rest * (double)reference_set / (double)safe_count + 0.5);
  double *chosen = NULL;
  if (count == 0) return ANORANK_OK;
  ANK_TRY(ank_references_draw(&drawn, DRAW_TRIMMED, count, rest, settings->seed, err));
  for (size_t i = 0; i < count; i++) drawn[i] = order[safe_count + drawn[i]];
  count = ank_blend_leave_known(drawn, count, from->known);
  ANK_TRY(ank_gather(&chosen, &from->rows, drawn, count, err));
  ANK_TRY(ank_blend_add_trimmed(blend, &(ank_matrix){chosen, count, from->rows.dim}, err));
done:
  ank_free(drawn);
  ank_free(chosen);
  return status;
}

/* Add a sample of all rows, trimmed or not, in units of all rows. */
static anorank_status add_global_knn(ank_blend *blend, const mixture *from, double weight,
                                     const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t *drawn = NULL, count = at_most(from->rows.rows, ANK_BLEND_CROWD_ROWS);
  size_t neighbours = (count + ANK_BLEND_CROWD_SHARE / 2) / ANK_BLEND_CROWD_SHARE;
  double *chosen = NULL;
  ANK_TRY(ank_references_draw(&drawn, DRAW_CROWD, count, from->rows.rows, settings->seed, err));
  count = ank_blend_leave_known(drawn, count, from->known);
  ANK_TRY(ank_gather(&chosen, &from->rows, drawn, count, err));
  ank_matrix some = {chosen, count, from->rows.dim};
  ANK_TRY(ank_reference_set_make(&blend->global_knn, &some, from->as_given, 1, settings, err));
  add_part(blend, ANK_PART_GLOBAL_KNN, ANORANK_SPACE_STANDARD,
           neighbours < ANK_BLEND_CROWD_LEAST ? ANK_BLEND_CROWD_LEAST : neighbours, weight);
  blend->part[blend->parts - 1].least = 0;
done:
  ank_free(drawn);
  ank_free(chosen);
  return status;
}

static anorank_status add_mahalanobis(ank_blend *blend, double weight, const anorank_settings *settings,
                                      anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const ank_reference_set *reference_set = &blend->reference_set;
  size_t total = reference_set->count * reference_set->dim;
  float *mapped = NULL;
  double *rows = NULL, shrunk;
  ANK_TRY(ank_alloc_raw(&mapped, reference_set->count, reference_set->dim * sizeof *mapped, err));
  ANK_TRY(ank_alloc_raw(&rows, reference_set->count, reference_set->dim * sizeof *rows, err));
  ank_spaces_map(mapped, &reference_set->spaces, ANORANK_SPACE_NORMAL, reference_set->rows,
                 reference_set->count);
  for (size_t i = 0; i < total; i++) rows[i] = (double)mapped[i];
  ANK_TRY(ank_mahalanobis_fit(&blend->mahalanobis, &shrunk,
                              &(ank_matrix){rows, reference_set->count, reference_set->dim}, settings, err));
  blend->mahalanobis_share = (1 - shrunk) / (double)(reference_set->count > 1 ? reference_set->count - 1 : 1);
  add_part(blend, ANK_PART_MAHALANOBIS, ANORANK_SPACE_NORMAL, 1, weight);
done:
  ank_free(mapped);
  ank_free(rows);
  return status;
}

/* Add the hedges against trimming, and the part for many columns. */
static anorank_status add_hedges(ank_blend *blend, const mixture *from, const uint32_t *order,
                                 size_t safe_count, const anorank_settings *settings, anorank_error *err) {
  size_t numbers;
  double groups = weight_of_groups(&numbers, from->rows.dim, from->as_given);
  if (groups > 0) {
    ANK_CHECK(store_trimmed(blend, from, order, safe_count, settings, err));
    ANK_CHECK(add_global_knn(blend, from, ANK_BLEND_CROWD * groups, settings, err));
  }
  if (numbers >= ANK_BLEND_SHAPE_LEAST && blend->reference_set.dim <= ANK_BLEND_SHAPE_MOST)
    ANK_CHECK(
        add_mahalanobis(blend, (double)numbers / (double)(numbers + ANK_BLEND_SHAPE_HALF), settings, err));
  return ANORANK_OK;
}

static anorank_status fit_contaminated(ank_blend *blend, const mixture *from,
                                       const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_reference_set all = {0};
  uint32_t *safe = NULL;
  size_t count, numbers;
  double groups;
  blend->skip_copies = 1;
  ANK_TRY(ank_reference_set_make(&all, &from->rows, from->as_given, 0, settings, err));
  ANK_TRY(ank_trim(&safe, &count, &blend->histogram, &from->rows, all.rows,
                   settings->fast ? &quick : &careful, settings, err));
  ANK_TRY(keep(blend, &all, from, safe, count, settings, err));
  if (settings->fast) {
    ank_scorer_histogram.free(blend->histogram);
    blend->histogram = NULL;
    ANK_TRY(add_subsets(blend, ANK_BLEND_FAST_SETS, ANK_BLEND_FAST_ROWS, 1, settings, err));
    goto done;
  }
  groups = weight_of_groups(&numbers, from->rows.dim, from->as_given);
  add_part(blend, ANK_PART_NEAREST, ANORANK_SPACE_NORMAL, ANK_BLEND_NEAREST_NEIGHBOURS,
           (ANK_BLEND_NEAREST + ANK_BLEND_NEAREST_GROUPS * groups) / ANK_BLEND_WEIGHTS);
  add_part(blend, ANK_PART_HULL, ANORANK_SPACE_NORMAL, ANK_BLEND_HULL_NEIGHBOURS,
           (ANK_BLEND_HULL_NORMAL + ANK_BLEND_HULL_NORMAL_GROUPS * groups) / ANK_BLEND_WEIGHTS);
  add_part(blend, ANK_PART_HULL, ANORANK_SPACE_RANGE, ANK_BLEND_HULL_NEIGHBOURS,
           ANK_BLEND_HULL_RANGE / ANK_BLEND_WEIGHTS);
  add_part(blend, ANK_PART_HISTOGRAM, ANORANK_SPACE_STANDARD, 1,
           (ANK_BLEND_HISTOGRAM + ANK_BLEND_HISTOGRAM_GROUPS * groups) / ANK_BLEND_WEIGHTS);
  ANK_TRY(add_hedges(blend, from, safe, count, settings, err));
done:
  ank_reference_set_free(&all);
  ank_free(safe);
  return status;
}

/* ---- calibration ------------------------------------------------------------------------------------- */

typedef struct {
  double *values; /* parts x count */
  const ank_blend *blend;
  const ank_matrix *rows;
  const size_t *drawn;
  size_t count;
  int contaminated; /* rows of the fit need not be kept, and copies are skipped */
} calibrating;

static anorank_status values_of_chunk(void *context, size_t chunk, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const calibrating *work = context;
  const ank_blend *blend = work->blend;
  size_t from = chunk * ANK_BLEND_BLOCK, left = work->count - from;
  size_t count = left < ANK_BLEND_BLOCK ? left : ANK_BLEND_BLOCK;
  uint32_t own[ANK_BLEND_BLOCK];
  double *rows = NULL, *values = NULL;
  ANK_TRY(ank_gather(&rows, work->rows, work->drawn + from, count, err));
  ANK_TRY(ank_alloc_raw(&values, count, ANK_BLEND_PARTS * sizeof *values, err));
  for (size_t i = 0; i < count; i++) own[i] = (uint32_t)work->drawn[from + i];
  ank_matrix some = {rows, count, work->rows->dim};
  ANK_TRY(ank_blend_values(values, blend, &some, work->contaminated ? NULL : own, err));
  for (size_t p = 0; p < blend->parts; p++)
    memcpy(work->values + p * work->count + from, values + p * count, count * sizeof *values);
done:
  ank_free(rows);
  ank_free(values);
  return status;
}

/* Set the gap of each part that sees trimmed rows: one in ANK_BLEND_GAP_SHARE rows exceeds it. `all` has the
 * values over all rows; `values`, first those over kept rows, become the part's values. */
static anorank_status find_gaps(double *values, double *all, ank_blend *blend, double groups, size_t count,
                                const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  double *apart = NULL;
  ANK_TRY(ank_alloc_raw(&apart, count, sizeof *apart, err));
  for (size_t p = 0; p < blend->parts; p++) {
    ank_part *part = &blend->part[p];
    double *reference_set = values + p * count;
    const double *own = all + p * count;
    if (part->kind != ANK_PART_HULL && part->kind != ANK_PART_NEAREST) continue;
    for (size_t i = 0; i < count; i++) apart[i] = reference_set[i] - own[i];
    ANK_TRY(ank_sort(apart, count, settings, err));
    part->gap = fmax(0, groups * ank_blend_quantile(apart, count, 1 - ANK_BLEND_GAP_SHARE));
    for (size_t i = 0; i < count; i++)
      reference_set[i] = own[i] + fmax(0, reference_set[i] - own[i] - part->gap);
  }
done:
  ank_free(apart);
  return status;
}

static anorank_status values_of_drawn(const calibrating *work, const anorank_settings *settings,
                                      anorank_error *err) {
  calibrating own = *work;
  return ank_parallel(settings, (work->count + ANK_BLEND_BLOCK - 1) / ANK_BLEND_BLOCK, values_of_chunk, &own,
                      err);
}

/* Compute the rise of the sum of the parts when its rarity grows by a nat. */
static anorank_status rise_per_nat(double *out, double *sums, const ank_blend *blend, const double *values,
                                   size_t count, const anorank_settings *settings, anorank_error *err) {
  for (size_t i = 0; i < count; i++) sums[i] = ank_blend_sum(blend, values + i, count);
  ANK_CHECK(ank_sort(sums, count, settings, err));
  double rise = ank_blend_quantile(sums, count, 1 - exp(-ANK_TOKEN_SCALE_TO)) -
                ank_blend_quantile(sums, count, 1 - exp(-ANK_TOKEN_SCALE_FROM));
  *out = fmax(rise / (ANK_TOKEN_SCALE_TO - ANK_TOKEN_SCALE_FROM), ANK_BLEND_LEAST_SCALE);
  return ANORANK_OK;
}

/* Calibrate. `rows`: the rows of the fit; under `clean` these are the kept ones. */
static anorank_status calibrate(double *per_nat, ank_blend *blend, const mixture *from,
                                const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const ank_matrix *rows = &from->rows;
  size_t *drawn = NULL,
         count = rows->rows < ANK_BLEND_CALIBRATION_ROWS ? rows->rows : ANK_BLEND_CALIBRATION_ROWS, numbers;
  double *values = NULL, *all = NULL, *own = NULL,
         groups = weight_of_groups(&numbers, rows->dim, from->as_given);
  int contaminated = settings->train == ANORANK_TRAIN_CONTAMINATED;
  ANK_TRY(ank_references_draw(&drawn, DRAW_CALIBRATION, count, rows->rows, settings->seed, err));
  count = ank_blend_leave_known(drawn, count, from->known);
  ANK_TRY(ank_alloc_raw(&values, count, ANK_BLEND_PARTS * sizeof *values, err));
  ANK_TRY(ank_alloc_raw(&own, count, sizeof *own, err));
  ANK_TRY(values_of_drawn(&(calibrating){values, blend, rows, drawn, count, contaminated}, settings, err));
  if (blend->trimmed.count > 0) {
    ANK_TRY(ank_alloc_raw(&all, count, ANK_BLEND_PARTS * sizeof *all, err));
    for (size_t p = 0; p < blend->parts; p++) blend->part[p].gap = INFINITY; /* no group is separate */
    ANK_TRY(values_of_drawn(&(calibrating){all, blend, rows, drawn, count, contaminated}, settings, err));
    for (size_t p = 0; p < blend->parts; p++) blend->part[p].gap = -1;
    ANK_TRY(find_gaps(values, all, blend, groups, count, settings, err));
  }
  for (size_t p = 0; p < blend->parts; p++) {
    memcpy(own, values + p * count, count * sizeof *own);
    ANK_TRY(ank_sort(own, count, settings, err));
    double width =
        (ank_blend_quantile(own, count, ANK_BLEND_HIGH) - ank_blend_quantile(own, count, ANK_BLEND_LOW)) /
        ANK_BLEND_NORMAL_WIDTH;
    blend->part[p].centre = ank_blend_quantile(own, count, 0.5);
    blend->part[p].scale =
        fmax(width, blend->part[p].kind == ANK_PART_HISTOGRAM ? ANK_BLEND_LEAST_NATS : ANK_BLEND_LEAST_SCALE);
  }
  ANK_TRY(rise_per_nat(per_nat, own, blend, values, count, settings, err));
done:
  ank_free(drawn);
  ank_free(own);
  ank_free(values);
  ank_free(all);
  return status;
}

anorank_status ank_blend_fit(void *scorer, const ank_samples *samples, const anorank_settings *settings,
                             anorank_error *err) {
  anorank_status status = ANORANK_OK;
  int contaminated = settings->train == ANORANK_TRAIN_CONTAMINATED;
  ank_blend *blend = scorer;
  size_t *chosen = NULL, count = at_most(samples->x.rows, ANK_TRIM_ROWS);
  unsigned char *known = NULL;
  double *values = NULL, per_nat;
  if (contaminated) {
    ANK_TRY(ank_references_draw(&chosen, 0, count, samples->x.rows, settings->seed, err));
    ANK_TRY(ank_blend_mark_known(&known, samples, chosen, count, err));
  } else {
    ANK_TRY(ank_blend_draw(&chosen, &count, samples, settings->reference_rows, settings->seed, err));
  }
  ANK_TRY(ank_gather(&values, &samples->x, chosen, count, err));
  mixture from = {{values, count, samples->x.dim}, samples->as_given, known};
  ANK_TRY(contaminated ? fit_contaminated(blend, &from, settings, err)
                       : fit_clean(blend, &from.rows, samples, settings, err));
  ANK_TRY(ank_blend_prepare(blend, err));
  ANK_TRY(calibrate(&per_nat, blend, &from, settings, err));
  if (!contaminated && !settings->fast && samples->layout)
    ANK_TRY(ank_blend_add_tokens(blend, &from.rows, chosen, per_nat, samples->layout, settings, err));
  ANK_TRY(ank_feedback_learn(blend, &from.rows, &samples->known, settings, err));
  if (samples->known.rows + samples->known.dismissed == 0)
    ANK_TRY(ank_blend_add_tail(blend, &from.rows, samples->as_given, !contaminated, settings, err));
done:
  ank_free(chosen);
  ank_free(known);
  ank_free(values);
  return status;
}
