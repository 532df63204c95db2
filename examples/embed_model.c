/* embed_model.c - embed a model: load it from bytes, score one row at a time, and explain it.
 * Here the bytes come from a fit in the same program; usually they come from a file or a database. */
#include <anorank/anorank.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static anorank_error err;
static const char *const names[] = {"pressure", "temperature"};

static void need(anorank_status status) {
  if (status != ANORANK_OK) fprintf(stderr, "embed_model: %s\n", err.message), exit(1);
}

static anorank_model *model_from_bytes(void) {
  static double cells[2000][2]; /* temperature follows pressure */
  anorank_table *table;
  anorank_model *fitted, *model;
  unsigned char *bytes;
  size_t length;
  for (size_t i = 0; i < 2000; i++)
    cells[i][1] = 10 * (cells[i][0] = 2 + sin((double)(i * i))) + cos(1.7 * (double)i);
  need(anorank_table_from_matrix(&table, *cells, 2000, 2, 2, 1, names, &err));
  need(anorank_fit(&fitted, table, NULL, NULL, &err));
  need(anorank_model_save(fitted, ANORANK_TO_MEMORY(&bytes, &length, NULL), &err));
  need(anorank_model_load(&model, ANORANK_FROM_MEMORY(bytes, length, "bytes"), &err));
  anorank_bytes_free(bytes);
  anorank_model_free(fitted);
  anorank_table_free(table);
  return model;
}

static void explain(const anorank_model *model, const double *row) {
  anorank_table *table;
  anorank_ranking *ranking;
  need(anorank_table_from_matrix(&table, row, 1, 2, 2, 1, names, &err));
  need(anorank_explain(&ranking, model, table, 0, NULL, &err));
  const anorank_reason *first = anorank_ranking_reason(ranking, 0, 0);
  printf("  %s adds %.1f: %g, usually %g to %g\n", first->column, first->contribution, first->number,
         first->usual_low, first->usual_high);
  anorank_ranking_free(ranking);
  anorank_table_free(table);
}

int main(void) {
  static const double readings[][2] = {{2, 20.5}, {1.2, 11.5}, {1.2, 35}, {2.9, 29}};
  const anorank_field layout[] = {{.name = names[0]}, {.name = names[1]}};
  anorank_model *model = model_from_bytes();
  anorank_scorer *scorer;
  anorank_scratch *scratch; /* one per thread */
  need(anorank_scorer_new(&scorer, model, layout, 2, &err));
  need(anorank_scratch_new(&scratch, scorer, &err));
  for (size_t i = 0; i < 4; i++) {
    double score, p;
    need(anorank_scorer_score(scorer, scratch, readings[i], 1, 2, &score, &p, &err));
    printf("%g bar, %g degrees: score %.2f, p %.4f\n", readings[i][0], readings[i][1], score, p);
    if (p < 0.001) explain(model, readings[i]);
  }
  anorank_scratch_free(scratch), anorank_scorer_free(scorer), anorank_model_free(model);
}
