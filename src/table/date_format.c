/* date_format.c - formats of dates and times of day; see cell_format.h.
 *
 *   2025-12-31  2025/12/31  2025.12.31  2025年12月31日  31.12.2025  12/31/2025  31-12-25  31 Dec 2025  Dec 31, 2025
 *   23:59  23:59:59  23:59:59.123  11:59 PM
 *   both, with T, a blank, a comma or _ between them, followed by Z, UTC, GMT, +01:00, +0100 or +01
 *   20251231T235959Z, and 20251231 if a whole column has this form */
#include <string.h>

#include "core/ascii.h"
#include "table/cell_format.h"

typedef struct date {
  int year, month, day;
} date;

static int is_digit(char c) { return c >= '0' && c <= '9'; }

/* Read a whole number of up to `most` digits. Returns their number, 0 if there are none. */
static size_t take_digits(const char **text, size_t most, int *value) {
  size_t count = 0;
  *value = 0;
  for (; count < most && is_digit(**text); count++, (*text)++) *value = 10 * *value + (**text - '0');
  return count;
}

long ank_days_from_civil(long year, int month, int day) {
  /* Years begin in March, so that the leap day is their last; 400 years have 146097 days. */
  year -= month <= 2;
  long era = (year >= 0 ? year : year - 399) / 400;
  long of_era = year - era * 400;
  long of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

void ank_civil_from_days(long *year, int *month, double days) {
  int64_t z = (int64_t)days + 719468, era = (z >= 0 ? z : z - 146096) / 146097, of_era = z - era * 146097;
  int64_t from_march = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
  int64_t of_year = of_era - (365 * from_march + from_march / 4 - from_march / 100);
  int64_t third = (5 * of_year + 2) / 153; /* 0: March */
  *month = (int)(third < 10 ? third + 3 : third - 9);
  *year = (long)(from_march + era * 400 + (*month <= 2));
}

static int is_date(int year, int month, int day) {
  static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  if (year < 1 || month < 1 || month > 12 || day < 1) return 0;
  int leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return day <= days[month - 1] + (month == 2 && leap);
}

static int full_year(int year, size_t digits) {
  return digits == 2 ? year + (year < 69 ? 2000 : 1900) : year;
}

/* ---- dates ------------------------------------------------------------------------------------------- */

/* Read the month whose name, in English, German, French, Spanish or Swedish, begins with the letters at p. */
static int take_month(const char **text) {
  static const struct {
    const char *start;
    int month;
  } names[] = {{"jan", 1},  {"fe", 2},   {"fé", 2},   {"mär", 3},  {"mrz", 3},  {"mar", 3}, {"apr", 4},
               {"avr", 4},  {"abr", 4},  {"may", 5},  {"mai", 5},  {"maj", 5},  {"jun", 6}, {"juin", 6},
               {"juil", 7}, {"jul", 7},  {"aug", 8},  {"aoû", 8},  {"ago", 8},  {"sep", 9}, {"oct", 10},
               {"okt", 10}, {"nov", 11}, {"dec", 12}, {"dez", 12}, {"déc", 12}, {"dic", 12}};
  const char *p = *text;
  while ((*p | 0x20) >= 'a' && (*p | 0x20) <= 'z') p++;
  while ((unsigned char)*p >= 0x80 || ((*p | 0x20) >= 'a' && (*p | 0x20) <= 'z')) p++;
  size_t length = (size_t)(p - *text);
  if (length < 3 || length > 12) return 0;
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    if (!ank_same_start(*text, names[i].start, strlen(names[i].start))) continue;
    *text = p + (*p == '.');
    return names[i].month;
  }
  return 0;
}

static void pass(const char **text, const char *which) {
  while (**text && strchr(which, **text)) (*text)++;
}

/* 31 Dec 2025, 31-Dec-25, 31. Dezember 2025, Dec 31, 2025 */
static int take_named_date(date *out, const char **text) {
  const char *p = *text;
  int year;
  size_t digits = take_digits(&p, 2, &out->day);
  if (digits) pass(&p, ". -/");
  out->month = take_month(&p);
  if (!out->month) return 0;
  pass(&p, " -/");
  if (!digits) {
    if (take_digits(&p, 2, &out->day) == 0) return 0;
    pass(&p, ", ");
  }
  digits = take_digits(&p, 4, &year);
  if ((digits != 4 && digits != 2) || is_digit(*p)) return 0;
  out->year = full_year(year, digits);
  if (!is_date(out->year, out->month, out->day)) return 0;
  *text = p;
  return 1;
}

