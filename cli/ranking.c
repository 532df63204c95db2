/* ranking.c - see ranking.h. */
#include "ranking.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/format.h"
#include "result_file.h"
#include "text.h"

enum { SHOWN_ROWS = 20 };

void cli_ranking_free(cli_ranking *ranking) {
  anorank_verdict_free(ranking->verdict);
  anorank_model_free(ranking->model);
  anorank_table_free(ranking->table);
  free(ranking->ids);
  cli_notes_free(&ranking->notes);
}

static int ends_with(const char *text, size_t length, const char *ending) {
  size_t wanted = strlen(ending);
  return length > wanted && strncmp(text + length - wanted, ending, wanted) == 0;
}

/* Is it the name of such a file, plain or compressed? */
static int names_format(const char *path, const char *ending) {
  size_t length = strlen(path);
  length -= ends_with(path, length, ".gz") ? 3 : ends_with(path, length, ".zst") ? 4 : 0;
  return ends_with(path, length, ending);
}

/* --output-format, else the ending of --output, else a table for a terminal and CSV for anything else. */
static cli_shape choose_shape(const cli_call *call) {
  static const char *const words[] = {"table", "csv", "jsonl", "json"};
  const char *given = cli_value(call, "output-format"), *path = cli_value(call, "output");
  for (size_t i = 0; given && i < 4; i++)
    if (strcmp(given, words[i]) == 0) return (cli_shape)i;
  if (path && names_format(path, ".jsonl")) return CLI_SHAPE_JSONL;
  if (path && names_format(path, ".json")) return CLI_SHAPE_JSON;
  if (path && strcmp(path, "-") != 0) return CLI_SHAPE_CSV;
  return isatty(STDOUT_FILENO) ? CLI_SHAPE_TABLE : CLI_SHAPE_CSV;
}

int cli_ranking_options(cli_ranking *ranking, cli_call *call) {
  double mass = anorank_settings_number(call->settings, "mass"),
         fdr = anorank_settings_number(call->settings, "fdr");
  int ways = (anorank_settings_integer(call->settings, "lowest") > 0) + (mass > 0) + (fdr > 0);
  anorank_error err = {0};
  if (ways > 1)
    return cli_usage_error(call,
                           "--lowest, --mass and --fdr each choose the rows to report; give one of them");
  if (cli_value(call, "exit-on-anomaly") && mass == 0 && fdr == 0)
    return cli_usage_error(call, "--exit-on-anomaly needs --fdr Q or --mass A to say what an anomaly is");
  ranking->shape = choose_shape(call);
  ranking->cut = ranking->shape == CLI_SHAPE_TABLE && ways == 0;
  if (!ranking->cut) return 0;
  return cli_failure(call, anorank_settings_set_integer(call->settings, "lowest", SHOWN_ROWS, &err), &err);
}

int cli_ranking_read(cli_ranking *ranking, cli_call *call, const char *path) {
  anorank_error err = {0};
  anorank_status status = anorank_table_read(&ranking->table, path, call->settings, &err);
  if (status == ANORANK_OK)
    cli_detail(call, "%s: %zu rows, %zu columns", path, anorank_table_rows(ranking->table),
               anorank_table_columns(ranking->table));
  return cli_failure(call, status, &err);
}

/* Columns that the fit was told to pass through, as far as this table has them. */
static void find_ids(cli_ranking *ranking) {
  size_t columns = anorank_model_columns(ranking->model);
  ranking->ids = cli_allocate(columns, sizeof *ranking->ids);
  for (size_t c = 0; c < columns; c++) {
    anorank_model_column column = *anorank_model_column_at(ranking->model, c);
    size_t found =
        column.role == ANORANK_ROLE_ID ? anorank_table_find(ranking->table, column.name) : SIZE_MAX;
    if (found != SIZE_MAX) ranking->ids[ranking->id_count++] = found;
  }
}

void cli_ranking_answer(char *text, size_t size, const cli_ranking *ranking, const cli_call *call) {
  double mass = anorank_settings_number(call->settings, "mass"), fdr = anorank_settings_number(call->settings, "fdr");
  char found[32], all[32];
  size_t rows = anorank_verdict_rows(ranking->verdict);
  size_t count = mass > 0 ? anorank_verdict_count(ranking->verdict)
                                    : anorank_verdict_discoveries(ranking->verdict);
  const char *verb = count == 1 ? "s" : "";
  if (count == 0)
    snprintf(found, sizeof found, "no row");
  else
    cli_count_text(found, sizeof found, count);
  cli_count_text(all, sizeof all, rows);
  if (mass > 0)
    ank_format(text, size, "%s of %s%s look%s more unusual than %.6g %% of normal rows", found, all,
             count ? " rows" : "", count ? verb : "s", 100 * mass);
  else
    ank_format(text, size, "%s of %s%s stand%s out at a false-discovery rate of %.6g %%", found, all,
             count ? " rows" : "", count ? verb : "s",
             100 * (fdr > 0 ? fdr : ANORANK_USUAL_FDR));
}

/* What there is to say beside the table. */
static void note_what_was_chosen(cli_ranking *ranking, const cli_call *call) {
  const char *note = anorank_verdict_note(ranking->verdict);
  char answer[256];
  if (ranking->shape != CLI_SHAPE_TABLE) { /* else it is the first line of the table */
    cli_ranking_answer(answer, sizeof answer, ranking, call);
    cli_notes_add(&ranking->notes, ANORANK_NOTE_WARNING, "%s", answer);
  }
  if (*note && !ranking->cut) cli_notes_add(&ranking->notes, ANORANK_NOTE_WARNING, "%s", note);
  cli_notes_add(&ranking->notes, ANORANK_NOTE_ASSUMED, "%s", anorank_verdict_resolution(ranking->verdict));
}

int cli_ranking_report(cli_ranking *ranking, cli_call *call) {
  anorank_error err = {0};
  cli_output output;
  const char *path = cli_value(call, "output") ? cli_value(call, "output") : "-";
  anorank_status status = ANORANK_OK;
  if (!ranking->verdict)
    status = anorank_verdict_make(&ranking->verdict, ranking->model, ranking->table, call->settings, &err);
  if (status != ANORANK_OK) return cli_failure(call, status, &err);
  find_ids(ranking);
  note_what_was_chosen(ranking, call);
  cli_progress_clear();
  int code = cli_output_open(&output, call, path);
  if (code != 0) return code;
  switch (ranking->shape) {
  case CLI_SHAPE_TABLE: cli_ranking_table(output.stream, ranking, call); break;
  case CLI_SHAPE_CSV: cli_ranking_csv(output.stream, ranking); break;
  case CLI_SHAPE_JSONL: cli_ranking_jsonl(output.stream, ranking); break;
  case CLI_SHAPE_JSON: cli_ranking_json(output.stream, ranking); break;
  }
  code = cli_output_close(&output, call, code);
  if (code != 0) return code;
  if (output.stream == stdout) fflush(stdout); /* the notes come after what they speak of */
  cli_notes_show(&ranking->notes, call);
  cli_detail(call, "done in %.3g s", cli_clock() - call->progress.started);
  return cli_value(call, "exit-on-anomaly") && anorank_verdict_count(ranking->verdict) > 0 ? 1 : 0;
}
