/* anorank.h - rank the rows of a table by how abnormal they are, without labels, and say how far to trust
 * that order.
 *
 * This is the whole public interface. Conventions that hold for every function:
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
#define ANORANK_VERSION_MINOR 2
#define ANORANK_VERSION_PATCH 0

/* "0.2.0": the version of the library that is running, which may differ from the header's. */
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

#define ANORANK_MESSAGE_SIZE 1024
#define ANORANK_REMEDIES 4

/* A setting that lets the call that failed get past this error when it is given this value and all else stays
 * as it was. The value is whole and unquoted, as anorank_settings_set takes it. */
typedef struct anorank_remedy {
  char setting[32];
  char value[256];
} anorank_remedy;

/* Owned by the caller, who starts it with {0} (C++: {}); all is 0 or "" until something fails, and
 * whatever does not apply stays so. The message is a sentence: UTF-8 without control characters or newline
 * at its end, what was wrong, where, and what to do. It names settings, never options of the command line:
 * the remedies say what to set, and each front end words them in its own way. A path or name that is too
 * long for its field is cut at a character; a remedy that does not fit is left out. */
typedef struct anorank_error {
  char message[ANORANK_MESSAGE_SIZE];
  anorank_status status;
  uint32_t remedy_count;
  uint64_t line;    /* of the file, from 1 */
  uint64_t row;     /* of the table, from 1 */
  char file[512];   /* as it was named, "standard input" for that */
  char column[256]; /* name of the column */
  char setting[32]; /* the setting that is wrong, or that another value of could help */
  anorank_remedy remedy[ANORANK_REMEDIES]; /* any one of them does */
  unsigned char reserved[512];
} anorank_error;

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
typedef enum anorank_missing_policy {
  ANORANK_MISSING_INDICATOR = 0,
  ANORANK_MISSING_ERROR
} anorank_missing_policy;

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
  ANORANK_FOR_VERDICT = 256,  /* ranking and explaining rows */
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

ANORANK_API size_t anorank_setting_count(void);

/* The i-th row of the table, NULL past its end. */
ANORANK_API const anorank_setting *anorank_setting_at(size_t i);

/* The row with that name, NULL if there is none. */
ANORANK_API const anorank_setting *anorank_setting_find(const char *name);

/* The defaults; and a copy of other settings (NULL: the defaults), progress callback included. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_settings_new(anorank_settings **out,
                                                                   anorank_error *err);
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_settings_copy(anorank_settings **out,
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
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_settings_set_integer(anorank_settings *settings,
                                                                           const char *name, int64_t value,
                                                                           anorank_error *err);
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

/* Are the cells of the column remembered as the file has them (setting `keep`)? 0: no; 1: yes, and they are
 * plain numbers, which JSON has as such; 2: yes. */
ANORANK_API int anorank_table_verbatim(const anorank_table *table, size_t column);

/* Put an apostrophe before every text and name of the table that a spreadsheet would run as a formula when
 * it opens the file: those that begin with = + - @, a tab or a carriage return and are no numbers. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_table_guard_formulas(anorank_table *table,
                                                                           anorank_error *err);

/* How much a note matters, the most important kind first: a program that shows a few of them sorts by it. */
typedef enum anorank_note_kind {
  ANORANK_NOTE_WARNING = 0, /* the result may mislead until somebody has looked at this */
  ANORANK_NOTE_LEFT_OUT,    /* columns or rows that were not used */
  ANORANK_NOTE_UNDERSTOOD,  /* how columns and cells were taken: numbers, categories, missing, constant */
  ANORANK_NOTE_ASSUMED,     /* what p-values and rates rest on */
  ANORANK_NOTE_DETAIL       /* of the method: what was fitted, and its size */
} anorank_note_kind;

/* What was assumed or noticed while the file was read, in sentences: how numbers and dates were
 * understood, lines that were passed over, names that were changed, the encoding. Notes here and elsewhere
 * write a setting as `name`, so that a program can put its own word for it. */
ANORANK_API size_t anorank_table_notes(const anorank_table *table);
ANORANK_API const char *anorank_table_note(const anorank_table *table, size_t i);
ANORANK_API anorank_note_kind anorank_table_note_kind(const anorank_table *table, size_t i);

/* Bytes of memory that the table holds. */
ANORANK_API size_t anorank_table_bytes(const anorank_table *table);

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

/* ---- files of tables --------------------------------------------------------------------------------- */

/* A file format. */
typedef struct anorank_format {
  const char *name;    /* as in the setting `input-format` */
  const char *help;    /* one line */
  const char *endings; /* of file names, separated by spaces */
  int reads, writes;   /* can it be read, can it be written? */
} anorank_format;

ANORANK_API size_t anorank_format_count(void);
ANORANK_API const anorank_format *anorank_format_at(size_t i);

/* Read a whole file: CSV, TSV, JSON lines, a JSON array, an Excel workbook (.xlsx), NPY or NPZ, plain or
 * compressed by gzip or zstd; "-" is standard input. A column is numeric if at least nine tenths of its
 * filled cells in the first MiB are numbers, written in one way, and a time if so many are dates or times
 * of day; a cell that then is not one is an error that names line and column. docs/files.md says what
 * becomes of what. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_table_read(anorank_table **out, const char *path,
                                                                 const anorank_settings *settings,
                                                                 anorank_error *err);

/* The same from bytes in memory; `name` is what messages call it. The bytes are borrowed for the call. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_table_read_memory(anorank_table **out,
                                                                        const void *bytes, size_t length,
                                                                        const char *name,
                                                                        const anorank_settings *settings,
                                                                        anorank_error *err);

/* The same from a function that fetches bytes. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_table_read_callback(anorank_table **out,
                                                                          anorank_read read, void *context,
                                                                          const char *name,
                                                                          const anorank_settings *settings,
                                                                          anorank_error *err);

/* A reader hands out a file in blocks of bounded memory. */
typedef struct anorank_reader anorank_reader;

ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_reader_open(anorank_reader **out, const char *path,
                                                                  const anorank_settings *settings,
                                                                  anorank_error *err);

