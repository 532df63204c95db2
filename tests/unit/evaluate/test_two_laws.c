/* test_two_laws.c - the combined result of two contrast laws: closed forms, and planted tables on which one
 * method sees combinations and the other extremes. */
#include "core/alloc.h"
#include "evaluate/evaluate.h"
#include "support/models.h"
#include "support/notes.h"

enum { N = 200 };

static anorank_settings plain(void) {
  anorank_settings settings = test_settings();
  settings.bootstrap = 0;
  return settings;
}

/* Scores 0 .. N - 1 of the judged rows, and contrast rows that score `lower` places below them: of the pairs
 * (N - lower)(N - lower - 1) / 2 are in the wrong order and N - lower tied. */
static anorank_judgement *judged(int lower) {
  double x[N], u[N];
  anorank_settings settings = plain();
  anorank_judgement *made;
  for (int i = 0; i < N; i++) x[i] = i, u[i] = i - lower;
  assert_ok(anorank_judge(&made, x, N, u, N, &settings, NULL));
  return made;
}

static double area_of(int lower) {
  double m = N - fabs((double)lower), wrong = m * m / 2 / N / N;
  return lower >= 0 ? wrong : 1 - wrong;
}

/* An order by its places below; the outcome that follows. */
static const struct {
  int lower;
  anorank_law_outcome outcome;
} orders[] = {{N, ANORANK_LAW_SEPARATES},
              {100, ANORANK_LAW_SEPARATES}, /* area 0.125 */
              {14, ANORANK_LAW_WEAK},       /* area 0.432 */
              {0, ANORANK_LAW_UNDECIDED},
              {-100, ANORANK_LAW_REVERSED}};

enum { ORDERS = sizeof orders / sizeof orders[0] };

TEST(an_order_has_an_outcome_by_each_law_and_disagreement_is_stated) {
  for (size_t a = 0; a < ORDERS; a++)
    for (size_t b = 0; b < ORDERS; b++) {
      scoped_judgement *first = judged(orders[a].lower), *second = judged(orders[b].lower);
      anorank_two_laws laws = {.combinations.of = {first, NULL}, .extremes.of = {second, NULL}};
      anorank_law_outcome one = orders[a].outcome, other = orders[b].outcome;
      /* Each interval comes from N = 200: 14 places are just enough to be seen. */
      assert_ok(anorank_two_laws_conclude(&laws, NULL));
      assert_close(first->info.area.estimate, area_of(orders[a].lower), 1e-12);
      assert_int_equal(laws.combinations.outcome, one);
      assert_int_equal(laws.extremes.outcome, other);
      assert_string_equal(laws.combinations.law, "permute");
      assert_string_equal(laws.extremes.law, "displace");
      assert_int_equal(laws.disagree, (one == ANORANK_LAW_SEPARATES) != (other == ANORANK_LAW_SEPARATES) ||
                                          (one == ANORANK_LAW_REVERSED) != (other == ANORANK_LAW_REVERSED));
      assert_true(strstr(laws.conclusion, "'permute'") && strstr(laws.conclusion, "'displace'"));
    }
}

/* Two orders of the same rows by each law: the first is `gap` places better, or worse. */
typedef struct pair {
  anorank_judgement *of[2];
  anorank_comparison comparison;
} pair;

static pair make_pair(int gap, int both) {
  double x[N], u[2][N];
  anorank_settings settings = plain();
  pair made;
  for (int i = 0; i < N; i++) x[i] = i, u[0][i] = i - both - gap, u[1][i] = i - both;
  for (int c = 0; c < 2; c++) assert_ok(anorank_judge(&made.of[c], x, N, u[c], N, &settings, NULL));
  assert_ok(anorank_compare(&made.comparison, x, x, N, u[0], u[1], N, &settings, NULL));
  return made;
}

TEST(each_law_names_the_better_of_two_orders_and_disagreement_is_stated) {
  static const struct {
    int gap, both;
    anorank_law_outcome outcome;
  } cases[] = {{60, 40, ANORANK_LAW_FIRST},
               {-60, 100, ANORANK_LAW_SECOND},
               {0, 50, ANORANK_LAW_UNDECIDED},
               {50, 2 * N, ANORANK_LAW_BLIND}};
  for (size_t a = 0; a < 4; a++)
    for (size_t b = 0; b < 4; b++) {
      pair one = make_pair(cases[a].gap, cases[a].both), other = make_pair(cases[b].gap, cases[b].both);
      anorank_two_laws laws = {
          .combinations = {.of = {one.of[0], one.of[1]}, .comparison = &one.comparison},
          .extremes = {.of = {other.of[0], other.of[1]}, .comparison = &other.comparison}};
      assert_ok(anorank_two_laws_conclude(&laws, NULL));
      assert_int_equal(laws.combinations.outcome, cases[a].outcome);
      assert_int_equal(laws.extremes.outcome, cases[b].outcome);
      assert_int_equal(laws.disagree, a < 2 && b < 2 && a != b);
      /* A comparison by a third law is contradicted by the law that says the opposite. */
      const anorank_law_verdict *against = ank_two_laws_against(&laws, &one.comparison, 0.95);
      assert_ptr_equal(against, a < 2 && b < 2 && a != b ? &laws.extremes : NULL);
      for (int c = 0; c < 2; c++) {
        anorank_judgement_free(one.of[c]);
        anorank_judgement_free(other.of[c]);
      }
    }
}

