/* cuts.c - see cuts.h. */
#include "cuts.h"

#include <stdlib.h>

anorank_status cuts_put(cuts *all, cuts_round one, anorank_error *err) {
  if (all->count == all->capacity) {
    size_t capacity = all->capacity > 0 ? 2 * all->capacity : 64;
    cuts_round *grown = realloc(all->list, capacity * sizeof *grown);
    if (!grown) return team_fail(err, ANORANK_ERROR_RESOURCES, "out of memory");
    all->list = grown;
    all->capacity = capacity;
  }
  all->list[all->count++] = one;
  return ANORANK_OK;
}

void cuts_free(cuts *all) {
  free(all->list);
  *all = (cuts){0};
}
