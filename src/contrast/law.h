/* law.h - one table of functions per contrast law, from which the second sample U is drawn.
 *
 * To add a law: write law_NAME.c with `const ank_law ank_law_NAME` and add its line to laws.inc. The command
 * line, the reference page and the contract tests read the registry. */
#ifndef ANK_CONTRAST_LAW_H
#define ANK_CONTRAST_LAW_H

#include "anorank/criterion.h"
#include "core/rng.h"
#include "core/status.h"
#include "table/table.h"

/* The destination of rows: first .. first + count - 1 of `table`, whose columns are those of the data (names,
 * kinds, levels) or, without data, `dim` numeric ones. Row i is drawn only from the generator that
 * ank_draw_row opens for it. Several draws into one table run concurrently. */
typedef struct ank_draw {
  const anorank_table *data; /* NULL: none */
  const anorank_settings *settings;
  const void *learned;
  anorank_table *table;
  size_t first, count;
  uint64_t seed, stream, index; /* `index` belongs to row `first` */
} ank_draw;

static inline void ank_draw_row(ank_rng *rng, const ank_draw *draw, size_t i) {
  ank_rng_open(rng, draw->seed, draw->stream, draw->index + i);
}

/* Copy a row of the data, or its cell in one column, to row i of the draw. */
static inline void ank_copy_cell(const ank_draw *draw, size_t i, size_t row, size_t column) {
  const ank_column *from = &draw->data->column[column];
  ank_column *to = &draw->table->column[column];
  if (from->kind != ANORANK_CATEGORICAL)
    to->numbers[draw->first + i] = from->numbers[row];
  else
    to->codes[draw->first + i] = from->codes[row];
}

static inline void ank_copy_row(const ank_draw *draw, size_t i, size_t row) {
  for (size_t j = 0; j < draw->data->columns; j++) ank_copy_cell(draw, i, row, j);
}

/* Input of `made_of`, which repeats a draw: `rows` of the data, and `cells` of its columns that vary. */
typedef struct ank_origin {
  const anorank_settings *settings;
  size_t rows, cells;
} ank_origin;

typedef struct ank_law {
  anorank_law info;

  /* Check settings and data, and learn from them. The result is one block of memory, which the caller frees
   * with ank_free, also on failure. `data` is NULL if info.around_data is 0, and may be if it is 1. May be
   * NULL. */
  anorank_status (*learn)(void **learned, const anorank_table *data, const anorank_settings *settings,
                          anorank_error *err);

  /* Get the number of columns without data. NULL: settings->dim. */
  anorank_status (*columns)(size_t *out, const anorank_settings *settings, anorank_error *err);

  anorank_status (*draw)(const ank_draw *draw, anorank_error *err);

  /* Get the rows of the data that the drawn row of this index (first_row and counting) derives from, its main
   * one first. Returns their number, at most cells + 1. NULL, or 0: it is not a row of the data with some
   * cells changed. */
  size_t (*made_of)(size_t *rows, const ank_origin *origin, uint64_t index);
} ank_law;

#define ANK_LAW(name) extern const ank_law ank_law_##name;
#include "contrast/laws.inc"
#undef ANK_LAW

const ank_law *ank_law_at(size_t i);           /* NULL past the end */
const ank_law *ank_law_find(const char *name); /* NULL if there is none */

/* Write the names of the laws for messages, joined by commas: those that can use data, or all. Returns
 * `text`. */
const char *ank_law_list(char *text, size_t size, int around_data_only);

/* Find a law by name; ANORANK_ERROR_USAGE, which lists the names, if there is none. */
anorank_status ank_law_named(const ank_law **out, const char *name, anorank_error *err);

/* Write the usage error of a law that needs data. `or_else` ("" or "; give ...") is an alternative. */
anorank_status ank_law_needs_data(const ank_law *law, const char *or_else, anorank_error *err);

/* Return an error if the data have no rows. */
anorank_status ank_law_needs_rows(const anorank_table *data, anorank_error *err);

/* Return the stream of a law, derived from its name. With one stream for all, samples of two laws with the
 * same seed would be dependent, but every interval assumes that X and U are independent. */
uint64_t ank_law_stream(const ank_law *law);

/* Draw settings->rows rows of `law`, the first with index settings->first_row. */
anorank_status ank_simulate(anorank_table **out, const ank_law *law, const anorank_table *data,
                            const anorank_settings *settings, anorank_error *err);

/* Open the random numbers of the drawn row of this index. */
void ank_law_open(ank_rng *rng, const ank_law *law, const anorank_settings *settings, uint64_t index);

/* Return whether the cells of the column differ. */
int ank_column_varies(const anorank_table *data, size_t column);

/* Return an error if jitter-from is above jitter-to. */
anorank_status ank_law_jitter_widths(const anorank_settings *settings, anorank_error *err);

/* Quote the name of a column for a message. */
const char *ank_column_quote(char buffer[ANK_QUOTE_SIZE], const anorank_table *table, size_t column);

#endif
