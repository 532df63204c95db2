/* blend_parts.c - the values of a blend's parts, and their sum (blend.h). One search per block of rows serves
 * all parts that use kept rows. */
#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "core/method_constants.h"
#include "kernels/distance.h"
#include "kernels/vector.h"
#include "neighbours/hull.h"
#include "scorers/blend.h"

static int looks(const ank_part *part) {
  return part->kind == ANK_PART_HULL || part->kind == ANK_PART_NEAREST;
}

/* Return whether the part uses only the nearest kept row. */
static int needs_one(const ank_part *part) {
  return part->kind == ANK_PART_KNOWN || part->kind == ANK_PART_MAHALANOBIS ||
         part->kind == ANK_PART_FEEDBACK;
}

anorank_status ank_blend_prepare(ank_blend *blend, anorank_error *err) {
  blend->space = ank_spaces_first(&blend->reference_set.spaces, ANORANK_SPACE_NORMAL);
  blend->moving = ank_reference_set_moving(&blend->reference_set);
  for (size_t p = 0; p < blend->parts; p++) {
    ank_part *part = &blend->part[p];
    part->space = ank_spaces_first(&blend->reference_set.spaces, part->space);
    if (looks(part) || needs_one(part))
      ANK_CHECK(ank_reference_set_prepare(&blend->reference_set, blend->space, err));
    if (looks(part) && part->space != blend->space)
      ANK_CHECK(ank_reference_set_map(&blend->reference_set, part->space, err));
  }
  if (blend->global_knn.count > 0)
    ANK_CHECK(ank_reference_set_prepare(&blend->global_knn, ANORANK_SPACE_STANDARD, err));
  ANK_CHECK(ank_blend_prepare_trimmed(blend, err));
  ANK_CHECK(ank_blend_prepare_known(blend, err));
  return ank_feedback_prepare(blend, err);
}

/* ---- neighbours -------------------------------------------------------------------------------------- */

/* A block of rows: its neighbours by the search, and in one of the spaces. */
typedef struct {
  const ank_blend *blend;
  size_t count;                 /* rows */
  size_t wanted, found;         /* neighbours of each; one more if one may be excluded */
  float *held, *mapped, *other; /* count x dim: as held, in the space of the search, in another space */
  uint32_t *place;              /* count x found, nearest first */
  float *squared;
  uint32_t *left;     /* count: number of neighbours left */
  unsigned char *own; /* count: whether the row, or a copy, is among the kept ones */
  size_t apart;       /* neighbours among the trimmed rows; 0: unused */
  uint32_t *place_apart, *left_apart;
  float *squared_apart;
  size_t most;        /* neighbours that a part uses */
  const float **near; /* count x most: the neighbours in the space of the current part */
  double *distance;   /* count x most: their squared distances */
  uint32_t *some;     /* count: number of them */
  float *alone;       /* count x most x dim: like `near`, of rows excluded from the range; NULL: none */
  double *factor;     /* dim */
} block;

static void block_free(block *work) {
  ank_free(work->held);
  ank_free(work->mapped);
  ank_free(work->other);
  ank_free(work->place);
  ank_free(work->squared);
  ank_free(work->left);
  ank_free(work->own);
  ank_free(work->place_apart);
  ank_free(work->left_apart);
  ank_free(work->squared_apart);
  ank_free(work->near);
  ank_free(work->distance);
  ank_free(work->some);
  ank_free(work->alone);
  ank_free(work->factor);
}

/* Return the number of neighbours that the parts use; 0: no part uses kept rows. */
static size_t neighbours_wanted(const ank_blend *blend) {
  size_t most = 0;
  for (size_t p = 0; p < blend->parts; p++) {
    const ank_part *part = &blend->part[p];
    size_t own = needs_one(part) ? 1 : !looks(part) ? 0 : part->neighbours;
    if (looks(part) && part->space != blend->space && own < ANK_BLEND_FOUND) own = ANK_BLEND_FOUND;
    if (own > most) most = own;
  }
  return most;
}

/* Return whether a part uses kept rows in the range space. */
static int looks_at_range(const ank_blend *blend) {
  for (size_t p = 0; p < blend->parts; p++)
    if (looks(&blend->part[p]) && blend->part[p].space == ANORANK_SPACE_RANGE) return 1;
  return 0;
}

