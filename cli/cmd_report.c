/* cmd_report.c - anorank report MODEL FILE -o report.html: what a model finds in a file, as a page. */
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
    .summary = "write a page for the browser: what stands out, why, how sure",
    .usage = "MODEL FILE -o FILE.html [--fdr Q] [OPTION]...",
    .description =
        "Score the rows of FILE with MODEL and write one HTML file that shows what stands out, why, and "
        "how far to trust it. It loads nothing from anywhere and can be forwarded.\nIt holds the cells of "
        "all rows that stand out at a false-discovery rate of --fdr (at most 5,000), of at least a hundred "
        "rows, and of 2,000 others drawn at random; so it is as confidential as FILE. Answers given in the "
        "page are saved as a file of labels.",
    .everyday = "output fdr mass lowest reasons labels",
    .positionals = {{"MODEL", "model file, made by 'anorank fit' or 'anorank detect --save-model'", 1, NULL},
                    {"FILE", "table whose rows are reported on; '-' is standard input", 1, NULL}},
    .options = {{"output", 'o', "FILE", NULL, "the page to write, FILE.html (required)"},
                {"labels", 0, "COLUMN", NULL,
                 "column with 1 for known anomalies, 0 for normal rows: adds ROC and precision"}},
    .examples = {{"anorank report model.anr today.csv -o report.html",
                  "a page to look at, to print and to forward"},
                 {"anorank detect today.csv --report report.html", "the same without a model"}},
    .settings = ANORANK_FOR_RUN | ANORANK_FOR_READ | ANORANK_FOR_RANKING | ANORANK_FOR_JUDGE,
    .run = run,
};
