/* csv_parallel.c - plain rows of numbers on several threads; see csv.h.
 *
 * The whole lines of the buffer are cut into chunks at newlines. While every line is a plain row, the number
 * of newlines before a chunk gives the position of its rows, so chunks can be read independently. The first
 * chunk with a line that is not plain, and all later chunks, go to the other paths. So the result is the same
 * as on one thread. */
#include <string.h>

#include "core/parallel.h"
#include "table/csv.h"

#define CHUNK ((size_t)128 << 10)
#define MOST_CHUNKS (ANK_CSV_PARALLEL_BUFFER / CHUNK)
#define LEAST_CHUNKS 4

typedef struct piece {
  const char *from, *to;
  size_t first_row, rows;
  int plain;
} piece;

typedef struct job {
  ank_csv *csv;
  piece chunks[MOST_CHUNKS];
  size_t count, rows;
} job;

int ank_csv_suits_parallel(const ank_csv *csv, const anorank_table *table) {
  if (csv->dialect.runs || ank_threads(csv->settings) < 2) return 0;
  for (size_t j = 0; j < table->columns; j++)
    if (table->column[j].kind == ANORANK_CATEGORICAL || table->column[j].raw_cells) return 0;
  return 1;
}

static size_t count_newlines(const char *from, const char *to) {
  enum { STEP = 128 }; /* at a time, so that their number fits a byte */
  size_t count = 0;
  for (; to - from >= STEP; from += STEP) {
    unsigned char some = 0;
    for (int i = 0; i < STEP; i++) some = (unsigned char)(some + (from[i] == '\n'));
    count += some;
  }
  for (; from < to; from++) count += *from == '\n';
  return count;
}

/* Cut as many chunks as possible, up to `most` rows. */
static void cut(job *work, size_t most) {
  const ank_csv *csv = work->csv;
  const char *p = csv->buffer + csv->from, *end = csv->buffer + csv->lines_end;
  while (p < end && work->count < MOST_CHUNKS) {
    const char *to = end;
    if ((size_t)(end - p) > CHUNK)
      to = (const char *)memchr(p + CHUNK - 1, '\n', (size_t)(end - p) - CHUNK + 1) + 1;
    size_t rows = count_newlines(p, to);
    if (rows > most - work->rows) break;
    work->chunks[work->count++] = (piece){p, to, work->rows, rows, 0};
    work->rows += rows;
    p = to;
  }
}

static anorank_status read_chunk(void *context, size_t index, anorank_error *err) {
  job *work = context;
  piece *chunk = &work->chunks[index];
  const char *p = chunk->from;
  (void)err;
  for (size_t i = 0; i < chunk->rows; i++) {
    p = ank_csv_plain_row(work->csv, p, chunk->first_row + i);
    if (!p) return ANORANK_OK;
  }
  chunk->plain = p == chunk->to;
  return ANORANK_OK;
}

anorank_status ank_csv_parallel_rows(ank_csv *csv, anorank_table *table, size_t enough, anorank_error *err) {
  job work = {.csv = csv};
  if (csv->blank_rows > 0 || csv->lines_end < csv->from + LEAST_CHUNKS * CHUNK) return ANORANK_OK;
  cut(&work, enough - table->rows);
  if (work.count < LEAST_CHUNKS) return ANORANK_OK;
  for (size_t i = 0; i < work.count; i++) work.chunks[i].first_row += table->rows;
  ANK_CHECK(ank_csv_make_room(csv, table, table->rows + work.rows, err));
  ANK_CHECK(ank_parallel(csv->settings, work.count, read_chunk, &work, err));
  for (size_t i = 0; i < work.count; i++) {
    if (!work.chunks[i].plain) {
      csv->parallel = 0; /* large parts of a file with such lines would be read twice */
      break;
    }
    table->rows += work.chunks[i].rows;
    csv->line += work.chunks[i].rows;
    csv->from = (size_t)(work.chunks[i].to - csv->buffer);
  }
  return ANORANK_OK;
}
