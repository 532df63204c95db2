/* evaluation_report.c - the output of an evaluation: text in 80 columns, or JSON.
 * The keys of the JSON are part of the interface: add, never rename. */
#include <math.h>
#include <stdio.h>

#include "core/print.h"
#include "evaluation_run.h"
#include "judgement_parts.h"
#include "terminal.h"
#include "text.h"

static void print_title(FILE *stream, const cli_evaluation *work) {
  const anorank_evaluation_info *info = anorank_evaluation_get_info(work->evaluation);
  const anorank_note *note;
  size_t rows = anorank_judgement_get_info(info->of[0]->judgement)->n;
  fputs(cli_style(stream, CLI_BOLD), stream);
  if (info->comparison)
    fprintf(stream, "%s against %s, on the same %zu rows", work->names[0], work->names[1], rows);
  else
    fprintf(stream, "%s, on %zu rows", work->names[0], rows);
  fprintf(stream, "%s\n", cli_style(stream, CLI_PLAIN));
  for (size_t i = 0; (note = anorank_notes_at(anorank_evaluation_notes(work->evaluation), i)) != NULL; i++) {
    fputs("  - ", stream);
    cli_wrap(stream, note->text, 4, 4, cli_columns(stream));
  }
}

/* ---- agreement --------------------------------------------------------------------------------------- */

static void print_agreement(FILE *stream, const anorank_agreement *agreement) {
  char text[32] = "-";
  if (!isnan(agreement->spearman)) ank_print(text, sizeof text, "%.3f", agreement->spearman);
  fprintf(stream, "  %-36s %8s  %s\n", "Spearman's correlation of the scores", text,
          "1: the same order, 0: none");
  for (size_t i = 0; i < ANORANK_AGREEMENT_SHARES; i++) {
    const anorank_overlap *lowest = &agreement->lowest[i];
    char what[64];
    ank_print(what, sizeof what, "shared by the lowest %g %% (%zu)", 100 * lowest->share, lowest->rows);
    cli_print(stream, "  %-36s %6.1f %%  by chance %.1f %%\n", what, 100 * lowest->overlap,
              100 * lowest->by_chance);
  }
}

/* ---- one --------------------------------------------------------------------------------------------- */

static void print_one(FILE *stream, const cli_evaluation *work, double level) {
  const anorank_evaluation_info *info = anorank_evaluation_get_info(work->evaluation);
  const anorank_evaluated *one = info->of[0];
  cli_head(stream, "Quality of the order, without labels");
  cli_print_note(stream, "%s", info->conclusion);
  cli_say_odds(stream, one->judgement, level);
  cli_print_saturation(stream, one->judgement);
  cli_print_partial(stream, one->judgement, level, info->is_volume ? "mean volume" : "mean share");
  cli_print_w(stream, one->judgement);
  cli_print_laws(stream, info->laws, level);
  if (info->stability) {
    cli_head(stream, "Stability of the order");
    cli_print_note(stream, "Two fits on disjoint thirds of the rows score the same %zu evaluated rows:",
                   info->stability->rows);
    print_agreement(stream, info->stability);
  }
  if (!one->labelled) return;
  cli_print_labelled(stream, one->labelled, one->precision, one->precision_count, level);
  if (!info->blind && anorank_judgement_get_info(one->judgement)->area.high < 0.5 &&
      one->labelled->roc_auc.low <= 0.5)
    cli_print_note(stream, "The labels do not confirm the order; trust the labels.");
}

/* ---- two --------------------------------------------------------------------------------------------- */

