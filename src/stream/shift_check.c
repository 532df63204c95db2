/* shift_check.c - see shift_check.h. */
#include "stream/shift_check.h"

#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "model/model_context.h"
#include "table/cell_format.h"

enum {
  MOST_COMPARED = 1 << 17, /* rows looked up among the training rows */
  FEWEST_MET = 8
};

#define LEVEL 0.05    /* p-values up to it are counted as low */
#define MET_SHARE 0.5 /* share of the expected training rows that must be found */

void ank_shift_free(ank_shift_check *check) {
  if (!check) return;
  ank_free(check->sample);
  ank_free(check->sample_row);
  ank_free(check->places);
  for (size_t k = 0; k < check->times; k++) ank_free(check->time_name[k]);
  ank_free(check->time_name);
  ank_free(check->time_column);
  ank_training_index_free(&check->index);
  ank_free(check->met);
  ank_notes_free(&check->notes);
  ank_free(check);
}

/* ---- training rows ----------------------------------------------------------------------------------- */

/* Only if training rows score higher than new ones, and rows are hardly ever equal by chance. */
static anorank_status index_training_rows(ank_shift_check *check, anorank_error *err) {
  size_t rows = check->model->pipeline.background_rows;
  if (check->model->settings.train != ANORANK_TRAIN_CLEAN || rows < ANK_SHIFT_FEWEST_ROWS) return ANORANK_OK;
  ANK_CHECK(ank_alloc(&check->met, rows, 1, err));
  check->training_rows = rows;
  return ank_training_index_make(&check->index, check->model, err);
}

static void look_up(ank_shift_check *check, const double *cells) {
  check->compared++;
  size_t row = ank_training_index_find(&check->index, cells);
  if (row == SIZE_MAX) return;
  check->meetings++;
  check->met_count += check->met[row] == 0;
  check->met[row] = 1;
}

/* By chance, some training rows would be found many times and others never. */
static anorank_status note_training_rows(ank_shift_check *check, anorank_error *err) {
  double seen = (double)check->compared / (double)ank_prepare_train_rows(check->model->pipeline.prepare);
  double could = (double)check->index.distinct * (seen < 1 ? seen : 1);
  if (check->index.slots == 0 || check->met_count < FEWEST_MET ||
      (double)check->met_count < MET_SHARE * could || check->meetings > 2 * check->met_count)
    return ANORANK_OK;
  return ank_notes_add(&check->notes, ANORANK_NOTE_WARNING, err, "shift-training-rows",
                       "this file contains training rows (%zu of the %zu kept), so their p-values are too "
                       "large; rank unseen rows",
                       check->met_count, check->index.distinct);
}

/* ---- the sample -------------------------------------------------------------------------------------- */

/* Times count, whatever the role of their column. */
static anorank_status find_times(ank_shift_check *check, const anorank_table *block, anorank_error *err) {
  for (size_t j = 0; j < block->columns; j++)
    if (block->column[j].kind == ANORANK_TIME)
      ANK_CHECK(ank_shift_add_time(check, block->column[j].name, j, err));
  return ank_shift_alloc_sample(check, err);
}

anorank_status ank_shift_add_time(ank_shift_check *check, const char *name, size_t column,
                                  anorank_error *err) {
  size_t at = check->times;
  ANK_CHECK(ank_resize(&check->time_name, at + 1, sizeof *check->time_name, err));
  ANK_CHECK(ank_resize(&check->time_column, at + 1, sizeof *check->time_column, err));
  ANK_CHECK(ank_copy_text(&check->time_name[at], name, strlen(name), err));
  check->time_column[at] = column;
  check->times++;
  return ANORANK_OK;
}

anorank_status ank_shift_alloc_sample(ank_shift_check *check, anorank_error *err) {
  check->width = check->columns + check->times;
  check->capacity = ank_shift_capacity(check->width);
  check->stride = 1;
  ANK_CHECK(ank_alloc_raw(&check->sample_row, check->capacity, sizeof *check->sample_row, err));
  return ank_alloc_raw(&check->sample, check->capacity * check->width, sizeof *check->sample, err);
}

void ank_shift_thin(ank_shift_check *check) {
  size_t kept = 0, bytes = check->width * sizeof *check->sample;
  check->stride *= 2;
  for (size_t i = 0; i < check->sampled; i++) {
    if (check->sample_row[i] % check->stride != 0) continue;
    check->sample_row[kept] = check->sample_row[i];
    memmove(check->sample + kept++ * check->width, check->sample + i * check->width, bytes);
  }
  check->sampled = kept;
}

static void take_row(ank_shift_check *check, const ank_match *match, const anorank_table *block, size_t row,
                     size_t number, double *cells) {
  int compare = check->index.slots > 0 && number < MOST_COMPARED;
  int keep = number % check->stride == 0;
  for (size_t c = 0; (compare || keep) && c < check->columns; c++)
    cells[c] = ank_prepare_value(match, block, row, c);
  if (compare) look_up(check, cells);
  while (keep && check->sampled == check->capacity) ank_shift_thin(check);
  if (keep && number % check->stride == 0) {
    double *to = check->sample + check->sampled * check->width;
    memcpy(to, cells, check->columns * sizeof *cells);
    for (size_t k = 0; k < check->times; k++) { /* other code refuses parts with other columns */
      size_t j = check->time_column[k];
      int there = j < block->columns && block->column[j].kind == ANORANK_TIME;
      to[check->columns + k] = there ? block->column[j].numbers[row] : (double)NAN;
    }
    check->sample_row[check->sampled++] = number;
  }
}

