/* blend_tokens_fit.c - choose the columns and pairs for tokens, and their weight (blend_tokens.h). */
#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "core/method_constants.h"
#include "core/parallel.h"
#include "core/swap.h"
#include "kernels/normal.h"
#include "kernels/sort.h"
#include "scorers/blend.h"

enum {
  DRAW_COLUMNS = (1 << 20) - 5, /* indices of ANK_STREAM_FIT; blend_fit.c has those above */
  DRAW_GATE = (1 << 20) - 6
};

/* ---- columns ----------------------------------------------------------------------------------------- */

/* The kept rows, and their positions in the table. */
typedef struct {
  const ank_reference_set *kept;
  const uint32_t *order;
  const anorank_settings *settings;
} source;

/* Compute the tokens of all kept rows, and the number of rows of each. *moving: there are at least two. */
static anorank_status count_tokens(uint32_t **token, uint32_t **count, int *moving,
                                   const ank_token_column *column, const ank_tokens *tokens,
                                   const source *from, anorank_error *err) {
  size_t n = from->kept->count;
  ANK_CHECK(ank_alloc_raw(token, n, sizeof **token, err));
  ANK_CHECK(ank_alloc(count, column->size, sizeof **count, err));
  for (size_t i = 0; i < n; i++) {
    (*token)[i] = ank_token_of(column, tokens, from->kept->rows + i * from->kept->dim);
    (*count)[(*token)[i]]++;
  }
  *moving = (*count)[(*token)[0]] < n;
  return ANORANK_OK;
}

/* Return whether the last rows of the table have tokens that no earlier row has, much more often than random
 * rows would. That holds for dates, batch numbers and identifiers: there, new values are normal. Of c rows
 * with a token, all are in a random share s of the rows, given that one is, with probability of about s^(c -
 * 1). */
static int moves_with_order(const ank_token_column *column, const uint32_t *token, const uint32_t *count,
                            unsigned char *seen, const source *from) {
  size_t n = from->kept->count, dim = from->kept->dim, last = (size_t)(ANK_TOKEN_LAST * (double)n), news = 0;
  int bins = column->kind == ANK_TOKEN_QUANTILES;
  double expected = 0;
  float low = INFINITY, high = -INFINITY;
  memset(seen, 0, column->size);
  for (size_t k = 0; k < n; k++) {
    size_t i = from->order[k];
    float value = from->kept->rows[i * dim + column->first];
    if (!bins) expected += pow(ANK_TOKEN_LAST, (double)count[token[i]] - 1) * (double)last / (double)n;
    if (k >= n - last) {
      news += bins ? value < low || value > high : !seen[token[i]];
    } else if (bins) {
      low = fminf(low, value);
      high = fmaxf(high, value);
    } else {
      seen[token[i]] = 1;
    }
  }
  return (double)news > 2 * expected + 3 * sqrt(expected) + 2 &&
         (double)news - expected > ANK_TOKEN_MOVES * (double)last;
}

/* Learn a column, exact if values repeat, else bins. *used: it is informative. */
static anorank_status learn_column(ank_token_column *column, int *used, const ank_tokens *tokens,
                                   const source *from, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const ank_reference_set *kept = from->kept;
  uint32_t *token = NULL, *count = NULL;
  unsigned char *seen = NULL;
  int moving;
  ANK_TRY(ank_token_column_learn(column, tokens, kept->rows, kept->count, err));
  ANK_TRY(count_tokens(&token, &count, &moving, column, tokens, from, err));
  *used = 0;
  if (!moving) goto done;
  if (column->kind == ANK_TOKEN_EXACT) {
    size_t repeat = 0;
    for (size_t i = 0; i < kept->count; i++) repeat += count[token[i]] > 1;
    if ((double)repeat < ANK_TOKEN_REPEAT * (double)kept->count) {
      column->kind = ANK_TOKEN_QUANTILES;
      ANK_TRY(ank_token_column_learn(column, tokens, kept->rows, kept->count, err));
    }
  }
  ANK_TRY(ank_alloc_raw(&seen, column->size, 1, err));
  *used = !moves_with_order(column, token, count, seen, from);
done:
  ank_free(token);
  ank_free(count);
  ank_free(seen);
  return status;
}

