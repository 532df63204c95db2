/* series.c - see series.h. */
#include "example/series.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/alloc.h"
#include "core/rng.h"
#include "table/cell_text.h"

enum {
  ROWS_PER_REPORT = 65536,
  MOST_NUMBERS = 4,
  STRETCH = 96,     /* steps with at most one incident */
  LASTS = 8,        /* steps over which noise is correlated */
  FEWEST_STEPS = 8, /* least steps of an incident */
  MOST_STEPS = 40,
  KINDS = 3
};

typedef struct example {
  const char *entity; /* name of the column; NULL: one series */
  uint64_t entities;
  double step; /* seconds */
  size_t numbers;
  const char *number[MOST_NUMBERS];
  const char *label;
  int digits; /* of numbers, as a factor */
  /* Draw the numbers of a step, from noise of mean 0 and variance 1; `kind` and `progress` (0 to 1) of an
   * incident, or kind -1. */
  void (*draw)(double *out, uint64_t entity, double seconds, const double *noise, int kind, double progress);
} example;

/* ---- numbers ----------------------------------------------------------------------------------------- */

static double uniform_at(uint64_t seed, uint64_t what, uint64_t number) {
  ank_rng rng;
  ank_rng_open(&rng, seed, ANK_STREAM_EXAMPLE, (what << 56) + number);
  return ank_rng_uniform(&rng);
}

/* Return noise that is correlated over LASTS steps. */
static double lasting_noise(uint64_t seed, uint64_t column, uint64_t entity, uint64_t step) {
  double sum = 0, squares = 0;
  for (uint64_t k = 0; k < LASTS; k++) {
    ank_rng rng;
    double weight = pow(0.7, (double)k);
    ank_rng_open(&rng, seed, ANK_STREAM_EXAMPLE, ((16 + column) << 56) + (entity << 40) + step + LASTS - k);
    sum += weight * ank_rng_normal(&rng);
    squares += weight * weight;
  }
  return sum / sqrt(squares);
}

static double daily(double seconds, double peak_hour) {
  return cos(2 * 3.14159265358979323846 * (seconds / 86400 - peak_hour / 24));
}

/* The load follows the time of day; temperature follows the load. Incidents: cooling fails, a bearing wears,
 * pressure drops. */
static void draw_machine(double *out, uint64_t entity, double seconds, const double *noise, int kind,
                         double progress) {
  double own = (double)(entity * 7919 % 97) / 97; /* each machine has its level and noise */
  double load = 45 + 20 * own + 12 * daily(seconds, 14) + 3 * noise[0];
  out[0] = load;
  out[1] = 30 + 0.4 * load + 8 * own + (0.4 + own) * noise[1] + (kind == 0 ? 4 + 8 * progress : 0);
  out[2] = (1.2 + own) * exp(0.12 * noise[2]) * (kind == 1 ? 1.8 + 1.5 * progress : 1);
  out[3] = 6 + own + 0.08 * noise[3] - (kind == 2 ? 1 + 0.5 * progress : 0);
}

/* Visits follow the day and the week and grow. Incidents: orders drop, pages are slow, errors are
 * frequent. */
static void draw_shop(double *out, uint64_t entity, double seconds, const double *noise, int kind,
                      double progress) {
  (void)entity;
  (void)progress;
  double visits = 900 * (1 + seconds / (4 * 365 * 86400.0)) * (1 + 0.15 * daily(seconds / 7, 24 * 5.5 / 7)) *
                  exp(0.8 * daily(seconds, 20) + 0.06 * noise[0]);
  out[0] = round(visits);
  out[1] = round(0.031 * visits * exp(0.08 * noise[1]) * (kind == 0 ? 0.3 : 1));
  out[2] = (120 + 0.03 * visits) * exp(0.07 * noise[2]) * (kind == 1 ? 2.5 : 1);
  out[3] = round(0.004 * visits * exp(0.25 * noise[3]) * (kind == 2 ? 6 : 1) + 2);
}

static const example fleet = {
    "machine", 20, 600, 4, {"load", "temperature", "vibration", "pressure"}, "failure", 100, draw_machine};
static const example kpi = {NULL,      1,  3600,     4, {"visits", "orders", "latency_ms", "errors"},
                            "anomaly", 10, draw_shop};

