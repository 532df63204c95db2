/* evaluation_text.c - an evaluation of one model or of two for a person, in 80 columns. */
#include <math.h>
#include <stdio.h>

#include "core/print.h"
#include "evaluation_run.h"
#include "judgement_parts.h"
#include "terminal.h"
#include "text.h"

static void print_title(FILE *stream, const cli_evaluation *work) {
  const anorank_evaluation *evaluation = work->evaluation;
  fputs(cli_style(stream, CLI_BOLD), stream);
  size_t rows = anorank_judgement_get_info(anorank_evaluation_get_info(evaluation)->of[0]->judgement)->n;
  if (anorank_evaluation_get_info(evaluation)->comparison)
    fprintf(stream, "%s against %s, on the same %zu rows", work->names[0], work->names[1], rows);
  else
    fprintf(stream, "%s, on %zu rows", work->names[0], rows);
  fprintf(stream, "%s\n", cli_style(stream, CLI_PLAIN));
  for (size_t i = 0; i < anorank_notes_count(anorank_evaluation_notes(evaluation)); i++) {
    fputs("  - ", stream);
    cli_wrap(stream, anorank_notes_at(anorank_evaluation_notes(evaluation), i)->text, 4, 4,
             cli_columns(stream));
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
    ank_print(what, sizeof what, "shared among the lowest %g %% (%zu)", 100 * lowest->share, lowest->rows);
    cli_print(stream, "  %-36s %6.1f %%  by chance %.1f %%\n", what, 100 * lowest->overlap,
              100 * lowest->by_chance);
  }
}

static void print_stability(FILE *stream, const anorank_evaluation *evaluation) {
  const anorank_agreement *stability = anorank_evaluation_get_info(evaluation)->stability;
  if (!stability) return;
  cli_head(stream, "How stable is the order?");
  cli_print_note(stream,
                 "Two fits on disjoint thirds of the rows score the same %zu judged rows:", stability->rows);
  print_agreement(stream, stability);
}

/* ---- one --------------------------------------------------------------------------------------------- */

static void print_one(FILE *stream, const cli_evaluation *work, double level) {
  const anorank_evaluation *evaluation = work->evaluation;
  const anorank_judgement *judgement = anorank_evaluation_get_info(evaluation)->of[0]->judgement;
  const anorank_labelled *labelled = anorank_evaluation_get_info(evaluation)->of[0]->labelled;
  size_t count;
  const anorank_precision *precision = anorank_evaluation_get_info(evaluation)->of[0]->precision;
  count = anorank_evaluation_get_info(evaluation)->of[0]->precision_count;
  cli_head(stream, "How good is the order, without labels?");
  cli_print_note(stream, "%s", anorank_evaluation_get_info(evaluation)->conclusion);
  cli_say_odds(stream, judgement, level);
  cli_print_saturation(stream, judgement);
  cli_print_partial(stream, judgement, level,
                    anorank_evaluation_get_info(evaluation)->is_volume ? "mean volume" : "mean share");
  cli_print_w(stream, judgement);
  print_stability(stream, evaluation);
  if (!labelled) return;
  cli_print_labelled(stream, labelled, precision, count, level);
  if (!anorank_evaluation_get_info(evaluation)->blind &&
      anorank_judgement_get_info(judgement)->area.high < 0.5 && labelled->roc_auc.low <= 0.5)
    cli_print_note(stream,
                   "The labels do not confirm the order, whatever is said without them: go by the labels.");
}

/* ---- two --------------------------------------------------------------------------------------------- */

static void print_areas(FILE *stream, const cli_evaluation *work, double level) {
  const anorank_comparison *comparison = anorank_evaluation_get_info(work->evaluation)->comparison;
  const anorank_interval *areas[] = {&comparison->first, &comparison->second};
  char percent[32], heading[64];
  cli_head(stream, "Which is better, without labels?");
  cli_print_note(stream, "%s", anorank_evaluation_get_info(work->evaluation)->conclusion);
  snprintf(heading, sizeof heading, "%s interval", cli_level_text(percent, sizeof percent, level));
  fprintf(stream, "\n  %-8s %10s  %-24s %s\n", "", "area", heading, "(0 is best, 0.5 is no order)");
  for (size_t i = 0; i < 2; i++) {
    int digits = cli_area_decimals(*areas[i]);
    char interval[64];
    ank_print(interval, sizeof interval, "%.*f to %.*f", digits, areas[i]->low, digits, areas[i]->high);
    cli_print(stream, "  %-8s %10.*f  %-24s %s\n", i == 0 ? "first" : "second", digits, areas[i]->estimate,
              interval, work->names[i]);
  }
  fputc('\n', stream);
  if (anorank_evaluation_get_info(work->evaluation)->blind) return;
  cli_say_end(stream, comparison, level, "is");
}

