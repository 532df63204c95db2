/* blend_tokens.c - tokens of cells, their counts and surprises (blend_tokens.h); blend_tokens_fit.c chooses
 * them. */
#include "scorers/blend_tokens.h"

#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "core/hash.h"
#include "core/method_constants.h"
#include "kernels/sort.h"
#include "scorers/blend.h"

/* ---- maps -------------------------------------------------------------------------------------------- */

static uint32_t map_find(const ank_token_map *map, const ank_word_hash *hash, uint64_t key) {
  size_t at = (size_t)ank_hash_word(hash, key) & (map->slots - 1);
  while (map->slot[at] && map->key[map->slot[at] - 1] != key) at = (at + 1) & (map->slots - 1);
  return map->slot[at] ? map->slot[at] - 1 : (uint32_t)map->count;
}

/* Map the distinct keys among `count`, and write the index of each to place[]. */
static anorank_status map_make(ank_token_map *out, uint32_t *place, const uint64_t *keys, size_t count,
                               anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_word_hash hash = ank_word_hash_at(0);
  ank_token_map all = {.slots = 16};
  while (all.slots < count + count / 2) all.slots *= 2;
  ANK_TRY(ank_alloc(&all.slot, all.slots, sizeof *all.slot, err));
  ANK_TRY(ank_alloc_raw(&all.key, count, sizeof *all.key, err));
  for (size_t i = 0; i < count; i++) {
    size_t at = (size_t)ank_hash_word(&hash, keys[i]) & (all.slots - 1);
    while (all.slot[at] && all.key[all.slot[at] - 1] != keys[i]) at = (at + 1) & (all.slots - 1);
    if (!all.slot[at]) {
      all.key[all.count++] = keys[i];
      all.slot[at] = (uint32_t)all.count;
    }
    place[i] = all.slot[at] - 1;
  }
  *out = (ank_token_map){.slots = 16, .count = all.count};
  while (out->slots < all.count + all.count / 2) out->slots *= 2;
  ANK_TRY(ank_alloc(&out->slot, out->slots, sizeof *out->slot, err));
  ANK_TRY(ank_alloc_raw(&out->key, all.count, sizeof *out->key, err));
  memcpy(out->key, all.key, all.count * sizeof *out->key);
  for (size_t k = 0; k < all.count; k++) {
    size_t at = (size_t)ank_hash_word(&hash, out->key[k]) & (out->slots - 1);
    while (out->slot[at]) at = (at + 1) & (out->slots - 1);
    out->slot[at] = (uint32_t)k + 1;
  }
done:
  ank_free(all.slot);
  ank_free(all.key);
  return status;
}

static void map_free(ank_token_map *map) {
  ank_free(map->key);
  ank_free(map->slot);
  *map = (ank_token_map){0};
}

static size_t map_bytes(const ank_token_map *map) {
  return map->slots * sizeof *map->slot + map->count * sizeof *map->key;
}

/* ---- tokens of a column ------------------------------------------------------------------------------ */

