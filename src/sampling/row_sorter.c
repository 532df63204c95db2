/* row_sorter.c - see row_sorter.h. */
#include "sampling/row_sorter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/alloc.h"
#include "table/raw_cells.h"

enum { HEAD = 8 + 8 + 8, READ_AHEAD = 1 << 18, FEWEST_MEMORY = 1 << 16, LEAST_BUFFER = 1 << 10 };

/* A row in `bytes`. */
typedef struct entry {
  double score;
  size_t number, at;
} entry;

/* A sorted run: in the file, or the rows in memory. */
typedef struct run {
  uint64_t at, end;      /* the part in the file that is not yet read */
  unsigned char *buffer; /* of the next rows */
  size_t capacity, from, to;
  int open;           /* whether a row is left */
  entry next;         /* the next row; its `at` is the position of its cells in the buffer */
  size_t next_length; /* of its cells */
} run;

struct ank_row_sorter {
  anorank_table *like;
  size_t memory, rows;
  ank_bytes bytes;
  entry *entries;
  size_t count, capacity; /* rows in memory */
  ank_scratch_file file;
  run *runs;
  size_t run_count;
  size_t *heap; /* runs with rows left, as a heap: the lowest row first */
  size_t heap_count;
  size_t buffer; /* bytes that a run reads at a time; all runs together fit the memory limit */
  size_t taken;  /* rows in memory already returned */
  uint64_t *ends;
  size_t end_count, end_capacity; /* end of each run in the file */
};

anorank_status ank_row_sorter_new(ank_row_sorter **out, const anorank_table *like, size_t memory,
                                  anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_row_sorter *sorter = NULL;
  *out = NULL;
  ANK_TRY(ank_alloc(&sorter, 1, sizeof *sorter, err));
  sorter->memory = memory < FEWEST_MEMORY ? FEWEST_MEMORY : memory;
  ANK_TRY(ank_table_new_like(&sorter->like, like, 1, err));
  ANK_HAND_OVER(out, sorter);
done:
  ank_row_sorter_free(sorter);
  return status;
}

static void close_runs(ank_row_sorter *sorter) {
  for (size_t r = 0; r < sorter->run_count; r++) ank_free(sorter->runs[r].buffer);
  ank_free(sorter->runs);
  ank_free(sorter->heap);
  sorter->runs = NULL;
  sorter->heap = NULL;
  sorter->run_count = sorter->heap_count = 0;
}

void ank_row_sorter_free(ank_row_sorter *sorter) {
  if (!sorter) return;
  close_runs(sorter);
  ank_table_free(sorter->like);
  ank_bytes_free(&sorter->bytes);
  ank_free(sorter->entries);
  ank_free(sorter->ends);
  ank_scratch_close(&sorter->file);
  ank_free(sorter);
}

size_t ank_row_sorter_rows(const ank_row_sorter *sorter) { return sorter->rows; }

const anorank_table *ank_row_sorter_like(const ank_row_sorter *sorter) { return sorter->like; }

/* ---- rows in ----------------------------------------------------------------------------------------- */

static anorank_status put_text(ank_bytes *out, const char *text, size_t length, anorank_error *err) {
  uint32_t short_length = text ? (uint32_t)length : UINT32_MAX;
  anorank_status status = ank_bytes_put(out, &short_length, sizeof short_length, err);
  return status == ANORANK_OK && text ? ank_bytes_put(out, text, length, err) : status;
}

static anorank_status put_cell(ank_bytes *out, const ank_column *column, const ank_column *like, size_t i,
                               anorank_error *err) {
  if (column->kind == ANORANK_CATEGORICAL) {
    const char *text = column->codes[i] < 0 ? NULL : column->levels.text[column->codes[i]];
    ANK_CHECK(put_text(out, text, text ? strlen(text) : 0, err));
  } else {
    ANK_CHECK(ank_bytes_put(out, &column->numbers[i], sizeof column->numbers[i], err));
  }
  if (like->raw_cells) {
    size_t length = 0;
    const char *text = column->raw_cells ? ank_raw_cells_at(column->raw_cells, i, &length) : "";
    ANK_CHECK(put_text(out, text, length, err));
  }
  return ANORANK_OK;
}

static int in_order(const void *a, const void *b) {
  const entry *left = a, *right = b;
  if (left->score != right->score) return left->score < right->score ? -1 : 1;
  return left->number < right->number ? -1 : left->number > right->number;
}

