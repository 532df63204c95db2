/* entity_scale.h - scores rescaled per entity, so that p-values hold for each entity and a noisy one does
 * not fill the list.
 *
 *   score' = C + (score - C - shift_e) exp(-stretch_e),
 *
 * C the mean of all calibration scores, shift_e and stretch_e how far the mean of the entity's calibration scores is from
 * C, and the log of their mean absolute deviation from that of all. Both are shrunk, by n / (n + k), towards what
 * entities with as many rows have (a line in log n): k is the variance within entities over the variance between them,
 * so that similar entities keep similar scales. If the mean of an entity is uncertain, its scores vary more, and the
 * stretch is larger. */
#ifndef ANK_MODEL_ENTITY_SCALE_H
#define ANK_MODEL_ENTITY_SCALE_H

#include "context/context.h"

typedef struct ank_entity_scale {
  int used; /* 0: scores are as they are */
  double centre;
  double shift, stretch; /* of entities that are not known; the context has what others differ by */
} ank_entity_scale;

/* From calibration scores: scores[k] of row rows[k] of the sequences, whose rows are left out by `part`. Puts the scores on
 * the scale of their entities, as those say without the row's own part. own[e]: what entity e differs by.
 * Unused with fewer than ANK_ENTITY_FEWEST entities. */
anorank_status ank_entity_scale_fit(ank_entity_scale *out, double *scores, const size_t *rows, size_t count,
                                    const ank_sequences *sequences, const unsigned char *part,
                                    ank_score_scale *own, anorank_error *err);

/* `own`: what the row's entity differs by. */
double ank_entity_scaled(const ank_entity_scale *scale, double score, ank_score_scale own);

anorank_status ank_entity_scale_save(const ank_entity_scale *scale, ank_bytes *out, anorank_error *err);
anorank_status ank_entity_scale_load(ank_entity_scale *out, ank_cursor *in, anorank_error *err);

#endif
