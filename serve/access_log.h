/* access_log.h - what happened, a JSON object a line on standard error. No cell of a body is ever in it, so
 * no message either that could quote one. */
#ifndef SERVE_JOURNAL_H
#define SERVE_JOURNAL_H

#include "service.h"

typedef struct serve_access_log {
  FILE *stream; /* NULL: it is not open */
  serve_logging logging;
} serve_access_log;

anorank_status serve_access_log_open(serve_access_log *access_log, serve_logging logging, anorank_error *err);
void serve_access_log_close(serve_access_log *access_log);

/* Something of the service itself, with `count` pairs of names and texts. */
void serve_access_log_event(serve_access_log *access_log, const char *event, const serve_pair *pairs,
                            size_t count);

/* A request that has ended; `sent`: its answer was taken whole. */
void serve_access_log_request(serve_access_log *access_log, const serve_request *request,
                              const serve_reply *reply, const char *address, double seconds, int sent);

#endif
