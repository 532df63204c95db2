/* api_tally.c - tables that are judged block by block, for the outside: arguments are checked here, then inward. */
#include "core/alloc.h"
#include "verdict/tally.h"

anorank_status anorank_tally_new(anorank_tally **out, const anorank_model *model,
                                 const anorank_settings *settings, anorank_error *err) {
  ANK_NEED(out);
  *out = NULL;
  ANK_NEED(model);
  return ank_tallied_new(out, model, ank_settings_or_default(settings), err);
}

void anorank_tally_free(anorank_tally *tally) { ank_tallied_free(tally); }

void anorank_tally_own_scores(anorank_tally *tally, const size_t *rows, const double *scores, size_t count) {
  if (!tally) return;
  tally->own_rows = rows;
  tally->own_scores = scores;
  tally->own_count = rows && scores ? count : 0;
}

anorank_status anorank_tally_add(anorank_tally *tally, const anorank_table *block, size_t first_row,
                                 anorank_error *err) {
  ANK_NEED(tally);
  ANK_NEED(block);
  return ank_tallied_add(tally, block, first_row, err);
}

anorank_status anorank_tally_merge(anorank_tally *tally, const anorank_tally *other, anorank_error *err) {
  ANK_NEED(tally);
  ANK_NEED(other);
  return ank_tallied_merge(tally, other, err);
}

anorank_status anorank_tally_take_counts(anorank_tally *tally, const anorank_tally *all, anorank_error *err) {
  ANK_NEED(tally);
  ANK_NEED(all);
  return ank_tallied_take_counts(tally, all, err);
}

anorank_status anorank_tally_to_bytes(unsigned char **out, size_t *length, anorank_tally *tally,
                                      anorank_error *err) {
  ank_bytes bytes = {0};
  ANK_NEED(out);
  *out = NULL;
  ANK_NEED(length);
  *length = 0;
  ANK_NEED(tally);
  anorank_status status = ank_tallied_save(&bytes, tally, err);
  if (status != ANORANK_OK) {
    ank_bytes_free(&bytes);
    return status;
  }
  *out = bytes.data;
  *length = bytes.length;
  return ANORANK_OK;
}

anorank_status anorank_tally_from_bytes(anorank_tally **out, const anorank_model *model, const void *bytes,
                                        size_t length, const anorank_settings *settings, anorank_error *err) {
  ANK_NEED(out);
  *out = NULL;
  ANK_NEED(model);
  if (length > 0) ANK_NEED(bytes);
  return ank_tallied_load(out, model, bytes, length, ank_settings_or_default(settings), err);
}

anorank_status anorank_tally_finish(anorank_tally *tally, anorank_error *err) {
  ANK_NEED(tally);
  return ank_tallied_finish(tally, err);
}

size_t anorank_tally_rows(const anorank_tally *tally) { return tally ? tally->rows : 0; }

size_t anorank_tally_selected(const anorank_tally *tally) {
  return tally && tally->finished ? tally->selected : 0;
}

anorank_status anorank_tally_fetch(anorank_tally *tally, const anorank_table *block, size_t first_row,
                                   anorank_error *err) {
  ANK_NEED(tally);
  ANK_NEED(block);
  return ank_tallied_fetch(tally, block, first_row, err);
}

anorank_status anorank_tally_next(const anorank_verdict **verdict, const anorank_table **table,
                                  anorank_tally *tally, size_t most, anorank_error *err) {
  ANK_NEED(verdict);
  ANK_NEED(table);
  *verdict = NULL;
  *table = NULL;
  ANK_NEED(tally);
  anorank_status status = ank_tallied_next(tally, most > 0 ? most : 1, err);
  if (status != ANORANK_OK) return status;
  *verdict = tally->verdict;
  *table = tally->table;
  return ANORANK_OK;
}
