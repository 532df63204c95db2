/* test_context.c - derived columns: no look-ahead, continuing a state, order, entities, files. */
#include "support/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "context/context.h"
#include "context/context_parts.h"
#include "core/alloc.h"
#include "core/rng.h"

enum { ENTITIES = 5, ROWS = 400, LINE = 96, COLUMNS = 5 };

typedef struct {
  int entity;
  double time, x, y;
  int kind;
} row;

/* AR(1) values of different levels and scales, interleaved, so that times between rows of an entity are irregular. Entities
 * have their own kinds, but for one row in a hundred. */
static void make_rows(row *rows, size_t n, uint64_t seed) {
  double state[ENTITIES] = {0};
  ank_rng rng;
  ank_rng_open(&rng, seed, ANK_STREAM_REPORT, 7);
  for (size_t i = 0; i < n; i++) {
    int e = (int)ank_rng_below(&rng, ENTITIES);
    state[e] = 0.7 * state[e] + ank_rng_normal(&rng);
    rows[i] = (row){e, (double)i, 10.0 * e + (e + 1) * state[e], ank_rng_normal(&rng), e + (i % 3 == 0)};
    if (ank_rng_below(&rng, 100) == 0) rows[i].kind = (int)ank_rng_below(&rng, 12);
  }
}

static anorank_table *table_of(const row *rows, size_t n) {
  anorank_settings settings;
  anorank_error err = {0};
  anorank_table *table = NULL;
  char *text = malloc((n + 1) * LINE);
  size_t used = (size_t)sprintf(text, "machine,t,x,y,kind\n");
  for (size_t i = 0; i < n; i++)
    used += (size_t)sprintf(text + used, "m%d,%.17g,%.17g,%.17g,k%d\n", rows[i].entity, rows[i].time,
                            rows[i].x, rows[i].y, rows[i].kind);
  ank_settings_default(&settings);
  assert_ok(anorank_table_read(&table, ANORANK_FROM_MEMORY(text, used, "in.csv"), &settings, &err));
  free(text);
  return table;
}

static anorank_settings settings_of(const char *by, const char *time, const char *window) {
  anorank_settings settings;
  ank_settings_default(&settings);
  settings.by = by;
  settings.time = time;
  settings.window = window;
  return settings;
}

/* The rows become the history. */
static void must_keep(ank_context *context, const anorank_table *table) {
  ank_context_run *run = NULL;
  anorank_error err = {0};
  assert_ok(ank_context_run_new(&run, context, ANK_HISTORY_NONE, &err));
  assert_ok(ank_context_run_add(NULL, run, table, 1, &err));
  ank_context_keep(context, run);
}

static ank_context *must_fit(const anorank_table *table, const anorank_settings *settings) {
  static const unsigned char used[] = {0, 0, 1, 1, 1};
  ank_context *context = NULL;
  anorank_error err = {0};
  if (ank_context_fit(&context, table, used, settings, &err) != ANORANK_OK) print_error("%s\n", err.message);
  assert_non_null(context);
  must_keep(context, table);
  return context;
}

static anorank_table *must_derive(const ank_context *context, const anorank_table *table, int fresh) {
  anorank_table *derived = NULL;
  anorank_error err = {0};
  assert_ok(
      ank_context_derive(&derived, context, table, fresh ? ANK_HISTORY_NONE : ANK_HISTORY_GOES_ON, &err));
  return derived;
}

/* The derived columns of rows [0, n) of one are those of rows [from, from + n) of the other, to the bit. */
static void assert_same_rows(const anorank_table *a, size_t first, const anorank_table *b, size_t from,
                             size_t n) {
  assert_int_equal(a->columns, b->columns);
  assert_true(a->columns > COLUMNS);
  for (size_t j = COLUMNS; j < a->columns; j++)
    assert_memory_equal(a->column[j].numbers + first, b->column[j].numbers + from, n * sizeof(double));
}

TEST(a_later_row_never_changes_what_an_earlier_one_gets) {
  anorank_settings settings = settings_of("machine", "t", "");
  row rows[ROWS], other[ROWS];
  make_rows(rows, ROWS, 1);
  anorank_table *table = table_of(rows, ROWS);
  ank_context *context = must_fit(table, &settings);
  anorank_table *derived = must_derive(context, table, 1);
  assert_true(context->key[0].rhythm && context->key[0].habit[0].tail.unit > 0);
  for (size_t cut = 1; cut < ROWS; cut += 57) {
    memcpy(other, rows, sizeof rows);
    for (size_t i = cut; i < ROWS; i++) {
      other[i].x = 1e6 * (double)i, other[i].entity = (int)(i % ENTITIES);
      other[i].time = (double)(i + 3 * i % 7), other[i].kind = (int)(i % 40);
    }
    anorank_table *changed = table_of(other, ROWS), *again = must_derive(context, changed, 1);
    assert_same_rows(derived, 0, again, 0, cut);
    anorank_table_free(changed);
    anorank_table_free(again);
  }
  anorank_table_free(derived);
  anorank_table_free(table);
  ank_context_free(context);
}

TEST(rows_go_on_where_the_history_ended_as_if_it_were_before_them) {
  anorank_settings settings = settings_of("machine", "t", "7");
  row rows[ROWS];
  make_rows(rows, ROWS, 2);
  const size_t half = ROWS / 2;
  anorank_table *first = table_of(rows, half), *second = table_of(rows + half, ROWS - half),
                *all = table_of(rows, ROWS);
  ank_context *context = must_fit(first, &settings);
  anorank_table *whole = must_derive(context, all, 1), *rest = must_derive(context, second, 0);
  assert_same_rows(whole, half, rest, 0, ROWS - half);
  /* the training rows themselves lie before the end of the history */
  anorank_table *same = must_derive(context, first, 0);
  assert_same_rows(whole, 0, same, 0, half);
  /* in two steps */
  anorank_table *third = table_of(rows + half + 50, ROWS - half - 50), *part = table_of(rows + half, 50);
  assert_ok(ank_context_advance(context, part, NULL));
  anorank_table *last = must_derive(context, third, 0);
  assert_same_rows(whole, half + 50, last, 0, ROWS - half - 50);
  anorank_table *freed[] = {first, second, all, whole, rest, same, third, part, last};
  for (size_t i = 0; i < sizeof freed / sizeof freed[0]; i++) anorank_table_free(freed[i]);
  ank_context_free(context);
}

