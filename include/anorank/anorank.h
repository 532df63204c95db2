/* anorank.h - rank the rows of a table by how abnormal they are, without labels, and report how reliable that
 * order is.
 *
 * This is the core: errors, settings, tables, models, rankings. <anorank/io.h> (table files),
 * <anorank/criterion.h> (quality of an order), <anorank/report.h>, <anorank/arrow.h> and
 * <anorank/experimental.h> include it. Conventions of all functions:
 *
 *   Sign       A lower score means a more abnormal row.
 *   Errors     A function that can fail returns an anorank_status. It writes its result through `out`, the
 *              first argument, which is NULL or unchanged on failure, as each comment states. It writes the
 *              error into `err`, the last argument, which may be NULL. The library never prints, aborts,
 *              exits or keeps a global "last error".
 *   Ownership  Arguments are borrowed for the call. The caller owns what a function returns through `**out`,
 *              until its _free function, which accepts NULL. Getters return borrowed pointers, valid as long
 *              as the object.
 *   Threads    There is no hidden state. Threads may use different objects concurrently, and many threads may
 *              read one object. The setting `threads` never changes a bit of the result.
 *   Locale     Ignored: numbers are read and written with a decimal point.
 *
 * Equation and section numbers refer to "Learning to Rank Anomalies: Scalar Performance Criteria and
 * Maximization of Two-Sample Rank Statistics" (Limnios, Noiry, Clemencon, 2021), called "the paper". */
#ifndef ANORANK_H
#define ANORANK_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define ANORANK_API __attribute__((visibility("default")))
#define ANORANK_MUST_CHECK __attribute__((warn_unused_result))
#else
#define ANORANK_API
#define ANORANK_MUST_CHECK
#endif

#define ANORANK_VERSION_MAJOR 1
#define ANORANK_VERSION_MINOR 0
#define ANORANK_VERSION_PATCH 0
#define ANORANK_VERSION_SUFFIX "-rc1" /* "" in a release; otherwise the number of its candidate */

/* Return the version of the running library, such as "1.0.0" or "1.0.0-rc1"; it may differ from the header's. */
ANORANK_API const char *anorank_version(void);

/* ---- status and errors ------------------------------------------------------------------------------- */

/* The values are the exit codes of the command line; 1 is reserved for `--exit-on-anomaly`. */
typedef enum anorank_status {
  ANORANK_OK = 0,
  ANORANK_ERROR_USAGE = 2,     /* an argument or a setting is wrong: change the call */
  ANORANK_ERROR_DATA = 3,      /* an input file or table is wrong: fix the data */
  ANORANK_ERROR_MODEL = 4,     /* a model file is damaged, or the model lacks a feature */
  ANORANK_ERROR_RESOURCES = 5, /* memory, disk, permission, or a failed read or write */
  ANORANK_CANCELLED = 6        /* a callback cancelled the work */
} anorank_status;

/* Return one lower-case word for a status: "ok", "usage", "data", "model", "resources" or "cancelled". */
ANORANK_API const char *anorank_status_name(anorank_status status);

#define ANORANK_MESSAGE_SIZE 512
#define ANORANK_REMEDIES 4
#define ANORANK_CODE_SIZE 40

/* An error, owned by the caller. Initialise it with {0} (C++: {}). Fields are 0 or "" until a failure sets
 * those that apply. The message states what is wrong, where, and how to fix it, in UTF-8 without control
 * characters or a final newline. It names settings, never command-line options: front ends word the remedies
 * themselves. A message, path or name that exceeds its field is truncated at a character. A remedy that does
 * not fit is omitted. */
typedef struct anorank_error {
  char message[ANORANK_MESSAGE_SIZE];
  anorank_status status;
  uint32_t remedy_count;        /* anorank_error_remedy */
  uint64_t line;                /* of the file, from 1 */
  uint64_t row;                 /* of the table, from 1 */
  char file[128];               /* as the caller named it, or "standard input" */
  char column[64];              /* name of the column */
  char setting[32];             /* the setting that is wrong, or that could help */
  char code[ANORANK_CODE_SIZE]; /* stable code of the error, such as "csv-cell-count"; docs/errors.md */
  char remedies[192];           /* read by anorank_error_remedy */
  unsigned char reserved[16];
} anorank_error;

/* Get the i-th of up to ANORANK_REMEDIES alternative fixes: a setting, and the value with which the failed
 * call gets past this error. The value is complete and unquoted, as for anorank_settings_set. Both texts are
 * borrowed. Past the last one, the function returns 0 and changes neither. */
ANORANK_API int anorank_error_remedy(const anorank_error *err, size_t i, const char **setting,
                                     const char **value);

/* ---- settings ---------------------------------------------------------------------------------------- */

typedef enum anorank_header { ANORANK_HEADER_AUTO = 0, ANORANK_HEADER_YES, ANORANK_HEADER_NO } anorank_header;

/* Ranks of tied scores. MID: the mean of the shared ranks and, in W_phi, the mean of phi over those ranks;
 * constant scores then get area 1/2 and the mean of phi over all ranks. MAX: the paper's definition (Eq. 11
 * counts "<="), under which constant scores get the largest possible W. Never select a scorer with it; it
 * exists to check the paper's identities. */
typedef enum anorank_ties { ANORANK_TIES_MID = 0, ANORANK_TIES_MAX } anorank_ties;

/* Training objective of a differentiable scorer. BCE: binary cross-entropy of X against U. PAPER: Algorithm 1,
 * one-row BCE steps, then one full-batch step on BCE - lambda * proxy per epoch. RANK: the criterion itself,
 * with smoothed ranks. AUTO: mlp becomes an ensemble trained by BCE, other classes take PAPER. */
typedef enum anorank_objective {
  ANORANK_OBJECTIVE_BCE = 0,
  ANORANK_OBJECTIVE_PAPER,
  ANORANK_OBJECTIVE_RANK,
  ANORANK_OBJECTIVE_AUTO
} anorank_objective;

typedef enum anorank_proxy { ANORANK_PROXY_MEAN = 0, ANORANK_PROXY_SUM } anorank_proxy;

