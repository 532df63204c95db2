/* judge_json.c - the verdict of `anorank judge` for another program. */
#include "judge.h"
#include "judgement_parts.h"

void cli_judge_json(FILE *stream, const cli_verdict *verdict, const cli_call *call) {
  ank_json json;
  char text[512];
  cli_json_open(&json, stream);
  ank_json_judgement(&json, verdict->judgement);
  if (verdict->other_x.values) {
    cli_judge_compared(text, sizeof text, verdict, anorank_settings_number(call->settings, "level"));
    cli_json_comparison(&json, &verdict->comparison, text);
  }
  if (verdict->labels)
    ank_json_labelled(&json, &verdict->labelled, verdict->accuracies, verdict->accuracy_count,
                      "accuracy_lowest", "accuracy");
  cli_json_settings(&json, call, ANORANK_FOR_JUDGE);
  cli_json_close(&json);
}
