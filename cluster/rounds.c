/* rounds.c - see rounds.h. */
#include "rounds.h"

#include <stdlib.h>

#include "commands.h"

static anorank_status each_round(pieces *input, uint64_t before, rounds_visit visit, void *context,
                                 anorank_error *err) {
  anorank_status status = ANORANK_OK;
  for (int more = 1; status == ANORANK_OK && more;) {
    const anorank_table *block;
    uint64_t first_row = 0;
    status = pieces_next(input, &block, &first_row, &more, err);
    if (status != ANORANK_OK || !more) break;
    status = visit(context, block, pieces_schema(input), before + first_row, err);
    status = team_agree(status, err);
  }
  return status;
}

void rounds_twice_free(rounds_twice *twice) { cuts_free(&twice->cut); }

anorank_status rounds_each(uint64_t *rows, const cli_inputs *inputs, const cli_call *call,
                           rounds_twice *twice, rounds_visit visit, void *context, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  *rows = 0;
  for (size_t i = 0; i < inputs->count && status == ANORANK_OK; i++) {
    pieces *input = NULL;
    status = pieces_open(&input, inputs->list[i].path, cluster_piece(call), call->settings, err);
    if (status == ANORANK_OK && twice) pieces_keep_cuts(input, &twice->cut, twice->again);
    if (status == ANORANK_OK) status = each_round(input, *rows, visit, context, err);
    if (status == ANORANK_OK && pieces_at(input).rows > 0) { /* else they do not show what they hold */
      const anorank_table *schema = pieces_schema(input);
      status = team_agree(visit(context, schema, schema, *rows, err), err);
      *rows += pieces_at(input).rows;
    }
    pieces_free(input);
  }
  if (twice) twice->again = 1;
  if (status == ANORANK_OK && *rows == 0)
    status = team_fail(err, ANORANK_ERROR_DATA,
                       "%s: has a header but no rows of data; if its first line is a row, set header = no",
                       inputs->list[0].path);
  return status;
}

/* ---- gathering ----------------------------------------------------------------------------------------- */

static anorank_status gather_block(void *context, const anorank_table *block, const anorank_table *schema,
                                   uint64_t first_row, anorank_error *err) {
  (void)schema;
  return block ? anorank_gathering_add(context, block, (size_t)first_row, err) : ANORANK_OK;
}

static anorank_status save_gathering(unsigned char **bytes, size_t *length, void *context,
                                     anorank_error *err) {
  return anorank_gathering_to_bytes(bytes, length, context, err);
}

static anorank_status merge_gathering(void *context, const unsigned char *bytes, size_t length,
                                      anorank_error *err) {
  anorank_gathering *theirs = NULL;
  anorank_status status = anorank_gathering_from_bytes(&theirs, bytes, length, err);
  if (status == ANORANK_OK) status = anorank_gathering_merge(context, theirs, err);
  anorank_gathering_free(theirs);
  return status;
}

anorank_status rounds_gather(anorank_gathering **out, const cli_inputs *inputs, const cli_call *call,
                             anorank_error *err) {
  anorank_gathering *made = NULL;
  uint64_t rows = 0;
  *out = NULL;
  anorank_status status = team_agree(anorank_gathering_new(&made, call->settings, err), err);
  if (status == ANORANK_OK) status = rounds_each(&rows, inputs, call, NULL, gather_block, made, err);
  if (status == ANORANK_OK)
    status = rounds_merge(&(rounds_merged){made, save_gathering, merge_gathering}, err);
  if (status == ANORANK_OK)
    *out = made;
  else
    anorank_gathering_free(made);
  return status;
}

/* ---- merging ------------------------------------------------------------------------------------------- */

static void send(const unsigned char *bytes, uint64_t length, int to) {
  MPI_Send(&length, 1, MPI_UINT64_T, to, 0, MPI_COMM_WORLD);
  for (uint64_t at = 0; at < length; at += TEAM_MOST_BYTES)
    MPI_Send(bytes + at, team_step(length - at), MPI_BYTE, to, 0, MPI_COMM_WORLD);
}

static unsigned char *receive(uint64_t *length, int from) {
  MPI_Recv(length, 1, MPI_UINT64_T, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  unsigned char *bytes = malloc((size_t)*length + 1);
  if (!bytes) MPI_Abort(MPI_COMM_WORLD, ANORANK_ERROR_RESOURCES); /* it is being sent already */
  for (uint64_t at = 0; at < *length; at += TEAM_MOST_BYTES)
    MPI_Recv(bytes + at, team_step(*length - at), MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return bytes;
}

anorank_status rounds_merge(const rounds_merged *what, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  for (int step = 1; step < team_size && status == ANORANK_OK; step *= 2) {
    unsigned char *bytes = NULL;
    size_t length = 0;
    int sends = team_rank % (2 * step) == step,
        hears = team_rank % (2 * step) == 0 && team_rank + step < team_size;
    if (sends) status = what->save(&bytes, &length, what->context, err);
    status = team_agree(status, err);
    if (status == ANORANK_OK && sends) send(bytes, length, team_rank - step);
    anorank_bytes_free(bytes);
    if (status == ANORANK_OK && hears) {
      uint64_t heard = 0;
      unsigned char *theirs = receive(&heard, team_rank + step);
      status = what->merge(what->context, theirs, (size_t)heard, err);
      free(theirs);
    }
    status = team_agree(status, err);
  }
  return status;
}

static anorank_status save_watch(unsigned char **bytes, size_t *length, void *context, anorank_error *err) {
  return anorank_watch_to_bytes(bytes, length, context, err);
}

static anorank_status merge_watch(void *context, const unsigned char *bytes, size_t length,
                                  anorank_error *err) {
  return anorank_watch_merge(context, bytes, length, err);
}

anorank_status rounds_notes(cli_notes *notes, anorank_watch *watch, anorank_error *err) {
  if (!watch) return ANORANK_OK;
  anorank_status status = rounds_merge(&(rounds_merged){watch, save_watch, merge_watch}, err);
  if (status == ANORANK_OK && team_rank == 0) status = cli_notes_of_watch(notes, watch, err);
  return team_agree(status, err);
}
