/* blend_tokens: against a slow version of its formulas, the gate, the guard against values that move with the order
 * of the rows, and its file. */
#include "scorers/blend.h"
#include "support/scorers.h"

SCORER_UNDER_TEST(ank_scorer_blend)

enum { N = 400, DIM = 8, CELLS = 4 };

/* A code, a measurement, a number that may be missing, a column of three levels, and the feature `surprise`. */
static const ank_cell_features cells[CELLS] = {
    {0, 1, ANK_CELL_NUMBER}, {1, 1, ANK_CELL_NUMBER}, {2, 2, ANK_CELL_NUMBER}, {4, 3, ANK_CELL_LEVEL}};
static const ank_row_layout layout = {cells, CELLS};
static const unsigned char marks[DIM] = {0, 0, 0, 1, 1, 1, 2, 1};

/* Codes 0 to 9; level = code % 2, so that one pair in two never occurs. */
static double *draw(size_t n, uint64_t seed) {
  double *x = test_memory(n * DIM * sizeof *x);
  ank_rng rng;
  ank_rng_open(&rng, seed, TEST_STREAM, 0);
  for (size_t i = 0; i < n; i++) {
    double *row = x + i * DIM;
    uint64_t code = ank_rng_below(&rng, 10);
    memset(row, 0, DIM * sizeof *row);
    row[0] = (double)code / 3;
    row[1] = ank_rng_normal(&rng);
    row[3] = ank_rng_below(&rng, 8) == 0;
    row[2] = row[3] > 0 ? 0 : (double)ank_rng_below(&rng, 5) - 2;
    row[4 + code % 2] = 1;
    row[6] = (double)(code % 2) - 0.5;
  }
  return x;
}

static ank_blend *fitted(const double *x, size_t n, const ank_row_layout *of,
                         const anorank_settings *settings) {
  ank_samples samples = {{x, n, DIM}, {NULL, 0, DIM}, NULL, {0}, marks, 0, of};
  void *scorer = NULL;
  assert_ok(ank_scorer_fit(&scorer, type, &samples, settings, NULL));
  return scorer;
}

static anorank_settings clean(void) {
  anorank_settings settings = test_settings();
  settings.train = ANORANK_TRAIN_CLEAN;
  return settings;
}

static const ank_part *part_of(const ank_blend *blend) {
  for (size_t p = 0; p < blend->parts; p++)
    if (blend->part[p].kind == ANK_PART_TOKENS) return &blend->part[p];
  fail_msg("%s", "there are no tokens");
  return NULL;
}

/* ---- the slow version --------------------------------------------------------------------------------- */

/* Of each row 4 tokens: -1 was never seen. Columns 0 and 2 are codes, 1 is in bins. */
static int slow_bin(const double *x, size_t n, double value) {
  double sorted[N];
  int bin = 0;
  float before = -INFINITY;
  for (size_t i = 0; i < n; i++) sorted[i] = x[i * DIM + 1];
  qsort(sorted, n, sizeof *sorted, by_value);
  if (value < sorted[0] || value > sorted[n - 1]) return -1;
  for (int k = 1; k < 12; k++) {
    double edge = ank_blend_quantile(sorted, n, k / 12.0);
    bin += (float)edge > before && edge <= value;
    before = (float)edge;
  }
  return bin;
}

static void slow_tokens(int token[CELLS], const double *x, size_t n, const double *row) {
  for (int c = 0; c < 3; c += 2) {
    token[c] = c == 2 && row[3] > 0 ? 1000 : -1;
    for (size_t i = 0; token[c] < 0 && i < n; i++)
      if (x[i * DIM + c] == row[c] && (c == 0 || x[i * DIM + 3] == 0))
        token[c] = (int)lround(row[c] * 3) + 100;
  }
  token[1] = slow_bin(x, n, row[1]);
  token[3] = row[4] > 0 ? 0 : row[5] > 0 ? 1 : -1;
}

typedef struct {
  int token[N][CELLS], alone[N];
  double total[N];
} slow_part;

static int slow_same(const int *a, const int *b, int c, int d) {
  return a[c] >= 0 && a[d] >= 0 && a[c] == b[c] && a[d] == b[d];
}

/* Left-out count of row i in the group of columns c and d; alone: it ends the range of column 1 alone. */
static int slow_left(const slow_part *part, int i, int c, int d) {
  int count = -1;
  if (part->alone[i] && (c == 1 || d == 1)) return 0;
  for (int k = 0; k < N; k++) count += slow_same(part->token[i], part->token[k], c, d);
  return count;
}

