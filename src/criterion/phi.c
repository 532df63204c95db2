/* phi.c - score-generating functions of the rank statistic
 *
 *   W_phi = sum_i phi( Rank(s(X_i)) / (N + 1) ),  N = n + m                  (paper, Definition 2, Eq. 11)
 *
 * Each is non-decreasing on (0, 1). By Eq. 10 the mean of W_phi is close to the integral over mass a of phi(1
 * - p a - (1 - p) MV(a)), so phi' at small u is the weight of the abnormal end of the order (a near 1). The
 * shares in `looks_at` are the part of the loss of W_phi that results from scrambling the order of the outer
 * 10 % of the mass, measured on a two-dimensional normal law against a uniform one.
 *
 * To add one: see phi.h. */
#include "criterion/phi.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "criterion/pooled.h"
#include "kernels/normal.h"

#define TWO_ROOT_THREE 3.4641016151377545870548926830117
#define ROOT_TWO_PI 2.5066282746310005024157652848110

static double mww_value(double u, double parameter) {
  (void)parameter;
  return u;
}

static double mww_slope(double u, double parameter) {
  (void)u, (void)parameter;
  return 1;
}

static double logistic_value(double u, double parameter) {
  (void)parameter;
  return TWO_ROOT_THREE * (u - 0.5);
}

static double logistic_slope(double u, double parameter) {
  (void)u, (void)parameter;
  return TWO_ROOT_THREE;
}

static double logrank_value(double u, double parameter) {
  (void)parameter;
  return -log1p(-u); /* log1p keeps the digits when u is small */
}

static double logrank_slope(double u, double parameter) {
  (void)parameter;
  return 1 / (1 - u);
}

static double median_value(double u, double parameter) {
  (void)parameter;
  return (u > 0.5) - (u < 0.5);
}

static double van_der_waerden_value(double u, double parameter) {
  (void)parameter;
  return ank_normal_quantile(u);
}

static double van_der_waerden_slope(double u, double parameter) {
  (void)parameter;
  double x = ank_normal_quantile(u);
  return ROOT_TWO_PI * exp(0.5 * x * x);
}

static double truncated_value(double u, double u0) { return u >= u0 ? u : 0; }

/* The slope of the part above u0. At u0, phi jumps by u0, which no slope can show: a learner that follows
 * this slope ignores rows that cross the threshold. */
static double truncated_slope(double u, double u0) { return u >= u0; }

static double log_value(double u, double parameter) {
  (void)parameter;
  return log(u);
}

static double log_slope(double u, double parameter) {
  (void)parameter;
  return 1 / u;
}

static double clipped_value(double u, double c) { return u < c ? u : c; }

static double clipped_slope(double u, double c) { return u < c; }

const ank_phi ank_phi_mww = {{"mww", "u",
                              "Weighs the whole order equally: the area under the mass-volume curve. 27 % "
                              "comes from the outer 10 % of the mass.",
                              NULL, 1},
                             mww_value,
                             mww_slope,
                             ANK_NO_PARAMETER};

const ank_phi ank_phi_logistic = {
    {"logistic", "2 sqrt(3) (u - 1/2)", "mww on another scale; it always selects the same scorer.", NULL, 1},
    logistic_value,
    logistic_slope,
    ANK_NO_PARAMETER};

const ank_phi ank_phi_logrank = {
    {"logrank", "-log(1 - u)",
     "Weighs the most normal rows; only 10 % comes from the outer 10 % of the mass, where anomalies are.",
     NULL, 1},
    logrank_value,
    logrank_slope,
    ANK_NO_PARAMETER};

const ank_phi ank_phi_median = {
    {"median", "sgn(u - 1/2)", "Counts only the side of the pooled median on which a row falls.", NULL, 1},
    median_value,
    NULL,
    ANK_NO_PARAMETER};

const ank_phi ank_phi_van_der_waerden = {
    {"van_der_waerden", "normal quantile of u",
     "Weighs both ends more than the middle; 32 % comes from the outer 10 % of the mass.", NULL, 1},
    van_der_waerden_value,
    van_der_waerden_slope,
    ANK_NO_PARAMETER};

const ank_phi ank_phi_truncated = {{"truncated", "u if u >= u0, else 0",
                                    "Counts only the most normal rows, above u0; with u0 = 0.7 nothing comes "
                                    "from the outer 10 % of the mass, where anomalies are.",
                                    "truncated-u0", 1},
                                   truncated_value,
                                   truncated_slope,
                                   offsetof(anorank_settings, truncated_u0)};

const ank_phi ank_phi_log = {
    {"log", "log(u)", "Weighs the abnormal end: 62 % comes from the outer 10 % of the mass.", NULL, 0},
    log_value,
    log_slope,
    ANK_NO_PARAMETER};

const ank_phi ank_phi_clipped = {
    {"clipped", "min(u, c)",
     "Counts only the abnormal end, below c; with c = 0.3 all of it comes from the outer 10 % of the mass.",
     "clipped-c", 0},
    clipped_value,
    clipped_slope,
    offsetof(anorank_settings, clipped_c)};

static const ank_phi *const table[] = {
#define ANK_PHI(name) &ank_phi_##name,
#include "criterion/phis.inc"
#undef ANK_PHI
};

const ank_phi *ank_phi_at(size_t i) { return i < ANK_PHI_COUNT ? table[i] : NULL; }

const ank_phi *ank_phi_find(const char *name) {
  for (size_t i = 0; name && i < ANK_PHI_COUNT; i++)
    if (strcmp(table[i]->info.name, name) == 0) return table[i];
  return NULL;
}

const char *ank_phi_list(char *text, size_t size) {
  text[0] = '\0';
  for (size_t i = 0, used = 0; i < ANK_PHI_COUNT && used < size; i++)
    used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "", table[i]->info.name);
  return text;
}

double ank_phi_parameter(const ank_phi *phi, const anorank_settings *settings) {
  double value = 0;
  if (phi->parameter == ANK_NO_PARAMETER) return 0;
  memcpy(&value, (const char *)ank_settings_or_default(settings) + phi->parameter, sizeof value);
  return value;
}

double ank_phi_of_ties(const ank_phi *phi, double parameter, size_t before, size_t tied, size_t total,
                       anorank_ties ties) {
  double ranks = (double)total + 1, largest = phi->value((double)(before + tied) / ranks, parameter);
  ank_sum apart = {0}; /* relative to the largest: equal values then have exactly their mean */
  if (ties == ANORANK_TIES_MAX || tied == 1) return largest;
  for (size_t k = 1; k < tied; k++)
    ank_sum_add(&apart, phi->value((double)(before + k) / ranks, parameter) - largest);
  return largest + ank_sum_value(&apart) / (double)tied;
}

const anorank_phi *anorank_phi_at(size_t i) {
  const ank_phi *phi = ank_phi_at(i);
  return phi ? &phi->info : NULL;
}
