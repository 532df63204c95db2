/* context_state.c - a run at one of its rows: as bytes, and for the reasons of the next rows.
 *
 * As bytes: number of rows, of those without a time, time of the last, counts of each key; then a
 * context whose history is the state, and the numbers of its entities. */
#include <string.h>

#include "context/context_parts.h"
#include "core/alloc.h"

/* The numbers of the entities in the order of their use: a fit depends on them. */
static anorank_status save_numbers(const ank_key *key, ank_bytes *out, anorank_error *err) {
  const ank_entity_names *names = &key->names;
  uint32_t *number = NULL, e = names->oldest;
  ANK_CHECK(ank_alloc_raw(&number, names->count, sizeof *number, err));
  for (size_t i = 0; i < names->count; i++) {
    number[i] = e;
    if (e != names->newest) e = names->newer[e];
  }
  anorank_status status = ank_bytes_put_u32s(out, number, names->count, err);
  ank_free(number);
  return status;
}

/* `from` has its entities in the order of their use; they get their numbers back. */
static anorank_status take_entities(ank_key *to, const ank_key *from, size_t columns, size_t most,
                                    ank_cursor *in, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  uint32_t *number = NULL, *place = NULL;
  size_t count = from->names.count, numbers;
  ANK_TRY(ank_cursor_u32s(in, &number, &numbers, err));
  if (numbers != count) ANK_TRY(ANORANK_ERROR_MODEL);
  ANK_TRY(ank_alloc_raw(&place, count, sizeof *place, err));
  for (size_t i = 0; i < count; i++) place[i] = ANK_NO_ENTITY;
  for (size_t i = 0; i < count; i++) {
    if (number[i] >= count || place[number[i]] != ANK_NO_ENTITY) ANK_TRY(ANORANK_ERROR_MODEL);
    place[number[i]] = (uint32_t)i;
  }
  ANK_TRY(ank_key_reserve(to, columns, count, err));
  for (size_t e = 0; e < count; e++) ANK_TRY(ank_key_put(to, from, place[e], columns, most, err));
  for (size_t i = 0; i < count; i++) ank_entity_touch(&to->names, number[i]);
done:
  ank_free(number);
  ank_free(place);
  return status;
}

anorank_status ank_context_run_save(const ank_context_run *run, ank_bytes *out, anorank_error *err) {
  ank_context view = *run->context;
  ANK_CHECK(ank_bytes_put_u64(out, run->rows, err));
  ANK_CHECK(ank_bytes_put_u64(out, run->untimed, err));
  ANK_CHECK(ank_bytes_put_f64(out, run->time, err));
  for (size_t k = 0; k < view.keys; k++) {
    ANK_CHECK(ank_bytes_put_u64(out, run->restarted[k], err));
    ANK_CHECK(ank_bytes_put_u64(out, run->evicted[k], err));
    ANK_CHECK(ank_bytes_put_u64(out, run->nameless[k], err));
    view.key[k] = run->key[k];
  }
  ANK_CHECK(ank_context_save(&view, out, err));
  for (size_t k = 0; k < view.keys; k++) ANK_CHECK(save_numbers(&view.key[k], out, err));
  return ANORANK_OK;
}

/* The context without its history. */
static anorank_status save_learned(ank_bytes *out, const ank_context *context, anorank_error *err) {
  ank_context view = *context;
  for (size_t k = 0; k < view.keys; k++) view.key[k].names = (ank_entity_names){0};
  return ank_context_save(&view, out, err);
}

static anorank_status check_learned(const ank_context *context, const ank_context *state,
                                    anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_bytes own = {0}, other = {0};
  ANK_TRY(save_learned(&own, context, err));
  ANK_TRY(save_learned(&other, state, err));
  if (own.length != other.length || memcmp(own.data, other.data, own.length) != 0)
    status = ANORANK_ERROR_MODEL;
done:
  ank_bytes_free(&own);
  ank_bytes_free(&other);
  return status;
}

anorank_status ank_context_run_load(ank_context_run **out, const ank_context *context, ank_history history,
                                    ank_cursor *in, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_context_run *run = NULL;
  ank_context *state = NULL;
  *out = NULL;
  ANK_TRY(ank_context_run_new(&run, context, history, err));
  ANK_TRY(ank_cursor_size(in, &run->rows, 0, SIZE_MAX / 2, "the number of rows", err));
  ANK_TRY(ank_cursor_size(in, &run->untimed, 0, run->rows, "a count", err));
  ANK_TRY(ank_cursor_f64(in, &run->time, err));
  for (size_t k = 0; k < context->keys; k++) {
    ANK_TRY(ank_cursor_size(in, &run->restarted[k], 0, SIZE_MAX / 2, "a count", err));
    ANK_TRY(ank_cursor_size(in, &run->evicted[k], 0, SIZE_MAX / 2, "a count", err));
    ANK_TRY(ank_cursor_size(in, &run->nameless[k], 0, SIZE_MAX / 2, "a count", err));
  }
  ANK_TRY(ank_context_load(&state, in, err));
  ANK_TRY(check_learned(context, state, err));
  for (size_t k = 0; k < context->keys; k++)
    ANK_TRY(take_entities(&run->key[k], &state->key[k], context->columns, context->most, in, err));
  ANK_HAND_OVER(out, run);
done:
  ank_context_free(state);
  ank_context_run_free(run);
  return status;
}

/* ---- before some rows -------------------------------------------------------------------------------- */

static anorank_status copy_entities(ank_context_run *to, const ank_context_run *run, size_t k,
                                    const anorank_table *table, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const ank_context *context = run->context;
  const ank_key *known[] = {&run->key[k], run->history == ANK_HISTORY_GOES_ON ? &context->key[k] : NULL};
  ank_row_entities own = {0};
  ANK_TRY(ank_row_entities_make(&own, context->key[k].by, table, err));
  ANK_TRY(ank_key_reserve(&to->key[k], context->columns, own.count, err));
  for (size_t e = 0; e < own.count; e++) {
    uint32_t number = ANK_NO_ENTITY;
    for (size_t i = 0; i < 2 && known[i] && number == ANK_NO_ENTITY; i++) {
      number = ank_entity_find(&known[i]->names, own.name[e]);
      if (number != ANK_NO_ENTITY)
        ANK_TRY(ank_key_put(&to->key[k], known[i], number, context->columns, SIZE_MAX, err));
    }
  }
done:
  ank_row_entities_free(&own);
  return status;
}

anorank_status ank_context_run_before(ank_context_run **out, const ank_context_run *run,
                                      const anorank_table *table, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_context_run *made = NULL;
  *out = NULL;
  ANK_TRY(ank_context_run_new(&made, run->context, run->history, err));
  for (size_t k = 0; k < run->context->keys; k++) ANK_TRY(copy_entities(made, run, k, table, err));
  ANK_HAND_OVER(out, made);
done:
  ank_context_run_free(made);
  return status;
}

anorank_status ank_context_run_past(ank_pasts *out, const ank_context_run *before, const anorank_table *table,
                                    const size_t *chosen, size_t count, anorank_error *err) {
  ank_context view = *before->context;
  for (size_t k = 0; k < view.keys; k++) view.key[k] = before->key[k];
  return ank_context_past(out, &view, table, chosen, count, 0, err);
}
