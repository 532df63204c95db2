/* context.h - what is usual for this entity at this time. It derives columns from a table with entities and times, so that
 * all later steps see a plain table.
 *
 * An entity (setting `by`) is the account or machine of a row. `time` orders its rows; ties, and rows without `time`, keep
 * file order. Derived columns depend on the row and on earlier rows of its entity, never on later
 * ones. Scales, seasonal profiles and what is learned about the population are part of the fit and may use all training rows.
 *
 * For each column of numbers x (log x where all training values are positive and they span a factor of 4 or more), less the
 * usual value at this phase of the day, week or year where that explains at least a tenth of the changes:
 *   usual      distance from the entity's long-run level in units of its spread; both are recursive with gain 1/n,
 *              a value farther than 2.5 spreads counts as 2.5, and they start at the population's values, which weigh less
 *              the more the entities differ (the spread 5 to 50 rows). With `train = clean` the training rows are the
 *              reference: a value counts up to 10 spreads, the spread is a root mean square, and both hold once an entity
 *              has had as many rows as the longest history, so that a fault that lasts does not become usual
 *   change     distance from the range between the entity's recent level and its last value, in units of the usual changes.
 *              The recent level follows the median of (itself, the last value, this value) with the time constant that
 *              predicts the training rows best: neither an outlier's return nor the second row of a shift is a change
 *   window     mean of `usual` over the window
 * Columns that rise or fall with time in most entities (rank correlation of 0.8 or more) have no usual level: `change` is
 * all that counts, and the column itself is left out.
 *
 * Derived columns: "recent mean of x" and "recent variation of x (log)", the means of x and of the size of its changes over the
 * window (of two windows, each has both, and the second adds a `window` to u unless the columns are tested jointly); and for each entity column one "deviation from by's own past": the mean of log(1 + u^2) over all u above, each in units of its
 * median in the training rows, plus that mean over the window, which counts 6 times the correlation of
 * successive rows (0 to 3): without lasting incidents it has no weight. It is added to the score (model/pipeline.h), since
 * rows of one incident resemble each other and would otherwise mask each other.
 *
 * With `train = clean` the columns are tested jointly (context_joint.c): T² is the squared length per column of the
 * row's `usual`, whitened by their correlations in the training rows (shrunk by 0.3 towards none); an entity's first 50 rows, or
 * fewer of short histories, do not count. The deviation is then log(1 + T²/10) + log of the mean of T² over a quarter of the
 * window + the same over the window + log of T² of the columns' `window` by their own correlations (shrunk by 0.05), plus
 * the mean of log(1 + u^2) over the changes of columns that follow time. The row makes a spike exceed its return; the means
 * make an incident exceed noise; the last term finds small shifts of many columns. While a window of rows fills,
 * a row counts at most 3 in these means, since little is known of its entity.
 *
 * When rows occur (context_rhythm.c): where times between rows are irregular, the log of the time since the entity's last row and
 * the log of its number of rows over the window (a row counts exp(-age / window)) are tracked like columns. For a window in rows
 * it is the least round length of time that holds two rows. Only what is above the level by more than in 1 of 1,000
 * training rows counts: a row that comes late, or one of too many.
 * Texts (context_habit.c): how surprising a level is after the entity's earlier ones. What is beyond 6.9 nats, and beyond the
 * surprise of 99 % of the training rows, counts, for columns whose surprise the entity's past lowers by a tenth or more. The
 * entities of one key are texts for the others.
 * All three add their nats to the sum of log(1 + u^2). With the joint test a third of them is added to the deviation.
 *
 * Several keys: the numbers of a key count in proportion to its skill, the mean log of how much nearer values are to the level
 * of their entity than to that of all. A key with less than a tenth of the best skill does not count.
 *
 * Of more than 400,000 training rows of 2,000 entities or more, those of about 200,000 rows, at least 1,000 entities, say what
 * the population is like; all rows are the history.
 *
 * The usual window is 20 rows. After a clean history it is up to 40: 20 (2 - 2 r) for the correlation r of the deviations of
 * successive rows, 0 to 0.5, since a longer mean reduces noise only where that is independent.
 *
 * The window is a time constant, in rows or seconds: a mean over the window is recursive, so continuing from a saved
 * state is exact. State is kept in single precision: 36 bytes per entity and column, about 62 per entity besides its name, 20 for
 * when its rows occur, 72 per column of texts that counts, and 4 + 12 per column for a second window. */
