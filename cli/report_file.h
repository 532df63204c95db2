/* report_file.h - the HTML file that `report`, `detect --report` and `rank --report` write. */
#ifndef CLI_REPORT_FILE_H
#define CLI_REPORT_FILE_H

#include "ranking_report.h"

#define CLI_REPORT_OPTION                                                                                    \
  { "report", 0, "FILE", NULL, "write an HTML report as well" }

/* Write the report of the table, and of the ranking if there is one. `fitted_here`: the model was fitted on
 * these rows, so the order is evaluated by a fit on a part of them. Returns the exit code. */
int cli_report_write(const cli_ranking *ranking, cli_call *call, const char *path, int fitted_here);

/* Run `anorank report` or `anorank figure`, whose last two arguments are the model and the rows: read them,
 * and write the report, or one figure of it, to --output. Returns the exit code. */
int cli_report_of_model(cli_call *call, const anorank_figure_kind *figure);

/* Options that `detect` and `rank` share. */
#define CLI_RANKING_OPTIONS                                                                                  \
  {"output", 'o', "FILE", NULL,                                                                              \
   "write to FILE; the extension sets the format (.csv, .tsv, .jsonl, .json), and .gz or .zst after it "     \
   "compresses"},                                                                                            \
      {"output-format", 0, "FORMAT", "table|csv|jsonl|json",                                                 \
       "output format; by default a table in a terminal, else CSV"},                                         \
      {"json", 0, NULL, NULL, "short for --output-format json"}, CLI_FORMULAS_OPTION, CLI_REPORT_OPTION, {   \
    "exit-on-anomaly", 0, NULL, NULL,                                                                        \
        "exit with code 1 if --fdr or --mass selects a row; without them, if a row is far apart"             \
  }

#endif
