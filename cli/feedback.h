/* feedback.h - feedback of a person on the command line: --feedback FILE and --review FILE. */
#ifndef CLI_ANSWERS_H
#define CLI_ANSWERS_H

#include "note_list.h"

#define CLI_FEEDBACK_OPTION                                                                                  \
  {                                                                                                          \
    "feedback", 0, "FILE", NULL,                                                                             \
        "feedback file: row or the columns of --id, and label (1, 0, skip or empty)"                         \
  }

/* The feedback about `table`: that of --feedback, and of --review where its file exists. *out is NULL without either
 * option. */
anorank_status cli_review_open(anorank_review **out, const cli_call *call, const anorank_table *table,
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
