/* figure_paper_training.c - loss, proxy and accuracy after each epoch of the first repetition. */
#include <math.h>
#include <stdio.h>

#include "core/alloc.h"
#include "report/figure_paper.h"

enum { SHOWN = 8 }; /* lines that colours and dashes still tell apart */

/* One panel: the value of each epoch, a line for each lambda. `scratch`: epochs twice. */
static anorank_status add_panel(ank_figure *figure, const ank_paper_figures *figures, const char *title,
                                const char *unit, size_t offset, ank_legend legend, double *scratch,
                                anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const anorank_reproduction *r = figures->reproduction;
  size_t epochs = (size_t)r->settings.epochs;
  ank_panel *panel;
  const ank_panel_options options = {
      .title = title, .x = {.label = "epoch"}, .y = {.label = unit}, .legend = legend};
  ANK_TRY(ank_figure_panel(&panel, figure, &options, err));
  for (size_t l = 0; l < r->lambda_count && l < SHOWN; l++) {
    char label[32];
    for (size_t e = 0; e < epochs; e++) {
      const ank_epoch *epoch = &figures->logs[l * epochs + e];
      scratch[e] = (double)e + 1;
      scratch[epochs + e] = *(const double *)(const void *)((const char *)epoch + offset);
    }
    snprintf(label, sizeof label, "\u03bb = %g", r->lambdas[l]);
    ANK_TRY(ank_panel_line(panel, scratch, scratch + epochs, epochs, &(ank_style){.label = label}, err));
  }
done:
  return status;
}

static anorank_status put_logs(const ank_paper_sink *sink, const ank_paper_figures *figures,
                               anorank_error *err) {
  static const char *const names[] = {"lambda", "epoch", "bce", "proxy", "w", "area", "accuracy"};
  enum { COLUMNS = 7 };
  anorank_status status = ANORANK_OK;
  const anorank_reproduction *r = figures->reproduction;
  size_t epochs = (size_t)r->settings.epochs;
  double *values = NULL, *to;
  ANK_TRY(ank_alloc_raw(&values, r->lambda_count * epochs * COLUMNS, sizeof *values, err));
  to = values;
  for (size_t l = 0; l < r->lambda_count; l++)
    for (size_t e = 0; e < epochs; e++) {
      const ank_epoch *epoch = &figures->logs[l * epochs + e];
      *to++ = r->lambdas[l];
      *to++ = (double)e + 1;
      *to++ = epoch->bce;
      *to++ = epoch->proxy;
      *to++ = epoch->w;
      *to++ = epoch->area;
      *to++ = epoch->accuracy;
    }
  ANK_TRY(
      ank_paper_put_matrix(sink, "training", names, COLUMNS, values, COLUMNS, r->lambda_count * epochs, err));
done:
  ank_free(values);
  return status;
}

anorank_status ank_figure_paper_training(const ank_paper_sink *sink, const ank_paper_figures *figures,
                                         anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const anorank_reproduction *r = figures->reproduction;
  ank_figure *figure = NULL;
  double *scratch = NULL;
  char caption[512];
  snprintf(caption, sizeof caption,
           "First repetition, on its training rows (accuracy: test rows), \u03c6 = %s, a network for each "
           "\u03bb%s; the legend holds for all three. The proxy of W is the paper's sum divided by n.",
           r->settings.phi, r->lambda_count > SHOWN ? "; the first eight are shown" : "");
  ANK_TRY(ank_alloc_raw(&scratch, 2 * (size_t)r->settings.epochs, sizeof *scratch, err));
  ANK_TRY(ank_figure_new(
      &figure,
      &(ank_figure_options){
          .title = "Training, epoch by epoch", .caption = caption, .width = 1080, .height = 460},
      err));
  ANK_TRY(add_panel(figure, figures, "binary cross-entropy", "BCE, nats per row", offsetof(ank_epoch, bce),
                    ANK_LEGEND_AUTO, scratch, err));
  ANK_TRY(add_panel(figure, figures, "proxy of W", "mean over X, no unit", offsetof(ank_epoch, proxy),
                    ANK_LEGEND_NONE, scratch, err));
  ANK_TRY(add_panel(figure, figures, "accuracy, n_lowest = 75", "share of true outliers",
                    offsetof(ank_epoch, accuracy), ANK_LEGEND_NONE, scratch, err));
  ANK_TRY(ank_paper_put_figure(sink, "training", figure, err));
  ANK_TRY(put_logs(sink, figures, err));
done:
  ank_figure_free(figure);
  ank_free(scratch);
  return status;
}