typedef enum anorank_optimiser {
  ANORANK_OPTIMISER_SGD = 0,
  ANORANK_OPTIMISER_MOMENTUM,
  ANORANK_OPTIMISER_ADAM
} anorank_optimiser;

typedef enum anorank_schedule { ANORANK_SCHEDULE_CONSTANT = 0, ANORANK_SCHEDULE_COSINE } anorank_schedule;

/* Training rows. CLEAN: believed normal. CONTAMINATED: may include anomalies. */
typedef enum anorank_train { ANORANK_TRAIN_CLEAN = 0, ANORANK_TRAIN_CONTAMINATED } anorank_train;

/* Missing cells of a numeric column. INDICATOR: the mean, and an additional 0/1 feature. ERROR: fail. */
typedef enum anorank_on_missing {
  ANORANK_ON_MISSING_INDICATOR = 0,
  ANORANK_ON_MISSING_ERROR
} anorank_on_missing;

/* Scaling of numeric columns. STANDARD: mean 0 and standard deviation 1. UNIT: the range of the training rows
 * becomes [0, 1]. */
typedef enum anorank_scale { ANORANK_SCALE_STANDARD = 0, ANORANK_SCALE_UNIT } anorank_scale;

/* Scaling for the distances of the scorer hull. STANDARD: mean 0 and standard deviation 1 per column. RANGE:
 * range 1 per column. NORMAL: standard, with heavy-tailed columns replaced by normal scores of their ranks. */
typedef enum anorank_space {
  ANORANK_SPACE_STANDARD = 0,
  ANORANK_SPACE_RANGE,
  ANORANK_SPACE_NORMAL
} anorank_space;

/* Progress callback of long work, with the share done in [0, 1] and the current step ("reading x.csv"). Return
 * 0 to continue, anything else to cancel: the library call then returns ANORANK_CANCELLED. The library calls
 * it only on the thread of that call. */
typedef int (*anorank_progress)(void *context, double share_done, const char *what);

/* Named values. If a function takes settings, NULL means the defaults. A value is validated when it is set.
 * The function that uses two settings checks constraints between them (band-from below band-to). Values use a
 * decimal point in every locale. */
typedef struct anorank_settings anorank_settings;

typedef enum anorank_setting_kind {
  ANORANK_SETTING_INTEGER,  /* whole number */
  ANORANK_SETTING_UNSIGNED, /* whole number up to 2^64 - 1 */
  ANORANK_SETTING_BYTES,    /* whole number; text may end in K, M, G or T (powers of 1024) */
  ANORANK_SETTING_REAL,     /* number */
  ANORANK_SETTING_CHOICE,   /* one of the words of `choices` */
  ANORANK_SETTING_TEXT,     /* text */
  ANORANK_SETTING_LIST      /* texts separated by commas */
} anorank_setting_kind;

/* What a setting applies to: one or more of these. */
enum {
  ANORANK_FOR_RUN = 1,        /* any long work */
  ANORANK_FOR_READ = 2,       /* reading tables */
  ANORANK_FOR_WRITE = 4,      /* writing tables */
  ANORANK_FOR_JUDGE = 8,      /* anorank_judge and anorank_compare */
  ANORANK_FOR_SIMULATE = 16,  /* anorank_simulate */
  ANORANK_FOR_LEARN = 32,     /* fitting a scorer */
  ANORANK_FOR_REPRODUCE = 64, /* anorank_reproduce */
  ANORANK_FOR_FIT = 128,      /* anorank_fit */
  ANORANK_FOR_RANKING = 256,  /* ranking and explaining rows */
  ANORANK_FOR_RESULT = 512,   /* columns added to a table of results */
  ANORANK_FOR_EXAMPLE = 1024, /* anorank_example_make */
  ANORANK_FOR_DRIFT = 2048,   /* anorank_drift_make */
  ANORANK_FOR_REVIEW = 4096   /* anorank_review_... */
};

/* A row of the settings table (docs/settings.md). */
typedef struct anorank_setting {
  const char *name; /* in words joined by '-': the long option is --name */
  anorank_setting_kind kind;
  double low, high; /* bounds, both included; for TEXT and LIST of the length in bytes, INFINITY for none */
  const char *default_value; /* as text */
  const char *choices;       /* CHOICE: "word|word|..."; else NULL */
  unsigned applies_to;       /* ANORANK_FOR_... */
  const char *placeholder;   /* the value in help: "N", "FILE" */
  const char *help;          /* one line, lower case, no full stop */
} anorank_setting;

/* Return the i-th row of the table, NULL past its end. */
ANORANK_API const anorank_setting *anorank_setting_at(size_t i);

/* Return the row with that name, or NULL. */
ANORANK_API const anorank_setting *anorank_setting_find(const char *name);

/* Copy settings, including callbacks. If `from` is NULL, copy the defaults. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_settings_new(anorank_settings **out,
                                                                   const anorank_settings *from,
                                                                   anorank_error *err);
ANORANK_API void anorank_settings_free(anorank_settings *settings);

/* Set a value from text, which is copied. An unknown name or an invalid value is ANORANK_ERROR_USAGE and
 * leaves `settings` unchanged. The message names the setting, the value and the valid values. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_settings_set(anorank_settings *settings,
                                                                   const char *name, const char *text,
                                                                   anorank_error *err);

/* Set a numeric setting from a number; a CHOICE takes the index of its word. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_settings_set_number(anorank_settings *settings,
                                                                          const char *name, double value,
                                                                          anorank_error *err);

/* Set values from the text of a settings file, which has lines of `name = value`. Blank lines and lines that
 * start with '#' are ignored. On failure, `settings` is unchanged and the message names the line. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_settings_parse(anorank_settings *settings,
                                                                     const char *text, size_t length,
                                                                     anorank_error *err);

/* Write a value as text that anorank_settings_set reads back to the same value. Returns the length without
 * the NUL, like snprintf: a result >= size means truncation. Returns SIZE_MAX for an unknown setting. If
 * `settings` is NULL, here and below, the value is the default. */
