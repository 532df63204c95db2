/* arrow_cells.c - arrays of the Arrow C data interface to cells of a table.
 *
 * The interface does not pass the sizes of buffers. So an array can only be checked against its own
 * description: the number of buffers, lengths, ascending offsets, indices within the dictionary, and views
 * within their stated sizes. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/alloc.h"
#include "core/number.h"
#include "table/arrow_type.h"

#define DAY 86400.0
#define PIECE 1024               /* cells converted at a time */
#define LARGEST (INT64_MAX / 64) /* more cells have no address */

/* Return the bitmap, NULL if no value is null. */
static const uint8_t *bitmap(const struct ArrowArray *array) {
  return array->n_buffers > 0 && array->null_count != 0 ? array->buffers[0] : NULL;
}

/* Return whether all values are null. Buffers other than the bitmap may then be NULL. */
static int all_null(const struct ArrowArray *array) {
  return array->n_buffers > 0 && array->buffers[0] && array->null_count == array->length;
}

static int is_null(const struct ArrowArray *array, int64_t place) {
  return all_null(array) || !ank_bit(bitmap(array), (size_t)place);
}

static anorank_status broken(const char *name, const char *what, anorank_error *err) {
  char quoted[ANK_QUOTE_SIZE];
  anorank_status status =
      ank_fail(err, ANORANK_ERROR_DATA, "arrow-malformed", "column '%s': the Arrow array is malformed: %s",
               ank_quote(quoted, name, strlen(name)), what);
  ank_error_set_location(err, NULL, 0, name);
  return status;
}

static int64_t buffers_of(ank_arrow_layout layout) {
  return layout == ANK_ARROW_NULLS ? 0 : layout == ANK_ARROW_TEXT || layout == ANK_ARROW_LARGE ? 3 : 2;
}

anorank_status ank_arrow_check(const ank_arrow_type *type, const struct ArrowArray *array, int64_t rows,
                               const char *name, anorank_error *err) {
  if (!array || !array->release) return broken(name, "it is missing, or was released", err);
  if (array->length < 0 || array->offset < 0 || array->length > LARGEST || array->offset > LARGEST)
    return broken(name, "its length or offset is negative or too large", err);
  if (array->length < rows) return broken(name, "it is shorter than its table", err);
  int64_t buffers = buffers_of(type->layout);
  if (type->layout == ANK_ARROW_VIEW ? array->n_buffers < 3 : array->n_buffers != buffers)
    return broken(name, "its number of buffers is not that of its type", err);
  if (array->n_buffers > 0 && !array->buffers) return broken(name, "it has no buffers", err);
  if (array->length == 0 || type->layout == ANK_ARROW_NULLS) return ANORANK_OK;
  if (all_null(array)) return ANORANK_OK;
  if (!array->buffers[1]) return broken(name, "a buffer is NULL", err);
  if (type->layout == ANK_ARROW_VIEW && array->n_buffers > 3 && !array->buffers[array->n_buffers - 1])
    return broken(name, "the sizes of its buffers are NULL", err);
  return ANORANK_OK;
}

/* ---- numbers and times ------------------------------------------------------------------------------- */

static ank_wide half_of(ank_wide value) {
  return (ank_wide){value.high >> 1, value.high << 63 | value.low >> 1};
}

/* Return whether a double holds the integer exactly. */
static int is_exact(ank_wide value) {
  const ank_wide most = {0, (uint64_t)1 << 53};
  while (ank_wide_compare(value, most) > 0 && value.low % 2 == 0) value = half_of(value);
  return ank_wide_compare(value, most) <= 0;
}

/* The error of a number. */
typedef enum decimal_fault { DECIMAL_FINE, DECIMAL_INEXACT, DECIMAL_TOO_LARGE } decimal_fault;

/* Compute the nearest double to an integer with `scale` digits after the point. Whole numbers must be exact,
 * as in columns of integers. */
static decimal_fault decimal(double *result, const unsigned char *at, const ank_arrow_type *type) {
  ank_wide value = {0};
  char digits[64], *p = digits + sizeof digits;
  int negative = at[type->width - 1] >> 7;
  for (size_t i = 16; i-- > 0;) {
    unsigned byte = i < type->width ? at[i] : negative ? 0xFF : 0;
    value = (ank_wide){value.high << 8 | value.low >> 56, value.low << 8 | byte};
  }
  if (negative) value = ank_wide_subtract((ank_wide){0}, value);
  if (ank_wide_compare(value, (ank_wide){0, (uint64_t)1 << 53}) <= 0 && type->scale >= 0 &&
      type->scale <= 22) { /* one exact division */
    double quotient = (double)value.low / ank_exact_tens[type->scale];
    *result = negative ? -quotient : quotient;
    return DECIMAL_FINE;
  }
  if (type->scale == 0 && !is_exact(value)) return DECIMAL_INEXACT;
  p -= 8;
  int tail = snprintf(p, 8, "e%d", -type->scale);
  char *end = p + tail;
  do {
    uint64_t digit;
    value = ank_wide_divide(&digit, value, 10);
    *--p = (char)('0' + (int)digit);
  } while (value.high || value.low);
  if (negative) *--p = '-';
  return ank_number_parse(result, p, (size_t)(end - p)) == ANK_NUMBER ? DECIMAL_FINE : DECIMAL_TOO_LARGE;
}

