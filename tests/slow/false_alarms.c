/* Are p-values and false-discovery rates right, and is anything found? Exits 1 where a promise is broken.
 *
 *   clean         a model of n normal rows judges 1,000 others, of which a share are anomalies
 *   contaminated  a file of n rows, a share of them anomalies, is judged by a model of itself (`detect`)
 *   copies        clean; each training row is there twice, or one in ten is
 *
 * One line per kind (support/noisy.h), n and share: the mean share of false alarms among the rows selected at
 * --fdr 0.1 with its standard error, the share of the anomalies that was found, the runs in which anything was
 * selected, and how often a normal row had p <= 0.001. Promised: false alarms at most 0.11 and, where there is
 * nothing to find, no row selected in 95 of 100 runs, each with room for two standard errors; p <= 0.001 in at
 * most 0.0015 of the normal rows.
 *
 * Usage: false_alarms [WAY] [kind=K] [rows=N] [share=S] [runs=R] [binary=FILE] [before=FILE [now=FILE]] [SETTING=VALUE]...
 *   binary  judge by that program instead (`anorank` of another version): files go to a folder of its own
 *   before  lines of an earlier run, shown next to those of this one
 *   now     lines of another, shown instead of measuring: how the table of docs/coverage.md is made */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "core/settings.h"
#include "support/noisy.h"

enum { NEW = 1000, SHARES = 4, MOST = 5000 };

typedef enum { CLEAN = 0, CONTAMINATED, COPIES, WAYS } study_way;

static const char *const way_names[WAYS] = {"clean", "contaminated", "copies"};
static const double shares[SHARES] = {0, 0.01, 0.05, 0.2};

static struct {
  const char *binary, *before, *now;
  char folder[64];
  double share; /* the only one; negative: all */
  size_t runs;
  int failures;
  anorank_settings settings;
} study = {.share = -1, .runs = 100, .folder = "/tmp/false_alarms_XXXXXX"};

/* What is said of each row. */
typedef struct {
  double p[MOST], q[MOST];
} verdicts;

typedef struct {
  double runs, sum, squares, found, any;
  double normal, rare; /* normal rows, and those of them with p <= 0.001 */
} tally;

static void fail(const char *words) {
  printf("%s\n", words);
  exit(2);
}

static void add(tally *out, const verdicts *said, size_t rows, size_t anomalies) {
  size_t selected = 0, wrong = 0;
  for (size_t i = 0; i < rows; i++) {
    int normal = i + anomalies < rows;
    selected += said->q[i] <= 0.1;
    wrong += said->q[i] <= 0.1 && normal;
    out->normal += normal;
    out->rare += normal && said->p[i] <= 0.001 * (1 + 1e-9);
  }
  double share = selected ? (double)wrong / (double)selected : 0;
  out->runs++;
  out->sum += share;
  out->squares += share * share;
  out->any += selected > 0;
  if (anomalies > 0) out->found += (double)(selected - wrong) / (double)anomalies;
}

/* ---- by the library ---------------------------------------------------------------------------------- */

static void read_findings(verdicts *out, const anorank_verdict *verdict) {
  for (size_t i = 0; i < anorank_verdict_get_info(verdict)->count; i++) {
    const anorank_finding *finding = anorank_verdict_at(verdict, i);
    out->p[finding->row] = finding->p_value;
    out->q[finding->row] = finding->q_value;
  }
}

/* `*model` is NULL for a file judged by a model of itself. */
static void judge(verdicts *out, const anorank_model *model, const anorank_table *table) {
  anorank_error err = {0};
  anorank_model *own = NULL;
  anorank_verdict *verdict = NULL;
  study.settings.lowest = (int64_t)anorank_table_rows(table);
  if ((model ? anorank_verdict_make(&verdict, model, table, &study.settings, &err)
             : anorank_detect(&own, &verdict, table, NULL, &study.settings, &err)) != ANORANK_OK)
    fail(err.message);
  read_findings(out, verdict);
  anorank_verdict_free(verdict);
  anorank_model_free(own);
}

/* ---- by a program ------------------------------------------------------------------------------------ */

static void write_file(const char *name, const char *text, size_t length) {
  char path[128];
  snprintf(path, sizeof path, "%s/%s", study.folder, name);
  FILE *file = fopen(path, "w");
  if (!file || fwrite(text, 1, length, file) != length || fclose(file) != 0) fail("cannot write");
}

