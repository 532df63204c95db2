/* figure.c - the registry of figures, and what they share; see figure.h. */
#include "report/figure.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/print.h"

enum { TITLE_SHOWN = 60 }; /* characters of the name of the rows */

static const ank_figure_kind *const kinds[] = {
#define ANK_FIGURE(name) &ank_figure_##name,
#include "report/figures.inc"
#undef ANK_FIGURE
};

const anorank_figure_kind *anorank_figure_kind_at(size_t i) {
  return i < sizeof kinds / sizeof *kinds ? &kinds[i]->info : NULL;
}

static anorank_status find(const ank_figure_kind **out, const char *name, anorank_error *err) {
  char list[256] = "", shown[ANK_QUOTE_SIZE];
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    *out = kinds[i];
    if (strcmp(name, kinds[i]->info.name) == 0) return ANORANK_OK;
    size_t used = strlen(list);
    snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", kinds[i]->info.name);
  }
  *out = NULL;
  return ank_fail(err, ANORANK_ERROR_USAGE, "figure-unknown", "there is no figure '%s'; the figures are %s",
                  ank_quote(shown, name, strlen(name)), list);
}

anorank_status ank_figure_of_report(ank_output *output, const char *name, const ank_report *report,
                                    anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const ank_figure_kind *kind;
  ANK_TRY(find(&kind, name, err));
  if (kind->info.evaluation == ANORANK_FIGURE_NEEDS && !report->given->evaluation)
    ANK_FAIL(ANORANK_ERROR_USAGE, "figure-needs-evaluation",
             "the figure '%s' is drawn from an evaluation; give the report one", kind->info.name);
  ANK_TRY(kind->draw(output, report, err));
done:
  return status;
}

void ank_caption(char text[ANK_CAPTION_SIZE], const ank_report *report, const char *format, ...) {
  char title[4 * TITLE_SHOWN + 8], rows[32], flagged[32];
  const char *name = report->given->title;
  if (!name) name = report->table->source ? report->table->source : "a table";
  int used = ank_print(
      text, ANK_CAPTION_SIZE, "%s: %s row%s, %s of them stand%s out at a false-discovery rate of %g %%. ",
      ank_text_cut(title, sizeof title, name, TITLE_SHOWN), ank_count_text(rows, sizeof rows, report->rows),
      ANK_S(report->rows), ank_count_text(flagged, sizeof flagged, report->flagged),
      report->flagged == 1 ? "s" : "", 100 * report->rate);
  va_list args;
  va_start(args, format);
  (void)ank_vprint(text + used, (size_t)(ANK_CAPTION_SIZE - used), format, args);
  va_end(args);
}
