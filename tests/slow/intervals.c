/* intervals.c - coverage of intervals that rest on few rows. Exits 1 if one does not hold.
 *
 *   parts   areas over 0 to 0.9, 0.9 to 1, 0.95 to 1, 0.99 to 1 of a known curve, n = m = 100 to 5,000
 *   jumps   the band and the pointwise intervals of curves that jump: two groups of normal rows with contrast
 *           rows between them, and scores of few values
 *   few     differences of two scorers that only a few contrast rows distinguish, 1 to 30 of them on average
 *   end     two equally good scorers: how often their difference has p <= 0.05, n = 30 to 1,000
 *
 * Nominal is 95 %. Promised is at least 92 % in 1,000 repetitions (and, for `end`, p <= 0.05 in at most 6 %),
 * with room for two standard errors. Intervals may be too wide here; the table prints their width, or `none`
 * without one.
 *
 * Usage: intervals [PART [repetitions]] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "anorank/anorank.h"
#include "anorank/criterion.h"
#include "core/rng.h"
#include "core/settings.h"
#include "kernels/normal.h"

enum { MOST = 5000, POINTS = 101 };

static size_t repetitions = 1000;
static int failures;
static anorank_settings settings;
static double x[2][MOST], u[2][MOST];

typedef struct {
  double made, inside, width; /* intervals, those that hold the truth, the sum of their widths */
} tally;

static void add(tally *out, double low, double high, double truth) {
  if (isnan(low)) return;
  out->made++;
  out->inside += low <= truth && truth <= high;
  out->width += high - low;
}

static void show_from(const tally *found, double least) {
  if (found->made == 0) {
    printf(" none |");
    return;
  }
  double share = 100 * found->inside / found->made;
  int bad = share < least;
  failures += bad;
  printf(" %.1f%s (%.4f) |", share, bad ? " !" : "", found->width / found->made);
}

static void show(const tally *found) { show_from(found, 93 - 1000.0 / (double)repetitions); }

/* The worst of 91 masses: chance alone takes two standard errors off, and at the corners of tied scores, where the slope
 * changes at once, pointwise intervals are too short. */
static void show_worst(const tally *found) { show_from(found, 80); }

static void check(anorank_status status, const anorank_error *err) {
  if (status == ANORANK_OK) return;
  printf("%s\n", err->message);
  exit(2);
}

static void open_rng(ank_rng *rng, size_t part, size_t n, size_t repetition) {
  ank_rng_open(rng, 31000 + part, n, repetition);
  settings.seed = repetition;
}

/* ---- parts ------------------------------------------------------------------------------------------- */

/* X is normal and U uniform on [-4, 4], the score minus the distance from 0: MV(a) = q((1 + a) / 2) / 4. */
static double axis_volume(double mass) {
  double half = -ank_normal_quantile((1 - mass) / 2);
  return half >= 4 ? 1 : half / 4;
}

static double area_between(double from, double to) {
  const int steps = 1000000;
  double sum = 0;
  for (int k = 0; k < steps; k++) sum += axis_volume(from + (to - from) * (k + 0.5) / steps);
  return sum * (to - from) / steps;
}

static void measure_parts(void) {
  static const size_t sizes[] = {100, 200, 400, 500, 1000, 2000, 5000};
  double truth[4] = {0};
  settings.bootstrap = 0;
  printf("\nareas over parts of the curve: coverage in %% (mean width)\n\n| n = m | 0 to 0.9 | 0.9 to 1 | "
         "0.95 to 1 | "
         "0.99 to 1 |\n|---|---|---|---|---|\n");
  for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
    tally found[4] = {{0}};
    for (size_t r = 0; r < repetitions; r++) {
      anorank_judgement *judgement = NULL;
      anorank_error err = {0};
      ank_rng rng;
      open_rng(&rng, 0, sizes[s], r);
      for (size_t i = 0; i < sizes[s]; i++) {
        x[0][i] = -fabs(ank_rng_normal(&rng));
        u[0][i] = -4 * ank_rng_uniform(&rng);
      }
      check(anorank_judge(&judgement, x[0], sizes[s], u[0], sizes[s], &settings, &err), &err);
      const anorank_partial_area *part = anorank_judgement_get_info(judgement)->partial;
      for (int k = 0; k < 4; k++) {
        if (truth[k] == 0) truth[k] = area_between(part[k].from, part[k].to);
        add(&found[k], part[k].area.low, part[k].area.high, truth[k]);
      }
      anorank_judgement_free(judgement);
    }
    printf("| %zu |", sizes[s]);
    for (int k = 0; k < 4; k++) show(&found[k]);
    printf("\n");
    fflush(stdout);
  }
}

