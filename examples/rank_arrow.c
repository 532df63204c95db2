/* rank_arrow.c - rank a table that comes as an Arrow stream. pyarrow, Polars, DuckDB and others export
 * such streams; this example makes one by hand.
 *
 *   cc rank_arrow.c $(pkg-config --cflags --libs anorank) -lm && ./a.out */
#include <anorank/arrow.h>

#include <stdio.h>

enum { ROWS = 400, ODD = 123 };
static double amount[ROWS], hour[ROWS], score[ROWS];

/* The memory is static, so release only marks the struct. */
static void release_schema(struct ArrowSchema *schema) { schema->release = NULL; }
static void release_array(struct ArrowArray *array) { array->release = NULL; }
static void release_stream(struct ArrowArrayStream *stream) { stream->release = NULL; }

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out) {
  static struct ArrowSchema columns[] = {{.format = "g", .name = "amount", .release = release_schema},
                                         {.format = "g", .name = "hour", .release = release_schema}};
  static struct ArrowSchema *children[] = {&columns[0], &columns[1]};
  (void)stream;
  *out =
      (struct ArrowSchema){.format = "+s", .n_children = 2, .children = children, .release = release_schema};
  return 0;
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out) {
  static const void *a[] = {NULL, amount}, *h[] = {NULL, hour}, *none[] = {NULL};
  static struct ArrowArray columns[] = {
      {.length = ROWS, .n_buffers = 2, .buffers = a, .release = release_array},
      {.length = ROWS, .n_buffers = 2, .buffers = h, .release = release_array}};
  static struct ArrowArray *children[] = {&columns[0], &columns[1]}, all = {.length = ROWS,
                                                                            .n_buffers = 1,
                                                                            .buffers = none,
                                                                            .n_children = 2,
                                                                            .children = children,
                                                                            .release = release_array};
  *out = stream->private_data ? all : (struct ArrowArray){0}; /* one array, then the end */
  stream->private_data = NULL;
  return 0;
}

int main(void) {
  struct ArrowArrayStream stream = {get_schema, get_next, NULL, release_stream, amount};
  anorank_error err = {0};
  anorank_table *table = NULL;
  anorank_model *model = NULL;
  int lowest = 0;
  for (int i = 0; i < ROWS; i++) amount[i] = 20 + i * 37 % 41, hour[i] = 8 + i * 13 % 11;
  amount[ODD] = 900;
  anorank_status status = anorank_table_from_arrow_stream(&table, &stream, NULL, &err); /* always released */
  if (status == ANORANK_OK) status = anorank_fit(&model, table, NULL, NULL, &err);
  if (status == ANORANK_OK) status = anorank_model_score(model, table, score, NULL, NULL, &err);
  for (int i = 0; i < ROWS; i++) lowest = score[i] < score[lowest] ? i : lowest;
  if (status == ANORANK_OK) printf("most abnormal: row %d, amount %g\n", lowest + 1, amount[lowest]);
  if (status != ANORANK_OK) fprintf(stderr, "%s\n", err.message);
  anorank_model_free(model);
  anorank_table_free(table);
  return status == ANORANK_OK && lowest == ODD ? 0 : 1;
}
