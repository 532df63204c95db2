/* judge_json.c - the ranking of `anorank judge` for another program. */
#include "judge.h"
#include "judgement_parts.h"

void cli_judge_json(FILE *stream, const cli_ranking_of *result, const cli_call *call) {
  ank_json json;
  char text[512];
  cli_json_open(&json, stream);
  ank_json_judgement(&json, result->judgement);
  if (result->other_x.values) {
    cli_judge_compared(text, sizeof text, result, anorank_settings_number(call->settings, "level"));
    cli_json_comparison(&json, &result->comparison, text);
  }
  if (result->labels)
    ank_json_labelled(&json, &result->labelled, result->accuracies, result->accuracy_count, "accuracy_lowest",
                      "accuracy");
  cli_json_settings(&json, call, ANORANK_FOR_JUDGE);
  cli_json_close(&json);
}
