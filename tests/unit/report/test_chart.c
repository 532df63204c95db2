/* test_chart.c - whole figures: well-formed, complete, and clean when something fails. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/alloc.h"
#include "report/chart.h"
#include "report/chart_colour.h"
#include "support/check.h"
#include "support/xml.h"

#define N 300

static char folder[] = "/tmp/test_chart_XXXXXX";

static const char *path_of(const char *name) {
  static char path[128];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

/* Every kind of series, two panels, all texts. */
static anorank_status draw_all(const char *path, const char *text, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_figure *figure = NULL;
  ank_panel *panel = NULL;
  double x[N], low[N], high[N];
  for (int i = 0; i < N; i++) {
    x[i] = 0.1 + i;
    low[i] = i == 100 || i == 102 ? NAN : sin(i / 30.0);
    high[i] = sin(i / 30.0) + 1;
  }
  ANK_TRY(ank_figure_new(&figure, &(ank_figure_options){.title = text, .caption = text, .columns = 1}, err));
  ANK_TRY(ank_figure_panel(
      &panel, figure, &(ank_panel_options){.title = text, .x = {.label = text}, .y = {.label = text}}, err));
  ANK_TRY(ank_panel_band(panel, x, low, high, N, &(ank_style){.label = text}, err));
  ANK_TRY(ank_panel_line(panel, x, low, N, &(ank_style){.label = "line"}, err));
  ANK_TRY(ank_panel_steps(panel, x, high, N, &(ank_style){.label = "steps"}, err));
  for (int marker = 0; marker < 3; marker++)
    ANK_TRY(
        ank_panel_points(panel, x, low, N, &(ank_style){.label = "dots", .marker = (ank_marker)marker}, err));
  ANK_TRY(ank_panel_reference(panel, -INFINITY, 0.5, INFINITY, 0.5, text, err));
  ANK_TRY(ank_figure_panel(&panel, figure,
                           &(ank_panel_options){.x = {.scale = ANK_SCALE_LOG, .low = 1, .high = 9}}, err));
  ANK_TRY(ank_panel_cells(panel,
                          &(ank_cells){.values = low,
                                       .rows = 10,
                                       .columns = 30,
                                       .x_low = 0,
                                       .x_high = 10,
                                       .y_low = 0,
                                       .y_high = 1,
                                       .label = text},
                          err));
  ANK_TRY(ank_figure_write(figure, path, err));
done:
  ank_figure_free(figure);
  return status;
}

static void figures_with_every_kind_of_series_are_well_formed(void **state) {
  (void)state;
  anorank_error err = {0};
  assert_ok(draw_all(path_of("all.svg"), "plain", &err));
  char *text = read_text(path_of("all.svg"));
  assert_non_null(text);
  assert_null(xml_fault(text));
  assert_non_null(strstr(text, "role=\"img\""));
  assert_non_null(strstr(text, "<title>plain</title>"));
  assert_non_null(strstr(text, "<desc>plain</desc>"));
  assert_null(strstr(text, "nan"));
  assert_null(strstr(text, "inf"));
  assert_null(strstr(text, " id="));
  free(text);
}

static void hostile_texts_are_escaped_and_broken_ones_replaced(void **state) {
  (void)state;
  anorank_error err = {0};
  assert_ok(draw_all(path_of("hostile.svg"), "</text><script>\"a\" & 'b'\x01 \xff\xc3 \xe2\x82\xac\n", &err));
  char *text = read_text(path_of("hostile.svg"));
  assert_non_null(text);
  assert_null(xml_fault(text));
  assert_null(strstr(text, "<script>"));
  assert_non_null(strstr(text,
                         "&lt;/text&gt;&lt;script&gt;&quot;a&quot; &amp; &#39;b&#39;\xef\xbf\xbd \xef\xbf\xbd"
                         "\xef\xbf\xbd \xe2\x82\xac"));
  assert_null(strchr(text, '\xff'));
  free(text);
}

static void the_checker_of_this_test_finds_faults(void **state) {
  (void)state;
  static const char *const broken[] = {
      "",      "<a>",          "<a></b>", "<a/><b/>", "<a b='1'/>", "<a>&nbsp;</a>", "<a>\x01</a>",
      "x<a/>", "<a b=\"<\"/>", "<a",      "<a>&</a>"};
  for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) assert_non_null(xml_fault(broken[i]));
  assert_null(xml_fault("<a b=\"1\"><c/>x&amp;y</a>\n"));
}

/* The d attribute of the only path that is drawn in `colour`. */
static char *path_data(const char *text, const char *colour) {
  static char data[65536];
  const char *end = strstr(text, colour);
  const char *from = end;
  while (from > text && strncmp(from, " d=\"", 4) != 0) from--;
  snprintf(data, sizeof data, "%.*s", (int)strcspn(from + 4, "\""), from + 4);
  return data;
}

