/* blend: against golden numbers and slow versions of its recipes. */
#include "golden/blend.inc"
#include "kernels/sort.h"
#include "neighbours/expected_distance.h"
#include "scorers/blend.h"
#include "scorers/mahalanobis.h"
#include "scorers/trim.h"
#include "support/find.h"
#include "support/scorers.h"

enum { ROWS = 12 };

SCORER_UNDER_TEST(ank_scorer_blend)

static anorank_settings recipe(int32_t train, int32_t fast) {
  anorank_settings settings = test_settings();
  settings.train = train;
  settings.fast = fast;
  settings.subsamples = 6;
  settings.subsample = 20;
  return settings;
}

static ank_blend *fitted(const double *x, size_t n, size_t dim, const double *known, size_t known_rows,
                         const anorank_settings *settings) {
  ank_samples samples = {{x, n, dim}, {NULL, 0, dim}, NULL, {known, known_rows, dim, 0}, NULL, 0, NULL};
  void *scorer = NULL;
  assert_ok(ank_scorer_fit(&scorer, type, &samples, settings, NULL));
  return scorer;
}

/* ---- clean ------------------------------------------------------------------------------------------- */

/* The part that files of version 0.1 have of confirmed anomalies; no fit makes it any more. */
static void add_known(ank_blend *blend, const double *x, size_t n, const double *known, size_t rows) {
  double *values = test_memory(n * sizeof *values), all[ANK_BLEND_PARTS];
  assert_ok(ank_alloc_raw(&blend->known, rows * blend->reference_set.dim, sizeof *blend->known, NULL));
  ank_spaces_hold(blend->known, &blend->reference_set.spaces, known, rows);
  blend->known_rows = rows;
  ank_part *part = &blend->part[blend->parts++];
  *part =
      (ank_part){ANK_PART_KNOWN, ANORANK_SPACE_NORMAL, 1, rows == 1 ? -0.5 : -0.7, 0, 1, -INFINITY, 1, -1};
  assert_ok(ank_blend_prepare(blend, NULL));
  for (uint32_t i = 0; i < n; i++) {
    assert_ok(ank_blend_values(
        all, blend, &(ank_matrix){x + i * blend->reference_set.dim, 1, blend->reference_set.dim}, &i, NULL));
    values[i] = all[blend->parts - 1];
  }
  assert_ok(ank_sort(values, n, ank_settings_defaults(), NULL));
  double share[3] = {0.1, 0.5, 0.9}, at[3];
  for (size_t k = 0; k < 3; k++) {
    double place = share[k] * (double)(n - 1);
    size_t below = (size_t)place;
    at[k] = values[below] + (place - (double)below) * (values[below + 1] - values[below]);
  }
  part->centre = at[1];
  part->scale = (at[2] - at[0]) / 2.56;
}

static void against(const double *known, size_t known_rows, const double *expected,
                    const double *expected_left) {
  anorank_settings settings = recipe(ANORANK_TRAIN_CLEAN, 0);
  ank_samples samples = {{smooth_x, 90, 5}, {NULL, 0, 5}, NULL, {0}, NULL, 0, NULL};
  ank_blend *blend = fitted(smooth_x, 90, 5, NULL, 0, &settings);
  double scores[ROWS], left[90];
  if (known) add_known(blend, smooth_x, 90, known, known_rows);
  test_score(scores, type, blend, smooth_rows, ROWS, 5);
  for (size_t i = 0; i < ROWS; i++) assert_close(scores[i], expected[i], 1e-4);
  assert_ok(type->score_left_out(left, blend, &samples, &settings, NULL));
  for (size_t i = 0; i < 90; i++) assert_close(left[i], expected_left[i], 1e-4);
  type->free(blend);
}

TEST(clean_scores_are_those_of_the_golden_numbers) {
  against(NULL, 0, smooth_blend_scores, smooth_blend_left);
  against(smooth_known, 1, smooth_one_scores, smooth_one_left);
  against(smooth_known, 3, smooth_known_scores, smooth_known_left);
}

static double distance(const float *a, const float *b, size_t dim) {
  double sum = 0;
  for (size_t j = 0; j < dim; j++) sum += ((double)a[j] - (double)b[j]) * ((double)a[j] - (double)b[j]);
  return sqrt(sum);
}

/* Mean log distance to the nearest row of the subsets; `own` and copies as the rule has it. */
static double slow_subsets(const ank_blend *blend, const float *row, uint32_t own) {
  const ank_subsets *subsets = &blend->subsets;
  size_t dim = blend->reference_set.dim;
  double sum = 0, counted = 0;
  for (size_t s = 0; s < subsets->sets; s++) {
    double least = INFINITY;
    int in = 0;
    for (size_t i = 0; i < subsets->size; i++) {
      uint32_t place = subsets->place[s * subsets->size + i];
      double d = distance(row, blend->reference_set.rows + place * dim, dim);
      in |= place == own;
      if (d < least && !(blend->skip_copies && d == 0)) least = d;
    }
    if (in || isinf(least)) continue;
    sum += log(least + 1e-3);
    counted++;
  }
  return counted > 0 ? sum / counted : log(1e-3);
}

