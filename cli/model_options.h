/* model_options.h - what the commands that work with a fitted model share. */
#ifndef CLI_MODEL_OPTIONS_H
#define CLI_MODEL_OPTIONS_H

#include "options.h"

/* Read tables as the model's training rows were read, and identifiers as they are written
 * (anorank_settings_prepare_reading). model NULL: for a fit. */
anorank_status cli_settings_of_model(cli_call *call, const anorank_model *model, anorank_error *err);

/* The table that --known names, read as FILE is; NULL without the option. */
#define CLI_KNOWN_OPTION                                                                                     \
  { "known", 0, "FILE", NULL, "table of known anomalies; with the columns of FILE" }

/* Before any work: 0, or the exit code after the message that one stream cannot be both files. */
int cli_check_known(const cli_call *call);
anorank_status cli_read_known(anorank_table **out, const cli_call *call, anorank_error *err);

#define CLI_FORMULAS_OPTION                                                                                  \
  {                                                                                                          \
    "formulas", 0, "WORD", "guard|keep",                                                                     \
        "how to write texts that begin with = + - @ to CSV; guard (the default) prefixes an apostrophe"      \
  }

/* Is a table with texts of the file written for a spreadsheet, which would run some of them (--formulas)?
 * They are no danger in JSON. */
int cli_escapes_formulas(const cli_call *call);

/* Is it the name of such a file, plain or compressed? */
int cli_names_format(const char *path, const char *ending);

/* "371 KiB"; at least 32 bytes. */
void cli_size_text(char *text, size_t size, double bytes);

#endif
