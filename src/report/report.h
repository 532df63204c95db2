/* report.h - a judged table as a page for the browser: one file that loads nothing.
 *
 *   report_rows.c     which rows are shown, with what
 *   report_map.c      a plane through the rows, and how unusual it is to be where on it
 *   report_columns.c  what the columns hold: of all rows, and of those that stand out
 *   report_spread.c   distributions of scores and p-values, thresholds, time, labels
 *   report_words.c    what undermines the result; where it comes from
 *   report_json.c     all of it as JSON
 *   report_page.c     the page around it; its script and style are made from web/ (see docs/report.md)
 *
 * Each part gathers and writes in one go, into the JSON object that is open. Nothing here depends on the time or
 * the machine, so the same arguments give the same bytes. */
#ifndef ANK_REPORT_REPORT_H
#define ANK_REPORT_REPORT_H

#include "core/json_writer.h"
#include "core/output.h"
#include "evaluate/evaluate.h"
#include "verdict/verdict.h"

enum {
  ANK_REPORT_LISTED = 5000,   /* rows that stand out, at most */
  ANK_REPORT_LEAST = 100,     /* rows listed where fewer stand out */
  ANK_REPORT_SAMPLE = 2000,   /* other rows, drawn at random */
  ANK_REPORT_COLUMNS = 120,   /* columns whose cells are shown */
  ANK_REPORT_CELL = 2000,     /* bytes of a cell that are shown */
  ANK_REPORT_BYTES = 2000000, /* of cells, about: fewer rows of wide tables are listed */
  ANK_REPORT_NEAR = 3,        /* nearest usual rows of a listed row */
  ANK_REPORT_NEIGHBOURED = 500
};

typedef struct ank_report {
  const anorank_report *given;
  const anorank_model *model;
  const anorank_table *table;
  const anorank_settings *settings;
  ank_match *match;
  anorank_verdict *own;           /* made here, or NULL */
  const anorank_verdict *verdict; /* about all rows, most abnormal first */
  double rate;                    /* false-discovery rate that "stands out" is about */
  size_t rows, flagged, listed;   /* the first `flagged` stand out, the first `listed` are shown */
  size_t *sample, sampled;        /* places in the order of the other rows that are shown, ascending */
  size_t *column, columns;        /* columns of the table whose cells are shown, in their order */
  size_t *of_table;               /* column of the model for each column of the table; SIZE_MAX: none */
} ank_report;

/* ---- report_rows.c ---- */

anorank_status ank_report_gather(ank_report *out, const anorank_report *given,
                                 const anorank_settings *settings, anorank_error *err);
void ank_report_free(ank_report *report);

/* "table_columns", "findings", "neighbours" and "sample". `x`, `y`: where they are on the map, listed rows
 * first, then the sample. */
anorank_status ank_report_write_rows(ank_json *json, const ank_report *report, const double *x,
                                     const double *y, anorank_error *err);

/* The finding at a place of the order. */
static inline const anorank_finding *ank_report_at(const ank_report *report, size_t place) {
  return &report->verdict->findings[place];
}

/* ---- report_map.c ---- */

/* Two directions of the features in which the usual rows differ most, and the rows that are shown in them. */
typedef struct ank_map {
  size_t dim;
  double *centre, *axis[2];
  double share[2]; /* of the variance of the usual rows */
  double *x, *y;   /* listed rows, then the sample */
} ank_map;

anorank_status ank_map_make(ank_map *out, const ank_report *report, anorank_error *err);
void ank_map_free(ank_map *map);

/* "map": the axes, and p-values over a grid of points of the plane. */
anorank_status ank_map_write(ank_json *json, const ank_map *map, const ank_report *report,
                             anorank_error *err);

/* ---- report_columns.c ---- */

/* "columns": of the model. */
anorank_status ank_report_write_columns(ank_json *json, const ank_report *report, anorank_error *err);

/* Listed rows that stand out and have reasons; those of which column i is the first reason, or any. */
typedef struct ank_blame_count {
  size_t rows, *first, *any; /* by column of the model */
} ank_blame_count;
anorank_status ank_blame_make(ank_blame_count *out, const ank_report *report, anorank_error *err);
void ank_blame_free(ank_blame_count *blame);

/* ---- report_spread.c ---- */

/* "scores", "p_values", "thresholds", "time" and "labels". */
anorank_status ank_report_write_spread(ank_json *json, const ank_report *report, anorank_error *err);

/* ---- report_words.c ---- */

/* "answer", "warnings", "notes" and "provenance". */
anorank_status ank_report_write_words(ank_json *json, const ank_report *report, anorank_error *err);

/* ---- report_json.c ---- */

anorank_status ank_report_write_json(ank_output *output, const ank_report *report, anorank_error *err);

/* ---- report_page.c ---- */

anorank_status ank_report_write_page(ank_output *output, const ank_report *report, anorank_error *err);

#endif
