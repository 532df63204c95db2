/* figure_paper_training.c - loss, proxy and accuracy after each epoch of the first repetition. */
#include <stdio.h>

#include "core/alloc.h"
#include "core/print.h"
#include "paper/figure_paper.h"

enum { SHOWN = 8 }; /* lines that colours and dashes still tell apart */

/* The values of one field, lambda after lambda, and the largest of them. */
static double take_field(double *values, const ank_paper_figures *figures, size_t offset) {
  size_t count = figures->reproduction->lambda_count * (size_t)figures->reproduction->settings.epochs;
  double largest = 0;
  for (size_t k = 0; k < count; k++) {
    values[k] = *(const double *)(const void *)((const char *)&figures->logs[k] + offset);
    if (values[k] > largest) largest = values[k];
  }
  return largest;
}

/* One panel: the field of each epoch, a line for each lambda. With a legend the axis begins at 0, which
 * leaves it room. `epoch`: 1, 2, ...; `values`: room for all. */
static anorank_status add_panel(ank_figure *figure, const ank_paper_figures *figures,
                                const ank_panel_options *options, size_t offset, const double *epoch,
                                double *values, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const anorank_reproduction *r = figures->reproduction;
  size_t epochs = (size_t)r->settings.epochs;
  ank_panel_options own = *options;
  ank_panel *panel;
  double largest = take_field(values, figures, offset);
  if (own.legend != ANK_LEGEND_NONE) own.y.high = 1.05 * largest;
  ANK_TRY(ank_figure_panel(&panel, figure, &own, err));
  for (size_t l = 0; l < r->lambda_count && l < SHOWN; l++) {
    char label[32];
    ank_print(label, sizeof label, "\u03bb = %g", r->lambdas[l]);
    ANK_TRY(ank_panel_line(panel, epoch, values + l * epochs, epochs, &(ank_style){.label = label}, err));
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
  static const struct {
    ank_panel_options options;
    size_t offset;
  } panels[] = {
      {{.title = "binary cross-entropy", .x = {.label = "epoch"}, .y = {.label = "BCE, nats per row"}},
       offsetof(ank_epoch, bce)},
      {{.title = "proxy of W",
        .x = {.label = "epoch"},
        .y = {.label = "mean over X, no unit"},
        .legend = ANK_LEGEND_NONE},
       offsetof(ank_epoch, proxy)},
      {{.title = "accuracy, n_lowest = 75",
        .x = {.label = "epoch"},
        .y = {.label = "share of true outliers"},
        .legend = ANK_LEGEND_NONE},
       offsetof(ank_epoch, accuracy)},
  };
  anorank_status status = ANORANK_OK;
  const anorank_reproduction *r = figures->reproduction;
  size_t epochs = (size_t)r->settings.epochs;
  ank_figure *figure = NULL;
  double *scratch = NULL;
  char caption[512];
  snprintf(caption, sizeof caption,
           "First repetition, on its training rows (accuracy: test rows), \u03c6 = %s, a network for each "
           "\u03bb%s; the legend holds for all three. The proxy of W is the paper's sum divided by n.",
           r->settings.phi, r->lambda_count > SHOWN ? "; the first eight are shown" : "");
  ANK_TRY(ank_alloc_raw(&scratch, epochs * (r->lambda_count + 1), sizeof *scratch, err));
  for (size_t e = 0; e < epochs; e++) scratch[e] = (double)e + 1;
  ANK_TRY(ank_figure_new(
      &figure,
      &(ank_figure_options){
          .title = "Training, epoch by epoch", .caption = caption, .width = 1080, .height = 540},
      err));
  for (size_t k = 0; k < sizeof panels / sizeof panels[0]; k++)
    ANK_TRY(add_panel(figure, figures, &panels[k].options, panels[k].offset, scratch, scratch + epochs, err));
  ANK_TRY(ank_paper_put_figure(sink, "training", figure, err));
  ANK_TRY(put_logs(sink, figures, err));
done:
  ank_figure_free(figure);
  ank_free(scratch);
  return status;
}
