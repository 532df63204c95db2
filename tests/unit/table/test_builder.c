/* Tables from arrays in memory, and tables, readers and writers over bytes and callbacks. */
#include "support/formats.h"
#include "table/cells.h"

/* ---- the builder ---- */

static anorank_builder *new_builder(size_t rows) {
  anorank_builder *builder;
  assert_ok(anorank_builder_new(&builder, rows, NULL));
  return builder;
}

static anorank_table *finish(anorank_builder *builder) {
  anorank_table *table;
  assert_ok(anorank_builder_finish(&table, builder, NULL));
  anorank_builder_free(builder);
  return table;
}

TEST(arrays_of_every_type_become_numbers) {
  static const double f64[] = {1, 2, NAN};
  static const float f32[] = {1, 2, NAN};
  static const uint16_t f16[] = {0x3C00, 0x4000, 0x7E00};
  static const int64_t i64[] = {1, 2, INT64_MAX};
  static const int32_t i32[] = {1, 2, 0};
  static const int16_t i16[] = {1, 2, 0};
  static const int8_t i8[] = {1, 2, 0};
  static const uint64_t u64[] = {1, 2, UINT64_MAX};
  static const uint32_t u32[] = {1, 2, 0};
  static const uint16_t u16[] = {1, 2, 0};
  static const uint8_t u8[] = {1, 2, 0}, flags[] = {1, 2, 0}, valid[] = {0x03};
  static const void *const arrays[] = {f64, f32, f16, i64, i32, i16, i8, u64, u32, u16, u8, flags};
  anorank_builder *builder = new_builder(3);
  for (int type = ANORANK_FLOAT64; type <= ANORANK_BOOL; type++)
    assert_ok(anorank_builder_numbers(builder, "n", (anorank_type)type, arrays[type],
                                      (ptrdiff_t)ank_type_size((anorank_type)type),
                                      type > ANORANK_FLOAT16 ? valid : NULL, NULL));
  scoped_table *table = finish(builder);
  assert_int_equal(anorank_table_columns(table), 12);
  assert_string_equal(anorank_table_name(table, 11), "n_12");
  for (size_t j = 0; j < 12; j++) {
    const double *x = anorank_table_numbers(table, j);
    assert_close(x[0], 1, 0);
    assert_close(x[1], j == ANORANK_BOOL ? 1 : 2, 0);
    assert_true(isnan(x[2]));
  }
}

/* Any strides, at any address, forward and backward: as one would read them one by one. */
TEST(strides_go_both_ways_and_need_no_alignment) {
  unsigned char bytes[200];
  for (ptrdiff_t stride = -17; stride <= 17; stride++) {
    for (size_t i = 0; i < 200; i++) bytes[i] = 0;
    const unsigned char *first = bytes + (stride < 0 ? 9 * -stride : 0) + 1;
    if (stride > -8 && stride < 8) continue;
    for (int i = 0; i < 10; i++) {
      int64_t value = i * i - 20;
      memcpy(bytes + (first - bytes) + i * stride, &value, 8);
    }
    anorank_builder *builder = new_builder(10);
    assert_ok(anorank_builder_numbers(builder, NULL, ANORANK_INT64, first, stride, NULL, NULL));
    scoped_table *table = finish(builder);
    assert_string_equal(anorank_table_name(table, 0), "x1");
    for (int i = 0; i < 10; i++) assert_close(anorank_table_numbers(table, 0)[i], i * i - 20, 0);
  }
}

TEST(matrices_agree_with_columns) {
  enum { ROWS = 1000, COLUMNS = 7 };
  static float values[ROWS][COLUMNS];
  static const char *const names[COLUMNS] = {"a", "b", "a", NULL, "", "x9", "z"};
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) values[i][j] = (float)(i * 31 % 101 + j) / 7;
  anorank_builder *builder = new_builder(ROWS), *other = new_builder(ROWS);
  assert_ok(anorank_builder_matrix(builder, names, COLUMNS, ANORANK_FLOAT32, values, sizeof values[0],
                                   sizeof values[0][0], NULL));
  for (int j = 0; j < COLUMNS; j++)
    assert_ok(anorank_builder_numbers(other, names[j], ANORANK_FLOAT32, &values[0][j], sizeof values[0], NULL,
                                      NULL));
  scoped_table *table = finish(builder), *again = finish(other);
  assert_same_table(table, again);
  assert_close(anorank_table_numbers(table, 6)[999], (double)values[999][6], 0);
}

