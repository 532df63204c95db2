/* api_watch.c - a watch over a file for the outside: arguments are checked here, then inward. */
#include "model/watch.h"

anorank_status anorank_watch_new(anorank_watch **out, const anorank_model *model, anorank_error *err) {
  ANK_NEED(out);
  *out = NULL;
  ANK_NEED(model);
  return ank_watch_new(out, model, err);
}

void anorank_watch_free(anorank_watch *watch) { ank_watch_free(watch); }

anorank_status anorank_watch_block(anorank_watch *watch, const anorank_table *block, const double *p_values,
                                   anorank_error *err) {
  ANK_NEED(watch);
  ANK_NEED(block);
  return ank_watch_block(watch, block, p_values, err);
}

anorank_status anorank_watch_rows(anorank_watch *watch, const anorank_table *block, size_t first_row,
                                  const double *p_values, anorank_error *err) {
  ANK_NEED(watch);
  ANK_NEED(block);
  return ank_watch_rows(watch, block, first_row, p_values, err);
}

anorank_status anorank_watch_to_bytes(unsigned char **out, size_t *length, const anorank_watch *watch,
                                      anorank_error *err) {
  ank_bytes bytes = {0};
  ANK_NEED(out);
  *out = NULL;
  ANK_NEED(length);
  *length = 0;
  ANK_NEED(watch);
  anorank_status status = ank_watch_save(&bytes, watch, err);
  if (status != ANORANK_OK) {
    ank_bytes_free(&bytes);
    return status;
  }
  *out = bytes.data;
  *length = bytes.length;
  return ANORANK_OK;
}

anorank_status anorank_watch_merge(anorank_watch *watch, const unsigned char *bytes, size_t length,
                                   anorank_error *err) {
  ANK_NEED(watch);
  ANK_NEED(bytes);
  return ank_watch_merge(watch, bytes, length, err);
}

anorank_status anorank_watch_finish(anorank_watch *watch, anorank_error *err) {
  ANK_NEED(watch);
  return ank_watch_finish(watch, err);
}

size_t anorank_watch_notes(const anorank_watch *watch) { return watch ? ank_watch_notes(watch)->count : 0; }

const char *anorank_watch_note(const anorank_watch *watch, size_t i) {
  return i < anorank_watch_notes(watch) ? ank_watch_notes(watch)->list[i].text : NULL;
}

anorank_note_kind anorank_watch_note_kind(const anorank_watch *watch, size_t i) {
  return i < anorank_watch_notes(watch) ? ank_watch_notes(watch)->list[i].kind : ANORANK_NOTE_DETAIL;
}

const char *anorank_watch_note_code(const anorank_watch *watch, size_t i) {
  return i < anorank_watch_notes(watch) ? ank_watch_notes(watch)->list[i].code : "";
}
