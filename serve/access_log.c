/* access_log.c - see access_log.h. */
#include "access_log.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#include "json.h"
#include "text.h"

anorank_status serve_access_log_open(serve_access_log *access_log, serve_logging logging,
                                     anorank_error *err) {
  *access_log = (serve_access_log){.logging = logging};
  int copy = dup(STDERR_FILENO);
  access_log->stream =
      copy < 0 ? NULL : fdopen(copy, "w"); /* with a buffer, unlike stderr: a line is one write */
  if (access_log->stream) return ANORANK_OK;
  if (copy >= 0) close(copy);
  return cli_fail(err, ANORANK_ERROR_RESOURCES, "serve-log", "cannot write the log to standard error");
}

void serve_access_log_close(serve_access_log *access_log) {
  if (access_log->stream) fclose(access_log->stream);
  access_log->stream = NULL;
}

static void start_line(ank_json *json, FILE *stream, const char *event) {
  char text[32];
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  serve_time_text(text, sizeof text, (double)now.tv_sec + 1e-9 * (double)now.tv_nsec);
  flockfile(stream);
  cli_json_start(json, stream);
  json->tight = 1;
  ank_json_open(json, '{', 1);
  ank_json_words(json, "time", text);
  ank_json_words(json, "event", event);
}

static void end_line(ank_json *json, FILE *stream) {
  ank_json_close(json, '}');
  ank_json_end(json);
  fflush(stream);
  funlockfile(stream);
}

void serve_access_log_event(serve_access_log *access_log, const char *event, const serve_pair *pairs,
                            size_t count) {
  ank_json json;
  if (!access_log->stream) return;
  start_line(&json, access_log->stream, event);
  for (size_t i = 0; i < count; i++) ank_json_words(&json, pairs[i].name, pairs[i].value);
  end_line(&json, access_log->stream);
}

void serve_access_log_request(serve_access_log *access_log, const serve_request *request,
                              const serve_reply *reply, const char *address, double seconds, int sent) {
  ank_json json;
  if (!access_log->stream || access_log->logging == SERVE_LOG_EVENTS) return;
  if (access_log->logging == SERVE_LOG_ERRORS && reply->status < 400) return;
  start_line(&json, access_log->stream, "request");
  ank_json_words(&json, "from", address);
  ank_json_words(&json, "method", strlen(request->method) < 16 ? request->method : "?");
  ank_json_words(&json, "route", serve_route_word(request->route));
  if (request->slot) ank_json_words(&json, "model", request->slot->name);
  ank_json_count(&json, "status", reply->status);
  ank_json_count(&json, "rows", reply->rows);
  ank_json_count(&json, "bytes_in", request->received);
  ank_json_count(&json, "bytes_out", reply->fixed ? reply->fixed_length : reply->body.length);
  ank_json_field(&json, "ms", (double)(int64_t)(seconds * 1e5) / 100);
  if (*reply->digest) ank_json_words(&json, "sha256", reply->digest);
  if (reply->failed) ank_json_words(&json, "error", anorank_status_name(reply->failed));
  if (reply->line) ank_json_count(&json, "line", reply->line);
  ank_json_flag(&json, "sent", sent);
  end_line(&json, access_log->stream);
}
