/* metrics.c - see metrics.h. The text format of Prometheus, version 0.0.4. */
#include "metrics.h"

#include <inttypes.h>
#include <math.h>
#include <unistd.h>

#include "text.h"

static const unsigned codes[SERVE_CODES] = {200, 400, 401, 403, 404, 405, 411, 413,
                                            415, 417, 422, 431, 500, 501, 503, 505};
static const double time_bounds[SERVE_TIMES] = {0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1,
                                                0.25,   0.5,   1,      2.5,   5,    10,    30};
static const double share_bounds[SERVE_SHARES] = {0.0001, 0.001, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3,
                                                  0.4,    0.5,   0.6,  0.7,  0.8,  0.9, 1};

_Static_assert(SERVE_TIMES == SERVE_SHARES, "both kinds of histogram have the same number of bounds");

const char *serve_route_word(serve_route route) {
  static const char *const words[SERVE_ROUTES] = {"other",  "score",   "rank",    "models", "healthz",
                                                  "readyz", "metrics", "openapi", "page"};
  return words[route];
}

static void count_value(serve_histogram *histogram, const double *bounds, double value) {
  size_t place = 0;
  while (place < SERVE_TIMES && value > bounds[place]) place++;
  atomic_fetch_add_explicit(&histogram->place[place], 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&histogram->sum, (uint64_t)(value * 4294967296.0), memory_order_relaxed);
}

void serve_count_request(serve_metrics *metrics, serve_route route, unsigned code, double seconds) {
  size_t place = 0;
  while (place < SERVE_CODES && codes[place] != code) place++;
  atomic_fetch_add_explicit(&metrics->requests[route][place], 1, memory_order_relaxed);
  count_value(&metrics->seconds[route], time_bounds, seconds > 0 ? seconds : 0);
}

void serve_count_p_values(serve_model_metrics *metrics, const double *p_values, size_t rows) {
  atomic_fetch_add_explicit(&metrics->rows, rows, memory_order_relaxed);
  for (size_t i = 0; p_values && i < rows; i++)
    if (!isnan(p_values[i])) count_value(&metrics->p_values, share_bounds, p_values[i]);
}

static uint64_t read_counter(const serve_counter *counter) {
  return atomic_load_explicit((serve_counter *)counter, memory_order_relaxed);
}

/* The sum of a histogram is read last: it may include requests that end meanwhile. */
static void write_histogram(FILE *stream, const char *name, const char *label, const char *value,
                            const serve_histogram *histogram, const double *bounds) {
  uint64_t count = 0;
  for (size_t i = 0; i < SERVE_TIMES; i++) {
    count += read_counter(&histogram->place[i]);
    cli_print(stream, "%s_bucket{%s=\"%s\",le=\"%.6g\"} %" PRIu64 "\n", name, label, value, bounds[i], count);
  }
  count += read_counter(&histogram->place[SERVE_TIMES]);
  cli_print(stream, "%s_bucket{%s=\"%s\",le=\"+Inf\"} %" PRIu64 "\n", name, label, value, count);
  cli_print(stream, "%s_sum{%s=\"%s\"} %.9g\n", name, label, value,
            (double)read_counter(&histogram->sum) / 4294967296.0);
  cli_print(stream, "%s_count{%s=\"%s\"} %" PRIu64 "\n", name, label, value, count);
}

static void head(FILE *stream, const char *name, const char *kind, const char *help) {
  fprintf(stream, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind);
}

static void write_requests(FILE *stream, const serve_metrics *metrics) {
  head(stream, "anorank_requests_total", "counter", "Requests answered, by route and status code.");
  for (size_t r = 0; r < SERVE_ROUTES; r++)
    for (size_t c = 0; c <= SERVE_CODES; c++) {
      uint64_t count = read_counter(&metrics->requests[r][c]);
      if (count == 0) continue;
      fprintf(stream, "anorank_requests_total{route=\"%s\",code=\"", serve_route_word((serve_route)r));
      if (c < SERVE_CODES)
        fprintf(stream, "%u", codes[c]);
      else
        fputs("other", stream);
      fprintf(stream, "\"} %" PRIu64 "\n", count);
    }
  head(stream, "anorank_request_seconds", "histogram",
       "Time from the head of a request to the end of its work, by route.");
  for (size_t r = 0; r < SERVE_ROUTES; r++) /* unused routes have no lines */
    if (read_counter(&metrics->seconds[r].sum) > 0)
      write_histogram(stream, "anorank_request_seconds", "route", serve_route_word((serve_route)r),
                      &metrics->seconds[r], time_bounds);
}

