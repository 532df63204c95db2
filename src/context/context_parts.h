/* context_parts.h - shared declarations of the context.
 *
 *   context.c         settings, lists, getters, the fit, the derived table
 *   context_run.c     the recursion over rows, block by block
 *   context_rows.c    the order of rows, entities of rows, times
 *   entity_names.c    names of entities, the least recently seen first
 *   context_step.c    the recursion
 *   context_fit.c     the fit on all training rows
 *   context_season.c  the usual value at a phase
 *   context_joint.c   the joint deviation of all columns of a row
 *   context_rhythm.c  times between rows, and rows over a while
 *   context_habit.c   the levels that an entity usually has
 *   context_past.c    the usual values just before a row, for reasons
 *   context_file.c    saving and loading
 *   context_state.c   saving and loading of runs */
#ifndef ANK_CONTEXT_CONTEXT_PARTS_H
#define ANK_CONTEXT_CONTEXT_PARTS_H

#include <math.h>

#include "context/context.h"
#include "context/entity_names.h"

typedef enum ank_season {
  ANK_SEASON_NONE = 0,
  ANK_SEASON_HOUR,
  ANK_SEASON_WEEKDAY,
  ANK_SEASON_WEEK_HOUR,
  ANK_SEASON_MONTH,
  ANK_SEASONS
} ank_season;

enum { ANK_MOST_PHASES = 168 };

#define ANK_LEARNS_ALWAYS 1e300
#define ANK_USUAL_GAIN 0.05 /* of a window in seconds, where rows are not timed */

typedef enum ank_deviation { ANK_USUAL = 0, ANK_CHANGE, ANK_WINDOW, ANK_DEVIATIONS } ank_deviation;

/* Statistics of the population for one column and key. */
typedef struct ank_usual {
  int used;         /* 0: constant, or too few values */
  int logs, trends; /* flags of the header's comment */
  ank_season season;
  double profile[ANK_MOST_PHASES];   /* usual value at each phase, which is subtracted */
  double level, between, within;     /* level of an entity, how entities differ, spread within one */
  double change, time_constant;      /* usual size of changes, and of the recent level, in rows */
  double least_spread, least_change; /* no spread is smaller */
  double weight;                     /* of the population's spread, in rows */
  double learns;                     /* rows after which the level and spread of an entity hold */
  double unit[ANK_DEVIATIONS];
} ank_usual;

/* One column of one entity. */
typedef struct ank_track {
  float rows, level, spread;         /* long-run */
  float recent, change, last;        /* recent level, size of changes, last value */
  float window, mean, window_change; /* over the window: usual, value, size of changes */
} ank_track;

typedef struct ank_entity {
  double last;           /* time of its last row */
  float rows, weight;    /* rows so far; of the window */
  float deviation;       /* over the window */
  float quick, slow;     /* joint size of the rows, over a quarter of the window and the window */
  ank_score_scale scale; /* of its scores, set once a model is fitted; 0 for entities that come later */
} ank_entity;

#define ANK_MOST_PERSISTENCE 3.0

enum { ANK_MOST_JOINT = 256 }; /* columns in the joint deviation */

/* The joint variation of the steady columns of a key (used, without trend): lower triangles W by rows, so that |W x|² / count
 * is Hotelling's T² per column. count 0: no joint deviation. */
typedef struct ank_joint {
  size_t count;
  double *row, *window; /* of `usual`, and of its means over the window */
} ank_joint;

/* When rows of an entity occur. Events are looked at like columns of sizes, by their logarithms. */
enum { ANK_GAP = 0, ANK_COUNT = 1, ANK_WINDOWS = 2, ANK_EVENTS = ANK_COUNT + ANK_WINDOWS };

/* How unusual a distance or a surprise is, in nats: (x - from) / unit where that is positive. For a distance, `from` is what 1 in
 * 1,000 training rows exceed, by an exponential tail through 10 and 2.5 of 100. */
typedef struct ank_tail {
  double from, unit; /* unit 0: nothing counts */
} ank_tail;

