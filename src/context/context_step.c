/* context_step.c - one row of one column: the recursion of context.h. */
#include <math.h>

#include "context/context_parts.h"

#define CLIP 2.5            /* spreads that an outlying value counts as, at most */
#define CLIPPED_SIZE 0.7911 /* mean of min(|z|, 2.5) of a normal value */
#define REFERENCE_CLIP 10.0 /* the same where training rows are the reference: all they show is usual */
#define WINDOW_CLIP 5.0     /* the same for means over the window */
#define MOST_UNITS 100.0    /* a deviation counts as so many units, at most */
#define LEAST_CHANGE 0.02   /* of the mean size of changes, before its logarithm */

static double clip(double x, double most) { return x > most ? most : x < -most ? -most : x; }

static double middle_of(double a, double b, double c) {
  return a > b ? (b > c ? b : a > c ? c : a) : (a > c ? a : b > c ? c : b);
}

void ank_track_start(ank_track *track, const ank_usual *usual) {
  *track = (ank_track){.level = (float)usual->level,
                       .spread = (float)usual->within,
                       .recent = (float)usual->level,
                       .change = (float)usual->change,
                       .last = (float)usual->level};
}

/* A spread after one more distance, in units of the spread. */
static double spread_after(double spread, double distance, double rows, double weight) {
  return spread * (1 + (fmin(fabs(distance), CLIP) / CLIPPED_SIZE - 1) / (rows + weight));
}

/* The same from mean squares. */
static double deviation_after(double spread, double distance, double rows, double weight) {
  double square = fmin(distance * distance, REFERENCE_CLIP * REFERENCE_CLIP);
  return spread * sqrt(1 + (square - 1) / (rows + weight));
}

double ank_level_step(float *level, float *own_spread, double n, const ank_usual *usual, double value) {
  double spread = fmax((double)*own_spread, usual->least_spread);
  double prior = usual->within * usual->within / (usual->between * usual->between);
  double width = spread * sqrt(1 + 1 / (n + prior)), distance = (value - (double)*level) / width;
  int reference = usual->learns < ANK_LEARNS_ALWAYS;
  if (n >= usual->learns) return distance;
  *level =
      (float)((double)*level + width * clip(distance, reference ? REFERENCE_CLIP : CLIP) / (n + 1 + prior));
  *own_spread = (float)(reference ? deviation_after(spread, distance, n + 1, usual->weight)
                                  : spread_after(spread, distance, n + 1, usual->weight));
  return distance;
}

static double change(ank_track *track, const ank_usual *usual, double value) {
  double n = (double)track->rows, spread = fmax((double)track->change, usual->least_change);
  double recent = (double)track->recent, last = n > 0 ? (double)track->last : recent;
  double prior = usual->change * usual->change / (usual->between * usual->between);
  double gain = fmax(1 / (n + 1 + prior), 1 / usual->time_constant);
  double width = n < usual->time_constant ? spread * sqrt(1 + 1 / (n + prior)) : spread;
  double low = fmin(recent, last), high = fmax(recent, last);
  double outside = value > high ? value - high : value < low ? value - low : 0;
  double input = n > 0 ? middle_of(recent, last, value) : value;
  if (n < 2) input = recent + width * clip((input - recent) / width, CLIP);
  track->change = (float)spread_after(spread, (value - recent) / width, n + 1, usual->weight);
  track->recent = (float)(recent + gain * (input - recent));
  track->last = (float)value;
  return outside / width;
}

double ank_window_size(const ank_step *step, const ank_usual *usual) {
  double units = fmin(fabs(step->deviation[ANK_WINDOW]) / usual->unit[ANK_WINDOW], MOST_UNITS);
  return log1p(units * units);
}

double ank_step_size(const ank_step *step, const ank_usual *usual) {
  double product = 1; /* one logarithm instead of three */
  for (size_t d = 0; d < ANK_DEVIATIONS; d++) {
    double units = fmin(fabs(step->deviation[d]) / usual->unit[d], MOST_UNITS);
    if (!usual->trends || d == ANK_CHANGE) product *= 1 + units * units;
  }
  return log(product);
}

double ank_window_gain(float *weight, double window, int seconds, double elapsed) {
  double grown = (seconds ? (double)*weight * exp(-elapsed / window) : (double)*weight) + 1;
  if (!seconds) grown = fmin(grown, window);
  *weight = (float)grown;
  return (double)(float)(1 / grown);
}

void ank_recent_step(ank_step *step, float *recent, double rows, double cell, double gain) {
  if (rows > 0) {
    if (rows == 1) gain = 1;
    recent[0] += (float)(gain * (clip(step->deviation[ANK_USUAL], WINDOW_CLIP) - (double)recent[0]));
    recent[1] += (float)(gain * (cell - (double)recent[1]));
    recent[2] += (float)(gain * (fmin(fabs(step->deviation[ANK_CHANGE]), WINDOW_CLIP) - (double)recent[2]));
  }
  step->deviation[ANK_WINDOW] = (double)recent[0];
  step->mean = (double)recent[1];
  step->spread = log(fmax((double)recent[2], LEAST_CHANGE));
}

void ank_track_step(ank_step *out, ank_track *track, const ank_usual *usual, double value, double cell,
                    double gain) {
  *out = (ank_step){{0}, NAN, NAN};
  if (isfinite(value)) {
    int first = track->rows == 0;
    double usual_by = ank_level_step(&track->level, &track->spread, (double)track->rows, usual, value),
           change_by = change(track, usual, value);
    if (first) gain = 1;
    track->window += (float)(gain * (clip(usual_by, WINDOW_CLIP) - (double)track->window));
    track->mean += (float)(gain * (cell - (double)track->mean));
    track->window_change +=
        (float)(gain * (fmin(fabs(change_by), WINDOW_CLIP) - (double)track->window_change));
    track->rows += 1;
    out->deviation[ANK_USUAL] = usual_by;
    out->deviation[ANK_CHANGE] = change_by;
  }
  if (track->rows == 0) return;
  out->deviation[ANK_WINDOW] = (double)track->window;
  out->mean = (double)track->mean;
  out->spread = log(fmax((double)track->window_change, LEAST_CHANGE));
}
