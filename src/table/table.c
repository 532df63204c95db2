/* table.c - the columnar table; see table.h. */
#include "table/table.h"

#include <stdio.h>
#include <string.h>

#include "core/alloc.h"
#include "core/hash.h"
#include "core/list.h"
#include "core/print.h"
#include "table/raw_cells.h"

#define MOST_LEVELS ((size_t)INT32_MAX - 1)

/* ---- levels ------------------------------------------------------------------------------------------ */

static uint32_t hash_of(const char *text, size_t length) { return (uint32_t)ank_hash_bytes(text, length); }

/* Return the slot of the text, or the empty slot for it. At least one slot must be empty. */
static ank_level_slot *slot_of(const ank_levels *levels, const char *text, size_t length, uint32_t hash) {
  size_t mask = levels->slot_count - 1, at = hash & mask;
  for (; levels->slots[at].level; at = (at + 1) & mask) {
    if (levels->slots[at].hash != hash) continue;
    const char *other = levels->text[levels->slots[at].level - 1];
    if (strlen(other) == length && memcmp(other, text, length) == 0) break;
  }
  return &levels->slots[at];
}

static anorank_status grow_slots(ank_levels *levels, anorank_error *err) {
  size_t count = levels->slot_count ? 2 * levels->slot_count : 16;
  ank_level_slot *grown = NULL;
  ANK_CHECK(ank_alloc(&grown, count, sizeof *grown, err));
  for (size_t i = 0; i < levels->slot_count; i++) {
    size_t at = levels->slots[i].hash & (count - 1);
    if (levels->slots[i].level == 0) continue;
    while (grown[at].level) at = (at + 1) & (count - 1);
    grown[at] = levels->slots[i];
  }
  ank_free(levels->slots);
  levels->slots = grown;
  levels->slot_count = count;
  return ANORANK_OK;
}

anorank_status ank_levels_code(int32_t *out, ank_levels *levels, const char *text, size_t length,
                               anorank_error *err) {
  uint32_t hash = hash_of(text, length);
  if (4 * (levels->count + 1) > 3 * levels->slot_count) ANK_CHECK(grow_slots(levels, err));
  ank_level_slot *slot = slot_of(levels, text, length, hash);
  if (slot->level == 0) {
    if (memchr(text, '\0', length))
      return ank_fail(err, ANORANK_ERROR_DATA, "text-nul-byte",
                      "a text contains a NUL byte; is this a binary file?");
    if (levels->count >= MOST_LEVELS)
      return ank_fail(err, ANORANK_ERROR_DATA, "column-text-count",
                      "a column has more than %zu distinct texts; remove it from the file", MOST_LEVELS);
    ANK_CHECK(ank_reserve(&levels->text, &levels->capacity, levels->count + 1, sizeof *levels->text, err));
    ANK_CHECK(ank_copy_text(&levels->text[levels->count], text, length, err));
    levels->count++;
    levels->bytes += length + 1;
    *slot = (ank_level_slot){(uint32_t)levels->count, hash};
  }
  *out = (int32_t)(slot->level - 1);
  return ANORANK_OK;
}

int32_t ank_levels_find(const ank_levels *levels, const char *text, size_t length) {
  if (levels->slot_count == 0) return -1;
  return (int32_t)slot_of(levels, text, length, hash_of(text, length))->level - 1;
}

static int has_level(const ank_levels *levels, const char *text, size_t length) {
  return ank_levels_find(levels, text, length) >= 0;
}

static size_t levels_bytes(const ank_levels *levels) {
  /* 16: approximate overhead of the allocator per small piece */
  return levels->bytes + 16 * levels->count + levels->capacity * sizeof *levels->text +
         levels->slot_count * sizeof *levels->slots;
}

void ank_levels_free(ank_levels *levels) {
  for (size_t i = 0; i < levels->count; i++) ank_free(levels->text[i]);
  ank_free(levels->text);
  ank_free(levels->slots);
}

/* ---- columns ----------------------------------------------------------------------------------------- */

static const char *name_for_messages(const anorank_table *table) {
  return table->source ? table->source : "the table";
}

static anorank_status check_columns(const anorank_table *table, size_t columns, anorank_error *err) {
  if (columns <= ANORANK_MAX_COLUMNS) return ANORANK_OK;
  return ank_fail(err, ANORANK_ERROR_DATA, "table-column-count",
                  "%s has %zu columns, more than %d; is the table transposed?", name_for_messages(table),
                  columns, ANORANK_MAX_COLUMNS);
}

anorank_status ank_table_new(anorank_table **out, size_t columns, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_table *table = NULL;
  *out = NULL;
  ANK_TRY(ank_alloc(&table, 1, sizeof *table, err));
  table->limit = SIZE_MAX;
  ANK_TRY(check_columns(table, columns, err));
  ANK_TRY(ank_alloc(&table->column, columns, sizeof *table->column, err));
  table->columns = table->column_capacity = columns;
  *out = table;
  table = NULL;
done:
  ank_table_free(table);
  return status;
}

