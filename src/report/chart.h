/* chart.h - charts as SVG: a description in plain structs, and one function that draws it.
 *
 *   const ank_chart chart = {
 *       .title = "Training",
 *       .panels = {{.x = {.label = "epoch"},
 *                   .y = {.label = "loss"},
 *                   .series = {{ANK_LINE, .label = "fit", .x = epochs, .y = losses, .count = n}}}}};
 *   ANK_TRY(ank_chart_print(output, &chart, err));
 *
 * The default of every member is zero. Nothing is copied: texts and arrays are borrowed. Texts are UTF-8; characters
 * invalid in XML are replaced. A value that is not finite breaks a line and omits a mark.
 *
 * To add a mark: a value in ank_mark and a drawing function in the table of chart.c. */
#ifndef ANK_REPORT_CHART_H
#define ANK_REPORT_CHART_H

#include "core/output.h"
#include "core/status.h"

typedef enum ank_mark {
  ANK_END = 0,   /* end of the list of series */
  ANK_LINE,      /* through (x, y) */
  ANK_BAND,      /* the area between y and high, over x */
  ANK_BARS,      /* `count` bars of equal width over the whole x axis, from 0 to y: a histogram */
  ANK_STEPS,     /* the outline of such bars */
  ANK_LYING,     /* horizontal bars from 0 to x; bar k is around y = k, for an axis of names */
  ANK_DOTS,      /* markers at (x, y) ... */
  ANK_CROSSES,   /* ... */
  ANK_RINGS,     /* ... */
  ANK_TRIANGLES, /* ... */
  ANK_CELLS /* y as colours: a square grid of `count` cells over the whole panel, row by row from below */
} ank_mark;

/* Okabe and Ito's colours, distinct for readers with any common colour vision. */
#define ANK_BLUE "#0072b2"
#define ANK_VERMILION "#d55e00"
#define ANK_GREEN "#009e73"
#define ANK_PURPLE "#cc79a7"
#define ANK_ORANGE "#e69f00"
#define ANK_SKY "#56b4e9"
#define ANK_BLACK "#000000"
#define ANK_GREY "#767676"

/* Dashes, so that lines also differ in black and white. */
#define ANK_DASH_LONG "10 5"
#define ANK_DASH_SHORT "4 5"
#define ANK_DASH_DOTTED "1 5"
#define ANK_DASH_MIXED "10 5 1 5"

typedef struct ank_series {
  ank_mark mark;
  const char *label;          /* in the legend; NULL: omitted */
  const double *x, *y, *high; /* NULL: 0 */
  size_t count, stride;       /* stride: doubles from one value to the next, for members of structs; 0: 1 */
  const char *colour;         /* NULL: blue */
  const char *dash;           /* NULL: solid */
  double size;                /* width of a line (2) or a marker (5) */
  double opacity;             /* 0: 1 */
  /* of cells: colours between ascending bounds, one more than there are bounds */
  const char *const *shades;
  const double *bounds;
  size_t bound_count;
} ank_series;

enum { ANK_NAMES_MAX = 24, ANK_SERIES_MAX = 9, ANK_PANELS_MAX = 6 };

typedef struct ank_axis {
  const char *label;        /* with its unit */
  double low, high;         /* low < high: this range; otherwise that of the series */
  int is_time;              /* seconds since 1970, written as dates or hours of UTC */
  const char *const *names; /* labels at 0, 1, ... instead of numbers */
  size_t name_count;        /* at most ANK_NAMES_MAX */
} ank_axis;

typedef struct ank_panel {
  const char *title;
  ank_axis x, y;
  ank_series series[ANK_SERIES_MAX + 1]; /* up to the first ANK_END */
} ank_panel;

typedef struct ank_chart {
  const char *title;
  const char *caption;  /* below everything, wrapped; also read by screen readers */
  size_t count, across; /* number of panels, and panels per row; 0: 1 */
  double width, height; /* 720 by 480 */
  ank_panel panels[ANK_PANELS_MAX];
} ank_chart;

/* Write the <svg> element, standalone or for a page: it has no ids that could clash. */
anorank_status ank_chart_print(ank_output *output, const ank_chart *chart, anorank_error *err);

/* Keep only the labels of the first panel, if all panels share them. */
void ank_chart_label_first(ank_chart *chart);

/* Truncate `text` to this many characters, with an ellipsis. Returns `out`. */
const char *ank_text_cut(char *out, size_t size, const char *text, size_t characters);

#endif
