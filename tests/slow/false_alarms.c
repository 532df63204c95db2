/* Are p-values and false-discovery rates right, and is anything found? Exits 1 where a promise is broken.
 *
 *   clean         a model of n normal rows judges 1,000 others, of which a share are anomalies
 *   contaminated  a file of n rows, a share of them anomalies, is judged by a model of itself (`detect`)
 *   copies        clean; each training row is there twice, or one in ten is
 *
 * One line per kind (support/noisy.h), n and share: the mean share of false alarms among the rows selected at
 * --fdr 0.1 with its standard error, the share of the anomalies that was found, the runs in which anything was
 * selected, and how often a normal row had p <= 0.001, 0.01 and 0.05. Promised: false alarms at most 0.11 and,
 * where there is nothing to find, no row selected in 95 of 100 runs, each with room for two standard errors;
 * p <= 0.001 in at most 0.0015 of the normal rows.
 *
 * Usage: false_alarms WAY [kind=K] [rows=N] [share=S] [runs=R] [SETTING=VALUE]... */
#include <math.h>
#include <string.h>

#include "core/settings.h"
#include "support/noisy.h"

enum { NEW = 1000, LEVELS = 3 };

typedef enum { CLEAN = 0, CONTAMINATED, COPIES } study_way;

static const char *const way_names[] = {"clean", "contaminated", "copies"};
static const double levels[LEVELS] = {0.001, 0.01, 0.05};
static int failures;

typedef struct {
  double runs, sum, squares, found, any;
  double normal, at_most[LEVELS]; /* normal rows, and how many of them have p <= a level */
} tally;

static void fail(const anorank_error *err) {
  printf("%s\n", err->message);
  exit(2);
}

static void add(tally *out, const anorank_verdict *verdict, size_t rows, size_t anomalies, double fdr) {
  size_t selected = 0, wrong = 0, count = anorank_verdict_count(verdict);
  for (size_t i = 0; i < count; i++) {
    const anorank_finding *finding = anorank_verdict_at(verdict, i);
    int normal = finding->row + anomalies < rows;
    selected += finding->q_value <= fdr;
    wrong += finding->q_value <= fdr && normal;
    out->normal += normal;
    for (int k = 0; k < LEVELS; k++) out->at_most[k] += normal && finding->p_value <= levels[k] * (1 + 1e-9);
  }
  double share = selected ? (double)wrong / (double)selected : 0;
  out->runs++;
  out->sum += share;
  out->squares += share * share;
  out->any += selected > 0;
  if (anomalies > 0) out->found += (double)(selected - wrong) / (double)anomalies;
}

static void one_run(tally *out, study_way way, noisy_kind kind, size_t rows, double share, uint64_t seed,
                    anorank_settings *settings) {
  anorank_error err = {0};
  anorank_model *model = NULL;
  anorank_verdict *verdict = NULL;
  size_t judged = way == CONTAMINATED ? rows : NEW, anomalies = (size_t)(share * (double)judged + 0.5);
  size_t twice = way != COPIES ? 0 : seed % 2 ? rows / 10 : rows;
  anorank_table *test = noisy_table(kind, judged, judged, anomalies, 2 * seed + 1), *train = NULL;
  settings->lowest = (int64_t)judged;
  if (way == CONTAMINATED) {
    if (anorank_detect(&model, &verdict, test, NULL, settings, &err) != ANORANK_OK) fail(&err);
  } else {
    train = noisy_table(kind, rows + twice, rows, 0, 2 * seed);
    if (anorank_fit(&model, train, settings, &err) != ANORANK_OK ||
        anorank_verdict_make(&verdict, model, test, settings, &err) != ANORANK_OK)
      fail(&err);
  }
  add(out, verdict, judged, anomalies, 0.1);
  anorank_verdict_free(verdict);
  anorank_model_free(model);
  anorank_table_free(train);
  anorank_table_free(test);
}

static void measure(study_way way, noisy_kind kind, size_t rows, double share, size_t runs,
                    anorank_settings *settings) {
  tally all = {0};
  for (size_t r = 0; r < runs; r++)
    one_run(&all, way, kind, rows, share, 1000000 * (uint64_t)rows + (uint64_t)(share * 100) * 10000 + r,
            settings);
  double mean = all.sum / all.runs, error = sqrt(fmax(0, all.squares / all.runs - mean * mean) / all.runs),
         any = all.any / all.runs;
  int bad = mean > 0.11 + 2 * error || all.at_most[0] > 0.0015 * all.normal + 2 * sqrt(0.0015 * all.normal) ||
            (share == 0 && any > 0.05 + 2 * sqrt(0.05 * 0.95 / all.runs));
  printf("%-18s | %5zu | %3.0f | %.3f (%.3f) | %.2f | %4.0f of %zu | %.4f | %.4f | %.4f |%s\n",
         noisy[kind].name, rows, 100 * share, mean, error, share > 0 ? all.found / all.runs : NAN, all.any,
         runs, all.at_most[0] / all.normal, all.at_most[1] / all.normal, all.at_most[2] / all.normal,
         bad ? " FAILED" : "");
  fflush(stdout);
  failures += bad;
}

static noisy_kind kind_named(const char *text) {
  for (int k = 0; k < NOISY_KINDS; k++)
    if (strncmp(noisy[k].name, text, strlen(text)) == 0) return (noisy_kind)k;
  printf("no such kind: %s\n", text);
  exit(2);
}

int main(int argc, char **argv) {
  static const size_t sizes[] = {200, 1000, 2000, 5000};
  static const double shares[] = {0, 0.01, 0.05, 0.2};
  anorank_settings settings;
  anorank_error err = {0};
  study_way way = CLEAN;
  int kind = -1;
  size_t only_rows = 0, runs = 100;
  double only_share = -1;
  ank_settings_default(&settings);
  settings.threads = 1;
  settings.reasons = 0;
  for (int k = 1; k < argc; k++) {
    char *value = strchr(argv[k], '=');
    for (int w = 0; !value && w <= COPIES; w++)
      if (strcmp(argv[k], way_names[w]) == 0) way = (study_way)w;
    if (!value) continue;
    *value++ = '\0';
    if (strcmp(argv[k], "kind") == 0)
      kind = (int)kind_named(value);
    else if (strcmp(argv[k], "rows") == 0)
      only_rows = (size_t)atol(value);
    else if (strcmp(argv[k], "share") == 0)
      only_share = atof(value);
    else if (strcmp(argv[k], "runs") == 0)
      runs = (size_t)atol(value);
    else if (ank_settings_lend(&settings, argv[k], value, &err) != ANORANK_OK)
      fail(&err);
  }
  if (way == CONTAMINATED) settings.train = ANORANK_TRAIN_CONTAMINATED;
  printf(
      "%s\nkind | n | %% anomalies | false alarms (se) | found | runs with any | p <= .001 | .01 | .05 |\n",
      way_names[way]);
  for (int k = 0; k < NOISY_KINDS; k++)
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
      for (size_t a = 0; a < sizeof shares / sizeof shares[0]; a++)
        if ((kind < 0 || k == kind) && (only_rows == 0 || only_rows == sizes[s]) &&
            (only_share < 0 || fabs(only_share - shares[a]) < 1e-9))
          measure(way, (noisy_kind)k, sizes[s], shares[a], runs, &settings);
  printf("%d lines failed\n", failures);
  return failures ? 1 : 0;
}
