/* arrow_read.c - Arrow streams and arrays as readers.
 *
 * A stream, or an array with its schema, is moved into an arrow_state first, even if the call is invalid. So
 * its release is called exactly once in all cases. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "table/arrow_type.h"

typedef struct arrow_state {
  struct ArrowArrayStream stream; /* release NULL: a single array */
  struct ArrowSchema schema;
  struct ArrowArray array; /* current array; release NULL: none */
  int64_t next;            /* its next row */
  int is_struct, ended;
  size_t columns;
  ank_arrow_column *column;
} arrow_state;

static void release_array(struct ArrowArray *array) {
  if (array->release) array->release(array);
  memset(array, 0, sizeof *array);
}

static void release_all(arrow_state *state) {
  for (size_t j = 0; state->column && j < state->columns; j++) ank_free(state->column[j].name);
  ank_free(state->column);
  release_array(&state->array);
  if (state->schema.release) state->schema.release(&state->schema);
  if (state->stream.release) state->stream.release(&state->stream);
}

static void end(void *context) {
  release_all(context);
  ank_free(context);
}

/* ---- columns ----------------------------------------------------------------------------------------- */

static anorank_status stream_failed(arrow_state *state, int code, anorank_error *err) {
  const char *why = state->stream.get_last_error ? state->stream.get_last_error(&state->stream) : NULL;
  return ank_fail(err, code == ENOMEM ? ANORANK_ERROR_RESOURCES : ANORANK_ERROR_DATA, "arrow-stream",
                  "the Arrow stream failed with code %d: %s", code, why ? why : "it does not say why");
}

static const struct ArrowSchema *schema_of(const arrow_state *state, size_t j) {
  return state->is_struct ? state->schema.children[j] : &state->schema;
}

static anorank_status make_columns(anorank_table **out, arrow_state *state, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_table *table = NULL;
  const struct ArrowSchema *schema = &state->schema;
  *out = NULL;
  if (!schema->format || !schema->release)
    ANK_FAIL(ANORANK_ERROR_DATA, "arrow-released",
             "the Arrow schema is empty or already released; export it again");
  state->is_struct = strcmp(schema->format, "+s") == 0;
  if (state->is_struct && (schema->n_children < 1 || !schema->children))
    ANK_FAIL(ANORANK_ERROR_DATA, "arrow-no-columns",
             "the Arrow schema has no columns; export a table with some");
  state->columns = state->is_struct ? (size_t)schema->n_children : 1;
  ANK_TRY(ank_table_new(&table, state->columns, err));
  ANK_TRY(ank_alloc(&state->column, state->columns, sizeof *state->column, err));
  for (size_t j = 0; j < state->columns; j++) {
    ank_arrow_column *column = &state->column[j];
    ANK_TRY(ank_arrow_column_of(column, schema_of(state, j), j, err));
    ANK_TRY(ank_table_set_name(table, j, column->name, strlen(column->name), err));
    ank_table_set_kind(table, j, column->values.kind);
    table->column[j].resolution = column->values.days ? ANORANK_DAYS : column->values.resolution;
  }
  *out = table;
  table = NULL;
done:
  ank_table_free(table);
  return status;
}

/* ---- rows -------------------------------------------------------------------------------------------- */

static const struct ArrowArray *array_of(const arrow_state *state, size_t j) {
  return state->is_struct ? state->array.children[j] : &state->array;
}

/* Return the first row of a column: a struct's offset applies to its children. A column's own offset is added
 * where its cells are read. */
static int64_t rows_from(const arrow_state *state) { return state->is_struct ? state->array.offset : 0; }

static anorank_status check_array(const arrow_state *state, anorank_error *err) {
  const struct ArrowArray *array = &state->array;
  if (state->is_struct) {
    if (array->n_children != (int64_t)state->columns || !array->children)
      return ank_fail(err, ANORANK_ERROR_DATA, "arrow-malformed",
                      "an Arrow array has %lld columns but its schema has %zu; export both from one table",
                      (long long)array->n_children, state->columns);
    if (array->n_buffers != 1 || !array->buffers)
      return ank_fail(err, ANORANK_ERROR_DATA, "arrow-malformed",
                      "the struct array of an Arrow table has %lld buffers instead of 1; export it again",
                      (long long)array->n_buffers);
    if (array->length < 0 || array->offset < 0 || array->offset > INT64_MAX - array->length)
      return ank_fail(err, ANORANK_ERROR_DATA, "arrow-malformed",
                      "the length or offset of an Arrow array is negative or too large; export it again");
  }
  for (size_t j = 0; j < state->columns; j++) {
    const ank_arrow_column *column = &state->column[j];
    const ank_arrow_type *type = column->has_dictionary ? &column->indices : &column->values;
    const struct ArrowArray *one = array_of(state, j);
    ANK_CHECK(ank_arrow_check(type, one, rows_from(state) + array->length, column->name, err));
    if (column->has_dictionary)
      ANK_CHECK(ank_arrow_check(&column->values, one->dictionary, 0, column->name, err));
  }
  return ANORANK_OK;
}