static anorank_status too_large(const char *name, anorank_error *err) {
  char quoted[ANK_QUOTE_SIZE];
  (void)ank_fail(err, ANORANK_ERROR_DATA, "cell-number-range",
                 "column '%s' holds a number too large; the largest is about 1.8e308",
                 ank_quote(quoted, name, strlen(name)));
  ank_error_set_location(err, NULL, 0, name);
  return ANORANK_ERROR_DATA;
}

/* Read `count` values from position `from` on, counted without the array's offset. */
static anorank_status numbers(double *out, const ank_arrow_type *type, const struct ArrowArray *array,
                              int64_t from, size_t count, const char *name, anorank_error *err) {
  size_t first = (size_t)(array->offset + from), done = count;
  const uint8_t *valid = bitmap(array);
  if (count == 0) return ANORANK_OK; /* the buffer may be NULL */
  if (type->layout == ANK_ARROW_NULLS || all_null(array)) {
    for (size_t i = 0; i < count; i++) out[i] = NAN;
    return ANORANK_OK;
  }
  const unsigned char *data = array->buffers[1];
  if (type->layout == ANK_ARROW_NUMBERS) {
    size_t size = ank_type_size(type->type);
    ank_cells cells = {type->type, data + first * size, (ptrdiff_t)size, valid, first};
    if (type->timed)
      ank_cells_seconds(out, &cells, count, type->resolution);
    else
      done = ank_cells_numbers(out, &cells, count);
    for (size_t i = 0; type->days && i < count; i++) out[i] = floor(out[i] / DAY) * DAY;
  } else {
    for (size_t i = 0; i < count && done == count; i++) {
      size_t at = first + i;
      decimal_fault fault = DECIMAL_FINE;
      out[i] = NAN;
      if (!ank_bit(valid, at)) continue;
      if (type->layout == ANK_ARROW_BITS)
        out[i] = ank_bit(data, at);
      else
        fault = decimal(&out[i], data + at * type->width, type);
      if (fault == DECIMAL_TOO_LARGE) return too_large(name, err);
      if (fault == DECIMAL_INEXACT) done = i;
    }
  }
  if (done == count) return ANORANK_OK;
  char quoted[ANK_QUOTE_SIZE];
  (void)ank_fail(
      err, ANORANK_ERROR_DATA, "arrow-integer-size",
      "column '%s': integers above 2^53 lose digits as numbers; cast the column to text or drop it",
      ank_quote(quoted, name, strlen(name)));
  ank_error_set_location(err, NULL, 0, name);
  return ANORANK_ERROR_DATA;
}

/* ---- texts ------------------------------------------------------------------------------------------- */

typedef struct text {
  const char *start;
  size_t length;
} text;

static const char *view_at(text *out, const struct ArrowArray *array, size_t place) {
  const char *view = (const char *)array->buffers[1] + 16 * place;
  int32_t length, which, from;
  int64_t size;
  memcpy(&length, view, 4);
  if (length < 0) return "a text has a negative length";
  *out = (text){view + 4, (size_t)length};
  if (length <= 12) return NULL;
  memcpy(&which, view + 8, 4);
  memcpy(&from, view + 12, 4);
  if (which < 0 || which >= array->n_buffers - 3 || !array->buffers[2 + which])
    return "a text lies in no buffer";
  memcpy(&size, (const char *)array->buffers[array->n_buffers - 1] + 8 * (size_t)which, 8);
  if (from < 0 || (int64_t)from + length > size) return "a text lies outside its buffer";
  out->start = (const char *)array->buffers[2 + which] + from;
  return NULL;
}

/* Get the text at a position that includes the offset. Returns the error, or NULL. */
static const char *text_at(text *out, const ank_arrow_type *type, const struct ArrowArray *array,
                           size_t place) {
  int64_t from, to;
  if (type->layout == ANK_ARROW_VIEW) return view_at(out, array, place);
  if (type->layout == ANK_ARROW_LARGE) {
    memcpy(&from, (const char *)array->buffers[1] + 8 * place, 8);
    memcpy(&to, (const char *)array->buffers[1] + 8 * place + 8, 8);
  } else {
    int32_t ends[2];
    memcpy(ends, (const char *)array->buffers[1] + 4 * place, 8);
    from = ends[0], to = ends[1];
  }
  if (from < 0 || to < from) return "the offsets of its texts do not rise";
  if (!array->buffers[2] && to > from) return "the buffer of its texts is NULL";
  *out = (text){array->buffers[2] ? (const char *)array->buffers[2] + from : "", (size_t)(to - from)};
  return NULL;
}