static void print_areas(FILE *stream, const cli_evaluation *work, double level) {
  const anorank_evaluation_info *info = anorank_evaluation_get_info(work->evaluation);
  const anorank_interval *areas[] = {&info->comparison->first, &info->comparison->second};
  char percent[32], heading[64];
  cli_head(stream, "Comparison without labels");
  cli_print_note(stream, "%s", info->conclusion);
  snprintf(heading, sizeof heading, "%s interval", cli_level_text(percent, sizeof percent, level));
  fprintf(stream, "\n  %-8s %10s  %-24s %s\n", "", "area", heading, "(0 is best, 0.5 is random)");
  for (size_t i = 0; i < 2; i++) {
    int digits = cli_area_decimals(*areas[i]);
    char interval[64];
    ank_print(interval, sizeof interval, "%.*f to %.*f", digits, areas[i]->low, digits, areas[i]->high);
    cli_print(stream, "  %-8s %10.*f  %-24s %s\n", i == 0 ? "first" : "second", digits, areas[i]->estimate,
              interval, work->names[i]);
  }
  fputc('\n', stream);
  if (!info->blind) cli_say_end(stream, info->comparison, level, "is");
}

static void print_w_difference(FILE *stream, const anorank_judgement_info *first,
                               const anorank_judgement_info *second) {
  cli_head(stream, "Rank statistics W_phi, mean per row (larger is better)");
  fprintf(stream, "  %-16s %12s %12s %12s  %s\n", "phi", "first", "second", "difference", "for");
  for (size_t i = 0; i < first->w_count; i++) {
    double a = first->w[i].mean, b = second->w[i].mean;
    cli_print(stream, "  %-16s %12.5g %12.5g %12.3g  %s\n", first->w[i].phi, a, b, a - b,
              a > b   ? "first"
              : a < b ? "second"
                      : "neither");
  }
  cli_print_note(stream,
                 "'log' and 'clipped' weigh the abnormal end, 'logrank' and 'truncated' the normal end.");
}

static void print_labelled_two(FILE *stream, const anorank_evaluation_info *info, double level) {
  const anorank_evaluated *first = info->of[0], *second = info->of[1];
  const anorank_auc_difference *between = info->auc_difference;
  char p[32], percent[32];
  if (!first->labelled) return;
  cli_head(stream, "Measures with labels");
  cli_print_note(stream, "%zu normal rows, %zu anomalies", first->labelled->normal,
                 first->labelled->anomalies);
  fprintf(stream, "  %-36s %10s %10s\n", "", "first", "second");
  cli_print(stream, "  %-36s %10.4f %10.4f\n", "ROC-AUC", first->labelled->roc_auc.estimate,
            second->labelled->roc_auc.estimate);
  cli_print(stream, "  %-36s %10.4f %10.4f\n", "average precision", first->labelled->average_precision,
            second->labelled->average_precision);
  for (size_t i = 0; i < second->precision_count; i++) {
    char what[64];
    snprintf(what, sizeof what, "anomalies among the %zu lowest", first->precision[i].k);
    cli_print(stream, "  %-36s %8.1f %% %8.1f %%\n", what, 100 * first->precision[i].precision,
              100 * second->precision[i].precision);
  }
  if (!between) return;
  cli_print_note(stream, "ROC-AUC, %s: first minus second %.4f (%s interval %.4f to %.4f), %s.",
                 between->p_value > 1 - level       ? "no significant difference"
                 : between->difference.estimate > 0 ? "the first is better"
                                                    : "the second is better",
                 between->difference.estimate, cli_level_text(percent, sizeof percent, level),
                 between->difference.low, between->difference.high,
                 cli_p_equals(p, sizeof p, between->p_value));
  if (!info->blind && info->comparison->p_value <= 1 - level && between->p_value <= 1 - level &&
      (info->comparison->difference.estimate < 0) != (between->difference.estimate > 0))
    cli_print_note(stream, "The labels contradict the label-free measure; trust the labels.");
}

static void print_two(FILE *stream, const cli_evaluation *work, double level) {
  const anorank_evaluation_info *info = anorank_evaluation_get_info(work->evaluation);
  const anorank_judgement *judged[] = {info->of[0]->judgement, info->of[1]->judgement};
  print_areas(stream, work, level);
  cli_print_saturation(stream, judged[anorank_judgement_get_info(judged[0])->saturation->blind ? 1 : 0]);
  print_w_difference(stream, anorank_judgement_get_info(judged[0]), anorank_judgement_get_info(judged[1]));
  cli_print_laws(stream, info->laws, level);
  cli_head(stream, "Agreement of the two orders");
  print_agreement(stream, info->agreement);
  print_labelled_two(stream, info, level);
}