static uint64_t key_of(float value) {
  uint32_t bits;
  value += 0.0F; /* -0 equals 0 */
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static int is_missing(const ank_token_column *column, const ank_tokens *tokens, const float *held) {
  return column->features > 1 && held[column->first + 1] != tokens->clear[column->first + 1];
}

static uint32_t bin_of(const ank_token_column *column, float value) {
  uint32_t bin = 0;
  if (!(value >= column->end[0] && value <= column->end[1])) return column->size - 1;
  for (size_t k = 0; k < column->edges; k++) bin += column->edge[k] <= value;
  return bin;
}

static uint32_t level_of(const ank_token_column *column, const ank_tokens *tokens, const float *held) {
  size_t marks = column->features - 1, k = 0; /* the last feature is the rarity of the level */
  while (k < marks && held[column->first + k] == tokens->clear[column->first + k]) k++;
  return (uint32_t)k;
}

static uint32_t token_of(const ank_token_column *column, const ank_tokens *tokens, const ank_word_hash *hash,
                         const float *held) {
  if (column->kind == ANK_TOKEN_LEVEL) return level_of(column, tokens, held);
  if (is_missing(column, tokens, held)) return column->size - 2;
  if (column->kind == ANK_TOKEN_QUANTILES) return bin_of(column, held[column->first]);
  uint32_t place = map_find(&column->values, hash, key_of(held[column->first]));
  return place < column->values.count ? place : column->size - 1;
}

uint32_t ank_token_of(const ank_token_column *column, const ank_tokens *tokens, const float *held) {
  ank_word_hash hash = ank_word_hash_at(0);
  return token_of(column, tokens, &hash, held);
}

/* Return whether no other row has this end of the column's range. */
static int ends_alone(const ank_token_column *column, const ank_tokens *tokens, const float *held) {
  if (column->kind != ANK_TOKEN_QUANTILES || is_missing(column, tokens, held)) return 0;
  float value = held[column->first];
  return (column->alone[0] && value == column->end[0]) || (column->alone[1] && value == column->end[1]);
}

static void learn_bins(ank_token_column *column, const double *sorted, size_t count) {
  column->edges = 0;
  for (size_t k = 1; k < ANK_TOKEN_BINS; k++) {
    float edge = (float)ank_blend_quantile(sorted, count, (double)k / ANK_TOKEN_BINS);
    if (column->edges == 0 || edge > column->edge[column->edges - 1]) column->edge[column->edges++] = edge;
  }
  for (int k = 0; k < 2; k++) {
    size_t at = k ? count - 1 : 0;
    column->end[k] = (float)sorted[at];
    column->alone[k] = count < 2 || sorted[k ? count - 2 : 1] != sorted[at];
  }
  column->size = (uint32_t)column->edges + 3; /* bins, missing, never seen */
}

static anorank_status learn_values(ank_token_column *column, const double *sorted, size_t count,
                                   anorank_error *err) {
  anorank_status status = ANORANK_OK;
  uint64_t *keys = NULL;
  uint32_t *place = NULL;
  size_t distinct = 0;
  ANK_TRY(ank_alloc_raw(&keys, count, sizeof *keys, err));
  ANK_TRY(ank_alloc_raw(&place, count, sizeof *place, err));
  for (size_t i = 0; i < count; i++)
    if (i == 0 || sorted[i] != sorted[i - 1]) keys[distinct++] = key_of((float)sorted[i]);
  column->end[0] = (float)sorted[0];
  column->end[1] = (float)sorted[count - 1];
  ANK_TRY(map_make(&column->values, place, keys, distinct, err));
  column->size = (uint32_t)distinct + 2; /* values, missing, never seen */
done:
  ank_free(keys);
  ank_free(place);
  return status;
}

void ank_token_column_free(ank_token_column *column) {
  map_free(&column->values);
  *column = (ank_token_column){0};
}

anorank_status ank_token_column_learn(ank_token_column *column, const ank_tokens *tokens, const float *rows,
                                      size_t count, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  double *sorted = NULL;
  size_t filled = 0;
  anorank_settings alone = *ank_settings_defaults();
  alone.threads = 1;
  if (column->kind == ANK_TOKEN_LEVEL) {
    column->size = (uint32_t)column->features;
    return ANORANK_OK;
  }
  ANK_TRY(ank_alloc_raw(&sorted, count, sizeof *sorted, err));
  for (size_t i = 0; i < count; i++)
    if (!is_missing(column, tokens, rows + i * tokens->dim))
      sorted[filled++] = (double)rows[i * tokens->dim + column->first];
  if (filled == 0) sorted[filled++] = 0;
  ANK_TRY(ank_sort(sorted, filled, &alone, err));
  map_free(&column->values);
  if (column->kind == ANK_TOKEN_QUANTILES)
    learn_bins(column, sorted, filled);
  else
    ANK_TRY(learn_values(column, sorted, filled, err));
done:
  ank_free(sorted);
  return status;
}

/* ---- groups ------------------------------------------------------------------------------------------ */

static int is_pair(const ank_token_group *group) { return group->column[1] != ANK_NOWHERE; }

/* Kept rows during counting: tokens by column, and rows that alone end a range. */
typedef struct {
  size_t rows;
  uint32_t *token;      /* columns x rows */
  unsigned char *alone; /* likewise */
  uint64_t *key;        /* rows */
  uint32_t *place, *count, *many;
  float *by_count; /* rows + 1: S(k) */
  float *best[2];  /* rows: of single columns, of pairs */
} counting;

static void counting_free(counting *work) {
  ank_free(work->token);
  ank_free(work->alone);
  ank_free(work->key);
  ank_free(work->place);
  ank_free(work->count);
  ank_free(work->many);
  ank_free(work->by_count);
  ank_free(work->best[0]);
  ank_free(work->best[1]);
}

static anorank_status counting_make(counting *work, const ank_tokens *tokens, const ank_reference_set *kept,
                                    anorank_error *err) {
  size_t n = work->rows = kept->count;
  ank_word_hash hash = ank_word_hash_at(0);
  ANK_CHECK(ank_alloc_raw(&work->token, tokens->columns * n, sizeof *work->token, err));
  ANK_CHECK(ank_alloc_raw(&work->alone, tokens->columns * n, sizeof *work->alone, err));
  ANK_CHECK(ank_alloc_raw(&work->key, n, sizeof *work->key, err));
  ANK_CHECK(ank_alloc_raw(&work->place, n, sizeof *work->place, err));
  ANK_CHECK(ank_alloc_raw(&work->many, n + 1, sizeof *work->many, err));
  ANK_CHECK(ank_alloc_raw(&work->by_count, n + 1, sizeof *work->by_count, err));
  for (int k = 0; k < 2; k++) ANK_CHECK(ank_alloc(&work->best[k], n, sizeof *work->best[k], err));
  for (size_t c = 0; c < tokens->columns; c++)
    for (size_t i = 0; i < n; i++) {
      const float *row = kept->rows + i * kept->dim;
      work->token[c * n + i] = token_of(&tokens->column[c], tokens, &hash, row);
      work->alone[c * n + i] = (unsigned char)ends_alone(&tokens->column[c], tokens, row);
    }
  return ANORANK_OK;
}

/* Write the indices of the kept rows in the group to work->place. Pairs of few tokens are a matrix. */
static anorank_status place_rows(ank_token_group *group, const ank_tokens *tokens, counting *work,
                                 anorank_error *err) {
  size_t n = work->rows;
  const uint32_t *a = work->token + group->column[0] * n;
  group->size = tokens->column[group->column[0]].size;
  if (!is_pair(group)) {
    memcpy(work->place, a, n * sizeof *a);
    return ANORANK_OK;
  }
  const uint32_t *b = work->token + group->column[1] * n;
  uint64_t wide = tokens->column[group->column[1]].size, cells = (uint64_t)group->size * wide;
  map_free(&group->pairs);
  if (cells <= 2 * n) {
    for (size_t i = 0; i < n; i++) work->place[i] = (uint32_t)(a[i] * wide + b[i]);
    group->size = (size_t)cells;
    return ANORANK_OK;
  }
  for (size_t i = 0; i < n; i++) work->key[i] = (uint64_t)a[i] << 32 | b[i];
  ANK_CHECK(map_make(&group->pairs, work->place, work->key, n, err));
  group->size = group->pairs.count + 1;
  return ANORANK_OK;
}

/* Compute S(k) for k = 0 .. rows - 1 from the left-out counts work->many, by summation. */
static void surprises_of_counts(counting *work) {
  uint32_t sum = 0;
  for (size_t k = 0; k <= work->rows; k++) {
    sum += work->many[k];
    work->by_count[k] = k > 0 && work->many[k] == 0
                            ? work->by_count[k - 1]
                            : (float)-log((1 + (double)sum) / ((double)work->rows + 1));
  }
}

/* Count the rows of a group, and compute the surprise of each row left out. *useful: enough of them
 * repeat. */
static anorank_status count_group(ank_token_group *group, int *useful, const ank_tokens *tokens,
                                  counting *work, anorank_error *err) {
  size_t n = work->rows, repeat = 0;
  const unsigned char *alone = work->alone + group->column[0] * n,
                      *other = is_pair(group) ? work->alone + group->column[1] * n : alone;
  ANK_CHECK(place_rows(group, tokens, work, err));
  ank_free(work->count);
  work->count = NULL;
  ANK_CHECK(ank_alloc(&work->count, group->size, sizeof *work->count, err));
  ank_free(group->surprise);
  group->surprise = NULL;
  ANK_CHECK(ank_alloc_raw(&group->surprise, group->size, 2 * sizeof *group->surprise, err));
  memset(work->many, 0, (n + 1) * sizeof *work->many);
  for (size_t i = 0; i < n; i++) work->count[work->place[i]]++;
  for (size_t i = 0; i < n; i++) {
    uint32_t left = alone[i] || other[i] ? 0 : work->count[work->place[i]] - 1;
    work->many[left]++;
    repeat += left > 0;
  }
  *useful = (double)repeat >= ANK_TOKEN_USEFUL * (double)n;
  surprises_of_counts(work);
  for (size_t k = 0; k < group->size; k++) {
    uint32_t count = work->count[k];
    group->surprise[2 * k] = work->by_count[count];
    group->surprise[2 * k + 1] = count > 0 ? work->by_count[count - 1] : -work->by_count[0];
  }
  return ANORANK_OK;
}

/* Update the largest surprises of the left-out rows with a group that stays. */
static void note_rows(const ank_token_group *group, counting *work) {
  size_t n = work->rows;
  float *best = work->best[is_pair(group)];
  const unsigned char *alone = work->alone + group->column[0] * n,
                      *other = is_pair(group) ? work->alone + group->column[1] * n : alone;
  for (size_t i = 0; i < n; i++) {
    float own = alone[i] || other[i] ? work->by_count[0] : group->surprise[2 * work->place[i] + 1];
    if (own > best[i]) best[i] = own;
  }
}

static void group_free(ank_token_group *group) {
  map_free(&group->pairs);
  ank_free(group->surprise);
}

/* Compute v as a function of T. */
static anorank_status calibrate(ank_tokens *tokens, const counting *work, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t n = work->rows, knots = 0;
  double *sorted = NULL;
  anorank_settings alone = *ank_settings_defaults();
  alone.threads = 1;
  ANK_TRY(ank_alloc_raw(&sorted, n, sizeof *sorted, err));
  for (size_t i = 0; i < n; i++) sorted[i] = (double)(work->best[0][i] + work->best[1][i]);
  ANK_TRY(ank_sort(sorted, n, &alone, err));
  for (size_t i = 0; i < n; i++) knots += i == 0 || sorted[i] != sorted[i - 1];
  ank_free(tokens->knot);
  ank_free(tokens->nats);
  tokens->knot = NULL;
  tokens->nats = NULL;
  ANK_TRY(ank_alloc_raw(&tokens->knot, knots, sizeof *tokens->knot, err));
  ANK_TRY(ank_alloc_raw(&tokens->nats, knots + 1, sizeof *tokens->nats, err));
  tokens->knots = 0;
  for (size_t i = 0; i < n; i++) {
    if (i > 0 && sorted[i] == sorted[i - 1]) continue;
    tokens->knot[tokens->knots] = (float)sorted[i];
    tokens->nats[tokens->knots++] = -log((1 + (double)(n - i)) / ((double)n + 1));
  }
  tokens->nats[tokens->knots] = log((double)n + 1);
done:
  ank_free(sorted);
  return status;
}

anorank_status ank_tokens_count(ank_tokens *tokens, const ank_reference_set *kept, int choose,
                                anorank_error *err) {
  anorank_status status = ANORANK_OK;
  counting work = {0};
  size_t left = 0;
  tokens->rows = kept->count;
  ANK_TRY(counting_make(&work, tokens, kept, err));
  for (size_t g = 0; g < tokens->groups; g++) {
    int useful;
    ANK_TRY(count_group(&tokens->group[g], &useful, tokens, &work, err));
    if (choose && !useful) {
      group_free(&tokens->group[g]);
      tokens->group[g] = (ank_token_group){0};
      continue;
    }
    note_rows(&tokens->group[g], &work);
    if (left < g) {
      tokens->group[left] = tokens->group[g];
      tokens->group[g] = (ank_token_group){0};
    }
    left++;
  }
  tokens->groups = left;
  ANK_TRY(calibrate(tokens, &work, err));
done:
  counting_free(&work);
  return status;
}

/* ---- values ------------------------------------------------------------------------------------------ */

/* Tokens of a block of rows by column, and where the excluded row has the same. */
typedef struct {
  uint32_t *token;
  unsigned char *same;
  float *best[2];
} looking;

static void looking_free(looking *work) {
  ank_free(work->token);
  ank_free(work->same);
  ank_free(work->best[0]);
  ank_free(work->best[1]);
}

static void look_at_column(looking *work, const ank_tokens *tokens, size_t c, const float *held, size_t count,
                           const float *own, const unsigned char *leave) {
  const ank_token_column *column = &tokens->column[c];
  ank_word_hash hash = ank_word_hash_at(0);
  uint32_t *token = work->token + c * count;
  for (size_t i = 0; i < count; i++) token[i] = token_of(column, tokens, &hash, held + i * tokens->dim);
  for (size_t i = 0; own && i < count; i++) {
    const float *row = held + i * tokens->dim, *other = own + i * tokens->dim;
    int out = !leave || leave[i];
    work->same[c * count + i] =
        (unsigned char)(out && (row == other || token[i] == token_of(column, tokens, &hash, other)));
    if (out && row[column->first] == other[column->first] && ends_alone(column, tokens, row))
      token[i] = column->size - 1;
  }
}

static size_t place_of(const ank_token_group *group, const ank_word_hash *hash, size_t wide, uint32_t a,
                       uint32_t b) {
  return group->pairs.slots > 0 ? map_find(&group->pairs, hash, (uint64_t)a << 32 | b) : a * wide + b;
}

static void look_at_group(looking *work, const ank_tokens *tokens, const ank_token_group *group, size_t count,
                          int leaves) {
  ank_word_hash hash = ank_word_hash_at(0);
  size_t a = group->column[0], b = group->column[1];
  const uint32_t *first = work->token + a * count, *second = is_pair(group) ? work->token + b * count : NULL;
  size_t wide = second ? tokens->column[b].size : 1;
  float *best = work->best[second != NULL];
  for (size_t i = 0; i < count; i++) {
    size_t place = second ? place_of(group, &hash, wide, first[i], second[i]) : first[i];
    int same = leaves && work->same[a * count + i] && (!second || work->same[b * count + i]);
    float own = fabsf(group->surprise[2 * place + (size_t)same]);
    if (own > best[i]) best[i] = own;
  }
}

static double nats_of(const ank_tokens *tokens, float total) {
  size_t from = 0, count = tokens->knots; /* the first knot at or above */
  while (count > 0) {
    size_t half = count / 2;
    if (tokens->knot[from + half] < total) {
      from += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return from < tokens->knots ? tokens->nats[from]
                              : tokens->nats[from] + (double)(total - tokens->knot[from - 1]);
}

static anorank_status looking_make(looking *work, const ank_tokens *tokens, size_t count, int leaves,
                                   anorank_error *err) {
  ANK_CHECK(ank_alloc_raw(&work->token, tokens->columns * count, sizeof *work->token, err));
  ANK_CHECK(ank_alloc_raw(&work->same, leaves ? tokens->columns * count : 0, 1, err));
  for (int k = 0; k < 2; k++) ANK_CHECK(ank_alloc(&work->best[k], count, sizeof *work->best[k], err));
  return ANORANK_OK;
}

anorank_status ank_tokens_values(double *values, const ank_tokens *tokens, const float *held, size_t count,
                                 const float *own, const unsigned char *leave, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  looking work = {0};
  ANK_TRY(looking_make(&work, tokens, count, own != NULL, err));
  for (size_t c = 0; c < tokens->columns; c++) look_at_column(&work, tokens, c, held, count, own, leave);
  for (size_t g = 0; g < tokens->groups; g++)
    look_at_group(&work, tokens, &tokens->group[g], count, own != NULL);
  for (size_t i = 0; i < count; i++) values[i] = nats_of(tokens, work.best[0][i] + work.best[1][i]);
done:
  looking_free(&work);
  return status;
}

static int is_unseen(const ank_token_group *group, size_t place) {
  return signbit(group->surprise[2 * place + 1]) != 0;
}

/* Return whether a cell is a code between known codes that no row has. */
static int is_new_code(const ank_token_column *column, const float *held, uint32_t token) {
  float value = held[column->first];
  return column->kind == ANK_TOKEN_EXACT && token == column->size - 1 && value >= column->end[0] &&
         value <= column->end[1];
}

anorank_status ank_tokens_unseen(ank_unseen *out, const ank_tokens *tokens, const float *held,
                                 anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_word_hash hash = ank_word_hash_at(0);
  looking work = {0};
  float best[ANK_TOKEN_COLUMNS] = {0};
  *out = (ank_unseen){.rows = tokens->rows, .count = tokens->columns};
  ANK_TRY(looking_make(&work, tokens, 1, 0, err));
  for (size_t c = 0; c < tokens->columns; c++) {
    look_at_column(&work, tokens, c, held, 1, NULL, NULL);
    out->cell[c] = (ank_unseen_cell){tokens->column[c].first, 0, SIZE_MAX};
  }
  for (size_t g = 0; g < tokens->groups; g++) {
    const ank_token_group *group = &tokens->group[g];
    size_t a = group->column[0], b = is_pair(group) ? group->column[1] : a;
    size_t place = is_pair(group)
                       ? place_of(group, &hash, tokens->column[b].size, work.token[a], work.token[b])
                       : work.token[a];
    float surprise = group->surprise[2 * place];
    if (!is_unseen(group, place) || surprise < (float)ANK_TOKEN_TELLING) continue;
    if (a == b) {
      out->cell[a].alone = is_new_code(&tokens->column[a], held, work.token[a]);
      continue;
    }
    if (work.token[a] == tokens->column[a].size - 1 || work.token[b] == tokens->column[b].size - 1) continue;
    if (tokens->column[a].kind == ANK_TOKEN_QUANTILES || tokens->column[b].kind == ANK_TOKEN_QUANTILES)
      continue;
    for (size_t k = 0; k < 2; k++) {
      size_t own = k ? b : a, other = k ? a : b;
      if (!(surprise > best[own])) continue;
      best[own] = surprise;
      out->cell[own].with = tokens->column[other].first;
    }
  }
done:
  looking_free(&work);
  return status;
}

/* ---- memory and files -------------------------------------------------------------------------------- */

anorank_status ank_tokens_make(ank_tokens **out, const ank_reference_set *kept, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_tokens *tokens = NULL;
  double *zeros = NULL;
  *out = NULL;
  ANK_TRY(ank_alloc(&tokens, 1, sizeof *tokens, err));
  tokens->dim = kept->dim;
  ANK_TRY(ank_alloc_raw(&tokens->clear, kept->dim, sizeof *tokens->clear, err));
  ANK_TRY(ank_alloc(&zeros, kept->dim, sizeof *zeros, err));
  ank_spaces_hold(tokens->clear, &kept->spaces, zeros, 1);
  ANK_HAND_OVER(out, tokens);
done:
  ank_free(zeros);
  ank_tokens_free(tokens);
  return status;
}

void ank_tokens_free(ank_tokens *tokens) {
  if (!tokens) return;
  for (size_t c = 0; tokens->column && c < tokens->columns; c++) map_free(&tokens->column[c].values);
  for (size_t g = 0; tokens->group && g < tokens->groups; g++) group_free(&tokens->group[g]);
  ank_free(tokens->clear);
  ank_free(tokens->column);
  ank_free(tokens->group);
  ank_free(tokens->knot);
  ank_free(tokens->nats);
  ank_free(tokens);
}

size_t ank_tokens_bytes(const ank_tokens *tokens) {
  size_t bytes = sizeof *tokens + tokens->dim * sizeof *tokens->clear +
                 tokens->columns * sizeof *tokens->column + tokens->groups * sizeof *tokens->group +
                 tokens->knots * (sizeof *tokens->knot + sizeof *tokens->nats);
  for (size_t c = 0; c < tokens->columns; c++) bytes += map_bytes(&tokens->column[c].values);
  for (size_t g = 0; g < tokens->groups; g++)
    bytes += map_bytes(&tokens->group[g].pairs) + 2 * tokens->group[g].size * sizeof(float);
  return bytes;
}

anorank_status ank_tokens_save(const ank_tokens *tokens, ank_bytes *out, anorank_error *err) {
  ANK_CHECK(ank_bytes_put_u64(out, tokens->columns, err));
  for (size_t c = 0; c < tokens->columns; c++) {
    ANK_CHECK(ank_bytes_put_u64(out, tokens->column[c].first, err));
    ANK_CHECK(ank_bytes_put_u64(out, tokens->column[c].features, err));
    ANK_CHECK(ank_bytes_put_u64(out, (uint64_t)tokens->column[c].kind, err));
  }
  ANK_CHECK(ank_bytes_put_u64(out, tokens->groups, err));
  for (size_t g = 0; g < tokens->groups; g++)
    for (int k = 0; k < 2; k++) {
      uint32_t column = tokens->group[g].column[k];
      ANK_CHECK(ank_bytes_put_u64(out, column == ANK_NOWHERE ? tokens->columns : column, err));
    }
  return ANORANK_OK;
}

static anorank_status load_column(ank_token_column *out, const ank_tokens *tokens, ank_cursor *in,
                                  anorank_error *err) {
  size_t kind;
  ANK_CHECK(ank_cursor_size(in, &out->first, 0, tokens->dim - 1, "the first feature of a column", err));
  ANK_CHECK(
      ank_cursor_size(in, &out->features, 1, tokens->dim - out->first, "the features of a column", err));
  ANK_CHECK(ank_cursor_size(in, &kind, 0, ANK_TOKEN_KINDS - 1, "the kind of tokens", err));
  out->kind = (ank_token_kind)kind;
  return ANORANK_OK;
}

/* Read single columns first, then pairs, each once and in order, which bounds their number. */
static anorank_status load_group(ank_token_group *out, const ank_token_group *before, size_t columns,
                                 ank_cursor *in, anorank_error *err) {
  size_t a, b;
  ANK_CHECK(ank_cursor_size(in, &a, 0, columns - 1, "a column of tokens", err));
  ANK_CHECK(ank_cursor_size(in, &b, a + 1, columns, "a column of tokens", err));
  out->column[0] = (uint32_t)a;
  out->column[1] = b == columns ? ANK_NOWHERE : (uint32_t)b;
  if (!before || (is_pair(out) && !is_pair(before))) return ANORANK_OK;
  if (is_pair(out) == is_pair(before) &&
      (out->column[0] > before->column[0] ||
       (out->column[0] == before->column[0] && out->column[1] > before->column[1])))
    return ANORANK_OK;
  return ank_fail(err, ANORANK_ERROR_MODEL, "model-blend",
                  "the model is damaged: one part of its blend is invalid");
}

anorank_status ank_tokens_load(ank_tokens **out, const ank_reference_set *kept, ank_cursor *in,
                               anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_tokens *tokens = NULL;
  *out = NULL;
  ANK_TRY(ank_tokens_make(&tokens, kept, err));
  ANK_TRY(ank_cursor_size(in, &tokens->columns, 1, ANK_TOKEN_COLUMNS, "the columns of tokens", err));
  ANK_TRY(ank_alloc(&tokens->column, tokens->columns, sizeof *tokens->column, err));
  for (size_t c = 0; c < tokens->columns; c++) {
    ANK_TRY(load_column(&tokens->column[c], tokens, in, err));
    ANK_TRY(ank_token_column_learn(&tokens->column[c], tokens, kept->rows, kept->count, err));
  }
  ANK_TRY(ank_cursor_size(in, &tokens->groups, 1, ANK_TOKEN_COLUMNS + ANK_TOKEN_PAIRS, "the groups of tokens",
                          err));
  ANK_TRY(ank_alloc(&tokens->group, tokens->groups, sizeof *tokens->group, err));
  for (size_t g = 0; g < tokens->groups; g++)
    ANK_TRY(load_group(&tokens->group[g], g > 0 ? &tokens->group[g - 1] : NULL, tokens->columns, in, err));
  ANK_TRY(ank_tokens_count(tokens, kept, 0, err));
  ANK_HAND_OVER(out, tokens);
done:
  ank_tokens_free(tokens);
  return status;
}