/* ---- incidents --------------------------------------------------------------------------------------- */

/* Return the kind of incident at a step, and its progress; -1: none. */
static int incident_at(double *progress, uint64_t seed, uint64_t entity, uint64_t step, double share) {
  uint64_t stretch = (entity << 32) + step / STRETCH;
  double mean = 0.5 * (FEWEST_STEPS + MOST_STEPS);
  if (step < STRETCH || uniform_at(seed, 1, stretch) >= share * STRETCH / mean)
    return -1; /* no incidents at the
                                                                                            * start */
  double length = FEWEST_STEPS + (MOST_STEPS - FEWEST_STEPS) * uniform_at(seed, 2, stretch);
  double from = (STRETCH - length) * uniform_at(seed, 3, stretch), at = (double)(step % STRETCH);
  if (at < from || at >= from + length) return -1;
  *progress = (at - from) / length;
  return (int)(KINDS * uniform_at(seed, 4, stretch));
}

/* ---- tables ------------------------------------------------------------------------------------------ */

static anorank_status put_text(ank_column *column, size_t at, const char *text, anorank_error *err) {
  return ank_levels_code(&column->codes[at], &column->levels, text, strlen(text), err);
}

static anorank_status put_row(anorank_table *table, size_t at, const example *of, uint64_t row,
                              const anorank_settings *settings, anorank_error *err) {
  char text[ANK_CELL_SIZE];
  double noise[MOST_NUMBERS], value[MOST_NUMBERS], progress = 0;
  uint64_t entity = row % of->entities, step = row / of->entities;
  ank_column *column = table->column;
  for (size_t k = 0; k < of->numbers; k++) noise[k] = lasting_noise(settings->seed, k, entity, step);
  int kind = incident_at(&progress, settings->seed, entity, step, settings->anomalies);
  of->draw(value, entity, of->step * (double)step, noise, kind, progress);
  ank_time_text(text, 1735689600 + of->step * (double)step, ANORANK_SECONDS); /* 2025-01-01 */
  text[10] = ' ';
  text[19] = '\0'; /* no Z */
  ANK_CHECK(put_text(column++, at, text, err));
  if (of->entity) {
    snprintf(text, sizeof text, "M%02u", (unsigned)entity + 1);
    ANK_CHECK(put_text(column++, at, text, err));
  }
  for (size_t k = 0; k < of->numbers; k++) column++->numbers[at] = round(value[k] * of->digits) / of->digits;
  column->numbers[at] = kind >= 0;
  return ANORANK_OK;
}

static anorank_status make(anorank_table **out, const example *of, const anorank_settings *settings,
                           anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_table *table = NULL;
  const char *name[MOST_NUMBERS + 3] = {"time"};
  size_t rows = (size_t)settings->rows, columns = 1, texts;
  if (of->entity) name[columns++] = of->entity;
  texts = columns;
  for (size_t k = 0; k < of->numbers; k++) name[columns++] = of->number[k];
  name[columns++] = of->label;
  *out = NULL;
  ANK_TRY(ank_table_new(&table, columns, err));
  table->limit = ank_memory_limit(settings);
  for (size_t j = 0; j < columns; j++) {
    ANK_TRY(ank_table_set_name(table, j, name[j], strlen(name[j]), err));
    ank_table_set_kind(table, j, j < texts ? ANORANK_CATEGORICAL : ANORANK_NUMERIC);
  }
  ANK_TRY(ank_table_reserve(table, rows, err));
  for (size_t at = 0; at < rows; at++) {
    if (at % ROWS_PER_REPORT == 0)
      ANK_TRY(ank_progress(settings, (double)at / (double)rows, "making rows", err));
    ANK_TRY(put_row(table, at, of, (uint64_t)settings->first_row + at, settings, err));
  }
  table->rows = rows;
  ANK_HAND_OVER(out, table);
done:
  ank_table_free(table);
  return status;
}

anorank_status ank_fleet_make(anorank_table **out, const anorank_settings *settings, anorank_error *err) {
  return make(out, &fleet, settings, err);
}

anorank_status ank_kpi_make(anorank_table **out, const anorank_settings *settings, anorank_error *err) {
  return make(out, &kpi, settings, err);
}
