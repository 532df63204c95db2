/* test_figure_mass_volume.c - the public figure, from real judgements. */
#include <unistd.h>

#include "core/alloc.h"
#include "support/check.h"
#include "support/xml.h"

static char path[] = "/tmp/test_figure_XXXXXX";
static anorank_judgement *good, *random_order, *bare;

static double uniform(unsigned *state) {
  *state = *state * 1664525u + 1013904223u;
  return (double)(*state >> 8) / 16777216.0;
}

static anorank_judgement *judge(double shift, int64_t bootstrap) {
  static double x[400], u[200];
  unsigned random = 11;
  anorank_settings settings = test_settings();
  anorank_judgement *judgement = NULL;
  settings.bootstrap = bootstrap;
  settings.level = 0.9;
  for (int i = 0; i < 400; i++) x[i] = uniform(&random) + shift;
  for (int i = 0; i < 200; i++) u[i] = uniform(&random);
  return anorank_judge(&judgement, x, 400, u, 200, &settings, NULL) == ANORANK_OK ? judgement : NULL;
}

static int make_judgements(void **state) {
  (void)state;
  int file = mkstemp(path);
  close(file);
  good = judge(0.5, 50);
  random_order = judge(0, 50);
  bare = judge(0.5, 0);
  return file >= 0 && good && random_order && bare ? 0 : -1;
}

static int free_judgements(void **state) {
  (void)state;
  anorank_judgement_free(good);
  anorank_judgement_free(random_order);
  anorank_judgement_free(bare);
  return unlink(path);
}

static char *draw(const anorank_judgement *first, const char *first_label, const anorank_judgement *second,
                  const char *second_label) {
  anorank_error err = {0};
  assert_ok(
      anorank_figure_mass_volume(ANORANK_TO_FILE(path), first, first_label, second, second_label, &err));
  char *text = read_text(path);
  assert_non_null(text);
  assert_null(xml_fault(text));
  return text;
}

TEST(one_curve_has_axes_area_both_bands_and_a_caption) {
  char *text = draw(good, "my <scores>", NULL, NULL);
  char area[64];
  snprintf(area, sizeof area, "my &lt;scores&gt;: area %.4f [",
           anorank_judgement_get_info(good)->area.estimate);
  assert_non_null(strstr(text, area));
  assert_non_null(strstr(text, ">mass: "));
  assert_non_null(strstr(text, ">volume: "));
  assert_non_null(strstr(text, "n = 400 "));
  assert_non_null(strstr(text, "m = 200 "));
  assert_non_null(strstr(text, "90 % band"));
  assert_int_equal(count_text(text, "fill-opacity=\"0.2\" d="), 2);
}

TEST(two_curves_differ_in_colour_and_dash_and_have_one_band_each) {
  char *text = draw(good, NULL, random_order, NULL);
  assert_non_null(strstr(text, ">first: area "));
  assert_non_null(strstr(text, ">second: area "));
  assert_int_equal(count_text(text, "fill-opacity=\"0.2\" d="), 2);
  assert_non_null(
      strstr(text, "stroke=\"#d55e00\" stroke-width=\"2.2\" stroke-linejoin=\"round\" stroke-dasharray"));
}

TEST(without_bootstrap_there_is_no_band_and_no_mention_of_one) {
  char *text = draw(bare, NULL, NULL, NULL);
  assert_int_equal(count_text(text, "fill-opacity=\"0.2\" d="), 0);
  assert_null(strstr(text, "band"));
}

TEST(long_labels_lose_their_beginning_not_the_area) {
  char name[1001];
  memset(name, 'a', 1000);
  name[1000] = '\0';
  memcpy(name + 990, "scores.csv", 10);
  char *text = draw(good, name, good,
                    "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9"
                    "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9 1");
  assert_non_null(strstr(text, "aascores.csv: area 0."));
  assert_null(strstr(text, "\xef\xbf\xbd"));
}

TEST(wrong_arguments_and_failing_writes_are_reported) {
  anorank_error err = {0};
  assert_status(anorank_figure_mass_volume(NULL, good, "a", NULL, NULL, &err), ANORANK_ERROR_USAGE);
  assert_status(anorank_figure_mass_volume(ANORANK_TO_FILE(""), good, "a", NULL, NULL, &err),
                ANORANK_ERROR_USAGE);
  assert_status(anorank_figure_mass_volume(ANORANK_TO_FILE(path), NULL, "a", good, NULL, &err),
                ANORANK_ERROR_USAGE);
  assert_string_equal(err.code, "argument-null");
  assert_status(anorank_figure_mass_volume(ANORANK_TO_FILE("/dev/full"), good, "a", NULL, NULL, &err),
                ANORANK_ERROR_RESOURCES);
  assert_status(anorank_figure_mass_volume(ANORANK_TO_FILE("/dev/full"), good, "a", NULL, NULL, NULL),
                ANORANK_ERROR_RESOURCES);
}

TEST(running_out_of_memory_leaves_the_old_file) {
  anorank_error err = {0};
  draw(good, "old", NULL, NULL);
  (void)ank_alloc_fail_at(0);
  draw(good, "old", NULL, NULL);
  size_t requests = ank_alloc_fail_at(0);
  for (size_t k = 1; k <= requests; k++) {
    (void)ank_alloc_fail_at(k);
    assert_status(anorank_figure_mass_volume(ANORANK_TO_FILE(path), good, "new", bare, NULL, &err),
                  ANORANK_ERROR_RESOURCES);
    assert_error(&err, "memory-exhausted");
  }
  (void)ank_alloc_fail_at(0);
  char *text = read_text(path);
  assert_non_null(strstr(text, ">old: area"));
}

TEST_GROUP(make_judgements, free_judgements)
