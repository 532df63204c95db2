/* prepare_parts.h - shared declarations of the preparation.
 *
 *   prepare.c         the fit: roles of columns, notes, getters
 *   detect.c          guesses about a column: names, times, row numbers
 *   column_names.c    guesses from its name
 *   profile_time.c    the profile of a time column
 *   time_pattern.c    whether other columns depend on hours, weekdays and months
 *   labels.c          known anomalies and known normal rows from a column
 *   profile_column.c  the profile of a column, and the layout of its features
 *   match.c           the model's columns in another table
 *   prepare_rows.c    cells to features
 *   prepare_file.c    saving and loading */
#ifndef ANK_PREPARE_PREPARE_PARTS_H
#define ANK_PREPARE_PREPARE_PARTS_H

#include "prepare/prepare.h"

#define ANK_MOST_INDICATORS 32 /* levels with an indicator feature */
#define ANK_FEATURE_LIMIT 1e6  /* no scaled number is farther from 0 */
#define ANK_INFINITE_MARGIN                                                                                  \
  10.0 /* distance of infinite cells beyond the rest, if the training rows had some */
#define ANK_NO_FEATURE SIZE_MAX

/* The cycles of a time. */
typedef enum ank_circle_kind {
  ANK_CIRCLE_DAY = 0,
  ANK_CIRCLE_WEEK,
  ANK_CIRCLE_YEAR,
  ANK_CIRCLES
} ank_circle_kind;

typedef struct ank_circle {
  int used;
  double centre[2], factor; /* features: (point - centre) * factor */
} ank_circle;

/* The profile of one column. */
typedef struct ank_profile {
  char *name;
  anorank_kind kind; /* in the training table */
  anorank_role role;
  size_t missing; /* training rows without a value */

  /* NUMERIC: the feature is (x * unit - centre) * inverse, cut to [least, most]. `unit` is a power of two
   * that brings the largest value near 1, so that nothing overflows on the way. */
  double unit, centre, inverse, least, most;
  double fill; /* the feature of a missing cell */
  double low, median, high;
  double constant; /* CONSTANT of kind numeric */
  double
      stand_in; /* NUMERIC: -999 or the like, which may mean 'no value'; 0 for none. Only the fit knows it */

  /* TIME */
  ank_circle circles[ANK_CIRCLES];
  size_t hours[24], weekdays[7], months[12]; /* training rows; Monday first */

  /* CATEGORICAL: most frequent first, ties by text, so the order of the rows does not matter. CONSTANT: the
   * one level. */
  ank_levels levels;
  size_t *counts;

  /* Derived from the above by ank_prepare_lay_out. Places are counted from first_feature. */
  size_t first_feature, features;
  size_t indicators;  /* levels 0 .. indicators - 1 have places 0 .. indicators - 1 */
  size_t mark, other; /* places of the mark of missing cells and of all other levels */
  double *rarity;     /* feature of each level */
  double rarity_missing, rarity_unseen;
  int expects_new; /* new levels are expected: they are no surprise */
} ank_profile;

struct ank_prepare {
  size_t rows; /* that it was fitted on */
  size_t columns, dim;
  ank_profile *column;
  anorank_on_missing on_missing;
  anorank_scale scale;
  double step; /* value of an indicator that is set */
  ank_notes notes;
};

/* Whether scoring uses the column. */
static inline int ank_profile_matters(const ank_profile *column) {
  return column->role == ANORANK_ROLE_NUMERIC || column->role == ANORANK_ROLE_CATEGORICAL ||
         column->role == ANORANK_ROLE_CONSTANT || column->role == ANORANK_ROLE_TIME;
}

/* ---- prepare.c ---- */

/* Return ANORANK_ERROR_USAGE: the setting names an unknown column; the message lists the known ones. */
anorank_status ank_fail_unknown_column(const anorank_table *table, const char *option, const char *list,
                                       const char *name, size_t length, anorank_error *err);

/* ---- detect.c ---- */

typedef enum ank_look {
  ANK_LOOKS_PLAIN,
  ANK_LOOKS_EMPTY,         /* no values */
  ANK_LOOKS_NAME,          /* texts, most of them different */
  ANK_LOOKS_TIME,          /* texts that are dates or times */
  ANK_LOOKS_ROW_NUMBER,    /* 1, 2, 3, ... */
  ANK_LOOKS_UNIX_TIME,     /* seconds or milliseconds since 1970, rising */
  ANK_LOOKS_RISING,        /* whole numbers, each larger than the one before: perhaps an identifier */
  ANK_LOOKS_UNIX_SHUFFLED, /* as UNIX_TIME but in no order: perhaps a time */
  ANK_LOOKS_ID,            /* called an identifier, and many different */
  ANK_LOOKS_LABEL,         /* called a label, and its values are those of one */
  ANK_LOOKS_PROSE          /* free text */
} ank_look;

/* `sorted` are the finite values in ascending order. */
ank_look ank_look_at_numbers(const char *name, const double *values, size_t n, const double *sorted,
                             size_t finite);

/* `filled`: cells with a value. Labels are not considered. */
ank_look ank_look_at_texts(const char *name, const ank_levels *levels, size_t filled);

