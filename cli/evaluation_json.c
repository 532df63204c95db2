/* evaluation_json.c - an evaluation for another program. The keys are part of the interface: add, never
 * rename. */
#include <math.h>
#include <stdio.h>

#include "evaluation_run.h"
#include "judgement_parts.h"

static void write_w_difference(ank_json *json, const anorank_evaluation *evaluation) {
  size_t functions;
  const anorank_w *a =
      anorank_judgement_get_info(anorank_evaluation_get_info(evaluation)->of[0]->judgement)->w;
  functions = anorank_judgement_get_info(anorank_evaluation_get_info(evaluation)->of[0]->judgement)->w_count;
  const anorank_w *b =
      anorank_judgement_get_info(anorank_evaluation_get_info(evaluation)->of[1]->judgement)->w;
  ank_json_open_key(json, "w_difference", '{', 0);
  for (size_t i = 0; i < functions; i++) ank_json_field(json, a[i].phi, a[i].mean - b[i].mean);
  ank_json_close(json, '}');
}

static void write_two(ank_json *json, const cli_evaluation *work) {
  const anorank_evaluation *evaluation = work->evaluation;
  const anorank_auc_difference *between = anorank_evaluation_get_info(evaluation)->auc_difference;
  for (size_t i = 0; i < 2; i++) {
    ank_json_open_key(json, i == 0 ? "first" : "second", '{', 0);
    ank_json_contestant(json, work->evaluation, i, work->names[i]);
    ank_json_close(json, '}');
  }
  cli_json_comparison(json, anorank_evaluation_get_info(evaluation)->comparison,
                      anorank_evaluation_get_info(evaluation)->conclusion);
  write_w_difference(json, evaluation);
  ank_json_agreement(json, "agreement", anorank_evaluation_get_info(evaluation)->agreement);
  if (!between) return;
  ank_json_open_key(json, "roc_auc_difference", '{', 0);
  ank_json_difference(json, between->difference, between->z, between->p_value);
  ank_json_close(json, '}');
}

void cli_evaluation_json(FILE *stream, const cli_evaluation *work, const cli_call *call) {
  const anorank_evaluation *evaluation = work->evaluation;
  unsigned groups = ANORANK_FOR_JUDGE;
  ank_json json;
  if (!work->models[0]) groups |= ANORANK_FOR_FIT | ANORANK_FOR_LEARN;
  cli_json_open(&json, stream);
  ank_json_evaluation(&json, evaluation);
  if (anorank_evaluation_get_info(evaluation)->comparison) {
    write_two(&json, work);
  } else {
    ank_json_contestant(&json, evaluation, 0, work->names[0]);
    ank_json_agreement(&json, "stability", anorank_evaluation_get_info(evaluation)->stability);
  }
  if (work->splits > 0) {
    const anorank_interval *mean = &work->repeats.difference;
    ank_json_open_key(&json, "repeats", '{', 1);
    ank_json_count(&json, "splits", work->repeats.splits);
    ank_json_count(&json, "first_better", work->repeats.first_better);
    ank_json_field(&json, "difference", mean->estimate);
    ank_json_field(&json, "low", mean->low);
    ank_json_field(&json, "high", mean->high);
    ank_json_close(&json, '}');
  }
  ank_json_notes(&json, anorank_evaluation_notes(evaluation));
  cli_json_settings(&json, call, groups);
  cli_json_close(&json);
}
