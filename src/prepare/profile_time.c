/* profile_time.c - the profile of a time column.
 *
 * The time itself is not a feature, since every new row is later than all before. The time of day, the weekday and the
 * day of the year recur. Each is an angle a. If it varies, the features are
 *   (cos a - c) f  and  (sin a - s) f,
 * with (c, s) the mean over the training rows, and f such that the two have the variance of a scaled number, on average:
 * one factor for both keeps the circle round. Rows are counted by hour, weekday and month for the text of
 * reasons. */
#include <math.h>

#include "prepare/prepare_parts.h"
#include "table/cell_format.h"

#define DAY 86400.0
#define YEAR (365.2425 * DAY)
#define TURN 6.283185307179586
#define LEAST_VARIANCE 1e-6 /* of a point on the circle: below, all happen at one time */
#define LEAST_SPREAD 0.05

double ank_seconds_of(const ank_column *from, size_t row) {
  double value = from->numbers[row], magnitude = fabs(value);
  if (from->kind == ANORANK_TIME || magnitude < 1e11) return value;
  return magnitude < 1e14 ? value / 1e3 : magnitude < 1e17 ? value / 1e6 : value / 1e9;
}

int ank_minute_of(double seconds) {
  int minute = (int)((seconds - floor(seconds / DAY) * DAY) / 60);
  return minute > 1439 ? 1439 : minute;
}

int ank_hour_of(double seconds) { return ank_minute_of(seconds) / 60; }

int ank_weekday_of(double seconds) {
  double days = floor(seconds / DAY) + 3; /* 1970-01-01 was a Thursday */
  return (int)(days - floor(days / 7) * 7);
}

int ank_month_of(double seconds, long *year) {
  int month = 1;
  double days = floor(seconds / DAY);
  *year = 1970;
  if (fabs(days) < 1e9) ank_civil_from_days(year, &month, days);
  return month - 1;
}

void ank_circle_point(double point[2], ank_circle_kind kind, double seconds) {
  double angle = kind == ANK_CIRCLE_DAY    ? (seconds - floor(seconds / DAY) * DAY) / DAY
                 : kind == ANK_CIRCLE_WEEK ? (double)ank_weekday_of(seconds) / 7
                                           : (seconds - floor(seconds / YEAR) * YEAR) / YEAR;
  point[0] = cos(TURN * angle);
  point[1] = sin(TURN * angle);
}

static void learn_circle(ank_circle *out, ank_circle_kind kind, const ank_column *column, size_t n,
                         double step) {
  double sums[2] = {0, 0}, point[2];
  size_t count = 0;
  for (size_t i = 0; i < n; i++) {
    double seconds = ank_seconds_of(column, i);
    if (!isfinite(seconds)) continue;
    ank_circle_point(point, kind, seconds);
    sums[0] += point[0];
    sums[1] += point[1];
    count++;
  }
  *out = (ank_circle){.centre = {sums[0] / (double)count, sums[1] / (double)count}};
  /* Points of length 1: their variance is what the mean lacks in length. */
  double variance = 1 - out->centre[0] * out->centre[0] - out->centre[1] * out->centre[1];
  out->used = variance > LEAST_VARIANCE;
  out->factor = out->used ? step / fmax(sqrt(variance / 2), LEAST_SPREAD) : 0;
}

void ank_profile_times(ank_profile *out, const ank_column *column, size_t n, double step) {
  size_t filled = 0;
  long year;
  for (size_t i = 0; i < n; i++) {
    double seconds = ank_seconds_of(column, i);
    if (!isfinite(seconds)) continue;
    filled++;
    out->hours[ank_hour_of(seconds)]++;
    out->weekdays[ank_weekday_of(seconds)]++;
    out->months[ank_month_of(seconds, &year)]++;
  }
  out->missing = n - filled;
  out->role = ANORANK_ROLE_UNUSABLE;
  if (filled == 0) return;
  for (int kind = 0; kind < ANK_CIRCLES; kind++)
    learn_circle(&out->circles[kind], (ank_circle_kind)kind, column, n, step);
  if (out->circles[ANK_CIRCLE_DAY].used || out->circles[ANK_CIRCLE_WEEK].used) out->role = ANORANK_ROLE_TIME;
}
