/* shift_merge.c - merge the checks of parts of a table into the exact check of all rows.
 *
 * The sample has the rows whose number is a multiple of the stride, the least power of 2 with which they fit. A check of
 * fewer rows has at most the same stride. So thinning both samples to the larger stride, and further until they fit,
 * gives the sample of all rows. Rows to look up among the training rows are also chosen by number; the rest are counts.
 * Notes on reading are sorted by row. Of a note that both have for their first line of a kind, the earlier one remains. */
#include <string.h>

#include "core/alloc.h"
#include "core/ascii.h"
#include "stream/shift_check.h"

#define MOST_STRIDE (SIZE_MAX / 4 + 1) /* twice of it is still a number */

/* ---- as bytes ---------------------------------------------------------------------------------------- */

static anorank_status save_sample(ank_bytes *out, const ank_shift_check *check, anorank_error *err) {
  ANK_CHECK(ank_bytes_put_u64(out, check->sample != NULL, err));
  if (!check->sample) return ANORANK_OK;
  ANK_CHECK(ank_bytes_put_u64(out, check->times, err));
  for (size_t k = 0; k < check->times; k++) {
    ANK_CHECK(ank_bytes_put_text(out, check->time_name[k], err));
    ANK_CHECK(ank_bytes_put_u64(out, check->time_column[k], err));
  }
  ANK_CHECK(ank_bytes_put_u64(out, check->stride, err));
  ANK_CHECK(ank_bytes_put_u64(out, check->sampled, err));
  for (size_t i = 0; i < check->sampled; i++) ANK_CHECK(ank_bytes_put_u64(out, check->sample_row[i], err));
  return ank_bytes_put_f64s(out, check->sample, check->sampled * check->width, err);
}

static size_t notes_on_reading(const ank_shift_check *check) {
  return check->concluded ? check->reading : check->notes.count;
}

anorank_status ank_shift_save(ank_bytes *out, const ank_shift_check *check, anorank_error *err) {
  size_t notes = notes_on_reading(check);
  ANK_CHECK(ank_bytes_put_u64(out, check->low, err));
  ANK_CHECK(ank_bytes_put_u64(out, check->all, err));
  ANK_CHECK(ank_bytes_put_u64(out, (uint64_t)check->scores, err));
  ANK_CHECK(save_sample(out, check, err));
  ANK_CHECK(ank_bytes_put_u64(out, check->meetings, err));
  ANK_CHECK(ank_bytes_put_u64(out, check->compared, err));
  ANK_CHECK(ank_bytes_put_u64(out, check->met_count, err));
  for (size_t b = 0; b < check->training_rows; b++)
    if (check->met[b]) ANK_CHECK(ank_bytes_put_u64(out, b, err));
  ANK_CHECK(ank_bytes_put_u64(out, notes, err));
  for (size_t k = 0; k < notes; k++) {
    ANK_CHECK(ank_note_save(out, &check->notes.list[k], err));
    ANK_CHECK(ank_bytes_put_u64(out, check->places[k].row, err));
    ANK_CHECK(ank_bytes_put_u64(out, check->places[k].source, err));
  }
  return ANORANK_OK;
}

static anorank_status load_times(ank_cursor *in, ank_shift_check *check, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t times, column;
  char *name = NULL;
  ANK_TRY(ank_cursor_size(in, &times, 0, (in->length - in->at) / 8, "the number of times", err));
  for (size_t k = 0; k < times; k++) {
    ank_free(name);
    ANK_TRY(ank_cursor_text(in, &name, err));
    ANK_TRY(ank_cursor_size(in, &column, 0, SIZE_MAX, "a column", err));
    ANK_TRY(ank_shift_add_time(check, name, column, err));
  }
done:
  ank_free(name);
  return status;
}