/* From bytes in memory or from a function that fetches them, plain or compressed, in any format (NPZ is
 * held in memory whole). `name` is what messages call it, and its ending counts as a file's does; NULL:
 * "memory" or "callback". Bytes and context are borrowed until the reader is freed. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_reader_open_memory(anorank_reader **out,
                                                                         const void *bytes, size_t length,
                                                                         const char *name,
                                                                         const anorank_settings *settings,
                                                                         anorank_error *err);
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_reader_open_callback(anorank_reader **out,
                                                                           anorank_read read, void *context,
                                                                           const char *name,
                                                                           const anorank_settings *settings,
                                                                           anorank_error *err);

/* The next block, NULL in `*block` at the end. The block belongs to the reader and lives until the next call
 * or the reader's end; levels keep their codes from block to block. A file without rows of data still opens;
 * its columns are those of the table that anorank_reader_schema lends. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_reader_next(anorank_reader *reader,
                                                                  const anorank_table **block,
                                                                  anorank_error *err);

/* Before the next block, forget the levels of every column that has more than a thousand of them; their codes
 * then begin anew. For those who keep no codes from block to block: else the names in a long file fill the
 * memory. Call it after each block. */
ANORANK_API void anorank_reader_forget(anorank_reader *reader);

/* From the next call on, read the block after on a thread of its own while the caller works on this one: reading,
 * decompressing and parsing then overlap with the caller's work. Blocks, errors and notes come in the same order;
 * blocks of the usual size are half as large, so that two take the memory of one. Levels are forgotten before each
 * block, as by anorank_reader_forget. A function that fetches bytes (anorank_reader_open_callback) is called on that
 * thread; progress is told on the caller's as ever. Freeing the reader ends the thread. Nothing happens with `threads`
 * 1, for blocks that `block-rows` makes larger than 8 MiB, or where no thread can be had. */
ANORANK_API void anorank_reader_ahead(anorank_reader *reader);

/* Names and kinds of the columns: a table whose rows are those of the last block (none before the first). */
ANORANK_API const anorank_table *anorank_reader_schema(const anorank_reader *reader);

ANORANK_API void anorank_reader_free(anorank_reader *reader);

/* A writer takes blocks with the same columns and makes a file of them. A regular file appears under its
 * name only at commit, whole; freeing a writer without commit leaves what was there before. "-" is
 * standard output, to which NPY can be written in one block only. `format` is a name of anorank_format_at;
 * NULL or "auto" goes by the name's ending, else CSV. A last ending .gz or .zst compresses. */
typedef struct anorank_writer anorank_writer;

ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_writer_open(anorank_writer **out, const char *path,
                                                                  const char *format, anorank_error *err);
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_writer_append(anorank_writer *writer,
                                                                    const anorank_table *block,
                                                                    anorank_error *err);
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_writer_commit(anorank_writer *writer,
                                                                    anorank_error *err);
ANORANK_API void anorank_writer_free(anorank_writer *writer);

/* To a function that takes the bytes, or to memory. `name` is what messages call it, and its ending counts
 * as a file's does; NULL: "callback" or "memory". A callback has had everything once commit returns;
 * without commit it may have had a part. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_writer_open_callback(anorank_writer **out,
                                                                           anorank_write write, void *context,
                                                                           const char *name,
                                                                           const char *format,
                                                                           anorank_error *err);
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_writer_open_memory(anorank_writer **out,
                                                                         const char *name, const char *format,
                                                                         anorank_error *err);

/* What a writer to memory has made, once after commit. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_writer_take(unsigned char **out, size_t *length,
                                                                  anorank_writer *writer, anorank_error *err);

/* open_memory, append, commit, take. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_table_to_bytes(unsigned char **out, size_t *length,
                                                                     const anorank_table *table,
                                                                     const char *format, anorank_error *err);

/* open, append, commit. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_table_write(const anorank_table *table,
                                                                  const char *path, const char *format,
                                                                  anorank_error *err);

/* A file of bytes of your own that appears whole or not at all, as a writer's does: under its name only at
 * commit; "-" is standard output; a last ending .gz or .zst compresses. */
typedef struct anorank_file anorank_file;

ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_file_open(anorank_file **out, const char *path,
                                                                anorank_error *err);
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_file_write(anorank_file *file, const void *bytes,
                                                                 size_t length, anorank_error *err);
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_file_commit(anorank_file *file, anorank_error *err);
ANORANK_API void anorank_file_free(anorank_file *file);

/* ---- the second sample and simulated data ------------------------------------------------------------ */

typedef struct anorank_law {
  const char *name;
  const char *help;     /* one line */
  const char *settings; /* names of the settings it reads, separated by spaces */
  int around_data;      /* 0: needs no data; 1: can use data; 2: must have data */
} anorank_law;

ANORANK_API size_t anorank_law_count(void);
ANORANK_API const anorank_law *anorank_law_at(size_t i);

/* Draw `settings->rows` rows of `settings->law`. `data` may be NULL for laws that allow it. Row i depends
 * only on the law, its settings, the seed and first_row + i. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_simulate(anorank_table **out, const anorank_table *data,
                                                               const anorank_settings *settings,
                                                               anorank_error *err);

/* ---- the criterion ----------------------------------------------------------------------------------- */

/* A score-generating function: non-decreasing on (0, 1), the weight of a normal row's rank (Definition 2). */
typedef struct anorank_phi {
  const char *name;
  const char *formula;
  const char *looks_at; /* which part of the order it rewards, in a sentence */
  const char *setting;  /* the setting that is its parameter, or NULL */
  int in_paper;         /* 1: one of the paper's; 0: a preset of ours for the abnormal end */
} anorank_phi;

ANORANK_API size_t anorank_phi_count(void);
ANORANK_API const anorank_phi *anorank_phi_at(size_t i);

/* phi(u), 0 < u < 1; the parameters come from `settings` (NULL: defaults). NaN for an unknown i. */
ANORANK_API double anorank_phi_value(size_t i, double u, const anorank_settings *settings);

/* Ranks 1..n of the scores, in the order of the rows: ranks[i] is the rank of scores[i], lowest first. -0
 * ties with 0. A NaN is ANORANK_ERROR_DATA. O(n) memory and time (radix sort). */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_ranks(double *ranks, const double *scores, size_t n,
                                                            anorank_ties ties,
                                                            const anorank_settings *settings,
                                                            anorank_error *err);

