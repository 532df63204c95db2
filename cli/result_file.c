/* result_file.c - see result_file.h. A stream for fprintf whose bytes go to a file of the library. */
#include "result_file.h"

#include <string.h>

#include "core/ascii.h"
#include "core/platform.h"
#include "model_options.h"
#include "text.h"

int cli_check_ending(const cli_call *call, const char *option, int page) {
  const char *path = cli_value(call, option), *ending = path ? strrchr(path, '.') : NULL;
  char shown[120];
  if (!ending || strlen(ending) > 6 || strchr(ending, '/') ||
      ank_same_word(ending, page ? ".html" : ".svg") || (page && ank_same_word(ending, ".htm")))
    return 0;
  cli_printable(shown, sizeof shown, path);
  if (page)
    return cli_usage_error(call, "report-ending",
                           "--%s '%s': reports are HTML; use a name that ends in .html", option, shown);
  return cli_usage_error(call, "figure-ending", "--%s '%s': figures are SVG; use a name that ends in .svg",
                         option, shown);
}

static ssize_t pass_on(void *cookie, const char *bytes, size_t length) {
  cli_output *output = cookie;
  if (output->failed == ANORANK_OK)
    output->failed = anorank_file_write(output->file, bytes, length, &output->error);
  return output->failed == ANORANK_OK ? (ssize_t)length : 0; /* 0: the stream has an error */
}

int cli_output_open(cli_output *output, const cli_call *call, const char *path) {
  *output = (cli_output){.stream = stdout};
  if (strcmp(path, "-") == 0) return 0;
  cli_writing(1);
  anorank_status status = anorank_file_open(&output->file, path, &output->error);
  if (status == ANORANK_OK) {
    output->stream = ank_stream_open(pass_on, output);
    if (output->stream) return 0;
    status = cli_fail(&output->error, ANORANK_ERROR_RESOURCES, "memory-exhausted", "out of memory");
    anorank_file_free(output->file);
  }
  cli_writing(0);
  return cli_failure(call, status, &output->error);
}

int cli_output_close(cli_output *output, const cli_call *call, int code) {
  if (output->stream == stdout) return code;               /* main closes it */
  (void)ank_stream_close(output->stream, pass_on, output); /* a failure is in `failed` */
  if (code == 0 && cli_interrupted()) code = cli_failure(call, ANORANK_CANCELLED, NULL);
  if (code == 0 && output->failed == ANORANK_OK)
    output->failed = anorank_file_commit(output->file, &output->error);
  if (code == 0) code = cli_failure(call, output->failed, &output->error);
  anorank_file_free(output->file);
  cli_writing(0);
  return code;
}

anorank_status cli_write_blocks(cli_call *call, const char *path, int64_t block, cli_make_rows make,
                                const void *context, anorank_error *err) {
  anorank_settings *settings = call->settings;
  anorank_writer *writer = NULL;
  int64_t rows = anorank_settings_integer(settings, "rows"),
          first = anorank_settings_integer(settings, "first-row");
  cli_writing(1);
  anorank_status status =
      anorank_writer_open(&writer, ANORANK_TO_FILE(path), cli_value(call, "output-format"), err);
  for (int64_t done = 0; status == ANORANK_OK && done < rows; done += block) {
    anorank_table *table = NULL;
    int64_t now = rows - done < block ? rows - done : block;
    cli_progress_part(&call->progress, (double)done / (double)rows, (double)(done + now) / (double)rows);
    status = anorank_settings_set_number(settings, "rows", (double)now, err);
    if (status == ANORANK_OK)
      status = anorank_settings_set_number(settings, "first-row", (double)(first + done), err);
    if (status == ANORANK_OK) status = make(&table, context, settings, err);
    if (status == ANORANK_OK) status = anorank_writer_append(writer, table, err);
    anorank_table_free(table);
    if (status == ANORANK_OK && cli_interrupted()) status = ANORANK_CANCELLED;
  }
  if (status == ANORANK_OK) status = anorank_writer_commit(writer, err);
  anorank_writer_free(writer);
  cli_writing(0);
  return status;
}
