/* blend_parts.c - the values of a blend's parts, and their sum (blend.h). One search per space and block of
 * rows serves all parts that look there. */
#include <math.h>

#include "core/alloc.h"
#include "scorers/blend.h"
#include "scorers/hull.h"

/* Below this the distance to a kept row no longer counts. */
#define FLOOR 1e-3

static int searches(const ank_part *part) { return part->kind != ANK_PART_SUBSETS; }

anorank_status ank_blend_prepare(ank_blend *blend, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  for (size_t p = 0; p < blend->parts; p++) {
    blend->part[p].space = ank_spaces_first(&blend->kept.spaces, blend->part[p].space);
    if (searches(&blend->part[p])) ANK_TRY(ank_kept_prepare(&blend->kept, blend->part[p].space, err));
  }
done:
  return status;
}

/* How many neighbours the parts of a space ask for, one more for what may be left out; 0: no part looks
 * there. */
static size_t neighbours_wanted(const ank_blend *blend, anorank_space space, int leaving) {
  size_t most = 0;
  for (size_t p = 0; p < blend->parts; p++)
    if (searches(&blend->part[p]) && blend->part[p].space == space && blend->part[p].neighbours > most)
      most = blend->part[p].neighbours;
  if (most > 0 && leaving) most++;
  return most < blend->kept.count ? most : blend->kept.count;
}

static double value_of(const ank_part *part, const ank_search *search, const float *row,
                       const ank_near *near) {
  size_t k = part->neighbours < near->count ? part->neighbours : near->count;
  if (part->kind == ANK_PART_HULL) return ank_hull_value(search, near->place, k, row);
  return log(sqrt((double)near->squared[k - 1]) + FLOOR);
}

/* The parts of one space. */
static anorank_status look(double *values, const ank_blend *blend, anorank_space space, size_t k,
                           const float *held, size_t count, const uint32_t *own, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const ank_search *search = blend->kept.search[space];
  size_t dim = blend->kept.dim;
  float *mapped = NULL, *squared = NULL;
  uint32_t *place = NULL;
  ANK_TRY(ank_alloc_raw(&mapped, count, dim * sizeof *mapped, err));
  ANK_TRY(ank_alloc_raw(&squared, count, k * sizeof *squared, err));
  ANK_TRY(ank_alloc_raw(&place, count, k * sizeof *place, err));
  ank_spaces_map(mapped, &blend->kept.spaces, space, held, count);
  ANK_TRY(ank_search_nearest(place, squared, k, search, mapped, count, err));
  for (size_t i = 0; i < count; i++) {
    ank_near near =
        ank_near_without(place + i * k, squared + i * k, k, own ? own[i] : ANK_NOWHERE, blend->skip_copies);
    for (size_t p = 0; p < blend->parts; p++) {
      const ank_part *part = &blend->part[p];
      if (part->space == space && (part->kind == ANK_PART_HULL || part->kind == ANK_PART_NEAREST))
        values[p * count + i] = value_of(part, search, mapped + i * dim, &near);
    }
  }
  for (size_t p = 0; p < blend->parts; p++)
    if (blend->part[p].kind == ANK_PART_KNOWN && blend->part[p].space == space)
      ANK_TRY(ank_blend_known_values(values + p * count, blend, held, count, squared, k, err));
done:
  ank_free(mapped);
  ank_free(squared);
  ank_free(place);
  return status;
}

anorank_status ank_blend_values(double *values, const ank_blend *blend, const float *held, size_t count,
                                const uint32_t *own, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_subset_rule rule = {1, blend->skip_copies, own};
  for (size_t s = 0; s < ANK_SPACES; s++) {
    size_t k = neighbours_wanted(blend, (anorank_space)s, own || blend->skip_copies);
    if (k > 0) ANK_TRY(look(values, blend, (anorank_space)s, k, held, count, own, err));
  }
  for (size_t p = 0; p < blend->parts; p++)
    if (blend->part[p].kind == ANK_PART_SUBSETS)
      ank_subsets_mean(values + p * count, &blend->subsets, held, count, &rule);
done:
  return status;
}

static double bend(double z) {
  if (z > 10) return 10 + log1p(z - 10);
  return z < -6 ? -6 - log1p(-6 - z) : z;
}

anorank_status ank_blend_score(double *scores, const ank_blend *blend, const ank_matrix *rows,
                               const uint32_t *own, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t most = rows->rows < ANK_BLEND_BLOCK ? rows->rows : ANK_BLEND_BLOCK;
  float *held = NULL;
  double *values = NULL;
  ANK_TRY(ank_alloc_raw(&held, most, rows->dim * sizeof *held, err));
  ANK_TRY(ank_alloc_raw(&values, most, ANK_BLEND_PARTS * sizeof *values, err));
  for (size_t from = 0; from < rows->rows; from += ANK_BLEND_BLOCK) {
    size_t count = rows->rows - from < most ? rows->rows - from : most;
    ank_spaces_hold(held, &blend->kept.spaces, rows->values + from * rows->dim, count);
    ANK_TRY(ank_blend_values(values, blend, held, count, own ? own + from : NULL, err));
    for (size_t i = 0; i < count; i++) {
      double sum = 0;
      for (size_t p = 0; p < blend->parts; p++) {
        const ank_part *part = &blend->part[p];
        double z = (values[p * count + i] - part->centre) / part->scale;
        sum += part->weight * bend(z < part->most ? z : part->most);
      }
      scores[from + i] = -sum;
    }
  }
done:
  ank_free(held);
  ank_free(values);
  return status;
}
