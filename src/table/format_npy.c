/* format_npy.c - arrays saved by numpy: consecutive binary numbers, no parsing.
 *
 * In C order the numbers of a row are adjacent. Pieces of a few hundred KiB go from the file into a buffer
 * that stays in the cache, are converted to doubles if necessary, and are distributed to the columns. For a
 * plain file, several threads do so, each on separate rows. In Fortran order a column is contiguous. A plain
 * file is read at the offset of each column's part; any other source is first read into memory. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/alloc.h"
#include "core/file_io.h"
#include "core/parallel.h"
#include "table/cells.h"
#include "table/format.h"
#include "table/npy_header.h"

#define PIECE_VALUES ((size_t)1 << 15) /* 256 KiB of doubles */
#define CHUNK_PIECES 4                 /* that a thread takes at a time */

/* A piece of the file, raw and as doubles (NULL if it holds doubles). */
typedef struct buffers {
  unsigned char *raw;
  double *values;
} buffers;

typedef struct npy_state {
  ank_source *source;
  ank_npy_header header;
  size_t row;   /* the next row to return */
  size_t limit; /* byte limit of a Fortran-ordered stream */
  int sized;    /* the length of the file matches the header */
  int file;     /* for pread, or -1 */
  size_t piece; /* numbers per buffer */
  buffers own;
  unsigned char *whole; /* a Fortran-ordered stream, once read */
  const anorank_settings *settings;
} npy_state;

/* ---- numbers ----------------------------------------------------------------------------------------- */

static void swap_bytes(void *items, size_t count, size_t item_size) {
  if (item_size == 2)
    for (uint16_t *p = items, *end = p + count; p < end; p++) *p = __builtin_bswap16(*p);
  else if (item_size == 4)
    for (uint32_t *p = items, *end = p + count; p < end; p++) *p = __builtin_bswap32(*p);
  else if (item_size == 8)
    for (uint64_t *p = items, *end = p + count; p < end; p++) *p = __builtin_bswap64(*p);
}

static anorank_status buffers_make(buffers *b, const npy_state *s, anorank_error *err) {
  *b = (buffers){0};
  anorank_status status = ank_alloc_raw(&b->raw, s->piece, s->header.item_size, err);
  if (status == ANORANK_OK && s->header.type != ANORANK_FLOAT64)
    status = ank_alloc_raw(&b->values, s->piece, sizeof(double), err);
  return status;
}

static void buffers_free(buffers *b) {
  ank_free(b->raw);
  ank_free(b->values);
}

static anorank_status refuse_integer(const npy_state *s, const unsigned char *at, anorank_error *err) {
  char digits[32];
  int64_t value;
  memcpy(&value, at, sizeof value);
  if (s->header.type == ANORANK_UINT64)
    snprintf(digits, sizeof digits, "%llu", (unsigned long long)value);
  else
    snprintf(digits, sizeof digits, "%lld", (long long)value);
  return ank_fail(
      err, ANORANK_ERROR_DATA, "npy-integer-size",
      "%s: holds the integer %s, which loses digits as a number; save the table as CSV, or drop the column",
      ank_source_name(s->source), digits);
}

/* Return the raw buffer's numbers as doubles: in `values`, or in place. */
static anorank_status as_doubles(const double **out, const npy_state *s, buffers *b, size_t count,
                                 anorank_error *err) {
  if (s->header.swapped) swap_bytes(b->raw, count, s->header.item_size);
  *out = s->header.type == ANORANK_FLOAT64 ? (const double *)(const void *)b->raw : b->values;
  if (s->header.type == ANORANK_FLOAT64) return ANORANK_OK;
  ank_cells raw = {.type = s->header.type, .data = b->raw, .stride = (ptrdiff_t)s->header.item_size};
  size_t done = ank_cells_numbers(b->values, &raw, count);
  return done == count ? ANORANK_OK : refuse_integer(s, b->raw + done * s->header.item_size, err);
}

/* ---- distributing rows ------------------------------------------------------------------------------- */

/* Move eight rows of eight columns at a time, so that each source line and each destination line is touched
 * once. */
