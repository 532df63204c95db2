/* team.c - see team.h. */
#include "team.h"

#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/print.h"

int team_rank, team_size = 1;

static double waited, entered;

double team_clock(void) {
  struct timespec now = {0};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double team_waited(void) { return waited; }

static void enter(void) { entered = team_clock(); }

static void leave(void) { waited += team_clock() - entered; }

anorank_status team_agree(anorank_status status, anorank_error *err) {
  int mine = status == ANORANK_OK ? INT_MAX : team_rank, first = INT_MAX;
  enter();
  MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  leave();
  if (first == INT_MAX) return ANORANK_OK;
  struct {
    int status;
    anorank_error error;
  } heard;
  memset(&heard, 0, sizeof heard);
  heard.status = (int)status;
  heard.error = *err;
  MPI_Bcast(&heard, (int)sizeof heard, MPI_BYTE, first, MPI_COMM_WORLD);
  *err = heard.error;
  return (anorank_status)heard.status;
}

void team_share(void *bytes, size_t length) {
  for (size_t at = 0; at < length; at += TEAM_MOST_BYTES)
    MPI_Bcast((char *)bytes + at, team_step(length - at), MPI_BYTE, 0, MPI_COMM_WORLD);
}

anorank_status team_share_new(unsigned char **bytes, size_t *length, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  uint64_t size = *length;
  team_share(&size, sizeof size);
  *length = (size_t)size;
  if (team_rank > 0 && !(*bytes = malloc(*length + 1)))
    status = team_fail(err, ANORANK_ERROR_RESOURCES, "out of memory: cannot allocate %zu bytes", *length);
  status = team_agree(status, err);
  if (status == ANORANK_OK) team_share(*bytes, *length);
  return status;
}

/* What goes out and comes in, once all have room for it. */
static anorank_status pass_on(const unsigned char *bytes, const size_t *lengths, const uint64_t *heard,
                              unsigned char *room, MPI_Request *sent, team_take take, void *context,
                              anorank_error *err) {
  anorank_status status = ANORANK_OK;
  int count = 0;
  const unsigned char *own = bytes;
  for (int r = 0; r < team_size; bytes += lengths[r++]) {
    if (r == team_rank) own = bytes;
    for (size_t at = 0; r != team_rank && at < lengths[r]; at += TEAM_MOST_BYTES)
      MPI_Isend(bytes + at, team_step(lengths[r] - at), MPI_BYTE, r, 0, MPI_COMM_WORLD, &sent[count++]);
  }
  for (int k = 0; k < team_size; k++) {
    int r = (team_rank + k) % team_size; /* not all from process 0 first */
    enter();
    for (size_t at = 0; r != team_rank && at < heard[r]; at += TEAM_MOST_BYTES)
      MPI_Recv(room + at, team_step(heard[r] - at), MPI_BYTE, r, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    leave();
    if (status == ANORANK_OK && heard[r] > 0)
      status = take(context, r == team_rank ? own : room, (size_t)heard[r], err);
  }
  enter();
  MPI_Waitall(count, sent, MPI_STATUSES_IGNORE);
  leave();
  return status;
}

anorank_status team_exchange(const unsigned char *bytes, const size_t *lengths, team_take take, void *context,
                             anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t sends = 0, most = 0;
  uint64_t *told = calloc((size_t)team_size, sizeof *told), *heard = calloc((size_t)team_size, sizeof *heard);
  if (!told || !heard) MPI_Abort(MPI_COMM_WORLD, ANORANK_ERROR_RESOURCES); /* so few bytes: nothing goes on */
  for (int r = 0; r < team_size; r++) {
    told[r] = lengths[r];
    sends += (size_t)(told[r] / TEAM_MOST_BYTES) + 1;
  }
  enter();
  MPI_Alltoall(told, 1, MPI_UINT64_T, heard, 1, MPI_UINT64_T, MPI_COMM_WORLD);
  leave();
  for (int r = 0; r < team_size; r++)
    if (r != team_rank && heard[r] > most) most = (size_t)heard[r];
  unsigned char *room = malloc(most + 1);
  MPI_Request *sent = malloc(sends * sizeof *sent);
  if (!room || !sent)
    status = team_fail(err, ANORANK_ERROR_RESOURCES, "out of memory: cannot allocate %zu bytes", most);
  status = team_agree(status, err);
  if (status == ANORANK_OK) status = pass_on(bytes, lengths, heard, room, sent, take, context, err);
  free(told);
  free(heard);
  free(room);
  free(sent);
  return team_agree(status, err);
}

static uint64_t reduced(uint64_t value, MPI_Op op) {
  uint64_t all = 0;
  enter();
  MPI_Allreduce(&value, &all, 1, MPI_UINT64_T, op, MPI_COMM_WORLD);
  leave();
  return all;
}

uint64_t team_sum(uint64_t value) { return reduced(value, MPI_SUM); }

uint64_t team_most(uint64_t value) { return reduced(value, MPI_MAX); }

uint64_t team_sum_before(uint64_t value) {
  uint64_t before = 0;
  enter();
  MPI_Exscan(&value, &before, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  leave();
  return team_rank == 0 ? 0 : before; /* not set there */
}

void team_gather(uint64_t *values, uint64_t value) {
  enter();
  MPI_Allgather(&value, 1, MPI_UINT64_T, values, 1, MPI_UINT64_T, MPI_COMM_WORLD);
  leave();
}

void team_wait(void) {
  const struct timespec moment = {.tv_nsec = 5000000};
  MPI_Request request;
  int done = 0;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  for (;;) {
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done) return;
    nanosleep(&moment, NULL);
  }
}

anorank_status team_fail(anorank_error *err, anorank_status status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  memset(err, 0, sizeof *err);
  ank_vprint(err->message, sizeof err->message, format, arguments);
  va_end(arguments);
  err->status = status;
  return status;
}

anorank_status team_fail_mpi(anorank_error *err, int code, const char *name, const char *doing) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0, class = MPI_ERR_OTHER;
  MPI_Error_class(code, &class);
  MPI_Error_string(code, text, &length);
  if (class == MPI_ERR_NO_SPACE)
    return team_fail(err, ANORANK_ERROR_RESOURCES,
                     "%s: %s: No space left on device; free some space or write elsewhere", name, doing);
  if (class == MPI_ERR_QUOTA)
    return team_fail(err, ANORANK_ERROR_RESOURCES, "%s: %s: the quota is used up", name, doing);
  return team_fail(err, ANORANK_ERROR_RESOURCES, "%s: %s: %s", name, doing, text);
}
