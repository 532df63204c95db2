/* cmd_fit.c - anorank fit FILE -o MODEL: fit a model and write it to a file. */
#include <string.h>
#include <sys/stat.h>

#include "feedback.h"
#include "inputs.h"
#include "model_options.h"
#include "text.h"

static void show_notes(const cli_call *call, const anorank_model *model, const char *path) {
  char size[32], shown[256];
  struct stat file;
  cli_notes notes = {0};
  cli_notes_of_model(&notes, model);
  cli_notes_show(&notes, call);
  cli_notes_free(&notes);
  if (strcmp(path, "-") == 0 || stat(path, &file) != 0 || !S_ISREG(file.st_mode)) return;
  cli_size_text(size, sizeof size, (double)file.st_size);
  cli_note(call, "model-written", "%s: %s, in %.2g s", cli_printable(shown, sizeof shown, path), size,
           cli_clock() - call->progress.started);
}

/* Fit on a table in memory: labels refer to all its rows. */
static anorank_status fit_table(anorank_model **out, cli_call *call, const anorank_table *table,
                                const anorank_table *known, anorank_error *err) {
  anorank_review *answers = NULL;
  anorank_status status = cli_review_open(&answers, call, table, err);
  if (status == ANORANK_OK)
    status =
        anorank_fit(out, table, &(anorank_training){.labels = anorank_review_labels(answers), .known = known},
                    call->settings, err);
  anorank_review_free(answers);
  return status;
}

static anorank_status fit_whole(anorank_model **out, cli_call *call, cli_inputs *inputs, anorank_error *err) {
  anorank_table *table = NULL, *known = NULL;
  anorank_status status = cli_inputs_table(&table, inputs, call, err);
  if (status == ANORANK_OK) {
    cli_detail(call, "read %zu rows of %zu columns", anorank_table_rows(table), anorank_table_columns(table));
    status = cli_read_known(&known, call, err);
  }
  cli_progress_part(&call->progress, 0.3, 1);
  if (status == ANORANK_OK) status = fit_table(out, call, table, known, err);
  anorank_table_free(table);
  anorank_table_free(known);
  return status;
}

/* Return whether FILE has labels, in a column or in a file. */
static int has_labels(const cli_call *call) {
  return cli_value(call, "labels") || cli_value(call, "feedback");
}

/* Fit in one pass and bounded memory, with the same bytes. */
static anorank_status fit_in_blocks(anorank_model **out, cli_call *call, cli_inputs *inputs,
                                    anorank_error *err) {
  anorank_stream *stream = NULL;
  anorank_table *known = NULL;
  const anorank_table *rows = NULL;
  int labels = has_labels(call);
  cli_progress_part(&call->progress, 0, 0.7);
  anorank_status status = cli_inputs_sample(&stream, inputs, call, err);
  if (status == ANORANK_OK) status = cli_read_known(&known, call, err);
  cli_progress_part(&call->progress, 0.7, 1);
  if (status == ANORANK_OK && labels) status = anorank_stream_sample(&rows, stream, err);
  if (status == ANORANK_OK && labels && anorank_table_rows(rows) == anorank_stream_rows(stream))
    status = fit_table(out, call, rows, known, err);
  else if (status == ANORANK_OK && cli_value(call, "feedback"))
    status = cli_fail(
        err, ANORANK_ERROR_USAGE, "option-one-file",
        "--feedback needs all rows at once, but the files have more rows than a fit samples; give one FILE");
  else if (status == ANORANK_OK)
    status = anorank_stream_fit(out, stream, known, call->settings, err);
  anorank_stream_free(stream);
  anorank_table_free(known);
  return status;
}

/* Add all rows as history: a table in memory may be in any order; parts and large files come block by
 * block. */
static anorank_status add_history(anorank_model *model, size_t *rows, cli_call *call, cli_inputs *inputs,
                                  anorank_error *err) {
  anorank_table *table = NULL;
  anorank_parts parts = cli_inputs_parts(inputs, call);
  anorank_status status = ANORANK_OK;
  if (!cli_inputs_stream(inputs, call)) {
    status = cli_inputs_table(&table, inputs, call, err);
    if (status == ANORANK_OK) status = anorank_model_advance(model, table, err);
    *rows = anorank_table_rows(table);
    anorank_table_free(table);
    return status;
  }
  for (size_t i = 0; status == ANORANK_OK && i < parts.count; i++) {
    anorank_reader *reader = NULL;
    const anorank_table *block = NULL;
    status = parts.open(parts.context, i, &reader, err);
    anorank_reader_prefetch(reader);
    while (status == ANORANK_OK) {
      status = anorank_reader_next(reader, &block, err);
      if (status != ANORANK_OK || !block) break;
      status = anorank_model_advance(model, block, err);
      *rows += anorank_table_rows(block);
      anorank_reader_reset_levels(reader);
      if (status == ANORANK_OK && cli_interrupted()) status = ANORANK_CANCELLED;
    }
    anorank_reader_free(reader);
  }
  return status;
}

