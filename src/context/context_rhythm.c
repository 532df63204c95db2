/* context_rhythm.c - when rows occur: the time since the entity's last row, and its number of rows over a while.
 *
 * The number is n <- n exp(-gap / window) + 1, so that at a constant rate it is the number of rows within the window. Both are
 * compared with their own level and spread in logarithms. Only a row that comes late, or one of too many, counts:
 * short times between rows are usual wherever rows are independent. */
#include <math.h>

#include "context/context_parts.h"
#include "core/alloc.h"
#include "kernels/sort.h"

#define IRREGULAR 0.2   /* median change of log time between rows, from which rows are not regular */
#define LEAST_GAPS 20   /* changes, to say so */
#define LEAST_SHARE 100 /* one in so many times between rows is below `least` */
#define LEAST_ROWS 2.0  /* in the window, at the median time between rows */
#define MOST_NATS 27.6  /* as much as the three terms of a number 100 units away */

double ank_tail_size(const ank_tail *tail, double x) {
  return tail->unit > 0 && x > tail->from ? fmin((x - tail->from) / tail->unit, MOST_NATS) : 0;
}

anorank_status ank_tail_find(ank_tail *out, double *values, size_t count, double least, anorank_error *err) {
  *out = (ank_tail){0};
  if (count == 0) return ANORANK_OK;
  ANK_CHECK(ank_sort(values, count, NULL, err));
  double high = values[count - 1 - count / 10], far = values[count - 1 - count / 40];
  out->unit = fmax((far - high) / log(4), least);
  out->from = high + out->unit * log(100);
  return ANORANK_OK;
}

double ank_rhythm_value(const ank_rhythm *rhythm, size_t event, double amount, double time) {
  const ank_usual *usual = &rhythm->usual[event];
  double value = log(event == ANK_GAP ? amount + rhythm->least : amount);
  return usual->season == ANK_SEASON_NONE ? value
                                          : value - usual->profile[ank_season_phase(usual->season, time)];
}

double ank_rhythm_amount(const ank_rhythm *rhythm, size_t event, double value, double time) {
  const ank_usual *usual = &rhythm->usual[event];
  if (usual->season != ANK_SEASON_NONE) value += usual->profile[ank_season_phase(usual->season, time)];
  return event == ANK_GAP ? fmax(exp(value) - rhythm->least, 0) : fmax(exp(value), 1); /* with this row */
}

double ank_rhythm_count(const ank_rhythm *rhythm, size_t event, double count, double gap) {
  return count * exp(-gap / rhythm->window[event]) + 1;
}

double ank_rhythm_step(double *distance, float *state, const ank_rhythm *rhythm, double rows, double last,
                       double time) {
  double size = 0, amount = time - last;
  for (size_t d = 0; d < rhythm->events; d++) {
    const ank_usual *usual = &rhythm->usual[d];
    float *own = ank_event_level(state, d), *count = d > ANK_GAP ? own - 1 : NULL;
    distance[d] = 0;
    if (rows == 0) {
      own[0] = (float)usual->level, own[1] = (float)usual->within;
      if (count) *count = 1;
      continue;
    }
    if (count) amount = (double)(*count = (float)ank_rhythm_count(rhythm, d, (double)*count, time - last));
    distance[d] =
        ank_level_step(&own[0], &own[1], rows - 1, usual, ank_rhythm_value(rhythm, d, amount, time));
    size += ank_tail_size(&rhythm->tail[d], distance[d]);
  }
  return size;
}

/* A window that people name; the last for times that are an order. */
static double window_of(double least, int moments) {
  static const double lengths[] = {60, 600, 3600, 6 * 3600, 86400, 7 * 86400.0, 30 * 86400.0, 365 * 86400.0};
  for (size_t i = 0; moments && i < sizeof lengths / sizeof *lengths; i++)
    if (lengths[i] >= least) return lengths[i];
  double ten = pow(10, floor(log10(least)));
  return ceil(least / ten) * ten;
}

anorank_status ank_rhythm_find(ank_rhythm **out, const ank_context *context, const double *time,
                               const uint32_t *grouped, const size_t *start, size_t entities, double *work,
                               anorank_error *err) {
  size_t gaps = 0, positive, changes = 0;
  *out = NULL;
  for (size_t e = 0; e < entities; e++)
    for (size_t k = start[e] + 1; k < start[e + 1]; k++)
      work[gaps++] = time[grouped[k]] - time[grouped[k - 1]];
  if (gaps < LEAST_GAPS) return ANORANK_OK;
  ANK_CHECK(ank_sort(work, gaps, NULL, err));
  for (positive = 0; positive < gaps && !(work[positive] > 0);) positive++;
  if (positive == gaps) return ANORANK_OK;
  double least = work[positive + (gaps - positive) / LEAST_SHARE], middle = fmax(work[gaps / 2], least);
  for (size_t e = 0; e < entities; e++)
    for (size_t k = start[e] + 2; k < start[e + 1]; k++) {
      double before = time[grouped[k - 1]] - time[grouped[k - 2]],
             now = time[grouped[k]] - time[grouped[k - 1]];
      work[changes++] = fabs(log((now + least) / (before + least)));
    }
  if (changes < LEAST_GAPS) return ANORANK_OK;
  ANK_CHECK(ank_sort(work, changes, NULL, err));
  if (!(work[changes / 2] >= IRREGULAR)) return ANORANK_OK;
  ANK_CHECK(ank_alloc(out, 1, sizeof **out, err));
  (*out)->least = least;
  (*out)->events = ANK_COUNT + 1;
  (*out)->window[ANK_COUNT] =
      context->window_seconds ? context->window : window_of(LEAST_ROWS * middle, context->moments);
  if (context->window_seconds && context->second > 0) (*out)->window[(*out)->events++] = context->second;
  return ANORANK_OK;
}
