/* The Arrow interfaces: every type with nulls, offsets and slices; malformed input is refused; everything is
 * released exactly once in all cases. */
#include "support/arrow_arrays.h"
#include "support/formats.h"

static int nothing_is_left(void **state) {
  (void)state;
  return arrow_alive == 0 ? 0 : -1;
}

/* One column as a table; the array and the schema are given away. */
static anorank_table *import(struct ArrowArray array, struct ArrowSchema schema) {
  anorank_error err = {0};
  anorank_table *table;
  if (anorank_table_from_arrow(&table, &array, &schema, NULL, &err) != ANORANK_OK) {
    print_error("%s\n", err.message);
    fail();
  }
  assert_null(array.release);
  assert_null(schema.release);
  assert_int_equal(arrow_alive, 0);
  return table;
}

static void must_refuse_array(struct ArrowArray array, struct ArrowSchema schema, const char *part) {
  anorank_error err = {0};
  anorank_table *table = (anorank_table *)&err;
  assert_status(anorank_table_from_arrow(&table, &array, &schema, NULL, &err), ANORANK_ERROR_DATA);
  assert_null(table);
  assert_error(&err, part);
  assert_int_equal(arrow_alive, 0);
}

/* ---- numbers ---- */

/* Cells 1 .. 4 of the buffer, of which 3 is null: offset 1, and bit 3 of the bitmap is not set. */
static const uint8_t third_missing[] = {0xF7};

static void check_numbers(const char *format, const void *data, double factor, anorank_kind kind) {
  static const double expected[] = {2, -3, NAN, 5};
  scoped_table *table = import(arrow_array(4, 1, third_missing, data, NULL), arrow_schema("c", format));
  assert_int_equal(anorank_table_rows(table), 4);
  assert_int_equal(anorank_table_kind(table, 0), kind);
  const double *got = anorank_table_numbers(table, 0);
  for (size_t i = 0; i < 4; i++)
    if (isnan(expected[i]))
      assert_true(isnan(got[i]));
    else
      assert_close_relative(
          got[i], (expected[i] < 0 && strchr("CSIL", format[0]) ? 253 : expected[i]) * factor, 2e-16);
}

TEST(numbers_and_times_of_every_type_come_in) {
  static const int8_t i8[] = {1, 2, -3, 4, 5};
  static const uint8_t u8[] = {1, 2, 253, 4, 5};
  static const int16_t i16[] = {1, 2, -3, 4, 5};
  static const uint16_t u16[] = {1, 2, 253, 4, 5}, f16[] = {0x3C00, 0x4000, 0xC200, 0x4400, 0x4500};
  static const int32_t i32[] = {1, 2, -3, 4, 5};
  static const uint32_t u32[] = {1, 2, 253, 4, 5};
  static const int64_t i64[] = {1, 2, -3, INT64_MAX, 5}; /* the null one may hold anything */
  static const uint64_t u64[] = {1, 2, 253, UINT64_MAX, 5};
  static const int64_t whole_days[] = {0, 172800000, -259200000, 1,
                                       432000001}; /* in ms; the rest is dropped */
  static const float f32[] = {1, 2, -3, 4, 5};
  static const double f64[] = {1, 2, -3, 4, 5};
  check_numbers("c", i8, 1, ANORANK_NUMERIC);
  check_numbers("C", u8, 1, ANORANK_NUMERIC);
  check_numbers("s", i16, 1, ANORANK_NUMERIC);
  check_numbers("S", u16, 1, ANORANK_NUMERIC);
  check_numbers("i", i32, 1, ANORANK_NUMERIC);
  check_numbers("I", u32, 1, ANORANK_NUMERIC);
  check_numbers("l", i64, 1, ANORANK_NUMERIC);
  check_numbers("L", u64, 1, ANORANK_NUMERIC);
  check_numbers("e", f16, 1, ANORANK_NUMERIC);
  check_numbers("f", f32, 1, ANORANK_NUMERIC);
  check_numbers("g", f64, 1, ANORANK_NUMERIC);
  check_numbers("tdD", i32, 86400, ANORANK_TIME);
  check_numbers("tdm", whole_days, 86400, ANORANK_TIME);
  check_numbers("tss:", i64, 1, ANORANK_TIME);
  check_numbers("tsm:Europe/Paris", i64, 1e-3, ANORANK_TIME);
  check_numbers("tsu:UTC", i64, 1e-6, ANORANK_TIME);
  check_numbers("tsn:", i64, 1e-9, ANORANK_TIME);
  check_numbers("tts", i32, 1, ANORANK_NUMERIC);
  check_numbers("ttm", i32, 1e-3, ANORANK_NUMERIC);
  check_numbers("ttu", i64, 1e-6, ANORANK_NUMERIC);
  check_numbers("ttn", i64, 1e-9, ANORANK_NUMERIC);
  check_numbers("tDs", i64, 1, ANORANK_NUMERIC);
  check_numbers("tDn", i64, 1e-9, ANORANK_NUMERIC);
  check_numbers("d:9,2,32", i32, 1e-2, ANORANK_NUMERIC);
  check_numbers("d:18,3,64", i64, 1e-3, ANORANK_NUMERIC);
}

