/* anorank.h - rank the rows of a table by how abnormal they are, without labels, and say how far to trust
 * that order.
 *
 * This is the core: errors, settings, tables, models, rankings. Beside it stand <anorank/io.h> (files of
 * tables), <anorank/criterion.h> (how good an order is), <anorank/report.h>, <anorank/arrow.h> and
 * <anorank/experimental.h>; each includes this one. Conventions that hold for every function:
 *
 *   Sign       A lower score is a more abnormal row, everywhere.
 *   Errors     A function that can fail returns an anorank_status. It writes its result through `out`, its
 *              first argument (set to NULL or left untouched on failure, as each comment says), and what
 *              went wrong into `err`, its last argument, which may be NULL. The library never prints, aborts,
 *              exits or keeps a global "last error".
 *   Ownership  Arguments are borrowed for the call. What comes out through `**out` is the caller's until its
 *              _free function, which accepts NULL. Getters lend: what they return lives as long as the
 *              object.
 *   Threads    No hidden state: different objects may be used from different threads at once, and one object
 *              may be read by many threads. The setting `threads` changes the time, never a bit of the
 *              result.
 *   Locale     Nothing depends on it: numbers are read and written with a point, whatever it is.
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

#define ANORANK_VERSION_MAJOR 0
#define ANORANK_VERSION_MINOR 3
#define ANORANK_VERSION_PATCH 0

/* "0.3.0": the version of the library that is running, which may differ from the header's. */
ANORANK_API const char *anorank_version(void);

/* ---- status and errors ------------------------------------------------------------------------------- */

/* The values are the exit codes of the command line. (1 is kept for `--exit-on-anomaly`.) */
typedef enum anorank_status {
  ANORANK_OK = 0,
  ANORANK_ERROR_USAGE = 2,     /* an argument or a setting is wrong: change the call */
  ANORANK_ERROR_DATA = 3,      /* an input file or table is wrong: mend the data */
  ANORANK_ERROR_MODEL = 4,     /* a model file is wrong, or a model cannot do what is asked */
  ANORANK_ERROR_RESOURCES = 5, /* memory, disk, permission, a read or a write that failed */
  ANORANK_CANCELLED = 6        /* the progress callback asked to stop */
} anorank_status;

/* One lower-case word for a status: "ok", "usage", "data", "model", "resources", "cancelled". */
ANORANK_API const char *anorank_status_name(anorank_status status);

#define ANORANK_MESSAGE_SIZE 512
#define ANORANK_REMEDIES 4
#define ANORANK_CODE_SIZE 40

/* Owned by the caller, who starts it with {0} (C++: {}); all is 0 or "" until something fails, and
 * whatever does not apply stays so. The message is a sentence: UTF-8 without control characters or newline
 * at its end, what was wrong, where, and what to do. It names settings, never options of the command line:
 * the remedies say what to set, and each front end words them in its own way. A message, path or name that is
 * too long for its field is cut at a character; a remedy that does not fit is left out. */
typedef struct anorank_error {
  char message[ANORANK_MESSAGE_SIZE];
  anorank_status status;
  uint32_t remedy_count; /* anorank_error_remedy */
  uint64_t line;         /* of the file, from 1 */
  uint64_t row;          /* of the table, from 1 */
  char file[128];        /* as it was named, "standard input" for that */
  char column[64];       /* name of the column */
  char setting[32];      /* the setting that is wrong, or that another value of could help */
  char
      code[ANORANK_CODE_SIZE]; /* what went wrong, in a word for programs: "csv-cell-count"; docs/errors.md */
  char remedies[192];          /* read by anorank_error_remedy */
  unsigned char reserved[16];
} anorank_error;

/* The i-th of up to ANORANK_REMEDIES settings that let the call that failed get past this error when it is given
 * this value and all else stays as it was: any one of them does. The value is whole and unquoted, as
 * anorank_settings_set takes it. Both are lent; 0, and neither is touched, past the last. */
ANORANK_API int anorank_error_remedy(const anorank_error *err, size_t i, const char **setting,
                                     const char **value);

/* ---- settings ---------------------------------------------------------------------------------------- */

typedef enum anorank_header { ANORANK_HEADER_AUTO = 0, ANORANK_HEADER_YES, ANORANK_HEADER_NO } anorank_header;

/* What tied rows are worth. MID: the mean of the ranks that they share and, in W_phi, the mean of phi over
 * those ranks; constant scores then get area 1/2 and the mean of phi over all ranks. MAX is the paper's
 * definition (Eq. 11 counts "<="): constant scores then get the largest possible W, so it must never be used
 * to choose between scorers; it is here to check the paper's identities. */
typedef enum anorank_ties { ANORANK_TIES_MID = 0, ANORANK_TIES_MAX } anorank_ties;

/* What a differentiable class is trained on. BCE: the binary cross-entropy of X against U. PAPER: Algorithm
 * 1, one-row BCE steps, then one full-batch step on BCE - lambda * proxy each epoch. RANK: the criterion
 * itself, with smoothed ranks. */
typedef enum anorank_objective {
  ANORANK_OBJECTIVE_BCE = 0,
  ANORANK_OBJECTIVE_PAPER,
  ANORANK_OBJECTIVE_RANK
} anorank_objective;

typedef enum anorank_proxy { ANORANK_PROXY_MEAN = 0, ANORANK_PROXY_SUM } anorank_proxy;

typedef enum anorank_optimiser {
  ANORANK_OPTIMISER_SGD = 0,
  ANORANK_OPTIMISER_MOMENTUM,
  ANORANK_OPTIMISER_ADAM
} anorank_optimiser;

