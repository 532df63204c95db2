/* arrow_arrays.h - Arrow arrays, schemas and streams built by hand, which count their releases. */
#ifndef TEST_SUPPORT_ARROW_ARRAYS_H
#define TEST_SUPPORT_ARROW_ARRAYS_H

#include <stdlib.h>
#include <string.h>

#include "anorank/arrow.h"
#include "support/check.h"

enum { ARROW_COLUMNS = 4, ARROW_BUFFERS = 5 };

/* What is alive: arrays, schemas and streams that were made and not yet released. Below 0: released twice. */
static int arrow_alive;

typedef struct arrow_pieces {
  const void *buffers[ARROW_BUFFERS];
  struct ArrowArray dictionary, child[ARROW_COLUMNS], *children[ARROW_COLUMNS];
} arrow_pieces;

static inline void arrow_release_array(struct ArrowArray *array) {
  arrow_pieces *pieces = array->private_data;
  arrow_alive--;
  if (pieces->dictionary.release) pieces->dictionary.release(&pieces->dictionary);
  for (int j = 0; j < ARROW_COLUMNS; j++)
    if (pieces->child[j].release) pieces->child[j].release(&pieces->child[j]);
  free(pieces);
  array->release = NULL;
}

/* Buffers are borrowed; `validity` may be NULL. */
static inline struct ArrowArray arrow_array(int64_t length, int64_t offset, const void *validity,
                                            const void *data, const void *text) {
  arrow_pieces *pieces = calloc(1, sizeof *pieces);
  pieces->buffers[0] = validity;
  pieces->buffers[1] = data;
  pieces->buffers[2] = text;
  arrow_alive++;
  return (struct ArrowArray){.length = length,
                             .null_count = validity ? -1 : 0,
                             .offset = offset,
                             .n_buffers = text ? 3 : 2,
                             .buffers = pieces->buffers,
                             .release = arrow_release_array,
                             .private_data = pieces};
}

static inline struct ArrowArray arrow_struct(int64_t length, int64_t offset, const void *validity,
                                             const struct ArrowArray *columns, int count) {
  struct ArrowArray out = arrow_array(length, offset, validity, NULL, NULL);
  arrow_pieces *pieces = out.private_data;
  for (int j = 0; j < count; j++) pieces->child[j] = columns[j], pieces->children[j] = &pieces->child[j];
  out.n_buffers = 1;
  out.n_children = count;
  out.children = pieces->children;
  return out;
}

static inline void arrow_set_dictionary(struct ArrowArray *array, struct ArrowArray dictionary) {
  arrow_pieces *pieces = array->private_data;
  pieces->dictionary = dictionary;
  array->dictionary = &pieces->dictionary;
}

typedef struct schema_pieces {
  char names[64], format[64];
  struct ArrowSchema dictionary, child[ARROW_COLUMNS], *children[ARROW_COLUMNS];
} schema_pieces;

static inline void arrow_release_schema(struct ArrowSchema *schema) {
  schema_pieces *pieces = schema->private_data;
  arrow_alive--;
  if (pieces->dictionary.release) pieces->dictionary.release(&pieces->dictionary);
  for (int j = 0; j < ARROW_COLUMNS; j++)
    if (pieces->child[j].release) pieces->child[j].release(&pieces->child[j]);
  free(pieces);
  schema->release = NULL;
}

static inline struct ArrowSchema arrow_schema(const char *name, const char *format) {
  schema_pieces *pieces = calloc(1, sizeof *pieces);
  snprintf(pieces->names, sizeof pieces->names, "%s", name);
  snprintf(pieces->format, sizeof pieces->format, "%s", format);
  arrow_alive++;
  return (struct ArrowSchema){.format = pieces->format,
                              .name = pieces->names,
                              .release = arrow_release_schema,
                              .private_data = pieces};
}

static inline struct ArrowSchema arrow_struct_schema(const struct ArrowSchema *columns, int count) {
  struct ArrowSchema out = arrow_schema("", "+s");
  schema_pieces *pieces = out.private_data;
  for (int j = 0; j < count; j++) pieces->child[j] = columns[j], pieces->children[j] = &pieces->child[j];
  out.n_children = count;
  out.children = pieces->children;
  return out;
}

static inline void arrow_set_dictionary_schema(struct ArrowSchema *schema, struct ArrowSchema dictionary) {
  schema_pieces *pieces = schema->private_data;
  pieces->dictionary = dictionary;
  schema->dictionary = &pieces->dictionary;
}

/* ---- streams ---- */

typedef struct arrow_queue {
  struct ArrowSchema schema;
  struct ArrowArray arrays[8];
  int count, next;
  int fails_at; /* get_next of that number fails with code 5; -1: the schema does; 99: never */
} arrow_queue;

static inline int arrow_queue_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out) {
  arrow_queue *queue = stream->private_data;
  if (queue->fails_at < 0) return 5;
  *out = queue->schema;
  queue->schema.release = NULL;
  return 0;
}

static inline int arrow_queue_next(struct ArrowArrayStream *stream, struct ArrowArray *out) {
  arrow_queue *queue = stream->private_data;
  if (queue->next == queue->fails_at) return 5;
  memset(out, 0, sizeof *out);
  if (queue->next == queue->count) return 0;
  *out = queue->arrays[queue->next];
  queue->arrays[queue->next++].release = NULL;
  return 0;
}

static inline const char *arrow_queue_error(struct ArrowArrayStream *stream) {
  (void)stream;
  return "the cable was cut";
}

static inline void arrow_queue_release(struct ArrowArrayStream *stream) {
  arrow_queue *queue = stream->private_data;
  arrow_alive--;
  if (queue->schema.release) queue->schema.release(&queue->schema);
  for (int i = 0; i < queue->count; i++)
    if (queue->arrays[i].release) queue->arrays[i].release(&queue->arrays[i]);
  free(queue);
  stream->release = NULL;
}

static inline struct ArrowArrayStream arrow_stream(struct ArrowSchema schema, const struct ArrowArray *arrays,
                                                   int count) {
  arrow_queue *queue = calloc(1, sizeof *queue);
  queue->schema = schema;
  for (int i = 0; i < count; i++) queue->arrays[i] = arrays[i];
  queue->count = count;
  queue->fails_at = 99;
  arrow_alive++;
  return (struct ArrowArrayStream){arrow_queue_schema, arrow_queue_next, arrow_queue_error,
                                   arrow_queue_release, queue};
}

#endif
