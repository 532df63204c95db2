/* entity_scale.h - scores rescaled per entity, so that p-values hold for each entity and a noisy one does
 * not fill the list.
 *
 *   score' = C + (score - C - shift_e) exp(-stretch_e),
 *
 * C is the mean of all calibration scores. shift_e is the difference of the entity's mean from C, and stretch_e that of its
 * log mean absolute deviation from the one of all. Both are shrunk, by n / (n + k), towards the values of entities with as
 * many rows (a line in log n). k is the variance within entities over the variance between them, so that similar entities
 * keep similar scales. If the mean of an entity is uncertain, its scores vary more, and the stretch is larger. */
#ifndef ANK_MODEL_ENTITY_SCALE_H
#define ANK_MODEL_ENTITY_SCALE_H

#include "context/context.h"

typedef struct ank_entity_scale {
  int used; /* 0: scores are not rescaled */
  double centre;
  double shift, stretch; /* of unknown entities; the context has the differences of others */
} ank_entity_scale;

/* Fit to calibration scores: scores[k] belongs to row rows[k] of the sequences, whose rows are left out by `part`. Rescales
 * the scores by entity, each without the row's own part. own[e] receives the difference of entity e. Unused with fewer
 * than ANK_ENTITY_FEWEST entities. */
anorank_status ank_entity_scale_fit(ank_entity_scale *out, double *scores, const size_t *rows, size_t count,
                                    const ank_sequences *sequences, const unsigned char *part,
                                    ank_score_scale *own, anorank_error *err);

/* Rescale a score; `own`: the difference of the row's entity. */
double ank_entity_scaled(const ank_entity_scale *scale, double score, ank_score_scale own);

anorank_status ank_entity_scale_save(const ank_entity_scale *scale, ank_bytes *out, anorank_error *err);
anorank_status ank_entity_scale_load(ank_entity_scale *out, ank_cursor *in, anorank_error *err);

#endif