static void deal_square(double *const to[8], const double *from, size_t columns) {
  for (size_t j = 0; j < 8; j++)
    for (size_t i = 0; i < 8; i++) to[j][i] = from[i * columns + j];
}

static void deal_rows(anorank_table *table, size_t first, const double *from, size_t rows) {
  size_t columns = table->columns, j = 0;
  for (; j + 8 <= columns; j += 8) {
    double *to[8];
    size_t i = 0;
    for (size_t c = 0; c < 8; c++) to[c] = table->column[j + c].numbers + first;
    for (; i + 8 <= rows; i += 8) {
      deal_square(to, from + i * columns + j, columns);
      for (size_t c = 0; c < 8; c++) to[c] += 8;
    }
    for (; i < rows; i++)
      for (size_t c = 0; c < 8; c++) *to[c]++ = from[i * columns + j + c];
  }
  for (; j < columns; j++) {
    double *to = table->column[j].numbers + first;
    for (size_t i = 0; i < rows; i++) to[i] = from[i * columns + j];
  }
}

static anorank_status too_short(const npy_state *s, size_t found, anorank_error *err) {
  return ank_fail(err, ANORANK_ERROR_DATA, "npy-cut-short",
                  "%s: the NPY header promises %zu row%s of %zu column%s, %zu bytes, but only %zu follow; "
                  "copy or save it again",
                  ank_source_name(s->source), s->header.rows, ANK_S(s->header.rows), s->header.columns,
                  ANK_S(s->header.columns), s->header.data_bytes, found);
}

static anorank_status too_long(const npy_state *s, const char *how_many, anorank_error *err) {
  return ank_fail(
      err, ANORANK_ERROR_DATA, "npy-extra-bytes",
      "%s: the NPY header promises %zu row%s of %zu column%s, %zu bytes, but %s follow; save one array "
      "per file",
      ank_source_name(s->source), s->header.rows, ANK_S(s->header.rows), s->header.columns,
      ANK_S(s->header.columns), s->header.data_bytes, how_many);
}

/* Check that no bytes follow the last number. Reading to the end also verifies the checksum of a compressed
 * source. */
static anorank_status expect_end(npy_state *s, anorank_error *err) {
  unsigned char byte;
  size_t got;
  anorank_status status = ank_source_read_full(s->source, &byte, 1, &got, err);
  if (status == ANORANK_OK && got > 0) status = too_long(s, "more bytes", err);
  return status;
}

/* Read `bytes` of the data from `offset` on. */
static anorank_status read_at(const npy_state *s, unsigned char *to, size_t bytes, size_t offset,
                              anorank_error *err) {
  if (s->whole) {
    memcpy(to, s->whole + offset, bytes);
    return ANORANK_OK;
  }
  size_t got = ank_read_at(s->file, to, bytes, s->header.data_offset + offset);
  if (got == SIZE_MAX)
    return ank_fail(err, ANORANK_ERROR_RESOURCES, "file-read", "%s: cannot read: %s",
                    ank_source_name(s->source), strerror(errno));
  return got < bytes ? too_short(s, offset + got, err) : ANORANK_OK;
}

typedef struct parallel_read {
  const npy_state *s;
  anorank_table *table;
  size_t rows, chunk_rows;
} parallel_read;

static anorank_status read_chunk(void *context, size_t chunk, anorank_error *err) {
  const parallel_read *work = context;
  const npy_state *s = work->s;
  size_t columns = s->header.columns, row_bytes = columns * s->header.item_size, most = s->piece / columns;
  size_t row = chunk * work->chunk_rows,
         end = row + work->chunk_rows < work->rows ? row + work->chunk_rows : work->rows;
  buffers b;
  anorank_status status = buffers_make(&b, s, err);
  const double *values;
  for (size_t step; row < end && status == ANORANK_OK; row += step) {
    step = end - row < most ? end - row : most;
    status = read_at(s, b.raw, step * row_bytes, (s->row + row) * row_bytes, err);
    if (status == ANORANK_OK) status = as_doubles(&values, s, &b, step * columns, err);
    if (status == ANORANK_OK) deal_rows(work->table, work->table->rows + row, values, step);
  }
  buffers_free(&b);
  return status;
}

