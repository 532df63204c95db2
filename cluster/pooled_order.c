/* pooled_order.c - see pooled_order.h. */
#include "anorank/criterion.h"
#include "pooled_order.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 1024 }; /* of each process, to find the borders by */

static anorank_status no_memory(anorank_error *err) {
  return team_fail(err, ANORANK_ERROR_RESOURCES,
                   "out of memory; use more machines or fewer processes on each");
}

anorank_status numbers_add(numbers *to, const double *values, size_t count, anorank_error *err) {
  if (to->count + count > to->capacity) {
    size_t capacity = 2 * to->capacity > to->count + count ? 2 * to->capacity : to->count + count;
    double *grown = realloc(to->value, capacity * sizeof *grown);
    if (!grown) return no_memory(err);
    to->value = grown;
    to->capacity = capacity;
  }
  if (count > 0) memcpy(to->value + to->count, values, count * sizeof *values);
  to->count += count;
  return ANORANK_OK;
}

void numbers_free(numbers *of) {
  free(of->value);
  *of = (numbers){0};
}

/* By the library's ranks: the highest of a group of ties is its last place. */
static anorank_status sort(numbers *of, const anorank_settings *settings, anorank_error *err) {
  size_t n = of->count;
  double *rank = malloc((n + 1) * sizeof *rank), *sorted = malloc((n + 1) * sizeof *sorted);
  anorank_status status =
      rank && sorted ? anorank_ranks(rank, of->value, n, ANORANK_TIES_MAX, settings, err) : no_memory(err);
  if (status == ANORANK_OK) {
    for (size_t i = 0; i < n; i++) sorted[i] = NAN;
    for (size_t i = 0; i < n; i++) sorted[(size_t)rank[i] - 1] = of->value[i];
    for (size_t i = n; i-- > 0;)
      if (isnan(sorted[i])) sorted[i] = sorted[i + 1];
    free(of->value);
    of->value = sorted;
    of->capacity = n + 1;
    sorted = NULL;
  }
  free(rank);
  free(sorted);
  return status;
}

static int ascending(const void *a, const void *b) {
  double first = *(const double *)a, second = *(const double *)b;
  return (first > second) - (first < second);
}

/* Process r gets the scores above borders[r - 1] and up to borders[r]. */
static anorank_status choose_borders(double *borders, const numbers *x, const numbers *u,
                                     anorank_error *err) {
  size_t all = (size_t)team_size * 2 * SAMPLES;
  double mine[2 * SAMPLES], *samples = malloc(all * sizeof *samples);
  anorank_status status = team_agree(samples ? ANORANK_OK : no_memory(err), err);
  if (status == ANORANK_OK) {
    for (size_t k = 0; k < SAMPLES; k++) {
      mine[k] = x->count ? x->value[k * x->count / SAMPLES] : INFINITY;
      mine[SAMPLES + k] = u->count ? u->value[k * u->count / SAMPLES] : INFINITY;
    }
    MPI_Allgather(mine, 2 * SAMPLES, MPI_DOUBLE, samples, 2 * SAMPLES, MPI_DOUBLE, MPI_COMM_WORLD);
    qsort(samples, all, sizeof *samples, ascending);
    for (int r = 0; r + 1 < team_size; r++) borders[r] = samples[((size_t)r + 1) * 2 * SAMPLES - 1];
    borders[team_size - 1] = INFINITY;
  }
  free(samples);
  return status;
}

