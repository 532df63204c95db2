/* inputs.h - the input of a command: one file, several parts of one table, folders of parts, or a pipe, with repeated passes
 * over all rows in blocks. */
#ifndef CLI_INPUTS_H
#define CLI_INPUTS_H

#include <sys/types.h>

#include "anorank/experimental.h"
#include "note_list.h"

typedef struct cli_input {
  char *path;
  int file;     /* what came through a pipe: a file without a name; -1: it is opened by its path */
  off_t at;     /* of that file: the next byte to read */
  double bytes; /* -1: a pipe that is not read yet */
} cli_input;

typedef struct cli_inputs {
  cli_input *list;
  size_t count;
  size_t *rows;         /* of each, once they were read as parts */
  const cli_call *call; /* while parts are opened */
  int code;             /* of a mistake that was reported while a part was opened */
} cli_inputs;

/* Whether the name has the extension of a table, compressed or not; such files of a folder are read. */
int cli_names_table(const char *name);

/* The positionals from `first` on. Folders are replaced by the tables in them, in the order of their names. Returns 0, or the
 * exit code after the message. */
int cli_inputs_find(cli_inputs *inputs, const cli_call *call, size_t first);
void cli_inputs_free(cli_inputs *inputs);

/* Whether rows are compared with earlier rows (--by, --time, or a model with them). */
int cli_has_context(const cli_call *call);

/* Whether the input is read in blocks: several parts, and text larger than a quarter of max-memory (or 256 MiB). Pipes
 * are, too, unless they were copied to a file. */
int cli_inputs_stream(const cli_inputs *inputs, const cli_call *call);

/* Before a pipe is read more than once: copy it to an unnamed file, with a note. */
int cli_inputs_keep(cli_inputs *inputs, const cli_call *call, cli_notes *notes);

/* The one input, whole. */
anorank_status cli_inputs_table(anorank_table **out, cli_inputs *inputs, const cli_call *call,
                                anorank_error *err);

/* All inputs as parts of one table, which the library can open repeatedly. */
anorank_parts cli_inputs_parts(cli_inputs *inputs, const cli_call *call);

/* A sample of all rows. */
anorank_status cli_inputs_sample(anorank_stream **out, cli_inputs *inputs, const cli_call *call,
                                 anorank_error *err);

#endif