TEST(times_and_texts_are_kept) {
  static const int32_t days[] = {0, 19844, -1};
  static const double seconds[] = {0.25, NAN, 1e9};
  static const int32_t codes[] = {2, -1, 0};
  static const char *const levels[] = {"red", "never", "blue"}, *const texts[] = {"ab", NULL, "ac"};
  static const size_t lengths[] = {1, 0, 2};
  static const uint8_t valid[] = {0x05};
  anorank_builder *builder = new_builder(3);
  assert_ok(anorank_builder_times(builder, "day", ANORANK_DAYS, ANORANK_INT32, days, 4, valid, NULL));
  assert_ok(
      anorank_builder_times(builder, "at", ANORANK_MILLISECONDS, ANORANK_FLOAT64, seconds, 8, NULL, NULL));
  assert_ok(anorank_builder_codes(builder, "colour", codes, 4, NULL, levels, NULL, 3, NULL));
  assert_ok(anorank_builder_codes(builder, "cut", codes, 4, valid, levels, lengths, 3, NULL));
  assert_ok(anorank_builder_texts(builder, "text", texts, NULL, NULL, NULL));
  assert_ok(anorank_builder_texts(builder, "short", texts, lengths, valid, NULL));
  scoped_table *table = finish(builder);
  static const char *const expected[6][3] = {{"1970-01-01", "", "1969-12-31"},
                                             {"1970-01-01T00:00:00.000Z", "", "1970-01-12T13:46:40.000Z"},
                                             {"blue", "", "red"},
                                             {"bl", "", "r"},
                                             {"ab", "", "ac"},
                                             {"a", "", "ac"}};
  for (size_t j = 0; j < 6; j++)
    for (size_t i = 0; i < 3; i++) {
      char cell[64];
      (void)anorank_table_text(table, j, i, cell, sizeof cell);
      assert_string_equal(cell, expected[j][i]);
    }
  assert_int_equal(anorank_table_levels(table, 2), 2); /* by first appearance, and none that no row has */
  assert_string_equal(anorank_table_level(table, 2, 0), "blue");
}

TEST(columns_of_another_table_are_copied_with_its_notes) {
  static const char text[] =
      "n;c;t;m\n1,5;red;31.12.2025;12:00:00.250\n;blue;;\n2,5;red;1.1.2025;13:00:00.125\n";
  scoped_table *from, *to;
  anorank_error err = {0};
  assert_ok(anorank_table_read(&from, ANORANK_FROM_MEMORY(text, sizeof text - 1, "x.csv"), NULL, NULL));
  assert_true(anorank_notes_count(&from->notes) > 0);
  anorank_builder *builder = new_builder(3), *short_one = new_builder(2);
  for (size_t j = 4; j-- > 0;)
    assert_ok(anorank_builder_column(builder, anorank_table_name(from, j), from, j, NULL));
  assert_ok(anorank_builder_notes(builder, from, NULL));
  assert_status(anorank_builder_column(builder, "x", from, 4, &err), ANORANK_ERROR_USAGE);
  assert_fails(anorank_builder_column(short_one, "x", from, 0, &err), ANORANK_ERROR_USAGE,
               "table-copy-shape");
  anorank_builder_free(short_one);
  to = finish(builder);
  for (size_t j = 0; j < 4; j++) {
    assert_string_equal(anorank_table_name(to, 3 - j), anorank_table_name(from, j));
    assert_int_equal(anorank_table_kind(to, 3 - j), anorank_table_kind(from, j));
    assert_int_equal(to->column[3 - j].resolution, from->column[j].resolution);
    for (size_t i = 0; i < 3; i++) {
      char cell[2][64];
      (void)anorank_table_text(from, j, i, cell[0], sizeof cell[0]);
      (void)anorank_table_text(to, 3 - j, i, cell[1], sizeof cell[1]);
      assert_string_equal(cell[1], cell[0]);
    }
  }
  assert_int_equal(anorank_notes_count(&to->notes), anorank_notes_count(&from->notes));
  for (size_t i = 0; i < anorank_notes_count(&to->notes); i++) {
    assert_string_equal(anorank_notes_at(&to->notes, i)->text, anorank_notes_at(&from->notes, i)->text);
    assert_int_equal(anorank_notes_at(&to->notes, i)->kind, anorank_notes_at(&from->notes, i)->kind);
  }
}