static double slow_surprise(const slow_part *part, int count, int c, int d) {
  int below = 0;
  for (int i = 0; i < N; i++) below += slow_left(part, i, c, d) <= count;
  return -log((1.0 + below) / (N + 1.0));
}

/* T of a row with these tokens; `left` is not -1: of that row, left out. */
static double slow_total(const slow_part *part, const int *token, int left) {
  double best[2] = {0, 0};
  for (int c = 0; c < CELLS; c++)
    for (int d = c; d < CELLS; d++) {
      int count = 0, repeat = 0;
      for (int i = 0; i < N; i++) repeat += slow_left(part, i, c, d) > 0;
      if (repeat < 0.6 * N) continue;
      for (int i = 0; i < N; i++) count += slow_same(token, part->token[i], c, d);
      if (left >= 0) count = slow_left(part, left, c, d);
      best[c != d] = fmax(best[c != d], slow_surprise(part, count, c, d));
    }
  return best[0] + best[1];
}

/* Beyond the largest total of a kept row it rises as the total does. */
static double slow_value(const slow_part *part, double total) {
  int above = 0;
  double most = 0;
  for (int i = 0; i < N; i++) {
    above += part->total[i] >= total - 1e-6;
    most = fmax(most, part->total[i]);
  }
  return -log((1.0 + above) / (N + 1.0)) + fmax(0, total - most);
}

static slow_part *slow_fit(const double *x) {
  slow_part *part = test_memory(sizeof *part);
  double low = INFINITY, high = -INFINITY;
  for (size_t i = 0; i < N; i++) {
    low = fmin(low, x[i * DIM + 1]);
    high = fmax(high, x[i * DIM + 1]);
    slow_tokens(part->token[i], x, N, x + i * DIM);
  }
  for (int i = 0; i < N; i++) part->alone[i] = x[i * DIM + 1] == low || x[i * DIM + 1] == high;
  for (int i = 0; i < N; i++) part->total[i] = slow_total(part, part->token[i], i);
  return part;
}

TEST(values_are_those_of_the_slow_version) {
  anorank_settings settings = clean();
  double *x = draw(N, 1), *rows = draw(60, 2), values[ANK_BLEND_PARTS * 64];
  uint32_t own[64];
  scoped_blend *blend = fitted(x, N, &layout, &settings);
  const ank_part *part = part_of(blend);
  const slow_part *slow = slow_fit(x);
  for (size_t i = 0; i < 10; i++) rows[i * DIM] = 7;                   /* a code never seen */
  for (size_t i = 10; i < 20; i++) rows[i * DIM + 1] = i % 2 ? 9 : -9; /* out of range */
  for (size_t i = 20; i < 30; i++) {                                   /* a level that its code never has */
    rows[i * DIM + 4] = 1 - rows[i * DIM + 4];
    rows[i * DIM + 5] = 1 - rows[i * DIM + 5];
  }
  for (size_t i = 30; i < 34; i++) rows[i * DIM + 4] = rows[i * DIM + 5] = 0; /* a level never seen */
  assert_true(part->weight > 0);
  assert_ok(ank_blend_values(values, blend, &(ank_matrix){rows, 60, DIM}, NULL, NULL));
  for (size_t i = 0; i < 60; i++) {
    int token[CELLS];
    slow_tokens(token, x, N, rows + i * DIM);
    assert_close(values[(size_t)(part - blend->part) * 60 + i], slow_value(slow, slow_total(slow, token, -1)),
                 1e-5);
  }
  for (uint32_t from = 0; from < N; from += 50) {
    for (uint32_t i = 0; i < 50; i++) own[i] = from + i;
    assert_ok(ank_blend_values(values, blend, &(ank_matrix){x + from * DIM, 50, DIM}, own, NULL));
    for (size_t i = 0; i < 50; i++)
      assert_close(values[(size_t)(part - blend->part) * 50 + i], slow_value(slow, slow->total[from + i]),
                   1e-5);
  }
}

/* ---- the scale ----------------------------------------------------------------------------------------- */

/* Score of a row without tokens, and with them. */
static void both_scores(double *without, double *with, const ank_blend *blend, const double *row) {
  double values[ANK_BLEND_PARTS];
  const ank_part *part = part_of(blend);
  assert_ok(ank_blend_values(values, blend, &(ank_matrix){row, 1, DIM}, NULL, NULL));
  test_score(with, type, blend, row, 1, DIM);
  values[part - blend->part] = 0; /* common tokens */
  *without = -ank_blend_sum(blend, values, 1);
}

