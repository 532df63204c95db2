/* cmd_score.c - anorank score MODEL FILE: the score and p-value of each row, in file order.
 *
 * The file is read, scored and written in blocks, so that it may be larger than memory. */
#include <stdlib.h>
#include <string.h>

#include "inputs.h"
#include "model_options.h"
#include "note_list.h"
#include "result_file.h"
#include "text.h"

#define SHARD_ROWS "4096" /* of a block: borders must not depend on memory or threads */

typedef struct scoring {
  cli_call *call;
  const anorank_model *model;
  anorank_reader *reader;
  anorank_writer *writer;
  anorank_settings *settings; /* for the scores; the reader reports progress */
  size_t rows, scored;        /* of the file so far, and of this shard */
  anorank_stream *stream;     /* for the shift check */
  int guard;                  /* escape texts that a spreadsheet would run */
  size_t shard, count;        /* --shard: score each block b with b % count == shard */
} scoring;

/* Parse "I/N" with I < N, both decimal numbers. */
static int parse_shard(scoring *work, const char *text) {
  char *end;
  if (!text) return 0;
  if (text[0] >= '0' && text[0] <= '9') {
    work->shard = strtoul(text, &end, 10);
    if (*end == '/' && end[1] >= '0' && end[1] <= '9') {
      work->count = strtoul(end + 1, &end, 10);
      if (*end == '\0' && work->shard < work->count) return 0;
    }
  }
  return cli_usage_error(work->call, "option-shard",
                         "--shard is '%s'; it takes I/N with I from 0 to N - 1, such as 0/4", text);
}

static anorank_status score_block(scoring *work, const anorank_table *block, anorank_error *err) {
  anorank_table *result = NULL;
  anorank_status status =
      anorank_model_score_table(&result, work->model, block, work->rows + 1, work->settings, err);
  if (status == ANORANK_OK && !work->call->quiet)
    status = anorank_stream_check(work->stream, block, work->rows,
                                  anorank_table_numbers(result, anorank_table_columns(result) - 1), err);
  if (status == ANORANK_OK && work->guard) status = anorank_table_escape_formulas(result, err);
  if (status == ANORANK_OK) status = anorank_writer_append(work->writer, result, err);
  work->scored += anorank_table_rows(block);
  anorank_table_free(result);
  return status == ANORANK_OK && cli_interrupted() ? ANORANK_CANCELLED : status;
}

/* Check that blocks of a shard have the same number of rows, except the last. */
static anorank_status check_border(const scoring *work, size_t block_rows, anorank_error *err) {
  if (work->rows % block_rows == 0) return ANORANK_OK;
  return cli_fail(
      err, ANORANK_ERROR_RESOURCES, "shard-block-rows",
      "blocks of %zu rows do not fit into memory; pass the same smaller --block-rows to all shards",
      block_rows);
}

/* Score rows that are compared with earlier ones: the state continues across blocks. */
static anorank_status score_next(scoring *work, const anorank_table *block, anorank_error *err) {
  anorank_table *result = NULL;
  anorank_status status =
      anorank_stream_score(&result, work->stream, block, work->rows, work->shard, work->count, err);
  if (status == ANORANK_OK && work->guard) status = anorank_table_escape_formulas(result, err);
  if (status == ANORANK_OK) status = anorank_writer_append(work->writer, result, err);
  work->rows += anorank_table_rows(block);
  work->scored += anorank_table_rows(result);
  anorank_table_free(result);
  return status == ANORANK_OK && cli_interrupted() ? ANORANK_CANCELLED : status;
}

static anorank_status score_blocks(scoring *work, cli_inputs *inputs, anorank_error *err) {
  anorank_parts parts = cli_inputs_parts(inputs, work->call);
  const anorank_table *block = NULL;
  anorank_status status = parts.open(parts.context, 0, &work->reader, err);
  anorank_reader_prefetch(work->reader);
  while (status == ANORANK_OK) {
    status = anorank_reader_next(work->reader, &block, err);
    if (status != ANORANK_OK || !block) break;
    status = score_next(work, block, err);
    anorank_reader_reset_levels(work->reader);
  }
  if (status == ANORANK_OK && work->rows == 0)
    status = score_next(work, anorank_reader_schema(work->reader), err);
  else if (status == ANORANK_OK && !work->call->quiet)
    status = anorank_stream_check(work->stream, anorank_reader_schema(work->reader), work->rows, NULL, err);
  anorank_reader_free(work->reader);
  return status;
}

/* Score a whole table that fits into memory; it may be in any order. */
static anorank_status score_whole(scoring *work, cli_inputs *inputs, anorank_error *err) {
  anorank_table *table = NULL;
  anorank_status status = cli_inputs_table(&table, inputs, work->call, err);
  if (status == ANORANK_OK) status = score_block(work, table, err);
  anorank_table_free(table);
  return status;
}

static anorank_status score_in_context(scoring *work, cli_inputs *inputs, const char *output,
                                       anorank_error *err) {
  int streams = work->count > 1 || cli_inputs_stream(inputs, work->call);
  anorank_status status = anorank_writer_open(&work->writer, ANORANK_TO_FILE(output),
                                              cli_value(work->call, "output-format"), err);
  if (status == ANORANK_OK)
    status = streams ? score_blocks(work, inputs, err) : score_whole(work, inputs, err);
  if (status == ANORANK_OK) status = anorank_writer_commit(work->writer, err);
  anorank_writer_free(work->writer);
  return status;
}

