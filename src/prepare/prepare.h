/* prepare.h - from a table to the matrix that a scorer sees, fitted once and stored in the model.
 *
 * Columns are numeric, categorical, times, passed through (ids), left out, constant or unusable
 * (anorank_role). The matrix has, in the order of the columns:
 *   numeric      one feature, scaled; a second that marks missing cells where the training rows had some
 *   categorical  one feature per frequent level (an indicator), one that marks missing cells and one for all
 *                other levels together where the training rows had such, and one for rarity, -log of the
 *                level's share, scaled
 *   time         two features for the time of day and two for the day of the week, points on a circle, where they vary,
 *                and a mark of missing cells where the training rows had some (profile_time.c)
 *   constant     nothing, but a mark of missing cells where a column of equal numbers had some
 * and, last, one feature `surprise`: how many cells of the row cannot happen by the training rows (a level
 * never seen, unless more than one training row in a hundred had a level that is unique; a missing cell where
 * none was; a departure from a constant). It is 0 on all training rows, so scorers cannot learn
 * from it: the pipeline subtracts it from the score. Infinite cells become values far outside the range.
 * Every feature is finite. */
#ifndef ANK_PREPARE_PREPARE_H
#define ANK_PREPARE_PREPARE_H

#include "core/bytes.h"
#include "core/notes.h"
#include "table/table.h"

typedef struct ank_prepare ank_prepare;

/* Learn from all rows of the table. Names in id, drop and columns that the table lacks are
 * ANORANK_ERROR_USAGE; no usable column is ANORANK_ERROR_DATA. Constant columns
 * suffice: departures from them are surprises. */
anorank_status ank_prepare_fit(ank_prepare **out, const anorank_table *table,
                               const anorank_settings *settings, anorank_error *err);
void ank_prepare_free(ank_prepare *prepare);

/* Set the bit of every column that a list of names, separated by commas, holds; blanks around names do not
 * count. A name that the table lacks is ANORANK_ERROR_USAGE, and the message names the setting. */
anorank_status ank_mark_named(unsigned char *marks, unsigned char bit, const char *list, const char *setting,
                              const anorank_table *table, anorank_error *err);

size_t ank_prepare_dim(const ank_prepare *prepare); /* features */

/* marks[j] = 1 for the features that are no scaled numbers: levels and how rare they are, missing cells,
 * surprises; 2 for how rare a level is, which every categorical column has once. Their size is chosen to go
 * with numbers of the setting `scale`. */
void ank_prepare_marks(unsigned char *marks, const ank_prepare *prepare);
size_t ank_prepare_columns(const ank_prepare *prepare);
anorank_model_column ank_prepare_column(const ank_prepare *prepare, size_t i);
const ank_notes *ank_prepare_notes(const ank_prepare *prepare);
size_t ank_prepare_bytes(const ank_prepare *prepare);

/* Level k of column i, most frequent first; NULL past the last. */
const char *ank_prepare_level(const ank_prepare *prepare, size_t i, size_t k);
/* The level of a text, also by another spelling of yes or no; -1: none. */
int32_t ank_prepare_find_level(const ank_prepare *prepare, size_t i, const char *text);

/* In how many training rows the categorical column i had that level (NULL: was missing), and how many rows
 * there were in all. */
size_t ank_prepare_level_rows(const ank_prepare *prepare, size_t i, const char *level);
size_t ank_prepare_train_rows(const ank_prepare *prepare);

/* Where the model's columns are in another table: by name, or by position where the table has no names
 * (x1, x2, ...) and as many columns. Missing ones are ANORANK_ERROR_DATA naming them, and so is a numeric
 * column that is categorical there. A categorical column may be numeric there: a small file of codes often
 * looks so; its numbers are looked up as texts. Made once per file; keeps a pointer to `prepare`. */
typedef struct ank_match ank_match;
anorank_status ank_match_make(ank_match **out, const ank_prepare *prepare, const anorank_table *table,
                              anorank_error *err);
void ank_match_free(ank_match *match);

/* To be called for each block of a file whose levels grow, before its rows are prepared: looks up the new
 * levels once, so that ank_prepare_rows need not do it for each cell. `rows_before`: of the file, for
 * messages. Not while other threads use the match. */
anorank_status ank_match_update(ank_match *match, const anorank_table *table, size_t rows_before,
                                anorank_error *err);
size_t ank_match_rows_before(const ank_match *match);

/* Where the model's column i is in the table; SIZE_MAX: not there (only columns that are not learned from can
 * be missing). Also for ids. */
size_t ank_match_column(const ank_match *match, size_t i);

/* Whether the cell adds to `surprise`: 1 or 0. */
int ank_match_surprising(const ank_match *match, const anorank_table *table, size_t i, size_t row);

/* The number of surprises of each training row, if left out of the fit:
 * its levels that no other row has, its missing cells where no other row has one. `table` may be some of the
 * training rows. */
void ank_match_left_out(double *out, const ank_match *match, const anorank_table *table);

/* Rows [first, first + count) of the table as a row-major matrix. A row's features depend on the row alone.
 * `table` has the columns that the match was made for; its levels may have grown since. Allocates nothing. */
anorank_status ank_prepare_rows(double *out, const ank_prepare *prepare, const ank_match *match,
                                const anorank_table *table, size_t first, size_t count, anorank_error *err);

/* ---- one cell, for reasons: prepare_cell.c ---- */

typedef enum ank_when { ANK_WHEN_HOUR, ANK_WHEN_WEEKDAY, ANK_WHEN_MONTH } ank_when;

/* A cell of a table row in the light of the training rows. */
typedef struct ank_cell {
  int missing;
  int unseen;        /* a level that no training row has */
  int surprising;    /* cannot happen by the training rows: counts in the feature `surprise` */
  double number;     /* numeric columns of the table; NaN if missing */
  const char *level; /* categorical ones, lent by the table; NULL if missing */
  double share;      /* of the training rows with this level; 0: never seen */
  size_t rows,
      rank; /* training rows with it, and its place, 1 for the most frequent; tied levels share one */
  /* Moments (role TIME; `number` is seconds since 1970): of the hour, the weekday and the month, those that are features,
   * the one that fewest training rows have; `share` is theirs. */
  ank_when when;
  double usual_number; /* numeric columns of the model: the median, or the constant */
} ank_cell;

/* `column` of the model. Columns that the table need not have (ids, dropped ones) give a missing cell. */
ank_cell ank_prepare_cell(const ank_prepare *prepare, const ank_match *match, const anorank_table *table,
                          size_t row, size_t column);

/* Of a moment in seconds since 1970: 0 to 1439, 0 (Monday) to 6, and 0 to 11. */
int ank_minute_of(double seconds);
int ank_weekday_of(double seconds);
int ank_month_of(double seconds, long *year);

/* The cell as one number: the value of a numeric column; of a categorical one the model's level (-1: never
 * seen). NaN: missing, or a column that is not learned from. */
double ank_prepare_value(const ank_match *match, const anorank_table *table, size_t row, size_t column);

/* Whether a stored value (ank_prepare_value, of a training row) is valid for the column. */
int ank_prepare_value_fits(const ank_prepare *prepare, size_t column, double value);

/* What the features of a training row tell of the cell (models of format 1.1 kept no more): the value up to
 * rounding, the level where it has an indicator; else NaN. */
double ank_prepare_value_of(const ank_prepare *prepare, size_t column, const double *features);

anorank_status ank_prepare_save(const ank_prepare *prepare, ank_bytes *out, anorank_error *err);
anorank_status ank_prepare_load(ank_prepare **out, ank_cursor *in, anorank_error *err);

#endif