/* Read the rows of a plain file with a valid length in place, on several threads. */
static anorank_status next_in_parallel(npy_state *s, anorank_table *table, size_t rows, anorank_error *err) {
  parallel_read work = {s, table, rows, CHUNK_PIECES * (s->piece / s->header.columns)};
  anorank_status status = ank_table_reserve(table, table->rows + rows, err);
  if (status == ANORANK_OK)
    status =
        ank_parallel(s->settings, (rows + work.chunk_rows - 1) / work.chunk_rows, read_chunk, &work, err);
  if (status != ANORANK_OK) return status;
  table->rows += rows;
  s->row += rows;
  ank_source_taken(s->source, s->header.data_offset + s->row * s->header.columns * s->header.item_size);
  return ANORANK_OK;
}

static anorank_status next_c_order(npy_state *s, anorank_table *table, size_t rows, anorank_error *err) {
  if (s->sized && s->file >= 0) return next_in_parallel(s, table, rows, err);
  size_t columns = s->header.columns, row_bytes = columns * s->header.item_size;
  size_t target = table->rows + rows, most = s->piece / columns;
  while (table->rows < target) {
    size_t step = target - table->rows < most ? target - table->rows : most, got;
    /* If the header may be wrong, memory grows with the bytes read. */
    anorank_status status = ank_table_reserve(table, s->sized ? target : table->rows + step, err);
    if (status == ANORANK_OK)
      status = ank_source_read_full(s->source, s->own.raw, step * row_bytes, &got, err);
    if (status != ANORANK_OK) return status;
    if (got < step * row_bytes) return too_short(s, s->row * row_bytes + got, err);
    const double *values;
    ANK_CHECK(as_doubles(&values, s, &s->own, step * columns, err));
    deal_rows(table, table->rows, values, step);
    table->rows += step;
    s->row += step;
  }
  return s->row == s->header.rows && rows > 0 ? expect_end(s, err) : ANORANK_OK;
}

/* ---- Fortran order ----------------------------------------------------------------------------------- */

static anorank_status read_whole(npy_state *s, anorank_error *err) {
  size_t need = s->header.data_bytes, have = 0, capacity = 0, got = 1;
  if (need > s->limit) {
    (void)ank_fail(err, ANORANK_ERROR_RESOURCES, "memory-limit",
                   "%s: this Fortran-order array needs %zu bytes of memory, more than the %zu allowed; save "
                   "it in C order, unpack it, or allow more",
                   ank_source_name(s->source), need, s->limit);
    if (need <= ank_memory_limit(NULL)) ank_remedy_default_memory(err, s->limit);
    return ANORANK_ERROR_RESOURCES;
  }
  while (have < need && got > 0) {
    size_t step = have < ((size_t)1 << 20) ? (size_t)1 << 20 : have;
    if (s->sized || step > need - have) step = need - have;
    anorank_status status = ank_reserve(&s->whole, &capacity, have + step, 1, err);
    if (status == ANORANK_OK) status = ank_source_read_full(s->source, s->whole + have, step, &got, err);
    if (status != ANORANK_OK) return status;
    have += got;
  }
  if (have < need) return too_short(s, have, err);
  return expect_end(s, err);
}

static anorank_status next_fortran_order(npy_state *s, anorank_table *table, size_t rows,
                                         anorank_error *err) {
  size_t item = s->header.item_size;
  anorank_status status = ANORANK_OK;
  if (rows > 0 && s->file < 0 && !s->whole) status = read_whole(s, err);
  if (status == ANORANK_OK) status = ank_table_reserve(table, table->rows + rows, err);
  for (size_t j = 0; rows > 0 && j < s->header.columns && status == ANORANK_OK; j++) {
    double *to = table->column[j].numbers + table->rows;
    for (size_t done = 0; done < rows && status == ANORANK_OK;) {
      size_t step = rows - done < s->piece ? rows - done : s->piece;
      status = read_at(s, s->own.raw, step * item, (j * s->header.rows + s->row + done) * item, err);
      const double *values;
      if (status == ANORANK_OK) status = as_doubles(&values, s, &s->own, step, err);
      if (status != ANORANK_OK) return status;
      memcpy(to + done, values, step * sizeof *to);
      done += step;
    }
  }
  if (status != ANORANK_OK) return status;
  table->rows += rows;
  s->row += rows;
  return ANORANK_OK;
}

