/* test_table.c - columns, names, levels and the memory limit; the public getters. */
#include "core/alloc.h"
#include "support/check.h"
#include "table/table.h"

static anorank_error err;

static anorank_table *new_table(size_t columns) {
  anorank_table *table;
  assert_ok(ank_table_new(&table, columns, &err));
  return table;
}

static void set_name(anorank_table *table, size_t column, const char *name) {
  assert_ok(ank_table_set_name(table, column, name, strlen(name), &err));
}

TEST(names_are_made_unique_and_empty_ones_are_numbered) {
  static const char *const given[] = {"a", "a", "", "a_2", "a", "x3", "b"};
  static const char *const expected[] = {"a", "a_2", "x3", "a_2_2", "a_3", "x3_2", "b"};
  scoped_table *table = new_table(7);
  for (size_t j = 0; j < 7; j++) set_name(table, j, given[j]);
  for (size_t j = 0; j < 7; j++) assert_string_equal(anorank_table_name(table, j), expected[j]);
  set_name(table, 6, "b"); /* its own name is no clash */
  assert_string_equal(anorank_table_name(table, 6), "b");
  assert_int_equal(anorank_table_find(table, "a_3"), 4);
  assert_int_equal(anorank_table_find(table, "c"), SIZE_MAX);
  assert_status(ank_table_set_name(table, 0, "n\0l", 3, &err), ANORANK_ERROR_DATA);
}

TEST(very_many_equal_names_take_no_quadratic_time) {
  anorank_table *table = new_table(0);
  for (size_t j = 0; j < ANORANK_MAX_COLUMNS; j++) {
    assert_ok(ank_table_add_column(table, &err));
    set_name(table, j, "same");
  }
  assert_string_equal(anorank_table_name(table, 1), "same_2");
  assert_string_equal(anorank_table_name(table, 65535), "same_65536");
  assert_status(ank_table_add_column(table, &err), ANORANK_ERROR_DATA);
  ank_table_free(table);
  assert_status(ank_table_new(&table, ANORANK_MAX_COLUMNS + 1, &err), ANORANK_ERROR_DATA);
  assert_null(table);
}

TEST(levels_are_numbered_by_first_appearance) {
  ank_levels levels = {0};
  char text[32];
  int32_t code;
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < 5000; i++) {
      int length = snprintf(text, sizeof text, "%d-level", i * 7919);
      assert_ok(ank_levels_code(&code, &levels, text, (size_t)length, &err));
      assert_int_equal(code, i);
      assert_string_equal(levels.text[code], text);
    }
  assert_int_equal(levels.count, 5000);
  assert_ok(ank_levels_code(&code, &levels, "", 0, &err));
  assert_int_equal(code, 5000);
  assert_ok(ank_levels_code(&code, &levels, "0-levelx", 7, &err));
  assert_int_equal(code, 0);
  assert_status(ank_levels_code(&code, &levels, "0-level\0", 8, &err), ANORANK_ERROR_DATA);
  ank_levels_free(&levels);
}

TEST(reserving_keeps_the_content) {
  scoped_table *table = new_table(2);
  ank_table_set_kind(table, 1, ANORANK_CATEGORICAL);
  assert_ok(ank_table_reserve(table, 10, &err));
  assert_int_equal(table->capacity, 10);
  for (int i = 0; i < 10; i++) {
    table->column[0].numbers[i] = i;
    table->column[1].codes[i] = -i;
  }
  table->rows = 10;
  assert_ok(ank_table_reserve(table, 1000000, &err));
  for (int i = 0; i < 10; i++) {
    assert_close(anorank_table_numbers(table, 0)[i], i, 0);
    assert_int_equal(anorank_table_codes(table, 1)[i], -i);
  }
  assert_true(ank_table_bytes(table) >= 12000000 && ank_table_bytes(table) < 12010000);
  ank_table_clear(table);
  assert_int_equal(anorank_table_rows(table), 0);
  assert_true(table->capacity >= 1000000);
}