#ifndef ANK_CONTEXT_CONTEXT_H
#define ANK_CONTEXT_CONTEXT_H

#include "core/bytes.h"
#include "table/table.h"

typedef struct ank_context ank_context;

enum { ANK_CONTEXT_KEYS = 4 }; /* entity columns, at most */

/* Whether `by` or `time` is set. */
int ank_context_wanted(const anorank_settings *settings);

/* Learn from the rows of the table. `used[j]`: whether column j is a feature. The history is empty until ank_context_keep.
 * Missing columns are ANORANK_ERROR_USAGE; rows without a time are ANORANK_ERROR_DATA. */
anorank_status ank_context_fit(ank_context **out, const anorank_table *table, const unsigned char *used,
                               const anorank_settings *settings, anorank_error *err);
void ank_context_free(ank_context *context);

/* Use of the history. */
typedef enum ank_history {
  ANK_HISTORY_NONE, /* all entities start from the population */
  ANK_HISTORY_GOES_ON, /* entities continue from their history; an entity whose first row is earlier starts from the population */
  ANK_HISTORY_GROWS /* only for ank_context_advance: an earlier row is ANORANK_ERROR_DATA */
} ank_history;

/* One pass over the rows of a table, block by block; memory is bounded by the entities seen. Blocks of any size give the
 * same. The context is borrowed and does not change. */
typedef struct ank_context_run ank_context_run;

anorank_status ank_context_run_new(ank_context_run **out, const ank_context *context, ank_history history,
                                   anorank_error *err);
void ank_context_run_free(ank_context_run *run);

/* Return the next rows, with the derived columns after their own; `out` may be NULL. `*out` borrows the columns of `table`.
 * `whole`: these are all rows, in any order; they are sorted by time first. Otherwise, a row that is earlier than the
 * previous one of its entity is ANORANK_ERROR_DATA, and the run must then be discarded. */
anorank_status ank_context_run_add(anorank_table **out, ank_context_run *run, const anorank_table *table,
                                   int whole, anorank_error *err);
size_t ank_context_run_rows(const ank_context_run *run);

/* Return the notes on the added rows. */
anorank_status ank_context_run_notes(ank_notes *notes, const ank_context_run *run, anorank_error *err);

/* Copy a run as it is now, with the entities of these rows alone. */
anorank_status ank_context_run_before(ank_context_run **out, const ank_context_run *run,
                                      const anorank_table *table, anorank_error *err);

/* Save a run, and load it in another process, which continues it with the same context. Input is untrusted. */
anorank_status ank_context_run_save(const ank_context_run *run, ank_bytes *out, anorank_error *err);
anorank_status ank_context_run_load(ank_context_run **out, const ank_context *context, ank_history history,
                                    ank_cursor *in, anorank_error *err);

/* Make the state of a run the history of its context, and end the run. */
void ank_context_keep(ank_context *context, ank_context_run *run);

/* Add later rows to the history, in place. On failure it is unchanged. */
anorank_status ank_context_advance(ank_context *context, const anorank_table *table, anorank_error *err);

/* Run over a whole table, with its notes. */
anorank_status ank_context_derive(anorank_table **out, const ank_context *context, const anorank_table *table,
                                  ank_history history, anorank_error *err);

/* Add the entities of `from`. Both must come from one fit and share no entity (else ANORANK_ERROR_USAGE). */
anorank_status ank_context_merge(ank_context *context, const ank_context *from, anorank_error *err);

/* Assign each row to one of `shards` parts: by a portable hash of the first entity column, or, in one series, by the row's
 * number. `first`: rows before the table. */
anorank_status ank_context_shards(uint32_t *out, const ank_context *context, const anorank_table *table,
                                  size_t first, size_t shards, anorank_error *err);

size_t ank_context_entities(const ank_context *context); /* of the first key */