TEST(columns_with_two_values_shift_weight_to_subsets) {
  anorank_settings settings = recipe(ANORANK_TRAIN_CLEAN, 0);
  scoped_blend *blend = fitted(pairs_x, 70, 4, NULL, 0, &settings);
  float held[ROWS * 4];
  double values[ANK_BLEND_PARTS * 70];
  uint32_t own[70];
  assert_int_equal(blend->parts, 4);
  assert_int_equal(blend->part[3].kind, ANK_PART_SUBSETS);
  assert_close(blend->part[0].weight, (1 - 0.5625) / 3, 1e-15);
  assert_close(blend->part[3].weight, 0.5625, 0);
  assert_int_equal(blend->subsets.sets, 32);
  assert_int_equal(blend->subsets.size, 35);
  ank_spaces_hold(held, &blend->reference_set.spaces, pairs_rows, ROWS);
  assert_ok(ank_blend_values(values, blend, &(ank_matrix){pairs_rows, ROWS, 4}, NULL, NULL));
  for (size_t i = 0; i < ROWS; i++)
    assert_close(values[3 * ROWS + i], slow_subsets(blend, held + i * 4, ANK_NOWHERE), 1e-4);
  for (size_t i = 0; i < 70; i++) own[i] = (uint32_t)i;
  assert_ok(ank_blend_values(values, blend, &(ank_matrix){pairs_x, 70, 4}, own, NULL));
  for (size_t i = 0; i < 70; i++)
    assert_close(values[3 * 70 + i], slow_subsets(blend, blend->reference_set.rows + i * 4, (uint32_t)i),
                 1e-4);
}

/* Far beyond the scale of the parts the order of rows, and so the reasons, must not be lost. */
TEST(rows_far_away_keep_their_order) {
  for (int32_t k = 0; k < 4; k++) {
    anorank_settings settings = recipe(k / 2, k % 2);
    double *x = test_rows(300, 3, 20), rows[40 * 3], scores[40];
    scoped_blend *blend = fitted(x, 300, 3, NULL, 0, &settings);
    for (size_t i = 0; i < 40; i++)
      for (size_t j = 0; j < 3; j++) rows[i * 3 + j] = j == 1 ? 3 * pow(1.5, (double)i) : 0;
    test_score(scores, type, blend, rows, 40, 3);
    for (size_t i = 1; i < 40; i++) assert_true(scores[i] < scores[i - 1] - 1e-6);
  }
}

/* ---- contaminated ------------------------------------------------------------------------------------ */

typedef struct {
  double distance;
  size_t place;
} slow_neighbour;

/* By distance; equal ones stay as they are. */
static void slow_sort(slow_neighbour *list, size_t count) {
  for (size_t a = 1; a < count; a++)
    for (size_t b = a; b > 0 && list[b].distance < list[b - 1].distance; b--) {
      slow_neighbour other = list[b];
      list[b] = list[b - 1];
      list[b - 1] = other;
    }
}

/* By elimination, with the matrix itself in the last line. */
static double slow_hull(const float *row, const float *reference_set, const slow_neighbour *list, size_t k,
                        size_t dim, double ridge) {
  double g[10][10], m[10][11], w[10], trace = 0, total = 0, squared = 0;
  for (size_t a = 0; a < k; a++)
    for (size_t b = 0; b < k; b++) {
      g[a][b] = 0;
      for (size_t j = 0; j < dim; j++)
        g[a][b] += ((double)reference_set[list[a].place * dim + j] - (double)row[j]) *
                   ((double)reference_set[list[b].place * dim + j] - (double)row[j]);
      trace += a == b ? g[a][b] : 0;
    }
  for (size_t a = 0; a < k; a++) {
    for (size_t b = 0; b < k; b++) m[a][b] = g[a][b] + (a == b ? ridge * trace / (double)k + 1e-9 : 0);
    m[a][k] = 1;
  }
  for (size_t a = 0; a < k; a++)
    for (size_t r = 0; r < k; r++) {
      double factor = r == a ? 0 : m[r][a] / m[a][a];
      for (size_t b = a; b <= k; b++) m[r][b] -= factor * m[a][b];
    }
  for (size_t a = 0; a < k; a++) total += w[a] = m[a][k] / m[a][a];
  for (size_t a = 0; a < k; a++)
    for (size_t b = 0; b < k; b++) squared += w[a] * g[a][b] * w[b] / total / total;
  return 0.5 * log(fmax(squared, 0) + 1e-6);
}

/* As the search has it: which of two rows is nearer may hang on the last bit. */
static double single(const float *a, const float *b, size_t dim) {
  float sum = 0;
  for (size_t j = 0; j < dim; j++) sum = fmaf(a[j] - b[j], a[j] - b[j], sum);
  return sqrt((double)sum);
}

/* Fifth distance and hull in the normal space, hull in the range space, of neighbours found in the first. */
static void slow_view(double out[3], float (*const row)[3], float (*const rows)[400 * 3],
                      slow_neighbour *near, size_t found) {
  double ridge = 0.1 * (10.0 / 3) * (10.0 / 3);
  slow_sort(near, found);
  out[0] = log(near[4].distance + 1e-3);
  out[1] = slow_hull(row[0], rows[0], near, 10, 3, ridge);
  for (size_t f = 0; f < found; f++) near[f].distance = distance(row[1], rows[1] + near[f].place * 3, 3);
  slow_sort(near, found);
  out[2] = slow_hull(row[1], rows[1], near, 10, 3, ridge);
}

/* The nearest `wanted` of some rows, without one copy. */
static int slow_find(slow_neighbour *out, const float *row, const float *rows, size_t from, size_t count,
                     size_t wanted, int skip) {
  static slow_neighbour list[400];
  for (size_t r = 0; r < count; r++)
    list[r] = (slow_neighbour){single(row, rows + (from + r) * 3, 3), from + r};
  slow_sort(list, count);
  int copy = skip && list[0].distance == 0;
  memcpy(out, list + copy, wanted * sizeof *out);
  return copy;
}

/* These parts of the careful recipe: over kept rows, and, where trimmed rows are held, over all of them, and
 * beyond the gap over kept ones. apart_by: how much farther the kept ones are. */