static anorank_status block_make(block *work, const ank_blend *blend, size_t count, int alone,
                                 anorank_error *err) {
  size_t dim = blend->reference_set.dim, wanted = neighbours_wanted(blend),
         found = wanted + (wanted > 0 && (alone || blend->skip_copies));
  if (found > blend->reference_set.count) found = blend->reference_set.count;
  *work = (block){.blend = blend, .wanted = wanted, .found = found};
  for (size_t p = 0; p < blend->parts; p++)
    if (looks(&blend->part[p]) && blend->part[p].neighbours > work->most)
      work->most = blend->part[p].neighbours;
  ANK_CHECK(ank_alloc_raw(&work->held, count, dim * sizeof *work->held, err));
  if (found == 0) return ANORANK_OK;
  ANK_CHECK(ank_alloc_raw(&work->mapped, count, dim * sizeof *work->mapped, err));
  ANK_CHECK(ank_alloc_raw(&work->other, count, dim * sizeof *work->other, err));
  ANK_CHECK(ank_alloc_raw(&work->place, count, work->found * sizeof *work->place, err));
  ANK_CHECK(ank_alloc_raw(&work->squared, count, work->found * sizeof *work->squared, err));
  ANK_CHECK(ank_alloc_raw(&work->left, count, sizeof *work->left, err));
  ANK_CHECK(ank_alloc_raw(&work->own, count, 1, err));
  work->apart =
      blend->trimmed.count < ANK_BLEND_SEPARATED + 1 ? blend->trimmed.count : ANK_BLEND_SEPARATED + 1;
  ANK_CHECK(ank_alloc_raw(&work->place_apart, count, work->apart * sizeof *work->place_apart, err));
  ANK_CHECK(ank_alloc_raw(&work->squared_apart, count, work->apart * sizeof *work->squared_apart, err));
  ANK_CHECK(ank_alloc_raw(&work->left_apart, count, sizeof *work->left_apart, err));
  ANK_CHECK(ank_alloc_raw(&work->near, count, work->most * sizeof *work->near, err));
  ANK_CHECK(ank_alloc_raw(&work->distance, count, work->most * sizeof *work->distance, err));
  ANK_CHECK(ank_alloc_raw(&work->some, count, sizeof *work->some, err));
  if (!alone || !looks_at_range(blend)) return ANORANK_OK;
  ANK_CHECK(ank_alloc_raw(&work->alone, count * work->most, dim * sizeof *work->alone, err));
  return ank_alloc_raw(&work->factor, dim, sizeof *work->factor, err);
}

static anorank_status find(block *work, const uint32_t *own, anorank_error *err) {
  const ank_blend *blend = work->blend;
  size_t k = work->found;
  ank_spaces_map(work->mapped, &blend->reference_set.spaces, blend->space, work->held, work->count);
  ANK_CHECK(ank_search_nearest(work->place, work->squared, k, blend->reference_set.search[blend->space],
                               work->mapped, work->count, err));
  for (size_t i = 0; i < work->count; i++) {
    work->own[i] = own ? own[i] != ANK_NOWHERE : blend->skip_copies && work->squared[i * k] == 0;
    size_t left = ank_near_without(work->place + i * k, work->squared + i * k, k, own ? own[i] : ANK_NOWHERE,
                                   blend->skip_copies && !own)
                      .count;
    work->left[i] = (uint32_t)(left < work->wanted ? left : work->wanted);
  }
  return ANORANK_OK;
}

/* Find neighbours among the trimmed rows. A copy there is skipped if there was none among the kept ones. */
static anorank_status find_apart(block *work, anorank_error *err) {
  const ank_blend *blend = work->blend;
  size_t k = work->apart;
  ANK_CHECK(ank_search_nearest(work->place_apart, work->squared_apart, k, blend->trimmed.search[blend->space],
                               work->mapped, work->count, err));
  for (size_t i = 0; i < work->count; i++) {
    size_t left = k, skip = !work->own[i] && work->squared_apart[i * k] == 0;
    if (skip) {
      left--;
      memmove(work->place_apart + i * k, work->place_apart + i * k + 1, left * sizeof *work->place_apart);
      memmove(work->squared_apart + i * k, work->squared_apart + i * k + 1,
              left * sizeof *work->squared_apart);
    }
    work->left_apart[i] = (uint32_t)(left < ANK_BLEND_SEPARATED ? left : ANK_BLEND_SEPARATED);
  }
  return ANORANK_OK;
}

