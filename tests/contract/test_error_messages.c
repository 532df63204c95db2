/* The messages of docs/errors.md that no command line can provoke: what a wrong call of the library is told,
 * and what is too large. A pattern here is the row there with a * for each <placeholder>. */
#include <fnmatch.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "anorank/experimental.h"
#include "anorank/extras.h"
#include "core/alloc.h"
#include "core/output.h"
#include "kernels/sort.h"
#include "learn/learn.h"
#include "report/chart.h"
#include "scorers/network.h"
#include "support/models.h"
#include "table/table.h"
#include "table/writer.h"
#include "verdict/verdict.h"

static const size_t huge = (size_t)UINT32_MAX + 2; /* more rows than are there: refused before any is read */

static void told(anorank_status got, anorank_status wanted, const anorank_error *err, const char *pattern) {
  if (got != wanted || fnmatch(pattern, err->message, 0) != 0)
    print_error("'%s': \"%s\", wanted '%s': \"%s\"\n", anorank_status_name(got), err->message,
                anorank_status_name(wanted), pattern);
  assert_int_equal(got, wanted);
  assert_int_equal(fnmatch(pattern, err->message, 0), 0);
}

static anorank_table *no_rows(void) {
  anorank_table *table;
  assert_ok(anorank_table_from_matrix(&table, NULL, 0, 2, 2, 1, NULL, NULL));
  return table;
}

/* ---- arguments --------------------------------------------------------------------------------------- */

static void a_null_argument_is_named_with_its_function(void **state) {
  (void)state;
  anorank_error err = {0};
  anorank_settings settings;
  anorank_table *table, *data = no_rows();
  anorank_model *model;
  const double one = 1;
  ank_settings_default(&settings);
#define NULL_IN(call, message) told((call), ANORANK_ERROR_USAGE, &err, message)
  NULL_IN(anorank_table_read(NULL, "x.csv", NULL, &err), "anorank_table_read: 'out' must not be NULL");
  NULL_IN(anorank_table_read(&table, NULL, NULL, &err), "anorank_table_read: 'path' must not be NULL");
  NULL_IN(anorank_table_read_memory(&table, NULL, 1, NULL, NULL, &err), "*'bytes' must not be NULL");
  NULL_IN(anorank_table_from_matrix(&table, NULL, 1, 1, 1, 1, NULL, &err), "*'data' must not be NULL");
  NULL_IN(anorank_reader_next(NULL, NULL, &err), "*'block' must not be NULL");
  NULL_IN(anorank_writer_append(NULL, data, &err), "*'writer' must not be NULL");
  NULL_IN(anorank_table_write(data, NULL, "csv", &err), "*'path' must not be NULL");
  NULL_IN(anorank_settings_new(NULL, &err), "*'out' must not be NULL");
  NULL_IN(anorank_settings_set(&settings, "seed", NULL, &err), "*'text' must not be NULL");
  NULL_IN(anorank_settings_parse(&settings, NULL, 3, &err), "*'text' must not be NULL");
  NULL_IN(anorank_example_make(&table, NULL, NULL, &err), "*'name' must not be NULL");
  NULL_IN(anorank_file_open(NULL, "x", &err), "*'out' must not be NULL");
  NULL_IN(anorank_file_write(NULL, "x", 1, &err), "anorank_file_write: 'file' must not be NULL");
  NULL_IN(anorank_settings_set_integer(NULL, "seed", 1, &err), "*'settings' must not be NULL");
  NULL_IN(anorank_simulate(NULL, NULL, NULL, &err), "*'out' must not be NULL");
  NULL_IN(anorank_judge(NULL, &one, 1, &one, 1, NULL, &err), "*'out' must not be NULL");
  NULL_IN(anorank_fit(&model, NULL, NULL, &err), "*'table' must not be NULL");
  NULL_IN(anorank_model_load(&model, NULL, &err), "*'path' must not be NULL");
  NULL_IN(anorank_model_load_memory(&model, NULL, 9, NULL, &err), "*'bytes' must not be NULL");
  NULL_IN(anorank_model_save(NULL, "m.anr", &err), "*'model' must not be NULL");
  NULL_IN(anorank_model_score(NULL, data, NULL, NULL, NULL, &err), "*'model' must not be NULL");
  NULL_IN(anorank_model_score_table(&table, NULL, data, 0, NULL, &err), "*'model' must not be NULL");
  NULL_IN(anorank_evaluate_repeated(NULL, data, NULL, NULL, 5, &err), "*'out' must not be NULL");
  NULL_IN(anorank_stream_new(NULL, NULL, NULL, &err), "*'out' must not be NULL");
  NULL_IN(anorank_stream_add(NULL, data, 0, &err), "*'stream' must not be NULL");
  NULL_IN(anorank_stream_fit(&model, NULL, NULL, NULL, &err), "*'stream' must not be NULL");
  NULL_IN(anorank_stream_check(NULL, data, 0, NULL, &err), "*'stream' must not be NULL");
  NULL_IN(anorank_stream_conclude(NULL, &err), "*'stream' must not be NULL");
  NULL_IN(anorank_verdict_make(NULL, NULL, data, NULL, &err), "anorank_verdict_make: 'out' must not be NULL");
  NULL_IN(anorank_explain(NULL, NULL, data, 0, NULL, &err), "anorank_explain: 'out' must not be NULL");
  NULL_IN(anorank_reproduce(NULL, NULL, &err), "*'out' must not be NULL");
  NULL_IN(anorank_reproduction_write(NULL, "x", NULL, NULL, &err), "*'reproduction' must not be NULL");
  NULL_IN(anorank_figure_mass_volume("x.svg", NULL, NULL, NULL, NULL, &err), "*'first' must not be NULL");
#undef NULL_IN
  anorank_table_free(data);
}

