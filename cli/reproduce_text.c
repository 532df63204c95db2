/* reproduce_text.c - Table 1: our results, the paper's and the ceiling, as text in 80 columns or as JSON. The
 * keys of the JSON are part of the interface: add, never rename. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/print.h"
#include "json.h"
#include "judgement_parts.h"
#include "reproduce_text.h"
#include "terminal.h"
#include "text.h"

/* ---- for people -------------------------------------------------------------------------------------- */

static void cell(FILE *stream, double mean, double sd, int decimals) {
  char text[48];
  ank_print(text, sizeof text, "%.*f +- %.*f", decimals, mean, decimals, sd);
  fprintf(stream, " %15s", text);
}

static void print_table(FILE *stream, const anorank_reproduction *reproduction) {
  size_t columns;
  const anorank_accuracy *table = anorank_reproduction_table(reproduction, &columns);
  cli_title(stream, "Share of true outliers among the n_lowest test rows, mean +- sd");
  fprintf(stream, "  %-13s", "n_lowest");
  for (size_t c = 0; c < columns; c++) fprintf(stream, " %15zu", table[c].n_lowest);
  fprintf(stream, "\n  %-13s", "anorank");
  for (size_t c = 0; c < columns; c++) cell(stream, table[c].mean, table[c].sd, 3);
  fprintf(stream, "\n  %-13s", "paper");
  for (size_t c = 0; c < columns; c++) cell(stream, table[c].paper_mean, table[c].paper_sd, 2);
  fprintf(stream, "\n  %-13s", "true density");
  for (size_t c = 0; c < columns; c++) cell(stream, table[c].ceiling_mean, table[c].ceiling_sd, 3);
  fputc('\n', stream);
}

/* Beyond two dimensions the test outliers concentrate around the centre, and the density is not a ceiling. */
static void print_error_of_means(FILE *stream, const anorank_reproduction *reproduction,
                                 const anorank_settings *settings) {
  int64_t count = anorank_settings_integer(settings, "repetitions");
  size_t columns;
  const anorank_accuracy *table = anorank_reproduction_table(reproduction, &columns);
  double largest = 0;
  for (size_t c = 0; c < columns; c++) largest = fmax(largest, table[c].sd);
  if (count > 1)
    cli_print_note(stream, "Standard error of our means: %.3f at most.%s", largest / sqrt((double)count),
                   anorank_settings_integer(settings, "dim") <= 2
                       ? " The true density is the best order that does not know the range of the outliers."
                       : "");
}

static void print_lambdas(FILE *stream, const anorank_reproduction *reproduction, const cli_call *call) {
  const double *lambdas;
  const size_t *chosen;
  size_t count = anorank_reproduction_lambdas(reproduction, &lambdas, &chosen);
  char text[2048];
  size_t used = 0;
  text[0] = '\0';
  for (size_t l = 0; l < count && used < sizeof text; l++)
    used +=
        (size_t)ank_print(text + used, sizeof text - used, "%s%g: %zu", l ? ", " : "", lambdas[l], chosen[l]);
  cli_print_note(stream, "lambda of the selected network, and its count: %s.", text);
  if (anorank_settings_integer(call->settings, "best"))
    cli_print_note(stream, "--best averages all networks that are nearly as good.");
}

static const char *value_of(const cli_call *call, const char *name, char *text, size_t size) {
  anorank_settings_get(call->settings, name, text, size);
  return text;
}

void cli_reproduce_text(FILE *stream, const anorank_reproduction *reproduction, const cli_call *call) {
  const anorank_settings *settings = call->settings;
  double seconds;
  size_t networks = anorank_reproduction_networks(reproduction, &seconds);
  char rate[64], shuffle[64], proxy[64], optimiser[64], ties[64];
  cli_title(stream, "The paper's experiment (section 4)");
  cli_print_note(
      stream,
      "%lld repetitions in %lld dimensions, seed %llu, phi = %s; the paper: 50 in 2 dimensions, phi = mww.",
      (long long)anorank_settings_integer(settings, "repetitions"),
      (long long)anorank_settings_integer(settings, "dim"),
      (unsigned long long)anorank_settings_integer(settings, "seed"), anorank_settings_text(settings, "phi"));
  fputc('\n', stream);
  print_table(stream, reproduction);
  print_error_of_means(stream, reproduction, settings);
  fputc('\n', stream);
  cli_title(stream, "Training");
  print_lambdas(stream, reproduction, call);
  cli_print_note(stream, "%zu networks in %.3g s of CPU time, %.3g ms each.", networks, seconds,
                 1000 * seconds / (double)networks);
  cli_print_note(
      stream,
      "Not specified in the paper: learning-rate %s, shuffle %s, proxy %s, optimiser %s, select-ties %s.",
      value_of(call, "learning-rate", rate, sizeof rate), value_of(call, "shuffle", shuffle, sizeof shuffle),
      value_of(call, "proxy", proxy, sizeof proxy), value_of(call, "optimiser", optimiser, sizeof optimiser),
      value_of(call, "select-ties", ties, sizeof ties));
}

/* ---- for programs ------------------------------------------------------------------------------------ */

static void write_table(ank_json *json, const anorank_reproduction *reproduction) {
  size_t columns;
  const anorank_accuracy *table = anorank_reproduction_table(reproduction, &columns);
  ank_json_open_key(json, "table1", '[', 0);
  for (size_t c = 0; c < columns; c++) {
    ank_json_open(json, '{', 0);
    ank_json_count(json, "n_lowest", table[c].n_lowest);
    ank_json_field(json, "mean", table[c].mean);
    ank_json_field(json, "sd", table[c].sd);
    ank_json_field(json, "ceiling_mean", table[c].ceiling_mean);
    ank_json_field(json, "ceiling_sd", table[c].ceiling_sd);
    ank_json_field(json, "paper_mean", table[c].paper_mean);
    ank_json_field(json, "paper_sd", table[c].paper_sd);
    ank_json_close(json, '}');
  }
  ank_json_close(json, ']');
}

static void write_lambdas(ank_json *json, const anorank_reproduction *reproduction) {
  const double *lambdas;
  const size_t *chosen;
  size_t lambda_count = anorank_reproduction_lambdas(reproduction, &lambdas, &chosen);
  ank_json_open_key(json, "lambda_chosen", '[', 0);
  for (size_t l = 0; l < lambda_count; l++) {
    ank_json_open(json, '{', 1);
    ank_json_field(json, "lambda", lambdas[l]);
    ank_json_count(json, "chosen", chosen[l]);
    ank_json_close(json, '}');
  }
  ank_json_close(json, ']');
}

static void write_settings(ank_json *json, const cli_call *call) {
  const anorank_setting *setting;
  ank_json_open_key(json, "settings", '{', 0);
  for (size_t i = 0; (setting = anorank_setting_at(i)) != NULL; i++) {
    if (!cli_reproduce_uses(call->settings, setting)) continue;
    ank_json_setting(json, call->settings, setting);
  }
  ank_json_close(json, '}');
}

/* Only the time differs from run to run: it comes last, on a separate line. */
void cli_reproduce_json(FILE *stream, const anorank_reproduction *reproduction, const cli_call *call) {
  ank_json json;
  double seconds;
  size_t networks = anorank_reproduction_networks(reproduction, &seconds);
  cli_json_open(&json, stream);
  write_table(&json, reproduction);
  write_lambdas(&json, reproduction);
  ank_json_count(&json, "networks", networks);
  write_settings(&json, call);
  ank_json_field(&json, "seconds_per_network", seconds / (double)networks);
  cli_json_close(&json);
}
