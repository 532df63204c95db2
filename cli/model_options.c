/* model_options.c - see model_options.h. */
#include "model_options.h"

#include "core/ascii.h"
#include "core/print.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

anorank_status cli_settings_of_model(cli_call *call, const anorank_model *model, anorank_error *err) {
  call->kinds_fixed = model != NULL;
  return anorank_settings_prepare_reading(call->settings, model, err);
}

static int ends_with(const char *text, size_t length, const char *ending) {
  size_t wanted = strlen(ending);
  return length > wanted && ank_same_start(text + length - wanted, ending, wanted);
}

int cli_names_format(const char *path, const char *ending) {
  size_t length = strlen(path);
  length -= ends_with(path, length, ".gz") ? 3 : ends_with(path, length, ".zst") ? 4 : 0;
  return ends_with(path, length, ending);
}

int cli_escapes_formulas(const cli_call *call) {
  const char *path = cli_value(call, "output"), *format = cli_value(call, "output-format");
  const char *formulas = cli_value(call, "formulas");
  if (formulas && strcmp(formulas, "keep") == 0) return 0;
  if (format) return strcmp(format, "jsonl") != 0;
  return !path || !(cli_names_format(path, ".jsonl") || cli_names_format(path, ".ndjson") ||
                    cli_names_format(path, ".json"));
}

int cli_check_known(const cli_call *call) {
  static const char *const names[] = {"known", "feedback"};
  const char *first = strcmp(call->positionals[0], "-") == 0 ? "FILE" : NULL;
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    const char *path = cli_value(call, names[i]);
    if (!path || strcmp(path, "-") != 0) continue;
    if (first)
      return cli_usage_error(call, "stdin-twice",
                             "%s and --%s cannot both read standard input; name a file for one of them",
                             first, names[i]);
    first = "--known";
  }
  return 0;
}

anorank_status cli_read_known(anorank_table **out, const cli_call *call, anorank_error *err) {
  const char *path = cli_value(call, "known");
  *out = NULL;
  return path ? anorank_table_read(out, ANORANK_FROM_FILE(path), call->settings, err) : ANORANK_OK;
}

void cli_size_text(char *text, size_t size, double bytes) {
  if (bytes < 10240)
    ank_print(text, size, "%.0f bytes", bytes);
  else if (bytes < 10240 * 1024.0)
    ank_print(text, size, "%.0f KiB", bytes / 1024);
  else
    ank_print(text, size, "%.0f MiB", bytes / 1048576);
}
