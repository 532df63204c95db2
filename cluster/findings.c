/* findings.c - see findings.h. */
#include "findings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "core/scratch_file.h"
#include "model_options.h"
#include "rounds.h"
#include "table_bytes.h"

enum { BLOCK = 32768 }; /* findings at a time */

typedef struct judging {
  cli_ranking *ranking;
  cli_call *call;
  anorank_tally *tally;
  anorank_watch *watch; /* over the own rows; NULL: none */
  size_t *lengths;      /* of what is packed for each process */
  size_t shares;        /* processes that get findings */
  rounds_twice twice;   /* the scores of a row are where its cells are fetched */
  table_bytes format;   /* of a shape that is a table */
  int code;             /* of a mistake that was told */
  int begun;
} judging;

/* ---- the first time: counts ------------------------------------------------------------------------------ */

/* What the output begins with, from findings of a table without rows. */
static anorank_status set_head(judging *work, const anorank_table *schema, anorank_error *err) {
  cli_ranking none = *work->ranking;
  anorank_verdict *verdict = NULL;
  if (none.shape != CLI_SHAPE_FILE) return ANORANK_OK;
  none.findings = NULL;
  anorank_status status = anorank_verdict_make(&verdict, none.model, schema, work->call->settings, err);
  if (status == ANORANK_OK) status = cli_make_findings(&none, work->call, verdict, schema, err);
  if (status == ANORANK_OK) status = table_bytes_set_head(&work->format, none.findings, err);
  anorank_table_free(none.findings);
  anorank_verdict_free(verdict);
  return status;
}

/* In the first round each process sees the columns of the first file, with rows or without. */
static anorank_status begin(judging *work, const anorank_table *schema) {
  if (work->begun) return ANORANK_OK;
  work->begun = 1;
  work->code = cli_check_keep(schema, work->call);
  return work->code != 0 ? ANORANK_CANCELLED : ANORANK_OK;
}

static anorank_status count_block(void *context, const anorank_table *block, const anorank_table *schema,
                                  uint64_t first_row, anorank_error *err) {
  judging *work = context;
  anorank_status status = begin(work, schema);
  if (status == ANORANK_OK && !block) block = schema;
  if (status == ANORANK_OK && anorank_table_rows(block) == 0 && !work->format.head)
    status = set_head(work, block, err);
  if (status == ANORANK_OK && work->watch)
    status = anorank_watch_rows(work->watch, block, (size_t)first_row, NULL, err);
  return status == ANORANK_OK ? anorank_tally_add(work->tally, block, (size_t)first_row, err) : status;
}

static anorank_status save_counts(unsigned char **bytes, size_t *length, void *context, anorank_error *err) {
  const judging *work = context;
  return anorank_tally_to_bytes(bytes, length, work->tally, err);
}

static anorank_status counts_of(anorank_tally **out, const judging *work, const unsigned char *bytes,
                                size_t length, anorank_error *err) {
  return anorank_tally_from_bytes(out, work->ranking->model, bytes, length, work->call->settings, err);
}

static anorank_status merge_counts(void *context, const unsigned char *bytes, size_t length,
                                   anorank_error *err) {
  const judging *work = context;
  anorank_tally *theirs = NULL;
  anorank_status status = counts_of(&theirs, work, bytes, length, err);
  if (status == ANORANK_OK) status = anorank_tally_merge(work->tally, theirs, err);
  anorank_tally_free(theirs);
  return status;
}

/* Merged on process 0, then given to all. */
static anorank_status share_counts(judging *work, anorank_error *err) {
  unsigned char *bytes = NULL;
  size_t length = 0;
  anorank_tally *all = NULL;
  anorank_status status = rounds_merge(&(rounds_merged){work, save_counts, merge_counts}, err);
  if (status != ANORANK_OK) return status;
  if (team_rank == 0) status = anorank_tally_to_bytes(&bytes, &length, work->tally, err);
  status = team_agree(status, err);
  if (status == ANORANK_OK) status = team_share_new(&bytes, &length, err);
  if (status == ANORANK_OK && team_rank > 0) status = counts_of(&all, work, bytes, length, err);
  if (status == ANORANK_OK && team_rank > 0) status = anorank_tally_take_counts(work->tally, all, err);
  if (status == ANORANK_OK) status = anorank_tally_finish(work->tally, err);
  anorank_tally_free(all);
  if (team_rank == 0)
    anorank_bytes_free(bytes);
  else
    free(bytes);
  return team_agree(status, err);
}

