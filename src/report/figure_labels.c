/* figure_labels.c - the order against labels: ROC, and precision and recall; see figure.h. */
#include <string.h>

#include "core/print.h"
#include "report/figure.h"

static anorank_status read_curve(ank_label_curve *curve, const ank_report *report, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  char name[ANK_QUOTE_SIZE];
  ANK_TRY(ank_report_labels(curve, report, err));
  if (curve->normal + curve->anomalies == 0)
    ANK_FAIL(ANORANK_ERROR_USAGE, "figure-needs-labels",
             "the figure is drawn from labels: set labels to a column of the rows");
  if (curve->count == 0)
    ANK_FAIL(ANORANK_ERROR_DATA, "labels-one-kind",
             "all labels are of one kind; the figure needs normal rows and anomalies in column '%s'",
             ank_quote(name, report->settings->labels, strlen(report->settings->labels)));
done:
  return status;
}

/* What `evaluate` says of the labels; NULL: it was not asked. */
static const anorank_labelled *labelled(const ank_report *report) {
  return report->given->evaluation ? anorank_evaluation_get_info(report->given->evaluation)->of[0]->labelled
                                   : NULL;
}

/* One curve over the unit square, and what chance would give. */
static anorank_status print(ank_output *output, const ank_report *report, const ank_label_curve *curve,
                            ank_chart *chart, const char *x, const char *y, const char *said,
                            const double chance[2], anorank_error *err) {
  static const double ends[] = {0, 1};
  char caption[ANK_CAPTION_SIZE];
  ank_panel *panel = &chart->panels[0];
  ank_caption(caption, report, "%zu row%s labelled as anomal%s, %zu as normal. %s", curve->anomalies,
              ANK_S(curve->anomalies), curve->anomalies == 1 ? "y" : "ies", curve->normal, said);
  chart->caption = caption;
  chart->width = 600;
  chart->height = 560;
  chart->count = 1;
  panel->x = (ank_axis){.label = x, .low = 0, .high = 1};
  panel->y = (ank_axis){.label = y, .low = 0, .high = 1};
  panel->series[0].stride = sizeof *curve->points / sizeof(double);
  panel->series[0].size = 2.2;
  panel->series[1] =
      (ank_series){ANK_LINE,           .label = "chance",      .x = ends,  .y = chance, .count = 2,
                   .colour = ANK_GREY, .dash = ANK_DASH_SHORT, .size = 1.5};
  return ank_chart_print(output, chart, err);
}

static anorank_status draw_roc(ank_output *output, const ank_report *report, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const anorank_labelled *said = labelled(report);
  ank_label_curve curve = {0};
  char words[256] = "";
  ANK_TRY(read_curve(&curve, report, err));
  if (said)
    ank_print(words, sizeof words, "Area %.4f [%.4f, %.4f], a %g %% interval; 1 is best, 0.5 is chance.",
              said->roc_auc.estimate, said->roc_auc.low, said->roc_auc.high,
              100 * report->given->evaluation->found[0].judgement->settings.level);
  ank_chart chart = {.title = "ROC curve",
                     .panels = {{.series = {{ANK_LINE, .x = &curve.points->normal,
                                             .y = &curve.points->anomalies, .count = curve.count}}}}};
  ANK_TRY(print(output, report, &curve, &chart, "share of the normal rows reported",
                "share of the anomalies found", words, (const double[]){0, 1}, err));
done:
  ank_label_curve_free(&curve);
  return status;
}

/* Nothing is reported at the first point, so that nothing can be said of its precision. */
static anorank_status draw_precision(ank_output *output, const ank_report *report, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const anorank_labelled *said = labelled(report);
  ank_label_curve curve = {0};
  char words[256] = "";
  ANK_TRY(read_curve(&curve, report, err));
  double base = (double)curve.anomalies / (double)(curve.anomalies + curve.normal);
  if (said)
    ank_print(words, sizeof words, "Average precision %.4f; %.4f by chance.", said->average_precision, base);
  ank_chart chart = {.title = "Precision and recall",
                     .panels = {{.series = {{ANK_LINE, .x = &curve.points[1].anomalies,
                                             .y = &curve.points[1].precision, .count = curve.count - 1}}}}};
  ANK_TRY(print(output, report, &curve, &chart, "recall: share of the anomalies found",
                "precision: share of true anomalies", words, (const double[]){base, base}, err));
done:
  ank_label_curve_free(&curve);
  return status;
}

const ank_figure_kind ank_figure_roc = {
    {"roc", "ROC curve, by --labels", ANORANK_FIGURE_USES, ANORANK_FIGURE_NEEDS}, draw_roc};
const ank_figure_kind ank_figure_precision_recall = {
    {"precision-recall", "precision and recall, by --labels", ANORANK_FIGURE_USES, ANORANK_FIGURE_NEEDS},
    draw_precision};
