/* evaluation_json.c - an evaluation for another program. The keys are part of the interface: add, never
 * rename. */
#include <math.h>
#include <stdio.h>

#include "evaluation.h"
#include "judgement_parts.h"

static void write_w_difference(cli_json *json, const anorank_evaluation *evaluation) {
  size_t functions;
  const anorank_w *a =
      anorank_judgement_get_info(anorank_evaluation_get_info(evaluation)->of[0]->judgement)->w;
  functions = anorank_judgement_get_info(anorank_evaluation_get_info(evaluation)->of[0]->judgement)->w_count;
  const anorank_w *b =
      anorank_judgement_get_info(anorank_evaluation_get_info(evaluation)->of[1]->judgement)->w;
  cli_json_key(json, "w_difference");
  cli_json_open(json, '{', 0);
  for (size_t i = 0; i < functions; i++) cli_json_field(json, a[i].phi, a[i].mean - b[i].mean);
  cli_json_close(json, '}');
}

static void write_two(cli_json *json, const cli_evaluation *work) {
  const anorank_evaluation *evaluation = work->evaluation;
  const anorank_auc_difference *between = anorank_evaluation_get_info(evaluation)->auc_difference;
  for (size_t i = 0; i < 2; i++) {
    cli_json_key(json, i == 0 ? "first" : "second");
    cli_json_open(json, '{', 0);
    ank_json_contestant(json, work->evaluation, i, work->names[i]);
    cli_json_close(json, '}');
  }
  cli_json_comparison(json, anorank_evaluation_get_info(evaluation)->comparison,
                      anorank_evaluation_get_info(evaluation)->conclusion);
  write_w_difference(json, evaluation);
  ank_json_agreement(json, "agreement", anorank_evaluation_get_info(evaluation)->agreement);
  if (!between) return;
  cli_json_key(json, "roc_auc_difference");
  cli_json_open(json, '{', 0);
  cli_json_field(json, "difference", between->difference.estimate);
  cli_json_field(json, "difference_sd", between->difference.sd);
  cli_json_interval(json, "difference_interval", between->difference);
  cli_json_field(json, "z", between->z);
  cli_json_field(json, "p_value", between->p_value);
  cli_json_close(json, '}');
}

void cli_evaluation_json(FILE *stream, const cli_evaluation *work, const cli_call *call) {
  const anorank_evaluation *evaluation = work->evaluation;
  unsigned groups = ANORANK_FOR_JUDGE;
  cli_json json;
  if (!work->models[0]) groups |= ANORANK_FOR_FIT | ANORANK_FOR_LEARN;
  cli_json_start(&json, stream);
  cli_json_open(&json, '{', 0);
  ank_json_evaluation(&json, evaluation);
  if (anorank_evaluation_get_info(evaluation)->comparison) {
    write_two(&json, work);
  } else {
    ank_json_contestant(&json, evaluation, 0, work->names[0]);
    ank_json_agreement(&json, "stability", anorank_evaluation_get_info(evaluation)->stability);
  }
  if (work->splits > 0) {
    const anorank_interval *mean = &work->repeats.difference;
    cli_json_key(&json, "repeats");
    cli_json_open(&json, '{', 1);
    cli_json_count(&json, "splits", work->repeats.splits);
    cli_json_count(&json, "first_better", work->repeats.first_better);
    cli_json_key(&json, "difference");
    cli_json_number(&json, mean->estimate);
    cli_json_key(&json, "low");
    cli_json_number(&json, mean->low);
    cli_json_key(&json, "high");
    cli_json_number(&json, mean->high);
    cli_json_close(&json, '}');
  }
  cli_json_key(&json, "notes");
  cli_json_open(&json, '[', 0);
  for (size_t i = 0; i < anorank_notes_count(anorank_evaluation_notes(evaluation)); i++)
    cli_json_string(&json, anorank_notes_at(anorank_evaluation_notes(evaluation), i)->text);
  cli_json_close(&json, ']');
  cli_json_settings(&json, call, groups);
  cli_json_close(&json, '}');
  cli_json_end(&json);
}