/* Compute p-values of the sampled rows; the sample does not depend on the blocks. */
static anorank_status score_sample(size_t *low, const ank_shift_check *check, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_scorer *scorer = NULL;
  anorank_scratch *scratch = NULL;
  double *cells = NULL, *p = NULL;
  size_t n = check->sampled, columns = check->columns;
  ANK_TRY(ank_alloc_raw(&cells, n * columns, sizeof *cells, err));
  ANK_TRY(ank_alloc_raw(&p, n, sizeof *p, err));
  for (size_t i = 0; i < n; i++)
    for (size_t c = 0; c < columns; c++) {
      double value = check->sample[i * check->width + c];
      anorank_model_column column = ank_prepare_column(check->model->pipeline.prepare, c);
      int unseen = column.kind == ANORANK_CATEGORICAL && value == -1;
      cells[i * columns + c] = unseen ? -2 : value; /* -1 is a missing cell there */
    }
  ANK_TRY(anorank_scorer_new(&scorer, check->model, NULL, 0, err));
  ANK_TRY(anorank_scratch_new(&scratch, scorer, err));
  ANK_TRY(anorank_scorer_score(scorer, scratch, cells, n, columns, NULL, p, err));
  for (size_t i = 0; i < n; i++) *low += p[i] <= LEVEL;
done:
  anorank_scratch_free(scratch);
  anorank_scorer_free(scorer);
  ank_free(cells);
  ank_free(p);
  return status;
}

/* ---- how the file was read --------------------------------------------------------------------------- */

static uint64_t number_of_name(const char *name) {
  uint64_t hash = 0xCBF29CE484222325u;
  for (; name && *name; name++) hash = (hash ^ (unsigned char)*name) * 0x100000001B3u;
  return hash;
}

anorank_status ank_shift_add_note(ank_shift_check *check, const anorank_note *note, ank_shift_place place,
                                  anorank_error *err) {
  size_t at = check->notes.count;
  ANK_CHECK(ank_reserve(&check->places, &check->place_capacity, at + 1, sizeof *check->places, err));
  ANK_CHECK(ank_notes_copy(&check->notes, note, err));
  check->places[at] = place;
  return ANORANK_OK;
}

static anorank_status compare_reading(ank_shift_check *check, const anorank_table *block, size_t first_row,
                                      anorank_error *err) {
  const ank_notes *learned = &check->model->notes;
  ank_shift_place place = {first_row, number_of_name(block->source)};
  if (check->notes.count > 0 && check->places[check->notes.count - 1].row > first_row)
    place.row = check->places[check->notes.count - 1].row; /* a block without rows may follow the rows */
  for (size_t i = 0; i < block->notes.count; i++) {
    const anorank_note *note = &block->notes.list[i];
    int same = 0;
    for (size_t k = 0; k < learned->count && !same && note->kind != ANORANK_NOTE_WARNING; k++)
      same = ank_same_reading(note->text, learned->list[k].text);
    for (size_t k = 0; k < check->notes.count && !same; k++) /* a block repeats the notes of earlier blocks */
      same = strcmp(note->text, check->notes.list[k].text) == 0;
    if (!same) ANK_CHECK(ank_shift_add_note(check, note, place, err));
  }
  return ANORANK_OK;
}

anorank_status ank_shift_add(ank_shift_check *check, const anorank_table *block, size_t first_row,
                             const double *p, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_match *match = NULL;
  anorank_table *own = NULL;
  double *cells = NULL;
  ank_shift_reopen(check);
  ANK_TRY(ank_model_view(&block, &own, check->model, block, err)); /* a view has notes, too */
  ANK_TRY(compare_reading(check, block, first_row, err));
  if (!check->sample) ANK_TRY(find_times(check, block, err));
  ANK_TRY(ank_match_make(&match, check->model->pipeline.prepare, block, err));
  ANK_TRY(ank_alloc_raw(&cells, check->columns, sizeof *cells, err));
  for (size_t i = 0; i < block->rows; i++) take_row(check, match, block, i, first_row + i, cells);
  for (size_t i = 0; p && i < block->rows; i++) check->low += p[i] <= LEVEL;
  if (p)
    check->all += block->rows;
  else
    check->scores |= block->rows > 0;
done:
  ank_table_free(own);
  ank_match_free(match);
  ank_free(cells);
  return status;
}

/* ---- the whole --------------------------------------------------------------------------------------- */

anorank_status ank_shift_new(ank_shift_check **out, const anorank_model *model, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_shift_check *check = NULL;
  *out = NULL;
  ANK_TRY(ank_alloc(&check, 1, sizeof *check, err));
  check->model = model;
  check->columns = ank_prepare_columns(model->pipeline.prepare);
  ANK_TRY(index_training_rows(check, err));
  ANK_HAND_OVER(out, check);
done:
  ank_shift_free(check);
  return status;
}

void ank_shift_reopen(ank_shift_check *check) {
  if (!check->concluded) return;
  check->concluded = 0;
  while (check->notes.count > check->reading) ank_note_free(&check->notes.list[--check->notes.count]);
}

anorank_status ank_shift_conclude(ank_shift_check *check, anorank_error *err) {
  size_t low = check->low, all = check->all;
  if (check->concluded) return ANORANK_OK;
  check->reading = check->notes.count;
  check->concluded = 1;
  if (check->scores && check->sampled > 0) {
    ANK_CHECK(score_sample(&low, check, err));
    all += check->sampled;
  }
  ANK_CHECK(note_training_rows(check, err));
  ANK_CHECK(ank_shift_note_unlike(check, low, all, err));
  if (check->sampled > 0) ANK_CHECK(ank_shift_note_trend(check, err));
  return ANORANK_OK;
}
