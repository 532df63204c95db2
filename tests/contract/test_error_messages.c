/* The errors of docs/errors.md that no command line can provoke: invalid calls of the library, and sizes
 * beyond the limits. */
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "anorank/extras.h"
#include "core/alloc.h"
#include "core/output.h"
#include "kernels/sort.h"
#include "learn/learn.h"
#include "ranking/ranking.h"
#include "scorers/network.h"
#include "support/models.h"
#include "table/table.h"
#include "table/writer.h"

#define HAS_HUGE (SIZE_MAX > UINT32_MAX)
static const size_t huge = (size_t)UINT32_MAX + 2; /* more rows than are there: refused before any is read */

static void told(anorank_status got, anorank_status wanted, const anorank_error *err, const char *code) {
  if (got != wanted || strcmp(err->code, code) != 0) print_error("%s: \"%s\"\n", err->code, err->message);
  assert_int_equal(got, wanted);
  assert_string_equal(err->code, code);
}

#define USAGE(call, code) told((call), ANORANK_ERROR_USAGE, &err, (code))
#define DATA(call, code) told((call), ANORANK_ERROR_DATA, &err, (code))
#define RESOURCES(call, code) told((call), ANORANK_ERROR_RESOURCES, &err, (code))

static anorank_table *no_rows(void) {
  anorank_table *table;
  assert_ok(anorank_table_from_matrix(&table, NULL, 0, 2, 2, 1, NULL, NULL));
  return table;
}

/* ---- arguments --------------------------------------------------------------------------------------- */

TEST(a_null_argument_is_named_with_its_function) {
  anorank_error err = {0};
  anorank_settings settings = test_settings();
  anorank_table *table, *data = no_rows();
  anorank_model *model;
  const double one = 1;
#define NULL_IN(call) USAGE(call, "argument-null")
  NULL_IN(anorank_table_read(NULL, ANORANK_FROM_FILE("x.csv"), NULL, &err));
  NULL_IN(anorank_table_read(&table, NULL, NULL, &err));
  USAGE(anorank_table_read(&table, ANORANK_FROM_MEMORY(NULL, 1, NULL), NULL, &err), "source-choice");
  USAGE(anorank_table_read(&table, ANORANK_FROM_FILE(NULL), NULL, &err), "source-choice");
  NULL_IN(anorank_table_from_matrix(&table, NULL, 1, 1, 1, 1, NULL, &err));
  NULL_IN(anorank_reader_next(NULL, NULL, &err));
  NULL_IN(anorank_writer_append(NULL, data, &err));
  NULL_IN(anorank_table_write(data, NULL, "csv", &err));
  NULL_IN(anorank_settings_new(NULL, NULL, &err));
  NULL_IN(anorank_settings_set(&settings, "seed", NULL, &err));
  NULL_IN(anorank_settings_parse(&settings, NULL, 3, &err));
  NULL_IN(anorank_example_make(&table, NULL, NULL, &err));
  NULL_IN(anorank_file_open(NULL, "x", &err));
  NULL_IN(anorank_file_write(NULL, "x", 1, &err));
  NULL_IN(anorank_settings_set_number(NULL, "seed", 1, &err));
  NULL_IN(anorank_simulate(NULL, NULL, NULL, &err));
  NULL_IN(anorank_judge(NULL, &one, 1, &one, 1, NULL, &err));
  NULL_IN(anorank_fit(&model, NULL, NULL, NULL, &err));
  NULL_IN(anorank_model_load(&model, NULL, &err));
  USAGE(anorank_model_load(&model, ANORANK_FROM_MEMORY(NULL, 9, NULL), &err), "source-choice");
  NULL_IN(anorank_model_save(NULL, ANORANK_TO_FILE("m.anr"), &err));
  NULL_IN(anorank_model_score(NULL, data, NULL, NULL, NULL, &err));
  NULL_IN(anorank_model_score_table(&table, NULL, data, 0, NULL, &err));
  NULL_IN(anorank_evaluate_repeated(NULL, data, NULL, NULL, 5, &err));
  NULL_IN(anorank_stream_new(NULL, NULL, NULL, &err));
  NULL_IN(anorank_stream_add(NULL, data, 0, &err));
  NULL_IN(anorank_stream_fit(&model, NULL, NULL, NULL, &err));
  NULL_IN(anorank_stream_check(NULL, data, 0, NULL, &err));
  NULL_IN(anorank_stream_conclude(NULL, &err));
  NULL_IN(anorank_ranking_make(NULL, NULL, data, NULL, &err));
  NULL_IN(anorank_explain(NULL, NULL, data, 0, NULL, &err));
  NULL_IN(anorank_reproduce(NULL, NULL, &err));
  NULL_IN(anorank_reproduction_write(NULL, "x", NULL, NULL, &err));
  NULL_IN(anorank_figure_mass_volume(ANORANK_TO_FILE("x.svg"), NULL, NULL, NULL, NULL, &err));
#undef NULL_IN
  anorank_table_free(data);
}

