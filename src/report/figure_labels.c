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
             "the figure needs labels; set labels to a column of the rows");
  if (curve->count == 0)
    ANK_FAIL(ANORANK_ERROR_DATA, "labels-one-kind",
             "all labels are of one kind; label both normal rows and anomalies in column '%s'",
             ank_quote(name, report->settings->labels, strlen(report->settings->labels)));
done:
  return status;
}

/* Draw one curve over the unit square, and the curve of a random order. */
static anorank_status draw(ank_output *output, const ank_report *report, int precision, anorank_error *err) {
  static const double ends[] = {0, 1};
  anorank_status status = ANORANK_OK;
  const anorank_evaluation *evaluation = report->given->evaluation;
  const anorank_labelled *found =
      evaluation ? anorank_evaluation_get_info(evaluation)->of[0]->labelled : NULL;
  ank_label_curve curve = {0};
  char words[256] = "", caption[ANK_CAPTION_SIZE];
  ANK_TRY(read_curve(&curve, report, err));
  double base = (double)curve.anomalies / (double)(curve.anomalies + curve.normal);
  if (found && precision)
    ank_print(words, sizeof words, "Average precision %.4f; %.4f by chance.", found->average_precision, base);
  else if (found)
    ank_print(words, sizeof words, "Area %.4f [%.4f, %.4f], a %g %% interval; 1 is best, 0.5 is chance.",
              found->roc_auc.estimate, found->roc_auc.low, found->roc_auc.high,
              100 * evaluation->found[0].judgement->settings.level);
  ank_caption(caption, report, "%zu row%s labelled as anomal%s, %zu as normal. %s", curve.anomalies,
              ANK_S(curve.anomalies), curve.anomalies == 1 ? "y" : "ies", curve.normal, words);
  /* The first point reports no rows, so it has no precision. */
  const ank_label_point *from = curve.points + precision;
  const ank_chart chart = {
      .title = precision ? "Precision and recall" : "ROC curve",
      .caption = caption,
      .width = 600,
      .height = 560,
      .count = 1,
      .panels = {
          {.x = {.label =
                     precision ? "recall: share of the anomalies found" : "share of the normal rows reported",
                 .low = 0,
                 .high = 1},
           .y = {.label = precision ? "precision: share of true anomalies" : "share of the anomalies found",
                 .low = 0,
                 .high = 1},
           .series = {{ANK_LINE, .x = precision ? &from->anomalies : &from->normal,
                       .y = precision ? &from->precision : &from->anomalies,
                       .count = curve.count - (size_t)precision,
                       .stride = sizeof *curve.points / sizeof(double), .size = 2.2},
                      {ANK_LINE, .label = "chance", .x = ends,
                       .y = precision ? (const double[]){base, base} : ends, .count = 2, .colour = ANK_GREY,
                       .dash = ANK_DASH_SHORT, .size = 1.5}}}}};
  ANK_TRY(ank_chart_print(output, &chart, err));
done:
  ank_label_curve_free(&curve);
  return status;
}

static anorank_status draw_roc(ank_output *output, const ank_report *report, anorank_error *err) {
  return draw(output, report, 0, err);
}

static anorank_status draw_precision(ank_output *output, const ank_report *report, anorank_error *err) {
  return draw(output, report, 1, err);
}

const ank_figure_kind ank_figure_roc = {
    {"roc", "ROC curve, by --labels", ANORANK_FIGURE_USES, ANORANK_FIGURE_NEEDS}, draw_roc};
const ank_figure_kind ank_figure_precision_recall = {
    {"precision-recall", "precision and recall, by --labels", ANORANK_FIGURE_USES, ANORANK_FIGURE_NEEDS},
    draw_precision};
