/* cmd_fit.c - anorank fit FILE -o MODEL: learn what is normal and write it as one file. */
#include <string.h>
#include <sys/stat.h>

#include "answers.h"
#include "model_options.h"
#include "text.h"

static void tell_model(const cli_call *call, const anorank_model *model, const char *path) {
  char size[32], shown[256];
  struct stat file;
  cli_notes notes = {0};
  cli_notes_of_model(&notes, model);
  cli_notes_show(&notes, call);
  cli_notes_free(&notes);
  if (strcmp(path, "-") == 0 || stat(path, &file) != 0 || !S_ISREG(file.st_mode)) return;
  cli_size_text(size, sizeof size, (double)file.st_size);
  cli_note(call, "%s: %s, in %.2g s", cli_printable(shown, sizeof shown, path), size,
           cli_clock() - call->progress.started);
}

static anorank_status fit(cli_call *call, const char *input, const char *output, anorank_error *err) {
  anorank_table *table = NULL, *known = NULL;
  anorank_review *answers = NULL;
  anorank_model *model = NULL;
  anorank_status status = ANORANK_OK;
  cli_progress_start(&call->progress, call->settings, call->quiet);
  cli_progress_part(&call->progress, 0, 0.3);
  if (cli_value(call, "labels"))
    status = cli_keep_ids(call, NULL, err); /* a file of answers may name rows by them */
  if (status == ANORANK_OK) status = anorank_table_read(&table, input, call->settings, err);
  if (status == ANORANK_OK) {
    cli_detail(call, "read %zu rows of %zu columns", anorank_table_rows(table), anorank_table_columns(table));
    status = cli_read_known(&known, call, err);
  }
  if (status == ANORANK_OK) status = cli_review_open(&answers, call, table, err);
  cli_progress_part(&call->progress, 0.3, 1);
  if (status == ANORANK_OK)
    status = anorank_fit_labelled(&model, table, anorank_review_labels(answers), known, call->settings, err);
  anorank_review_free(answers);
  anorank_table_free(table);
  anorank_table_free(known);
  cli_writing(1);
  if (status == ANORANK_OK) status = anorank_model_save(model, output, err);
  cli_writing(0);
  if (status == ANORANK_OK) tell_model(call, model, output);
  anorank_model_free(model);
  return status;
}

static int run(cli_call *call) {
  anorank_error err = {0};
  const char *output = cli_value(call, "output");
  if (!output) return cli_usage_error(call, "name the file for the model with --output MODEL");
  int code = cli_check_known(call);
  return code ? code : cli_failure(call, fit(call, call->positionals[0], output, &err), &err);
}

static const cli_positional positionals[] = {{"FILE", "table to learn from; - is standard input", 1, NULL},
                                             {NULL, NULL, 0, NULL}};

static const cli_option options[] = {
    {"output", 'o', "FILE", NULL, "write the model to FILE; - is standard output"},
    CLI_KNOWN_OPTION,
    {NULL, 0, NULL, NULL, NULL}};

static const cli_example examples[] = {
    {"anorank fit history.csv -o model.anr", "learn from rows that are believed normal"},
    {"anorank fit mixed.csv -o model.anr --train contaminated --id account",
     "anomalies may be among the rows; account names them"},
    {"anorank fit history.csv -o model.anr --known confirmed.csv",
     "a few confirmed anomalies sharpen the order"},
    {NULL, NULL}};

const cli_command cli_cmd_fit = {
    .name = "fit",
    .summary = "learn from a table what is normal, and keep it as a model",
    .usage = "FILE -o MODEL [OPTION]...",
    .description =
        "Learn from the rows of FILE what is normal and write it as a model: one file with all that "
        "'anorank score' and 'anorank rank' need.\nWhat was understood of the columns and what was "
        "assumed is told on standard error. The same table, settings and seed give the same bytes, "
        "whatever the number of threads. A model that is there already is replaced at the end, at "
        "once.\nConfirmed anomalies, from a file of their own (--known) or by their labels (--labels: 1 for "
        "an "
        "anomaly, 0 for a normal row, empty if nobody knows; a column of FILE, or the file of answers of "
        "'anorank "
        "detect --review'), are not learned as normal, and rows like them rank as more abnormal; rows like "
        "one that "
        "was dismissed as normal rank as less.",
    .everyday = "output train id drop columns known labels fast verbose",
    .positionals = positionals,
    .options = options,
    .examples = examples,
    .settings = ANORANK_FOR_RUN | ANORANK_FOR_READ | ANORANK_FOR_FIT | ANORANK_FOR_LEARN,
    .run = run,
};
