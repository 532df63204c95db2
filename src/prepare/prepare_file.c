/* prepare_file.c - the preparation as bytes of a model file.
 *
 *   rows, missing policy, scale, number of columns
 *   per column: name, kind, role, missing; then by role
 *     numeric               unit, centre, inverse, least, most, fill, low, median, high
 *     constant of numbers   the number
 *     time                  per circle (day, week): used, centre (two numbers), factor; where the first `used` has 2
 *                           added, the same of the year, and rows in each month; rows in each hour, on each weekday
 *     categorical, constant of texts   number of levels; each: text, count
 *   number of notes; the notes
 *
 * Derived values are not stored, so that little can contradict itself. */
#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "prepare/prepare_parts.h"

#define MOST_NOTES 100000
#define MOST_ROWS ANK_SIZE_LIMIT((uint64_t)1 << 48)

/* ---- saving ------------------------------------------------------------------------------------------ */

static int has_levels(const ank_profile *column) {
  return column->kind == ANORANK_CATEGORICAL && ank_profile_matters(column);
}

enum { USED = 1, BY_YEAR = 2 }; /* flags of the first circle */

static anorank_status save_circle(const ank_circle *circle, int flags, ank_bytes *out, anorank_error *err) {
  ANK_CHECK(ank_bytes_put_u64(out, (uint64_t)flags, err));
  ANK_CHECK(ank_bytes_put_f64(out, circle->centre[0], err));
  ANK_CHECK(ank_bytes_put_f64(out, circle->centre[1], err));
  return ank_bytes_put_f64(out, circle->factor, err);
}

/* The circle of the year and the months come first where it is used, since older files have none. */
static anorank_status save_times(const ank_profile *column, ank_bytes *out, anorank_error *err) {
  const ank_circle *day = &column->circles[ANK_CIRCLE_DAY], *week = &column->circles[ANK_CIRCLE_WEEK],
                   *year = &column->circles[ANK_CIRCLE_YEAR];
  ANK_CHECK(save_circle(day, day->used | (year->used ? BY_YEAR : 0), out, err));
  ANK_CHECK(save_circle(week, week->used, out, err));
  if (year->used) {
    ANK_CHECK(save_circle(year, year->used, out, err));
    for (int i = 0; i < 12; i++) ANK_CHECK(ank_bytes_put_u64(out, column->months[i], err));
  }
  for (int i = 0; i < 24; i++) ANK_CHECK(ank_bytes_put_u64(out, column->hours[i], err));
  for (int i = 0; i < 7; i++) ANK_CHECK(ank_bytes_put_u64(out, column->weekdays[i], err));
  return ANORANK_OK;
}

static anorank_status save_column(const ank_profile *column, ank_bytes *out, anorank_error *err) {
  ANK_CHECK(ank_bytes_put_text(out, column->name, err));
  ANK_CHECK(ank_bytes_put_u64(out, (uint64_t)column->kind, err));
  ANK_CHECK(ank_bytes_put_u64(out, (uint64_t)column->role, err));
  ANK_CHECK(ank_bytes_put_u64(out, column->missing, err));
  if (column->role == ANORANK_ROLE_NUMERIC) {
    const double numbers[] = {column->unit, column->centre, column->inverse, column->least, column->most,
                              column->fill, column->low,    column->median,  column->high};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
      ANK_CHECK(ank_bytes_put_f64(out, numbers[i], err));
  } else if (column->role == ANORANK_ROLE_TIME) {
    ANK_CHECK(save_times(column, out, err));
  } else if (has_levels(column)) {
    ANK_CHECK(ank_bytes_put_u64(out, column->levels.count, err));
    for (size_t k = 0; k < column->levels.count; k++) {
      ANK_CHECK(ank_bytes_put_text(out, column->levels.text[k], err));
      ANK_CHECK(ank_bytes_put_u64(out, column->counts[k], err));
    }
  } else if (column->role == ANORANK_ROLE_CONSTANT) {
    ANK_CHECK(ank_bytes_put_f64(out, column->constant, err));
  }
  return ANORANK_OK;
}

anorank_status ank_prepare_save(const ank_prepare *prepare, ank_bytes *out, anorank_error *err) {
  ANK_CHECK(ank_bytes_put_u64(out, prepare->rows, err));
  ANK_CHECK(ank_bytes_put_u64(out, (uint64_t)prepare->on_missing, err));
  ANK_CHECK(ank_bytes_put_u64(out, (uint64_t)prepare->scale, err));
  ANK_CHECK(ank_bytes_put_u64(out, prepare->columns, err));
  for (size_t j = 0; j < prepare->columns; j++) ANK_CHECK(save_column(&prepare->column[j], out, err));
  ANK_CHECK(ank_bytes_put_u64(out, prepare->notes.count, err));
  for (size_t i = 0; i < prepare->notes.count; i++)
    ANK_CHECK(ank_bytes_put_text(out, prepare->notes.list[i].text, err));
  return ANORANK_OK;
}