static void slow_parts(double out[3], double apart_by[3], const ank_blend *blend, const double *x) {
  static float rows[2][400 * 3];
  slow_neighbour near[48], again[48];
  float held[3], row[2][3];
  double all[3];
  size_t count = blend->reference_set.count, apart = blend->trimmed.count;
  ank_spaces_hold(held, &blend->reference_set.spaces, x, 1);
  for (int s = 0; s < 2; s++) {
    anorank_space space = s ? ANORANK_SPACE_RANGE : ANORANK_SPACE_NORMAL;
    ank_spaces_map(rows[s], &blend->reference_set.spaces, space, blend->reference_set.rows, count);
    if (apart)
      ank_spaces_map(rows[s] + count * 3, &blend->reference_set.spaces, space, blend->trimmed.rows, apart);
    ank_spaces_map(row[s], &blend->reference_set.spaces, space, held, 1);
  }
  int copy = slow_find(near, row[0], rows[0], 0, count, 32, 1);
  memcpy(again, near, 32 * sizeof *near);
  slow_view(out, row, rows, near, 32);
  if (!apart) return;
  slow_find(again + 32, row[0], rows[0], count, apart, 16, !copy);
  slow_view(all, row, rows, again, 48);
  for (int p = 0; p < 3; p++) {
    apart_by[p] = out[p] - all[p];
    out[p] = all[p] + fmax(0, apart_by[p] - blend->part[p].gap);
  }
}

/* Log distance to the second nearest of all rows, one copy apart: 400 rows form a separate crowd. */
static double slow_crowd(const ank_blend *blend, const double *x) {
  enum { MOST = 400, DIM = 3 };
  static slow_neighbour list[MOST];
  float held[DIM];
  size_t count = blend->global_knn.count;
  ank_spaces_hold(held, &blend->global_knn.spaces, x, 1);
  for (size_t r = 0; r < count; r++)
    list[r] = (slow_neighbour){single(held, blend->global_knn.rows + r * DIM, DIM), r};
  slow_sort(list, count);
  return log(list[list[0].distance > 0 ? 1 : 2].distance + 1e-3);
}

/* Two clusters; every tenth row is far out, in many directions. */
static double *contaminated(size_t n) {
  double *x = test_rows(n, 3, 21);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < 3; j++)
      x[i * 3 + j] = i % 10 == 9 ? 12 * x[i * 3 + j] : x[i * 3 + j] + (i % 2 ? 3 : -3);
  return x;
}

static double slow_z(const ank_part *part, double value) {
  double z = (value - part->centre) / part->scale;
  return z > 10 ? 10 + log1p(z - 10) : z < -6 ? -6 - log1p(-6 - z) : z;
}

TEST(contaminated_scores_are_those_of_slow_versions) {
  enum { N = 400, PLAIN = 0, FAST, MIXED, KINDS };
  const unsigned char marks[3] = {0, 0, 2}; /* a third is categories: g = 2/3 */
  for (int kind = 0; kind < KINDS; kind++) {
    int fast = kind == FAST, mixed = kind == MIXED;
    double groups = mixed ? 2.0 / 3 : 0;
    static slow_neighbour gaps[3][N];
    anorank_settings settings = recipe(ANORANK_TRAIN_CONTAMINATED, fast);
    double *x = contaminated(N), left[N], plain[N], rare[N];
    void *histogram = NULL;
    float held[3];
    for (size_t i = 0; i < 40; i++) memcpy(x + (i + 80) * 3, x + (i + 40) * 3, 3 * sizeof *x); /* copies */
    for (size_t i = 0; i < N; i++)
      x[i * 3 + 2] = x[i * 3 + 2] * fabs(x[i * 3 + 2]) * x[i * 3 + 1]; /* heavy */
    ank_samples samples = {{x, N, 3}, {NULL, 0, 3}, NULL, {0}, mixed ? marks : NULL, 0, NULL};
    void *scorer = NULL;
    assert_ok(ank_scorer_fit(&scorer, type, &samples, &settings, NULL));
    scoped_blend *blend = scorer;
    assert_int_equal(blend->reference_set.count, fast ? 300 : 280);
    assert_int_equal(blend->parts, fast ? 1 : mixed ? 5 : 4);
    assert_int_equal(blend->global_knn.count, mixed ? N : 0);
    assert_int_equal(blend->trimmed.count, mixed ? 120 : 0);
    settings.bins = 20;
    assert_ok(ank_scorer_fit(&histogram, &ank_scorer_histogram, &samples, &settings, NULL));
    test_score(rare, &ank_scorer_histogram, histogram, x, N, 3);
    test_score(plain, type, blend, x, N, 3);
    for (size_t i = 0; i < N; i++) {
      const ank_part *part = blend->part;
      double value[3], apart[3], sum;
      ank_spaces_hold(held, &blend->reference_set.spaces, x + i * 3, 1);
      if (fast) {
        sum = slow_z(part, slow_subsets(blend, held, ANK_NOWHERE));
      } else {
        slow_parts(value, apart, blend, x + i * 3);
        for (int p = 0; mixed && p < 3; p++) gaps[p][i] = (slow_neighbour){apart[p], i};
        sum = ((1 - 0.75 * groups) * slow_z(part, value[0]) +
               (0.5 - 0.25 * groups) * slow_z(part + 1, value[1]) + 0.5 * slow_z(part + 2, value[2]) +
               (0.2 + 0.2 * groups) * slow_z(part + 3, -rare[i])) /
              2.2;
        if (mixed) sum += 0.8 * groups * fmax(0, slow_z(part + 4, slow_crowd(blend, x + i * 3)));
      }
      assert_close(plain[i], -sum, 1e-4);
    }
    for (int p = 0; mixed && p < 3; p++) { /* 0.85 of 399 steps is 339.15 */
      slow_sort(gaps[p], N);
      double gap = gaps[p][339].distance + 0.15 * (gaps[p][340].distance - gaps[p][339].distance);
      assert_true(gap > 0.01);
      assert_close(blend->part[p].gap, groups * gap, 1e-4);
    }
    assert_ok(type->score_left_out(left, blend, &samples, &settings, NULL));
    assert_memory_equal(left, plain, sizeof left);
    ank_scorer_histogram.free(histogram);
  }
}

