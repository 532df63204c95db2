/* The NPY reader against files that numpy wrote (tests/golden/make_npy.py) and against wrong headers. */
#include "support/formats.h"
#include "table/npy_header.h"

#define FOLDER TEST_DATA "/npy/"

static double expected_cell(char type, size_t row, size_t column) {
  double k = (double)(3 * row + column);
  switch (type) {
  case 'b': return (double)((3 * row + column) % 2);
  case 'u': return 7 * k;
  case 'i': return 7 * k - 20;
  default: return (7 * k - 20) / 4;
  }
}

static void assert_is_matrix(const anorank_table *table, char type) {
  char name[8];
  assert_int_equal(table->rows, 5);
  assert_int_equal(table->columns, 3);
  for (size_t j = 0; j < 3; j++) {
    snprintf(name, sizeof name, "x%zu", j + 1);
    assert_string_equal(table->column[j].name, name);
    for (size_t i = 0; i < 5; i++) assert_true(table->column[j].numbers[i] == expected_cell(type, i, j));
  }
}

static void check_golden(const char *path, char type) {
  size_t length;
  scoped_table *table = must_read(path);
  assert_is_matrix(table, type);
  assert_blocks_agree(path, table);
  char *bytes = read_whole_file(path, &length);
  assert_memory_blocks_agree(bytes, length, ANK_FORMAT_npy, table);
}

TEST(every_type_byte_order_and_layout_reads_as_numpy_meant_it) {
  static const char *const codes[] = {"b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"};
  char path[512];
  for (size_t k = 0; k < sizeof codes / sizeof codes[0]; k++)
    for (int big = 0; big <= (codes[k][1] != '1'); big++)
      for (int fortran = 0; fortran <= 1; fortran++) {
        snprintf(path, sizeof path, FOLDER "%s-%s-%s.npy", codes[k], big ? "big" : "little",
                 fortran ? "fortran" : "c");
        check_golden(path, codes[k][0]);
      }
}

TEST(versions_two_and_three_read_like_one) {
  check_golden(FOLDER "f8-version2.npy", 'f');
  check_golden(FOLDER "f8-version3.npy", 'f');
}

TEST(a_vector_is_one_column) {
  scoped_table *table = must_read(FOLDER "vector.npy");
  assert_int_equal(table->columns, 1);
  assert_int_equal(table->rows, 5);
  for (size_t i = 0; i < 5; i++) assert_true(table->column[0].numbers[i] == expected_cell('f', i, 0));
}

TEST(special_values_keep_their_bits) {
  const double halves[] = {0x1p-24, 65504, INFINITY, -INFINITY, NAN, -0.0, 1023 * 0x1p-24};
  const double doubles[] = {5e-324, 1.7976931348623157e308, INFINITY, -INFINITY, NAN, -0.0};
  const struct {
    const char *path;
    const double *values;
    size_t count;
  } cases[] = {{FOLDER "special-f2.npy", halves, 7}, {FOLDER "special-f8.npy", doubles, 6}};
  for (size_t k = 0; k < 2; k++) {
    scoped_table *table = must_read(cases[k].path);
    assert_int_equal(table->rows, cases[k].count);
    for (size_t i = 0; i < cases[k].count; i++) {
      if (!same_number(table->column[0].numbers[i], cases[k].values[i]))
        print_error("%s %zu: %a, not %a\n", cases[k].path, i, table->column[0].numbers[i],
                    cases[k].values[i]);
      assert_true(same_number(table->column[0].numbers[i], cases[k].values[i]));
    }
  }
}

TEST(integers_that_a_double_would_change_are_refused) {
  size_t length;
  char *bytes = read_whole_file(FOLDER "large-u8.npy", &length);
  must_refuse(bytes, length, ANK_FORMAT_npy, ANORANK_ERROR_DATA, "npy-integer-size");
}

TEST(arrays_that_are_not_tables_of_numbers_are_refused) {
  const struct {
    const char *name, *code;
  } cases[] = {{"text", "npy-type"},       {"bytes", "npy-type"},
               {"object", "npy-type"},     {"complex", "npy-type"},
               {"time", "npy-type"},       {"record", "npy-type"},
               {"longdouble", "npy-type"}, {"scalar", "npy-dimensions"},
               {"cube", "npy-dimensions"}, {"no-columns", "table-no-columns"}};
  char path[512];
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    size_t length;
    snprintf(path, sizeof path, FOLDER "refused-%s.npy", cases[k].name);
    char *bytes = read_whole_file(path, &length);
    must_refuse(bytes, length, ANK_FORMAT_npy, ANORANK_ERROR_DATA, cases[k].code);
  }
}

/* An NPY file with this header text and `data_bytes` zeros behind it. */
static size_t make_npy(unsigned char *to, unsigned char version, const char *header, size_t data_bytes) {
  size_t length = strlen(header), at = version == 1 ? 10 : 12;
  memcpy(to, "\x93NUMPY", 6);
  to[6] = version;
  to[7] = 0;
  for (size_t i = 8; i < at; i++) to[i] = (unsigned char)(length >> (8 * (i - 8)));
  memcpy(to + at, header, length);
  memset(to + at + length, 0, data_bytes);
  return at + length + data_bytes;
}

