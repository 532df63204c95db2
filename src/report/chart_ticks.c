/* chart_ticks.c - see chart_ticks.h. */
#include "report/chart_ticks.h"
#include "core/print.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Beyond these the arithmetic of spans and of log axes would overflow. */
#define LARGEST 1e300
#define SMALLEST_POSITIVE 1e-300

static const char *const minus = "\xe2\x88\x92"; /* U+2212, as wide as the digits */

static double power_of_ten(int exponent) { return pow(10.0, exponent); }

/* k * mantissa * 10^exponent with one rounding, so that 3 * 0.1 is 0.3. */
static double multiple(double k, double mantissa, int exponent) {
  return exponent < 0 && exponent > -300 ? k * mantissa / power_of_ten(-exponent)
                                         : k * mantissa * power_of_ten(exponent);
}

static void nice_step(double span, size_t most, double *mantissa, int *exponent) {
  double raw = span / (double)most;
  *exponent = (int)floor(log10(raw));
  double part = raw / power_of_ten(*exponent);
  const double slack = 1 + 1e-9; /* so that a span of exactly 10 steps of 0.1 does not take 0.2 */
  *mantissa = part <= slack ? 1 : part <= 2 * slack ? 2 : part <= 5 * slack ? 5 : 10;
  if (*mantissa == 10) {
    *mantissa = 1;
    ++*exponent;
  }
}

double ank_tick_step(double span, size_t most) {
  double mantissa;
  int exponent;
  nice_step(span, most, &mantissa, &exponent);
  return multiple(1, mantissa, exponent);
}

size_t ank_format_fixed(char *text, size_t size, double value, int decimals) {
  char digits[352];
  if (decimals < 0) decimals = 0;
  if (decimals > 17) decimals = 17;
  /* "%.0f" has no decimal point, so no locale can change it; the point is put in by hand. */
  int count = ank_print(digits, sizeof digits, "%.0f", fabs(value) * power_of_ten(decimals));
  const char *sign = value < 0 && strspn(digits, "0") < (size_t)count ? minus : "";
  int whole = count - decimals;
  int length =
      whole > 0 ? snprintf(text, size, "%s%.*s%s%s", sign, whole, digits, decimals ? "." : "", digits + whole)
                : snprintf(text, size, "%s0.%.*s%s", sign, -whole, "00000000000000000", digits);
  return length < 0 ? 0 : (size_t)length;
}

static void append_power(char *text, size_t size, int exponent) {
  static const char *const raised[] = {"\xe2\x81\xb0", "\xc2\xb9",     "\xc2\xb2",     "\xc2\xb3",
                                       "\xe2\x81\xb4", "\xe2\x81\xb5", "\xe2\x81\xb6", "\xe2\x81\xb7",
                                       "\xe2\x81\xb8", "\xe2\x81\xb9"};
  char digits[16];
  snprintf(digits, sizeof digits, "%d", exponent < 0 ? -exponent : exponent);
  size_t used = strlen(text);
  used += (size_t)snprintf(text + used, size - used, "10%s", exponent < 0 ? "\xe2\x81\xbb" : "");
  for (const char *digit = digits; *digit; digit++)
    used += (size_t)snprintf(text + used, size - used, "%s", raised[*digit - '0']);
}

/* `value` = mantissa * 10^exponent, written so; a mantissa of 1 is left out where `bare`. */
static void format_power(char *text, size_t size, double value, int exponent, int decimals, int bare) {
  double mantissa = exponent > -300 ? value / power_of_ten(exponent) : value * power_of_ten(-exponent);
  text[0] = '\0';
  if (value == 0) {
    snprintf(text, size, "0");
    return;
  }
  if (!(bare && fabs(mantissa - 1) < 1e-9)) {
    ank_format_fixed(text, size, mantissa, decimals);
    size_t used = strlen(text);
    snprintf(text + used, size - used, "\xc3\x97"); /* multiplication sign */
  }
  append_power(text, size, exponent);
}

