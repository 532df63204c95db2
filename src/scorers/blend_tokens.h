/* blend_tokens.h - the part of a blend for values, and pairs of values, that are rare among training rows.
 *
 * Columns of real tables are often codes. A code has no metric, so no distance shows that it never occurred.
 * Here a cell becomes a token:
 *   exact   the value itself, if at least ANK_TOKEN_REPEAT of the rows share theirs with another row
 *   bins    else one of ANK_TOKEN_BINS quantile bins; values outside the range of the kept rows count as never seen
 *   level   the level of a categorical column; levels without a feature are one token
 * A missing cell is an ordinary token. Groups are single columns and pairs of columns. With n kept rows, c of
 * them having the token of a row and lo(i) the left-out count of kept row i (c - 1; 0 for a row that alone
 * ends a range),
 *
 *   S(k) = -log((1 + #{i: lo(i) <= k}) / (n + 1))             surprise of the count k, a p-value in nats
 *   T(x) = max over columns of S(c) + max over pairs of S(c)
 *   v(x) = -log((1 + #{i: T(i) >= T(x)}) / (n + 1))           T(i) of kept rows, left out
 *
 * Beyond the largest T(i), v rises as T does. The part is weight u max(0, v - 1): common tokens never make a
 * row more normal. u converts nats to the scale of the other parts: their sum s rises by u on average when
 * its rarity grows by a nat, between p-values of exp(-ANK_TOKEN_SCALE_FROM) and exp(-ANK_TOKEN_SCALE_TO).
 * Both are joined as the cube root of s^3 + part^3 (ank_blend_join): extremes of one hardly lift those of the
 * other. Groups in which fewer than ANK_TOKEN_USEFUL of the rows repeat are dropped. So are columns whose
 * values move with the order of the rows, where new values are normal (moves_with_order in
 * blend_tokens_fit.c).
 *
 * The criterion sets the weight: it compares h left-out rows with the same rows after ANK_SWAPPED of their
 * cells were replaced by those of other rows. With the areas of the join (at weight 1) and of the other parts
 * alone as normal quantiles, lead = join - others,
 *   weight = min(1, 1 + (lead - ANK_TOKEN_DOUBT / sqrt(h)) / ANK_TOKEN_GATE), or 0 if that is below ANK_TOKEN_LEAST.
 * With weight 0 nothing is stored. The file has the columns and the pairs alone. Tokens and counts are
 * functions of the kept rows, computed when a model is loaded. Memory: at most about 20 bytes per kept row
 * and pair. */
#ifndef ANK_SCORERS_BLEND_TOKENS_H
#define ANK_SCORERS_BLEND_TOKENS_H

#include "neighbours/reference_set.h"
#include "scorers/scorer.h"

typedef enum ank_token_kind { ANK_TOKEN_EXACT = 0, ANK_TOKEN_QUANTILES, ANK_TOKEN_LEVEL } ank_token_kind;

enum { ANK_TOKEN_KINDS = 3, ANK_TOKEN_BINS = 12, ANK_TOKEN_COLUMNS = 256, ANK_TOKEN_PAIRS = 64 };

/* Keys numbered 0, 1, ... in the order of their arrival. */
typedef struct ank_token_map {
  uint64_t *key;
  uint32_t *slot; /* number + 1; 0: empty */
  size_t slots, count;
} ank_token_map;

typedef struct ank_token_column {
  size_t first, features; /* features of the row */
  ank_token_kind kind;
  ank_token_map values; /* exact */
  float end[2];         /* of the range */
  size_t edges;         /* bins */
  float edge[ANK_TOKEN_BINS - 1];
  int alone[2];  /* one row alone has that end */
  uint32_t size; /* number of tokens; the last means never seen */
} ank_token_column;

typedef struct ank_token_group {
  uint32_t column[2];  /* the second is ANK_NOWHERE: a single column */
  ank_token_map pairs; /* of tokens; slots = 0: numbered as in a matrix */
  size_t size;         /* number of pairs; the last means never seen */
  float *surprise; /* 2 of each: of its count, and of one less; the second is negative if the count is 0 */
} ank_token_group;

typedef struct ank_tokens {
  size_t dim, rows; /* kept rows counted */
  float *clear;     /* dim: a feature of value 0, as stored */
  size_t columns, groups, knots;
  ank_token_column *column;
  ank_token_group *group; /* single columns first */
  float *knot;            /* distinct T(i), ascending */
  double *nats;           /* v at each knot, and beyond the last */
} ank_tokens;

/* Choose columns and groups, and count. row[i]: index of kept row i in the table. */
anorank_status ank_tokens_fit(ank_tokens **out, const ank_reference_set *kept, const ank_row_layout *layout,
                              const size_t *row, const anorank_settings *settings, anorank_error *err);

/* Compute the part's values v of stored rows. `own`: rows to exclude from their own counts if leave[i] is set
 * (NULL: all); may be `held` itself; NULL: exclude none. */
anorank_status ank_tokens_values(double *values, const ank_tokens *tokens, const float *held, size_t count,
                                 const float *own, const unsigned char *leave, anorank_error *err);

/* Find the codes of a stored row, and pairs of codes and levels, that no kept row has, if that is surprising:
 * per column, the pair of largest surprise. Levels and values outside the range of their column are not
 * included. */
anorank_status ank_tokens_unseen(ank_unseen *out, const ank_tokens *tokens, const float *held,
                                 anorank_error *err);

/* Create an object without columns and groups. */
anorank_status ank_tokens_make(ank_tokens **out, const ank_reference_set *kept, anorank_error *err);

/* Count, with the columns and groups as they are. `choose`: drop groups that hardly repeat. */
anorank_status ank_tokens_count(ank_tokens *tokens, const ank_reference_set *kept, int choose,
                                anorank_error *err);

size_t ank_tokens_bytes(const ank_tokens *tokens);
anorank_status ank_tokens_save(const ank_tokens *tokens, ank_bytes *out, anorank_error *err);
anorank_status ank_tokens_load(ank_tokens **out, const ank_reference_set *kept, ank_cursor *in,
                               anorank_error *err);
void ank_tokens_free(ank_tokens *tokens);

/* For the fit: learn the tokens of a column, and compute those of stored rows. */
anorank_status ank_token_column_learn(ank_token_column *column, const ank_tokens *tokens, const float *rows,
                                      size_t count, anorank_error *err);
void ank_token_column_free(ank_token_column *column); /* frees its memory, not the struct */
uint32_t ank_token_of(const ank_token_column *column, const ank_tokens *tokens, const float *held);

#endif