static double squared_distance(const float *a, const float *b, size_t dim) {
  double sum = 0;
  for (size_t j = 0; j < dim; j++) sum += ((double)a[j] - (double)b[j]) * ((double)a[j] - (double)b[j]);
  return sum;
}

/* Prefetch the rows found for row i, which are scattered in memory. */
static void fetch(const block *work, size_t i, anorank_space space) {
  const ank_reference_set *reference_set = &work->blend->reference_set;
  for (size_t f = 0; f < work->left[i]; f++) {
    const float *row = ank_reference_set_row(reference_set, space, work->place[i * work->found + f]);
    __builtin_prefetch(row);
    __builtin_prefetch(row + reference_set->dim - 1);
  }
}

/* Insert a row into the nearest `most`, of which there are `count`; equal ones keep their order. Returns the
 * new count. */
static inline size_t take(const float **near, double *distance, size_t count, const float *row,
                          double squared, size_t most) {
  if (count == most && !(squared < distance[count - 1])) return count;
  size_t at = count < most ? count++ : count - 1;
  for (; at > 0 && squared < distance[at - 1]; at--) {
    distance[at] = distance[at - 1];
    near[at] = near[at - 1];
  }
  distance[at] = squared;
  near[at] = row;
  return count;
}

/* Sort the `left` rows found for row i by their distances `all`, and keep the nearest `most`. */
static void sort_nearest(block *work, size_t i, const float *const *near, const double *all, size_t left,
                         size_t most) {
  const float **nearest = work->near + i * work->most;
  double *distance = work->distance + i * work->most;
  size_t count = 0;
  for (size_t f = 0; f < left; f++) count = take(nearest, distance, count, near[f], all[f], most);
  work->some[i] = (uint32_t)count;
}

/* Compute the distances first: their loads then wait neither for each other nor for the branches of the
 * sort. */
static void see_row(block *work, size_t i, anorank_space space, size_t most) {
  const ank_reference_set *reference_set = &work->blend->reference_set;
  const float *near[ANK_HULL_MOST];
  double all[ANK_HULL_MOST];
  size_t left = work->left[i];
  for (size_t f = 0; f < left; f++)
    near[f] = ank_reference_set_row(reference_set, space, work->place[i * work->found + f]);
  ank_distances_to_each(all, work->other + i * reference_set->dim, near, left, reference_set->dim);
  sort_nearest(work, i, near, all, left, most);
}

/* See row i in the range space without it. Returns 0 if that is the same. */
static int see_row_alone(block *work, size_t i, size_t most) {
  const ank_reference_set *reference_set = &work->blend->reference_set;
  size_t dim = reference_set->dim, left = work->left[i];
  float *row = work->other + i * dim, *near = work->alone + i * work->most * dim;
  const float *held = work->held + i * dim, *found[ANK_HULL_MOST];
  double all[ANK_HULL_MOST];
  if (!work->own[i] || !ank_spaces_without(work->factor, &reference_set->spaces, held)) return 0;
  ank_spaces_range(row, &reference_set->spaces, work->factor, held, 1);
  for (size_t f = 0; f < left; f++) {
    found[f] = ank_reference_set_row(reference_set, ANORANK_SPACE_STANDARD, work->place[i * work->found + f]);
    ank_spaces_range(near, &reference_set->spaces, work->factor, found[f], 0);
    all[f] = squared_distance(near, row, dim);
  }
  sort_nearest(work, i, found, all, left, most);
  for (size_t a = 0; a < work->some[i]; a++) {
    ank_spaces_range(near + a * dim, &reference_set->spaces, work->factor, work->near[i * work->most + a], 0);
    work->near[i * work->most + a] = near + a * dim;
  }
  return 1;
}

