/* replay.c - run a fuzzer's entry point on the files and directories of the command line, without libFuzzer,
 * so that the committed corpus is a test with any compiler. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The exact size on the heap, so that a sanitizer sees a read beyond the end. */
static int replay_file(const char *path) {
  FILE *file = fopen(path, "rb");
  struct stat about;
  if (!file || stat(path, &about) != 0) {
    fprintf(stderr, "%s: cannot be read\n", path);
    if (file) fclose(file);
    return 0;
  }
  size_t size = (size_t)about.st_size;
  uint8_t *bytes = malloc(size ? size : 1);
  if (!bytes || fread(bytes, 1, size, file) != size) {
    fprintf(stderr, "%s: cannot be read whole\n", path);
    exit(1);
  }
  fclose(file);
  LLVMFuzzerTestOneInput(bytes, size);
  free(bytes);
  return 1;
}

static int replay(const char *path) {
  DIR *folder = opendir(path);
  int count = 0;
  if (!folder) return replay_file(path);
  for (struct dirent *entry; (entry = readdir(folder));) {
    char inside[4096];
    if (entry->d_name[0] == '.') continue;
    int length = snprintf(inside, sizeof inside, "%s/%s", path, entry->d_name);
    if (length > 0 && (size_t)length < sizeof inside) count += replay(inside);
  }
  closedir(folder);
  return count;
}

int main(int argc, char **argv) {
  int count = 0;
  for (int i = 1; i < argc; i++) count += replay(argv[i]);
  printf("%d inputs replayed\n", count);
  return count > 0 ? 0 : 1;
}