/* An estimate, its standard error and an interval at `settings.level`. */
typedef struct anorank_interval {
  double estimate, sd, low, high;
} anorank_interval;

/* W_phi of the scores and its law when s does not tell X from U (permutation mean and variance, exact given
 * the ties). `p_value` is one-sided: the chance of a W as large or larger; exact for mww with n + m <= 50 and
 * no ties, by the normal law otherwise. */
typedef struct anorank_w {
  const char *phi;
  double sum;  /* sum over i of phi(Rank(s(X_i)) / (N + 1)) */
  double mean; /* sum / n */
  double null_mean, null_sd, z, p_value;
  int exact;
} anorank_w;

/* A point of the mass-volume curve: the set { s >= t }, t the (1 - mass)-quantile of the scores of X, holds
 * the share `volume` of U (Eq. 6; a straight line inside a group where X and U are tied, whatever `ties`, so
 * that the area under the curve is the reported area). [low, high] is the pointwise interval; [band_low,
 * band_high] belongs to the band that holds at once for all mass in [band_from, band_to] and is NaN outside.
 * All four are NaN without bootstrap. */
typedef struct anorank_curve_point {
  double mass, volume, low, high, band_low, band_high;
} anorank_curve_point;

/* A point of the excess-mass curve: max over sets { s >= t' } of (mass - t * volume), the sets being those of
 * the reported curve. t runs evenly from 0 to where a twentieth of what can be lost is left. */
typedef struct anorank_excess_point {
  double t, excess;
} anorank_excess_point;

/* Area under the curve over mass in [from, to]; divided by (to - from) it is a mean volume. With fewer than 20
 * rows X in that part there is no interval: its sd and limits are NaN. */
typedef struct anorank_partial_area {
  double from, to;
  anorank_interval area;
} anorank_partial_area;

/* How much of U is left to tell scorers apart: when hardly any contrast row falls among the normal ones,
 * every sensible scorer has area near 0 and the comparison is blind. */
typedef struct anorank_saturation {
  double mass;         /* 0.99 */
  size_t inside;       /* contrast rows inside the set that holds that mass */
  double share;        /* inside / m */
  int blind;           /* 1: too few inside for a verdict */
  const char *verdict; /* a sentence */
} anorank_saturation;

typedef struct anorank_judgement anorank_judgement;

/* Judge one scoring function from its scores x of n normal rows and u of m contrast rows (the label-free
 * referee). Both need at least 2 rows; a NaN is ANORANK_ERROR_DATA, infinities are allowed. O(N log N) time,
 * O(N) memory: about 16 bytes a score besides the arguments. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_judge(anorank_judgement **out, const double *x,
                                                            size_t n, const double *u, size_t m,
                                                            const anorank_settings *settings,
                                                            anorank_error *err);
ANORANK_API void anorank_judgement_free(anorank_judgement *judgement);

ANORANK_API size_t anorank_judgement_n(const anorank_judgement *judgement);
ANORANK_API size_t anorank_judgement_m(const anorank_judgement *judgement);

/* The settings it was made with, without the callbacks: what the level of its intervals is, for example. */
ANORANK_API const anorank_settings *anorank_judgement_settings(const anorank_judgement *judgement);

/* Area under the mass-volume curve, 1 - P(s(X) > s(U)) - P(s(X) = s(U)) / 2, with DeLong's variance. Smaller
 * is better; 0.5 is no order at all. (Eq. 8: n m (1 - area) + n (n + 1) / 2 is the sum of the mid-ranks of X,
 * which is (N + 1) W_mww.) The interval is normal on the logit scale; where X and U are wholly apart it is
 * Clopper and Pearson's bound from min(n, m) disjoint pairs. */
ANORANK_API anorank_interval anorank_judgement_area(const anorank_judgement *judgement);

/* One result per score-generating function, in the order of anorank_phi_at. */
ANORANK_API const anorank_w *anorank_judgement_w(const anorank_judgement *judgement, size_t *count);
ANORANK_API const anorank_curve_point *anorank_judgement_curve(const anorank_judgement *judgement,
                                                               size_t *count);
ANORANK_API const anorank_excess_point *anorank_judgement_excess(const anorank_judgement *judgement,
                                                                 size_t *count);
ANORANK_API const anorank_partial_area *anorank_judgement_partial(const anorank_judgement *judgement,
                                                                  size_t *count);
ANORANK_API anorank_saturation anorank_judgement_saturation(const anorank_judgement *judgement);

/* Two scorers on the same rows, paired. `difference` is first minus second: below 0, the first is better.
 * p_value is two-sided, for a difference of 0: DeLong's test, and the sign test over min(n, m) disjoint pairs
 * where the difference has no variance. */
typedef struct anorank_comparison {
  anorank_interval first, second, difference;
  double z, p_value;
  anorank_partial_area partial_difference; /* over the highest mass, 0.9 to 1: the abnormal end */
  double partial_z, partial_p_value;       /* NaN, as is the interval, with fewer than 5 rows there: n < 50 */
} anorank_comparison;

ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_compare(anorank_comparison *out, const double *x_first,
                                                              const double *x_second, size_t n,
                                                              const double *u_first, const double *u_second,
                                                              size_t m, const anorank_settings *settings,
                                                              anorank_error *err);

/* Where the user has labels (1 = anomaly, 0 = normal; lower scores should be the anomalies). */
typedef struct anorank_labelled {
  size_t normal, anomalies;
  anorank_interval roc_auc;
  double average_precision;
} anorank_labelled;

ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_labelled_metrics(anorank_labelled *out,
                                                                       const double *scores,
                                                                       const unsigned char *labels, size_t n,
                                                                       const anorank_settings *settings,
                                                                       anorank_error *err);

/* Share of anomalies among the k lowest scores (the paper's Acc). Rows tied with the k-th count in the
 * proportion that the k places leave them: the mean over all ways to break the tie. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_accuracy_lowest(double *out, const double *scores,
                                                                      const unsigned char *labels, size_t n,
                                                                      size_t k, anorank_error *err);

/* ---- scorers ----------------------------------------------------------------------------------------- */