TEST(headers_with_any_spacing_and_order_of_keys_are_read) {
  static const char *const headers[] = {
      "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }  \n",
      "{'shape':(2,3),'fortran_order':False,'descr':'<f8'}",
      "{ \"shape\" : ( 2 , 3 , ) , \"descr\" : \"<f8\" , \"fortran_order\" : False }\n",
      "  {'fortran_order':True,'descr':'=f8','shape':(02,3)} ",
  };
  for (size_t k = 0; k < 4; k++)
    for (unsigned char version = 1; version <= 3; version++) {
      unsigned char bytes[512];
      anorank_settings settings = settings_for(ANK_FORMAT_auto);
      scoped_table *table;
      size_t length = make_npy(bytes, version, headers[k], 48);
      assert_ok(anorank_table_read(&table, ANORANK_FROM_MEMORY(bytes, length, "x"), &settings, NULL));
      assert_int_equal(table->rows, 2);
      assert_int_equal(table->columns, 3);
    }
}

TEST(headers_that_are_not_just_the_three_keys_are_refused) {
  static const char *const headers[] = {
      "",
      "{}",
      "{'descr': '<f8', 'fortran_order': False}",
      "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), 'shape': (2, 3)}",
      "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), 'x': 1}",
      "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3)} import os",
      "{'descr': '<f8' 'fortran_order': False, 'shape': (2, 3)}",
      "{'descr': '<f8', 'fortran_order': 0, 'shape': (2, 3)}",
      "{'descr': '<f8', 'fortran_order': False, 'shape': (-2, 3)}",
      "{'descr': '<f8', 'fortran_order': False, 'shape': (2 3)}",
      "{'descr': '<f8', 'fortran_order': False, 'shape': (2)}",
      "{'descr': '<f8', 'fortran_order': False, 'shape': (2, , 3)}",
      "{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999999, 3)}",
      "{'descr': '<f8', 'fortran_order': False, 'shape': [2, 3]}",
      "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3)",
      "{'descr': '<f\\x38', 'fortran_order': False, 'shape': (2, 3)}",
  };
  unsigned char bytes[1024];
  for (size_t k = 0; k < sizeof headers / sizeof headers[0]; k++)
    must_refuse(bytes, make_npy(bytes, 1, headers[k], 48), ANK_FORMAT_npy, ANORANK_ERROR_DATA, "npy-header");
  static const char *const types[] = {"<f3", "|f8", "<i16", "f8", "", "<f08", "<b2", "<", "<f8 "};
  for (size_t k = 0; k < sizeof types / sizeof types[0]; k++) {
    char header[128];
    snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': (2, 3)}", types[k]);
    must_refuse(bytes, make_npy(bytes, 1, header, 48), ANK_FORMAT_npy, ANORANK_ERROR_DATA, "npy-type");
  }
}

TEST(a_header_with_a_wrong_length_is_a_data_error_not_an_allocation) {
  static const struct {
    const char *shape, *part;
    size_t data;
  } cases[] = {
      {"(2, 3)", "npy-cut-short", 47},
      {"(2, 3)", "npy-cut-short", 0},
      {"(2, 3)", "npy-extra-bytes", 49},
      {"(1000000000000, 3)", "npy-cut-short", 48},
      {"(0, 3)", "npy-extra-bytes", 8},
      {"(18446744073709551615, 1)", "npy-shape", 48},
      {"(4611686018427387904, 65536)", "npy-shape", 48},
      {"(1, 65537)", "table-column-count", 48},
  };
  unsigned char bytes[1024];
  for (int fortran = 0; fortran <= 1; fortran++)
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
      char header[160];
      anorank_settings settings = settings_for(ANK_FORMAT_auto);
      anorank_table *table;
      anorank_error err = {0};
      snprintf(header, sizeof header, "{'descr': '<f8', 'fortran_order': %s, 'shape': %s}",
               fortran ? "True" : "False", cases[k].shape);
      size_t length = make_npy(bytes, 1, header, cases[k].data);
      /* a stream in Fortran order is refused by the memory limit before its length can be known */
      if (!(fortran && strstr(cases[k].shape, "1000000000000")))
        must_refuse(bytes, length, ANK_FORMAT_npy, ANORANK_ERROR_DATA, cases[k].part);
      write_file(scratch("lie.npy"), bytes, length);
      assert_status(anorank_table_read(&table, ANORANK_FROM_FILE(scratch("lie.npy")), &settings, &err),
                    ANORANK_ERROR_DATA);
      assert_error(&err, cases[k].part);
    }
  unlink(scratch("lie.npy"));
}