typedef enum anorank_schedule { ANORANK_SCHEDULE_CONSTANT = 0, ANORANK_SCHEDULE_COSINE } anorank_schedule;

/* What is known of the training rows. CLEAN: believed normal. CONTAMINATED: anomalies are among them, as in
 * the one file that an analyst has. */
typedef enum anorank_train { ANORANK_TRAIN_CLEAN = 0, ANORANK_TRAIN_CONTAMINATED } anorank_train;

/* Missing cells of a numeric column. INDICATOR: the mean, and a feature of its own that says so. ERROR:
 * refuse. */
typedef enum anorank_on_missing {
  ANORANK_ON_MISSING_INDICATOR = 0,
  ANORANK_ON_MISSING_ERROR
} anorank_on_missing;

/* STANDARD: mean 0 and standard deviation 1 per column. UNIT: the range of the training rows
 * becomes [0, 1]. */
typedef enum anorank_scale { ANORANK_SCALE_STANDARD = 0, ANORANK_SCALE_UNIT } anorank_scale;

/* Where the class hull takes distances. STANDARD: mean 0 and standard deviation 1 per column. RANGE: the
 * range of each column is 1. NORMAL: standard, with heavy-tailed columns replaced by normal scores of their
 * ranks. */
typedef enum anorank_space {
  ANORANK_SPACE_STANDARD = 0,
  ANORANK_SPACE_RANGE,
  ANORANK_SPACE_NORMAL
} anorank_space;

/* Called now and then during long work with the share done in [0, 1] and what is going on ("reading x.csv").
 * Return 0 to go on, anything else to stop: the function that was called then returns ANORANK_CANCELLED. It
 * is only ever called from the thread that made the call. */
typedef int (*anorank_progress)(void *context, double share_done, const char *what);

/* Everything that can be chosen: an object of named values. Wherever a function takes settings, NULL stands
 * for the defaults. A value is checked when it is set, so an object always holds allowed values; what two
 * settings must fulfil together (band-from below band-to) is checked by the function that uses both. Names
 * and values are plain text in every locale: "0.5", never "0,5". */
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

/* What a setting applies to; a row carries one or several. */
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
  ANORANK_FOR_RESULT = 512,   /* what stands beside the scores in a table of results */
  ANORANK_FOR_EXAMPLE = 1024, /* anorank_example_make */
  ANORANK_FOR_DRIFT = 2048,   /* anorank_drift_make */
  ANORANK_FOR_REVIEW = 4096   /* anorank_review_... */
};

/* A row of the table of settings (docs/settings.md): what there is to choose. */
typedef struct anorank_setting {
  const char *name; /* in words joined by '-': the long option is --name */
  anorank_setting_kind kind;
  double low, high; /* bounds, both included; for TEXT and LIST of the length in bytes, INFINITY for none */
  const char *default_value; /* as text */
  const char *choices;       /* CHOICE: "word|word|..."; else NULL */
  unsigned applies_to;       /* ANORANK_FOR_... */
  const char *placeholder;   /* what stands for the value in help: "N", "FILE" */
  const char *help;          /* one line, lower case, no full stop */
} anorank_setting;

/* The i-th row of the table, NULL past its end. */
ANORANK_API const anorank_setting *anorank_setting_at(size_t i);

/* The row with that name, NULL if there is none. */
ANORANK_API const anorank_setting *anorank_setting_find(const char *name);

/* A copy of other settings, callbacks included; of the defaults where `from` is NULL. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_settings_new(anorank_settings **out,
                                                                   const anorank_settings *from,
                                                                   anorank_error *err);
ANORANK_API void anorank_settings_free(anorank_settings *settings);

/* Set a value from text, which is copied. An unknown name or a value that is not allowed is
 * ANORANK_ERROR_USAGE: the message names the setting, what was given and what is allowed, and `settings` is
 * unchanged. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_settings_set(anorank_settings *settings,
                                                                   const char *name, const char *text,
                                                                   anorank_error *err);

/* The same from a number, for settings that are numbers; a CHOICE takes the index of its word. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_settings_set_number(anorank_settings *settings,
                                                                          const char *name, double value,
                                                                          anorank_error *err);

/* Set values from the text of a settings file: a line each, `name = value`; blank lines and lines that start
 * with '#' are passed over. All or nothing: on failure `settings` is unchanged and the message names the
 * line. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_settings_parse(anorank_settings *settings,
                                                                     const char *text, size_t length,
                                                                     anorank_error *err);

/* Write a value as text that anorank_settings_set reads back to the same value. Returns the length without
 * the closing NUL as snprintf does, so a result >= size means that it was cut; SIZE_MAX if there is no such
 * setting. Settings that are NULL give the default, here and below. */
ANORANK_API size_t anorank_settings_get(const anorank_settings *settings, const char *name, char *text,
                                        size_t size);

/* A value as a number (CHOICE: the index of its word; otherwise 0 or NaN where it is none), and a TEXT or
 * LIST as it stands, lent until it is set again (NULL where it is neither). */
ANORANK_API int64_t anorank_settings_integer(const anorank_settings *settings, const char *name);
ANORANK_API double anorank_settings_number(const anorank_settings *settings, const char *name);
ANORANK_API const char *anorank_settings_text(const anorank_settings *settings, const char *name);

/* Be told how far work with these settings is; NULL for nobody. */
ANORANK_API void anorank_settings_on_progress(anorank_settings *settings, anorank_progress callback,
                                              void *context);

/* Be asked whether to go on, between small pieces of the work: some hundred times a second. Return 0 to go on,
 * anything else to stop: the function that was called then returns ANORANK_CANCELLED within moments, where the
 * progress callback may have to wait for the end of a fit. Called from the thread that made the call alone;
 * NULL for nobody. */
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

