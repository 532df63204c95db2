/* arrow_write.c - a table as an Arrow stream of one array.
 *
 * Consumers may move columns out of the array and release each on any thread. So every array and every schema
 * owns exactly its own memory. The struct of a child belongs to its parent; the memory it points to belongs
 * to the child. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "anorank/arrow.h"
#include "core/alloc.h"
#include "table/cell_text.h"
#include "table/cells.h"

#define COLUMN_BUFFERS 3

/* ---- what arrays and schemas own --------------------------------------------------------------------- */

/* Allocate `count` pointers to zeroed structs of `size` bytes, which follow them in one block of memory. */
static anorank_status make_children(void *out, size_t count, size_t size, anorank_error *err) {
  char **children = NULL;
  if (count > 0) ANK_CHECK(ank_alloc(&children, count, sizeof *children + size, err));
  for (size_t j = 0; j < count; j++) children[j] = (char *)(children + count) + j * size;
  memcpy(out, &children, sizeof children);
  return ANORANK_OK;
}

typedef struct array_own {
  void *buffers[COLUMN_BUFFERS];
  struct ArrowArray dictionary; /* release NULL: none */
} array_own;

static void release_array(struct ArrowArray *array) {
  array_own *own = array->private_data;
  for (int64_t i = 0; i < COLUMN_BUFFERS; i++) ank_free(own->buffers[i]);
  if (own->dictionary.release) own->dictionary.release(&own->dictionary);
  for (int64_t i = 0; array->children && i < array->n_children; i++)
    if (array->children[i]->release) array->children[i]->release(array->children[i]);
  ank_free(array->children);
  ank_free(own);
  array->release = NULL;
}

/* Start an array of `rows` rows whose buffers are still NULL; from now on it must be released. */
static anorank_status begin_array(struct ArrowArray *out, array_own **own, size_t rows, size_t buffers,
                                  size_t children, anorank_error *err) {
  *out = (struct ArrowArray){0};
  ANK_CHECK(ank_alloc(own, 1, sizeof **own, err));
  *out = (struct ArrowArray){.length = (int64_t)rows,
                             .n_buffers = (int64_t)buffers,
                             .n_children = (int64_t)children,
                             .buffers = (const void **)(*own)->buffers,
                             .release = release_array,
                             .private_data = *own};
  return make_children(&out->children, children, sizeof *out, err);
}

typedef struct schema_own {
  char *name, format[16];
  struct ArrowSchema dictionary;
} schema_own;

static void release_schema(struct ArrowSchema *schema) {
  schema_own *own = schema->private_data;
  if (own->dictionary.release) own->dictionary.release(&own->dictionary);
  for (int64_t i = 0; schema->children && i < schema->n_children; i++)
    if (schema->children[i]->release) schema->children[i]->release(schema->children[i]);
  ank_free(schema->children);
  ank_free(own->name);
  ank_free(own);
  schema->release = NULL;
}

static anorank_status begin_schema(struct ArrowSchema *out, const char *name, const char *format,
                                   size_t children, anorank_error *err) {
  schema_own *own;
  *out = (struct ArrowSchema){0};
  ANK_CHECK(ank_alloc(&own, 1, sizeof *own, err));
  snprintf(own->format, sizeof own->format, "%s", format);
  *out = (struct ArrowSchema){.format = own->format,
                              .flags = children ? 0 : ARROW_FLAG_NULLABLE,
                              .n_children = (int64_t)children,
                              .release = release_schema,
                              .private_data = own};
  ANK_CHECK(ank_copy_text(&own->name, name, strlen(name), err));
  out->name = own->name;
  return make_children(&out->children, children, sizeof *out, err);
}

static anorank_status add_dictionary(struct ArrowSchema *to, const char *format, anorank_error *err) {
  to->dictionary = &((schema_own *)to->private_data)->dictionary;
  return begin_schema(to->dictionary, "", format, 0, err);
}

/* On failure `out` keeps what it has so far, for its release. */
static anorank_status copy_schema(struct ArrowSchema *out, const struct ArrowSchema *from,
                                  anorank_error *err) {
  ANK_CHECK(begin_schema(out, from->name, from->format, (size_t)from->n_children, err));
  for (int64_t j = 0; j < from->n_children; j++)
    ANK_CHECK(copy_schema(out->children[j], from->children[j], err));
  return from->dictionary ? add_dictionary(out, from->dictionary->format, err) : ANORANK_OK;
}

/* ---- cells ------------------------------------------------------------------------------------------- */

static anorank_status put_bitmap(struct ArrowArray *out, array_own *own, const ank_column *column,
                                 size_t rows, anorank_error *err) {
  size_t missing = 0;
  uint8_t *bits;
  for (size_t i = 0; i < rows; i++) missing += (size_t)ank_cell_is_missing(column, i);
  out->null_count = (int64_t)missing;
  if (missing == 0) return ANORANK_OK;
  ANK_CHECK(ank_alloc(&own->buffers[0], rows / 8 + 1, 1, err));
  bits = own->buffers[0];
  for (size_t i = 0; i < rows; i++)
    if (!ank_cell_is_missing(column, i)) bits[i >> 3] |= (uint8_t)(1 << (i & 7));
  return ANORANK_OK;
}

static void store(void *buffer, size_t i, int64_t value, int wide) {
  if (wide)
    ((int64_t *)buffer)[i] = value;
  else
    ((int32_t *)buffer)[i] = (int32_t)value;
}