static void matrices_and_names_that_cannot_be_are_told(void **state) {
  (void)state;
  anorank_error err = {0};
  anorank_table *table, *data = no_rows();
  const double one = 1;
  int32_t code;
  ank_levels levels = {0};
  told(anorank_table_from_matrix(&table, &one, 1, 0, 1, 1, NULL, &err), ANORANK_ERROR_USAGE, &err,
       "a table needs at least one column");
  told(anorank_table_from_matrix(&table, &one, SIZE_MAX / 2, 4, 8, 1, NULL, &err), ANORANK_ERROR_USAGE, &err,
       "* rows by * columns with these strides do not fit into memory");
  told(anorank_table_from_matrix(&table, &one, 1, 70000, 70000, 1, NULL, &err), ANORANK_ERROR_DATA, &err,
       "* has * columns, more than *; is it transposed?");
  told(ank_levels_code(&code, &levels, "a\0b", 3, &err), ANORANK_ERROR_DATA, &err,
       "a text contains a NUL byte; is the file binary?");
  ank_levels_free(&levels);
  told(anorank_table_write(data, "", "csv", &err), ANORANK_ERROR_USAGE, &err,
       "the name of the file to write is empty");
  told(anorank_table_write(data, "x", "xyzzy", &err), ANORANK_ERROR_USAGE, &err,
       "*: there is no format 'xyzzy'; write csv, tsv, npy or jsonl");
  anorank_table_free(data);
}

static void a_writer_used_wrongly_is_told(void **state) {
  (void)state;
  anorank_error err = {0};
  anorank_writer *writer;
  anorank_table *two = no_rows(), *one, *other;
  const char *const names[] = {"x1", "b"};
  assert_ok(anorank_table_from_matrix(&one, NULL, 0, 1, 1, 1, NULL, NULL));
  assert_ok(anorank_table_from_matrix(&other, NULL, 0, 2, 2, 1, names, NULL));
  assert_ok(anorank_writer_open(&writer, "/dev/null", "csv", NULL));
  assert_ok(anorank_writer_append(writer, two, NULL));
  told(anorank_writer_append(writer, one, &err), ANORANK_ERROR_USAGE, &err,
       "*: a block has * columns where the first had *");
  told(anorank_writer_append(writer, other, &err), ANORANK_ERROR_USAGE, &err,
       "*: column * of a block is '*' (*) where the first block had '*' (*)");
  assert_ok(anorank_writer_commit(writer, NULL));
  told(anorank_writer_append(writer, two, &err), ANORANK_ERROR_USAGE, &err,
       "*: is already complete; open another writer");
  anorank_writer_free(writer);
  assert_ok(anorank_writer_open(&writer, "/dev/full", "csv", NULL));
  assert_ok(anorank_writer_append(writer, two, NULL));
  assert_status(anorank_writer_commit(writer, NULL), ANORANK_ERROR_RESOURCES);
  told(anorank_writer_append(writer, two, &err), ANORANK_ERROR_USAGE, &err,
       "*: an earlier write failed; nothing more can be written");
  anorank_writer_free(writer);
  anorank_table_free(one);
  anorank_table_free(two);
  anorank_table_free(other);
}