/* Choose at most ANK_TOKEN_COLUMNS of the columns that can be tokens, in their order. */
static anorank_status choose_cells(size_t **out, size_t *count, const ank_row_layout *layout,
                                   const anorank_settings *settings, anorank_error *err) {
  ank_rng rng;
  size_t kept = 0;
  *count = 0;
  ANK_CHECK(ank_alloc_raw(out, layout->cells, sizeof **out, err));
  for (size_t c = 0; c < layout->cells; c++)
    if (layout->cell[c].kind != ANK_CELL_OTHER) (*out)[(*count)++] = c;
  ank_rng_open(&rng, settings->seed, ANK_STREAM_FIT, DRAW_COLUMNS);
  size_t left = *count, wanted = *count < ANK_TOKEN_COLUMNS ? *count : ANK_TOKEN_COLUMNS;
  for (size_t c = 0; c<*count && * count> ANK_TOKEN_COLUMNS; c++, left--)
    if (ank_rng_below(&rng, left) < wanted) {
      (*out)[kept++] = (*out)[c];
      wanted--;
    }
  if (*count > ANK_TOKEN_COLUMNS) *count = kept;
  return ANORANK_OK;
}

static anorank_status choose_columns(ank_tokens *tokens, const ank_row_layout *layout, const source *from,
                                     anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t *cell = NULL, count;
  ANK_TRY(choose_cells(&cell, &count, layout, from->settings, err));
  ANK_TRY(ank_alloc(&tokens->column, count, sizeof *tokens->column, err));
  for (size_t k = 0; k < count; k++) {
    const ank_cell_features *of = &layout->cell[cell[k]];
    ank_token_column *column = &tokens->column[tokens->columns];
    int used;
    *column = (ank_token_column){.first = of->first,
                                 .features = of->count,
                                 .kind = of->kind == ANK_CELL_LEVEL ? ANK_TOKEN_LEVEL : ANK_TOKEN_EXACT};
    tokens->columns++; /* counted, so that it is freed */
    ANK_TRY(learn_column(column, &used, tokens, from, err));
    if (used) continue;
    tokens->columns--;
    ank_token_column_free(column);
  }
done:
  ank_free(cell);
  return status;
}

/* ---- groups ------------------------------------------------------------------------------------------ */

/* Choose all single columns, and all pairs or a random subset of the permitted size, in order. */
static anorank_status choose_groups(ank_tokens *tokens, const anorank_settings *settings,
                                    anorank_error *err) {
  size_t columns = tokens->columns, left = columns * (columns - (columns > 0)) / 2,
         wanted = left < ANK_TOKEN_PAIRS ? left : ANK_TOKEN_PAIRS;
  ank_rng rng;
  ANK_CHECK(ank_alloc(&tokens->group, columns + wanted, sizeof *tokens->group, err));
  for (uint32_t c = 0; c < columns; c++)
    tokens->group[tokens->groups++] = (ank_token_group){.column = {c, ANK_NOWHERE}};
  ank_rng_open(&rng, settings->seed, ANK_STREAM_FIT, DRAW_COLUMNS);
  for (uint32_t a = 0; a < columns; a++)
    for (uint32_t b = a + 1; b < columns; b++, left--) {
      if (wanted < left && ank_rng_below(&rng, left) >= wanted) continue;
      tokens->group[tokens->groups++] = (ank_token_group){.column = {a, b}};
      wanted--;
    }
  return ANORANK_OK;
}

/* Sort kept rows by their row in the table. */
static anorank_status order_of(uint32_t **out, const size_t *row, size_t count,
                               const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  double *number = NULL;
  ANK_TRY(ank_alloc_raw(&number, count, sizeof *number, err));
  ANK_TRY(ank_alloc_raw(out, count, sizeof **out, err));
  for (size_t i = 0; i < count; i++) number[i] = (double)row[i];
  ANK_TRY(ank_argsort(*out, number, count, settings, err));
done:
  ank_free(number);
  return status;
}

