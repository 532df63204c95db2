/* test_file_io.c - temporary files, complete reads and writes, and the scratch file over them. */
#include "core/file_io.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "core/scratch_file.h"
#include "support/check.h"

TEST(a_temporary_file_is_closed_on_exec_and_keeps_its_bytes) {
  char read[8] = "";
  int file = ank_open_temporary();
  assert_true(file >= 0);
  assert_true(fcntl(file, F_GETFD) & FD_CLOEXEC);
  assert_int_equal(ank_write_full(file, "abcdef", 6), 0);
  assert_int_equal(ank_write_at(file, "XY", 2, 2), 0);
  assert_int_equal(ank_read_at(file, read, 6, 0), 6);
  assert_string_equal(read, "abXYef");
  assert_int_equal(ank_read_at(file, read, 6, 4), 2);
  close(file);
  assert_int_equal(ank_write_at(file, "x", 1, 0), -1);
  assert_int_equal(ank_read_at(file, read, 1, 0), SIZE_MAX);
}

TEST(a_path_is_its_folder_and_its_name) {
  static const char *const cases[][3] = {{"rows.csv", ".", "rows.csv"},
                                         {"a/b/rows.csv", "a/b", "rows.csv"},
                                         {"/rows.csv", "/", "rows.csv"},
                                         {"C:/rows.csv", "C:/", "rows.csv"},
                                         {"a/", "a", ""},
                                         {"", ".", ""}};
  static char folder[ANK_PATH_SIZE], longest[ANK_PATH_SIZE + 2];
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    assert_int_equal(ank_folder_of(folder, cases[i][0]), 0);
    assert_string_equal(folder, cases[i][1]);
    assert_string_equal(ank_file_name(cases[i][0]), cases[i][2]);
  }
  memset(longest, '/', ANK_PATH_SIZE);
  assert_int_equal(ank_folder_of(folder, longest), -1);
}

TEST(reading_behind_the_end_is_refused) {
  ank_scratch_file scratch = {0};
  anorank_error err = {0};
  char read[8];
  assert_ok(ank_scratch_append(&scratch, "abcd", 4, NULL, NULL));
  assert_ok(ank_scratch_read(&scratch, read, 4, 0, NULL));
  errno = ENOSPC; /* of an earlier call: not the reason */
  assert_int_equal(ank_scratch_read(&scratch, read, 4, 2, &err), ANORANK_ERROR_RESOURCES);
  assert_null(strstr(err.message, strerror(ENOSPC)));
  assert_string_equal(err.code, "temporary-file-cut");
  ank_scratch_close(&scratch);
}
