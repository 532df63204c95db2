/* The inputs of a network: tokens without the row itself, finite inputs, the same from a file. */
#include "core/alloc.h"
#include "core/bytes.h"
#include "scorers/encoding.h"
#include "support/check.h"

enum { ROWS = 40, DIM = 3, EACH = 3 + 2 * ANK_ENCODING_WAVES, INPUTS = 2 * EACH + 1 };

/* A code (values 0 to 3, and 9 once), a measurement, a mark. */
static double rows[ROWS * DIM];
static const unsigned char as_given[DIM] = {0, 0, 1};

static int set_up(void **state) {
  (void)state;
  for (size_t i = 0; i < ROWS; i++) {
    rows[i * DIM] = i == 7 ? 9 : (double)(i % 4);
    rows[i * DIM + 1] = 100 + (double)(i * i) / 8;
    rows[i * DIM + 2] = i % 3 == 0;
  }
  return 0;
}

static ank_encoding *learn(size_t dim) {
  ank_encoding *encoding;
  ank_samples samples = {.x = {rows, ROWS * DIM / dim, dim}, .as_given = dim == DIM ? as_given : NULL};
  assert_ok(ank_encoding_learn(&encoding, &samples, NULL));
  return encoding;
}

TEST(a_code_has_the_surprise_of_its_count_and_a_training_row_leaves_itself_out) {
  ank_encoding *encoding = learn(DIM);
  double inputs[INPUTS];
  assert_int_equal(encoding->inputs, INPUTS);
  /* counts: 10, 10, 10, 9 and 1; left out: 9 (30 rows), 8 (9 rows), 0 (1 row) */
  ank_encode(inputs, encoding, (double[]){3, 100, 0}, 0);
  assert_close(inputs[2], -log(41.0 / 41) / 2, 1e-15);
  ank_encode(inputs, encoding, (double[]){3, 100, 0}, 1);
  assert_close(inputs[2], -log(11.0 / 41) / 2, 1e-15);
  ank_encode(inputs, encoding, (double[]){9, 100, 0}, 1);
  assert_close(inputs[2], -log(2.0 / 41) / 2, 1e-15);
  static const double unseen[] = {-1, 1.5, 9.5};
  for (size_t k = 0; k < 3; k++) {
    ank_encode(inputs, encoding, (double[]){unseen[k], 100, 1}, 0);
    assert_close(inputs[2], -log(2.0 / 41) / 2, 1e-15);
    assert_close(inputs[EACH + 2], 0, 0); /* a measurement has no tokens */
    assert_close(inputs[2 * EACH], 1, 0); /* a mark stays */
  }
  ank_encoding_free(encoding);
}

TEST(normal_scores_rise_and_go_on_beyond_the_rows) {
  ank_encoding *encoding = learn(DIM);
  double inputs[INPUTS], before[2] = {-INFINITY, -INFINITY};
  static const double at[] = {-1e308, -1e6, 99, 100, 100.01, 150, 290.125, 291, 1e6, 1e308};
  for (size_t k = 0; k < sizeof at / sizeof at[0]; k++) {
    ank_encode(inputs, encoding, (double[]){0, at[k], 0}, 0);
    assert_true(inputs[EACH] > before[0] || at[k] == 1e308);
    assert_true(inputs[EACH + 1] > before[1] || at[k] == 1e308);
    for (size_t i = 0; i < INPUTS; i++) assert_true(isfinite(inputs[i]));
    double angle = inputs[EACH + 1] * acos(-1.0);
    assert_close(inputs[EACH + 7], sin(angle), 1e-9);
    assert_close(inputs[EACH + 8], cos(angle), 1e-9);
    before[0] = inputs[EACH];
    before[1] = inputs[EACH + 1];
  }
  ank_encoding_free(encoding);
}

TEST(wide_rows_have_fewer_inputs_for_each_number) {
  ank_encoding *encoding = learn(DIM * ROWS); /* one row */
  assert_int_equal(encoding->each, 3);
  assert_int_equal(encoding->inputs, 3 * DIM * ROWS);
  ank_encoding_free(encoding);
}

TEST(a_file_gives_the_same_inputs_and_a_damaged_one_an_error) {
  ank_encoding *encoding = learn(DIM), *loaded;
  ank_bytes bytes = {0};
  double inputs[2][INPUTS];
  assert_ok(ank_encoding_save(encoding, &bytes, NULL));
  assert_ok(ank_encoding_load(&loaded, &(ank_cursor){bytes.data, bytes.length, 0}, NULL));
  for (size_t i = 0; i < ROWS; i++) {
    ank_encode(inputs[0], encoding, rows + i * DIM, 0);
    ank_encode(inputs[1], loaded, rows + i * DIM, 0);
    assert_memory_equal(inputs[0], inputs[1], sizeof inputs[0]);
  }
  ank_encoding_free(loaded);
  for (size_t length = 0; length < bytes.length; length++) {
    assert_status(ank_encoding_load(&loaded, &(ank_cursor){bytes.data, length, 0}, NULL),
                  ANORANK_ERROR_MODEL);
    assert_null(loaded);
  }
  ank_bytes_free(&bytes);
  ank_encoding_free(encoding);
}

TEST_GROUP(set_up, NULL)