/* All labels of an axis in one form: plain where that is short, else with a common power of ten. */
static void write_linear(ank_ticks *ticks, int step_exponent) {
  double largest = 0;
  for (size_t i = 0; i < ticks->count; i++) largest = fmax(largest, fabs(ticks->at[i]));
  int exponent = largest > 0 ? (int)floor(log10(largest) + 1e-12) : 0;
  int digits = exponent - step_exponent; /* after the first */
  int plain = (exponent < 6 && step_exponent >= -4) || (digits > 4 && exponent <= 12 && step_exponent >= -9);
  for (size_t i = 0; i < ticks->count; i++) {
    if (plain)
      ank_format_fixed(ticks->text[i], sizeof ticks->text[i], ticks->at[i], -step_exponent);
    else
      format_power(ticks->text[i], sizeof ticks->text[i], ticks->at[i], exponent, digits, 0);
  }
}

void ank_ticks_linear(ank_ticks *ticks, double low, double high, size_t most) {
  double mantissa;
  int exponent;
  if (most < 1) most = 1;
  if (most > ANK_TICKS_MAX - 1) most = ANK_TICKS_MAX - 1;
  do {
    nice_step(high - low, most, &mantissa, &exponent);
    double step = multiple(1, mantissa, exponent);
    double first = ceil(low / step - 1e-9), last = floor(high / step + 1e-9);
    ticks->count = 0;
    for (double k = first; k <= last && ticks->count < ANK_TICKS_MAX; k++)
      ticks->at[ticks->count++] = k == 0 ? 0 : multiple(k, mantissa, exponent); /* never -0 */
  } while (ticks->count < 2 && ++most <= 5);                                    /* one tick gives no scale */
  write_linear(ticks, exponent);
}

static void add_log(ank_ticks *ticks, double mantissa, int exponent) {
  if (ticks->count == ANK_TICKS_MAX) return;
  size_t i = ticks->count++;
  ticks->at[i] = multiple(1, mantissa, exponent);
  if (exponent >= -3 && exponent <= 4)
    ank_format_fixed(ticks->text[i], sizeof ticks->text[i], ticks->at[i], exponent < 0 ? -exponent : 0);
  else
    format_power(ticks->text[i], sizeof ticks->text[i], ticks->at[i], exponent, 0, 1);
}

void ank_ticks_log(ank_ticks *ticks, double low, double high, size_t most) {
  if (most < 1) most = 1;
  if (most > ANK_TICKS_MAX - 1) most = ANK_TICKS_MAX - 1;
  if (high / low < 4) {
    ank_ticks_linear(ticks, low, high, most);
    return;
  }
  int first = (int)floor(log10(low) + 1e-9), last = (int)ceil(log10(high) - 1e-9);
  double decades = log10(high) - log10(low);
  /* 1, 2, 5 of each decade if they fit, else the powers alone, else every so many of them. */
  int between = 3 * decades <= (double)most || decades < 2;
  int stride = between ? 1 : (int)ceil(decades / (double)most);
  ticks->count = 0;
  for (int exponent = first; exponent <= last; exponent++) {
    if (exponent % stride != 0) continue;
    for (int i = 0; i < (between ? 3 : 1); i++) {
      double mantissa = (const double[]){1, 2, 5}[i];
      double value = multiple(1, mantissa, exponent);
      if (value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9)) add_log(ticks, mantissa, exponent);
    }
  }
}

void ank_range_repair(double *low, double *high, int is_log) {
  double bottom = is_log ? SMALLEST_POSITIVE : -LARGEST;
  if (!(*low <= *high)) { /* nothing to show, or NaN */
    *low = is_log ? 0.1 : 0;
    *high = 1;
  }
  *low = fmin(fmax(*low, bottom), LARGEST);
  *high = fmin(fmax(*high, bottom), LARGEST);
  double size = fmax(fabs(*low), fabs(*high));
  if (*high - *low > size * 1e-9) return;
  if (is_log) {
    *low /= 2;
    *high *= 2;
  } else {
    double half = size > 0 ? size * 0.1 : 1;
    *low -= half;
    *high += half;
  }
}