TEST(the_limit_counts_cells_and_levels) {
  scoped_table *table = new_table(2);
  ank_table_set_kind(table, 1, ANORANK_CATEGORICAL);
  table->limit = 100000;
  assert_ok(ank_copy_text(&table->source, "big.csv", 7, &err));
  assert_ok(ank_table_reserve(table, 5000, &err));
  assert_ok(ank_table_reserve(table, 8000, &err)); /* growing by half would break the limit: exact then */
  assert_fails(ank_table_reserve(table, 9000, &err), ANORANK_ERROR_RESOURCES,
               "memory-limit setting=max-memory");
  assert_status(ank_table_reserve(table, SIZE_MAX, &err), ANORANK_ERROR_RESOURCES);
  assert_int_equal(table->capacity, 8000);
  char text[32];
  int32_t code;
  for (int i = 0; i < 1000; i++) {
    int length = snprintf(text, sizeof text, "a level with number %d", i);
    assert_ok(ank_levels_code(&code, &table->column[1].levels, text, (size_t)length, &err));
  }
  assert_status(ank_table_reserve(table, 0, &err), ANORANK_ERROR_RESOURCES);
}

TEST(a_matrix_is_copied_with_its_strides) {
  const double data[] = {1, 2, 3, 4, 5, 6};
  static const char *const names[] = {"p", "q", NULL};
  scoped_table *table;
  assert_ok(anorank_table_from_matrix(&table, data, 2, 3, 3, 1, names, &err));
  assert_string_equal(anorank_table_name(table, 0), "p");
  assert_string_equal(anorank_table_name(table, 2), "x3");
  assert_close(anorank_table_numbers(table, 1)[1], 5, 0);
  anorank_table_free(table);
  assert_ok(anorank_table_from_matrix(&table, data, 2, 3, 1, 2, NULL, &err));
  assert_string_equal(anorank_table_name(table, 1), "x2");
  assert_close(anorank_table_numbers(table, 1)[1], 4, 0);
  anorank_table_free(table);
  assert_ok(anorank_table_from_matrix(&table, NULL, 0, 3, 3, 1, NULL, &err));
  assert_int_equal(anorank_table_rows(table), 0);
}

TEST(wrong_calls_are_usage_errors) {
  double one = 1;
  scoped_table *table;
  assert_status(anorank_table_from_matrix(NULL, &one, 1, 1, 1, 1, NULL, &err), ANORANK_ERROR_USAGE);
  assert_status(anorank_table_from_matrix(&table, NULL, 1, 1, 1, 1, NULL, &err), ANORANK_ERROR_USAGE);
  assert_status(anorank_table_from_matrix(&table, &one, 1, 0, 1, 1, NULL, &err), ANORANK_ERROR_USAGE);
  assert_status(anorank_table_from_matrix(&table, &one, SIZE_MAX, 2, SIZE_MAX, 1, NULL, &err),
                ANORANK_ERROR_USAGE);
  assert_null(table);
  anorank_table_free(NULL);
  assert_int_equal(anorank_table_rows(NULL), 0);
  assert_int_equal(anorank_table_columns(NULL), 0);
  assert_ok(anorank_table_from_matrix(&table, &one, 1, 1, 1, 1, NULL, NULL));
  assert_null(anorank_table_name(table, 1));
  assert_null(anorank_table_numbers(table, 1));
  assert_null(anorank_table_codes(table, 0));
  assert_int_equal(anorank_table_levels(table, 0), 0);
  assert_null(anorank_table_level(table, 0, 0));
  assert_int_equal(anorank_table_find(table, NULL), SIZE_MAX);
}

TEST(failing_memory_leaves_no_table_behind) {
  const double data[] = {1, 2, 3, 4};
  static const char *const names[] = {"a", "a"};
  anorank_table *table;
  ank_alloc_fail_at(0);
  assert_ok(anorank_table_from_matrix(&table, data, 2, 2, 2, 1, names, &err));
  anorank_table_free(table);
  size_t requests = ank_alloc_fail_at(0);
  assert_true(requests > 6);
  for (size_t k = 1; k <= requests; k++) {
    ank_alloc_fail_at(k);
    anorank_status status = anorank_table_from_matrix(&table, data, 2, 2, 2, 1, names, &err);
    ank_alloc_fail_at(0);
    assert_int_equal(status, ANORANK_ERROR_RESOURCES);
    assert_null(table);
  }
}
