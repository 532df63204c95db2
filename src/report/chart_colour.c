/* chart_colour.c - see chart_colour.h. */
#include "report/chart_colour.h"

#include <math.h>
#include <stdio.h>

static const char *const hex_of[] = {
    [ANK_COLOUR_AUTO] = "#000000",  [ANK_COLOUR_BLUE] = "#0072b2",   [ANK_COLOUR_VERMILION] = "#d55e00",
    [ANK_COLOUR_GREEN] = "#009e73", [ANK_COLOUR_PURPLE] = "#cc79a7", [ANK_COLOUR_ORANGE] = "#e69f00",
    [ANK_COLOUR_SKY] = "#56b4e9",   [ANK_COLOUR_BLACK] = "#000000",  [ANK_COLOUR_YELLOW] = "#f0e442",
    [ANK_COLOUR_GREY] = "#767676", /* the lightest grey that is still readable as text on white */
};

static const char *const lengths_of[] = {
    [ANK_DASH_AUTO] = "",
    [ANK_DASH_SOLID] = "",
    [ANK_DASH_LONG] = "10 5",
    [ANK_DASH_DOTTED] = "1 5",
    [ANK_DASH_DOT_LONG] = "10 5 1 5",
    [ANK_DASH_SHORT] = "4 5",
};

const char *ank_colour_hex(ank_colour colour) { return hex_of[colour]; }

ank_colour ank_colour_automatic(int i) {
  return (ank_colour)((int)ANK_COLOUR_BLUE + i % ((int)ANK_COLOUR_YELLOW - (int)ANK_COLOUR_BLUE + 1));
}

const char *ank_dash_lengths(ank_dash dash, ank_colour colour) {
  if (dash != ANK_DASH_AUTO) return lengths_of[dash];
  if (colour < ANK_COLOUR_BLUE || colour > ANK_COLOUR_YELLOW) return "";
  int turn = ((int)colour - (int)ANK_COLOUR_BLUE) % (int)ANK_DASH_SHORT;
  return lengths_of[(int)ANK_DASH_SOLID + turn];
}

void ank_colour_ramp(char hex[8], double share) {
  /* Control points chosen by hand for equal steps of lightness; between them sRGB is interpolated. */
  static const double points[][3] = {
      {30, 16, 78},  {45, 62, 135},  {38, 110, 142}, {38, 152, 130},
      {98, 190, 98}, {176, 216, 58}, {252, 232, 50},
  };
  const int last = (int)(sizeof points / sizeof *points) - 1;
  double at = fmin(fmax(share, 0), 1) * last; /* fmax also turns NaN into 0 */
  int i = at >= last ? last - 1 : (int)at;
  unsigned rgb[3];
  for (int c = 0; c < 3; c++)
    rgb[c] = (unsigned)lround(points[i][c] + (at - i) * (points[i + 1][c] - points[i][c])) & 0xffu;
  snprintf(hex, 8, "#%02x%02x%02x", rgb[0], rgb[1], rgb[2]);
}

void ank_colour_pale(char hex[8], double share) {
  static const double from[] = {250, 250, 250}, to[] = {166, 196, 220};
  unsigned rgb[3];
  share = fmin(fmax(share, 0), 1);
  for (int c = 0; c < 3; c++) rgb[c] = (unsigned)lround(from[c] + share * (to[c] - from[c])) & 0xffu;
  snprintf(hex, 8, "#%02x%02x%02x", rgb[0], rgb[1], rgb[2]);
}