static void gauge(FILE *stream, const char *name, const char *help, double value) {
  head(stream, name, "gauge", help);
  cli_print(stream, "%s %.15g\n", name, value);
}

static void total(FILE *stream, const char *name, const char *help, uint64_t value) {
  head(stream, name, "counter", help);
  fprintf(stream, "%s %" PRIu64 "\n", name, value);
}

/* Resident memory in bytes, 0 if unknown. */
static double resident_bytes(void) {
  unsigned long long pages = 0;
  char line[128];
  FILE *file = fopen("/proc/self/statm", "r");
  if (file && fgets(line, sizeof line, file)) {
    const char *at = line;
    while (*at && *at != ' ') at++;
    for (at += *at == ' '; *at >= '0' && *at <= '9'; at++) pages = 10 * pages + (unsigned)(*at - '0');
  }
  if (file) fclose(file);
  return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

static void write_models(FILE *stream, const serve_measured *models, size_t count) {
  head(stream, "anorank_model_info", "gauge", "1 for each model that answers, with the SHA-256 of its file.");
  for (size_t i = 0; i < count; i++)
    fprintf(stream, "anorank_model_info{model=\"%s\",scorer=\"%s\",sha256=\"%s\"} 1\n", models[i].name,
            models[i].scorer, models[i].digest);
  head(stream, "anorank_model_loaded_seconds", "gauge", "When the model was loaded, in seconds since 1970.");
  for (size_t i = 0; i < count; i++)
    cli_print(stream, "anorank_model_loaded_seconds{model=\"%s\"} %.15g\n", models[i].name, models[i].loaded);
  head(stream, "anorank_model_reloads_total", "counter", "Changes of the model's file, by outcome.");
  for (size_t i = 0; i < count; i++) {
    fprintf(stream, "anorank_model_reloads_total{model=\"%s\",outcome=\"loaded\"} %" PRIu64 "\n",
            models[i].name, read_counter(&models[i].metrics->reloads));
    fprintf(stream, "anorank_model_reloads_total{model=\"%s\",outcome=\"refused\"} %" PRIu64 "\n",
            models[i].name, read_counter(&models[i].metrics->failures));
  }
  head(stream, "anorank_rows_total", "counter", "Rows scored, by model.");
  for (size_t i = 0; i < count; i++)
    fprintf(stream, "anorank_rows_total{model=\"%s\"} %" PRIu64 "\n", models[i].name,
            read_counter(&models[i].metrics->rows));
  head(stream, "anorank_p_value", "histogram",
       "p-values of the rows scored: about uniform while they are drawn like the training rows.");
  for (size_t i = 0; i < count; i++)
    write_histogram(stream, "anorank_p_value", "model", models[i].name, &models[i].metrics->p_values,
                    share_bounds);
}

void serve_metrics_write(FILE *stream, const serve_metrics *metrics, const serve_measured *models,
                         size_t model_count) {
  write_requests(stream, metrics);
  total(stream, "anorank_request_bytes_total", "Bytes of request bodies.", read_counter(&metrics->bytes_in));
  total(stream, "anorank_answer_bytes_total", "Bytes of answers.", read_counter(&metrics->bytes_out));
  total(stream, "anorank_slow_clients_total", "Connections closed because the client was too slow.",
        read_counter(&metrics->reaped));
  gauge(stream, "anorank_connections", "Open connections.",
        (double)atomic_load((atomic_uint *)&metrics->connections));
  gauge(stream, "anorank_requests_waiting", "Requests that wait for a thread.",
        (double)atomic_load((atomic_uint *)&metrics->waiting));
  gauge(stream, "process_resident_memory_bytes", "Resident memory.", resident_bytes());
  gauge(stream, "process_start_time_seconds", "Start of the process, in seconds since 1970.",
        metrics->started);
  write_models(stream, models, model_count);
}