ANORANK_API size_t anorank_settings_get(const anorank_settings *settings, const char *name, char *text,
                                        size_t size);

/* Return a value as a number: the index of the word for a CHOICE; 0 or NaN if the setting is not a number.
 * Return a TEXT or LIST as a borrowed text, valid until it is set again; NULL for other kinds. */
ANORANK_API int64_t anorank_settings_integer(const anorank_settings *settings, const char *name);
ANORANK_API double anorank_settings_number(const anorank_settings *settings, const char *name);
ANORANK_API const char *anorank_settings_text(const anorank_settings *settings, const char *name);

/* Set the progress callback; NULL removes it. */
ANORANK_API void anorank_settings_on_progress(anorank_settings *settings, anorank_progress callback,
                                              void *context);

/* Cancellation callback, called between small pieces of work, some hundred times a second. Return 0 to continue,
 * anything else to cancel: the library call then returns ANORANK_CANCELLED within moments, even during a fit,
 * which the progress callback may not interrupt. The library calls it only on the thread of that call. NULL
 * removes it. */
typedef int (*anorank_stop)(void *context);
ANORANK_API void anorank_settings_on_stop(anorank_settings *settings, anorank_stop callback, void *context);

/* ---- tables ------------------------------------------------------------------------------------------ */

/* Columns of equal length, each with a name and a kind. Infinities are values, not missing. */
typedef struct anorank_table anorank_table;

typedef enum anorank_kind {
  ANORANK_NUMERIC = 0, /* doubles, NaN = missing */
  ANORANK_CATEGORICAL, /* codes into a list of levels, -1 = missing */
  ANORANK_TIME         /* doubles: seconds since 1970-01-01 00:00 UTC, NaN = missing */
} anorank_kind;

/* The resolution of a time column, which determines how it is written and exported. Doubles resolve about a
 * quarter of a microsecond for current dates, so finer nanoseconds are rounded. */
typedef enum anorank_resolution {
  ANORANK_DAYS = 0,
  ANORANK_SECONDS,
  ANORANK_MILLISECONDS,
  ANORANK_MICROSECONDS,
  ANORANK_NANOSECONDS
} anorank_resolution;

/* Files with more columns are refused, because they are almost always transposed. */
#define ANORANK_MAX_COLUMNS 65536

/* Create a table from a matrix, which is copied: value (i, j) is data[i * row_stride + j * column_stride]. If
 * `names` is NULL, the columns are x1, x2, ... For other data use a builder, below, or <anorank/arrow.h>. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_table_from_matrix(
    anorank_table **out, const double *data, size_t rows, size_t columns, size_t row_stride,
    size_t column_stride, const char *const *names, anorank_error *err);

ANORANK_API void anorank_table_free(anorank_table *table);

ANORANK_API size_t anorank_table_rows(const anorank_table *table);
ANORANK_API size_t anorank_table_columns(const anorank_table *table);
ANORANK_API const char *anorank_table_name(const anorank_table *table, size_t column);
ANORANK_API anorank_kind anorank_table_kind(const anorank_table *table, size_t column);

/* Return the index of the column with that name, or SIZE_MAX. */
ANORANK_API size_t anorank_table_find(const anorank_table *table, const char *name);

/* Return the values of a numeric or time column, NULL for a categorical one. */
ANORANK_API const double *anorank_table_numbers(const anorank_table *table, size_t column);

/* Return the codes of a categorical column, NULL for any other. Its levels are numbered by first
 * appearance. */
ANORANK_API const int32_t *anorank_table_codes(const anorank_table *table, size_t column);
ANORANK_API size_t anorank_table_levels(const anorank_table *table, size_t column);
ANORANK_API const char *anorank_table_level(const anorank_table *table, size_t column, size_t level);

/* Write one cell as text, as in a CSV file without quotes: "" if missing, the shortest digits that read back
 * to the same number, times as ISO 8601 in UTC. A column in the setting `keep` has its cells as written in
 * the file. Returns the length without the NUL, like snprintf: a result >= size means truncation. */
ANORANK_API size_t anorank_table_text(const anorank_table *table, size_t column, size_t row, char *text,
                                      size_t size);

/* Whether the table keeps the cells of the column as written in the file (setting `keep`). */
typedef enum anorank_verbatim {
  ANORANK_VERBATIM_NONE = 0,
  ANORANK_VERBATIM_NUMBERS, /* yes; all are plain numbers, as JSON has them */
  ANORANK_VERBATIM_TEXT     /* yes; some are not */
} anorank_verbatim;

ANORANK_API anorank_verbatim anorank_table_raw_cells(const anorank_table *table, size_t column);

/* Prefix an apostrophe to every text and name that a spreadsheet would run as a formula: those that begin
 * with = + - @, a tab or a carriage return and are not numbers. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_table_escape_formulas(anorank_table *table,
                                                                            anorank_error *err);

/* Importance of a note, most important first. A program that shows only a few notes can sort by it. */
typedef enum anorank_note_kind {
  ANORANK_NOTE_WARNING = 0, /* the result may mislead; check this first */
  ANORANK_NOTE_LEFT_OUT,    /* columns or rows that were not used */
  ANORANK_NOTE_UNDERSTOOD,  /* how columns and cells were interpreted */
  ANORANK_NOTE_ASSUMED,     /* assumptions behind p-values and rates */
  ANORANK_NOTE_DETAIL       /* the fitted method and its size */
} anorank_note_kind;

/* May grow at the end. */
typedef struct anorank_note {
  anorank_note_kind kind;
  const char *code; /* a stable name in words joined by '-', or "" */
  const char *text; /* one sentence; settings are written as `name`, so that a program can reword them */
} anorank_note;

/* The notes of an object, in the order of the work. */
typedef struct anorank_notes anorank_notes;

/* Return the number of notes (0 if `notes` is NULL), and the i-th note (NULL past the last). */
ANORANK_API size_t anorank_notes_count(const anorank_notes *notes);
ANORANK_API const anorank_note *anorank_notes_at(const anorank_notes *notes, size_t i);

/* ---- tables from arrays ------------------------------------------------------------------------------ */

