/* judge_scores.c - evaluate two scorers on the paper's data (section 4) with the C library.
 *
 *   cc judge_scores.c $(pkg-config --cflags --libs anorank) -lm && ./a.out
 *
 * X ~ N(0, 0.1 I_2); the contrast U is uniform in the box of X. One scorer is the true density, the other
 * uses the first coordinate only. */
#include <anorank/anorank.h>
#include <anorank/criterion.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The two scores of every row: minus the squared norm (an increasing function of the density), and minus
 * |x1|. */
static void score(const anorank_table *table, double *density, double *first_only) {
  const double *x1 = anorank_table_numbers(table, 0), *x2 = anorank_table_numbers(table, 1);
  for (size_t i = 0; i < anorank_table_rows(table); i++) {
    density[i] = -(x1[i] * x1[i] + x2[i] * x2[i]);
    first_only[i] = -fabs(x1[i]);
  }
}

int main(void) {
  enum { N = 1000, M = 2000 };
  static double x_density[N], x_first[N], u_density[M], u_first[M];
  anorank_error err = {0};
  anorank_settings *settings = NULL;
  anorank_table *x = NULL, *u = NULL;
  anorank_judgement *judgement = NULL;
  anorank_comparison comparison;
  int exit_code = 1;

  if (anorank_settings_new(&settings, NULL, &err)) goto done;
  if (anorank_settings_set_number(settings, "rows", N, &err)) goto done;
  if (anorank_settings_set_number(settings, "sigma", sqrt(0.1), &err)) goto done;
  if (anorank_simulate(&x, NULL, settings, &err)) goto done;
  if (anorank_settings_set_number(settings, "rows", M, &err)) goto done;
  if (anorank_settings_set(settings, "law", "box", &err)) goto done;
  if (anorank_simulate(&u, x, settings, &err)) goto done;
  score(x, x_density, x_first);
  score(u, u_density, u_first);

  if (anorank_judge(&judgement, x_density, N, u_density, M, settings, &err)) goto done;
  anorank_interval area = anorank_judgement_get_info(judgement)->area;
  printf("area under the mass-volume curve %.4f, 95 %% interval %.4f to %.4f\n", area.estimate, area.low,
         area.high);
  if (anorank_compare(&comparison, x_density, x_first, N, u_density, u_first, M, settings, &err)) goto done;
  printf("density minus first coordinate: %.4f, p = %.2g\n", comparison.difference.estimate,
         comparison.p_value);
  exit_code = 0;
done:
  if (exit_code) fprintf(stderr, "%s\n", err.message);
  anorank_judgement_free(judgement);
  anorank_settings_free(settings);
  anorank_table_free(u);
  anorank_table_free(x);
  return exit_code;
}
