/* cell_format.h - formats of numbers and dates, and the format of a column.
 *
 * The format of a column is decided once, from a sample. Every cell is added to an ank_cell_sample; then
 * ank_cell_format_decide picks the format that can read (nearly) all of them. If several formats fit with
 * different values ("1.234"), the other columns of the file and its delimiter decide (ank_cell_format_hints);
 * ank_cell_format_describe describes the assumptions.
 *
 *   number_format.c   1.234,56  1 234.5  1'234  $5  5 EUR  12 %  (5)  5-  −5  1,5e3
 *   number_unit.c    900 next to 1.5K, 12 kB next to 3 MB, 5.00 CR next to 7.00 DR
 *   date_format.c     2025-12-31T23:59:59+01:00  31.12.2025  12/31/2025 11:59 PM  23:59  125:30:00
 *   cell_format.c          counts and decisions
 *   cell_format_note.c     their notes */
#ifndef ANK_TABLE_CELL_FORMAT_H
#define ANK_TABLE_CELL_FORMAT_H

#include "core/number.h"
#include "core/status.h"

/* ---- numbers ----------------------------------------------------------------------------------------- */

/* Thousands separators; a number format is a decimal mark and one of these. */
typedef enum ank_thousands {
  ANK_THOUSANDS_NONE = 0,
  ANK_THOUSANDS_POINT,
  ANK_THOUSANDS_COMMA,
  ANK_THOUSANDS_SPACE,      /* also no-break, thin and narrow ones */
  ANK_THOUSANDS_APOSTROPHE, /* ' and ’ */
  ANK_THOUSANDS_COUNT
} ank_thousands;

/* Number formats, those with a decimal point first. A format is a bit of a mask, and an index into counts of
 * a sample. */
#define ANK_NUMBER_FORMATS (2 * ANK_THOUSANDS_COUNT)
static inline int ank_way_of(int comma, ank_thousands thousands) {
  return (comma ? ANK_THOUSANDS_COUNT : 0) + (int)thousands;
}
static inline int ank_way_has_comma(int way) { return way >= ANK_THOUSANDS_COUNT; }
static inline ank_thousands ank_way_thousands(int way) { return (ank_thousands)(way % ANK_THOUSANDS_COUNT); }

#define ANK_AFFIX_SIZE 16
#define ANK_EXAMPLE_SIZE 48

/* A unit, and its size in units of its base: 10^power * factor. */
typedef struct ank_scale {
  const char *name, *base;
  int power;
  double factor;
} ank_scale;

/* Return NULL if the unit is unknown. */
const ank_scale *ank_scale_find(const char *name, size_t length);

/* Return whether it is a multiple of plain numbers that may follow a currency: $1.5M. */
int ank_scale_of_plain(const ank_scale *scale);

/* Return whether a column may mix this unit with others of its base, and with numbers without a unit. */
int ank_scales_mix(const ank_scale *scale, int plain_too);

/* A parsed cell. */
typedef struct ank_parsed_number {
  int negative;
  int percent;                /* 2: per cent, 3: per mille, 0: neither */
  int unit;                   /* the affix follows the number and is not a known currency */
  int dressed;                /* sign, brackets, affix or separators that a plain number lacks */
  char affix[ANK_AFFIX_SIZE]; /* currency or unit, "" for none */
  const ank_scale *scale;     /* the multiplier of the number, NULL for none: the M of $1.5M */
  char body[64];              /* digits, '.', ',', ' ' and '\'' for any such blank or apostrophe, exponent */
  size_t length;
} ank_parsed_number;

/* Parse a text. Returns 0 if it is not a number in any format. */
int ank_parsed_number_split(ank_parsed_number *out, const char *text, size_t length);

/* Return the formats that fit the body: bit w for format w. */
unsigned ank_parsed_number_formats(const ank_parsed_number *written);

/* Compute the value in that format; per cent are hundredths. */
ank_number_kind ank_parsed_number_value(double *out, const ank_parsed_number *written, int way);

/* ---- moments ----------------------------------------------------------------------------------------- */

/* Order of day, month and year where the year does not come first; also bits of a mask. */
typedef enum ank_date_order { ANK_DATE_YMD = 1, ANK_DATE_DMY = 2, ANK_DATE_MDY = 4 } ank_date_order;
#define ANK_DATE_ANY 7u

typedef struct ank_moment {
  double seconds; /* since 1970-01-01 UTC; without a date: since midnight */
  int has_date, has_time, has_zone;
  int digits; /* of the fraction of a second */
} ank_moment;

/* Return the orders in which the text is a date, a time of day, or both; 0: none. A time of day alone fits
 * all. */
unsigned ank_moment_orders(const char *text, size_t length);

/* Parse a date or time in that order. Returns 1 if the text is one. */
int ank_moment_parse(ank_moment *out, const char *text, size_t length, unsigned order);

/* Parse 20251231, 202512312359 or 20251231235959, of the years 1900 to 2100. Valid only if all cells of a
 * column are such dates. */
int ank_compact_moment_parse(ank_moment *out, const char *text, size_t length);

/* Parse a duration, h:mm or h:mm:ss, in seconds: like a time of day, with any number of hours. */
int ank_duration_parse(double *seconds, const char *text, size_t length);

/* Return the days since 1970-01-01 of a date of the Gregorian calendar. */
long ank_days_from_civil(long year, int month, int day);
/* The year and the month (1 to 12) of a day since 1970-01-01; |days| < 1e9. */
void ank_civil_from_days(long *year, int *month, double days);

/* ---- a column ---------------------------------------------------------------------------------------- */