static void numbers_that_are_missing_break_a_line(void **state) {
  (void)state;
  anorank_error err = {0};
  ank_figure *figure;
  ank_panel *panel;
  const double x[] = {0, 1, 2, 3, 4, 5, 6, 7}, y[] = {0, 1, NAN, 1, INFINITY, 2, 3, NAN};
  assert_ok(ank_figure_new(&figure, &(ank_figure_options){0}, &err));
  assert_ok(ank_figure_panel(&panel, figure, &(ank_panel_options){0}, &err));
  assert_ok(ank_panel_line(panel, x, y, 8, NULL, &err));
  assert_ok(ank_figure_write(figure, path_of("gaps.svg"), &err));
  ank_figure_free(figure);
  char *text = read_text(path_of("gaps.svg"));
  char *data = path_data(text, "#0072b2");
  assert_int_equal(count_text(data, "M"), 3); /* 0-1, the lone 3, 5-6 */
  assert_int_equal(count_text(data, "L"), 2);
  assert_int_equal(count_text(data, "h.01"), 1);
  free(text);
}

static void empty_and_impossible_data_still_make_a_figure(void **state) {
  (void)state;
  anorank_error err = {0};
  static const double nothing[] = {NAN, NAN}, negative[] = {-1, 0}, huge[] = {-1e308, 1e308};
  const double *const tries[] = {nothing, negative, huge};
  for (size_t i = 0; i < 9; i++) {
    ank_figure *figure;
    ank_panel *panel;
    ank_scale scale = i < 6 ? ANK_SCALE_LOG : ANK_SCALE_LINEAR;
    assert_ok(ank_figure_new(&figure, &(ank_figure_options){0}, &err));
    assert_ok(
        ank_figure_panel(&panel, figure, &(ank_panel_options){.x.scale = scale, .y.scale = scale}, &err));
    assert_ok(
        ank_panel_line(panel, tries[i % 3], tries[i % 3], i < 3 ? 0 : 2, &(ank_style){.label = "a"}, &err));
    assert_ok(ank_panel_points(panel, tries[i % 3], tries[i % 3], i < 3 ? 0 : 2, NULL, &err));
    assert_ok(ank_panel_reference(panel, 5, -INFINITY, 5, INFINITY, "five", &err));
    assert_ok(ank_figure_write(figure, path_of("odd.svg"), &err));
    ank_figure_free(figure);
    char *text = read_text(path_of("odd.svg"));
    assert_null(xml_fault(text));
    free(text);
  }
  ank_figure *figure; /* no panel at all */
  assert_ok(ank_figure_new(&figure, &(ank_figure_options){.title = "t"}, &err));
  assert_ok(ank_figure_write(figure, path_of("odd.svg"), &err));
  ank_figure_free(figure);
}

static void a_second_heat_map_in_a_panel_is_refused(void **state) {
  (void)state;
  anorank_error err = {0};
  ank_figure *figure;
  ank_panel *panel;
  const ank_cells cells = {.values = (const double[]){1}, .rows = 1, .columns = 1, .x_high = 1, .y_high = 1};
  const ank_cells none = {.rows = 0, .columns = 5};
  assert_ok(ank_figure_new(&figure, &(ank_figure_options){0}, &err));
  assert_ok(ank_figure_panel(&panel, figure, &(ank_panel_options){0}, &err));
  assert_status(ank_panel_cells(panel, &none, &err), ANORANK_ERROR_USAGE);
  assert_ok(ank_panel_cells(panel, &cells, &err));
  assert_status(ank_panel_cells(panel, &cells, &err), ANORANK_ERROR_USAGE);
  assert_string_equal(err.code, "chart-heat-map");
  ank_figure_free(figure);
}

/* A legend must hide no data: a cloud that leaves one corner free gets it there, a full plot beside it. */
static void legends_go_to_the_free_corner_or_leave_the_plot(void **state) {
  (void)state;
  anorank_error err = {0};
  for (int full = 0; full < 2; full++) {
    double x[1600], y[1600];
    size_t n = 0;
    for (int i = 0; i < 40; i++)
      for (int j = 0; j < 40; j++)
        if (full || i > 20 || j > 20) x[n] = i, y[n++] = j; /* free: bottom left */
    ank_figure *figure;
    ank_panel *panel;
    assert_ok(ank_figure_new(&figure, &(ank_figure_options){0}, &err));
    assert_ok(ank_figure_panel(&panel, figure, &(ank_panel_options){0}, &err));
    assert_ok(ank_panel_points(panel, x, y, n, &(ank_style){.label = "cloud"}, &err));
    assert_ok(ank_figure_write(figure, path_of("legend.svg"), &err));
    ank_figure_free(figure);
    char *text = read_text(path_of("legend.svg"));
    const char *label = strstr(text, ">cloud<");
    assert_non_null(label);
    while (strncmp(label, "<text", 5) != 0) label--;
    double left, top;
    assert_int_equal(sscanf(label, "<text x=\"%lf\" y=\"%lf\"", &left, &top), 2);
    if (full)
      assert_true(left > 600);
    else
      assert_true(left < 200 && top > 300);
    free(text);
  }
}

