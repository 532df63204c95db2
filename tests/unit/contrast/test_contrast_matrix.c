/* test_contrast_matrix.c - contrast rows in a matrix; contract/test_laws.c checks that they are the table's
 * rows. */
#include "contrast/contrast_matrix.h"
#include "core/alloc.h"
#include "support/tables.h"

enum { M = 50, ROWS = 4, DIM = 2 };

static const double x[ROWS * DIM] = {1, 10, 2, 20, 3, 30, 4, 40};
static double u[M * DIM];

TEST(rows_stay_rows) {
  anorank_settings settings = law_settings("file", 1);
  assert_ok(ank_contrast_rows(u, M, x, ROWS, DIM, &settings, NULL));
  for (size_t i = 0; i < M; i++) assert_true(u[2 * i] >= 1 && u[2 * i] <= 4 && u[2 * i + 1] == 10 * u[2 * i]);
}

TEST(first_row_and_seed_say_which_rows) {
  double part[10 * DIM];
  anorank_settings settings = law_settings("jitter", 1);
  assert_ok(ank_contrast_rows(u, M, x, ROWS, DIM, &settings, NULL));
  settings.first_row = 20;
  assert_ok(ank_contrast_rows(part, 10, x, ROWS, DIM, &settings, NULL));
  assert_memory_equal(part, u + 20 * DIM, sizeof part);
  settings.seed++;
  assert_ok(ank_contrast_rows(part, 10, x, ROWS, DIM, &settings, NULL));
  assert_true(part[0] != u[20 * DIM]);
}

TEST(without_rows_there_is_no_work) {
  anorank_settings settings = law_settings("box", 1);
  assert_ok(ank_contrast_rows(NULL, 0, x, ROWS, DIM, &settings, NULL));
}

static void check_words(const char *law, size_t n, size_t dim, anorank_status status, const char *words) {
  anorank_settings settings = law_settings(law, 1);
  anorank_error err = {0};
  settings.limits = strcmp(law, "box") == 0 ? "0:1" : "";
  assert_status(ank_contrast_rows(u, M, x, n, dim, &settings, &err), status);
  assert_error(&err, words);
}

TEST(invalid_draws_are_refused) {
  check_words("boks", ROWS, DIM, ANORANK_ERROR_USAGE, "law-unknown");
  check_words("jitter", ROWS, 0, ANORANK_ERROR_USAGE, "contrast-no-columns");
  check_words("jitter", 0, DIM, ANORANK_ERROR_DATA, "contrast-no-rows");
  check_words("box", ROWS, DIM, ANORANK_ERROR_USAGE, "limits-count");
}

TEST(every_failing_allocation_is_a_clean_error) {
  anorank_settings settings = law_settings("jitter", 1);
  settings.threads = 1;
  for (size_t k = 1;; k++) {
    anorank_error err = {0};
    (void)ank_alloc_fail_at(k);
    anorank_status status = ank_contrast_rows(u, M, x, ROWS, DIM, &settings, &err);
    if (ank_alloc_fail_at(0) < k) {
      assert_ok(status);
      return;
    }
    assert_status(status, ANORANK_ERROR_RESOURCES);
    assert_true(err.message[0] != '\0');
  }
}
