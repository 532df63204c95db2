/* check.h - extensions of cmocka 1.1.5: tests that register themselves, and comparisons of doubles that print
 * the difference and fail on NaN. Includes the C headers and the public headers that tests use. */
#ifndef TEST_SUPPORT_CHECK_H
#define TEST_SUPPORT_CHECK_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "anorank/anorank.h"
#include "anorank/criterion.h"
#include "anorank/experimental.h"
#include "anorank/io.h"
#include "anorank/report.h"
#include "core/bytes.h"
#include "core/settings.h"

/* TEST(name) { ... } is a test of the program (main.c), TEST_AFTER(set_up, name) one that has `int set_up(void **)` called before it.
 * TEST_GROUP(set_up, tear_down) at the end of the file: called before and after all of them; either may be NULL. */
#define TEST(name) TEST_AFTER(NULL, name)
#define TEST_AFTER(set_up, name)                                                                             \
  static void name(void **);                                                                                 \
  __attribute__((constructor)) static void add_##name(void) { test_add(#name, name, set_up); }               \
  static void name(__attribute__((unused)) void **test_state)
#define TEST_GROUP(set_up, tear_down)                                                                        \
  __attribute__((constructor)) static void add_group(void) { test_group(set_up, tear_down); }

/* Zeros that are freed after the test, or after all tests if TEST_GROUP's set_up allocated them. */
void *test_memory(size_t bytes);

/* scoped_table *table = ...; frees the table at the end of the block. */
#define TEST_SCOPED(name, type, release)                                                                     \
  static inline void drop_##name(type **at) { release(*at); }
TEST_SCOPED(table, anorank_table, anorank_table_free)
TEST_SCOPED(model, anorank_model, anorank_model_free)
TEST_SCOPED(stream, anorank_stream, anorank_stream_free)
TEST_SCOPED(ranking, anorank_ranking, anorank_ranking_free)
TEST_SCOPED(reader, anorank_reader, anorank_reader_free)
TEST_SCOPED(writer, anorank_writer, anorank_writer_free)
TEST_SCOPED(settings, anorank_settings, anorank_settings_free)
TEST_SCOPED(evaluation, anorank_evaluation, anorank_evaluation_free)
TEST_SCOPED(judgement, anorank_judgement, anorank_judgement_free)
TEST_SCOPED(result, unsigned char, anorank_bytes_free)
#define scoped(name) __attribute__((cleanup(drop_##name)))
#define scoped_table scoped(table) anorank_table
#define scoped_model scoped(model) anorank_model
#define scoped_stream scoped(stream) anorank_stream
#define scoped_ranking scoped(ranking) anorank_ranking
#define scoped_reader scoped(reader) anorank_reader
#define scoped_writer scoped(writer) anorank_writer
#define scoped_settings scoped(settings) anorank_settings
#define scoped_evaluation scoped(evaluation) anorank_evaluation
#define scoped_judgement scoped(judgement) anorank_judgement
#define scoped_result scoped(result) unsigned char
#define scoped_bytes __attribute__((cleanup(ank_bytes_free))) ank_bytes

void test_add(const char *name, CMUnitTestFunction test, CMFixtureFunction set_up);
void test_group(CMFixtureFunction set_up, CMFixtureFunction tear_down);

static inline anorank_settings test_settings(void) {
  anorank_settings settings;
  ank_settings_default(&settings);
  return settings;
}

/* |a - b| <= tolerance; the comparison is written so that NaN fails. */
#define assert_close(a, b, tolerance) check_close((a), (b), (tolerance), 0.0, #a, #b, __FILE__, __LINE__)

/* |a - b| <= tolerance * |b|. */
#define assert_close_relative(a, b, tolerance)                                                               \
  check_close((a), (b), 0.0, (tolerance), #a, #b, __FILE__, __LINE__)

static inline void check_close(double a, double b, double absolute, double relative, const char *a_text,
                               const char *b_text, const char *file, int line) {
  if (a == b || fabs(a - b) <= absolute + relative * fabs(b)) return;
  print_error("%s = %.17g\n%s = %.17g\ndifference %.3g, allowed %.3g\n", a_text, a, b_text, b, fabs(a - b),
              absolute + relative * fabs(b));
  _fail(file, line);
}

#define assert_status(call, expected) check_status((call), (expected), #call, __FILE__, __LINE__)
#define assert_ok(call) assert_status(call, ANORANK_OK)

static inline void check_status(anorank_status got, anorank_status expected, const char *text,
                                const char *file, int line) {
  if (got == expected) return;
  print_error("%s gave '%s', not '%s'\n", text, anorank_status_name(got), anorank_status_name(expected));
  _fail(file, line);
}

/* The call, which writes to `err`, fails with this status, and the error is as assert_error has it. */
#define assert_fails(call, status, wanted)                                                                   \
  (check_status((call), (status), #call, __FILE__, __LINE__), assert_error(&err, (wanted)))

/* The error has this code and these fields and no others: "csv-cell-count line=3", "column-infinite row=2 column=x",
 * "setting-value setting=level". */
#define assert_error(err, wanted) check_error((err), (wanted), __FILE__, __LINE__)

static inline void check_error(const anorank_error *err, const char *wanted, const char *file, int line) {
  char got[4 * sizeof err->column];
  size_t used = (size_t)snprintf(got, sizeof got, "%s", err->code);
  if (err->line > 0)
    used += (size_t)snprintf(got + used, sizeof got - used, " line=%lld", (long long)err->line);
  if (err->row > 0) used += (size_t)snprintf(got + used, sizeof got - used, " row=%lld", (long long)err->row);
  if (*err->column) used += (size_t)snprintf(got + used, sizeof got - used, " column=%s", err->column);
  if (*err->setting) snprintf(got + used, sizeof got - used, " setting=%s", err->setting);
  if (strcmp(got, wanted) == 0) return;
  print_error("the error is \"%s\", not \"%s\": %s\n", got, wanted, err->message);
  _fail(file, line);
}

static inline void assert_same_bytes(const ank_bytes *a, const ank_bytes *b) {
  assert_int_equal(a->length, b->length);
  assert_memory_equal(a->data, b->data, a->length);
}

#endif