TEST(halves_are_exact) {
  static const uint16_t bits[] = {0x0001, 0x03FF, 0x0400, 0x7BFF, 0x7C00, 0xFC00, 0x8000, 0x3555};
  static const double values[] = {0x1p-24,  0x3FFp-24, 0x1p-14, 65504,
                                  INFINITY, -INFINITY, -0.0,    0.333251953125};
  scoped_table *table = import(arrow_array(8, 0, NULL, bits, NULL), arrow_schema("h", "e"));
  for (size_t i = 0; i < 8; i++) assert_true(anorank_table_numbers(table, 0)[i] == values[i]);
}

TEST(resolutions_are_kept) {
  static const char *const formats[] = {"tdD", "tdm", "tss:UTC", "tsm:", "tsu:", "tsn:"};
  static const anorank_resolution resolutions[] = {ANORANK_DAYS,         ANORANK_DAYS,
                                                   ANORANK_SECONDS,      ANORANK_MILLISECONDS,
                                                   ANORANK_MICROSECONDS, ANORANK_NANOSECONDS};
  static const int64_t zeros[2];
  for (size_t k = 0; k < 6; k++) {
    scoped_table *table = import(arrow_array(1, 0, NULL, zeros, NULL), arrow_schema("t", formats[k]));
    assert_int_equal(table->column[0].resolution, resolutions[k]);
  }
  /* nanoseconds since 1970 have more digits than a double, and are rounded once */
  static const int64_t nanoseconds[] = {1714557659123456789};
  scoped_table *table = import(arrow_array(1, 0, NULL, nanoseconds, NULL), arrow_schema("t", "tsn:"));
  assert_close(anorank_table_numbers(table, 0)[0], 1714557659.123456789, 0);
}

TEST(booleans_decimals_and_nulls_come_in) {
  static const uint8_t bits[] = {0xA5, 0x01}, valid[] = {0xFF, 0xFE}; /* from bit 3: 0 0 1 0 1, then null */
  scoped_table *table = import(arrow_array(6, 3, valid, bits, NULL), arrow_schema("b", "b"));
  static const double expected[] = {0, 0, 1, 0, 1};
  for (size_t i = 0; i < 5; i++) assert_close(anorank_table_numbers(table, 0)[i], expected[i], 0);
  assert_true(isnan(anorank_table_numbers(table, 0)[5]));
  anorank_table_free(table);
  /* 128 bits: 12345, -1, and 10^30 + 1 */
  static const uint64_t wide[] = {12345, 0, UINT64_MAX, UINT64_MAX, 5076944270305263617u, 54210108624u};
  table = import(arrow_array(3, 0, NULL, wide, NULL), arrow_schema("d", "d:38,4"));
  assert_close(anorank_table_numbers(table, 0)[0], 1.2345, 0);
  assert_close(anorank_table_numbers(table, 0)[1], -1e-4, 0);
  assert_close(anorank_table_numbers(table, 0)[2], 1e26, 0);
  anorank_table_free(table);
  struct ArrowArray nulls = arrow_array(3, 0, NULL, NULL, NULL);
  nulls.n_buffers = 0;
  nulls.null_count = 3;
  table = import(nulls, arrow_schema("n", "n"));
  assert_true(isnan(anorank_table_numbers(table, 0)[2]));
}

