/* row_store.c - see row_store.h. */
#include "sampling/row_store.h"

#include <stdlib.h>
#include <string.h>

#include "core/alloc.h"
#include "sampling/row_draw.h"
#include "table/raw_cells.h"

enum { SPARE_SHARE = 8, FEWEST_SPARE = 4096 }; /* rows beyond `most` before the store is reduced */

static const int32_t not_yet = -2; /* a level without rows so far */

/* ---- columns ----------------------------------------------------------------------------------------- */

anorank_status ank_row_store_begin(ank_row_store *store, const anorank_table *like, size_t most,
                                   anorank_error *err) {
  ANK_CHECK(ank_table_new_like(&store->table, like, 0, err));
  store->most = most;
  store->border = UINT64_MAX;
  store->settled = 1;
  return ANORANK_OK;
}

void ank_row_store_free(ank_row_store *store) {
  ank_table_free(store->table);
  ank_free(store->row);
  ank_free(store->key);
  *store = (ank_row_store){0};
}

anorank_status ank_row_store_fits(const anorank_table *have, const anorank_table *block, anorank_error *err) {
  const char *from = block->source ? block->source : "the block";
  char name[ANK_QUOTE_SIZE], other[ANK_QUOTE_SIZE];
  if (have->columns != block->columns)
    return ank_fail(err, ANORANK_ERROR_DATA, "parts-column-count",
                    "%s: has %zu column%s, but earlier parts have %zu; give all parts the same columns", from,
                    block->columns, ANK_S(block->columns), have->columns);
  for (size_t j = 0; j < have->columns; j++) {
    const ank_column *a = &have->column[j], *b = &block->column[j];
    ank_quote(name, b->name, strlen(b->name));
    if (strcmp(a->name, b->name) != 0) {
      (void)ank_fail(err, ANORANK_ERROR_DATA, "parts-column-name",
                     "%s: column %zu is '%s', but '%s' in earlier parts; give all parts the same columns",
                     from, j + 1, name, ank_quote(other, a->name, strlen(a->name)));
      ank_error_set_location(err, block->source, 0, b->name);
      return ANORANK_ERROR_DATA;
    }
    if (a->kind == b->kind || (block->rows == 0 && b->kind == ANORANK_NUMERIC))
      continue; /* a part without rows does not show the content of its columns */
    anorank_status status = ank_fail(err, ANORANK_ERROR_DATA, "parts-column-type",
                                     "%s: column '%s' is %s, but %s in earlier parts; add it to categorical",
                                     from, name, ank_kind_word(b->kind), ank_kind_word(a->kind));
    ank_error_set_location(err, block->source, 0, b->name);
    ank_error_set_setting(err, "categorical");
    return status;
  }
  return ANORANK_OK;
}

/* ---- rows -------------------------------------------------------------------------------------------- */

/* Append the codes of the chosen rows of a block, as levels of the store. */
static anorank_status append_codes(ank_column *into, size_t at, const ank_column *from, const size_t *chosen,
                                   size_t count, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  int32_t *renamed = NULL;
  ANK_TRY(ank_alloc_raw(&renamed, from->levels.count, sizeof *renamed, err));
  for (size_t k = 0; k < from->levels.count; k++) renamed[k] = not_yet;
  for (size_t i = 0; i < count; i++) {
    int32_t code = from->codes[chosen[i]];
    if (code >= 0 && renamed[code] == not_yet) {
      const char *text = from->levels.text[code];
      ANK_TRY(ank_levels_code(&renamed[code], &into->levels, text, strlen(text), err));
    }
    into->codes[at + i] = code < 0 ? -1 : renamed[code];
  }
done:
  ank_free(renamed);
  return status;
}