typedef struct ank_habit {
  double novelty; /* how often entities have new levels, compared with d/(n + d) (context_habit.c) */
  ank_tail tail;
} ank_habit;

typedef struct ank_rhythm {
  size_t events;             /* the time since the last row, and the number of rows in each window */
  double least;              /* added to that time, so that all far below are alike */
  double window[ANK_EVENTS]; /* of each number: its time constant, in units of time */
  ank_usual usual[ANK_EVENTS];
  ank_tail tail[ANK_EVENTS];
} ank_rhythm;

enum {
  ANK_RHYTHM_STATE = 3 * ANK_EVENTS, /* of each event: the number of rows, level and spread; at most */
  ANK_HABIT_SLOTS = 8,
  ANK_HABIT_STATE = 2 + 2 * ANK_HABIT_SLOTS /* cells, distinct levels; of each slot a level and its share */
};

/* A column of texts: how frequent levels are among all training rows. */
typedef struct ank_category {
  char *name;
  size_t levels; /* of the most frequent ones: */
  uint32_t *id;  /* ascending */
  double *share;
  double rest; /* share of any other level */
} ank_category;

/* The levels of a category in one table. */
typedef struct ank_cells {
  const int32_t *code; /* of each row; NULL: the table has no such column */
  uint32_t *id;        /* of each code */
  double *share;       /* among all training rows */
} ank_cells;

typedef struct ank_key {
  char *by; /* a column, several joined by +, or "" */
  ank_entity_names names;
  ank_entity *entity;
  ank_track *track; /* entity x column */
  float *
      more; /* entity x extra: of the rhythm, if any, of the second window, if any, of each category with a habit */
  size_t extra;
  double
      weight; /* of the deviation of its numbers: how well they are predicted, compared with the best key */
  double learns;      /* rows after which habits hold */
  ank_rhythm *rhythm; /* NULL: rows are regular, or not timed */
  ank_habit *habit;   /* of each category */
  size_t capacity;    /* number of entities with space */
  ank_usual *usual;   /* of each column */
  ank_joint joint;
  double persistence; /* weight of the deviation over the window */
  double skill; /* of a fit alone: log of how much nearer an entity's own level is than the population's */
} ank_key;

struct ank_context {
  size_t columns, keys;
  char **column; /* names of the compared columns */
  size_t categories;
  ank_category *category;
  char *time;    /* "" for none */
  int moments;   /* 1: times are seconds since 1970, else an order */
  double window; /* rows, or seconds where window_seconds */
  double second; /* another window; 0: none */
  int window_seconds;
  int reference; /* 1: the training rows are believed normal */
  size_t most;   /* most entities of a key that are kept */
  ank_key key[ANK_CONTEXT_KEYS];
  char *ids, *left_out, *names; /* lists */
};

/* ---- context_rows.c ---- */

/* The rows of a table, for the context. */
typedef struct ank_context_rows {
  size_t rows;
  uint32_t *order; /* rows by time; ties keep their order */
  double *time;    /* of each row; NULL: no times */
  size_t untimed;  /* rows that have that of the row before them */
} ank_context_rows;

/* As they are in the table. `first`: rows before them, for messages; `before`: the time of the last of these. Where it is
 * NaN, the first row must have one. */
anorank_status ank_context_rows_make(ank_context_rows *out, const ank_context *context,
                                     const anorank_table *table, size_t first, double before,
                                     anorank_error *err);
anorank_status ank_context_rows_sort(ank_context_rows *rows, anorank_error *err);
void ank_context_rows_free(ank_context_rows *rows);

/* Whether it is a column of texts such as 1949-01. */
int ank_context_has_months(const ank_column *column);

/* The entities of a table, in the order of their first rows. */
typedef struct ank_row_entities {
  uint32_t *of; /* of each row */
  size_t count;
  const char **name; /* borrowed from the table or from `joined`; "": the cell is missing */
  ank_levels joined;
} ank_row_entities;

anorank_status ank_row_entities_make(ank_row_entities *out, const char *by, const anorank_table *table,
                                     anorank_error *err);