TEST(rows_out_of_order_get_what_they_get_in_order) {
  anorank_settings settings = settings_of("machine", "t", "");
  row rows[ROWS], turned[ROWS];
  make_rows(rows, ROWS, 3);
  for (size_t i = 0; i < ROWS; i++) turned[i] = rows[ROWS - 1 - i];
  anorank_table *table = table_of(rows, ROWS), *back = table_of(turned, ROWS);
  ank_context *context = must_fit(table, &settings);
  anorank_table *derived = must_derive(context, table, 1), *again = must_derive(context, back, 1);
  for (size_t i = 0; i < ROWS; i++) assert_same_rows(derived, i, again, ROWS - 1 - i, 1);
  anorank_table_free(table);
  anorank_table_free(back);
  anorank_table_free(derived);
  anorank_table_free(again);
  ank_context_free(context);
}

/* Rows in blocks of `size`, each row's derived columns compared with those of `whole`. */
static void assert_same_in_blocks(const ank_context *context, const row *rows, size_t n, size_t size,
                                  const anorank_table *whole, ank_history history) {
  ank_context_run *run = NULL;
  anorank_error err = {0};
  assert_ok(ank_context_run_new(&run, context, history, &err));
  for (size_t from = 0; from < n; from += size) {
    size_t count = n - from < size ? n - from : size;
    anorank_table *block = table_of(rows + from, count), *derived = NULL;
    assert_ok(ank_context_run_add(&derived, run, block, 0, &err));
    assert_same_rows(derived, 0, whole, from, count);
    anorank_table_free(derived);
    anorank_table_free(block);
  }
  assert_int_equal(ank_context_run_rows(run), n);
  ank_context_run_free(run);
}

TEST(blocks_of_any_size_give_what_the_whole_table_gives_also_where_entities_are_evicted) {
  static const size_t sizes[] = {1, 7, 64, 399};
  row rows[ROWS];
  make_rows(rows, ROWS, 11);
  for (int most = 1; most <= ENTITIES; most += 2) {
    anorank_settings settings = settings_of("machine,machine+t", "t", "");
    settings.max_entities = most;
    anorank_table *first = table_of(rows, ROWS / 2), *rest = table_of(rows + ROWS / 2, ROWS / 2);
    ank_context *context = must_fit(first, &settings);
    anorank_table *whole = must_derive(context, rest, 0), *fresh = must_derive(context, first, 1);
    assert_int_equal(ank_context_entities(context), most);
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
      assert_same_in_blocks(context, rows + ROWS / 2, ROWS / 2, sizes[s], whole, ANK_HISTORY_GOES_ON);
      assert_same_in_blocks(context, rows, ROWS / 2, sizes[s], fresh, ANK_HISTORY_NONE);
    }
    anorank_table *freed[] = {first, rest, whole, fresh};
    for (size_t i = 0; i < sizeof freed / sizeof freed[0]; i++) anorank_table_free(freed[i]);
    ank_context_free(context);
  }
}

/* With room for one entity, a row gets what it gets where every change of the entity starts a new one. */
TEST(an_evicted_entity_starts_from_the_population_when_it_returns) {
  anorank_settings settings = settings_of("machine", "t", "");
  row rows[ROWS], renamed[ROWS];
  make_rows(rows, ROWS, 12);
  memcpy(renamed, rows, sizeof rows);
  for (size_t i = 1; i < ROWS; i++)
    renamed[i].entity = renamed[i - 1].entity + (rows[i].entity != rows[i - 1].entity);
  anorank_table *table = table_of(rows, ROWS), *other = table_of(renamed, ROWS);
  settings.max_entities = 1;
  ank_context *context = must_fit(table, &settings);
  anorank_table *evicted = must_derive(context, table, 1), *started = must_derive(context, other, 1);
  assert_same_rows(evicted, 0, started, 0, ROWS);
  assert_true(evicted->notes.count > 0);
  assert_string_equal(evicted->notes.list[evicted->notes.count - 1].code, "entities-evicted");
  anorank_table *freed[] = {table, other, evicted, started};
  for (size_t i = 0; i < sizeof freed / sizeof freed[0]; i++) anorank_table_free(freed[i]);
  ank_context_free(context);
}

TEST(a_row_that_runs_back_in_a_stream_is_refused_with_its_number_and_entity) {
  anorank_settings settings = settings_of("machine", "t", "");
  row rows[ROWS];
  anorank_error err = {0};
  make_rows(rows, ROWS, 13);
  anorank_table *table = table_of(rows, ROWS);
  ank_context *context = must_fit(table, &settings);
  size_t back = 350;
  rows[back].time = 3; /* some row before it of its entity is later */
  for (size_t size = 1; size <= ROWS; size *= 20) {
    ank_context_run *run = NULL;
    anorank_status status = ANORANK_OK;
    assert_ok(ank_context_run_new(&run, context, ANK_HISTORY_NONE, &err));
    for (size_t from = 0; status == ANORANK_OK && from < ROWS; from += size) {
      anorank_table *block = table_of(rows + from, ROWS - from < size ? ROWS - from : size);
      status = ank_context_run_add(NULL, run, block, 0, &err);
      anorank_table_free(block);
    }
    assert_status(status, ANORANK_ERROR_DATA);
    assert_error(&err, "time-not-sorted row=351 column=t");
    ank_context_run_free(run);
  }
  anorank_table_free(table);
  ank_context_free(context);
}

