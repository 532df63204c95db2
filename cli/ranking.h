/* ranking.h - what `rank`, `detect` and `explain` share: reading, selecting, and the ways
 * to show findings. */
#ifndef CLI_RANKING_H
#define CLI_RANKING_H

#include "remarks.h"

/* TABLE is for people; FILE is any format of tables, by --output-format or the ending of --output; JSON is
 * one document, LINES one a row. */
typedef enum cli_shape { CLI_SHAPE_TABLE = 0, CLI_SHAPE_FILE, CLI_SHAPE_JSON, CLI_SHAPE_LINES } cli_shape;

/* Everything that was read and found. */
typedef struct cli_ranking {
  anorank_table *table;
  anorank_model *model;
  anorank_verdict *verdict;
  anorank_table *findings; /* the verdict as a table: `kept` columns that name the rows, then ours */
  size_t kept;
  cli_shape shape;
  const char *format; /* FILE: how to write; NULL: as the ending says */
  int cut;            /* the table shows a few rows because nobody asked for a number */
  cli_notes notes;
} cli_ranking;

void cli_ranking_free(cli_ranking *ranking);

/* At most one of --lowest, --mass and --fdr: 0, or the exit code after the message. */
int cli_check_selection(const cli_call *call);

/* The format that the options and the terminal ask for; usage errors among the options of rank and detect.
 * Returns 0 or the exit code. */
int cli_ranking_options(cli_ranking *ranking, cli_call *call);

/* The table of `path`, by --input-format. */
int cli_ranking_read(cli_ranking *ranking, cli_call *call, const char *path);

/* Judge the table by the model, unless that is done, and write the findings to --output; returns the exit
 * code, 1 for an anomaly under --exit-on-anomaly. */
int cli_ranking_report(cli_ranking *ranking, cli_call *call);

void cli_ranking_table(FILE *stream, const cli_ranking *ranking, const cli_call *call);
void cli_ranking_json(FILE *stream, const cli_ranking *ranking);

/* Four digits for people. */
void cli_four_digits(char *text, size_t size, double value);

#endif
