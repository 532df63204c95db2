/* journal.h - what happened, a JSON object a line on standard error. No cell of a body is ever in it, so
 * no message either that could quote one. */
#ifndef SERVE_JOURNAL_H
#define SERVE_JOURNAL_H

#include "service.h"

typedef struct serve_journal {
  FILE *stream; /* NULL: it is not open */
  serve_logging logging;
} serve_journal;

anorank_status serve_journal_open(serve_journal *journal, serve_logging logging, anorank_error *err);
void serve_journal_close(serve_journal *journal);

/* Something of the service itself, with `count` pairs of names and texts. */
void serve_journal_event(serve_journal *journal, const char *event, const serve_pair *pairs, size_t count);

/* A request that has ended; `sent`: its answer was taken whole. */
void serve_journal_request(serve_journal *journal, const serve_request *request, const serve_reply *reply,
                           const char *address, double seconds, int sent);

#endif