TEST(judgements_that_do_not_match_are_refused) {
  scoped_judgement *one = judged(10);
  anorank_two_laws laws = {.combinations.of = {one, NULL}};
  anorank_error err = {0};
  assert_fails(anorank_two_laws_conclude(&laws, &err), ANORANK_ERROR_USAGE, "two-laws-judgements");
  laws.extremes.of[0] = laws.extremes.of[1] = one;
  assert_fails(anorank_two_laws_conclude(&laws, &err), ANORANK_ERROR_USAGE, "two-laws-judgements");
  assert_fails(anorank_two_laws_conclude(NULL, &err), ANORANK_ERROR_USAGE, "argument-null");
}

/* ---- planted tables ---------------------------------------------------------------------------------- */

/* Two columns on a line, and four that are near 0 or near 1: the histogram sees at once what lies beyond these, and
 * Mahalanobis' distance, for which half of their width is one deviation, hardly; on the line it is the other way round. */
static anorank_table *line_and_clusters(size_t rows) {
  anorank_settings settings = test_settings();
  anorank_table *table;
  size_t size = 64 + rows * 160, used;
  char *text = test_memory(size);
  used = (size_t)snprintf(text, size, "a,b,c,d,e,f\n");
  for (size_t i = 0; i < rows; i++) {
    ank_rng rng;
    ank_rng_open(&rng, 8, 99, i);
    double a = ank_rng_normal(&rng), b = a + 0.1 * ank_rng_normal(&rng);
    used += (size_t)snprintf(text + used, size - used, "%.17g,%.17g", a, b);
    for (int j = 0; j < 4; j++)
      used += (size_t)snprintf(text + used, size - used, ",%.17g",
                               (ank_rng_uniform(&rng) < 0.5 ? 0 : 1) + 0.01 * ank_rng_uniform(&rng));
    used += (size_t)snprintf(text + used, size - used, "\n");
  }
  assert_ok(anorank_table_read(&table, ANORANK_FROM_MEMORY(text, used, "made"), &settings, NULL));
  return table;
}

static anorank_settings clean(const char *scorer) {
  anorank_settings settings = plain();
  settings.seed = 5;
  settings.train = ANORANK_TRAIN_CLEAN;
  settings.scorer = scorer;
  return settings;
}

TEST(each_law_finds_the_method_that_sees_its_kind_of_anomaly) {
  scoped_table *table = line_and_clusters(900);
  for (int swapped = 0; swapped < 2; swapped++) {
    anorank_settings columns = clean("histogram"), together = clean("mahalanobis");
    scoped_evaluation *both;
    assert_ok(anorank_evaluate_two(&both, NULL, NULL, table, swapped ? &together : &columns,
                                   swapped ? &columns : &together, NULL));
    const anorank_two_laws *laws = anorank_evaluation_get_info(both)->laws;
    assert_int_equal(laws->combinations.outcome, swapped ? ANORANK_LAW_FIRST : ANORANK_LAW_SECOND);
    assert_int_equal(laws->extremes.outcome, swapped ? ANORANK_LAW_SECOND : ANORANK_LAW_FIRST);
    assert_true(laws->disagree);
    assert_true(has_note(anorank_evaluation_notes(both), "evaluate-laws-disagree", "'permute'"));
    assert_string_equal(anorank_evaluation_get_info(both)->conclusion, laws->conclusion);
  }
}

TEST(a_method_by_single_columns_finds_extremes_and_hardly_combinations) {
  scoped_table *table = line_and_clusters(900);
  anorank_settings settings = clean("histogram");
  scoped_evaluation *evaluation;
  assert_ok(anorank_evaluate(&evaluation, NULL, table, &settings, NULL));
  const anorank_evaluation_info *info = anorank_evaluation_get_info(evaluation);
  const anorank_judgement_info *extremes = anorank_judgement_get_info(info->laws->extremes.of[0]);
  assert_int_equal(info->laws->extremes.outcome, ANORANK_LAW_SEPARATES);
  assert_true(info->laws->combinations.outcome == ANORANK_LAW_WEAK ||
              info->laws->combinations.outcome == ANORANK_LAW_UNDECIDED);
  assert_true(info->laws->disagree);
  assert_null(info->laws->extremes.of[1]);
  assert_null(info->laws->extremes.comparison);
  assert_int_equal(extremes->n, 300);
  assert_int_equal(extremes->m, 5000);
  assert_close(extremes->w[0].mean, /* mww: (N + 1) W is the sum of the ranks of X */
               ((1 - extremes->area.estimate) * 5000 + 150.5) / 5301, 1e-9);
}

/* The same rows in the same two laws, whatever the law of the first judgement. */
TEST(the_law_of_the_settings_does_not_change_the_other_two) {
  scoped_table *table = line_and_clusters(300);
  anorank_settings by_box = clean("knn"), by_permute = clean("knn");
  scoped_evaluation *one, *other;
  strcpy(by_box.contrast, "box");
  strcpy(by_permute.contrast, "permute");
  by_permute.permute_share = 0.7;
  assert_ok(anorank_evaluate(&one, NULL, table, &by_box, NULL));
  assert_ok(anorank_evaluate(&other, NULL, table, &by_permute, NULL));
  const anorank_two_laws *a = anorank_evaluation_get_info(one)->laws,
                         *b = anorank_evaluation_get_info(other)->laws;
  assert_memory_equal(&a->combinations.of[0]->info.area, &b->combinations.of[0]->info.area,
                      sizeof(anorank_interval));
  assert_memory_equal(&a->extremes.of[0]->info.area, &b->extremes.of[0]->info.area, sizeof(anorank_interval));
}
