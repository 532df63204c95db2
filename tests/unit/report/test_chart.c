/* test_chart.c - drawn coordinates against their data, and difficult input. */
#include "core/alloc.h"
#include "report/chart.h"
#include "report/chart_ticks.h"
#include "support/check.h"
#include "support/xml.h"

/* NUL at the end. */
static char *drawn(const ank_chart *chart) {
  ank_output *output;
  unsigned char *bytes;
  size_t length;
  assert_ok(ank_output_of(&output, ANORANK_TO_MEMORY(&bytes, &length, "memory"), NULL));
  assert_ok(ank_chart_print(output, chart, NULL));
  assert_ok(ank_output_write(output, "", 1, NULL));
  assert_ok(ank_output_commit(output, NULL));
  char *copy = memcpy(test_memory(length), bytes, length);
  ank_free(bytes);
  ank_output_free(output);
  assert_null(xml_fault(copy));
  assert_null(strstr(copy, "nan"));
  assert_null(strstr(copy, "inf"));
  return copy;
}

/* The plot of the first panel, from the inner <svg> that cuts off what is outside. */
typedef struct frame {
  double left, top, width, height;
  const char *inside;
} frame;

static frame frame_of(const char *svg) {
  frame f;
  f.inside = strstr(svg, "<svg x=");
  assert_non_null(f.inside);
  assert_int_equal(sscanf(f.inside, "<svg x=\"%lf\" y=\"%lf\" width=\"%lf\" height=\"%lf\"", &f.left, &f.top,
                          &f.width, &f.height),
                   4);
  f.left += 3;
  f.top += 3;
  f.width -= 6;
  f.height -= 6;
  return f;
}

/* The numbers of the k-th path inside the plot; returns how many there are. */
static size_t path_numbers(double *out, size_t most, const frame *f, size_t k) {
  const char *at = f->inside;
  for (size_t i = 0; i <= k; i++) {
    at = strstr(at + 1, " d=\"");
    assert_non_null(at);
  }
  size_t count = 0;
  for (at += 4; *at != '"';) {
    char *end;
    double value = strtod(at, &end);
    if (end == at) {
      at++;
      continue;
    }
    if (count < most) out[count] = value;
    count++;
    at = end;
  }
  return count;
}

#define AXES .x = {.label = "x", .low = 0, .high = 10}, .y = {.label = "y", .low = -5, .high = 5}

static double right_of(const frame *f, double x) { return f->left + f->width * x / 10; }
static double up_of(const frame *f, double y) { return f->top + f->height * (5 - y) / 10; }

TEST(lines_go_through_their_points_and_break_where_a_value_is_missing) {
  const double points[][2] = {{0, -5}, {2, 3}, {4, NAN}, {6, 1}, {10, 5}};
  const ank_chart chart = {.count = 1,
                           .panels = {{AXES, .series = {{ANK_LINE, .x = points[0], .y = points[0] + 1,
                                                         .count = 5, .stride = 2}}}}};
  double n[16];
  char *svg = drawn(&chart);
  frame f = frame_of(svg);
  assert_int_equal(path_numbers(n, 16, &f, 0), 8);
  const size_t shown[] = {0, 1, 3, 4};
  for (size_t k = 0; k < 4; k++) {
    assert_close(n[2 * k], right_of(&f, points[shown[k]][0]), 0.011);
    assert_close(n[2 * k + 1], up_of(&f, points[shown[k]][1]), 0.011);
  }
  assert_int_equal(count_text(strstr(f.inside, " d=\""), "M"), 2);
}

TEST(bands_bars_steps_and_markers_have_the_values) {
  const double x[] = {1, 9}, low[] = {-2, 0}, high[] = {2, 4}, heights[] = {4, 1};
  const ank_chart chart = {
      .count = 1,
      .panels = {{AXES, .series = {{ANK_BAND, .label = "band", .x = x, .y = low, .high = high, .count = 2},
                                   {ANK_BARS, .label = "bars", .y = heights, .count = 2},
                                   {ANK_STEPS, .label = "steps", .y = heights, .count = 2},
                                   {ANK_LYING, .label = "lying", .x = heights, .count = 2},
                                   {ANK_DOTS, .label = "dots", .x = x, .y = high, .count = 2},
                                   {ANK_TRIANGLES, .label = "triangles", .x = x, .y = low, .count = 2}}}}};
  double n[32];
  char *svg = drawn(&chart);
  frame f = frame_of(svg);
  assert_int_equal(path_numbers(n, 32, &f, 0), 8); /* there below, back above */
  assert_close(n[1], up_of(&f, -2), 0.011);
  assert_close(n[4], right_of(&f, 9), 0.011);
  assert_close(n[5], up_of(&f, 4), 0.011);
  assert_close(n[7], up_of(&f, 2), 0.011);
  assert_int_equal(path_numbers(n, 32, &f, 1), 10);
  assert_close(n[0], right_of(&f, 0.15), 0.011);
  assert_close(n[1], up_of(&f, 4), 0.011);
  assert_close(n[2], right_of(&f, 4.85), 0.011);
  assert_close(n[3], up_of(&f, 0), 0.011);
  assert_int_equal(path_numbers(n, 32, &f, 2), 7);
  assert_close(n[2], up_of(&f, 4), 0.011);
  assert_close(n[3], right_of(&f, 5), 0.011);
  assert_close(n[6], up_of(&f, 0), 0.011);
  path_numbers(n, 32, &f, 3);
  assert_close(n[2], right_of(&f, 4), 0.011);
  path_numbers(n, 32, &f, 4);
  assert_close(n[0], right_of(&f, 1), 0.011);
  assert_close(n[1], up_of(&f, 2), 0.011);
  static const char *const labels[] = {"band", "bars", "steps", "lying", "dots", "triangles"};
  for (size_t k = 0; k < 6; k++) {
    char wanted[32];
    snprintf(wanted, sizeof wanted, ">%s</text>", labels[k]);
    assert_int_equal(count_text(svg, wanted), 1);
  }
}