static void outputs_that_cannot_be_are_told(void **state) {
  (void)state;
  anorank_error err = {0};
  ank_output *output;
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "/tmp/anorank-socket-%ld", (long)getpid());
  int listening = socket(AF_UNIX, SOCK_STREAM, 0);
  assert_int_equal(bind(listening, (const struct sockaddr *)&address, sizeof address), 0);
  told(ank_output_open(&output, address.sun_path, &err), ANORANK_ERROR_RESOURCES, &err,
       "*: cannot open for writing: *");
  close(listening);
  unlink(address.sun_path);
  assert_ok(ank_output_open(&output, "/dev/null", NULL));
  told(ank_output_print(output, &err, "%5000d", 1), ANORANK_ERROR_RESOURCES, &err,
       "*: a line of * bytes is too long to format");
  told(ank_output_patch(output, 0, "x", 1, &err), ANORANK_ERROR_RESOURCES, &err,
       "*: a stream cannot be rewound; write to a file");
  ank_output_free(output);
  const ank_cells none = {.rows = 0, .columns = 5};
  ank_figure *figure;
  ank_panel *panel;
  assert_ok(ank_figure_new(&figure, &(ank_figure_options){0}, NULL));
  assert_ok(ank_figure_panel(&panel, figure, &(ank_panel_options){0}, NULL));
  told(ank_panel_cells(panel, &none, &err), ANORANK_ERROR_USAGE, &err,
       "a heat map of * by * cells cannot be drawn");
  ank_figure_free(figure);
}

/* ---- drawing ----------------------------------------------------------------------------------------- */

static void laws_are_not_drawn_around_nothing(void **state) {
  (void)state;
  const char *const wanted[][2] = {
      {"box", "the data have no rows to draw around"},
      {"pca_box", "the data have no rows to draw around"},
      {"jitter", "the data have no rows to draw around"},
      {"radial", "the data have no rows to draw around"},
      {"file", "the data have no rows to draw around"},
      {"gaussian", "the law '*' makes no use of data; give none, or choose one of *"},
      {"no-such", "there is no law '*'; choose one of *"}};
  anorank_table *data = no_rows();
  for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
    anorank_error err = {0};
    anorank_settings settings;
    anorank_table *drawn;
    ank_settings_default(&settings);
    assert_ok(ank_settings_lend(&settings, "law", wanted[i][0], NULL));
    anorank_status got = anorank_simulate(&drawn, data, &settings, &err);
    told(got, i < 5 ? ANORANK_ERROR_DATA : ANORANK_ERROR_USAGE, &err, wanted[i][1]);
  }
  anorank_table_free(data);
}

/* ---- scores ------------------------------------------------------------------------------------------ */

static void scores_that_cannot_be_judged_are_told(void **state) {
  (void)state;
  anorank_error err = {0};
  anorank_judgement *judgement;
  anorank_comparison comparison;
  anorank_labelled labelled;
  const double s[] = {1, 2, (double)NAN};
  const unsigned char labels[] = {0, 7};
  double ranks[3], share;
  uint32_t order[3];
  anorank_agreement agreement;
  told(anorank_agree(&agreement, s, s, 1, NULL, &err), ANORANK_ERROR_DATA, &err,
       "there are * rows; two orders are compared on 2 to *");
  told(anorank_judge(&judgement, s, 1, s, 2, NULL, &err), ANORANK_ERROR_DATA, &err,
       "there are * normal and * contrast scores; a judgement needs at least 2 of each");
  told(anorank_judge(&judgement, s, 3, s, 2, NULL, &err), ANORANK_ERROR_DATA, &err,
       "the score of * * is NaN; every row needs a score: drop the row or fix the scorer");
  told(anorank_compare(&comparison, s, s, 1, s, s, 2, NULL, &err), ANORANK_ERROR_DATA, &err,
       "there are * normal and * contrast rows; a comparison needs at least 2 of each");
  told(anorank_compare(&comparison, s, s, huge, s, s, 2, NULL, &err), ANORANK_ERROR_DATA, &err,
       "a comparison takes at most * rows of each kind; use a random part");
  told(anorank_labelled_metrics(&labelled, s, labels, 2, NULL, &err), ANORANK_ERROR_DATA, &err,
       "the label of row * is *; labels are 1 for an anomaly, 0 for a normal row");
  told(anorank_accuracy_lowest(&share, s, labels, 1, 5, &err), ANORANK_ERROR_USAGE, &err,
       "k is *; it must be between 1 and the number of rows, *");
  told(anorank_ranks(ranks, s, 2, (anorank_ties)7, NULL, &err), ANORANK_ERROR_USAGE, &err,
       "anorank_ranks: 'ties' is *; it must be MID (0) or MAX (1)");
  told(anorank_ranks(ranks, s, huge, ANORANK_TIES_MID, NULL, &err), ANORANK_ERROR_DATA, &err,
       "* scores cannot be ranked at once; the most is *");
  told(ank_argsort(order, s, huge, NULL, &err), ANORANK_ERROR_USAGE, &err,
       "* values cannot be ranked at once; use at most *");
  told(ank_order(order, s, huge, NULL, &err), ANORANK_ERROR_USAGE, &err,
       "* rows are too many to sort at once; score them and sort the file");
}

