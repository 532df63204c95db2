/* Tests whether p-values and false-discovery rates hold, and whether anomalies are found. Exits 1 if a
 * promise is broken.
 *
 *   clean         a model of n normal rows judges 1,000 others, of which a share are anomalies
 *   contaminated  a file of n rows, a share of them anomalies, is judged by a model of itself (`detect`)
 *   copies        clean; each training row occurs twice, or one in ten does
 *
 * One line per kind (support/noisy.h), n and share: the mean share of false alarms among the rows selected at
 * --fdr 0.1 with its standard error, the share of the anomalies found, the runs in which any row was
 * selected, and the share of normal rows with p <= 0.001. Promised: false alarms at most 0.11 and, without
 * anomalies, no row selected in 95 of 100 runs, each with room for two standard errors; p <= 0.001 in at most
 * 0.0015 of the normal rows.
 *
 * Usage: false_alarms [WAY] [kind=K] [rows=N] [share=S] [runs=R] [SETTING=VALUE]... */
#include <math.h>
#include <string.h>

#include "core/settings.h"
#include "support/noisy.h"

enum { NEW = 1000, SHARES = 4, MOST = 5000 };

typedef enum { CLEAN = 0, CONTAMINATED, COPIES, WAYS } study_way;

static const char *const way_names[WAYS] = {"clean", "contaminated", "copies"};
static const double shares[SHARES] = {0, 0.01, 0.05, 0.2};

static struct {
  double share; /* the only one; negative: all */
  size_t runs;
  int failures;
  anorank_settings settings;
} study = {.share = -1, .runs = 100};

/* The results of each row. */
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

static void read_findings(verdicts *out, const anorank_ranking *verdict) {
  for (size_t i = 0; i < anorank_ranking_get_info(verdict)->count; i++) {
    const anorank_finding *finding = anorank_ranking_at(verdict, i);
    out->p[finding->row] = finding->p_value;
    out->q[finding->row] = finding->q_value;
  }
}

/* `*model` is NULL for a file judged by a model of itself. */
static void judge(verdicts *out, const anorank_model *model, const anorank_table *table) {
  anorank_error err = {0};
  anorank_model *own = NULL;
  anorank_ranking *verdict = NULL;
  study.settings.lowest = (int64_t)anorank_table_rows(table);
  if ((model ? anorank_ranking_make(&verdict, model, table, &study.settings, &err)
             : anorank_detect(&own, &verdict, table, NULL, &study.settings, &err)) != ANORANK_OK)
    fail(err.message);
  read_findings(out, verdict);
  anorank_ranking_free(verdict);
  anorank_model_free(own);
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
    if (anorank_table_read(&train, ANORANK_FROM_MEMORY(text, length, "train.csv"), NULL, &err) !=
            ANORANK_OK ||
        anorank_fit(&model, train, NULL, &study.settings, &err) != ANORANK_OK)
      fail(err.message);
    anorank_table_free(train);
    free(text);
  }
  for (size_t s = 0; s < SHARES; s++) {
    size_t anomalies = (size_t)(shares[s] * (double)judged + 0.5);
    if (!is_wanted(s) || (way == COPIES && s > 0)) continue;
    anorank_table *test = noisy_table(kind, judged, judged, anomalies, 2 * (seed + 10000 * s) + 1);
    judge(&said, model, test);
    anorank_table_free(test);
    add(&out[s], &said, judged, anomalies);
  }
  anorank_model_free(model);
}

/* ---- lines ------------------------------------------------------------------------------------------- */

static void print_line(const tally *all, study_way way, noisy_kind kind, size_t rows, double share) {
  double mean = all->sum / all->runs, any = all->any / all->runs;
  double error = sqrt(fmax(0, all->squares / all->runs - mean * mean) / all->runs);
  int bad = mean > 0.11 + 2 * error || all->rare > 0.0015 * all->normal + 2 * sqrt(0.0015 * all->normal) ||
            (share == 0 && any > 0.05 + 2 * sqrt(0.05 * 0.95 / all->runs));
  printf("| %s | %s | %zu | %.0f | %.3f (%.3f) |", way_names[way], noisy[kind].name, rows, 100 * share, mean,
         error);
  if (share > 0)
    printf(" %.2f |", all->found / all->runs);
  else
    printf("  |");
  printf(" %.0f of %.0f | %.4f |%s\n", all->any, all->runs, all->rare / all->normal, bad ? " !" : "");
  fflush(stdout);
  study.failures += bad;
}

static void print_head(void) {
  printf("| way | kind | n | %% anomalies | false alarms (se) | found | runs with any | p <= .001 |\n"
         "|---|---|---|---|---|---|---|---|\n");
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
    else if (ank_settings_lend(&study.settings, argv[k], value, &err) != ANORANK_OK)
      fail(err.message);
  }
  print_head();
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
