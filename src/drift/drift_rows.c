/* drift_rows.c - samples of both tables, combined in one. */
#include <string.h>

#include "core/alloc.h"
#include "core/list.h"
#include "core/rng.h"
#include "drift/drift.h"

enum {
  FEWEST_ROWS = 20,
  MOST_ROWS = 20000, /* of each table; enough to detect a separation of 0.51 */
};

/* Limit of cells of each table, so that wide ones fit into memory. */
static const size_t most_cells = (size_t)1 << 24;

anorank_status ank_drift_unknown(char **out, const char *list, const anorank_table *old_rows,
                                 const anorank_table *new_rows, anorank_error *err) {
  const char *name, *left = list;
  size_t length, used = 0;
  anorank_status status = ank_alloc(out, strlen(list) + 2, 1, err);
  while (status == ANORANK_OK && ank_list_next(&left, &name, &length)) {
    if (ank_table_find_item(old_rows, name, length) != SIZE_MAX ||
        ank_table_find_item(new_rows, name, length) != SIZE_MAX)
      continue;
    if (used > 0) (*out)[used++] = ',';
    memcpy(*out + used, name, length);
    used += length;
  }
  return status;
}

static anorank_status note_kinds(const ank_column *old_column, const ank_column *new_column,
                                 const anorank_settings *settings, anorank_error *err) {
  char quoted[ANK_QUOTE_SIZE];
  size_t length = strlen(old_column->name);
  int text = old_column->kind == ANORANK_CATEGORICAL || new_column->kind == ANORANK_CATEGORICAL;
  anorank_status status =
      ank_fail(err, ANORANK_ERROR_DATA, "drift-column-type",
               "column '%s' is %s in the old rows and %s in the new ones; read both alike, or drop it",
               ank_quote(quoted, old_column->name, length), ank_kind_word(old_column->kind),
               ank_kind_word(new_column->kind));
  ank_error_set_location(err, NULL, 0, old_column->name);
  ank_error_set_setting(err, text ? "categorical" : "drop");
  if (text) ank_remedy_add(err, "categorical", settings->categorical, old_column->name, length);
  ank_remedy_add(err, "drop", settings->drop, old_column->name, length);
  return status;
}

/* place[j]: index of column j of the old table in the new one, SIZE_MAX if it is left out. */
static anorank_status match_columns(anorank_drift *drift, size_t *place, size_t *count,
                                    const anorank_table *old_rows, const anorank_table *new_rows,
                                    const anorank_settings *settings, anorank_error *err) {
  size_t gone = 0, added = 0;
  const char *first_gone = NULL, *first_added = NULL;
  char quoted[ANK_QUOTE_SIZE];
  *count = 0;
  for (size_t j = 0; j < old_rows->columns; j++) {
    const ank_column *column = &old_rows->column[j];
    place[j] = SIZE_MAX;
    if (ank_list_has(settings->drop, column->name, strlen(column->name))) continue;
    place[j] = ank_table_find(new_rows, column->name, strlen(column->name));
    if (place[j] == SIZE_MAX && gone++ == 0) first_gone = column->name;
    if (place[j] == SIZE_MAX) continue;
    const ank_column *other = &new_rows->column[place[j]];
    if (column->kind != other->kind) return note_kinds(column, other, settings, err);
    ++*count;
  }
  for (size_t j = 0; j < new_rows->columns; j++) {
    const char *name = new_rows->column[j].name;
    if (ank_list_has(settings->drop, name, strlen(name)) ||
        ank_table_find(old_rows, name, strlen(name)) != SIZE_MAX)
      continue;
    if (added++ == 0) first_added = name;
  }
  if (*count == 0)
    return ank_fail(err, ANORANK_ERROR_DATA, "drift-no-common-column",
                    "the two tables have no column in common; rename columns so that they match");
  if (gone > 0)
    ANK_CHECK(ank_notes_add(
        &drift->notes, ANORANK_NOTE_WARNING, err, "drift-columns-skipped",
        "ignored %zu column%s of the old rows, '%s' first, which %s not among the new ones", gone,
        ANK_S(gone), ank_quote(quoted, first_gone, strlen(first_gone)), gone == 1 ? "is" : "are"));
  if (added > 0)
    ANK_CHECK(ank_notes_add(
        &drift->notes, ANORANK_NOTE_WARNING, err, "drift-columns-skipped",
        "ignored %zu column%s of the new rows, '%s' first, which %s not among the old ones", added,
        ANK_S(added), ank_quote(quoted, first_added, strlen(first_added)), added == 1 ? "is" : "are"));
  return ANORANK_OK;
}

