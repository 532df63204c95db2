/* chart_ticks.h - positions and labels of axis ticks. */
#ifndef ANK_REPORT_CHART_TICKS_H
#define ANK_REPORT_CHART_TICKS_H

#include "report/chart.h"

typedef struct ank_ticks {
  size_t count;
  double at[ANK_NAMES_MAX];
  char text[ANK_NAMES_MAX][32];
} ank_ticks;

/* Compute ticks: names, or round numbers or times within the axis range low < high. At most about `most`, at
 * least two. */
void ank_ticks_make(ank_ticks *ticks, const ank_axis *axis, size_t most);

#endif
