/* inputs.h - the input of a command: one file, several parts of one table, directories of parts, or a pipe,
 * with repeated passes over all rows in blocks. */
#ifndef CLI_INPUTS_H
#define CLI_INPUTS_H

#include <sys/types.h>

#include "anorank/experimental.h"
#include "note_list.h"

typedef struct cli_input {
  char *path;
  int file;     /* an unnamed file with the bytes of a pipe; -1: opened by path */
  off_t at;     /* of that file: the next byte to read */
  double bytes; /* -1: a pipe not yet read */
} cli_input;

typedef struct cli_inputs {
  cli_input *list;
  size_t count;
  size_t *rows;         /* of each part, after reading */
  const cli_call *call; /* while parts are open */
  int code;             /* exit code of an error reported while opening a part */
} cli_inputs;

/* Return whether the name has the extension of a table, compressed or not; such files of a directory are
 * read. */
int cli_names_table(const char *name);

/* Find the inputs: positionals from `first` on. Directories are replaced by the tables in them, in the order
 * of their names. Returns 0, or the exit code after the message. */
int cli_inputs_find(cli_inputs *inputs, const cli_call *call, size_t first);
void cli_inputs_free(cli_inputs *inputs);

/* Return whether rows are compared with earlier rows (--by, --time, or a model with them). */
int cli_has_context(const cli_call *call);

/* Return whether the input is read in blocks: several parts, or text larger than a quarter of max-memory (or
 * 256 MiB). Pipes are, too, unless they were copied to a file. */
int cli_inputs_stream(const cli_inputs *inputs, const cli_call *call);

/* Copy a pipe to an unnamed file, with a note, before it is read more than once. */
int cli_inputs_keep(cli_inputs *inputs, const cli_call *call, cli_notes *notes);

/* Read the one input as a whole. */
anorank_status cli_inputs_table(anorank_table **out, cli_inputs *inputs, const cli_call *call,
                                anorank_error *err);

/* Return all inputs as parts of one table, which the library can open repeatedly. */
anorank_parts cli_inputs_parts(cli_inputs *inputs, const cli_call *call);

/* Sample all rows. */
anorank_status cli_inputs_sample(anorank_stream **out, cli_inputs *inputs, const cli_call *call,
                                 anorank_error *err);

#endif