/* See the neighbours as a part that uses `most` of them. */
static void see(block *work, anorank_space space, size_t most) {
  const ank_blend *blend = work->blend;
  const ank_search *search = blend->reference_set.search[blend->space];
  if (space != blend->space) {
    ank_spaces_map(work->other, &blend->reference_set.spaces, space, work->held, work->count);
    fetch(work, 0, space);
    for (size_t i = 0; i < work->count; i++) {
      if (i + 1 < work->count) fetch(work, i + 1, space);
      if (space == ANORANK_SPACE_RANGE && work->alone && see_row_alone(work, i, most)) continue;
      see_row(work, i, space, most);
    }
    return;
  }
  for (size_t i = 0; i < work->count; i++) {
    work->some[i] = work->left[i] < most ? work->left[i] : (uint32_t)most;
    for (size_t a = 0; a < work->some[i]; a++) {
      work->near[i * work->most + a] = ank_search_row(search, work->place[i * work->found + a]);
      work->distance[i * work->most + a] = (double)work->squared[i * work->found + a];
    }
  }
}

/* Include the trimmed rows; call it after `see` with the same arguments. */
static void see_apart(block *work, anorank_space space, size_t most) {
  const ank_blend *blend = work->blend;
  const ank_reference_set *trimmed = &blend->trimmed;
  const ank_search *search = trimmed->search[blend->space];
  size_t dim = blend->reference_set.dim;
  for (size_t i = 0; i < work->count; i++)
    for (size_t f = 0; f < work->left_apart[i]; f++) {
      uint32_t place = work->place_apart[i * work->apart + f];
      int same = space == blend->space;
      const float *row = same ? ank_search_row(search, place) : ank_reference_set_row(trimmed, space, place);
      double squared = same ? (double)work->squared_apart[i * work->apart + f]
                            : squared_distance(row, work->other + i * dim, dim);
      work->some[i] = (uint32_t)take(work->near + i * work->most, work->distance + i * work->most,
                                     work->some[i], row, squared, most);
    }
}

/* ---- values ------------------------------------------------------------------------------------------ */

/* Compute the values of the parts of one space, from the neighbours as last seen. */
static anorank_status look_now(double *values, block *work, anorank_space space, anorank_error *err) {
  const ank_blend *blend = work->blend;
  const float *rows = space == blend->space ? work->mapped : work->other;
  size_t count = work->count;
  for (size_t p = 0; p < blend->parts; p++) {
    const ank_part *part = &blend->part[p];
    double *out = values + p * count;
    if (part->space != space || part->kind != ANK_PART_NEAREST) continue;
    for (size_t i = 0; i < count; i++) {
      size_t k = part->neighbours < work->some[i] ? part->neighbours : work->some[i];
      out[i] = sqrt(work->distance[i * work->most + k - 1]) + ANK_DISTANCE_FLOOR;
    }
    ank_log(out, out, count);
  }
  for (size_t p = 0; p < blend->parts; p++) {
    const ank_part *part = &blend->part[p];
    if (part->space != space || part->kind != ANK_PART_HULL) continue;
    uint32_t some[ANK_BLEND_BLOCK];
    for (size_t i = 0; i < count; i++)
      some[i] = work->some[i] < part->neighbours ? work->some[i] : (uint32_t)part->neighbours;
    ANK_CHECK(ank_hull_values(values + p * count, rows, count, blend->reference_set.dim, work->near, some,
                              work->most, ank_hull_ridge(part->neighbours, blend->moving), err));
  }
  return ANORANK_OK;
}

/* Add the distance to all rows to the excess of the distance to kept rows over it and the gap. */
static void add_gaps(double *values, const double *all, const ank_blend *blend, anorank_space space,
                     size_t count) {
  for (size_t p = 0; p < blend->parts; p++) {
    const ank_part *part = &blend->part[p];
    if (!looks(part) || part->space != space || part->gap < 0) continue;
    for (size_t i = p * count; i < (p + 1) * count; i++) {
      double apart = values[i] - all[i] - part->gap;
      values[i] = all[i] + (apart > 0 ? apart : 0);
    }
  }
}

/* Compute the parts that use kept rows in one space. */
static anorank_status look(double *values, block *work, anorank_space space, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const ank_blend *blend = work->blend;
  size_t most = 0;
  int gaps = 0;
  double *all = NULL;
  for (size_t p = 0; p < blend->parts; p++) {
    const ank_part *part = &blend->part[p];
    if (!looks(part) || part->space != space) continue;
    if (part->neighbours > most) most = part->neighbours;
    gaps = gaps || part->gap >= 0;
  }
  if (most == 0) return ANORANK_OK;
  see(work, space, most);
  ANK_TRY(look_now(values, work, space, err));
  if (!gaps || work->apart == 0) goto done;
  ANK_TRY(ank_alloc_raw(&all, blend->parts, work->count * sizeof *all, err));
  see_apart(work, space, most);
  ANK_TRY(look_now(all, work, space, err));
  add_gaps(values, all, blend, space, work->count);
done:
  ank_free(all);
  return status;
}

