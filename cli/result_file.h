/* result_file.h - a text file that appears whole or not at all. */
#ifndef CLI_RESULT_FILE_H
#define CLI_RESULT_FILE_H

#include <stdio.h>

#include "options.h"

/* Where a table is written, for the option tables of the commands that write one. */
#define CLI_TABLE_OPTIONS                                                                                    \
  {"output", 'o', "FILE", NULL, "write to FILE; the extension sets the format; standard output by default"}, \
  {                                                                                                          \
    "output-format", 0, "FORMAT", CLI_FORMATS_WRITTEN, "output format; overrides the extension"              \
  }

typedef struct cli_output {
  FILE *stream;       /* where to write */
  anorank_file *file; /* what it writes to; NULL: standard output */
  anorank_status failed;
  anorank_error error; /* of the first write that failed */
} cli_output;

/* output_check.c */
/* Before any work: can the files be written that --output, --curve and their like name, and does none of them
 * overwrite a file that is read, a model, or another? Returns 0 or the exit code, after the message. */
int cli_output_check(const cli_call *call);

/* A page (or else an SVG) under the name of another format would not open: 0, or the exit code after the message. */
int cli_check_ending(const cli_call *call, const char *option, int page);

/* "-" is standard output. A path that ends in .gz or .zst is compressed. Returns 0 or the exit code, after
 * the message. From here to the end Ctrl-C only raises a flag. */
int cli_output_open(cli_output *output, const cli_call *call, const char *path);

/* With `code` 0 the file takes its name; otherwise it is removed and what was there before stays. Returns the
 * exit code. */
int cli_output_close(cli_output *output, const cli_call *call, int code);

/* Make rows `block` at a time, as the settings `rows` and `first-row` then say, and write them to `path`; nothing appears
 * before all are made. `context` goes to `make`. */
typedef anorank_status (*cli_make_rows)(anorank_table **out, const void *context,
                                        const anorank_settings *settings, anorank_error *err);
anorank_status cli_write_blocks(cli_call *call, const char *path, int64_t block, cli_make_rows make,
                                const void *context, anorank_error *err);

#endif
