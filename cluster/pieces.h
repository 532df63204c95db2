/* pieces.h - one file, read by all processes together, in rounds.
 *
 * In a round each process takes the next piece of the file: CSV in ranges of bytes, moved to where records begin; NPY by rows;
 * anything else block by block, each process reading all and keeping every so-manyth block. Pieces follow one another in the
 * order of the processes, and rounds in the order of the file: so rows have their numbers, the first fault in the file is the
 * one that is told, memory is bounded by the pieces, and nothing depends on the number of processes. */
#ifndef CLUSTER_PIECES_H
#define CLUSTER_PIECES_H

#include "cuts.h"

typedef struct pieces pieces;

/* Where a round may begin: what a later run needs to go on. */
typedef struct pieces_place {
  uint64_t offset; /* in the file; blocks done of a file that cannot be cut */
  uint64_t line;
  uint64_t rows; /* before it */
} pieces_place;

/* Open a file by all processes, each of which takes about `piece` bytes at a time. */
anorank_status pieces_open(pieces **out, const char *path, uint64_t piece, const anorank_settings *settings,
                           anorank_error *err);
void pieces_free(pieces *all);

/* Before the first round of a file: note in `cut` where it is cut, or, `again`, take the same rows as when that was noted. A
 * file that cannot be cut gives the same rows each time. */
void pieces_keep_cuts(pieces *all, cuts *cut, int again);

/* Can the file be cut? Else it has to be read by every process. */
int pieces_are_cut(const pieces *all);

/* Names and kinds of the columns. */
const anorank_table *pieces_schema(const pieces *all);

/* The next round: the rows of this process's piece (NULL: none this time) and how many rows come before them. `*more` is 0
 * after the last round, for all at once. The block lives until the next call. */
anorank_status pieces_next(pieces *all, const anorank_table **block, uint64_t *first_row, int *more,
                           anorank_error *err);

/* The rounds from here on end where so many bytes of the file were read since the place where the last end was
 * (UINT64_MAX: at the end of the file), and after it pieces_next begins anew. Only for files that are cut. */
void pieces_stop_after(pieces *all, uint64_t bytes);

/* Where the next round begins, and whether there is one. */
pieces_place pieces_at(const pieces *all);
int pieces_ended(const pieces *all);
void pieces_go_to(pieces *all, pieces_place place);

#endif
