/* bytes.c - see bytes.h. Numbers are stored little-endian, byte by byte, so a file has the same meaning on
 * every machine. */
#include "core/bytes.h"

#include <string.h>

#include "core/alloc.h"

/* ---- writing ----------------------------------------------------------------------------------------- */

enum { LONG = 1 << 20 };

anorank_status ank_bytes_flush(ank_bytes *bytes, anorank_error *err) {
  size_t length = bytes->length;
  bytes->length = 0;
  return length > 0 ? bytes->drain->take(bytes->drain, bytes->data, length, err) : ANORANK_OK;
}

static anorank_status added(ank_bytes *bytes, size_t length, anorank_error *err) {
  bytes->length += length;
  return bytes->drain && bytes->length >= LONG ? ank_bytes_flush(bytes, err) : ANORANK_OK;
}

anorank_status ank_bytes_put(ank_bytes *bytes, const void *data, size_t length, anorank_error *err) {
  size_t need;
  if (__builtin_add_overflow(bytes->length, length, &need)) need = SIZE_MAX;
  ANK_CHECK(ank_reserve(&bytes->data, &bytes->capacity, need, 1, err));
  if (length > 0) memcpy(bytes->data + bytes->length, data, length);
  return added(bytes, length, err);
}

anorank_status ank_bytes_put_u64(ank_bytes *bytes, uint64_t value, anorank_error *err) {
  unsigned char raw[8];
  for (size_t i = 0; i < 8; i++) raw[i] = (unsigned char)(value >> (8 * i));
  return ank_bytes_put(bytes, raw, 8, err);
}

anorank_status ank_bytes_put_f64(ank_bytes *bytes, double value, anorank_error *err) {
  uint64_t bits;
  memcpy(&bits, &value, 8);
  return ank_bytes_put_u64(bytes, bits, err);
}

/* Convert `count` numbers of `width` bytes each from the machine's byte order to little-endian, or back. */
static void copy_numbers(unsigned char *to, const void *from, size_t count, size_t width) {
  if (count > 0) memcpy(to, from, count * width);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < width; k++)
      to[i * width + k] = ((const unsigned char *)from)[(i + 1) * width - 1 - k];
#endif
}

/* Append a count, and `count` elements of `width` bytes each. */
static anorank_status put_array(ank_bytes *bytes, const void *values, size_t count, size_t width,
                                anorank_error *err) {
  size_t total;
  ANK_CHECK(ank_bytes_put_u64(bytes, count, err));
  if (__builtin_mul_overflow(count, width, &total) || __builtin_add_overflow(total, bytes->length, &total))
    total = SIZE_MAX;
  ANK_CHECK(ank_reserve(&bytes->data, &bytes->capacity, total, 1, err));
  copy_numbers(bytes->data + bytes->length, values, count, width);
  return added(bytes, count * width, err);
}

anorank_status ank_bytes_put_f64s(ank_bytes *bytes, const double *values, size_t count, anorank_error *err) {
  return put_array(bytes, values, count, 8, err);
}

anorank_status ank_bytes_put_f32s(ank_bytes *bytes, const float *values, size_t count, anorank_error *err) {
  return put_array(bytes, values, count, 4, err);
}

anorank_status ank_bytes_put_u32s(ank_bytes *bytes, const uint32_t *values, size_t count,
                                  anorank_error *err) {
  return put_array(bytes, values, count, 4, err);
}

anorank_status ank_bytes_put_text(ank_bytes *bytes, const char *text, anorank_error *err) {
  size_t length = strlen(text);
  ANK_CHECK(ank_bytes_put_u64(bytes, length, err));
  return ank_bytes_put(bytes, text, length, err);
}

void ank_bytes_free(ank_bytes *bytes) {
  ank_free(bytes->data);
  *bytes = (ank_bytes){0};
}

void anorank_bytes_free(unsigned char *bytes) { ank_free(bytes); }

/* ---- reading ----------------------------------------------------------------------------------------- */

static anorank_status cut_short(const ank_cursor *cursor, size_t need, anorank_error *err) {
  return ank_fail(err, ANORANK_ERROR_MODEL, "model-cut-short",
                  "the model is truncated or damaged: at byte %zu, %zu more are needed and %zu are left",
                  cursor->at, need, cursor->length - cursor->at);
}