static anorank_status load_sample(ank_cursor *in, ank_shift_check *check, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  double *values = NULL;
  size_t there, count;
  ANK_TRY(ank_cursor_size(in, &there, 0, 1, "the sample", err));
  if (!there) goto done;
  ANK_TRY(load_times(in, check, err));
  ANK_TRY(ank_shift_alloc_sample(check, err));
  ANK_TRY(ank_cursor_size(in, &check->stride, 1, MOST_STRIDE, "the stride", err));
  ANK_TRY(ank_cursor_size(in, &check->sampled, 0, check->capacity, "the rows of the sample", err));
  if ((check->stride & (check->stride - 1)) != 0) ANK_TRY(ANORANK_ERROR_MODEL);
  for (size_t i = 0; i < check->sampled; i++) {
    size_t least = i > 0 ? check->sample_row[i - 1] + 1 : 0;
    ANK_TRY(ank_cursor_size(in, &check->sample_row[i], least, MOST_STRIDE - 1, "a row", err));
    if (check->sample_row[i] % check->stride != 0) ANK_TRY(ANORANK_ERROR_MODEL);
  }
  ANK_TRY(ank_cursor_f64s(in, &values, &count, err));
  if (count != check->sampled * check->width) ANK_TRY(ANORANK_ERROR_MODEL);
  if (count > 0) memcpy(check->sample, values, count * sizeof *values);
done:
  ank_free(values);
  return status;
}

static anorank_status load_notes(ank_cursor *in, ank_shift_check *check, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_note note = {0};
  size_t count;
  ANK_TRY(ank_cursor_size(in, &count, 0, in->length, "the number of notes", err));
  for (size_t k = 0; k < count; k++) {
    ank_shift_place place;
    ANK_TRY(ank_note_load(&note, in, err));
    ANK_TRY(ank_cursor_size(in, &place.row, 0, SIZE_MAX, "the place of a note", err));
    ANK_TRY(ank_cursor_u64(in, &place.source, err));
    ANK_TRY(ank_shift_add_note(check, &note, place, err));
    ank_note_free(&note);
  }
done:
  ank_note_free(&note);
  return status;
}

anorank_status ank_shift_load(ank_cursor *in, ank_shift_check *check, anorank_error *err) {
  size_t scores, met;
  ANK_CHECK(ank_cursor_size(in, &check->low, 0, SIZE_MAX / 2, "p-values", err));
  ANK_CHECK(ank_cursor_size(in, &check->all, check->low, SIZE_MAX / 2, "rows", err));
  ANK_CHECK(ank_cursor_size(in, &scores, 0, 1, "a flag", err));
  check->scores = (int)scores;
  ANK_CHECK(load_sample(in, check, err));
  ANK_CHECK(ank_cursor_size(in, &check->meetings, 0, SIZE_MAX / 2, "meetings", err));
  ANK_CHECK(ank_cursor_size(in, &check->compared, check->meetings, SIZE_MAX / 2, "rows", err));
  ANK_CHECK(ank_cursor_size(in, &met, 0, check->training_rows, "rows", err));
  for (size_t i = 0; i < met; i++) {
    size_t row;
    ANK_CHECK(ank_cursor_size(in, &row, 0, check->training_rows - 1, "a row", err));
    check->met_count += check->met[row] == 0;
    check->met[row] = 1;
  }
  return load_notes(in, check, err);
}

/* ---- two become one ---------------------------------------------------------------------------------- */

static int same_times(const ank_shift_check *a, const ank_shift_check *b) {
  if (a->times != b->times) return 0;
  for (size_t k = 0; k < a->times; k++)
    if (a->time_column[k] != b->time_column[k] || strcmp(a->time_name[k], b->time_name[k]) != 0) return 0;
  return 1;
}

/* The number of sampled rows for a stride. */
static size_t count_left(const ank_shift_check *check, size_t stride) {
  size_t left = 0;
  for (size_t i = 0; i < check->sampled; i++) left += check->sample_row[i] % stride == 0;
  return left;
}

