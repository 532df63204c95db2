/* judgement_parts.c - see judgement_parts.h. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/print.h"
#include "judgement_parts.h"
#include "terminal.h"
#include "text.h"

static const char *p_text(char *text, size_t size, double p) {
  if (isnan(p))
    snprintf(text, size, "-");
  else if (p < 0.0001)
    snprintf(text, size, "< 0.0001");
  else
    ank_print(text, size, "%.4f", p);
  return text;
}

const char *cli_p_equals(char *text, size_t size, double p) {
  char value[16];
  p_text(value, sizeof value, p);
  snprintf(text, size, "p %s%s", value[0] == '<' ? "" : "= ", value);
  return text;
}

const char *cli_level_text(char *text, size_t size, double level) {
  ank_print(text, size, "%.4g %%", 100 * level);
  return text;
}

void cli_head(FILE *stream, const char *title) {
  fputc('\n', stream);
  cli_title(stream, title);
}

void cli_print_note(FILE *stream, const char *format, ...) {
  char text[2048];
  va_list arguments;
  va_start(arguments, format);
  ank_vprint(text, sizeof text, format, arguments);
  va_end(arguments);
  fputs("  ", stream);
  cli_wrap(stream, text, 2, 2, cli_columns(stream));
}

int cli_area_decimals(anorank_interval area) {
  double apart = fmin(area.estimate, 1 - area.estimate);
  if (apart <= 0) apart = area.estimate <= 0 ? area.high : 1 - area.low;
  return apart > 0 && apart < 1e-3 ? (int)fmin(12, 1 - floor(log10(apart))) : 4;
}

void cli_say_odds(FILE *stream, const anorank_judgement *judgement, double level) {
  anorank_interval area = anorank_judgement_get_info(judgement)->area;
  char percent[32];
  int decimals = cli_area_decimals(area) - 3; /* decimals of a percentage */
  cli_print_note(stream,
                 "A random normal row scores above a random contrast row %.*f %% of the time (%s interval "
                 "%.*f to %.*f %%); ties count half.",
                 decimals, 100 * (1 - area.estimate), cli_level_text(percent, sizeof percent, level),
                 decimals, 100 * (1 - area.high), decimals, 100 * (1 - area.low));
}

void cli_print_area(FILE *stream, const anorank_judgement *judgement, double level) {
  anorank_interval area = anorank_judgement_get_info(judgement)->area;
  char percent[32];
  int decimals = cli_area_decimals(area);
  cli_head(stream, "Area under the mass-volume curve (0 is best, 0.5 is a random order)");
  cli_print_note(stream, "%.*f (%s interval %.*f to %.*f)", decimals, area.estimate,
                 cli_level_text(percent, sizeof percent, level), decimals, area.low, decimals, area.high);
  cli_say_odds(stream, judgement, level);
}

void cli_print_partial(FILE *stream, const anorank_judgement *judgement, double level, const char *volume) {
  const anorank_judgement_info *info = anorank_judgement_get_info(judgement);
  char percent[32], heading[48];
  if (info->partial_count == 0) return;
  cli_head(stream, "Partial areas (the abnormal end is near mass 1)");
  snprintf(heading, sizeof heading, "%s interval", cli_level_text(percent, sizeof percent, level));
  fprintf(stream, "  %-14s %10s  %-22s %12s\n", "mass", "area", heading, volume);
  for (const anorank_partial_area *part = info->partial; part < info->partial + info->partial_count; part++) {
    char mass[32], interval[48];
    double width = part->to - part->from;
    ank_print(mass, sizeof mass, "%.4g to %.4g", part->from, part->to);
    if (isnan(part->area.low))
      snprintf(interval, sizeof interval, "(fewer than 20 rows)");
    else
      ank_print(interval, sizeof interval, "%.5f to %.5f", part->area.low, part->area.high);
    cli_print(stream, "  %-14s %10.5f  %-22s %12.4f\n", mass, part->area.estimate, interval,
              width > 0 ? part->area.estimate / width : NAN);
  }
}

void cli_say_end(FILE *stream, const anorank_comparison *comparison, double level, const char *is) {
  const anorank_partial_area *end = &comparison->partial_difference;
  double p_value = comparison->partial_p_value;
  char better[48], p[32];
  if (isnan(p_value)) {
    cli_print_note(stream, "At the abnormal end, mass %.4g to %.4g, there are too few rows to compare.",
                   end->from, end->to);
    return;
  }
  snprintf(better, sizeof better, "the %s %s better", end->area.estimate < 0 ? "first" : "second", is);
  cli_print_note(stream, "At the abnormal end, mass %.4g to %.4g, %s: difference %.5f (%.5f to %.5f), %s.",
                 end->from, end->to, p_value > 1 - level ? "no significant difference" : better,
                 end->area.estimate, end->area.low, end->area.high, cli_p_equals(p, sizeof p, p_value));
}

void cli_print_w(FILE *stream, const anorank_judgement *judgement) {
  const anorank_w *w = anorank_judgement_get_info(judgement)->w;
  size_t functions = anorank_judgement_get_info(judgement)->w_count;
  const anorank_phi *phi;
  int exact = 0;
  cli_head(stream, "Rank statistics W_phi (larger is better; p is for a random order)");
  fprintf(stream, "  %-16s %14s %12s %10s %10s\n", "phi", "sum", "mean", "z", "p");
  for (size_t i = 0; i < functions; i++) {
    char p[32];
    exact |= w[i].exact;
    cli_print(stream, "  %-16s %14.6g %12.5g %10.2f %10s%s\n", w[i].phi, w[i].sum, w[i].mean, w[i].z,
              p_text(p, sizeof p, w[i].p_value), w[i].exact ? " *" : "");
  }
  if (exact) cli_print_note(stream, "* exact; others use the normal approximation");
  fputc('\n', stream);
  for (size_t i = 0; i < functions; i++) {
    if ((phi = anorank_phi_at(i)) == NULL) continue;
    fprintf(stream, "  %-16s ", phi->name);
    cli_wrap(stream, phi->looks_at, 19, 19, cli_columns(stream));
  }
}