/* Compute the log distance to the k-th nearest of the sample of all rows. */
static anorank_status global_knn_values(double *values, const ank_blend *blend, size_t neighbours,
                                        const ank_matrix *rows, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const ank_reference_set *global_knn = &blend->global_knn;
  size_t count = rows->rows, found = neighbours + 1 < global_knn->count ? neighbours + 1 : global_knn->count;
  float *held = NULL, *squared = NULL;
  uint32_t *place = NULL;
  ANK_TRY(ank_alloc_raw(&held, count, global_knn->dim * sizeof *held, err));
  ANK_TRY(ank_alloc_raw(&squared, count, found * sizeof *squared, err));
  ANK_TRY(ank_alloc_raw(&place, count, found * sizeof *place, err));
  ank_spaces_hold(held, &global_knn->spaces, rows->values, count);
  ANK_TRY(ank_search_nearest(place, squared, found, global_knn->search[ANORANK_SPACE_STANDARD], held, count,
                             err));
  for (size_t i = 0; i < count; i++) {
    ank_near near = ank_near_without(place + i * found, squared + i * found, found, ANK_NOWHERE, 1);
    size_t k = neighbours < near.count ? neighbours : near.count;
    values[i] = sqrt((double)near.squared[k - 1]) + ANK_DISTANCE_FLOOR;
  }
  ank_log(values, values, count);
done:
  ank_free(held);
  ank_free(squared);
  ank_free(place);
  return status;
}

/* Compute half the log of the squared Mahalanobis distance. A row in the covariance is excluded from it: by
 * Sherman and Morrison, q becomes q / (1 - share q). */
static anorank_status mahalanobis_values(double *values, const block *work, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const ank_blend *blend = work->blend;
  size_t total = work->count * blend->reference_set.dim;
  double *rows = NULL;
  ANK_TRY(ank_alloc_raw(&rows, work->count, blend->reference_set.dim * sizeof *rows, err));
  for (size_t i = 0; i < total; i++) rows[i] = (double)work->mapped[i];
  ANK_TRY(ank_scorer_mahalanobis.score(values, blend->mahalanobis,
                                       &(ank_matrix){rows, work->count, blend->reference_set.dim}, err));
  for (size_t i = 0; i < work->count; i++) {
    double rest = 1 + blend->mahalanobis_share * values[i]; /* the score is minus the distance */
    values[i] = ANK_DISTANCE_FLOOR * ANK_DISTANCE_FLOOR - values[i] / (!work->own[i] ? 1
                                                                       : rest > ANK_DISTANCE_FLOOR
                                                                           ? rest
                                                                           : ANK_DISTANCE_FLOOR);
  }
  ank_log(values, values, work->count);
  for (size_t i = 0; i < work->count; i++) values[i] *= 0.5;
done:
  ank_free(rows);
  return status;
}

/* Exclude kept rows from their counts. */
static anorank_status token_values(double *values, const ank_part *part, const block *work,
                                   const uint32_t *own, anorank_error *err) {
  const ank_blend *blend = work->blend;
  unsigned char leave[ANK_BLEND_BLOCK];
  int some = 0;
  if (part->weight == 0) {
    memset(values, 0, work->count * sizeof *values);
    return ANORANK_OK;
  }
  for (size_t i = 0; i < work->count; i++) {
    leave[i] = own ? own[i] != ANK_NOWHERE : work->own && work->own[i];
    some = some || leave[i];
  }
  return ank_tokens_values(values, blend->tokens, work->held, work->count, some ? work->held : NULL, leave,
                           err);
}

