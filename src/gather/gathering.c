/* gathering.c - see gathering.h. */
#include "gather/gathering.h"

#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "gather/row_draw.h"

enum { KEYS = 65536 }; /* rows of a block that are offered at a time */

anorank_status ank_gathering_new(anorank_gathering **out, const anorank_settings *settings,
                                 anorank_error *err) {
  anorank_status status = ank_alloc(out, 1, sizeof **out, err);
  if (status != ANORANK_OK) return status;
  (*out)->seed = settings->seed;
  (*out)->limit = ank_memory_limit(settings);
  (*out)->first = SIZE_MAX;
  return ANORANK_OK;
}

static void forget_scores(anorank_gathering *gathering) {
  ank_free(gathering->scores);
  ank_free(gathering->scored_row);
  ank_free(gathering->row_score);
  gathering->scores = gathering->row_score = NULL;
  gathering->scored_row = NULL;
  gathering->scored = 0;
}

void ank_gathering_free(anorank_gathering *gathering) {
  if (!gathering) return;
  ank_row_store_free(&gathering->store);
  for (size_t i = 0; i < gathering->note_count; i++) ank_free((char *)gathering->notes[i].note.text);
  ank_free(gathering->notes);
  ank_free(gathering->source);
  ank_free(gathering->missing);
  forget_scores(gathering);
  ank_free(gathering);
}

/* ---- names and notes --------------------------------------------------------------------------------- */

static anorank_status put_text(char **to, const char *from, anorank_error *err) {
  char *copy = NULL;
  anorank_status status = from ? ank_copy_text(&copy, from, strlen(from), err) : ANORANK_OK;
  if (status != ANORANK_OK) return status;
  ank_free(*to);
  *to = copy;
  return ANORANK_OK;
}

/* What is called what, by the block with the first row. */
static anorank_status take_names(anorank_gathering *gathering, size_t first, const char *source,
                                 const char *missing, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  if (first >= gathering->first) return ANORANK_OK;
  ANK_TRY(put_text(&gathering->source, source, err));
  ANK_TRY(put_text(&gathering->missing, missing, err));
  gathering->first = first;
done:
  return status;
}

/* A note once, in the order of the rows it was first seen with, then in the order it came. */
static anorank_status take_note(anorank_gathering *gathering, size_t row, const anorank_note *note,
                                anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_gathered_note taken = {row, {.kind = note->kind, .code = note->code}};
  size_t at = 0, place;
  while (at < gathering->note_count && strcmp(gathering->notes[at].note.text, note->text) != 0) at++;
  if (at < gathering->note_count) {
    if (gathering->notes[at].row <= row) return ANORANK_OK;
    taken = gathering->notes[at];
    taken.row = row;
    memmove(gathering->notes + at, gathering->notes + at + 1,
            (--gathering->note_count - at) * sizeof *gathering->notes);
  } else {
    ANK_TRY(ank_reserve(&gathering->notes, &gathering->note_capacity, gathering->note_count + 1,
                        sizeof *gathering->notes, err));
    char *copy = NULL;
    ANK_TRY(ank_copy_text(&copy, note->text, strlen(note->text), err));
    taken.note.text = copy;
  }
  place = gathering->note_count;
  while (place > 0 && gathering->notes[place - 1].row > row) place--;
  memmove(gathering->notes + place + 1, gathering->notes + place,
          (gathering->note_count - place) * sizeof *gathering->notes);
  gathering->notes[place] = taken;
  gathering->note_count++;
done:
  return status;
}

/* ---- rows -------------------------------------------------------------------------------------------- */

static anorank_status begin_or_check(anorank_gathering *gathering, const anorank_table *block,
                                     anorank_error *err) {
  if (gathering->store.table && gathering->rows == 0 && block->rows > 0)
    ank_row_store_free(&gathering->store); /* of parts without rows */
  if (gathering->store.table) return ank_row_store_fits(gathering->store.table, block, err);
  return ank_row_store_begin(&gathering->store, block, ank_draw_most(block, gathering->limit), err);
}

/* Some rows of a block, as a block: columns are lent. */
static void view_rows(anorank_table *view, ank_column *columns, const anorank_table *block, size_t from,
                      size_t count) {
  *view = *block;
  view->column = columns;
  view->rows = count;
  for (size_t j = 0; j < block->columns; j++) {
    columns[j] = block->column[j];
    if (columns[j].numbers) columns[j].numbers += from;
    if (columns[j].codes) columns[j].codes += from;
  }
}

