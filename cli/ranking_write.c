/* ranking_write.c - findings as CSV, JSON lines and JSON. Rows are counted from 1. */
#include <stdlib.h>
#include <string.h>

#include "core/shortest.h"
#include "json.h"
#include "ranking.h"

const char *cli_cell(char buffer[32], const anorank_table *table, size_t column, size_t row) {
  if (anorank_table_kind(table, column) == ANORANK_CATEGORICAL) {
    int32_t code = anorank_table_codes(table, column)[row];
    return code < 0 ? "" : anorank_table_level(table, column, (size_t)code);
  }
  (void)anorank_table_text(table, column, row, buffer, 32);
  return buffer;
}

/* ---- CSV --------------------------------------------------------------------------------------------- */

/* Text between quotes where it needs them; `inside` a cell that is quoted as a whole already, only its quotes
 * are doubled. */
static void put_text(FILE *stream, const char *text, int inside) {
  int quoted = !inside && (text[strcspn(text, ",\"\r\n")] || text[0] == ' ' ||
                           (text[0] && text[strlen(text) - 1] == ' '));
  if (quoted) fputc('"', stream);
  for (; *text; text++) {
    if (*text == '"' && (quoted || inside)) fputc('"', stream);
    fputc(*text, stream);
  }
  if (quoted) fputc('"', stream);
}

static void put_number(FILE *stream, double value) {
  char text[ANK_SHORTEST_SIZE];
  fputc(',', stream);
  fwrite(text, 1, ank_shortest(text, value), stream);
}

void cli_ranking_csv(FILE *stream, const cli_ranking *ranking) {
  size_t count = anorank_verdict_count(ranking->verdict);
  fputs("rank,row", stream);
  for (size_t j = 0; j < ranking->id_count; j++) {
    fputc(',', stream);
    put_text(stream, anorank_table_name(ranking->table, ranking->ids[j]), 0);
  }
  fputs(",score,p_value,q_value,reasons\n", stream);
  for (size_t i = 0; i < count && !ferror(stream) && !cli_interrupted(); i++) {
    anorank_finding one = anorank_verdict_at(ranking->verdict, i);
    char buffer[32];
    fprintf(stream, "%zu,%zu", one.rank, one.row + 1);
    for (size_t j = 0; j < ranking->id_count; j++) {
      fputc(',', stream);
      put_text(stream, cli_cell(buffer, ranking->table, ranking->ids[j], one.row), 0);
    }
    put_number(stream, one.score);
    put_number(stream, one.p_value);
    put_number(stream, one.q_value);
    fputs(one.reason_count ? ",\"" : ",", stream);
    for (size_t k = 0; k < one.reason_count; k++) {
      if (k > 0) fputs("; ", stream);
      put_text(stream, one.reasons[k].text, 1);
    }
    fputs(one.reason_count ? "\"\n" : "\n", stream);
  }
}

/* ---- JSON -------------------------------------------------------------------------------------------- */

static void put_id(cli_json *json, const cli_ranking *ranking, size_t column, size_t row) {
  char buffer[32];
  cli_json_key(json, anorank_table_name(ranking->table, column));
  const char *cell = cli_cell(buffer, ranking->table, column, row);
  int32_t code = anorank_table_kind(ranking->table, column) == ANORANK_CATEGORICAL
                     ? anorank_table_codes(ranking->table, column)[row]
                 : *cell ? 0
                         : -1;
  if (anorank_table_kind(ranking->table, column) != ANORANK_NUMERIC)
    cli_json_string(json, code < 0 ? NULL : cell);
  else
    cli_json_number(json, anorank_table_numbers(ranking->table, column)[row]);
}

static void put_finding(cli_json *json, const cli_ranking *ranking, size_t i) {
  anorank_finding one = anorank_verdict_at(ranking->verdict, i);
  cli_json_open(json, '{', 1);
  cli_json_key(json, "rank");
  cli_json_unsigned(json, one.rank);
  cli_json_key(json, "row");
  cli_json_unsigned(json, one.row + 1);
  for (size_t j = 0; j < ranking->id_count; j++) put_id(json, ranking, ranking->ids[j], one.row);
  cli_json_key(json, "score");
  cli_json_number(json, one.score);
  cli_json_key(json, "p_value");
  cli_json_number(json, one.p_value);
  cli_json_key(json, "q_value");
  cli_json_number(json, one.q_value);
  cli_json_key(json, "reasons");
  cli_json_open(json, '[', 1);
  for (size_t k = 0; k < one.reason_count; k++) {
    cli_json_open(json, '{', 1);
    cli_json_key(json, "column");
    cli_json_string(json, one.reasons[k].column);
    cli_json_key(json, "contribution");
    cli_json_number(json, one.reasons[k].contribution);
    cli_json_key(json, "text");
    cli_json_string(json, one.reasons[k].text);
    cli_json_close(json, '}');
  }
  cli_json_close(json, ']');
  cli_json_close(json, '}');
}

void cli_ranking_jsonl(FILE *stream, const cli_ranking *ranking) {
  size_t count = anorank_verdict_count(ranking->verdict);
  for (size_t i = 0; i < count && !ferror(stream) && !cli_interrupted(); i++) {
    cli_json json;
    cli_json_start(&json, stream);
    put_finding(&json, ranking, i);
    cli_json_end(&json);
  }
}

void cli_ranking_json(FILE *stream, const cli_ranking *ranking) {
  size_t count = anorank_verdict_count(ranking->verdict);
  cli_json json;
  cli_json_start(&json, stream);
  cli_json_open(&json, '{', 0);
  cli_json_key(&json, "rows");
  cli_json_unsigned(&json, anorank_verdict_rows(ranking->verdict));
  cli_json_key(&json, "reported");
  cli_json_unsigned(&json, count);
  cli_json_key(&json, "scorer");
  cli_json_string(&json, anorank_model_scorer(ranking->model));
  cli_json_key(&json, "calibration_rows");
  cli_json_unsigned(&json, anorank_model_calibration_rows(ranking->model));
  cli_json_key(&json, "note");
  cli_json_string(&json, anorank_verdict_note(ranking->verdict));
  cli_json_key(&json, "resolution");
  cli_json_string(&json, anorank_verdict_resolution(ranking->verdict));
  cli_json_key(&json, "findings");
  cli_json_open(&json, '[', 0);
  for (size_t i = 0; i < count && !ferror(stream) && !cli_interrupted(); i++) put_finding(&json, ranking, i);
  cli_json_close(&json, ']');
  cli_json_close(&json, '}');
  cli_json_end(&json);
}