/* ---- the class --------------------------------------------------------------------------------------- */

static int npy_recognise(const unsigned char *bytes, size_t length) {
  return length >= 6 && memcmp(bytes, "\x93NUMPY", 6) == 0;
}

static void npy_free(void *state) {
  npy_state *s = state;
  if (!s) return;
  buffers_free(&s->own);
  ank_free(s->whole);
  ank_free(s);
}

/* Check the length of the file against its header, before large allocations. */
static anorank_status check_length(npy_state *s, size_t bytes, anorank_error *err) {
  struct stat about;
  if (bytes == SIZE_MAX && s->file >= 0) {
    if (fstat(s->file, &about) != 0)
      return ank_fail(err, ANORANK_ERROR_RESOURCES, "file-read", "%s: cannot read its size: %s",
                      ank_source_name(s->source), strerror(errno));
    bytes = (size_t)about.st_size;
  }
  if (bytes == SIZE_MAX) return ANORANK_OK;
  size_t follow = bytes > s->header.data_offset ? bytes - s->header.data_offset : 0;
  char text[64];
  snprintf(text, sizeof text, "%zu bytes", follow);
  if (follow < s->header.data_bytes) return too_short(s, follow, err);
  if (follow > s->header.data_bytes) return too_long(s, text, err);
  s->sized = 1;
  return ANORANK_OK;
}

anorank_status ank_npy_open(void **out, ank_source *source, size_t bytes, anorank_table *table,
                            const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  npy_state *s = NULL;
  *out = NULL;
  ANK_TRY(ank_alloc(&s, 1, sizeof *s, err));
  if (settings && settings->categorical[0]) {
    status =
        ank_fail(err, ANORANK_ERROR_USAGE, "npy-categorical",
                 "%s: an NPY array has only numeric columns; save the table as CSV", ank_source_name(source));
    ank_error_set_setting(err, "categorical");
    ank_remedy(err, "categorical", "");
    goto done;
  }
  s->source = source;
  s->settings = settings;
  s->file = ank_source_file(source);
  s->limit = ank_memory_limit(settings);
  ANK_TRY(ank_npy_read_header(&s->header, source, err));
  ANK_TRY(check_length(s, bytes, err));
  s->piece = s->header.columns > PIECE_VALUES ? s->header.columns : PIECE_VALUES;
  ANK_TRY(buffers_make(&s->own, s, err));
  while (table->columns < s->header.columns) ANK_TRY(ank_table_add_column(table, err));
  for (size_t j = 0; j < s->header.columns; j++) ANK_TRY(ank_table_set_name(table, j, "", 0, err));
  if (s->header.rows == 0) ANK_TRY(expect_end(s, err));
  *out = s;
  s = NULL;
done:
  npy_free(s);
  return status;
}

static anorank_status npy_open(void **state, ank_source *source, anorank_table *table,
                               const anorank_settings *settings, anorank_error *err) {
  return ank_npy_open(state, source, SIZE_MAX, table, settings, err);
}

static anorank_status npy_next(void *state, anorank_table *table, size_t most, anorank_error *err) {
  npy_state *s = state;
  size_t left = s->header.rows - s->row, rows = left < most ? left : most;
  return s->header.fortran_order ? next_fortran_order(s, table, rows, err)
                                 : next_c_order(s, table, rows, err);
}

static size_t npy_rows(const void *state) {
  const npy_state *s = state;
  return s->sized ? s->header.rows : SIZE_MAX;
}

static const ank_reader_class read_npy = {npy_open, npy_next, npy_rows, npy_free, 0};

const ank_format ank_format_npy = {{"npy", "a matrix of numbers as NumPy saves it", ".npy", 1, 1},
                                   0,
                                   npy_recognise,
                                   &read_npy,
                                   &ank_write_npy};
