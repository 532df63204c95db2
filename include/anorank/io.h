/* io.h - read and write tables: formats, readers, writers, files. Conventions as in anorank.h. */
#ifndef ANORANK_IO_H
#define ANORANK_IO_H

#include "anorank/anorank.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- table files ------------------------------------------------------------------------------------- */

/* A file format. */
typedef struct anorank_format {
  const char *name;    /* as in the setting `input-format` */
  const char *help;    /* one line */
  const char *endings; /* file name extensions, separated by spaces */
  int reads, writes;   /* whether it can be read and written */
} anorank_format;

/* Return the i-th format, NULL past the last. */
ANORANK_API const anorank_format *anorank_format_at(size_t i);

/* Read a whole source: CSV, TSV, JSON lines, a JSON array, an Excel workbook (.xlsx), NPY or NPZ, plain or compressed by
 * gzip or zstd; "-" is standard input. A column is numeric if at least nine tenths of its filled cells in the first MiB
 * are numbers in one format, and a time if as many are dates or times of day. A later cell of another kind is an error
 * that names line and column. docs/files.md shows how cells are interpreted. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_table_read(anorank_table **out,
                                                                 const anorank_source *source,
                                                                 const anorank_settings *settings,
                                                                 anorank_error *err);

/* A reader returns a file in blocks of bounded memory. */
typedef struct anorank_reader anorank_reader;

/* Open a reader. All formats can be read in blocks (NPZ from memory or a callback is kept in memory). The
 * source struct may be discarded; its bytes and context are borrowed until the reader is freed. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_reader_open(anorank_reader **out,
                                                                  const anorank_source *source,
                                                                  const anorank_settings *settings,
                                                                  anorank_error *err);

/* Get the next block, or NULL in `*block` at the end. The reader owns the block, which is valid until the
 * next call or until the reader is freed. Levels keep their codes across blocks. A file without data rows
 * still opens; anorank_reader_schema has its columns. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_reader_next(anorank_reader *reader,
                                                                  const anorank_table **block,
                                                                  anorank_error *err);

/* Before the next block, discard the levels of every column with more than a thousand; their codes restart at 0. Call it
 * after each block if you keep no codes across blocks; otherwise the texts of a long file fill the memory. */
ANORANK_API void anorank_reader_reset_levels(anorank_reader *reader);

/* Prefetch: from the next call on, a separate thread reads, decompresses and parses the next block while the caller works
 * on the current one. Blocks, errors and notes come in the same order; blocks of the default size are half as large, so
 * that two use the memory of one. Levels are discarded before each block, as by anorank_reader_reset_levels. Read
 * callbacks run on that thread, progress callbacks on the caller's. Freeing the reader ends the thread. No effect with
 * `threads` 1, for blocks that `block-rows` makes larger than 8 MiB, or if no thread can be started. */
ANORANK_API void anorank_reader_prefetch(anorank_reader *reader);

/* Return names and kinds of the columns, as a table with the rows of the last block (none before the
 * first). */
ANORANK_API const anorank_table *anorank_reader_schema(const anorank_reader *reader);

ANORANK_API void anorank_reader_free(anorank_reader *reader);

/* A writer takes blocks with the same columns and writes them in a format: a name of anorank_format_at; NULL
 * or "auto" chooses by the extension of the sink's path or name, else CSV. A final .gz or .zst compresses.
 * Commit replaces the file; freeing a writer without commit keeps the old file. Standard output and callbacks
 * take NPY in one block only. Everything that the sink points to is borrowed until the writer is freed. */
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

/* Write a table: open, append, commit. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_table_write(const anorank_table *table,
                                                                  const anorank_sink *sink,
                                                                  const char *format, anorank_error *err);

/* A file for the caller's bytes, written atomically like that of a writer: it appears under its name at
 * commit. "-" is standard output; a final .gz or .zst compresses. */
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