/* Get the code of the text at a position without the offset, -1 if it is null. */
static anorank_status code_at(int32_t *out, ank_levels *levels, const ank_arrow_type *type,
                              const struct ArrowArray *array, int64_t place, const char *name,
                              anorank_error *err) {
  anorank_error inner = {0};
  char quoted[ANK_QUOTE_SIZE];
  text found = {"", 0};
  *out = -1;
  if (is_null(array, array->offset + place)) return ANORANK_OK;
  const char *wrong = text_at(&found, type, array, (size_t)(array->offset + place));
  if (wrong) return broken(name, wrong, err);
  anorank_status status = ank_levels_code(out, levels, found.start, found.length, &inner);
  if (status == ANORANK_OK) return status;
  (void)ank_fail_around(err, &inner, "column '%s': %s", ank_quote(quoted, name, strlen(name)), inner.message);
  ank_error_set_location(err, NULL, 0, name);
  return status;
}

static anorank_status texts(ank_column *into, size_t at, const ank_arrow_type *type,
                            const struct ArrowArray *array, int64_t first, int64_t count, const char *name,
                            anorank_error *err) {
  for (int64_t i = 0; i < count; i++)
    ANK_CHECK(code_at(&into->codes[at + (size_t)i], &into->levels, type, array, first + i, name, err));
  return ANORANK_OK;
}

/* ---- dictionaries ------------------------------------------------------------------------------------ */

enum { NOT_YET = -2 }; /* a level without rows so far */

/* The values of a dictionary: codes, assigned at their first use, or numbers. */
typedef struct meaning {
  int32_t *codes;
  double *numbers;
} meaning;

static anorank_status mean(meaning *out, const ank_arrow_column *column, const struct ArrowArray *dictionary,
                           anorank_error *err) {
  size_t count = (size_t)dictionary->length;
  if (column->values.kind != ANORANK_CATEGORICAL) {
    ANK_CHECK(ank_alloc_raw(&out->numbers, count, sizeof *out->numbers, err));
    ANK_CHECK(numbers(out->numbers, &column->values, dictionary, 0, count, column->name, err));
  } else {
    ANK_CHECK(ank_alloc_raw(&out->codes, count, sizeof *out->codes, err));
    for (size_t k = 0; k < count; k++) out->codes[k] = NOT_YET;
  }
  return ANORANK_OK;
}

static anorank_status look_up(ank_column *into, size_t at, const ank_arrow_column *column,
                              const struct ArrowArray *array, int64_t first, int64_t count,
                              anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const struct ArrowArray *dictionary = array->dictionary;
  meaning held = {0};
  double index[PIECE];
  ANK_TRY(ank_arrow_check(&column->values, dictionary, 0, column->name, err));
  ANK_TRY(mean(&held, column, dictionary, err));
  for (int64_t i = 0; i < count; i += PIECE) {
    size_t now = count - i < PIECE ? (size_t)(count - i) : PIECE;
    ANK_TRY(numbers(index, &column->indices, array, first + i, now, column->name, err));
    for (size_t k = 0; k < now; k++) {
      size_t row = at + (size_t)i + k;
      int missing = isnan(index[k]) != 0;
      if (!missing && !(index[k] >= 0 && index[k] < (double)dictionary->length))
        ANK_TRY(broken(column->name, "an index lies outside the dictionary", err));
      if (held.numbers) {
        into->numbers[row] = missing ? (double)NAN : held.numbers[(size_t)index[k]];
        continue;
      }
      into->codes[row] = -1;
      if (missing) continue;
      int32_t *code = &held.codes[(size_t)index[k]];
      if (*code == NOT_YET)
        ANK_TRY(
            code_at(code, &into->levels, &column->values, dictionary, (int64_t)index[k], column->name, err));
      into->codes[row] = *code;
    }
  }
done:
  ank_free(held.codes);
  ank_free(held.numbers);
  return status;
}

anorank_status ank_arrow_cells(ank_column *into, size_t at, const ank_arrow_column *column,
                               const struct ArrowArray *array, int64_t first, int64_t count,
                               anorank_error *err) {
  if (column->has_dictionary) return look_up(into, at, column, array, first, count, err);
  if (column->values.kind == ANORANK_CATEGORICAL)
    return texts(into, at, &column->values, array, first, count, column->name, err);
  return numbers(into->numbers + at, &column->values, array, first, (size_t)count, column->name, err);
}