static anorank_status append(ank_row_store *store, const anorank_table *block, const size_t *number,
                             size_t first, const uint64_t *keys, const size_t *chosen, size_t count,
                             anorank_error *err) {
  anorank_table *table = store->table;
  size_t at = table->rows;
  ANK_CHECK(ank_table_reserve(table, at + count, err));
  ANK_CHECK(ank_reserve(&store->row, &store->row_capacity, at + count, sizeof *store->row, err));
  ANK_CHECK(ank_reserve(&store->key, &store->key_capacity, at + count, sizeof *store->key, err));
  for (size_t j = 0; j < table->columns; j++) {
    ank_column *into = &table->column[j];
    const ank_column *from = &block->column[j];
    if (from->resolution > into->resolution) into->resolution = from->resolution;
    if (into->kind == ANORANK_CATEGORICAL)
      ANK_CHECK(append_codes(into, at, from, chosen, count, err));
    else
      for (size_t i = 0; i < count; i++) into->numbers[at + i] = from->numbers[chosen[i]];
  }
  for (size_t i = 0; i < count; i++) {
    size_t row = number ? number[chosen[i]] : first + chosen[i];
    if (at + i > 0 && row <= store->row[at + i - 1]) store->settled = 0;
    store->row[at + i] = row;
    store->key[at + i] = keys[chosen[i]];
  }
  table->rows = at + count;
  return ANORANK_OK;
}

/* Renumber levels by first appearance, without those that no row has. */
static anorank_status renew_levels(ank_column *column, size_t rows, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_levels fresh = {0};
  int32_t *renamed = NULL;
  ANK_TRY(ank_alloc_raw(&renamed, column->levels.count, sizeof *renamed, err));
  for (size_t k = 0; k < column->levels.count; k++) renamed[k] = not_yet;
  for (size_t i = 0; i < rows; i++) { /* codes change only after all allocations: a failure changes nothing */
    int32_t code = column->codes[i];
    if (code < 0 || renamed[code] != not_yet) continue;
    const char *text = column->levels.text[code];
    ANK_TRY(ank_levels_code(&renamed[code], &fresh, text, strlen(text), err));
  }
  for (size_t i = 0; i < rows; i++)
    if (column->codes[i] >= 0) column->codes[i] = renamed[column->codes[i]];
  ank_levels_free(&column->levels);
  column->levels = fresh;
  fresh = (ank_levels){0};
done:
  ank_levels_free(&fresh);
  ank_free(renamed);
  return status;
}

static anorank_status renew_all_levels(ank_row_store *store, anorank_error *err) {
  for (size_t j = 0; j < store->table->columns; j++)
    if (store->table->column[j].kind == ANORANK_CATEGORICAL)
      ANK_CHECK(renew_levels(&store->table->column[j], store->table->rows, err));
  return ANORANK_OK;
}

static int by_number(const void *a, const void *b) {
  size_t left = *(const size_t *)a, right = *(const size_t *)b;
  return left < right ? -1 : left > right;
}

/* Of the rows with the border's key, return the numbers that stay: the `room` smallest. Allocated; hardly
 * ever more than one. */
static anorank_status at_border(size_t **out, size_t *count, const ank_row_store *store, anorank_error *err) {
  size_t n = store->table->rows, less = 0, equal = 0;
  for (size_t i = 0; i < n; i++) {
    less += store->key[i] < store->border;
    equal += store->key[i] == store->border;
  }
  ANK_CHECK(ank_alloc_raw(out, equal, sizeof **out, err));
  equal = 0;
  for (size_t i = 0; i < n; i++)
    if (store->key[i] == store->border) (*out)[equal++] = store->row[i];
  qsort(*out, equal, sizeof **out, by_number);
  *count = store->most - less;
  return ANORANK_OK;
}

