/* prepare.h - from a table to the matrix that a scorer sees, fitted once and stored in the model.
 *
 * Columns are numeric, categorical, times, passed through (ids), left out, constant or unusable
 * (anorank_role). The matrix has, in the order of the columns:
 *   numeric      one scaled feature; an indicator of missing cells if the training rows had some
 *   categorical  an indicator per frequent level, one of missing cells and one of all other levels if the training rows
 *                had some; a scaled feature for rarity, -log of the level's share
 *   time         two features for the time of day and two for the weekday, as points on a circle, if they vary; an
 *                indicator of missing cells if the training rows had some (profile_time.c)
 *   constant     nothing; an indicator of missing cells if a column of equal numbers had some
 * The last feature is `surprise`: the number of cells of the row that no training row has. These are new levels (unless
 * more than one training row in a hundred had a unique level), missing cells in a full column, and departures from a
 * constant. It is 0 on all training rows, so scorers cannot learn from it, and the pipeline subtracts it from the score.
 * Infinite cells become values far outside the range. Every feature is finite. */
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

/* Set the bit of each column in a comma-separated list of names; blanks around names are ignored. A name that the table
 * lacks is ANORANK_ERROR_USAGE, and the message names the setting. */
anorank_status ank_mark_named(unsigned char *marks, unsigned char bit, const char *list, const char *setting,
                              const anorank_table *table, anorank_error *err);

size_t ank_prepare_dim(const ank_prepare *prepare); /* features */

/* marks[j] = 1 for features other than scaled numbers: indicators of levels and missing cells, surprises; 2 for the rarity
 * of a level, which each categorical column has once. Their sizes suit numbers of the setting `scale`. */
void ank_prepare_marks(unsigned char *marks, const ank_prepare *prepare);
size_t ank_prepare_columns(const ank_prepare *prepare);
anorank_model_column ank_prepare_column(const ank_prepare *prepare, size_t i);
const ank_notes *ank_prepare_notes(const ank_prepare *prepare);
size_t ank_prepare_bytes(const ank_prepare *prepare);

/* Level k of column i, most frequent first; NULL past the last. */
const char *ank_prepare_level(const ank_prepare *prepare, size_t i, size_t k);
/* Return the level of a text, also for another spelling of yes or no; -1: none. */
int32_t ank_prepare_find_level(const ank_prepare *prepare, size_t i, const char *text);

/* Return the number of training rows in which categorical column i had that level (NULL: was missing), and the number of
 * all training rows. */
size_t ank_prepare_level_rows(const ank_prepare *prepare, size_t i, const char *level);
size_t ank_prepare_train_rows(const ank_prepare *prepare);

/* Find the model's columns in another table: by name, or by position if the table has no names (x1, x2, ...) and as many
 * columns. Missing columns are ANORANK_ERROR_DATA, with their names. So is a numeric column that is categorical there. A
 * categorical column may be numeric there, as in a small file of codes; its numbers are looked up as texts. One match per
 * file; it keeps a pointer to `prepare`. */
typedef struct ank_match ank_match;
anorank_status ank_match_make(ank_match **out, const ank_prepare *prepare, const anorank_table *table,
                              anorank_error *err);
void ank_match_free(ank_match *match);

/* Look up the new levels of a block, so that ank_prepare_rows need not do it for each cell. Call it for each block of a
 * file whose levels grow, before its rows are prepared, and not while other threads use the match. `rows_before`: rows of
 * earlier blocks, for messages. */
anorank_status ank_match_update(ank_match *match, const anorank_table *table, size_t rows_before,
                                anorank_error *err);
size_t ank_match_rows_before(const ank_match *match);

/* Return the index of the model's column i in the table; SIZE_MAX: absent, which only columns that are not learned from
 * can be. Also for ids. */
size_t ank_match_column(const ank_match *match, size_t i);

/* Whether the cell adds to `surprise`: 1 or 0. */
int ank_match_surprising(const ank_match *match, const anorank_table *table, size_t i, size_t row);

/* Count the surprises of each training row if it were left out of the fit: levels, or missing cells of a column, that no
 * other row has. `table` may have some of the training rows. */
void ank_match_left_out(double *out, const ank_match *match, const anorank_table *table);

/* Rows [first, first + count) of the table as a row-major matrix. A row's features depend on the row alone.
 * `table` has the columns that the match was made for; its levels may have grown since. Allocates nothing. */
anorank_status ank_prepare_rows(double *out, const ank_prepare *prepare, const ank_match *match,
                                const anorank_table *table, size_t first, size_t count, anorank_error *err);

/* ---- one cell, for reasons: prepare_cell.c ---- */

typedef enum ank_when { ANK_WHEN_HOUR, ANK_WHEN_WEEKDAY, ANK_WHEN_MONTH } ank_when;

/* A cell of a table row, compared with the training rows. */
typedef struct ank_cell {
  int missing;
  int unseen;        /* a level that no training row has */
  int surprising;    /* no training row has such a cell: it counts in the feature `surprise` */
  double number;     /* numeric columns of the table; NaN if missing */
  const char *level; /* categorical columns, borrowed from the table; NULL if missing */
  double share;      /* of the training rows with this level; 0: never seen */
  size_t rows,
      rank; /* training rows with it, and its place, 1 for the most frequent; tied levels share one */
  /* Times (role TIME; `number` is seconds since 1970): of the hour, the weekday and the month, those that are features, the
   * one that fewest training rows have; `share` is theirs. */
  ank_when when;
  double usual_number; /* numeric columns of the model: the median, or the constant */
} ank_cell;

/* `column` of the model. Columns that the table need not have (ids, dropped ones) give a missing cell. */
ank_cell ank_prepare_cell(const ank_prepare *prepare, const ank_match *match, const anorank_table *table,
                          size_t row, size_t column);

/* Return, for seconds since 1970, the minute of the day (0 to 1439), the weekday (0 is Monday), and the month (0 to 11). */
int ank_minute_of(double seconds);
int ank_weekday_of(double seconds);
int ank_month_of(double seconds, long *year);

/* The cell as one number: the value of a numeric column; of a categorical one the model's level (-1: never
 * seen). NaN: missing, or a column that is not learned from. */
double ank_prepare_value(const ank_match *match, const anorank_table *table, size_t row, size_t column);

/* Whether a stored value (ank_prepare_value, of a training row) is valid for the column. */
int ank_prepare_value_fits(const ank_prepare *prepare, size_t column, double value);

/* Restore a cell of a training row from its features (models of format 1.1 stored no cells): the value up to rounding, or
 * the level if it has an indicator; else NaN. */
double ank_prepare_value_of(const ank_prepare *prepare, size_t column, const double *features);

anorank_status ank_prepare_save(const ank_prepare *prepare, ank_bytes *out, anorank_error *err);
anorank_status ank_prepare_load(ank_prepare **out, ank_cursor *in, anorank_error *err);

#endif
