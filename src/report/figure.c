/* figure.c - the registry of figures, shared code, and output of reports and figures; see figure.h. */
#include "report/figure.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/print.h"

enum { TITLE_SHOWN = 60 }; /* characters of the data's name */

static const ank_figure_kind *const kinds[] = {
#define ANK_FIGURE(name) &ank_figure_##name,
#include "report/figures.inc"
#undef ANK_FIGURE
};

const anorank_figure_kind *anorank_figure_kind_at(size_t i) {
  return i < sizeof kinds / sizeof *kinds ? &kinds[i]->info : NULL;
}

static anorank_status draw(ank_output *output, const char *name, const ank_report *report,
                           anorank_error *err) {
  char list[256] = "", shown[ANK_QUOTE_SIZE];
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    const anorank_figure_kind *info = &kinds[i]->info;
    size_t used = strlen(list);
    snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", info->name);
    if (strcmp(name, info->name) != 0) continue;
    if (info->evaluation == ANORANK_FIGURE_NEEDS && !report->given->evaluation)
      return ank_fail(err, ANORANK_ERROR_USAGE, "figure-needs-evaluation",
                      "the figure '%s' needs an evaluation; add one to the report", name);
    return kinds[i]->draw(output, report, err);
  }
  return ank_fail(err, ANORANK_ERROR_USAGE, "figure-unknown", "unknown figure '%s'; choose one of %s",
                  ank_quote(shown, name, strlen(name)), list);
}

void ank_caption(char text[ANK_CAPTION_SIZE], const ank_report *report, const char *format, ...) {
  char title[4 * TITLE_SHOWN + 8], rows[32], flagged[32];
  int used = ank_print(text, ANK_CAPTION_SIZE,
                       "%s: %s row%s, %s of them stand%s out at a false-discovery rate of %g %%. ",
                       ank_text_cut(title, sizeof title, report->title, TITLE_SHOWN),
                       ank_count_text(rows, sizeof rows, report->rows), ANK_S(report->rows),
                       ank_count_text(flagged, sizeof flagged, report->flagged),
                       report->flagged == 1 ? "s" : "", 100 * report->rate);
  va_list args;
  va_start(args, format);
  (void)ank_vprint(text + used, (size_t)(ANK_CAPTION_SIZE - used), format, args);
  va_end(args);
}

/* Write the figure `name`, or the whole page if it is NULL. */
static anorank_status write_report(const anorank_sink *sink, const char *name, const anorank_report *report,
                                   const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_output *output = NULL;
  ank_report gathered = {0};
  ANK_TRY(ank_output_of(&output, sink, err));
  ANK_TRY(ank_report_gather(&gathered, report, ank_settings_or_default(settings), err));
  ANK_TRY(name ? draw(output, name, &gathered, err) : ank_report_write_page(output, &gathered, err));
  ANK_TRY(ank_output_commit(output, err));
done:
  ank_report_free(&gathered);
  ank_output_free(output);
  return status;
}

anorank_status anorank_report_write(const anorank_sink *sink, const anorank_report *report,
                                    const anorank_settings *settings, anorank_error *err) {
  ANK_NEED(sink);
  ank_sink_start(sink);
  ANK_NEED(report);
  ANK_NEED(report->model);
  ANK_NEED(report->table);
  return write_report(sink, NULL, report, settings, err);
}

anorank_status anorank_figure_write(const anorank_sink *sink, const char *name, const anorank_report *report,
                                    const anorank_settings *settings, anorank_error *err) {
  ANK_NEED(sink);
  ank_sink_start(sink);
  ANK_NEED(name);
  ANK_NEED(report);
  ANK_NEED(report->model);
  ANK_NEED(report->table);
  return write_report(sink, name, report, settings, err);
}
