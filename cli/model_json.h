/* model_json.h - what is in a model, for programs: `inspect --json` and `serve`. */
#ifndef CLI_MODEL_JSON_H
#define CLI_MODEL_JSON_H

#include "json.h"

/* The text of a setting that differs from its default, NULL if it does not. */
const char *cli_changed_setting(const anorank_model *model, const anorank_setting *setting, char *value,
                                size_t size);

/* Members of the object that is open. Keys are added, never renamed. */
void cli_model_json(ank_json *json, const anorank_model *model);

#endif
