/* formats.h - for the tests of readers and writers: files in a scratch directory, reading from memory whole
 * and in blocks, comparing tables cell by cell, and a walk over all failing allocations. */
#ifndef TEST_SUPPORT_FORMATS_H
#define TEST_SUPPORT_FORMATS_H

#include "support/check.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/alloc.h"
#include "table/format.h"
#include "table/table.h"

static char scratch_folder[64];

static inline int make_scratch(void **state) {
  (void)state;
  strcpy(scratch_folder, "/tmp/anorank-test-XXXXXX");
  return mkdtemp(scratch_folder) ? 0 : -1;
}

/* Removes the folder and fails if a test left something behind in it. */
static inline int remove_scratch(void **state) {
  (void)state;
  return rmdir(scratch_folder);
}

static inline const char *scratch(const char *name) {
  static char paths[4][256];
  static int next;
  char *path = paths[next++ % 4];
  snprintf(path, sizeof paths[0], "%s/%s", scratch_folder, name);
  return path;
}

static inline size_t files_in_scratch(void) {
  size_t count = 0;
  DIR *folder = opendir(scratch_folder);
  assert_non_null(folder);
  for (struct dirent *entry; (entry = readdir(folder));) count += entry->d_name[0] != '.';
  closedir(folder);
  return count;
}

static inline void write_file(const char *path, const void *bytes, size_t length) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, length, file), length);
  assert_int_equal(fclose(file), 0);
}

/* There is a NUL behind the bytes. */
static inline char *read_whole_file(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  if (!file) print_error("cannot open %s\n", path);
  assert_non_null(file);
  char *bytes = test_memory((size_t)1 << 22);
  *length = fread(bytes, 1, ((size_t)1 << 22) - 1, file);
  bytes[*length] = '\0';
  fclose(file);
  return bytes;
}

static inline anorank_settings settings_for(int32_t format) {
  anorank_settings settings = test_settings();
  settings.format = (int32_t)format;
  return settings;
}

static inline anorank_table *must_read(const char *path) {
  anorank_settings settings = settings_for(ANK_FORMAT_auto);
  anorank_error err = {0};
  anorank_table *table;
  if (anorank_table_read(&table, ANORANK_FROM_FILE(path), &settings, &err) != ANORANK_OK) {
    print_error("%s\n", err.message);
    fail();
  }
  return table;
}

/* The read must fail with this status, code and fields (check.h). */
static inline void must_refuse(const void *bytes, size_t length, int32_t format, anorank_status status,
                               const char *part) {
  anorank_settings settings = settings_for(format);
  anorank_error err = {0};
  anorank_table *table = (anorank_table *)&settings;
  anorank_status got =
      anorank_table_read(&table, ANORANK_FROM_MEMORY(bytes, length, "input"), &settings, &err);
  assert_status(got, status);
  assert_error(&err, part);
  assert_null(table);
}

/* The same bits, but any NaN equals any other. */
static inline int same_number(double a, double b) {
  if (isnan(a) || isnan(b)) return isnan(a) && isnan(b);
  return memcmp(&a, &b, sizeof a) == 0;
}

static inline const char *cell_text(const anorank_table *table, size_t column, size_t row) {
  int32_t code = anorank_table_codes(table, column)[row];
  return code < 0 ? NULL : anorank_table_level(table, column, (size_t)code);
}

/* Rows [first, first + block rows) of `whole` are those of `block`. */
static inline void assert_same_rows(const anorank_table *whole, size_t first, const anorank_table *block) {
  assert_int_equal(whole->columns, block->columns);
  assert_true(first + block->rows <= whole->rows);
  for (size_t j = 0; j < whole->columns; j++) {
    assert_string_equal(whole->column[j].name, block->column[j].name);
    assert_int_equal(whole->column[j].kind, block->column[j].kind);
    for (size_t i = 0; i < block->rows; i++) {
      if (whole->column[j].kind != ANORANK_CATEGORICAL) {
        double a = whole->column[j].numbers[first + i], b = block->column[j].numbers[i];
        if (!same_number(a, b)) print_error("row %zu column %zu: %a and %a\n", first + i, j, a, b);
        assert_true(same_number(a, b));
      } else {
        const char *a = cell_text(whole, j, first + i), *b = cell_text(block, j, i);
        assert_true(!a == !b);
        if (a) assert_string_equal(a, b);
      }
    }
  }
}

static inline void assert_same_table(const anorank_table *a, const anorank_table *b) {
  assert_int_equal(a->rows, b->rows);
  assert_same_rows(a, 0, b);
}

/* Read `path` in blocks of several sizes; each must give the rows of `whole`. */
static inline void assert_blocks_agree(const char *path, const anorank_table *whole) {
  for (int64_t rows = 1; rows <= 9; rows += 2) {
    anorank_settings settings = settings_for(ANK_FORMAT_auto);
    anorank_reader *reader;
    const anorank_table *block;
    size_t first = 0;
    settings.block_rows = rows;
    assert_ok(anorank_reader_open(&reader, ANORANK_FROM_FILE(path), &settings, NULL));
    for (;;) {
      assert_ok(anorank_reader_next(reader, &block, NULL));
      if (!block) break;
      assert_true(block->rows <= (size_t)rows);
      assert_same_rows(whole, first, block);
      first += block->rows;
    }
    assert_int_equal(first, whole->rows);
    anorank_reader_free(reader);
  }
}

/* The same through a source that is not a file. */
static inline void assert_memory_blocks_agree(const void *bytes, size_t length, int32_t format,
                                              const anorank_table *whole) {
  anorank_settings settings = settings_for(format);
  ank_source *source;
  anorank_reader *reader;
  const anorank_table *block;
  size_t first = 0;
  settings.block_rows = 2;
  assert_ok(ank_source_from_memory(&source, bytes, length, "memory", NULL));
  assert_ok(ank_reader_open(&reader, source, &settings, NULL));
  for (;;) {
    assert_ok(anorank_reader_next(reader, &block, NULL));
    if (!block) break;
    assert_same_rows(whole, first, block);
    first += block->rows;
  }
  assert_int_equal(first, whole->rows);
  anorank_reader_free(reader);
}

/* Whichever request fails, the read fails cleanly: status, message, no table; leaks are the sanitizer's to
 * find. */
static inline void assert_read_survives_failures(const char *path) {
  anorank_settings settings = settings_for(ANK_FORMAT_auto);
  for (size_t k = 1; k < 2000; k++) {
    anorank_table *table;
    anorank_error err = {0};
    (void)ank_alloc_fail_at(k);
    anorank_status status = anorank_table_read(&table, ANORANK_FROM_FILE(path), &settings, &err);
    size_t made = ank_alloc_fail_at(0);
    if (status == ANORANK_OK) {
      assert_true(made < k);
      anorank_table_free(table);
      return;
    }
    assert_status(status, ANORANK_ERROR_RESOURCES);
    assert_null(table);
    assert_error(&err, "memory-exhausted");
  }
  fail();
}

#endif
