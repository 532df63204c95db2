/* sample.c - see sample.h. */
#include "stream/sample.h"

#include <string.h>

#include "core/alloc.h"
#include "sampling/row_draw.h"

enum { KEYS = 65536 }; /* rows offered to the draw at a time */

anorank_status ank_sample_new(ank_sample **out, const anorank_settings *settings, anorank_error *err) {
  ANK_CHECK(ank_alloc(out, 1, sizeof **out, err));
  (*out)->seed = settings->seed;
  (*out)->limit = ank_memory_limit(settings);
  (*out)->first = SIZE_MAX;
  return ANORANK_OK;
}

void ank_sample_free(ank_sample *sample) {
  if (!sample) return;
  ank_row_store_free(&sample->store);
  for (size_t i = 0; i < sample->note_count; i++) ank_note_free(&sample->notes[i].note);
  ank_free(sample->notes);
  ank_free(sample->source);
  ank_free(sample->missing);
  ank_free(sample);
}

/* ---- names and notes --------------------------------------------------------------------------------- */

static anorank_status put_text(char **to, const char *from, anorank_error *err) {
  char *copy = NULL;
  if (from) ANK_CHECK(ank_copy_text(&copy, from, strlen(from), err));
  ank_free(*to);
  *to = copy;
  return ANORANK_OK;
}

/* Take the names from the block with the first row. */
static anorank_status take_names(ank_sample *sample, size_t first, const char *source, const char *missing,
                                 anorank_error *err) {
  if (first >= sample->first) return ANORANK_OK;
  ANK_CHECK(put_text(&sample->source, source, err));
  ANK_CHECK(put_text(&sample->missing, missing, err));
  sample->first = first;
  return ANORANK_OK;
}

/* Add a note once; notes are sorted by the first row they came with, then by arrival. */
static anorank_status take_note(ank_sample *sample, size_t row, const anorank_note *note,
                                anorank_error *err) {
  ank_sample_note taken = {.row = row};
  size_t at = 0, place;
  while (at < sample->note_count && strcmp(sample->notes[at].note.text, note->text) != 0) at++;
  if (at < sample->note_count) {
    if (sample->notes[at].row <= row) return ANORANK_OK;
    taken = sample->notes[at];
    taken.row = row;
    memmove(sample->notes + at, sample->notes + at + 1, (--sample->note_count - at) * sizeof *sample->notes);
  } else {
    ANK_CHECK(ank_reserve(&sample->notes, &sample->note_capacity, sample->note_count + 1,
                          sizeof *sample->notes, err));
    ANK_CHECK(ank_note_make(&taken.note, note->kind, note->code, note->text, err));
  }
  place = sample->note_count;
  while (place > 0 && sample->notes[place - 1].row > row) place--;
  memmove(sample->notes + place + 1, sample->notes + place,
          (sample->note_count - place) * sizeof *sample->notes);
  sample->notes[place] = taken;
  sample->note_count++;
  return ANORANK_OK;
}

/* ---- rows -------------------------------------------------------------------------------------------- */

static anorank_status begin_or_check(ank_sample *sample, const anorank_table *block, anorank_error *err) {
  if (sample->store.table && sample->rows == 0 && block->rows > 0)
    ank_row_store_free(&sample->store); /* from parts without rows */
  if (sample->store.table) return ank_row_store_fits(sample->store.table, block, err);
  return ank_row_store_begin(&sample->store, block, ank_draw_most(block, sample->limit), err);
}

void ank_view_rows(anorank_table *view, ank_column *columns, const anorank_table *block, size_t from,
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

size_t ank_sample_room(const ank_sample *sample, const anorank_table *block) {
  size_t most = ank_draw_most(block, sample->limit);
  return most > sample->rows ? most - sample->rows : 0;
}

anorank_status ank_sample_add(ank_sample *sample, const anorank_table *block, size_t first_row,
                              anorank_error *err) {
  anorank_status status = ANORANK_OK;
  uint64_t *keys = NULL;
  ank_column *columns = NULL;
  ANK_TRY(begin_or_check(sample, block, err));
  ANK_TRY(take_names(sample, first_row, block->source, block->missing, err));
  for (size_t i = 0; i < block->notes.count; i++)
    ANK_TRY(take_note(sample, first_row, &block->notes.list[i], err));
  ANK_TRY(ank_alloc_raw(&keys, block->rows < KEYS ? block->rows : KEYS, sizeof *keys, err));
  ANK_TRY(ank_alloc_raw(&columns, block->columns, sizeof *columns, err));
  for (size_t from = 0; from < block->rows; from += KEYS) {
    anorank_table view;
    ank_view_rows(&view, columns, block, from, block->rows - from < KEYS ? block->rows - from : KEYS);
    ank_draw_keys(keys, sample->seed, first_row + from, view.rows);
    ANK_TRY(ank_row_store_offer(&sample->store, &view, NULL, first_row + from, keys, err));
  }
  sample->rows += block->rows;
done:
  ank_free(keys);
  ank_free(columns);
  return status;
}

anorank_status ank_sample_merge(ank_sample *sample, const ank_sample *other, anorank_error *err) {
  const ank_row_store *from = &other->store;
  if (sample->seed != other->seed || (sample->store.table && from->table && sample->store.most != from->most))
    return ank_fail(err, ANORANK_ERROR_USAGE, "stream-seed",
                    "streams with different seed or max-memory cannot be merged; make them with the same "
                    "settings");
  if (!from->table) return ANORANK_OK;
  ANK_CHECK(begin_or_check(sample, from->table, err));
  sample->store.most = from->most;
  ANK_CHECK(take_names(sample, other->first, other->source, other->missing, err));
  for (size_t i = 0; i < other->note_count; i++)
    ANK_CHECK(take_note(sample, other->notes[i].row, &other->notes[i].note, err));
  ANK_CHECK(ank_row_store_offer(&sample->store, from->table, from->row, 0, from->key, err));
  sample->rows += other->rows;
  return ANORANK_OK;
}

anorank_status ank_sample_settle(const anorank_table **out, ank_sample *sample, anorank_error *err) {
  anorank_table *table = sample->store.table;
  *out = NULL;
  if (!table) return ANORANK_OK;
  ANK_CHECK(ank_row_store_settle(&sample->store, err));
  ANK_CHECK(put_text(&table->source, sample->source, err));
  ANK_CHECK(put_text(&table->missing, sample->missing, err));
  table->drawn_of = sample->rows > table->rows ? sample->rows : 0;
  ank_notes_free(&table->notes);
  table->notes = (ank_notes){0};
  for (size_t i = 0; i < sample->note_count; i++)
    ANK_CHECK(ank_notes_copy(&table->notes, &sample->notes[i].note, err));
  *out = table;
  return ANORANK_OK;
}