TEST(trimming_leaves_the_planted_rows_out) {
  enum { N = 2000 };
  for (int32_t fast = 0; fast < 2; fast++) {
    anorank_settings settings = recipe(ANORANK_TRAIN_CONTAMINATED, fast);
    double *x = contaminated(N);
    scoped_blend *blend = fitted(x, N, 3, NULL, 0, &settings);
    size_t planted = 0;
    for (size_t i = 9; i < N; i += 10) {
      float held[3];
      ank_spaces_hold(held, &blend->reference_set.spaces, x + i * 3, 1);
      for (size_t r = 0; r < blend->reference_set.count; r++)
        planted += memcmp(held, blend->reference_set.rows + r * 3, sizeof held) == 0;
    }
    assert_true(planted < (fast ? 10 : 4));
  }
}

/* The first choice of the trimming: all subsets of 8 rows, and the histogram. */
TEST(the_first_choice_is_that_of_two_ranks_added) {
  enum { N = 150, DIM = 2 };
  const ank_trim_plan plan = {0.5, 0, {0}};
  anorank_settings settings = recipe(ANORANK_TRAIN_CONTAMINATED, 0);
  double *x = test_rows(N, DIM, 22), near[N], rare[N], sum[N];
  ank_matrix rows = {x, N, DIM};
  ank_samples samples = {rows, {NULL, 0, DIM}, NULL, {0}, NULL, 0, NULL};
  float held[N * DIM];
  ank_expected_distance expected;
  uint32_t *reference_set, all[N];
  size_t count;
  for (size_t i = 0; i < N * DIM; i++) held[i] = (float)x[i];
  for (uint32_t i = 0; i < N; i++) all[i] = i;
  assert_ok(ank_expected_distance_make(&expected, held, DIM, all, N, 8, 0, NULL));
  assert_ok(ank_expected_distance_values(near, &expected, held, N, NULL));
  ank_expected_distance_free(&expected);
  void *histogram = NULL, *found;
  assert_ok(ank_scorer_fit(&histogram, &ank_scorer_histogram, &samples, &settings, NULL));
  assert_ok(ank_scorer_histogram.score(rare, histogram, &rows, NULL));
  ank_scorer_histogram.free(histogram);
  for (size_t i = 0; i < N; i++) {
    sum[i] = 0;
    for (size_t r = 0; r < N; r++)
      sum[i] +=
          (near[r] < near[i]) + 0.5 * (near[r] == near[i]) + (rare[r] > rare[i]) + 0.5 * (rare[r] == rare[i]);
  }
  assert_ok(ank_trim(&reference_set, &count, &found, &rows, held, &plan, &settings, NULL));
  assert_int_equal(count, 75);
  for (size_t k = 1; k < count; k++) assert_true(sum[reference_set[k - 1]] <= sum[reference_set[k]]);
  for (size_t i = 0; i < N; i++) {
    int in = 0;
    for (size_t k = 0; k < count; k++) in |= reference_set[k] == i;
    assert_true(in ? sum[i] <= sum[reference_set[count - 1]] : sum[i] >= sum[reference_set[count - 1]]);
  }
  ank_scorer_histogram.free(found);
  ank_free(reference_set);
}

/* ---- hedges ------------------------------------------------------------------------------------------ */

/* The share of categorical columns decides how much the rows as they came weigh, that of numbers the
 * shape. */
TEST(the_kinds_of_columns_decide_the_weights) {
  enum { N = 60, DIM = 34 };
  anorank_settings settings = recipe(ANORANK_TRAIN_CONTAMINATED, 0);
  unsigned char marks[DIM] = {0};
  double *x = test_rows(N, DIM, 31);
  ank_samples samples = {{x, N, DIM}, {NULL, 0, DIM}, NULL, {0}, marks, 0, NULL};
  scoped_scorer *scorer = NULL;
  for (size_t j = 24; j < DIM; j++)
    marks[j] = j < 26 ? 1 : 2; /* 24 numbers, 2 marks, 8 categorical columns */
  assert_ok(ank_scorer_fit(&scorer, type, &samples, &settings, NULL));
  const ank_blend *blend = scorer;
  assert_int_equal(blend->parts, 6);
  assert_int_equal(blend->part[4].kind, ANK_PART_GLOBAL_KNN);
  assert_close(blend->part[0].weight, (1 - 0.75 * 0.5) / 2.2, 1e-15);
  assert_close(blend->part[4].weight, 0.8 * 0.5, 1e-15);
  assert_true(blend->part[4].least == 0 && blend->part[4].neighbours == 2);
  assert_int_equal(blend->part[5].kind, ANK_PART_MAHALANOBIS);
  assert_close(blend->part[5].weight, 24.0 / 224, 1e-15);
}