static size_t count_up_to(const numbers *of, double border) {
  size_t low = 0, high = of->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (of->value[middle] <= border)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Sorted numbers go to the process between whose borders they lie, and are sorted there again. */
static anorank_status exchange(numbers *of, const double *borders, const anorank_settings *settings,
                               anorank_error *err) {
  size_t n = (size_t)team_size, before = 0, total = 0;
  int *sent = calloc(4 * n, sizeof *sent), fits = 1;
  anorank_status status = team_agree(sent ? ANORANK_OK : no_memory(err), err);
  if (status != ANORANK_OK) {
    free(sent);
    return status;
  }
  int *sent_at = sent + n, *got = sent + 2 * n, *got_at = sent + 3 * n;
  for (size_t r = 0; r < n; r++) {
    size_t to = r + 1 < n ? count_up_to(of, borders[r]) : of->count;
    fits &= to <= INT_MAX;
    sent[r] = (int)(to - before);
    sent_at[r] = (int)before;
    before = to;
  }
  MPI_Alltoall(sent, 1, MPI_INT, got, 1, MPI_INT, MPI_COMM_WORLD);
  for (size_t r = 0; r < n; r++) {
    got_at[r] = (int)total;
    total += (size_t)got[r];
  }
  fits &= total <= INT_MAX;
  double *value = malloc((total + 1) * sizeof *value);
  if (!value) status = no_memory(err);
  if (!fits)
    status = team_fail(err, ANORANK_ERROR_RESOURCES,
                       "more than %d scores are too many for one process; use more processes", INT_MAX);
  status = team_agree(status, err);
  if (status == ANORANK_OK) {
    MPI_Alltoallv(of->value, sent, sent_at, MPI_DOUBLE, value, got, got_at, MPI_DOUBLE, MPI_COMM_WORLD);
    free(of->value);
    *of = (numbers){value, total, total + 1};
    value = NULL;
    status = team_agree(sort(of, settings, err), err);
  }
  free(value);
  free(sent);
  return status;
}

/* ---- groups ---------------------------------------------------------------------------------------------- */

/* A group of at most 14 of each is a byte, any other 255 and two counts of 8 bytes; `to` NULL: only counted. */
static size_t put_group(unsigned char *to, uint64_t x, uint64_t u) {
  if (x < 15 && u < 15) {
    if (to) *to = (unsigned char)(x << 4 | u);
    return 1;
  }
  if (to) {
    *to = 255;
    memcpy(to + 1, &x, sizeof x);
    memcpy(to + 1 + sizeof x, &u, sizeof u);
  }
  return 1 + sizeof x + sizeof u;
}

static size_t put_groups(unsigned char *to, const numbers *x, const numbers *u) {
  size_t length = 0;
  for (size_t i = 0, j = 0; i < x->count || j < u->count;) {
    size_t first_x = i, first_u = j;
    double value = j >= u->count || (i < x->count && x->value[i] <= u->value[j]) ? x->value[i] : u->value[j];
    while (i < x->count && x->value[i] == value) i++;
    while (j < u->count && u->value[j] == value) j++;
    length += put_group(to ? to + length : NULL, i - first_x, j - first_u);
  }
  return length;
}

static size_t take_group(const unsigned char *from, uint64_t *x, uint64_t *u) {
  *x = *from >> 4;
  *u = *from & 15;
  if (*from != 255) return 1;
  memcpy(x, from + 1, sizeof *x);
  memcpy(u, from + 1 + sizeof *x, sizeof *u);
  return 1 + sizeof *x + sizeof *u;
}

/* The groups of one process, behind those that are there: every group has the number of the group. */
static void number_groups(numbers *x, numbers *u, double *group, const unsigned char *bytes, size_t length) {
  for (size_t at = 0; at < length; *group += 1) {
    uint64_t in_x, in_u;
    at += take_group(bytes + at, &in_x, &in_u);
    while (in_x-- > 0) x->value[x->count++] = *group;
    while (in_u-- > 0) u->value[u->count++] = *group;
  }
}

/* Bytes from one process to process 0, in messages below 2 GiB. */
static void pass(unsigned char *bytes, size_t length, int from) {
  const size_t most = (size_t)1 << 30;
  for (size_t at = 0; at < length; at += most) {
    int step = (int)(length - at < most ? length - at : most);
    if (team_rank == from)
      MPI_Send(bytes + at, step, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    else
      MPI_Recv(bytes + at, step, MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

static anorank_status collect(numbers *x, numbers *u, uint64_t all_x, uint64_t all_u, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  uint64_t length = put_groups(NULL, x, u), most = team_most(length);
  unsigned char *bytes = malloc((size_t)(team_rank == 0 ? most : length) + 1);
  double group = 0;
  if (bytes) {
    (void)put_groups(bytes, x, u);
    numbers_free(x);
    numbers_free(u);
  }
  if (bytes && team_rank == 0) {
    x->value = malloc((size_t)(all_x + 1) * sizeof *x->value);
    u->value = malloc((size_t)(all_u + 1) * sizeof *u->value);
  }
  if (!bytes || (team_rank == 0 && (!x->value || !u->value))) status = no_memory(err);
  status = team_agree(status, err);
  for (int r = 0; r < team_size && status == ANORANK_OK; r++) {
    uint64_t here = length;
    if (r > 0 && team_rank == r) MPI_Send(&here, 1, MPI_UINT64_T, 0, 1, MPI_COMM_WORLD);
    if (r > 0 && team_rank == 0) MPI_Recv(&here, 1, MPI_UINT64_T, r, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (r > 0 && (team_rank == 0 || team_rank == r)) pass(bytes, (size_t)here, r);
    if (team_rank == 0) number_groups(x, u, &group, bytes, (size_t)here);
  }
  free(bytes);
  return status;
}

anorank_status pooled_order(numbers *x, numbers *u, const anorank_settings *settings, anorank_error *err) {
  uint64_t all_x = team_sum(x->count), all_u = team_sum(u->count);
  double *borders = malloc((size_t)team_size * sizeof *borders);
  anorank_status status = borders ? ANORANK_OK : no_memory(err);
  if (status == ANORANK_OK) status = sort(x, settings, err);
  if (status == ANORANK_OK) status = sort(u, settings, err);
  status = team_agree(status, err);
  if (status == ANORANK_OK) status = choose_borders(borders, x, u, err);
  if (status == ANORANK_OK) status = exchange(x, borders, settings, err);
  if (status == ANORANK_OK) status = exchange(u, borders, settings, err);
  if (status == ANORANK_OK) status = collect(x, u, all_x, all_u, err);
  free(borders);
  return status;
}
