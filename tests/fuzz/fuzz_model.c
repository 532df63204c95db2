/* Any bytes as a model: an error, or a model that scores any rows with finite numbers, ranks them, describes itself and
 * saves to bytes that load again. Loading allocates no more memory than its budget (under a sanitizer, whose
 * hooks count every request). The frame (magic, length, checksum) is corrected first, unless the last byte is
 * odd, so that the sections are reached. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/alloc.h"
#include "model/model.h"
#include "support/model_bytes.h"

#define REQUIRE(condition)                                                                                   \
  do {                                                                                                       \
    if (!(condition)) abort();                                                                               \
  } while (0)

/* Requested bytes. */
static size_t asked;
static void count_asked(const volatile void *pointer, size_t bytes) {
  (void)pointer;
  asked += bytes;
}
static void count_freed(const volatile void *pointer) { (void)pointer; }

int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void *, size_t),
                                              void (*on_free)(const volatile void *)) __attribute__((weak));

/* A table with the model's columns and cells of every kind. */
static anorank_table *any_rows(const anorank_model *model) {
  static const double cells[] = {0, NAN, INFINITY, -1e300, 1};
  enum { ROWS = sizeof cells / sizeof cells[0] };
  size_t columns = anorank_model_get_info(model)->columns;
  const char **names = calloc(columns, sizeof *names);
  double *values = calloc(columns * ROWS, sizeof *values);
  anorank_table *table = NULL;
  REQUIRE(names && values && columns > 0);
  for (size_t j = 0; j < columns; j++) {
    anorank_model_column column = *anorank_model_column_at(model, j);
    REQUIRE(column.name && (unsigned)column.role <= ANORANK_ROLE_TIME);
    names[j] = column.name;
    for (size_t i = 0; i < ROWS; i++) values[i * columns + j] = cells[(i + j) % ROWS];
  }
  REQUIRE(anorank_table_from_matrix(&table, values, ROWS, columns, columns, 1, names, NULL) == ANORANK_OK);
  free(names);
  free(values);
  return table;
}

static void use(const anorank_model *model) {
  anorank_error err = {0};
  anorank_settings settings;
  anorank_table *table = any_rows(model);
  anorank_model *again;
  unsigned char *bytes;
  size_t length;
  double scores[8], p[8];
  ank_settings_default(&settings);
  settings.threads = 1;
  if (anorank_model_score(model, table, scores, p, &settings, &err) == ANORANK_OK)
    for (size_t i = 0; i < anorank_table_rows(table); i++)
      REQUIRE(p[i] > 0 && p[i] <= 1 && isfinite(scores[i]));
  else
    REQUIRE(err.message[0]);
  anorank_ranking *ranking;
  settings.lowest = 2;
  if (anorank_ranking_make(&ranking, model, table, &settings, &err) == ANORANK_OK)
    anorank_ranking_free(ranking);
  else
    REQUIRE(err.message[0]);
  for (size_t i = 0; i < anorank_notes_count(anorank_model_notes(model)); i++)
    REQUIRE(anorank_notes_at(anorank_model_notes(model), i)->text);
  REQUIRE(anorank_model_save(model, ANORANK_TO_MEMORY(&bytes, &length, "again"), NULL) == ANORANK_OK);
  REQUIRE(anorank_model_load(&again, ANORANK_FROM_MEMORY(bytes, length, "again"), &err) == ANORANK_OK);
  anorank_model_free(again);
  anorank_bytes_free(bytes);
  anorank_table_free(table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static int counting;
  anorank_error err = {0};
  anorank_model *model;
  unsigned char *bytes = malloc(size ? size : 1);
  REQUIRE(bytes);
  if (size > 0) memcpy(bytes, data, size);
  if (size > 0 && (data[size - 1] & 1) == 0) model_mend(bytes, size);
  if (!counting && __sanitizer_install_malloc_and_free_hooks)
    counting = __sanitizer_install_malloc_and_free_hooks(count_asked, count_freed) != 0;
  asked = 0;
  anorank_status status = anorank_model_load(&model, ANORANK_FROM_MEMORY(bytes, size, "fuzz"), &err);
  /* Large requests are rounded up to whole pages, by half at most; the C library takes a little more. */
  REQUIRE(asked <= ank_model_budget(size) / 2 * 3 + (1 << 20));
  REQUIRE((status == ANORANK_OK) == (model != NULL));
  if (model)
    use(model);
  else
    REQUIRE(err.message[0]);
  anorank_model_free(model);
  free(bytes);
  return 0;
}