/* From the last row to the first, so that no row is overwritten before it is read. */
static void merge_rows(ank_shift_check *mine, const ank_shift_check *theirs) {
  size_t width = mine->width, i = mine->sampled, at = i + count_left(theirs, mine->stride);
  mine->sampled = at;
  for (size_t k = theirs->sampled; k > 0;) {
    if (theirs->sample_row[k - 1] % mine->stride != 0) {
      k--;
      continue;
    }
    int own = i > 0 && mine->sample_row[i - 1] > theirs->sample_row[k - 1];
    const ank_shift_check *from = own ? mine : theirs;
    size_t row = own ? --i : --k;
    at--;
    memmove(mine->sample + at * width, from->sample + row * width, width * sizeof *mine->sample);
    mine->sample_row[at] = from->sample_row[row];
  }
}

static anorank_status merge_samples(ank_shift_check *mine, const ank_shift_check *theirs,
                                    anorank_error *err) {
  if (!theirs->sample) return ANORANK_OK;
  if (mine->sample && !same_times(mine, theirs))
    return ank_fail(err, ANORANK_ERROR_DATA, "stream-merge",
                    "streams of tables with different columns of time cannot be merged");
  for (size_t k = mine->times; !mine->sample && k < theirs->times; k++)
    ANK_CHECK(ank_shift_add_time(mine, theirs->time_name[k], theirs->time_column[k], err));
  if (!mine->sample) ANK_CHECK(ank_shift_alloc_sample(mine, err));
  while (mine->stride < theirs->stride) ank_shift_thin(mine);
  while (mine->sampled + count_left(theirs, mine->stride) > mine->capacity) ank_shift_thin(mine);
  merge_rows(mine, theirs);
  return ANORANK_OK;
}

/* "line 7 holds ..." and "line 90 holds ..." */
static int same_but_for_numbers(const char *a, const char *b) {
  while (*a || *b) {
    while (ank_is_digit(*a)) a++;
    while (ank_is_digit(*b)) b++;
    if (*a != *b) return 0;
    if (*a) a++, b++;
  }
  return 1;
}

/* Return whether the other check has the note, too: the same text, or one on the first of many lines. */
static int has_note(const ank_shift_check *joined, const unsigned char *own, const ank_shift_check *from,
                    size_t note, int is_own) {
  const char *text = from->notes.list[note].text;
  for (size_t k = 0; k < joined->notes.count; k++) {
    const char *other = joined->notes.list[k].text;
    if (own[k] == is_own) continue;
    if (strcmp(other, text) == 0) return 1;
    if (joined->places[k].source == from->places[note].source && same_but_for_numbers(other, text)) return 1;
  }
  return 0;
}

static anorank_status merge_notes(ank_shift_check *mine, const ank_shift_check *theirs, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_shift_check joined = {0}; /* only its notes and places are used */
  unsigned char *own = NULL;
  size_t i = 0, k = 0, ours = mine->notes.count, others = notes_on_reading(theirs);
  ANK_TRY(ank_alloc(&own, ours + others, 1, err));
  while (i < ours || k < others) {
    int is_own = k == others || (i < ours && mine->places[i].row <= theirs->places[k].row);
    const ank_shift_check *from = is_own ? mine : theirs;
    size_t at = is_own ? i++ : k++;
    if (has_note(&joined, own, from, at, is_own)) continue;
    own[joined.notes.count] = (unsigned char)is_own;
    ANK_TRY(ank_shift_add_note(&joined, &from->notes.list[at], from->places[at], err));
  }
  ank_shift_check before = *mine;
  mine->notes = joined.notes;
  mine->places = joined.places;
  mine->place_capacity = joined.place_capacity;
  joined.notes = before.notes;
  joined.places = before.places;
done:
  ank_notes_free(&joined.notes);
  ank_free(joined.places);
  ank_free(own);
  return status;
}

anorank_status ank_shift_merge(ank_shift_check *check, const ank_shift_check *other, anorank_error *err) {
  ank_shift_reopen(check);
  ANK_CHECK(merge_samples(check, other, err));
  ANK_CHECK(merge_notes(check, other, err));
  check->low += other->low;
  check->all += other->all;
  check->scores |= other->scores;
  check->meetings += other->meetings;
  check->compared += other->compared;
  for (size_t b = 0; b < check->training_rows; b++) {
    check->met_count += other->met[b] && !check->met[b];
    check->met[b] |= other->met[b];
  }
  return ANORANK_OK;
}
