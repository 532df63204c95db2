/* judge_text.c - the verdict for a person, in 80 columns. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "judge.h"
#include "terminal.h"
#include "text.h"

/* "0.0312", or "< 0.0001". */
static const char *p_text(char *text, size_t size, double p) {
  if (isnan(p))
    snprintf(text, size, "-");
  else if (p < 0.0001)
    snprintf(text, size, "< 0.0001");
  else
    snprintf(text, size, "%.4f", p);
  return text;
}

/* 95, 99.9: the level as a percentage without noise. */
static const char *level_text(char *text, size_t size, double level) {
  snprintf(text, size, "%.4g %%", 100 * level);
  return text;
}

static void head(FILE *stream, const char *title) {
  fprintf(stream, "\n%s%s%s\n", cli_style(stream, CLI_BOLD), title, cli_style(stream, CLI_PLAIN));
}

static void say(FILE *stream, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A sentence or more, indented and wrapped. */
static void say(FILE *stream, const char *format, ...) {
  char text[2048];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  fputs("  ", stream);
  cli_wrap(stream, text, 2, 2, cli_columns(stream));
}

/* Decimals that show two digits of what an area is short of 0 or of 1. */
static int area_decimals(anorank_interval area) {
  double apart = fmin(area.estimate, 1 - area.estimate);
  if (apart <= 0) apart = area.estimate <= 0 ? area.high : 1 - area.low;
  return apart > 0 && apart < 1e-3 ? (int)fmin(12, 1 - floor(log10(apart))) : 4;
}

static void print_area(FILE *stream, const anorank_judgement *judgement, double level) {
  anorank_interval area = anorank_judgement_area(judgement);
  char percent[32];
  int decimals = area_decimals(area), fewer = decimals - 3; /* of a percentage */
  level_text(percent, sizeof percent, level);
  head(stream, "Area under the mass-volume curve (0 is best, 0.5 is no order at all)");
  say(stream, "%.*f (%s interval %.*f to %.*f)", decimals, area.estimate, percent, decimals, area.low,
      decimals, area.high);
  say(stream,
      "A random normal row scores above a random contrast row %.*f %% of the time (%s interval %.*f to %.*f "
      "%%); ties count half.",
      fewer, 100 * (1 - area.estimate), percent, fewer, 100 * (1 - area.high), fewer, 100 * (1 - area.low));
}

static void print_partial(FILE *stream, const anorank_judgement *judgement, double level) {
  size_t parts;
  const anorank_partial_area *partial = anorank_judgement_partial(judgement, &parts);
  char percent[32], heading[48];
  if (parts == 0) return;
  head(stream, "Part by part (the abnormal end is where the mass nears 1)");
  snprintf(heading, sizeof heading, "%s interval", level_text(percent, sizeof percent, level));
  fprintf(stream, "  %-14s %10s  %-22s %12s\n", "mass", "area", heading, "mean volume");
  for (size_t i = 0; i < parts; i++) {
    char mass[32], interval[48];
    double width = partial[i].to - partial[i].from;
    snprintf(mass, sizeof mass, "%.4g to %.4g", partial[i].from, partial[i].to);
    snprintf(interval, sizeof interval, "%.5f to %.5f", partial[i].area.low, partial[i].area.high);
    fprintf(stream, "  %-14s %10.5f  %-22s %12.4f\n", mass, partial[i].area.estimate, interval,
            width > 0 ? partial[i].area.estimate / width : NAN);
  }
}

static void print_w(FILE *stream, const anorank_judgement *judgement) {
  size_t functions;
  const anorank_w *w = anorank_judgement_w(judgement, &functions);
  const anorank_phi *phi;
  int exact = 0;
  head(stream, "Rank statistics W_phi (larger is better; p: the chance of one as large by luck)");
  fprintf(stream, "  %-16s %14s %12s %10s %10s\n", "phi", "sum", "mean", "z", "p");
  for (size_t i = 0; i < functions; i++) {
    char p[32];
    exact |= w[i].exact;
    fprintf(stream, "  %-16s %14.6g %12.5g %10.2f %10s%s\n", w[i].phi, w[i].sum, w[i].mean, w[i].z,
            p_text(p, sizeof p, w[i].p_value), w[i].exact ? " *" : "");
  }
  if (exact) say(stream, "* exact; the others by the normal law");
  fputc('\n', stream);
  for (size_t i = 0; i < functions; i++) {
    if ((phi = anorank_phi_at(i)) == NULL) continue;
    fprintf(stream, "  %-16s ", phi->name);
    cli_wrap(stream, phi->looks_at, 19, 19, cli_columns(stream));
  }
}

void cli_judge_compared(char *text, size_t size, const cli_verdict *verdict, double level) {
  const anorank_comparison *comparison = &verdict->comparison;
  char p[32];
  double difference = comparison->difference.estimate;
  p_text(p, sizeof p, comparison->p_value);
  const char *equals = p[0] == '<' ? "" : "= ";
  if (verdict->blind)
    snprintf(text, size,
             "No verdict: this contrast sample is blind, so no two sensible scorers can be told apart by it "
             "(difference of area %.5f, p %s%s).",
             difference, equals, p);
  else if (comparison->p_value <= 1 - level)
    snprintf(text, size, "The %s scores are better: their area is smaller by %.5f (%.5f to %.5f), p %s%s.",
             difference < 0 ? "first" : "second", fabs(difference),
             difference < 0 ? -comparison->difference.high : comparison->difference.low,
             difference < 0 ? -comparison->difference.low : comparison->difference.high, equals, p);
  else
    snprintf(text, size,
             "Not told apart: the areas differ by %.5f (first minus second; %.5f to %.5f), p %s%s. More rows "
             "on both sides would show smaller differences.",
             difference, comparison->difference.low, comparison->difference.high, equals, p);
}

static void print_comparison(FILE *stream, const cli_verdict *verdict, double level) {
  const anorank_comparison *comparison = &verdict->comparison;
  const anorank_partial_area *end = &comparison->partial_difference;
  char text[512], p[32];
  head(stream, "Against the other scores, on the same rows");
  say(stream, "first: %s: area %.*f", verdict->x.label, area_decimals(comparison->first),
      comparison->first.estimate);
  say(stream, "second: %s: area %.*f", verdict->other_x.label, area_decimals(comparison->second),
      comparison->second.estimate);
  cli_judge_compared(text, sizeof text, verdict, level);
  say(stream, "%s", text);
  if (verdict->blind) return;
  if (anorank_judgement_saturation(verdict->judgement).blind)
    say(stream, "The contrast sample is blind for the first scores only: the second leave enough contrast "
                "rows among the normal ones to be told from them.");
  p_text(p, sizeof p, comparison->partial_p_value);
  say(stream, "At the abnormal end, mass %.4g to %.4g, %s: difference %.5f (%.5f to %.5f), p %s%s.",
      end->from, end->to,
      comparison->partial_p_value > 1 - level ? "they are not told apart"
      : end->area.estimate < 0                ? "the first scores are better"
                                              : "the second scores are better",
      end->area.estimate, end->area.low, end->area.high, p[0] == '<' ? "" : "= ", p);
}

static void print_labelled(FILE *stream, const cli_verdict *verdict, double level) {
  const anorank_labelled *labelled = &verdict->labelled;
  char percent[32];
  head(stream, "With the labels");
  say(stream, "%zu normal rows, %zu anomalies", labelled->normal, labelled->anomalies);
  say(stream, "ROC-AUC            %.4f (%s interval %.4f to %.4f)", labelled->roc_auc.estimate,
      level_text(percent, sizeof percent, level), labelled->roc_auc.low, labelled->roc_auc.high);
  say(stream, "average precision  %.4f", labelled->average_precision);
  for (size_t i = 0; i < verdict->accuracy_count; i++)
    say(stream, "anomalies among the %zu lowest: %.1f %%", verdict->accuracies[i].k,
        100 * verdict->accuracies[i].accuracy);
}

static void print_files(FILE *stream, const cli_call *call) {
  static const char *const names[] = {"curve", "excess", "figure"};
  char shown[256];
  int any = 0;
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    const char *path = cli_value(call, names[i]);
    if (!path || strcmp(path, "-") == 0) continue;
    if (!any) head(stream, "Written");
    any = 1;
    fprintf(stream, "  %-7s %s\n", names[i], cli_printable(shown, sizeof shown, path));
  }
}

