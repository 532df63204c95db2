/* report_json.c - the data of a report as one JSON document; see report_data.h. */
#include "report/report_data.h"
#include "report/result_json.h"

enum { FORMAT = 1 };

static anorank_status put(void *context, const void *bytes, size_t length, anorank_error *err) {
  return ank_output_write(context, bytes, length, err);
}

/* [mass, volume, low, high, band_low, band_high] */
static void put_curve(ank_json *json, const anorank_judgement *judgement) {
  ank_json_open_key(json, "curve", '[', 1);
  for (size_t k = 0; k < judgement->points; k++) {
    const anorank_curve_point *at = &judgement->curve[k];
    const double values[] = {at->mass, at->volume, at->low, at->high, at->band_low, at->band_high};
    ank_json_numbers(json, NULL, values, sizeof values / sizeof *values);
  }
  ank_json_close(json, ']');
}

/* Write the description of each phi, for the numbers of `w`. */
static void put_phis(ank_json *json) {
  const anorank_phi *phi;
  ank_json_open_key(json, "phis", '[', 0);
  for (size_t i = 0; (phi = anorank_phi_at(i)) != NULL; i++) {
    ank_json_open(json, '{', 1);
    ank_json_words(json, "name", phi->name);
    ank_json_words(json, "formula", phi->formula);
    ank_json_words(json, "looks_at", phi->looks_at);
    ank_json_close(json, '}');
  }
  ank_json_close(json, ']');
}

/* Write the evaluation as in `anorank evaluate --json`, and the curve. */
static void put_evaluation(ank_json *json, const anorank_evaluation *evaluation) {
  if (!evaluation) return;
  ank_json_open_key(json, "evaluation", '{', 0);
  ank_json_evaluation(json, evaluation);
  ank_json_contestant(json, evaluation, 0, anorank_evaluation_get_info(evaluation)->of[0]->scorer);
  ank_json_agreement(json, "stability", anorank_evaluation_get_info(evaluation)->stability);
  ank_json_notes(json, anorank_evaluation_notes(evaluation));
  ank_json_field(json, "level", evaluation->found[0].judgement->settings.level);
  put_curve(json, evaluation->found[0].judgement);
  put_phis(json);
  ank_json_close(json, '}');
}

anorank_status ank_report_write_json(ank_output *output, const ank_report *report, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_map map = {0};
  ank_json json;
  ANK_TRY(ank_map_make(&map, report, err));
  ank_json_start(&json, put, output, err);
  json.in_html = json.tight = 1;
  ank_json_open(&json, '{', 1);
  ank_json_count(&json, "format", FORMAT);
  ANK_TRY(ank_report_write_words(&json, report, err));
  put_evaluation(&json, report->given->evaluation);
  ANK_TRY(ank_report_write_rows(&json, report, map.x, map.y, err));
  ank_map_write(&json, &map);
  ANK_TRY(ank_report_write_columns(&json, report, err));
  ANK_TRY(ank_report_write_spread(&json, report, err));
  ANK_TRY(ank_report_write_series(&json, report, err));
  ANK_TRY(ank_report_write_incidents(&json, report, err));
  ank_json_close(&json, '}');
  status = json.status;
done:
  ank_map_free(&map);
  return status;
}
