/* Output files: atomic, permissions kept; failures keep the old file. */
#include "support/check.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/alloc.h"
#include "core/output.h"

static char folder[64];

static int make_folder(void **state) {
  (void)state;
  strcpy(folder, "/tmp/anorank-output-XXXXXX");
  return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
  (void)state;
  char command[128];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  return system(command);
}

static const char *in_folder(const char *name) {
  static char path[384];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static size_t files_in_folder(void) {
  DIR *dir = opendir(folder);
  size_t count = 0;
  assert_non_null(dir);
  for (struct dirent *entry = readdir(dir); entry; entry = readdir(dir)) count += entry->d_name[0] != '.';
  closedir(dir);
  return count;
}

static void put(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

static void assert_content(const char *path, const char *expected) {
  char text[256] = {0};
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  (void)!fread(text, 1, sizeof text - 1, file);
  fclose(file);
  assert_string_equal(text, expected);
}

TEST(the_file_appears_at_commit_only) {
  ank_output *output;
  const char *path = in_folder("new.txt");
  assert_ok(ank_output_open(&output, path, NULL));
  assert_ok(ank_output_write(output, "3 rows\n", 7, NULL));
  assert_int_equal(access(path, F_OK), -1);
  assert_ok(ank_output_commit(output, NULL));
  ank_output_free(output);
  assert_content(path, "3 rows\n");
  assert_int_equal(files_in_folder(), 1);
  unlink(path);
}

TEST(without_commit_the_old_file_stays) {
  ank_output *output;
  const char *path = in_folder("old.txt");
  put(path, "old");
  assert_ok(ank_output_open(&output, path, NULL));
  assert_ok(ank_output_write(output, "new", 3, NULL));
  ank_output_free(output);
  assert_content(path, "old");
  assert_int_equal(files_in_folder(), 1);
  unlink(path);
}

TEST(a_replaced_file_keeps_its_permissions_and_its_link) {
  ank_output *output;
  struct stat info;
  char target[128];
  strcpy(target, in_folder("target.txt"));
  put(target, "old");
  chmod(target, 0640);
  const char *link = in_folder("link.txt");
  assert_int_equal(symlink(target, link), 0);
  assert_ok(ank_output_open(&output, link, NULL));
  assert_ok(ank_output_write(output, "new", 3, NULL));
  assert_ok(ank_output_commit(output, NULL));
  ank_output_free(output);
  assert_int_equal(lstat(link, &info), 0);
  assert_true(S_ISLNK(info.st_mode));
  assert_int_equal(stat(target, &info), 0);
  assert_int_equal(info.st_mode & 0777, 0640);
  assert_content(target, "new");
  unlink(link);
  unlink(target);
}

TEST(a_link_to_nothing_is_followed) {
  ank_output *output;
  anorank_error err = {0};
  struct stat info;
  char link[128], second[128], circle[128];
  strcpy(link, in_folder("link.txt"));
  strcpy(second, in_folder("second.txt"));
  strcpy(circle, in_folder("circle.txt"));
  assert_int_equal(symlink("second.txt", link), 0);
  assert_int_equal(symlink(in_folder("target.txt"), second), 0);
  assert_ok(ank_output_open(&output, link, NULL));
  assert_ok(ank_output_write(output, "new", 3, NULL));
  assert_ok(ank_output_commit(output, NULL));
  ank_output_free(output);
  assert_int_equal(lstat(link, &info), 0);
  assert_true(S_ISLNK(info.st_mode));
  assert_content(in_folder("target.txt"), "new");
  assert_int_equal(files_in_folder(), 3);
  assert_int_equal(symlink("circle.txt", circle), 0);
  assert_status(ank_output_open(&output, circle, &err), ANORANK_ERROR_RESOURCES);
  assert_error(&err, "output-open");
  assert_int_equal(lstat(circle, &info), 0);
  assert_true(S_ISLNK(info.st_mode));
  unlink(circle);
  unlink(second);
  unlink(link);
  unlink(in_folder("target.txt"));
}

TEST(a_name_as_long_as_the_system_takes_is_written) {
  ank_output *output;
  char name[256], path[400];
  memset(name, 'x', sizeof name);
  memcpy(name + 199, "\xC3\xA9", 2); /* where the temporary name is cut */
  name[255] = '\0';
  strcpy(path, in_folder(name));
  assert_ok(ank_output_open(&output, path, NULL));
  assert_ok(ank_output_write(output, "new", 3, NULL));
  assert_ok(ank_output_commit(output, NULL));
  ank_output_free(output);
  assert_content(path, "new");
  unlink(path);
}

static int flushed_files, flushed_folders;

/* In the place of the C library's. */
int fsync(int file) {
  struct stat about;
  if (fstat(file, &about) == 0) S_ISDIR(about.st_mode) ? flushed_folders++ : flushed_files++;
  return fdatasync(file);
}

TEST(the_file_and_then_its_folder_are_flushed_to_disk) {
  ank_output *output;
  char path[128];
  strcpy(path, in_folder("file.txt"));
  flushed_files = flushed_folders = 0;
  assert_ok(ank_output_open(&output, path, NULL));
  assert_ok(ank_output_write(output, "new", 3, NULL));
  assert_int_equal(flushed_files + flushed_folders, 0);
  assert_ok(ank_output_commit(output, NULL));
  assert_int_equal(flushed_files, 1);
  assert_int_equal(flushed_folders, 1);
  ank_output_free(output);
  unlink(path);
}

/* Nothing of it can be seen before the commit, or its owner alone can read it: a kill leaves nothing to be
 * read. */
TEST(the_draft_of_a_private_file_is_private) {
  ank_output *output;
  char draft[160], path[128];
  struct stat info;
  strcpy(path, in_folder("secret.txt"));
  put(path, "old");
  chmod(path, 0600);
  mode_t mask = umask(0);
  assert_ok(ank_output_open(&output, path, NULL));
  umask(mask);
  snprintf(draft, sizeof draft, "%s.tmp-%ld-0", path, (long)getpid());
  if (stat(draft, &info) == 0)
    assert_int_equal(info.st_mode & 0077, 0);
  else
    assert_int_equal(files_in_folder(), 1);
  assert_ok(ank_output_commit(output, NULL));
  ank_output_free(output);
  assert_int_equal(stat(path, &info), 0);
  assert_int_equal(info.st_mode & 0777, 0600);
  unlink(path);
}

TEST(patching_overwrites_earlier_bytes) {
  ank_output *output;
  const char *path = in_folder("patched.txt");
  assert_ok(ank_output_open(&output, path, NULL));
  assert_true(ank_output_can_seek(output));
  assert_ok(ank_output_write(output, "rows: ???\n", 10, NULL));
  assert_ok(ank_output_patch(output, 6, "123", 3, NULL));
  assert_ok(ank_output_write(output, "end", 3, NULL));
  assert_ok(ank_output_commit(output, NULL));
  ank_output_free(output);
  assert_content(path, "rows: 123\nend");
  unlink(path);
}

TEST(a_full_disk_is_an_error_with_advice) {
  ank_output *output;
  anorank_error err = {0};
  if (access("/dev/full", W_OK) != 0) skip();
  assert_ok(ank_output_open(&output, "/dev/full", NULL));
  assert_ok(ank_output_write(output, "x", 1, NULL));
  assert_fails(ank_output_commit(output, &err), ANORANK_ERROR_RESOURCES, "output-write");
  ank_output_free(output);
}

TEST(a_file_over_the_limit_leaves_the_old_one) {
  ank_output *output;
  anorank_error err = {0};
  struct rlimit old, small;
  static char block[1 << 20];
  const char *path = in_folder("limited.txt");
  put(path, "old");
  signal(SIGXFSZ, SIG_IGN);
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
  small = old;
  small.rlim_cur = 1000;
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
  assert_ok(ank_output_open(&output, path, NULL));
  anorank_status status = ank_output_write(output, block, sizeof block, &err);
  ank_output_free(output);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
  assert_status(status, ANORANK_ERROR_RESOURCES);
  assert_error(&err, "output-write");
  assert_content(path, "old");
  assert_int_equal(files_in_folder(), 1);
  unlink(path);
}

TEST(impossible_places_are_named) {
  ank_output *output;
  anorank_error err = {0};
  char path[128];
  strcpy(path, in_folder("no/such/folder.txt"));
  assert_fails(ank_output_open(&output, path, &err), ANORANK_ERROR_RESOURCES, "output-folder");
  assert_null(output);
  assert_fails(ank_output_open(&output, folder, &err), ANORANK_ERROR_RESOURCES, "file-is-folder");
}

TEST(each_failing_allocation_is_survived) {
  for (size_t k = 1; k < 100; k++) {
    ank_output *output;
    (void)ank_alloc_fail_at(k);
    anorank_status status = ank_output_open(&output, in_folder("x"), NULL);
    if (ank_alloc_fail_at(0) < k) { /* fewer requests than k: all have failed once */
      assert_ok(status);
      ank_output_free(output);
      assert_int_equal(files_in_folder(), 0);
      assert_true(k > 3);
      return;
    }
    assert_status(status, ANORANK_ERROR_RESOURCES);
    assert_null(output);
    assert_int_equal(files_in_folder(), 0);
  }
  fail();
}

TEST_GROUP(make_folder, remove_folder)
