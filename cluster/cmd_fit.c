/* cmd_fit.c - anorank-mpi fit FILE... -o MODEL: every process gathers the rows of its pieces, the draws are merged two by two, and process 0 fits.
 *
 * A row is drawn by a key of its number, so the draw, and with it the model, is that of one process. With --labels all rows are
 * needed in one place: then process 0 does it all. */
#include "commands.h"
#include "inputs.h"
#include "model_options.h"
#include "remarks.h"
#include "rounds.h"

extern const cli_command cli_cmd_fit;

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
  anorank_status status = rounds_gather(&gathering, inputs, call, err);
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