static anorank_status score_file(scoring *work, const char *input, const char *output, anorank_error *err) {
  const anorank_table *block = NULL;
  size_t block_rows = (size_t)anorank_settings_integer(work->call->settings, "block-rows"), b = 0;
  anorank_status status =
      anorank_reader_open(&work->reader, ANORANK_FROM_FILE(input), work->call->settings, err);
  anorank_reader_prefetch(work->reader);
  if (status == ANORANK_OK)
    status = anorank_writer_open(&work->writer, ANORANK_TO_FILE(output),
                                 cli_value(work->call, "output-format"), err);
  while (status == ANORANK_OK) {
    status = anorank_reader_next(work->reader, &block, err);
    if (status != ANORANK_OK || !block) break;
    if (work->count > 1) status = check_border(work, block_rows, err);
    if (status == ANORANK_OK && b++ % work->count == work->shard) status = score_block(work, block, err);
    work->rows += anorank_table_rows(block);
    anorank_reader_reset_levels(work->reader); /* otherwise names of rows would fill the memory */
  }
  /* a file or shard without rows still gets a header */
  if (status == ANORANK_OK && work->scored == 0)
    status = score_block(work, anorank_reader_schema(work->reader), err);
  else if (status == ANORANK_OK && !work->call->quiet) /* notes from the end of the file */
    status = anorank_stream_check(work->stream, anorank_reader_schema(work->reader), work->rows, NULL, err);
  if (status == ANORANK_OK) status = anorank_writer_commit(work->writer, err);
  anorank_writer_free(work->writer);
  anorank_reader_free(work->reader);
  return status;
}

static int run(cli_call *call) {
  anorank_error err = {0};
  anorank_model *model = NULL;
  const char *output = cli_value(call, "output") ? cli_value(call, "output") : "-";
  scoring work = {.call = call, .guard = cli_escapes_formulas(call), .count = 1};
  int code = cli_check_stdin(call, 0, 1);
  if (code == 0) code = parse_shard(&work, cli_value(call, "shard"));
  cli_inputs inputs = {0};
  if (code == 0) code = cli_inputs_find(&inputs, call, 1);
  if (code != 0) return code;
  anorank_status status = anorank_model_load(&model, ANORANK_FROM_FILE(call->positionals[0]), &err);
  work.model = model;
  if (status == ANORANK_OK && work.count > 1 && anorank_settings_integer(call->settings, "block-rows") == 0)
    status = anorank_settings_set(call->settings, "block-rows", SHARD_ROWS, &err);
  if (status == ANORANK_OK) status = anorank_settings_new(&work.settings, call->settings, &err);
  if (status == ANORANK_OK) status = cli_settings_of_model(call, model, &err);
  if (status == ANORANK_OK) status = anorank_stream_new(&work.stream, model, call->settings, &err);
  if (status == ANORANK_OK) {
    cli_progress_start(&call->progress, call->settings, call->quiet);
    cli_writing(1);
    status = cli_has_context(call) ? score_in_context(&work, &inputs, output, &err)
                                   : score_file(&work, call->positionals[1], output, &err);
    cli_writing(0);
    cli_progress_clear();
    cli_notes notes = {0};
    if (status == ANORANK_OK) status = cli_notes_of_stream(&notes, work.stream, &err);
    if (status == ANORANK_OK) cli_notes_show(&notes, call);
    cli_notes_free(&notes);
    if (status == ANORANK_OK)
      cli_detail(call, "%zu rows scored in %.3g s", work.scored, cli_clock() - call->progress.started);
  }
  anorank_settings_free(work.settings);
  anorank_stream_free(work.stream);
  anorank_model_free(model);
  code = inputs.code != 0 ? inputs.code : cli_failure(call, status, &err);
  cli_inputs_free(&inputs);
  return code;
}

const cli_command cli_cmd_score = {
    .name = "score",
    .summary = "score each row of a file with a model",
    .usage = "MODEL FILE [-o FILE] [OPTION]...",
    .description =
        "Write the score and the p-value of each row, in file order. A lower score is more abnormal. FILE "
        "may be larger than memory.\nThe p-value is the share of normal rows that would score as low. The "
        "identifying columns (--id at the fit) and those of --keep come first. Columns match by name; "
        "unknown columns are ignored. The score of a row depends on that row alone. With --by or --time at "
        "the fit, it depends on earlier rows, and a file larger than memory must be sorted by time.",
    .everyday = "output output-format keep input-format threads",
    .positionals = {{"MODEL", "model written by 'anorank fit'", 1, NULL},
                    {"FILE", "table to score; '-' is standard input", 1, NULL}},
    .options = {CLI_TABLE_OPTIONS,
                CLI_FORMULAS_OPTION,
                {"shard", 0, "I/N", NULL,
                 "score shard I of N, from 0; a shard is every N-th block of rows, or an N-th of the "
                 "entities of a model with --by"}},
    .examples = {{"anorank score model.anr today.csv -o scores.csv", "write a score and a p-value per row"},
                 {"zcat big.csv.gz | anorank score model.anr - | head", "score a pipe, in blocks"},
                 {"anorank score model.anr big.csv --shard 2/8 -o scores-2.csv",
                  "run the third of eight jobs"}},
    .settings = ANORANK_FOR_RUN | ANORANK_FOR_READ | ANORANK_FOR_RESULT,
    .omit = "seed",
    .run = run,
};
