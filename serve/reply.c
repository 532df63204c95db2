/* reply.c - replies: initialisation, release, and problem details (RFC 9457). */
#include <stdarg.h>
#include <string.h>
#include <time.h>

#include "core/print.h"
#include "json.h"
#include "service.h"

double serve_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void serve_time_text(char *text, size_t size, double seconds) {
  time_t whole = (time_t)seconds;
  struct tm parts = {0};
  gmtime_r(&whole, &parts);
  ank_print(text, size, "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", parts.tm_year + 1900, parts.tm_mon + 1,
            parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
            (int)((seconds - (double)whole) * 1000));
}

void serve_reply_start(serve_reply *reply) {
  memset(reply, 0, sizeof *reply);
  serve_spool_start(&reply->body, NULL);
}

void serve_reply_free(serve_reply *reply) { serve_spool_free(&reply->body); }

static const char *title_of(unsigned status) {
  static const struct {
    unsigned status;
    const char *title;
  } titles[] = {{400, "Bad Request"},
                {401, "Unauthorized"},
                {403, "Forbidden"},
                {404, "Not Found"},
                {405, "Method Not Allowed"},
                {411, "Length Required"},
                {413, "Content Too Large"},
                {415, "Unsupported Media Type"},
                {417, "Expectation Failed"},
                {422, "Unprocessable Content"},
                {431, "Request Header Fields Too Large"},
                {501, "Not Implemented"},
                {503, "Service Unavailable"},
                {505, "HTTP Version Not Supported"}};
  for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++)
    if (titles[i].status == status) return titles[i].title;
  return "Internal Server Error";
}

static void string(ank_json *json, const char *key, const char *value) {
  if (!*value) return;
  ank_json_words(json, key, value);
}

static void count(ank_json *json, const char *key, uint64_t value) {
  if (value == 0) return;
  ank_json_key(json, key);
  ank_json_unsigned(json, value);
}

static void put_fields(ank_json *json, const serve_request *request, const anorank_error *err) {
  const char *name, *value;
  size_t usable = 0;
  string(json, "kind", anorank_status_name(err->status));
  count(json, "line", err->line);
  count(json, "row", err->row);
  string(json, "column", err->column);
  string(json, "setting", err->setting);
  for (size_t i = 0; anorank_error_remedy(err, i, &name, &value); i++) {
    const anorank_setting *setting = anorank_setting_find(name);
    if (!setting || !serve_route_takes(request->route, setting)) continue;
    if (usable++ == 0) {
      ank_json_open_key(json, "remedies", '[', 1);
    }
    ank_json_open(json, '{', 1);
    string(json, "parameter", name);
    ank_json_words(json, "value", value);
    ank_json_close(json, '}');
  }
  if (usable > 0) ank_json_close(json, ']');
}

/* A problem is small and never refused because of the budget; without memory, a fixed
 * one does. */
static void put_problem(serve_reply *reply, unsigned status, const char *code, const char *detail,
                        const serve_request *request, const anorank_error *err) {
  static const char bare[] = "{\"type\": \"about:blank\", \"status\": 503, \"code\": \"memory-exhausted\"}\n";
  ank_json json;
  serve_spool_free(&reply->body);
  serve_spool_start(&reply->body, NULL);
  reply->status = status;
  reply->type = "application/problem+json";
  reply->fixed = NULL;
  reply->rows = 0;
  FILE *stream = serve_spool_stream(&reply->body);
  if (stream) {
    cli_json_open(&json, stream);
    string(&json, "type", "about:blank");
    string(&json, "title", title_of(status));
    count(&json, "status", status);
    string(&json, "code", code);
    string(&json, "detail", detail);
    if (err) put_fields(&json, request, err);
    cli_json_close(&json);
    if (serve_spool_close(&reply->body, stream) == 0) return;
  }
  reply->status = 503;
  reply->fixed = bare;
  reply->fixed_length = sizeof bare - 1;
}

void serve_problem(serve_reply *reply, unsigned status, const char *code, const char *format, ...) {
  char detail[ANK_SENTENCE_SIZE];
  va_list arguments;
  va_start(arguments, format);
  ank_vprint(detail, sizeof detail, format, arguments);
  va_end(arguments);
  if (status == 503 && reply->retry_after == 0) reply->retry_after = 1;
  put_problem(reply, status, code, detail, NULL, NULL);
}

void serve_refuse_ending(serve_reply *reply) {
  serve_problem(reply, 503, "serve-ending", "the server is shutting down; retry shortly");
}

static unsigned status_of(anorank_status status, const anorank_error *err) {
  switch (status) {
  case ANORANK_OK: return 200;
  case ANORANK_ERROR_USAGE: return 400;
  case ANORANK_ERROR_DATA:
  case ANORANK_ERROR_MODEL: return 422;
  case ANORANK_ERROR_RESOURCES: return strcmp(err->setting, "max-memory") == 0 ? 413 : 503;
  case ANORANK_CANCELLED: return 503;
  }
  return 500;
}

void serve_failure(serve_reply *reply, const serve_request *request, anorank_status status,
                   const anorank_error *err) {
  unsigned http = status_of(status, err);
  anorank_error shown = *err;
  shown.status = status;
  reply->failed = status;
  reply->line = err->line;
  if (http == 503) reply->retry_after = 5;
  put_problem(reply, http, err->code, err->message, request, &shown);
}
