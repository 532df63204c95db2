/* cmd_score.c - anorank-mpi score MODEL FILE...: the scores of one big table by many processes, the bytes of one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "commands.h"
#include "core/sha256.h"
#include "inputs.h"
#include "joint_file.h"
#include "model_options.h"
#include "parts.h"
#include "rounds.h"
#include "table_bytes.h"

typedef struct scoring {
  cli_call *call;
  const anorank_model *model;
  const cli_inputs *inputs;
  pieces *input;   /* the one that is open, */
  uint64_t file;   /* its number, */
  uint64_t before; /* and the rows of those before it */
  joint_file *output;
  table_bytes format;
  anorank_watch *watch; /* over the own rows; NULL: --quiet */
  uint64_t resumed;     /* rows that an earlier run has scored */
  int guard;
} scoring;

/* A block as the bytes of the output; the first `head_length` of them are what every file begins with. */
static anorank_status make_bytes(unsigned char **bytes, size_t *length, scoring *work,
                                 const anorank_table *block, uint64_t first_row, anorank_error *err) {
  anorank_table *result = NULL;
  *bytes = NULL;
  *length = 0;
  anorank_status status = anorank_model_score_table(&result, work->model, block, (size_t)first_row + 1,
                                                    work->call->settings, err);
  if (status == ANORANK_OK && work->watch && anorank_table_rows(block) > 0)
    status = anorank_watch_rows(work->watch, block, (size_t)(first_row - work->resumed),
                                anorank_table_numbers(result, anorank_table_columns(result) - 1), err);
  if (status == ANORANK_OK && work->guard) status = anorank_table_guard_formulas(result, err);
  if (status == ANORANK_OK) status = table_bytes_make(bytes, length, &work->format, result, err);
  anorank_table_free(result);
  return status;
}

static anorank_status score_round(scoring *work, const anorank_table *block, uint64_t first_row,
                                  anorank_error *err) {
  unsigned char *bytes = NULL;
  size_t length = work->format.head_length;
  anorank_status status = ANORANK_OK;
  if (block)
    status = make_bytes(&bytes, &length, work, block, first_row, err);
  else if (work->watch) /* no rows this time, but lines that are none, perhaps */
    status = anorank_watch_rows(work->watch, pieces_schema(work->input), (size_t)(first_row - work->resumed),
                                NULL, err);
  status = team_agree(status, err);
  if (status == ANORANK_OK)
    status = joint_append(work->output, bytes ? bytes + work->format.head_length : NULL,
                          length - work->format.head_length, err);
  anorank_bytes_free(bytes);
  return status;
}

static anorank_status score_rounds(scoring *work, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  for (int more = 1; status == ANORANK_OK && more;) {
    const anorank_table *block;
    uint64_t first_row = 0;
    status = pieces_next(work->input, &block, &first_row, &more, err);
    if (status == ANORANK_OK && more) status = score_round(work, block, work->before + first_row, err);
  }
  return status;
}

/* Of one file after the other; all must give the same columns. */
static anorank_status open_input(scoring *work, uint64_t file, anorank_error *err) {
  const char *path = work->inputs->list[file].path;
  unsigned char *head = NULL;
  size_t length = 0;
  pieces_free(work->input);
  work->input = NULL;
  work->file = file;
  anorank_status status =
      pieces_open(&work->input, path, cluster_piece(work->call), work->call->settings, err);
  if (status != ANORANK_OK) return status;
  /* from a table without rows: the line of names, if the format has one */
  status = make_bytes(&head, &length, work, pieces_schema(work->input), 0, err);
  if (status == ANORANK_OK && !work->format.head) {
    work->format.head = head;
    work->format.head_length = length;
    head = NULL;
  } else if (status == ANORANK_OK &&
             (length != work->format.head_length || memcmp(head, work->format.head, length) != 0)) {
    status = team_fail(
        err, ANORANK_ERROR_DATA,
        "%s: gives other columns than '%s'; all parts need the same identifiers and columns to keep", path,
        work->inputs->list[0].path);
  }
  if (status == ANORANK_OK && work->watch) /* how the file is read */
    status = anorank_watch_rows(work->watch, pieces_schema(work->input),
                                (size_t)(work->before > work->resumed ? work->before - work->resumed : 0),
                                NULL, err);
  anorank_bytes_free(head);
  return team_agree(status, err);
}

