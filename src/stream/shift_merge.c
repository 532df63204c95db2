/* shift_merge.c - what several checks have seen of one table, put together: the check of all rows, exactly.
 *
 * The sample is the rows whose number is a multiple of the stride, the least power of 2 that leaves room. Who has seen fewer rows
 * has at most that stride, so thinning both to the larger one, and on while there is no room, gives the sample of all rows.
 * Rows are looked up among the training rows by their number, too; the rest are counts. Notes on reading come in the order of
 * the rows; of a note that each gives once, for the first line that it is about, the first remains. */
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

anorank_status ank_shift_save(ank_bytes *out, const ank_shift_check *check, anorank_error *err) {
  size_t notes = check->concluded ? check->reading : check->notes.count;
  ANK_CHECK(ank_bytes_put_u64(out, check->concluded ? check->counted_low : check->low, err));
  ANK_CHECK(ank_bytes_put_u64(out, check->concluded ? check->counted_all : check->all, err));
  ANK_CHECK(ank_bytes_put_u64(out, (uint64_t)check->scores, err));
  ANK_CHECK(save_sample(out, check, err));
  ANK_CHECK(ank_bytes_put_u64(out, check->meetings, err));
  ANK_CHECK(ank_bytes_put_u64(out, check->compared, err));
  ANK_CHECK(ank_bytes_put_u64(out, check->met_count, err));
  for (size_t b = 0; b < check->kept; b++)
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
  size_t times;
  ANK_CHECK(ank_cursor_size(in, &times, 0, (in->length - in->at) / 8, "the number of times", err));
  ANK_CHECK(ank_alloc(&check->time_name, times, sizeof *check->time_name, err));
  ANK_CHECK(ank_alloc(&check->time_column, times, sizeof *check->time_column, err));
  while (check->times < times) {
    size_t at = check->times++; /* is freed from here on */
    ANK_CHECK(ank_cursor_text(in, &check->time_name[at], err));
    ANK_CHECK(ank_cursor_size(in, &check->time_column[at], 0, SIZE_MAX, "a column", err));
  }
  return ANORANK_OK;
}

