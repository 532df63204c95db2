/* reading_settings.c - settings for reading the rows of a model or a fit. */
#include <string.h>

#include "core/alloc.h"
#include "core/list.h"
#include "core/settings.h"
#include "core/status.h"

/* A growing list; `text` has space for all items. */
typedef struct {
  char *text;
  size_t used;
} list;

static void add_item(list *to, const char *item, size_t length) {
  if (to->used > 0) to->text[to->used++] = ',';
  memcpy(to->text + to->used, item, length);
  to->used += length;
  to->text[to->used] = '\0';
}

static void add_name(list *to, const char *name) {
  size_t length = strlen(name);
  if (ank_list_has(to->text, name, length)) return;
  if (to->used > 0) to->text[to->used++] = ',';
  to->used += ank_list_encode(to->text + to->used, name, length);
  to->text[to->used] = '\0';
}

static size_t room_for_ids(const anorank_model *model, const anorank_settings *settings) {
  size_t room = strlen(settings->keep) + strlen(settings->id) + 2;
  for (size_t j = 0; model && j < anorank_model_get_info(model)->columns; j++)
    room += 2 * strlen(anorank_model_column_at(model, j)->name) + 1;
  return room;
}

/* `keep` and the identifiers. */
static anorank_status keep_ids(anorank_settings *settings, const anorank_model *model, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  list kept = {0};
  if (strcmp(settings->keep, "all") == 0) return ANORANK_OK;
  ANK_TRY(ank_alloc(&kept.text, room_for_ids(model, settings), 1, err));
  add_item(&kept, settings->keep, strlen(settings->keep));
  if (!model && *settings->id) add_item(&kept, settings->id, strlen(settings->id));
  for (size_t j = 0; model && j < anorank_model_get_info(model)->columns; j++) {
    const anorank_model_column *column = anorank_model_column_at(model, j);
    if (column->role == ANORANK_ROLE_ID) add_name(&kept, column->name);
  }
  ANK_TRY(anorank_settings_set(settings, "keep", kept.text, err));
done:
  ank_free(kept.text);
  return status;
}

anorank_status anorank_settings_prepare_reading(anorank_settings *settings, const anorank_model *model,
                                                anorank_error *err) {
  static const char *const names[] = {"missing", "categorical", "by", "time", "window"};
  ANK_NEED(settings);
  for (size_t i = 0; model && i < sizeof names / sizeof names[0]; i++)
    if (!*anorank_settings_text(settings, names[i]))
      ANK_CHECK(anorank_settings_set(settings, names[i],
                                     anorank_settings_text(anorank_model_settings(model), names[i]), err));
  return keep_ids(settings, model, err);
}
