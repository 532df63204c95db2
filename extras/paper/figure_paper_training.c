/* figure_paper_training.c - loss, proxy and accuracy after each epoch of the first repetition. */
#include <stdio.h>

#include "core/alloc.h"
#include "core/print.h"
#include "paper/figure_paper.h"

enum { SHOWN = 7, STRIDE = sizeof(ank_epoch) / sizeof(double) };

static const char *const colours[SHOWN] = {ANK_BLUE,   ANK_VERMILION, ANK_GREEN, ANK_PURPLE,
                                           ANK_ORANGE, ANK_SKY,       ANK_BLACK};
static const char *const dashes[SHOWN] = {NULL,           ANK_DASH_LONG, ANK_DASH_DOTTED, ANK_DASH_MIXED,
                                          ANK_DASH_SHORT, NULL,          ANK_DASH_LONG};

/* Draw a line for each lambda; `field`: of the first epoch. */
static void fill_panel(ank_panel *panel, const anorank_reproduction *r, const double *epoch,
                       const double *field, char labels[SHOWN][32]) {
  size_t epochs = (size_t)r->settings.epochs;
  panel->x.label = "epoch";
  for (size_t l = 0; l < r->lambda_count && l < SHOWN; l++)
    panel->series[l] = (ank_series){
        ANK_LINE,        .label = labels[l], .x = epoch,           .y = field + l * epochs * STRIDE,
        .count = epochs, .stride = STRIDE,   .colour = colours[l], .dash = dashes[l]};
}

/* `lambda` and `epoch` accompany the log, with its stride. */
static anorank_status put(const ank_paper_sink *sink, const ank_paper_figures *figures, const double *lambda,
                          const double *epoch, anorank_error *err) {
  const anorank_reproduction *r = figures->reproduction;
  const ank_epoch *log = figures->logs;
  size_t epochs = (size_t)r->settings.epochs;
  char caption[512], labels[SHOWN][32];
  const ank_paper_column columns[] = {{"lambda", lambda, STRIDE},
                                      {"epoch", epoch, STRIDE},
                                      {"bce", &log->bce, STRIDE},
                                      {"proxy", &log->proxy, STRIDE},
                                      {"w", &log->w, STRIDE},
                                      {"area", &log->area, STRIDE},
                                      {"accuracy", &log->accuracy, STRIDE},
                                      {0}};
  snprintf(caption, sizeof caption,
           "First repetition, on its training rows (accuracy: test rows), \u03c6 = %s, a network for each "
           "\u03bb%s. The proxy of W is the paper's sum divided by n.",
           r->settings.phi, r->lambda_count > SHOWN ? "; the first seven are shown" : "");
  for (size_t l = 0; l < r->lambda_count && l < SHOWN; l++)
    ank_print(labels[l], sizeof labels[l], "\u03bb = %g", r->lambdas[l]);
  ank_chart chart = {
      .title = "Training, epoch by epoch",
      .caption = caption,
      .width = 1080,
      .height = 540,
      .count = 3,
      .across = 3,
      .panels = {{.title = "binary cross-entropy", .y = {.label = "BCE, nats per row"}},
                 {.title = "proxy of W", .y = {.label = "mean over X, no unit"}},
                 {.title = "accuracy, n_lowest = 75", .y = {.label = "share of true outliers"}}}};
  fill_panel(&chart.panels[0], r, epoch, &log->bce, labels);
  fill_panel(&chart.panels[1], r, epoch, &log->proxy, labels);
  fill_panel(&chart.panels[2], r, epoch, &log->accuracy, labels);
  ank_chart_label_first(&chart);
  return ank_paper_put(sink, "training", &chart, columns, r->lambda_count * epochs, NULL, 0, err);
}

anorank_status ank_figure_paper_training(const ank_paper_sink *sink, const ank_paper_figures *figures,
                                         anorank_error *err) {
  const anorank_reproduction *r = figures->reproduction;
  size_t epochs = (size_t)r->settings.epochs, rows = r->lambda_count * epochs;
  double *beside = NULL; /* lambda and epoch of each row of the log */
  anorank_status status = ank_alloc_raw(&beside, rows * STRIDE, sizeof *beside, err);
  for (size_t i = 0; status == ANORANK_OK && i < rows; i++) {
    beside[i * STRIDE] = r->lambdas[i / epochs];
    beside[i * STRIDE + 1] = (double)(i % epochs + 1);
  }
  if (status == ANORANK_OK) status = put(sink, figures, beside, beside + 1, err);
  ank_free(beside);
  return status;
}
