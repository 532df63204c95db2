/* detect.c - what a column looks like: an identifier, a time, a row number, or something to learn from.
 *
 * Identifiers and times say where a row stands, not what it is like: every new row has a new one, so a scorer
 * that learned from them would find all new rows abnormal. The rules ask for many rows before they exclude
 * anything, and --columns overrules them. */
#include <math.h>
#include <string.h>

#include "prepare/prepare_parts.h"

#define FEWEST_ROWS 10       /* for whole numbers in a pattern */
#define FEWEST_NAMES 50      /* a column with more levels than this, most of them different, holds names */
#define FEWEST_TIMES 10      /* a column with more dates than this is a time */
#define MOST_LOOKED_AT 1000  /* levels that are tried for being times */
#define ENOUGH_RISING 0.75   /* share of steps upward in a column of times */
#define LARGEST_EXACT 0x1p53 /* above, whole numbers have gaps */

/* ---- texts ------------------------------------------------------------------------------------------- */

static int is_digit(char c) { return c >= '0' && c <= '9'; }

/* A whole number of up to `most` digits, and how many there were: 0 if none. */
static size_t take_digits(const char **text, size_t most, int *value) {
  size_t count = 0;
  *value = 0;
  for (; count < most && is_digit(**text); count++, (*text)++) *value = 10 * *value + (**text - '0');
  return count;
}

/* A day and a month, in either order. */
static int day_and_month(int a, int b) {
  return a >= 1 && b >= 1 && a <= 31 && b <= 31 && (a <= 12 || b <= 12);
}

/* 2024-05-01, 2024/5/1, 01.05.2024, 1/5/24: the year comes first with four digits, or last. */
static int take_date(const char **text) {
  const char *p = *text;
  int a, b, c;
  size_t first = take_digits(&p, 4, &a);
  char separator = *p;
  if (first == 0 || (separator != '-' && separator != '/' && separator != '.')) return 0;
  p++;
  size_t second = take_digits(&p, 2, &b);
  if (second == 0 || *p != separator) return 0;
  p++;
  size_t third = take_digits(&p, 4, &c);
  if (is_digit(*p)) return 0;
  int year_first = first == 4 && (third == 1 || third == 2) && day_and_month(b, c);
  int year_last = first <= 2 && (third == 2 || third == 4) && day_and_month(a, b);
  /* 1.4.12 is rather a version than a date. */
  if (separator == '.' && third == 2 && !year_first && first + second < 4) return 0;
  if (!year_first && !year_last) return 0;
  *text = p;
  return 1;
}

/* Z, PM, UTC or an offset such as +02:00 after a time; nothing is fine, too. */
static int take_zone(const char **text) {
  static const char *const zones[] = {"Z",  " AM", " PM", " am",  " pm", "AM",
                                      "PM", "am",  "pm",  " UTC", " GMT"};
  const char *p = *text;
  int value;
  for (size_t i = 0; i < sizeof zones / sizeof zones[0]; i++) {
    size_t length = strlen(zones[i]);
    if (strncmp(p, zones[i], length) != 0) continue;
    p += length;
    break;
  }
  if (*p == ' ' && (p[1] == '+' || p[1] == '-')) p++;
  if (*p == '+' || *p == '-') {
    p++;
    if (take_digits(&p, 2, &value) != 2) return 0;
    if (*p == ':') p++;
    if (take_digits(&p, 2, &value) == 1) return 0;
  }
  *text = p;
  return 1;
}

/* 10:00, 10:00:59, 10:00:59.123 */
static int take_time(const char **text) {
  const char *p = *text;
  int value;
  if (take_digits(&p, 2, &value) == 0 || value > 24 || *p != ':') return 0;
  p++;
  if (take_digits(&p, 2, &value) != 2 || value > 59) return 0;
  if (*p == ':') {
    p++;
    if (take_digits(&p, 2, &value) != 2 || value > 60) return 0;
    if (*p == '.' || *p == ',') {
      p++;
      if (take_digits(&p, 9, &value) == 0) return 0;
    }
  }
  *text = p;
  return take_zone(text);
}

int ank_is_time_text(const char *text) {
  if (take_date(&text)) {
    if (*text == '\0') return 1;
    if (*text != 'T' && *text != ' ' && *text != '_') return 0;
    text++;
  }
  return take_time(&text) && *text == '\0';
}

ank_look ank_look_at_texts(const ank_levels *levels, size_t filled) {
  if (levels->count == 0) return ANK_LOOKS_EMPTY;
  size_t looked_at = levels->count < MOST_LOOKED_AT ? levels->count : MOST_LOOKED_AT, times = 0;
  size_t step = levels->count / looked_at;
  for (size_t i = 0; i < looked_at; i++) times += (size_t)ank_is_time_text(levels->text[i * step]);
  if (levels->count > FEWEST_TIMES && times * 10 >= looked_at * 9) return ANK_LOOKS_TIME;
  if (levels->count > FEWEST_NAMES && levels->count > filled / 2) return ANK_LOOKS_NAME;
  return ANK_LOOKS_PLAIN;
}

/* ---- numbers ----------------------------------------------------------------------------------------- */

static int all_whole(const double *values, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (!(fabs(values[i]) <= LARGEST_EXACT) || values[i] != floor(values[i])) return 0;
  return 1;
}

/* Equal steps between neighbours of a sorted column: also row numbers that were shuffled with the rows. */
static int equal_steps(const double *sorted, size_t n) {
  double step = sorted[1] - sorted[0];
  if (step <= 0) return 0;
  for (size_t i = 2; i < n; i++)
    if (sorted[i] - sorted[i - 1] != step) return 0;
  return 1;
}

/* Steps up between cells that are filled; `*steps` counts all steps, `*strictly` says that all are up. */
static size_t rising_steps(const double *values, size_t n, size_t *steps, int *strictly) {
  size_t rising = 0;
  double before = NAN;
  *steps = 0;
  *strictly = 1;
  for (size_t i = 0; i < n; i++) {
    if (!isfinite(values[i])) continue;
    if (!isnan(before)) {
      ++*steps;
      rising += values[i] >= before;
      if (!(values[i] > before)) *strictly = 0;
    }
    before = values[i];
  }
  return rising;
}

static int within(const double *sorted, size_t n, double low, double high) {
  return sorted[0] >= low && sorted[n - 1] <= high;
}

ank_look ank_look_at_numbers(const double *values, size_t n, const double *sorted, size_t finite) {
  size_t steps;
  int strictly;
  if (finite < FEWEST_ROWS || !all_whole(sorted, finite)) return ANK_LOOKS_PLAIN;
  if (finite == n && equal_steps(sorted, finite)) return ANK_LOOKS_ROW_NUMBER;
  size_t rising = rising_steps(values, n, &steps, &strictly);
  if (sorted[0] < sorted[finite - 1] &&
      (within(sorted, finite, 1e9, 2e9) || within(sorted, finite, 1e12, 2e12)))
    return (double)rising >= ENOUGH_RISING * (double)steps ? ANK_LOOKS_UNIX_TIME : ANK_LOOKS_UNIX_SHUFFLED;
  return strictly && finite == n ? ANK_LOOKS_RISING : ANK_LOOKS_PLAIN;
}

int ank_look_excludes(ank_look look) {
  return look == ANK_LOOKS_EMPTY || look == ANK_LOOKS_NAME || look == ANK_LOOKS_TIME ||
         look == ANK_LOOKS_ROW_NUMBER || look == ANK_LOOKS_UNIX_TIME;
}
