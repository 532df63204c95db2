/* cell_text.c - see cell_text.h. Days to dates: the proleptic Gregorian calendar in eras of 400 years. */
#include "table/cell_text.h"

#include <math.h>
#include <stdio.h>

#include "core/print.h"
#include "core/shortest.h"

_Static_assert(ANK_CELL_SIZE >= ANK_SHORTEST_SIZE, "a cell has room for a number");

#define DAY 86400
#define ERA_DAYS 146097 /* of 400 years */
#define LARGEST 3e13    /* seconds: years below 1,000,000 */

/* Years are counted from March, so that the leap day is the last of its year. */
ank_date ank_date_of(int64_t days) {
  days += 719468; /* days since 0000-03-01 */
  int64_t era = (days >= 0 ? days : days - (ERA_DAYS - 1)) / ERA_DAYS, in_era = days - era * ERA_DAYS;
  int64_t year = (in_era - in_era / 1460 + in_era / 36524 - in_era / 146096) / 365;
  int64_t in_year = in_era - (365 * year + year / 4 - year / 100), month = (5 * in_year + 2) / 153;
  ank_date out = {year + 400 * era + (month >= 10), (int)(month < 10 ? month + 3 : month - 9),
                  (int)(in_year - (153 * month + 2) / 5 + 1)};
  return out;
}

size_t ank_time_text(char text[ANK_CELL_SIZE], double seconds, anorank_resolution resolution) {
  static const struct {
    int digits;
    double parts;
  } fractions[] = {[ANORANK_DAYS] = {0, 1},
                   [ANORANK_SECONDS] = {0, 1},
                   [ANORANK_MILLISECONDS] = {3, 1e3},
                   [ANORANK_MICROSECONDS] = {6, 1e6},
                   [ANORANK_NANOSECONDS] = {9, 1e9}};
  if (!(fabs(seconds) < LARGEST)) return ank_shortest(text, seconds);
  double whole = floor(seconds), parts = nearbyint((seconds - whole) * fractions[resolution].parts);
  if (resolution == ANORANK_DAYS) parts = 0; /* the day that contains it, not the nearest midnight */
  if (parts >= fractions[resolution].parts) whole += 1, parts = 0;
  int64_t clock = (int64_t)whole, days = clock / DAY - (clock % DAY < 0);
  ank_date on = ank_date_of(days);
  int rest = (int)(clock - days * DAY), plain = on.year >= 0 && on.year <= 9999;
  int length = snprintf(text, ANK_CELL_SIZE, plain ? "%04lld-%02d-%02d" : "%+07lld-%02d-%02d",
                        (long long)on.year, on.month, on.day);
  if (resolution == ANORANK_DAYS) return (size_t)length;
  length += snprintf(text + length, (size_t)(ANK_CELL_SIZE - length), "T%02d:%02d:%02d", rest / 3600,
                     rest / 60 % 60, rest % 60);
  if (fractions[resolution].digits > 0)
    length += ank_print(text + length, (size_t)(ANK_CELL_SIZE - length), ".%0*.0f",
                        fractions[resolution].digits, parts);
  text[length++] = 'Z';
  return (size_t)length;
}

int ank_cell_is_missing(const ank_column *column, size_t row) {
  return column->kind == ANORANK_CATEGORICAL ? column->codes[row] < 0 : isnan(column->numbers[row]) != 0;
}

size_t ank_cell_number(char text[ANK_CELL_SIZE], const ank_column *column, size_t row) {
  double x = column->numbers[row];
  return column->kind == ANORANK_TIME ? ank_time_text(text, x, column->resolution) : ank_shortest(text, x);
}
