/* cmd_example.c - anorank example NAME: write a built-in example table.
 *
 * Rows are generated and written in blocks; row i depends only on the seed and i, so blocks do not matter. */
#include <stdio.h>
#include <string.h>

#include "anorank/extras.h"
#include "model_options.h"
#include "options.h"
#include "result_file.h"
#include "text.h"

enum { BLOCK_ROWS = 100000 };

static const char *example_word(size_t i) {
  const anorank_example *example = anorank_example_at(i);
  return example ? example->name : NULL;
}

static anorank_status make(anorank_table **out, const void *name, const anorank_settings *settings,
                           anorank_error *err) {
  return anorank_example_make(out, name, settings, err);
}

static int run(cli_call *call) {
  anorank_error err = {0};
  const char *name = call->positionals[0], *word = NULL;
  const char *path = cli_value(call, "output") ? cli_value(call, "output") : "-";
  for (size_t i = 0; (word = example_word(i)) != NULL && strcmp(word, name) != 0; i++) continue;
  if (!word)
    return cli_unknown_word(call, "example-unknown", "unknown example", name, example_word,
                            "'anorank example --help' names them");
  cli_progress_start(&call->progress, call->settings, call->quiet);
  return cli_failure(call, cli_write_blocks(call, path, BLOCK_ROWS, make, name, &err), &err);
}

static void describe_examples(const cli_renderer *renderer, void *context) {
  const anorank_example *example;
  renderer->section(context, "Available examples");
  for (size_t i = 0; (example = anorank_example_at(i)) != NULL; i++)
    renderer->entry(context, example->name, NULL, example->help);
}

const cli_command cli_cmd_example = {
    .name = "example",
    .summary = "write a built-in example table",
    .usage = "NAME [-o FILE] [OPTION]...",
    .description = "Write a realistic table with synthetic anomalies. All values are invented. Output is "
                   "reproducible for a given seed, and --first-row continues an earlier table.",
    .everyday = "output rows anomalies first-row seed",
    .positionals = {{"NAME", "one of the examples below", 1, example_word}},
    .options = {CLI_TABLE_OPTIONS},
    .examples = {{"anorank example cards -o cards.csv",
                  "a month of payments; the column fraud marks synthetic anomalies"},
                 {"anorank example cards --rows 36000 --anomalies 0 -o history.csv",
                  "three months of payments without fraud"},
                 {"anorank example cards --first-row 36000 -o april.csv", "the month after those three"}},
    .settings = ANORANK_FOR_RUN | ANORANK_FOR_EXAMPLE,
    .assume = "rows = 12000" /* a month: enough for findings */,
    .more = describe_examples,
    .run = run,
};