/* Write the rows in memory to the file as a run. */
static anorank_status spill(ank_row_sorter *sorter, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_bytes sorted = {0};
  qsort(sorter->entries, sorter->count, sizeof *sorter->entries, in_order);
  ANK_TRY(
      ank_reserve(&sorter->ends, &sorter->end_capacity, sorter->end_count + 1, sizeof *sorter->ends, err));
  for (size_t i = 0; i < sorter->count; i++) {
    const unsigned char *from = sorter->bytes.data + sorter->entries[i].at;
    uint64_t length;
    memcpy(&length, from + 16, sizeof length);
    ANK_TRY(ank_bytes_put(&sorted, from, HEAD + (size_t)length, err));
    if (sorted.length < READ_AHEAD && i + 1 < sorter->count) continue;
    ANK_TRY(ank_scratch_append(&sorter->file, sorted.data, sorted.length, NULL, err));
    sorted.length = 0;
  }
  sorter->ends[sorter->end_count++] = sorter->file.length;
  sorter->count = sorter->bytes.length = 0;
done:
  ank_bytes_free(&sorted);
  return status;
}

static anorank_status save_row(ank_bytes *out, const anorank_table *like, const anorank_table *block,
                               size_t i, double score, size_t number, anorank_error *err) {
  size_t at = out->length;
  uint64_t head[3] = {0, number, 0};
  memcpy(head, &score, sizeof score);
  ANK_CHECK(ank_bytes_put(out, head, sizeof head, err));
  for (size_t j = 0; j < block->columns; j++)
    ANK_CHECK(put_cell(out, &block->column[j], &like->column[j], i, err));
  head[2] = out->length - at - HEAD;
  memcpy(out->data + at + 16, &head[2], 8);
  return ANORANK_OK;
}

/* Complete the row that begins at `at` in the bytes. */
static anorank_status count_row(ank_row_sorter *sorter, size_t at, anorank_error *err) {
  entry one = {.at = at};
  uint64_t number;
  memcpy(&one.score, sorter->bytes.data + at, 8);
  memcpy(&number, sorter->bytes.data + at + 8, 8);
  one.number = (size_t)number;
  ANK_CHECK(
      ank_reserve(&sorter->entries, &sorter->capacity, sorter->count + 1, sizeof *sorter->entries, err));
  sorter->entries[sorter->count++] = one;
  sorter->rows++;
  if (sorter->bytes.length + sorter->count * sizeof *sorter->entries > sorter->memory)
    ANK_CHECK(spill(sorter, err));
  return ANORANK_OK;
}

anorank_status ank_row_sorter_put(ank_row_sorter *sorter, const anorank_table *block, size_t i, double score,
                                  size_t number, anorank_error *err) {
  size_t at = sorter->bytes.length;
  ANK_CHECK(save_row(&sorter->bytes, sorter->like, block, i, score, number, err));
  return count_row(sorter, at, err);
}

/* ---- rows out ---------------------------------------------------------------------------------------- */

/* Read until the run's buffer has `need` bytes, or the run ends. */
static anorank_status fill(run *one, const ank_row_sorter *sorter, size_t need, anorank_error *err) {
  if (one->to - one->from >= need) return ANORANK_OK;
  if (one->to > one->from) memmove(one->buffer, one->buffer + one->from, one->to - one->from);
  one->to -= one->from;
  one->from = 0;
  if (need < sorter->buffer) need = sorter->buffer;
  if (need - one->to > one->end - one->at) need = one->to + (size_t)(one->end - one->at);
  ANK_CHECK(ank_reserve(&one->buffer, &one->capacity, need, 1, err));
  ANK_CHECK(ank_scratch_read(&sorter->file, one->buffer + one->to, need - one->to, one->at, err));
  one->at += need - one->to;
  one->to = need;
  return ANORANK_OK;
}

static anorank_status advance(run *one, const ank_row_sorter *sorter, anorank_error *err) {
  uint64_t head[3];
  one->open = one->from < one->to || one->at < one->end;
  if (!one->open) return ANORANK_OK;
  ANK_CHECK(fill(one, sorter, HEAD, err));
  memcpy(head, one->buffer + one->from, HEAD);
  ANK_CHECK(fill(one, sorter, HEAD + (size_t)head[2], err));
  memcpy(&one->next.score, head, 8);
  one->next.number = (size_t)head[1];
  one->next.at = one->from + HEAD;
  one->next_length = (size_t)head[2];
  one->from += HEAD + (size_t)head[2];
  return ANORANK_OK;
}

/* Move the run at `at` down the heap, until the runs below it have higher rows. */
static void sift_down(ank_row_sorter *sorter, size_t at) {
  size_t *heap = sorter->heap, moved = heap[at];
  for (size_t child; (child = 2 * at + 1) < sorter->heap_count; at = child) {
    if (child + 1 < sorter->heap_count &&
        in_order(&sorter->runs[heap[child + 1]].next, &sorter->runs[heap[child]].next) < 0)
      child++;
    if (in_order(&sorter->runs[moved].next, &sorter->runs[heap[child]].next) <= 0) break;
    heap[at] = heap[child];
  }
  heap[at] = moved;
}

static size_t buffer_of(const ank_row_sorter *sorter) {
  size_t share = sorter->memory / (sorter->end_count > 0 ? sorter->end_count : 1);
  return share < LEAST_BUFFER ? LEAST_BUFFER : share < READ_AHEAD / 4 ? share : READ_AHEAD / 4;
}

