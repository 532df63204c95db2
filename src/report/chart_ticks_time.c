/* chart_ticks_time.c - marks of axes that are no plain numbers: times, names, borders of shades; see chart_ticks.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/print.h"
#include "report/chart_ink.h"
#include "report/chart_ticks.h"
#include "table/cell_text.h"
#include "table/spelling.h"

#define DAY 86400.0
#define FIRST_YEAR -62135596800.0 /* 0001-01-01 */
#define LAST_YEAR 253402300799.0  /* 9999-12-31 */

enum { NAME_SHOWN = 16 }; /* characters */

/* "2026-04-01T12:30:00Z", and the piece of it that tells marks `step` apart within the range. */
static void write_moment(char *text, size_t size, double at, double step, int within_a_day) {
  char whole[ANK_CELL_SIZE];
  int from = 0, length = 10; /* the day */
  ank_time_text(whole, at, ANORANK_SECONDS);
  if (step >= 365 * DAY)
    length = 4;
  else if (step >= 28 * DAY)
    length = 7;
  else if (step < DAY) {
    from = within_a_day ? 11 : 5;
    length = (step < 60 ? 19 : 16) - from;
  }
  snprintf(text, size, "%.*s", length, whole + from);
  char *between = strchr(text, 'T');
  if (between) *between = ' ';
}

static void add_moment(ank_ticks *ticks, double at, double step, double low, double high) {
  double slack = 1e-9 * (high - low);
  if (at < low - slack || at > high + slack || ticks->count == ANK_TICKS_MAX) return;
  write_moment(ticks->text[ticks->count], sizeof ticks->text[0], at, step,
               floor(low / DAY) == floor(high / DAY));
  ticks->at[ticks->count++] = at;
}

/* Every so many months, of January on. */
static void mark_months(ank_ticks *ticks, double low, double high, long step) {
  char text[ANK_CELL_SIZE];
  ank_time_text(text, low, ANORANK_DAYS);
  long first = 12 * strtol(text, NULL, 10) + strtol(text + 5, NULL, 10) - 1;
  for (long month = first - first % step;; month += step) {
    double at = DAY * (double)ank_days_from_civil(month / 12, (int)(month % 12) + 1, 1);
    if (at > high) return;
    add_moment(ticks, at, step < 12 ? 28 * DAY : 365 * DAY, low, high);
  }
}

/* Every so many seconds; weeks begin on Monday, as 1970-01-05 did. */
static void mark_seconds(ank_ticks *ticks, double low, double high, double step) {
  double origin = step >= 7 * DAY ? 4 * DAY : 0;
  for (double k = ceil((low - origin) / step - 1e-9); origin + k * step <= high; k++)
    add_moment(ticks, origin + k * step, step, low, high);
}

void ank_ticks_time(ank_ticks *ticks, double low, double high, size_t most) {
  static const double seconds[] = {1,   2,    5,    10,    15,    30,    60,  120,     300,     600,
                                   900, 1800, 3600, 10800, 21600, 43200, DAY, 2 * DAY, 7 * DAY, 14 * DAY};
  static const long months[] = {1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 2400, 6000, 12000};
  double span = high - low;
  if (most < 1) most = 1;
  if (most > ANK_TICKS_MAX - 1) most = ANK_TICKS_MAX - 1;
  if (!(span >= 2) || low < FIRST_YEAR || high > LAST_YEAR) {
    ank_ticks_linear(ticks, low, high, most);
    return;
  }
  ticks->count = 0;
  for (size_t i = 0; i < sizeof seconds / sizeof *seconds; i++)
    if (span / seconds[i] <= (double)most) {
      mark_seconds(ticks, low, high, seconds[i]);
      if (ticks->count >= 2) return;
      ticks->count = 0;
      mark_seconds(ticks, low, high, i > 0 ? seconds[i - 1] : seconds[i]); /* one mark gives no scale */
      return;
    }
  for (size_t i = 0; i < sizeof months / sizeof *months; i++)
    if (span / (30.4 * DAY * (double)months[i]) <= (double)most) {
      mark_months(ticks, low, high, months[i]);
      if (ticks->count >= 2) return;
      ticks->count = 0;
      if (i > 0)
        mark_months(ticks, low, high, months[i - 1]);
      else
        mark_seconds(ticks, low, high, 14 * DAY);
      return;
    }
}

void ank_ticks_named(ank_ticks *ticks, char *const *names, size_t count) {
  ticks->count = count < ANK_TICKS_MAX ? count : ANK_TICKS_MAX;
  for (size_t i = 0; i < ticks->count; i++) {
    ticks->at[i] = (double)i;
    ank_text_cut(ticks->text[i], sizeof ticks->text[i], names[i], NAME_SHOWN);
  }
}

void ank_ticks_bounds(ank_ticks *ticks, const double *bounds, size_t count) {
  ticks->count = count < ANK_TICKS_MAX ? count : ANK_TICKS_MAX;
  for (size_t i = 0; i < ticks->count; i++) {
    ticks->at[i] = (double)i + 1;
    ank_print(ticks->text[i], sizeof ticks->text[i], "%g", bounds[i]);
  }
}