void ank_row_entities_free(ank_row_entities *entities);

/* ---- context_season.c ---- */

size_t ank_season_phases(ank_season season);
size_t ank_season_phase(ank_season season, double seconds);
anorank_status ank_season_learn(ank_usual *usual, double *values, const uint32_t *entity,
                                const ank_context_rows *rows, size_t entities, anorank_error *err);

/* ---- context_step.c ---- */

static inline double ank_usual_value(const ank_usual *usual, double cell, double time) {
  if (usual->logs) cell = cell > 0 ? log(cell) : NAN;
  return usual->season == ANK_SEASON_NONE ? cell
                                          : cell - usual->profile[ank_season_phase(usual->season, time)];
}

typedef struct ank_step {
  double deviation[ANK_DEVIATIONS];
  double mean, spread; /* over the window: of the cell as it is, log of the size of changes */
} ank_step;

void ank_track_start(ank_track *track, const ank_usual *usual);
/* The distance of a value from the level, in spreads, before both are moved by it. `n`: values before it. */
double ank_level_step(float *level, float *spread, double n, const ank_usual *usual, double value);
/* `value` as ank_usual_value has it (NaN: missing); gain of the window for this row. */
void ank_track_step(ank_step *out, ank_track *track, const ank_usual *usual, double value, double cell,
                    double gain);
/* The same for a second window, after ank_track_step gave `step`: its means (ANK_RECENT floats) move, and `step` has theirs.
 * `rows`: values of the track so far, 0 where this one is missing. */
enum { ANK_RECENT = 3 };
void ank_recent_step(ank_step *step, float *recent, double rows, double cell, double gain);
/* Weight of a window after a row `elapsed` seconds after the last one, and its gain. */
double ank_window_gain(float *weight, double window, int seconds, double elapsed);

/* Sum over its deviations of log(1 + u²), u in units. */
double ank_step_size(const ank_step *step, const ank_usual *usual);
double ank_window_size(const ank_step *step, const ank_usual *usual); /* that of ANK_WINDOW alone */

/* ---- context_fit.c ---- */

/* Fills in key->usual and the rest; `cells[j]`: the numbers of column j; `levels[c]`: the cells of category c. */
anorank_status ank_context_learn(ank_key *key, const ank_context *context, const ank_context_rows *rows,
                                 const uint32_t *entity, size_t entities, const double *const *cells,
                                 const ank_cells *levels, anorank_error *err);

/* ---- context_run.c ---- */

struct ank_context_run {
  const ank_context *context;
  ank_history history;
  size_t rows, untimed;
  double time;                        /* of the last row; NaN: none */
  ank_key key[ANK_CONTEXT_KEYS];      /* own entities; `by` and `usual` are the context's */
  size_t restarted[ANK_CONTEXT_KEYS]; /* entities whose history was not used */
  size_t evicted[ANK_CONTEXT_KEYS];
  size_t nameless[ANK_CONTEXT_KEYS]; /* rows without an entity */
};

void ank_key_free(ank_key *key);
/* Add an entity with its state; there must be room for it (ank_key_reserve). */
anorank_status ank_key_put(ank_key *to, const ank_key *from, size_t e, size_t columns, size_t most,
                           anorank_error *err);
void ank_key_unlearn(ank_key *key);                                   /* what ank_context_learn filled in */
size_t ank_key_extra(const ank_key *key, const ank_context *context); /* floats of `more` for an entity */
static inline size_t
ank_second_state(const ank_context *context) { /* those of the second window: weight, then tracks */
  return context->second > 0 ? 1 + ANK_RECENT * context->columns : 0;
}
anorank_status ank_key_reserve(ank_key *key, size_t columns, size_t need, anorank_error *err);

/* ---- context_joint.c ---- */

size_t ank_joint_steady(const ank_key *key, size_t columns); /* number of steady columns */
/* Fills in key->persistence, and key->joint where training rows are the reference. `grouped`, `start`: rows by entity, each in time order. */
anorank_status ank_joint_learn(ank_key *key, const ank_context *context, const ank_context_rows *rows,
                               const double *const *cells, const uint32_t *grouped, const size_t *start,
                               size_t entities, anorank_error *err);
