/* figure_mass_volume.c - mass on x, volume on y, with bands.
 *
 * The paper's own figure has the axes the other way round; here they are as in its definition (Eq. 3): volume
 * as a function of mass, so that a curve below another one is the better order at that mass. */
#include "report/figure_mass_volume.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/alloc.h"
#include "core/print.h"
#include "report/chart_ticks.h"
#include "report/figure.h"

#define LABEL_SHOWN 32 /* bytes of a label in the legend: the areas must stay in sight */

/* The columns of a curve, as the chart wants them. */
typedef struct columns {
  double *mass, *volume, *low, *high, *band_low, *band_high;
  size_t count;
  double from, to; /* where the simultaneous band is; from > to: nowhere */
  int has_interval;
} columns;

static void columns_clear(columns *c) { ank_free(c->mass); }

static anorank_status columns_make(columns *c, const anorank_judgement *judgement, anorank_error *err) {
  const anorank_curve_point *curve = anorank_judgement_get_info(judgement)->curve;
  c->count = anorank_judgement_get_info(judgement)->points;
  double *all = NULL;
  anorank_status status = ank_alloc_raw(&all, c->count, 6 * sizeof *all, err);
  if (status != ANORANK_OK) return status;
  double **const parts[] = {&c->mass, &c->volume, &c->low, &c->high, &c->band_low, &c->band_high};
  for (size_t k = 0; k < 6; k++) *parts[k] = all + k * c->count;
  c->from = INFINITY;
  c->to = -INFINITY;
  for (size_t i = 0; i < c->count; i++) {
    c->mass[i] = curve[i].mass;
    c->volume[i] = curve[i].volume;
    c->low[i] = curve[i].low;
    c->high[i] = curve[i].high;
    c->band_low[i] = curve[i].band_low;
    c->band_high[i] = curve[i].band_high;
    if (isfinite(curve[i].low) && isfinite(curve[i].high)) c->has_interval = 1;
    if (!isfinite(curve[i].band_low) || !isfinite(curve[i].band_high)) continue;
    c->from = fmin(c->from, curve[i].mass);
    c->to = fmax(c->to, curve[i].mass);
  }
  return ANORANK_OK;
}

/* For texts: a point whatever the locale, "?" for what is no number. */
static const char *number(char text[16], double value, int decimals) {
  if (!isfinite(value)) return "?";
  ank_format_fixed(text, 16, value, decimals);
  return text;
}

/* "name: area 0.1234 [0.1201, 0.1268]"; a long name loses its beginning, since paths differ at the end. */
static void legend_label(char *text, size_t size, const char *name, anorank_interval area) {
  char a[16], b[16], c[16];
  size_t length = strlen(name), skip = 0;
  if (length > LABEL_SHOWN) {
    skip = length - LABEL_SHOWN;
    while (skip < length && ((unsigned char)name[skip] & 0xc0) == 0x80) skip++; /* not inside a character */
  }
  snprintf(text, size, "%s%s: area %s [%s, %s]", skip ? "\xe2\x80\xa6" : "", name + skip,
           number(a, area.estimate, 4), number(b, area.low, 4), number(c, area.high, 4));
}

static anorank_status add_curve(ank_panel *panel, const columns *c, const char *label, ank_colour colour,
                                ank_dash dash, int with_intervals, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const ank_style line = {.label = label, .colour = colour, .dash = dash, .width = 2.2};
  const ank_style band = {.colour = colour, .opacity = 0.2};
  if (c->from <= c->to)
    ANK_TRY(ank_panel_band(panel, c->mass, c->band_low, c->band_high, c->count, &band, err));
  if (with_intervals) /* on top of the wider band, so the two shades add up */
    ANK_TRY(ank_panel_band(panel, c->mass, c->low, c->high, c->count, &band, err));
  ANK_TRY(ank_panel_line(panel, c->mass, c->volume, c->count, &line, err));
done:
  return status;
}

/* Append to `text`; what does not fit is cut. */
__attribute__((format(printf, 3, 4))) static void append(char *text, size_t size, const char *format, ...) {
  size_t used = strlen(text);
  va_list args;
  va_start(args, format);
  (void)ank_vprint(text + used, size - used, format, args);
  va_end(args);
}

