/* reproduce_text.h - the output of `anorank reproduce`. */
#ifndef CLI_REPRODUCE_TEXT_H
#define CLI_REPRODUCE_TEXT_H

#include <stdio.h>

#include "anorank/extras.h"
#include "options.h"

/* Return whether the setting can change the result of this experiment. Settings of other scorer classes and
 * other laws cannot, nor can the number of threads. */
int cli_reproduce_uses(const anorank_settings *settings, const anorank_setting *setting);

/* Print for people, in 80 columns, or for programs. */
void cli_reproduce_text(FILE *stream, const anorank_reproduction *reproduction, const cli_call *call);
void cli_reproduce_json(FILE *stream, const anorank_reproduction *reproduction, const cli_call *call);

#endif