/* The type of an array in memory. */
typedef enum anorank_type {
  ANORANK_FLOAT64 = 0,
  ANORANK_FLOAT32,
  ANORANK_FLOAT16,
  ANORANK_INT64,
  ANORANK_INT32,
  ANORANK_INT16,
  ANORANK_INT8,
  ANORANK_UINT64,
  ANORANK_UINT32,
  ANORANK_UINT16,
  ANORANK_UINT8,
  ANORANK_BOOL /* one byte each; any value except 0 is 1 */
} anorank_type;

/* A builder creates a table of `rows` rows, column by column, and copies the cells. Value i lies `stride`
 * bytes after value i - 1; strides may be negative or unaligned. A cell is missing if it is NaN, or if its
 * bit in `validity` is 0 (bit i is validity[i / 8] >> (i % 8) & 1, as in Arrow; NULL: none is missing).
 * Duplicate names become a and a_2; "" or NULL becomes x1, x2, ... An error names the column and the row, and
 * leaves the builder unchanged. */
typedef struct anorank_builder anorank_builder;

ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_builder_new(anorank_builder **out, size_t rows,
                                                                  anorank_error *err);

/* Add a numeric column. A 64-bit integer that no double holds exactly is ANORANK_ERROR_DATA. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_builder_numbers(anorank_builder *builder,
                                                                      const char *name, anorank_type type,
                                                                      const void *data, ptrdiff_t stride,
                                                                      const uint8_t *validity,
                                                                      anorank_error *err);

/* Add a time column: times since 1970-01-01 UTC in units of `resolution`, of an integer or floating type. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_builder_times(
    anorank_builder *builder, const char *name, anorank_resolution resolution, anorank_type type,
    const void *data, ptrdiff_t stride, const uint8_t *validity, anorank_error *err);

/* Add a categorical column: codes into `level_count` levels; a negative code is missing. If `lengths` is
 * NULL, the levels end in NUL. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_builder_codes(anorank_builder *builder,
                                                                    const char *name, const int32_t *codes,
                                                                    ptrdiff_t stride, const uint8_t *validity,
                                                                    const char *const *levels,
                                                                    const size_t *lengths, size_t level_count,
                                                                    anorank_error *err);

/* Add a categorical column: one text per row, NULL if missing. If `lengths` is NULL, the texts end in NUL. */
ANORANK_API ANORANK_MUST_CHECK anorank_status
anorank_builder_texts(anorank_builder *builder, const char *name, const char *const *texts,
                      const size_t *lengths, const uint8_t *validity, anorank_error *err);

/* Add all columns of a matrix; faster than single columns for row-major data. `names` may be NULL. */
ANORANK_API ANORANK_MUST_CHECK anorank_status
anorank_builder_matrix(anorank_builder *builder, const char *const *names, size_t columns, anorank_type type,
                       const void *data, ptrdiff_t row_stride, ptrdiff_t column_stride, anorank_error *err);

/* Copy a column of another table with the same number of rows, and the notes of its reader. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_builder_column(anorank_builder *builder,
                                                                     const char *name,
                                                                     const anorank_table *table,
                                                                     size_t column, anorank_error *err);
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_builder_notes(anorank_builder *builder,
                                                                    const anorank_table *table,
                                                                    anorank_error *err);

/* Return the table; the builder is then empty and may only be freed. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_builder_finish(anorank_table **out,
                                                                     anorank_builder *builder,
                                                                     anorank_error *err);
ANORANK_API void anorank_builder_free(anorank_builder *builder);

/* ---- bytes ------------------------------------------------------------------------------------------- */

/* Free bytes that the library returned; accepts NULL. */
ANORANK_API void anorank_bytes_free(unsigned char *bytes);

/* Read up to `size` > 0 bytes into the buffer and store their number in `*got`: 0 only at the end. Return 0 on
 * success, anything else on failure. */
typedef int (*anorank_read)(void *context, void *buffer, size_t size, size_t *got);

/* Write all of the bytes. Return 0 on success, anything else on failure. */
typedef int (*anorank_write)(void *context, const void *bytes, size_t length);

/* A source of bytes. Set exactly one of path, bytes and read; initialise with {0} (C++: {}). The path "-" is
 * standard input. `name` names bytes and callbacks in messages, and its extension counts like that of a file; NULL:
 * "memory" or "callback". Bytes may be compressed by gzip or zstd. Bytes and context are borrowed for the call, or
 * until the reader is freed. */
typedef struct anorank_source {
  const char *path;
  const void *bytes;
  size_t length; /* of bytes */
  anorank_read read;
  void *context; /* of read */
  const char *name;
  void *reserved[4]; /* zeros */
} anorank_source;

/* Sources as compound literals, for C. */
#define ANORANK_FROM_FILE(file) (&(const anorank_source){.path = (file)})
#define ANORANK_FROM_MEMORY(start, size, called)                                                             \
  (&(const anorank_source){.bytes = (start), .length = (size), .name = (called)})
#define ANORANK_FROM_CALLBACK(function, with, called)                                                        \
  (&(const anorank_source){.read = (function), .context = (with), .name = (called)})

/* A sink for bytes. Set exactly one of path, write and bytes; initialise with {0} (C++: {}). A file is written
 * atomically: complete or not at all; "-" is standard output. On failure, a callback may have received part of the
 * bytes. In memory, `*bytes` is NULL until all is written; the caller then frees it with anorank_bytes_free. `name`
 * names callbacks and memory in messages, and its extension counts like that of a file; NULL: "callback" or
 * "memory". */
typedef struct anorank_sink {
  const char *path;
  anorank_write write;
  void *context; /* of write */
  unsigned char **bytes;
  size_t *length; /* of *bytes */
  const char *name;
  void *reserved[4]; /* zeros */
} anorank_sink;

/* Sinks as compound literals, for C. */
#define ANORANK_TO_FILE(file) (&(const anorank_sink){.path = (file)})
#define ANORANK_TO_CALLBACK(function, with, called)                                                          \
  (&(const anorank_sink){.write = (function), .context = (with), .name = (called)})