TEST(histories_of_disjoint_entities_merge_and_others_are_refused) {
  anorank_settings settings = settings_of("machine", "t", "");
  row rows[ROWS], half[2][ROWS];
  size_t count[2] = {0, 0};
  anorank_error err = {0};
  make_rows(rows, ROWS, 14);
  for (size_t i = 0; i < ROWS; i++) half[rows[i].entity % 2][count[rows[i].entity % 2]++] = rows[i];
  anorank_table *first = table_of(rows, ROWS - 50), *last = table_of(rows + ROWS - 50, 50);
  ank_context *all = must_fit(first, &settings), *part[2];
  for (int p = 0; p < 2; p++) {
    while (half[p][count[p] - 1].time >= ROWS - 50) count[p]--;
    anorank_table *own = table_of(half[p], count[p]);
    part[p] = must_fit(first, &settings);
    must_keep(part[p], own);
    anorank_table_free(own);
  }
  assert_ok(ank_context_merge(part[0], part[1], &err));
  anorank_table *one = must_derive(all, last, 0), *two = must_derive(part[0], last, 0);
  assert_same_rows(one, 0, two, 0, 50);
  assert_status(ank_context_merge(part[0], part[1], &err), ANORANK_ERROR_USAGE);
  assert_error(&err, "context-merge");
  anorank_table *freed[] = {first, last, one, two};
  for (size_t i = 0; i < sizeof freed / sizeof freed[0]; i++) anorank_table_free(freed[i]);
  ank_context_free(all);
  for (int p = 0; p < 2; p++) ank_context_free(part[p]);
}

TEST(rows_without_an_entity_are_compared_with_the_population_alone) {
  anorank_settings settings = settings_of("machine", "t", "");
  static const char text[] = "machine,t,x,y,kind\n,500,1,1,k1\nm1,501,1,1,k1\n,502,1,1,k1\n";
  row rows[ROWS];
  anorank_settings reading;
  anorank_table *table = NULL;
  make_rows(rows, ROWS, 15);
  ank_settings_default(&reading);
  anorank_table *first = table_of(rows, ROWS);
  ank_context *context = must_fit(first, &settings);
  assert_ok(anorank_table_read(&table, ANORANK_FROM_MEMORY(text, sizeof text - 1, "in.csv"), &reading, NULL));
  anorank_table *derived = must_derive(context, table, 0);
  for (size_t j = COLUMNS; j < derived->columns; j++) /* the second has no past, either */
    assert_memory_equal(&derived->column[j].numbers[0], &derived->column[j].numbers[2], sizeof(double));
  assert_string_equal(derived->notes.list[derived->notes.count - 1].code, "entity-missing");
  ank_pasts pasts;
  size_t last = 2;
  must_keep(context, table); /* the history ends with such a row */
  assert_ok(ank_context_past(&pasts, context, table, &last, 1, 0, NULL));
  assert_int_equal(pasts.of[0].rows, 0);
  ank_pasts_free(&pasts);
  anorank_table_free(derived);
  anorank_table_free(table);
  anorank_table_free(first);
  ank_context_free(context);
}

/* Row 300 is far out; `next` is the next row of the same machine. */
static void spike_deviates(anorank_train train, double next_at_most) {
  anorank_settings settings = settings_of("machine", "", "");
  settings.train = train;
  row rows[ROWS];
  make_rows(rows, ROWS, 4);
  size_t at = 300, most = 0, next = at + 1;
  while (rows[next].entity != rows[at].entity) next++;
  anorank_table *usual = table_of(rows, ROWS);
  rows[at].x = 10.0 * rows[at].entity + 15.0 * (rows[at].entity + 1);
  anorank_table *table = table_of(rows, ROWS);
  ank_context *context = must_fit(usual, &settings);
  anorank_table *derived = must_derive(context, table, 1);
  const double *deviation = derived->column[derived->columns - 1].numbers;
  for (size_t i = 30; i < ROWS; i++)
    if (deviation[i] > deviation[most]) most = i;
  assert_int_equal(most, at);
  assert_true(deviation[next] < next_at_most * deviation[at]);
  assert_string_equal(derived->column[derived->columns - 1].name, "deviation from machine's own past");
  anorank_table_free(usual);
  anorank_table_free(table);
  anorank_table_free(derived);
  ank_context_free(context);
}

TEST(a_value_far_from_its_own_past_deviates_most_and_its_return_less) {
  spike_deviates(ANORANK_TRAIN_CONTAMINATED, 0.7);
  spike_deviates(ANORANK_TRAIN_CLEAN, 0.8);
}

TEST(level_and_spread_hold_after_as_many_rows_as_the_longest_history) {
  ank_usual usual = {.used = 1, .level = 0, .between = 1, .within = 1, .change = 1, .time_constant = 5};
  ank_track track;
  ank_step step;
  usual.least_spread = usual.least_change = 0.01;
  usual.weight = 5;
  usual.learns = 20;
  ank_track_start(&track, &usual);
  for (int i = 0; i < 20; i++) ank_track_step(&step, &track, &usual, i % 2 ? 1 : -1, 0, 0.05);
  float level = track.level, spread = track.spread;
  assert_true(fabs((double)level) < 0.1 && fabs((double)spread - 1) < 0.1);
  for (int i = 0; i < 100; i++) ank_track_step(&step, &track, &usual, 5, 5, 0.05);
  assert_true(track.level == level && track.spread == spread);
  assert_true(fabs(step.deviation[ANK_USUAL] - 5) < 1 && track.window > 4);
}

TEST(the_population_s_spread_weighs_less_where_spreads_of_entities_differ) {
  enum { MANY = 20, EACH = 40 };
  anorank_settings settings = settings_of("machine", "t", "");
  double weight[2];
  for (int differ = 0; differ < 2; differ++) {
    row rows[MANY * EACH];
    ank_rng rng;
    ank_rng_open(&rng, 5, ANK_STREAM_REPORT, 7);
    for (size_t i = 0; i < MANY * EACH; i++) {
      int e = (int)(i % MANY);
      rows[i] = (row){e, (double)i, 50.0 * e + (differ ? e + 1 : 10) * ank_rng_normal(&rng),
                      ank_rng_normal(&rng), 0};
    }
    anorank_table *table = table_of(rows, MANY * EACH);
    ank_context *context = must_fit(table, &settings);
    weight[differ] = context->key[0].usual[0].weight;
    anorank_table_free(table);
    ank_context_free(context);
  }
  assert_true(weight[0] > 30 && weight[0] <= 50);
  assert_true(weight[1] >= 5 && weight[1] < 20);
}

