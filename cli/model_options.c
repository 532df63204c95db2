/* model_options.c - see model_options.h. */
#include "model_options.h"

#include "core/print.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

anorank_status cli_settings_of_model(cli_call *call, const anorank_model *model, anorank_error *err) {
  static const char *const names[] = {"missing", "categorical"};
  anorank_status status = ANORANK_OK;
  call->kinds_fixed = 1;
  for (size_t i = 0; i < sizeof names / sizeof names[0] && status == ANORANK_OK; i++) {
    const char *of_model = anorank_settings_text(anorank_model_settings(model), names[i]);
    if (!cli_value(call, names[i])) status = anorank_settings_set(call->settings, names[i], of_model, err);
  }
  return status;
}

anorank_status cli_keep_ids(cli_call *call, const anorank_model *model, anorank_error *err) {
  const char *kept = anorank_settings_text(call->settings, "keep"), *id = cli_value(call, "id");
  size_t length = strlen(kept) + (id ? strlen(id) : 0) + 2;
  if (strcmp(kept, "all") == 0) return ANORANK_OK;
  for (size_t i = 0; model && i < anorank_model_get_info(model)->columns; i++)
    length += strlen(anorank_model_column_at(model, i)->name) + 1;
  char *list = cli_allocate(length, 1);
  size_t used = (size_t)snprintf(list, length, "%s%s%s", kept, *kept && id && !model ? "," : "",
                                 id && !model ? id : "");
  for (size_t i = 0; model && i < anorank_model_get_info(model)->columns; i++) {
    const anorank_model_column *column = anorank_model_column_at(model, i);
    if (column->role == ANORANK_ROLE_ID && !strchr(column->name, ','))
      used += (size_t)snprintf(list + used, length - used, "%s%s", used > 0 ? "," : "", column->name);
  }
  anorank_status status = anorank_settings_set(call->settings, "keep", list, err);
  free(list);
  return status;
}

static int ends_with(const char *text, size_t length, const char *ending) {
  size_t wanted = strlen(ending);
  return length > wanted && strncmp(text + length - wanted, ending, wanted) == 0;
}

int cli_names_format(const char *path, const char *ending) {
  size_t length = strlen(path);
  length -= ends_with(path, length, ".gz") ? 3 : ends_with(path, length, ".zst") ? 4 : 0;
  return ends_with(path, length, ending);
}

int cli_guards_formulas(const cli_call *call) {
  const char *path = cli_value(call, "output"), *format = cli_value(call, "output-format");
  const char *formulas = cli_value(call, "formulas");
  if (formulas && strcmp(formulas, "keep") == 0) return 0;
  if (format) return strcmp(format, "jsonl") != 0;
  return !path || !(cli_names_format(path, ".jsonl") || cli_names_format(path, ".ndjson") ||
                    cli_names_format(path, ".json"));
}

int cli_check_known(const cli_call *call) {
  const char *path = cli_value(call, "known");
  if (!path || strcmp(path, "-") != 0 || strcmp(call->positionals[0], "-") != 0) return 0;
  return cli_usage_error(call, "stdin-twice",
                         "FILE and --known cannot both be standard input; name a file for one of them");
}

anorank_status cli_read_known(anorank_table **out, const cli_call *call, anorank_error *err) {
  const char *path = cli_value(call, "known");
  *out = NULL;
  return path ? anorank_table_read(out, ANORANK_FROM_FILE(path), call->settings, err) : ANORANK_OK;
}

const char *cli_output_format(const cli_call *call) { return cli_value(call, "output-format"); }

const char *cli_role_word(anorank_role role) {
  static const char *const words[] = {"numeric",  "categorical", "id",  "dropped",
                                      "constant", "unusable",    "time"};
  return (size_t)role < sizeof words / sizeof words[0] ? words[role] : "unknown";
}

void cli_size_text(char *text, size_t size, double bytes) {
  if (bytes < 10240)
    ank_print(text, size, "%.0f bytes", bytes);
  else if (bytes < 10240 * 1024.0)
    ank_print(text, size, "%.0f KiB", bytes / 1024);
  else
    ank_print(text, size, "%.0f MiB", bytes / 1048576);
}
