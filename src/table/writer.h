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

/* For formats whose reader has a separate file. */
extern const ank_writer_class ank_write_csv, ank_write_npy, ank_write_jsonl;

struct ank_format; /* table/format.h */

/* The number that a column had last, and its text. */
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
  char **keys;           /* JSON lines: what stands before each value */
  ank_last_number *last; /* of each column */
  /* Text on its way to the output. */
  char *text;
  size_t used, capacity;
};

/* ---- for the classes ---- */

/* Bytes to the file, compressed if it is to be. */
anorank_status ank_writer_put(anorank_writer *writer, const void *bytes, size_t length, anorank_error *err);

/* Space for `length` more bytes at writer->text + writer->used; flushes the buffer when it is large. */
anorank_status ank_writer_reserve(anorank_writer *writer, size_t length, anorank_error *err);
anorank_status ank_writer_flush(anorank_writer *writer, anorank_error *err);

/* The text of a cell of numbers or times to writer->text + writer->used + ahead, where there is room for ANK_CELL_SIZE;
 * returns its length. What a column repeats, as p-values in order do, is made once. */
size_t ank_writer_number(anorank_writer *writer, size_t ahead, const ank_column *column, size_t j,
                         size_t row);

/* Whether written bytes can be overwritten. */
int ank_writer_can_patch(const anorank_writer *writer);

/* ---- compression: packer.c ---- */

typedef enum ank_packing { ANK_PACK_NOT, ANK_PACK_GZIP, ANK_PACK_ZSTD } ank_packing;

/* Does the path, of which only `length` bytes count, end in one of the endings (separated by spaces), in
 * either case? An ending alone is no name. */
int ank_has_ending(const char *path, size_t length, const char *endings);

/* Length of the path without the ending of compression (.gz, .zst), and which that is. */
size_t ank_bare_length(const char *path, ank_packing *packing);

/* NULL in `*out` where nothing is to be packed. */
anorank_status ank_packer_new(ank_packer **out, ank_packing packing, ank_output *output, anorank_error *err);
anorank_status ank_packer_write(ank_packer *packer, const void *bytes, size_t length, anorank_error *err);
/* The end of the stream. */
anorank_status ank_packer_finish(ank_packer *packer, anorank_error *err);
void ank_packer_free(ank_packer *packer);

#endif