TEST(a_row_far_out_weighs_little_in_later_ones_while_the_window_fills) {
  double whitening[] = {1};
  ank_joint joint = {1, whitening, whitening};
  ank_entity filling = {0}, full = {0};
  const float far_out[] = {50}, near[] = {1};
  (void)ank_joint_step(&filling, &joint, far_out, near, 0.5, 1);
  (void)ank_joint_step(&full, &joint, far_out, near, 0.5, 0);
  assert_close((double)filling.slow, 1.5, 1e-6);
  assert_close((double)full.slow, 1250, 1e-3);
  assert_true(ank_joint_step(&filling, &joint, near, near, 0.05, 0) < 4);
}

TEST(the_window_counts_where_deviations_of_successive_rows_are_alike) {
  anorank_settings settings = settings_of("machine", "", "");
  settings.train = ANORANK_TRAIN_CONTAMINATED;
  row rows[ROWS];
  make_rows(rows, ROWS, 5);
  for (size_t i = 0; i < ROWS; i++) rows[i].x = sin(1e4 * (double)i * (double)i); /* as good as independent */
  anorank_table *apart = table_of(rows, ROWS);
  ank_context *independent = must_fit(apart, &settings);
  for (size_t i = 0; i < ROWS; i++) rows[i].x += i / 100 == 2 ? 6 : 0, rows[i].y += i / 100 == 2 ? 6 : 0;
  anorank_table *lasting = table_of(rows, ROWS);
  ank_context *incident = must_fit(lasting, &settings);
  assert_true(independent->key[0].persistence < 1);
  assert_true(incident->key[0].persistence > 2 && incident->key[0].persistence <= 3);
  anorank_table_free(apart);
  anorank_table_free(lasting);
  ank_context_free(independent);
  ank_context_free(incident);
}

TEST(the_usual_window_is_longer_after_clean_rows_that_do_not_resemble_those_before_them) {
  row rows[ROWS];
  ank_rng rng;
  make_rows(rows, ROWS, 26);
  ank_rng_open(&rng, 27, ANK_STREAM_REPORT, 7);
  for (int alike = 0; alike < 2; alike++) {
    double calm = 1; /* deviations of successive rows resemble each other where their size changes slowly */
    for (size_t i = 0; i < ROWS; i++) {
      if (alike) calm = i / 40 % 2 ? 4 : 0.2;
      rows[i].entity = 0;
      rows[i].x = calm * ank_rng_normal(&rng), rows[i].y = calm * ank_rng_normal(&rng);
    }
    anorank_table *table = table_of(rows, ROWS);
    for (int given = 0; given < 2; given++)
      for (int train = ANORANK_TRAIN_CLEAN; train <= ANORANK_TRAIN_CONTAMINATED; train++) {
        anorank_settings settings = settings_of("", "t", given ? "20" : "");
        settings.train = (anorank_train)train;
        ank_context *context = must_fit(table, &settings);
        double window = ank_context_get_info(context).window;
        if (given || alike || train == ANORANK_TRAIN_CONTAMINATED)
          assert_close(window, 20, 2);
        else
          assert_true(window >= 35 && window <= 40 && window == floor(window));
        ank_context_free(context);
      }
    anorank_table_free(table);
  }
}

/* Columns that move together in the training rows deviate where they part, though each alone is usual; to the end of a
 * departure as long as the history. */
TEST(columns_that_part_deviate_though_each_alone_is_usual) {
  anorank_settings settings = settings_of("machine", "", "");
  row rows[2 * ROWS];
  make_rows(rows, 2 * ROWS, 4);
  for (size_t i = 0; i < 2 * ROWS; i++) rows[i].y = rows[i].x + 0.1 * (double)(i % 7);
  anorank_table *history = table_of(rows, ROWS);
  ank_context *context = must_fit(history, &settings);
  anorank_table *plain = table_of(rows + ROWS, ROWS), *normal = must_derive(context, plain, 0);
  for (size_t i = ROWS; i < 2 * ROWS; i++) rows[i].y = 20.0 * rows[i].entity - rows[i].y;
  anorank_table *parted = table_of(rows + ROWS, ROWS), *apart = must_derive(context, parted, 0);
  size_t last = normal->columns - 1, above = 0;
  for (size_t i = ROWS - 100; i < ROWS; i++)
    for (size_t k = 0; k < ROWS; k++)
      above += apart->column[last].numbers[i] > normal->column[last].numbers[k];
  assert_true(above >= 95 * ROWS);
  anorank_table_free(history);
  anorank_table_free(plain);
  anorank_table_free(normal);
  anorank_table_free(parted);
  anorank_table_free(apart);
  ank_context_free(context);
}

TEST(a_saved_context_goes_on_bit_for_bit_and_a_damaged_one_is_refused) {
  anorank_settings settings = settings_of("machine,machine+y", "t", "20,50");
  row rows[ROWS];
  make_rows(rows, ROWS, 5);
  anorank_table *first = table_of(rows, ROWS / 2), *second = table_of(rows + ROWS / 2, ROWS / 2);
  ank_context *context = must_fit(first, &settings), *loaded = NULL;
  ank_bytes bytes = {0}, again = {0};
  anorank_error err = {0};
  assert_ok(ank_context_save(context, &bytes, &err));
  ank_cursor in = {bytes.data, bytes.length, 0};
  assert_ok(ank_context_load(&loaded, &in, &err));
  assert_int_equal(in.at, bytes.length);
  assert_ok(ank_context_save(loaded, &again, &err));
  assert_int_equal(again.length, bytes.length);
  assert_memory_equal(again.data, bytes.data, bytes.length);
  anorank_table *one = must_derive(context, second, 0), *two = must_derive(loaded, second, 0);
  assert_same_rows(one, 0, two, 0, ROWS / 2);
  ank_context_free(loaded);
  for (size_t cut = 0; cut < bytes.length; cut += 101) { /* cut short, and with bytes changed */
    in = (ank_cursor){bytes.data, cut, 0};
    assert_status(ank_context_load(&loaded, &in, &err), ANORANK_ERROR_MODEL);
    assert_null(loaded);
    unsigned char kept = bytes.data[cut];
    bytes.data[cut] ^= 0xFF;
    in = (ank_cursor){bytes.data, bytes.length, 0};
    if (ank_context_load(&loaded, &in, &err) == ANORANK_OK) { /* then it is valid */
      anorank_table *some = NULL;
      (void)ank_context_derive(&some, loaded, second, ANK_HISTORY_GOES_ON, &err);
      anorank_table_free(some);
    }
    ank_context_free(loaded);
    bytes.data[cut] = kept;
  }
  ank_bytes_free(&bytes);
  ank_bytes_free(&again);
  anorank_table_free(first);
  anorank_table_free(second);
  anorank_table_free(one);
  anorank_table_free(two);
  ank_context_free(context);
}