anorank_status ank_tokens_fit(ank_tokens **out, const ank_reference_set *kept, const ank_row_layout *layout,
                              const size_t *row, const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_tokens *tokens = NULL;
  uint32_t *order = NULL;
  *out = NULL;
  ANK_TRY(order_of(&order, row, kept->count, settings, err));
  ANK_TRY(ank_tokens_make(&tokens, kept, err));
  ANK_TRY(choose_columns(tokens, layout, &(source){kept, order, settings}, err));
  ANK_TRY(choose_groups(tokens, settings, err));
  ANK_TRY(ank_tokens_count(tokens, kept, 1, err));
  ANK_HAND_OVER(out, tokens);
done:
  ank_tokens_free(tokens);
  ank_free(order);
  return status;
}

/* ---- the gate ---------------------------------------------------------------------------------------- */

/* Kept rows, followed by the same rows with some cells of others: 2 x count rows. */
typedef struct {
  const ank_blend *blend;
  size_t count;
  double *rows, *scores, *values;
  uint32_t *own; /* indices of the excluded row, for both */
} contrast;

static void contrast_free(contrast *work) {
  ank_free(work->rows);
  ank_free(work->scores);
  ank_free(work->values);
  ank_free(work->own);
}

static int varies(const ank_reference_set *kept, const ank_cell_features *cell) {
  for (size_t i = 1; i < kept->count; i++)
    if (memcmp(kept->rows + i * kept->dim + cell->first, kept->rows + cell->first,
               cell->count * sizeof *kept->rows) != 0)
      return 1;
  return 0;
}

static anorank_status contrast_make(contrast *work, const ank_matrix *rows, const ank_row_layout *layout,
                                    const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t h = work->count, dim = rows->dim, moving = 0, *drawn = NULL, *cell = NULL, *from = NULL;
  ank_rng rng;
  ANK_TRY(ank_alloc_raw(&work->rows, 2 * h * dim, sizeof *work->rows, err));
  ANK_TRY(ank_alloc_raw(&work->scores, 2 * h, sizeof *work->scores, err));
  ANK_TRY(ank_alloc_raw(&work->values, 2 * h, sizeof *work->values, err));
  ANK_TRY(ank_alloc_raw(&work->own, 2 * h, sizeof *work->own, err));
  ANK_TRY(ank_alloc_raw(&drawn, h, sizeof *drawn, err));
  ANK_TRY(ank_alloc_raw(&cell, layout->cells, sizeof *cell, err));
  ANK_TRY(ank_alloc_raw(&from, layout->cells, sizeof *from, err));
  for (size_t c = 0; c < layout->cells; c++)
    if (varies(&work->blend->reference_set, &layout->cell[c])) cell[moving++] = c;
  ank_rng_open(&rng, settings->seed, ANK_STREAM_FIT, DRAW_GATE);
  ANK_TRY(ank_rng_sample(&rng, drawn, h, rows->rows, err));
  for (size_t k = 0; k < h; k++) {
    double *swapped = work->rows + (h + k) * dim;
    work->own[k] = work->own[h + k] = (uint32_t)drawn[k];
    memcpy(work->rows + k * dim, rows->values + drawn[k] * dim, dim * sizeof *swapped);
    memcpy(swapped, work->rows + k * dim, dim * sizeof *swapped);
    ank_swap_draw(from, moving, drawn[k], rows->rows, ANK_SWAPPED, &rng);
    for (size_t c = 0; c < moving; c++) {
      const ank_cell_features *of = &layout->cell[cell[c]];
      memcpy(swapped + of->first, rows->values + from[c] * dim + of->first, of->count * sizeof *swapped);
    }
  }
done:
  ank_free(drawn);
  ank_free(cell);
  ank_free(from);
  return status;
}