#define ANORANK_TO_MEMORY(start, size, called)                                                               \
  (&(const anorank_sink){.bytes = (start), .length = (size), .name = (called)})

typedef struct anorank_reader anorank_reader; /* <anorank/io.h> */

/* ---- models ------------------------------------------------------------------------------------------ */

/* A fitted pipeline: schema, preparation, scorer, calibration scores, settings. Immutable, so many threads may
 * score with it. */
typedef struct anorank_model anorank_model;

/* Prior knowledge of the rows; initialise with {0} (C++: {}). `labels` has 1 (anomaly), 0 (normal) or -1
 * (unknown) for each row of the table. They extend and override the column that settings.labels names.
 * `known` has more known anomalies, as rows of another table, whose columns match by name (a missing one is
 * ANORANK_ERROR_DATA). Anomalies are excluded from the training rows; at most 1,000 are used, drawn at
 * random. They improve the order of `blend` and of scorers that learn against contrast rows; p-values still
 * refer to normal rows. Rows labelled normal remain training rows. Under `blend`, similar rows rank as less
 * abnormal, and other rows keep their position. */
typedef struct anorank_training {
  const signed char *labels;  /* NULL: none */
  const anorank_table *known; /* NULL: none */
  void *reserved[4];          /* zeros */
} anorank_training;

/* Fit a model on the rows of a table. The notes of the model report how each column is used, and the
 * assumptions. `training` may be NULL. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_fit(anorank_model **out, const anorank_table *table,
                                                          const anorank_training *training,
                                                          const anorank_settings *settings,
                                                          anorank_error *err);
ANORANK_API void anorank_model_free(anorank_model *model);

/* Add history to a model fitted with `by` or `time`: these rows update the state of their entities, without a refit.
 * This is the only function that changes a model; no other thread may use the model meanwhile. Rows earlier than the
 * history of their entity are ANORANK_ERROR_DATA. After a failure, free the model. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_model_advance(anorank_model *model,
                                                                    const anorank_table *table,
                                                                    anorank_error *err);

/* Write a model in the format of docs/model-format.md. The same fit gives the same bytes. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_model_save(const anorank_model *model,
                                                                 const anorank_sink *sink,
                                                                 anorank_error *err);

/* Read a model. Safe for untrusted input: any bytes give a valid model or ANORANK_ERROR_MODEL. Bytes in
 * memory must be those of anorank_model_save, uncompressed. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_model_load(anorank_model **out,
                                                                 const anorank_source *source,
                                                                 anorank_error *err);

/* Compute scores (lower = more abnormal) and p-values of the rows of a table, in row order; either array may
 * be NULL. Columns match by name; extra ones are ignored, missing ones are ANORANK_ERROR_DATA. The score and
 * p-value of a row do not depend on other rows. p-values of a clean model are conformal. Those of a
 * contaminated model are ranks in the bulk of the calibration scores, with an exponential tail below
 * (docs/methods.md, anorank_model_info.p_values). */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_model_score(const anorank_model *model,
                                                                  const anorank_table *table, double *scores,
                                                                  double *p_values,
                                                                  const anorank_settings *settings,
                                                                  anorank_error *err);

/* Score a table like anorank_model_score, and return a table for output: the id columns of the model and
 * those of the setting `keep`, then row, score and p_value. A column of the table with such a name becomes
 * score_1. Rows are numbered from `first_row`, for files scored in blocks. */
ANORANK_API ANORANK_MUST_CHECK anorank_status
anorank_model_score_table(anorank_table **out, const anorank_model *model, const anorank_table *table,
                          size_t first_row, const anorank_settings *settings, anorank_error *err);

/* Return the notes of the fit. Those of model files before format 1.2 have the kind DETAIL. NULL without a
 * model. */
ANORANK_API const anorank_notes *anorank_model_notes(const anorank_model *model);

ANORANK_API const anorank_settings *anorank_model_settings(const anorank_model *model); /* of the fit */

/* Make `settings` read rows for the model: `missing` and `categorical`, if empty, become those of the fit,
 * and the model's identifiers and the columns of `keep` keep their text. If `model` is NULL, read rows for a
 * fit: the columns of `id` keep their text. */
ANORANK_API anorank_status anorank_settings_prepare_reading(anorank_settings *settings,
                                                            const anorank_model *model, anorank_error *err);

/* The source of the calibration scores. */
typedef enum anorank_calibration_method {
  ANORANK_CALIBRATED_UNKNOWN = 0,   /* model file from before 0.2 */
  ANORANK_CALIBRATED_SPLIT,         /* rows held out of the fit */
  ANORANK_CALIBRATED_LEAVE_ONE_OUT, /* training rows, scored leave-one-out */
  ANORANK_CALIBRATED_CROSS_FIT      /* training rows, each scored by a fit on the other folds */
} anorank_calibration_method;

/* A tail: P(a normal row scores at most t) = level * min(1, doubt * S((from - t) / scale)) for t < from, with
 * S(y) = exp(-y) for shape 0, else (1 + shape y)^(-1/shape), and 0 beyond y = -1/shape: shapes are negative, so the
 * tail is lighter than exponential. At most (1 + r) / (n + 1), where r of all n calibration scores are at most t. May
 * grow at the end. */
typedef struct anorank_tail {
  double from, level, scale;
  double shape, doubt; /* doubt >= 1: weak evidence of anomalies makes p-values larger */
} anorank_tail;

/* How the scores of a model become p-values (docs/methods.md). May grow at the end. */
typedef struct anorank_calibration {
  anorank_calibration_method way;
  size_t folds;     /* of a cross-fit, else 0 */
  size_t rows;      /* calibration scores */
  size_t set_aside; /* lowest scores excluded as likely anomalies */
  double smallest_p_value;
  size_t tails;             /* 0: p-values are ranks among the calibration scores only */
  const anorank_tail *tail; /* p-values of scores below tail->from; NULL: none */
  int of_logarithms;        /* 1: t above is minus the logarithm of minus the score, else the score itself */
} anorank_calibration;

/* Test of whether rows are exchangeable, which p-values assume, on rows in file order (docs/methods.md). May grow at
 * the end. */
