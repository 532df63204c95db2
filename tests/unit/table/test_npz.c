/* The NPZ reader: the choice of the array, and archives that are damaged, encrypted or contradictory. */
#include "support/formats.h"

#define FOLDER TEST_DATA "/npy/"

static void assert_is_matrix(const anorank_table *table) {
  assert_int_equal(table->rows, 5);
  assert_int_equal(table->columns, 3);
  for (size_t j = 0; j < 3; j++)
    for (size_t i = 0; i < 5; i++)
      assert_true(table->column[j].numbers[i] == (7.0 * (double)(3 * i + j) - 20) / 4);
}

TEST(the_only_array_or_the_one_called_x_is_taken) {
  static const char *const paths[] = {FOLDER "one.npz", FOLDER "with-x.npz", FOLDER "packed.npz",
                                      FOLDER "packed-fortran.npz"};
  for (size_t k = 0; k < 4; k++) {
    size_t length;
    scoped_table *table = must_read(paths[k]);
    assert_is_matrix(table);
    assert_blocks_agree(paths[k], table);
    char *bytes = read_whole_file(paths[k], &length);
    assert_memory_blocks_agree(bytes, length, ANK_FORMAT_auto, table);
  }
}

TEST(the_setting_array_chooses_with_or_without_ending) {
  static const char *const names[] = {"b", "b.npy"};
  for (size_t k = 0; k < 2; k++) {
    anorank_settings settings = settings_for(ANK_FORMAT_npz);
    scoped_table *table;
    assert_ok(ank_settings_lend(&settings, "array", names[k], NULL));
    assert_ok(anorank_table_read(&table, ANORANK_FROM_FILE(FOLDER "several.npz"), &settings, NULL));
    assert_is_matrix(table);
  }
}

TEST(several_arrays_without_x_and_unknown_names_list_the_arrays) {
  anorank_settings settings = settings_for(ANK_FORMAT_auto);
  anorank_table *table;
  anorank_error err = {0};
  assert_status(anorank_table_read(&table, ANORANK_FROM_FILE(FOLDER "several.npz"), &settings, &err),
                ANORANK_ERROR_USAGE);
  assert_string_equal(err.code, "npz-which-array");
  assert_ok(ank_settings_lend(&settings, "array", "zzz", NULL));
  assert_status(anorank_table_read(&table, ANORANK_FROM_FILE(FOLDER "several.npz"), &settings, &err),
                ANORANK_ERROR_USAGE);
  assert_error(&err, "npz-array-unknown setting=array");
}

TEST(objects_inside_are_refused_by_the_name_of_file_and_array) {
  anorank_settings settings = settings_for(ANK_FORMAT_auto);
  anorank_table *table;
  anorank_error err = {0};
  assert_status(anorank_table_read(&table, ANORANK_FROM_FILE(FOLDER "refused-object.npz"), &settings, &err),
                ANORANK_ERROR_DATA);
  assert_error(&err, "npy-type");
  assert_non_null(strstr(err.message, "refused-object.npz[X]: "));
}

/* Every cut of an archive fails in words, never with a table. */
TEST(cut_archives_are_refused) {
  size_t length;
  char *bytes = read_whole_file(FOLDER "packed.npz", &length);
  for (size_t cut = 0; cut < length; cut += 3)
    must_refuse(bytes, cut, ANK_FORMAT_npz, ANORANK_ERROR_DATA, "zip-damaged");
}

/* The first place where the pattern is. */
static size_t find(const char *bytes, size_t length, const char *pattern, size_t size) {
  for (size_t i = 0; i + size <= length; i++)
    if (memcmp(bytes + i, pattern, size) == 0) return i;
  fail();
  return 0;
}

TEST(changed_data_fails_the_checksum) {
  size_t length;
  char *bytes = read_whole_file(FOLDER "one.npz", &length);
  size_t header_end = find(bytes, length, "  \n", 3) + 2;
  bytes[header_end + 20] ^= 1; /* in the numbers: still a valid NPY file */
  must_refuse(bytes, length, ANK_FORMAT_npz, ANORANK_ERROR_DATA, "zip-damaged");
  write_file(scratch("crc.npz"), bytes, length);
  anorank_settings settings = settings_for(ANK_FORMAT_auto);
  anorank_reader *reader;
  const anorank_table *block = NULL;
  settings.block_rows = 2;
  assert_ok(anorank_reader_open(&reader, ANORANK_FROM_FILE(scratch("crc.npz")), &settings, NULL));
  anorank_status status = ANORANK_OK;
  for (int k = 0; k < 4 && status == ANORANK_OK; k++) status = anorank_reader_next(reader, &block, NULL);
  assert_status(status, ANORANK_ERROR_DATA);
  anorank_reader_free(reader);
  unlink(scratch("crc.npz"));
}

TEST(encrypted_members_are_refused) {
  size_t length;
  char *bytes = read_whole_file(FOLDER "one.npz", &length);
  bytes[find(bytes, length, "PK\x03\x04", 4) + 6] |= 1;
  bytes[find(bytes, length, "PK\x01\x02", 4) + 8] |= 1;
  must_refuse(bytes, length, ANK_FORMAT_npz, ANORANK_ERROR_DATA, "zip-encrypted");
}

/* The NPY header says more than the archive holds: known before anything is allocated. */
TEST(a_header_that_promises_more_than_the_member_holds_is_refused) {
  size_t length;
  char *bytes = read_whole_file(FOLDER "one.npz", &length);
  size_t at = find(bytes, length, "(5, 3), }         ", 18);
  memcpy(bytes + at, "(500000000, 3), } ", 18);
  must_refuse(bytes, length, ANK_FORMAT_npz, ANORANK_ERROR_DATA, "npy-cut-short");
}

TEST(an_archive_without_arrays_is_refused) {
  must_refuse("PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 22, ANK_FORMAT_npz, ANORANK_ERROR_DATA,
              "zip-no-table");
  must_refuse("not a zip archive at all", 24, ANK_FORMAT_npz, ANORANK_ERROR_DATA, "zip-damaged");
}

TEST(more_than_the_memory_limit_is_refused) {
  size_t length;
  char *bytes = read_whole_file(FOLDER "packed.npz", &length);
  anorank_settings settings = settings_for(ANK_FORMAT_npz);
  anorank_table *table;
  anorank_error err = {0};
  settings.max_memory = 100;
  assert_status(anorank_table_read(&table, ANORANK_FROM_MEMORY(bytes, length, "x"), &settings, &err),
                ANORANK_ERROR_RESOURCES);
  assert_error(&err, "memory-limit setting=max-memory");
  assert_status(anorank_table_read(&table, ANORANK_FROM_FILE(FOLDER "packed.npz"), &settings, &err),
                ANORANK_ERROR_RESOURCES);
}

TEST(every_failing_allocation_is_survived) { assert_read_survives_failures(FOLDER "packed.npz"); }

TEST_GROUP(make_scratch, remove_scratch)
