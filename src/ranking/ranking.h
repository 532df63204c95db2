/* ranking.h - from scores to statements: order, false-discovery rates, selection, reasons. */
#ifndef ANK_RANKING_RANKING_H
#define ANK_RANKING_RANKING_H

#include "context/context.h"
#include "model/model.h"
#include "ranking/column_shift.h"
#include "ranking/headline.h"
#include "ranking/incidents.h"

/* Benjamini-Hochberg q-values of p-values: q[i] is the smallest level at which row i would be selected. */
anorank_status ank_q_values(double *q, const double *p, size_t n, const anorank_settings *settings,
                            anorank_error *err);

/* Rows in order, most abnormal first; rows with equal scores keep their order and share the rank of the
 * first. */
anorank_status ank_order(uint32_t *order, const double *scores, size_t n, const anorank_settings *settings,
                         anorank_error *err);

/* ranks[k] of the row order[k]: 1 is the most abnormal; tied rows share the first one's. */
void ank_ranks_in_order(size_t *ranks, const uint32_t *order, const double *scores, size_t n);

/* A sentence about a ranking, and its code; no allocation. Zeros: no note. */
typedef struct ank_ranking_note {
  char code[32], text[512];
} ank_ranking_note;

void ank_ranking_note_write(ank_ranking_note *out, const char *code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Select the rows to report by lowest, mass or fdr (at most one of these settings is set); all rows if none
 * is. Rows tied with the last one of `lowest` are all included; with a note ("100 rows
 * requested; 103 listed, because 4 are tied at the border"); otherwise its text and code are "". */
typedef struct ank_selection {
  size_t count;
  ank_ranking_note note;
} ank_selection;

anorank_status ank_select(ank_selection *out, const uint32_t *order, const double *scores, const double *p,
                          const double *q, size_t n, const anorank_model *model,
                          const anorank_settings *settings, anorank_error *err);

/* The note alone, where out->count rows of n were chosen; `first`: with lowest, rows below the border. */
void ank_select_write_note(ank_selection *out, size_t n, size_t first, const anorank_model *model,
                           const anorank_settings *settings);

/* Whether a p-value or q-value is at most `most`, up to rounding. */
int ank_level_selects(double level, double most);

/* The note on the resolution of the p-values. Ranks: the smallest is 1 / (count + 1), and one alert among `rows` rows
 * at level `fdr` needs about rows / fdr calibration rows. Bulk and tail (model/calibration.h): the assumption. fdr > 0. */
void ank_resolution(ank_ranking_note *out, const anorank_model *model, size_t rows, double fdr);

/* ---- reasons ---- */

/* The background rows, column by column, shared by the reasons of all rows. Read by many threads. */
typedef struct ank_background {
  const anorank_model *model;
  size_t dim, columns;
  size_t rows,
      usual;      /* kept training rows; the first `usual` are what a row is compared with by the scorer */
  size_t members; /* columns that the scorer sees */
  anorank_model_column *column;
  double *features;   /* dim x rows: feature by feature */
  double *spread;     /* of each column: variance of its features over the usual rows, summed */
  size_t *twin_group; /* of each column: the first column whose kept cells pair with its own; itself: none */
  double *resolution; /* of each numeric column: anorank_reason.resolution of its kept cells; else 0 */
} ank_background;

/* The largest of `resolution`, a tenth of it, ... 0.0001 that the value is a multiple of; 0: none is. */
double ank_resolution_with(double resolution, double value);

/* No rows at all is ANORANK_ERROR_MODEL. */
anorank_status ank_background_make(ank_background *out, const anorank_model *model, anorank_error *err);
void ank_background_free(ank_background *background);

/* A value, or a pair of values, that none of `rows` kept rows has (scorer.h: ank_unseen). */
typedef struct ank_new_cell {
  int alone;
  size_t with; /* column of the model; SIZE_MAX: none */
  size_t rows;
} ank_new_cell;

/* A row and its distances to the kept rows. The distance of column j between the row and kept row b,
 *
 *   d_j(b) = |features of j in the row - in b|^2 / mean over b' of |features of j in the row - in b'|^2,
 *
 * has mean 1 over the kept rows. A cell far from all rows has nearly the same distance to each of them, so a second odd
 * cell does not decide which rows are near. The distance in all columns but c is the sum of d_j over j != c. */
typedef struct ank_row_context {
  const ank_background *background;
  const double *row; /* its features */
  const double *own; /* ank_prepare_value of each column; set by the caller before a search for partners */
  double *distance;  /* columns x rows */
  double *total;     /* rows: sum over columns */
  size_t *twin;      /* of each column: the next equivalent one for this row, in a cycle */
  size_t itself;     /* the first kept row with the same features; SIZE_MAX: none */
  const ank_new_cell *new_cells; /* per column; NULL: unknown */
} ank_row_context;

anorank_status ank_row_context_make(ank_row_context *out, const ank_background *background, const double *row,
                                    anorank_error *err);
void ank_row_context_free(ank_row_context *row_context);

/* Find the `count` usual rows (at most ANK_COMPARED) nearest in all columns but c (SIZE_MAX: in all); ties keep their
 * order. Returns their number. */
size_t ank_nearest_usual(size_t *near, const ank_row_context *row_context, size_t c, size_t count);

/* Fill in the values of similar rows in column reason->index (anorank.h: anorank_reason). `work` has room for
 * a double per kept row. */
void ank_describe_similar(anorank_reason *reason, const ank_row_context *row_context, double own,
                          double *work);

enum { ANK_SIMILAR = 32 }; /* kept rows that count as similar, of 512 or more */

/* Return the number of similar rows, including ties with the last. */
size_t ank_similar_wanted(const ank_background *background);

/* Find one or two columns that disagree with the cell of column reason->index (disagreement.c). If there are any, fill in
 * the partners (without texts of their cells) and the values of similar rows, and return 1; columns[k] are the columns of
 * the partners. `work` as above. */
int ank_find_partners(anorank_reason *reason, size_t columns[2], const ank_row_context *row_context,
                      double *work);

/* The contribution of column c to the abnormality of a row, for every scorer class:
 *
 *   mean over b in A_c(row) of  s(row with the features of c taken from b) - s(row),  times min(1, d / 10)^2
 *
 * N_c are up to ANK_COMPARED usual rows nearest to the row in all columns but c, and A_c the nearest few of those. This
 * compares the score with the score if the cell had the value of similar rows. If positive, the column makes the row
 * abnormal. d is the distance of the cell to those of N_c, in their standard deviations. It helps where scores are flat: a
 * forest cannot distinguish six deviations from three. Over ten kinds of tables, the factor raised the share of rows whose
 * altered column comes first from 44 to 87 % for the worst class (tests/slow/promises.c). A cell that no training row has
 * (`surprising`) has factor 1, and its part of the feature `surprise` is removed as well. */
typedef struct ank_contribution {
  size_t column; /* of the model */
  double contribution;
  double distance; /* d, not cut */
} ank_contribution;

enum { ANK_COMPARED = 32 };

/* The work budget for the reasons of a row. */
typedef struct ank_explain_budget {
  size_t compared; /* |N_c| for the distance */
  size_t asked;    /* nearest of them used for the contribution: each costs a score */
  size_t columns;  /* columns to score: those with the largest distance */
} ank_explain_budget;

/* `deep`: explain a single row. */
ank_explain_budget ank_explain_budget_of(const ank_background *background, int deep);

/* Compute contributions of the columns with features or surprises, within the budget, largest first. `surprising` has flags
 * per column of the model: 1, its cell counts in the feature `surprise`; 2, no kept row has the value or a pair with it.
 * `out` has room for all columns. `*count` is the number of contributions, `*left` that of skipped columns. Scores
 * budget.asked rows per column, in blocks of bounded memory; O(rows dim) otherwise. */
anorank_status ank_contributions(ank_contribution *out, size_t *count, size_t *left,
                                 const ank_row_context *row_context, const unsigned char *surprising,
                                 ank_explain_budget budget, anorank_error *err);

/* Fill in all fields of a reason except the contribution: kind, value, usual values, values of similar rows. Texts are
 * borrowed from the table and the model. `work`: a double per kept row. */
void ank_reason_describe(anorank_reason *out, const ank_row_context *row_context, const ank_match *match,
                         const anorank_table *table, size_t row, size_t column, double *work);

/* Name the columns that disagree with a cell which is usual alone; without any, the reason is unchanged. */
void ank_reason_name_partners(anorank_reason *reason, const ank_row_context *row_context,
                              const ank_match *match, const anorank_table *table, size_t row, double *work);

/* Replace a reason about a column derived from an entity's past by one about the column itself. 0: the row is not far
 * from that past, and the reason is unchanged. */
int ank_reason_of_past(anorank_reason *reason, const ank_background *background, const ank_own_past *past);

/* Whether two reasons state that two columns disagree with each other. */
int ank_reason_mirrors(const anorank_reason *one, const anorank_reason *other);

/* Whether the cell is outside the range by more than its resolution and a small part of the width: 1 above, -1 below. */
int ank_reason_outside(const anorank_reason *reason, double low, double high);

/* Whether it is a reason to a person: not if the cell is usual alone, or a common gap or time. */
int ank_reason_is_worth_showing(const anorank_reason *reason);

size_t ank_reason_text(const anorank_reason *reason, char *text, size_t size);

/* ---- ranking.c ---- */

/* The kind of a finding. */
typedef enum ank_unit { ANK_UNIT_ROW = 0, ANK_UNIT_INCIDENT, ANK_UNIT_ENTITY } ank_unit;

/* Rows as sequences, and their groups. */
typedef struct ank_groups {
  ank_unit unit;
  size_t time;             /* column of the table; SIZE_MAX: none */
  ank_sequences sequences; /* no rows: there is no order in which rows are near each other */
  ank_stretches incidents, entities;
  size_t counted, affected; /* incidents that the headline counts, entities that have them */
  anorank_silence *silences;
  size_t silence_count;
} ank_groups;

struct anorank_ranking {
  union { /* the first members of `info` by their names alone */
    anorank_ranking_info info;
    struct {
      size_t rows, count;
      size_t discoveries; /* rows with a q-value of at most settings->fdr, or ANORANK_USUAL_FDR */
    };
  };
  size_t stand_out; /* what the answer counts: those, or what settings->mass chooses */
  double *scores;   /* of all rows judged, in the order of the table */
  double *p_values; /* the same */
  anorank_finding *findings;
  anorank_reason
      *reasons; /* of all findings, `most` places each; those beyond `explained` findings have none */
  size_t most, explained;
  ank_levels texts;      /* what the reasons quote: the ranking may outlive the model and the table */
  size_t *ids, id_count; /* columns of the table that the model passes through */
  size_t table_columns, table_rows;
  ank_groups groups;
  int own;      /* the model was fitted on these rows */
  int in_order; /* finding i is row i of the table that cells are taken from, whatever its number */
  char answer[768], expected[256];
  ank_ranking_note note, reach, resolution;
};

/* The source of the cells of a finding. */
static inline size_t ank_finding_place(const anorank_ranking *ranking, size_t i) {
  return ranking->in_order ? i : ranking->findings[i].row;
}

/* The usual values of a row's entity just before the row. */
typedef struct ank_row_past {
  size_t row; /* number */
  ank_own_past past;
  int32_t text; /* past.text among the names; -1: none */
} ank_row_past;

typedef struct ank_row_pasts {
  ank_row_past *list; /* ascending */
  size_t count, capacity;
  ank_levels names; /* of entities, and texts */
} ank_row_pasts;

/* Rows ranked elsewhere (stream/rank_counts.h): some of the findings, in order. */
typedef struct ank_reported {
  const anorank_finding *findings;
  size_t count;  /* of these, the rows of the table one by one */
  size_t before; /* findings that came before, and how many there are in all */
  size_t all;
  size_t rows, discoveries;       /* of all rows judged */
  size_t left;                    /* columns that no reason was sought in so far, at most; renewed */
  ank_tier_counts tiers;          /* of all rows judged */
  int own;                        /* the model was fitted on them */
  const ank_shift_sample *sample; /* of all rows judged; NULL: none */
  const ank_row_pasts *pasts;     /* of these rows, where they have any */
} ank_reported;

/* `first` as in ank_select_write_note. */
anorank_status ank_ranking_report(anorank_ranking **out, const anorank_model *model,
                                  const anorank_table *table, ank_reported *reported, size_t first,
                                  const anorank_settings *settings, anorank_error *err);

/* `row_scores`: known scores of the rows (ank_model_fit), or NULL. */
anorank_status ank_ranking_make(anorank_ranking **out, const anorank_model *model, const anorank_table *table,
                                const double *row_scores, const anorank_settings *settings,
                                anorank_error *err);

/* The same with all rows reported, whatever the settings choose; the sentences still refer to their selection. `given`: a
 * ranking of the same rows, whose scores are taken, or NULL. */
anorank_status ank_ranking_of_all(anorank_ranking **out, const anorank_model *model,
                                  const anorank_table *table, const anorank_ranking *given,
                                  const anorank_settings *settings, anorank_error *err);

/* Fit on a table and rank it, without preparing or scoring a row twice. `labels` and `known` as in
 * ank_model_fit. */
anorank_status ank_detect(anorank_model **out, anorank_ranking **ranking, const anorank_table *table,
                          const signed char *labels, const anorank_table *known,
                          const anorank_settings *settings, anorank_error *err);
void ank_ranking_free(anorank_ranking *ranking);

/* ---- ranking_groups.c ---- */

/* All ranked rows, by number, and the first `selected` of the order. */
typedef struct ank_all_rows {
  const double *scores, *p;
  const unsigned char *tier;
  const uint32_t *order;
  size_t rows, selected;
  int own;
} ank_all_rows;

/* Incidents, if the model has a context or by setting; entities and silences by setting. Texts
 * of silences are kept in `texts`. `table` has the entities and times. */
anorank_status ank_groups_make(ank_groups *out, ank_levels *texts, const anorank_model *model,
                               const anorank_table *table, const ank_all_rows *all,
                               const anorank_settings *settings, anorank_error *err);
void ank_groups_free(ank_groups *groups);

/* The part of the headline that counts incidents, and `expected` of ranking_info. */
void ank_groups_count(anorank_headline *headline, char *expected, size_t size, const ank_groups *groups,
                      const anorank_model *model, const ank_all_rows *all, const anorank_settings *settings);

/* ranking_table.c */

/* All sentences of finding i, with semicolons, in `text`, which grows; untouched if it has none. */
anorank_status ank_ranking_join_reasons(char **text, size_t *capacity, const anorank_ranking *ranking,
                                        size_t i, anorank_error *err);

#endif