void cli_judge_text(FILE *stream, const cli_verdict *verdict, const cli_call *call) {
  const anorank_judgement *judgement = verdict->judgement;
  anorank_saturation saturation = anorank_judgement_saturation(judgement);
  double level = call->settings.level;
  fprintf(stream, "%sRows%s\n", cli_style(stream, CLI_BOLD), cli_style(stream, CLI_PLAIN));
  say(stream, "n = %zu rows taken to be normal (%s)", anorank_judgement_n(judgement), verdict->x.label);
  say(stream, "m = %zu contrast rows (%s)", anorank_judgement_m(judgement), verdict->u.label);
  print_area(stream, judgement, level);
  head(stream, "Can this contrast sample tell scorers apart?");
  say(stream,
      "%zu of %zu contrast rows (%.3g %%) fall inside the set that holds %.4g %% of the normal rows. %s",
      saturation.inside, anorank_judgement_m(judgement), 100 * saturation.share, 100 * saturation.mass,
      saturation.verdict);
  print_partial(stream, judgement, level);
  print_w(stream, judgement);
  if (verdict->other_x.values) print_comparison(stream, verdict, level);
  if (verdict->labels) print_labelled(stream, verdict, level);
  print_files(stream, call);
  head(stream, "What this does not prove");
  say(stream, "The order is judged against this contrast sample only, on rows taken to be normal and drawn "
              "independently. Anomalies that look like neither are not seen, and scores of rows that the "
              "scorer was fitted on flatter it: judge rows that it has not seen.");
}