TEST(decimals_beyond_the_range_of_a_double_are_refused) {
  static const uint64_t wide[] = {1, 0, 123, 0}, negative[] = {UINT64_MAX, UINT64_MAX};
  must_refuse_array(arrow_array(2, 0, NULL, wide, NULL), arrow_schema("d", "d:38,-308"),
                    "cell-number-range column=d");
  must_refuse_array(arrow_array(1, 0, NULL, negative, NULL), arrow_schema("d", "d:38,-309"),
                    "cell-number-range column=d");
  anorank_table *table = import(arrow_array(1, 0, NULL, wide, NULL), arrow_schema("d", "d:38,-308"));
  assert_close(anorank_table_numbers(table, 0)[0], 1e308, 0);
  anorank_table_free(table);
}

TEST(whole_decimals_that_a_double_would_change_are_refused) {
  static const uint64_t wide[] = {((uint64_t)1 << 53) + 1, 0}, fine[] = {(uint64_t)1 << 60, 3};
  must_refuse_array(arrow_array(1, 0, NULL, wide, NULL), arrow_schema("id", "d:38,0"),
                    "arrow-integer-size column=id");
  anorank_table *table = import(arrow_array(1, 0, NULL, fine, NULL), arrow_schema("id", "d:38,0"));
  assert_close(anorank_table_numbers(table, 0)[0], 3 * 0x1p64 + 0x1p60, 0);
  anorank_table_free(table);
}

TEST(integers_that_a_double_would_change_are_refused) {
  static const int64_t large[] = {1, ((int64_t)1 << 53) + 1}, fine[] = {-((int64_t)1 << 60), INT64_MIN};
  static const uint64_t largest[] = {UINT64_MAX};
  must_refuse_array(arrow_array(2, 0, NULL, large, NULL), arrow_schema("id", "l"),
                    "arrow-integer-size column=id");
  must_refuse_array(arrow_array(1, 0, NULL, largest, NULL), arrow_schema("id", "L"),
                    "arrow-integer-size column=id");
  scoped_table *table = import(arrow_array(2, 0, NULL, fine, NULL), arrow_schema("id", "l"));
  assert_close(anorank_table_numbers(table, 0)[1], -0x1p63, 0);
}

/* ---- texts ---- */

static void check_texts(anorank_table *table) {
  static const char *const expected[] = {"b", "long enough for a view", NULL, "", "b"};
  assert_int_equal(anorank_table_kind(table, 0), ANORANK_CATEGORICAL);
  assert_int_equal(anorank_table_rows(table), 5);
  assert_int_equal(anorank_table_levels(table, 0), 3);
  for (size_t i = 0; i < 5; i++) {
    int32_t code = anorank_table_codes(table, 0)[i];
    assert_int_equal(code < 0, expected[i] == NULL);
    if (code >= 0) assert_string_equal(anorank_table_level(table, 0, (size_t)code), expected[i]);
  }
  anorank_table_free(table);
}

static const char letters[] = "ablong enough for a viewXb";
static const int32_t ends32[] = {0, 1, 2, 24, 25, 25, 26};
static const int64_t ends64[] = {0, 1, 2, 24, 25, 25, 26};

typedef struct view {
  int32_t length;
  char start[4];
  int32_t buffer, offset;
} view;

