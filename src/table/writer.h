/* writer.h - from blocks of rows to a file; one table of functions per format. */
#ifndef ANK_TABLE_WRITER_H
#define ANK_TABLE_WRITER_H

#include "anorank/io.h"
#include "core/output.h"
#include "table/cell_text.h"
#include "table/table.h"

typedef struct ank_packer ank_packer;

typedef struct ank_writer_class {
  /* Write the part before the rows, given the first block. */
  anorank_status (*begin)(anorank_writer *writer, const anorank_table *block, anorank_error *err);
  anorank_status (*append)(anorank_writer *writer, const anorank_table *block, anorank_error *err);
  /* Write the part after the rows. May be NULL. */
  anorank_status (*finish)(anorank_writer *writer, anorank_error *err);
} ank_writer_class;

/* For formats whose reader is in a separate file. */
extern const ank_writer_class ank_write_csv, ank_write_npy, ank_write_jsonl;

struct ank_format; /* table/format.h */

/* The last number of a column, and its text. */
typedef struct ank_last_number {
  uint64_t bits;  /* of the double */
  uint8_t length; /* 0: none yet */
  char text[ANK_CELL_SIZE];
} ank_last_number;

struct anorank_writer {
  const struct ank_format *format;
  ank_output *output;
  ank_packer *packer;    /* NULL: not compressed */
  anorank_table *schema; /* names and kinds of the first block; NULL before it */
  size_t blocks, rows;   /* written so far */
  int failed, finished;
  char **keys;           /* JSON lines: the text before each value */
  ank_last_number *last; /* per column */
  /* Text that is not yet written. */
  char *text;
  size_t used, capacity;
};

/* ---- for the classes ---- */

/* Write bytes to the file, compressed if required. */
anorank_status ank_writer_put(anorank_writer *writer, const void *bytes, size_t length, anorank_error *err);

/* Reserve `length` bytes at writer->text + writer->used. Flushes the buffer when it is large. */
anorank_status ank_writer_reserve(anorank_writer *writer, size_t length, anorank_error *err);
anorank_status ank_writer_flush(anorank_writer *writer, anorank_error *err);

/* Write a numeric or time cell to writer->text + writer->used + ahead, where there is room for ANK_CELL_SIZE.
 * Returns its length. A repeated number, as in sorted p-values, is converted once. */
size_t ank_writer_number(anorank_writer *writer, size_t ahead, const ank_column *column, size_t j,
                         size_t row);

/* Return whether written bytes can be overwritten. */
int ank_writer_can_patch(const anorank_writer *writer);

/* ---- compression: packer.c ---- */

typedef enum ank_packing { ANK_PACK_NOT, ANK_PACK_GZIP, ANK_PACK_ZSTD } ank_packing;

/* Return whether the path of `length` bytes ends in one of the extensions (separated by spaces), in any case.
 * An extension alone does not count. */
int ank_has_ending(const char *path, size_t length, const char *endings);

/* Return the length of the path without the extension of compression (.gz, .zst), and which it is. */
size_t ank_bare_length(const char *path, ank_packing *packing);

/* Create a packer; `*out` is NULL without compression. */
anorank_status ank_packer_new(ank_packer **out, ank_packing packing, ank_output *output, anorank_error *err);
anorank_status ank_packer_write(ank_packer *packer, const void *bytes, size_t length, anorank_error *err);
/* End the stream. */
anorank_status ank_packer_finish(ank_packer *packer, anorank_error *err);
void ank_packer_free(ank_packer *packer);

#endif