/* ---- loading ----------------------------------------------------------------------------------------- */

/* Return whether so many items of at least `each` bytes can follow. */
static size_t room_for(const ank_cursor *in, size_t each) { return (in->length - in->at) / each; }

static anorank_status damaged(const char *what, size_t j, anorank_error *err) {
  return ank_fail(err, ANORANK_ERROR_MODEL, "model-column",
                  "the model is damaged: %s of column %zu %s invalid", what, j + 1,
                  what[strlen(what) - 1] == 's' ? "are" : "is");
}

static int sensible_numbers(const ank_profile *column) {
  const double numbers[] = {column->unit, column->centre, column->inverse, column->least, column->most,
                            column->fill, column->low,    column->median,  column->high};
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
    if (!isfinite(numbers[i])) return 0;
  return column->unit > 0 && column->inverse > 0 && column->least >= -ANK_FEATURE_LIMIT &&
         column->most <= ANK_FEATURE_LIMIT && column->least <= column->fill && column->fill <= column->most &&
         column->low <= column->median && column->median <= column->high;
}

static anorank_status load_numbers(ank_profile *column, size_t j, ank_cursor *in, anorank_error *err) {
  double *const places[] = {&column->unit, &column->centre, &column->inverse, &column->least, &column->most,
                            &column->fill, &column->low,    &column->median,  &column->high};
  for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) ANK_CHECK(ank_cursor_f64(in, places[i], err));
  if (!sensible_numbers(column)) return damaged("the numbers", j, err);
  return ANORANK_OK;
}

static anorank_status load_circle(ank_circle *circle, size_t j, size_t *flags, size_t most, ank_cursor *in,
                                  anorank_error *err) {
  ANK_CHECK(ank_cursor_size(in, flags, 0, most, "the circle of a time", err));
  circle->used = (int)(*flags & USED);
  ANK_CHECK(ank_cursor_f64(in, &circle->centre[0], err));
  ANK_CHECK(ank_cursor_f64(in, &circle->centre[1], err));
  ANK_CHECK(ank_cursor_f64(in, &circle->factor, err));
  if (!(fabs(circle->centre[0]) <= 1 && fabs(circle->centre[1]) <= 1) ||
      !(circle->used ? circle->factor > 0 && circle->factor <= 1000 : circle->factor == 0))
    return damaged("the circles", j, err);
  return ANORANK_OK;
}

/* Rows in each hour, on each weekday or in each month: `filled` in all. */
static anorank_status load_counts(size_t *counts, size_t count, size_t filled, size_t j, ank_cursor *in,
                                  anorank_error *err) {
  size_t sum = 0;
  for (size_t i = 0; i < count; i++) {
    ANK_CHECK(ank_cursor_size(in, &counts[i], 0, filled, "the rows of an hour", err));
    sum += counts[i];
  }
  return sum == filled ? ANORANK_OK : damaged("the hours", j, err);
}

static anorank_status load_times(ank_profile *column, size_t j, size_t rows, ank_cursor *in,
                                 anorank_error *err) {
  ank_circle *circles = column->circles;
  size_t flags, ignored, filled = rows - column->missing;
  ANK_CHECK(load_circle(&circles[ANK_CIRCLE_DAY], j, &flags, USED | BY_YEAR, in, err));
  ANK_CHECK(load_circle(&circles[ANK_CIRCLE_WEEK], j, &ignored, USED, in, err));
  if (flags & BY_YEAR) {
    ANK_CHECK(load_circle(&circles[ANK_CIRCLE_YEAR], j, &ignored, USED, in, err));
    ANK_CHECK(load_counts(column->months, 12, filled, j, in, err));
  }
  if (!circles[ANK_CIRCLE_DAY].used && !circles[ANK_CIRCLE_WEEK].used && !circles[ANK_CIRCLE_YEAR].used)
    return damaged("the circles", j, err);
  ANK_CHECK(load_counts(column->hours, 24, filled, j, in, err));
  return load_counts(column->weekdays, 7, filled, j, in, err);
}

/* The levels must be as the fit leaves them: distinct, most frequent first, ties by text, and their counts
 * must add up to the rows. */
