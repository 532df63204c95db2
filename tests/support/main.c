/* main.c - runs the tests of a program in the order of its file. Weak, for programs with a main of their own. */
#include "support/check.h"

#include <stdlib.h>

enum { MOST = 200 };

static struct CMUnitTest tests[MOST];
static size_t count;
static CMFixtureFunction group_set_up, group_tear_down;

void test_add(const char *name, CMUnitTestFunction test, CMFixtureFunction set_up) {
  if (count == MOST) abort();
  tests[count++] = (struct CMUnitTest){name, test, set_up, NULL, NULL};
}

void test_group(CMFixtureFunction set_up, CMFixtureFunction tear_down) {
  group_set_up = set_up;
  group_tear_down = tear_down;
}

__attribute__((weak)) int main(void) {
  return _cmocka_run_group_tests("tests", tests, count, group_set_up, group_tear_down);
}