/* ---- classes ----------------------------------------------------------------------------------------- */

static anorank_status fit_class(const char *name, size_t n, const double *x, size_t m, anorank_error *err) {
  anorank_settings settings;
  void *scorer;
  ank_settings_default(&settings);
  settings.tree_rows = INT64_MAX;
  const ank_samples samples = {{x, n, 2}, {x, m, 2}, NULL, {0}, NULL};
  return ank_scorer_find(name)->fit(&scorer, &samples, &settings, err);
}

static void samples_that_cannot_be_learned_from_are_told(void **state) {
  (void)state;
  anorank_error err = {0};
  anorank_settings settings;
  ank_learned learned;
  ank_rng rng;
  void *net;
  const double x[] = {1, 2, 3, 4, (double)INFINITY, 6, 7, 9};
  const size_t widths[ANK_MOST_LAYERS + 1] = {[0] = (size_t)1 << 21};
  told(fit_class("treerank", 4, x, 0, &err), ANORANK_ERROR_DATA, &err,
       "treerank learns from contrast rows and was given none");
  told(fit_class("rankboost", 4, x, 0, &err), ANORANK_ERROR_DATA, &err,
       "rankboost learns from contrast rows and was given none");
  told(fit_class("rankboost", huge, x, 4, &err), ANORANK_ERROR_RESOURCES, &err,
       "rankboost takes up to 2^32 rows, not *; use fewer");
  told(fit_class("treerank", huge, x, 4, &err), ANORANK_ERROR_RESOURCES, &err,
       "a tree of * rows is too large; use more trees with smaller tree-rows");
  told(fit_class("trees", huge, x, 4, &err), ANORANK_ERROR_RESOURCES, &err,
       "trees of * rows are too large; use smaller tree-rows");
  told(fit_class("mahalanobis", 4, x, 0, &err), ANORANK_ERROR_DATA, &err,
       "the covariance is not a number: some values are infinite, or too large to multiply");
  ank_rng_open(&rng, 1, 1, 1);
  told(ank_network_start(&net, 2, widths, ANK_MOST_LAYERS, 0, &rng, &err), ANORANK_ERROR_USAGE, &err,
       "* hidden layers are too many; use at most *");
  told(ank_network_start(&net, (size_t)1 << 21, widths, 0, 0, &rng, &err), ANORANK_ERROR_USAGE, &err,
       "* columns are too many for a network; choose another scorer, or use fewer columns");
  told(ank_network_start(&net, 2, widths, 1, 0, &rng, &err), ANORANK_ERROR_USAGE, &err,
       "a network of that size is too large (a layer has 1 to * units); lower hidden");
  ank_settings_default(&settings);
  assert_ok(ank_settings_lend(&settings, "scorer", "mlp", NULL));
  const ank_samples alone = {{x, 2, 2}, {NULL, 0, 2}, NULL, {0}, NULL};
  told(ank_learn(&learned, &alone, NULL, 0, &settings, &err), ANORANK_ERROR_USAGE, &err,
       "* learns to rank X above U and needs contrast rows with * columns");
}

/* ---- models and verdicts ----------------------------------------------------------------------------- */

