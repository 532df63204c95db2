/* simulate.c - a table of rows drawn from a law. A row is a function of (law, seed, index), so chunks may be
 * computed in any order, and drawing in parts gives the same sample. */
#include <string.h>

#include "contrast/law.h"
#include "core/alloc.h"
#include "core/parallel.h"

#define CHUNK_CELLS 65536 /* about a millisecond of work */
#define BATCH_CHUNKS 64   /* between two reports of progress */

typedef struct {
  const ank_law *law;
  ank_draw all; /* the rows of all chunks */
  size_t chunk_rows, first_chunk;
} job;

static anorank_status draw_chunk(void *context, size_t chunk, anorank_error *err) {
  const job *work = context;
  ank_draw draw = work->all;
  draw.first = (work->first_chunk + chunk) * work->chunk_rows;
  draw.count =
      work->all.count - draw.first < work->chunk_rows ? work->all.count - draw.first : work->chunk_rows;
  draw.index += draw.first;
  return work->law->draw(&draw, err);
}

/* Create the columns without rows: those of the data, or `dim` numeric ones. */
static anorank_status make_columns(anorank_table **out, const anorank_table *data, size_t dim,
                                   anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_table *table = NULL;
  size_t columns = data ? data->columns : dim;
  ANK_TRY(ank_table_new(&table, columns, err));
  for (size_t j = 0; j < columns; j++) {
    const ank_column *from = data ? &data->column[j] : NULL;
    const char *name = from && from->name ? from->name : "";
    ANK_TRY(ank_table_set_name(table, j, name, strlen(name), err));
    if (!from) continue;
    ank_table_set_kind(table, j, from->kind);
    table->column[j].resolution = from->resolution;
    for (size_t level = 0; level < from->levels.count; level++) {
      int32_t code;
      const char *text = from->levels.text[level];
      ANK_TRY(ank_levels_code(&code, &table->column[j].levels, text, strlen(text), err));
    }
  }
  ANK_HAND_OVER(out, table);
done:
  ank_table_free(table);
  return status;
}

static anorank_status check_memory(const anorank_table *table, size_t rows, size_t limit,
                                   anorank_error *err) {
  size_t each = 0, bytes;
  for (size_t j = 0; j < table->columns; j++)
    each += table->column[j].kind != ANORANK_CATEGORICAL ? sizeof(double) : sizeof(int32_t);
  if (__builtin_mul_overflow(each, rows, &bytes)) bytes = SIZE_MAX;
  if (bytes <= limit) return ANORANK_OK;
  (void)ank_fail(
      err, ANORANK_ERROR_RESOURCES, "memory-limit",
      "%zu row%s of %zu column%s take %zu bytes, more than the %zu allowed; draw fewer rows, draw them in "
      "parts, or allow more memory",
      rows, ANK_S(rows), table->columns, ANK_S(table->columns), bytes, limit);
  if (bytes <= ank_memory_limit(NULL)) ank_remedy_default_memory(err, limit);
  return ANORANK_ERROR_RESOURCES;
}

anorank_status ank_simulate(anorank_table **out, const ank_law *law, const anorank_table *data,
                            const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_table *table = NULL;
  void *learned = NULL;
  size_t rows = (size_t)settings->rows, dim = (size_t)settings->dim;
  *out = NULL;
  if (!data && law->columns) ANK_TRY(law->columns(&dim, settings, err));
  ANK_TRY(make_columns(&table, data, dim, err));
  table->limit = ank_memory_limit(settings);
  ANK_TRY(check_memory(table, rows, table->limit, err));
  if (law->learn) ANK_TRY(law->learn(&learned, data, settings, err));
  ANK_TRY(ank_table_reserve(table, rows, err));
  job work = {
      .law = law,
      .all = {data, settings, learned, table, 0, rows, settings->seed, ank_law_stream(law),
              (uint64_t)settings->first_row},
      .chunk_rows = CHUNK_CELLS / table->columns,
  };
  if (work.chunk_rows == 0) work.chunk_rows = 1;
  size_t chunks = (rows + work.chunk_rows - 1) / work.chunk_rows;
  while (work.first_chunk < chunks) {
    size_t batch = chunks - work.first_chunk < BATCH_CHUNKS ? chunks - work.first_chunk : BATCH_CHUNKS;
    ANK_TRY(ank_progress(settings, (double)work.first_chunk / (double)chunks, "drawing rows", err));
    ANK_TRY(ank_parallel(settings, batch, draw_chunk, &work, err));
    work.first_chunk += batch;
  }
  table->rows = rows;
  ANK_TRY(ank_progress(settings, 1, "drawing rows", err));
  ANK_HAND_OVER(out, table);
done:
  ank_free(learned);
  ank_table_free(table);
  return status;
}

const anorank_law *anorank_law_at(size_t i) {
  const ank_law *law = ank_law_at(i);
  return law ? &law->info : NULL;
}

anorank_status anorank_simulate(anorank_table **out, const anorank_table *data,
                                const anorank_settings *settings, anorank_error *err) {
  const ank_law *law = NULL;
  char names[512];
  ANK_NEED(out);
  *out = NULL;
  settings = ank_settings_or_default(settings);
  ANK_CHECK(ank_law_named(&law, settings->law, err));
  if (law->info.around_data == 2 && !data) ANK_CHECK(ank_law_needs_data(law, "", err));
  if (law->info.around_data == 0 && data)
    return ank_fail(err, ANORANK_ERROR_USAGE, "law-takes-no-data",
                    "the law '%s' takes no data; give none, or choose one of %s", law->info.name,
                    ank_law_list(names, sizeof names, 1));
  return ank_simulate(out, law, data, settings, err);
}
