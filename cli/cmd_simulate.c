/* cmd_simulate.c - anorank simulate LAW: draw rows from a law and write them as a table.
 *
 * Rows are drawn and written in blocks, so the output may be larger than memory. Row i depends only on the seed
 * and i (anorank_simulate), so blocks do not matter. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/ascii.h"
#include "model_options.h"
#include "options.h"
#include "result_file.h"
#include "text.h"

enum { BLOCK_BYTES = 1 << 24 };

static const char *law_word(size_t i) {
  const anorank_law *law = anorank_law_at(i);
  return law ? law->name : NULL;
}

/* An option without effect is probably a mistake. */
static void note_unused(const cli_call *call, const anorank_law *law) {
  for (size_t i = 0; i < call->given_count; i++) {
    const anorank_setting *setting = anorank_setting_find(call->given[i].name);
    if (!setting || !(setting->applies_to & ANORANK_FOR_SIMULATE) || strcmp(setting->name, "rows") == 0 ||
        strcmp(setting->name, "first-row") == 0 ||
        cli_is_listed(law->settings, setting->name, strlen(setting->name)))
      continue;
    cli_note(call, "option-unused", "the law '%s' ignores --%s", law->name, setting->name);
  }
}

/* Add a note if unreadable numbers would be drawn as words, unless they were requested as categories. */
static void note_written_numbers(const cli_call *call, const anorank_table *data, const char *path) {
  char name[80], sample[48];
  if (*anorank_settings_text(call->settings, "categorical")) return;
  for (size_t i = 0; i < anorank_table_columns(data); i++) {
    const char *text = anorank_table_levels(data, i) > 0 ? anorank_table_level(data, i, 0) : "";
    if (!cli_is_written_number(text)) continue;
    cli_note(call, "column-drawn-as-text",
             "%s: column '%s' holds text such as '%s', so texts are drawn; to draw numbers, write them like "
             "1234.5",
             strcmp(path, "-") == 0 ? "standard input" : path,
             cli_printable(name, sizeof name, anorank_table_name(data, i)),
             cli_printable(sample, sizeof sample, text));
  }
}

static int writes_npy(const cli_call *call, const char *path) {
  const char *given = cli_value(call, "output-format");
  return given ? strcmp(given, "npy") == 0 : cli_names_format(path, ".npy");
}

/* Return whether the writer can return to the header of the file when it knows the number of rows. */
static int can_seek(const char *path) {
  struct stat existing;
  const char *ending = strrchr(path, '.');
  if (strcmp(path, "-") == 0) return 0;
  if (ending && (ank_same_word(ending, ".gz") || ank_same_word(ending, ".zst"))) return 0;
  return stat(path, &existing) != 0 || S_ISREG(existing.st_mode);
}

static anorank_status draw(anorank_table **out, const void *data, const anorank_settings *settings,
                           anorank_error *err) {
  return anorank_simulate(out, data, settings, err);
}

static anorank_status draw_rows(cli_call *call, const anorank_table *data, const char *path,
                                anorank_error *err) {
  int64_t columns =
      data ? (int64_t)anorank_table_columns(data) : anorank_settings_integer(call->settings, "dim");
  int64_t block = anorank_settings_integer(call->settings, "block-rows");
  if (block == 0) block = BLOCK_BYTES / (8 * (columns > 0 ? columns : 1)) + 1;
  if (writes_npy(call, path) && !can_seek(path)) /* the header has the number of rows */
    block = anorank_settings_integer(call->settings, "rows");
  return cli_write_blocks(call, path, block, draw, data, err);
}

static int run(cli_call *call) {
  anorank_error err = {0};
  anorank_table *data = NULL;
  anorank_status status = ANORANK_OK;
  const char *name = call->positionals[0];
  const char *data_path = cli_value(call, "data");
  const char *path = cli_value(call, "output") ? cli_value(call, "output") : "-";
  const anorank_law *law;
  int64_t rows =
      anorank_settings_integer(call->settings, "rows"); /* drawing changes the setting block by block */
  for (size_t i = 0; (law = anorank_law_at(i)) != NULL && strcmp(law->name, name) != 0; i++) continue;
  if (!law)
    return cli_unknown_word(call, "law-unknown", "unknown law", name, law_word,
                            "'anorank list law' lists them");
  if (law->around_data == 2 && !data_path)
    return cli_usage_error(call, "law-needs-data",
                           "the law '%s' draws around data; give them with --data FILE", law->name);
  if (law->around_data == 0 && data_path)
    return cli_usage_error(call, "law-takes-no-data", "the law '%s' takes no data; remove --data", law->name);
  if (strcmp(path, "-") == 0 && writes_npy(call, path) && isatty(STDOUT_FILENO))
    return cli_usage_error(call, "output-npy-terminal",
                           "NPY is not text for a terminal; name a file with --output FILE");
  note_unused(call, law);
  status = anorank_settings_set(call->settings, "law", law->name, &err);
  cli_progress_start(&call->progress, call->settings, call->quiet);
  if (status == ANORANK_OK && data_path)
    status = anorank_table_read(&data, ANORANK_FROM_FILE(data_path), call->settings, &err);
  if (status == ANORANK_OK && data) note_written_numbers(call, data, data_path);
  if (status == ANORANK_OK) status = draw_rows(call, data, path, &err);
  anorank_table_free(data);
  if (status == ANORANK_OK)
    cli_detail(call, "%lld rows of '%s' in %.3g s", (long long)rows, law->name,
               cli_clock() - call->progress.started);
  if (!data_path && strcmp(err.code, "law-needs-data") == 0)
    strncat(err.message, " (--data FILE)", sizeof err.message - strlen(err.message) - 1);
  return cli_failure(call, status, &err);
}

static void describe_laws(const cli_renderer *renderer, void *context) {
  const anorank_law *law;
  static const char *const data_notes[] = {"", "; --data may be given", "; needs --data"};
  char text[1024];
  renderer->section(context, "Laws");
  for (size_t i = 0; (law = anorank_law_at(i)) != NULL; i++) {
    snprintf(text, sizeof text, "%s%s", law->help,
             data_notes[law->around_data > 0 && law->around_data <= 2 ? law->around_data : 0]);
    renderer->entry(context, law->name, NULL, text);
  }
}

const cli_command cli_cmd_simulate = {
    .name = "simulate",
    .summary = "generate artificial rows (contrast rows) and test data",
    .usage = "LAW [--data FILE] [-o FILE] [OPTION]...",
    .description = "Draw rows from a distribution and write them as a table: contrast samples for 'anorank "
                   "judge', and test data.\nOutput is reproducible for a given seed and any number of "
                   "threads. --first-row draws one sample in parts.",
    .everyday = "data rows dim output output-format seed",
    .positionals = {{"LAW", "one of the laws below", 1, law_word}},
    .options = {{"data", 0, "FILE", NULL, "table to draw around; for laws that use data"}, CLI_TABLE_OPTIONS},
    .examples = {{"anorank simulate gaussian --rows 1000 --sigma 0.316 -o x.csv",
                  "draw 1000 Gaussian rows in two columns"},
                 {"anorank simulate box --data x.csv --rows 500 -o u.csv",
                  "draw 500 contrast rows, uniform in the box of x.csv"}},
    .settings = ANORANK_FOR_RUN | ANORANK_FOR_READ | ANORANK_FOR_WRITE | ANORANK_FOR_SIMULATE,
    .omit = "law",
    .more = describe_laws,
    .run = run,
};
