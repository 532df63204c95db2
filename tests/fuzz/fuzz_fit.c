/* Any table, read, fitted and scored: an error, or scores that keep their promises. The first byte chooses
 * the class, the second the kind of training rows; the rest is CSV. Scores must be finite. p-values must lie
 * in (0, 1] and decrease with the score. A row must score the same alone, equal rows must score the same, and
 * so must the saved and loaded model. */
#include "fuzz/fuzz_table.h"
#include "model/model.h"

enum { MOST_BYTES = 4096, MOST_ROWS = 200 };

static void check_rows_alone(const anorank_model *model, const anorank_table *table, const double *scores) {
  anorank_scorer *scorer;
  anorank_scratch *scratch;
  anorank_error err = {0};
  anorank_status status = anorank_scorer_new(&scorer, model, NULL, 0, &err);
  check_status(status, &err);
  MUST(status == ANORANK_OK && anorank_scratch_new(&scratch, scorer, &err) == ANORANK_OK);
  size_t fields = anorank_model_get_info(model)->columns, rows = anorank_table_rows(table);
  double *cells = calloc(fields + 1, sizeof *cells), score;
  MUST(cells);
  for (size_t i = 0; i < rows; i++) {
    for (size_t j = 0; j < fields; j++) {
      size_t column = anorank_table_find(table, anorank_model_column_at(model, j)->name);
      if (column == SIZE_MAX)
        cells[j] = (double)NAN;
      else if (anorank_table_kind(table, column) == ANORANK_CATEGORICAL) {
        int32_t code = anorank_table_codes(table, column)[i];
        cells[j] = code < 0
                       ? (double)NAN
                       : anorank_scorer_code(scorer, j, anorank_table_level(table, column, (size_t)code));
      } else {
        cells[j] = anorank_table_numbers(table, column)[i];
      }
    }
    MUST(anorank_scorer_score(scorer, scratch, cells, 1, fields, &score, NULL, &err) == ANORANK_OK);
    MUST(memcmp(&score, &scores[i], sizeof score) == 0);
  }
  free(cells);
  anorank_scratch_free(scratch);
  anorank_scorer_free(scorer);
}

static void check_scores(const anorank_model *model, const anorank_table *table,
                         const anorank_settings *settings) {
  size_t rows = anorank_table_rows(table);
  double *scores = calloc(4 * rows, sizeof *scores), *p = scores + rows, *again = p + rows;
  anorank_error err = {0};
  anorank_model *loaded;
  unsigned char *bytes;
  size_t length;
  MUST(scores);
  anorank_status status = anorank_model_score(model, table, scores, p, settings, &err);
  check_status(status, &err);
  MUST(status == ANORANK_OK); /* the very rows that it was fitted on */
  for (size_t i = 0; i < rows; i++) {
    MUST(isfinite(scores[i]) && p[i] > 0 && p[i] <= 1);
    for (size_t k = 0; k < i; k++)
      MUST(scores[i] < scores[k] ? p[i] <= p[k] : scores[i] > scores[k] ? p[i] >= p[k] : p[i] == p[k]);
  }
  MUST(anorank_model_save(model, ANORANK_TO_MEMORY(&bytes, &length, "again"), &err) == ANORANK_OK);
  MUST(anorank_model_load(&loaded, ANORANK_FROM_MEMORY(bytes, length, "again"), &err) == ANORANK_OK);
  MUST(anorank_model_score(loaded, table, again, again + rows, settings, &err) == ANORANK_OK);
  MUST(memcmp(scores, again, 2 * rows * sizeof *scores) == 0);
  check_rows_alone(loaded, table, scores);
  anorank_model_free(loaded);
  anorank_bytes_free(bytes);
  free(scores);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  anorank_settings settings = fuzz_settings_for(ANK_FORMAT_auto);
  anorank_error err = {0};
  anorank_table *table;
  anorank_model *model;
  if (size < 3 || size > MOST_BYTES) return 0;
  size_t classes = 0;
  while (anorank_class_at(classes)) classes++;
  settings.scorer = anorank_class_at(data[0] % classes)->name;
  settings.train = data[1] & 1;
  settings.fast = data[1] >> 1 & 1;
  settings.scale = data[1] >> 2 & 1;
  settings.epochs = 1;
  settings.trees = 3;
  settings.rounds = 3;
  settings.subsamples = 3;
  settings.folds = 2;
  settings.lambda = "0.1";
  if (anorank_table_read(&table, ANORANK_FROM_MEMORY(data + 2, size - 2, "fuzz"), &settings, &err) !=
      ANORANK_OK)
    return 0;
  if (anorank_table_rows(table) <= MOST_ROWS) {
    anorank_status status = anorank_fit(&model, table, NULL, &settings, &err);
    check_status(status, &err);
    MUST((status == ANORANK_OK) == (model != NULL));
    if (model) check_scores(model, table, &settings);
    anorank_model_free(model);
  }
  anorank_table_free(table);
  return 0;
}