TEST(invalid_cells_are_errors) {
  static const int64_t large[] = {1, ((int64_t)1 << 53) + 1};
  static const int32_t codes[] = {0, 7};
  static const char *const levels[] = {"a"}, *const texts[] = {"x", "n\0l"};
  static const size_t lengths[] = {1, 3};
  anorank_error err = {0};
  scoped_table *table;
  anorank_builder *builder = new_builder(2);
  assert_status(anorank_builder_numbers(builder, "id", ANORANK_INT64, large, 8, NULL, &err),
                ANORANK_ERROR_DATA);
  assert_string_equal(err.code, "builder-cell");
  assert_string_equal(err.column, "id");
  assert_int_equal(err.row, 2);
  assert_status(anorank_builder_codes(builder, "c", codes, 4, NULL, levels, NULL, 1, &err),
                ANORANK_ERROR_DATA);
  assert_string_equal(err.code, "builder-cell");
  assert_fails(anorank_builder_texts(builder, NULL, texts, lengths, NULL, &err), ANORANK_ERROR_DATA,
               "builder-cell row=2 column=x1");
  assert_status(anorank_builder_numbers(builder, "n", (anorank_type)77, large, 8, NULL, &err),
                ANORANK_ERROR_USAGE);
  assert_string_equal(err.code, "builder-type");
  assert_status(
      anorank_builder_times(builder, "n", (anorank_resolution)9, ANORANK_INT64, large, 8, NULL, &err),
      ANORANK_ERROR_USAGE);
  assert_string_equal(err.code, "builder-resolution");
  assert_status(anorank_builder_finish(&table, builder, &err),
                ANORANK_ERROR_USAGE); /* it is as it was: empty */
  assert_ok(anorank_builder_numbers(builder, "id", ANORANK_INT64, large, 0, NULL, NULL));
  assert_ok(anorank_builder_finish(&table, builder, NULL));
  assert_string_equal(anorank_table_name(table, 0), "id");
  assert_int_equal(anorank_table_columns(table), 1);
  assert_status(anorank_builder_numbers(builder, "n", ANORANK_INT64, large, 8, NULL, &err),
                ANORANK_ERROR_USAGE);
  assert_string_equal(err.code, "builder-finished");
  anorank_builder_free(builder);
  anorank_builder_free(NULL);
}

/* ---- bytes and callbacks ---- */

/* Bytes that come a few at a time. */
typedef struct stock {
  const unsigned char *bytes;
  size_t length, at, step;
  int code; /* returned at the end instead of the end */
  size_t lie;
} stock;

static int fetch(void *context, void *buffer, size_t size, size_t *got) {
  stock *s = context;
  if (s->lie) return *got = size + s->lie, 0;
  if (s->at == s->length && s->code) return s->code;
  *got = s->length - s->at < s->step ? s->length - s->at : s->step;
  if (*got > size) *got = size;
  memcpy(buffer, s->bytes + s->at, *got);
  s->at += *got;
  return 0;
}

typedef struct heap {
  unsigned char bytes[1 << 16];
  size_t length;
  int code;
} heap;

static int keep(void *context, const void *bytes, size_t length) {
  heap *h = context;
  assert_true(length <= sizeof h->bytes - h->length);
  memcpy(h->bytes + h->length, bytes, length);
  h->length += length;
  return h->code;
}

static anorank_table *some_table(void) {
  double cells[120];
  anorank_table *table;
  for (int i = 0; i < 120; i++) cells[i] = i / 7.0;
  assert_ok(anorank_table_from_matrix(&table, cells, 40, 3, 3, 1, NULL, NULL));
  return table;
}

static const char *const made_names[] = {"x.csv", "x.tsv.gz", "x.jsonl.zst", "x.npy", "x.npy.gz"};
enum { MADE = sizeof made_names / sizeof made_names[0] };

