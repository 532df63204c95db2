/* metrics.h - counters, and their output for Prometheus. Counters are atomic, for use by any thread. */
#ifndef SERVE_METRICS_H
#define SERVE_METRICS_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef enum serve_route {
  SERVE_ROUTE_OTHER = 0, /* none of the others: what is refused before it is looked at */
  SERVE_ROUTE_SCORE,
  SERVE_ROUTE_RANK,
  SERVE_ROUTE_MODELS,
  SERVE_ROUTE_HEALTH,
  SERVE_ROUTE_READY,
  SERVE_ROUTE_METRICS,
  SERVE_ROUTE_OPENAPI,
  SERVE_ROUTE_PAGE,
  SERVE_ROUTES
} serve_route;

const char *serve_route_word(serve_route route);

typedef atomic_uint_fast64_t serve_counter;

enum { SERVE_CODES = 16, SERVE_TIMES = 15, SERVE_SHARES = 15 };

/* A histogram with one more bin than bounds; the sum in 2^-32 units. */
typedef struct serve_histogram {
  serve_counter place[SERVE_TIMES + 1], sum;
} serve_histogram;

typedef struct serve_metrics {
  serve_counter requests[SERVE_ROUTES][SERVE_CODES + 1];
  serve_histogram seconds[SERVE_ROUTES];
  serve_counter bytes_in, bytes_out, reaped;
  atomic_uint connections, waiting;
  double started; /* seconds since 1970 */
} serve_metrics;

/* Of one model: rows, and the histogram of their p-values. */
typedef struct serve_model_metrics {
  serve_counter rows, reloads, failures;
  serve_histogram p_values;
} serve_model_metrics;

void serve_count_request(serve_metrics *metrics, serve_route route, unsigned code, double seconds);
void serve_count_p_values(serve_model_metrics *metrics, const double *p_values, size_t rows);

/* The labels of a model in the metrics. */
typedef struct serve_measured {
  const char *name, *digest, *scorer;
  double loaded; /* seconds since 1970 */
  const serve_model_metrics *metrics;
} serve_measured;

void serve_metrics_write(FILE *stream, const serve_metrics *metrics, const serve_measured *models,
                         size_t model_count);

#endif
