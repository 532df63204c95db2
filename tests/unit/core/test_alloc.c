/* The allocation layer: overflow is an error, injected failures hit exactly one request, growth keeps
 * content. */
#include "core/alloc.h"
#include "support/check.h"

TEST(overflow_of_count_times_size_is_refused) {
  anorank_error err = {0};
  void *pointer = &err;
  assert_fails(ank_alloc(&pointer, SIZE_MAX / 2, 3, &err), ANORANK_ERROR_RESOURCES, "memory-exhausted");
  assert_null(pointer);
  assert_status(ank_alloc_raw(&pointer, SIZE_MAX, 1, &err), ANORANK_ERROR_RESOURCES);
  assert_ok(ank_alloc(&pointer, 4, 1, &err));
  memcpy(pointer, "abc", 4);
  assert_status(ank_resize(&pointer, SIZE_MAX / 4, 8, &err), ANORANK_ERROR_RESOURCES);
  assert_string_equal((char *)pointer, "abc"); /* left as it was */
  ank_free(pointer);
}

TEST(memory_comes_zeroed_small_and_large) {
  const size_t sizes[] = {0, 1, 1000, (size_t)9 << 20};
  for (size_t k = 0; k < 4; k++) {
    unsigned char *bytes;
    unsigned char sum = 0;
    assert_ok(ank_alloc(&bytes, sizes[k], 1, NULL));
    for (size_t i = 0; i < sizes[k]; i++) sum |= bytes[i];
    assert_int_equal(sum, 0);
    ank_free(bytes);
  }
}

TEST(growth_keeps_the_content) {
  double *values = NULL;
  size_t capacity = 0, moves = 0;
  for (size_t i = 0; i < 100000; i++) {
    size_t before = capacity;
    assert_ok(ank_reserve(&values, &capacity, i + 1, sizeof *values, NULL));
    moves += capacity != before;
    values[i] = (double)i;
  }
  for (size_t i = 0; i < 100000; i++) assert_true(values[i] == (double)i);
  assert_true(moves < 40); /* geometric: appending is linear in all */
  ank_free(values);
}

TEST(only_the_chosen_request_fails) {
  (void)ank_alloc_fail_at(2);
  void *first = NULL, *second = NULL, *third = NULL;
  char *copy = NULL;
  assert_ok(ank_alloc(&first, 1, 8, NULL));
  assert_status(ank_alloc_raw(&second, 1, 8, NULL), ANORANK_ERROR_RESOURCES);
  assert_null(second);
  assert_ok(ank_alloc(&third, 1, 8, NULL));
  assert_ok(ank_copy_text(&copy, "text and more", 4, NULL));
  assert_string_equal(copy, "text");
  assert_int_equal(ank_alloc_fail_at(0), 4);
  ank_free(first);
  ank_free(third);
  ank_free(copy);
}

TEST(the_memory_limit_is_the_setting_or_most_of_the_machine) {
  anorank_settings settings = test_settings();
  assert_true(ank_memory_limit(&settings) > ((size_t)64 << 20));
  settings.max_memory = 12345;
  assert_int_equal(ank_memory_limit(&settings), 12345);
}

TEST(a_workspace_frees_an_empty_piece_at_its_end) {
  ank_workspace workspace;
  char *piece, *empty;
  assert_ok(ank_workspace_make(&workspace, 64 + 64 + 1, NULL)); /* two heads and 64 bytes */
  ank_workspace_enter(&workspace);
  assert_ok(ank_alloc_raw(&piece, 64, 1, NULL));
  assert_ok(ank_alloc_raw(&empty, 0, 1, NULL));
  ank_free(empty);
  ank_free(piece);
  assert_int_equal(workspace.top, 0);
  ank_workspace_leave();
  ank_workspace_free(&workspace);
}

TEST(a_workspace_serves_requests_that_fit_and_frees_in_any_order) {
  ank_workspace workspace;
  anorank_error err = {0};
  double *a, *b, *c;
  char *large, *text;
  assert_ok(ank_workspace_make(&workspace, 4096, &err));
  (void)ank_alloc_fail_at(0);
  ank_workspace_enter(&workspace);
  for (int turn = 0; turn < 1000; turn++) { /* far more than there is, were it not taken back */
    assert_ok(ank_alloc_raw(&a, 40, sizeof *a, &err));
    assert_ok(ank_alloc(&b, 40, sizeof *b, &err));
    assert_ok(ank_alloc(&c, 0, sizeof *c, &err));
    for (size_t i = 0; i < 40; i++) {
      assert_true(b[i] == 0);
      a[i] = b[i] = (double)i;
    }
    assert_int_equal((uintptr_t)a % 64 + (uintptr_t)b % 64, 0);
    ank_free(a); /* waits for b */
    assert_ok(ank_resize(&b, 100, sizeof *b, &err));
    for (size_t i = 0; i < 40; i++) assert_true(b[i] == (double)i);
    ank_free(c);
    ank_free(b);
    assert_int_equal(workspace.top, 0);
  }
  assert_int_equal(workspace.lacking, 0);
  assert_int_equal(ank_alloc_fail_at(0), 0);
  assert_ok(ank_alloc(&large, 5000, 1, &err));
  assert_int_equal(ank_alloc_fail_at(0), 1);
  assert_true(workspace.lacking >= 5000);
  assert_ok(ank_copy_text(&text, "abc", 3, &err));
  assert_string_equal(text, "abc");
  ank_free(text);
  ank_free(large);
  ank_workspace_leave();
  assert_ok(ank_alloc(&a, 1, sizeof *a, &err));
  assert_int_equal(ank_alloc_fail_at(0), 1);
  ank_free(a);
  ank_workspace_free(&workspace);
  (void)ank_alloc_fail_at(1);
  assert_status(ank_workspace_make(&workspace, 4096, &err), ANORANK_ERROR_RESOURCES);
  (void)ank_alloc_fail_at(0);
}