TEST(invalid_matrices_and_names_are_errors) {
  anorank_error err = {0};
  anorank_table *table, *data = no_rows();
  const double one = 1;
  int32_t code;
  ank_levels levels = {0};
  USAGE(anorank_table_from_matrix(&table, &one, 1, 0, 1, 1, NULL, &err), "table-no-columns");
  USAGE(anorank_table_from_matrix(&table, &one, SIZE_MAX / 2, 4, 8, 1, NULL, &err), "table-size");
  DATA(anorank_table_from_matrix(&table, &one, 1, 70000, 70000, 1, NULL, &err), "table-column-count");
  DATA(ank_levels_code(&code, &levels, "a\0b", 3, &err), "text-nul-byte");
  ank_levels_free(&levels);
  USAGE(anorank_table_write(data, ANORANK_TO_FILE(""), "csv", &err), "output-name-empty");
  USAGE(anorank_table_write(data, ANORANK_TO_FILE("x"), "xyzzy", &err), "output-format");
  anorank_table_free(data);
}

TEST(misuse_of_a_writer_is_an_error) {
  anorank_error err = {0};
  scoped_writer *writer;
  scoped_table *two = no_rows(), *one, *other;
  const char *const names[] = {"x1", "b"};
  assert_ok(anorank_table_from_matrix(&one, NULL, 0, 1, 1, 1, NULL, NULL));
  assert_ok(anorank_table_from_matrix(&other, NULL, 0, 2, 2, 1, names, NULL));
  assert_ok(anorank_writer_open(&writer, ANORANK_TO_FILE("/dev/null"), "csv", NULL));
  assert_ok(anorank_writer_append(writer, two, NULL));
  USAGE(anorank_writer_append(writer, one, &err), "writer-block-columns");
  USAGE(anorank_writer_append(writer, other, &err), "writer-block-columns");
  assert_ok(anorank_writer_commit(writer, NULL));
  USAGE(anorank_writer_append(writer, two, &err), "output-closed");
  anorank_writer_free(writer);
  assert_ok(anorank_writer_open(&writer, ANORANK_TO_FILE("/dev/full"), "csv", NULL));
  assert_ok(anorank_writer_append(writer, two, NULL));
  assert_status(anorank_writer_commit(writer, NULL), ANORANK_ERROR_RESOURCES);
  USAGE(anorank_writer_append(writer, two, &err), "output-closed");
}

TEST(invalid_outputs_are_errors) {
  anorank_error err = {0};
  ank_output *output;
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "/tmp/anorank-socket-%ld", (long)getpid());
  int listening = socket(AF_UNIX, SOCK_STREAM, 0);
  assert_int_equal(bind(listening, (const struct sockaddr *)&address, sizeof address), 0);
  RESOURCES(ank_output_open(&output, address.sun_path, &err), "output-open");
  close(listening);
  unlink(address.sun_path);
  assert_ok(ank_output_open(&output, "/dev/null", NULL));
  RESOURCES(ank_output_patch(output, 0, "x", 1, &err), "output-rewind");
  ank_output_free(output);
}

/* ---- drawing ----------------------------------------------------------------------------------------- */