TEST(columns_that_follow_time_are_left_out_and_only_their_changes_count) {
  anorank_settings settings = settings_of("machine", "t", "");
  row rows[ROWS];
  make_rows(rows, ROWS, 6);
  for (size_t i = 0; i < ROWS; i++) rows[i].x = (double)i + 0.1 * rows[i].y;
  anorank_table *table = table_of(rows, ROWS);
  ank_context *context = must_fit(table, &settings);
  assert_string_equal(ank_context_left_out(context), "x");
  assert_string_equal(ank_context_ids(context), "machine,t");
  assert_string_equal(ank_context_names(context),
                      "recent mean of y,recent variation of y (log),deviation from machine's own past");
  assert_int_equal(ank_context_entities(context), ENTITIES);
  anorank_table_free(table);
  ank_context_free(context);
}

static void must_refuse(const char *by, const char *time, const char *window, anorank_status status,
                        const char *part) {
  static const unsigned char used[] = {0, 0, 1, 1, 1};
  anorank_settings settings = settings_of(by, time, window);
  row rows[ROWS];
  anorank_error err = {0};
  ank_context *context = NULL;
  make_rows(rows, ROWS, 7);
  rows[0].time = NAN; /* later ones take that of the row before */
  anorank_table *table = table_of(rows, ROWS);
  assert_status(ank_context_fit(&context, table, used, &settings, &err), status);
  assert_error(&err, part);
  assert_null(context);
  anorank_table_free(table);
}

TEST(columns_that_are_not_there_missing_times_and_odd_windows_are_refused) {
  must_refuse("engine", "", "", ANORANK_ERROR_USAGE, "column-unknown setting=by");
  must_refuse("machine+engine", "", "", ANORANK_ERROR_USAGE, "column-unknown setting=by");
  must_refuse("machine", "when", "", ANORANK_ERROR_USAGE, "column-unknown setting=time");
  must_refuse("", "machine", "", ANORANK_ERROR_USAGE, "column-not-time");
  must_refuse("machine", "t", "", ANORANK_ERROR_DATA, "time-missing row=1 column=t");
  must_refuse("machine", "", "7d", ANORANK_ERROR_USAGE, "window-value setting=window");
  must_refuse("machine", "", "0", ANORANK_ERROR_USAGE, "window-value setting=window");
  must_refuse("machine", "", "ten", ANORANK_ERROR_USAGE, "window-value setting=window");
  must_refuse("machine", "", "5,6,7", ANORANK_ERROR_USAGE, "window-value setting=window");
  must_refuse("machine", "", "5,5", ANORANK_ERROR_USAGE, "window-value setting=window");
  must_refuse("machine", "", "5,1h", ANORANK_ERROR_USAGE, "window-value setting=window");
  must_refuse("machine,t,x,y,machine+t", "", "", ANORANK_ERROR_USAGE, "by-count");
}

/* Three years of days with a season, and one day of the wrong season. */
TEST(a_value_of_the_wrong_season_deviates_though_it_is_usual_in_another) {
  static const unsigned char used[] = {0, 1};
  enum { DAYS = 4 * 365 };
  anorank_settings settings = settings_of("", "day", "");
  anorank_error err = {0};
  anorank_table *table = NULL;
  ank_context *context = NULL;
  size_t used_bytes, most = 400;
  char *text = malloc(DAYS * LINE);
  ank_rng rng;
  ank_rng_open(&rng, 8, ANK_STREAM_REPORT, 8);
  used_bytes = (size_t)sprintf(text, "day,degrees\n");
  for (int i = 0, year = 2001, left = 0; i < DAYS; i++, left++) {
    int month = left / 31 + 1, day = left % 31 + 1;
    if (month > 12) month = 1, left = 0, day = 1, year++;
    double value = 15 - 10 * cos(6.2832 * (month - 1) / 12) + ank_rng_normal(&rng);
    if (i == 1100) value = 15 + 10 * cos(6.2832 * (month - 1) / 12);
    used_bytes +=
        (size_t)sprintf(text + used_bytes, "%d-%02d-%02d,%.6g\n", year, month, day > 28 ? 28 : day, value);
  }
  anorank_settings reading;
  ank_settings_default(&reading);
  assert_ok(anorank_table_read(&table, ANORANK_FROM_MEMORY(text, used_bytes, "in.csv"), &reading, &err));
  assert_ok(ank_context_fit(&context, table, used, &settings, &err));
  anorank_table *derived = must_derive(context, table, 1);
  const double *deviation = derived->column[derived->columns - 1].numbers;
  for (size_t i = 400; i < DAYS; i++)
    if (deviation[i] > deviation[most]) most = i;
  assert_int_equal(most, 1100);
  anorank_table_free(derived);
  anorank_table_free(table);
  ank_context_free(context);
  free(text);
}

