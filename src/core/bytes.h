/* bytes.h - write and read the content of model sections: little-endian, bounds-checked, for untrusted
 * input. */
#ifndef ANK_CORE_BYTES_H
#define ANK_CORE_BYTES_H

#include "core/status.h"

/* Takes what was written so far. */
typedef struct ank_drain {
  anorank_status (*take)(struct ank_drain *drain, const unsigned char *data, size_t length,
                         anorank_error *err);
} ank_drain;

/* A growing buffer, or one that is emptied into a drain whenever it is long. Start with {0} or {.drain = ...}; free with
 * ank_bytes_free. */
typedef struct ank_bytes {
  unsigned char *data;
  size_t length, capacity;
  ank_drain *drain;
} ank_bytes;

/* Empty the buffer into its drain. */
anorank_status ank_bytes_flush(ank_bytes *bytes, anorank_error *err);

anorank_status ank_bytes_put(ank_bytes *bytes, const void *data, size_t length, anorank_error *err);
anorank_status ank_bytes_put_u64(ank_bytes *bytes, uint64_t value, anorank_error *err);
anorank_status ank_bytes_put_f64(ank_bytes *bytes, double value, anorank_error *err);

/* Append the count, then the elements. */
anorank_status ank_bytes_put_f64s(ank_bytes *bytes, const double *values, size_t count, anorank_error *err);
anorank_status ank_bytes_put_f32s(ank_bytes *bytes, const float *values, size_t count, anorank_error *err);
anorank_status ank_bytes_put_u32s(ank_bytes *bytes, const uint32_t *values, size_t count, anorank_error *err);
anorank_status ank_bytes_put_text(ank_bytes *bytes, const char *text, anorank_error *err);
void ank_bytes_free(ank_bytes *bytes);

/* A position in borrowed data. Reading past the end, or a count that the rest cannot hold, is
 * ANORANK_ERROR_MODEL. */
typedef struct ank_cursor {
  const unsigned char *data;
  size_t length, at;
} ank_cursor;

anorank_status ank_cursor_u64(ank_cursor *cursor, uint64_t *value, anorank_error *err);

/* Read a u64 that must lie in [low, high]; `what` names it in the message. */
anorank_status ank_cursor_size(ank_cursor *cursor, size_t *value, size_t low, size_t high, const char *what,
                               anorank_error *err);
anorank_status ank_cursor_f64(ank_cursor *cursor, double *value, anorank_error *err);

/* Allocate and read an array, which the caller frees with ank_free. NULL in `*values` on failure. */
anorank_status ank_cursor_f64s(ank_cursor *cursor, double **values, size_t *count, anorank_error *err);
anorank_status ank_cursor_f32s(ank_cursor *cursor, float **values, size_t *count, anorank_error *err);
anorank_status ank_cursor_u32s(ank_cursor *cursor, uint32_t **values, size_t *count, anorank_error *err);
anorank_status ank_cursor_text(ank_cursor *cursor, char **text, anorank_error *err);

/* Read an optional flag at the end of a section, which a later version added: 0 if absent. Its counterpart
 * writes the flag only if it is 1, so that other files do not change. */
anorank_status ank_cursor_last_flag(ank_cursor *cursor, int *value, const char *what, anorank_error *err);
anorank_status ank_bytes_put_last_flag(ank_bytes *bytes, int value, anorank_error *err);

/* Check that all bytes are read. */
anorank_status ank_cursor_end(const ank_cursor *cursor, anorank_error *err);

#endif