typedef struct anorank_dependence {
  int tested;    /* 0: too few rows, or a model of an earlier version; the fields below are unknown */
  int dependent; /* 1: rows near each other, or of one entity, resemble each other */
  size_t rows;   /* compared */
  double
      nearness; /* share of other rows that are nearer to a row than the one that follows it; 0.5: no order */
  double z;     /* how far that is below 0.5, in standard errors */
  size_t reach; /* lag in rows up to which the dependence is visible; 0: none */
  char entity[64]; /* the column whose equal values make rows resemble each other; "": none */
} anorank_dependence;

/* May grow at the end. */
typedef struct anorank_model_info {
  const char *scorer; /* name of the fitted scorer */
  size_t train_rows;  /* of the training table */
  size_t known_rows;  /* known anomalies it learned from */
  size_t columns;     /* anorank_model_column_at */
  size_t bytes;       /* memory held */
  const anorank_calibration *calibration;
  const char *p_values;                 /* the source of the p-values and their assumptions, in a sentence */
  const anorank_dependence *dependence; /* of the training rows */
} anorank_model_info;

/* Return the facts, borrowed; NULL without a model. */
ANORANK_API const anorank_model_info *anorank_model_get_info(const anorank_model *model);

/* Return the highest score whose p-value is at most `p_value`: rows at or below it are at least that unusual.
 * Returns -INFINITY if no score has so small a p-value, INFINITY if all have. */
ANORANK_API double anorank_model_score_at(const anorank_model *model, double p_value);

/* The use of a column. */
typedef enum anorank_role {
  ANORANK_ROLE_NUMERIC = 0,
  ANORANK_ROLE_CATEGORICAL,
  ANORANK_ROLE_ID,       /* shown but not learned from: on request, or because it looks like an identifier */
  ANORANK_ROLE_DROPPED,  /* on request, or because it looks like a label */
  ANORANK_ROLE_CONSTANT, /* one value in all training rows: only departures count */
  ANORANK_ROLE_UNUSABLE, /* free text, a date without a pattern, or no values */
  ANORANK_ROLE_TIME      /* time of day and day of the week, as far as they vary */
} anorank_role;

/* May grow at the end. */
typedef struct anorank_model_column {
  const char *name;
  anorank_role role;
  double missing_share;           /* in the training rows */
  double low, median, high;       /* numeric: 5, 50 and 95 % quantiles of the training rows */
  size_t levels;                  /* categorical */
  size_t first_feature, features; /* its part of the matrix that the scorer sees */
  anorank_kind kind;              /* in the training table */
} anorank_model_column;

/* Return the i-th column of the model, NULL past the last. */
ANORANK_API const anorank_model_column *anorank_model_column_at(const anorank_model *model, size_t i);

/* ---- rows from memory -------------------------------------------------------------------------------- */

/* One field of a row layout: its column, and the meaning of its numbers. */
typedef struct anorank_field {
  const char *name;
  anorank_kind kind;
  const char *const *levels; /* CATEGORICAL: the texts of codes 0, 1, ...; NULL: the model's levels */
  size_t level_count;
  void *reserved[4]; /* NULL */
} anorank_field;

/* A model prepared to score rows of one layout. Immutable, so many threads may score with it. */
typedef struct anorank_scorer anorank_scorer;

/* Prepare to score rows. `fields` describes the cells of a row in order. They match the model's columns by
 * name, as in anorank_model_score, and are copied. If `fields` is NULL, a row has all columns of the model in
 * order, with the model's levels. Texts are looked up here, not when rows are scored. The model must outlive
 * the scorer. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_scorer_new(anorank_scorer **out,
                                                                 const anorank_model *model,
                                                                 const anorank_field *fields,
                                                                 size_t field_count, anorank_error *err);
ANORANK_API void anorank_scorer_free(anorank_scorer *scorer);

/* Return the code of a text in a categorical field; NaN (missing) for NULL and for other fields; -2 for a
 * text that is not a level. */
ANORANK_API double anorank_scorer_code(const anorank_scorer *scorer, size_t field, const char *text);

/* Working memory for scoring, allocated for one scorer. One thread at a time may use it, for any number of
 * calls. */
typedef struct anorank_scratch anorank_scratch;
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_scratch_new(anorank_scratch **out,
                                                                  const anorank_scorer *scorer,
                                                                  anorank_error *err);
ANORANK_API void anorank_scratch_free(anorank_scratch *scratch);

/* Score `rows` rows: cell j of row i is cells[i * stride + j]. A cell is a number, or the code of a categorical field.
 * Missing is NaN, or -1 for a code; any other code without a level means an unseen level. Scores and p-values have the
 * same bits as those of anorank_model_score; either array may be NULL. Runs on the calling thread and allocates
 * nothing. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_scorer_score(const anorank_scorer *scorer,
                                                                   anorank_scratch *scratch,
                                                                   const double *cells, size_t rows,
                                                                   size_t stride, double *scores,
                                                                   double *p_values, anorank_error *err);

/* ---- rankings ---------------------------------------------------------------------------------------- */

/* The statement of a reason about a cell. */
typedef enum anorank_reason_kind {
  ANORANK_REASON_USUAL = 0, /* usual by itself; it contributes only together with all other columns */
  ANORANK_REASON_HIGH,      /* a number above usual_high */
  ANORANK_REASON_LOW,       /* a number below usual_low */
  ANORANK_REASON_TOGETHER,  /* differs from similar rows */
  ANORANK_REASON_RARE, /* a level of fewer than one training row in twenty, and rarer than the mean level */
  ANORANK_REASON_MISSING,   /* no value */
  ANORANK_REASON_NEW_LEVEL, /* a level that no training row has */
  ANORANK_REASON_NEW_VALUE, /* another value in a column that was constant */
  ANORANK_REASON_HOUR, /* a time (`number`, seconds since 1970): `share` of the rows are in its clock hour */
  ANORANK_REASON_WEEKDAY, /* a time: `share` of the rows are on its day of the week */
  ANORANK_REASON_PRESENT, /* a value, where fewer than one training row in twenty has one: `share` of them */
  ANORANK_REASON_NEW_CODE, /* a number that none of compared_rows training rows has, in a column whose values repeat */
  ANORANK_REASON_NEW_PAIR, /* none of compared_rows training rows has this value with that of partner[0] */
  ANORANK_REASON_OWN_PAST, /* outside the entity's past, usual_low to usual_high (earlier_rows = 0: of all entities) */
  ANORANK_REASON_OWN_GAP, /* a row that comes late: `number` is the time since the entity's last one */
  ANORANK_REASON_OWN_COUNT, /* many rows: `number` of the entity within `window`, weighted by exp(-age / window) */
  ANORANK_REASON_OWN_NEW_LEVEL,  /* a level that the entity never had */
  ANORANK_REASON_OWN_RARE_LEVEL, /* a level that it seldom has: `share` of its latest cells */
  ANORANK_REASON_MONTH           /* a time: `share` of the rows are in its month of the year */
} anorank_reason_kind;