static anorank_status fill(double *values, block *work, const ank_matrix *rows, const uint32_t *own,
                           anorank_error *err) {
  const ank_blend *blend = work->blend;
  ank_subset_rule rule = {1, blend->skip_copies && !own, own};
  work->count = rows->rows;
  ank_spaces_hold(work->held, &blend->reference_set.spaces, rows->values, rows->rows);
  if (work->found > 0) ANK_CHECK(find(work, own, err));
  if (work->apart > 0) ANK_CHECK(find_apart(work, err));
  for (size_t s = 0; s < ANK_SPACES; s++) ANK_CHECK(look(values, work, (anorank_space)s, err));
  for (size_t p = 0; p < blend->parts; p++) {
    double *out = values + p * rows->rows;
    if (blend->part[p].kind == ANK_PART_SUBSETS) {
      ank_subsets_mean(out, &blend->subsets, work->held, rows->rows, &rule);
    } else if (blend->part[p].kind == ANK_PART_HISTOGRAM) {
      ANK_CHECK(ank_scorer_histogram.score(out, blend->histogram, rows, err));
      for (size_t i = 0; i < rows->rows; i++) out[i] = -out[i];
    } else if (blend->part[p].kind == ANK_PART_KNOWN) {
      ANK_CHECK(
          ank_blend_known_values(out, blend, work->mapped, rows->rows, work->squared, work->found, err));
    } else if (blend->part[p].kind == ANK_PART_FEEDBACK) {
      ank_feedback_values(out, blend, work->mapped, rows->rows, work->squared, work->found);
    } else if (blend->part[p].kind == ANK_PART_GLOBAL_KNN) {
      ANK_CHECK(global_knn_values(out, blend, blend->part[p].neighbours, rows, err));
    } else if (blend->part[p].kind == ANK_PART_MAHALANOBIS) {
      ANK_CHECK(mahalanobis_values(out, work, err));
    } else if (blend->part[p].kind == ANK_PART_TOKENS) {
      ANK_CHECK(token_values(out, &blend->part[p], work, own, err));
    }
  }
  return ANORANK_OK;
}

anorank_status ank_blend_values(double *values, const ank_blend *blend, const ank_matrix *rows,
                                const uint32_t *own, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  block work;
  ANK_TRY(block_make(&work, blend, rows->rows, own != NULL, err));
  ANK_TRY(fill(values, &work, rows, own, err));
done:
  block_free(&work);
  return status;
}

/* ---- sums -------------------------------------------------------------------------------------------- */

static double bend(double z) {
  double most = ANK_BLEND_MOST_Z, least = ANK_BLEND_LEAST_Z;
  if (z > most) return most + log1p(z - most);
  return z < least ? least - log1p(least - z) : z;
}

double ank_blend_join(double others, double tokens) {
  if (tokens <= 0 || others <= 0) return others + tokens;
  return cbrt(others * others * others + tokens * tokens * tokens);
}

double ank_blend_sum(const ank_blend *blend, const double *values, size_t step) {
  double sum = 0;
  for (size_t p = 0; p < blend->parts; p++) {
    const ank_part *part = &blend->part[p];
    double z = (values[p * step] - part->centre) / part->scale;
    double own = part->weight * bend(z > part->most ? part->most : z < part->least ? part->least : z);
    sum = part->kind == ANK_PART_TOKENS ? ank_blend_join(sum, own) : sum + own;
  }
  return sum;
}

anorank_status ank_blend_score(double *scores, const void *scorer, const ank_matrix *rows,
                               const uint32_t *own, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const ank_blend *blend = scorer;
  size_t most = rows->rows < ANK_BLEND_BLOCK ? rows->rows : ANK_BLEND_BLOCK;
  double *values = NULL;
  block work;
  ANK_TRY(block_make(&work, blend, most, own != NULL, err));
  ANK_TRY(ank_alloc_raw(&values, most, ANK_BLEND_PARTS * sizeof *values, err));
  for (size_t from = 0; from < rows->rows; from += ANK_BLEND_BLOCK) {
    size_t count = rows->rows - from < most ? rows->rows - from : most;
    ank_matrix some = {rows->values + from * rows->dim, count, rows->dim};
    ANK_TRY(fill(values, &work, &some, own ? own + from : NULL, err));
    for (size_t i = 0; i < count; i++)
      scores[from + i] = -fmax(ank_blend_sum(blend, values + i, count),
                               ank_blend_tail_least(&blend->tail, some.values + i * rows->dim));
  }
done:
  block_free(&work);
  ank_free(values);
  return status;
}