static void run(const char *arguments) {
  char command[1024];
  snprintf(command, sizeof command, "cd %s && %s %s --threads 1 -q", study.folder, study.binary, arguments);
  if (system(command) != 0) fail(command); /* NOLINT(cert-env33-c) */
}

/* Columns row, p and q (or p_value, q_value) of the file that the program wrote. */
static void read_file(verdicts *out) {
  char path[128], line[4096];
  int at[3] = {-1, -1, -1};
  snprintf(path, sizeof path, "%s/out.csv", study.folder);
  FILE *file = fopen(path, "r");
  if (!file || !fgets(line, sizeof line, file)) fail("no verdict");
  for (int row = 0; row == 0 || fgets(line, sizeof line, file); row++) {
    double value[3] = {0};
    char *cell = line;
    for (int j = 0; cell; j++) {
      char *next = strchr(cell, ',');
      for (int k = 0; k < 3; k++)
        if (row == 0 && (k == 0 ? strncmp(cell, "row", 3) == 0
                                : cell[0] == "rpq"[k] && (cell[1] == ',' || cell[1] == '_')))
          at[k] = j;
        else if (row > 0 && at[k] == j)
          value[k] = atof(cell);
      cell = next ? next + 1 : NULL;
    }
    if (row == 0) continue;
    size_t i = (size_t)value[0] - 1;
    if (i >= MOST) fail("a row that is none");
    out->p[i] = value[1], out->q[i] = value[2];
  }
  fclose(file);
}

/* ---- one run ----------------------------------------------------------------------------------------- */

static int is_wanted(size_t share) { return study.share < 0 || fabs(study.share - shares[share]) < 1e-9; }

/* All shares are judged by one clean model. */
static void one_run(tally out[SHARES], study_way way, noisy_kind kind, size_t rows, size_t number) {
  static verdicts said;
  anorank_error err = {0};
  anorank_model *model = NULL;
  size_t judged = way == CONTAMINATED ? rows : NEW, columns = noisy[kind].columns, length;
  size_t twice = way != COPIES ? 0 : number % 2 ? rows / 10 : rows;
  uint64_t seed = 1000000 * (uint64_t)rows + number;
  if (way != CONTAMINATED) {
    char *text = noisy_text(&length, kind, columns, rows + twice, rows, 0, 2 * seed);
    anorank_table *train = NULL;
    if (study.binary) {
      write_file("train.csv", text, length);
      run("fit train.csv -o model.anr");
    } else if (anorank_table_read_memory(&train, text, length, "train.csv", NULL, &err) != ANORANK_OK ||
               anorank_fit(&model, train, &study.settings, &err) != ANORANK_OK)
      fail(err.message);
    anorank_table_free(train);
    free(text);
  }
  for (size_t s = 0; s < SHARES; s++) {
    size_t anomalies = (size_t)(shares[s] * (double)judged + 0.5);
    if (!is_wanted(s) || (way == COPIES && s > 0)) continue;
    if (study.binary) {
      char *text = noisy_text(&length, kind, columns, judged, judged, anomalies, 2 * (seed + 10000 * s) + 1);
      write_file("test.csv", text, length);
      free(text);
      run(way == CONTAMINATED ? "detect test.csv --reasons 0 -o out.csv"
                              : "rank model.anr test.csv --reasons 0 -o out.csv");
      read_file(&said);
    } else {
      anorank_table *test = noisy_table(kind, judged, judged, anomalies, 2 * (seed + 10000 * s) + 1);
      judge(&said, model, test);
      anorank_table_free(test);
    }
    add(&out[s], &said, judged, anomalies);
  }
  anorank_model_free(model);
}

/* ---- lines ------------------------------------------------------------------------------------------- */

/* The rest of the line that begins like this in the file of an earlier run. */
static const char *before_of(const char *key) {
  static char line[512];
  size_t length = strlen(key);
  FILE *file = fopen(study.before, "r");
  if (!file) fail("no such file of before");
  while (fgets(line, sizeof line, file))
    if (strncmp(line, key, length) == 0) {
      fclose(file);
      line[strcspn(line, "\n")] = '\0';
      return line + length;
    }
  fclose(file);
  return "  |  |  |  |";
}