/* A covariance is quadratic in the features: beyond 1,024 of them there is none. */
TEST(beyond_so_many_features_the_shape_is_left_out) {
  enum { N = 40, MOST = 1024 };
  anorank_settings settings = recipe(ANORANK_TRAIN_CONTAMINATED, 0);
  double *x = test_rows(N, MOST + 1, 38);
  for (size_t more = 0; more < 2; more++) {
    scoped_blend *blend = fitted(x, N, MOST + more, NULL, 0, &settings);
    assert_int_equal(blend->part[blend->parts - 1].kind, more ? ANK_PART_HISTOGRAM : ANK_PART_MAHALANOBIS);
    assert_int_equal(blend->parts, more ? 4 : 5);
    assert_true((blend->mahalanobis == NULL) == (more == 1));
  }
}

/* Sensors that a few common causes drive. What is off is small beside what the causes do, so that distances
 * alone do not see it; the covariance does. */
TEST(sensors_off_in_few_columns_come_first) {
  enum { N = 500, DIM = 300, CAUSES = 6 };
  anorank_settings settings = recipe(ANORANK_TRAIN_CONTAMINATED, 0);
  double *noise = test_rows(N, DIM, 32), *cause = test_rows(N, CAUSES, 33),
         *load = test_rows(CAUSES, DIM, 34);
  double *x = test_rows(N, DIM, 35), scores[N];
  for (size_t i = 0; i < N; i++)
    for (size_t j = 0; j < DIM; j++) {
      x[i * DIM + j] = 0.3 * noise[i * DIM + j];
      for (size_t c = 0; c < CAUSES; c++) x[i * DIM + j] += cause[i * CAUSES + c] * load[c * DIM + j];
    }
  for (size_t j = 0; j < 10; j++) x[100 * DIM + 7 * j] += 1.5;
  x[200 * DIM + 50] = 10;
  scoped_blend *blend = fitted(x, N, DIM, NULL, 0, &settings);
  test_score(scores, type, blend, x, N, DIM);
  for (size_t i = 0; i < N; i++)
    assert_true(i == 100 || i == 200 || scores[i] > fmax(scores[100], scores[200]));
}

/* A kept row is taken out of the covariance before it is measured: as good as a fit without it. */
TEST(a_kept_row_is_not_its_own_neighbour) {
  enum { N = 300, DIM = 24 };
  anorank_settings settings = recipe(ANORANK_TRAIN_CONTAMINATED, 0);
  double *x = test_rows(N, DIM, 36), values[ANK_BLEND_PARTS * 2], z[2 * DIM], rest[N * DIM];
  double scores[2];
  size_t others = 0, own = N;
  void *mahalanobis;
  for (size_t i = 0; i < N; i++)
    for (size_t j = 4; j < DIM; j++) x[i * DIM + j] = 0.3 * x[i * DIM + j] + x[i * DIM + j % 4];
  scoped_blend *blend = fitted(x, N, DIM, NULL, 0, &settings);
  for (size_t i = 0; i < N && own == N; i++) { /* the first row that was kept, and that moved by a hair */
    float held[DIM];
    ank_spaces_hold(held, &blend->reference_set.spaces, x + i * DIM, 1);
    if (memcmp(held, blend->reference_set.rows, sizeof held) == 0) own = i;
  }
  memcpy(z, x + own * DIM, DIM * sizeof *z);
  memcpy(z + DIM, z, DIM * sizeof *z);
  z[DIM] += 1e-4;
  assert_ok(ank_blend_values(values, blend, &(ank_matrix){z, 2, DIM}, NULL, NULL));
  for (size_t r = 1; r < blend->reference_set.count; r++, others++)
    for (size_t j = 0; j < DIM; j++) rest[others * DIM + j] = (double)blend->reference_set.rows[r * DIM + j];
  assert_int_equal(blend->part[4].kind, ANK_PART_MAHALANOBIS);
  double share, row[DIM];
  for (size_t j = 0; j < DIM; j++) row[j] = (double)blend->reference_set.rows[j];
  assert_ok(ank_mahalanobis_fit(&mahalanobis, &share, &(ank_matrix){rest, others, DIM}, &settings, NULL));
  test_score(scores, &ank_scorer_mahalanobis, mahalanobis, row, 1, DIM);
  assert_close(values[4 * 2], 0.5 * log(-scores[0]), 0.05);
  assert_true(values[4 * 2] > values[4 * 2 + 1] + 0.01); /* the other has the row itself beside it */
  ank_scorer_mahalanobis.free(mahalanobis);
}

/* Rows of one table, whatever the seed: the scores are the same. A clump of anomalies far out in a column
 * that is nearly constant otherwise is what one kept row too many used to hide. */
TEST(the_seed_does_not_matter_in_small_tables) {
  enum { N = 800, DIM = 6, CLUMP = 30 };
  double *x = test_rows(N, DIM, 37), first[N];
  for (size_t i = 0; i < N; i++) {
    x[i * DIM + 5] = i < CLUMP ? 20 + 10 * x[i * DIM + 5] : 0.01 * x[i * DIM + 5];
    for (size_t j = 0; i < CLUMP && j < 5; j++) x[i * DIM + j] *= 1.5;
  }
  for (uint64_t seed = 0; seed < 10; seed++) {
    anorank_settings settings = recipe(ANORANK_TRAIN_CONTAMINATED, 0);
    double scores[N];
    size_t above = 0;
    settings.seed = seed;
    scoped_blend *blend = fitted(x, N, DIM, NULL, 0, &settings);
    test_score(scores, type, blend, x, N, DIM);
    if (seed == 0) memcpy(first, scores, sizeof first);
    assert_memory_equal(scores, first, sizeof first); /* so few rows are all looked at: nothing is drawn */
    for (size_t a = 0; a < CLUMP; a++)
      for (size_t b = CLUMP; b < N; b++) above += scores[a] > scores[b];
    assert_true((double)above < 0.01 * CLUMP * (N - CLUMP));
  }
}