static anorank_status load_sample(ank_cursor *in, ank_shift_check *check, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  double *values = NULL;
  size_t there, count;
  ANK_TRY(ank_cursor_size(in, &there, 0, 1, "the sample", err));
  if (!there) goto done;
  ANK_TRY(load_times(in, check, err));
  ANK_TRY(ank_shift_make_room(check, err));
  ANK_TRY(ank_cursor_size(in, &check->stride, 1, MOST_STRIDE, "the stride", err));
  ANK_TRY(ank_cursor_size(in, &check->sampled, 0, check->room, "the rows of the sample", err));
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
  ANK_CHECK(ank_cursor_size(in, &met, 0, check->kept, "rows", err));
  for (size_t i = 0; i < met; i++) {
    size_t row;
    ANK_CHECK(ank_cursor_size(in, &row, 0, check->kept - 1, "a row", err));
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

static anorank_status merge_samples(ank_shift_check *mine, ank_shift_check *theirs, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  double *sample = NULL;
  size_t *rows = NULL, i = 0, k = 0, width = mine->width;
  while (mine->stride < theirs->stride) ank_shift_thin(mine);
  while (mine->stride > theirs->stride) ank_shift_thin(theirs);
  while (mine->sampled + theirs->sampled > mine->room) {
    ank_shift_thin(mine);
    ank_shift_thin(theirs);
  }
  ANK_TRY(ank_alloc_raw(&sample, mine->room * width, sizeof *sample, err));
  ANK_TRY(ank_alloc_raw(&rows, mine->room, sizeof *rows, err));
  while (i < mine->sampled || k < theirs->sampled) {
    int own = k == theirs->sampled || (i < mine->sampled && mine->sample_row[i] <= theirs->sample_row[k]);
    const ank_shift_check *from = own ? mine : theirs;
    size_t at = own ? i : k;
    memcpy(sample + (i + k) * width, from->sample + at * width, width * sizeof *sample);
    rows[i + k] = from->sample_row[at];
    if (own)
      i++;
    else
      k++;
  }
  ank_free(mine->sample);
  ank_free(mine->sample_row);
  mine->sampled = i + k;
  mine->sample = sample;
  mine->sample_row = rows;
  return status;
done:
  ank_free(sample);
  ank_free(rows);
  return status;
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

/* Has the other told it? A text comes once from each; so does what is said of the first line of many in a file. */
static int is_told(const ank_shift_check *joined, const unsigned char *own, const ank_shift_check *from,
                   size_t note, int is_own) {
  const char *text = from->notes.list[note].text;
  for (size_t k = 0; k < joined->notes.count; k++) {
    const char *said = joined->notes.list[k].text;
    if (own[k] == is_own) continue;
    if (strcmp(said, text) == 0) return 1;
    if (joined->places[k].source == from->places[note].source && same_but_for_numbers(said, text)) return 1;
  }
  return 0;
}

static anorank_status merge_notes(ank_shift_check *mine, ank_shift_check *theirs, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_shift_check joined = {0};
  unsigned char *own = NULL;
  size_t i = 0, k = 0, ours = mine->notes.count, others = theirs->notes.count;
  ANK_TRY(ank_alloc(&own, ours + others, 1, err));
  while (i < ours || k < others) {
    int is_own = k == others || (i < ours && mine->places[i].row <= theirs->places[k].row);
    const ank_shift_check *from = is_own ? mine : theirs;
    size_t at = is_own ? i++ : k++;
    if (is_told(&joined, own, from, at, is_own)) continue;
    own[joined.notes.count] = (unsigned char)is_own;
    ANK_TRY(ank_shift_add_note(&joined, &from->notes.list[at], from->places[at], err));
  }
  ank_notes notes = mine->notes;
  ank_shift_place *places = mine->places;
  mine->notes = joined.notes;
  mine->places = joined.places;
  mine->place_capacity = joined.place_capacity;
  joined.notes = notes;
  joined.places = places;
done:
  ank_notes_free(&joined.notes);
  ank_free(joined.places);
  ank_free(own);
  return status;
}

/* `theirs` has seen rows and `mine` has not: the rooms are changed over. */
static void take_sample(ank_shift_check *mine, ank_shift_check *theirs) {
  ank_shift_check other = *theirs;
  theirs->sample = NULL;
  theirs->sample_row = NULL;
  theirs->time_name = NULL;
  theirs->time_column = NULL;
  theirs->times = theirs->sampled = 0;
  mine->sample = other.sample;
  mine->sample_row = other.sample_row;
  mine->sampled = other.sampled;
  mine->room = other.room;
  mine->width = other.width;
  mine->stride = other.stride;
  mine->time_name = other.time_name;
  mine->time_column = other.time_column;
  mine->times = other.times;
}

static anorank_status join(ank_shift_check *mine, ank_shift_check *theirs, anorank_error *err) {
  if (mine->sample && theirs->sample && !same_times(mine, theirs))
    return ank_fail(err, ANORANK_ERROR_DATA, "stream-merge",
                    "streams of tables with different columns of time cannot be merged");
  ANK_CHECK(merge_notes(mine, theirs, err));
  if (mine->sample && theirs->sample)
    ANK_CHECK(merge_samples(mine, theirs, err));
  else if (theirs->sample)
    take_sample(mine, theirs);
  mine->low += theirs->low;
  mine->all += theirs->all;
  mine->scores |= theirs->scores;
  mine->meetings += theirs->meetings;
  mine->compared += theirs->compared;
  for (size_t b = 0; b < mine->kept; b++) {
    mine->met_count += theirs->met[b] && !mine->met[b];
    mine->met[b] |= theirs->met[b];
  }
  return ANORANK_OK;
}

anorank_status ank_shift_merge(ank_shift_check *check, const ank_shift_check *other, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_shift_check *theirs = NULL; /* a copy, to be thinned */
  ank_bytes bytes = {0};
  ank_shift_reopen(check);
  ANK_TRY(ank_shift_new(&theirs, check->model, err));
  ANK_TRY(ank_shift_save(&bytes, other, err));
  ank_cursor in = {bytes.data, bytes.length, 0};
  ANK_TRY(ank_shift_load(&in, theirs, err));
  ANK_TRY(join(check, theirs, err));
done:
  ank_shift_free(theirs);
  ank_bytes_free(&bytes);
  return status;
}
