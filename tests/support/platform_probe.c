/* platform_probe.c - files that one platform writes for another to read (scripts/platforms.sh):
 *
 *   platform_probe make TABLE.csv TO         fit models, and fill streams: models, streams and scores go to TO
 *   platform_probe use TABLE.csv FROM TO     read models and streams of another platform, write them to TO unchanged,
 *                                            and the scores that those models give the table here
 *
 * Models and streams in FROM and TO must be equal byte for byte, and scores up to a tolerance. */
#include <anorank/experimental.h>
#include <anorank/io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const scorers[] = {"linear",    "mlp",       "neighbours", "trees",
                                      "treerank",  "rankboost", "isolation",  "mahalanobis",
                                      "histogram", "knn",       "hull",       "blend"};
static const char *const trainings[] = {"clean", "contaminated"};
enum { SCORERS = sizeof scorers / sizeof *scorers, TRAININGS = 2, PATH = 1000 };

static anorank_error err;

static void need(anorank_status status) {
  if (status == ANORANK_OK) return;
  fprintf(stderr, "platform_probe: %s\n", err.message);
  exit((int)status);
}

static const char *path_of(const char *folder, const char *scorer, const char *training, const char *ending) {
  static char path[2][PATH];
  static int turn;
  turn = !turn;
  snprintf(path[turn], PATH, "%s/%s-%s.%s", folder, scorer, training, ending);
  return path[turn];
}

static void write_bytes(const char *path, const unsigned char *bytes, size_t length) {
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(bytes, 1, length, file) != length || fclose(file) != 0) perror(path), exit(5);
}

static unsigned char *read_bytes(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  if (!file || fseek(file, 0, SEEK_END) != 0) perror(path), exit(5);
  *length = (size_t)ftell(file);
  unsigned char *bytes = malloc(*length + 1);
  rewind(file);
  if (!bytes || fread(bytes, 1, *length, file) != *length) perror(path), exit(5);
  (void)fclose(file);
  return bytes;
}

static void write_scores(const char *path, const anorank_model *model, const anorank_table *table) {
  size_t rows = anorank_table_rows(table);
  double *scores = malloc(2 * rows * sizeof *scores), *p_values = scores + rows;
  FILE *file = fopen(path, "wb");
  if (!file || !scores) perror(path), exit(5);
  need(anorank_model_score(model, table, scores, p_values, NULL, &err));
  for (size_t i = 0; i < rows; i++) fprintf(file, "%.17g %.17g\n", scores[i], p_values[i]);
  if (fclose(file) != 0) perror(path), exit(5);
  free(scores);
}

/* What the stream holds, as bytes. */
static void write_stream(const char *path, anorank_stream *stream) {
  unsigned char *bytes;
  size_t length;
  need(anorank_stream_to_bytes(&bytes, &length, stream, &err));
  write_bytes(path, bytes, length);
  anorank_bytes_free(bytes);
  anorank_stream_free(stream);
}

static void make_stream(const char *path, const anorank_model *model, const anorank_table *table) {
  anorank_stream *stream;
  need(anorank_stream_new(&stream, model, NULL, &err));
  need(anorank_stream_add(stream, table, 0, &err));
  write_stream(path, stream);
}

static void pass_stream(const char *from, const char *to, const anorank_model *model) {
  anorank_stream *stream;
  size_t length;
  unsigned char *bytes = read_bytes(from, &length);
  need(anorank_stream_from_bytes(&stream, model, bytes, length, NULL, &err));
  free(bytes);
  write_stream(to, stream);
}

static void make(const anorank_table *table, const char *to) {
  anorank_settings *settings;
  need(anorank_settings_new(&settings, NULL, &err));
  need(anorank_settings_set_number(settings, "epochs", 5, &err));
  need(anorank_settings_set_number(settings, "threads", 1, &err));
  for (size_t k = 0; k < (size_t)SCORERS * TRAININGS; k++) {
    const char *scorer = scorers[k / TRAININGS], *training = trainings[k % TRAININGS];
    anorank_model *model;
    need(anorank_settings_set(settings, "scorer", scorer, &err));
    need(anorank_settings_set(settings, "train", training, &err));
    need(anorank_fit(&model, table, NULL, settings, &err));
    need(anorank_model_save(model, ANORANK_TO_FILE(path_of(to, scorer, training, "anr")), &err));
    write_scores(path_of(to, scorer, training, "scores"), model, table);
    make_stream(path_of(to, scorer, training, "stream"), model, table);
    anorank_model_free(model);
  }
  anorank_settings_free(settings);
  make_stream(path_of(to, "sample", "rows", "stream"), NULL, table);
}

static void use(const anorank_table *table, const char *from, const char *to) {
  for (size_t k = 0; k < (size_t)SCORERS * TRAININGS; k++) {
    const char *scorer = scorers[k / TRAININGS], *training = trainings[k % TRAININGS];
    anorank_model *model;
    need(anorank_model_load(&model, ANORANK_FROM_FILE(path_of(from, scorer, training, "anr")), &err));
    need(anorank_model_save(model, ANORANK_TO_FILE(path_of(to, scorer, training, "anr")), &err));
    write_scores(path_of(to, scorer, training, "scores"), model, table);
    pass_stream(path_of(from, scorer, training, "stream"), path_of(to, scorer, training, "stream"), model);
    anorank_model_free(model);
  }
  pass_stream(path_of(from, "sample", "rows", "stream"), path_of(to, "sample", "rows", "stream"), NULL);
}

int main(int argc, char **argv) {
  anorank_table *table;
  int makes = argc == 4 && strcmp(argv[1], "make") == 0;
  if (!makes && !(argc == 5 && strcmp(argv[1], "use") == 0)) {
    fputs("usage: platform_probe make TABLE TO | use TABLE FROM TO\n", stderr);
    return 2;
  }
  need(anorank_table_read(&table, ANORANK_FROM_FILE(argv[2]), NULL, &err));
  if (makes)
    make(table, argv[3]);
  else
    use(table, argv[3], argv[4]);
  anorank_table_free(table);
  return 0;
}
