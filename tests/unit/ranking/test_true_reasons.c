/* Every statement of a reason, recomputed from the table in the simplest way: value, usual range, shares,
 * similar rows, and the sentence. On planted tables, on the built-in example, and on 33 tables of
 * shared/data if that directory is next to the repository.
 *
 * labels: long */
#include "support/check.h"
#include "support/planted.h"

#include <time.h>
#include <unistd.h>

#include "anorank/extras.h"
#include "model/duplicate_rows.h"
#include "model/row_subset.h"
#include "ranking/ranking.h"

typedef struct truth {
  const anorank_model *model;
  const anorank_table *train, *table;
  size_t columns, dim, kept;
  ank_match *of_train, *of_table;
  size_t *place;         /* the row of `train` that each kept row is */
  double *features;      /* of the kept rows, prepared again */
  ank_duplicates copies; /* among the rows of `train` */
  size_t checked, similar;
} truth;

static int by_number(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* ---- the kept rows are rows of the table --------------------------------------------------------------- */

static int is_row(const truth *t, size_t kept, size_t row) {
  for (size_t c = 0; c < t->columns; c++) {
    double mine = t->model->pipeline.cells[kept * t->columns + c],
           its = ank_prepare_value(t->of_train, t->train, row, c);
    if (!(mine == its || (isnan(mine) && isnan(its)))) return 0;
  }
  return 1;
}

static void find_kept(truth *t) {
  for (size_t b = 0; b < t->kept; b++) {
    size_t row = 0;
    while (row < t->train->rows && !is_row(t, b, row)) row++;
    assert_true(row < t->train->rows);
    t->place[b] = row;
    double *features = t->features + b * t->dim;
    assert_ok(ank_prepare_rows(features, t->model->pipeline.prepare, t->of_train, t->train, row, 1, NULL));
    assert_memory_equal(features, t->model->pipeline.background + b * t->dim, t->dim * sizeof *features);
  }
}

static void truth_open(truth *t, const anorank_model *model, const anorank_table *train,
                       const anorank_table *table, const anorank_settings *settings) {
  *t = (truth){.model = model,
               .train = train,
               .table = table,
               .columns = ank_prepare_columns(model->pipeline.prepare)};
  t->dim = ank_prepare_dim(model->pipeline.prepare);
  t->kept = model->pipeline.background_rows;
  t->place = test_memory(t->kept * sizeof *t->place);
  t->features = test_memory(t->kept * t->dim * sizeof *t->features);
  assert_ok(ank_match_make(&t->of_train, model->pipeline.prepare, train, NULL));
  assert_ok(ank_match_make(&t->of_table, model->pipeline.prepare, table, NULL));
  assert_ok(ank_duplicates_find(&t->copies, train, settings, NULL));
  find_kept(t);
}

static void truth_close(truth *t) {
  ank_match_free(t->of_train);
  ank_match_free(t->of_table);
  ank_duplicates_free(&t->copies);
}

/* ---- similar rows, the plain way ----------------------------------------------------------------------- */

/* d_c(b), all kept rows (ranking.h). */
static void column_distance(double *out, const truth *t, const double *row, size_t c) {
  anorank_model_column column = ank_prepare_column(t->model->pipeline.prepare, c);
  double mean = 0;
  for (size_t b = 0; b < t->kept; b++) {
    out[b] = 0;
    for (size_t j = column.first_feature; j < column.first_feature + column.features; j++)
      out[b] += pow(row[j] - t->features[b * t->dim + j], 2);
    mean += out[b] / (double)t->kept;
  }
  for (size_t b = 0; mean > 0 && b < t->kept; b++) out[b] /= mean;
}

static int same_features(const truth *t, const double *row, size_t b, size_t c) {
  anorank_model_column column = ank_prepare_column(t->model->pipeline.prepare, c);
  return memcmp(row + column.first_feature, t->features + b * t->dim + column.first_feature,
                column.features * sizeof *row) == 0;
}

/* Does each value of a column among the kept rows go with one value of the other, and do the cells of this row,
 * too? Columns whose values hardly repeat, or hardly vary, are no twins. */
static int is_twin(const truth *t, const double *row, size_t a, size_t b) {
  double *x = test_memory(t->kept * sizeof *x), *y = test_memory(t->kept * sizeof *y);
  size_t distinct = 0, most = 0;
  if (ank_prepare_column(t->model->pipeline.prepare, a).features == 0 ||
      ank_prepare_column(t->model->pipeline.prepare, b).features == 0)
    return 0;
  for (size_t i = 0; i < t->kept; i++) {
    x[i] = t->model->pipeline.cells[i * t->columns + a];
    y[i] = t->model->pipeline.cells[i * t->columns + b];
    x[i] = isnan(x[i]) ? -9e99 : x[i];
    y[i] = isnan(y[i]) ? -9e99 : y[i];
    if (same_features(t, row, i, a) != same_features(t, row, i, b)) return 0;
    for (size_t k = 0; k < i; k++)
      if ((x[k] == x[i]) != (y[k] == y[i])) return 0;
  }
  for (size_t i = 0; i < t->kept; i++) {
    size_t same = 0, before = 0;
    for (size_t k = 0; k < t->kept; k++) same += x[k] == x[i], before += k < i && x[k] == x[i];
    distinct += before == 0;
    most = same > most ? same : most;
  }
  return distinct * 2 <= t->kept && most + 8 <= t->kept;
}

/* The cells that the table has in column c of the rows that resemble `row` in all others; missing ones
 * left out. */
static size_t similar_cells(double *cells, const truth *t, size_t row, size_t c) {
  double *features = test_memory(t->dim * sizeof *features), *one = test_memory(t->kept * sizeof *one);
  double *sum = test_memory(t->kept * sizeof *sum), *sorted = test_memory(t->kept * sizeof *sorted);
  size_t itself = SIZE_MAX, others = 0, count = 0, wanted = t->kept / 16;
  assert_ok(ank_prepare_rows(features, t->model->pipeline.prepare, t->of_table, t->table, row, 1, NULL));
  for (size_t b = t->kept; b-- > 0;)
    if (memcmp(features, t->features + b * t->dim, (t->dim - 1) * sizeof *features) == 0) itself = b;
  for (size_t j = 0; j < t->columns; j++) {
    if (j == c || is_twin(t, features, c, j)) continue;
    column_distance(one, t, features, j);
    for (size_t b = 0; b < t->kept; b++) sum[b] += one[b];
  }
  for (size_t b = 0; b < t->kept; b++)
    if (b != itself) sorted[others++] = sum[b];
  qsort(sorted, others, sizeof *sorted, by_number);
  wanted = wanted > 32 ? 32 : wanted < 8 ? 8 : wanted;
  double last = others ? sorted[(wanted < others ? wanted : others) - 1] * (1 + 1e-9) + 1e-9 : -1;
  for (size_t b = 0; b < t->kept; b++) {
    double cell = ank_prepare_value(t->of_train, t->train, t->place[b], c);
    if (b != itself && sum[b] <= last && !isnan(cell)) cells[count++] = cell;
  }
  qsort(cells, count, sizeof *cells, by_number);
  return count;
}

/* The same where the reason names the columns that disagree: all kept rows that agree in these. */
static size_t agreeing_cells(double *cells, const truth *t, const anorank_reason *reason, size_t row) {
  double *features = test_memory(t->dim * sizeof *features);
  size_t itself = SIZE_MAX, count = 0;
  assert_ok(ank_prepare_rows(features, t->model->pipeline.prepare, t->of_table, t->table, row, 1, NULL));
  for (size_t b = t->kept; b-- > 0;)
    if (memcmp(features, t->features + b * t->dim, (t->dim - 1) * sizeof *features) == 0) itself = b;
  for (size_t b = 0; b < t->kept; b++) {
    double cell = ank_prepare_value(t->of_train, t->train, t->place[b], reason->index);
    int agrees = b != itself && !isnan(cell);
    for (size_t k = 0; k < reason->partners; k++) {
      const anorank_partner *partner = &reason->partner[k];
      size_t c = ank_table_find(t->train, partner->column, strlen(partner->column));
      double its = ank_prepare_value(t->of_train, t->train, t->place[b], c),
             own = ank_prepare_value(t->of_table, t->table, row, c);
      agrees &= isnan(partner->low) ? its == own : its >= partner->low && its <= partner->high;
      assert_true(isnan(partner->low) || (own >= partner->low && own <= partner->high));
      assert_true(partner->level || partner->number == t->table->column[c].numbers[row]);
    }
    if (agrees) cells[count++] = cell;
  }
  qsort(cells, count, sizeof *cells, by_number);
  return count;
}

static int has_company(const truth *t, size_t c) {
  size_t others = 0;
  for (size_t j = 0; j < t->columns; j++)
    others += j != c && ank_prepare_column(t->model->pipeline.prepare, j).features > 0;
  return others > 0;
}

static int is_moment(const anorank_reason *reason) {
  return reason->kind == ANORANK_REASON_HOUR || reason->kind == ANORANK_REASON_WEEKDAY ||
         reason->kind == ANORANK_REASON_MONTH;
}

/* The share of rows in the same hour, on the same weekday or in the same month. */
static void check_moment(const truth *t, const anorank_reason *reason) {
  const ank_column *column = &t->train->column[reason->index];
  size_t rows = 0, same = 0;
  struct tm own, other;
  time_t moment = (time_t)floor(reason->number);
  gmtime_r(&moment, &own);
  for (size_t i = 0; i < t->train->rows; i++) {
    if ((t->copies.of && t->copies.of[i] != i) || isnan(column->numbers[i])) continue;
    moment = (time_t)floor(column->numbers[i]);
    gmtime_r(&moment, &other);
    rows++;
    same += reason->kind == ANORANK_REASON_HOUR      ? own.tm_hour == other.tm_hour
            : reason->kind == ANORANK_REASON_WEEKDAY ? own.tm_wday == other.tm_wday
                                                     : own.tm_mon == other.tm_mon;
  }
  assert_close(reason->share, (double)same / (double)rows, 1e-12);
}

static void check_similar(truth *t, const anorank_reason *reason, size_t row) {
  size_t c = reason->index;
  if (is_moment(reason)) return;
  double *cells = test_memory((t->kept + 1) * sizeof *cells),
         own = ank_prepare_value(t->of_table, t->table, row, c);
  size_t count = reason->partners > 0 ? agreeing_cells(cells, t, reason, row)
                 : has_company(t, c)  ? similar_cells(cells, t, row, c)
                                      : 0;
  anorank_role role = ank_prepare_column(t->model->pipeline.prepare, c).role;
  assert_int_equal(reason->similar_rows, count);
  if (count > 0 && role == ANORANK_ROLE_NUMERIC) {
    assert_true(reason->similar_low == cells[count / 10] &&
                reason->similar_high == cells[count - 1 - count / 10]);
  } else if (count > 0 && role == ANORANK_ROLE_CATEGORICAL) {
    size_t same = 0, like = 0, most = 0;
    for (size_t i = 0; i < count; i++) {
      size_t equal = 0;
      for (size_t k = 0; k < count; k++) equal += cells[k] == cells[i];
      if (equal > most) most = equal;
      same += cells[i] == own;
      like += strcmp(ank_prepare_level(t->model->pipeline.prepare, c, (size_t)cells[i]),
                     reason->similar_level) == 0;
    }
    assert_int_equal(like, most);
    if (reason->kind == ANORANK_REASON_TOGETHER) assert_true(2 * most > count);
    assert_close(reason->similar_share, (double)same / (double)count, 1e-12);
  } else {
    assert_true(isnan(reason->similar_low) && !reason->similar_level);
  }
  t->similar += count > 0;
}

/* ---- the other statements ------------------------------------------------------------------------------ */

/* The smallest real cell that a share q of all real, finite cells does not exceed. */
static double quantile(const double *sorted, size_t n, double q) {
  size_t k = (size_t)ceil(q * (double)n);
  return sorted[(k < 1 ? 1 : k) - 1];
}

/* A rare level occurs in fewer rows than the mean level of its column. */
static void check_rarity(const ank_column *column, const truth *t, const anorank_reason *reason) {
  size_t *rows = test_memory((column->levels.count + 1) * sizeof *rows), filled = 0, levels = 0, own = 0,
         rank = 1;
  for (size_t i = 0; i < t->train->rows; i++) {
    if ((t->copies.of && t->copies.of[i] != i) || column->codes[i] < 0) continue;
    rows[column->codes[i]]++;
    filled++;
  }
  for (size_t k = 0; k < column->levels.count; k++) {
    levels += rows[k] > 0;
    if (strcmp(column->levels.text[k], reason->level) == 0) own = rows[k];
  }
  for (size_t k = 0; k < column->levels.count; k++) rank += rows[k] > own;
  assert_int_equal(reason->level_rows, own);
  assert_int_equal(reason->level_rank, own > 0 ? rank : 0);
  assert_int_equal(reason->levels, own > 0 ? levels : 0);
  if (reason->kind == ANORANK_REASON_RARE) assert_true(own * levels < filled);
}

static void check_usual(const truth *t, const anorank_reason *reason) {
  const ank_column *column = &t->train->column[reason->index];
  size_t rows = t->train->rows, count = 0, missing = 0, same = 0;
  if (is_moment(reason)) {
    check_moment(t, reason);
    return;
  }
  double *cells = test_memory(rows * sizeof *cells);
  for (size_t i = 0; i < t->train->rows; i++) {
    rows -= t->copies.of && t->copies.of[i] != i; /* a copy is not learned from */
    if (t->copies.of && t->copies.of[i] != i) continue;
    if (column->kind == ANORANK_CATEGORICAL) {
      missing += column->codes[i] < 0;
      same += column->codes[i] >= 0 && reason->level &&
              strcmp(column->levels.text[column->codes[i]], reason->level) == 0;
    } else if (isnan(column->numbers[i])) {
      missing++;
    } else if (isfinite(column->numbers[i])) {
      cells[count++] = column->numbers[i];
    }
  }
  qsort(cells, count, sizeof *cells, by_number);
  if (count > 0) {
    assert_true(reason->usual_low == quantile(cells, count, 0.05));
    assert_true(reason->usual_high == quantile(cells, count, 0.95));
  }
  if (reason->kind == ANORANK_REASON_MISSING)
    assert_close(reason->share, (double)missing / (double)rows, 1e-12);
  if (reason->kind == ANORANK_REASON_PRESENT)
    assert_close(reason->share, 1 - (double)missing / (double)rows, 1e-12);
  else if (reason->level)
    assert_close(reason->share, (double)same / (double)rows, 1e-12);
  if (reason->level && column->kind == ANORANK_CATEGORICAL) check_rarity(column, t, reason);
}

static void check_value(const truth *t, const anorank_reason *reason, size_t row) {
  const ank_column *column = &t->table->column[reason->index];
  assert_string_equal(reason->column, column->name);
  if (column->kind == ANORANK_CATEGORICAL && column->codes[row] >= 0)
    assert_string_equal(reason->level, column->levels.text[column->codes[row]]);
  else
    assert_null(reason->level);
  if (column->kind != ANORANK_CATEGORICAL && !isnan(column->numbers[row]))
    assert_true(reason->number == column->numbers[row]);
  else
    assert_true(isnan(reason->number));
  assert_int_equal(reason->kind == ANORANK_REASON_MISSING, isnan(reason->number) && !reason->level);
}

/* Outside by more than a hundredth of the width and, but for ranges of few values, than one step. */
static int is_clearly_outside(const anorank_reason *reason, double low, double high) {
  double beyond = fmax(reason->number - high, low - reason->number), width = high - low,
         step = width >= 10 * reason->resolution ? reason->resolution : 0;
  return beyond > 0.01 * width && beyond > step;
}

static double printed(const char *text) {
  char plain[100];
  size_t used = 0;
  for (; used + 1 < sizeof plain && *text && *text != ' '; text++)
    if (*text != ',') plain[used++] = *text;
  plain[used] = '\0';
  return strtod(plain, NULL);
}

/* What is printed must hold as it is printed. */
static void check_numbers_of_sentence(const anorank_reason *reason, const char *text, const char *before) {
  const char *range = strstr(text, before), *to;
  double value = printed(text + strlen(reason->column) + 1), low, high;
  assert_non_null(range);
  low = high = printed(range + strlen(before));
  if ((to = strstr(range, " to ")) != NULL) high = printed(to + 4);
  assert_true(low <= high);
  assert_true(reason->kind == ANORANK_REASON_HIGH  ? value > high
              : reason->kind == ANORANK_REASON_LOW ? value < low
                                                   : value < low || value > high);
}

static void check_outside_of_have(const anorank_reason *reason, const char *text) {
  char before[200];
  snprintf(before, sizeof before, " have %s ", reason->column);
  check_numbers_of_sentence(reason, text, before);
}

static void check_kind(const truth *t, const anorank_reason *reason) {
  char text[400];
  anorank_reason_text(reason, text, sizeof text);
  int background = strstr(text, "together") != NULL || strstr(text, "similar") != NULL ||
                   (reason->partners > 0 && strstr(text, " rows with ") && strstr(text, " have "));
  assert_int_equal(background, reason->kind == ANORANK_REASON_TOGETHER);
  if (background) assert_true(has_company(t, reason->index) && reason->similar_rows >= 4);
  if (strlen(reason->column) > 40) return; /* cut in the sentence */
  switch (reason->kind) {
  case ANORANK_REASON_HIGH:
  case ANORANK_REASON_LOW:
    assert_true(is_clearly_outside(reason, reason->usual_low, reason->usual_high));
    check_numbers_of_sentence(reason, text, " its usual ");
    break;
  case ANORANK_REASON_TOGETHER:
    if (reason->level)
      assert_true(reason->similar_share <= 0.1 && strcmp(reason->level, reason->similar_level) != 0);
    if (reason->level) break;
    assert_true(is_clearly_outside(reason, reason->similar_low, reason->similar_high));
    if (reason->partners > 0)
      check_outside_of_have(reason, text);
    else
      check_numbers_of_sentence(reason, text, " similar rows have ");
    break;
  case ANORANK_REASON_RARE: assert_true(reason->share > 0 && reason->share < 0.05); break;
  case ANORANK_REASON_NEW_LEVEL: assert_true(reason->share == 0); break;
  case ANORANK_REASON_NEW_VALUE: assert_true(reason->number != reason->usual_low); break;
  case ANORANK_REASON_USUAL:
    assert_true(reason->level || !is_clearly_outside(reason, reason->usual_low, reason->usual_high));
    break;
  case ANORANK_REASON_HOUR: /* only a time with less than half an even share is presented as seldom */
    assert_true((strstr(text, ", an hour with ") != NULL) == (reason->share < 0.5 / 24));
    break;
  case ANORANK_REASON_WEEKDAY:
    assert_true((strstr(text, ", a day with ") != NULL) == (reason->share < 0.5 / 7));
    break;
  case ANORANK_REASON_MONTH:
    assert_true((strstr(text, ", a month with ") != NULL) == (reason->share < 0.5 / 12));
    break;
  case ANORANK_REASON_MISSING: assert_true(reason->share >= 0 && reason->share < 0.5); break;
  case ANORANK_REASON_OWN_PAST:
  case ANORANK_REASON_OWN_GAP:
  case ANORANK_REASON_OWN_COUNT:
  case ANORANK_REASON_OWN_NEW_LEVEL:
  case ANORANK_REASON_OWN_RARE_LEVEL: fail_msg("%s", "no table here has a past"); break;
  case ANORANK_REASON_PRESENT: assert_true(reason->share > 0 && reason->share < 0.05); break;
  case ANORANK_REASON_NEW_CODE:
  case ANORANK_REASON_NEW_PAIR: assert_true(reason->compared_rows > 0); break;
  }
}

/* ---- tables -------------------------------------------------------------------------------------------- */

/* Fit on one table, explain rows of another, and check every statement. Returns how many there were. */
static size_t check_table(const anorank_table *train, const anorank_table *table, const char *drop,
                          int64_t rows) {
  anorank_settings settings = test_settings();
  anorank_model *model;
  anorank_ranking *ranking;
  anorank_error err = {0};
  truth t;
  settings.train = ANORANK_TRAIN_CONTAMINATED;
  settings.fast = 1;
  settings.threads = 1;
  settings.lowest = rows;
  settings.reasons = 5;
  settings.drop = drop;
  if (anorank_fit(&model, train, NULL, &settings, &err) != ANORANK_OK) fail_msg("%s", err.message);
  assert_ok(anorank_ranking_make(&ranking, model, table, &settings, NULL));
  truth_open(&t, model, train, table, &settings);
  for (size_t i = 0; i < anorank_ranking_get_info(ranking)->count && i < (size_t)rows; i++) {
    const anorank_finding *finding = anorank_ranking_at(ranking, i);
    for (size_t k = 0; k < finding->reasons; k++, t.checked++) {
      const anorank_reason *reason = anorank_ranking_reason(ranking, i, k);
      assert_true(k == 0 || reason->contribution <= anorank_ranking_reason(ranking, i, k - 1)->contribution);
      assert_true(reason->contribution > 0 || finding->reasons == 1);
      assert_true(reason->contribution >= 0.05 * anorank_ranking_reason(ranking, i, 0)->contribution);
      check_value(&t, reason, finding->row);
      check_usual(&t, reason);
      check_similar(&t, reason, finding->row);
      check_kind(&t, reason);
    }
  }
  truth_close(&t);
  anorank_ranking_free(ranking);
  anorank_model_free(model);
  return t.checked;
}

TEST(statements_about_planted_rows_are_true) {
  for (int kind = 0; kind < PLANTED_KINDS; kind++) {
    planted made = planted_make(kind, 400, 8, 0, 3);
    assert_true(check_table(made.train, made.test, "", 8) >= 8);
    assert_true(check_table(made.train, made.train, "", 5) >= 5); /* rows that were learned from */
    planted_free(&made);
  }
}

static anorank_table *table_of(void (*print)(FILE *stream)) {
  char *text;
  size_t length;
  FILE *stream = open_memstream(&text, &length);
  anorank_table *table;
  print(stream);
  fclose(stream);
  assert_ok(anorank_table_read(&table, ANORANK_FROM_MEMORY(text, length, "text"), NULL, NULL));
  free(text);
  return table;
}

/* Eight hours of the day have 8 to 9.5 degrees, four others 21 to 23; row 1 has 9 where all others have 21
 * to 23. */
static void print_seasons(FILE *stream) {
  fputs("season,sun,degrees,note\n", stream);
  fputs("summer,15.2,9,\n", stream);
  for (int i = 1; i < 600; i++) {
    int summer = i % 3 == 0;
    fprintf(stream, "%s,%g,%g,%s\n", summer ? "summer" : "winter", (summer ? 15 : 7) + 0.01 * (i % 50),
            summer ? 21 + 0.02 * (i * 7 % 100) : 8 + 0.015 * (i * 7 % 100),
            i % 2   ? ""
            : i % 4 ? "3"
                    : "4");
  }
}

TEST(similar_rows_are_those_of_the_same_kind) {
  scoped_table *table = table_of(print_seasons);
  anorank_settings settings = test_settings();
  anorank_model *model;
  anorank_ranking *ranking;
  settings.train = ANORANK_TRAIN_CONTAMINATED;
  assert_ok(anorank_fit(&model, table, NULL, &settings, NULL));
  assert_ok(anorank_explain(&ranking, model, table, 0, &settings, NULL));
  const anorank_reason *first = anorank_ranking_reason(ranking, 0, 0);
  assert_string_equal(first->column, "degrees");
  assert_int_equal(first->kind, ANORANK_REASON_TOGETHER);
  assert_true(first->similar_low >= 21 && first->similar_high <= 23);
  assert_close(first->number, 9, 0);
  assert_int_equal(first->partners, 1);
  assert_string_equal(first->partner[0].column, "season");
  anorank_ranking_free(ranking);
  anorank_model_free(model);
  assert_true(check_table(table, table, "", 20) >= 20);
}

/* 60 airports: 'A0' is the most frequent one, though it has 4 % of the rows; 'A59' has three rows. */
static void print_airports(FILE *stream) {
  fputs("airport,delay\n", stream);
  for (int i = 0; i < 3000; i++) {
    int airport = i < 3 ? 59 : i < 80 ? 0 : i % 59;
    fprintf(stream, "A%d,%g\n", airport, i == 50 ? 400 : i == 0 ? 300 : 0.5 * (i * 7 % 61));
  }
}

TEST(a_level_is_rare_only_against_the_other_levels_of_its_column) {
  scoped_table *table = table_of(print_airports);
  anorank_settings settings = test_settings();
  scoped_model *model;
  settings.train = ANORANK_TRAIN_CONTAMINATED;
  assert_ok(anorank_fit(&model, table, NULL, &settings, NULL));
  for (size_t row = 0; row <= 50; row += 50) {
    scoped_ranking *ranking;
    const anorank_reason *airport = NULL;
    assert_ok(anorank_explain(&ranking, model, table, row, &settings, NULL));
    for (size_t k = 0; k < 2; k++)
      if (strcmp(anorank_ranking_reason(ranking, 0, k)->column, "airport") == 0)
        airport = anorank_ranking_reason(ranking, 0, k);
    assert_non_null(airport);
    assert_true(airport->share < 0.05);
    assert_int_equal(airport->kind == ANORANK_REASON_RARE, row == 0);
  }
}

/* Two dependent columns; row 0 disagrees, with an x one step below nearly all others. */
static void print_narrow(FILE *stream) {
  fputs("x,y\n31.002,32.9\n", stream);
  for (int i = 1; i < 1000; i++) {
    double x = i % 10 ? 31.003 + 0.002 * (i % 997) : 31.003;
    fprintf(stream, "%.3f,%.4f\n", x, x + 0.0001 * (i * 7 % 997));
  }
}

TEST(a_range_is_named_only_where_a_value_is_clearly_outside) {
  scoped_table *table = table_of(print_narrow);
  anorank_settings settings = test_settings();
  scoped_model *model;
  scoped_ranking *ranking;
  settings.train = ANORANK_TRAIN_CONTAMINATED;
  assert_ok(anorank_fit(&model, table, NULL, &settings, NULL));
  assert_ok(anorank_explain(&ranking, model, table, 0, &settings, NULL));
  for (size_t k = 0; k < 2; k++) {
    const anorank_reason *reason = anorank_ranking_reason(ranking, 0, k);
    if (strcmp(reason->column, "x") != 0) continue;
    assert_true(reason->number < reason->usual_low);
    assert_int_equal(reason->kind, ANORANK_REASON_TOGETHER);
    assert_close(reason->resolution, 0.001, 1e-12);
  }
  assert_true(check_table(table, table, "", 20) >= 10);
}

/* Country and code say the same; Malta has two rows. */
static void print_countries(FILE *stream) {
  static const char *const country[] = {"Norway", "France", "Spain"}, *const code[] = {"NO", "FR", "ES"};
  fputs("country,code,amount\nMalta,MT,5\nMalta,MT,4\n", stream);
  for (int i = 0; i < 900; i++)
    fprintf(stream, "%s,%s,%g\n", country[i * 7 % 3], code[i * 7 % 3], 0.01 * (i * 37 % 1000));
}

static void print_new_countries(FILE *stream) {
  fputs("country,code,amount\nMalta,MT,5\nNorway,FR,5\n", stream);
}

TEST(columns_that_say_the_same_are_one_reason) {
  scoped_table *train = table_of(print_countries), *table = table_of(print_new_countries);
  anorank_settings settings = test_settings();
  scoped_model *model;
  scoped_ranking *ranking;
  settings.train = ANORANK_TRAIN_CONTAMINATED;
  settings.lowest = 2;
  assert_ok(anorank_fit(&model, train, NULL, &settings, NULL));
  assert_ok(anorank_ranking_make(&ranking, model, table, &settings, NULL));
  for (size_t i = 0; i < 2; i++) {
    const anorank_finding *finding = anorank_ranking_at(ranking, i);
    const anorank_reason *first = anorank_ranking_reason(ranking, i, 0);
    assert_int_equal(first->kind, finding->row == 0 ? ANORANK_REASON_RARE : ANORANK_REASON_TOGETHER);
    assert_int_equal(first->twin != NULL, finding->row == 0);
    if (finding->row == 1) continue; /* a country with the code of another: not the same */
    assert_int_equal(finding->reasons, 1);
    assert_string_equal(first->column, "country");
    assert_string_equal(first->twin, "code");
  }
  assert_true(check_table(train, train, "", 5) >= 2);
}

static void print_one_column(FILE *stream) {
  fputs("x\n", stream);
  for (int i = 0; i < 300; i++)
    fprintf(stream, "%g\n", i == 7 ? 50 : i == 9 ? 4.95 : 0.01 * (i % 100) + 9.0 * (i % 2));
}

TEST(a_column_alone_has_no_company) {
  scoped_table *table = table_of(print_one_column);
  assert_true(check_table(table, table, "", 20) >= 2);
}

TEST(statements_about_the_example_are_true) {
  scoped_table *table;
  assert_ok(anorank_example_make(&table, "cards", NULL, NULL));
  assert_true(check_table(table, table, "fraud", 30) >= 30);
}

/* Tables with texts, files as people have them, and series. */
static const char *const shared_files[] = {"mixed-dev/anneal.csv",
                                           "mixed-dev/bankruptcy.csv",
                                           "mixed-dev/cervical.csv",
                                           "mixed-dev/cylinder_bands.csv",
                                           "mixed-dev/ethereum.csv",
                                           "mixed-dev/horse_colic.csv",
                                           "mixed-dev/mushroom.csv",
                                           "mixed-dev/nsl_kdd.csv",
                                           "mixed-dev/sick.csv",
                                           "mixed-dev/vehicle_claims.csv",
                                           "real-files/538_all_data.csv.gz",
                                           "real-files/538_raw-polls.csv.gz",
                                           "real-files/Default_On_Payment.csv.gz",
                                           "real-files/ai4i2020.csv.gz",
                                           "real-files/anomaly-free.csv.gz",
                                           "real-files/diamonds.csv.gz",
                                           "real-files/fraud_04.csv.gz",
                                           "real-files/gdp.csv.gz",
                                           "real-files/jb_pollution.csv.gz",
                                           "real-files/lh_BGL_2k.log_structured.csv.gz",
                                           "real-files/long.csv.gz",
                                           "real-files/machine_temperature_system_failure.csv.gz",
                                           "real-files/one.csv.gz",
                                           "real-files/superstore.csv.gz",
                                           "real-files/taxi_daily.csv.gz",
                                           "real-files/titanic.csv.gz",
                                           "real-files/v_flights-20k.json.gz",
                                           "real-files/v_movies.json.gz",
                                           "real-files/wide_gdp.csv.gz",
                                           "time-dev/nab-KnownCause-nyc_taxi.csv.gz",
                                           "time-dev/panel-gdp.csv.gz",
                                           "time-dev/season-melbourne-min.csv.gz",
                                           "time-dev/skab-valve1-00.csv.gz"};

/* At most so many rows: of more, a part is held out of the fit, which the table does not show. */
static anorank_table *first_rows(const char *path) {
  enum { MOST = 15000 };
  anorank_settings reading = test_settings();
  anorank_table *table, *first;
  size_t *rows = test_memory(MOST * sizeof *rows);
  assert_ok(ank_settings_lend(&reading, "bad-rows", "rank", NULL));
  assert_ok(anorank_table_read(&table, ANORANK_FROM_FILE(path), &reading, NULL));
  if (table->rows <= MOST) return table;
  for (size_t i = 0; i < MOST; i++) rows[i] = i;
  assert_ok(ank_copy_rows(&first, table, rows, MOST, NULL, NULL));
  anorank_table_free(table);
  return first;
}

TEST(statements_about_tables_as_people_have_them_are_true) {
  static const char *const folders[] = {"../../../shared/data", "../../../../shared/data"};
  size_t found = 0;
  for (size_t f = 0; f < 2 && found == 0; f++) {
    for (size_t i = 0; i < sizeof shared_files / sizeof shared_files[0]; i++) {
      char path[500];
      snprintf(path, sizeof path, TEST_DATA "/%s/%s", folders[f], shared_files[i]);
      if (access(path, R_OK) != 0) continue;
      anorank_table *table = first_rows(path);
      size_t checked = check_table(table, table, strstr(path, "mixed-dev") ? "label" : "", 5);
      print_message("%s: %zu reasons, all true\n", shared_files[i], checked);
      assert_true(checked > 0);
      anorank_table_free(table);
      found++;
    }
  }
  if (found == 0) print_message("shared/data is not there: skipped\n"), skip();
}
