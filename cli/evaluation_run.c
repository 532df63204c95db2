/* evaluation_run.c - see evaluation_run.h. */
#include "evaluation_run.h"

#include <stdio.h>
#include <string.h>

#include "core/ascii.h"
#include "core/file_io.h"
#include "inputs.h"
#include "model_options.h"
#include "result_file.h"
#include "text.h"

/* Settings of the fit that also affect the evaluation. */
static const char judging[] =
    "labels contrast contrast-ratio jitter-from jitter-to permute-share truncated-u0 clipped-c";

static int check_options(const cli_call *call, size_t models) {
  enum { FITTING = ANORANK_FOR_FIT | ANORANK_FOR_LEARN, OTHERS = ANORANK_FOR_RUN | ANORANK_FOR_READ };
  const char *figure = cli_value(call, "figure");
  if (figure && strcmp(figure, "-") == 0)
    return cli_usage_error(call, "figure-to-stdout",
                           "--figure needs a file name, because the result goes to standard output");
  int code = cli_check_ending(call, "figure", 0);
  if (code != 0) return code;
  for (size_t i = 0; models > 0 && i < call->given_count; i++) {
    const anorank_setting *setting = anorank_setting_find(call->given[i].name);
    if (setting && (setting->applies_to & FITTING) && !(setting->applies_to & OTHERS) &&
        !cli_is_listed(judging, setting->name, strlen(setting->name)))
      return cli_usage_error(
          call, "option-of-fit",
          "--%s applies to a fit, but MODEL is already fitted; remove it, or give FILE alone", setting->name);
  }
  return 0;
}

/* Read the table. One larger than memory is evaluated on a sample, with a note. */
static anorank_status read_table(cli_evaluation *work, cli_call *call, cli_inputs *inputs,
                                 anorank_error *err) {
  anorank_status status;
  if (cli_inputs_stream(inputs, call)) {
    cli_progress_part(&call->progress, 0, 0.1);
    status = cli_inputs_sample(&work->stream, inputs, call, err);
    if (status == ANORANK_OK) status = anorank_stream_sample(&work->table, work->stream, err);
  } else {
    status = cli_inputs_table(&work->read, inputs, call, err);
    work->table = work->read;
  }
  if (status == ANORANK_OK)
    cli_detail(call, "%s: %zu rows, %zu columns", inputs->list[0].path, anorank_table_rows(work->table),
               anorank_table_columns(work->table));
  return status;
}

static int read_all(cli_evaluation *work, cli_call *call, size_t models) {
  anorank_error err = {0};
  anorank_status status = ANORANK_OK;
  cli_inputs inputs = {0};
  int code = check_options(call, models);
  if (code != 0) return code;
  for (size_t i = 0; status == ANORANK_OK && i < models; i++) {
    const char *path = call->positionals[i];
    status = anorank_model_load(&work->models[i], ANORANK_FROM_FILE(path), &err);
    cli_printable(work->names[i], sizeof work->names[i], ank_file_name(path));
  }
  if (status == ANORANK_OK && models > 0) status = cli_settings_of_model(call, work->models[0], &err);
  if (status == ANORANK_OK) code = cli_inputs_find(&inputs, call, models);
  if (status == ANORANK_OK && code == 0) status = read_table(work, call, &inputs, &err);
  cli_inputs_free(&inputs);
  return code != 0 ? code : cli_failure(call, status, &err);
}

static int report(cli_evaluation *work, cli_call *call) {
  anorank_error err = {0};
  const char *figure = cli_value(call, "figure");
  const anorank_evaluated *const *of = anorank_evaluation_get_info(work->evaluation)->of;
  anorank_status status = ANORANK_OK;
  cli_writing(1);
  if (figure)
    status = anorank_figure_mass_volume(ANORANK_TO_FILE(figure), of[0]->judgement, work->names[0],
                                        of[1] ? of[1]->judgement : NULL, of[1] ? work->names[1] : NULL, &err);
  int code = cli_failure(call, status, &err);
  if (code == 0 && cli_interrupted()) code = cli_signal_code();
  cli_writing(0);
  cli_progress_clear();
  if (code != 0) return code;
  if (cli_wants_json(call))
    cli_evaluation_json(stdout, work, call);
  else
    cli_evaluation_text(stdout, work, call);
  cli_detail(call, "done in %.3g s", cli_clock() - call->progress.started);
  return 0;
}

int cli_evaluation_run(cli_evaluation *work, cli_call *call,
                       anorank_status (*evaluate)(cli_evaluation *work, const cli_call *call,
                                                  anorank_error *err)) {
  anorank_error err = {0};
  cli_progress_start(&call->progress, call->settings, call->quiet);
  cli_progress_part(&call->progress, 0, 0.1);
  int code = read_all(work, call, call->positional_count - 1);
  cli_progress_part(&call->progress, 0.1, 1);
  if (code == 0) code = cli_failure(call, evaluate(work, call, &err), &err);
  if (code == 0) code = report(work, call);
  anorank_evaluation_free(work->evaluation);
  anorank_model_free(work->models[0]);
  anorank_model_free(work->models[1]);
  anorank_table_free(work->read);
  anorank_stream_free(work->stream);
  return code;
}
