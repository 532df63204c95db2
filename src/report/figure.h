/* figure.h - the charts of a report as SVG, for papers. They use the same numbers as the report.
 *
 * To add one: a file with `const ank_figure_kind ank_figure_NAME`, and a line in figures.inc. The command line's help and
 * completion, the message about an unknown name and the tests read the registry. */
#ifndef ANK_REPORT_FIGURE_H
#define ANK_REPORT_FIGURE_H

#include "anorank/report.h"
#include "report/chart.h"
#include "report/report_data.h"

typedef struct ank_figure_kind {
  anorank_figure_kind info;
  anorank_status (*draw)(ank_output *output, const ank_report *report, anorank_error *err);
} ank_figure_kind;

#define ANK_FIGURE(name) extern const ank_figure_kind ank_figure_##name;
#include "report/figures.inc"
#undef ANK_FIGURE

/* Write "april.csv: 3,000 rows, 24 of them stand out at a false-discovery rate of 10 %. " and the following
 * text, in ANK_CAPTION_SIZE bytes. */
enum { ANK_CAPTION_SIZE = 1024 };
void ank_caption(char text[ANK_CAPTION_SIZE], const ank_report *report, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