/* Kinds of entities take turns, and each column varies in one kind alone. */
TEST(the_part_of_many_entities_that_is_learned_from_has_every_kind) {
  enum { MANY = 400000, KINDS = 2, FLEET = 1000 * KINDS };
  anorank_settings settings = settings_of("machine", "t", "");
  anorank_table *table = NULL;
  anorank_error err = {0};
  ank_rng rng;
  const char *name[] = {"machine", "t", "x", "y"};
  ank_rng_open(&rng, 8, ANK_STREAM_REPORT, 7);
  assert_ok(ank_table_new(&table, 4, &err));
  for (size_t j = 0; j < 4; j++) {
    assert_ok(ank_table_set_name(table, j, name[j], strlen(name[j]), &err));
    assert_ok(ank_alloc_raw(&table->column[j].numbers, MANY, sizeof(double), &err));
  }
  table->rows = MANY;
  for (size_t i = 0; i < MANY; i++) {
    size_t e = i % FLEET;
    table->column[0].numbers[i] = (double)e;
    table->column[1].numbers[i] = (double)i;
    for (size_t kind = 0; kind < KINDS; kind++)
      table->column[2 + kind].numbers[i] = e % KINDS == kind ? ank_rng_normal(&rng) : 0;
  }
  ank_context *context = must_fit(table, &settings);
  for (size_t j = 0; j < KINDS; j++) assert_true(context->key[0].usual[j].used);
  ank_context_free(context);
  anorank_table_free(table);
}

TEST(every_allocation_may_fail) {
  static const unsigned char used[] = {0, 0, 1, 1, 1};
  anorank_settings settings = settings_of("machine", "t", "");
  row rows[60];
  make_rows(rows, 60, 9);
  anorank_table *table = table_of(rows, 60);
  for (size_t k = 1;; k++) {
    ank_context *context = NULL;
    anorank_table *derived = NULL;
    anorank_error err = {0};
    ank_alloc_fail_at(k);
    anorank_status status = ank_context_fit(&context, table, used, &settings, &err);
    if (status == ANORANK_OK) status = ank_context_derive(&derived, context, table, ANK_HISTORY_NONE, &err);
    ank_alloc_fail_at(0);
    ank_context_free(context);
    anorank_table_free(derived);
    if (status == ANORANK_OK) break;
    assert_status(status, ANORANK_ERROR_RESOURCES);
  }
  anorank_table_free(table);
}

static ank_bytes saved(const ank_context *context) {
  ank_bytes bytes = {0};
  assert_ok(ank_context_save(context, &bytes, NULL));
  return bytes;
}

TEST(an_advance_that_fails_leaves_the_history_as_it_was) {
  row rows[ROWS];
  make_rows(rows, ROWS, 12);
  for (int most = 100; most > 0; most -= 98) { /* the second time, entities are evicted */
    anorank_settings settings = settings_of("machine", "t", "");
    settings.max_entities = most;
    settings.train = ANORANK_TRAIN_CLEAN;
    anorank_table *history = table_of(rows, 300), *later = table_of(rows + 300, 100),
                  *all = table_of(rows, ROWS);
    ank_context *context = must_fit(history, &settings);
    ank_bytes before = saved(context), after;
    assert_status(ank_context_advance(context, all, NULL), ANORANK_ERROR_DATA);
    for (size_t k = 1;; k++) {
      after = saved(context);
      assert_int_equal(before.length, after.length);
      assert_memory_equal(before.data, after.data, before.length);
      ank_bytes_free(&after);
      ank_alloc_fail_at(k);
      anorank_status status = ank_context_advance(context, later, NULL);
      ank_alloc_fail_at(0);
      if (status == ANORANK_OK) break;
      assert_status(status, ANORANK_ERROR_RESOURCES);
    }
    after = saved(context);
    assert_true(before.length != after.length || memcmp(before.data, after.data, before.length) != 0);
    ank_bytes_free(&before);
    ank_bytes_free(&after);
    ank_context_free(context);
    anorank_table *freed[] = {history, later, all};
    for (size_t i = 0; i < 3; i++) anorank_table_free(freed[i]);
  }
}

/* The event of a row again, from all rows of its entity up to it: level and spread by the formulas of context.h. */
static void recount(double *value, double *level, double *spread, double *n, const ank_rhythm *rhythm,
                    size_t event, const row *rows, size_t at) {
  const ank_usual *usual = &rhythm->usual[event];
  double prior = usual->within * usual->within / (usual->between * usual->between), before = NAN;
  *level = usual->level, *spread = usual->within, *n = 0;
  for (size_t i = 0; i <= at; i++) {
    if (rows[i].entity != rows[at].entity) continue;
    double count = 0, gap = rows[i].time - before;
    for (size_t k = 0; k <= i; k++)
      if (rows[k].entity == rows[i].entity)
        count += exp(-(rows[i].time - rows[k].time) / rhythm->window[ANK_COUNT]);
    before = rows[i].time;
    if (isnan(gap)) continue;
    *value = event == ANK_GAP ? gap : count;
    if (i == at) return;
    double width = fmax(*spread, usual->least_spread) * sqrt(1 + 1 / (*n + prior));
    double z = (log(event == ANK_GAP ? gap + rhythm->least : count) - *level) / width;
    *level += width * fmax(-2.5, fmin(2.5, z)) / (*n + 1 + prior);
    *spread = fmax(*spread, usual->least_spread) *
              (1 + (fmin(fabs(z), 2.5) / 0.7911 - 1) / (*n + 1 + usual->weight));
    *n += 1;
  }
}

static void past_of(ank_own_past *out, const ank_context *context, const row *rows, size_t n, size_t chosen) {
  anorank_table *table = table_of(rows, n);
  ank_pasts pasts;
  assert_ok(ank_context_past(&pasts, context, table, &chosen, 1, 1, NULL));
  *out = pasts.of[0];
  static char text[8];
  if (out->text) snprintf(text, sizeof text, "%s", out->text), out->text = text;
  char name[8];
  snprintf(name, sizeof name, "m%d", rows[chosen].entity);
  assert_string_equal(out->entity, name);
  ank_pasts_free(&pasts);
  anorank_table_free(table);
}

