/* scorer_blend.c - the class `blend`: the registry entry of blend.h, and its file format. */
#include <math.h>

#include "core/alloc.h"
#include "neighbours/hull.h"
#include "scorers/blend.h"

void ank_blend_free(void *scorer) {
  ank_blend *blend = scorer;
  if (!blend) return;
  ank_reference_set_free(&blend->reference_set);
  ank_subsets_free(&blend->subsets);
  ank_scorer_histogram.free(blend->histogram);
  ank_free(blend->known);
  ank_search_free(blend->near_known);
  ank_feedback_free(&blend->feedback);
  ank_reference_set_free(&blend->trimmed);
  ank_reference_set_free(&blend->global_knn);
  ank_scorer_mahalanobis.free(blend->mahalanobis);
  ank_tokens_free(blend->tokens);
  ank_blend_tail_free(&blend->tail);
  ank_free(blend);
}

static anorank_status blend_score(double *scores, const void *scorer, const ank_matrix *rows,
                                  anorank_error *err) {
  return ank_blend_score(scores, scorer, rows, NULL, err);
}

/* Under `contaminated` every score leaves copies out. */
static anorank_status blend_score_left_out(double *scores, const void *scorer, const ank_samples *samples,
                                           const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t *chosen = NULL, count = 0;
  if (settings->train == ANORANK_TRAIN_CLEAN)
    ANK_TRY(ank_blend_draw(&chosen, &count, samples, settings->reference_rows, settings->seed, err));
  ANK_TRY(ank_score_left_out(scores, scorer, &samples->x, chosen, count, ank_blend_score, settings, err));
done:
  ank_free(chosen);
  return status;
}

/* ---- memory and files -------------------------------------------------------------------------------- */

static size_t blend_dim(const void *scorer) { return ((const ank_blend *)scorer)->reference_set.dim; }

/* A part of weight 0 is not stored. */
static int is_stored(const ank_part *part) { return part->kind != ANK_PART_TOKENS || part->weight > 0; }

static int has_tokens(const ank_blend *blend) {
  for (size_t p = 0; p < blend->parts; p++)
    if (blend->part[p].kind == ANK_PART_TOKENS && is_stored(&blend->part[p])) return 1;
  return 0;
}

static size_t blend_bytes(const void *scorer) {
  const ank_blend *blend = scorer;
  return sizeof *blend + ank_reference_set_bytes(&blend->reference_set) + ank_subsets_bytes(&blend->subsets) +
         (blend->histogram ? ank_scorer_histogram.bytes(blend->histogram) : 0) +
         blend->known_rows * blend->reference_set.dim * sizeof *blend->known +
         (blend->near_known ? ank_search_bytes(blend->near_known) : 0) +
         ank_feedback_bytes(&blend->feedback, blend->reference_set.dim) +
         (blend->trimmed.count > 0 ? ank_reference_set_bytes(&blend->trimmed) : 0) +
         (blend->global_knn.count > 0 ? ank_reference_set_bytes(&blend->global_knn) : 0) +
         (blend->mahalanobis ? ank_scorer_mahalanobis.bytes(blend->mahalanobis) : 0) +
         (has_tokens(blend) ? ank_tokens_bytes(blend->tokens) : 0) + ank_blend_tail_bytes(&blend->tail);
}

/* Extensions of the first file version, as bits of the word for the rule on copies (bit 0). HEDGES: the
 * crowd, the shape and the least z. OPEN: maps that continue beyond their ends (space.h). APART: trimmed rows
 * and gaps. TOLD: feedback. SCORED: a range space of normal scores. TOKENS and TAIL: these parts. */
enum { HEDGES = 2, OPEN = 4, APART = 8, TOLD = 16, SCORED = 32, TOKENS = 64, TAIL = 128 };

static anorank_status save_hedges(const ank_blend *blend, ank_bytes *out, anorank_error *err) {
  ANK_CHECK(ank_bytes_put_u64(out, blend->global_knn.count > 0, err));
  if (blend->global_knn.count > 0) ANK_CHECK(ank_reference_set_save(&blend->global_knn, out, err));
  ANK_CHECK(ank_bytes_put_u64(out, blend->mahalanobis != NULL, err));
  if (blend->mahalanobis) ANK_CHECK(ank_scorer_mahalanobis.save(blend->mahalanobis, out, err));
  return ank_bytes_put_f64(out, blend->mahalanobis_share, err);
}

