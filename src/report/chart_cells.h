/* chart_cells.h - draw heat maps; used by chart_draw.c. */
#ifndef ANK_REPORT_CHART_CELLS_H
#define ANK_REPORT_CHART_CELLS_H

#include "report/chart_ink.h"
#include "report/chart_model.h"

#define ANK_AXIS_COLOUR "#333333"

void ank_draw_cells(ank_ink *ink, ank_sketch *sketch, const ank_series *s, const ank_trace *t);

/* The colours and what they stand for. */
void ank_draw_bar(ank_ink *ink, const ank_sketch *s, const ank_series *cells);

/* A text turned to read upwards, centred on (x, y). Longer than `room`, it is made smaller. */
void ank_draw_upwards(ank_ink *ink, double x, double y, const char *text, double room);

#endif