/* The resolution that a time column came with. It decides how the column is written and exported; a double
 * keeps about a quarter of a microsecond for dates of our time, so finer nanoseconds are rounded. */
typedef enum anorank_resolution {
  ANORANK_DAYS = 0,
  ANORANK_SECONDS,
  ANORANK_MILLISECONDS,
  ANORANK_MICROSECONDS,
  ANORANK_NANOSECONDS
} anorank_resolution;

/* Above this a file is refused: it is almost always a table that lies on its side. */
#define ANORANK_MAX_COLUMNS 65536

/* Copy a matrix: value (i, j) is data[i * row_stride + j * column_stride]. `names` may be NULL: x1, x2,
 * ... For anything else there is a builder, below, and for other programs' tables <anorank/arrow.h>. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_table_from_matrix(
    anorank_table **out, const double *data, size_t rows, size_t columns, size_t row_stride,
    size_t column_stride, const char *const *names, anorank_error *err);

ANORANK_API void anorank_table_free(anorank_table *table);

ANORANK_API size_t anorank_table_rows(const anorank_table *table);
ANORANK_API size_t anorank_table_columns(const anorank_table *table);
ANORANK_API const char *anorank_table_name(const anorank_table *table, size_t column);
ANORANK_API anorank_kind anorank_table_kind(const anorank_table *table, size_t column);

/* Index of the column with that name, or SIZE_MAX. */
ANORANK_API size_t anorank_table_find(const anorank_table *table, const char *name);

/* Of a time column; ANORANK_DAYS for any other. */
ANORANK_API anorank_resolution anorank_table_resolution(const anorank_table *table, size_t column);

/* The values of a numeric or time column, NULL for a categorical one. */
ANORANK_API const double *anorank_table_numbers(const anorank_table *table, size_t column);

/* The codes of a categorical column, NULL for any other; its levels are numbered by first appearance. */
ANORANK_API const int32_t *anorank_table_codes(const anorank_table *table, size_t column);
ANORANK_API size_t anorank_table_levels(const anorank_table *table, size_t column);
ANORANK_API const char *anorank_table_level(const anorank_table *table, size_t column, size_t level);

/* One cell as text, as a CSV file would have it without quotes: "" for a missing cell, the shortest digits
 * that read back to the same number, times as ISO 8601 in UTC; columns that the setting `keep` named when
 * the file was read have their cells as the file has them. Returns the length without the closing NUL as
 * snprintf does, so a result >= size means that it was cut. */
ANORANK_API size_t anorank_table_text(const anorank_table *table, size_t column, size_t row, char *text,
                                      size_t size);

/* Does the table remember the cells of the column as the file has them (setting `keep`)? */
typedef enum anorank_verbatim {
  ANORANK_VERBATIM_NONE = 0,
  ANORANK_VERBATIM_NUMBERS, /* yes; all are plain numbers, as JSON has them */
  ANORANK_VERBATIM_TEXT     /* yes; some are not */
} anorank_verbatim;

ANORANK_API anorank_verbatim anorank_table_raw_cells(const anorank_table *table, size_t column);

/* Put an apostrophe before every text and name of the table that a spreadsheet would run as a formula when
 * it opens the file: those that begin with = + - @, a tab or a carriage return and are no numbers. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_table_escape_formulas(anorank_table *table,
                                                                            anorank_error *err);

/* How much a note matters, the most important kind first: a program that shows a few of them sorts by it. */
typedef enum anorank_note_kind {
  ANORANK_NOTE_WARNING = 0, /* the result may mislead until somebody has looked at this */
  ANORANK_NOTE_LEFT_OUT,    /* columns or rows that were not used */
  ANORANK_NOTE_UNDERSTOOD,  /* how columns and cells were taken: numbers, categories, missing, constant */
  ANORANK_NOTE_ASSUMED,     /* what p-values and rates rest on */
  ANORANK_NOTE_DETAIL       /* of the method: what was fitted, and its size */
} anorank_note_kind;

/* A remark in a sentence. May grow at the end. */
typedef struct anorank_note {
  anorank_note_kind kind;
  const char *code; /* a stable name in words joined by '-', or "" */
  const char *text; /* writes a setting as `name`, so that a program can put its own word for it */
} anorank_note;

/* The notes of an object, in the order of the work. */
typedef struct anorank_notes anorank_notes;

/* How many there are (0 where `notes` is NULL), and the i-th one (NULL past the last). */
ANORANK_API size_t anorank_notes_count(const anorank_notes *notes);
ANORANK_API const anorank_note *anorank_notes_at(const anorank_notes *notes, size_t i);

/* What was assumed or noticed while the file was read: how numbers and dates were understood, skipped lines,
 * changed names, the encoding. NULL without a table. */
ANORANK_API const anorank_notes *anorank_table_notes(const anorank_table *table);

/* ---- tables from arrays ------------------------------------------------------------------------------ */

/* What an array in memory holds. */
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
  ANORANK_BOOL /* one byte each; whatever is not 0 is 1 */
} anorank_type;

/* A builder makes a table of `rows` rows, column by column. Cells are copied. Value i lies `stride` bytes
 * after value i - 1; strides may be negative, and need no alignment. NaN is missing; so are the cells
 * whose bit in `validity` is 0 (bit i is validity[i / 8] >> (i % 8) & 1, as in Arrow; NULL: all are
 * there). Two columns of one name become a and a_2; "" or NULL is x1, x2, ... A failure says the column
 * and the row, and leaves the builder as it was. */