/* A column that disagrees with the column of a reason: its cell in this row, and in similar rows. */
typedef struct anorank_partner {
  const char *column;
  double number;     /* the cell; NaN: a text */
  const char *level; /* the cell as a text; NULL: a number */
  double low, high;  /* numbers: what similar rows have; else NaN */
  double resolution; /* as in anorank_reason */
} anorank_partner;

/* Why a row is abnormal, for one column. Similar rows are the 32 of the model's background rows (at most 1,024)
 * nearest in all other columns, and those tied with the last; of fewer than 512 background rows there are fewer, but at
 * least 8. The explained row itself and twins (below) are excluded. docs/methods.md defines the distance. If the reason
 * names partners, similar rows are the background rows that agree with this row in these columns: cells between `low`
 * and `high`, or the same level. Imputed cells never count. May grow at the end. */
typedef struct anorank_reason {
  const char *column;
  size_t index; /* of the column in the model */
  anorank_reason_kind kind;
  /* The rise of the score if the cell had the value of normal rows that are similar in all other columns, times the
   * squared distance to their cells in units of ten standard deviations, at most 1. 0: no single column changes the
   * score, and the reason names what is unusual by itself. */
  double contribution;
  double number;     /* the cell; NaN: missing, or a text */
  const char *level; /* the cell as a text; NULL: missing, or a number */
  double share;      /* of the training rows with this level; MISSING: without a value; PRESENT: with one */
  double usual_low;  /* 5 and 95 % quantiles of the training rows, for a constant column its value; NaN for */
  double usual_high; /* texts */
  size_t similar_rows; /* with a value here; 0: no other column, or no background row */
  double similar_low;  /* numbers: their 10 and 90 % quantiles; else NaN */
  double similar_high;
  const char *similar_level; /* texts: what most of them have; else NULL */
  double similar_share;      /* texts: of similar rows that have the level of this row; else NaN */
  size_t level_rows;         /* texts: training rows that have the level, */
  size_t level_rank; /* its rank among the levels of its column, 1 for the most frequent, tied levels */
  size_t levels;     /* sharing one; out of this many. 0: never seen, missing, or a number */
  size_t training_rows;
  double similar_level_share; /* texts: of similar rows that have similar_level; else NaN */
  const char *twin;           /* another column with equivalent values, or NULL */
  double resolution;          /* numbers: the largest of 1, 0.1, ... 0.0001 that divides all cells; 0: none */
  size_t partners; /* TOGETHER, NEW_PAIR: columns that disagree with this one; 0: more than two together */
  anorank_partner partner[2];
  size_t compared_rows; /* NEW_CODE, NEW_PAIR: background rows of the model; else 0 */
  const char *by;       /* OWN_...: the entity column and the entity; NULL: the table is one series */
  const char *entity;
  size_t earlier_rows; /* OWN_...: values of the entity before this row */
  double usual_level;  /* OWN_PAST of sizes, such as amounts: their level; else NaN */
  int phase; /* OWN_PAST: usual at this hour (1), weekday (2), hour of the week (3), month (4), just before (5); 0: always */
  double window; /* OWN_COUNT: a length of time; else 0 */
  int seconds;   /* OWN_GAP, OWN_COUNT: 1: lengths of time are seconds; 0: in units of the time column */
} anorank_reason;

/* Write the reason as a sentence without a full stop, "amount 41.2 is far above its usual 0.3 to 9.8", in at
 * most `size` bytes. Returns its length, like snprintf. */
ANORANK_API size_t anorank_reason_text(const anorank_reason *reason, char *text, size_t size);

/* Distance of a row from the others, without a false-alarm rate (docs/methods.md). */
typedef enum anorank_tier {
  ANORANK_TIER_REST = 0,
  ANORANK_TIER_UNUSUAL, /* about one such row is expected in a table like the training table */
  ANORANK_TIER_APART    /* a score or a cell that hardly any table like the training table has */
} anorank_tier;

/* One ranked row of a table. May grow at the end. */
typedef struct anorank_finding {
  size_t rank; /* 1: the most abnormal; rows with equal scores share the first one's */
  size_t row;  /* of the table, from 0 */
  double score;
  double p_value; /* share of normal rows that would look at least as abnormal (anorank_model_score) */
  double q_value; /* smallest false-discovery rate at which the row is selected (Benjamini-Hochberg) */
  size_t reasons; /* number of its reasons: anorank_ranking_reason */
  anorank_tier tier;
  size_t first,
      last;    /* of an incident or an entity (settings incidents, rank_entities): its first and last row; the
                         members above are those of its peak, the row with the lowest score, but for p_value and tier:
                         P(the most abnormal of so many normal rows is as abnormal), and its most extreme tier */
  size_t span; /* rows of the entity from first to last; 1: a row alone */
} anorank_finding;

/* A gap without rows of an entity, longer than the setting expect_every. May grow at the end. */
typedef struct anorank_silence {
  const char *entity; /* "": the rows have no entities */
  double from,
      to; /* seconds since 1970, or what the time column holds: the row before, and the one after or the
                           latest row of all */
  const char *from_text, *to_text; /* the same as texts */
  size_t before, after;            /* those rows; SIZE_MAX: before the table, or none */
} anorank_silence;