anorank_status ank_table_add_column(anorank_table *table, anorank_error *err) {
  ANK_CHECK(check_columns(table, table->columns + 1, err));
  ANK_CHECK(
      ank_reserve(&table->column, &table->column_capacity, table->columns + 1, sizeof *table->column, err));
  memset(&table->column[table->columns], 0, sizeof table->column[0]);
  table->columns++;
  table->capacity = 0;
  return ANORANK_OK;
}

/* Compose an unused name from the stem and a number. The numbers 2, 3, ... are mostly used in order, so
 * doubling and bisection find the first free one without trying all. */
static anorank_status number_name(char **out, const ank_levels *taken, const char *stem, size_t length,
                                  anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t size = length + 24, low = 1, high = 2;
  char *name = NULL;
  *out = NULL;
  if (length > (size_t)INT32_MAX)
    ANK_FAIL(ANORANK_ERROR_DATA, "column-name-size", "a column name has %zu bytes; is the delimiter right?",
             length);
  ANK_TRY(ank_alloc_raw(&name, size, 1, err));
  memcpy(name, stem, length);
  /* Invariant: `low` is used (1 is the bare stem), `high` is free after the loop above. */
  for (;; low = high, high *= 2) {
    int digits = snprintf(name + length, 24, "_%zu", high);
    if (!has_level(taken, name, length + (size_t)digits)) break;
  }
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    int digits = snprintf(name + length, 24, "_%zu", middle);
    if (has_level(taken, name, length + (size_t)digits))
      low = middle;
    else
      high = middle;
  }
  snprintf(name + length, 24, "_%zu", high);
  *out = name;
  name = NULL;
done:
  ank_free(name);
  return status;
}

anorank_status ank_table_set_name(anorank_table *table, size_t column, const char *name, size_t length,
                                  anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_column *target = &table->column[column];
  char made[32], *copy = NULL;
  int32_t code;
  if (length == 0) {
    length = (size_t)snprintf(made, sizeof made, "x%zu", column + 1);
    name = made;
  }
  if (target->name && strlen(target->name) == length && memcmp(target->name, name, length) == 0) goto done;
  if (memchr(name, '\0', length))
    ANK_FAIL(ANORANK_ERROR_DATA, "column-name-nul-byte",
             "%s: the name of column %zu contains a NUL byte; is this a binary file?",
             name_for_messages(table), column + 1);
  if (has_level(&table->names, name, length))
    ANK_TRY(number_name(&copy, &table->names, name, length, err));
  else
    ANK_TRY(ank_copy_text(&copy, name, length, err));
  /* Both branches above either fail or set it; the analyzer does not see that. NOLINTNEXTLINE */
  ANK_TRY(ank_levels_code(&code, &table->names, copy, strlen(copy), err));
  ank_free(target->name);
  target->name = copy;
  copy = NULL;
done:
  ank_free(copy);
  return status;
}

static int is_called(const anorank_table *table, size_t column, const char *name, size_t length) {
  const char *own = column < table->columns ? table->column[column].name : NULL;
  return own && strncmp(own, name, length) == 0 && own[length] == '\0';
}

size_t ank_table_find(const anorank_table *table, const char *name, size_t length) {
  int32_t at = ank_levels_find(&table->names, name, length);
  if (at < 0) return SIZE_MAX;
  /* The index is in the order of the columns unless a name was set twice. */
  if (is_called(table, (size_t)at, name, length)) return (size_t)at;
  for (size_t j = 0; j < table->columns; j++)
    if (is_called(table, j, name, length)) return j;
  return SIZE_MAX;
}

size_t ank_table_find_item(const anorank_table *table, const char *item, size_t length) {
  if (!memchr(item, '\\', length)) return ank_table_find(table, item, length);
  for (size_t j = 0; j < table->columns; j++) {
    const char *name = table->column[j].name;
    if (name && ank_list_item_is(item, length, name, strlen(name))) return j;
  }
  return SIZE_MAX;
}

void ank_table_set_kind(anorank_table *table, size_t column, anorank_kind kind) {
  ank_column *target = &table->column[column];
  if (target->kind == kind) return;
  ank_free(target->numbers);
  ank_free(target->codes);
  target->numbers = NULL;
  target->codes = NULL;
  target->kind = kind;
  table->capacity = 0;
}

anorank_status ank_table_set_like(anorank_table *table, size_t column, const ank_column *from,
                                  anorank_error *err) {
  ank_table_set_kind(table, column, from->kind);
  table->column[column].resolution = from->resolution;
  table->column[column].deviation = from->deviation;
  return ank_table_set_name(table, column, from->name, strlen(from->name), err);
}