TEST(texts_of_every_layout_come_in) {
  static const uint8_t valid[] = {0xF7};
  static const view views[] = {{1, "a", 0, 0},      {1, "b", 0, 0}, {22, "long", 0, 2},
                               {9, "rubb", 77, 77}, {0, "", 0, 0},  {1, "b", 0, 0}};
  static const int64_t sizes[] = {sizeof letters};
  check_texts(import(arrow_array(5, 1, valid, ends32, letters), arrow_schema("t", "u")));
  check_texts(import(arrow_array(5, 1, valid, ends64, letters), arrow_schema("t", "U")));
  struct ArrowArray array = arrow_array(5, 1, valid, views, letters);
  ((arrow_pieces *)array.private_data)->buffers[3] = sizes;
  array.n_buffers = 4;
  check_texts(import(array, arrow_schema("t", "vu")));
}

TEST(dictionaries_of_any_index_come_in) {
  static const int8_t i8[] = {9, 1, 2, 0, 4, 1};
  static const uint16_t u16[] = {9, 1, 2, 0, 4, 1};
  static const int64_t i64[] = {9, 1, 2, -7, 4, 1};
  static const void *const indices[] = {i8, u16, i64};
  static const char *const formats[] = {"c", "S", "l"};
  static const uint8_t valid[] = {0xF7};
  for (size_t k = 0; k < 3; k++) {
    struct ArrowArray array = arrow_array(5, 1, valid, indices[k], NULL);
    struct ArrowSchema schema = arrow_schema("t", formats[k]);
    arrow_set_dictionary(&array, arrow_array(6, 0, NULL, ends32, letters));
    arrow_set_dictionary_schema(&schema, arrow_schema("", "u"));
    check_texts(import(array, schema));
  }
  /* null in the dictionary, and a dictionary of numbers */
  static const double numbers[] = {0.5, 1.5, 2.5};
  static const uint8_t second[] = {0x05};
  struct ArrowArray array = arrow_array(3, 1, NULL, (const int8_t[]){0, 2, 1, 0}, NULL);
  struct ArrowSchema schema = arrow_schema("d", "c");
  arrow_set_dictionary(&array, arrow_array(3, 0, second, numbers, NULL));
  arrow_set_dictionary_schema(&schema, arrow_schema("", "g"));
  scoped_table *table = import(array, schema);
  assert_close(anorank_table_numbers(table, 0)[0], 2.5, 0);
  assert_true(isnan(anorank_table_numbers(table, 0)[1]));
  assert_close(anorank_table_numbers(table, 0)[2], 0.5, 0);
}

/* ---- structs and streams ---- */

static const double cells[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};

static struct ArrowSchema two_columns(void) {
  const struct ArrowSchema columns[] = {arrow_schema("x", "g"), arrow_schema("", "u")};
  return arrow_struct_schema(columns, 2);
}

static struct ArrowArray slice(int64_t length, int64_t offset, const void *validity, int64_t inner) {
  const struct ArrowArray columns[] = {arrow_array(offset + length, inner, NULL, cells, NULL),
                                       arrow_array(offset + length, inner % 2, NULL, ends32, letters)};
  return arrow_struct(length, offset, validity, columns, 2);
}

TEST(offsets_of_structs_and_columns_add_up) {
  static const uint8_t valid[] = {0xFB};
  scoped_table *table = import(slice(3, 1, valid, 2), two_columns());
  assert_string_equal(anorank_table_name(table, 1), "x2");
  assert_close(anorank_table_numbers(table, 0)[0], 3, 0);
  assert_true(isnan(anorank_table_numbers(table, 0)[1])); /* row 2 of the struct is null */
  assert_int_equal(anorank_table_codes(table, 1)[1], -1);
  assert_close(anorank_table_numbers(table, 0)[2], 5, 0);
}

