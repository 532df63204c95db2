/* cmd_fit.c - anorank-mpi fit FILE... -o MODEL: every process gathers the rows of its pieces, the draws are merged two by two, and process 0 fits.
 *
 * A row is drawn by a key of its number, so the draw, and with it the model, is that of one process. With --labels all rows are
 * needed in one place: then process 0 does it all. */
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "inputs.h"
#include "model_options.h"
#include "pieces.h"
#include "remarks.h"

extern const cli_command cli_cmd_fit;

static anorank_status gather_file(anorank_gathering *gathering, const cli_call *call, const char *path,
                                  uint64_t *rows, anorank_error *err) {
  pieces *input = NULL;
  anorank_status status = pieces_open(&input, path, cluster_piece(call), call->settings, err);
  for (int more = 1; status == ANORANK_OK && more;) {
    const anorank_table *block;
    uint64_t first_row = 0;
    status = pieces_next(input, &block, &first_row, &more, err);
    if (status != ANORANK_OK || !more) break;
    if (block) status = anorank_gathering_add(gathering, block, (size_t)(*rows + first_row), err);
    status = team_agree(status, err);
  }
  /* the columns once more, with all that was noticed */
  if (status == ANORANK_OK)
    status = team_agree(anorank_gathering_add(gathering, pieces_schema(input), (size_t)*rows, err), err);
  if (status == ANORANK_OK) *rows += pieces_at(input).rows;
  pieces_free(input);
  return status;
}

/* ---- merging ------------------------------------------------------------------------------------------- */

static void send(const unsigned char *bytes, uint64_t length, int to) {
  const uint64_t most = (uint64_t)1 << 30;
  MPI_Send(&length, 1, MPI_UINT64_T, to, 0, MPI_COMM_WORLD);
  for (uint64_t at = 0; at < length; at += most)
    MPI_Send(bytes + at, (int)(length - at < most ? length - at : most), MPI_BYTE, to, 0, MPI_COMM_WORLD);
}

static unsigned char *receive(uint64_t *length, int from) {
  const uint64_t most = (uint64_t)1 << 30;
  MPI_Recv(length, 1, MPI_UINT64_T, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  unsigned char *bytes = malloc((size_t)*length + 1);
  if (!bytes) MPI_Abort(MPI_COMM_WORLD, ANORANK_ERROR_RESOURCES); /* it is being sent already */
  for (uint64_t at = 0; at < *length; at += most)
    MPI_Recv(bytes + at, (int)(*length - at < most ? *length - at : most), MPI_BYTE, from, 0, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
  return bytes;
}

static anorank_status merge_from(anorank_gathering *gathering, int other, anorank_error *err) {
  anorank_gathering *theirs = NULL;
  uint64_t length = 0;
  unsigned char *bytes = receive(&length, other);
  anorank_status status = anorank_gathering_from_bytes(&theirs, bytes, (size_t)length, err);
  free(bytes);
  if (status == ANORANK_OK) status = anorank_gathering_merge(gathering, theirs, err);
  anorank_gathering_free(theirs);
  return status;
}

/* Process 0 has all of it after as many steps as their number has digits in base 2. */
static anorank_status merge_all(anorank_gathering *gathering, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  for (int step = 1; step < team_size && status == ANORANK_OK; step *= 2) {
    unsigned char *bytes = NULL;
    size_t length = 0;
    int sends = team_rank % (2 * step) == step,
        hears = team_rank % (2 * step) == 0 && team_rank + step < team_size;
    if (sends) status = anorank_gathering_to_bytes(&bytes, &length, gathering, err);
    status = team_agree(status, err);
    if (status == ANORANK_OK && sends) send(bytes, length, team_rank - step);
    if (status == ANORANK_OK && hears) status = merge_from(gathering, team_rank + step, err);
    if (bytes) anorank_bytes_free(bytes);
    status = team_agree(status, err);
  }
  return status;
}

/* ---- the fit ------------------------------------------------------------------------------------------- */

static anorank_status fit_and_save(cli_call *call, anorank_gathering *gathering, const char *output,
                                   anorank_error *err) {
  anorank_table *known = NULL;
  anorank_model *model = NULL;
  cli_notes notes = {0};
  anorank_status status = cli_read_known(&known, call, err);
  if (status == ANORANK_OK && !cli_value(call, "threads"))
    status = anorank_settings_set_integer(call->settings, "threads", 0, err); /* the others wait */
  if (status == ANORANK_OK) status = anorank_fit_gathered(&model, gathering, known, call->settings, err);
  if (status == ANORANK_OK) status = anorank_model_save(model, output, err);
  if (status == ANORANK_OK) {
    cli_notes_of_model(&notes, model);
    cli_notes_show(&notes, call);
  }
  cli_notes_free(&notes);
  anorank_model_free(model);
  anorank_table_free(known);
  return status;
}

static anorank_status fit(cli_call *call, const cli_inputs *inputs, const char *output, anorank_error *err) {
  anorank_gathering *gathering = NULL;
  uint64_t rows = 0;
  anorank_status status = team_agree(anorank_gathering_new(&gathering, call->settings, err), err);
  for (size_t i = 0; i < inputs->count && status == ANORANK_OK; i++)
    status = gather_file(gathering, call, inputs->list[i].path, &rows, err);
  if (status == ANORANK_OK && rows == 0)
    status = team_fail(err, ANORANK_ERROR_DATA,
                       "%s: has a header but no rows of data; if its first line is a row, set header = no",
                       inputs->list[0].path);
  if (status == ANORANK_OK) status = merge_all(gathering, err);
  if (status == ANORANK_OK && team_rank == 0) status = fit_and_save(call, gathering, output, err);
  team_wait();
  anorank_gathering_free(gathering);
  return team_agree(status, err);
}

int cluster_fit(cli_call *call) {
  anorank_error err = {0};
  cli_inputs inputs = {0};
  const char *output = cli_value(call, "output");
  int code = 0;
  if (!output) return cli_usage_error(call, "name the file for the model with --output MODEL");
  for (size_t i = 0; i < call->positional_count && code == 0; i++)
    code = cluster_check_input(call, call->positionals[i]);
  if (code == 0) code = (int)team_most((uint64_t)cli_inputs_find(&inputs, call, 0));
  if (code == 0 && !cli_value(call, "labels")) {
    code = cluster_failure(call, fit(call, &inputs, output, &err), &err);
  } else if (code == 0) {
    if (team_rank == 0) code = cli_cmd_fit.run(call);
    team_wait();
  }
  cli_inputs_free(&inputs);
  return code;
}
