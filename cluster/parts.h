/* parts.h - output in parts that are finished one after the other, so that a job that was cut off can go on.
 *
 * A folder holds part-000000.csv, part-000001.csv, ... and the file `parts`, which says what job they belong to and, for each
 * finished part, where in the input the next begins. Where parts end is a matter of the input and of --part-size, not of the
 * number of processes: so a job may go on with more or fewer of them. All functions are collective (team.h). */
#ifndef CLUSTER_PARTS_H
#define CLUSTER_PARTS_H

#include "pieces.h"

typedef struct parts parts;

/* Where a part begins: in which of the input files, after how many rows of those before it, and where in it. */
typedef struct parts_place {
  uint64_t file, before;
  pieces_place at;
} parts_place;

/* `job` tells one job from another. With `resume`, the finished parts of that job count, if there are any. */
anorank_status parts_open(parts **out, const char *folder, const char *ending, const char *job, int resume,
                          anorank_error *err);
void parts_free(parts *all);

/* How many are finished, and, if there are any, where the next begins. */
size_t parts_finished(const parts *all);
parts_place parts_next(const parts *all);

/* The path of the next part; it is finished when its file is there: then the next begins at `place`. */
const char *parts_path(parts *all);
anorank_status parts_finish(parts *all, parts_place place, anorank_error *err);

#endif