static anorank_status next_input(scoring *work, anorank_error *err) {
  work->before += pieces_at(work->input).rows;
  return open_input(work, work->file + 1, err);
}

/* Everything up to where the pieces end; `all`: in all files. */
static anorank_status score_to(scoring *work, const char *path, int all, anorank_error *err) {
  uint64_t before = work->before + pieces_at(work->input).rows;
  anorank_status status = joint_open(&work->output, path, err);
  if (status == ANORANK_OK)
    status =
        joint_append(work->output, work->format.head, team_rank == 0 ? work->format.head_length : 0, err);
  if (status == ANORANK_OK) status = score_rounds(work, err);
  while (status == ANORANK_OK && all && work->file + 1 < work->inputs->count) {
    status = next_input(work, err);
    if (status == ANORANK_OK) status = score_rounds(work, err);
  }
  if (status == ANORANK_OK)
    status = table_bytes_count(&work->format, work->output,
                               work->before + pieces_at(work->input).rows - before, err);
  if (status == ANORANK_OK) status = joint_commit(work->output, err);
  if (status == ANORANK_OK && all) joint_words = "all was written";
  joint_free(work->output);
  work->output = NULL;
  return status;
}

/* ---- parts --------------------------------------------------------------------------------------------- */

static void digest_text(ank_sha256 *digest, const char *text) {
  ank_sha256_put(digest, text, strlen(text) + 1);
}

/* What the bytes of the parts depend on, and the files with their sizes and times. */
static anorank_status name_job(char job[ANK_SHA256_TEXT], const scoring *work, anorank_error *err) {
  static const char *const idle[] = {"resume", "output", "threads", "piece", "quiet", "verbose"};
  const cli_call *call = work->call;
  unsigned char *bytes = NULL;
  size_t length = 0;
  struct stat about;
  ank_sha256 digest;
  char text[128];
  anorank_status status = anorank_model_to_bytes(&bytes, &length, work->model, err);
  if (status != ANORANK_OK) return status;
  ank_sha256_start(&digest);
  ank_sha256_put(&digest, bytes, length);
  anorank_bytes_free(bytes);
  for (size_t i = 0; i < work->inputs->count; i++) {
    if (stat(work->inputs->list[i].path, &about) != 0) memset(&about, 0, sizeof about);
    snprintf(text, sizeof text, "%lld %lld.%09ld", (long long)about.st_size, (long long)about.st_mtim.tv_sec,
             about.st_mtim.tv_nsec);
    digest_text(&digest, text);
  }
  for (size_t i = 0; i < call->given_count; i++) {
    size_t k = 0;
    while (k < sizeof idle / sizeof idle[0] && strcmp(idle[k], call->given[i].name) != 0) k++;
    if (k < sizeof idle / sizeof idle[0]) continue;
    digest_text(&digest, call->given[i].name);
    digest_text(&digest, call->given[i].value);
  }
  ank_sha256_end(job, &digest);
  return ANORANK_OK;
}

/* The parts of the file that is open, as far as they are not finished. */
static anorank_status score_parts_of_file(scoring *work, parts *made, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  int last = work->file + 1 == work->inputs->count;
  if (!pieces_are_cut(work->input))
    return team_fail(
        err, ANORANK_ERROR_USAGE,
        "%s: can only be scored in parts if it is a plain file of CSV, TSV or NPY; leave out --part-size",
        work->inputs->list[work->file].path);
  parts_place place = parts_next(made);
  pieces_stop_after(work->input, cluster_bytes(work->call, "part-size", 0));
  if (parts_finished(made) > 0 && place.file == work->file) pieces_go_to(work->input, place.at);
  while (status == ANORANK_OK && (!pieces_ended(work->input) || (last && parts_finished(made) == 0))) {
    work->format.name = parts_path(made);
    status = score_to(work, work->format.name, 0, err);
    if (status == ANORANK_OK)
      status = parts_finish(made, (parts_place){work->file, work->before, pieces_at(work->input)}, err);
  }
  return status;
}

