/* write_npy.c - a matrix of doubles in C order, so that blocks can follow one another. Commit writes the
 * number of rows into the header. Without seeking (a pipe, a compressed file), the first block must be the
 * only one. */
#include <string.h>

#include "table/npy_header.h"
#include "table/writer.h"

#define PIECE_VALUES ((size_t)1 << 13)

static anorank_status npy_begin(anorank_writer *writer, const anorank_table *block, anorank_error *err) {
  unsigned char preface[ANK_NPY_PREFACE];
  char quoted[ANK_QUOTE_SIZE];
  for (size_t j = 0; j < block->columns; j++)
    if (block->column[j].kind == ANORANK_CATEGORICAL)
      return ank_fail(
          err, ANORANK_ERROR_USAGE, "npy-categories",
          "%s: column '%s' is categorical, but NPY holds only numbers; drop it, or write CSV or JSON lines",
          ank_output_name(writer->output),
          ank_quote(quoted, block->column[j].name, strlen(block->column[j].name)));
  ank_npy_write_header(preface, block->rows, block->columns);
  return ank_writer_put(writer, preface, sizeof preface, err);
}

static void collect_rows(double *to, const anorank_table *block, size_t first, size_t rows) {
  for (size_t j = 0; j < block->columns; j++) {
    const double *from = block->column[j].numbers + first;
    for (size_t i = 0; i < rows; i++) to[i * block->columns + j] = from[i];
  }
}

static anorank_status npy_append(anorank_writer *writer, const anorank_table *block, anorank_error *err) {
  size_t columns = block->columns, step = columns ? PIECE_VALUES / columns : 0;
  if (step == 0) step = 1;
  if (writer->blocks > 0 && block->rows > 0 && !ank_writer_can_patch(writer))
    return ank_fail(
        err, ANORANK_ERROR_USAGE, "output-npy-rewind",
        "%s: this output cannot be rewound, which NPY needs; write one block, an uncompressed file, or CSV",
        ank_output_name(writer->output));
  for (size_t row = 0; row < block->rows; row += step) {
    size_t rows = block->rows - row < step ? block->rows - row : step,
           bytes = rows * columns * sizeof(double);
    anorank_status status = ank_writer_reserve(writer, bytes, err);
    if (status != ANORANK_OK) return status;
    if (writer->used > 0) status = ank_writer_flush(writer, err); /* keeps the doubles aligned */
    if (status != ANORANK_OK) return status;
    collect_rows((double *)(void *)writer->text, block, row, rows);
    writer->used = bytes;
  }
  return ANORANK_OK;
}

static anorank_status npy_finish(anorank_writer *writer, anorank_error *err) {
  unsigned char preface[ANK_NPY_PREFACE];
  if (!ank_writer_can_patch(writer)) return ANORANK_OK;
  ank_npy_write_header(preface, writer->rows, writer->schema->columns);
  return ank_output_patch(writer->output, 0, preface, sizeof preface, err);
}

const ank_writer_class ank_write_npy = {npy_begin, npy_append, npy_finish};
