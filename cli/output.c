/* output.c - see output.h. A stream for fprintf whose bytes go to a file of the library. */
#include "output.h"

#include <string.h>

#include "text.h"

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
    output->stream = fopencookie(output, "w", (cookie_io_functions_t){.write = pass_on});
    if (output->stream) return 0;
    status = ANORANK_ERROR_RESOURCES;
    snprintf(output->error.message, sizeof output->error.message, "out of memory");
    anorank_file_free(output->file);
  }
  cli_writing(0);
  return cli_failure(call, status, &output->error);
}

int cli_output_close(cli_output *output, const cli_call *call, int code) {
  if (output->stream == stdout) return code; /* main looks after it */
  (void)fclose(output->stream);              /* a failure is in `failed` */
  if (code == 0 && cli_interrupted()) code = cli_failure(call, ANORANK_CANCELLED, NULL);
  if (code == 0 && output->failed == ANORANK_OK)
    output->failed = anorank_file_commit(output->file, &output->error);
  if (code == 0) code = cli_failure(call, output->failed, &output->error);
  anorank_file_free(output->file);
  cli_writing(0);
  return code;
}
