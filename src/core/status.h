/* status.h - write error messages and propagate statuses.
 *
 * A function that can fail has this shape:
 *
 *   anorank_status ank_thing_make(ank_thing **out, ..., anorank_error *err) {
 *     anorank_status status = ANORANK_OK;
 *     ank_thing *thing = NULL;
 *     *out = NULL;
 *     ANK_TRY(ank_alloc(&thing, 1, sizeof *thing, err));
 *     if (bad) ANK_FAIL(ANORANK_ERROR_DATA, "thing-bad", "%s:%zu: ...; do this", path, line);
 *     *out = thing;
 *     thing = NULL;
 *   done:
 *     ank_thing_free(thing);
 *     return status;
 *   }
 *
 * If there is nothing to free, ANK_CHECK replaces `status`, ANK_TRY and `done`. */
#ifndef ANK_CORE_STATUS_H
#define ANK_CORE_STATUS_H

#include "anorank/anorank.h"

#include "core/settings.h"
#include "core/utf8.h"

/* Write the message, reset all other fields, and return `status`. A long message is truncated at a character;
 * control characters become '?'. The sentence states what is wrong and where, and names no command-line
 * option; see ank_remedy. `code` is a literal: lower-case words joined by hyphens, the subject first. The
 * same error has the same code everywhere; docs/errors.md lists all codes. */
anorank_status ank_fail(anorank_error *err, anorank_status status, const char *code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Write a message around that of `inner`, and keep all its other fields, status and code included. */
anorank_status ank_fail_around(anorank_error *err, const anorank_error *inner, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Fields to set after ank_fail; `err` may be NULL everywhere. */

/* Set the location: `file` and `column` may be NULL, `line` 0. */
void ank_error_set_location(anorank_error *err, const char *file, size_t line, const char *column);

/* Set the location to row `row` of a table, counted from 0. */
void ank_place_row(anorank_error *err, const char *file, size_t row, const char *column);

/* Set the setting that is wrong, or that may help if no value can be named. */
void ank_error_set_setting(anorank_error *err, const char *setting);

/* Add a remedy: a setting and a value that are certain to lead past this error. An error has at most
 * ANORANK_REMEDIES alternatives. A front end words it as "pass --missing=n.a." or "missing='n.a.'". Omitted
 * if the value does not fit or contains a NUL. */
void ank_remedy(anorank_error *err, const char *setting, const char *value);

/* Add a remedy that appends `item` to a list (core/list.h) whose present value is `list`, perhaps "". Omitted
 * if `item` cannot be part of a list: it is empty, or has a blank at an end. */
void ank_remedy_add(anorank_error *err, const char *setting, const char *list, const char *item,
                    size_t length);

/* Add a remedy that removes an item from a list. */
void ank_remedy_remove(anorank_error *err, const char *setting, const char *list, const char *name,
                       size_t length);

/* Add a remedy that replaces an item, which `item` points to, by `name`. Omitted if `name` is NULL. */
void ank_remedy_replace(anorank_error *err, const char *setting, const char *list, const char *item,
                        size_t length, const char *name);

/* Add the default of `max-memory` as a remedy, if `limit` is lower. */
void ank_remedy_default_memory(anorank_error *err, size_t limit);

/* Write a number of bytes for people: "512 bytes", "8.1 kB", "1.2 GB". Returns `text`. */
#define ANK_BYTES_TEXT 24
const char *ank_bytes_text(char text[ANK_BYTES_TEXT], double bytes);

/* Return a failure of `call`, from a function that has nothing to free. */
#define ANK_CHECK(call)                                                                                      \
  do {                                                                                                       \
    anorank_status ank_checked = (call);                                                                     \
    if (ank_checked != ANORANK_OK) return ank_checked;                                                       \
  } while (0)

/* Go to the label `done` after a failure of `call`. This and ANK_FAIL need `status`, `err` and that label in
 * scope. */
#define ANK_TRY(call)                                                                                        \
  do {                                                                                                       \
    status = (call);                                                                                         \
    if (status != ANORANK_OK) goto done;                                                                     \
  } while (0)

#define ANK_FAIL(kind, ...)                                                                                  \
  do {                                                                                                       \
    status = ank_fail(err, (kind), __VA_ARGS__);                                                             \
    goto done;                                                                                               \
  } while (0)

/* Give an object to the caller, and set the pointer that `done` frees to NULL. */
#define ANK_HAND_OVER(out, object) (*(out) = (object), (object) = NULL)

/* Return an error if a pointer that a public function needs is NULL. Use it before the function owns
 * anything. */
#define ANK_NEED(argument)                                                                                   \
  do {                                                                                                       \
    if (!(argument))                                                                                         \
      return ank_fail(err, ANORANK_ERROR_USAGE, "argument-null", "%s: '%s' must not be NULL", __func__,      \
                      #argument);                                                                            \
  } while (0)

/* The ending of a plural: "%zu row%s", n, ANK_S(n). */
#define ANK_S(n) ((n) == 1 ? "" : "s")

/* Replace each byte of invalid UTF-8 and of control characters by '?'. */
void ank_make_printable(char *text);

/* Quote untrusted text for a message: at most `shown` bytes, unprintable ones as \xNN, "..." where it is
 * truncated. Returns `buffer`. */
#define ANK_QUOTE_SIZE 128
const char *ank_quote(char buffer[ANK_QUOTE_SIZE], const char *text, size_t length);

/* Report progress to the caller. Returns ANORANK_CANCELLED if the caller cancels. `settings` may be NULL. */
anorank_status ank_progress(const anorank_settings *settings, double share_done, const char *what,
                            anorank_error *err);

#endif