/* A class of scoring functions. */
typedef struct anorank_class {
  const char *name;
  const char *help;     /* one line */
  const char *settings; /* names of the settings it reads, separated by spaces */
  int uses_contrast;    /* 1: learns to rank X above U; 0: looks at X alone */
  int differentiable;   /* 1: trained by gradients on settings.objective */
} anorank_class;

ANORANK_API size_t anorank_class_count(void);
ANORANK_API const anorank_class *anorank_class_at(size_t i);

/* ---- models ------------------------------------------------------------------------------------------ */

/* A fitted pipeline: schema, preparation, scorer, calibration scores, settings. Immutable: many threads may
 * score with one. */
typedef struct anorank_model anorank_model;

/* Learn from the rows of a table. The plan (what was understood of each column, what was assumed) is told
 * through the notes of the model. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_fit(anorank_model **out, const anorank_table *table,
                                                          const anorank_settings *settings,
                                                          anorank_error *err);

/* The same with confirmed anomalies to learn from: the rows of `known` (NULL: none), whose columns are
 * matched by name (a missing one is ANORANK_ERROR_DATA), and those that settings.labels calls anomalies (1)
 * in the table, which then are no training rows. Rows that it calls normal (0) or leaves empty are training
 * rows. At most 1,000 anomalies are used, drawn at random. They sharpen the order of classes that learn
 * against contrast rows and of `blend`; p-values are about normal rows as before. anorank_fit is this
 * without `known`. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_fit_known(anorank_model **out,
                                                                const anorank_table *table,
                                                                const anorank_table *known,
                                                                const anorank_settings *settings,
                                                                anorank_error *err);
ANORANK_API void anorank_model_free(anorank_model *model);

/* The file appears whole or not at all; docs/model-format.md describes it. The same fit gives
 * the same bytes. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_model_save(const anorank_model *model, const char *path,
                                                                 anorank_error *err);

/* Trusts nothing: any bytes give a model that works or ANORANK_ERROR_MODEL. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_model_load(anorank_model **out, const char *path,
                                                                 anorank_error *err);
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_model_load_memory(anorank_model **out,
                                                                        const void *bytes, size_t length,
                                                                        const char *name, anorank_error *err);

/* The bytes of the file, in memory: `*out` is the caller's until anorank_bytes_free, which accepts NULL. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_model_to_bytes(unsigned char **out, size_t *length,
                                                                     const anorank_model *model,
                                                                     anorank_error *err);

/* Scores (lower = more abnormal) and p-values of the rows of a table, in row order; either array may be NULL.
 * Columns are matched by name; extra ones are passed over, missing ones are ANORANK_ERROR_DATA. A row's score
 * and p-value do not depend on the rows around it. p-values of a clean model are conformal; those of a
 * contaminated one are ranks in the bulk of the calibration scores and follow an exponential tail below
 * (docs/methods.md; anorank_model_p_value_words says which). */
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

/* What was understood and assumed at the fit, a sentence each, in the order of the work. The kind of a note
 * of a model file from before format 1.2, or past the end, is DETAIL. */
ANORANK_API size_t anorank_model_notes(const anorank_model *model);
ANORANK_API const char *anorank_model_note(const anorank_model *model, size_t i);
ANORANK_API anorank_note_kind anorank_model_note_kind(const anorank_model *model, size_t i);

ANORANK_API const anorank_settings *anorank_model_settings(const anorank_model *model);
ANORANK_API const char *anorank_model_scorer(const anorank_model *model); /* the class that was fitted */
ANORANK_API size_t anorank_model_train_rows(const anorank_model *model);
ANORANK_API size_t anorank_model_known_rows(const anorank_model *model); /* confirmed anomalies it knows */
ANORANK_API size_t anorank_model_calibration_rows(const anorank_model *model);
ANORANK_API size_t anorank_model_bytes(const anorank_model *model); /* memory held */

/* Where the scores that p-values are calibrated by come from. */
typedef enum anorank_calibration_way {
  ANORANK_CALIBRATED_UNTOLD = 0,    /* the model file is from before 0.2, and does not say */
  ANORANK_CALIBRATED_SPLIT,         /* rows kept from the fit */
  ANORANK_CALIBRATED_LEAVE_ONE_OUT, /* training rows, each as if it alone had been left out of the fit */
  ANORANK_CALIBRATED_CROSS_FIT      /* training rows, each by a fit on the other folds */
} anorank_calibration_way;

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
  anorank_calibration_way way;
  size_t folds;     /* of a cross-fit, else 0 */
  size_t rows;      /* calibration scores */
  size_t set_aside; /* the lowest so many are taken to be anomalies and do not count */
  double smallest_p_value;
  size_t tails;             /* 0: p-values are ranks among the calibration scores alone */
  const anorank_tail *tail; /* p-values of scores below tail->from; NULL: none */
  int of_logarithms;        /* 1: t above is minus the logarithm of minus the score, else the score itself */
} anorank_calibration;

/* NULL without a model. */
ANORANK_API const anorank_calibration *anorank_model_calibration(const anorank_model *model);

/* What the p-values of this model are and what they rest on, in a sentence; and the smallest that there can
 * be (NaN without a model). */
ANORANK_API const char *anorank_model_p_value_words(const anorank_model *model);
ANORANK_API double anorank_model_smallest_p_value(const anorank_model *model);

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

ANORANK_API size_t anorank_model_columns(const anorank_model *model);
ANORANK_API const anorank_model_column *anorank_model_column_at(const anorank_model *model,
                                                                size_t i); /* NULL past the last */

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

ANORANK_API size_t anorank_scorer_fields(const anorank_scorer *scorer); /* cells of a row */

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

/* ---- verdicts ---------------------------------------------------------------------------------------- */

