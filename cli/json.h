/* json.h - the library's JSON writer on a stream. */
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include <stdio.h>

#include "anorank/criterion.h"
#include "core/json_writer.h"
#include "report/result_json.h"

void cli_json_start(ank_json *json, FILE *stream);

/* Begin and end a document that is one object. */
void cli_json_open(ank_json *json, FILE *stream);
void cli_json_close(ank_json *json);

/* Return the text of a setting that differs from its default, else NULL. */
const char *cli_changed_setting(const anorank_model *model, const anorank_setting *setting, char *value,
                                size_t size);

/* Write members of the open object. Keys are added, never renamed. */
void cli_model_json(ank_json *json, const anorank_model *model);

#endif