/* --update: write the model with more history. The file is replaced when all of it is written. */
static anorank_status update(cli_call *call, cli_inputs *inputs, const char *path, const char *output,
                             anorank_error *err) {
  anorank_model *model = NULL;
  size_t rows = 0;
  anorank_status status = anorank_model_load(&model, ANORANK_FROM_FILE(path), err);
  cli_progress_start(&call->progress, call->settings, call->quiet);
  if (status == ANORANK_OK) status = cli_settings_of_model(call, model, err);
  if (status == ANORANK_OK) status = add_history(model, &rows, call, inputs, err);
  cli_writing(1);
  if (status == ANORANK_OK) status = anorank_model_save(model, ANORANK_TO_FILE(output), err);
  cli_writing(0);
  if (status == ANORANK_OK)
    cli_note(call, "model-updated", "added %zu rows of history; the model was not refitted", rows);
  anorank_model_free(model);
  return status;
}

static anorank_status fit(cli_call *call, cli_inputs *inputs, const char *output, anorank_error *err) {
  anorank_model *model = NULL;
  anorank_status status = ANORANK_OK;
  int labels = has_labels(call);
  cli_progress_start(&call->progress, call->settings, call->quiet);
  cli_progress_part(&call->progress, 0, 0.3);
  if (labels)
    status = cli_settings_of_model(call, NULL, err); /* feedback may name rows by their identifiers */
  if (status == ANORANK_OK && (inputs->count > 1 || (!labels && cli_inputs_stream(inputs, call))))
    status = fit_in_blocks(&model, call, inputs, err);
  else if (status == ANORANK_OK)
    status = fit_whole(&model, call, inputs, err);
  cli_writing(1);
  if (status == ANORANK_OK) status = anorank_model_save(model, ANORANK_TO_FILE(output), err);
  cli_writing(0);
  if (status == ANORANK_OK) show_notes(call, model, output);
  anorank_model_free(model);
  return status;
}

static int run(cli_call *call) {
  anorank_error err = {0};
  cli_inputs inputs = {0};
  const char *output = cli_value(call, "output");
  if (!output)
    return cli_usage_error(call, "option-missing",
                           "--output MODEL is missing; name the model file, for example -o model.anr");
  int code = cli_check_known(call);
  if (code == 0) code = cli_inputs_find(&inputs, call, 0);
  const char *before = cli_value(call, "update");
  if (code == 0)
    code = cli_failure(
        call, before ? update(call, &inputs, before, output, &err) : fit(call, &inputs, output, &err), &err);
  cli_inputs_free(&inputs);
  return code;
}

const cli_command cli_cmd_fit = {
    .name = "fit",
    .summary = "fit a model of what is normal",
    .usage = "FILE... -o MODEL [OPTION]...",
    .description =
        "Fit a model of what is normal from the rows of FILE, for 'anorank score' and 'anorank rank'. The "
        "model is one file.\nInferred column types and assumptions are printed to stderr. The same table, "
        "settings and seed give the same bytes for any number of threads. An existing model file is replaced "
        "atomically.\nFILE may be larger than memory. Several files, or a directory of files, are parts of "
        "one table with the same columns. A fit uses at most a million rows, drawn at random.\nKnown "
        "anomalies are not learned as normal, and similar rows rank as more abnormal. Give them as a "
        "separate table (--known), a label column (--labels), or the feedback file of 'anorank detect "
        "--review' (--feedback). Rows similar to dismissed ones rank lower.",
    .everyday = "output train id drop columns known labels fast verbose",
    .positionals = {{"FILE", "table to learn from, its parts, or a directory of parts; '-' is standard input",
                     CLI_SEVERAL, NULL}},
    .options = {{"output", 'o', "FILE", NULL, "write the model to FILE; '-' is standard output"},
                {"update", 0, "MODEL", NULL,
                 "add the rows of FILE to the history of MODEL; needs a model with --by or --time, and does "
                 "not refit"},
                CLI_KNOWN_OPTION,
                CLI_FEEDBACK_OPTION},
    .examples = {{"anorank fit history.csv -o model.anr", "fit on rows believed to be normal"},
                 {"anorank fit mixed.csv -o model.anr --train contaminated --id account",
                  "fit on rows that may contain anomalies; account is the identifier"},
                 {"anorank fit history.csv -o model.anr --known confirmed.csv",
                  "use known anomalies to improve the order"},
                 {"anorank fit payments.csv --by account --time when -o model.anr",
                  "learn each account's normal behaviour"},
                 {"anorank fit part-*.csv.zst -o model.anr",
                  "fit on the parts of a table larger than memory"}},
    .settings = ANORANK_FOR_RUN | ANORANK_FOR_READ | ANORANK_FOR_FIT | ANORANK_FOR_LEARN,
    .run = run,
};
