/* cmd_serve.c - anorank serve MODEL...: scores over HTTP. The service is in serve/, if the build found
 * libmicrohttpd. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "options.h"
#include "text.h"

#ifdef ANORANK_HAS_SERVE

#include "serve.h"

/* Parse "64M" as bytes, "500" as a count. Returns 0 if it is invalid or out of bounds. */
static int read_size(const char *text, uint64_t low, uint64_t high, uint64_t *out) {
  static const char units[] = "KMGT";
  uint64_t value = 0;
  size_t digits = strspn(text, "0123456789");
  if (digits == 0 || digits > 15) return 0;
  for (size_t i = 0; i < digits; i++) value = 10 * value + (uint64_t)(text[i] - '0');
  const char *unit = text[digits] ? strchr(units, text[digits]) : NULL;
  if (text[digits] && (!unit || text[digits + 1])) return 0;
  for (const char *at = units; unit && at <= unit; at++) {
    if (value > high) return 0;
    value *= 1024;
  }
  *out = value;
  return value >= low && value <= high;
}

static int take_size(const cli_call *call, const char *name, const char *usual, uint64_t low, uint64_t high,
                     uint64_t *out) {
  const char *given = cli_value(call, name);
  char shown[80];
  if (read_size(given ? given : usual, low, high, out)) return 0;
  return cli_usage_error(
      call, "option-value", "--%s is '%s'; it takes a whole number from %llu to %llu, or with K, M or G",
      name, cli_printable(shown, sizeof shown, given), (unsigned long long)low, (unsigned long long)high);
}

static int take_count(const cli_call *call, const char *name, const char *usual, uint64_t low, uint64_t high,
                      unsigned *out) {
  uint64_t value = 0;
  int code = take_size(call, name, usual, low, high, &value);
  *out = (unsigned)value;
  return code;
}

static int take_limits(serve_options *options, const cli_call *call) {
  uint64_t rows = 0, threads = (uint64_t)anorank_settings_integer(call->settings, "threads");
  const uint64_t most = (uint64_t)1 << 40, day = 86400;
  int code = take_size(call, "max-body", "64M", 1, most, &options->max_body);
  if (code == 0) code = take_size(call, "max-held", "1G", 1, most, &options->max_held);
  if (code == 0) code = take_size(call, "max-table", "256M", 1 << 20, most, &options->max_memory);
  if (code == 0) code = take_size(call, "max-rows", "1000000", 1, most, &rows);
  if (code == 0) code = take_count(call, "max-connections", "1000", 1, 100000, &options->max_connections);
  if (code == 0) code = take_count(call, "max-per-address", "500", 1, 100000, &options->max_per_address);
  if (code == 0) code = take_count(call, "max-waiting", "64", 1, 100000, &options->max_waiting);
  if (code == 0) code = take_count(call, "idle-seconds", "20", 1, day, &options->idle_seconds);
  if (code == 0) code = take_count(call, "request-seconds", "60", 1, day, &options->request_seconds);
  if (code == 0) code = take_count(call, "drain-seconds", "15", 0, day, &options->drain_seconds);
  options->max_rows = (size_t)rows;
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  options->threads = threads > 0 ? (unsigned)threads : processors > 0 ? (unsigned)processors : 1;
  return code;
}

/* Parse NAME=FILE, or FILE, whose name without extension becomes the model's. Returns 0 or the exit code; the
 * caller frees `name`. */
static int name_model(serve_named *out, char **name, const cli_call *call, const char *given) {
  const char *equals = strchr(given, '='), *path = equals ? equals + 1 : given, *slash = strrchr(path, '/');
  const char *start = equals ? given : slash ? slash + 1 : path;
  size_t length = equals ? (size_t)(equals - given) : strlen(start);
  char shown[120];
  const char *point = equals ? NULL : strrchr(start, '.');
  if (point && point > start) length = (size_t)(point - start);
  *name = cli_allocate(length + 1, 1);
  memcpy(*name, start, length);
  *out = (serve_named){*name, path};
  if (serve_is_name(*name) && *path) return 0;
  return cli_usage_error(call, "serve-model-name",
                         "'%s' gives no valid model name (letters, digits and . _ -); write NAME=FILE",
                         cli_printable(shown, sizeof shown, given));
}

static int check_names(const serve_options *options, const cli_call *call) {
  for (size_t i = 0; i < options->model_count; i++)
    for (size_t j = 0; j < i; j++)
      if (strcmp(options->models[i].name, options->models[j].name) == 0)
        return cli_usage_error(call, "serve-model-twice",
                               "two models are named '%s'; write NAME=FILE for one of them",
                               options->models[i].name);
  return 0;
}

