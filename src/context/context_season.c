/* context_season.c - the usual value at this hour, weekday or month. */
#include <math.h>
#include <string.h>

#include "context/context_parts.h"
#include "core/alloc.h"
#include "kernels/sort.h"
#include "table/cell_format.h"

#define DAY 86400.0
#define LEAST_CYCLES 3 /* that the rows must cover */
#define WORTH 0.9      /* mean distance that a profile must leave of what there was without, or less */
#define BETTER_BY 0.02 /* for a profile with more phases to replace a simpler one */
#define LEAST_PER_PHASE 3

static const double cycle_days[ANK_SEASONS] = {0, 1, 7, 7, 365.2425};

size_t ank_season_phases(ank_season season) {
  static const size_t phases[ANK_SEASONS] = {1, 24, 7, 168, 12};
  return phases[season];
}

size_t ank_season_phase(ank_season season, double seconds) {
  double days = floor(seconds / DAY);
  if (!(fabs(days) < 1e9)) return 0;
  size_t hour = (size_t)((seconds - days * DAY) / 3600), weekday = (size_t)fmod(fmod(days + 3, 7) + 7, 7);
  if (hour > 23) hour = 23;
  long year;
  int month;
  ank_civil_from_days(&year, &month, days);
  switch (season) {
  case ANK_SEASON_HOUR: return hour;
  case ANK_SEASON_WEEKDAY: return weekday;
  case ANK_SEASON_WEEK_HOUR: return weekday * 24 + hour;
  case ANK_SEASON_MONTH: return (size_t)month - 1;
  default: return 0;
  }
}

static anorank_status middle(double *out, double *values, size_t n, anorank_error *err) {
  *out = 0;
  if (n == 0) return ANORANK_OK;
  ANK_CHECK(ank_sort(values, n, NULL, err));
  *out = n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
  return ANORANK_OK;
}

/* The rows of one entity in time order. */
typedef struct {
  const uint32_t *row;
  size_t count;
} run;

/* rest[i] = value less the medians of the cycles around it, on a straight line between their middles. */
static anorank_status level_out(double *rest, const double *values, const double *time, run rows,
                                double cycle, double *work, double *medians, double *centres,
                                anorank_error *err) {
  size_t cycles = 0;
  for (size_t i = 0, end; i < rows.count; i = end) {
    double number = floor(time[rows.row[i]] / cycle);
    size_t filled = 0;
    for (end = i; end < rows.count && floor(time[rows.row[end]] / cycle) == number; end++)
      if (isfinite(values[rows.row[end]])) work[filled++] = values[rows.row[end]];
    if (filled == 0) continue;
    ANK_CHECK(middle(&medians[cycles], work, filled, err));
    centres[cycles++] = (number + 0.5) * cycle;
  }
  for (size_t i = 0, c = 0; i < rows.count; i++) {
    double t = time[rows.row[i]], level = cycles ? medians[0] : 0;
    if (cycles > 1) {
      while (c + 2 < cycles && centres[c + 1] <= t) c++;
      level = medians[c] + (medians[c + 1] - medians[c]) * (t - centres[c]) / (centres[c + 1] - centres[c]);
    }
    rest[rows.row[i]] = values[rows.row[i]] - level;
  }
  return ANORANK_OK;
}

/* Medians by phase of the rows whose cycle is even or odd (side 0, 1), or of all (2). */
static anorank_status profile_of(double *profile, const double *rest, const double *time, size_t n,
                                 ank_season season, int side, double *work, anorank_error *err) {
  double cycle = cycle_days[season] * DAY;
  size_t end[ANK_MOST_PHASES] = {0}, total = 0;
  for (int fill = 0; fill < 2; fill++) {
    for (size_t i = 0; i < n; i++) {
      if (!isfinite(rest[i]) || (side < 2 && (int64_t)floor(time[i] / cycle) % 2 != side)) continue;
      size_t phase = ank_season_phase(season, time[i]);
      if (fill)
        work[end[phase]++] = rest[i];
      else
        end[phase]++;
    }
    for (size_t k = 0; !fill && k < ank_season_phases(season); k++) { /* where each phase starts */
      size_t count = end[k];
      end[k] = total;
      total += count;
    }
  }
  for (size_t k = 0; k < ank_season_phases(season); k++) {
    size_t start = k > 0 ? end[k - 1] : 0;
    profile[k] = 0;
    if (end[k] - start >= LEAST_PER_PHASE) ANK_CHECK(middle(&profile[k], work + start, end[k] - start, err));
  }
  return ANORANK_OK;
}

