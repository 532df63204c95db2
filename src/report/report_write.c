/* report_write.c - a report to a file or to memory. */
#include "report/report_data.h"

anorank_status anorank_report_write(const anorank_sink *sink, const anorank_report *report,
                                    const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_output *output = NULL;
  ank_report gathered = {0};
  ANK_NEED(sink);
  ank_sink_start(sink);
  ANK_NEED(report);
  ANK_NEED(report->model);
  ANK_NEED(report->table);
  ANK_TRY(ank_output_of(&output, sink, err));
  ANK_TRY(ank_report_gather(&gathered, report, ank_settings_or_default(settings), err));
  ANK_TRY(ank_report_write_page(output, &gathered, err));
  ANK_TRY(ank_output_commit(output, err));
done:
  ank_report_free(&gathered);
  ank_output_free(output);
  return status;
}