/* What a reason says of a cell. */
typedef enum anorank_reason_kind {
  ANORANK_REASON_USUAL = 0, /* nothing by itself: what it adds, it adds with all others */
  ANORANK_REASON_HIGH,      /* a number above usual_high */
  ANORANK_REASON_LOW,       /* a number below usual_low */
  ANORANK_REASON_TOGETHER,  /* not what similar rows have */
  ANORANK_REASON_RARE,      /* a level that fewer than one training row in twenty has */
  ANORANK_REASON_MISSING,   /* no value */
  ANORANK_REASON_NEW_LEVEL, /* a level that no training row has */
  ANORANK_REASON_NEW_VALUE, /* another value in a column that was constant */
  ANORANK_REASON_HOUR, /* a time (`number`, seconds since 1970): `share` of the rows are in its clock hour */
  ANORANK_REASON_WEEKDAY /* a time: `share` of the rows are on its day of the week */
} anorank_reason_kind;

/* Why a row is abnormal, about one column. Similar rows are training rows: of those that the model kept
 * (at most 1,024), the 32 nearest in all other columns, all that are as near as the last of these, and one
 * row the less if it is the very row that is explained; fewer of fewer than 512 rows, never fewer than 8.
 * docs/methods.md has the distance. What they have is told of their cells that have a value, never of
 * imputed ones. May grow at the end. */
typedef struct anorank_reason {
  const char *column;
  size_t index; /* of the column in the model */
  anorank_reason_kind kind;
  /* What the column adds to the abnormality of the row: by how much the score would rise if the cell were as
   * in usual rows that resemble this one in all other columns, times the squared distance to their cells in
   * ten standard deviations, at most 1. */
  double contribution;
  double number;     /* the cell; NaN: missing, or a text */
  const char *level; /* the cell as a text; NULL: missing, or a number */
  double share;      /* of the training rows with this level, or, of a missing cell, without a value */
  double usual_low;  /* 5 and 95 % quantiles of the training rows, for a constant column its value; NaN for */
  double usual_high; /* texts */
  size_t similar_rows; /* with a value here; 0: there is no other column, or no row to compare with */
  double similar_low;  /* numbers: their 10 and 90 % quantiles; else NaN */
  double similar_high;
  const char *similar_level; /* texts: what most of them have; else NULL */
  double similar_share;      /* texts: of similar rows that have the level of this row; else NaN */
} anorank_reason;

/* The reason as a sentence without a full stop, "amount 41.2 is far above its usual 0.3 to 9.8", in at
 * most `size` bytes. Returns its length, as snprintf does. */
ANORANK_API size_t anorank_reason_text(const anorank_reason *reason, char *text, size_t size);

/* One row of a table as judged by a model. May grow at the end. */
typedef struct anorank_finding {
  size_t rank; /* 1: the most abnormal; rows with equal scores share the first one's */
  size_t row;  /* of the table, from 0 */
  double score;
  double p_value; /* share of normal rows that would look at least as abnormal (anorank_model_score) */
  double q_value; /* smallest false-discovery rate at which the row is selected (Benjamini-Hochberg) */
  size_t reasons; /* how many it has: anorank_verdict_reason */
} anorank_finding;

typedef struct anorank_verdict anorank_verdict;

/* Where nothing chooses rows (lowest, mass and fdr all 0), at least 20 and at most so many of the most
 * abnormal have reasons, fewer the more features the model has. */
#define ANORANK_UNASKED_REASONS 1000

/* Judge all rows of a table and report those that lowest, mass or fdr choose (at most one of them may be set;
 * all rows if none is), most abnormal first, each with up to settings->reasons reasons of positive
 * contribution. q-values are over all rows of the table. Rows tied with the last one of `lowest` are reported
 * too, and the note says so. Reasons cost at most 640 scores for each row reported; of many columns those are
 * asked about whose cells are farthest from the cells of similar rows. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_verdict_make(anorank_verdict **out,
                                                                   const anorank_model *model,
                                                                   const anorank_table *table,
                                                                   const anorank_settings *settings,
                                                                   anorank_error *err);

/* Fit a model on a table and judge the same table by it, in one go: anorank_fit_known and
 * anorank_verdict_make (`known` may be NULL), but no row is prepared or scored twice, and each row of the fit
 * is judged by the score that it would have, had it alone been left out, where the class can tell (all that
 * look at neighbours can). */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_detect(anorank_model **out, anorank_verdict **verdict,
                                                             const anorank_table *table,
                                                             const anorank_table *known,
                                                             const anorank_settings *settings,
                                                             anorank_error *err);

/* One row in depth: a verdict with this row alone, its rank and q-value among all rows of the table, and a
 * reason for every column that the model uses, whatever the sign of its contribution; of very many columns
 * (some thousands) for those whose cells are farthest from the cells of similar rows, and the note says
 * so. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_explain(anorank_verdict **out,
                                                              const anorank_model *model,
                                                              const anorank_table *table, size_t row,
                                                              const anorank_settings *settings,
                                                              anorank_error *err);
ANORANK_API void anorank_verdict_free(anorank_verdict *verdict);

ANORANK_API size_t anorank_verdict_rows(const anorank_verdict *verdict);  /* judged */
ANORANK_API size_t anorank_verdict_count(const anorank_verdict *verdict); /* reported */

/* How many of all rows judged have a q-value of at most the setting fdr, or of ANORANK_USUAL_FDR where
 * that is not set: what stands out, whatever was reported. */
ANORANK_API size_t anorank_verdict_discoveries(const anorank_verdict *verdict);
#define ANORANK_USUAL_FDR 0.1

/* The i-th row reported, and its k-th reason, the one with the largest contribution first; NULL past the
 * end. */
ANORANK_API const anorank_finding *anorank_verdict_at(const anorank_verdict *verdict, size_t i);
ANORANK_API const anorank_reason *anorank_verdict_reason(const anorank_verdict *verdict, size_t i, size_t k);

/* The verdict as a table to write or to work with: the model's id columns, the columns that `keep` names
 * ("all", or names separated by commas; NULL or "": none), then rank, row (from 1), score, p_value,
 * q_value and, if `reasons` is not 0, reasons (sentences, joined by "; "). `table` is the one that was
 * judged; its cells are copied, as the file has them where the setting `keep` named the column when it was
 * read, else as anorank_table_text gives them.
 * Names are unique: a column of the table that is called as one of ours becomes score_1, and so on. A name
 * in `keep` that the table lacks is ANORANK_ERROR_USAGE. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_verdict_table(anorank_table **out,
                                                                    const anorank_verdict *verdict,
                                                                    const anorank_table *table,
                                                                    const char *keep, int reasons,
                                                                    anorank_error *err);

/* The answer in one line: "3 of 12,000 rows stand out at a false-discovery rate of 10 %". */
ANORANK_API const char *anorank_verdict_answer(const anorank_verdict *verdict);