TEST(a_stream_reads_alike_whole_and_in_blocks) {
  for (int64_t block = 0; block < 9; block++) {
    const struct ArrowArray arrays[] = {slice(3, 0, NULL, 0), slice(0, 0, NULL, 0), slice(2, 1, NULL, 3),
                                        slice(1, 0, NULL, 9)};
    static const double expected[] = {0, 1, 2, 4, 5, 9};
    static const char *const texts[] = {"a", "b", "long enough for a view", "X", "", "b"};
    struct ArrowArrayStream stream = arrow_stream(two_columns(), arrays, 4);
    anorank_settings settings = settings_for(ANK_FORMAT_auto);
    anorank_reader *reader;
    const anorank_table *part;
    size_t row = 0;
    settings.block_rows = block;
    assert_ok(anorank_reader_open_arrow(&reader, &stream, &settings, NULL));
    assert_null(stream.release);
    for (;;) {
      assert_ok(anorank_reader_next(reader, &part, NULL));
      if (!part) break;
      if (block > 0) assert_true(anorank_table_rows(part) <= (size_t)block);
      for (size_t i = 0; i < anorank_table_rows(part); i++, row++) {
        char cell[64];
        assert_close(anorank_table_numbers(part, 0)[i], expected[row], 0);
        (void)anorank_table_text(part, 1, i, cell, sizeof cell);
        if (row != 5 || block != 0) assert_true(strlen(cell) <= strlen(texts[2]));
        if (row < 3) assert_string_equal(cell, texts[row]);
      }
    }
    assert_int_equal(row, 6);
    anorank_reader_free(reader);
    assert_int_equal(arrow_alive, 0);
  }
}

TEST(errors_of_the_stream_are_passed_on) {
  for (int when = -1; when < 3; when++) {
    const struct ArrowArray arrays[] = {slice(3, 0, NULL, 0), slice(2, 0, NULL, 0), slice(2, 0, NULL, 0)};
    struct ArrowArrayStream stream = arrow_stream(two_columns(), arrays, 3);
    anorank_error err = {0};
    anorank_table *table;
    ((arrow_queue *)stream.private_data)->fails_at = when;
    assert_fails(anorank_table_from_arrow_stream(&table, &stream, NULL, &err), ANORANK_ERROR_DATA,
                 "arrow-stream");
    assert_null(table);
    assert_int_equal(arrow_alive, 0);
  }
}

/* ---- what is refused ---- */

TEST(types_without_cells_are_refused) {
  static const char *const formats[] = {"z",   "Z",    "vz",   "w:16",      "+l",    "+s",
                                        "tiM", "tsx:", "ts",   "d:5",       "",      "xx",
                                        "t",   "tss",  "d:,2", "d:5,2,256", "d:0,2", "d:5,2,128,1"};
  for (size_t k = 0; k < sizeof formats / sizeof formats[0]; k++) {
    const struct ArrowSchema column = arrow_schema("odd", formats[k]);
    const struct ArrowArray array = arrow_array(1, 0, NULL, cells, NULL);
    must_refuse_array(arrow_struct(1, 0, NULL, &array, 1), arrow_struct_schema(&column, 1),
                      "arrow-type column=odd");
  }
  must_refuse_array(arrow_array(1, 0, NULL, cells, NULL), arrow_schema("b", "z"), "arrow-type column=b");
  struct ArrowSchema nested = arrow_schema("n", "c");
  struct ArrowSchema inner = arrow_schema("", "i");
  arrow_set_dictionary_schema(&inner, arrow_schema("", "u"));
  arrow_set_dictionary_schema(&nested, inner);
  must_refuse_array(arrow_array(1, 0, NULL, cells, NULL), nested, "arrow-type column=n");
  struct ArrowSchema index = arrow_schema("n", "g");
  arrow_set_dictionary_schema(&index, arrow_schema("", "u"));
  must_refuse_array(arrow_array(1, 0, NULL, cells, NULL), index, "arrow-type column=n");
}

typedef void (*damage)(struct ArrowArray *array);
static void negative_length(struct ArrowArray *array) { array->length = -1; }
static void negative_offset(struct ArrowArray *array) { array->offset = -1; }
static void large_offset(struct ArrowArray *array) { array->offset = INT64_MAX; }
static void large_length(struct ArrowArray *array) { array->length = INT64_MAX; }
static void one_buffer(struct ArrowArray *array) { array->n_buffers = 1; }
static void many_buffers(struct ArrowArray *array) { array->n_buffers = 9; }
static void no_buffers(struct ArrowArray *array) { array->buffers = NULL; }
static void no_data(struct ArrowArray *array) { array->buffers[1] = NULL; }
static void too_short(struct ArrowArray *array) { array->length = 2; }

