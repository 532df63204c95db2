/* embed_model.c - a model inside another program: load it from bytes, score one row at a time, say why.
 *
 *   cc embed_model.c $(pkg-config --cflags --libs anorank) && ./a.out
 *
 * The bytes come from a fit in the same program here; usually they are a file, or a field of a database. */
#include <anorank/anorank.h>

#include <stdio.h>
#include <stdlib.h>

static void need(anorank_status status, const anorank_error *err) {
  if (status == ANORANK_OK) return;
  fprintf(stderr, "embed_model: %s\n", err->message);
  exit(1);
}

static unsigned char *model_bytes(size_t *length) {
  enum { ROWS = 2000 };
  static double cells[ROWS * 2];
  static const char *const names[] = {"pressure", "temperature"};
  anorank_error err = {0};
  anorank_table *table;
  anorank_model *model;
  unsigned char *bytes, state = 1;
  for (size_t i = 0; i < ROWS * 2; i++) cells[i] = (double)(state = (unsigned char)(state * 77 + 29 + i / 256)) / 64;
  for (size_t i = 0; i < ROWS; i++) cells[2 * i + 1] += 10 * cells[2 * i];
  need(anorank_table_from_matrix(&table, cells, ROWS, 2, 2, 1, names, &err), &err);
  need(anorank_fit(&model, table, NULL, &err), &err);
  need(anorank_model_to_bytes(&bytes, length, model, &err), &err);
  anorank_model_free(model);
  anorank_table_free(table);
  return bytes;
}

int main(void) {
  static const anorank_field layout[] = {{.name = "temperature"}, {.name = "pressure"}};
  static const double readings[][2] = {{22, 2}, {12.5, 1}, {35, 1}, {30, 3}};
  anorank_error err = {0};
  anorank_model *model;
  anorank_scorer *scorer;
  anorank_scratch *scratch;
  size_t length;
  unsigned char *bytes = model_bytes(&length);
  need(anorank_model_load_memory(&model, bytes, length, "bytes", &err), &err);
  need(anorank_scorer_new(&scorer, model, layout, 2, &err), &err);
  need(anorank_scratch_new(&scratch, scorer, &err), &err);
  for (size_t i = 0; i < 4; i++) {
    double score, p;
    need(anorank_scorer_score(scorer, scratch, readings[i], 1, 2, &score, &p, &err), &err);
    printf("temperature %g, pressure %g: score %.3f, p %.4f%s\n", readings[i][0], readings[i][1], score, p,
           p < 0.005 ? "  <- abnormal" : "");
  }
  anorank_scratch_free(scratch);
  anorank_scorer_free(scorer);
  anorank_model_free(model);
  anorank_bytes_free(bytes);
  return 0;
}