anorank_status ank_row_sorter_rewind(ank_row_sorter *sorter, anorank_error *err) {
  close_runs(sorter);
  sorter->taken = 0;
  if (sorter->end_count > 0 && sorter->count > 0) ANK_CHECK(spill(sorter, err)); /* frees the memory, too */
  if (sorter->end_count > 0) {
    ank_bytes_free(&sorter->bytes);
    ank_free(sorter->entries);
    sorter->entries = NULL;
    sorter->capacity = 0;
  }
  if (sorter->count > 0) qsort(sorter->entries, sorter->count, sizeof *sorter->entries, in_order);
  ANK_CHECK(ank_alloc(&sorter->runs, sorter->end_count, sizeof *sorter->runs, err));
  ANK_CHECK(ank_alloc(&sorter->heap, sorter->end_count, sizeof *sorter->heap, err));
  sorter->buffer = buffer_of(sorter);
  for (size_t r = 0; r < sorter->end_count; r++) {
    sorter->runs[r] = (run){.at = r > 0 ? sorter->ends[r - 1] : 0, .end = sorter->ends[r]};
    sorter->run_count = r + 1;
    ANK_CHECK(advance(&sorter->runs[r], sorter, err));
    if (sorter->runs[r].open) sorter->heap[sorter->heap_count++] = r;
  }
  for (size_t at = sorter->heap_count / 2; at-- > 0;) sift_down(sorter, at);
  return ANORANK_OK;
}

/* Append the cells as a row of the table. */
static anorank_status take_cells(anorank_table *table, const unsigned char *from, anorank_error *err) {
  size_t row = table->rows;
  uint32_t length;
  for (size_t j = 0; j < table->columns; j++) {
    ank_column *column = &table->column[j];
    if (column->kind == ANORANK_CATEGORICAL) {
      memcpy(&length, from, sizeof length);
      from += sizeof length;
      column->codes[row] = -1;
      if (length != UINT32_MAX) {
        ANK_CHECK(ank_levels_code(&column->codes[row], &column->levels, (const char *)from, length, err));
        from += length;
      }
    } else {
      memcpy(&column->numbers[row], from, sizeof column->numbers[row]);
      from += sizeof column->numbers[row];
    }
    if (!column->raw_cells) continue;
    memcpy(&length, from, sizeof length);
    from += sizeof length;
    ANK_CHECK(ank_raw_cells_put(column->raw_cells, row, (const char *)from, length, err));
    from += length;
  }
  table->rows++;
  return ANORANK_OK;
}

/* Return the cells of the lowest remaining row, and its sort key; NULL if no row is left. */
static const unsigned char *lowest_row(ank_sorted_row *row, ank_row_sorter *sorter) {
  if (sorter->taken < sorter->count) {
    const entry *next = &sorter->entries[sorter->taken++];
    *row = (ank_sorted_row){next->score, next->number};
    return sorter->bytes.data + next->at + HEAD;
  }
  if (sorter->heap_count == 0) return NULL;
  const run *lowest = &sorter->runs[sorter->heap[0]];
  *row = (ank_sorted_row){lowest->next.score, lowest->next.number};
  return lowest->buffer + lowest->next.at;
}

/* Advance to the next row of the run that has the lowest. */
static anorank_status advance_lowest(ank_row_sorter *sorter, anorank_error *err) {
  if (sorter->heap_count == 0) return ANORANK_OK; /* all rows are in memory */
  run *lowest = &sorter->runs[sorter->heap[0]];
  ANK_CHECK(advance(lowest, sorter, err));
  if (!lowest->open) sorter->heap[0] = sorter->heap[--sorter->heap_count];
  if (sorter->heap_count > 0) sift_down(sorter, 0);
  return ANORANK_OK;
}

anorank_status ank_row_sorter_next(anorank_table **out, ank_sorted_row **rows, ank_row_sorter *sorter,
                                   size_t most, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_table *table = NULL;
  ank_sorted_row *sorted = NULL;
  size_t capacity = 0;
  *out = NULL;
  *rows = NULL;
  ANK_TRY(ank_table_new_like(&table, sorter->like, 1, err));
  while (table->rows < most) {
    ANK_TRY(ank_reserve(&sorted, &capacity, table->rows + 1, sizeof *sorted, err));
    const unsigned char *cells = lowest_row(&sorted[table->rows], sorter);
    if (!cells) break;
    if (table->rows == table->capacity) ANK_TRY(ank_table_reserve(table, table->rows + 1024, err));
    ANK_TRY(take_cells(table, cells, err));
    ANK_TRY(advance_lowest(sorter, err));
  }
  if (table->rows > 0) {
    *out = table;
    *rows = sorted;
    table = NULL;
    sorted = NULL;
  }
done:
  ank_table_free(table);
  ank_free(sorted);
  return status;
}
