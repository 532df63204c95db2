/* chart_ticks.h - where the marks of an axis stand and what is written at them. */
#ifndef ANK_REPORT_CHART_TICKS_H
#define ANK_REPORT_CHART_TICKS_H

#include <stddef.h>

#define ANK_TICKS_MAX 24

typedef struct ank_ticks {
  size_t count;
  double at[ANK_TICKS_MAX];
  char text[ANK_TICKS_MAX][32]; /* UTF-8: real minus signs, powers of ten with raised exponents */
} ank_ticks;

/* The smallest of 1, 2, 5 times a power of ten that cuts `span` > 0 into at most `most` >= 1 parts. */
double ank_tick_step(double span, size_t most);

/* Multiples of a nice step within [low, high]: at most `most` + 1, unless it takes more to have two. */
void ank_ticks_linear(ank_ticks *ticks, double low, double high, size_t most);

/* The same for 0 < low < high on a log axis: powers of ten, with 2 and 5 in between where there is room, or
 * plain multiples where the range is less than a factor of four. */
void ank_ticks_log(ank_ticks *ticks, double low, double high, size_t most);

/* The same for seconds since 1970: round seconds, minutes, hours, days, months or years of UTC, and dates or hours as
 * texts. Ranges below two seconds and beyond the years 1 to 9999 are marked as numbers. */
void ank_ticks_time(ank_ticks *ticks, double low, double high, size_t most);

/* At 0, 1, ... `count` - 1 <= ANK_TICKS_MAX the names, cut where they are long. */
void ank_ticks_named(ank_ticks *ticks, char *const *names, size_t count);

/* At 1, 2, ... the numbers that part shades. */
void ank_ticks_bounds(ank_ticks *ticks, const double *bounds, size_t count);

/* A range that can be drawn: finite, low < high, apart enough for doubles, positive on a log axis. Where
 * `low` and `high` are no range (no data gives low > high) one around them is made up. */
void ank_range_repair(double *low, double *high, int is_log);

/* `value` with `decimals` digits after the point, whatever the locale; returns the length. */
size_t ank_format_fixed(char *text, size_t size, double value, int decimals);

#endif