/* What there is to say about the selection: "asked for 100; 103 rows, since 4 are tied at the border", why
 * none was selected, or which rows have no reasons; or "". */
ANORANK_API const char *anorank_verdict_note(const anorank_verdict *verdict);

/* In a table of many columns reasons are sought among those that matter most: a sentence that says so, ""
 * where all columns were looked at. */
ANORANK_API const char *anorank_verdict_reach(const anorank_verdict *verdict);

/* What so many calibration rows can show about so many rows, and what that rests on, in words. */
ANORANK_API const char *anorank_verdict_resolution(const anorank_verdict *verdict);

/* ---- answers of a person ------------------------------------------------------------------------------ */

/* Experimental: all of this section may change in any version (VERSIONING.md). */

/* anorank_fit_known and anorank_detect with labels of the rows: 1 anomaly, 0 normal, -1 where nobody knows; NULL:
 * none. They add to those of the column that settings.labels names, and win over them. Anomalies are no training
 * rows; rows like them rank as more abnormal. Normal rows stay training rows; under the scorer `blend` rows like
 * them rank as less abnormal, and rows like neither keep their place. */
ANORANK_API ANORANK_MUST_CHECK anorank_status
anorank_fit_labelled(anorank_model **out, const anorank_table *table, const signed char *labels,
                     const anorank_table *known, const anorank_settings *settings, anorank_error *err);
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_detect_labelled(
    anorank_model **out, anorank_verdict **verdict, const anorank_table *table, const signed char *labels,
    const anorank_table *known, const anorank_settings *settings, anorank_error *err);

typedef enum anorank_answer {
  ANORANK_ANSWER_OPEN = -1, /* not answered yet */
  ANORANK_ANSWER_NORMAL = 0,
  ANORANK_ANSWER_ANOMALY = 1,
  ANORANK_ANSWER_SKIPPED = 2 /* nobody knows; not to be asked again */
} anorank_answer;

/* A review: the rows of one table that a person is asked about, and the answers. A round is
 *   anorank_detect_labelled(.., anorank_review_labels(review), ..);
 *   anorank_review_ask(review, verdict, ..);
 *   anorank_review_answer(..) of each row that is open. */
typedef struct anorank_review anorank_review;

/* The table must outlive the review. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_review_new(anorank_review **out,
                                                                 const anorank_table *table,
                                                                 anorank_error *err);
ANORANK_API void anorank_review_free(anorank_review *review);

/* Take in a table of answers: `label` (1, 0, skip, or empty: open; words as in the column of settings.labels), and
 * `row` (from 1), the identifiers that settings.id names, or both. Where both are there and disagree, the
 * identifiers decide. Of two answers about a row the later counts. Other columns are passed over. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_review_read(anorank_review *review,
                                                                  const anorank_table *answers,
                                                                  const anorank_settings *settings,
                                                                  anorank_error *err);

/* Ask about the most abnormal rows that the verdict reports and nobody was asked about, until
 * settings.review_rows are open; open ones are given their reasons. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_review_ask(anorank_review *review,
                                                                 const anorank_verdict *verdict,
                                                                 const anorank_settings *settings,
                                                                 anorank_error *err);

/* `row` from 0. A row that nobody was asked about may be answered, too, and an answer changed. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_review_answer(anorank_review *review, size_t row,
                                                                    anorank_answer answer,
                                                                    anorank_error *err);

/* The table of answers, in the order asked: the identifiers that settings.id names, row, label and, of open rows,
 * reasons. anorank_review_read takes it back. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_review_table(anorank_table **out,
                                                                   const anorank_review *review,
                                                                   const anorank_settings *settings,
                                                                   anorank_error *err);

/* The i-th row that was asked about: its number in the table (SIZE_MAX past the last), answer and reasons (""). */
ANORANK_API size_t anorank_review_asked(const anorank_review *review);
ANORANK_API size_t anorank_review_row(const anorank_review *review, size_t i);
ANORANK_API anorank_answer anorank_review_answer_of(const anorank_review *review, size_t i);
ANORANK_API const char *anorank_review_reasons(const anorank_review *review, size_t i);

/* Of each row of the table: 1, 0 or -1, for anorank_fit_labelled. Lent; changes with the answers. */
ANORANK_API const signed char *anorank_review_labels(const anorank_review *review);

/* ---- evaluating models ------------------------------------------------------------------------------- */

/* Experimental: all of this section may change in any version (VERSIONING.md). */

/* What two orders have in common among their k lowest rows: the share of these that both have. Rows tied at
 * the border count as if each order broke its ties by lot. */
typedef struct anorank_overlap {
  double share;     /* of all rows: 0.01, 0.05, 0.1 */
  size_t rows;      /* k, that share of the rows rounded up */
  double overlap;   /* in [0, 1] */
  double by_chance; /* of two orders that have nothing to do with each other: k / n */
} anorank_overlap;

#define ANORANK_AGREEMENT_SHARES 3

/* How far two orders of the same rows agree. */
typedef struct anorank_agreement {
  size_t rows;
  double spearman; /* correlation of the mid-ranks; NaN where one of the two is constant */
  anorank_overlap lowest[ANORANK_AGREEMENT_SHARES];
} anorank_agreement;

/* At least 2 rows; a NaN is ANORANK_ERROR_DATA. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_agree(anorank_agreement *out, const double *first,
                                                            const double *second, size_t n,
                                                            const anorank_settings *settings,
                                                            anorank_error *err);

/* Share of anomalies among the k lowest labelled rows (anorank_accuracy_lowest). */
typedef struct anorank_precision {
  size_t k;
  double precision;
} anorank_precision;

/* How good the order of one model is on rows that it was not fitted on, or of two on the same rows. */
typedef struct anorank_evaluation anorank_evaluation;

