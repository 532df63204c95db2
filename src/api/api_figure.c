/* api_figure.c - the public door to figures: check the arguments, then inward. */
#include "report/figure.h"
#include "report/figure_mass_volume.h"

anorank_status anorank_figure_mass_volume(const anorank_sink *sink, const anorank_judgement *first,
                                          const char *first_label, const anorank_judgement *second,
                                          const char *second_label, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_output *output = NULL;
  ANK_NEED(sink);
  ank_sink_start(sink);
  ANK_NEED(first);
  ANK_TRY(ank_output_of(&output, sink, err));
  ANK_TRY(ank_figure_mass_volume(output, first, first_label, second, second_label, err));
  ANK_TRY(ank_output_commit(output, err));
done:
  ank_output_free(output);
  return status;
}

anorank_status anorank_figure_write(const anorank_sink *sink, const char *name, const anorank_report *report,
                                    const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_output *output = NULL;
  ank_report gathered = {0};
  ANK_NEED(sink);
  ank_sink_start(sink);
  ANK_NEED(name);
  ANK_NEED(report);
  ANK_NEED(report->model);
  ANK_NEED(report->table);
  ANK_TRY(ank_output_of(&output, sink, err));
  ANK_TRY(ank_report_gather(&gathered, report, ank_settings_or_default(settings), err));
  ANK_TRY(ank_figure_of_report(output, name, &gathered, err));
  ANK_TRY(ank_output_commit(output, err));
done:
  ank_report_free(&gathered);
  ank_output_free(output);
  return status;
}
