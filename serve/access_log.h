/* access_log.h - the access log: one JSON object per line on standard error. It never contains cells of a body,
 * nor messages that could quote them. */
#ifndef SERVE_JOURNAL_H
#define SERVE_JOURNAL_H

#include "service.h"

typedef struct serve_access_log {
  FILE *stream; /* NULL: it is not open */
  serve_logging logging;
} serve_access_log;

anorank_status serve_access_log_open(serve_access_log *access_log, serve_logging logging, anorank_error *err);
void serve_access_log_close(serve_access_log *access_log);

/* Log an event of the service, with `count` pairs of names and texts. */
void serve_access_log_event(serve_access_log *access_log, const char *event, const serve_pair *pairs,
                            size_t count);

/* Log a finished request; `sent`: the client received the whole response. */
void serve_access_log_request(serve_access_log *access_log, const serve_request *request,
                              const serve_reply *reply, const char *address, double seconds, int sent);

#endif