/* A row that is odd only by distance is as odd as before; so is one that is odd only by its tokens; of a row that is
 * both, cubes add up. */
TEST(tokens_are_joined_with_the_other_parts_by_cubes) {
  anorank_settings settings = clean();
  double *x = draw(N, 14), *rows = draw(1, 15), without, with, values[ANK_BLEND_PARTS];
  scoped_blend *blend = fitted(x, N, &layout, &settings);
  const ank_part *part = part_of(blend);
  assert_true(part->weight > 0);
  rows[0] = 7.0 / 3 - 1e-3; /* a code never seen */
  for (int far = 0; far < 2; far++) {
    rows[1] = far ? 9 : 0;
    both_scores(&without, &with, blend, rows);
    assert_ok(ank_blend_values(values, blend, &(ank_matrix){rows, 1, DIM}, NULL, NULL));
    double tokens = part->weight * (values[part - blend->part] - 1) / part->scale;
    assert_true(tokens > 0 && (far == 0 || without < 0));
    assert_close(-with, without < 0 ? cbrt(pow(-without, 3) + pow(tokens, 3)) : tokens - without, 1e-9);
  }
  assert_close(ank_blend_join(-2, 3), 1, 0);
  assert_close(ank_blend_join(5, 0), 5, 0);
  assert_close(ank_blend_join(3, 4), cbrt(27 + 64), 1e-15);
}

/* A nat of tokens is worth what a nat of rarity is to the other parts, between the p-values exp(-2) and exp(-5). */
TEST(nats_are_on_the_scale_of_the_other_parts) {
  anorank_settings settings = clean();
  double *x = draw(N, 16), values[ANK_BLEND_PARTS * 50], sums[N];
  scoped_blend *blend = fitted(x, N, &layout, &settings);
  size_t at = (size_t)(part_of(blend) - blend->part);
  for (uint32_t from = 0; from < N; from += 50) {
    uint32_t own[50];
    for (uint32_t i = 0; i < 50; i++) own[i] = from + i;
    assert_ok(ank_blend_values(values, blend, &(ank_matrix){x + from * DIM, 50, DIM}, own, NULL));
    for (size_t i = 0; i < 50; i++) {
      values[at * 50 + i] = 0;
      sums[from + i] = ank_blend_sum(blend, values + i, 50);
    }
  }
  qsort(sums, N, sizeof *sums, by_value);
  double rise = ank_blend_quantile(sums, N, 1 - exp(-5)) - ank_blend_quantile(sums, N, 1 - exp(-2));
  assert_true(rise > 0);
  assert_close(1 / blend->part[at].scale, rise / 3, 1e-9);
}

/* ---- what it is for ------------------------------------------------------------------------------------ */

static double with_and_without(const double *x, const double *row, double *without) {
  anorank_settings settings = clean();
  double score;
  scoped_blend *blend = fitted(x, N, &layout, &settings);
  scoped_blend *plain = fitted(x, N, NULL, &settings);
  test_score(&score, type, blend, row, 1, DIM);
  test_score(without, type, plain, row, 1, DIM);
  return score;
}

/* Between two codes that occur, where no distance sees anything. */
TEST(a_code_or_a_pair_that_never_occurs_lowers_the_score_and_common_ones_change_nothing) {
  double *x = draw(N, 3), *rows = draw(1, 4), without, usual;
  rows[0] = x[0], rows[1] = 0.1, rows[2] = 1, rows[3] = 0;
  memcpy(rows + 4, x + 4, 3 * sizeof *rows);
  usual = with_and_without(x, rows, &without);
  assert_close(usual, without, 1e-12);
  rows[0] = 7.0 / 3 - 1e-3;
  assert_true(with_and_without(x, rows, &without) < without - 1);
  rows[0] = x[0];
  rows[4] = 1 - rows[4], rows[5] = 1 - rows[5], rows[6] = -rows[6];
  assert_true(with_and_without(x, rows, &without) < without - 1);
}

/* ---- the gate ------------------------------------------------------------------------------------------ */

/* Eight measurements that two numbers determine, any two of them independent: distances see swapped cells, pairs of bins
 * are noise. Few rows leave doubt whether tokens do no harm. */