/* ---- files of the first version ---------------------------------------------------------------------- */

static void put_first_version(ank_bytes *out, const ank_blend *blend) {
  assert_ok(ank_reference_set_save(&blend->reference_set, out, NULL));
  assert_ok(ank_bytes_put_u64(out, (uint64_t)blend->skip_copies, NULL));
  assert_ok(ank_subsets_save(&blend->subsets, out, NULL));
  assert_ok(ank_bytes_put_u64(out, blend->histogram != NULL, NULL));
  if (blend->histogram) assert_ok(ank_scorer_histogram.save(blend->histogram, out, NULL));
  assert_ok(ank_blend_save_known(blend, out, NULL));
  assert_ok(ank_bytes_put_u64(out, 4, NULL));
  for (size_t p = 0; p < 4; p++) {
    const ank_part *part = &blend->part[p];
    assert_ok(ank_bytes_put_u64(out, (uint64_t)part->kind, NULL));
    assert_ok(ank_bytes_put_u64(out, (uint64_t)part->space, NULL));
    assert_ok(ank_bytes_put_u64(out, part->neighbours, NULL));
    assert_ok(ank_bytes_put_f64(out, part->weight, NULL));
    assert_ok(ank_bytes_put_f64(out, part->centre, NULL));
    assert_ok(ank_bytes_put_f64(out, part->scale, NULL));
    assert_ok(ank_bytes_put_f64(out, part->most, NULL));
  }
}

TEST(a_file_of_the_first_version_scores_by_its_four_parts) {
  anorank_settings settings = recipe(ANORANK_TRAIN_CONTAMINATED, 0);
  double *x = contaminated(300), scores[300], values[ANK_BLEND_PARTS];
  scoped_blend *blend = fitted(x, 300, 3, NULL, 0, &settings);
  scoped_bytes saved = {0};
  scoped_scorer *loaded;
  put_first_version(&saved, blend);
  ank_cursor cursor = {saved.data, saved.length, 0};
  assert_ok(ank_scorer_load(&loaded, type, &cursor, NULL));
  assert_ok(ank_cursor_end(&cursor, NULL));
  test_score(scores, type, loaded, x, 300, 3);
  for (size_t i = 0; i < 300; i++) {
    double sum = 0;
    assert_ok(ank_blend_values(values, blend, &(ank_matrix){x + i * 3, 1, 3}, NULL, NULL));
    for (size_t p = 0; p < 4; p++) sum += blend->part[p].weight * slow_z(&blend->part[p], values[p]);
    assert_close(scores[i], -sum, 1e-12);
  }
}

/* ---- known anomalies, size, promises ----------------------------------------------------------------- */

TEST(rows_near_a_known_anomaly_fall_and_the_others_keep_their_order) {
  for (int32_t k = 0; k < 4; k++) {
    anorank_settings settings = recipe(k / 2, k % 2);
    double *x = test_rows(400, 3, 23), known[] = {1.4, -1.4, 1.4}, rows[6 * 3], with[6], without[6];
    scoped_blend *blend = fitted(x, 400, 3, known, 1, &settings),
                 *plain = fitted(x, 400, 3, NULL, 0, &settings);
    for (size_t i = 0; i < 6; i++) /* one beside it; five ever further away on the other side */
      for (size_t j = 0; j < 3; j++)
        rows[i * 3 + j] = i ? (j == 1 ? 1.0 : -1.0) * (double)i : known[j] + 0.05;
    test_score(with, type, blend, rows, 6, 3);
    test_score(without, type, plain, rows, 6, 3);
    assert_true(with[0] < without[0] - 0.5);
    for (size_t i = 2; i < 6; i++) assert_close(with[i], without[i], 0.3); /* far away, it says little */
    for (size_t i = 2; i < 6; i++) assert_true(with[i] < with[i - 1]);
  }
}

TEST(known_rows_may_equal_training_rows_or_each_other) {
  for (int32_t k = 0; k < 4; k++) {
    anorank_settings settings = recipe(k / 2, k % 2);
    double known[3 * 4], scores[70];
    for (size_t i = 0; i < 3; i++) memcpy(known + i * 4, pairs_x, 4 * sizeof *known);
    scoped_blend *blend = fitted(pairs_x, 70, 4, known, 3, &settings);
    test_score(scores, type, blend, pairs_x, 70, 4);
    check_finite(scores, 70);
  }
}

/* Confirmed anomalies among the training rows are no rows to compare with; a table of nothing else still
 * fits. */
TEST(known_rows_are_not_kept) {
  for (int32_t k = 0; k < 4; k++) {
    anorank_settings settings = recipe(k / 2, k % 2);
    double *x = test_rows(200, 3, 25), known[2 * 3], left[200];
    ank_samples samples = {{x, 200, 3}, {NULL, 0, 3}, NULL, {known, 2, 3, 0}, NULL, 0, NULL};
    memcpy(known, x + 30 * 3, 3 * sizeof *x);
    memcpy(known + 3, x + 90 * 3, 3 * sizeof *x);
    memcpy(x + 150 * 3, known, 3 * sizeof *x); /* a copy too */
    scoped_blend *blend = fitted(x, 200, 3, known, 2, &settings);
    if (k < 2) assert_int_equal(blend->reference_set.count, 197);
    for (size_t i = 0; i < blend->reference_set.count; i++)
      for (size_t r = 0; r < 2; r++)
        assert_true(distance(blend->reference_set.rows + i * 3, blend->feedback.rows + r * 3, 3) > 0);
    assert_ok(type->score_left_out(left, blend, &samples, &settings, NULL));
    check_finite(left, 200);
    for (size_t i = 31; i < 60; i++) assert_true(left[30] < left[i]);
    assert_true(left[30] == left[150]);
    type->free(blend);
    blend = fitted(known, 1, 3, known, 1, &settings);
    assert_int_equal(blend->reference_set.count, 1);
  }
}