typedef struct anorank_builder anorank_builder;

ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_builder_new(anorank_builder **out, size_t rows,
                                                                  anorank_error *err);

/* A 64-bit integer that no double holds exactly is ANORANK_ERROR_DATA. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_builder_numbers(anorank_builder *builder,
                                                                      const char *name, anorank_type type,
                                                                      const void *data, ptrdiff_t stride,
                                                                      const uint8_t *validity,
                                                                      anorank_error *err);

/* Times since 1970-01-01 UTC counted in `resolution`: an integer or floating type. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_builder_times(
    anorank_builder *builder, const char *name, anorank_resolution resolution, anorank_type type,
    const void *data, ptrdiff_t stride, const uint8_t *validity, anorank_error *err);

/* Codes into `level_count` levels; a negative code is missing. `lengths` may be NULL: the levels then end
 * in NUL. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_builder_codes(anorank_builder *builder,
                                                                    const char *name, const int32_t *codes,
                                                                    ptrdiff_t stride, const uint8_t *validity,
                                                                    const char *const *levels,
                                                                    const size_t *lengths, size_t level_count,
                                                                    anorank_error *err);

/* A text for each row, NULL for a missing one. `lengths` may be NULL: the texts then end in NUL. */
ANORANK_API ANORANK_MUST_CHECK anorank_status
anorank_builder_texts(anorank_builder *builder, const char *name, const char *const *texts,
                      const size_t *lengths, const uint8_t *validity, anorank_error *err);

/* All columns of a matrix at once: faster than one by one where rows lie together. `names` may be NULL. */
ANORANK_API ANORANK_MUST_CHECK anorank_status
anorank_builder_matrix(anorank_builder *builder, const char *const *names, size_t columns, anorank_type type,
                       const void *data, ptrdiff_t row_stride, ptrdiff_t column_stride, anorank_error *err);

/* A column of another table, which must have as many rows; and what was noticed while that table was read, to
 * be told by the new one, too. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_builder_column(anorank_builder *builder,
                                                                     const char *name,
                                                                     const anorank_table *table,
                                                                     size_t column, anorank_error *err);
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_builder_notes(anorank_builder *builder,
                                                                    const anorank_table *table,
                                                                    anorank_error *err);

/* The table of the columns so far; the builder is then empty and may only be freed. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_builder_finish(anorank_table **out,
                                                                     anorank_builder *builder,
                                                                     anorank_error *err);
ANORANK_API void anorank_builder_free(anorank_builder *builder);

/* ---- bytes ------------------------------------------------------------------------------------------- */

/* Bytes that the library made and handed out are the caller's until this, which accepts NULL. */
ANORANK_API void anorank_bytes_free(unsigned char *bytes);

/* Fetch up to `size` > 0 bytes into the buffer and say in `*got` how many came: 0 only at the end. Return
 * 0, or anything else to say that it failed. */
typedef int (*anorank_read)(void *context, void *buffer, size_t size, size_t *got);

/* Take all of the bytes. Return 0, or anything else to say that it failed. */
typedef int (*anorank_write)(void *context, const void *bytes, size_t length);

/* Where bytes are read from: exactly one of path, bytes and read is set; start with {0} (C++: {}). A path of "-" is
 * standard input. `name` is what messages call bytes and callbacks, and its ending counts as a file's does; NULL:
 * "memory" or "callback". Bytes may be compressed by gzip or zstd. Bytes and context are borrowed for the call, or until
 * what reads from them is freed. */
typedef struct anorank_source {
  const char *path;
  const void *bytes;
  size_t length; /* of bytes */
  anorank_read read;
  void *context; /* of read */
  const char *name;
  void *reserved[4]; /* zeros */
} anorank_source;

/* In C, a source in place of an argument. */
#define ANORANK_FROM_FILE(file) (&(const anorank_source){.path = (file)})
#define ANORANK_FROM_MEMORY(start, size, called)                                                             \
  (&(const anorank_source){.bytes = (start), .length = (size), .name = (called)})
#define ANORANK_FROM_CALLBACK(function, with, called)                                                        \
  (&(const anorank_source){.read = (function), .context = (with), .name = (called)})

/* Where bytes are written to: exactly one of path, write and bytes is set; start with {0} (C++: {}). A file appears
 * under its path whole, when all is written, or not at all; "-" is standard output. A function has had everything once
 * all is written, and may have had a part where something fails. Memory: `*bytes` is NULL until all is written, then the
 * caller's until anorank_bytes_free. `name` is what messages call functions and memory, and its ending counts as a
 * file's does; NULL: "callback" or "memory". */
typedef struct anorank_sink {
  const char *path;
  anorank_write write;
  void *context; /* of write */
  unsigned char **bytes;
  size_t *length; /* of *bytes */
  const char *name;
  void *reserved[4]; /* zeros */
} anorank_sink;

/* In C, a sink in place of an argument. */
#define ANORANK_TO_FILE(file) (&(const anorank_sink){.path = (file)})
#define ANORANK_TO_CALLBACK(function, with, called)                                                          \
  (&(const anorank_sink){.write = (function), .context = (with), .name = (called)})
#define ANORANK_TO_MEMORY(start, size, called)                                                               \
  (&(const anorank_sink){.bytes = (start), .length = (size), .name = (called)})

typedef struct anorank_reader anorank_reader; /* <anorank/io.h> */

/* ---- models ------------------------------------------------------------------------------------------ */

/* A fitted pipeline: schema, preparation, scorer, calibration scores, settings. Immutable: many threads may
 * score with one. */
typedef struct anorank_model anorank_model;

