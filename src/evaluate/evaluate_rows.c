/* evaluate_rows.c - the split into training and evaluated rows, and whether a model has seen rows before. */
#include <string.h>

#include "core/alloc.h"
#include "core/rng.h"
#include "evaluate/evaluate.h"
#include "model/training_index.h"

enum {
  FEWEST_ROWS = 30,     /* ten in each third */
  MOST_JUDGED = 100000, /* enough for an area to about a thousandth */
  MOST_TAUGHT = 1000000,
  DRAW_THIRDS = 1024 /* number of the draw in ANK_STREAM_MODEL; model/ has those below */
};

void ank_parts_free(ank_parts *parts) {
  ank_free(parts->rows);
  *parts = (ank_parts){0};
}

/* Return the number of rows whose copy fits next to the table into its memory limit. */
static size_t rows_that_fit(const anorank_table *table, const anorank_settings *settings) {
  size_t limit = ank_memory_limit(settings), bytes = ank_table_bytes(table) + 1;
  size_t left = limit > bytes ? limit - bytes : 0;
  if (left < limit / 8) left = limit / 8;
  double rows = (double)table->rows * ((double)left / 2 / (double)bytes);
  if (rows > MOST_TAUGHT + MOST_JUDGED) return MOST_TAUGHT + MOST_JUDGED;
  return rows < FEWEST_ROWS ? FEWEST_ROWS : (size_t)rows;
}

static anorank_status split(ank_parts *out, const anorank_table *table, const anorank_settings *settings,
                            anorank_error *err) {
  size_t all = out->judged, most = rows_that_fit(table, settings);
  ank_rng rng;
  if (all < FEWEST_ROWS)
    return ank_fail(err, ANORANK_ERROR_DATA, "evaluate-too-few-rows",
                    "%s has %zu row%s to fit and evaluate; give at least %d, or a fitted model",
                    table->source ? table->source : "the table", all, ANK_S(all), FEWEST_ROWS);
  ank_rng_open(&rng, settings->seed, ANK_STREAM_MODEL, DRAW_THIRDS);
  ank_rng_shuffle(&rng, out->rows, all);
  if (all > most) out->drawn = all;
  size_t used = all < most ? all : most;
  out->judged = used / 3 < MOST_JUDGED ? used / 3 : MOST_JUDGED;
  out->taught = used - out->judged;
  /* Extra rows follow the evaluated ones: both are selected together. */
  size_t *taught = NULL;
  ANK_CHECK(ank_alloc_raw(&taught, out->taught, sizeof *taught, err));
  memcpy(taught, out->rows + out->judged, out->taught * sizeof *taught);
  memmove(out->rows + out->judged, out->rows + all, out->extra * sizeof *taught);
  memcpy(out->rows + out->judged + out->extra, taught, out->taught * sizeof *taught);
  ank_free(taught);
  return ANORANK_OK;
}

anorank_status ank_parts_make(ank_parts *out, const anorank_table *table, const signed char *labels, int fit,
                              int clean, const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  *out = (ank_parts){0};
  ANK_TRY(ank_alloc_raw(&out->rows, table->rows, sizeof *out->rows, err));
  for (size_t i = 0; i < table->rows; i++)
    if (!clean || !labels || labels[i] != 1) out->rows[out->judged++] = i;
  for (size_t i = 0; i < table->rows; i++)
    if (clean && labels && labels[i] == 1) out->rows[out->judged + out->extra++] = i;
  if (fit) ANK_TRY(split(out, table, settings, err));
  if (out->judged < 2)
    ANK_FAIL(ANORANK_ERROR_DATA, "evaluate-too-few-rows", "%s has %zu row%s to evaluate; give at least 2",
             table->source ? table->source : "the table", out->judged, ANK_S(out->judged));
done:
  if (status != ANORANK_OK) ank_parts_free(out);
  return status;
}

/* ---- rows seen before -------------------------------------------------------------------------------- */

anorank_status ank_count_seen_rows(size_t *out, const anorank_model *model, const anorank_table *table,
                                   size_t rows, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_training_index index = {0};
  ank_match *match = NULL;
  double *cells = NULL;
  unsigned char *met = NULL;
  *out = 0;
  ANK_TRY(ank_training_index_make(&index, model, err));
  ANK_TRY(ank_alloc(&met, model->pipeline.background_rows, sizeof *met, err));
  ANK_TRY(ank_alloc_raw(&cells, index.columns, sizeof *cells, err));
  ANK_TRY(ank_match_make(&match, model->pipeline.prepare, table, err));
  for (size_t i = 0; index.slots > 0 && i < rows; i++) {
    for (size_t c = 0; c < index.columns; c++) cells[c] = ank_prepare_value(match, table, i, c);
    size_t found = ank_training_index_find(&index, cells);
    if (found == SIZE_MAX || met[found]) continue;
    met[found] = 1;
    ++*out;
  }
done:
  ank_training_index_free(&index);
  ank_match_free(match);
  ank_free(cells);
  ank_free(met);
  return status;
}
