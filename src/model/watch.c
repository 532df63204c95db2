/* watch.c - see watch.h. */
#include "model/watch_state.h"

#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "model/row_scorer.h"
#include "table/spelling.h"

enum {
  MOST_ROWS = 1000,        /* of the sample */
  MOST_VALUES = 1 << 20,   /* of the sample, while ANK_WATCH_FEWEST_ROWS allow it */
  MOST_COMPARED = 1 << 17, /* rows that are looked up among the training rows */
  FEWEST_MET = 8
};

#define LEVEL 0.05    /* of the p-values that are counted */
#define MET_SHARE 0.5 /* of the kept training rows that could be met */
#define MOST_TWINS 0.1

void ank_watch_free(ank_watch *watch) {
  if (!watch) return;
  ank_free(watch->sample);
  ank_free(watch->sample_row);
  ank_free(watch->places);
  for (size_t k = 0; k < watch->times; k++) ank_free(watch->time_name[k]);
  ank_free(watch->time_name);
  ank_free(watch->time_column);
  ank_free(watch->slot);
  ank_free(watch->met);
  ank_notes_free(&watch->notes);
  ank_free(watch);
}

const ank_notes *ank_watch_notes(const ank_watch *watch) { return &watch->notes; }

/* ---- training rows ----------------------------------------------------------------------------------- */

static uint64_t hash_cells(const double *cells, size_t count) {
  uint64_t hash = 0x9E3779B97F4A7C15u;
  for (size_t j = 0; j < count; j++) {
    double value = isnan(cells[j]) ? 0x1p1000 : cells[j] + 0.0; /* one NaN, one zero */
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    hash = (hash ^ bits) * 0xD6E8FEB86659FD93u;
    hash ^= hash >> 32;
  }
  return hash;
}

static int same_cells(const double *a, const double *b, size_t count) {
  for (size_t j = 0; j < count; j++)
    if (!(a[j] == b[j] || (isnan(a[j]) && isnan(b[j])))) return 0;
  return 1;
}

/* The slot of a row like this, or the empty one where it belongs. */
static size_t slot_of(const ank_watch *watch, const double *cells) {
  const double *kept = watch->model->pipeline.cells;
  size_t mask = watch->slots - 1, at = (size_t)hash_cells(cells, watch->columns) & mask;
  for (; watch->slot[at]; at = (at + 1) & mask)
    if (same_cells(kept + (watch->slot[at] - 1) * watch->columns, cells, watch->columns)) break;
  return at;
}

/* Only where a row of the fit is scored higher than a new one, and rows are hardly ever alike by chance. */
static anorank_status index_training_rows(ank_watch *watch, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const ank_pipeline *pipeline = &watch->model->pipeline;
  size_t rows = pipeline->background_rows;
  if (watch->model->settings.train != ANORANK_TRAIN_CLEAN || rows < ANK_WATCH_FEWEST_ROWS) return ANORANK_OK;
  for (watch->slots = 64; watch->slots < 2 * rows;) watch->slots *= 2;
  ANK_TRY(ank_alloc(&watch->slot, watch->slots, sizeof *watch->slot, err));
  ANK_TRY(ank_alloc(&watch->met, rows, 1, err));
  watch->kept = rows;
  for (size_t b = 0; b < rows; b++) {
    size_t at = slot_of(watch, pipeline->cells + b * watch->columns);
    watch->distinct += watch->slot[at] == 0;
    watch->slot[at] = (uint32_t)(b + 1);
  }
  if ((double)(rows - watch->distinct) > MOST_TWINS * (double)rows) watch->slots = 0;
done:
  return status;
}

static void look_up(ank_watch *watch, const double *cells) {
  watch->compared++;
  size_t row = watch->slot[slot_of(watch, cells)];
  if (row == 0) return;
  watch->meetings++;
  watch->met_count += watch->met[row - 1] == 0;
  watch->met[row - 1] = 1;
}