static anorank_status blend_save(const void *scorer, ank_bytes *out, anorank_error *err) {
  const ank_blend *blend = scorer;
  ANK_CHECK(ank_reference_set_save(&blend->reference_set, out, err));
  ANK_CHECK(ank_bytes_put_u64(
      out,
      HEDGES + APART + (uint64_t)blend->skip_copies + (blend->reference_set.spaces.open ? OPEN : 0) +
          (ank_feedback_count(&blend->feedback) > 0 ? TOLD : 0) +
          (blend->reference_set.spaces.scored ? SCORED : 0) + (has_tokens(blend) ? TOKENS : 0) +
          (ank_blend_tail_is_there(&blend->tail) ? TAIL : 0),
      err));
  ANK_CHECK(ank_subsets_save(&blend->subsets, out, err));
  ANK_CHECK(ank_bytes_put_u64(out, blend->histogram != NULL, err));
  if (blend->histogram) ANK_CHECK(ank_scorer_histogram.save(blend->histogram, out, err));
  ANK_CHECK(ank_blend_save_known(blend, out, err));
  ANK_CHECK(save_hedges(blend, out, err));
  ANK_CHECK(ank_blend_save_trimmed(blend, out, err));
  if (ank_feedback_count(&blend->feedback) > 0) ANK_CHECK(ank_feedback_save(blend, out, err));
  if (has_tokens(blend)) ANK_CHECK(ank_tokens_save(blend->tokens, out, err));
  if (ank_blend_tail_is_there(&blend->tail)) ANK_CHECK(ank_blend_tail_save(&blend->tail, out, err));
  size_t stored = 0;
  for (size_t p = 0; p < blend->parts; p++) stored += is_stored(&blend->part[p]) != 0;
  ANK_CHECK(ank_bytes_put_u64(out, stored, err));
  for (size_t p = 0; p < blend->parts; p++) {
    const ank_part *part = &blend->part[p];
    if (!is_stored(part)) continue;
    ANK_CHECK(ank_bytes_put_u64(out, (uint64_t)part->kind, err));
    ANK_CHECK(ank_bytes_put_u64(out, (uint64_t)part->space, err));
    ANK_CHECK(ank_bytes_put_u64(out, part->neighbours, err));
    ANK_CHECK(ank_bytes_put_f64(out, part->weight, err));
    ANK_CHECK(ank_bytes_put_f64(out, part->centre, err));
    ANK_CHECK(ank_bytes_put_f64(out, part->scale, err));
    ANK_CHECK(ank_bytes_put_f64(out, part->most, err));
    ANK_CHECK(ank_bytes_put_f64(out, part->least, err));
    ANK_CHECK(ank_bytes_put_f64(out, part->gap, err));
  }
  return ANORANK_OK;
}

/* Return whether the input of a part of this kind exists. */
static int is_there(const ank_blend *blend, size_t kind) {
  switch ((ank_part_kind)kind) {
  case ANK_PART_SUBSETS: return blend->subsets.sets > 0;
  case ANK_PART_HISTOGRAM: return blend->histogram != NULL;
  case ANK_PART_KNOWN: return blend->known_rows > 0;
  case ANK_PART_FEEDBACK: return ank_feedback_count(&blend->feedback) > 0;
  case ANK_PART_GLOBAL_KNN: return blend->global_knn.count > 0;
  case ANK_PART_MAHALANOBIS: return blend->mahalanobis != NULL;
  case ANK_PART_TOKENS: return blend->tokens != NULL;
  default: return 1;
  }
}

static anorank_status load_part(ank_part *out, const ank_blend *blend, size_t rule, ank_cursor *in,
                                anorank_error *err) {
  size_t kind, space;
  ANK_CHECK(ank_cursor_size(in, &kind, 0, ANK_PART_KINDS - 1, "the kind of a part", err));
  ANK_CHECK(ank_cursor_size(in, &space, 0, ANK_SPACES - 1, "the space of a part", err));
  ANK_CHECK(ank_cursor_size(in, &out->neighbours, 1, ANK_HULL_MOST, "the neighbours of a part", err));
  ANK_CHECK(ank_cursor_f64(in, &out->weight, err));
  ANK_CHECK(ank_cursor_f64(in, &out->centre, err));
  ANK_CHECK(ank_cursor_f64(in, &out->scale, err));
  ANK_CHECK(ank_cursor_f64(in, &out->most, err));
  out->least = -INFINITY;
  out->gap = -1;
  if (rule & HEDGES) ANK_CHECK(ank_cursor_f64(in, &out->least, err));
  if (rule & APART) ANK_CHECK(ank_cursor_f64(in, &out->gap, err));
  out->kind = (ank_part_kind)kind;
  out->space = (anorank_space)space;
  if (!(fabs(out->weight) <= 1e3) || !(fabs(out->centre) <= 1e6) || !(out->scale >= 1e-6) ||
      !isfinite(out->scale) || !(out->most >= 0) || !(out->least <= 0) || !(out->gap >= -1) ||
      !is_there(blend, kind))
    return ank_fail(err, ANORANK_ERROR_MODEL, "model-blend",
                    "the model is damaged: one part of its blend is invalid");
  return ANORANK_OK;
}

