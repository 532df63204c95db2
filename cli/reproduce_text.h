/* reproduce_text.h - the output of `anorank reproduce`. */
#ifndef CLI_REPRODUCE_TEXT_H
#define CLI_REPRODUCE_TEXT_H

#include <stdio.h>

#include "anorank/extras.h"
#include "options.h"

/* Whether the setting can change the result of this experiment: those of other scorer classes and of laws
 * that it does not draw from cannot, nor can the number of threads. */
int cli_reproduce_uses(const anorank_settings *settings, const anorank_setting *setting);

/* For a person, in 80 columns; for another program. */
void cli_reproduce_text(FILE *stream, const anorank_reproduction *reproduction, const cli_call *call);
void cli_reproduce_json(FILE *stream, const anorank_reproduction *reproduction, const cli_call *call);

#endif