/* Judge a model on the rows of a table, against contrast rows of the law settings->contrast around them.
 * Without a model (NULL): split the rows at random in thirds, fit on two with these settings, judge on the
 * last; two more fits, on one third each, show how stable the order is. With settings->labels also the
 * measures that need labels; a fit never sees these, but if it is told that its rows are normal (clean), rows
 * labelled as anomalies are left out of it and of all but those measures. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_evaluate(anorank_evaluation **out,
                                                               const anorank_model *model,
                                                               const anorank_table *table,
                                                               const anorank_settings *settings,
                                                               anorank_error *err);

/* Two models, or without models (both NULL) two fits with these two settings on the same two thirds of the
 * rows, on the same rows and against the same contrast rows. What is not about fitting comes from the first
 * settings. */
ANORANK_API ANORANK_MUST_CHECK anorank_status
anorank_evaluate_two(anorank_evaluation **out, const anorank_model *first, const anorank_model *second,
                     const anorank_table *table, const anorank_settings *settings,
                     const anorank_settings *second_settings, anorank_error *err);
/* Two ways of fitting over `splits` (5 to 1,000) random splits of the rows, with seeds seed, seed + 1, ...: one
 * split compares two fits, this compares what was fitted. May grow at the end. */
typedef struct anorank_repeats {
  size_t splits;
  size_t first_better;         /* splits in which the first has the smaller area */
  anorank_interval difference; /* mean of the areas' differences, first minus second; the interval allows for
                                * the rows that the splits share (corrected resampled t) */
} anorank_repeats;

ANORANK_API ANORANK_MUST_CHECK anorank_status
anorank_evaluate_repeated(anorank_repeats *out, const anorank_table *table, const anorank_settings *settings,
                          const anorank_settings *second_settings, size_t splits, anorank_error *err);

ANORANK_API void anorank_evaluation_free(anorank_evaluation *evaluation);

/* Of `which` = 0 or, of two, 1; NULL past that. */
ANORANK_API const anorank_judgement *anorank_evaluation_judgement(const anorank_evaluation *evaluation,
                                                                  size_t which);
ANORANK_API const char *anorank_evaluation_scorer(const anorank_evaluation *evaluation, size_t which);

/* NULL without labels of both kinds. */
ANORANK_API const anorank_labelled *anorank_evaluation_labelled(const anorank_evaluation *evaluation,
                                                                size_t which);

/* At k = 10, 50, 100 and the number of anomalies, ascending, as far as there are so many labelled rows. */
ANORANK_API const anorank_precision *anorank_evaluation_precision(const anorank_evaluation *evaluation,
                                                                  size_t which, size_t *count);

/* Two fits of one kind on disjoint thirds of the rows, on the held-out rows; NULL for given models. */
ANORANK_API const anorank_agreement *anorank_evaluation_stability(const anorank_evaluation *evaluation);

/* Of two: the difference of areas, paired; how far the orders agree; the difference of ROC-AUC (first minus
 * second, as all differences; above 0, the first is better) with DeLong's paired interval. NULL for one, and
 * the last without labels. */
typedef struct anorank_auc_difference {
  anorank_interval difference;
  double z, p_value;
} anorank_auc_difference;

ANORANK_API const anorank_comparison *anorank_evaluation_comparison(const anorank_evaluation *evaluation);
ANORANK_API const anorank_agreement *anorank_evaluation_agreement(const anorank_evaluation *evaluation);
ANORANK_API const anorank_auc_difference *
anorank_evaluation_auc_difference(const anorank_evaluation *evaluation);

/* The law of the contrast rows, and whether a set's share of them is its volume. */
ANORANK_API const char *anorank_evaluation_law(const anorank_evaluation *evaluation);
ANORANK_API int anorank_evaluation_is_volume(const anorank_evaluation *evaluation);

/* 1: the contrast rows cannot tell scorers apart (for two: neither), so there is no verdict. */
ANORANK_API int anorank_evaluation_blind(const anorank_evaluation *evaluation);
ANORANK_API size_t anorank_evaluation_fit_rows(const anorank_evaluation *evaluation); /* 0: given models */

/* What was done, a sentence each; what came of it; and what that does not prove. */
ANORANK_API size_t anorank_evaluation_notes(const anorank_evaluation *evaluation);
ANORANK_API const char *anorank_evaluation_note(const anorank_evaluation *evaluation, size_t i);
ANORANK_API const char *anorank_evaluation_verdict(const anorank_evaluation *evaluation);
ANORANK_API const char *anorank_evaluation_caveat(const anorank_evaluation *evaluation);

/* ---- two tables -------------------------------------------------------------------------------------- */

/* Are the rows of one table drawn like those of another? Two classes learn on half of the rows to rank old rows above
 * new ones; on the other half W_phi tests whether they do, by permutation, so that the level is exact for any number of
 * rows. Up to 20,000 rows of each table are looked at, drawn at random, and the columns that both have, matched by name;
 * a column of different kinds is ANORANK_ERROR_DATA. Experimental (VERSIONING.md). */
typedef struct anorank_drift anorank_drift;

typedef enum anorank_change {
  ANORANK_CHANGE_HIGHER = 0, /* numbers: the median moved by a tenth of the spread or more */
  ANORANK_CHANGE_LOWER,
  ANORANK_CHANGE_WIDER, /* numbers: the middle half grew by a tenth or more */
  ANORANK_CHANGE_NARROWER,
  ANORANK_CHANGE_SHAPE,     /* numbers: something else; the shares up to `at` */
  ANORANK_CHANGE_LEVELS,    /* categories: the share of `level` */
  ANORANK_CHANGE_NEW_LEVEL, /* categories: no old row has `level` */
  ANORANK_CHANGE_MISSING    /* the share of missing cells */
} anorank_change;

