/* chart.h - figures as SVG: panels in a grid, each with two axes and any number of series.
 *
 *   ank_figure *figure;
 *   ank_panel *panel;
 *   ANK_TRY(ank_figure_new(&figure, &(ank_figure_options){.title = "Training"}, err));
 *   ANK_TRY(ank_figure_panel(&panel, figure, &(ank_panel_options){.x = {.label = "epoch"},
 *                            .y = {.label = "loss", .scale = ANK_SCALE_LOG}}, err));
 *   ANK_TRY(ank_panel_line(panel, epochs, losses, n, &(ank_style){.label = "fit"}, err));
 *   ANK_TRY(ank_figure_write(figure, "training.svg", err));
 *
 * Every member of an options struct may be left zero: that is the default. Texts and arrays are copied, so
 * they may go right after the call. Texts are UTF-8; what XML cannot carry is replaced. Series are drawn in
 * layers (cells, bands, reference lines, lines, points) and within a layer in the order they were added.
 *
 * To add a kind of series: a value in ank_kind and a builder (chart.c), its pixels and what it covers
 * (chart_layout.c), and a drawing function in the table of chart_draw.c. */
#ifndef ANK_REPORT_CHART_H
#define ANK_REPORT_CHART_H

#include "core/output.h"
#include "core/status.h"

typedef struct ank_figure ank_figure;
typedef struct ank_panel ank_panel; /* owned by its figure */

/* Okabe and Ito's colours, which people with any common kind of colour vision tell apart; in the order in
 * which AUTO gives them out within a panel. GREY is for what stands behind. */
typedef enum ank_colour {
  ANK_COLOUR_AUTO = 0,
  ANK_COLOUR_BLUE,
  ANK_COLOUR_VERMILION,
  ANK_COLOUR_GREEN,
  ANK_COLOUR_PURPLE,
  ANK_COLOUR_ORANGE,
  ANK_COLOUR_SKY,
  ANK_COLOUR_BLACK,
  ANK_COLOUR_YELLOW,
  ANK_COLOUR_GREY
} ank_colour;

/* AUTO goes with the colour, so that series also differ in black and white. */
typedef enum ank_dash {
  ANK_DASH_AUTO = 0,
  ANK_DASH_SOLID,
  ANK_DASH_LONG,
  ANK_DASH_DOTTED,
  ANK_DASH_DOT_LONG,
  ANK_DASH_SHORT
} ank_dash;

typedef enum ank_marker {
  ANK_MARKER_DISC = 0,
  ANK_MARKER_SQUARE,
  ANK_MARKER_CROSS,
  ANK_MARKER_RING,
  ANK_MARKER_TRIANGLE
} ank_marker;

typedef struct ank_style {
  const char *label; /* in the legend; NULL: not there */
  ank_colour colour;
  ank_dash dash;
  ank_marker marker;
  double width;   /* of a line (2) or a marker (5), in units of the view box */
  double opacity; /* 1 for lines, 0.8 for points, 0.2 for bands */
} ank_style;

/* TIME: seconds since 1970, marked at days, months or whatever is round there, in UTC. */
typedef enum ank_scale { ANK_SCALE_LINEAR = 0, ANK_SCALE_LOG, ANK_SCALE_TIME } ank_scale;

#define ANK_NAMES_MAX 24

typedef struct ank_axis {
  const char *label;        /* with its unit */
  double low, high;         /* low < high: this range; otherwise what the series need */
  ank_scale scale;          /* on a log axis values <= 0 are treated as missing */
  const char *const *names; /* what is written at 0, 1, ... instead of numbers; NULL: numbers */
  size_t name_count;        /* at most ANK_NAMES_MAX */
} ank_axis;

/* AUTO: inside if a corner is free, else BESIDE, which is to the right of the plot, or below it when the
 * labels are long. */
typedef enum ank_legend {
  ANK_LEGEND_AUTO = 0,
  ANK_LEGEND_BESIDE,
  ANK_LEGEND_BELOW,
  ANK_LEGEND_NONE
} ank_legend;

typedef struct ank_panel_options {
  const char *title;
  ank_axis x, y;
  ank_legend legend;
} ank_panel_options;

typedef struct ank_figure_options {
  const char *title;
  const char *caption;     /* below everything, wrapped */
  const char *description; /* for those who cannot see it; NULL: the caption */
  size_t columns;          /* of the grid of panels; 0: one row */
  double width, height;    /* of the view box: 720 by 480, higher for several rows */
} ank_figure_options;

anorank_status ank_figure_new(ank_figure **out, const ank_figure_options *options, anorank_error *err);
void ank_figure_free(ank_figure *figure);

/* The next panel of the grid, row by row. */
anorank_status ank_figure_panel(ank_panel **out, ank_figure *figure, const ank_panel_options *options,
                                anorank_error *err);

/* A line through the points; one that is not finite breaks it. Curves of any length: what is written is
 * thinned to about 2000 points that keep the first, last, highest and lowest of each column of pixels. */
anorank_status ank_panel_line(ank_panel *panel, const double *x, const double *y, size_t n,
                              const ank_style *style, anorank_error *err);

/* The same as a staircase: y[i] holds from x[i] to x[i + 1]. */
anorank_status ank_panel_steps(ank_panel *panel, const double *x, const double *y, size_t n,
                               const ank_style *style, anorank_error *err);

/* One marker each; those that would cover each other exactly are drawn once. */
anorank_status ank_panel_points(ank_panel *panel, const double *x, const double *y, size_t n,
                                const ank_style *style, anorank_error *err);

/* The area between low and high. */
anorank_status ank_panel_band(ank_panel *panel, const double *x, const double *low, const double *high,
                              size_t n, const ank_style *style, anorank_error *err);

/* Bars side by side from `from` to `to`, each from 0 up to its value: a histogram. */
anorank_status ank_panel_bars(ank_panel *panel, double from, double to, const double *values, size_t n,
                              const ank_style *style, anorank_error *err);

/* Bars that lie, bar k around y = k, each from 0 to its value: for an axis of names. */
anorank_status ank_panel_lying_bars(ank_panel *panel, const double *values, size_t n, const ank_style *style,
                                    anorank_error *err);

/* A grid of values as colours, with a colour bar: one per panel. Row 0 is at y_low. NaN stays blank. */
typedef struct ank_cells {
  const double *values; /* rows * columns, row by row */
  size_t rows, columns;
  double x_low, x_high, y_low, y_high; /* the outer edges of the grid */
  double low, high;                    /* values at the ends of the colours; low < high, else automatic */
  const char *label;                   /* of the colour bar, with its unit */
  const double
      *bounds; /* ascending: pale shades between these values instead of colours, for marks on top; NULL */
  size_t bound_count; /* at most ANK_NAMES_MAX */
} ank_cells;

anorank_status ank_panel_cells(ank_panel *panel, const ank_cells *cells, anorank_error *err);

/* A grey line between two points, labelled along it. An infinite coordinate means the plot's edge: from
 * (-INFINITY, 3) to (INFINITY, 3) is the horizontal line at 3. It does not widen an automatic range. */
anorank_status ank_panel_reference(ank_panel *panel, double x0, double y0, double x1, double y1,
                                   const char *label, anorank_error *err);

/* Write the <svg> element, to stand alone or within a page: it holds no ids that could clash. */
anorank_status ank_figure_print(const ank_figure *figure, ank_output *output, anorank_error *err);

/* A whole file, which appears complete or not at all; "-" is standard output. */
anorank_status ank_figure_write(const ank_figure *figure, const char *path, anorank_error *err);

#endif
