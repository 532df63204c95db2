/* main.c - runs the tests of a program in the order of its file. Weak, for programs with their own `main`. */
#include "support/check.h"

#include <stdlib.h>

enum { MOST = 200 };

static struct CMUnitTest tests[MOST];
static size_t count;
static CMFixtureFunction group_set_up, group_tear_down;

static void **block; /* what test_memory gave; the first `shared` of them are for all tests */
static size_t blocks, shared, room;

void *test_memory(size_t bytes) {
  if (blocks == room) block = realloc(block, (room = 2 * room + 64) * sizeof *block);
  if (!block || !(block[blocks] = calloc(1, bytes ? bytes : 1))) abort();
  return block[blocks++];
}

static int free_blocks(__attribute__((unused)) void **state) {
  while (blocks > shared) free(block[--blocks]);
  return 0;
}

void test_add(const char *name, CMUnitTestFunction test, CMFixtureFunction set_up) {
  if (count == MOST) abort();
  tests[count++] = (struct CMUnitTest){name, test, set_up, free_blocks, NULL};
}

void test_group(CMFixtureFunction set_up, CMFixtureFunction tear_down) {
  group_set_up = set_up;
  group_tear_down = tear_down;
}

static int begin_group(void **state) {
  int failed = group_set_up ? group_set_up(state) : 0;
  shared = blocks;
  return failed;
}

static int end_group(void **state) {
  int failed = group_tear_down ? group_tear_down(state) : 0;
  shared = 0;
  free_blocks(state);
  free(block);
  return failed;
}

__attribute__((weak)) int main(void) {
  return _cmocka_run_group_tests("tests", tests, count, begin_group, end_group);
}
