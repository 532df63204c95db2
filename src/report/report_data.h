/* report_data.h - a ranked table as an HTML report: one file without external resources.
 *
 *   report_rows.c     the listed rows, and their data
 *   report_map.c      a plane through the rows, and p-values on it
 *   report_columns.c  distributions of columns, for all rows and for those that stand out
 *   report_spread.c   distributions of scores and p-values, thresholds, time, labels
 *   report_series.c   a numeric column over time
 *   report_incidents.c  incidents over time
 *   report_words.c    caveats and provenance
 *   report_json.c     all of it as JSON
 *   report_page.c     the page around it; its script and style come from web/ (see docs/report.md)
 *
 * Each part writes into the JSON object that is open. Separate functions compute the data of charts, which
 * the figures (figure.h) use, too. The result does not depend on the time or the machine, so the same
 * arguments give the same bytes. */
#ifndef ANK_REPORT_REPORT_DATA_H
#define ANK_REPORT_REPORT_DATA_H

#include "anorank/report.h"
#include "core/json_writer.h"
#include "core/output.h"
#include "evaluate/evaluate.h"
#include "ranking/ranking.h"

enum {
  ANK_REPORT_LISTED = 5000,   /* rows that stand out, at most */
  ANK_REPORT_LEAST = 100,     /* rows listed if fewer stand out */
  ANK_REPORT_SAMPLE = 2000,   /* random other rows */
  ANK_REPORT_COLUMNS = 120,   /* columns whose cells are shown */
  ANK_REPORT_CELL = 2000,     /* bytes of a cell that are shown */
  ANK_REPORT_BYTES = 2000000, /* approximate bytes of cells: wide tables list fewer rows */
  ANK_REPORT_NEAR = 3,        /* background rows nearest to a listed row */
  ANK_REPORT_NEIGHBOURED = 500,
  ANK_REPORT_LEVELS = 12, /* levels of a column, the most frequent */
  ANK_COLUMN_BINS = 30,
  ANK_SCORE_BINS = 60,
  ANK_P_BINS = 20,
  ANK_TIME_BINS = 60,
  ANK_MAP_GRID = 48 /* points of the grid in each direction */
};

typedef struct ank_report {
  const anorank_report *given;
  const anorank_model *model;
  const anorank_table *table; /* with derived columns, if the model has a context */
  anorank_table *derived;     /* the table with derived columns, or NULL */
  const anorank_settings *settings;
  const char *title;
  ank_match *match;
  anorank_ranking *own;           /* computed here, or NULL */
  const anorank_ranking *ranking; /* about all rows, most abnormal first */
  double rate;                    /* false-discovery rate of rows that "stand out" */
  size_t rows, flagged, listed;   /* the first `flagged` stand out, the first `listed` are shown */
  size_t *sample, sampled;        /* positions in the order of the other rows shown, ascending */
  size_t *column, columns;        /* columns of the table whose cells are shown, in their order */
  size_t *of_table;               /* column of the model for each column of the table; SIZE_MAX: none */
} ank_report;

/* ---- report_rows.c ---- */

anorank_status ank_report_gather(ank_report *out, const anorank_report *given,
                                 const anorank_settings *settings, anorank_error *err);
void ank_report_free(ank_report *report);

/* Write "table_columns", "findings", "neighbours" and "sample". `x`, `y`: positions on the map, listed rows
 * first, then the sample. */
anorank_status ank_report_write_rows(ank_json *json, const ank_report *report, const double *x,
                                     const double *y, anorank_error *err);

/* Return the finding at a position of the order. */
static inline const anorank_finding *ank_report_at(const ank_report *report, size_t place) {
  return &report->ranking->findings[place];
}

/* Return the bin of the value among `bins` equal parts of from..to; the outermost bins include values
 * beyond. */
static inline size_t ank_report_bin(double value, double from, double to, size_t bins) {
  double at = (double)bins * (value - from) / (to - from);
  return at < 0 ? 0 : at >= (double)bins ? bins - 1 : (size_t)at;
}

/* ---- report_map.c ---- */

/* The two first principal directions of the background rows, and the projections of the shown rows. */
typedef struct ank_map {
  size_t dim;
  double *centre, *axis[2];
  double share[2];        /* of the variance of the background rows */
  double *x, *y;          /* listed rows, then the sample */
  double low[2], high[2]; /* the part of the plane to show; rows beyond it are drawn at its border */
  double *grid; /* p-values over that part, ANK_MAP_GRID in each direction, row by row; NULL: too many
                 * features */
} ank_map;

