/* window.c - see window.h. */
#include "window.h"

#include <stdlib.h>
#include <string.h>

#define MOST_READ ((uint64_t)1 << 30) /* counts of MPI are int */

anorank_status window_open(window *all, const char *path, anorank_error *err) {
  /* each for itself: together, over several machines, Open MPI would put a lock beside it */
  int code = MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_RDONLY, MPI_INFO_NULL, &all->file);
  all->open = code == MPI_SUCCESS;
  all->name = path;
  return all->open ? ANORANK_OK : team_fail_mpi(err, code, path, "cannot open it");
}

void window_close(window *all) {
  if (all->open) MPI_File_close(&all->file);
  free(all->bytes);
}

anorank_status window_is_short(const window *all, anorank_error *err) {
  return team_fail(err, ANORANK_ERROR_DATA,
                   "%s: became shorter while it was read; try again when it is complete", all->name);
}

static anorank_status read_at(const window *all, uint64_t offset, void *to, uint64_t length,
                              anorank_error *err) {
  for (uint64_t done = 0; done < length;) {
    uint64_t step = length - done < MOST_READ ? length - done : MOST_READ;
    MPI_Status got;
    int count = 0;
    int code = MPI_File_read_at(all->file, (MPI_Offset)(offset + done), (char *)to + done, (int)step,
                                MPI_BYTE, &got);
    if (code != MPI_SUCCESS) return team_fail_mpi(err, code, all->name, "cannot read");
    MPI_Get_count(&got, MPI_BYTE, &count);
    if (count <= 0) return window_is_short(all, err);
    done += (uint64_t)count;
  }
  return ANORANK_OK;
}

int window_fetch(void *context, void *buffer, size_t size, size_t *got) {
  window *all = context;
  uint64_t left = all->next_end - all->next, in_memory = all->from + all->held;
  anorank_error unheard;
  *got = size < left ? size : (size_t)left;
  if (*got == 0) return 0;
  if (all->next < in_memory) {
    if (*got > in_memory - all->next) *got = (size_t)(in_memory - all->next);
    memcpy(buffer, all->bytes + WINDOW_BEFORE + (all->next - all->from), *got);
  } else if (read_at(all, all->next, buffer, *got, &unheard) != ANORANK_OK) {
    return 1;
  }
  all->next += *got;
  return 0;
}

anorank_status window_load(window *all, uint64_t from, uint64_t to, uint64_t context, anorank_error *err) {
  size_t need = (size_t)(to - from) + WINDOW_BEFORE;
  if (all->capacity < need) {
    free(all->bytes);
    all->capacity = 0;
    if (!(all->bytes = malloc(need)))
      return team_fail(err, ANORANK_ERROR_RESOURCES, "out of memory: cannot allocate %zu bytes", need);
    all->capacity = need;
  }
  all->from = from;
  all->held = to - from;
  return read_at(all, from - context, all->bytes + WINDOW_BEFORE - context, all->held + context, err);
}