/* Chance would meet some kept rows again and again, and others never. */
static anorank_status tell_met(ank_watch *watch, anorank_error *err) {
  double seen = (double)watch->compared / (double)ank_prepare_train_rows(watch->model->pipeline.prepare);
  double could = (double)watch->distinct * (seen < 1 ? seen : 1);
  if (watch->slots == 0 || watch->met_count < FEWEST_MET || (double)watch->met_count < MET_SHARE * could ||
      watch->meetings > 2 * watch->met_count)
    return ANORANK_OK;
  return ank_notes_add(
      &watch->notes, ANORANK_NOTE_WARNING, err, "shift-training-rows",
      "rows that the model was fitted on are among these (%zu of the %zu that it kept): their "
      "p-values are too large; judge rows that it has not seen",
      watch->met_count, watch->distinct);
}

/* ---- the sample -------------------------------------------------------------------------------------- */

/* Moments count, whatever part their column plays. */
static anorank_status find_times(ank_watch *watch, const anorank_table *block, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t most = 0;
  for (size_t j = 0; j < block->columns; j++) most += block->column[j].kind == ANORANK_TIME;
  ANK_TRY(ank_alloc(&watch->time_name, most, sizeof *watch->time_name, err));
  ANK_TRY(ank_alloc(&watch->time_column, most, sizeof *watch->time_column, err));
  for (size_t j = 0; j < block->columns && watch->times < most; j++) {
    const ank_column *column = &block->column[j];
    if (column->kind != ANORANK_TIME) continue;
    ANK_TRY(ank_copy_text(&watch->time_name[watch->times], column->name, strlen(column->name), err));
    watch->time_column[watch->times++] = j;
  }
  ANK_TRY(ank_watch_make_room(watch, err));
done:
  return status;
}

anorank_status ank_watch_make_room(ank_watch *watch, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  watch->width = watch->columns + watch->times;
  watch->room = MOST_VALUES / (watch->width + 1);
  if (watch->room > MOST_ROWS) watch->room = MOST_ROWS;
  if (watch->room < 2 * ANK_WATCH_FEWEST_ROWS) watch->room = 2 * ANK_WATCH_FEWEST_ROWS;
  watch->stride = 1;
  ANK_TRY(ank_alloc_raw(&watch->sample_row, watch->room, sizeof *watch->sample_row, err));
  ANK_TRY(ank_alloc_raw(&watch->sample, watch->room * watch->width, sizeof *watch->sample, err));
done:
  return status;
}

void ank_watch_thin(ank_watch *watch) {
  size_t kept = 0, bytes = watch->width * sizeof *watch->sample;
  watch->stride *= 2;
  for (size_t i = 0; i < watch->sampled; i++) {
    if (watch->sample_row[i] % watch->stride != 0) continue;
    watch->sample_row[kept] = watch->sample_row[i];
    memmove(watch->sample + kept++ * watch->width, watch->sample + i * watch->width, bytes);
  }
  watch->sampled = kept;
}

static void take_row(ank_watch *watch, const ank_match *match, const anorank_table *block, size_t row,
                     size_t number, double *cells) {
  int compare = watch->slots > 0 && number < MOST_COMPARED;
  int keep = number % watch->stride == 0;
  for (size_t c = 0; (compare || keep) && c < watch->columns; c++)
    cells[c] = ank_prepare_value(match, block, row, c);
  if (compare) look_up(watch, cells);
  while (keep && watch->sampled == watch->room) ank_watch_thin(watch);
  if (keep && number % watch->stride == 0) {
    double *to = watch->sample + watch->sampled * watch->width;
    memcpy(to, cells, watch->columns * sizeof *cells);
    for (size_t k = 0; k < watch->times; k++) { /* a part with other columns is refused elsewhere */
      size_t j = watch->time_column[k];
      int there = j < block->columns && block->column[j].kind == ANORANK_TIME;
      to[watch->columns + k] = there ? block->column[j].numbers[row] : (double)NAN;
    }
    watch->sample_row[watch->sampled++] = number;
  }
}

