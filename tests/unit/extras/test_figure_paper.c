/* The directory that anorank_reproduction_write fills. */
#include "anorank/extras.h"
#include "support/check.h"

#include <sys/stat.h>
#include <unistd.h>

#include "core/alloc.h"
#include "support/xml.h"

static char folder[] = "/tmp/test_paper_XXXXXX";
static anorank_reproduction *flat, *deep;

static anorank_reproduction *reproduce(int64_t dim) {
  anorank_settings settings = test_settings();
  anorank_reproduction *r = NULL;
  settings.repetitions = 2;
  settings.epochs = 3;
  settings.dim = dim;
  settings.threads = 1;
  return anorank_reproduce(&r, &settings, NULL) == ANORANK_OK ? r : NULL;
}

static int set_up(void **state) {
  (void)state;
  flat = reproduce(2);
  deep = reproduce(4);
  return mkdtemp(folder) && flat && deep ? 0 : -1;
}

static int tear_down(void **state) {
  (void)state;
  char command[64];
  anorank_reproduction_free(flat);
  anorank_reproduction_free(deep);
  snprintf(command, sizeof command, "rm -rf %s", folder);
  return system(command);
}

static const char *path_of(const char *name) {
  static char path[2][128];
  static int turn;
  turn = !turn;
  snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
  return path[turn];
}

static void count_path(void *context, const char *path) {
  assert_int_equal(access(path, R_OK), 0);
  *(size_t *)context += 1;
}

static char *text_of(const char *name) {
  char *text = read_text(path_of(name));
  if (!text) print_error("%s is missing\n", name);
  assert_non_null(text);
  return text;
}

TEST(every_figure_is_well_formed_and_small) {
  static const char *const figures[] = {
      "mass_volume", "score_generating_functions", "data", "training", "heat_map", "averaged_curves"};
  size_t told = 0;
  assert_ok(anorank_reproduction_write(flat, path_of("all"), count_path, &told, NULL));
  assert_int_equal(told, 15);
  for (size_t k = 0; k < 6; k++) {
    char name[64];
    snprintf(name, sizeof name, "all/%s.svg", figures[k]);
    char *text = text_of(name);
    assert_null(xml_fault(text));
    assert_true(strlen(text) < 120000);
  }
}

TEST(figures_name_their_axes_and_series) {
  static const struct {
    const char *file, *text;
  } wanted[] = {{"all/mass_volume.svg", ">mass: "},
                {"all/training.svg", "nats"},
                {"all/training.svg", "\u03bb = 0.01"},
                {"all/score_generating_functions.svg", "van_der_waerden"},
                {"all/score_generating_functions.svg", "clipped"},
                {"all/data.svg", "true outliers"},
                {"all/heat_map.svg", ">score"},
                {"all/averaged_curves.svg", "true density"}};
  assert_ok(anorank_reproduction_write(flat, path_of("all"), NULL, NULL, NULL));
  for (size_t k = 0; k < sizeof wanted / sizeof wanted[0]; k++) {
    char *text = text_of(wanted[k].file);
    if (!strstr(text, wanted[k].text)) print_error("%s lacks %s\n", wanted[k].file, wanted[k].text);
    assert_non_null(strstr(text, wanted[k].text));
  }
}

static anorank_table *table_of(const char *name, size_t rows, size_t columns) {
  anorank_table *table = NULL;
  assert_ok(anorank_table_read(&table, ANORANK_FROM_FILE(path_of(name)), NULL, NULL));
  assert_int_equal(anorank_table_rows(table), rows);
  assert_int_equal(anorank_table_columns(table), columns);
  return table;
}

TEST(tables_hold_the_numbers_behind_the_figures) {
  assert_ok(anorank_reproduction_write(flat, path_of("all"), NULL, NULL, NULL));
  scoped_table *table = table_of("all/table1.csv", 4, 7);
  const anorank_accuracy *accuracies = anorank_reproduction_table(flat, NULL);
  for (size_t c = 0; c < 4; c++) {
    assert_close(anorank_table_numbers(table, 0)[c], (double)accuracies[c].n_lowest, 0);
    assert_close(anorank_table_numbers(table, anorank_table_find(table, "mean"))[c], accuracies[c].mean, 0);
  }
  anorank_table_free(table);
  anorank_table_free(table_of("all/lambda_chosen.csv", 5, 2));
  anorank_table_free(table_of("all/training.csv", 5 * 3, 7));
  anorank_table_free(table_of("all/mass_volume.csv", 101, 3));
  anorank_table_free(table_of("all/averaged_curves.csv", 101, 7));
  anorank_table_free(table_of("all/heat_map.csv", 1000, 3));
  table = table_of("all/data.csv", 2000, 4);
  const double *test = anorank_table_numbers(table, 0), *outlier = anorank_table_numbers(table, 1);
  double tests = 0, outliers = 0;
  for (size_t i = 0; i < 2000; i++) {
    tests += test[i];
    outliers += outlier[i];
  }
  assert_close(tests, 500, 0);
  assert_close(outliers, 600, 0);
}

TEST(four_dimensions_have_no_heat_map_but_its_numbers) {
  size_t told = 0;
  assert_ok(anorank_reproduction_write(deep, path_of("deep"), count_path, &told, NULL));
  assert_int_equal(told, 13);
  assert_int_not_equal(access(path_of("deep/heat_map.svg"), F_OK), 0);
  anorank_table_free(table_of("deep/heat_map.csv", 1000, 5));
  assert_int_equal(access(path_of("deep/data.svg"), F_OK), 0);
}

TEST(a_folder_that_cannot_be_made_is_an_error) {
  anorank_error err = {0};
  FILE *file = fopen(path_of("file"), "w");
  assert_non_null(file);
  fclose(file);
  assert_fails(anorank_reproduction_write(flat, path_of("file"), NULL, NULL, &err), ANORANK_ERROR_RESOURCES,
               "folder-is-file");
  assert_status(anorank_reproduction_write(flat, path_of("not/there"), NULL, NULL, &err),
                ANORANK_ERROR_RESOURCES);
  assert_string_equal(err.code, "folder-make");
  assert_status(anorank_reproduction_write(flat, "", NULL, NULL, &err), ANORANK_ERROR_USAGE);
}

/* Every 29th request: a call rewrites all files. */
TEST(an_allocation_may_fail) {
  (void)ank_alloc_fail_at(0);
  assert_ok(anorank_reproduction_write(flat, path_of("fail"), NULL, NULL, NULL));
  size_t all = ank_alloc_fail_at(0);
  for (size_t k = 1; k <= all; k += 29) {
    (void)ank_alloc_fail_at(k);
    anorank_status status = anorank_reproduction_write(flat, path_of("fail"), NULL, NULL, NULL);
    (void)ank_alloc_fail_at(0);
    assert_status(status, ANORANK_ERROR_RESOURCES);
  }
}

TEST_GROUP(set_up, tear_down)