static anorank_status append_cells(ank_column *into, size_t at, const ank_column *from, const size_t *rows,
                                   size_t count, anorank_error *err) {
  for (size_t i = 0; i < count; i++) {
    if (from->kind != ANORANK_CATEGORICAL) {
      into->numbers[at + i] = from->numbers[rows[i]];
      continue;
    }
    int32_t code = from->codes[rows[i]];
    into->codes[at + i] = code;
    if (code < 0) continue;
    const char *text = from->levels.text[code];
    ANK_CHECK(ank_levels_code(&into->codes[at + i], &into->levels, text, strlen(text), err));
  }
  return ANORANK_OK;
}

anorank_status ank_drift_join(anorank_drift *drift, const anorank_table *old_rows,
                              const anorank_table *new_rows, const anorank_settings *settings,
                              anorank_error *err) {
  const anorank_table *tables[2] = {old_rows, new_rows};
  anorank_status status = ANORANK_OK;
  anorank_table *both = NULL;
  size_t *place = NULL, *rows[2] = {NULL, NULL}, count, most = most_cells / old_rows->columns;
  if (most > MOST_ROWS) most = MOST_ROWS;
  if (most < FEWEST_ROWS) most = FEWEST_ROWS;
  for (int t = 0; t < 2; t++) {
    ank_rng rng;
    size_t n = drift->rows[t] = tables[t]->rows;
    if (n < FEWEST_ROWS)
      ANK_FAIL(ANORANK_ERROR_DATA, "drift-too-few-rows", "the %s table has %zu row%s; give at least %d",
               t == ANK_OLD ? "old" : "new", n, ANK_S(n), FEWEST_ROWS);
    drift->drawn[t] = n < most ? n : most;
    ANK_TRY(ank_alloc_raw(&rows[t], drift->drawn[t], sizeof *rows[t], err));
    ank_rng_open(&rng, settings->seed, ANK_STREAM_DRIFT, (uint64_t)t);
    ANK_TRY(ank_rng_sample(&rng, rows[t], drift->drawn[t], n, err));
    if (n > most)
      ANK_TRY(ank_notes_add(&drift->notes, ANORANK_NOTE_DETAIL, err, "rows-sampled",
                            "%zu of the %zu %s rows were drawn at random", most, n,
                            t == ANK_OLD ? "old" : "new"));
  }
  ANK_TRY(ank_alloc_raw(&place, old_rows->columns, sizeof *place, err));
  ANK_TRY(match_columns(drift, place, &count, old_rows, new_rows, settings, err));
  ANK_TRY(ank_table_new(&both, count, err));
  for (size_t j = 0, k = 0; j < old_rows->columns; j++)
    if (place[j] != SIZE_MAX) ANK_TRY(ank_table_set_like(both, k++, &old_rows->column[j], err));
  ANK_TRY(ank_table_reserve(both, drift->drawn[ANK_OLD] + drift->drawn[ANK_NEW], err));
  for (size_t j = 0, k = 0; j < old_rows->columns; j++) {
    if (place[j] == SIZE_MAX) continue;
    ANK_TRY(
        append_cells(&both->column[k], 0, &old_rows->column[j], rows[ANK_OLD], drift->drawn[ANK_OLD], err));
    ANK_TRY(append_cells(&both->column[k], drift->drawn[ANK_OLD], &new_rows->column[place[j]], rows[ANK_NEW],
                         drift->drawn[ANK_NEW], err));
    k++;
  }
  both->rows = drift->drawn[ANK_OLD] + drift->drawn[ANK_NEW];
  drift->rows_of_both = both;
  both = NULL;
done:
  ank_table_free(both);
  ank_free(place);
  ank_free(rows[ANK_OLD]);
  ank_free(rows[ANK_NEW]);
  return status;
}

/* Selection sampling: one pass, each choice equally likely. */
void ank_drift_shuffle(unsigned char *labels, size_t old_count, size_t rows, uint64_t seed, uint64_t index) {
  ank_rng rng;
  ank_rng_open(&rng, seed, ANK_STREAM_DRIFT, index);
  for (size_t i = 0, left = old_count; i < rows; i++) {
    labels[i] = left > 0 && ank_rng_below(&rng, rows - i) < left;
    left -= labels[i];
  }
}
