/* chart_model.h - what a figure holds between its builders (chart.c), its layout and its drawing. */
#ifndef ANK_REPORT_CHART_MODEL_H
#define ANK_REPORT_CHART_MODEL_H

#include "report/chart.h"
#include "report/chart_ticks.h"

typedef enum ank_kind {
  ANK_KIND_CELLS,
  ANK_KIND_BAND,
  ANK_KIND_REFERENCE,
  ANK_KIND_LINE,
  ANK_KIND_STEPS,
  ANK_KIND_POINTS,
  ANK_KIND_COUNT /* the order is that of the layers, lowest first */
} ank_kind;

typedef struct ank_series {
  ank_kind kind;
  char *label; /* NULL: none */
  ank_colour colour;
  ank_dash dash;
  ank_marker marker;
  double width, opacity;
  size_t n;
  double *x, *y, *z;    /* z: a band's upper edge. Cells: values in y, edges in x[0..3] */
  size_t rows, columns; /* of cells */
  double low, high;     /* of a cell's colours */
  size_t bounds;        /* of a cell's shades, in z; 0: colours */
} ank_series;

typedef struct ank_axis_model {
  char *label;
  double low, high;
  int is_log, is_time;
  char **names; /* NULL: numbers */
  size_t name_count;
} ank_axis_model;

struct ank_panel {
  char *title;
  ank_axis_model x, y;
  ank_legend legend;
  ank_series *series;
  size_t count, capacity;
  int automatic; /* colours given out so far */
};

struct ank_figure {
  char *title, *caption, *description;
  size_t columns;
  double width, height; /* 0: default */
  ank_panel **panels;
  size_t count, capacity;
};

typedef struct ank_box {
  double x, y, width, height;
} ank_box;

/* An axis with its place on the page: value `low` is at pixel `from`, `high` at `to`. */
typedef struct ank_axis_place {
  double low, high, from, to;
  int is_log, is_time;
  const ank_axis_model *named; /* that has names; NULL: none */
  ank_ticks ticks;
} ank_axis_place;

/* The pixel of a value; NaN where there is none. Far outside values are held near the plot, so that numbers
 * in the file stay small. */
double ank_axis_pixel(const ank_axis_place *axis, double value);

/* A series in pixels, thinned; NaN in x is a break. */
typedef struct ank_trace {
  size_t n;
  double *x, *y, *z;
} ank_trace;

/* How full each part of the plot is: where a label would hide something. */
#define ANK_MAP_WIDTH 96
#define ANK_MAP_HEIGHT 64
typedef struct ank_map {
  unsigned char cell[ANK_MAP_HEIGHT][ANK_MAP_WIDTH];
} ank_map;

/* A panel with everything in its place. */
typedef struct ank_sketch {
  const ank_panel *panel;
  ank_box cell, plot, legend, bar; /* width 0: there is none */
  ank_axis_place x, y, colours;
  double y_label_x;  /* middle of the rotated label of the y axis */
  ank_trace *traces; /* one per series */
  ank_map map;
} ank_sketch;

/* Sizes of text in units of the view box: at 600 pixels wide a default figure shows 13 as 11 pixels. */
#define ANK_SIZE_TITLE 17.0
#define ANK_SIZE_LABEL 15.0
#define ANK_SIZE_TEXT 14.0
#define ANK_SIZE_CAPTION 13.0
#define ANK_LINE_HEIGHT 1.35 /* times the size */

#define ANK_LEGEND_SAMPLE 30.0 /* width of the sample of a series */
#define ANK_LEGEND_GAP 8.0
#define ANK_LEGEND_ROW 20.0

/* Lay the panel out in `cell`. The traces are the caller's to free with ank_sketch_clear, also on failure. */
anorank_status ank_sketch_make(ank_sketch *sketch, const ank_panel *panel, ank_box cell, anorank_error *err);
void ank_sketch_clear(ank_sketch *sketch);

/* Share of the box that is covered, in [0, 1]; 1 for parts outside the plot. */
double ank_sketch_covered(const ank_sketch *sketch, ank_box box);

#endif