/* ---- the second time: rows ------------------------------------------------------------------------------- */

static anorank_status take_rows(void *context, const unsigned char *bytes, size_t length,
                                anorank_error *err) {
  const judging *work = context;
  return anorank_tally_unpack(work->tally, bytes, length, err);
}

static anorank_status deal_block(void *context, const anorank_table *block, const anorank_table *schema,
                                 uint64_t first_row, anorank_error *err) {
  static const unsigned char nothing[1];
  judging *work = context;
  unsigned char *bytes = NULL;
  memset(work->lengths, 0, (size_t)team_size * sizeof *work->lengths);
  anorank_status status = anorank_tally_pack(&bytes, work->lengths, work->tally, block ? block : schema,
                                             (size_t)first_row, work->shares, err);
  status = team_agree(status, err);
  if (status == ANORANK_OK)
    status = team_exchange(bytes ? bytes : nothing, work->lengths, take_rows, work, err);
  anorank_bytes_free(bytes);
  return status;
}

/* ---- writing ----------------------------------------------------------------------------------------------- */

/* One block of findings as bytes of the output. */
static anorank_status put_lines(ank_scratch_file *to, const cli_ranking *part, anorank_error *err) {
  char *text = NULL;
  size_t length = 0;
  anorank_status status = ANORANK_OK;
  FILE *stream = open_memstream(&text, &length);
  if (stream) cli_ranking_json(stream, part);
  if (!stream || ferror(stream)) status = ANORANK_ERROR_RESOURCES;
  if (stream && fclose(stream) != 0) status = ANORANK_ERROR_RESOURCES;
  if (status != ANORANK_OK) team_fail(err, status, "out of memory");
  if (status == ANORANK_OK && length > 0) status = ank_scratch_append(to, text, length, NULL, err);
  free(text);
  return status;
}

static anorank_status put_table(ank_scratch_file *to, table_bytes *format, const anorank_table *findings,
                                anorank_error *err) {
  unsigned char *bytes = NULL;
  size_t length = 0;
  anorank_status status = table_bytes_make(&bytes, &length, format, findings, err);
  if (status == ANORANK_OK && length > format->head_length)
    status = ank_scratch_append(to, bytes + format->head_length, length - format->head_length, NULL, err);
  anorank_bytes_free(bytes);
  return status;
}

/* The next findings of this share, `*count` of them; `*more` is 0 at the end. */
static anorank_status put_next(ank_scratch_file *to, judging *work, uint64_t *count, int *more,
                               anorank_error *err) {
  const anorank_verdict *verdict;
  const anorank_table *table;
  cli_ranking part = *work->ranking;
  anorank_status status = anorank_tally_next(&verdict, &table, work->tally, BLOCK, err);
  *more = status == ANORANK_OK && verdict != NULL;
  if (!*more) return status;
  part.lent_verdict = verdict;
  part.findings = NULL;
  if (*count == 0) /* the sentences are those of all rows, so the first verdict has them */
    cli_note_choice(work->ranking, anorank_verdict_get_info(verdict)->note,
                    anorank_verdict_get_info(verdict)->reach, anorank_verdict_get_info(verdict)->resolution,
                    anorank_verdict_get_info(verdict)->answer);
  *count += anorank_verdict_get_info(verdict)->count;
  status = cli_make_findings(&part, work->call, verdict, table, err);
  if (status == ANORANK_OK)
    status = part.shape == CLI_SHAPE_FILE ? put_table(to, &work->format, part.findings, err)
                                          : put_lines(to, &part, err);
  anorank_table_free(part.findings);
  return status;
}

static anorank_status write_share(judging *work, const ank_scratch_file *share, const char *path,
                                  uint64_t all, anorank_error *err) {
  joint_file *file = NULL;
  anorank_status status = joint_open(&file, path, err);
  if (status == ANORANK_OK)
    status = joint_append(file, work->format.head, team_rank == 0 ? work->format.head_length : 0, err);
  if (status == ANORANK_OK) status = joint_append_scratch(file, share, err);
  if (status == ANORANK_OK) status = table_bytes_count(&work->format, file, all, err);
  if (status == ANORANK_OK) status = joint_commit(file, err);
  if (status == ANORANK_OK) joint_words = "all was written";
  joint_free(file);
  return status;
}

