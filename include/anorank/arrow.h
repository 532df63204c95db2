/* arrow.h - tables from and to the Arrow C data and C stream interfaces
 * (https://arrow.apache.org/docs/format/ CDataInterface.html): three structs that pandas, Polars, pyarrow,
 * DuckDB, R and others export without a copy. Arrow is required neither to build nor to run. Conventions as in
 * anorank.h.
 *
 * Supported types: integers, floats including half, booleans, decimals up to 128 bits and durations (in
 * seconds) become numbers; texts (utf8, large_utf8, utf8_view) and dictionaries of texts become categories;
 * dates and timestamps become times (without a zone, UTC); times of day become seconds since midnight; null
 * columns become missing numbers. Other types are ANORANK_ERROR_DATA, as is a 64-bit integer above 2^53 that a
 * double cannot represent. Null and NaN are missing. */
#ifndef ANORANK_ARROW_H
#define ANORANK_ARROW_H

#include "anorank/anorank.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the structs, as Arrow's specification has them -------------------------------------------------- */

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
  const char *format;
  const char *name;
  const char *metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema **children;
  struct ArrowSchema *dictionary;
  void (*release)(struct ArrowSchema *);
  void *private_data;
};

struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void **buffers;
  struct ArrowArray **children;
  struct ArrowArray *dictionary;
  void (*release)(struct ArrowArray *);
  void *private_data;
};

#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
  int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
  const char *(*get_last_error)(struct ArrowArrayStream *);
  void (*release)(struct ArrowArrayStream *);
  void *private_data;
};

#endif

/* ---- in ---------------------------------------------------------------------------------------------- */

/* Read a table. These functions take ownership of their argument, like Arrow's "move": they mark the caller's
 * struct as released, and call `release` exactly once, on success or failure. A struct array is a table; any
 * other array is a table of one column. `settings` may be NULL. */

ANORANK_API ANORANK_MUST_CHECK anorank_status
anorank_table_from_arrow_stream(anorank_table **out, struct ArrowArrayStream *stream,
                                const anorank_settings *settings, anorank_error *err);

ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_table_from_arrow(anorank_table **out,
                                                                       struct ArrowArray *array,
                                                                       struct ArrowSchema *schema,
                                                                       const anorank_settings *settings,
                                                                       anorank_error *err);

/* Open a reader of blocks of bounded memory, for any sizes of the stream's arrays. Levels keep their
 * codes. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_reader_open_arrow(anorank_reader **out,
                                                                        struct ArrowArrayStream *stream,
                                                                        const anorank_settings *settings,
                                                                        anorank_error *err);

/* ---- out --------------------------------------------------------------------------------------------- */

/* Export a table as a stream of one struct array: float64, dictionaries of utf8 with int32 codes, and date32 or UTC
 * timestamps by resolution; missing cells are null. Everything is copied, so the stream may outlive the table, and any
 * thread may release its arrays. A time outside the range of its resolution is ANORANK_ERROR_DATA. On failure `out` is
 * marked as released. */
ANORANK_API ANORANK_MUST_CHECK anorank_status anorank_table_to_arrow_stream(struct ArrowArrayStream *out,
                                                                            const anorank_table *table,
                                                                            anorank_error *err);

#ifdef __cplusplus
}
#endif

#endif
