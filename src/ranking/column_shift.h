/* column_shift.h - the columns that moved most between the training rows and a sample of new rows. The sample does not
 * depend on blocks: rows whose number is a multiple of the least power of 2 with which they fit. */
#ifndef ANK_RANKING_COLUMN_SHIFT_H
#define ANK_RANKING_COLUMN_SHIFT_H

#include "model/model.h"

enum {
  ANK_SHIFT_FEWEST_ROWS = 32, /* below, no statement about the whole */
  ANK_SHIFT_NAMED = 3         /* columns, at most */
};

/* Cells of sampled rows as ank_prepare_value has them; `width` values for each row, those of the model's columns first. */
typedef struct ank_shift_sample {
  const double *cells;
  size_t rows, width;
} ank_shift_sample;

/* Rows that a sample of so many values per row holds at most. */
size_t ank_shift_capacity(size_t width);

/* `text`: the columns that moved most, separated by ", ". *found: how many moved, of which ANK_SHIFT_NAMED are named at most. */
anorank_status ank_shift_name_columns(char *text, size_t size, size_t *found, const anorank_model *model,
                                      const ank_shift_sample *sample, int at_length, anorank_error *err);

/* A short form, for the headline: "'a' increased, 'b' is mostly missing, ..."; 256 bytes are enough. */
anorank_status ank_shift_list(char *text, size_t size, const anorank_model *model,
                              const ank_shift_sample *sample, anorank_error *err);
anorank_status ank_shift_list_of_table(char *text, size_t size, const anorank_model *model,
                                       const ank_match *match, const anorank_table *table,
                                       anorank_error *err);

#endif
