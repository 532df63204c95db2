/* chart_ticks.c - see chart_ticks.h. */
#include "report/chart_ticks.h"

#include <math.h>
#include <stdlib.h>

#include "core/print.h"
#include "table/cell_format.h"
#include "table/cell_text.h"

#define DAY 86400.0
#define MONTH (365.2425 / 12 * DAY)
#define FIRST_YEAR -62135596800.0 /* 0001-01-01 */
#define LAST_YEAR 253402300799.0  /* 9999-12-31 */

enum { NAME_SHOWN = 16 }; /* characters */

static int add(ank_ticks *ticks, const ank_axis *axis, double at) {
  double slack = 1e-9 * (axis->high - axis->low);
  if (at < axis->low - slack || at > axis->high + slack || ticks->count == ANK_NAMES_MAX) return 0;
  ticks->at[ticks->count++] = at;
  return 1;
}

/* ---- numbers ---- */

/* Return the smallest of 1, 2, 5 times a power of ten that cuts the range into at most `most` parts. */
static double round_step(double range, size_t most) {
  double raw = range / (double)most, power = pow(10, floor(log10(raw))), part = raw / power;
  const double slack = 1 + 1e-9; /* ten steps of 0.1 must fit into 1 */
  return power * (part <= slack ? 1 : part <= 2 * slack ? 2 : part <= 5 * slack ? 5 : 10);
}

static void mark_numbers(ank_ticks *ticks, const ank_axis *axis, size_t most) {
  double step;
  do {
    ticks->count = 0;
    step = round_step(axis->high - axis->low, most++);
    for (double k = ceil(axis->low / step - 1e-9); k <= axis->high / step + 1e-9; k++)
      if (!add(ticks, axis, k * step)) break;
  } while (ticks->count < 2 && most < 10);
  int decimals = (int)fmax(0, -floor(log10(step) + 1e-9));
  int plain = decimals <= 6 && fmax(fabs(axis->low), fabs(axis->high)) < 1e7;
  for (size_t i = 0; i < ticks->count; i++) {
    double at = fabs(ticks->at[i]) < step / 2 ? 0 : ticks->at[i]; /* never -0 */
    ank_print(ticks->text[i], sizeof ticks->text[i], plain ? "%.*f" : "%.*g", plain ? decimals : 7, at);
  }
}

/* ---- times ---- */

/* Write the part of "2026-04-01T12:30:00Z" that changes from one tick to the next. */
static void write_time(char *text, size_t size, double at, double step) {
  char whole[ANK_CELL_SIZE];
  int from = step < 60 ? 11 : step < DAY ? 5 : 0;
  int to = step < 60 ? 19 : step < DAY ? 16 : step < 28 * DAY ? 10 : 7;
  ank_time_text(whole, at, ANORANK_SECONDS);
  if (step < DAY) whole[10] = ' ';
  ank_print(text, size, "%.*s", to - from, whole + from);
}

/* Place a tick every `step` months, beginning with January of the year 0. */
static void mark_months(ank_ticks *ticks, const ank_axis *axis, long step) {
  char text[ANK_CELL_SIZE];
  ank_time_text(text, axis->low, ANORANK_DAYS);
  long first = 12 * strtol(text, NULL, 10) + strtol(text + 5, NULL, 10) - 1;
  double at = axis->low;
  for (long month = first - first % step; at <= axis->high; month += step) {
    at = DAY * (double)ank_days_from_civil(month / 12, (int)(month % 12) + 1, 1);
    add(ticks, axis, at);
  }
}

/* Place a tick every `step` seconds; weeks begin on Monday, like 1970-01-05. */
static void mark_seconds(ank_ticks *ticks, const ank_axis *axis, double step) {
  double origin = step >= 7 * DAY ? 4 * DAY : 0;
  for (double k = ceil((axis->low - origin) / step - 1e-9); origin + k * step <= axis->high; k++)
    if (!add(ticks, axis, origin + k * step)) return;
}

static void mark_times(ank_ticks *ticks, const ank_axis *axis, size_t most) {
  static const double steps[] = {1,         5,          15,         60,         300,         900,
                                 3600,      10800,      21600,      43200,      DAY,         2 * DAY,
                                 7 * DAY,   14 * DAY,   30 * DAY,   91 * DAY,   182 * DAY,   365 * DAY,
                                 730 * DAY, 1826 * DAY, 3652 * DAY, 9130 * DAY, 36524 * DAY, 365243 * DAY};
  size_t i = 0;
  while (i + 1 < sizeof steps / sizeof *steps && (axis->high - axis->low) / steps[i] > (double)most) i++;
  for (;; i--) { /* one tick shows no scale: use a finer step */
    ticks->count = 0;
    if (steps[i] > 28 * DAY)
      mark_months(ticks, axis, lround(steps[i] / MONTH));
    else
      mark_seconds(ticks, axis, steps[i]);
    if (ticks->count >= 2 || i == 0) break;
  }
  for (size_t k = 0; k < ticks->count; k++)
    write_time(ticks->text[k], sizeof ticks->text[k], ticks->at[k], steps[i]);
}

void ank_ticks_make(ank_ticks *ticks, const ank_axis *axis, size_t most) {
  if (most < 2) most = 2;
  if (most > ANK_NAMES_MAX - 1) most = ANK_NAMES_MAX - 1;
  ticks->count = 0;
  if (axis->names) {
    for (size_t i = 0; i < axis->name_count && add(ticks, axis, (double)i); i++)
      ank_text_cut(ticks->text[i], sizeof ticks->text[i], axis->names[i], NAME_SHOWN);
  } else if (axis->is_time && axis->high - axis->low >= 2 && axis->low >= FIRST_YEAR &&
             axis->high <= LAST_YEAR)
    mark_times(ticks, axis, most);
  else
    mark_numbers(ticks, axis, most);
}