static anorank_status load_levels(ank_profile *column, size_t j, size_t rows, ank_cursor *in,
                                  anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t count, left = rows - column->missing;
  char *text = NULL;
  ANK_TRY(ank_cursor_size(in, &count, 1, room_for(in, 16), "the number of levels", err));
  if (column->role == ANORANK_ROLE_CONSTANT && count != 1) ANK_TRY(damaged("the levels", j, err));
  ANK_TRY(ank_alloc(&column->counts, count, sizeof *column->counts, err));
  for (size_t k = 0; k < count; k++) {
    int32_t code;
    ANK_TRY(ank_cursor_text(in, &text, err));
    ANK_TRY(ank_cursor_size(in, &column->counts[k], 1, rows, "the rows of a level", err));
    ANK_TRY(ank_levels_code(&code, &column->levels, text, strlen(text), err));
    if ((size_t)code != k || column->counts[k] > left) ANK_TRY(damaged("the levels", j, err));
    left -= column->counts[k];
    if (k > 0 &&
        (column->counts[k] > column->counts[k - 1] ||
         (column->counts[k] == column->counts[k - 1] && strcmp(column->levels.text[k - 1], text) >= 0)))
      ANK_TRY(damaged("the order of the levels", j, err));
    ank_free(text);
    text = NULL;
  }
  if (left != 0) ANK_TRY(damaged("the levels", j, err));
done:
  ank_free(text);
  return status;
}

static anorank_status load_column(ank_profile *column, size_t j, size_t rows, ank_cursor *in,
                                  anorank_error *err) {
  size_t kind, role;
  ANK_CHECK(ank_cursor_text(in, &column->name, err));
  ANK_CHECK(ank_cursor_size(in, &kind, 0, ANORANK_CATEGORICAL, "the kind of a column", err));
  ANK_CHECK(ank_cursor_size(in, &role, 0, ANORANK_ROLE_TIME, "the role of a column", err));
  ANK_CHECK(ank_cursor_size(in, &column->missing, 0, rows, "the missing cells of a column", err));
  column->kind = (anorank_kind)kind;
  column->role = (anorank_role)role;
  if (((role == ANORANK_ROLE_NUMERIC || role == ANORANK_ROLE_TIME) && kind != ANORANK_NUMERIC) ||
      (role == ANORANK_ROLE_CATEGORICAL && kind != ANORANK_CATEGORICAL) ||
      (ank_profile_matters(column) && column->missing == rows))
    return damaged("the role", j, err);
  if (role == ANORANK_ROLE_NUMERIC) {
    ANK_CHECK(load_numbers(column, j, in, err));
  } else if (role == ANORANK_ROLE_TIME) {
    ANK_CHECK(load_times(column, j, rows, in, err));
  } else if (has_levels(column)) {
    ANK_CHECK(load_levels(column, j, rows, in, err));
  } else if (role == ANORANK_ROLE_CONSTANT) {
    ANK_CHECK(ank_cursor_f64(in, &column->constant, err));
    if (isnan(column->constant)) return damaged("the value", j, err);
  }
  return ANORANK_OK;
}

static anorank_status load_columns(ank_prepare *prepare, ank_cursor *in, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_levels names = {0};
  size_t used = 0, most = room_for(in, 32);
  if (most > ANORANK_MAX_COLUMNS) most = ANORANK_MAX_COLUMNS;
  size_t columns;
  ANK_TRY(ank_cursor_size(in, &columns, 1, most, "the number of columns", err));
  ANK_TRY(ank_alloc(&prepare->column, columns, sizeof *prepare->column, err));
  prepare->columns = columns;
  for (size_t j = 0; j < columns; j++) {
    ank_profile *column = &prepare->column[j];
    int32_t code;
    ANK_TRY(load_column(column, j, prepare->rows, in, err));
    ANK_TRY(ank_levels_code(&code, &names, column->name, strlen(column->name), err));
    if ((size_t)code != j) ANK_TRY(damaged("the name", j, err));
    used += ank_profile_matters(column);
  }
  if (used == 0) ANK_FAIL(ANORANK_ERROR_MODEL, "model-column", "the model is damaged: it uses no column");
done:
  ank_levels_free(&names);
  return status;
}

anorank_status ank_prepare_load(ank_prepare **out, ank_cursor *in, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_prepare *prepare = NULL;
  size_t policy, scale;
  *out = NULL;
  ANK_TRY(ank_alloc(&prepare, 1, sizeof *prepare, err));
  ANK_TRY(ank_cursor_size(in, &prepare->rows, 1, MOST_ROWS, "the number of training rows", err));
  ANK_TRY(ank_cursor_size(in, &policy, 0, ANORANK_ON_MISSING_ERROR, "the missing policy", err));
  ANK_TRY(ank_cursor_size(in, &scale, 0, ANORANK_SCALE_UNIT, "the scale", err));
  prepare->on_missing = (anorank_on_missing)policy;
  prepare->scale = (anorank_scale)scale;
  ANK_TRY(load_columns(prepare, in, err));
  ANK_TRY(ank_notes_load_texts(&prepare->notes, in, MOST_NOTES, err)); /* the model has the kinds */
  ANK_TRY(ank_prepare_lay_out(prepare, err));
  ANK_HAND_OVER(out, prepare);
done:
  ank_prepare_free(prepare);
  return status;
}
