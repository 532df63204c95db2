/* row_subset.c - see row_subset.h. */
#include "model/row_subset.h"

#include <string.h>

#include "core/alloc.h"
#include "core/parallel.h"
#include "core/rng.h"
#include "table/raw_cells.h"

static const int32_t not_yet = -2; /* a level that no row has had so far */

static anorank_status copy_codes(ank_column *into, const ank_column *from, const size_t *rows, size_t count,
                                 anorank_error *err) {
  anorank_status status = ANORANK_OK;
  int32_t *renamed = NULL;
  ANK_TRY(ank_alloc_raw(&renamed, from->levels.count, sizeof *renamed, err));
  for (size_t k = 0; k < from->levels.count; k++) renamed[k] = not_yet;
  for (size_t i = 0; i < count; i++) {
    int32_t code = from->codes[rows ? rows[i] : i];
    into->codes[i] = code;
    if (code < 0) continue;
    if (renamed[code] == not_yet) {
      const char *text = from->levels.text[code];
      ANK_TRY(ank_levels_code(&renamed[code], &into->levels, text, strlen(text), err));
    }
    into->codes[i] = renamed[code];
  }
done:
  ank_free(renamed);
  return status;
}

anorank_status ank_copy_cells(ank_column *into, const ank_column *from, const size_t *rows, size_t count,
                              anorank_error *err) {
  ANK_CHECK(ank_raw_cells_copy(into, from, rows, count, err));
  if (from->kind == ANORANK_CATEGORICAL) return copy_codes(into, from, rows, count, err);
  for (size_t i = 0; i < count; i++) into->numbers[i] = from->numbers[rows ? rows[i] : i];
  return ANORANK_OK;
}

typedef struct copying {
  anorank_table *into;
  const anorank_table *from;
  const size_t *rows;
  size_t count;
} copying;

static anorank_status copy_column(void *context, size_t j, anorank_error *err) {
  const copying *work = context;
  return ank_copy_cells(&work->into->column[j], &work->from->column[j], work->rows, work->count, err);
}

anorank_status ank_copy_rows(anorank_table **out, const anorank_table *table, const size_t *rows,
                             size_t count, const anorank_settings *settings, anorank_error *err) {
  enum { LARGE = 1 << 14 }; /* rows: with fewer, a thread costs more than it spares */
  anorank_status status = ANORANK_OK;
  anorank_table *copy = NULL;
  *out = NULL;
  ANK_TRY(ank_table_new_like(&copy, table, 0, err));
  ANK_TRY(ank_table_reserve(copy, count, err));
  ANK_TRY(ank_parallel(count < LARGE ? NULL : settings, table->columns, copy_column,
                       &(copying){copy, table, rows, count}, err));
  copy->rows = count;
  ANK_HAND_OVER(out, copy);
done:
  ank_table_free(copy);
  return status;
}

anorank_status ank_draw_rows(size_t **out, size_t count, size_t n, uint64_t seed, uint64_t index,
                             anorank_error *err) {
  anorank_status status = ANORANK_OK;
  unsigned char *taken = NULL;
  size_t *drawn = NULL;
  ank_rng rng;
  *out = NULL;
  ANK_TRY(ank_alloc_raw(&drawn, count, sizeof *drawn, err));
  ANK_TRY(ank_alloc(&taken, n, sizeof *taken, err));
  ank_rng_open(&rng, seed, ANK_STREAM_MODEL, index);
  ANK_TRY(ank_rng_sample(&rng, drawn, count, n, err));
  for (size_t i = 0; i < count; i++) taken[drawn[i]] = 1;
  for (size_t i = 0, used = 0; i < n; i++)
    if (taken[i]) drawn[used++] = i;
  ANK_HAND_OVER(out, drawn);
done:
  ank_free(drawn);
  ank_free(taken);
  return status;
}
