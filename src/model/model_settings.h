/* model_settings.h - the settings of a fit in a model file (docs/model-format.md). */
#ifndef ANK_MODEL_MODEL_SETTINGS_H
#define ANK_MODEL_MODEL_SETTINGS_H

#include "core/bytes.h"

/* Return whether the setting changes a model, or how its columns are read; such settings are stored in the file. */
int ank_model_settings_belongs(const anorank_setting *setting);

/* Write name and value of each such setting, even if it has its default. */
anorank_status ank_model_settings_save(const anorank_settings *settings, ank_bytes *out, anorank_error *err);

/* Fill zeroed settings with the stored ones. Others get the default of the time when files did not store them; it is
 * frozen here and may differ from the settings table. `before_lists_add`: in formats before 1.2, a list of `missing`
 * replaced the usual words instead of extending them. Release the settings also after a failure. */
anorank_status ank_model_settings_load(anorank_settings *settings, ank_cursor *in, int before_lists_add,
                                       anorank_error *err);

/* Return the frozen value of a setting, NULL if it has none. */
const char *ank_model_settings_unstated(const char *name);

#endif