/* ---- jumps ------------------------------------------------------------------------------------------- */

/* A law of scores: groups from the highest down, each with a share of X and of U, spread evenly over its own unit
 * of scores or all at one value. A group of U alone is a jump. */
typedef struct {
  const char *name;
  size_t groups;
  double in_x[6], in_u[6];
  int spread;
} jumping;

static const jumping laws[] = {
    {"smooth, one group", 1, {1}, {1}, 1},
    {"two groups, a gap", 3, {0.6, 0, 0.4}, {0.1, 0.3, 0.6}, 1},
    {"a gap at 0.9", 3, {0.9, 0, 0.1}, {0.05, 0.5, 0.45}, 1},
    {"three groups, two gaps", 5, {0.5, 0, 0.3, 0, 0.2}, {0.05, 0.15, 0.1, 0.3, 0.4}, 1},
    {"four values, tied", 4, {0.5, 0.25, 0.15, 0.1}, {0.05, 0.1, 0.25, 0.6}, 0},
    {"values of U alone", 6, {0.5, 0, 0.3, 0, 0.2, 0}, {0.02, 0.1, 0.08, 0.3, 0.1, 0.4}, 0},
};

/* The curve: a straight line over each group that has rows of X, a jump at those that have none; from the right. */
static double law_volume(const jumping *law, double mass) {
  double from = 0, volume = 0;
  for (size_t g = 0; g < law->groups; g++) {
    if (law->in_x[g] > 0 && mass < from + law->in_x[g] - 1e-12)
      return volume + law->in_u[g] * (mass - from) / law->in_x[g];
    from += law->in_x[g];
    volume += law->in_u[g];
  }
  return 1;
}

static double draw_score(const jumping *law, const double *shares, ank_rng *rng) {
  double v = ank_rng_uniform(rng), within = ank_rng_uniform(rng);
  size_t g = 0;
  while (g + 1 < law->groups && v >= shares[g]) v -= shares[g++];
  return -2.0 * (double)g - (law->spread ? within : 0);
}

static void one_curve(tally *band, tally *points, tally *worst, const jumping *law,
                      const anorank_judgement *judgement) {
  size_t count;
  const anorank_curve_point *curve = anorank_judgement_get_info(judgement)->curve;
  count = anorank_judgement_get_info(judgement)->points;
  int whole = 1;
  double width = 0, inside = 0;
  for (size_t k = 0; k < count; k++) {
    if (isnan(curve[k].band_low)) continue;
    /* At a jump the curve is all that lies between its ends: either end counts as the truth there. */
    double right = law_volume(law, curve[k].mass + 1e-9), left = law_volume(law, curve[k].mass - 1e-9);
    int holds = curve[k].band_low <= right && left <= curve[k].band_high;
    whole &= holds;
    width += curve[k].band_high - curve[k].band_low;
    inside++;
    add(points, curve[k].low, curve[k].high, fmin(fmax(curve[k].low, left), right));
    add(&worst[k], curve[k].low, curve[k].high, fmin(fmax(curve[k].low, left), right));
  }
  band->made++;
  band->inside += whole;
  band->width += width / inside;
}

static void measure_jumps(void) {
  static const size_t sizes[] = {300, 1000, 5000};
  settings.points = POINTS;
  settings.bootstrap = 200;
  printf("\ncurves that jump: coverage in %% (mean width)\n\n| law | n = m | band | pointwise, on average | "
         "pointwise, worst mass "
         "|\n|---|---|---|---|---|\n");
  for (size_t l = 0; l < sizeof laws / sizeof laws[0]; l++)
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
      tally band = {0}, points = {0}, at[POINTS] = {{0}}, worst = {0};
      for (size_t r = 0; r < repetitions; r++) {
        anorank_judgement *judgement = NULL;
        anorank_error err = {0};
        ank_rng rng;
        open_rng(&rng, 10 + l, sizes[s], r);
        for (size_t i = 0; i < sizes[s]; i++) {
          x[0][i] = draw_score(&laws[l], laws[l].in_x, &rng);
          u[0][i] = draw_score(&laws[l], laws[l].in_u, &rng);
        }
        check(anorank_judge(&judgement, x[0], sizes[s], u[0], sizes[s], &settings, &err), &err);
        one_curve(&band, &points, at, &laws[l], judgement);
        anorank_judgement_free(judgement);
      }
      for (size_t k = 0; k < POINTS; k++)
        if (at[k].made > 0 && (worst.made == 0 || at[k].inside < worst.inside)) worst = at[k];
      printf("| %s | %zu |", laws[l].name, sizes[s]);
      show(&band);
      show(&points);
      show_worst(&worst);
      printf("\n");
      fflush(stdout);
    }
}