TEST(a_model_of_ten_thousand_rows_is_far_below_ten_megabytes) {
  enum { N = 12000, DIM = 10 };
  anorank_settings settings = recipe(ANORANK_TRAIN_CONTAMINATED, 1);
  double *x = test_rows(N, DIM, 24);
  scoped_blend *blend = fitted(x, N, DIM, NULL, 0, &settings);
  scoped_bytes saved = test_save(type, blend);
  assert_int_equal(blend->reference_set.count, 7000);
  assert_true(saved.length < 4 * 7000 * DIM + 10000);
}

/* Heavy tails in every column: the range space is one of scores, and the file says so. */
TEST(a_blend_of_heavy_tails_survives_saving) {
  enum { N = 600, DIM = 3 };
  anorank_settings settings = recipe(ANORANK_TRAIN_CLEAN, 0);
  double *x = test_rows(N, DIM, 41), before[N], after[N];
  scoped_scorer *loaded;
  for (size_t i = 0; i < N * DIM; i++) x[i] = x[i] * x[i] * x[i] / (1e-3 + fabs(fmod(x[i] * 1000, 1)));
  scoped_blend *blend = fitted(x, N, DIM, NULL, 0, &settings);
  scoped_bytes saved = test_save(type, blend);
  ank_cursor cursor = {saved.data, saved.length, 0};
  assert_true(blend->reference_set.spaces.scored);
  assert_ok(ank_scorer_load(&loaded, type, &cursor, NULL));
  test_score(before, type, blend, x, N, DIM);
  test_score(after, type, loaded, x, N, DIM);
  assert_memory_equal(before, after, sizeof before);
}

TEST(a_blend_with_known_rows_survives_saving_and_damage) {
  anorank_settings settings = recipe(ANORANK_TRAIN_CLEAN, 0);
  scoped_blend *blend = fitted(pairs_x, 20, 4, pairs_known, 3, &settings);
  scoped_bytes saved = test_save(type, blend);
  ank_cursor cursor = {saved.data, saved.length, 0};
  double before[ROWS], after[ROWS];
  scoped_scorer *loaded;
  assert_int_equal(blend->parts, 5);
  assert_ok(ank_scorer_load(&loaded, type, &cursor, NULL));
  assert_ok(ank_cursor_end(&cursor, NULL));
  test_score(before, type, blend, pairs_rows, ROWS, 4);
  test_score(after, type, loaded, pairs_rows, ROWS, 4);
  assert_memory_equal(before, after, sizeof before);
  for (size_t i = 0; i < saved.length; i++)
    for (unsigned mask = 1; mask < 256; mask = mask * 3 + 1) {
      saved.data[i] ^= (unsigned char)mask;
      try_bytes(type, saved.data, saved.length, 0);
      saved.data[i] ^= (unsigned char)mask;
    }
}

/* ---- a single column --------------------------------------------------------------------------------- */

enum { ALONE = 1000 };

/* Roughly normal numbers with the `count` last ones replaced. */
static double *one_column(const double *last, size_t count) {
  double *x = test_rows(ALONE, 1, 51);
  memcpy(x + ALONE - count, last, count * sizeof *x);
  return x;
}

static const int32_t trains[2] = {ANORANK_TRAIN_CLEAN, ANORANK_TRAIN_CONTAMINATED};

TEST(equal_extreme_values_do_not_look_normal) {
  static const double far[] = {-9, -9, -9, -8, 8, 9, 9, 9};
  double *x = one_column(far, 8), scores[ALONE], left[ALONE];
  for (size_t t = 0; t < 2; t++) {
    anorank_settings settings = recipe(trains[t], 0);
    ank_samples samples = {{x, ALONE, 1}, {NULL, 0, 1}, NULL, {0}, NULL, 0, NULL};
    scoped_blend *blend = fitted(x, ALONE, 1, NULL, 0, &settings);
    test_score(scores, type, blend, x, ALONE, 1);
    assert_ok(type->score_left_out(left, blend, &samples, &settings, NULL));
    const double *seen[2] = {scores, left};
    for (size_t s = 0; s < 2; s++) {
      const double *last = seen[s] + ALONE - 8;
      for (size_t k = 0; k < 3; k++) assert_true(last[k] < last[3] && last[k + 5] < last[4]);
      for (size_t i = 0; i + 8 < ALONE; i++) assert_true(seen[s][i] > last[3] && seen[s][i] > last[4]);
    }
  }
}

TEST(scores_of_one_column_do_not_rise_outward_beyond_its_bulk) {
  double *x = test_rows(ALONE, 1, 52), *sorted = test_memory(ALONE * sizeof *sorted), scores[ALONE];
  for (size_t i = 0; i < ALONE; i++) x[i] = sorted[i] = floor(40 * x[i] * fabs(x[i])) / 10;
  assert_ok(ank_sort(sorted, ALONE, ank_settings_defaults(), NULL));
  for (size_t t = 0; t < 2; t++) {
    anorank_settings settings = recipe(trains[t], 0);
    scoped_blend *blend = fitted(x, ALONE, 1, NULL, 0, &settings);
    test_score(scores, type, blend, sorted, ALONE, 1);
    for (size_t i = 1; i < 10; i++) assert_true(scores[i - 1] <= scores[i]);
    for (size_t i = ALONE - 9; i < ALONE; i++) assert_true(scores[i] <= scores[i - 1]);
  }
}

