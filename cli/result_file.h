/* result_file.h - a text file, written atomically. */
#ifndef CLI_RESULT_FILE_H
#define CLI_RESULT_FILE_H

#include <stdio.h>

#include "options.h"

/* Output options of the commands that write a table. */
#define CLI_TABLE_OPTIONS                                                                                    \
  {"output", 'o', "FILE", NULL, "write to FILE; the extension sets the format; standard output by default"}, \
  {                                                                                                          \
    "output-format", 0, "FORMAT", CLI_FORMATS_WRITTEN, "output format; overrides the extension"              \
  }

typedef struct cli_output {
  FILE *stream;       /* for output */
  anorank_file *file; /* its destination; NULL: standard output */
  anorank_status failed;
  anorank_error error; /* of the first write that failed */
} cli_output;

/* output_check.c */
/* Check early that the output files of --output, --curve and others can be written, and overwrite neither an input, a
 * model, nor each other. Returns 0 or the exit code, after the message. */
int cli_output_check(const cli_call *call);

/* Check the extension of an HTML (or SVG) file. Returns 0, or the exit code after the message. */
int cli_check_ending(const cli_call *call, const char *option, int page);

/* Open an output; "-" is standard output. A path that ends in .gz or .zst is compressed. Returns 0 or the
 * exit code, after the message. Until it is closed, Ctrl-C only sets a flag. */
int cli_output_open(cli_output *output, const cli_call *call, const char *path);

/* Close an output. With `code` 0 the file is committed; otherwise it is removed and the old file stays.
 * Returns the exit code. */
int cli_output_close(cli_output *output, const cli_call *call, int code);

/* Make rows `block` at a time, with the settings `rows` and `first-row`, and write them to `path`, which
 * appears when all are written. `make` receives `context`. */
typedef anorank_status (*cli_make_rows)(anorank_table **out, const void *context,
                                        const anorank_settings *settings, anorank_error *err);
anorank_status cli_write_blocks(cli_call *call, const char *path, int64_t block, cli_make_rows make,
                                const void *context, anorank_error *err);

#endif
