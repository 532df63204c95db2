/* context.h - what is usual for this entity and this moment: from a table with entities and times to one with derived
 * columns, so that everything behind it sees a plain table.
 *
 * An entity is whom a row belongs to (setting `by`): an account, a machine. `time` orders its rows; ties, and rows without
 * `time`, keep the order of the file. What a row gets depends on the row and on earlier rows of its entity, never on later
 * ones. Scales, seasonal profiles and what is learned about the population are part of the fit and may use all training rows.
 *
 * For each column of numbers x (log x where all training values are positive and they span a factor of 4 or more), less the
 * usual value at this phase of the day, week or year where that explains at least a tenth of the changes:
 *   usual      distance from the entity's long-run level in units of its own spread; both are recursive with gain 1/n,
 *              a value farther than 2.5 spreads counts as 2.5, and they start at the population's values, which weigh as
 *              much as the entities differ little
 *   change     distance from the range between the entity's recent level and its last value, in units of the usual changes.
 *              The recent level follows the median of (itself, the last value, this value) with the time constant that
 *              predicts the training rows best: neither an outlier's return nor the second row of a shift is a change
 *   window     mean of `usual` over the window
 * Columns that rise or fall with time in most entities (rank correlation of 0.8 or more) have no usual level: `change` is
 * all that counts, and the column itself is left out.
 *
 * Derived columns: "recent mean of x" and "recent variation of x (log)", the means of x and of the size of its changes over the
 * window; and for each entity column one "deviation from by's own past": the mean of log(1 + u^2) over all u above, each in units of its
 * median in the training rows, plus the mean of that over the window. It is added to the score (model/pipeline.h), since
 * rows of one incident resemble each other and would otherwise vouch for each other.
 *
 * The window is a time constant, in rows or seconds: a mean over the window is recursive, so that going on from a saved
 * state is exact. State is kept in single precision: 36 bytes per entity and column, 24 per entity besides its name. */
#ifndef ANK_CONTEXT_CONTEXT_H
#define ANK_CONTEXT_CONTEXT_H

#include "core/bytes.h"
#include "table/table.h"

typedef struct ank_context ank_context;

enum { ANK_CONTEXT_KEYS = 4 }; /* entity columns, at most */

/* Is there anything to do? Only where `by` or `time` is set. */
int ank_context_wanted(const anorank_settings *settings);

/* Learn from the rows of the table. `used[j]`: is column j of numbers to be looked at? The state is that after
 * the last row. Columns that are not there are ANORANK_ERROR_USAGE, rows without a time ANORANK_ERROR_DATA. */
anorank_status ank_context_fit(ank_context **out, const anorank_table *table, const unsigned char *used,
                               const anorank_settings *settings, anorank_error *err);
void ank_context_free(ank_context *context);

/* The table with the derived columns behind its own. The rows go on where the history ended; those of an entity whose
 * first row is earlier than that start from the population. `fresh`: all do. */
anorank_status ank_context_derive(anorank_table **out, const ank_context *context, const anorank_table *table,
                                  int fresh, anorank_error *err);

/* The same rows as history: the state goes on. A row of an entity that is earlier than its history is ANORANK_ERROR_DATA;
 * the state is then of no use. */
anorank_status ank_context_advance(ank_context *context, const anorank_table *table, anorank_error *err);

size_t ank_context_entities(const ank_context *context); /* of the first key */

/* The rows of a table by entity of the first key, then by time, ties as they are. Without a context: one entity, in the
 * order of the table. */
typedef struct ank_sequences {
  size_t rows, entities;
  uint32_t *order;
  uint32_t
      *entity;  /* of each row: its number in the context; those that it does not know are numbered behind */
  double *time; /* of each row; NULL: none */
  int moments;  /* 1: times are seconds, else an order */
} ank_sequences;

anorank_status ank_context_sequences(ank_sequences *out, const ank_context *context, /* may be NULL */
                                     const anorank_table *table, anorank_error *err);
void ank_sequences_free(ank_sequences *sequences);

/* The first key ("": none), the window, and whether times are seconds since 1970. */
typedef struct ank_context_info {
  const char *by, *time;
  int moments;
  double window;
  int window_seconds; /* 0: the window is in rows */
} ank_context_info;
ank_context_info ank_context_get_info(const ank_context *context);

/* "20" or "5min": a number, and whether it is in seconds. 0: it is neither, or less than 1 or more than 1e12. */
int ank_context_parse_length(double *length, int *seconds, const char *text);

/* An entity of the first key by its number in ank_sequences; `row`: one of its rows, needed where the context does not
 * know it. Returns the length, as snprintf does. */
anorank_status ank_context_entity_text(char *text, size_t size, const ank_context *context, uint32_t entity,
                                       const anorank_table *table, size_t row, anorank_error *err);

/* When a known entity of the first key had its last row; NaN: it has none, or there are no times. */
double ank_context_last_seen(const ank_context *context, size_t entity);

/* Columns that are no features: entities and time, and those left out because they follow time. Lists with escaped commas. */
const char *ank_context_ids(const ank_context *context);
const char *ank_context_left_out(const ank_context *context);
/* Names of the derived columns as a list. */
const char *ank_context_names(const ank_context *context);

anorank_status ank_context_save(const ank_context *context, ank_bytes *out, anorank_error *err);
anorank_status ank_context_load(ank_context **out, ank_cursor *in, anorank_error *err);

#endif