static anorank_status score_parts(scoring *work, const char *folder, anorank_error *err) {
  char job[ANK_SHA256_TEXT] = "";
  parts *made = NULL;
  const char *ending = work->format.format ? work->format.format : "csv";
  anorank_status status = team_agree(team_rank == 0 ? name_job(job, work, err) : ANORANK_OK, err);
  if (status == ANORANK_OK && pieces_are_cut(work->input))
    status = parts_open(&made, folder, ending, job, cli_value(work->call, "resume") != NULL, err);
  if (status == ANORANK_OK && made && parts_finished(made) > 0) {
    parts_place place = parts_next(made);
    cli_note(work->call, "%s: %zu part%s finished before; going on after row %llu", folder,
             parts_finished(made), parts_finished(made) == 1 ? " was" : "s were",
             (unsigned long long)(place.before + place.at.rows));
    work->before = place.before;
    work->resumed = place.before + place.at.rows;
    if (place.file > 0) status = open_input(work, place.file, err);
  }
  if (status == ANORANK_OK) status = score_parts_of_file(work, made, err);
  while (status == ANORANK_OK && work->file + 1 < work->inputs->count) {
    status = next_input(work, err);
    if (status == ANORANK_OK) status = score_parts_of_file(work, made, err);
  }
  parts_free(made);
  return status;
}

static anorank_status score_files(scoring *work, const char *output, anorank_error *err) {
  anorank_status status = table_bytes_open(&work->format, output, cli_output_format(work->call), err);
  status = team_agree(status, err);
  if (status == ANORANK_OK) status = open_input(work, 0, err);
  if (status == ANORANK_OK)
    status =
        cli_value(work->call, "part-size") ? score_parts(work, output, err) : score_to(work, output, 1, err);
  table_bytes_free(&work->format);
  return status;
}

static int check_parts(const cli_call *call) {
  const char *size = cli_value(call, "part-size");
  if (!size && cli_value(call, "resume")) return cli_usage_error(call, "--resume needs --part-size as well");
  if (size && cluster_bytes(call, "part-size", 0) == 0)
    return cli_usage_error(call, "--part-size is '%s'; it takes bytes, such as 256M", size);
  if (size && !cli_value(call, "output"))
    return cli_usage_error(call, "--part-size needs a folder for the parts: name it with --output");
  return 0;
}

static anorank_status show_notes(const scoring *work, anorank_error *err) {
  cli_notes notes = {0};
  anorank_status status = rounds_notes(&notes, work->watch, err);
  if (status == ANORANK_OK) cli_notes_show(&notes, work->call);
  cli_notes_free(&notes);
  return status;
}

static int score(cli_call *call, const cli_inputs *inputs) {
  anorank_error err = {0};
  anorank_model *model = NULL;
  const char *output = cli_value(call, "output") ? cli_value(call, "output") : "-";
  double started = cli_clock();
  anorank_status status = cluster_load_model(&model, call->positionals[0], &err);
  if (status == ANORANK_OK) status = team_agree(cli_settings_of_model(call, model, &err), &err);
  scoring work = {.call = call, .model = model, .inputs = inputs, .guard = cli_guards_formulas(call)};
  if (status == ANORANK_OK) status = team_agree(cli_keep_ids(call, model, &err), &err);
  if (status == ANORANK_OK) {
    if (!call->quiet) status = anorank_watch_new(&work.watch, model, &err);
    status = team_agree(status, &err);
  }
  if (status == ANORANK_OK) status = score_files(&work, output, &err);
  if (status == ANORANK_OK) status = show_notes(&work, &err);
  if (status == ANORANK_OK)
    cli_detail(call, "%llu rows scored by %d processes in %.3g s",
               (unsigned long long)(work.before + pieces_at(work.input).rows), team_size,
               cli_clock() - started);
  pieces_free(work.input);
  anorank_watch_free(work.watch);
  anorank_model_free(model);
  return cluster_failure(call, status, &err);
}

int cluster_score(cli_call *call) {
  cli_inputs inputs = {0};
  int code = 0;
  for (size_t i = 1; i < call->positional_count && code == 0; i++)
    code = cluster_check_input(call, call->positionals[i]);
  if (code == 0) code = check_parts(call);
  if (code == 0) code = (int)team_most((uint64_t)cli_inputs_find(&inputs, call, 1));
  if (code == 0) code = score(call, &inputs);
  cli_inputs_free(&inputs);
  return code;
}
