/* writer.h - from blocks of rows to a file; one table of functions per format.
 *
 * To add a format: write write_NAME.c with an ank_writer_class and add its row to `classes` in writer.c. */
#ifndef ANK_TABLE_WRITER_H
#define ANK_TABLE_WRITER_H

#include "core/output.h"
#include "table/table.h"

typedef struct ank_packer ank_packer;

typedef struct ank_writer_class {
  anorank_format format;
  const char *name;
  const char *endings; /* of file names, separated by spaces */
  char delimiter;      /* of delimited text */

  /* What comes before the rows; the first block is there to look at. */
  anorank_status (*begin)(anorank_writer *writer, const anorank_table *block, anorank_error *err);
  anorank_status (*append)(anorank_writer *writer, const anorank_table *block, anorank_error *err);
  /* What comes after them. May be NULL. */
  anorank_status (*finish)(anorank_writer *writer, anorank_error *err);
} ank_writer_class;

extern const ank_writer_class ank_writer_csv, ank_writer_tsv, ank_writer_npy, ank_writer_jsonl;

struct anorank_writer {
  const ank_writer_class *class;
  ank_output *output;
  ank_packer *packer;    /* NULL: not compressed */
  anorank_table *schema; /* names and kinds of the first block; NULL before it */
  size_t blocks, rows;   /* written so far */
  int failed, finished;
  char **keys; /* JSON lines: what stands before each value */
  /* Text on its way to the output. */
  char *text;
  size_t used, capacity;
};

anorank_status ank_writer_open(anorank_writer **out, const char *path, anorank_format format,
                               anorank_error *err);
anorank_status ank_writer_append(anorank_writer *writer, const anorank_table *block, anorank_error *err);
anorank_status ank_writer_commit(anorank_writer *writer, anorank_error *err);
void ank_writer_free(anorank_writer *writer);
anorank_status ank_table_write(const anorank_table *table, const char *path, anorank_format format,
                               anorank_error *err);

/* ---- for the classes ---- */

/* Bytes to the file, compressed if it is to be. */
anorank_status ank_writer_put(anorank_writer *writer, const void *bytes, size_t length, anorank_error *err);

/* Room for `length` more bytes at writer->text + writer->used; sends on what is there when it is much. */
anorank_status ank_writer_room(anorank_writer *writer, size_t length, anorank_error *err);
anorank_status ank_writer_flush(anorank_writer *writer, anorank_error *err);

/* Can bytes that were written be overwritten? */
int ank_writer_can_patch(const anorank_writer *writer);

/* ---- compression: packer.c ---- */

typedef enum ank_packing { ANK_PACK_GZIP, ANK_PACK_ZSTD } ank_packing;

anorank_status ank_packer_new(ank_packer **out, ank_packing packing, ank_output *output, anorank_error *err);
anorank_status ank_packer_write(ank_packer *packer, const void *bytes, size_t length, anorank_error *err);
/* The end of the stream. */
anorank_status ank_packer_finish(ank_packer *packer, anorank_error *err);
void ank_packer_free(ank_packer *packer);

#endif