TEST(a_late_row_and_one_of_many_say_how_late_and_how_many_recomputed_from_all_rows) {
  anorank_settings settings = settings_of("machine", "t", "");
  row rows[ROWS];
  settings.train = ANORANK_TRAIN_CONTAMINATED;
  make_rows(rows, ROWS, 21);
  anorank_table *usual = table_of(rows, ROWS);
  ank_context *context = must_fit(usual, &settings);
  const ank_rhythm *rhythm = context->key[0].rhythm;
  ank_own_past past;
  double value, level, spread, n;
  size_t late = 300, of_many = 340;
  rows[late].x = 10.0 * rows[late].entity, rows[late].y = 0;
  for (size_t i = late; i < ROWS; i++) rows[i].time += 400;
  past_of(&past, context, rows, ROWS, late);
  assert_int_equal(past.kind, ANK_PAST_GAP);
  assert_string_equal(past.column, "t");
  recount(&value, &level, &spread, &n, rhythm, ANK_GAP, rows, late);
  assert_close(past.number, value, 1e-9);
  assert_close(past.high, exp(level + 2 * spread) - rhythm->least, 1e-3 * past.high);
  assert_close(past.low, fmax(exp(level - 2 * spread) - rhythm->least, 0), 1e-3 * past.high);
  assert_true(past.number > past.high && !past.seconds && (double)past.rows == n + 1);
  for (size_t i = 301; i <= of_many; i++) { /* a burst of one machine */
    rows[i].entity = 2, rows[i].time = rows[late].time + 0.001 * (double)(i - 300);
    rows[i].x = 20, rows[i].y = 0, rows[i].kind = 2;
  }
  past_of(&past, context, rows, ROWS, of_many);
  assert_int_equal(past.kind, ANK_PAST_COUNT);
  recount(&value, &level, &spread, &n, rhythm, ANK_COUNT, rows, of_many);
  assert_close(past.number, value, 1e-3 * value);
  assert_close(past.high, exp(level + 2 * spread), 1e-3 * past.high);
  assert_close(past.low, fmax(exp(level - 2 * spread), 1), 1e-3 * past.high);
  assert_close(past.window, rhythm->window[ANK_COUNT], 0);
  assert_true(past.number > past.high && past.number > 10);
  ank_context_free(context);
  anorank_table_free(usual);
}

TEST(a_level_new_to_an_entity_and_a_rare_one_say_so_recomputed_from_all_rows) {
  enum { MANY = 6000, FLEET = 6 };
  anorank_settings settings = settings_of("machine", "t", "");
  settings.train = ANORANK_TRAIN_CONTAMINATED;
  row *rows = malloc(MANY * sizeof *rows);
  size_t chosen = MANY - 1, once = 30, earlier = 0;
  for (size_t i = 0; i < MANY; i++)
    rows[i] =
        (row){(int)(i % FLEET), (double)i, sin(1e4 * (double)i), cos(1e4 * (double)i), (int)(i % FLEET)};
  int e = rows[chosen].entity;
  while (rows[once].entity != e) once++;
  rows[chosen].x = rows[chosen].y = 0;
  anorank_table *usual = table_of(rows, MANY);
  ank_context *context = must_fit(usual, &settings);
  assert_true(context->key[0].habit[0].tail.unit > 0);
  ank_own_past past;
  rows[chosen].kind = (e + 2) % FLEET; /* usual for another one */
  past_of(&past, context, rows, MANY, chosen);
  assert_int_equal(past.kind, ANK_PAST_NEW);
  assert_string_equal(past.column, "kind");
  char level[8];
  snprintf(level, sizeof level, "k%d", rows[chosen].kind);
  assert_string_equal(past.text, level);
  for (size_t i = 0; i < chosen; i++) earlier += rows[i].entity == e;
  assert_int_equal(past.rows, earlier);
  rows[once].kind = rows[chosen].kind;
  past_of(&past, context, rows, MANY, chosen);
  assert_int_equal(past.kind, ANK_PAST_RARE);
  double share = 0, n = 0;
  for (size_t i = 0; i < chosen; i++)
    if (rows[i].entity == e)
      share += fmax(1 / (++n), 1.0 / 200) * ((rows[i].kind == rows[chosen].kind) - share);
  assert_close(past.share, share, 1e-4 * share);
  ank_context_free(context);
  anorank_table_free(usual);
  free(rows);
}

/* Up to 8 levels are remembered for good; with more, what was forgotten is not called new. */
TEST(a_forgotten_level_is_not_called_new) {
  float state[ANK_HABIT_STATE] = {0};
  for (uint32_t id = 1; id <= 8; id++) (void)ank_habit_step(state, id, 0.1, 1, 1e9);
  for (int i = 0; i < 100000; i++) (void)ank_habit_step(state, 8, 0.1, 1, 1e9);
  for (uint32_t id = 1; id < 8; id++) assert_true(ank_habit_share(state, id) > 0);
  assert_close(ank_habit_share(state, 9), 0, 0);
  (void)ank_habit_step(state, 9, 0.1, 1, 1e9);
  assert_true(isnan(ank_habit_share(state, 1)) || ank_habit_share(state, 1) >= 0);
  assert_true(isnan(ank_habit_share(state, 10)));
  double before = (double)state[0];
  (void)ank_habit_step(state, 11, 0.1, 1, before); /* habits hold */
  assert_close((double)state[0], before, 0);
}