/* p-values of the rows of the sample, which does not depend on how the file was cut into blocks. */
static anorank_status score_sample(ank_watch *watch, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_scorer *scorer = NULL;
  anorank_scratch *scratch = NULL;
  double *cells = NULL, *p = NULL;
  size_t n = watch->sampled, columns = watch->columns;
  ANK_TRY(ank_alloc_raw(&cells, n * columns, sizeof *cells, err));
  ANK_TRY(ank_alloc_raw(&p, n, sizeof *p, err));
  for (size_t i = 0; i < n; i++)
    for (size_t c = 0; c < columns; c++) {
      double value = watch->sample[i * watch->width + c];
      anorank_model_column column = ank_prepare_column(watch->model->pipeline.prepare, c);
      int unseen = column.kind == ANORANK_CATEGORICAL && value == -1;
      cells[i * columns + c] = unseen ? -2 : value; /* -1 is a missing cell there */
    }
  ANK_TRY(ank_row_scorer_make(&scorer, watch->model, NULL, 0, err));
  ANK_TRY(ank_scratch_make(&scratch, scorer, err));
  ANK_TRY(ank_row_scorer_score(scorer, scratch, cells, n, columns, NULL, p, err));
  for (size_t i = 0; i < n; i++) watch->low += p[i] <= LEVEL;
  watch->all += n;
done:
  ank_scratch_free(scratch);
  ank_row_scorer_free(scorer);
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

anorank_status ank_watch_add_note(ank_watch *watch, const anorank_note *note, ank_watch_place place,
                                  anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t at = watch->notes.count;
  ANK_TRY(ank_reserve(&watch->places, &watch->place_capacity, at + 1, sizeof *watch->places, err));
  ANK_TRY(ank_notes_copy(&watch->notes, note, err));
  watch->places[at] = place;
done:
  return status;
}

static anorank_status compare_reading(ank_watch *watch, const anorank_table *block, size_t first_row,
                                      anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const ank_notes *learned = &watch->model->notes;
  ank_watch_place place = {first_row, number_of_name(block->source)};
  if (watch->notes.count > 0 && watch->places[watch->notes.count - 1].row > first_row)
    place.row = watch->places[watch->notes.count - 1].row; /* the columns alone come after the rows, too */
  for (size_t i = 0; i < block->notes.count; i++) {
    const anorank_note *note = &block->notes.list[i];
    int same = 0;
    for (size_t k = 0; k < learned->count && !same && note->kind != ANORANK_NOTE_WARNING; k++)
      same = ank_same_reading(note->text, learned->list[k].text);
    for (size_t k = 0; k < watch->notes.count && !same;
         k++) /* every block has those of the blocks before it */
      same = strcmp(note->text, watch->notes.list[k].text) == 0;
    if (!same) ANK_TRY(ank_watch_add_note(watch, note, place, err));
  }
done:
  return status;
}

anorank_status ank_watch_rows(ank_watch *watch, const anorank_table *block, size_t first_row, const double *p,
                              anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_match *match = NULL;
  double *cells = NULL;
  ANK_TRY(compare_reading(watch, block, first_row, err));
  if (!watch->sample) ANK_TRY(find_times(watch, block, err));
  ANK_TRY(ank_match_make(&match, watch->model->pipeline.prepare, block, err));
  ANK_TRY(ank_alloc_raw(&cells, watch->columns, sizeof *cells, err));
  for (size_t i = 0; i < block->rows; i++) take_row(watch, match, block, i, first_row + i, cells);
  watch->next = first_row + block->rows;
  for (size_t i = 0; p && i < block->rows; i++) watch->low += p[i] <= LEVEL;
  if (p)
    watch->all += block->rows;
  else
    watch->scores |= block->rows > 0;
done:
  ank_match_free(match);
  ank_free(cells);
  return status;
}

anorank_status ank_watch_block(ank_watch *watch, const anorank_table *block, const double *p,
                               anorank_error *err) {
  return ank_watch_rows(watch, block, watch->next, p, err);
}

/* ---- the whole --------------------------------------------------------------------------------------- */

anorank_status ank_watch_new(ank_watch **out, const anorank_model *model, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_watch *watch = NULL;
  *out = NULL;
  ANK_TRY(ank_alloc(&watch, 1, sizeof *watch, err));
  watch->model = model;
  watch->columns = ank_prepare_columns(model->pipeline.prepare);
  ANK_TRY(index_training_rows(watch, err));
  *out = watch;
  watch = NULL;
done:
  ank_watch_free(watch);
  return status;
}

anorank_status ank_watch_finish(ank_watch *watch, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  watch->finished = 1;
  if (watch->scores && watch->sampled > 0) ANK_TRY(score_sample(watch, err));
  ANK_TRY(tell_met(watch, err));
  ANK_TRY(ank_watch_tell_unlike(watch, err));
  if (watch->sampled > 0) ANK_TRY(ank_watch_tell_trend(watch, err));
done:
  return status;
}
