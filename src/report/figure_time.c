/* figure_time.c - rows that stand out and scores along time; see figure.h. */
#include <math.h>

#include "core/alloc.h"
#include "core/print.h"
#include "report/figure.h"

/* Times and scores of the shown rows, those that stand out first; freed through x. */
typedef struct moments {
  double *x, *score;
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

static anorank_status draw(ank_output *output, const ank_report *report, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  char caption[ANK_CAPTION_SIZE], name[160], label[200];
  double flagged[ANK_TIME_BINS], most = 1;
  ank_time_spread spread;
  moments m = {0};
  if (!ank_report_times(&spread, report))
    ANK_FAIL(ANORANK_ERROR_DATA, "figure-no-time",
             "no time column has distinct times; choose another figure");
  ANK_TRY(find_moments(&m, report, spread.column, err));
  ank_caption(caption, report,
              "Lower is more abnormal. Scores of the rows that stand out, of those next in the order and of "
              "%zu others drawn at random.",
              report->sampled);
  ank_print(label, sizeof label, "%s (UTC)",
            ank_text_cut(name, sizeof name, report->table->column[spread.column].name, 40));
  for (size_t k = 0; k < ANK_TIME_BINS; k++) most = fmax(most, flagged[k] = (double)spread.flagged[k]);
  const ank_axis x = {.label = label, .low = spread.from, .high = spread.to, .is_time = 1};
  const ank_chart chart = {
      .title = "Along time",
      .caption = caption,
      .height = 680,
      .count = 2,
      .panels = {{.title = "Rows that stand out",
                  .x = x,
                  .y = {.label = "rows", .low = 0, .high = 1.08 * most},
                  .series = {{ANK_BARS, .y = flagged, .count = ANK_TIME_BINS, .colour = ANK_VERMILION,
                              .opacity = 0.85}}},
                 {.title = "Scores",
                  .x = x,
                  .y = {.label = "score"},
                  .series = {{ANK_DOTS, .label = "other rows", .x = m.x + m.flagged, .y = m.score + m.flagged,
                              .count = m.count - m.flagged, .colour = ANK_GREY, .size = 2.6, .opacity = 0.6},
                             {m.flagged > 0 ? ANK_TRIANGLES : ANK_END, .label = "stand out", .x = m.x,
                              .y = m.score, .count = m.flagged, .colour = ANK_VERMILION, .size = 7}}}}};
  ANK_TRY(ank_chart_print(output, &chart, err));
done:
  ank_free(m.x);
  return status;
}

const ank_figure_kind ank_figure_time = {{"time", "rows that stand out and scores along time", 0, 0}, draw};
