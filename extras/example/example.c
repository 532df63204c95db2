/* example.c - built-in example tables: realistic, generated, with synthetic anomalies.
 *
 * Row i depends on the seed and i alone, so a table can be generated in parts and exceed memory. To add one:
 * write extras/example/NAME.c and add a row to the registry. */
#include <string.h>

#include "anorank/extras.h"
#include "example/cards.h"
#include "example/series.h"

static const struct {
  anorank_example info;
  anorank_status (*make)(anorank_table **out, const anorank_settings *settings, anorank_error *err);
} examples[] = {
    {{"cards",
      "payments by card: amounts, categories, missing cells, and frauds of five kinds (column fraud)"},
     ank_cards_make},
    {{"fleet", "twenty machines, a row each every ten minutes: load, temperature, vibration, pressure, and "
               "incidents of three kinds (column failure)"},
     ank_fleet_make},
    {{"kpi", "a web shop by the hour: visits, orders, latency, errors, and incidents of three kinds (column "
             "anomaly)"},
     ank_kpi_make},
};

size_t anorank_example_count(void) { return sizeof examples / sizeof examples[0]; }

const anorank_example *anorank_example_at(size_t i) {
  return i < anorank_example_count() ? &examples[i].info : NULL;
}

anorank_status anorank_example_make(anorank_table **out, const char *name, const anorank_settings *settings,
                                    anorank_error *err) {
  char shown[ANK_QUOTE_SIZE];
  ANK_NEED(out);
  *out = NULL;
  ANK_NEED(name);
  for (size_t i = 0; i < anorank_example_count(); i++)
    if (strcmp(examples[i].info.name, name) == 0)
      return examples[i].make(out, ank_settings_or_default(settings), err);
  return ank_fail(err, ANORANK_ERROR_USAGE, "example-unknown",
                  "unknown example '%s'; anorank_example_at names them",
                  ank_quote(shown, name, strlen(name)));
}