TEST(cells_have_the_shade_of_their_value) {
  static const char *const shades[] = {"#111111", "#222222"};
  const double values[] = {0, 1, NAN, 1}, bounds[] = {0.5};
  const ank_chart chart = {
      .count = 1,
      .panels = {{AXES, .series = {{ANK_CELLS, .label = "v", .y = values, .count = 4, .shades = shades,
                                    .bounds = bounds, .bound_count = 1}}}}};
  double n[16];
  char *svg = drawn(&chart);
  frame f = frame_of(svg);
  assert_int_equal(path_numbers(n, 16, &f, 0), 5); /* below, on the left */
  assert_close(n[0], f.left, 0.011);
  assert_close(n[1], f.top + f.height / 2, 0.011);
  assert_int_equal(path_numbers(n, 16, &f, 1), 10); /* both on the right */
  assert_close(n[0], f.left + f.width / 2, 0.011);
  assert_non_null(strstr(svg, ">0.5</text>"));
}

TEST(texts_are_escaped_and_captions_wrapped) {
  char caption[400];
  memset(caption, 'w', sizeof caption);
  for (size_t i = 30; i < sizeof caption; i += 31) caption[i] = ' ';
  caption[sizeof caption - 1] = '\0';
  const ank_chart chart = {.title = "<b>&\"'\x1b\xff\xef\xbf\xbf", .caption = caption, .count = 1};
  char *svg = drawn(&chart);
  assert_non_null(
      strstr(svg, "<title>&lt;b&gt;&amp;&quot;&#39;\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd</title>"));
  assert_in_range(count_text(svg, ">wwww"), 5, 10);
  char cut[16];
  assert_string_equal(ank_text_cut(cut, sizeof cut, "abcdef", 6), "abcdef");
  assert_string_equal(ank_text_cut(cut, sizeof cut, "abcdef", 5), "abcd\xe2\x80\xa6");
  assert_string_equal(ank_text_cut(cut, 8, "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", 9),
                      "\xc3\xa9\xc3\xa9\xe2\x80\xa6");
}

/* xml_fault, nan and inf are looked at for each. */
TEST(extreme_values_can_be_drawn) {
  const double sets[][3] = {{0, 0, 0},         {NAN, NAN, NAN},  {-1e308, 0, 1e308},
                            {1, 1, 1 + 1e-15}, {INFINITY, 1, 2}, {1e-320, 0, 1}};
  for (size_t k = 0; k < sizeof sets / sizeof *sets; k++) {
    const ank_chart chart = {.count = 1,
                             .panels = {{.series = {{ANK_LINE, .x = sets[k], .y = sets[k], .count = 3},
                                                    {ANK_RINGS, .x = sets[k], .y = sets[k], .count = 3}}}}};
    drawn(&chart);
  }
}

/* ---- ticks --------------------------------------------------------------------------------------------- */

static void ticks_are(ank_axis axis, size_t most, const char *wanted) {
  ank_ticks ticks;
  char all[1024] = "";
  ank_ticks_make(&ticks, &axis, most);
  for (size_t i = 0; i < ticks.count; i++) {
    assert_in_range((size_t)(1000 * (ticks.at[i] - axis.low) / (axis.high - axis.low) + 1), 0, 1002);
    snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i ? "|" : "", ticks.text[i]);
  }
  assert_string_equal(all, wanted);
}

TEST(ticks_are_round_numbers) {
  ticks_are((ank_axis){.low = 0, .high = 1}, 5, "0.0|0.2|0.4|0.6|0.8|1.0");
  ticks_are((ank_axis){.low = -0.3, .high = 0.3}, 6, "-0.3|-0.2|-0.1|0.0|0.1|0.2|0.3");
  ticks_are((ank_axis){.low = 3, .high = 17}, 4, "5|10|15");
  ticks_are((ank_axis){.low = 0, .high = 4e9}, 2, "0|2e+09|4e+09");
  ticks_are((ank_axis){.low = 0.4, .high = 0.9}, 1, "0.4|0.6|0.8");
}

TEST(ticks_of_times_are_round_and_of_names_stand_at_whole_numbers) {
  const double april = 1775001600; /* 2026-04-01T00:00:00Z */
  ticks_are((ank_axis){.low = april, .high = april + 86400, .is_time = 1}, 4,
            "04-01 00:00|04-01 06:00|04-01 12:00|04-01 18:00|04-02 00:00");
  ticks_are((ank_axis){.low = april, .high = april + 12, .is_time = 1}, 3, "00:00:00|00:00:05|00:00:10");
  ticks_are((ank_axis){.low = april, .high = april + 5 * 86400, .is_time = 1}, 3,
            "2026-04-01|2026-04-03|2026-04-05");
  ticks_are((ank_axis){.low = april, .high = april + 100 * 86400, .is_time = 1}, 4,
            "2026-04|2026-05|2026-06|2026-07");
  ticks_are((ank_axis){.low = april, .high = april + 4000 * 86400.0, .is_time = 1}, 3, "2030-01|2035-01");
  static const char *const names[] = {"a", "a name of more than sixteen"};
  ticks_are((ank_axis){.low = -1, .high = 2, .names = names, .name_count = 2}, 3,
            "a|a name of more \xe2\x80\xa6");
}