anorank_status ank_cursor_u64(ank_cursor *cursor, uint64_t *value, anorank_error *err) {
  *value = 0;
  if (cursor->length - cursor->at < 8) return cut_short(cursor, 8, err);
  for (size_t i = 0; i < 8; i++) *value |= (uint64_t)cursor->data[cursor->at + i] << (8 * i);
  cursor->at += 8;
  return ANORANK_OK;
}

anorank_status ank_cursor_size(ank_cursor *cursor, size_t *value, size_t low, size_t high, const char *what,
                               anorank_error *err) {
  uint64_t wide;
  *value = low;
  ANK_CHECK(ank_cursor_u64(cursor, &wide, err));
  if (wide < low || wide > high)
    return ank_fail(err, ANORANK_ERROR_MODEL, "model-field",
                    "the model is damaged: %s is %llu, not %zu to %zu", what, (unsigned long long)wide, low,
                    high);
  *value = (size_t)wide;
  return ANORANK_OK;
}

anorank_status ank_cursor_f64(ank_cursor *cursor, double *value, anorank_error *err) {
  uint64_t bits;
  anorank_status status = ank_cursor_u64(cursor, &bits, err);
  memcpy(value, &bits, 8);
  return status;
}

/* Check the count against the bytes left, before anything is allocated. */
static anorank_status take_array(ank_cursor *cursor, void *out, size_t *count, size_t width,
                                 anorank_error *err) {
  uint64_t wide;
  unsigned char *values = NULL;
  memcpy(out, &values, sizeof values);
  *count = 0;
  ANK_CHECK(ank_cursor_u64(cursor, &wide, err));
  if (wide > (cursor->length - cursor->at) / width)
    return cut_short(cursor, wide > SIZE_MAX / width ? SIZE_MAX : (size_t)wide * width, err);
  ANK_CHECK(ank_alloc_raw(&values, (size_t)wide, width, err));
  copy_numbers(values, cursor->data + cursor->at, (size_t)wide, width);
  cursor->at += (size_t)wide * width;
  *count = (size_t)wide;
  memcpy(out, &values, sizeof values);
  return ANORANK_OK;
}

anorank_status ank_cursor_f64s(ank_cursor *cursor, double **values, size_t *count, anorank_error *err) {
  return take_array(cursor, values, count, 8, err);
}

anorank_status ank_cursor_f32s(ank_cursor *cursor, float **values, size_t *count, anorank_error *err) {
  return take_array(cursor, values, count, 4, err);
}

anorank_status ank_cursor_u32s(ank_cursor *cursor, uint32_t **values, size_t *count, anorank_error *err) {
  return take_array(cursor, values, count, 4, err);
}

anorank_status ank_cursor_text(ank_cursor *cursor, char **text, anorank_error *err) {
  uint64_t length;
  *text = NULL;
  ANK_CHECK(ank_cursor_u64(cursor, &length, err));
  if (length > cursor->length - cursor->at) return cut_short(cursor, (size_t)length, err);
  if (memchr(cursor->data + cursor->at, '\0', (size_t)length))
    return ank_fail(err, ANORANK_ERROR_MODEL, "model-text",
                    "the model is damaged: a text contains a NUL byte");
  ANK_CHECK(ank_copy_text(text, (const char *)cursor->data + cursor->at, (size_t)length, err));
  cursor->at += (size_t)length;
  return ANORANK_OK;
}

anorank_status ank_cursor_last_flag(ank_cursor *cursor, int *value, const char *what, anorank_error *err) {
  size_t flag = 0;
  anorank_status status = ANORANK_OK;
  if (cursor->at < cursor->length) status = ank_cursor_size(cursor, &flag, 0, 1, what, err);
  *value = (int)flag;
  return status;
}

anorank_status ank_bytes_put_last_flag(ank_bytes *bytes, int value, anorank_error *err) {
  return value ? ank_bytes_put_u64(bytes, 1, err) : ANORANK_OK;
}

anorank_status ank_cursor_end(const ank_cursor *cursor, anorank_error *err) {
  if (cursor->at == cursor->length) return ANORANK_OK;
  return ank_fail(err, ANORANK_ERROR_MODEL, "model-extra-bytes",
                  "the model is damaged: it has %zu bytes too many", cursor->length - cursor->at);
}
