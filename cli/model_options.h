/* model_options.h - shared code of the commands that use a fitted model. */
#ifndef CLI_MODEL_OPTIONS_H
#define CLI_MODEL_OPTIONS_H

#include "options.h"

/* Prepare to read tables like the model's training rows, with identifiers as written
 * (anorank_settings_prepare_reading). model NULL: for a fit. */
anorank_status cli_settings_of_model(cli_call *call, const anorank_model *model, anorank_error *err);

/* The table that --known names, read like FILE; NULL without the option. */
#define CLI_KNOWN_OPTION                                                                                     \
  { "known", 0, "FILE", NULL, "table of known anomalies; with the columns of FILE" }

/* Check that standard input is not used twice. Returns 0, or the exit code after the message. */
int cli_check_known(const cli_call *call);
anorank_status cli_read_known(anorank_table **out, const cli_call *call, anorank_error *err);

#define CLI_FORMULAS_OPTION                                                                                  \
  {                                                                                                          \
    "formulas", 0, "WORD", "guard|keep",                                                                     \
        "how to write texts that begin with = + - @ to CSV; guard (the default) prefixes an apostrophe"      \
  }

/* Return whether texts must be escaped, because a spreadsheet would run some as formulas (--formulas); not in
 * JSON. */
int cli_escapes_formulas(const cli_call *call);

/* Return whether the path has this extension, plain or compressed. */
int cli_names_format(const char *path, const char *ending);

/* Write "371 KiB"; at least 32 bytes. */
void cli_size_text(char *text, size_t size, double bytes);

#endif