/* Return the mean of the W of this score-generating function; NaN if there is none. */
static double mean_w(const anorank_judgement_info *info, const char *phi) {
  for (size_t i = 0; i < info->w_count; i++)
    if (strcmp(info->w[i].phi, phi) == 0) return info->w[i].mean;
  return NAN;
}

static void print_law(FILE *stream, const anorank_law_verdict *verdict) {
  for (size_t c = 0; c < 2 && verdict->of[c]; c++) {
    const anorank_judgement_info *info = anorank_judgement_get_info(verdict->of[c]);
    int digits = cli_area_decimals(info->area);
    char what[48], interval[64];
    snprintf(what, sizeof what, "%s%s", verdict->kind,
             !verdict->of[1] ? ""
             : c == 0        ? ", first"
                             : ", second");
    ank_print(interval, sizeof interval, "%.*f to %.*f", digits, info->area.low, digits, info->area.high);
    cli_print(stream, "  %-20s %-9s %8.*f  %-18s %8.4f %8.4f\n", what, verdict->law, digits,
              info->area.estimate, interval, mean_w(info, "mww"), mean_w(info, "log"));
  }
}

void cli_print_laws(FILE *stream, const anorank_two_laws *laws, double level) {
  char percent[32], heading[48];
  cli_head(stream, "For which kind of anomaly?");
  cli_print_note(stream, "%s", laws->conclusion);
  snprintf(heading, sizeof heading, "%s interval", cli_level_text(percent, sizeof percent, level));
  fprintf(stream, "\n  %-20s %-9s %8s  %-18s %8s %8s\n", "contrast rows", "law", "area", heading, "W_mww",
          "W_log");
  print_law(stream, &laws->combinations);
  print_law(stream, &laws->extremes);
}

void cli_print_saturation(FILE *stream, const anorank_judgement *judgement) {
  anorank_saturation saturation = *anorank_judgement_get_info(judgement)->saturation;
  cli_head(stream, "Can this contrast sample separate scorers?");
  cli_print_note(
      stream,
      "%zu of %zu contrast rows (%.3g %%) fall inside the set that holds %.4g %% of the normal rows. %s",
      saturation.inside, anorank_judgement_get_info(judgement)->m, 100 * saturation.share,
      100 * saturation.mass, saturation.conclusion);
}

void cli_print_labelled(FILE *stream, const anorank_labelled *labelled, const anorank_precision *precision,
                        size_t count, double level) {
  char percent[32];
  cli_head(stream, "With the labels");
  cli_print_note(stream, "%zu normal rows, %zu anomalies", labelled->normal, labelled->anomalies);
  cli_print(stream, "  %-18s %.4f (%s interval %.4f to %.4f)\n", "ROC-AUC", labelled->roc_auc.estimate,
            cli_level_text(percent, sizeof percent, level), labelled->roc_auc.low, labelled->roc_auc.high);
  cli_print(stream, "  %-18s %.4f\n", "average precision", labelled->average_precision);
  for (size_t i = 0; i < count; i++)
    cli_print_note(stream, "anomalies among the %zu lowest: %.1f %%", precision[i].k,
                   100 * precision[i].precision);
}

void cli_print_written(FILE *stream, const cli_call *call) {
  static const char *const names[] = {"curve", "excess", "figure"};
  char shown[256];
  int any = 0;
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    const char *path = cli_value(call, names[i]);
    if (!path || strcmp(path, "-") == 0) continue;
    if (!any) cli_head(stream, "Written");
    any = 1;
    fprintf(stream, "  %-7s %s\n", names[i], cli_printable(shown, sizeof shown, path));
  }
}

/* ---- JSON -------------------------------------------------------------------------------------------- */

static void write_area(ank_json *json, const char *key, anorank_interval area) {
  ank_json_open_key(json, key, '{', 1);
  ank_json_field(json, "area", area.estimate);
  ank_json_field(json, "sd", area.sd);
  ank_json_interval(json, "interval", area);
  ank_json_close(json, '}');
}

void cli_json_comparison(ank_json *json, const anorank_comparison *comparison, const char *result) {
  ank_json_open_key(json, "comparison", '{', 0);
  write_area(json, "first", comparison->first);
  write_area(json, "second", comparison->second);
  ank_json_difference(json, comparison->difference, comparison->z, comparison->p_value);
  ank_json_open_key(json, "partial", '{', 0);
  ank_json_field(json, "from", comparison->partial_difference.from);
  ank_json_field(json, "to", comparison->partial_difference.to);
  ank_json_difference(json, comparison->partial_difference.area, comparison->partial_z,
                      comparison->partial_p_value);
  ank_json_close(json, '}');
  ank_json_words(json, "verdict", result);
  ank_json_close(json, '}');
}

void cli_json_settings(ank_json *json, const cli_call *call, unsigned groups) {
  const anorank_setting *setting;
  ank_json_open_key(json, "settings", '{', 0);
  for (size_t i = 0; (setting = anorank_setting_at(i)) != NULL; i++) {
    if (!(setting->applies_to & groups) && strcmp(setting->name, "seed") != 0) continue;
    ank_json_setting(json, call->settings, setting);
  }
  ank_json_close(json, '}');
}
