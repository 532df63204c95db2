/* figure_paper.h - the figures of the paper as SVG, with their numbers as CSV.
 *
 * To add a figure: a function of the type below in a file figure_paper_NAME.c, and a row in `parts` of
 * figure_paper.c. */
#ifndef ANK_PAPER_FIGURE_PAPER_H
#define ANK_PAPER_FIGURE_PAPER_H

#include "paper/paper_figures.h"
#include "report/chart.h"

typedef struct ank_paper_sink {
  const char *folder;
  void (*written)(void *context, const char *path);
  void *context;
} ank_paper_sink;

typedef anorank_status ank_paper_part(const ank_paper_sink *sink, const ank_paper_figures *figures,
                                      anorank_error *err);

ank_paper_part ank_figure_paper_typical, ank_figure_paper_phi, ank_figure_paper_data,
    ank_figure_paper_training, ank_figure_paper_heat_map, ank_figure_paper_averaged;

/* Return a chart of two empty panels side by side. */
static inline ank_chart ank_paper_pair(const char *title, const char *caption, double height) {
  return (ank_chart){
      .title = title, .caption = caption, .width = 960, .height = height, .count = 2, .across = 2};
}

typedef struct ank_paper_column {
  const char *name;
  const double *values;
  size_t stride; /* doubles from one value to the next */
} ank_paper_column;

/* Write the chart as `name`.svg (unless NULL), and a table as `name`.csv, if it has columns: those up to one
 * without a name, then x1, x2, ... of `data`, which has `rows` rows of `dim` numbers. */
anorank_status ank_paper_put(const ank_paper_sink *sink, const char *name, const ank_chart *chart,
                             const ank_paper_column *columns, size_t rows, const double *data, size_t dim,
                             anorank_error *err);

#endif
