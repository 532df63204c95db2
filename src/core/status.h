/* status.h - writing error messages and passing statuses on.
 *
 * A function that can fail has this shape:
 *
 *   anorank_status ank_thing_make(ank_thing **out, ..., anorank_error *err) {
 *     anorank_status status = ANORANK_OK;
 *     ank_thing *thing = NULL;
 *     *out = NULL;
 *     ANK_TRY(ank_alloc(&thing, 1, sizeof *thing, err));
 *     if (bad) ANK_FAIL(ANORANK_ERROR_DATA, "%s:%zu: ...; do this", path, line);
 *     *out = thing;
 *     thing = NULL;
 *   done:
 *     ank_thing_free(thing);
 *     return status;
 *   }
 */
#ifndef ANK_CORE_STATUS_H
#define ANK_CORE_STATUS_H

#include "anorank/anorank.h"
#include "core/settings.h"

/* Write the message (cut at a character boundary when it is too long) and return `status`. */
anorank_status ank_fail(anorank_error *err, anorank_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Both need `status`, `err` and the label `done` in scope. */
#define ANK_TRY(call)                                                                                        \
  do {                                                                                                       \
    status = (call);                                                                                         \
    if (status != ANORANK_OK) goto done;                                                                     \
  } while (0)

#define ANK_FAIL(code, ...)                                                                                  \
  do {                                                                                                       \
    status = ank_fail(err, (code), __VA_ARGS__);                                                             \
    goto done;                                                                                               \
  } while (0)

/* Leave a public function, before it holds anything, where a pointer it needs is NULL. */
#define ANK_NEED(argument)                                                                                   \
  do {                                                                                                       \
    if (!(argument))                                                                                         \
      return ank_fail(err, ANORANK_ERROR_USAGE, "%s: '%s' must not be NULL", __func__, #argument);           \
  } while (0)

/* The ending of a plural: "%zu row%s", n, ANK_S(n). */
#define ANK_S(n) ((n) == 1 ? "" : "s")

/* Length of the UTF-8 character at `text`, of which `left` > 0 bytes are there; 0 where the bytes are not
 * one.
 */
size_t ank_utf8_length(const char *text, size_t left);

/* Quote text that came from outside for a message: at most `shown` bytes, control characters and broken UTF-8
 * written as \xNN, "..." where it was cut. Returns `buffer`. */
#define ANK_QUOTE_SIZE 128
const char *ank_quote(char buffer[ANK_QUOTE_SIZE], const char *text, size_t length);

/* Tell the caller how far the work is; ANORANK_CANCELLED if it wants to stop. `settings` may be NULL. */
anorank_status ank_progress(const anorank_settings *settings, double share_done, const char *what,
                            anorank_error *err);

#endif