TEST(broken_prefaces_are_refused) {
  must_refuse("", 0, ANK_FORMAT_npy, ANORANK_ERROR_DATA, "npy-cut-short");
  must_refuse("\x93NUMP", 5, ANK_FORMAT_npy, ANORANK_ERROR_DATA, "npy-cut-short");
  must_refuse("a,b\n1,2\n3,4\n", 12, ANK_FORMAT_npy, ANORANK_ERROR_DATA, "npy-magic");
  must_refuse("\x93NUMPY\x01\x00\xFF\xFF{}", 12, ANK_FORMAT_npy, ANORANK_ERROR_DATA, "npy-cut-short");
  must_refuse("\x93NUMPY\x02\x00\xFF\xFF\xFF\xFF{}", 14, ANK_FORMAT_npy, ANORANK_ERROR_DATA,
              "npy-header-size");
  must_refuse("\x93NUMPY\x02\x00\x01", 9, ANK_FORMAT_npy, ANORANK_ERROR_DATA, "npy-cut-short");
  must_refuse("\x93NUMPY\x02\x00\x01\x00", 10, ANK_FORMAT_npy, ANORANK_ERROR_DATA, "npy-cut-short");
  must_refuse("\x93NUMPY\x04\x00\x01\x00 ", 11, ANK_FORMAT_npy, ANORANK_ERROR_DATA, "npy-version");
}

TEST(a_file_without_rows_still_has_its_columns) {
  anorank_settings settings = settings_for(ANK_FORMAT_auto);
  scoped_reader *reader;
  const anorank_table *block;
  assert_ok(anorank_reader_open(&reader, ANORANK_FROM_FILE(FOLDER "no-rows.npy"), &settings, NULL));
  assert_int_equal(anorank_table_columns(anorank_reader_schema(reader)), 3);
  assert_ok(anorank_reader_next(reader, &block, NULL));
  assert_null(block);
}

/* Larger than one piece of the reader in every direction. */
TEST(large_arrays_of_any_width_are_dealt_out_right) {
  static const size_t widths[] = {1, 2, 7, 8, 9, 100, 40000};
  for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
    size_t columns = widths[w], rows = 100003 / columns + 2;
    for (int fortran = 0; fortran <= 1; fortran++) {
      char header[128];
      unsigned char *bytes = test_memory(rows * columns * 4 + 256);
      anorank_settings settings = settings_for(ANK_FORMAT_auto);
      anorank_table *table;
      snprintf(header, sizeof header, "{'descr': '<f4', 'fortran_order': %s, 'shape': (%zu, %zu)}",
               fortran ? "True" : "False", rows, columns);
      size_t start = make_npy(bytes, 1, header, 0);
      for (size_t k = 0; k < rows * columns; k++) {
        float value = (float)k;
        memcpy(bytes + start + 4 * k, &value, 4);
      }
      write_file(scratch("large.npy"), bytes, start + rows * columns * 4);
      for (int from_file = 0; from_file <= 1; from_file++) {
        if (from_file)
          assert_ok(anorank_table_read(&table, ANORANK_FROM_FILE(scratch("large.npy")), &settings, NULL));
        else
          assert_ok(anorank_table_read(&table, ANORANK_FROM_MEMORY(bytes, start + rows * columns * 4, "x"),
                                       &settings, NULL));
        assert_int_equal(table->rows, rows);
        size_t wrong = 0;
        for (size_t j = 0; j < columns; j++)
          for (size_t i = 0; i < rows; i++)
            wrong += table->column[j].numbers[i] != (double)(float)(fortran ? j * rows + i : i * columns + j);
        assert_int_equal(wrong, 0);
        anorank_table_free(table);
      }
    }
  }
  unlink(scratch("large.npy"));
}

TEST(a_fortran_stream_over_the_memory_limit_is_refused) {
  unsigned char *bytes = test_memory(90000);
  anorank_settings settings = settings_for(ANK_FORMAT_auto);
  anorank_table *table;
  anorank_error err = {0};
  size_t length = make_npy(bytes, 1, "{'descr': '<f8', 'fortran_order': True, 'shape': (1000, 10)}", 80000);
  settings.max_memory = 70000;
  assert_status(anorank_table_read(&table, ANORANK_FROM_MEMORY(bytes, length, "x"), &settings, &err),
                ANORANK_ERROR_RESOURCES);
  assert_string_equal(err.code, "memory-limit");
}

/* Passing over the setting in silence would give distances between codes. */
TEST(columns_named_categorical_are_refused) {
  anorank_settings settings = settings_for(ANK_FORMAT_auto);
  anorank_table *table;
  anorank_error err = {0};
  assert_ok(ank_settings_lend(&settings, "categorical", "x1", NULL));
  assert_status(anorank_table_read(&table, ANORANK_FROM_FILE(FOLDER "vector.npy"), &settings, &err),
                ANORANK_ERROR_USAGE);
  assert_string_equal(err.code, "npy-categorical");
}

TEST(every_failing_allocation_is_survived) {
  assert_read_survives_failures(FOLDER "i4-big-c.npy");
  assert_read_survives_failures(FOLDER "f8-little-fortran.npy");
}

TEST_GROUP(make_scratch, remove_scratch)