/* Compares methods, not two fits. */
static void print_repeats(FILE *stream, const cli_evaluation *work, double level) {
  const anorank_repeats *repeats = &work->repeats;
  const anorank_interval *mean = &repeats->difference;
  cli_head(stream, "Comparison over several splits");
  cli_print_note(stream,
                 "The first has the smaller area in %zu of %zu random splits; mean difference %.5f (%.4g %% "
                 "interval %.5f to %.5f, corrected for shared rows): %s.",
                 repeats->first_better, repeats->splits, mean->estimate, 100 * level, mean->low, mean->high,
                 mean->high < 0  ? "the first method is better by this measure"
                 : mean->low > 0 ? "the second method is better by this measure"
                                 : "no significant difference between the methods");
}

void cli_evaluation_text(FILE *stream, const cli_evaluation *work, const cli_call *call) {
  double level = anorank_settings_number(call->settings, "level");
  print_title(stream, work);
  (anorank_evaluation_get_info(work->evaluation)->comparison ? print_two : print_one)(stream, work, level);
  if (work->splits > 0) print_repeats(stream, work, level);
  cli_print_written(stream, call);
  cli_head(stream, "Limitations");
  cli_print_note(stream, "%s", anorank_evaluation_get_info(work->evaluation)->caveat);
}

/* ---- JSON -------------------------------------------------------------------------------------------- */

static void write_two(ank_json *json, const cli_evaluation *work) {
  const anorank_evaluation_info *info = anorank_evaluation_get_info(work->evaluation);
  const anorank_judgement_info *first = anorank_judgement_get_info(info->of[0]->judgement),
                               *second = anorank_judgement_get_info(info->of[1]->judgement);
  for (size_t i = 0; i < 2; i++) {
    ank_json_open_key(json, i == 0 ? "first" : "second", '{', 0);
    ank_json_contestant(json, work->evaluation, i, work->names[i]);
    ank_json_close(json, '}');
  }
  cli_json_comparison(json, info->comparison, info->conclusion);
  ank_json_open_key(json, "w_difference", '{', 0);
  for (size_t i = 0; i < first->w_count; i++)
    ank_json_field(json, first->w[i].phi, first->w[i].mean - second->w[i].mean);
  ank_json_close(json, '}');
  ank_json_agreement(json, "agreement", info->agreement);
  if (!info->auc_difference) return;
  ank_json_open_key(json, "roc_auc_difference", '{', 0);
  ank_json_difference(json, info->auc_difference->difference, info->auc_difference->z,
                      info->auc_difference->p_value);
  ank_json_close(json, '}');
}

void cli_evaluation_json(FILE *stream, const cli_evaluation *work, const cli_call *call) {
  const anorank_evaluation *evaluation = work->evaluation;
  unsigned groups = ANORANK_FOR_JUDGE;
  ank_json json;
  if (!work->models[0]) groups |= ANORANK_FOR_FIT | ANORANK_FOR_LEARN;
  cli_json_open(&json, stream);
  ank_json_evaluation(&json, evaluation);
  if (anorank_evaluation_get_info(evaluation)->comparison) {
    write_two(&json, work);
  } else {
    ank_json_contestant(&json, evaluation, 0, work->names[0]);
    ank_json_agreement(&json, "stability", anorank_evaluation_get_info(evaluation)->stability);
  }
  if (work->splits > 0) {
    const anorank_interval *mean = &work->repeats.difference;
    ank_json_open_key(&json, "repeats", '{', 1);
    ank_json_count(&json, "splits", work->repeats.splits);
    ank_json_count(&json, "first_better", work->repeats.first_better);
    ank_json_field(&json, "difference", mean->estimate);
    ank_json_field(&json, "low", mean->low);
    ank_json_field(&json, "high", mean->high);
    ank_json_close(&json, '}');
  }
  ank_json_notes(&json, anorank_evaluation_notes(evaluation));
  cli_json_settings(&json, call, groups);
  cli_json_close(&json);
}