static anorank_status put_times(array_own *own, const ank_column *column, size_t rows, anorank_error *err) {
  int days = column->resolution == ANORANK_DAYS;
  char quoted[ANK_QUOTE_SIZE];
  anorank_status status = ank_alloc_raw(&own->buffers[1], rows, days ? 4 : 8, err);
  for (size_t i = 0; i < rows && status == ANORANK_OK; i++) {
    int64_t steps = 0;
    if (!ank_cell_is_missing(column, i) && !ank_time_steps(&steps, column->numbers[i], column->resolution))
      status = ank_fail(err, ANORANK_ERROR_DATA, "arrow-time-range",
                        "column '%s', row %zu: the time is outside the range of Arrow timestamps",
                        ank_quote(quoted, column->name, strlen(column->name)), i + 1);
    store(own->buffers[1], i, steps, !days);
  }
  return status;
}

static size_t level_bytes(const ank_levels *levels) {
  size_t bytes = 0;
  for (size_t k = 0; k < levels->count; k++) bytes += strlen(levels->text[k]);
  return bytes;
}

static int is_large(const ank_levels *levels) { return level_bytes(levels) > INT32_MAX; }

static anorank_status put_levels(struct ArrowArray *out, const ank_levels *levels, anorank_error *err) {
  array_own *own;
  int large = is_large(levels);
  size_t used = 0;
  ANK_CHECK(begin_array(out, &own, levels->count, 3, 0, err));
  ANK_CHECK(ank_alloc(&own->buffers[1], levels->count + 1, large ? 8 : 4, err));
  ANK_CHECK(ank_alloc(&own->buffers[2], level_bytes(levels), 1, err));
  for (size_t k = 0; k < levels->count; k++) {
    size_t length = strlen(levels->text[k]);
    memcpy((char *)own->buffers[2] + used, levels->text[k], length);
    used += length;
    store(own->buffers[1], k + 1, (int64_t)used, large);
  }
  return ANORANK_OK;
}

static anorank_status put_column(struct ArrowArray *out, const ank_column *column, size_t rows,
                                 anorank_error *err) {
  array_own *own;
  ANK_CHECK(begin_array(out, &own, rows, 2, 0, err));
  ANK_CHECK(put_bitmap(out, own, column, rows, err));
  if (column->kind == ANORANK_TIME) {
    ANK_CHECK(put_times(own, column, rows, err));
  } else if (column->kind == ANORANK_NUMERIC) {
    ANK_CHECK(ank_alloc_raw(&own->buffers[1], rows, sizeof(double), err));
    if (rows > 0) memcpy(own->buffers[1], column->numbers, rows * sizeof(double));
  } else {
    ANK_CHECK(ank_alloc_raw(&own->buffers[1], rows, sizeof(int32_t), err));
    for (size_t i = 0; i < rows; i++)
      ((int32_t *)own->buffers[1])[i] = column->codes[i] < 0 ? 0 : column->codes[i];
    ANK_CHECK(put_levels(&own->dictionary, &column->levels, err));
    out->dictionary = &own->dictionary;
  }
  return ANORANK_OK;
}

/* ---- the stream -------------------------------------------------------------------------------------- */

typedef struct stream_own {
  struct ArrowArray array; /* release NULL: returned already */
  struct ArrowSchema schema;
  anorank_error err;
} stream_own;

static void release_stream(struct ArrowArrayStream *stream) {
  stream_own *own = stream->private_data;
  if (own->array.release) own->array.release(&own->array);
  if (own->schema.release) own->schema.release(&own->schema);
  ank_free(own);
  stream->release = NULL;
}

static anorank_status put_schema(struct ArrowSchema *out, const ank_column *column, anorank_error *err) {
  static const char *const times[] = {"tdD", "tss:UTC", "tsm:UTC", "tsu:UTC", "tsn:UTC"};
  const char *format = column->kind == ANORANK_NUMERIC ? "g"
                       : column->kind == ANORANK_TIME  ? times[column->resolution]
                                                       : "i";
  ANK_CHECK(begin_schema(out, column->name, format, 0, err));
  if (column->kind != ANORANK_CATEGORICAL) return ANORANK_OK;
  return add_dictionary(out, is_large(&column->levels) ? "U" : "u", err);
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out) {
  stream_own *own = stream->private_data;
  if (copy_schema(out, &own->schema, &own->err) == ANORANK_OK) return 0;
  if (out->release) out->release(out);
  return ENOMEM;
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out) {
  stream_own *own = stream->private_data;
  *out = own->array;
  own->array = (struct ArrowArray){0};
  return 0;
}

static const char *get_last_error(struct ArrowArrayStream *stream) {
  const stream_own *own = stream->private_data;
  return own->err.message[0] ? own->err.message : NULL;
}

anorank_status anorank_table_to_arrow_stream(struct ArrowArrayStream *out, const anorank_table *table,
                                             anorank_error *err) {
  anorank_status status = ANORANK_OK;
  stream_own *stream;
  array_own *own;
  ANK_NEED(out);
  *out = (struct ArrowArrayStream){0};
  ANK_NEED(table);
  ANK_TRY(ank_alloc(&stream, 1, sizeof *stream, err));
  *out = (struct ArrowArrayStream){get_schema, get_next, get_last_error, release_stream, stream};
  ANK_TRY(begin_schema(&stream->schema, "", "+s", table->columns, err));
  ANK_TRY(begin_array(&stream->array, &own, table->rows, 1, table->columns, err));
  for (size_t j = 0; j < table->columns; j++) {
    ANK_TRY(put_schema(stream->schema.children[j], &table->column[j], err));
    ANK_TRY(put_column(stream->array.children[j], &table->column[j], table->rows, err));
  }
done:
  if (status != ANORANK_OK && out->release) out->release(out);
  return status;
}