TEST(a_table_that_the_other_parts_judge_better_stores_no_tokens) {
  enum { FEW = 60 };
  static const ank_cell_features each[DIM] = {
      {0, 1, ANK_CELL_NUMBER}, {1, 1, ANK_CELL_NUMBER}, {2, 1, ANK_CELL_NUMBER}, {3, 1, ANK_CELL_NUMBER},
      {4, 1, ANK_CELL_NUMBER}, {5, 1, ANK_CELL_NUMBER}, {6, 1, ANK_CELL_NUMBER}, {7, 1, ANK_CELL_NUMBER}};
  anorank_settings settings = clean();
  static const int factor[DIM][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}, {1, 2}, {2, 1}, {1, -2}, {2, -1}};
  double *x = test_memory(FEW * DIM * sizeof *x), *rows = test_rows(20, DIM, 6), scores[2][20];
  ank_rng rng;
  ank_rng_open(&rng, 5, TEST_STREAM, 0);
  for (size_t i = 0; i < FEW; i++) {
    double a = ank_rng_uniform(&rng), b = ank_rng_uniform(&rng);
    for (size_t j = 0; j < DIM; j++) {
      double sum = factor[j][0] * a + factor[j][1] * b;
      x[i * DIM + j] = sum - floor(sum);
    }
  }
  scoped_blend *blend = fitted(x, FEW, &(ank_row_layout){each, DIM}, &settings);
  scoped_blend *plain = fitted(x, FEW, NULL, &settings);
  assert_close(part_of(blend)->weight, 0, 0);
  ank_bytes with = test_save(type, blend), without = test_save(type, plain);
  assert_int_equal(with.length, without.length);
  assert_memory_equal(with.data, without.data, with.length);
  assert_int_equal(type->bytes(blend), type->bytes(plain));
  test_score(scores[0], type, blend, rows, 20, DIM);
  test_score(scores[1], type, plain, rows, 20, DIM);
  assert_memory_equal(scores[0], scores[1], sizeof scores[0]);
  ank_bytes_free(&with);
  ank_bytes_free(&without);
}

TEST(contaminated_and_fast_fits_have_no_tokens) {
  double *x = draw(N, 7);
  for (int32_t k = 1; k < 4; k++) {
    anorank_settings settings = clean();
    settings.train = k / 2;
    settings.fast = k % 2;
    if (settings.train == ANORANK_TRAIN_CLEAN && !settings.fast) continue;
    scoped_blend *blend = fitted(x, N, &layout, &settings);
    assert_null(blend->tokens);
  }
}

/* ---- the order of the rows ----------------------------------------------------------------------------- */

static int has_column(const ank_blend *blend, size_t first) {
  for (size_t c = 0; c < blend->tokens->columns; c++)
    if (blend->tokens->column[c].first == first) return 1;
  return 0;
}

TEST(columns_whose_values_move_with_the_order_of_the_rows_are_not_tokens) {
  anorank_settings settings = clean();
  double *x = draw(N, 8), *shuffled = draw(N, 8);
  for (size_t i = 0; i < N; i++) {
    x[i * DIM] = (double)(i / 20);                      /* a batch of 20 rows */
    x[i * DIM + 1] = (double)i + 0.25 * x[i * DIM + 1]; /* a time that rises */
    shuffled[i * DIM] = (double)((i * 179 % N) / 20);   /* the same values in no order */
    shuffled[i * DIM + 1] = (double)(i * 179 % N) + 0.25 * shuffled[i * DIM + 1];
  }
  scoped_blend *ordered = fitted(x, N, &layout, &settings);
  scoped_blend *mixed = fitted(shuffled, N, &layout, &settings);
  assert_false(has_column(ordered, 0));
  assert_false(has_column(ordered, 1));
  assert_true(has_column(ordered, 2) && has_column(ordered, 4));
  for (size_t c = 0; c < CELLS; c++) assert_true(has_column(mixed, cells[c].first));
}

/* Kept rows are drawn: their order is that of the table all the same. */
TEST(the_order_of_the_table_counts_where_some_rows_are_kept) {
  anorank_settings settings = clean();
  double *x = draw(N, 9);
  settings.reference_rows = N / 2;
  for (size_t i = 0; i < N; i++) x[i * DIM] = (double)(i / 40);
  scoped_blend *blend = fitted(x, N, &layout, &settings);
  assert_int_equal(blend->reference_set.count, N / 2);
  assert_false(has_column(blend, 0));
}

/* ---- size ---------------------------------------------------------------------------------------------- */

