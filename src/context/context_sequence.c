/* context_sequence.c - the rows of a table as sequences, one per entity. */
#include <string.h>

#include "context/context_parts.h"
#include "core/alloc.h"
#include "kernels/sort.h"

void ank_sequences_free(ank_sequences *sequences) {
  ank_free(sequences->order);
  ank_free(sequences->entity);
  ank_free(sequences->time);
  *sequences = (ank_sequences){0};
}

/* Entities by their numbers in the context, those that it does not know behind them. */
static anorank_status number_entities(uint32_t *entity, size_t *count, const ank_context *context,
                                      const anorank_table *table, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const ank_entity_names *known = &context->key[0].names;
  ank_row_entities own = {0};
  uint32_t *number = NULL;
  *count = known->count;
  ANK_TRY(ank_row_entities_make(&own, context->key[0].by, table, err));
  ANK_TRY(ank_alloc_raw(&number, own.count, sizeof *number, err));
  for (size_t e = 0; e < own.count; e++) {
    number[e] = ank_entity_find(known, own.name[e]);
    if (number[e] == ANK_NO_ENTITY) number[e] = (uint32_t)(*count)++;
  }
  for (size_t i = 0; i < table->rows; i++) entity[i] = number[own.of[i]];
done:
  ank_row_entities_free(&own);
  ank_free(number);
  return status;
}

anorank_status ank_context_sequences(ank_sequences *out, const ank_context *context,
                                     const anorank_table *table, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_context_rows rows = {0};
  size_t *first = NULL, n = table->rows;
  *out = (ank_sequences){.rows = n, .entities = 1};
  ANK_TRY(ank_alloc(&out->entity, n, sizeof *out->entity, err));
  ANK_TRY(ank_alloc_raw(&out->order, n, sizeof *out->order, err));
  if (!context) {
    for (size_t i = 0; i < n; i++) out->order[i] = (uint32_t)i;
    goto done;
  }
  ANK_TRY(number_entities(out->entity, &out->entities, context, table, err));
  ANK_TRY(ank_context_rows_make(&rows, context, table, 0, 0, err));
  ANK_TRY(ank_context_rows_sort(&rows, err));
  out->time = rows.time;
  rows.time = NULL;
  out->moments = context->moments;
  ANK_TRY(ank_alloc(&first, out->entities + 1, sizeof *first, err));
  for (size_t i = 0; i < n; i++) first[out->entity[i] + 1]++;
  for (size_t e = 0; e < out->entities; e++) first[e + 1] += first[e];
  for (size_t k = 0; k < n; k++) out->order[first[out->entity[rows.order[k]]]++] = rows.order[k];
done:
  ank_context_rows_free(&rows);
  ank_free(first);
  if (status != ANORANK_OK) ank_sequences_free(out);
  return status;
}
