/* figure_labels.c - the order against labels: ROC, and precision and recall; see figure.h. */
#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "core/print.h"
#include "report/figure.h"

/* The columns of the curve, each on its own; freed by normal. */
typedef struct columns {
  double *normal, *anomalies, *precision;
} columns;

static anorank_status read_curve(columns *out, ank_label_curve *curve, const ank_report *report,
                                 anorank_error *err) {
  anorank_status status = ANORANK_OK;
  char name[ANK_QUOTE_SIZE];
  *out = (columns){0};
  ANK_TRY(ank_report_labels(curve, report, err));
  if (curve->normal + curve->anomalies == 0)
    ANK_FAIL(ANORANK_ERROR_USAGE, "the figure is drawn from labels: set labels to a column of the rows");
  if (curve->count == 0)
    ANK_FAIL(ANORANK_ERROR_DATA,
             "all labels are of one kind; the figure needs normal rows and anomalies in column '%s'",
             ank_quote(name, report->settings->labels, strlen(report->settings->labels)));
  ANK_TRY(ank_alloc_raw(&out->normal, curve->count, 3 * sizeof *out->normal, err));
  out->anomalies = out->normal + curve->count;
  out->precision = out->anomalies + curve->count;
  for (size_t k = 0; k < curve->count; k++) {
    out->normal[k] = curve->points[k].normal;
    out->anomalies[k] = curve->points[k].anomalies;
    out->precision[k] = curve->points[k].precision;
  }
done:
  return status;
}

/* What `evaluate` says of the labels; NULL: it was not asked. */
static const anorank_labelled *labelled(const ank_report *report) {
  return report->given->evaluation ? anorank_evaluation_get_info(report->given->evaluation)->of[0]->labelled
                                   : NULL;
}

static anorank_status start(ank_figure **out, ank_panel **panel, const ank_report *report, const char *title,
                            const char *said, const char *x, const char *y, const ank_label_curve *curve,
                            anorank_error *err) {
  anorank_status status = ANORANK_OK;
  char caption[ANK_CAPTION_SIZE];
  ank_caption(caption, report, "%zu row%s labelled as anomal%s, %zu as normal. %s", curve->anomalies,
              ANK_S(curve->anomalies), curve->anomalies == 1 ? "y" : "ies", curve->normal, said);
  ANK_TRY(ank_figure_new(
      out, &(ank_figure_options){.title = title, .caption = caption, .width = 600, .height = 560}, err));
  ANK_TRY(ank_figure_panel(
      panel, *out,
      &(ank_panel_options){.x = {.label = x, .low = 0, .high = 1}, .y = {.label = y, .low = 0, .high = 1}},
      err));
done:
  return status;
}

static anorank_status draw_roc(ank_figure **out, const ank_report *report, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const anorank_labelled *said = labelled(report);
  ank_label_curve curve = {0};
  columns c = {0};
  ank_panel *panel;
  char words[256] = "";
  ANK_TRY(read_curve(&c, &curve, report, err));
  if (said)
    ank_print(words, sizeof words, "Area %.4f [%.4f, %.4f], a %g %% interval; 1 is best, 0.5 is chance.",
              said->roc_auc.estimate, said->roc_auc.low, said->roc_auc.high,
              100 * report->given->evaluation->found[0].judgement->settings.level);
  ANK_TRY(start(out, &panel, report, "ROC curve", words, "share of the normal rows reported",
                "share of the anomalies found", &curve, err));
  ANK_TRY(ank_panel_reference(panel, 0, 0, 1, 1, "chance", err));
  ANK_TRY(ank_panel_line(panel, c.normal, c.anomalies, curve.count, &(ank_style){.width = 2.2}, err));
done:
  ank_free(c.normal);
  ank_label_curve_free(&curve);
  return status;
}

/* Nothing is reported at the first point, so that nothing can be said of its precision. */
static anorank_status draw_precision(ank_figure **out, const ank_report *report, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const anorank_labelled *said = labelled(report);
  ank_label_curve curve = {0};
  columns c = {0};
  ank_panel *panel;
  char words[256] = "";
  ANK_TRY(read_curve(&c, &curve, report, err));
  double base = (double)curve.anomalies / (double)(curve.anomalies + curve.normal);
  if (said)
    ank_print(words, sizeof words, "Average precision %.4f; %.4f by chance.", said->average_precision, base);
  ANK_TRY(start(out, &panel, report, "Precision and recall", words, "recall: share of the anomalies found",
                "precision: share of true anomalies", &curve, err));
  ANK_TRY(ank_panel_reference(panel, -INFINITY, base, INFINITY, base, "chance", err));
  ANK_TRY(ank_panel_line(panel, c.anomalies + 1, c.precision + 1, curve.count - 1, &(ank_style){.width = 2.2},
                         err));
done:
  ank_free(c.normal);
  ank_label_curve_free(&curve);
  return status;
}

const ank_figure_kind ank_figure_roc = {
    {"roc", "ROC curve, by --labels", ANORANK_FIGURE_USES, ANORANK_FIGURE_NEEDS}, draw_roc};
const ank_figure_kind ank_figure_precision_recall = {
    {"precision-recall", "precision and recall, by --labels", ANORANK_FIGURE_USES, ANORANK_FIGURE_NEEDS},
    draw_precision};
