/* Tests whether the first tier is empty on noise, and contains gross errors. One line per kind of
 * support/noisy.h: of R tables of 1,000 rows in one file, how many have a row apart; and of as many with one
 * cell 8 sigma off, how many have that row apart, and how many other rows. Exits 1 if more than 5 noise
 * tables of 100 have a row apart, with room for two standard errors.
 *
 * Usage: tiers [runs=R] */
#include <math.h>
#include <string.h>

#include "core/settings.h"
#include "support/noisy.h"

enum { ROWS = 1000 };

static void fail(const char *words) {
  printf("%s\n", words);
  exit(2);
}

/* Return how many rows are apart; *last: whether the last one is. */
static size_t count_apart(noisy_kind kind, size_t anomalies, uint64_t seed, int *last) {
  anorank_settings settings;
  anorank_error err = {0};
  anorank_model *model = NULL;
  anorank_ranking *ranking = NULL;
  anorank_table *table = noisy_table(kind, ROWS, ROWS, anomalies, seed);
  ank_settings_default(&settings);
  settings.train = ANORANK_TRAIN_CONTAMINATED;
  settings.reasons = 0;
  if (anorank_detect(&model, &ranking, table, NULL, &settings, &err) != ANORANK_OK) fail(err.message);
  size_t apart = anorank_ranking_get_info(ranking)->headline.apart;
  for (size_t i = 0; i < anorank_ranking_get_info(ranking)->count; i++)
    if (anorank_ranking_at(ranking, i)->row == ROWS - 1)
      *last = anorank_ranking_at(ranking, i)->tier == ANORANK_TIER_APART;
  anorank_ranking_free(ranking);
  anorank_model_free(model);
  anorank_table_free(table);
  return apart;
}

int main(int count, char **arguments) {
  size_t runs = 100, failures = 0;
  if (count > 1 && strncmp(arguments[1], "runs=", 5) == 0) runs = (size_t)atoi(arguments[1] + 5);
  printf(
      "| kind | tables of noise with a row apart | errors found | other rows apart |\n|---|---|---|---|\n");
  for (size_t kind = 0; kind < NOISY_KINDS; kind++) {
    size_t noise = 0, found = 0, others = 0;
    for (size_t run = 0; run < runs; run++) {
      int last = 0;
      noise += count_apart((noisy_kind)kind, 0, 1000 + run, &last) > 0;
      size_t apart = count_apart((noisy_kind)kind, 1, 1000 + run, &last);
      found += (size_t)last;
      others += apart - (size_t)last;
    }
    int bad = (double)noise > 0.05 * (double)runs + 2 * sqrt(0.05 * 0.95 * (double)runs);
    printf("| %s | %zu of %zu | %zu | %zu |%s\n", noisy[kind].name, noise, runs, found, others,
           bad ? " !" : "");
    fflush(stdout);
    failures += (size_t)bad;
  }
  return failures > 0;
}