TEST(wide_tables_have_a_bounded_number_of_columns_and_pairs) {
  enum { WIDE = 300 };
  static ank_cell_features each[WIDE];
  anorank_settings settings = clean();
  double *x = test_rows(100, WIDE, 10);
  for (size_t j = 0; j < WIDE; j++) each[j] = (ank_cell_features){j, 1, ANK_CELL_NUMBER};
  for (size_t k = 0; k < 100 * WIDE; k++) x[k] = floor(2 * x[k]);
  ank_row_layout wide = {each, WIDE};
  ank_samples samples = {{x, 100, WIDE}, {NULL, 0, WIDE}, NULL, {0}, NULL, 0, &wide};
  scoped_scorer *scorer = NULL;
  assert_ok(ank_scorer_fit(&scorer, type, &samples, &settings, NULL));
  const ank_tokens *tokens = ((ank_blend *)scorer)->tokens;
  size_t pairs = 0;
  for (size_t g = 0; g < tokens->groups; g++) pairs += tokens->group[g].column[1] != ANK_NOWHERE;
  assert_int_equal(tokens->columns, ANK_TOKEN_COLUMNS);
  assert_true(pairs > 0 && pairs <= ANK_TOKEN_PAIRS);
  for (size_t c = 1; c < tokens->columns; c++)
    assert_true(tokens->column[c].first > tokens->column[c - 1].first);
}

/* ---- files --------------------------------------------------------------------------------------------- */

TEST(a_loaded_model_gives_the_same_bits) {
  anorank_settings settings = clean();
  double *x = draw(N, 11), *rows = draw(50, 12), scores[2][50];
  scoped_blend *blend = fitted(x, N, &layout, &settings);
  scoped_scorer *loaded = NULL;
  ank_bytes bytes = test_save(type, blend);
  rows[0] = 9;
  assert_true(part_of(blend)->weight > 0);
  assert_ok(ank_scorer_load(&loaded, type, &(ank_cursor){bytes.data, bytes.length, 0}, NULL));
  assert_int_equal(type->bytes(loaded), type->bytes(blend));
  test_score(scores[0], type, blend, rows, 50, DIM);
  test_score(scores[1], type, loaded, rows, 50, DIM);
  assert_memory_equal(scores[0], scores[1], sizeof scores[0]);
  ank_bytes_free(&bytes);
}

/* Write the tokens of a sound blend with one number changed, and read them. */
static anorank_status reload(const ank_blend *blend, size_t word, uint64_t value) {
  ank_bytes bytes = {0};
  ank_tokens *tokens = NULL;
  assert_ok(ank_tokens_save(blend->tokens, &bytes, NULL));
  assert_true(8 * word + 8 <= bytes.length);
  for (size_t k = 0; k < 8; k++) bytes.data[8 * word + k] = (unsigned char)(value >> 8 * k);
  anorank_status status =
      ank_tokens_load(&tokens, &blend->reference_set, &(ank_cursor){bytes.data, bytes.length, 0}, NULL);
  ank_tokens_free(tokens);
  ank_bytes_free(&bytes);
  return status;
}

TEST(hostile_tokens_are_refused) {
  anorank_settings settings = clean();
  double *x = draw(N, 13);
  scoped_blend *blend = fitted(x, N, &layout, &settings);
  size_t groups = 1 + 3 * blend->tokens->columns;
  assert_int_equal(blend->tokens->columns, CELLS);
  assert_ok(reload(blend, 0, CELLS));
  assert_int_equal(reload(blend, 0, 0), ANORANK_ERROR_MODEL);
  assert_int_equal(reload(blend, 0, 257), ANORANK_ERROR_MODEL);
  assert_int_equal(reload(blend, 1, DIM), ANORANK_ERROR_MODEL);     /* a feature beyond the row */
  assert_int_equal(reload(blend, 2, DIM + 1), ANORANK_ERROR_MODEL); /* more features than there are */
  assert_int_equal(reload(blend, 3, ANK_TOKEN_KINDS), ANORANK_ERROR_MODEL);
  assert_int_equal(reload(blend, groups, 0), ANORANK_ERROR_MODEL);
  assert_int_equal(reload(blend, groups, UINT64_MAX), ANORANK_ERROR_MODEL);
  assert_int_equal(reload(blend, groups + 1, CELLS), ANORANK_ERROR_MODEL); /* a column beyond the last */
  assert_int_equal(reload(blend, groups + 2, 0), ANORANK_ERROR_MODEL); /* a pair of a column with itself */
  assert_int_equal(reload(blend, groups + 3, 0), ANORANK_ERROR_MODEL); /* a group twice */
}