/* Statistics of the values of a column that may be a label. */
typedef struct ank_label_counts {
  size_t values;             /* different ones */
  size_t filled;             /* rows with a value */
  size_t negative, positive; /* rows with 0, no, normal and the like; with 1, yes, anomaly */
  int has_normal;            /* a word for normal, or mostly 0, beside kinds of anomalies */
} ank_label_counts;

/* Return whether a column with this name and these values is a label. If the name only contains a word for anomalies, few
 * positives are allowed. A single value must be the negative one, as in a clean history. */
int ank_looks_like_label(const char *name, const ank_label_counts *counts);

/* Add a level of `rows` rows to the counts. */
void ank_label_counts_add(ank_label_counts *counts, const char *level, size_t rows);

/* Return the role of a column with that look, unless the user wants it as a feature; NUMERIC: it is a feature. */
anorank_role ank_look_role(ank_look look);

/* ---- column_names.c ---- */

typedef enum ank_name_hint { ANK_NAME_PLAIN, ANK_NAME_PERHAPS_ID, ANK_NAME_SURELY_ID } ank_name_hint;

ank_name_hint ank_name_says_id(const char *name); /* customer_id, uuid; order_no */

typedef enum ank_label_hint {
  ANK_NAME_NO_LABEL,
  ANK_NAME_PERHAPS_LABEL, /* TX_FRAUD, Machine failure, attack_cat */
  ANK_NAME_SURELY_LABEL   /* label, target, class, is_fraud, y */
} ank_label_hint;

ank_label_hint ank_name_says_label(const char *name);
int ank_name_says_time(const char *name);     /* timestamp, created date */
int ank_name_says_calendar(const char *name); /* hour, day of week: follows time by itself */

/* ---- profile_time.c ---- */

/* Return the time in a cell of a time column, or of a numeric one: seconds since 1970 or, for larger numbers, milli-,
 * micro- or nanoseconds. */
double ank_seconds_of(const ank_column *from, size_t row);

int ank_hour_of(double seconds);    /* 0 to 23 */
int ank_weekday_of(double seconds); /* 0 to 6, Monday first */

void ank_circle_point(double point[2], ank_circle_kind kind, double seconds);

/* Learn from a column of times: role TIME, or UNUSABLE if nothing recurs. `step`: ank_step_of. */
void ank_profile_times(ank_profile *out, const ank_column *column, size_t n, double step);

/* ---- time_pattern.c ---- */

/* The use of a time column. */
typedef enum ank_time_use {
  ANK_TIME_LEARNED,
  ANK_TIME_TOO_SHORT, /* used as an order only: the rows cover too few days, weeks and years */
  ANK_TIME_NO_PATTERN /* used as an order only: no other column depends on the time of day, the weekday or the month */
} ank_time_use;

/* Keep those cycles of column j on which other columns depend. Times of 1 January 1970 alone are times of day without a
 * date, and keep theirs. O(rows * columns). */
anorank_status ank_time_pattern_test(ank_time_use *use, ank_prepare *prepare, size_t j,
                                     const anorank_table *table, const anorank_settings *settings,
                                     anorank_error *err);

/* ---- profile_column.c ---- */

/* Learn from the cells of a column of the training table: statistics, levels, role (NUMERIC, CATEGORICAL,
 * CONSTANT or, by its look and unless `wanted`, UNUSABLE). `merged`: several spellings of yes or no are one
 * level. */
anorank_status ank_profile_numbers(ank_profile *out, ank_look *look, const double *values, size_t n,
                                   int wanted, const anorank_settings *settings, anorank_error *err);
anorank_status ank_profile_texts(ank_profile *out, ank_look *look, int *merged, const ank_column *column,
                                 size_t n, int wanted, anorank_error *err);

/* Return the level of a text, -1 if there is none: the same text or, if all levels are words for yes and no, the one with
 * the same meaning. */
int32_t ank_profile_level(const ank_profile *column, const char *text, size_t length);

/* Return whether all known values of the column are 0 or 1. */
int ank_profile_is_flag(const ank_profile *column);

/* Return the value of a set indicator, with which two rows of different levels are as far apart as two typical numbers. */
double ank_step_of(anorank_scale scale);

/* Lay out all columns and count the features. */
anorank_status ank_prepare_lay_out(ank_prepare *prepare, anorank_error *err);

void ank_profile_free(ank_profile *column);

/* ---- match.c ---- */

#define ANK_LEVEL_MISSING (-1)
#define ANK_LEVEL_UNSEEN (-2)

/* A level of the model that is a number, for tables where the column is numeric. */
typedef struct ank_level_value {
  double value;
  int32_t level;
} ank_level_value;

typedef struct ank_matched {
  size_t column; /* of the table; SIZE_MAX: not there */
  anorank_kind kind;
  int32_t *level; /* of the model, for each level of the table; ANK_LEVEL_UNSEEN */
  size_t seen, capacity;
  ank_level_value *values; /* ascending */
  size_t value_count;
} ank_matched;

struct ank_match {
  const ank_prepare *prepare;
  size_t table_columns;
  size_t rows_before;
  ank_matched *column; /* one per column of the model */
};

/* The model's level of a cell, or ANK_LEVEL_...; for columns of the model that are texts. */
int32_t ank_match_level(const ank_match *match, size_t i, const ank_column *from, size_t row);

/* The number in a cell, NaN if missing; for columns of the model that are numeric. Words for yes and no are 1
 * and 0. */
double ank_match_number(const ank_column *from, size_t row);

#endif
