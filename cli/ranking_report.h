/* ranking_report.h - shared code of `rank`, `detect` and `explain`: reading, selection, output. */
#ifndef CLI_RANKING_H
#define CLI_RANKING_H

#include "inputs.h"

/* TABLE is for people. FILE is any format of tables, by --output-format or the extension of --output. JSON is
 * one document, LINES one per row. */
typedef enum cli_shape { CLI_SHAPE_TABLE = 0, CLI_SHAPE_FILE, CLI_SHAPE_JSON, CLI_SHAPE_LINES } cli_shape;

/* The input and the results. */
typedef struct cli_ranking {
  anorank_table *table;
  anorank_model *model;
  anorank_ranking *result;
  const anorank_ranking *block_result; /* with findings in blocks, replaces the ranking above */
  const cli_inputs *inputs;            /* several files of one table; NULL: one */
  anorank_table *findings; /* the ranking as a table: `kept` columns that name the rows, then ours */
  size_t kept;
  cli_shape shape;
  const char *format; /* FILE: the format; NULL: by the extension */
  int cut;            /* the table shows a few rows, because no number was requested */
  cli_notes notes;
} cli_ranking;

void cli_ranking_free(cli_ranking *ranking);

/* Check that at most one of --lowest, --mass and --fdr is set. Returns 0, or the exit code after the
 * message. */
int cli_check_selection(const cli_call *call);

/* Choose the output format from the options and the terminal, and check the options of rank and detect. Returns 0
 * or the exit code. */
int cli_ranking_options(cli_ranking *ranking, cli_call *call);

/* If the model has a time, a table in a terminal lists incidents by default. Call it after the settings are set. */
int cli_ranking_prefer_incidents(const cli_ranking *ranking, cli_call *call);

/* Read the table of `path`, by --input-format. */
int cli_ranking_read(cli_ranking *ranking, cli_call *call, const char *path);

/* Read the table of an opened input. */
int cli_ranking_take(cli_ranking *ranking, cli_call *call, cli_inputs *inputs);

/* Rank the table with the model, if not done yet, and write the findings to --output. Returns the exit code, 1 for
 * an anomaly under --exit-on-anomaly. */
int cli_ranking_report(cli_ranking *ranking, cli_call *call);

void cli_ranking_table(FILE *stream, const cli_ranking *ranking, const cli_call *call);
void cli_ranking_json(FILE *stream, const cli_ranking *ranking);

/* Return 1 under --exit-on-anomaly if an explicit level selects a row or, without one, a row is apart; else
 * 0. */
int cli_exit_code(const cli_call *call, size_t selected, size_t apart);

/* Return the ranking to show. */
const anorank_ranking *cli_shown(const cli_ranking *ranking);

/* Check that the columns of --keep exist. Returns 0, or the exit code after the message. */
int cli_check_keep(const anorank_table *table, const cli_call *call);

/* Make a table of the ranking, in ranking->findings. */
anorank_status cli_make_findings(cli_ranking *ranking, const cli_call *call, const anorank_ranking *result,
                                 const anorank_table *table, anorank_error *err);

/* Add the notes on the selection of rows. */
void cli_note_choice(cli_ranking *ranking, const anorank_ranking_info *info);

/* In ranking_blocks.c: decide whether rows are ranked in blocks. Returns 0, or the exit code after the
 * message. */
int cli_ranking_streams(const cli_inputs *inputs, const cli_call *call, int *streams);

/* Take the ranking out of a stream that has fetched its rows, write it and show the notes. Returns the exit code. */
int cli_ranking_write(cli_ranking *ranking, const cli_call *call, anorank_stream *stream);

/* Write four digits for people. */
void cli_four_digits(char *text, size_t size, double value);

#endif