static serve_logging logging_of(const cli_call *call) {
  const char *word = cli_value(call, "log");
  if (word && strcmp(word, "errors") == 0) return SERVE_LOG_ERRORS;
  return word && strcmp(word, "events") == 0 ? SERVE_LOG_EVENTS : SERVE_LOG_REQUESTS;
}

static int run(cli_call *call) {
  anorank_error err = {0};
  size_t count = call->positional_count;
  serve_named *models = cli_allocate(count, sizeof *models);
  char **names = cli_allocate(count, sizeof *names);
  serve_options options = {.listen = cli_value(call, "listen") ? cli_value(call, "listen") : "127.0.0.1:8090",
                           .models = models,
                           .model_count = count,
                           .token_file = cli_value(call, "token-file"),
                           .insecure = cli_value(call, "insecure") != NULL,
                           .logging = logging_of(call)};
  int code = take_limits(&options, call);
  for (size_t i = 0; i < count && code == 0; i++)
    code = name_model(&models[i], &names[i], call, call->positionals[i]);
  if (code == 0) code = check_names(&options, call);
  if (code == 0) code = cli_failure(call, serve_run(&options, &err), &err);
  for (size_t i = 0; i < count; i++) free(names[i]);
  free(names);
  free(models);
  return code;
}

#else

static int run(cli_call *call) {
  anorank_error err = {0};
  cli_fail(&err, ANORANK_ERROR_RESOURCES, "serve-not-built",
           "this anorank was built without 'serve', which needs Linux and libmicrohttpd 0.9.75 or later; "
           "install libmicrohttpd-dev and rebuild");
  return cli_failure(call, ANORANK_ERROR_RESOURCES, &err);
}

#endif

const cli_command cli_cmd_serve = {
    .name = "serve",
    .summary = "serve models over HTTP",
    .usage = "MODEL... [--listen HOST:PORT] [OPTION]...",
    .description =
        "Serve models over HTTP. POST rows as CSV or JSON to /v1/models/NAME/score or /rank; the response is "
        "the output of 'anorank score' or 'anorank rank'. The page at / tries it out.\nModels are reloaded "
        "when their files change, or on SIGHUP. If a file cannot be loaded, the old model stays. SIGTERM "
        "finishes the requests in progress, then exits. /metrics is for Prometheus, /healthz and /readyz for "
        "supervisors, and /openapi.json describes the interface.\nOther machines can connect only with "
        "--token-file or --insecure. For TLS, put a proxy such as nginx in front; see docs/serve.md.",
    .everyday = "listen token-file max-body threads log",
    .positionals = {{"MODEL", "model written by 'anorank fit', or NAME=FILE; give one or more", CLI_SEVERAL,
                     NULL}},
    .options = {{"listen", 0, "HOST:PORT", NULL,
                 "address to listen on; 127.0.0.1:8090 by default, port 0 picks a free one"},
                {"token-file", 0, "FILE", NULL,
                 "file of access tokens, one per line; required if other machines can connect"},
                {"insecure", 0, NULL, NULL, "accept requests without a token"},
                {"max-body", 0, "SIZE", NULL, "limit on the size of a request; 64M by default"},
                {"max-rows", 0, "N", NULL, "limit on the rows of a request; 1000000 by default"},
                {"max-table", 0, "SIZE", NULL,
                 "memory limit of a request; larger bodies are ranked in blocks; 256M by default"},
                {"max-held", 0, "SIZE", NULL, "limit on all buffered bodies and responses; 1G by default"},
                {"max-connections", 0, "N", NULL, "limit on open connections; 1000 by default"},
                {"max-per-address", 0, "N", NULL, "limit on open connections per address; 500 by default"},
                {"max-waiting", 0, "N", NULL, "limit on queued requests; 64 by default"},
                {"idle-seconds", 0, "S", NULL, "timeout for request headers; 20 by default"},
                {"request-seconds", 0, "S", NULL,
                 "timeout for reading the body, for the work, and for sending the response; 60 by default"},
                {"drain-seconds", 0, "S", NULL, "shutdown timeout for requests in progress; 15 by default"},
                {"log", 0, "WORD", "requests|errors|events",
                 "what to log to stderr; all requests (default), failed ones, or none"}},
    .examples = {{"anorank serve cards.anr", "serve a model at http://127.0.0.1:8090/v1/models/cards/score"},
                 {"curl --data-binary @today.csv 127.0.0.1:8090/v1/models/cards/rank",
                  "rank rows, most abnormal first, with reasons"},
                 {"anorank serve pay=a.anr web=b.anr --listen 0.0.0.0:8090 --token-file tokens",
                  "serve two models to other machines"}},
    .settings = ANORANK_FOR_RUN,
    .omit = "seed",
    .run = run,
};