static int take_japanese_date(date *out, const char **text) {
  const char *p = *text;
  if (take_digits(&p, 4, &out->year) != 4 || strncmp(p, "年", 3) != 0) return 0;
  p += 3;
  if (take_digits(&p, 2, &out->month) == 0 || strncmp(p, "月", 3) != 0) return 0;
  p += 3;
  if (take_digits(&p, 2, &out->day) == 0 || strncmp(p, "日", 3) != 0) return 0;
  *text = p + 3;
  return is_date(out->year, out->month, out->day);
}

/* Read 20251231 followed by a T; without it, it is a number. */
static int take_compact_date(date *out, const char **text) {
  const char *p = *text;
  int value;
  if (take_digits(&p, 8, &value) != 8 || *p != 'T') return 0;
  *out = (date){value / 10000, value / 100 % 100, value % 100};
  *text = p;
  return is_date(out->year, out->month, out->day);
}

/* Read three numbers. Returns the orders in which they are a date. */
static unsigned take_three(int part[3], size_t digits[3], const char **text) {
  const char *p = *text;
  digits[0] = take_digits(&p, 4, &part[0]);
  char separator = *p;
  if (digits[0] == 0 || (separator != '-' && separator != '/' && separator != '.')) return 0;
  p++;
  digits[1] = take_digits(&p, 2, &part[1]);
  if (digits[1] == 0 || *p != separator) return 0;
  p++;
  if (*p == ' ') p++; /* 31. 12. 2025 is allowed, but then both points have the blank */
  digits[2] = take_digits(&p, 4, &part[2]);
  if (is_digit(*p)) return 0;
  *text = p;
  if (digits[0] == 4) return digits[2] == 1 || digits[2] == 2 ? ANK_DATE_YMD : 0;
  if (digits[0] > 2 || (digits[2] != 2 && digits[2] != 4)) return 0;
  /* 1.4.12 is a version rather than a date. */
  if (separator == '.' && digits[2] == 2 && digits[0] + digits[1] < 4) return 0;
  return ANK_DATE_DMY | ANK_DATE_MDY;
}

static unsigned take_date(date *out, const char **text, unsigned order) {
  int part[3];
  size_t digits[3];
  const char *p = *text;
  if (take_japanese_date(out, text) || take_compact_date(out, text) || take_named_date(out, text))
    return ANK_DATE_ANY & order;
  unsigned possible = take_three(part, digits, &p) & order, fits = 0;
  if (possible & ANK_DATE_MDY && is_date(full_year(part[2], digits[2]), part[0], part[1])) {
    *out = (date){full_year(part[2], digits[2]), part[0], part[1]};
    fits |= ANK_DATE_MDY;
  }
  if (possible & ANK_DATE_DMY && is_date(full_year(part[2], digits[2]), part[1], part[0])) {
    *out = (date){full_year(part[2], digits[2]), part[1], part[0]};
    fits |= ANK_DATE_DMY;
  }
  if (possible & ANK_DATE_YMD && is_date(part[0], part[1], part[2])) {
    *out = (date){part[0], part[1], part[2]};
    fits |= ANK_DATE_ANY & order; /* the year first: unambiguous */
  }
  if (fits) *text = p;
  return fits;
}

/* ---- times ------------------------------------------------------------------------------------------- */

/* Read +01:00, +0100, +01, Z, UTC or GMT: seconds to subtract. */
static int take_zone(long *offset, int *has_zone, const char **text) {
  const char *p = *text;
  int hours, minutes = 0;
  *offset = 0;
  *has_zone = 0;
  if (*p == ' ' && p[1] && strchr("+-ZUG", p[1])) p++;
  if (*p == 'Z' || *p == 'z') {
    *has_zone = 1;
    p++;
  } else if (strncmp(p, "UTC", 3) == 0 || strncmp(p, "GMT", 3) == 0) {
    *has_zone = 1;
    p += 3;
  }
  if (*p == '+' || *p == '-') {
    int negative = *p++ == '-';
    if (take_digits(&p, 2, &hours) != 2 || hours > 15) return 0;
    if (*p == ':') p++;
    size_t digits = take_digits(&p, 2, &minutes);
    if (digits == 1 || minutes > 59) return 0;
    *offset = (hours * 3600L + minutes * 60L) * (negative ? -1 : 1);
    *has_zone = 1;
  }
  *text = p;
  return 1;
}

static int take_half_day(int *hours, const char **text) {
  const char *p = *text;
  if (*p == ' ') p++;
  if (((*p | 0x20) != 'a' && (*p | 0x20) != 'p') || (p[1] | 0x20) != 'm') return 1;
  if (*hours < 1 || *hours > 12) return 0;
  *hours = *hours % 12 + ((*p | 0x20) == 'p' ? 12 : 0);
  *text = p + 2;
  return 1;
}