anorank_status ank_gathering_add(anorank_gathering *gathering, const anorank_table *block, size_t first_row,
                                 anorank_error *err) {
  anorank_status status = ANORANK_OK;
  uint64_t *keys = NULL;
  ank_column *columns = NULL;
  if (block->rows > SIZE_MAX - first_row)
    return ank_fail(err, ANORANK_ERROR_USAGE, "stream-row-number",
                    "row numbers end at %zu; number the rows from 0", (size_t)SIZE_MAX);
  forget_scores(gathering);
  ANK_TRY(begin_or_check(gathering, block, err));
  ANK_TRY(take_names(gathering, first_row, block->source, block->missing, err));
  for (size_t i = 0; i < block->notes.count; i++)
    ANK_TRY(take_note(gathering, first_row, &block->notes.list[i], err));
  ANK_TRY(ank_alloc_raw(&keys, block->rows < KEYS ? block->rows : KEYS, sizeof *keys, err));
  ANK_TRY(ank_alloc_raw(&columns, block->columns, sizeof *columns, err));
  for (size_t from = 0; from < block->rows; from += KEYS) {
    anorank_table view;
    view_rows(&view, columns, block, from, block->rows - from < KEYS ? block->rows - from : KEYS);
    ank_draw_keys(keys, gathering->seed, first_row + from, view.rows);
    ANK_TRY(ank_row_store_offer(&gathering->store, &view, NULL, first_row + from, keys, err));
  }
  gathering->rows += block->rows;
done:
  ank_free(keys);
  ank_free(columns);
  return status;
}

anorank_status ank_gathering_merge(anorank_gathering *gathering, const anorank_gathering *other,
                                   anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const ank_row_store *from = &other->store;
  if (gathering->seed != other->seed ||
      (gathering->store.table && from->table && gathering->store.most != from->most))
    return ank_fail(err, ANORANK_ERROR_USAGE, "stream-merge",
                    "gatherings with different seed or max-memory cannot be merged; make them with the same "
                    "settings");
  if (!from->table) return ANORANK_OK;
  forget_scores(gathering);
  ANK_TRY(begin_or_check(gathering, from->table, err));
  gathering->store.most = from->most;
  ANK_TRY(take_names(gathering, other->first, other->source, other->missing, err));
  for (size_t i = 0; i < other->note_count; i++)
    ANK_TRY(take_note(gathering, other->notes[i].row, &other->notes[i].note, err));
  ANK_TRY(ank_row_store_offer(&gathering->store, from->table, from->row, 0, from->key, err));
  gathering->rows += other->rows;
done:
  return status;
}

anorank_status ank_gathering_settle(const anorank_table **out, anorank_gathering *gathering,
                                    anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_table *table = gathering->store.table;
  *out = NULL;
  if (!table) goto done;
  ANK_TRY(ank_row_store_settle(&gathering->store, err));
  ANK_TRY(put_text(&table->source, gathering->source, err));
  ANK_TRY(put_text(&table->missing, gathering->missing, err));
  table->drawn_of = gathering->rows > table->rows ? gathering->rows : 0;
  ank_notes_free(&table->notes);
  table->notes = (ank_notes){0};
  for (size_t i = 0; i < gathering->note_count; i++)
    ANK_TRY(ank_notes_copy(&table->notes, &gathering->notes[i].note, err));
  *out = table;
done:
  return status;
}

/* ---- scores of a fit --------------------------------------------------------------------------------- */

anorank_status ank_gathering_score_room(anorank_gathering *gathering, anorank_error *err) {
  forget_scores(gathering);
  return ank_alloc_raw(&gathering->scores, gathering->store.table->rows, sizeof *gathering->scores, err);
}

anorank_status ank_gathering_scored(anorank_gathering *gathering, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t n = gathering->store.table->rows, count = 0;
  for (size_t i = 0; i < n; i++) count += !isnan(gathering->scores[i]);
  ANK_TRY(ank_alloc_raw(&gathering->scored_row, count, sizeof *gathering->scored_row, err));
  ANK_TRY(ank_alloc_raw(&gathering->row_score, count, sizeof *gathering->row_score, err));
  count = 0;
  for (size_t i = 0; i < n; i++) {
    if (isnan(gathering->scores[i])) continue;
    gathering->scored_row[count] = gathering->store.row[i];
    gathering->row_score[count++] = gathering->scores[i];
  }
  gathering->scored = count;
  ank_free(gathering->scores);
  gathering->scores = NULL;
done:
  return status;
}