TEST(damaged_columns_are_refused) {
  static const damage damages[] = {negative_length, negative_offset, large_offset, large_length, one_buffer,
                                   many_buffers,    no_buffers,      no_data,      too_short};
  for (size_t k = 0; k < sizeof damages / sizeof damages[0]; k++)
    for (int column = 0; column < 2; column++) {
      struct ArrowArray array = slice(3, 0, NULL, 0);
      damages[k](array.children[column]);
      must_refuse_array(array, two_columns(),
                        column ? "arrow-malformed column=x2" : "arrow-malformed column=x");
    }
}

TEST(damaged_structs_are_refused) {
  struct ArrowArray array = slice(3, 0, NULL, 0);
  array.length = -2;
  must_refuse_array(array, two_columns(), "arrow-malformed");
  array = slice(3, 0, NULL, 0);
  array.offset = INT64_MAX;
  must_refuse_array(array, two_columns(), "arrow-malformed");
  array = slice(3, 0, NULL, 0);
  array.n_children = 1;
  must_refuse_array(array, two_columns(), "arrow-malformed");
  array = slice(3, 0, NULL, 0);
  array.children = NULL;
  must_refuse_array(array, two_columns(), "arrow-malformed");
  array = slice(3, 0, NULL, 0);
  array.n_buffers = 0;
  must_refuse_array(array, two_columns(), "arrow-malformed");
  array = slice(3, 0, NULL, 0);
  array.children[1]->release(array.children[1]);
  must_refuse_array(array, two_columns(), "arrow-malformed column=x2");
  struct ArrowSchema schema = two_columns();
  schema.n_children = -1;
  must_refuse_array(slice(3, 0, NULL, 0), schema, "arrow-no-columns");
  schema = two_columns();
  schema.children[0]->format = NULL;
  must_refuse_array(slice(3, 0, NULL, 0), schema, "arrow-released");
  schema = two_columns();
  schema.format = NULL;
  must_refuse_array(slice(3, 0, NULL, 0), schema, "arrow-released");
}

TEST(damaged_texts_are_refused) {
  static const int32_t falling[] = {0, 5, 3, 6}, negative[] = {-1, 5, 6, 6};
  static const uint8_t all[] = {0xFF};
  must_refuse_array(arrow_array(3, 0, NULL, falling, letters), arrow_schema("t", "u"),
                    "arrow-malformed column=t");
  must_refuse_array(arrow_array(3, 0, all, negative, letters), arrow_schema("t", "u"),
                    "arrow-malformed column=t");
  static const int32_t with_nul[] = {0, 3};
  must_refuse_array(arrow_array(1, 0, NULL, with_nul, "a\0b"), arrow_schema("t", "u"),
                    "text-nul-byte column=t");
  static const view views[][1] = {{{-1, "", 0, 0}},  {{20, "", 1, 0}},  {{20, "", -1, 0}},
                                  {{20, "", 0, -1}}, {{20, "", 0, 10}}, {{20, "", 0, INT32_MAX}}};
  static const int64_t sizes[] = {sizeof letters};
  for (size_t k = 0; k < 6; k++) {
    struct ArrowArray array = arrow_array(1, 0, NULL, views[k], letters);
    ((arrow_pieces *)array.private_data)->buffers[3] = sizes;
    array.n_buffers = 4;
    must_refuse_array(array, arrow_schema("t", "vu"), "arrow-malformed column=t");
  }
  static const int8_t beyond[] = {6}, below[] = {-1};
  for (int k = 0; k < 3; k++) {
    struct ArrowArray array = arrow_array(1, 0, NULL, k ? beyond : below, NULL);
    struct ArrowSchema schema = arrow_schema("d", "c");
    if (k < 2) arrow_set_dictionary(&array, arrow_array(6, 0, NULL, ends32, letters));
    arrow_set_dictionary_schema(&schema, arrow_schema("", "u"));
    must_refuse_array(array, schema, "arrow-malformed column=d");
  }
}