/* What people know of the rows; start with {0} (C++: {}). `labels` has 1 (anomaly), 0 (normal) or -1 (nobody knows) for
 * each row of the table: they add to those of the column that settings.labels names, and win over them. `known` are more
 * confirmed anomalies, rows of another table, whose columns are matched by name (a missing one is ANORANK_ERROR_DATA).
 * Anomalies are no training rows; at most 1,000 are used, drawn at random. They sharpen the order of classes that learn
 * against contrast rows and of `blend`; p-values are about normal rows as before. Normal rows stay training rows; under
 * `blend` rows like them rank as less abnormal, and rows like neither keep their place. */
typedef struct anorank_training {
  const signed char *labels;  /* NULL: none */
  const anorank_table *known; /* NULL: none */
  void *reserved[4];          /* zeros */
} anorank_training;

/* Learn from the rows of a table. The plan (what was understood of each column, what was assumed) is told
 * through the notes of the model. `training` may be NULL. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_fit(anorank_model **out, const anorank_table *table,
                                                          const anorank_training *training,
                                                          const anorank_settings *settings,
                                                          anorank_error *err);
ANORANK_API void anorank_model_free(anorank_model *model);

/* More history for a model that was fitted with `by` or `time`: the state of each entity goes on over these rows, nothing
 * is learned again. The one function that changes a model: no other thread may use it meanwhile. Rows that are earlier than
 * those seen of their entity are ANORANK_ERROR_DATA; after a failure the model is to be freed. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_model_advance(anorank_model *model,
                                                                    const anorank_table *table,
                                                                    anorank_error *err);

/* docs/model-format.md describes the bytes. The same fit gives the same. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_model_save(const anorank_model *model,
                                                                 const anorank_sink *sink,
                                                                 anorank_error *err);

/* Trusts nothing: any bytes give a model that works or ANORANK_ERROR_MODEL. Bytes in memory
 * are those of anorank_model_save, not compressed. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_model_load(anorank_model **out,
                                                                 const anorank_source *source,
                                                                 anorank_error *err);

/* Scores (lower = more abnormal) and p-values of the rows of a table, in row order; either array may be NULL.
 * Columns are matched by name; extra ones are passed over, missing ones are ANORANK_ERROR_DATA. A row's score
 * and p-value do not depend on the rows around it. p-values of a clean model are conformal; those of a
 * contaminated one are ranks in the bulk of the calibration scores and follow an exponential tail below
 * (docs/methods.md; anorank_model_info.p_values says which). */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_model_score(const anorank_model *model,
                                                                  const anorank_table *table, double *scores,
                                                                  double *p_values,
                                                                  const anorank_settings *settings,
                                                                  anorank_error *err);

/* The same as a table to write: the model's id columns as `table` has them and those of the setting `keep`,
 * then row, score and p_value. A column of the table with such a name becomes score_1. Rows are numbered from `first_row`, for a file that is scored in blocks. */
ANORANK_API ANORANK_MUST_CHECK anorank_status
anorank_model_score_table(anorank_table **out, const anorank_model *model, const anorank_table *table,
                          size_t first_row, const anorank_settings *settings, anorank_error *err);

/* What the fit decided and assumed. Notes of a model file from before format 1.2 are of kind DETAIL. NULL
 * without a model. */
ANORANK_API const anorank_notes *anorank_model_notes(const anorank_model *model);

ANORANK_API const anorank_settings *anorank_model_settings(const anorank_model *model); /* of the fit */

/* Make `settings` read rows for the model: cells mean what they meant at the fit (`missing` and `categorical`, where
 * `settings` leaves them empty), and the model's identifiers keep their text beside the columns of `keep`.
 * model NULL: for a fit; the columns that `id` names keep their text. */
ANORANK_API anorank_status anorank_settings_prepare_reading(anorank_settings *settings,
                                                            const anorank_model *model, anorank_error *err);

/* Where the scores that p-values are calibrated by come from. */
typedef enum anorank_calibration_method {
  ANORANK_CALIBRATED_UNKNOWN = 0,   /* the model file is from before 0.2, and does not say */
  ANORANK_CALIBRATED_SPLIT,         /* rows kept from the fit */
  ANORANK_CALIBRATED_LEAVE_ONE_OUT, /* training rows, each as if it alone had been left out of the fit */
  ANORANK_CALIBRATED_CROSS_FIT      /* training rows, each by a fit on the other folds */
} anorank_calibration_method;

/* A tail: P(a normal row scores at most t) = level * min(1, doubt * S((from - t) / scale)) for t < from, with
 * S(y) = exp(-y) where the shape is 0, else (1 + shape y)^(-1/shape) and 0 beyond y = -1/shape: shapes are
 * negative, and the tail is lighter than an exponential one. Never more than (1 + r) / (n + 1), r the number of
 * all n calibration scores that are at most t. May grow at the end. */
typedef struct anorank_tail {
  double from, level, scale;
  double shape, doubt; /* doubt >= 1: little evidence of anomalies makes p-values larger */
} anorank_tail;

/* How the scores of a model become p-values (docs/methods.md). May grow at the end. */
typedef struct anorank_calibration {
  anorank_calibration_method way;
  size_t folds;     /* of a cross-fit, else 0 */
  size_t rows;      /* calibration scores */
  size_t set_aside; /* the lowest so many are taken to be anomalies and do not count */
  double smallest_p_value;
  size_t tails;             /* 0: p-values are ranks among the calibration scores alone */
  const anorank_tail *tail; /* p-values of scores below tail->from; NULL: none */
  int of_logarithms;        /* 1: t above is minus the logarithm of minus the score, else the score itself */
} anorank_calibration;

