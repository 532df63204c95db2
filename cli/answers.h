/* answers.h - answers of a person on the command line: --labels FILE and --review FILE. */
#ifndef CLI_ANSWERS_H
#define CLI_ANSWERS_H

#include "remarks.h"

/* The answers about `table`: those of --review, where the file is there, and of --labels where that names a file
 * and no column of the table; the setting is then cleared. *out is NULL where there is neither option. */
anorank_status cli_review_open(anorank_review **out, cli_call *call, const anorank_table *table,
                               anorank_error *err);

/* Before any work: 0, or the exit code after the message that the options do not go together. */
int cli_check_review(const cli_call *call);

/* Does --review ask a person who sits at a terminal? */
int cli_review_at_terminal(const cli_call *call);

/* Ask, answer by answer and round by round, until the person ends it. Returns the exit code. */
int cli_review_talk(anorank_review *review, cli_call *call, const anorank_table *table,
                    const anorank_table *known);

/* Put the next questions into the file of --review, to be filled in; what was done is among the notes. */
anorank_status cli_review_put(anorank_review *review, cli_call *call, const anorank_model *model,
                              const anorank_table *table, cli_notes *notes, anorank_error *err);

#endif