static void print_line(const tally *all, study_way way, noisy_kind kind, size_t rows, double share) {
  char key[128];
  double mean = all->sum / all->runs, any = all->any / all->runs;
  double error = sqrt(fmax(0, all->squares / all->runs - mean * mean) / all->runs);
  int bad = mean > 0.11 + 2 * error || all->rare > 0.0015 * all->normal + 2 * sqrt(0.0015 * all->normal) ||
            (share == 0 && any > 0.05 + 2 * sqrt(0.05 * 0.95 / all->runs));
  snprintf(key, sizeof key, "| %s | %s | %zu | %.0f |", way_names[way], noisy[kind].name, rows, 100 * share);
  printf("%s%s", key, study.before ? before_of(key) : "");
  printf(" %.3f (%.3f) |", mean, error);
  if (share > 0)
    printf(" %.2f |", all->found / all->runs);
  else
    printf("  |");
  printf(" %.0f of %.0f | %.4f |%s\n", all->any, all->runs, all->rare / all->normal, bad ? " !" : "");
  fflush(stdout);
  study.failures += bad;
}

/* Lines that are there already, next to those from before. */
static void show_lines(void) {
  char line[512], key[512];
  FILE *file = fopen(study.now, "r");
  if (!file) fail("no such file of now");
  while (fgets(line, sizeof line, file)) {
    char *end = line;
    for (int cell = 0; cell < 4 && end; cell++) end = strchr(end + 1, '|');
    if (!end || strncmp(line, "| way", 5) == 0 || strncmp(line, "|---", 4) == 0) continue;
    snprintf(key, sizeof key, "%.*s", (int)(end + 1 - line), line);
    printf("%s%s%s", key, study.before ? before_of(key) : "", end + 1);
  }
  fclose(file);
}

static void print_head(void) {
  static const char cells[] = " false alarms (se) | found | runs with any | p <= .001 |";
  printf("| way | kind | n | %% anomalies |");
  if (study.before) printf(" before:%s now:", cells);
  printf("%s\n|---|---|---|---|---|---|---|---|%s\n", cells, study.before ? "---|---|---|---|" : "");
}

static void measure(study_way way, noisy_kind kind, size_t rows) {
  tally all[SHARES] = {{0}};
  for (size_t r = 0; r < study.runs; r++) one_run(all, way, kind, rows, r);
  for (size_t s = 0; s < SHARES; s++)
    if (all[s].runs > 0) print_line(&all[s], way, kind, rows, shares[s]);
}

static int kind_named(const char *text) {
  for (int k = 0; k < NOISY_KINDS; k++)
    if (strncmp(noisy[k].name, text, strlen(text)) == 0) return k;
  fail("no such kind");
  return 0;
}

int main(int argc, char **argv) {
  static const size_t sizes[] = {100, 200, 1000, 2000, 5000};
  anorank_error err = {0};
  int way = -1, kind = -1;
  size_t only_rows = 0;
  ank_settings_default(&study.settings);
  study.settings.threads = 1;
  study.settings.reasons = 0;
  for (int k = 1; k < argc; k++) {
    char *value = strchr(argv[k], '=');
    for (int w = 0; !value && w < WAYS; w++)
      if (strcmp(argv[k], way_names[w]) == 0) way = w;
    if (!value) continue;
    *value++ = '\0';
    if (strcmp(argv[k], "kind") == 0)
      kind = kind_named(value);
    else if (strcmp(argv[k], "rows") == 0)
      only_rows = (size_t)atol(value);
    else if (strcmp(argv[k], "share") == 0)
      study.share = atof(value);
    else if (strcmp(argv[k], "runs") == 0)
      study.runs = (size_t)atol(value);
    else if (strcmp(argv[k], "binary") == 0)
      study.binary = value;
    else if (strcmp(argv[k], "before") == 0)
      study.before = value;
    else if (strcmp(argv[k], "now") == 0)
      study.now = value;
    else if (ank_settings_lend(&study.settings, argv[k], value, &err) != ANORANK_OK)
      fail(err.message);
  }
  if (study.binary && !mkdtemp(study.folder)) fail("no folder for files");
  print_head();
  if (study.now) {
    show_lines();
    return 0;
  }
  for (int w = 0; w < WAYS; w++) {
    study.settings.train = w == CONTAMINATED ? ANORANK_TRAIN_CONTAMINATED : ANORANK_TRAIN_CLEAN;
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
      for (int k = 0; k < NOISY_KINDS; k++)
        if ((way < 0 || w == way) && (kind < 0 || k == kind) && (only_rows == 0 || only_rows == sizes[s]))
          measure((study_way)w, (noisy_kind)k, sizes[s]);
  }
  printf("\n%d lines are marked !\n", study.failures);
  return study.failures ? 1 : 0;
}
