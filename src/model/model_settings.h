/* model_settings.h - the settings of a fit in a model file (docs/model-format.md). */
#ifndef ANK_MODEL_MODEL_SETTINGS_H
#define ANK_MODEL_MODEL_SETTINGS_H

#include "core/bytes.h"

/* Whether the setting changes a model, or how its columns are read; such settings are stored in the file. */
int ank_model_settings_belongs(const anorank_setting *setting);

/* Name and value of every setting that belongs, whether or not it has its default. */
anorank_status ank_model_settings_save(const anorank_settings *settings, ank_bytes *out, anorank_error *err);

/* Fill zeroed settings with the stored ones; the others get the default from when files did not store them, which
 * is frozen here and may differ from the settings table. `before_lists_add`: the file is from when a list of
 * `missing` replaced the usual words instead of extending them (formats before 1.2). Release them
 * also after a failure. */
anorank_status ank_model_settings_load(anorank_settings *settings, ank_cursor *in, int before_lists_add,
                                       anorank_error *err);

/* The frozen value of a setting, NULL if it has none. */
const char *ank_model_settings_unstated(const char *name);

#endif
