/* figure_mass_volume.c - mass on x, volume on y, with bands.
 *
 * The paper's own figure has the axes the other way round; here they follow its definition (Eq. 3): volume as
 * a function of mass, so that the lower of two curves is the better order at that mass. */
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "core/print.h"
#include "report/figure.h"

#define LABEL_SHOWN 32 /* bytes of a label in the legend: the areas must stay visible */

/* The bands of a curve. */
typedef struct bands {
  double from, to; /* the range of the simultaneous band; from > to: none */
  int has_interval;
} bands;

static bands find_bands(const anorank_judgement *judgement) {
  bands found = {INFINITY, -INFINITY, 0};
  const anorank_judgement_info *info = anorank_judgement_get_info(judgement);
  for (const anorank_curve_point *at = info->curve; at < info->curve + info->points; at++) {
    if (isfinite(at->low) && isfinite(at->high)) found.has_interval = 1;
    if (!isfinite(at->band_low) || !isfinite(at->band_high)) continue;
    found.from = fmin(found.from, at->mass);
    found.to = fmax(found.to, at->mass);
  }
  return found;
}

/* Write "name: area 0.1234 [0.1201, 0.1268]". A long name loses its beginning, since paths differ at the
 * end. */
static void legend_label(char *text, size_t size, const char *name, anorank_interval area) {
  size_t length = strlen(name), skip = 0;
  if (length > LABEL_SHOWN) {
    skip = length - LABEL_SHOWN;
    while (skip < length && ((unsigned char)name[skip] & 0xc0) == 0x80) skip++; /* not inside a character */
  }
  ank_print(text, size, "%s%s: area %.4f", skip ? "\xe2\x80\xa6" : "", name + skip, area.estimate);
  size_t used = strlen(text);
  if (isfinite(area.low) && isfinite(area.high))
    ank_print(text + used, size - used, " [%.4f, %.4f]", area.low, area.high);
}

/* Draw bands below, the line on top: where the two bands overlap, the shades add up. */
static ank_series *add_curve(ank_series *to, const anorank_judgement *judgement, const ank_series *line,
                             int with_band, int with_intervals) {
  const anorank_curve_point *curve = anorank_judgement_get_info(judgement)->curve;
  const ank_series common = {.x = &curve->mass,
                             .count = anorank_judgement_get_info(judgement)->points,
                             .stride = sizeof *curve / sizeof(double),
                             .colour = line->colour,
                             .opacity = 0.2};
  const ank_series parts[] = {
      {with_band ? ANK_BAND : ANK_END, .y = &curve->band_low, .high = &curve->band_high},
      {with_intervals ? ANK_BAND : ANK_END, .y = &curve->low, .high = &curve->high},
      {ANK_LINE, .y = &curve->volume}};
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
    if (parts[k].mark == ANK_END) continue;
    *to = common;
    to->mark = parts[k].mark;
    to->y = parts[k].y;
    to->high = parts[k].high;
    to++;
  }
  to[-1].label = line->label;
  to[-1].dash = line->dash;
  to[-1].size = 2.2;
  to[-1].opacity = 0;
  return to;
}

/* Append to `text`; excess text is cut. */
__attribute__((format(printf, 2, 3))) static void append(char text[ANK_CAPTION_SIZE], const char *format,
                                                         ...) {
  size_t used = strlen(text);
  va_list args;
  va_start(args, format);
  (void)ank_vprint(text + used, ANK_CAPTION_SIZE - used, format, args);
  va_end(args);
}

/* Append the caption to `text`. */
static void write_caption(char text[ANK_CAPTION_SIZE], const anorank_judgement *first,
                          const anorank_judgement *second, const bands *b, int with_intervals) {
  const anorank_judgement_info *one = anorank_judgement_get_info(first);
  const anorank_judgement_info *two = second ? anorank_judgement_get_info(second) : one;
  double level = one->settings->level * 100;
  append(text, "n = %zu normal rows, m = %zu contrast rows", one->n, one->m);
  if (two->n != one->n || two->m != one->m) append(text, " (second: %zu and %zu)", two->n, two->m);
  append(text, "; lower is better. ");
  if (b->from <= b->to)
    append(text, "Filled: %.4g %% band for the whole curve at once (mass %.2f to %.2f)%s. ", level, b->from,
           b->to, with_intervals ? "; darker: at each mass alone" : "");
  else if (with_intervals)
    append(text, "Filled: %.4g %% interval at each mass alone. ", level);
  append(text, "Area intervals: %.4g %%.", level);
}

static anorank_status print(ank_output *output, const anorank_judgement *first, const char *first_label,
                            const anorank_judgement *second, const char *second_label,
                            char caption[ANK_CAPTION_SIZE], anorank_error *err) {
  static const double ends[] = {0, 1};
  char labels[2][256];
  bands one = find_bands(first);
  int with_intervals = !second && one.has_interval; /* four overlapping bands would be unreadable */
  write_caption(caption, first, second, &one, with_intervals);
  ank_chart chart = {
      .title = second ? "Mass-volume curves" : "Mass-volume curve",
      .caption = caption,
      .count = 1,
      .panels = {{.x = {.label = "mass: share of normal rows inside", .low = 0, .high = 1},
                  .y = {.label = "volume: share of contrast rows inside", .low = 0, .high = 1}}}};
  ank_series *to = chart.panels[0].series;
  legend_label(labels[0], sizeof labels[0], first_label, anorank_judgement_get_info(first)->area);
  to = add_curve(to, first, &(ank_series){.label = labels[0], .colour = ANK_BLUE}, one.from <= one.to,
                 with_intervals);
  if (second) {
    bands two = find_bands(second);
    legend_label(labels[1], sizeof labels[1], second_label, anorank_judgement_get_info(second)->area);
    to = add_curve(to, second,
                   &(ank_series){.label = labels[1], .colour = ANK_VERMILION, .dash = ANK_DASH_LONG},
                   two.from <= two.to, 0);
  }
  *to = (ank_series){ANK_LINE,           .label = "no order",    .x = ends,  .y = ends, .count = 2,
                     .colour = ANK_GREY, .dash = ANK_DASH_SHORT, .size = 1.5};
  return ank_chart_print(output, &chart, err);
}

anorank_status anorank_figure_mass_volume(const anorank_sink *sink, const anorank_judgement *first,
                                          const char *first_label, const anorank_judgement *second,
                                          const char *second_label, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_output *output = NULL;
  char caption[ANK_CAPTION_SIZE] = "";
  ANK_NEED(sink);
  ank_sink_start(sink);
  ANK_NEED(first);
  if (!first_label || !*first_label) first_label = second ? "first" : "curve";
  if (!second_label || !*second_label) second_label = "second";
  ANK_TRY(ank_output_of(&output, sink, err));
  ANK_TRY(print(output, first, first_label, second, second_label, caption, err));
  ANK_TRY(ank_output_commit(output, err));
done:
  ank_output_free(output);
  return status;
}

static anorank_status draw_curve(ank_output *output, const ank_report *report, anorank_error *err) {
  char caption[ANK_CAPTION_SIZE];
  ank_caption(caption, report, "%s", "");
  return print(output, report->given->evaluation->found[0].judgement, "this order", NULL, NULL, caption, err);
}

const ank_figure_kind ank_figure_curve = {
    {"curve", "mass-volume curve with its band", ANORANK_FIGURE_NEEDS, 0}, draw_curve};
