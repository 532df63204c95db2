/* api_report.c - the public door to reports: check the arguments, then inward. */
#include "report/report.h"

static anorank_status write_to(ank_output *output, const anorank_report *report,
                               const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_report gathered = {0};
  ANK_TRY(ank_report_gather(&gathered, report, ank_settings_or_default(settings), err));
  ANK_TRY(ank_report_write_page(output, &gathered, err));
  ANK_TRY(ank_output_commit(output, err));
done:
  ank_report_free(&gathered);
  return status;
}

anorank_status anorank_report_write(const char *path, const anorank_report *report,
                                    const anorank_settings *settings, anorank_error *err) {
  ank_output *output = NULL;
  ANK_NEED(path);
  ANK_NEED(report);
  ANK_NEED(report->model);
  ANK_NEED(report->table);
  if (!*path)
    return ank_fail(err, ANORANK_ERROR_USAGE, "output-name-empty", "the name of the file to write is empty");
  anorank_status status = ank_output_open(&output, path, err);
  if (status == ANORANK_OK) status = write_to(output, report, settings, err);
  ank_output_free(output);
  return status;
}

anorank_status anorank_report_to_bytes(unsigned char **out, size_t *length, const anorank_report *report,
                                       const anorank_settings *settings, anorank_error *err) {
  ank_output *output = NULL;
  ANK_NEED(out);
  *out = NULL;
  ANK_NEED(length);
  ANK_NEED(report);
  ANK_NEED(report->model);
  ANK_NEED(report->table);
  anorank_status status = ank_output_to_memory(&output, "memory", err);
  if (status == ANORANK_OK) status = write_to(output, report, settings, err);
  if (status == ANORANK_OK) *out = ank_output_take(output, length);
  ank_output_free(output);
  return status;
}
