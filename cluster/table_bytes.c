/* table_bytes.c - see table_bytes.h. */
#include "anorank/io.h"
#include "table_bytes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *without_packing(const char *name) {
  static const char *const endings[] = {".gz", ".zst"};
  char *bare = strdup(name);
  for (size_t i = 0; bare && i < sizeof endings / sizeof endings[0]; i++) {
    size_t length = strlen(bare), end = strlen(endings[i]);
    if (length > end && strcmp(bare + length - end, endings[i]) == 0) bare[length - end] = '\0';
  }
  return bare;
}

anorank_status table_bytes_open(table_bytes *out, const char *path, const char *format, anorank_error *err) {
  const char *name = strcmp(path, "-") == 0 ? "standard output" : path;
  *out = (table_bytes){.name = name, .format = format, .bare = without_packing(name)};
  return out->bare ? ANORANK_OK : team_fail(err, ANORANK_ERROR_RESOURCES, "out of memory");
}

void table_bytes_free(table_bytes *bytes) {
  anorank_bytes_free(bytes->head);
  free(bytes->bare);
  *bytes = (table_bytes){0};
}

anorank_status table_bytes_make(unsigned char **out, size_t *length, const table_bytes *bytes,
                                const anorank_table *block, anorank_error *err) {
  anorank_writer *writer = NULL;
  *out = NULL;
  *length = 0;
  anorank_status status = anorank_writer_open_memory(&writer, bytes->bare, bytes->format, err);
  if (status == ANORANK_OK) status = anorank_writer_append(writer, block, err);
  if (status == ANORANK_OK) status = anorank_writer_commit(writer, err);
  if (status == ANORANK_OK) status = anorank_writer_take(out, length, writer, err);
  anorank_writer_free(writer);
  return status;
}

anorank_status table_bytes_set_head(table_bytes *bytes, const anorank_table *empty, anorank_error *err) {
  return table_bytes_make(&bytes->head, &bytes->head_length, bytes, empty, err);
}

anorank_status table_bytes_count(const table_bytes *bytes, joint_file *file, uint64_t rows,
                                 anorank_error *err) {
  static const char magic[] = "\x93NUMPY", before[] = "'shape': (0, ";
  unsigned char head[128];
  char shape[64];
  if (bytes->head_length != sizeof head || memcmp(bytes->head, magic, sizeof magic - 1) != 0)
    return ANORANK_OK;
  if (!joint_can_patch(file))
    return team_fail(
        err, ANORANK_ERROR_USAGE,
        "%s: an NPY file begins with its number of rows, and this output cannot be rewound: write all "
        "rows in one block, to an uncompressed file, or as CSV",
        bytes->name);
  const char *at = memmem(bytes->head, sizeof head, before, sizeof before - 1);
  if (!at) return ANORANK_OK;
  size_t kept = (size_t)(at - (const char *)bytes->head), rest = kept + sizeof before - 1;
  int length = snprintf(shape, sizeof shape, "'shape': (%llu, ", (unsigned long long)rows);
  memcpy(head, bytes->head, kept);
  memcpy(head + kept, shape, (size_t)length);
  memcpy(head + kept + (size_t)length, bytes->head + rest,
         sizeof head - kept - (size_t)length); /* ends in blanks, */
  head[sizeof head - 1] = '\n';
  return joint_patch(file, head, sizeof head, err);
}
