/* cmd_report.c - anorank report MODEL FILE -o report.html: rank a file with a model and write an HTML report. */
#include <string.h>

#include "model_options.h"
#include "report_file.h"
#include "result_file.h"
#include "text.h"

static int check(const cli_call *call) {
  if (!cli_value(call, "output"))
    return cli_usage_error(call, "option-missing",
                           "--output FILE is missing; name the report, for example -o report.html");
  int code = cli_check_stdin(call, 0, 1);
  if (code == 0) code = cli_check_ending(call, "output", 1);
  return code == 0 ? cli_check_selection(call) : code;
}

static int run(cli_call *call) {
  int code = check(call);
  return code == 0 ? cli_report_of_model(call, NULL) : code;
}

const cli_command cli_cmd_report = {
    .name = "report",
    .summary = "write an HTML report",
    .usage = "MODEL FILE -o FILE.html [--fdr Q] [OPTION]...",
    .description = "Write an HTML report that ranks the rows of FILE with MODEL: which rows stand out, why, "
                   "and how reliable that is. The page is one file without external resources.\nThe report "
                   "holds the cells of all rows that stand out at the rate of --fdr (at least 100 rows, at "
                   "most 5,000), and of 2,000 others drawn at random. It is therefore as confidential as "
                   "FILE. Labels given in the page are saved as a feedback file.",
    .everyday = "output fdr mass lowest reasons labels",
    .positionals = {{"MODEL", "model written by 'anorank fit' or 'anorank detect --save-model'", 1, NULL},
                    {"FILE", "table to report on; '-' is standard input", 1, NULL}},
    .options = {{"output", 'o', "FILE", NULL, "HTML file to write (required)"},
                {"labels", 0, "COLUMN", NULL, "label column: 1 anomaly, 0 normal; adds ROC and precision"}},
    .examples = {{"anorank report model.anr today.csv -o report.html", "write a report to read and forward"},
                 {"anorank detect today.csv --report report.html",
                  "detect and write a report, without a model"}},
    .settings = ANORANK_FOR_RUN | ANORANK_FOR_READ | ANORANK_FOR_RANKING | ANORANK_FOR_JUDGE,
    .run = run,
};