/* ---- few --------------------------------------------------------------------------------------------- */

/* Both scorers put X in the same order and nearly all of U below it; `few` of U on average are spread over X by the
 * first scorer, and stay below (second = 0) or are spread again (second = 1) by the second. */
static void measure_few(void) {
  static const double few[] = {1, 3, 10, 30};
  enum { N = 1000 };
  settings.bootstrap = 0;
  printf("\ndifferences that few contrast rows make, n = m = 1,000: coverage in %% (mean width)\n\n| "
         "contrast rows, on average | second "
         "scorer | area | abnormal end |\n|---|---|---|---|\n");
  for (size_t f = 0; f < sizeof few / sizeof few[0]; f++)
    for (int second = 0; second < 2; second++) {
      tally all = {0}, end = {0};
      double share = few[f] / N, truth = second ? 0 : share / 2, end_truth = second ? 0 : share * 0.1 * 0.95;
      for (size_t r = 0; r < repetitions; r++) {
        anorank_comparison pair;
        anorank_error err = {0};
        ank_rng rng;
        open_rng(&rng, 20 + f, (size_t)second, r);
        for (size_t i = 0; i < N; i++) {
          x[0][i] = x[1][i] = ank_rng_uniform(&rng);
          u[0][i] = u[1][i] = -ank_rng_uniform(&rng);
          if (ank_rng_uniform(&rng) >= share) continue;
          u[0][i] = ank_rng_uniform(&rng);
          if (second) u[1][i] = ank_rng_uniform(&rng);
        }
        check(anorank_compare(&pair, x[0], x[1], N, u[0], u[1], N, &settings, &err), &err);
        add(&all, pair.difference.low, pair.difference.high, truth);
        add(&end, pair.partial_difference.area.low, pair.partial_difference.area.high, end_truth);
      }
      printf("| %.0f | %s |", few[f], second ? "spreads them, too" : "has them below");
      show(&all);
      show(&end);
      printf("\n");
      fflush(stdout);
    }
}

/* ---- end --------------------------------------------------------------------------------------------- */

static void show_level(double small, double made) {
  if (made == 0) {
    printf(" none |");
    return;
  }
  int bad = small > 0.06 * made + 2 * sqrt(0.05 * made);
  failures += bad;
  printf(" %.3f%s |", small / made, bad ? " !" : "");
}

/* Distances along one axis or the other. */
static void measure_end(void) {
  static const size_t sizes[][2] = {{30, 100},  {30, 1000},  {50, 50},    {100, 1000},
                                    {200, 200}, {500, 1000}, {1000, 1000}};
  settings.bootstrap = 0;
  printf("\ntwo scorers that are equally good: share of p <= 0.05\n\n| n | m | area | abnormal end "
         "|\n|---|---|---|---|\n");
  for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
    double small[2] = {0}, made[2] = {0};
    for (size_t r = 0; r < repetitions; r++) {
      anorank_comparison pair;
      anorank_error err = {0};
      ank_rng rng;
      open_rng(&rng, 30, s, r);
      for (size_t i = 0; i < sizes[s][0]; i++)
        for (int k = 0; k < 2; k++) x[k][i] = -fabs(ank_rng_normal(&rng));
      for (size_t j = 0; j < sizes[s][1]; j++)
        for (int k = 0; k < 2; k++) u[k][j] = -4 * ank_rng_uniform(&rng);
      check(anorank_compare(&pair, x[0], x[1], sizes[s][0], u[0], u[1], sizes[s][1], &settings, &err), &err);
      double p[2] = {pair.p_value, pair.partial_p_value};
      for (int k = 0; k < 2; k++) made[k] += !isnan(p[k]), small[k] += p[k] <= 0.05;
    }
    printf("| %zu | %zu |", sizes[s][0], sizes[s][1]);
    for (int k = 0; k < 2; k++) show_level(small[k], made[k]);
    printf("\n");
    fflush(stdout);
  }
}

int main(int count, char **arguments) {
  static const struct {
    const char *name;
    void (*measure)(void);
  } parts[] = {
      {"parts", measure_parts}, {"jumps", measure_jumps}, {"few", measure_few}, {"end", measure_end}};
  const char *only = count > 1 ? arguments[1] : "all";
  if (count > 2) repetitions = strtoul(arguments[2], NULL, 10);
  ank_settings_default(&settings);
  settings.threads = 1;
  for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++)
    if (strcmp(only, "all") == 0 || strcmp(only, parts[k].name) == 0) parts[k].measure();
  printf("\n%zu repetitions, %d shares are marked !\n", repetitions, failures);
  return failures > 0;
}
