/* feedback.h - feedback of a person on the command line: --feedback FILE and --review FILE. */
#ifndef CLI_ANSWERS_H
#define CLI_ANSWERS_H

#include "note_list.h"

#define CLI_FEEDBACK_OPTION                                                                                  \
  {                                                                                                          \
    "feedback", 0, "FILE", NULL,                                                                             \
        "feedback file: row or the columns of --id, and label (1, 0, skip or empty)"                         \
  }

/* Read the feedback on `table` from --feedback and, if its file exists, --review. *out is NULL without either
 * option. */
anorank_status cli_review_open(anorank_review **out, const cli_call *call, const anorank_table *table,
                               anorank_error *err);

/* Check the options for conflicts. Returns 0, or the exit code after the message. */
int cli_check_review(const cli_call *call);

/* Return whether --review asks at a terminal. */
int cli_review_at_terminal(const cli_call *call);

/* Ask for answers in rounds, until the person quits. Returns the exit code. */
int cli_review_talk(anorank_review *review, cli_call *call, const anorank_table *table,
                    const anorank_table *known);

/* Write the next questions to the file of --review, with a note. */
anorank_status cli_review_put(anorank_review *review, cli_call *call, const anorank_model *model,
                              const anorank_table *table, cli_notes *notes, anorank_error *err);

#endif
