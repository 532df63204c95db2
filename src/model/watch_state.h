/* watch_state.h - what a watch holds: watch.c fills it, watch_merge.c puts two of them together,
 * watch_tell.c draws conclusions. */
#ifndef ANK_MODEL_WATCH_STATE_H
#define ANK_MODEL_WATCH_STATE_H

#include "model/watch.h"

enum { ANK_WATCH_FEWEST_ROWS = 32 }; /* below, nothing is said of the whole */

/* Where a note on reading comes from: the first row of its block, and a number for the name of its file. */
typedef struct ank_watch_place {
  size_t row;
  uint64_t source;
} ank_watch_place;

struct anorank_watch {
  const anorank_model *model;
  size_t columns;  /* of the model */
  size_t next;     /* number of the next row in the file, if it follows the last one */
  size_t low, all; /* p-values of at most LEVEL, and all that were counted */
  int scores;      /* the rows of the sample are scored, at the end */
  /* rows whose number is a multiple of the stride: cells as ank_prepare_value has them, then the moments of the file's time
   * columns. The stride is the least power of 2 for which there is room, so it depends on the numbers of the rows alone. */
  double *sample;
  size_t *sample_row; /* ascending */
  size_t sampled, room, width, stride;
  char **time_name;
  size_t *time_column, times;
  /* the training rows that the model kept, by their cells */
  uint32_t *slot; /* 1 + row; 0: empty */
  size_t slots, distinct;
  unsigned char *met;
  size_t met_count, meetings, compared;
  size_t kept; /* training rows in `met` */
  ank_notes notes;
  ank_watch_place *places; /* of the notes before it is finished */
  size_t place_capacity;
  int finished;
};

/* The sample with a row less out of two. */
void ank_watch_thin(ank_watch *watch);

/* Room for the sample and its time columns: `times` of them, with names. */
anorank_status ank_watch_make_room(ank_watch *watch, anorank_error *err);
anorank_status ank_watch_add_note(ank_watch *watch, const anorank_note *note, ank_watch_place place,
                                  anorank_error *err);

/* watch_tell.c */
anorank_status ank_watch_tell_unlike(ank_watch *watch, anorank_error *err);
anorank_status ank_watch_tell_trend(ank_watch *watch, anorank_error *err);

#endif