TEST(laws_are_not_drawn_around_nothing) {
  const char *const wanted[][2] = {{"box", "contrast-no-rows"},       {"jitter", "contrast-no-rows"},
                                   {"radial", "contrast-no-rows"},    {"file", "contrast-no-rows"},
                                   {"gaussian", "law-takes-no-data"}, {"no-such", "law-unknown"}};
  scoped_table *data = no_rows();
  for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
    anorank_error err = {0};
    anorank_settings settings = test_settings();
    anorank_table *drawn;
    assert_ok(ank_settings_lend(&settings, "law", wanted[i][0], NULL));
    anorank_status got = anorank_simulate(&drawn, data, &settings, &err);
    told(got, i < 4 ? ANORANK_ERROR_DATA : ANORANK_ERROR_USAGE, &err, wanted[i][1]);
  }
  anorank_error err = {0};
  anorank_settings settings = test_settings();
  anorank_table *drawn;
  assert_ok(ank_settings_lend(&settings, "law", "jitter", NULL));
  USAGE(anorank_simulate(&drawn, NULL, &settings, &err), "law-needs-data");
}

/* ---- scores ------------------------------------------------------------------------------------------ */

TEST(invalid_scores_are_errors) {
  anorank_error err = {0};
  anorank_judgement *judgement;
  anorank_comparison comparison;
  anorank_labelled labelled;
  const double s[] = {1, 2, (double)NAN};
  const unsigned char labels[] = {0, 7};
  double ranks[3], share;
  uint32_t order[3];
  DATA(anorank_judge(&judgement, s, 1, s, 2, NULL, &err), "judge-too-few-rows");
  DATA(anorank_judge(&judgement, s, 3, s, 2, NULL, &err), "score-nan");
  DATA(anorank_compare(&comparison, s, s, 1, s, s, 2, NULL, &err), "compare-too-few-rows");
  if (HAS_HUGE) DATA(anorank_compare(&comparison, s, s, huge, s, s, 2, NULL, &err), "compare-too-many-rows");
  DATA(anorank_labelled_metrics(&labelled, s, labels, 2, NULL, &err), "label-value");
  USAGE(anorank_accuracy_lowest(&share, s, labels, 1, 5, &err), "lowest-too-many");
  USAGE(anorank_ranks(ranks, s, 2, (anorank_ties)7, NULL, &err), "argument-ties");
  if (HAS_HUGE) DATA(anorank_ranks(ranks, s, huge, ANORANK_TIES_MID, NULL, &err), "scores-too-many");
  if (HAS_HUGE) USAGE(ank_argsort(order, s, huge, NULL, &err), "scores-too-many");
  if (HAS_HUGE) USAGE(ank_order(order, s, huge, NULL, &err), "rows-too-many");
}

/* ---- classes ----------------------------------------------------------------------------------------- */

static anorank_status fit_class(const char *name, size_t n, const double *x, size_t m, anorank_error *err) {
  anorank_settings settings = test_settings();
  void *scorer;
  settings.tree_rows = INT64_MAX;
  const ank_samples samples = {{x, n, 2}, {x, m, 2}, NULL, {0}, NULL, 0, NULL};
  return ank_scorer_fit(&scorer, ank_scorer_find(name), &samples, &settings, err);
}

TEST(invalid_samples_are_errors) {
  anorank_error err = {0};
  anorank_settings settings;
  ank_learned learned;
  ank_rng rng;
  void *net;
  const double x[] = {1, 2, 3, 4, (double)INFINITY, 6, 7, 9};
  const size_t widths[ANK_MOST_LAYERS + 1] = {[0] = (size_t)1 << 21};
  DATA(fit_class("treerank", 4, x, 0, &err), "fit-needs-contrast");
  DATA(fit_class("rankboost", 4, x, 0, &err), "fit-needs-contrast");
  if (HAS_HUGE) RESOURCES(fit_class("rankboost", huge, x, 4, &err), "rows-too-many");
  if (HAS_HUGE) RESOURCES(fit_class("treerank", huge, x, 4, &err), "forest-size");
  if (HAS_HUGE) RESOURCES(fit_class("trees", huge, x, 4, &err), "forest-size");
  DATA(fit_class("mahalanobis", 4, x, 0, &err), "fit-not-finite");
  ank_rng_open(&rng, 1, 1, 1);
  USAGE(ank_network_start(&net, 2, widths, ANK_MOST_LAYERS, 0, &rng, &err), "network-layers");
  USAGE(ank_network_start(&net, (size_t)1 << 21, widths, 0, 0, &rng, &err), "network-columns");
  USAGE(ank_network_start(&net, 2, widths, 1, 0, &rng, &err), "network-size");
  ank_settings_default(&settings);
  assert_ok(ank_settings_lend(&settings, "scorer", "mlp", NULL));
  const ank_samples alone = {{x, 2, 2}, {NULL, 0, 2}, NULL, {0}, NULL, 0, NULL};
  USAGE(ank_learn(&learned, &alone, NULL, 0, &settings, &err), "fit-needs-contrast");
}