static anorank_status load_hedges(ank_blend *blend, ank_cursor *in, anorank_error *err) {
  size_t there, dim = blend->reference_set.dim;
  ANK_CHECK(ank_cursor_size(in, &there, 0, 1, "the number of crowds", err));
  if (there) ANK_CHECK(ank_reference_set_load(&blend->global_knn, in, err));
  int sound = !there || blend->global_knn.dim == dim;
  ANK_CHECK(ank_cursor_size(in, &there, 0, 1, "the number of shapes", err));
  if (there) ANK_CHECK(ank_scorer_load(&blend->mahalanobis, &ank_scorer_mahalanobis, in, err));
  sound = sound && (!there || ank_scorer_mahalanobis.dim(blend->mahalanobis) == dim);
  ANK_CHECK(ank_cursor_f64(in, &blend->mahalanobis_share, err));
  if (!sound || !(blend->mahalanobis_share >= 0 && blend->mahalanobis_share <= 1))
    return ank_fail(err, ANORANK_ERROR_MODEL, "model-blend",
                    "the model is damaged: one part of its blend is invalid");
  return ANORANK_OK;
}

static anorank_status blend_load(void *scorer, ank_cursor *in, anorank_error *err) {
  ank_blend *blend = scorer;
  size_t rule, histogram;
  ANK_CHECK(ank_reference_set_load(&blend->reference_set, in, err));
  ANK_CHECK(ank_cursor_size(in, &rule, 0, HEDGES + OPEN + APART + TOLD + SCORED + TOKENS + TAIL + 1,
                            "the rule for copies", err));
  blend->skip_copies = rule & 1;
  blend->reference_set.spaces.open = (rule & OPEN) != 0;
  blend->reference_set.spaces.scored = (rule & SCORED) != 0;
  ANK_CHECK(ank_subsets_load(&blend->subsets, blend->reference_set.rows, blend->reference_set.count,
                             blend->reference_set.dim, in, err));
  ANK_CHECK(ank_cursor_size(in, &histogram, 0, 1, "the number of histograms", err));
  if (histogram) ANK_CHECK(ank_scorer_load(&blend->histogram, &ank_scorer_histogram, in, err));
  if (histogram && ank_scorer_histogram.dim(blend->histogram) != blend->reference_set.dim)
    return ank_fail(err, ANORANK_ERROR_MODEL, "model-histogram",
                    "the model is damaged: one of its histograms is invalid");
  ANK_CHECK(ank_blend_load_known(blend, in, err));
  if (rule & HEDGES) ANK_CHECK(load_hedges(blend, in, err));
  if (rule & APART) ANK_CHECK(ank_blend_load_trimmed(blend, in, err));
  if (rule & TOLD) ANK_CHECK(ank_feedback_load(blend, in, err));
  if (rule & TOKENS) ANK_CHECK(ank_tokens_load(&blend->tokens, &blend->reference_set, in, err));
  if (rule & TAIL) ANK_CHECK(ank_blend_tail_load(&blend->tail, blend->reference_set.dim, in, err));
  ANK_CHECK(ank_cursor_size(in, &blend->parts, 1, ANK_BLEND_PARTS, "the number of parts", err));
  for (size_t p = 0; p < blend->parts; p++) ANK_CHECK(load_part(&blend->part[p], blend, rule, in, err));
  return ank_blend_prepare(blend, err);
}

static void blend_take_scale(void *scorer, const void *other) {
  ank_blend *blend = scorer;
  const ank_blend *from = other;
  if (blend->parts != from->parts) return;
  for (size_t p = 0; p < blend->parts; p++)
    if (blend->part[p].kind != from->part[p].kind || blend->part[p].space != from->part[p].space) return;
  for (size_t p = 0; p < blend->parts; p++) {
    blend->part[p].centre = from->part[p].centre;
    blend->part[p].scale = from->part[p].scale;
    blend->part[p].weight = from->part[p].weight;
  }
  ank_blend_tail_settle(blend);
}

static anorank_status blend_unseen(ank_unseen *out, const void *scorer, const double *row,
                                   anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const ank_blend *blend = scorer;
  float *held = NULL;
  out->count = 0;
  if (!has_tokens(blend)) return ANORANK_OK;
  ANK_TRY(ank_alloc_raw(&held, blend->reference_set.dim, sizeof *held, err));
  ank_spaces_hold(held, &blend->reference_set.spaces, row, 1);
  ANK_TRY(ank_tokens_unseen(out, blend->tokens, held, err));
done:
  ank_free(held);
  return status;
}

const ank_scorer_class ank_scorer_blend = {
    .info = {"blend",
             "calibrated ensemble of local-hull, nearest-neighbour and subsample distances (default)",
             "train fast reference-rows subsamples subsample seed", 0, 0},
    .uses_known = 1,
    .size = sizeof(ank_blend),
    .fit = ank_blend_fit,
    .score = blend_score,
    .score_left_out = blend_score_left_out,
    .left_out_of_all = 1,
    .take_scale = blend_take_scale,
    .unseen = blend_unseen,
    .dim = blend_dim,
    .bytes = blend_bytes,
    .save = blend_save,
    .load = blend_load,
    .free = ank_blend_free,
};