/* Means over both windows, by the recursion again. */
TEST(a_second_window_has_its_own_means_and_goes_on_from_a_saved_state) {
  anorank_settings settings = settings_of("machine", "t", "5,40");
  row rows[ROWS];
  make_rows(rows, ROWS, 25);
  anorank_table *all = table_of(rows, ROWS), *first = table_of(rows, ROWS / 2),
                *second = table_of(rows + ROWS / 2, ROWS / 2);
  ank_context *context = must_fit(first, &settings), *loaded = NULL;
  assert_string_equal(
      ank_context_names(context),
      "recent mean of x,recent variation of x (log),longer-term mean of x,longer-term variation "
      "of x (log),recent mean of y,recent variation of y (log),longer-term mean of y,longer-term "
      "variation of y (log),deviation from machine's own past");
  anorank_table *whole = must_derive(context, all, 1);
  for (int w = 0; w < 2; w++) {
    double mean[ENTITIES] = {0}, n[ENTITIES] = {0};
    for (size_t i = 0; i < ROWS; i++) {
      int e = rows[i].entity;
      n[e] = fmin(n[e] + 1, w == 0 ? 5 : 40);
      mean[e] += (rows[i].x - mean[e]) / n[e];
      assert_close(whole->column[COLUMNS + 2 * w].numbers[i], mean[e], 1e-4 * (1 + fabs(mean[e])));
    }
  }
  ank_bytes bytes = {0};
  assert_ok(ank_context_save(context, &bytes, NULL));
  ank_cursor in = {bytes.data, bytes.length, 0};
  assert_ok(ank_context_load(&loaded, &in, NULL));
  anorank_table *rest = must_derive(loaded, second, 0);
  assert_same_rows(whole, ROWS / 2, rest, 0, ROWS / 2);
  assert_same_in_blocks(loaded, rows + ROWS / 2, ROWS / 2, 7, rest, ANK_HISTORY_GOES_ON);
  ank_bytes_free(&bytes);
  anorank_table *freed[] = {all, first, second, whole, rest};
  for (size_t i = 0; i < sizeof freed / sizeof freed[0]; i++) anorank_table_free(freed[i]);
  ank_context_free(context);
  ank_context_free(loaded);
}

TEST(regular_rows_have_no_rhythm_and_levels_that_do_not_depend_on_the_entity_no_habit) {
  anorank_settings settings = settings_of("machine", "t", "");
  row rows[ROWS];
  ank_rng rng;
  make_rows(rows, ROWS, 23);
  ank_rng_open(&rng, 23, ANK_STREAM_REPORT, 8);
  for (size_t i = 0; i < ROWS; i++)
    rows[i].entity = (int)(i % ENTITIES), rows[i].kind = (int)ank_rng_below(&rng, 5);
  anorank_table *table = table_of(rows, ROWS);
  ank_context *context = must_fit(table, &settings);
  assert_null(context->key[0].rhythm);
  assert_true(!(context->key[0].habit[0].tail.unit > 0));
  assert_int_equal(context->key[0].extra, 0);
  ank_context_free(context);
  anorank_table_free(table);
}

TEST(a_key_whose_past_predicts_nothing_does_not_count) {
  anorank_settings settings = settings_of("machine,shop", "t", "");
  anorank_error err = {0};
  static const unsigned char used[] = {0, 0, 0, 1};
  char *text = malloc(3000 * LINE);
  size_t length = (size_t)sprintf(text, "machine,shop,t,x\n");
  ank_rng rng;
  ank_rng_open(&rng, 24, ANK_STREAM_REPORT, 7);
  for (int i = 0; i < 3000; i++) {
    int e = (int)ank_rng_below(&rng, 20);
    length += (size_t)sprintf(text + length, "m%d,s%d,%d,%.6f\n", e, (int)ank_rng_below(&rng, 20), i,
                              10.0 * e + ank_rng_normal(&rng));
  }
  anorank_settings reading;
  anorank_table *table = NULL;
  ank_context *context = NULL;
  ank_settings_default(&reading);
  assert_ok(anorank_table_read(&table, ANORANK_FROM_MEMORY(text, length, "in.csv"), &reading, &err));
  assert_ok(ank_context_fit(&context, table, used, &settings, &err));
  assert_close(context->key[0].weight, 1, 0);
  assert_close(context->key[1].weight, 0, 0);
  ank_context_free(context);
  anorank_table_free(table);
  free(text);
}

TEST(an_own_past_is_that_of_earlier_rows_of_the_entity) {
  enum { CHOSEN = 350, SPLIT = 300 };
  row rows[ROWS];
  make_rows(rows, ROWS, 11);
  int e = rows[CHOSEN].entity;
  rows[CHOSEN].x += 40.0 * (e + 1);
  anorank_settings settings = settings_of("machine", "t", "");
  anorank_table *history = table_of(rows, SPLIT), *all = table_of(rows, ROWS),
                *later = table_of(rows + SPLIT, ROWS - SPLIT);
  ank_context *context = must_fit(history, &settings);
  ank_pasts whole, going_on, other;
  size_t chosen = CHOSEN, chosen_later = CHOSEN - SPLIT, earlier = 0, inside = 0;
  char name[8];
  assert_ok(ank_context_past(&whole, context, all, &chosen, 1, 1, NULL));
  const ank_own_past *past = &whole.of[0];
  snprintf(name, sizeof name, "m%d", e);
  assert_string_equal(past->column, "x");
  assert_string_equal(past->entity, name);
  assert_string_equal(past->by, "machine");
  assert_true(past->number == rows[CHOSEN].x && past->number > past->high && past->distance > 2);
  for (size_t i = 0; i < CHOSEN; i++) {
    if (rows[i].entity != e) continue;
    earlier++;
    inside += rows[i].x >= past->low && rows[i].x <= past->high;
  }
  assert_int_equal(past->rows, earlier);
  assert_true((double)inside >= 0.85 * (double)earlier);
  /* from the state at the end of the history, the same bits */
  assert_ok(ank_context_past(&going_on, context, later, &chosen_later, 1, 0, NULL));
  assert_int_equal(going_on.of[0].rows, earlier);
  assert_true(going_on.of[0].low == past->low && going_on.of[0].high == past->high);
  /* later rows do not matter, nor does this one */
  for (size_t i = CHOSEN + 1; i < ROWS; i++) rows[i].x = -500;
  rows[CHOSEN].x += 100;
  anorank_table *changed = table_of(rows, ROWS);
  assert_ok(ank_context_past(&other, context, changed, &chosen, 1, 1, NULL));
  assert_true(other.of[0].low == past->low && other.of[0].high == past->high);
  ank_pasts_free(&whole);
  ank_pasts_free(&going_on);
  ank_pasts_free(&other);
  ank_context_free(context);
  anorank_table_free(history);
  anorank_table_free(all);
  anorank_table_free(later);
  anorank_table_free(changed);
}