typedef enum ank_cell_format_kind {
  ANK_CELL_FORMAT_TEXT = 0,
  ANK_CELL_FORMAT_PLAIN,
  ANK_CELL_FORMAT_NUMBER,
  ANK_CELL_FORMAT_TIME
} ank_cell_format_kind;

/* Statistics of the cells of a column so far. Start with {0}. */
typedef struct ank_cell_sample {
  size_t cells;                    /* filled cells, without gaps among numbers */
  size_t gaps;                     /* "-", "n.a.": ank_missing_among_numbers */
  size_t plain;                    /* plain numbers, as in C */
  size_t numbers;                  /* numbers in some format */
  size_t fits[ANK_NUMBER_FORMATS]; /* numbers by format */
  size_t points, commas;           /* cells with this mark */
  size_t units, affixes;           /* cells with a unit, with a unit or currency */
  const ank_scale *scale;          /* of the first unit, and: */
  int several_bases;               /* units have several bases */
  size_t percents;
  size_t long_numbers; /* whole numbers beyond 2^53, and: */
  size_t nanoseconds;  /* those that may be times */
  int several_long;    /* they differ */
  char long_number[ANK_EXAMPLE_SIZE];
  size_t flags; /* words for yes and no, including 1 and 0: cells before the first other word */
  char padded[ANK_EXAMPLE_SIZE]; /* a plain number with leading zeros: 01067 */
  int several_affixes;
  char affix[ANK_AFFIX_SIZE];
  char example[2][ANK_EXAMPLE_SIZE]; /* the longest number that is not plain, by decimal mark: point, comma */
  char pointed[ANK_EXAMPLE_SIZE];    /* the longest plain number with a point */
  size_t moments, dates, times, order[3];
  char moment[ANK_EXAMPLE_SIZE]; /* the first */
  int digits;                    /* most digits of a fraction of a second */
  size_t durations;              /* moments without a date that are durations, too, and: */
  size_t long_durations;         /* those longer than a day */
  char duration[ANK_EXAMPLE_SIZE];
  size_t compact,
      compact_times; /* plain numbers that are dates, 20251231; followed by a time, 20251231235959 */
  char compact_date[ANK_EXAMPLE_SIZE];
} ank_cell_sample;

typedef struct ank_cell_format {
  ank_cell_format_kind kind;
  int way;
  char affix[ANK_AFFIX_SIZE];
  const char *base; /* NUMBER: units of this base are mixed; NULL: they are not */
  unsigned order;   /* TIME */
  int compact;      /* TIME: 20251231 */
  int has_date, has_time, digits;
  int assumed;       /* another format was possible, too */
  int flags;         /* PLAIN: only 0 and 1, so that a later yes is 1 */
  int long_numbers;  /* TEXT: whole numbers that no double holds */
  int duration;      /* NUMBER: hours, minutes and seconds, as seconds */
  int padded;        /* PLAIN: some numbers have leading zeros, as codes do */
  int looks_numeric; /* TEXT: although most cells are numbers in some format */
  char example[ANK_EXAMPLE_SIZE];
} ank_cell_format;

/* Add a trimmed, filled cell; nan does not count. */
void ank_cell_sample_add(ank_cell_sample *tally, const char *text, size_t length);

/* Add a whole number, and record only whether it exceeds 2^53. */
void ank_cell_sample_add_whole(ank_cell_sample *tally, const char *text, size_t length);

/* Return whether every digit of the whole numbers matters, as in identifiers, so that they must be texts. */
int ank_cell_sample_counts_digits(const ank_cell_sample *tally, size_t cells);

/* Hints from the whole file on its number and date formats. Start with {0}, then add each column's sample. */
typedef struct ank_cell_format_hints {
  char delimiter;                      /* 0: the file format has none */
  int decimal;                         /* setting: 0 auto, 1 point, 2 comma */
  int thousands;                       /* setting: 0 auto, 1 none, 2 point, 3 comma, 4 space, 5 apostrophe */
  int date_order;                      /* setting: 0 auto, 1 ymd, 2 dmy, 3 mdy */
  size_t comma_columns, point_columns; /* columns that only a decimal comma explains, and only a point */
  size_t dmy_columns, mdy_columns;
} ank_cell_format_hints;

void ank_cell_format_hint(ank_cell_format_hints *hints, const ank_cell_sample *tally);

void ank_cell_format_decide(ank_cell_format *out, const ank_cell_sample *tally,
                            const ank_cell_format_hints *hints);

/* Parse a trimmed, filled cell of a column of that format (NUMBER or PLAIN). Plain columns accept all signs
 * and brackets, too. */
ank_number_kind ank_cell_format_number(double *out, const ank_cell_format *spelling, const char *text,
                                       size_t length);

/* Parse a cell of a TIME column. Returns 0 if it is not a date in this order. */
int ank_cell_format_moment(double *out, const ank_cell_format *spelling, const char *text, size_t length);

anorank_resolution ank_cell_format_resolution(const ank_cell_format *spelling);

/* Write a line that describes how the column `name` is read ("amount: 1.234,56 read as 1234.56"), "" if it
 * needs no note. */
void ank_cell_format_describe(char *text, size_t size, const ank_cell_format *spelling, const char *name);

/* Return whether two notes on reading ("amount: 1.234,5 read as 1234.5") show the same format, by their
 * examples and values, not their digits. */
int ank_same_reading(const char *one, const char *other);

/* Trim blanks of all kinds at both ends, including no-break and thin ones. */
void ank_trim_cell(const char **text, size_t *length);

#endif