/* Compute the values of the other parts and of the tokens for one block of rows. */
static anorank_status judge_chunk(void *context, size_t chunk, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const contrast *work = context;
  const ank_blend *blend = work->blend;
  size_t dim = blend->reference_set.dim, from = chunk * ANK_BLEND_BLOCK, left = 2 * work->count - from;
  size_t count = left < ANK_BLEND_BLOCK ? left : ANK_BLEND_BLOCK;
  ank_matrix some = {work->rows + from * dim, count, dim};
  float *held = NULL, *own = NULL;
  ANK_TRY(ank_alloc_raw(&held, count, dim * sizeof *held, err));
  ANK_TRY(ank_alloc_raw(&own, count, dim * sizeof *own, err));
  ANK_TRY(ank_blend_score(work->scores + from, blend, &some, work->own + from, err));
  ank_spaces_hold(held, &blend->reference_set.spaces, some.values, count);
  for (size_t i = 0; i < count; i++)
    memcpy(own + i * dim, blend->reference_set.rows + work->own[from + i] * dim, dim * sizeof *own);
  ANK_TRY(ank_tokens_values(work->values + from, blend->tokens, held, count, own, NULL, err));
done:
  ank_free(held);
  ank_free(own);
  return status;
}

/* Return the share of pairs of a kept and a swapped row in which the swapped one is larger. */
static double area(const double *values, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; i++)
    for (size_t k = count; k < 2 * count; k++)
      sum += values[k] > values[i] ? 1 : values[k] == values[i] ? 0.5 : 0;
  return sum / (double)count / (double)count;
}

/* Return the area as a normal quantile: the distance of two normal laws with this area, in standard
 * deviations (over the root of 2). Areas near 1 differ little otherwise. */
static double steepness(const double *values, size_t count) {
  double least = 0.5 / (double)count;
  return ank_normal_quantile(fmax(least, fmin(1 - least, area(values, count))));
}

static anorank_status find_weight(double *weight, const ank_blend *blend, const ank_matrix *rows,
                                  double per_nat, const ank_row_layout *layout,
                                  const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  contrast work = {.blend = blend, .count = rows->rows / 4};
  *weight = 0;
  if (work.count > ANK_TOKEN_GATE_ROWS) work.count = ANK_TOKEN_GATE_ROWS;
  if (work.count < ANK_TOKEN_GATE_LEAST || blend->tokens->groups == 0) return ANORANK_OK;
  ANK_TRY(contrast_make(&work, rows, layout, settings, err));
  ANK_TRY(ank_parallel(settings, (2 * work.count + ANK_BLEND_BLOCK - 1) / ANK_BLEND_BLOCK, judge_chunk, &work,
                       err));
  for (size_t i = 0; i < 2 * work.count; i++) {
    work.scores[i] = -work.scores[i];
    work.values[i] = ank_blend_join(work.scores[i], per_nat * fmax(0, work.values[i] - ANK_TOKEN_FREE));
  }
  double lead = steepness(work.values, work.count) - steepness(work.scores, work.count);
  lead -= ANK_TOKEN_DOUBT / sqrt((double)work.count);
  *weight = fmin(1, 1 + lead / ANK_TOKEN_GATE);
  if (*weight < ANK_TOKEN_LEAST) *weight = 0;
done:
  contrast_free(&work);
  return status;
}

anorank_status ank_blend_add_tokens(ank_blend *blend, const ank_matrix *rows, const size_t *row,
                                    double per_nat, const ank_row_layout *layout,
                                    const anorank_settings *settings, anorank_error *err) {
  double weight;
  ANK_CHECK(ank_tokens_fit(&blend->tokens, &blend->reference_set, layout, row, settings, err));
  ANK_CHECK(find_weight(&weight, blend, rows, per_nat, layout, settings, err));
  blend->part[blend->parts++] = (ank_part){.kind = ANK_PART_TOKENS,
                                           .space = ANORANK_SPACE_STANDARD,
                                           .neighbours = 1,
                                           .weight = weight,
                                           .centre = ANK_TOKEN_FREE,
                                           .scale = 1 / per_nat,
                                           .least = 0,
                                           .most = INFINITY,
                                           .gap = -1};
  return ANORANK_OK;
}
