/* ranking_blocks.c - the ranking of a table larger than memory, written block by block. The output equals that of ranking_report.c
 * for a table in memory. */
#include <stdlib.h>
#include <string.h>

#include "inputs.h"
#include "model_options.h"
#include "ranking_report.h"
#include "result_file.h"
#include "text.h"

enum { BLOCK = 32768, TEXT = 1024 }; /* findings at a time */

int cli_ranking_streams(const cli_inputs *inputs, const cli_call *call, int *streams) {
  static const char *const whole[] = {"report",    "review",        "labels",      "feedback",
                                      "incidents", "rank-entities", "expect-every"};
  *streams = cli_inputs_stream(inputs, call);
  for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++) {
    if (!cli_value(call, whole[i])) continue;
    if (inputs->count > 1)
      return cli_usage_error(call, "option-one-file", "--%s needs all rows in memory at once; give one FILE",
                             whole[i]);
    *streams = 0;
  }
  return 0;
}

/* The destination of the findings; one of the two. */
typedef struct target {
  anorank_writer *writer;
  cli_output output;
  int open;
} target;

static int open_target(target *to, const cli_ranking *ranking, const cli_call *call) {
  anorank_error err = {0};
  const char *path = cli_value(call, "output") ? cli_value(call, "output") : "-";
  if (ranking->shape == CLI_SHAPE_FILE)
    return cli_failure(call, anorank_writer_open(&to->writer, ANORANK_TO_FILE(path), ranking->format, &err),
                       &err);
  int code = cli_output_open(&to->output, call, path);
  to->open = code == 0;
  return code;
}

static int write_part(target *to, const cli_ranking *part, const cli_call *call) {
  anorank_error err = {0};
  if (part->shape == CLI_SHAPE_FILE)
    return cli_failure(call, anorank_writer_append(to->writer, part->findings, &err), &err);
  if (part->shape == CLI_SHAPE_TABLE)
    cli_ranking_table(to->output.stream, part, call);
  else
    cli_ranking_json(to->output.stream, part);
  return 0;
}

static int close_target(target *to, const cli_call *call, int code) {
  anorank_error err = {0};
  if (to->writer && code == 0) code = cli_failure(call, anorank_writer_commit(to->writer, &err), &err);
  anorank_writer_free(to->writer);
  if (to->open) code = cli_output_close(&to->output, call, code);
  if (to->open && code == 0 && to->output.stream == stdout) fflush(stdout);
  return code;
}

/* The notes on the selection of rows, copied before the ranking is freed. */
typedef struct choice {
  anorank_ranking_info info;
  char text[7][TEXT];
} choice;

static void copy_choice(choice *out, const anorank_ranking_info *info) {
  const char **texts[] = {&out->info.answer,         &out->info.note,       &out->info.reach,
                          &out->info.note_code,      &out->info.reach_code, &out->info.resolution,
                          &out->info.resolution_code};
  out->info = *info;
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    snprintf(out->text[i], TEXT, "%s", *texts[i]);
    *texts[i] = out->text[i];
  }
}

static int write_all(cli_ranking *ranking, const cli_call *call, anorank_stream *stream, size_t *count,
                     size_t *apart) {
  anorank_error err = {0};
  target to = {0};
  choice words = {0};
  int whole = ranking->shape == CLI_SHAPE_TABLE || ranking->shape == CLI_SHAPE_JSON;
  const anorank_ranking *result;
  const anorank_table *table;
  int code = 0;
  cli_writing(1);
  do {
    anorank_status status = anorank_stream_next(&result, &table, stream, whole ? SIZE_MAX : BLOCK, &err);
    cli_ranking part = *ranking;
    if (status == ANORANK_OK && result) {
      part.block_result = result;
      part.findings = NULL;
      copy_choice(&words, anorank_ranking_get_info(result));
      *count += anorank_ranking_get_info(result)->count;
      *apart = anorank_ranking_get_info(result)->headline.apart;
      status = cli_make_findings(&part, call, result, table, &err);
      if (status == ANORANK_OK && whole) cli_note_choice(ranking, &words.info);
      part.notes = ranking->notes;
    }
    if (status == ANORANK_OK && cli_interrupted()) status = ANORANK_CANCELLED;
    code = cli_failure(call, status, &err);
    if (code == 0 && !to.writer && !to.open) {
      cli_progress_clear();
      code = open_target(&to, ranking, call);
    }
    if (code == 0 && result) code = write_part(&to, &part, call);
    if (result) anorank_table_free(part.findings);
  } while (code == 0 && result);
  code = close_target(&to, call, code);
  cli_writing(0);
  if (code == 0 && !whole) cli_note_choice(ranking, &words.info);
  return code;
}

int cli_ranking_write(cli_ranking *ranking, const cli_call *call, anorank_stream *stream) {
  size_t count = 0, apart = 0;
  int code = write_all(ranking, call, stream, &count, &apart);
  if (code == 0) cli_notes_show(&ranking->notes, call);
  if (code == 0) cli_detail(call, "done in %.3g s", cli_clock() - call->progress.started);
  return code == 0 ? cli_exit_code(call, count, apart) : code;
}