TEST(a_value_in_a_gap_of_one_column_is_abnormal) {
  double *x = test_rows(ALONE, 1, 53), scores[ALONE], gap[2] = {5, 25}, found[2];
  for (size_t i = 0; i < ALONE; i++)
    x[i] += i % 2 == 0 ? 0 : i % 200 == 1 ? 30 : 20; /* 5 rows are a far group */
  for (size_t t = 0; t < 2; t++) {
    anorank_settings settings = recipe(trains[t], 0);
    scoped_blend *blend = fitted(x, ALONE, 1, NULL, 0, &settings);
    size_t lower[2] = {0};
    test_score(scores, type, blend, x, ALONE, 1);
    test_score(found, type, blend, gap, 2, 1);
    for (size_t k = 0; k < 2; k++)
      for (size_t i = 0; i < ALONE; i++) lower[k] += scores[i] <= found[k];
    assert_true(lower[0] <= 20 && lower[1] <= 5);
  }
}

TEST(only_a_single_column_of_numbers_has_tails) {
  anorank_settings settings = recipe(ANORANK_TRAIN_CLEAN, 0);
  double *x = test_rows(200, 2, 54);
  static const unsigned char numbers[2] = {0, 0}, missing[2] = {0, 1}, rare[2] = {0, 2};
  const unsigned char *kinds[3] = {numbers, missing, rare};
  for (size_t i = 0; i < 200; i++) x[2 * i + 1] = i % 7 == 0;
  for (size_t k = 0; k < 3; k++) {
    ank_samples samples = {{x, 200, 2}, {NULL, 0, 2}, NULL, {0}, kinds[k], 0, NULL};
    void *scorer = NULL;
    assert_ok(ank_scorer_fit(&scorer, type, &samples, &settings, NULL));
    assert_int_equal(ank_blend_tail_is_there(&((ank_blend *)scorer)->tail), k == 1);
    type->free(scorer);
  }
  scoped_blend *answered = fitted(x, 100, 1, x, 1, &settings);
  assert_false(ank_blend_tail_is_there(&answered->tail));
}

TEST(a_blend_with_tails_survives_saving_and_damage) {
  anorank_settings settings = recipe(ANORANK_TRAIN_CLEAN, 0);
  double *x = test_rows(30, 1, 55), before[30], after[30];
  scoped_scorer *loaded;
  x[28] = x[29] = 9;
  scoped_blend *blend = fitted(x, 30, 1, NULL, 0, &settings);
  scoped_bytes saved = test_save(type, blend);
  ank_cursor cursor = {saved.data, saved.length, 0};
  assert_true(ank_blend_tail_is_there(&blend->tail));
  assert_ok(ank_scorer_load(&loaded, type, &cursor, NULL));
  assert_ok(ank_cursor_end(&cursor, NULL));
  test_score(before, type, blend, x, 30, 1);
  test_score(after, type, loaded, x, 30, 1);
  assert_memory_equal(before, after, sizeof before);
  for (size_t i = 0; i < saved.length; i++)
    for (unsigned mask = 1; mask < 256; mask = mask * 3 + 1) {
      saved.data[i] ^= (unsigned char)mask;
      try_bytes(type, saved.data, saved.length, 0);
      saved.data[i] ^= (unsigned char)mask;
    }
}

TEST(tails_take_the_scale_of_another_blend) {
  anorank_settings settings = recipe(ANORANK_TRAIN_CLEAN, 0);
  double *x = test_rows(400, 1, 56), far = 9, scores[2], before;
  scoped_blend *from = fitted(x, 200, 1, NULL, 0, &settings);
  scoped_blend *blend = fitted(x + 200, 200, 1, NULL, 0, &settings);
  size_t last = blend->tail.count[1] - 1;
  before = blend->tail.least[1][last];
  for (size_t p = 0; p < from->parts; p++) from->part[p].scale *= 0.5;
  type->take_scale(blend, from);
  assert_true(blend->tail.least[1][last] > before + 0.1);
  test_score(scores, type, blend, &far, 1, 1);
  assert_true(-scores[0] >= blend->tail.least[1][last]);
}

/* The first told row of a saved blend becomes NaN. */
static void spoil_told(ank_blend *blend, const float *rows, const char *message) {
  scoped_bytes saved = test_save(type, blend);
  ank_cursor cursor = {saved.data, saved.length, 0};
  anorank_error err = {0};
  const float nothing = NAN;
  void *loaded;
  unsigned char *at = find_bytes(saved.data, saved.length, rows, 4 * sizeof(float));
  assert_non_null(at);
  memcpy(at, &nothing, sizeof nothing);
  assert_status(ank_scorer_load(&loaded, type, &cursor, &err), ANORANK_ERROR_MODEL);
  assert_null(loaded);
  assert_error(&err, message);
  type->free(blend);
}

TEST(a_known_row_that_is_not_a_number_is_damage) {
  anorank_settings settings = recipe(ANORANK_TRAIN_CLEAN, 0);
  ank_blend *blend = fitted(pairs_x, 20, 4, pairs_known, 1, &settings);
  spoil_told(blend, blend->feedback.rows, "model-feedback");
}

TEST(a_known_row_of_an_old_file_that_is_not_a_number_is_damage) {
  anorank_settings settings = recipe(ANORANK_TRAIN_CLEAN, 0);
  ank_blend *blend = fitted(pairs_x, 20, 4, NULL, 0, &settings);
  add_known(blend, pairs_x, 20, pairs_known, 1);
  spoil_told(blend, blend->known, "model-known-anomalies");
}