/* ---- models and verdicts ----------------------------------------------------------------------------- */

TEST(misuse_of_models_is_an_error) {
  anorank_error err = {0};
  anorank_settings settings = model_settings();
  scoped_table *table = model_table(60, 0, 3), *two = no_rows(), *words;
  scoped_model *model;
  anorank_ranking *ranking;
  ank_match *match;
  double out[500];
  settings.subsamples = 2;
  assert_ok(anorank_fit(&model, table, NULL, &settings, NULL));
  assert_ok(ank_match_make(&match, model->pipeline.prepare, table, NULL));
  USAGE(ank_match_update(match, two, 0, &err), "match-other-table");
  USAGE(ank_prepare_rows(out, model->pipeline.prepare, match, two, 0, 0, &err), "match-other-table");
  USAGE(ank_prepare_rows(out, model->pipeline.prepare, match, table, 59, 2, &err), "rows-out-of-range");
  /* A table of the same width with words where numbers were matched, and no update in between. */
  const char *text = "name,a,b,c,kind\nr,word,1,2,x\n";
  assert_ok(anorank_table_read(&words, ANORANK_FROM_MEMORY(text, strlen(text), "w.csv"), NULL, NULL));
  DATA(ank_prepare_rows(out, model->pipeline.prepare, match, words, 0, 1, &err), "column-categories");
  ank_match_free(match);
  const ank_matrix narrow = {out, 1, 1};
  told(ank_score(out, model->pipeline.type, model->pipeline.scorer, &narrow, &settings, &err),
       ANORANK_ERROR_USAGE, &err, "scorer-column-count");
  USAGE(anorank_explain(&ranking, model, table, 60, &settings, &err), "row-unknown");
  anorank_evaluation *evaluation;
  told(anorank_evaluate_two(&evaluation, model, NULL, table, &settings, NULL, &err), ANORANK_ERROR_USAGE,
       &err, "compare-models");
  settings.lowest = 3;
  settings.fdr = 0.1;
  USAGE(anorank_ranking_make(&ranking, model, table, &settings, &err), "selection-ambiguous");
  settings.fdr = 0;
  size_t rows = model->pipeline.background_rows;
  model->pipeline.background_rows = 0; /* as no file could have it */
  told(anorank_explain(&ranking, model, table, 0, &settings, &err), ANORANK_ERROR_MODEL, &err,
       "model-no-background");
  model->pipeline.background_rows = rows;
}

TEST(a_directory_without_a_name_is_an_error) {
  anorank_error err = {0};
  const char bytes[8] = {0};
  USAGE(anorank_reproduction_write((const void *)bytes, "", NULL, NULL, &err), "output-name-empty");
}

TEST(misuse_of_an_example_or_file_is_an_error) {
  anorank_error err = {0};
  anorank_table *table;
  anorank_file *file;
  USAGE(anorank_example_make(&table, "no such", NULL, &err), "example-unknown");
  assert_ok(anorank_file_open(&file, "used-wrongly.txt", &err));
  assert_ok(anorank_file_commit(file, &err));
  USAGE(anorank_file_write(file, "x", 1, &err), "output-closed");
  anorank_file_free(file);
  assert_int_equal(unlink("used-wrongly.txt"), 0);
}
