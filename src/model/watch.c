/* watch.c - see watch.h. */
#include "model/watch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/alloc.h"
#include "core/print.h"
#include "model/row_scorer.h"
#include "model/trend.h"
#include "table/spelling.h"

enum {
  MOST_ROWS = 1000,        /* of the sample */
  MOST_VALUES = 1 << 20,   /* of the sample, while FEWEST_ROWS allow it */
  FEWEST_ROWS = 32,        /* below, nothing is said of the whole */
  MOST_COMPARED = 1 << 17, /* rows that are looked up among the training rows */
  FEWEST_MET = 8,
  MOST_NAMED = 3
};

#define LEVEL 0.05    /* of the p-values that are counted */
#define UNLIKE 0.3    /* share of rows with such p-values that is told */
#define MET_SHARE 0.5 /* of the kept training rows that could be met */
#define MOST_TWINS 0.1

struct anorank_watch {
  const anorank_model *model;
  size_t columns;  /* of the model */
  size_t rows;     /* of the file so far */
  size_t low, all; /* p-values of at most LEVEL, and all that were counted */
  int scores;      /* the rows of the sample are scored, at the end */
  /* every stride-th row: cells as ank_prepare_value has them, then the moments of the file's time columns */
  double *sample;
  size_t sampled, room, width, stride;
  char **time_name;
  size_t *time_column, times;
  /* the training rows that the model kept, by their cells */
  uint32_t *slot; /* 1 + row; 0: empty */
  size_t slots, distinct;
  unsigned char *met;
  size_t met_count, meetings, compared;
  ank_notes notes;
};

void ank_watch_free(ank_watch *watch) {
  if (!watch) return;
  ank_free(watch->sample);
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
  if (watch->model->settings.train != ANORANK_TRAIN_CLEAN || rows < FEWEST_ROWS) return ANORANK_OK;
  for (watch->slots = 64; watch->slots < 2 * rows;) watch->slots *= 2;
  ANK_TRY(ank_alloc(&watch->slot, watch->slots, sizeof *watch->slot, err));
  ANK_TRY(ank_alloc(&watch->met, rows, 1, err));
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
  if (watch->slots == 0 || watch->compared >= MOST_COMPARED) return;
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
      &watch->notes, ANORANK_NOTE_WARNING, err,
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
  watch->width = watch->columns + watch->times;
  watch->room = MOST_VALUES / (watch->width + 1);
  if (watch->room > MOST_ROWS) watch->room = MOST_ROWS;
  if (watch->room < 2 * FEWEST_ROWS) watch->room = 2 * FEWEST_ROWS;
  watch->stride = 1;
  ANK_TRY(ank_alloc_raw(&watch->sample, watch->room * watch->width, sizeof *watch->sample, err));
done:
  return status;
}

/* Room for one more: every other row goes. */
static void thin(ank_watch *watch) {
  size_t kept = 0, bytes = watch->width * sizeof *watch->sample;
  for (size_t i = 0; i < watch->sampled; i += 2)
    memmove(watch->sample + kept++ * watch->width, watch->sample + i * watch->width, bytes);
  watch->sampled = kept;
  watch->stride *= 2;
}