static void write_caption(char *text, size_t size, const char *before, const anorank_judgement *first,
                          const anorank_judgement *second, const columns *c, int with_intervals) {
  char from[16], to[16], level[16];
  double percent = anorank_judgement_get_info(first)->settings->level * 100;
  number(level, percent, percent == floor(percent) ? 0 : 1);
  text[0] = '\0';
  append(text, size, "%s", before);
  append(text, size, "n = %zu normal rows, m = %zu contrast rows", anorank_judgement_get_info(first)->n,
         anorank_judgement_get_info(first)->m);
  if (second && (anorank_judgement_get_info(second)->n != anorank_judgement_get_info(first)->n ||
                 anorank_judgement_get_info(second)->m != anorank_judgement_get_info(first)->m))
    append(text, size, " (second: %zu and %zu)", anorank_judgement_get_info(second)->n,
           anorank_judgement_get_info(second)->m);
  append(text, size, "; lower is better. ");
  if (c->from <= c->to)
    append(text, size, "Filled: %s %% band for the whole curve at once (mass %s to %s)%s. ", level,
           number(from, c->from, 2), number(to, c->to, 2),
           with_intervals ? "; darker: at each mass alone" : "");
  else if (with_intervals)
    append(text, size, "Filled: %s %% interval at each mass alone. ", level);
  append(text, size, "Area intervals: %s %%.", level);
}

static anorank_status make(ank_figure **out, const anorank_judgement *first, const char *first_label,
                           const anorank_judgement *second, const char *second_label, const char *before,
                           anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_panel *panel = NULL;
  columns one = {0}, two = {0};
  char caption[ANK_CAPTION_SIZE], label[256];
  if (!first_label || !*first_label) first_label = second ? "first" : "curve";
  if (!second_label || !*second_label) second_label = "second";
  ANK_TRY(columns_make(&one, first, err));
  if (second) ANK_TRY(columns_make(&two, second, err));
  int with_intervals = !second && one.has_interval; /* four bands over each other show nothing */
  write_caption(caption, sizeof caption, before, first, second, &one, with_intervals);
  ANK_TRY(ank_figure_new(
      out,
      &(ank_figure_options){.title = second ? "Mass-volume curves" : "Mass-volume curve", .caption = caption},
      err));
  ANK_TRY(ank_figure_panel(&panel, *out,
                           &(ank_panel_options){
                               .x = {.label = "mass: share of normal rows inside", .low = 0, .high = 1},
                               .y = {.label = "volume: share of contrast rows inside", .low = 0, .high = 1},
                           },
                           err));
  ANK_TRY(ank_panel_reference(panel, 0, 0, 1, 1, "no order", err));
  legend_label(label, sizeof label, first_label, anorank_judgement_get_info(first)->area);
  ANK_TRY(add_curve(panel, &one, label, ANK_COLOUR_BLUE, ANK_DASH_SOLID, with_intervals, err));
  if (second) {
    legend_label(label, sizeof label, second_label, anorank_judgement_get_info(second)->area);
    ANK_TRY(add_curve(panel, &two, label, ANK_COLOUR_VERMILION, ANK_DASH_LONG, 0, err));
  }
done:
  columns_clear(&one);
  columns_clear(&two);
  return status;
}

anorank_status ank_figure_mass_volume(ank_output *output, const anorank_judgement *first,
                                      const char *first_label, const anorank_judgement *second,
                                      const char *second_label, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_figure *figure = NULL;
  ANK_TRY(make(&figure, first, first_label, second, second_label, "", err));
  ANK_TRY(ank_figure_print(figure, output, err));
done:
  ank_figure_free(figure);
  return status;
}

static anorank_status draw_curve(ank_figure **out, const ank_report *report, anorank_error *err) {
  char about[ANK_CAPTION_SIZE];
  ank_caption(about, report, "%s", "");
  return make(out, report->given->evaluation->found[0].judgement, "this order", NULL, NULL, about, err);
}

const ank_figure_kind ank_figure_curve = {
    {"curve", "mass-volume curve with its band", ANORANK_FIGURE_NEEDS, 0}, draw_curve};