/* Are rows exchangeable, as p-values assume? Tested on rows in their order (docs/methods.md). May grow at the end. */
typedef struct anorank_dependence {
  int tested;    /* 0: too few rows, or a model of an earlier version; nothing below is known */
  int dependent; /* 1: rows near each other, or of one entity, resemble each other */
  size_t rows;   /* that were compared */
  double
      nearness; /* share of other rows that are nearer to a row than the one that follows it; 0.5: no order */
  double z;     /* how far that is below 0.5, in standard errors */
  size_t reach; /* how many rows on the resemblance is still seen; 0: not in order */
  char entity[64]; /* the column whose equal values make rows resemble each other; "": none */
} anorank_dependence;

/* What a model is. May grow at the end. */
typedef struct anorank_model_info {
  const char *scorer; /* the class that was fitted */
  size_t train_rows;  /* of the training table */
  size_t known_rows;  /* confirmed anomalies it learned from */
  size_t columns;     /* anorank_model_column_at */
  size_t bytes;       /* memory held */
  const anorank_calibration *calibration;
  const char *p_values;                 /* what the p-values are and what they rest on, in a sentence */
  const anorank_dependence *dependence; /* of the training rows */
} anorank_model_info;

/* Lent; NULL without a model. */
ANORANK_API const anorank_model_info *anorank_model_get_info(const anorank_model *model);

/* The highest score whose p-value is at most `p_value`: rows that score as low or lower are those that are at
 * least that unusual. -INFINITY where no score has so small a p-value, INFINITY where all have. */
ANORANK_API double anorank_model_score_at(const anorank_model *model, double p_value);

