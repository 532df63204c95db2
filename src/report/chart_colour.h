/* chart_colour.h - the colours and dashes of charts. */
#ifndef ANK_REPORT_CHART_COLOUR_H
#define ANK_REPORT_CHART_COLOUR_H

#include "report/chart.h"

/* "#rrggbb"; AUTO is not a colour and gives black. */
const char *ank_colour_hex(ank_colour colour);

/* The i-th colour that AUTO gives out, i = 0, 1, ...: round and round. */
ank_colour ank_colour_automatic(int i);

/* Lengths of strokes and gaps for stroke-dasharray, "" for solid. */
const char *ank_dash_lengths(ank_dash dash, ank_colour colour);

/* The colour ramp of heat maps: dark blue at 0 through green to yellow at 1, growing in lightness all the way
 * so that it also reads in grey. `share` is held within [0, 1]. */
void ank_colour_ramp(char hex[8], double share);

/* Shades behind marks: nearly white at 0 to a light blue at 1. */
void ank_colour_pale(char hex[8], double share);

#endif