/* Mean distance that profiles from every second cycle leave in the others, as a share of that without. */
static anorank_status share_left(double *share, const double *rest, const double *time, size_t n,
                                 ank_season season, double *work, anorank_error *err) {
  double profile[ANK_MOST_PHASES], cycle = cycle_days[season] * DAY, before = 0, after = 0;
  for (int side = 0; side < 2; side++) {
    ANK_CHECK(profile_of(profile, rest, time, n, season, side, work, err));
    for (size_t i = 0; i < n; i++) {
      if (!isfinite(rest[i]) || (int64_t)floor(time[i] / cycle) % 2 == side) continue;
      before += fabs(rest[i]);
      after += fabs(rest[i] - profile[ank_season_phase(season, time[i])]);
    }
  }
  *share = before > 0 ? after / before : 1;
  return ANORANK_OK;
}

anorank_status ank_season_learn(ank_usual *usual, double *values, const uint32_t *entity,
                                const ank_context_rows *rows, size_t entities, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t n = rows->rows, *start = NULL;
  uint32_t *grouped = NULL;
  double *rest = NULL, *work = NULL, *medians = NULL, *centres = NULL, best = 1;
  double first = rows->time[rows->order[0]], span = rows->time[rows->order[n - 1]] - first;
  double gap = span / fmax(1, (double)n / (double)entities - 1);
  usual->season = ANK_SEASON_NONE;
  ANK_TRY(ank_alloc(&start, entities + 1, sizeof *start, err));
  ANK_TRY(ank_alloc_raw(&grouped, n, sizeof *grouped, err));
  ANK_TRY(ank_alloc_raw(&rest, n, sizeof *rest, err));
  ANK_TRY(ank_alloc_raw(&work, n, sizeof *work, err));
  ANK_TRY(ank_alloc_raw(&medians, n, sizeof *medians, err));
  ANK_TRY(ank_alloc_raw(&centres, n, sizeof *centres, err));
  for (size_t i = 0; i < n; i++) start[entity[i] + 1]++;
  for (size_t e = 0; e < entities; e++) start[e + 1] += start[e];
  for (size_t k = 0; k < n; k++) grouped[start[entity[rows->order[k]]]++] = rows->order[k];
  for (size_t e = entities; e > 0; e--) start[e] = start[e - 1];
  start[0] = 0;
  for (ank_season season = ANK_SEASON_HOUR; season < ANK_SEASONS; season++) {
    double cycle = cycle_days[season] * DAY, share;
    if (span < LEAST_CYCLES * cycle || gap * (double)ank_season_phases(season) > 2 * cycle) continue;
    for (size_t e = 0; e < entities; e++)
      ANK_TRY(level_out(rest, values, rows->time, (run){grouped + start[e], start[e + 1] - start[e]}, cycle,
                        work, medians, centres, err));
    ANK_TRY(share_left(&share, rest, rows->time, n, season, work, err));
    if (share > WORTH || share > best - BETTER_BY) continue;
    best = share;
    usual->season = season;
    ANK_TRY(profile_of(usual->profile, rest, rows->time, n, season, 2, work, err));
  }
  for (size_t i = 0; usual->season != ANK_SEASON_NONE && i < n; i++)
    values[i] -= usual->profile[ank_season_phase(usual->season, rows->time[i])];
done:
  ank_free(start);
  ank_free(grouped);
  ank_free(rest);
  ank_free(work);
  ank_free(medians);
  ank_free(centres);
  return status;
}
