/* inputs.h - the tables that a command is given: one file, several parts of one table, folders of parts, or a pipe; and a
 * way through all of their rows, block by block, as often as it takes. */
#ifndef CLI_INPUTS_H
#define CLI_INPUTS_H

#include "remarks.h"

typedef struct cli_input {
  char *path;
  int file;     /* what came through a pipe: a file without a name; -1: it is opened by its path */
  double bytes; /* -1: a pipe that is not read yet */
} cli_input;

typedef struct cli_inputs {
  cli_input *list;
  size_t count;
} cli_inputs;

/* The positionals from `first` on. Folders stand for the tables in them, in the order of their names. Returns 0, or the
 * exit code after the message. */
int cli_inputs_find(cli_inputs *inputs, const cli_call *call, size_t first);
void cli_inputs_free(cli_inputs *inputs);

/* Are they read block by block? Several parts are, and what would take more than a quarter of max-memory (or 256 MiB)
 * as text. Pipes are unless they were kept before. */
int cli_inputs_stream(const cli_inputs *inputs, const cli_call *call);

/* Before a pipe is read more than once: keep what comes through it in a file without a name. Told in the notes. */
int cli_inputs_keep(cli_inputs *inputs, const cli_call *call, cli_notes *notes);

/* The one input, whole. */
anorank_status cli_inputs_table(anorank_table **out, cli_inputs *inputs, const cli_call *call,
                                anorank_error *err);

/* Visit all blocks, with the number of their first row over all parts, from 0; after the rows of a part its columns
 * come once more, without rows, with all that was noticed. No rows in any of them is a failure. `from` and `to`: the share of
 * the work that this is. */
typedef anorank_status (*cli_visit)(void *context, const anorank_table *block, size_t first_row,
                                    anorank_error *err);
anorank_status cli_inputs_each(cli_inputs *inputs, cli_call *call, double from, double to, cli_visit visit,
                               void *context, anorank_error *err);

/* Gather all rows. */
anorank_status cli_inputs_gather(anorank_gathering **out, cli_inputs *inputs, cli_call *call, double from,
                                 double to, anorank_error *err);

#endif