static void print_w_difference(FILE *stream, const anorank_evaluation *evaluation) {
  size_t functions;
  const anorank_w *a =
      anorank_judgement_get_info(anorank_evaluation_get_info(evaluation)->of[0]->judgement)->w;
  functions = anorank_judgement_get_info(anorank_evaluation_get_info(evaluation)->of[0]->judgement)->w_count;
  const anorank_w *b =
      anorank_judgement_get_info(anorank_evaluation_get_info(evaluation)->of[1]->judgement)->w;
  cli_head(stream, "Rank statistics W_phi, mean per row (larger is better)");
  fprintf(stream, "  %-16s %12s %12s %12s  %s\n", "phi", "first", "second", "difference", "for");
  for (size_t i = 0; i < functions; i++) {
    double difference = a[i].mean - b[i].mean;
    cli_print(stream, "  %-16s %12.5g %12.5g %12.3g  %s\n", a[i].phi, a[i].mean, b[i].mean, difference,
              difference > 0   ? "first"
              : difference < 0 ? "second"
                               : "neither");
  }
  cli_print_note(
      stream, "'log' and 'clipped' look at the abnormal end, 'logrank' and 'truncated' at the normal one.");
}

static void print_labelled_two(FILE *stream, const anorank_evaluation *evaluation, double level) {
  const anorank_labelled *labelled[2];
  const anorank_precision *precision[2];
  const anorank_auc_difference *between = anorank_evaluation_get_info(evaluation)->auc_difference;
  size_t count;
  char p[32], percent[32];
  for (size_t i = 0; i < 2; i++) {
    labelled[i] = anorank_evaluation_get_info(evaluation)->of[i]->labelled;
    precision[i] = anorank_evaluation_get_info(evaluation)->of[i]->precision;
    count = anorank_evaluation_get_info(evaluation)->of[i]->precision_count;
  }
  if (!labelled[0]) return;
  cli_head(stream, "With the labels");
  cli_print_note(stream, "%zu normal rows, %zu anomalies", labelled[0]->normal, labelled[0]->anomalies);
  fprintf(stream, "  %-36s %10s %10s\n", "", "first", "second");
  cli_print(stream, "  %-36s %10.4f %10.4f\n", "ROC-AUC", labelled[0]->roc_auc.estimate,
            labelled[1]->roc_auc.estimate);
  cli_print(stream, "  %-36s %10.4f %10.4f\n", "average precision", labelled[0]->average_precision,
            labelled[1]->average_precision);
  for (size_t i = 0; i < count; i++) {
    char what[64];
    snprintf(what, sizeof what, "anomalies among the %zu lowest", precision[0][i].k);
    cli_print(stream, "  %-36s %8.1f %% %8.1f %%\n", what, 100 * precision[0][i].precision,
              100 * precision[1][i].precision);
  }
  if (!between) return;
  cli_print_note(stream, "ROC-AUC, %s: first minus second %.4f (%s interval %.4f to %.4f), %s.",
                 between->p_value > 1 - level       ? "it cannot be told which is better"
                 : between->difference.estimate > 0 ? "the first is better"
                                                    : "the second is better",
                 between->difference.estimate, cli_level_text(percent, sizeof percent, level),
                 between->difference.low, between->difference.high,
                 cli_p_equals(p, sizeof p, between->p_value));
  const anorank_comparison *without = anorank_evaluation_get_info(evaluation)->comparison;
  if (!anorank_evaluation_get_info(evaluation)->blind && without->p_value <= 1 - level &&
      between->p_value <= 1 - level &&
      (without->difference.estimate < 0) != (between->difference.estimate > 0))
    cli_print_note(stream, "The labels contradict the measure without them: go by the labels.");
}

static void print_two(FILE *stream, const cli_evaluation *work, double level) {
  const anorank_evaluation *evaluation = work->evaluation;
  size_t clearer =
      anorank_judgement_get_info(anorank_evaluation_get_info(evaluation)->of[0]->judgement)->saturation->blind
          ? 1
          : 0;
  print_areas(stream, work, level);
  cli_print_saturation(stream, anorank_evaluation_get_info(evaluation)->of[clearer]->judgement);
  print_w_difference(stream, evaluation);
  cli_head(stream, "Do the two orders agree?");
  print_agreement(stream, anorank_evaluation_get_info(evaluation)->agreement);
  print_labelled_two(stream, evaluation, level);
}

/* Not of two fits, but of what was fitted. */
static void print_repeats(FILE *stream, const cli_evaluation *work, double level) {
  const anorank_repeats *repeats = &work->repeats;
  const anorank_interval *mean = &repeats->difference;
  cli_head(stream, "Which method, over several splits?");
  cli_print_note(
      stream,
      "The first has the smaller area in %zu of %zu random splits; mean difference %.5f (%.4g %% interval "
      "%.5f to %.5f, which allows for the rows that the splits share): %s.",
      repeats->first_better, repeats->splits, mean->estimate, 100 * level, mean->low, mean->high,
      mean->high < 0  ? "the first method is better by this measure"
      : mean->low > 0 ? "the second method is better by this measure"
                      : "there is no telling which method is better");
}

void cli_evaluation_text(FILE *stream, const cli_evaluation *work, const cli_call *call) {
  double level = anorank_settings_number(call->settings, "level");
  print_title(stream, work);
  (anorank_evaluation_get_info(work->evaluation)->comparison ? print_two : print_one)(stream, work, level);
  if (work->splits > 0) print_repeats(stream, work, level);
  cli_print_written(stream, call);
  cli_head(stream, "What this does not prove");
  cli_print_note(stream, "%s", anorank_evaluation_get_info(work->evaluation)->caveat);
}