/* The rows of a table sorted by entity of the first key, then by time; ties keep their order. Without a context: one
 * entity, in the order of the table. */
typedef struct ank_sequences {
  size_t rows, entities;
  uint32_t *order;
  uint32_t *entity; /* of each row: its number in the context; unknown entities get the next numbers */
  double *time;     /* of each row; NULL: none */
  int moments;      /* 1: times are seconds, else an order */
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

/* Parse "20" or "5min": a number, and whether it is in seconds. Returns 0 if it is neither, or outside 1 to 1e12. */
int ank_context_parse_length(double *length, int *seconds, const char *text);

/* Write the name of an entity of the first key, by its number in ank_sequences. `row`: one of its rows, for entities that
 * the context does not know. Returns the length, like snprintf. */
anorank_status ank_context_entity_text(char *text, size_t size, const ank_context *context, uint32_t entity,
                                       const anorank_table *table, size_t row, anorank_error *err);

/* Set the scale of the scores of an entity of the first key, by its number in ank_sequences; unknown entities have
 * none. Derived tables have it for each row. */
void ank_context_set_scale(ank_context *context, size_t entity, ank_score_scale scale);

/* The time of the last row of a known entity of the first key; NaN without rows or times. */
double ank_context_last_seen(const ank_context *context, size_t entity);

/* Return lists of columns that are not features, with escaped commas: entities and time, and those that follow time. */
const char *ank_context_ids(const ank_context *context);
const char *ank_context_left_out(const ank_context *context);
/* Return the names of the derived columns as a list. */
const char *ank_context_names(const ank_context *context);

/* The usual values of an entity just before a row, for what deviates most of all columns, events and keys:
 * 2 spreads on either side of the long-run level, in the units of the column, at the phase of the row; of a column that
 * trends, on either side of the recent level and the last value. An entity without earlier rows has what the population has. */
typedef enum ank_past_kind {
  ANK_PAST_NUMBER = 0,
  ANK_PAST_GAP,   /* `number`: time since the entity's last row */
  ANK_PAST_COUNT, /* `number`: its rows within `window` */
  ANK_PAST_NEW,   /* a level that it never had */
  ANK_PAST_RARE   /* a level that it seldom has */
} ank_past_kind;

typedef struct ank_own_past {
  const char *column; /* borrowed from the context; NULL: no column with enough earlier rows */
  ank_past_kind kind;
  const char *by, *entity; /* borrowed from the context and from ank_pasts; NULL: the table is one series */
  double number, level, low, high;
  double distance;  /* from the level, in spreads */
  size_t rows;      /* earlier values of the entity */
  int logs, trends; /* a column of sizes, where ratios count; one that follows time */
  int season;       /* 0: none, 1: hour of day, 2: weekday, 3: hour of the week, 4: month */
  double size;      /* what it counts compared with others */
  double window;    /* of COUNT, in units of time */
  const char *text; /* of NEW and RARE, lent by the table */
  double share;     /* of RARE: of the entity's cells, of late */
  int seconds;      /* of GAP and COUNT: 1: times are seconds, else an order */
  size_t key;
  int32_t code;
} ank_own_past;

typedef struct ank_pasts {
  ank_own_past *of; /* of each chosen row */
  size_t count;
  ank_levels names[ANK_CONTEXT_KEYS];
} ank_pasts;

/* The same for chosen rows of a table, in a pass over all rows; `fresh` as in ank_context_derive. */
anorank_status ank_context_past(ank_pasts *out, const ank_context *context, const anorank_table *table,
                                const size_t *chosen, size_t count, int fresh, anorank_error *err);
void ank_pasts_free(ank_pasts *pasts);

/* The same for rows of a block, for which only the rows before are known: `before` is a run as it was then. */
anorank_status ank_context_run_past(ank_pasts *out, const ank_context_run *before, const anorank_table *table,
                                    const size_t *chosen, size_t count, anorank_error *err);

anorank_status ank_context_save(const ank_context *context, ank_bytes *out, anorank_error *err);
anorank_status ank_context_load(ank_context **out, ank_cursor *in, anorank_error *err);

#endif