const char *ank_kind_word(anorank_kind kind) {
  return kind == ANORANK_TIME ? "time" : kind == ANORANK_CATEGORICAL ? "categorical" : "numeric";
}

/* ---- rows -------------------------------------------------------------------------------------------- */

static size_t row_bytes(const anorank_table *table) {
  size_t bytes = 0;
  for (size_t j = 0; j < table->columns; j++) {
    bytes += table->column[j].kind != ANORANK_CATEGORICAL ? sizeof(double) : sizeof(int32_t);
    if (table->column[j].raw_cells) bytes += sizeof *table->column[j].raw_cells->ends;
  }
  return bytes;
}

/* Return the bytes of everything but the cells. */
static size_t fixed_bytes(const anorank_table *table) {
  size_t bytes = sizeof *table + table->columns * sizeof *table->column + levels_bytes(&table->names);
  for (size_t j = 0; j < table->columns; j++) {
    bytes += levels_bytes(&table->column[j].levels);
    if (table->column[j].raw_cells) bytes += table->column[j].raw_cells->capacity;
    if (table->column[j].name) bytes += strlen(table->column[j].name) + 1;
  }
  return bytes;
}

size_t ank_table_room(const anorank_table *table) {
  size_t each = row_bytes(table), fixed = fixed_bytes(table);
  return fixed >= table->limit ? 0 : each == 0 ? SIZE_MAX - 1 : (table->limit - fixed) / each;
}

anorank_status ank_table_reserve(anorank_table *table, size_t rows, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t each = row_bytes(table), fixed = fixed_bytes(table), bytes;
  size_t held = rows > table->capacity ? rows : table->capacity;
  if (__builtin_mul_overflow(each, held, &bytes) || __builtin_add_overflow(bytes, fixed, &bytes))
    bytes = SIZE_MAX;
  if (bytes > table->limit) {
    status = ank_fail(
        err, ANORANK_ERROR_RESOURCES, "memory-limit",
        "%s: %zu row%s of %zu column%s take %zu bytes, more than the %zu allowed; read fewer rows, or "
        "allow more memory",
        name_for_messages(table), held, ANK_S(held), table->columns, ANK_S(table->columns), bytes,
        table->limit);
    if (bytes <= ank_memory_limit(NULL)) ank_remedy_default_memory(err, table->limit);
    goto done;
  }
  if (rows <= table->capacity) goto done;
  size_t grown = table->capacity + table->capacity / 2;
  if (grown > rows && each > 0 && grown <= (table->limit - fixed) / each) rows = grown;
  for (size_t j = 0; j < table->columns; j++) {
    ank_column *column = &table->column[j];
    if (column->kind != ANORANK_CATEGORICAL)
      ANK_TRY(ank_resize(&column->numbers, rows, sizeof *column->numbers, err));
    else
      ANK_TRY(ank_resize(&column->codes, rows, sizeof *column->codes, err));
    if (column->raw_cells)
      ANK_TRY(ank_resize(&column->raw_cells->ends, rows, sizeof *column->raw_cells->ends, err));
  }
  table->capacity = rows;
done:
  return status;
}

void ank_table_reset_levels(anorank_table *table, size_t kept) {
  for (size_t j = 0; j < table->columns; j++) {
    ank_levels *levels = &table->column[j].levels;
    if (levels->count <= kept) continue;
    ank_levels_free(levels);
    *levels = (ank_levels){0};
  }
}

/* Release the memory of unusually long texts of one block. */
void ank_table_clear(anorank_table *table) {
  enum { KEPT_BYTES = 1 << 24 };
  table->rows = 0;
  for (size_t j = 0; j < table->columns; j++) {
    ank_raw_cells *raw_cells = table->column[j].raw_cells;
    if (!raw_cells || raw_cells->capacity <= KEPT_BYTES) continue;
    ank_free(raw_cells->bytes);
    raw_cells->bytes = NULL;
    raw_cells->capacity = 0;
  }
}

size_t ank_table_bytes(const anorank_table *table) {
  return fixed_bytes(table) + row_bytes(table) * table->capacity;
}

void ank_table_free(anorank_table *table) {
  if (!table) return;
  for (size_t j = 0; j < table->columns; j++) {
    ank_free(table->column[j].name);
    if (j < table->lent) continue;
    ank_free(table->column[j].numbers);
    ank_free(table->column[j].codes);
    ank_levels_free(&table->column[j].levels);
    ank_raw_cells_free(table->column[j].raw_cells);
  }
  ank_notes_free(&table->notes);
  ank_levels_free(&table->names);
  ank_free(table->column);
  ank_free(table->scale);
  ank_free(table->source);
  ank_free(table->missing);
  ank_free(table);
}
