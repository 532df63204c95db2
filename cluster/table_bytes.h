/* table_bytes.h - blocks of a table as the bytes of one file: what it begins with, then the rows of each block. */
#ifndef CLUSTER_TABLE_BYTES_H
#define CLUSTER_TABLE_BYTES_H

#include "joint_file.h"

typedef struct table_bytes {
  const char *name;    /* of the output, for messages */
  const char *format;  /* NULL: by the ending */
  char *bare;          /* the name without the ending of what compresses it, which is done later */
  unsigned char *head; /* what the file begins with, and every block that is made bytes of */
  size_t head_length;
} table_bytes;

/* `path`: of the output, "-" for standard output. */
anorank_status table_bytes_open(table_bytes *out, const char *path, const char *format, anorank_error *err);
void table_bytes_free(table_bytes *bytes);

/* A block as bytes, its head among them. The first one, without rows, becomes the head of all. */
anorank_status table_bytes_make(unsigned char **out, size_t *length, const table_bytes *bytes,
                                const anorank_table *block, anorank_error *err);
anorank_status table_bytes_set_head(table_bytes *bytes, const anorank_table *empty, anorank_error *err);

/* Collective: the head of an NPY file has the number of rows, which is known last. Nothing for other files. */
anorank_status table_bytes_count(const table_bytes *bytes, joint_file *file, uint64_t rows,
                                 anorank_error *err);

#endif