TEST(invalid_calls_release_their_arguments) {
  struct ArrowArrayStream stream = arrow_stream(two_columns(), NULL, 0), again;
  struct ArrowArray array = slice(1, 0, NULL, 0);
  struct ArrowSchema schema = two_columns();
  anorank_error err = {0};
  anorank_table *table;
  anorank_reader *reader;
  assert_status(anorank_table_from_arrow_stream(NULL, &stream, NULL, &err), ANORANK_ERROR_USAGE);
  assert_null(stream.release);
  assert_fails(anorank_table_from_arrow_stream(&table, &stream, NULL, &err), ANORANK_ERROR_USAGE,
               "arrow-released");
  assert_status(anorank_table_from_arrow_stream(&table, NULL, NULL, &err), ANORANK_ERROR_USAGE);
  stream = arrow_stream(two_columns(), NULL, 0);
  assert_status(anorank_reader_open_arrow(NULL, &stream, NULL, &err), ANORANK_ERROR_USAGE);
  stream = arrow_stream(two_columns(), NULL, 0);
  stream.get_next = NULL;
  assert_status(anorank_reader_open_arrow(&reader, &stream, NULL, &err), ANORANK_ERROR_USAGE);
  assert_status(anorank_table_from_arrow(NULL, &array, &schema, NULL, &err), ANORANK_ERROR_USAGE);
  assert_status(anorank_table_from_arrow(&table, &array, &schema, NULL, &err), ANORANK_ERROR_USAGE);
  assert_status(anorank_table_from_arrow(&table, NULL, &schema, NULL, &err), ANORANK_ERROR_USAGE);
  assert_status(anorank_table_to_arrow_stream(&again, NULL, &err), ANORANK_ERROR_USAGE);
  assert_null(again.release);
  assert_int_equal(arrow_alive, 0);
}

/* ---- out and in again ---- */

/* One column of each kind, and one of times for each resolution, with missing cells; texts of odd lengths. */
static anorank_table *every_kind(size_t rows, uint64_t seed) {
  anorank_table *table;
  assert_ok(ank_table_new(&table, 7, NULL));
  for (size_t j = 0; j < 7; j++) {
    assert_ok(ank_table_set_name(table, j, "c", 1, NULL));
    ank_table_set_kind(table, j, j == 0 ? ANORANK_NUMERIC : j == 1 ? ANORANK_CATEGORICAL : ANORANK_TIME);
    if (j > 1) table->column[j].resolution = (anorank_resolution)(j - 2);
  }
  assert_ok(ank_table_reserve(table, rows, NULL));
  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j < 7; j++) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      uint64_t draw = seed >> 33;
      ank_column *column = &table->column[j];
      int missing = draw % 5 == 0;
      if (j == 1) {
        char text[16];
        int length = snprintf(text, sizeof text, "%.*s", (int)(draw % 14), "abcdefghijklmno");
        column->codes[i] = -1;
        if (!missing)
          assert_ok(ank_levels_code(&column->codes[i], &column->levels, text, (size_t)length, NULL));
        continue;
      }
      static const double parts[] = {1, 1, 1e3, 1e6, 1e6};
      double x = (double)draw - 1e9;
      column->numbers[i] = missing  ? (double)NAN
                           : j == 0 ? x / 7
                           : j == 2 ? x * 86400e-3 - fmod(x * 86400e-3, 86400)
                                    : floor(x) + (double)(draw % 1000) / parts[j - 2];
      if (!missing && j == 3) column->numbers[i] = floor(x);
    }
  table->rows = rows;
  return table;
}