void ank_joint_free(ank_joint *joint);
/* One column's part of a row, then the row: sum of the logarithms of its sizes over both windows and of the size of the
 * windows' means. `fills`: the entity has had fewer rows than the window. */
void ank_joint_put(float *usual, float *window, const ank_step *step);
double ank_joint_step(ank_entity *own, const ank_joint *joint, const float *usual, const float *window,
                      double gain, int fills);

/* ---- context_rhythm.c ---- */

double ank_tail_size(const ank_tail *tail, double x);
anorank_status ank_tail_find(ank_tail *out, double *values, size_t count, double least,
                             anorank_error *err); /* sorts */

/* One more row, at `time`; `rows` before it, the last at `last`. Returns its size, in nats, where it comes late or where there
 * are many; `distance`: of each event from its level, in spreads. */
double ank_rhythm_step(double *distance, float *state, const ank_rhythm *rhythm, double rows, double last,
                       double time);
/* The value of an event as ank_usual sees it, less the season, and back. */
double ank_rhythm_value(const ank_rhythm *rhythm, size_t event, double amount, double time);
double ank_rhythm_amount(const ank_rhythm *rhythm, size_t event, double value, double time);
/* The number of rows at one more row `gap` later. */
double ank_rhythm_count(const ank_rhythm *rhythm, size_t event, double count, double gap);
static inline size_t
ank_rhythm_state(const ank_rhythm *rhythm) { /* floats for an entity: the first has no number */
  return rhythm ? 3 * rhythm->events - 1 : 0;
}
static inline float *ank_event_level(float *state, size_t event) {
  return state + 3 * event;
} /* and its spread */
/* Whether the times of rows are irregular, and then what `least` and `window` are. */
anorank_status ank_rhythm_find(ank_rhythm **out, const ank_context *context, const double *time,
                               const uint32_t *grouped, const size_t *start, size_t entities, double *work,
                               anorank_error *err);

/* ---- context_habit.c ---- */

anorank_status ank_category_learn(ank_category *out, const anorank_table *table, const char *name,
                                  anorank_error *err);
void ank_category_free(ank_category *category);
/* Of each category; `out` is to be freed with ank_cells_free in any case. */
anorank_status ank_cells_make(ank_cells **out, const ank_context *context, const anorank_table *table,
                              anorank_error *err);
void ank_cells_free(ank_cells *cells, size_t categories);

/* The surprise -log P of a level after the entity's earlier ones, P as context.h has it; 0 for its first cell. */
double ank_habit_step(float *state, uint32_t id, double share, double novelty, double learns);
/* The share of a level among an entity's cells: 0 if it was never there, NaN if that is not known. */
double ank_habit_share(const float *state, uint32_t id);
/* Which categories entities predict: key->habit. */
anorank_status ank_habits_learn(ank_key *key, const ank_context *context, const ank_cells *cells,
                                const uint32_t *grouped, const size_t *start, size_t entities, double *work,
                                anorank_error *err);
/* Whether the column is the key, or a part of it. */
int ank_key_names(const ank_key *key, const char *name);

/* ---- context.c ---- */

anorank_status ank_context_number_columns(const double ***out, const ank_context *context,
                                          const anorank_table *table, anorank_error *err);
/* The table with room for the derived columns; its own are lent. */
anorank_status ank_context_start_table(anorank_table **out, const ank_context *context,
                                       const anorank_table *table, anorank_error *err);
/* Which derived columns a table has, in their order: two of each such column, then one of each such key. */
int ank_context_has_window(const ank_context *context, size_t column);
int ank_context_has_deviation(const ank_context *context, size_t key); /* others add to that of the best */
/* Whether there are as many names as derived columns. */
int ank_context_sound(const ank_context *context);
anorank_status ank_list_append(char **list, const char *name, anorank_error *err);
#endif