/* One column of both tables: [0] of the old rows, [1] of the new ones. May grow at the end. */
typedef struct anorank_drift_column {
  const char *name;
  anorank_kind kind;
  size_t place;          /* among the columns that both tables have */
  anorank_change change; /* what is most to see, whether or not it is more than chance */
  double distance; /* numbers: largest difference of the shares up to a value; categories: half the sum of the
                          * differences of shares; 0 to 1 */
  double p_value;  /* of a distance as large in any column by chance: adjusted for the number of columns */
  double importance; /* what the separation loses without this column; NaN where it was not found out */
  double missing[2];
  double low[2], median[2], high[2]; /* numbers: quartiles; else NaN */
  double at;         /* numbers: the value up to which the shares of rows differ most; else NaN */
  const char *level; /* categories: the level whose share changed most; else NULL */
  double share[2];   /* of the rows up to that value, or with that level */
} anorank_drift_column;

ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_drift_make(anorank_drift **out,
                                                                 const anorank_table *old_rows,
                                                                 const anorank_table *new_rows,
                                                                 const anorank_settings *settings,
                                                                 anorank_error *err);
ANORANK_API void anorank_drift_free(anorank_drift *drift);

/* Of the hypothesis that the rows are drawn alike: twice the smaller of the next one and the smallest of the columns';
 * and of what was learned from all columns together. NaN without a result. */
ANORANK_API double anorank_drift_p_value(const anorank_drift *drift);
ANORANK_API double anorank_drift_joint_p_value(const anorank_drift *drift);

/* The probability that an old row is ranked above a new one, on rows that nothing was learned from: 0.5 where
 * nothing tells them apart, 1 where everything does. */
ANORANK_API anorank_interval anorank_drift_separation(const anorank_drift *drift);

/* The phi whose W departs most from what chance gives. */
ANORANK_API const char *anorank_drift_phi(const anorank_drift *drift);

/* How many old (0) and new (1) rows were looked at. */
ANORANK_API size_t anorank_drift_rows(const anorank_drift *drift, int which);

/* A sentence. */
ANORANK_API const char *anorank_drift_verdict(const anorank_drift *drift);

/* The columns, the surest change first; NULL past the last. */
ANORANK_API size_t anorank_drift_columns(const anorank_drift *drift);
ANORANK_API const anorank_drift_column *anorank_drift_column_at(const anorank_drift *drift, size_t i);

/* What changed, without a full stop: "amount is higher: median 1250, was 12.5, 100 times as much", in at most `size`
 * bytes. Returns its length, as snprintf does. */
ANORANK_API size_t anorank_drift_column_text(const anorank_drift_column *column, char *text, size_t size);

/* What was left out or assumed, a sentence each. */
ANORANK_API size_t anorank_drift_notes(const anorank_drift *drift);
ANORANK_API const char *anorank_drift_note(const anorank_drift *drift, size_t i);

/* ---- reports ----------------------------------------------------------------------------------------- */

/* What a report is about. Start with {0} (C++: {}) and fill in what there is; texts are for people.
 * Experimental (VERSIONING.md). */
typedef struct anorank_report {
  const anorank_model *model;     /* needed */
  const anorank_table *table;     /* the rows judged: needed */
  const anorank_verdict *verdict; /* of that table by that model; NULL: judged anew */
  const anorank_evaluation
      *evaluation;            /* of one model; NULL: the report says nothing of how good the order is */
  const struct anorank_stream *stream; /* for the notes of its shift check (experimental.h); NULL: none */
  const char *title;          /* NULL: what the table was read from */
  const char *command;        /* that repeats it; NULL: not told */
  const char *table_path, *model_path; /* files whose digest (SHA-256) the report states; NULL or "-": none */
  const void *
      table_bytes; /* what table_path holds, where there is no such file: read from memory; NULL: it is read */
  size_t table_length; /* of table_bytes */
  void *reserved[6];   /* NULL */
} anorank_report;

/* All rows that stand out (at most 5,000), and 2,000 others drawn at random by the setting seed, with their
 * cells, reasons and neighbours; what all rows look like; how good the order is; settings and provenance. One HTML
 * file that loads nothing, for a browser of 2022 or later; docs/report.md describes it. The same arguments give the
 * same bytes. "-" is standard output. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_report_write(const char *path,
                                                                   const anorank_report *report,
                                                                   const anorank_settings *settings,
                                                                   anorank_error *err);

/* The same as bytes. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_report_to_bytes(unsigned char **out, size_t *length,
                                                                      const anorank_report *report,
                                                                      const anorank_settings *settings,
                                                                      anorank_error *err);

/* ---- figures ----------------------------------------------------------------------------------------- */

/* The mass-volume curves with their bands, as an SVG file (mass on x, volume on y). `second` may be NULL.
 * Labels are for the legend. "-" is standard output. */
ANORANK_API ANORANK_MUST_CHECK anorank_status
anorank_figure_mass_volume(const char *path, const anorank_judgement *first, const char *first_label,
                           const anorank_judgement *second, const char *second_label, anorank_error *err);

/* The same as bytes. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_figure_mass_volume_to_bytes(
    unsigned char **out, size_t *length, const anorank_judgement *first, const char *first_label,
    const anorank_judgement *second, const char *second_label, anorank_error *err);

enum {
  ANORANK_FIGURE_USES = 1, /* draws it where it is there */
  ANORANK_FIGURE_NEEDS = 2 /* cannot be drawn without */
};

/* A chart of a report, as a figure of its own. May grow at the end. Experimental (VERSIONING.md). */
typedef struct anorank_figure_kind {
  const char *name;
  const char *shows; /* a clause */
  int evaluation;    /* of the report: 0 or ANORANK_FIGURE_... */
  int labels;        /* the setting labels: the same */
} anorank_figure_kind;

ANORANK_API const anorank_figure_kind *anorank_figure_kind_at(size_t i); /* NULL past the last */

/* The figure `name` of what anorank_report_write would show, from the same numbers, as an SVG file. "-" is standard
 * output. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_figure_write(const char *path, const char *name,
                                                                   const anorank_report *report,
                                                                   const anorank_settings *settings,
                                                                   anorank_error *err);

/* The same as bytes. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_figure_to_bytes(unsigned char **out, size_t *length,
                                                                      const char *name,
                                                                      const anorank_report *report,
                                                                      const anorank_settings *settings,
                                                                      anorank_error *err);

#ifdef __cplusplus
}
#endif
#endif