static void models_used_wrongly_are_told(void **state) {
  (void)state;
  anorank_error err = {0};
  anorank_settings settings = model_settings();
  anorank_table *table = model_table(60, 0, 3), *two = no_rows(), *words;
  anorank_model *model;
  anorank_verdict *verdict;
  ank_match *match;
  double out[500];
  settings.subsamples = 2;
  assert_ok(anorank_fit(&model, table, &settings, NULL));
  assert_ok(ank_match_make(&match, model->pipeline.prepare, table, NULL));
  told(ank_match_update(match, two, 0, &err), ANORANK_ERROR_USAGE, &err,
       "the columns were matched for another table; match them again");
  told(ank_prepare_rows(out, model->pipeline.prepare, match, two, 0, 0, &err), ANORANK_ERROR_USAGE, &err,
       "the columns were matched for another table or model; match them again");
  told(ank_prepare_rows(out, model->pipeline.prepare, match, table, 59, 2, &err), ANORANK_ERROR_USAGE, &err,
       "rows * to * were asked for, the table has *");
  /* A table of the same width with words where numbers were matched, and no update in between. */
  const char *text = "name,a,b,c,kind\nr,word,1,2,x\n";
  assert_ok(anorank_table_read_memory(&words, text, strlen(text), "w.csv", NULL, NULL));
  told(ank_prepare_rows(out, model->pipeline.prepare, match, words, 0, 1, &err), ANORANK_ERROR_DATA, &err,
       "row *: column '*' is numeric in the model, not here; write numbers there");
  ank_match_free(match);
  const ank_matrix narrow = {out, 1, 1};
  told(ank_score(out, model->pipeline.type, model->pipeline.scorer, &narrow, &settings, &err),
       ANORANK_ERROR_USAGE, &err, "the rows have * columns, the scorer was fitted on *");
  told(anorank_explain(&verdict, model, table, 60, &settings, &err), ANORANK_ERROR_USAGE, &err,
       "there is no row *; the table has * rows");
  anorank_evaluation *evaluation;
  told(anorank_evaluate_two(&evaluation, model, NULL, table, &settings, NULL, &err), ANORANK_ERROR_USAGE,
       &err, "give both models, or neither and the settings to fit two");
  settings.lowest = 3;
  settings.fdr = 0.1;
  told(anorank_verdict_make(&verdict, model, table, &settings, &err), ANORANK_ERROR_USAGE, &err,
       "lowest, mass and fdr each choose the rows to report; give one of them, not *");
  settings.fdr = 0;
  size_t rows = model->pipeline.background_rows;
  model->pipeline.background_rows = 0; /* as no file could have it */
  told(anorank_explain(&verdict, model, table, 0, &settings, &err), ANORANK_ERROR_MODEL, &err,
       "the model has no rows to compare with; fit it again");
  model->pipeline.background_rows = rows;
  anorank_model_free(model);
  anorank_table_free(words);
  anorank_table_free(two);
  anorank_table_free(table);
}

static void a_folder_without_a_name_is_told(void **state) {
  (void)state;
  anorank_error err = {0};
  const char bytes[8] = {0};
  told(anorank_reproduction_write((const void *)bytes, "", NULL, NULL, &err), ANORANK_ERROR_USAGE, &err,
       "the name of the folder to write to is empty");
}

static void an_example_or_file_used_wrongly_is_told(void **state) {
  (void)state;
  anorank_error err = {0};
  anorank_table *table;
  anorank_file *file;
  told(anorank_example_make(&table, "no such", NULL, &err), ANORANK_ERROR_USAGE, &err,
       "there is no example '*'; anorank_example_at names them");
  assert_ok(anorank_file_open(&file, "used-wrongly.txt", &err));
  assert_ok(anorank_file_commit(file, &err));
  told(anorank_file_write(file, "x", 1, &err), ANORANK_ERROR_USAGE, &err,
       "*: is complete, or an earlier write failed; nothing more can be written");
  anorank_file_free(file);
  assert_int_equal(unlink("used-wrongly.txt"), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_null_argument_is_named_with_its_function),
      cmocka_unit_test(matrices_and_names_that_cannot_be_are_told),
      cmocka_unit_test(a_writer_used_wrongly_is_told),
      cmocka_unit_test(outputs_that_cannot_be_are_told),
      cmocka_unit_test(laws_are_not_drawn_around_nothing),
      cmocka_unit_test(scores_that_cannot_be_judged_are_told),
      cmocka_unit_test(samples_that_cannot_be_learned_from_are_told),
      cmocka_unit_test(models_used_wrongly_are_told),
      cmocka_unit_test(a_folder_without_a_name_is_told),
      cmocka_unit_test(an_example_or_file_used_wrongly_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