TEST(memory_output_equals_file_output) {
  scoped_table *table = some_table();
  for (size_t k = 0; k < MADE; k++) {
    anorank_writer *writer;
    unsigned char *bytes;
    size_t length, in_file;
    static heap pile;
    pile.length = 0;
    assert_ok(anorank_writer_open(&writer, ANORANK_TO_MEMORY(&bytes, &length, made_names[k]), NULL, NULL));
    assert_ok(anorank_writer_append(writer, table, NULL));
    assert_ok(anorank_writer_commit(writer, NULL));
    anorank_writer_free(writer);
    assert_ok(anorank_writer_open(&writer, ANORANK_TO_CALLBACK(keep, &pile, made_names[k]), NULL, NULL));
    assert_ok(anorank_writer_append(writer, table, NULL));
    assert_ok(anorank_writer_commit(writer, NULL));
    anorank_writer_free(writer);
    assert_ok(anorank_table_write(table, ANORANK_TO_FILE(scratch(made_names[k])), NULL, NULL));
    char *file = read_whole_file(scratch(made_names[k]), &in_file);
    assert_int_equal(length, in_file);
    assert_memory_equal(bytes, file, length);
    assert_int_equal(pile.length, in_file);
    assert_memory_equal(pile.bytes, file, length);
    for (size_t step = 1; step < 5000; step *= 13) { /* and back, whole and in blocks */
      anorank_table *again;
      anorank_reader *reader;
      const anorank_table *block;
      size_t rows = 0;
      stock left = {bytes, length, 0, step, 0, 0};
      anorank_settings settings = settings_for(ANK_FORMAT_auto);
      settings.block_rows = 7;
      assert_ok(anorank_table_read(&again, ANORANK_FROM_CALLBACK(fetch, &left, NULL), NULL, NULL));
      assert_same_table(table, again);
      anorank_table_free(again);
      left.at = 0;
      assert_ok(step == 1
                    ? anorank_reader_open(&reader, ANORANK_FROM_MEMORY(bytes, length, NULL), &settings, NULL)
                    : anorank_reader_open(&reader, ANORANK_FROM_CALLBACK(fetch, &left, made_names[k]),
                                          &settings, NULL));
      for (;; rows += anorank_table_rows(block)) {
        assert_ok(anorank_reader_next(reader, &block, NULL));
        if (!block) break;
        assert_close(anorank_table_numbers(block, 2)[0], anorank_table_numbers(table, 2)[rows], 0);
      }
      assert_int_equal(rows, 40);
      anorank_reader_free(reader);
    }
    anorank_bytes_free(bytes);
    assert_int_equal(unlink(scratch(made_names[k])), 0);
  }
}

TEST(bytes_are_there_after_commit) {
  scoped_table *table = some_table();
  anorank_writer *writer;
  anorank_error err = {0};
  unsigned char *bytes;
  size_t length;
  assert_ok(anorank_writer_open(&writer, ANORANK_TO_MEMORY(&bytes, &length, NULL), "npy", NULL));
  assert_ok(anorank_writer_append(writer, table, NULL));
  assert_ok(anorank_writer_append(writer, table, NULL)); /* memory can be gone back in */
  assert_null(bytes);
  assert_ok(anorank_writer_commit(writer, NULL));
  assert_int_equal(length, 128 + 80 * 3 * 8);
  anorank_writer_free(writer);
  anorank_bytes_free(bytes);
  anorank_bytes_free(NULL);
  assert_ok(anorank_table_write(table, ANORANK_TO_MEMORY(&bytes, &length, NULL), "csv", NULL));
  assert_memory_equal(bytes, "x1,x2,x3\n0,", 11);
  anorank_bytes_free(bytes);
  assert_status(anorank_table_write(table, ANORANK_TO_MEMORY(&bytes, &length, NULL), "npz", &err),
                ANORANK_ERROR_USAGE);
  assert_null(bytes);
}

TEST(failing_callbacks_are_errors) {
  anorank_table *table = some_table(), *again;
  anorank_writer *writer;
  anorank_reader *reader;
  anorank_error err = {0};
  static heap pile = {.code = 42};
  stock left = {(const unsigned char *)"a,b\n1,2\n", 8, 0, 3, 7, 0};
  assert_ok(anorank_writer_open(&writer, ANORANK_TO_CALLBACK(keep, &pile, NULL), NULL, NULL));
  assert_ok(anorank_writer_append(writer, table, NULL));
  assert_fails(anorank_writer_commit(writer, &err), ANORANK_ERROR_RESOURCES, "output-callback");
  anorank_writer_free(writer);
  assert_status(anorank_table_read(&again, ANORANK_FROM_CALLBACK(fetch, &left, "web"), NULL, &err),
                ANORANK_ERROR_RESOURCES);
  assert_string_equal(err.code, "file-callback");
  assert_null(again);
  left = (stock){.lie = 1};
  assert_status(anorank_reader_open(&reader, ANORANK_FROM_CALLBACK(fetch, &left, "web"), NULL, &err),
                ANORANK_ERROR_USAGE);
  assert_string_equal(err.code, "file-callback");
  assert_null(reader);
  anorank_table_free(table);
}

TEST_GROUP(make_scratch, remove_scratch)
