/* report.h - reports and figures. All of it is experimental (VERSIONING.md). Conventions as in anorank.h. */
#ifndef ANORANK_REPORT_H
#define ANORANK_REPORT_H

#include "anorank/anorank.h"
#include "anorank/criterion.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct anorank_evaluation anorank_evaluation; /* <anorank/experimental.h> */

/* ---- reports ----------------------------------------------------------------------------------------- */

/* The contents of a report. Initialise with {0} (C++: {}) and set what is available. Experimental (VERSIONING.md). */
typedef struct anorank_report {
  const anorank_model *model;           /* required */
  const anorank_table *table;           /* the ranked table; required */
  const anorank_ranking *ranking;       /* of that table by that model; NULL: computed here */
  const anorank_evaluation *evaluation; /* of one model; NULL: the report has no evaluation */
  const struct anorank_stream *stream;  /* that has checked these rows for shift; NULL: none */
  const char *title;                    /* NULL: what the table was read from */
  const char *command;                  /* that reproduces the report; NULL: not shown */
  const char *table_path, *model_path; /* files whose digest (SHA-256) the report states; NULL or "-": none */
  const void *table_bytes; /* contents of table_path, if it is not a file; NULL: the file is read */
  size_t table_length;     /* of table_bytes */
  void *reserved[6];       /* NULL */
} anorank_report;

/* Write a report: all rows that stand out (at most 5,000) and 2,000 others, drawn with the setting seed, with cells,
 * reasons and neighbours; the distribution of all rows; the quality of the order; settings and provenance. The report is
 * one HTML file without external resources, for browsers of 2022 or later (docs/report.md). The same arguments give the
 * same bytes. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_report_write(const anorank_sink *sink,
                                                                   const anorank_report *report,
                                                                   const anorank_settings *settings,
                                                                   anorank_error *err);

/* ---- figures ----------------------------------------------------------------------------------------- */

/* Draw the mass-volume curves with their bands, as an SVG file (mass on x, volume on y). `second` may be
 * NULL. Labels are for the legend. */
ANORANK_API ANORANK_MUST_CHECK anorank_status
anorank_figure_mass_volume(const anorank_sink *sink, const anorank_judgement *first, const char *first_label,
                           const anorank_judgement *second, const char *second_label, anorank_error *err);

enum {
  ANORANK_FIGURE_USES = 1, /* uses it if available */
  ANORANK_FIGURE_NEEDS = 2 /* requires it */
};

/* A chart of a report, as a separate figure. May grow at the end. Experimental (VERSIONING.md). */
typedef struct anorank_figure_kind {
  const char *name;
  const char *shows; /* a clause */
  int evaluation;    /* of the report: 0 or ANORANK_FIGURE_... */
  int labels;        /* the setting labels: the same */
} anorank_figure_kind;

ANORANK_API const anorank_figure_kind *anorank_figure_kind_at(size_t i); /* NULL past the last */

/* Draw the figure `name` of a report, from the same numbers, as SVG. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_figure_write(const anorank_sink *sink, const char *name,
                                                                   const anorank_report *report,
                                                                   const anorank_settings *settings,
                                                                   anorank_error *err);

#ifdef __cplusplus
}
#endif
#endif
