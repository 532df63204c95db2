/* inputs.h - the tables that a command is given: one file, several parts of one table, folders of parts, or a pipe; and a
 * way through all of their rows, block by block, as often as it takes. */
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

/* Does the name end as those of tables do, compressed or not? Such files of a folder are read. */
int cli_names_table(const char *name);

/* The positionals from `first` on. Folders are replaced by the tables in them, in the order of their names. Returns 0, or the
 * exit code after the message. */
int cli_inputs_find(cli_inputs *inputs, const cli_call *call, size_t first);
void cli_inputs_free(cli_inputs *inputs);

/* Are rows compared with earlier rows (--by, --time, or a model with them)? */
int cli_has_context(const cli_call *call);

/* Are they read block by block? Several parts are, and what would take more than a quarter of max-memory (or 256 MiB)
 * as text. Pipes are unless they were kept before. */
int cli_inputs_stream(const cli_inputs *inputs, const cli_call *call);

/* Before a pipe is read more than once: keep what comes through it in a file without a name. Told in the notes. */
int cli_inputs_keep(cli_inputs *inputs, const cli_call *call, cli_notes *notes);

/* The one input, whole. */
anorank_status cli_inputs_table(anorank_table **out, cli_inputs *inputs, const cli_call *call,
                                anorank_error *err);

/* All of them as parts of one table, for the library to open as often as it takes. */
anorank_parts cli_inputs_parts(cli_inputs *inputs, const cli_call *call);

/* A sample of all rows. */
anorank_status cli_inputs_sample(anorank_stream **out, cli_inputs *inputs, const cli_call *call,
                                 anorank_error *err);

#endif