/* Keep the `most` rows with the smallest keys. */
static anorank_status press(ank_row_store *store, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_table *table = store->table;
  size_t n = table->rows, kept = 0, *last = NULL, last_count = 0;
  uint64_t *words = NULL;
  unsigned char *stays = NULL;
  if (n <= store->most) return ANORANK_OK;
  ANK_TRY(ank_alloc_raw(&words, n, sizeof *words, err));
  memcpy(words, store->key, n * sizeof *words);
  store->border = ank_draw_kth(words, n, store->most - 1);
  ANK_TRY(at_border(&last, &last_count, store, err));
  ANK_TRY(ank_alloc(&stays, n, 1, err));
  for (size_t i = 0; i < n; i++)
    stays[i] = store->key[i] < store->border ||
               (store->key[i] == store->border &&
                bsearch(&store->row[i], last, last_count, sizeof *last, by_number) != NULL);
  for (size_t j = 0; j < table->columns; j++) {
    ank_column *column = &table->column[j];
    kept = 0;
    for (size_t i = 0; i < n; i++) {
      if (!stays[i]) continue;
      if (column->kind == ANORANK_CATEGORICAL)
        column->codes[kept++] = column->codes[i];
      else
        column->numbers[kept++] = column->numbers[i];
    }
  }
  kept = 0;
  for (size_t i = 0; i < n; i++) {
    if (!stays[i]) continue;
    store->row[kept] = store->row[i];
    store->key[kept++] = store->key[i];
  }
  table->rows = kept;
  ANK_TRY(renew_all_levels(store, err));
done:
  ank_free(words);
  ank_free(last);
  ank_free(stays);
  return status;
}

anorank_status ank_row_store_offer(ank_row_store *store, const anorank_table *block, const size_t *number,
                                   size_t first, const uint64_t *keys, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t spare = store->most / SPARE_SHARE > FEWEST_SPARE ? store->most / SPARE_SHARE : FEWEST_SPARE;
  size_t *chosen = NULL, count = 0;
  ANK_TRY(ank_alloc_raw(&chosen, block->rows < spare ? block->rows : spare, sizeof *chosen, err));
  for (size_t i = 0; i < block->rows; i++) {
    if (keys[i] > store->border) continue;
    chosen[count++] = i;
    if (count < spare && store->table->rows + count < store->most + spare) continue;
    ANK_TRY(append(store, block, number, first, keys, chosen, count, err));
    count = 0;
    if (store->table->rows >= store->most + spare) ANK_TRY(press(store, err));
  }
  ANK_TRY(append(store, block, number, first, keys, chosen, count, err));
done:
  ank_free(chosen);
  return status;
}

/* ---- settling ---------------------------------------------------------------------------------------- */

typedef struct place {
  size_t row, at;
} place;

static int by_row(const void *a, const void *b) {
  const place *left = a, *right = b;
  return left->row < right->row ? -1 : left->row > right->row;
}

/* Reorder values of `width` bytes by `order`. */
static void reorder(void *values, void *work, size_t width, const place *order, size_t n) {
  char *to = work;
  memcpy(work, values, n * width);
  for (size_t i = 0; i < n; i++) memcpy((char *)values + i * width, to + order[i].at * width, width);
}

static anorank_status sort_rows(ank_row_store *store, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_table *table = store->table;
  size_t n = table->rows;
  if (n == 0) return ANORANK_OK;
  place *order = NULL;
  uint64_t *work = NULL;
  ANK_TRY(ank_alloc_raw(&order, n, sizeof *order, err));
  ANK_TRY(ank_alloc_raw(&work, n, sizeof *work, err));
  for (size_t i = 0; i < n; i++) order[i] = (place){store->row[i], i};
  qsort(order, n, sizeof *order, by_row);
  for (size_t i = 1; i < n; i++)
    if (order[i].row == order[i - 1].row)
      ANK_FAIL(ANORANK_ERROR_USAGE, "stream-row-twice",
               "row %zu was added twice; give each row a unique number", order[i].row + 1);
  for (size_t j = 0; j < table->columns; j++) {
    ank_column *column = &table->column[j];
    if (column->kind == ANORANK_CATEGORICAL)
      reorder(column->codes, work, sizeof *column->codes, order, n);
    else
      reorder(column->numbers, work, sizeof *column->numbers, order, n);
  }
  reorder(store->row, work, sizeof *store->row, order, n);
  reorder(store->key, work, sizeof *store->key, order, n);
done:
  ank_free(order);
  ank_free(work);
  return status;
}

anorank_status ank_row_store_settle(ank_row_store *store, anorank_error *err) {
  if (!store->table) return ANORANK_OK;
  ANK_CHECK(press(store, err));
  if (!store->settled) ANK_CHECK(sort_rows(store, err));
  if (!store->settled) ANK_CHECK(renew_all_levels(store, err));
  store->settled = 1;
  return ANORANK_OK;
}
