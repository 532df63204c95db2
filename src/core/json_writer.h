/* json_writer.h - a small JSON writer with commas, indentation and escapes.
 *
 * Bytes go to a callback. `status` holds the first failure; after it, nothing is written. So callers check it
 * once, at the end. Independent of the library, so the command line uses it, too. */
#ifndef ANK_CORE_JSON_WRITER_H
#define ANK_CORE_JSON_WRITER_H

#include "anorank/anorank.h"

enum { ANK_JSON_DEPTH = 16 };

typedef anorank_status (*ank_json_put)(void *context, const void *bytes, size_t length, anorank_error *err);

typedef struct ank_json {
  ank_json_put put;
  void *context;
  anorank_error *err;
  anorank_status status;
  int depth;
  int filled[ANK_JSON_DEPTH];  /* this object or array is not empty */
  int compact[ANK_JSON_DEPTH]; /* on one line */
  int after_key;
  int tight;   /* without spaces: for JSON lines */
  int in_html; /* escape '<', '>' and '&' too, so that no text ends the HTML element around it */
} ank_json;

void ank_json_start(ank_json *json, ank_json_put put, void *context, anorank_error *err);

/* Open an object or array. A compact one is written on one line, with everything in it. */
void ank_json_open(ank_json *json, char bracket, int compact);
void ank_json_close(ank_json *json, char bracket);

void ank_json_key(ank_json *json, const char *key);

/* Write the shortest digits that read back to the same double. NaN and infinities become null. */
void ank_json_number(ank_json *json, double value);
void ank_json_integer(ank_json *json, int64_t value);
void ank_json_unsigned(ank_json *json, uint64_t value);
void ank_json_boolean(ank_json *json, int value);

/* Write a UTF-8 text; invalid bytes become U+FFFD. Control characters, U+2028 and U+2029 are escaped. NULL is
 * null. */
void ank_json_string(ank_json *json, const char *value);

/* Write the first `length` bytes, which may be arbitrary. */
void ank_json_text(ank_json *json, const char *value, size_t length);

/* Write a newline after the outermost value. */
void ank_json_end(ank_json *json);

/* ---- a key and its value ---- */

void ank_json_field(ank_json *json, const char *key, double value);
void ank_json_count(ank_json *json, const char *key, size_t value);
void ank_json_flag(ank_json *json, const char *key, int value);
void ank_json_words(ank_json *json, const char *key, const char *value);

/* Write a key and open its object or array, or write an array of numbers on one line. Key NULL: an element of
 * an array. */
void ank_json_open_key(ank_json *json, const char *key, char bracket, int compact);
void ank_json_numbers(ank_json *json, const char *key, const double *values, size_t count);
void ank_json_counts(ank_json *json, const char *key, const size_t *values, size_t count);

#endif