typedef struct anorank_ranking anorank_ranking;

/* Without a selection (lowest, mass and fdr all 0), the most abnormal rows have reasons: at least 20 and at most this
 * many, fewer if the model has many features. */
#define ANORANK_UNASKED_REASONS 1000

/* Rank all rows of a table and report those that lowest, mass or fdr select (set at most one; none: all
 * rows), most abnormal first, each with up to settings->reasons reasons of positive contribution. q-values
 * are over all rows of the table. Rows tied with the last one of `lowest` are reported as well, with a note.
 * Reasons cost at most 640 scores per reported row; in tables of many columns they consider those whose cells
 * are farthest from similar rows. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_ranking_make(anorank_ranking **out,
                                                                   const anorank_model *model,
                                                                   const anorank_table *table,
                                                                   const anorank_settings *settings,
                                                                   anorank_error *err);

/* Fit a model on a table and rank the same table with it. Equals anorank_fit and anorank_ranking_make, but no
 * row is prepared or scored twice. Scorers that support it (all neighbour scorers) rank each training row by
 * its leave-one-out score. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_detect(anorank_model **out, anorank_ranking **ranking,
                                                             const anorank_table *table,
                                                             const anorank_training *training,
                                                             const anorank_settings *settings,
                                                             anorank_error *err);

/* Explain one row. The ranking has this row only, with its rank and q-value among all rows of the table, and
 * a reason for every column of the model, of any sign. With thousands of columns, only those whose cells are
 * farthest from similar rows have reasons, with a note. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_explain(anorank_ranking **out,
                                                              const anorank_model *model,
                                                              const anorank_table *table, size_t row,
                                                              const anorank_settings *settings,
                                                              anorank_error *err);
ANORANK_API void anorank_ranking_free(anorank_ranking *ranking);

/* The default false-discovery rate, if the setting fdr is 0. */
#define ANORANK_USUAL_FDR 0.1

/* The guarantee of a ranking: the first that holds of SHIFT, DEPENDENT, RATE, APART. */
typedef enum anorank_headline_kind {
  ANORANK_HEADLINE_RATE = 1, /* exchangeable rows and a clean history: a false-discovery rate is guaranteed */
  ANORANK_HEADLINE_APART,    /* one file, or too few rows to test: how many rows are apart; no rate */
  ANORANK_HEADLINE_DEPENDENT, /* rows resemble rows near them or of one entity, or are compared with them: no rate */
  ANORANK_HEADLINE_SHIFT /* the rows as a whole differ from the training rows: no rate */
} anorank_headline_kind;

/* May grow at the end. */
typedef struct anorank_headline {
  anorank_headline_kind kind;
  double rate;      /* guaranteed false-discovery rate of the selected rows; 0: no guarantee */
  size_t apart;     /* rows of the first tier, of all rows */
  size_t unusual;   /* and of the second */
  double differing; /* share of rows that differ from the training rows; 0 in the training table itself */
  anorank_dependence dependence; /* of the training rows */
  char shifted
      [256]; /* of SHIFT: the columns that moved most, "'a' increased, 'b' is mostly missing"; "": none */
  size_t entities;  /* in the table; 0: no incidents, because rows have no entities or times */
  size_t incidents; /* of rows that mass or fdr select or, without them, of rows above the last tier */
  size_t incident_entities; /* entities that have these */
  size_t listed_incidents;  /* the same of rows that mass or fdr select or, without them, with p <= 0.01 */
  double false_incidents;   /* of these expected per 1,000 normal rows */
  double false_incidents_per_day; /* the same for the rows of this table; NaN: it has no times */
  char by[64];                    /* the first entity column; "": none */
} anorank_headline;

/* Facts about a ranking as a whole. Sentences may be "". May grow at the end. */
typedef struct anorank_ranking_info {
  size_t rows;        /* ranked */
  size_t count;       /* reported */
  size_t discoveries; /* of all rows: a q-value of at most the setting fdr, or ANORANK_USUAL_FDR */
  const char *answer; /* the headline as a sentence: "3 of 12,000 rows stand out; at most about 10 % ..." */
  const char
      *note; /* about the selection: ties at the border, why no row was selected, rows without reasons */
  const char *reach;      /* in a table of many columns: which of them were searched for reasons */
  const char *resolution; /* the smallest p-values and rates that the calibration rows allow */
  const double *p_values; /* of all rows, in the order of the table; NULL: they were read in parts */
  anorank_headline headline;
  const char *note_code, *reach_code, *resolution_code; /* docs/errors.md; "" where the sentence is */
  const char *expected;                                 /* incidents expected among normal rows */
  const anorank_silence *silences;                      /* longest first; NULL: none */
  size_t silence_count;
} anorank_ranking_info;

/* Return the facts, borrowed; NULL without a ranking. */
ANORANK_API const anorank_ranking_info *anorank_ranking_get_info(const anorank_ranking *ranking);

/* Return the i-th reported row, and its k-th reason, the one with the largest contribution first; NULL past
 * the end. */
ANORANK_API const anorank_finding *anorank_ranking_at(const anorank_ranking *ranking, size_t i);
ANORANK_API const anorank_reason *anorank_ranking_reason(const anorank_ranking *ranking, size_t i, size_t k);

/* Return the ranking as a table: the model's id columns, the columns in `keep` ("all", or names separated by
 * commas; NULL or "": none), then rank, row (from 1), score, p_value, q_value and, if `reasons` is not 0,
 * tier ("apart", "unusual" or "rest") and reasons (sentences, joined by "; "). `table` is the ranked table.
 * Its cells are copied as written in the file if the setting `keep` named the column when it was read, else
 * as anorank_table_text writes them. Names are unique: a column of the table with one of our names becomes
 * score_1, for example. A name in `keep` that the table lacks is ANORANK_ERROR_USAGE. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_ranking_table(anorank_table **out,
                                                                    const anorank_ranking *ranking,
                                                                    const anorank_table *table,
                                                                    const char *keep, int reasons,
                                                                    anorank_error *err);

#ifdef __cplusplus
}
#endif
#endif