TEST(a_table_comes_back_the_same) {
  for (size_t rows = 0; rows < 40; rows++)
    for (int which = 0; which < 2; which++) {
      struct ArrowArrayStream stream;
      scoped_table *table = every_kind(rows, rows + 1), *again;
      assert_ok(anorank_table_to_arrow_stream(&stream, table, NULL));
      if (which) { /* array by array: the schema can be read twice, and outlives the stream */
        struct ArrowSchema schema, other;
        struct ArrowArray array, none;
        assert_int_equal(stream.get_schema(&stream, &schema), 0);
        assert_int_equal(stream.get_schema(&stream, &other), 0);
        assert_int_equal(stream.get_next(&stream, &array), 0);
        assert_int_equal(stream.get_next(&stream, &none), 0);
        assert_null(none.release);
        assert_null(stream.get_last_error(&stream));
        other.release(&other);
        stream.release(&stream);
        /* a column may be moved out and live on */
        struct ArrowArray moved = *array.children[1];
        struct ArrowSchema moved_schema = *schema.children[1];
        array.children[1]->release = NULL;
        schema.children[1]->release = NULL;
        array.release(&array);
        schema.release(&schema);
        assert_ok(anorank_table_from_arrow(&again, &moved, &moved_schema, NULL, NULL));
        assert_int_equal(anorank_table_rows(again), rows);
        for (size_t i = 0; i < rows; i++)
          assert_int_equal(again->column[0].codes[i], table->column[1].codes[i]);
      } else {
        assert_ok(anorank_table_from_arrow_stream(&again, &stream, NULL, NULL));
        assert_same_table(table, again);
        for (size_t j = 2; j < 7; j++)
          assert_int_equal(again->column[j].resolution, table->column[j].resolution);
      }
    }
}

TEST(times_that_arrow_cannot_hold_are_errors) {
  static const double far[] = {1e11, 1e300, INFINITY, 1e15};
  static const anorank_resolution resolutions[] = {ANORANK_NANOSECONDS, ANORANK_SECONDS, ANORANK_DAYS,
                                                   ANORANK_DAYS};
  for (size_t k = 0; k < 4; k++) {
    struct ArrowArrayStream stream;
    anorank_error err = {0};
    scoped_table *table;
    assert_ok(anorank_table_from_matrix(&table, &far[k], 1, 1, 1, 1, NULL, NULL));
    table->column[0].kind = ANORANK_TIME;
    table->column[0].resolution = resolutions[k];
    assert_fails(anorank_table_to_arrow_stream(&stream, table, &err), ANORANK_ERROR_DATA, "arrow-time-range");
    assert_null(stream.release);
  }
}

TEST(failing_allocations_release_everything_once) {
  anorank_table *table = every_kind(20, 3), *again;
  size_t failed = 0;
  for (size_t k = 1;; k++) {
    struct ArrowArrayStream stream;
    anorank_error err = {0};
    (void)ank_alloc_fail_at(k);
    anorank_status status = anorank_table_to_arrow_stream(&stream, table, &err);
    if (status == ANORANK_OK) status = anorank_table_from_arrow_stream(&again, &stream, NULL, &err);
    (void)ank_alloc_fail_at(0);
    if (status == ANORANK_OK) break;
    assert_null(stream.release);
    failed++;
  }
  assert_true(failed > 30);
  assert_same_table(table, again);
  anorank_table_free(again);
  anorank_table_free(table);
  for (size_t k = 1; k < 40; k++) {
    const struct ArrowArray arrays[] = {slice(3, 0, NULL, 0), slice(2, 1, NULL, 3)};
    struct ArrowArrayStream stream = arrow_stream(two_columns(), arrays, 2);
    (void)ank_alloc_fail_at(k);
    anorank_status status = anorank_table_from_arrow_stream(&again, &stream, NULL, NULL);
    (void)ank_alloc_fail_at(0);
    assert_int_equal(arrow_alive, 0);
    if (status == ANORANK_OK) anorank_table_free(again);
  }
}

TEST_GROUP(NULL, nothing_is_left)