/* What a column became. */
typedef enum anorank_role {
  ANORANK_ROLE_NUMERIC = 0,
  ANORANK_ROLE_CATEGORICAL,
  ANORANK_ROLE_ID,       /* passed through: on request, or because it looks like an identifier */
  ANORANK_ROLE_DROPPED,  /* on request, or because it looks like a label */
  ANORANK_ROLE_CONSTANT, /* one value in all training rows: only a departure from it counts */
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

/* NULL past the last. */
ANORANK_API const anorank_model_column *anorank_model_column_at(const anorank_model *model, size_t i);

/* ---- rows from memory -------------------------------------------------------------------------------- */

/* One cell of each row that is to be scored: what its column is called, and what its number means. */
typedef struct anorank_field {
  const char *name;
  anorank_kind kind;
  const char *const *levels; /* CATEGORICAL: what codes 0, 1, ... stand for; NULL: the model's levels */
  size_t level_count;
  void *reserved[4]; /* NULL */
} anorank_field;

/* A model made ready to score rows of one layout. It is immutable: many threads may score with it at once. */
typedef struct anorank_scorer anorank_scorer;

/* The fields come in the order in which rows have them; they are matched with the model's columns by name as
 * the columns of a table are (anorank_model_score), and copied. `fields` NULL: the model's columns in their
 * order, all of them, categories by the model's own levels. Texts are looked up here, not when rows are
 * scored. The model must outlive the scorer. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_scorer_new(anorank_scorer **out,
                                                                 const anorank_model *model,
                                                                 const anorank_field *fields,
                                                                 size_t field_count, anorank_error *err);
ANORANK_API void anorank_scorer_free(anorank_scorer *scorer);

/* The code of a text in a categorical field, for rows that come with texts: a dictionary look-up. NaN, a
 * missing cell, for NULL and for fields that are not categorical; -2 for a text that is no level. */
ANORANK_API double anorank_scorer_code(const anorank_scorer *scorer, size_t field, const char *text);

/* What one thread at a time works in while it scores. Made for one scorer; may be used for any number of
 * calls. */
typedef struct anorank_scratch anorank_scratch;
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_scratch_new(anorank_scratch **out,
                                                                  const anorank_scorer *scorer,
                                                                  anorank_error *err);
ANORANK_API void anorank_scratch_free(anorank_scratch *scratch);

/* Score `rows` rows: cell j of row i is cells[i * stride + j]. A number, NaN if missing; of a categorical
 * field the code, NaN or -1 if missing, any other code without a level for a level that was never seen.
 * Scores and p-values have the same bits as those of anorank_model_score; either array may be NULL. Runs on
 * the calling thread and asks for no memory. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_scorer_score(const anorank_scorer *scorer,
                                                                   anorank_scratch *scratch,
                                                                   const double *cells, size_t rows,
                                                                   size_t stride, double *scores,
                                                                   double *p_values, anorank_error *err);

/* ---- rankings ---------------------------------------------------------------------------------------- */

/* What a reason says of a cell. */
typedef enum anorank_reason_kind {
  ANORANK_REASON_USUAL = 0, /* nothing by itself: what it adds, it adds with all others */
  ANORANK_REASON_HIGH,      /* a number above usual_high */
  ANORANK_REASON_LOW,       /* a number below usual_low */
  ANORANK_REASON_TOGETHER,  /* not what similar rows have */
  ANORANK_REASON_RARE, /* a level that fewer than one training row in twenty has, and fewer than have the mean level */
  ANORANK_REASON_MISSING,   /* no value */
  ANORANK_REASON_NEW_LEVEL, /* a level that no training row has */
  ANORANK_REASON_NEW_VALUE, /* another value in a column that was constant */
  ANORANK_REASON_HOUR, /* a time (`number`, seconds since 1970): `share` of the rows are in its clock hour */
  ANORANK_REASON_WEEKDAY, /* a time: `share` of the rows are on its day of the week */
  ANORANK_REASON_PRESENT, /* a value, where fewer than one training row in twenty has one: `share` of them */
  ANORANK_REASON_NEW_CODE, /* a number that none of compared_rows training rows has, in a column whose values repeat */
  ANORANK_REASON_NEW_PAIR /* none of compared_rows training rows has this value with that of partner[0] */
} anorank_reason_kind;

/* A column that disagrees with the column of a reason: its cell in this row, and in similar rows. */
typedef struct anorank_partner {
  const char *column;
  double number;     /* the cell; NaN: a text */
  const char *level; /* the cell as a text; NULL: a number */
  double low, high;  /* numbers: what similar rows have; else NaN */
  double resolution; /* as in anorank_reason */
} anorank_partner;

/* Why a row is abnormal, about one column. Similar rows are training rows: of those that the model kept
 * (at most 1,024), the 32 nearest in all other columns, all that are as near as the last of these, and one
 * row the less if it is the very row that is explained; fewer of fewer than 512 rows, never fewer than 8.
 * Twins (below) do not count as other columns. docs/methods.md has the distance. Where the reason names
 * partners, similar rows are those kept rows that agree with this row in these columns alone: cells between
 * `low` and `high` of each, or the same level. Only cells that have a value count, never imputed ones.
 * May grow at the end. */
typedef struct anorank_reason {
  const char *column;
  size_t index; /* of the column in the model */
  anorank_reason_kind kind;
  /* What the column adds to the abnormality of the row: by how much the score would rise if the cell were as
   * in usual rows that resemble this one in all other columns, times the squared distance to their cells in
   * ten standard deviations, at most 1. 0: the score reacts to no column alone, and this is what is odd in itself. */
  double contribution;
  double number;     /* the cell; NaN: missing, or a text */
  const char *level; /* the cell as a text; NULL: missing, or a number */
  double share;      /* of the training rows with this level; MISSING: without a value; PRESENT: with one */
  double usual_low;  /* 5 and 95 % quantiles of the training rows, for a constant column its value; NaN for */
  double usual_high; /* texts */
  size_t similar_rows; /* with a value here; 0: there is no other column, or no row to compare with */
  double similar_low;  /* numbers: their 10 and 90 % quantiles; else NaN */
  double similar_high;
  const char *similar_level; /* texts: what most of them have; else NULL */
  double similar_share;      /* texts: of similar rows that have the level of this row; else NaN */
  size_t level_rows;         /* texts: training rows that have the level, */
  size_t level_rank; /* its place among the levels of its column, 1 for the most frequent, tied levels */
  size_t levels;     /* sharing one; of so many. 0: never seen, missing, or a number */
  size_t training_rows;
  double similar_level_share; /* texts: of similar rows that have similar_level; else NaN */
  const char *twin;  /* another column that says the same of this row, value by value; NULL: none does */
  double resolution; /* numbers: the largest of 1, 0.1, ... 0.0001 that cells are multiples of; 0: none is */
  size_t partners;   /* TOGETHER, NEW_PAIR: columns that disagree with this one; 0: no one or two alone do */
  anorank_partner partner[2];
  size_t compared_rows; /* of a new code or pair: training rows that the model kept; else 0 */
} anorank_reason;

/* The reason as a sentence without a full stop, "amount 41.2 is far above its usual 0.3 to 9.8", in at
 * most `size` bytes. Returns its length, as snprintf does. */
ANORANK_API size_t anorank_reason_text(const anorank_reason *reason, char *text, size_t size);

/* How far a row is from the others, in itself: no rate is behind it (docs/methods.md). */
typedef enum anorank_tier {
  ANORANK_TIER_REST = 0,
  ANORANK_TIER_UNUSUAL, /* about one row as low is expected in a table like the training table */
  ANORANK_TIER_APART    /* a score or a cell that hardly any table like it has */
} anorank_tier;

/* One row of a table as judged by a model. May grow at the end. */
typedef struct anorank_finding {
  size_t rank; /* 1: the most abnormal; rows with equal scores share the first one's */
  size_t row;  /* of the table, from 0 */
  double score;
  double p_value; /* share of normal rows that would look at least as abnormal (anorank_model_score) */
  double q_value; /* smallest false-discovery rate at which the row is selected (Benjamini-Hochberg) */
  size_t reasons; /* how many it has: anorank_ranking_reason */
  anorank_tier tier;
  size_t first,
      last;    /* of an incident or an entity (settings incidents, rank_entities): its first and last row; the
                         members above are those of its peak, the row with the lowest score, but for p_value and tier:
                         P(the most abnormal of so many normal rows is as abnormal), and its most extreme tier */
  size_t span; /* rows of the entity from first to last; 1: a row alone */
} anorank_finding;

/* A time without rows of an entity that is longer than the setting expect_every. May grow at the end. */
typedef struct anorank_silence {
  const char *entity; /* "": the rows have no entities */
  double from,
      to; /* seconds since 1970, or what the time column holds: the row before, and the one after or the
                           latest row of all */
  const char *from_text, *to_text; /* the same as texts */
  size_t before, after;            /* those rows; SIZE_MAX: before the table, or none */
} anorank_silence;

typedef struct anorank_ranking anorank_ranking;

/* Where nothing chooses rows (lowest, mass and fdr all 0), at least 20 and at most so many of the most
 * abnormal have reasons, fewer the more features the model has. */
#define ANORANK_UNASKED_REASONS 1000

/* Judge all rows of a table and report those that lowest, mass or fdr choose (at most one of them may be set;
 * all rows if none is), most abnormal first, each with up to settings->reasons reasons of positive
 * contribution. q-values are over all rows of the table. Rows tied with the last one of `lowest` are reported
 * too, and the note says so. Reasons cost at most 640 scores for each row reported; of many columns those are
 * asked about whose cells are farthest from the cells of similar rows. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_ranking_make(anorank_ranking **out,
                                                                   const anorank_model *model,
                                                                   const anorank_table *table,
                                                                   const anorank_settings *settings,
                                                                   anorank_error *err);

/* Fit a model on a table and judge the same table by it, in one go: anorank_fit and
 * anorank_ranking_make, but no row is prepared or scored twice, and each row of the fit
 * is judged by the score that it would have, had it alone been left out, where the class can tell (all that
 * look at neighbours can). */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_detect(anorank_model **out, anorank_ranking **ranking,
                                                             const anorank_table *table,
                                                             const anorank_training *training,
                                                             const anorank_settings *settings,
                                                             anorank_error *err);

/* One row in depth: a ranking with this row alone, its rank and q-value among all rows of the table, and a
 * reason for every column that the model uses, whatever the sign of its contribution; of very many columns
 * (some thousands) for those whose cells are farthest from the cells of similar rows, and the note says
 * so. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_explain(anorank_ranking **out,
                                                              const anorank_model *model,
                                                              const anorank_table *table, size_t row,
                                                              const anorank_settings *settings,
                                                              anorank_error *err);
ANORANK_API void anorank_ranking_free(anorank_ranking *ranking);

/* What the rule "stands out" means where the setting fdr is not set. */
#define ANORANK_USUAL_FDR 0.1

/* What can be said of all rows together. The first that holds of SHIFT, DEPENDENT, RATE, APART. */
typedef enum anorank_headline_kind {
  ANORANK_HEADLINE_RATE = 1, /* exchangeable rows and a clean history: a false-discovery rate is promised */
  ANORANK_HEADLINE_APART,    /* one file, or too few rows to test: how many rows are apart; no rate */
  ANORANK_HEADLINE_DEPENDENT, /* rows resemble rows near them or of one entity, or are compared with them: no rate */
  ANORANK_HEADLINE_SHIFT /* the rows as a whole differ from the training rows: no rate */
} anorank_headline_kind;

/* May grow at the end. */
typedef struct anorank_headline {
  anorank_headline_kind kind;
  double rate;    /* promised: at most about such a share of the rows selected are false alarms; 0: none is */
  size_t apart;   /* rows of the first tier, of all rows */
  size_t unusual; /* and of the second */
  double differing; /* share of rows that differ from the training rows; 0 in the training table itself */
  anorank_dependence dependence; /* of the training rows */
  char shifted
      [256]; /* of SHIFT: the columns that moved most, "'a' increased, 'b' is mostly missing"; "": none */
  size_t entities;  /* in the table; 0: incidents are not looked for, since rows have no entities or times */
  size_t incidents; /* of rows that mass or fdr select or, without them, of rows above the last tier */
  size_t incident_entities; /* entities that have these */
  size_t listed_incidents;  /* the same of rows that mass or fdr select or, without them, with p <= 0.01 */
  double false_incidents;   /* of these expected per 1,000 normal rows */
  double false_incidents_per_day; /* the same for the rows of this table; NaN: it has no times */
  char by[64];                    /* the first entity column; "": none */
} anorank_headline;

/* What came of it as a whole. Sentences are "" where there is nothing to say. May grow at the end. */
typedef struct anorank_ranking_info {
  size_t rows;        /* ranked */
  size_t count;       /* reported */
  size_t discoveries; /* of all rows: a q-value of at most the setting fdr, or ANORANK_USUAL_FDR */
  const char *answer; /* the headline as a sentence: "3 of 12,000 rows stand out; at most about 10 % ..." */
  const char
      *note; /* about the selection: ties at the border, why no row was selected, rows without reasons */
  const char *reach;      /* in a table of many columns: which of them were searched for reasons */
  const char *resolution; /* what so many calibration rows can show about so many rows */
  const double *p_values; /* of all rows, in the order of the table; NULL: they were read in parts */
  anorank_headline headline;
  const char *note_code, *reach_code, *resolution_code; /* docs/errors.md; "" where the sentence is */
  const char *expected;                                 /* how many incidents normal rows would give */
  const anorank_silence *silences;                      /* longest first; NULL: none */
  size_t silence_count;
} anorank_ranking_info;

/* Lent; NULL without a ranking. */
ANORANK_API const anorank_ranking_info *anorank_ranking_get_info(const anorank_ranking *ranking);

/* The i-th row reported, and its k-th reason, the one with the largest contribution first; NULL past the
 * end. */
ANORANK_API const anorank_finding *anorank_ranking_at(const anorank_ranking *ranking, size_t i);
ANORANK_API const anorank_reason *anorank_ranking_reason(const anorank_ranking *ranking, size_t i, size_t k);

/* The ranking as a table to write or to work with: the model's id columns, the columns that `keep` names
 * ("all", or names separated by commas; NULL or "": none), then rank, row (from 1), score, p_value,
 * q_value and, if `reasons` is not 0, tier ("apart", "unusual" or "rest") and reasons (sentences, joined by "; "). `table` is the one that was
 * judged; its cells are copied, as the file has them where the setting `keep` named the column when it was
 * read, else as anorank_table_text gives them.
 * Names are unique: a column of the table that is called as one of ours becomes score_1, and so on. A name
 * in `keep` that the table lacks is ANORANK_ERROR_USAGE. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_ranking_table(anorank_table **out,
                                                                    const anorank_ranking *ranking,
                                                                    const anorank_table *table,
                                                                    const char *keep, int reasons,
                                                                    anorank_error *err);

#ifdef __cplusplus
}
#endif
#endif