/* Each process makes its share in a file of its own, so that its length is known before it is written. */
static anorank_status write_shares(judging *work, const char *path, uint64_t *all, anorank_error *err) {
  ank_scratch_file share = {0};
  uint64_t own = anorank_tally_fetched(work->tally), before = team_sum_before(own), count = 0;
  *all = team_sum(own);
  anorank_status status = anorank_tally_follow(work->tally, (size_t)before, (size_t)*all, err);
  for (int more = 1; status == ANORANK_OK && more;) status = put_next(&share, work, &count, &more, err);
  status = team_agree(status, err);
  if (status == ANORANK_OK) status = write_share(work, &share, path, *all, err);
  ank_scratch_close(&share);
  return status;
}

/* ---- all of it --------------------------------------------------------------------------------------------- */

static anorank_status judge(judging *work, const cli_inputs *inputs, const findings_own *own, int watched,
                            anorank_error *err) {
  uint64_t rows = 0;
  const char *path = cli_value(work->call, "output") ? cli_value(work->call, "output") : "-";
  anorank_status status = anorank_tally_new(&work->tally, work->ranking->model, work->call->settings, err);
  if (status == ANORANK_OK && watched && !work->call->quiet)
    status = anorank_watch_new(&work->watch, work->ranking->model, err);
  if (status == ANORANK_OK) status = table_bytes_open(&work->format, path, work->ranking->format, err);
  work->lengths = calloc((size_t)team_size, sizeof *work->lengths);
  if (status == ANORANK_OK && !work->lengths)
    status = team_fail(err, ANORANK_ERROR_RESOURCES, "out of memory");
  if (own) anorank_tally_own_scores(work->tally, own->rows, own->scores, own->count);
  status = team_agree(status, err);
  if (status == ANORANK_OK)
    status = rounds_each(&rows, inputs, work->call, &work->twice, count_block, work, err);
  if (status == ANORANK_OK) status = rounds_notes(&work->ranking->notes, work->watch, err);
  if (status == ANORANK_OK) status = share_counts(work, err);
  if (status == ANORANK_OK)
    status = rounds_each(&rows, inputs, work->call, &work->twice, deal_block, work, err);
  return status;
}

int findings_make(cli_ranking *ranking, cli_call *call, const cli_inputs *inputs, const findings_own *own,
                  int watched) {
  anorank_error err = {0};
  const char *path = cli_value(call, "output") ? cli_value(call, "output") : "-";
  int whole = ranking->shape == CLI_SHAPE_TABLE || ranking->shape == CLI_SHAPE_JSON;
  judging work = {.ranking = ranking, .call = call, .shares = whole ? 1 : (size_t)team_size};
  uint64_t all = 0;
  size_t count = 0;
  double started = cli_clock();
  anorank_status status = judge(&work, inputs, own, watched, &err);
  int code = work.code != 0 ? work.code : 0;
  if (code == 0 && status == ANORANK_OK && !whole) status = write_shares(&work, path, &all, &err);
  if (code == 0) code = cluster_failure(call, status, &err);
  if (code == 0 && whole) { /* one document: process 0 has all findings, as the command line has */
    if (team_rank == 0) code = cli_ranking_write(ranking, call, work.tally, &count);
    team_wait();
    code = (int)team_most((uint64_t)code);
    all = team_sum(count);
  }
  if (code == 0) cli_notes_show(&ranking->notes, call);
  if (code == 0) cli_detail(call, "done by %d processes in %.3g s", team_size, cli_clock() - started);
  anorank_watch_free(work.watch);
  anorank_tally_free(work.tally);
  table_bytes_free(&work.format);
  rounds_twice_free(&work.twice);
  free(work.lengths);
  return code == 0 && cli_value(call, "exit-on-anomaly") && all > 0 ? 1 : code;
}

int findings_by_one(int *code, cli_call *call, const cli_command *command, size_t first) {
  static const char *const whole[] = {"report", "review", "labels"};
  int alone = 0;
  for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++) alone |= cli_value(call, whole[i]) != NULL;
  for (size_t i = first; i < call->positional_count; i++) alone |= strcmp(call->positionals[i], "-") == 0;
  if (!alone) return 0;
  *code = team_rank == 0 ? command->run(call) : 0;
  team_wait();
  *code = (int)team_most((uint64_t)*code);
  return 1;
}
