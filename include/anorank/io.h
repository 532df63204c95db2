/* io.h - read and write tables: formats, readers, writers, files. Conventions as in anorank.h. */
#ifndef ANORANK_IO_H
#define ANORANK_IO_H

#include "anorank/anorank.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- files of tables --------------------------------------------------------------------------------- */

/* A file format. */
typedef struct anorank_format {
  const char *name;    /* as in the setting `input-format` */
  const char *help;    /* one line */
  const char *endings; /* of file names, separated by spaces */
  int reads, writes;   /* can it be read, can it be written? */
} anorank_format;

/* NULL past the last. */
ANORANK_API const anorank_format *anorank_format_at(size_t i);

/* Read the whole of a source: CSV, TSV, JSON lines, a JSON array, an Excel workbook (.xlsx), NPY or NPZ, plain or
 * compressed by gzip or zstd; "-" is standard input. A column is numeric if at least nine tenths of its
 * filled cells in the first MiB are numbers, written in one way, and a time if so many are dates or times
 * of day; a cell that then is not one is an error that names line and column. docs/files.md says what
 * becomes of what. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_table_read(anorank_table **out,
                                                                 const anorank_source *source,
                                                                 const anorank_settings *settings,
                                                                 anorank_error *err);

/* A reader hands out a file in blocks of bounded memory. */
typedef struct anorank_reader anorank_reader;

/* Any format can be read in blocks (NPZ from memory or a callback is held in memory whole). The source itself may go;
 * its bytes and context are borrowed until the reader is freed. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_reader_open(anorank_reader **out,
                                                                  const anorank_source *source,
                                                                  const anorank_settings *settings,
                                                                  anorank_error *err);

/* The next block, NULL in `*block` at the end. The block belongs to the reader and lives until the next call
 * or the reader's end; levels keep their codes from block to block. A file without rows of data still opens;
 * its columns are those of the table that anorank_reader_schema lends. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_reader_next(anorank_reader *reader,
                                                                  const anorank_table **block,
                                                                  anorank_error *err);

/* Before the next block, forget the levels of every column that has more than a thousand of them; their codes
 * then begin anew. For those who keep no codes from block to block: else the names in a long file fill the
 * memory. Call it after each block. */
ANORANK_API void anorank_reader_reset_levels(anorank_reader *reader);

/* From the next call on, read the block after on a thread of its own while the caller works on this one: reading,
 * decompressing and parsing then overlap with the caller's work. Blocks, errors and notes come in the same order;
 * blocks of the usual size are half as large, so that two take the memory of one. Levels are forgotten before each
 * block, as by anorank_reader_reset_levels. A function that fetches bytes is called on that
 * thread; progress is told on the caller's as ever. Freeing the reader ends the thread. Nothing happens with `threads`
 * 1, for blocks that `block-rows` makes larger than 8 MiB, or where no thread can be had. */
ANORANK_API void anorank_reader_prefetch(anorank_reader *reader);

/* Names and kinds of the columns: a table whose rows are those of the last block (none before the first). */
ANORANK_API const anorank_table *anorank_reader_schema(const anorank_reader *reader);

ANORANK_API void anorank_reader_free(anorank_reader *reader);

/* A writer takes blocks with the same columns and writes them in a format: a name of anorank_format_at; NULL or "auto"
 * goes by the ending of the sink's path or name, else CSV. A last ending .gz or .zst compresses. All is written at
 * commit; freeing a writer without it leaves what was there before. Standard output and functions take NPY in one block
 * only. What the sink points to is borrowed until the writer is freed. */
typedef struct anorank_writer anorank_writer;

ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_writer_open(anorank_writer **out,
                                                                  const anorank_sink *sink,
                                                                  const char *format, anorank_error *err);
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_writer_append(anorank_writer *writer,
                                                                    const anorank_table *block,
                                                                    anorank_error *err);
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_writer_commit(anorank_writer *writer,
                                                                    anorank_error *err);
ANORANK_API void anorank_writer_free(anorank_writer *writer);

/* open, append, commit. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_table_write(const anorank_table *table,
                                                                  const anorank_sink *sink,
                                                                  const char *format, anorank_error *err);

/* A file of bytes of your own that appears whole or not at all, as a writer's does: under its name only at
 * commit; "-" is standard output; a last ending .gz or .zst compresses. */
typedef struct anorank_file anorank_file;

ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_file_open(anorank_file **out, const char *path,
                                                                anorank_error *err);
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_file_write(anorank_file *file, const void *bytes,
                                                                 size_t length, anorank_error *err);
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_file_commit(anorank_file *file, anorank_error *err);
ANORANK_API void anorank_file_free(anorank_file *file);

#ifdef __cplusplus
}
#endif
#endif
