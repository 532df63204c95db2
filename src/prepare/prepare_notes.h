/* prepare_notes.h - notes on the use of the columns of a table. */
#ifndef ANK_PREPARE_PREPARE_NOTES_H
#define ANK_PREPARE_PREPARE_NOTES_H

#include "prepare/prepare_parts.h"

/* The interpretation of a column, in addition to its role. */
typedef struct ank_understood {
  ank_look look;
  int wanted; /* named in --columns */
  int merged; /* several spellings of yes and no mean the same */
  ank_time_use time;
} ank_understood;

/* Write the notes of a fitted preparation, after those of the table; one `understood` per column. */
anorank_status ank_prepare_write_notes(ank_prepare *prepare, const ank_understood *understood,
                                       const anorank_table *table, anorank_error *err);

#endif