/* Get the next array with rows, or the end. */
static anorank_status fetch(arrow_state *state, anorank_error *err) {
  while (!state->ended && state->next >= state->array.length) {
    release_array(&state->array);
    state->next = 0;
    int code = state->stream.release ? state->stream.get_next(&state->stream, &state->array) : 0;
    if (code) {
      state->array.release = NULL; /* on failure it is empty */
      return stream_failed(state, code, err);
    }
    state->ended = state->array.release == NULL;
    if (!state->ended) ANK_CHECK(check_array(state, err));
  }
  return ANORANK_OK;
}

/* Set rows that are null in the struct itself to missing in every column. */
static void mask_rows(anorank_table *table, const arrow_state *state, size_t count) {
  const struct ArrowArray *array = &state->array;
  if (!state->is_struct || array->null_count == 0 || !array->buffers[0]) return;
  for (size_t i = 0; i < count; i++) {
    if (ank_bit(array->buffers[0], (size_t)(array->offset + state->next) + i)) continue;
    for (size_t j = 0; j < table->columns; j++)
      if (table->column[j].kind == ANORANK_CATEGORICAL)
        table->column[j].codes[table->rows + i] = -1;
      else
        table->column[j].numbers[table->rows + i] = NAN;
  }
}

static anorank_status append_rows(void *context, anorank_table *table, size_t most, anorank_error *err) {
  arrow_state *state = context;
  while (most > 0) {
    ANK_CHECK(fetch(state, err));
    if (state->ended) break;
    int64_t left = state->array.length - state->next;
    size_t count = (uint64_t)left < most ? (size_t)left : most;
    ANK_CHECK(ank_table_reserve(table, table->rows + count, err));
    for (size_t j = 0; j < state->columns; j++)
      ANK_CHECK(ank_arrow_cells(&table->column[j], table->rows, &state->column[j], array_of(state, j),
                                rows_from(state) + state->next, (int64_t)count, err));
    mask_rows(table, state, count);
    table->rows += count;
    state->next += (int64_t)count;
    most -= count;
  }
  return ANORANK_OK;
}

/* Return the number of rows, known only for a single array. */
static size_t count_rows(const void *context) {
  const arrow_state *state = context;
  return state->stream.release ? SIZE_MAX : (size_t)state->array.length;
}

static const ank_reader_class arrow_class = {NULL, append_rows, count_rows, end, 0};

/* ---- opening ----------------------------------------------------------------------------------------- */

/* Open a reader over `moved`, and take ownership of it. */
static anorank_status open_reader(anorank_reader **out, arrow_state *moved, const char *name,
                                  const anorank_settings *settings, anorank_error *err) {
  anorank_table *table = NULL;
  arrow_state *state = NULL;
  anorank_status status = ank_alloc(&state, 1, sizeof *state, err);
  if (status != ANORANK_OK) {
    release_all(moved);
    return status;
  }
  *state = *moved;
  if (state->stream.release) {
    int code = state->stream.get_schema(&state->stream, &state->schema);
    if (code) {
      state->schema.release = NULL;
      ANK_TRY(stream_failed(state, code, err));
    }
  }
  ANK_TRY(make_columns(&table, state, err));
  if (state->array.release) ANK_TRY(check_array(state, err));
  return ank_reader_over(out, &arrow_class, state, table, name, ank_settings_or_default(settings), err);
done:
  ank_table_free(table);
  end(state);
  return status;
}

anorank_status anorank_reader_open_arrow(anorank_reader **out, struct ArrowArrayStream *stream,
                                         const anorank_settings *settings, anorank_error *err) {
  arrow_state moved = {0};
  if (stream) {
    moved.stream = *stream;
    stream->release = NULL;
  }
  if (out) *out = NULL;
  if (out && moved.stream.release && moved.stream.get_schema && moved.stream.get_next)
    return open_reader(out, &moved, "the Arrow stream", settings, err);
  release_all(&moved);
  ANK_NEED(out);
  ANK_NEED(stream);
  return ank_fail(err, ANORANK_ERROR_USAGE, "arrow-released",
                  "the Arrow stream is already released, or lacks a callback");
}

anorank_status anorank_table_from_arrow_stream(anorank_table **out, struct ArrowArrayStream *stream,
                                               const anorank_settings *settings, anorank_error *err) {
  anorank_reader *reader;
  if (out) *out = NULL;
  anorank_status status = anorank_reader_open_arrow(out ? &reader : NULL, stream, settings, err);
  return status == ANORANK_OK ? ank_reader_drain(out, reader, err) : status;
}

anorank_status anorank_table_from_arrow(anorank_table **out, struct ArrowArray *array,
                                        struct ArrowSchema *schema, const anorank_settings *settings,
                                        anorank_error *err) {
  arrow_state moved = {0};
  anorank_reader *reader;
  if (array) {
    moved.array = *array;
    array->release = NULL;
  }
  if (schema) {
    moved.schema = *schema;
    schema->release = NULL;
  }
  if (out) *out = NULL;
  if (out && moved.array.release && moved.schema.release) {
    ANK_CHECK(open_reader(&reader, &moved, "the Arrow array", settings, err));
    return ank_reader_drain(out, reader, err);
  }
  release_all(&moved);
  ANK_NEED(out);
  ANK_NEED(array);
  ANK_NEED(schema);
  return ank_fail(err, ANORANK_ERROR_USAGE, "arrow-released",
                  "the Arrow array or its schema is already released; export it again");
}