static void long_curves_make_small_files(void **state) {
  (void)state;
  anorank_error err = {0};
  size_t n = 300000;
  double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
  for (size_t i = 0; i < n; i++) {
    x[i] = (double)i;
    y[i] = sin((double)i) * (double)(i % 1000);
  }
  ank_figure *figure;
  ank_panel *panel;
  assert_ok(ank_figure_new(&figure, &(ank_figure_options){0}, &err));
  assert_ok(ank_figure_panel(&panel, figure, &(ank_panel_options){0}, &err));
  assert_ok(ank_panel_line(panel, x, y, n, NULL, &err));
  assert_ok(ank_figure_write(figure, path_of("long.svg"), &err));
  ank_figure_free(figure);
  char *text = read_text(path_of("long.svg"));
  assert_in_range(strlen(text), 10000, 40000);
  free(text);
  free(x);
  free(y);
}

static int files_in_folder(void) {
  int count = 0;
  DIR *entries = opendir(folder);
  while (readdir(entries)) count++;
  closedir(entries);
  return count - 2;
}

static void running_out_of_memory_anywhere_fails_cleanly(void **state) {
  (void)state;
  anorank_error err = {0};
  (void)ank_alloc_fail_at(0);
  assert_ok(draw_all(path_of("memory.svg"), "text", &err));
  size_t requests = ank_alloc_fail_at(0);
  assert_true(requests > 50);
  unlink(path_of("memory.svg"));
  int before = files_in_folder();
  for (size_t k = 1; k <= requests; k++) {
    err.message[0] = '\0';
    (void)ank_alloc_fail_at(k);
    assert_status(draw_all(path_of("memory.svg"), "text", &err), ANORANK_ERROR_RESOURCES);
    assert_string_equal(err.code, "memory-exhausted");
    assert_int_equal(files_in_folder(), before);
  }
  (void)ank_alloc_fail_at(0);
}

static void failing_to_write_is_reported(void **state) {
  (void)state;
  anorank_error err = {0};
  assert_status(draw_all("/dev/full", "text", &err), ANORANK_ERROR_RESOURCES);
  assert_non_null(strstr(err.message, "/dev/full"));
  assert_status(draw_all(path_of("no/such/folder.svg"), "text", &err), ANORANK_ERROR_RESOURCES);
  assert_non_null(strstr(err.message, "no/such/folder.svg"));
}

static double channel(const char *hex, int i) {
  char two[3] = {hex[1 + 2 * i], hex[2 + 2 * i], 0};
  double c = (double)strtol(two, NULL, 16) / 255;
  return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static void the_colour_ramp_grows_in_lightness_in_even_steps(void **state) {
  (void)state;
  double last = -1;
  char hex[8];
  for (int i = 0; i <= 64; i++) {
    ank_colour_ramp(hex, i / 64.0);
    double luminance = 0.2126 * channel(hex, 0) + 0.7152 * channel(hex, 1) + 0.0722 * channel(hex, 2);
    double lightness = 116 * cbrt(luminance) - 16; /* CIE L*, good enough above 1 % */
    if (i > 0) assert_true(lightness > last + 0.5 && lightness < last + 2.5);
    last = lightness;
  }
}

static void neighbouring_series_differ_in_colour_and_in_dash(void **state) {
  (void)state;
  for (int i = 0; i < 7; i++) {
    ank_colour one = ank_colour_automatic(i), two = ank_colour_automatic(i + 1);
    assert_string_not_equal(ank_colour_hex(one), ank_colour_hex(two));
    assert_string_not_equal(ank_dash_lengths(ANK_DASH_AUTO, one), ank_dash_lengths(ANK_DASH_AUTO, two));
  }
}

static int make_folder(void **state) {
  (void)state;
  return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
  (void)state;
  static const char *const names[] = {"all.svg", "hostile.svg", "gaps.svg",
                                      "odd.svg", "legend.svg",  "long.svg"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) unlink(path_of(names[i]));
  return rmdir(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(figures_with_every_kind_of_series_are_well_formed),
      cmocka_unit_test(hostile_texts_are_escaped_and_broken_ones_replaced),
      cmocka_unit_test(the_checker_of_this_test_finds_faults),
      cmocka_unit_test(numbers_that_are_missing_break_a_line),
      cmocka_unit_test(empty_and_impossible_data_still_make_a_figure),
      cmocka_unit_test(a_second_heat_map_in_a_panel_is_refused),
      cmocka_unit_test(legends_go_to_the_free_corner_or_leave_the_plot),
      cmocka_unit_test(long_curves_make_small_files),
      cmocka_unit_test(running_out_of_memory_anywhere_fails_cleanly),
      cmocka_unit_test(failing_to_write_is_reported),
      cmocka_unit_test(the_colour_ramp_grows_in_lightness_in_even_steps),
      cmocka_unit_test(neighbouring_series_differ_in_colour_and_in_dash),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