static void take_row(ank_watch *watch, const ank_match *match, const anorank_table *block, size_t row,
                     double *cells) {
  int compare = watch->slots > 0 && watch->compared < MOST_COMPARED;
  int keep = watch->rows % watch->stride == 0;
  for (size_t c = 0; (compare || keep) && c < watch->columns; c++)
    cells[c] = ank_prepare_value(match, block, row, c);
  if (compare) look_up(watch, cells);
  if (keep && watch->sampled == watch->room) thin(watch);
  if (keep && watch->rows % watch->stride == 0) {
    double *to = watch->sample + watch->sampled++ * watch->width;
    memcpy(to, cells, watch->columns * sizeof *cells);
    for (size_t k = 0; k < watch->times; k++) { /* a part with other columns is refused elsewhere */
      size_t j = watch->time_column[k];
      int there = j < block->columns && block->column[j].kind == ANORANK_TIME;
      to[watch->columns + k] = there ? block->column[j].numbers[row] : (double)NAN;
    }
  }
  watch->rows++;
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

static anorank_status compare_reading(ank_watch *watch, const anorank_table *block, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const ank_notes *learned = &watch->model->notes;
  for (size_t i = 0; i < block->notes.count; i++) {
    const ank_note *note = &block->notes.list[i];
    int same = 0;
    for (size_t k = 0; k < learned->count && !same && note->kind != ANORANK_NOTE_WARNING; k++)
      same = ank_same_reading(note->text, learned->list[k].text);
    for (size_t k = 0; k < watch->notes.count && !same;
         k++) /* every block has those of the blocks before it */
      same = strcmp(note->text, watch->notes.list[k].text) == 0;
    if (!same) ANK_TRY(ank_notes_add_text(&watch->notes, note->kind, note->text, err));
  }
done:
  return status;
}

anorank_status ank_watch_block(ank_watch *watch, const anorank_table *block, const double *p,
                               anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_match *match = NULL;
  double *cells = NULL;
  ANK_TRY(compare_reading(watch, block, err));
  if (!watch->sample) ANK_TRY(find_times(watch, block, err));
  ANK_TRY(ank_match_make(&match, watch->model->pipeline.prepare, block, err));
  ANK_TRY(ank_alloc_raw(&cells, watch->columns, sizeof *cells, err));
  for (size_t i = 0; i < block->rows; i++) take_row(watch, match, block, i, cells);
  for (size_t i = 0; p && i < block->rows; i++) watch->low += p[i] <= LEVEL;
  if (p)
    watch->all += block->rows;
  else
    watch->scores = 1;
done:
  ank_match_free(match);
  ank_free(cells);
  return status;
}

/* ---- unlike as a whole ------------------------------------------------------------------------------- */

typedef struct shift {
  double size; /* in widths of the usual range; 0: none */
  char words[160];
} shift;

static int ascending(const void *a, const void *b) {
  double left = *(const double *)a, right = *(const double *)b;
  return left < right ? -1 : left > right;
}

static void put_times(char *text, size_t size, double ratio) {
  ank_print(text, size, ratio < 9.5 ? "%.2g" : "%.0f",
            ratio >= 95 ? exp10(round(log10(ratio) * 10) / 10) : ratio);
}

static void describe_shift(shift *out, const anorank_model_column *column, const char *name, double median) {
  char times[32];
  double width = column->high - column->low, ratio = median / column->median;
  int above = median > column->high;
  if (!above && !(median < column->low)) return;
  out->size = (above ? median - column->high : column->low - median) / fmax(width, 1e-300);
  put_times(times, sizeof times, ratio >= 1 ? ratio : 1 / ratio);
  if (ratio >= 3 || (ratio > 0 && ratio <= 1 / 3.0))
    snprintf(out->words, sizeof out->words, "'%.60s' is about %s times %s", name, times,
             ratio >= 1 ? "larger" : "smaller");
  else
    ank_print(out->words, sizeof out->words, "'%.60s' is mostly %s its usual %.4g to %.4g", name,
              above ? "above" : "below", column->low, column->high);
}

/* What most cells of the column are, if that is not what they were. `work`: a double per sampled row. */
static void look_for_shift(shift *out, const ank_watch *watch, size_t c, double *work) {
  anorank_model_column column = ank_prepare_column(watch->model->pipeline.prepare, c);
  char name[ANK_QUOTE_SIZE];
  size_t filled = 0, unseen = 0, n = watch->sampled;
  out->size = 0;
  if (column.role != ANORANK_ROLE_NUMERIC && column.role != ANORANK_ROLE_CATEGORICAL) return;
  ank_quote(name, column.name, strlen(column.name));
  for (size_t i = 0; i < n; i++) {
    double value = watch->sample[i * watch->width + c];
    if (isnan(value)) continue;
    work[filled++] = value;
    unseen += value == -1;
  }
  if (2 * (n - filled) > n && column.missing_share < 0.25) {
    out->size = 1e3;
    snprintf(out->words, sizeof out->words, "'%.60s' is mostly missing", name);
  } else if (column.role == ANORANK_ROLE_CATEGORICAL && 2 * unseen > n) {
    out->size = 1e3;
    snprintf(out->words, sizeof out->words, "most values of '%.60s' were never seen", name);
  } else if (column.role == ANORANK_ROLE_NUMERIC && filled > 0) {
    qsort(work, filled, sizeof *work, ascending);
    describe_shift(out, &column, name, work[filled / 2]);
  }
}

static anorank_status tell_unlike(ank_watch *watch, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  shift most[MOST_NAMED] = {{0}}, one;
  double *work = NULL;
  char list[3 * 170] = "", percent[32];
  size_t used = 0, found = 0;
  if (watch->all < FEWEST_ROWS || (double)watch->low < UNLIKE * (double)watch->all) return ANORANK_OK;
  ANK_TRY(ank_alloc_raw(&work, watch->sampled, sizeof *work, err));
  for (size_t c = 0; c < watch->columns; c++) {
    look_for_shift(&one, watch, c, work);
    found += one.size > 0;
    for (size_t k = 0; k < MOST_NAMED && one.size > 0; k++)
      if (one.size > most[k].size) {
        shift weaker = most[k];
        most[k] = one;
        one = weaker;
      }
  }
  for (size_t k = 0; k < MOST_NAMED && most[k].size > 0; k++)
    used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", k > 0 ? ", " : "", most[k].words);
  ank_print(percent, sizeof percent, "%.0f", 100 * (double)watch->low / (double)watch->all);
  ANK_TRY(ank_notes_add(
      &watch->notes, ANORANK_NOTE_WARNING, err,
      "these rows look unlike the training rows as a whole (%s %% have p <= 0.05): %s%s; is "
      "it another unit, time or source?",
      percent, found > 0 ? list : "no column alone explains it", found > MOST_NAMED ? " and others" : ""));
done:
  ank_free(work);
  return status;
}

static double median_of(const double *value, size_t count, double *work) {
  size_t filled = 0;
  for (size_t i = 0; i < count; i++)
    if (!isnan(value[i])) work[filled++] = value[i];
  qsort(work, filled, sizeof *work, ascending);
  return filled > 0 ? work[filled / 2] : (double)NAN;
}

/* Does the first or the last third of the rows lie outside of what is usual? A trend within it does no harm:
 * of an hour over a day. */
static int leaves_the_usual(const double *value, size_t n, const anorank_model_column *column, double *work) {
  double first = median_of(value, n / 3, work), last = median_of(value + n - n / 3, n / 3, work);
  return first < column->low || first > column->high || last < column->low || last > column->high;
}

static anorank_status tell_trend(ank_watch *watch, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t n = watch->sampled, used = 0;
  double *value = NULL, *work = NULL;
  const char **name = NULL;
  unsigned char *is_time = NULL;
  ANK_TRY(ank_alloc_raw(&work, n, sizeof *work, err));
  ANK_TRY(ank_alloc_raw(&value, watch->width * n, sizeof *value, err));
  ANK_TRY(ank_alloc_raw(&name, watch->width, sizeof *name, err));
  ANK_TRY(ank_alloc(&is_time, watch->width, 1, err));
  for (size_t c = 0; c < watch->width; c++) {
    int own = c < watch->columns;
    anorank_model_column column = {.role = ANORANK_ROLE_TIME};
    if (own) column = ank_prepare_column(watch->model->pipeline.prepare, c);
    if (own && column.role != ANORANK_ROLE_NUMERIC && column.role != ANORANK_ROLE_TIME) continue;
    for (size_t i = 0; i < n; i++) value[used * n + i] = watch->sample[i * watch->width + c];
    if (column.role == ANORANK_ROLE_NUMERIC && !leaves_the_usual(value + used * n, n, &column, work))
      continue;
    name[used] = own ? column.name : watch->time_name[c - watch->columns];
    is_time[used++] = column.role == ANORANK_ROLE_TIME;
  }
  ANK_TRY(ank_trend_tell(&watch->notes, &(ank_sequence){n, used, name, value, is_time}, err));
done:
  ank_free(value);
  ank_free(work);
  ank_free(name);
  ank_free(is_time);
  return status;
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
  if (watch->scores && watch->sampled > 0) ANK_TRY(score_sample(watch, err));
  ANK_TRY(tell_met(watch, err));
  ANK_TRY(tell_unlike(watch, err));
  if (watch->sampled > 0) ANK_TRY(tell_trend(watch, err));
done:
  return status;
}
