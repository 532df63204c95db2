/* evaluation_run.h - shared code of `evaluate` and `compare`: reading, options, output. */
#ifndef CLI_EVALUATION_RUN_H
#define CLI_EVALUATION_RUN_H

#include "anorank/experimental.h"
#include "options.h"

typedef struct cli_evaluation {
  anorank_table *read;        /* the table of a file read whole */
  anorank_stream *stream;     /* the sample of a larger one */
  const anorank_table *table; /* of one or the other */
  anorank_model *models[2];   /* NULL if the rows of the table are split, and models fitted on them */
  char names[2][128];         /* of the contestants, for people */
  anorank_evaluation *evaluation;
  size_t splits; /* --repeats; 0: one split */
  anorank_repeats repeats;
} cli_evaluation;

/* Run a command. It checks the options, reads the models and the table in the arguments, and lets `evaluate`
 * set the result and the names of the fits. Then it draws the figure of --figure and writes the result to
 * standard output. It frees the contents of `work` and returns the exit code. */
int cli_evaluation_run(cli_evaluation *work, cli_call *call,
                       anorank_status (*evaluate)(cli_evaluation *work, const cli_call *call,
                                                  anorank_error *err));

/* The options of both commands. */
#define CLI_EVALUATION_OPTIONS                                                                               \
  CLI_REPORT_OPTIONS, { "figure", 0, "FILE", NULL, "draw the mass-volume curve with its bands as SVG" }

void cli_evaluation_text(FILE *stream, const cli_evaluation *work, const cli_call *call);
void cli_evaluation_json(FILE *stream, const cli_evaluation *work, const cli_call *call);

#endif
