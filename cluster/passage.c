/* passage.c - see passage.h. */
#include "passage.h"

#include <string.h>

/* first, then second; not commutative. */
static void compose(void *first, void *second, int *count, MPI_Datatype *type) {
  const passage *before = first;
  passage *after = second;
  (void)type;
  for (int k = 0; k < *count; k++, before++, after++) {
    unsigned char left[8] = {0};
    for (size_t s = 0; s < ANORANK_SCAN_STATES; s++) left[s] = after->left[before->left[s]];
    memcpy(after->left, left, sizeof left);
    after->lines += before->lines;
  }
}

passage passage_before(const anorank_scan *scan) {
  passage mine = {.lines = scan->lines}, before = {.lines = 0};
  MPI_Datatype type;
  MPI_Op op;
  memcpy(mine.left, scan->left, ANORANK_SCAN_STATES);
  MPI_Type_contiguous((int)sizeof mine, MPI_BYTE, &type);
  MPI_Type_commit(&type);
  MPI_Op_create(compose, 0, &op);
  MPI_Exscan(&mine, &before, 1, type, op, MPI_COMM_WORLD);
  MPI_Op_free(&op);
  MPI_Type_free(&type);
  if (team_rank == 0) before = (passage){.lines = 0}; /* not set there; state 0 at the base */
  return before;
}
