/* cmd_detect.c - anorank-mpi detect FILE...: a draw of the rows is gathered by all and learned from by process 0, then all judge all rows. */
#include <stdlib.h>
#include <string.h>

#include "answers.h"
#include "commands.h"
#include "findings.h"
#include "model_options.h"
#include "rounds.h"

extern const cli_command cli_cmd_detect;

/* Process 0 learns; `own` gets a copy of the scores that the fit has given on the way. */
static anorank_status fit(cli_ranking *ranking, findings_own *own, cli_call *call,
                          anorank_gathering *gathering, anorank_error *err) {
  anorank_table *known = NULL;
  anorank_settings *settings = NULL;
  const char *path = cli_value(call, "save-model");
  const size_t *rows;
  const double *scores;
  anorank_status status = cli_read_known(&known, call, err);
  if (status == ANORANK_OK) status = anorank_settings_copy(&settings, call->settings, err);
  if (status == ANORANK_OK && !cli_value(call, "threads"))
    status = anorank_settings_set_integer(settings, "threads", 0, err); /* the others wait */
  if (status == ANORANK_OK) status = anorank_fit_gathered(&ranking->model, gathering, known, settings, err);
  if (status == ANORANK_OK) cli_notes_of_model(&ranking->notes, ranking->model);
  if (status == ANORANK_OK && path) status = anorank_model_save(ranking->model, path, err);
  if (status == ANORANK_OK && (own->count = anorank_gathering_scores(gathering, &rows, &scores)) > 0) {
    own->rows = malloc(own->count * sizeof *own->rows);
    own->scores = malloc(own->count * sizeof *own->scores);
    if (!own->rows || !own->scores) {
      status = team_fail(err, ANORANK_ERROR_RESOURCES, "out of memory");
    } else {
      memcpy(own->rows, rows, own->count * sizeof *own->rows);
      memcpy(own->scores, scores, own->count * sizeof *own->scores);
    }
  }
  anorank_settings_free(settings);
  anorank_table_free(known);
  return status;
}

static anorank_status share_own(findings_own *own, anorank_error *err) {
  size_t rows = own->count * sizeof *own->rows, scores = own->count * sizeof *own->scores;
  anorank_status status = team_share_new((unsigned char **)&own->rows, &rows, err);
  if (status == ANORANK_OK) status = team_share_new((unsigned char **)&own->scores, &scores, err);
  own->count = scores / sizeof *own->scores;
  return status;
}

static anorank_status learn(cli_ranking *ranking, findings_own *own, cli_call *call, const cli_inputs *inputs,
                            anorank_error *err) {
  anorank_gathering *gathering = NULL;
  anorank_status status = rounds_gather(&gathering, inputs, call, err);
  if (status == ANORANK_OK && team_rank == 0) status = fit(ranking, own, call, gathering, err);
  team_wait();
  anorank_gathering_free(gathering);
  status = team_agree(status, err);
  if (status == ANORANK_OK) status = cluster_share_model(&ranking->model, "the model", err);
  return status == ANORANK_OK ? share_own(own, err) : status;
}

static int detect(cli_ranking *ranking, findings_own *own, cli_call *call, cli_inputs *inputs) {
  anorank_error err = {0};
  int code = cli_check_known(call);
  if (code == 0) code = cli_check_review(call);
  if (code == 0) code = cli_ranking_options(ranking, call);
  if (code == 0) code = cluster_failure(call, team_agree(cli_keep_ids(call, NULL, &err), &err), &err);
  if (code == 0) code = (int)team_most((uint64_t)cli_inputs_find(inputs, call, 0));
  if (code == 0) code = cluster_failure(call, learn(ranking, own, call, inputs, &err), &err);
  return code == 0 ? findings_make(ranking, call, inputs, own, 0) : code;
}

int cluster_detect(cli_call *call) {
  cli_ranking ranking = {0};
  cli_inputs inputs = {0};
  findings_own own = {0};
  int code = 0;
  for (size_t i = 0; i < call->positional_count && code == 0; i++)
    code = cluster_check_input(call, call->positionals[i]);
  if (code != 0 || findings_by_one(&code, call, &cli_cmd_detect, 0)) return code;
  code = detect(&ranking, &own, call, &inputs);
  free(own.rows);
  free(own.scores);
  cli_ranking_free(&ranking);
  cli_inputs_free(&inputs);
  return code;
}
