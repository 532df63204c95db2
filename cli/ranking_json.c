/* ranking_json.c - findings as a JSON document or as JSON lines, with reasons as data. Rows are counted from 1. */
#include <stdlib.h>

#include "json.h"
#include "ranking_report.h"
#include "text.h"

/* Write a raw cell. */
static void put_written(ank_json *json, const anorank_table *table, size_t column, size_t row) {
  size_t size = anorank_table_text(table, column, row, NULL, 0) + 1;
  char *text = cli_allocate(size, 1);
  anorank_table_text(table, column, row, text, size);
  ank_json_string(json, size > 1 ? text : NULL);
  free(text);
}

static void put_cell(ank_json *json, const anorank_table *table, size_t column, size_t row) {
  char text[64];
  ank_json_key(json, anorank_table_name(table, column));
  if (anorank_table_raw_cells(table, column) == 2) {
    put_written(json, table, column, row);
  } else if (anorank_table_kind(table, column) == ANORANK_NUMERIC) {
    ank_json_number(json, anorank_table_numbers(table, column)[row]);
  } else if (anorank_table_kind(table, column) == ANORANK_CATEGORICAL) {
    int32_t code = anorank_table_codes(table, column)[row];
    ank_json_string(json, code < 0 ? NULL : anorank_table_level(table, column, (size_t)code));
  } else {
    ank_json_string(json, anorank_table_text(table, column, row, text, sizeof text) > 0 ? text : NULL);
  }
}

static void put_finding(ank_json *json, const cli_ranking *ranking, size_t i) {
  ank_json_open(json, '{', 1);
  for (size_t j = 0; j < anorank_table_columns(ranking->findings); j++)
    put_cell(json, ranking->findings, j, i);
  ank_json_words(json, "tier", ank_json_tier(anorank_ranking_at(cli_shown(ranking), i)->tier));
  ank_json_reasons(json, "reasons", cli_shown(ranking), i, 1);
  ank_json_close(json, '}');
}

static void put_lines(FILE *stream, const cli_ranking *ranking) {
  size_t count = anorank_ranking_get_info(cli_shown(ranking))->count;
  for (size_t i = 0; i < count && !ferror(stream) && !cli_interrupted(); i++) {
    ank_json json;
    cli_json_start(&json, stream);
    json.tight = 1;
    put_finding(&json, ranking, i);
    ank_json_end(&json);
  }
}

void cli_ranking_json(FILE *stream, const cli_ranking *ranking) {
  size_t count = anorank_ranking_get_info(cli_shown(ranking))->count;
  ank_json json;
  if (ranking->shape == CLI_SHAPE_LINES) {
    put_lines(stream, ranking);
    return;
  }
  cli_json_open(&json, stream);
  ank_json_ranking(&json, ranking->model, cli_shown(ranking));
  ank_json_open_key(&json, "findings", '[', 0);
  for (size_t i = 0; i < count && !ferror(stream) && !cli_interrupted(); i++) put_finding(&json, ranking, i);
  ank_json_close(&json, ']');
  cli_json_close(&json);
}