anorank_status ank_map_make(ank_map *out, const ank_report *report, anorank_error *err);
void ank_map_free(ank_map *map);

/* Write "map": the axes, and p-values over a grid of points of the plane. */
void ank_map_write(ank_json *json, const ank_map *map);

/* ---- report_columns.c ---- */

/* Numbers of rows by value: all, and those that stand out. The first and the last bin include values
 * beyond. */
typedef struct ank_value_bins {
  double from, to; /* NaN: no cell is a number */
  size_t all[ANK_COLUMN_BINS], flagged[ANK_COLUMN_BINS];
} ank_value_bins;

/* Numbers of rows by level, the most frequent ones first. */
typedef struct ank_level_bins {
  size_t levels, shown;
  struct {
    const char *level; /* of the table */
    size_t all, flagged;
  } of[ANK_REPORT_LEVELS];
} ank_level_bins;

/* Return the column of the table that is column `of_model` of the model; NULL if there is none, or it is
 * unused. */
const ank_column *ank_report_column(const ank_report *report, size_t of_model);
anorank_status ank_report_values(ank_value_bins *out, const ank_report *report, size_t of_model,
                                 anorank_error *err);
anorank_status ank_report_levels(ank_level_bins *out, const ank_report *report, size_t of_model,
                                 anorank_error *err);

/* Write "columns", of the model. */
anorank_status ank_report_write_columns(ank_json *json, const ank_report *report, anorank_error *err);

/* Counts of listed rows that stand out and have reasons: with column i as the first reason, or as any. */
typedef struct ank_reason_counts {
  size_t rows, *first, *any; /* by column of the model */
} ank_reason_counts;
anorank_status ank_reason_counts_make(ank_reason_counts *out, const ank_report *report, anorank_error *err);
void ank_reason_counts_free(ank_reason_counts *counts);

/* ---- report_spread.c ---- */

/* Shares of rows by score. The first and the last bin include scores beyond. */
typedef struct ank_score_spread {
  double from, to, lowest;
  int has_contrast;
  double rows[ANK_SCORE_BINS], calibration[ANK_SCORE_BINS], contrast[ANK_SCORE_BINS];
} ank_score_spread;
void ank_report_scores(ank_score_spread *out, const ank_report *report);

/* Count rows by p-value, from 0 to 1. */
void ank_report_p_values(size_t counts[ANK_P_BINS], const ank_report *report);

/* Rows over time, and the lowest score of each bin (NaN: no rows). */
typedef struct ank_time_spread {
  size_t column; /* of the table */
  double from, to, lowest[ANK_TIME_BINS];
  size_t all[ANK_TIME_BINS], flagged[ANK_TIME_BINS];
} ank_time_spread;
size_t ank_report_time_column(const ank_report *report); /* of the table; SIZE_MAX: none is a time */
int ank_report_times(ank_time_spread *out, const ank_report *report); /* 0: no column is a time */

/* Labelled rows in the order. No points: no labels, or labels of one kind only. */
typedef struct ank_label_point {
  double normal, anomalies, precision; /* shares found so far of each kind; precision: share of anomalies
                                        * among the rows so far */
} ank_label_point;
typedef struct ank_label_curve {
  size_t normal, anomalies, count;
  ank_label_point *points;
} ank_label_curve;
anorank_status ank_report_labels(ank_label_curve *out, const ank_report *report, anorank_error *err);
void ank_label_curve_free(ank_label_curve *curve);

/* Write "scores", "p_values", "thresholds", "time" and "labels". */
anorank_status ank_report_write_spread(ank_json *json, const ank_report *report, anorank_error *err);

/* ---- report_series.c ---- */

/* Return whether the model compares the column of the table as numbers. */
int ank_report_has_numbers(const ank_report *report, size_t column);

/* Write "series", if rows have times: the numeric column that most reasons name, thinned, with the rows to
 * mark. */
anorank_status ank_report_write_series(ank_json *json, const ank_report *report, anorank_error *err);

/* ---- report_incidents.c ---- */

/* Write "incidents", if rows have times: their entities, and each incident with a column over time. */
anorank_status ank_report_write_incidents(ank_json *json, const ank_report *report, anorank_error *err);

/* ---- report_words.c ---- */

/* Write "answer", "warnings", "notes" and "provenance". */
anorank_status ank_report_write_words(ank_json *json, const ank_report *report, anorank_error *err);

/* ---- report_json.c ---- */

anorank_status ank_report_write_json(ank_output *output, const ank_report *report, anorank_error *err);

/* ---- report_page.c ---- */

anorank_status ank_report_write_page(ank_output *output, const ank_report *report, anorank_error *err);

#endif
