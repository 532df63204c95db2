/* parts.h - long tests in parts that run side by side. PART=I/N in the environment asks for every N-th piece from the
 * I-th on, counted from 0; tests/CMakeLists.txt says into how many parts a test is cut. */
#ifndef TEST_SUPPORT_PARTS_H
#define TEST_SUPPORT_PARTS_H

#include <stdlib.h>

#include "support/check.h"

static inline size_t part_of_run(size_t *parts) {
  size_t part = 0;
  const char *which = getenv("PART");
  *parts = 1;
  if (which && (sscanf(which, "%zu/%zu", &part, parts) != 2 || part >= *parts)) {
    print_error("PART is '%s'; it takes I/N, with I below N\n", which);
    exit(2);
  }
  return part;
}

/* As cmocka_run_group_tests, on the tests of this part; `set_up` may be NULL. */
#define run_part_of_tests(tests, set_up) run_part((tests), sizeof(tests) / sizeof(tests)[0], (set_up))

static inline int run_part(const struct CMUnitTest *tests, size_t count, CMFixtureFunction set_up) {
  size_t parts, part = part_of_run(&parts), kept = 0;
  struct CMUnitTest *own = calloc(count, sizeof *own);
  if (!own) return 1;
  for (size_t i = part; i < count; i += parts) own[kept++] = tests[i];
  int failed = _cmocka_run_group_tests("tests", own, kept, set_up, NULL);
  free(own);
  return failed;
}

#endif
