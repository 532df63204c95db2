/* figure_time.c - rows that stand out and scores along time; see figure.h. */
#include <math.h>

#include "core/alloc.h"
#include "core/print.h"
#include "report/chart_ink.h"
#include "report/figure.h"

/* Scores of the rows that are shown, those that stand out and the others; freed by x. */
typedef struct moments {
  double *x, *score; /* flagged ones first */
  size_t flagged, count;
} moments;

static anorank_status find_moments(moments *out, const ank_report *report, size_t column,
                                   anorank_error *err) {
  size_t shown = report->listed + report->sampled,
         listed_flagged = report->flagged < report->listed ? report->flagged : report->listed;
  const double *times = report->table->column[column].numbers;
  *out = (moments){0};
  anorank_status status = ank_alloc_raw(&out->x, shown, 2 * sizeof *out->x, err);
  if (status != ANORANK_OK) return status;
  out->score = out->x + shown;
  for (size_t i = 0; i < shown; i++) {
    const anorank_finding *one =
        ank_report_at(report, i < report->listed ? i : report->sample[i - report->listed]);
    if (!isfinite(times[one->row])) continue;
    out->x[out->count] = times[one->row];
    out->score[out->count++] = one->score;
    out->flagged += i < listed_flagged;
  }
  return ANORANK_OK;
}

static anorank_status add_bars(ank_figure *figure, const ank_time_spread *spread, ank_axis x,
                               anorank_error *err) {
  anorank_status status = ANORANK_OK;
  double flagged[ANK_TIME_BINS], most = 1;
  ank_panel *panel;
  for (size_t k = 0; k < ANK_TIME_BINS; k++) most = fmax(most, flagged[k] = (double)spread->flagged[k]);
  ANK_TRY(ank_figure_panel(&panel, figure,
                           &(ank_panel_options){.title = "Rows that stand out",
                                                .x = x,
                                                .y = {.label = "rows", .low = 0, .high = 1.08 * most}},
                           err));
  ANK_TRY(ank_panel_bars(panel, spread->from, spread->to, flagged, ANK_TIME_BINS,
                         &(ank_style){.colour = ANK_COLOUR_VERMILION, .opacity = 0.85}, err));
done:
  return status;
}

static anorank_status add_scores(ank_figure *figure, const moments *m, ank_axis x, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const ank_style flagged_style = ank_style_flagged(7);
  ank_panel *panel;
  ANK_TRY(ank_figure_panel(
      &panel, figure,
      &(ank_panel_options){.title = "Scores", .x = x, .y = {.label = "score"}, .legend = ANK_LEGEND_BELOW},
      err));
  ANK_TRY(ank_panel_points(
      panel, m->x + m->flagged, m->score + m->flagged, m->count - m->flagged,
      &(ank_style){.label = "other rows", .colour = ANK_COLOUR_GREY, .width = 2.6, .opacity = 0.6}, err));
  if (m->flagged > 0) ANK_TRY(ank_panel_points(panel, m->x, m->score, m->flagged, &flagged_style, err));
done:
  return status;
}

static anorank_status draw(ank_figure **out, const ank_report *report, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  char caption[ANK_CAPTION_SIZE], name[160], label[200];
  ank_time_spread spread;
  moments m = {0};
  if (!ank_report_times(&spread, report))
    ANK_FAIL(ANORANK_ERROR_DATA, "figure-no-time",
             "the rows have no column of times that differ, so that nothing can be drawn along time");
  ANK_TRY(find_moments(&m, report, spread.column, err));
  ank_caption(caption, report,
              "Lower is more abnormal. Scores of the rows that stand out, of those next in the order and of "
              "%zu others drawn at random.",
              report->sampled);
  ank_print(label, sizeof label, "%s (UTC)",
            ank_text_cut(name, sizeof name, report->table->column[spread.column].name, 40));
  ank_axis x = {.label = label, .low = spread.from, .high = spread.to, .scale = ANK_SCALE_TIME};
  ANK_TRY(ank_figure_new(
      out, &(ank_figure_options){.title = "Along time", .caption = caption, .columns = 1, .height = 680},
      err));
  ANK_TRY(add_bars(*out, &spread, x, err));
  ANK_TRY(add_scores(*out, &m, x, err));
done:
  ank_free(m.x);
  return status;
}

const ank_figure_kind ank_figure_time = {{"time", "rows that stand out and scores along time", 0, 0}, draw};