/* Read a time. Returns the seconds since midnight, -1 if there is none. */
static double take_time(int *digits, int *has_zone, long *offset, const char **text) {
  const char *p = *text;
  int hours, minutes, seconds = 0;
  double fraction = 0, unit = 0.1;
  *digits = 0;
  size_t first = take_digits(&p, 2, &hours);
  if (first == 0 || hours > 24) return -1;
  int compact = first == 2 && is_digit(*p);
  if (!compact && *p++ != ':') return -1;
  if (take_digits(&p, 2, &minutes) != 2 || minutes > 59) return -1;
  if (compact ? is_digit(*p) : *p == ':') {
    if (!compact) p++;
    if (take_digits(&p, 2, &seconds) != 2 || seconds > 60) return -1;
    if ((*p == '.' || *p == ',') && is_digit(p[1]))
      for (p++; is_digit(*p); p++, unit /= 10, ++*digits) fraction += (*p - '0') * unit;
  }
  if (hours == 24 && (minutes || seconds || fraction > 0)) return -1;
  if (!take_half_day(&hours, &p) || !take_zone(offset, has_zone, &p)) return -1;
  *text = p;
  return hours * 3600.0 + minutes * 60.0 + seconds + fraction;
}

int ank_duration_parse(double *seconds, const char *text, size_t length) {
  char copy[64];
  const char *p = copy;
  int hours, minutes, rest = 0, negative = length > 0 && *text == '-';
  double fraction = 0, unit = 0.1;
  if (length == 0 || length >= sizeof copy) return 0;
  memcpy(copy, text, length);
  copy[length] = '\0';
  p += negative;
  if (take_digits(&p, 6, &hours) == 0 || *p++ != ':') return 0;
  if (take_digits(&p, 2, &minutes) != 2 || minutes > 59) return 0;
  if (*p == ':') {
    p++;
    if (take_digits(&p, 2, &rest) != 2 || rest > 59) return 0;
    if ((*p == '.' || *p == ',') && is_digit(p[1]))
      for (p++; is_digit(*p); p++, unit /= 10) fraction += (*p - '0') * unit;
  }
  if (*p) return 0;
  *seconds = hours * 3600.0 + minutes * 60.0 + rest + fraction;
  if (negative) *seconds = -*seconds;
  return 1;
}

int ank_compact_moment_parse(ank_moment *out, const char *text, size_t length) {
  enum { FIRST_YEAR = 1900, LAST_YEAR = 2100 };
  char copy[16];
  const char *p = copy;
  int day, hours = 0, minutes = 0, seconds = 0;
  if (length != 8 && length != 12 && length != 14) return 0;
  memcpy(copy, text, length);
  copy[length] = '\0';
  if (take_digits(&p, 8, &day) != 8) return 0;
  int year = day / 10000, month = day / 100 % 100;
  day %= 100;
  if (year < FIRST_YEAR || year > LAST_YEAR || !is_date(year, month, day)) return 0;
  if (*p && (take_digits(&p, 2, &hours) != 2 || take_digits(&p, 2, &minutes) != 2)) return 0;
  if (*p && take_digits(&p, 2, &seconds) != 2) return 0;
  if (hours > 23 || minutes > 59 || seconds > 59) return 0;
  *out = (ank_moment){.has_date = 1, .has_time = length > 8};
  out->seconds =
      (double)ank_days_from_civil(year, month, day) * 86400.0 + hours * 3600.0 + minutes * 60.0 + seconds;
  return 1;
}

static unsigned parse(ank_moment *out, const char *text, size_t length, unsigned order) {
  char copy[64];
  const char *p = copy;
  date day = {0};
  long offset = 0;
  unsigned fits = order;
  if (length == 0 || length >= sizeof copy) return 0;
  memcpy(copy, text, length);
  copy[length] = '\0';
  *out = (ank_moment){0};
  unsigned dated = take_date(&day, &p, order);
  if (dated) {
    fits = dated;
    out->has_date = 1;
    out->seconds = (double)ank_days_from_civil(day.year, day.month, day.day) * 86400.0;
    if (!*p) return fits;
    if (*p == ',' && p[1] == ' ') p++;
    if (*p != 'T' && *p != ' ' && *p != '_') return 0;
    p++;
  } else if (!memchr(copy, ':', length)) {
    return 0; /* 1200 alone is a number */
  }
  double seconds = take_time(&out->digits, &out->has_zone, &offset, &p);
  if (seconds < 0 || *p) return 0;
  out->has_time = 1;
  out->seconds += seconds - (out->has_date ? (double)offset : 0);
  return fits;
}

unsigned ank_moment_orders(const char *text, size_t length) {
  ank_moment moment;
  return parse(&moment, text, length, ANK_DATE_ANY);
}

int ank_moment_parse(ank_moment *out, const char *text, size_t length, unsigned order) {
  return parse(out, text, length, order) != 0;
}
