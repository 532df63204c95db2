/* cmd_rank.c - anorank-mpi rank MODEL FILE...: the most abnormal rows of large tables, by many processes. */
#include "commands.h"
#include "findings.h"
#include "model_options.h"

extern const cli_command cli_cmd_rank;

static int rank(cli_ranking *ranking, cli_call *call, cli_inputs *inputs) {
  anorank_error err = {0};
  int code = cli_ranking_options(ranking, call);
  if (code != 0) return code;
  anorank_status status = cluster_load_model(&ranking->model, call->positionals[0], &err);
  if (status == ANORANK_OK) status = cli_settings_of_model(call, ranking->model, &err);
  if (status == ANORANK_OK) status = cli_keep_ids(call, ranking->model, &err);
  code = cluster_failure(call, team_agree(status, &err), &err);
  if (code == 0) code = (int)team_most((uint64_t)cli_inputs_find(inputs, call, 1));
  return code == 0 ? findings_make(ranking, call, inputs, NULL, 1) : code;
}

int cluster_rank(cli_call *call) {
  cli_ranking ranking = {0};
  cli_inputs inputs = {0};
  int code = 0;
  for (size_t i = 1; i < call->positional_count && code == 0; i++)
    code = cluster_check_input(call, call->positionals[i]);
  if (code != 0 || findings_by_one(&code, call, &cli_cmd_rank, 1)) return code;
  code = rank(&ranking, call, &inputs);
  cli_ranking_free(&ranking);
  cli_inputs_free(&inputs);
  return code;
}
