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
 * Where there is nothing to free, ANK_CHECK takes the place of `status`, ANK_TRY and `done`. */
#ifndef ANK_CORE_STATUS_H
#define ANK_CORE_STATUS_H

#include "anorank/anorank.h"

#include "core/settings.h"
#include "core/utf8.h"

/* Write the message, cut at a character when it is too long and with '?' for what steers a terminal,
 * forget all other fields, and return `status`. The sentence says what, where and what to do, and names no
 * option of the command line; see ank_remedy. `code` is a literal: lower-case words joined by hyphens, the
 * subject first, the same wherever the same thing is wrong; docs/errors.md lists all of them. */
anorank_status ank_fail(anorank_error *err, anorank_status status, const char *code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The same around what a call inside has said: all other fields are those of `inner`, status and code included. */
anorank_status ank_fail_around(anorank_error *err, const anorank_error *inner, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* After ank_fail, fields beside the sentence; `err` may be NULL everywhere. */

/* Where: `file` and `column` may be NULL, `line` 0. */
void ank_error_set_location(anorank_error *err, const char *file, size_t line, const char *column);

/* The same for row `row` of a table, counted from 0. */
void ank_place_row(anorank_error *err, const char *file, size_t row, const char *column);

/* The setting that is wrong, or that another value of may help where no value can be named. */
void ank_error_set_setting(anorank_error *err, const char *setting);

/* A setting and a value that lead past this error, for certain; any number of alternatives up to
 * ANORANK_REMEDIES. A front end makes "pass --missing=n.a." or "missing='n.a.'" of it. Left out where the
 * value does not fit or holds a NUL. */
void ank_remedy(anorank_error *err, const char *setting, const char *value);

/* The same for a list (core/list.h): what it holds now (`list`, perhaps "") and one more. Left out where `item`
 * cannot be part of a list: it is empty or has a blank at an end. */
void ank_remedy_add(anorank_error *err, const char *setting, const char *list, const char *item,
                    size_t length);

/* The same for a list without one of its items. */
void ank_remedy_remove(anorank_error *err, const char *setting, const char *list, const char *name,
                       size_t length);

/* The same with `name` in the place of one of its items, which `item` points to. Left out where `name` is NULL. */
void ank_remedy_replace(anorank_error *err, const char *setting, const char *list, const char *item,
                        size_t length, const char *name);

/* The setting `max-memory` as it is by default, where `limit` bytes were less. */
void ank_remedy_default_memory(anorank_error *err, size_t limit);

/* Bytes as people say them: "512 bytes", "8.1 kB", "1.2 GB". Returns `text`. */
#define ANK_BYTES_TEXT 24
const char *ank_bytes_text(char text[ANK_BYTES_TEXT], double bytes);

/* Pass a failure on, from where there is nothing to free. */
#define ANK_CHECK(call)                                                                                      \
  do {                                                                                                       \
    anorank_status ank_checked = (call);                                                                     \
    if (ank_checked != ANORANK_OK) return ank_checked;                                                       \
  } while (0)

/* The same by way of the label `done`, which frees. Both need `status`, `err` and that label in scope. */
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

/* Give an object to the caller; what `done` frees is then NULL. */
#define ANK_HAND_OVER(out, object) (*(out) = (object), (object) = NULL)

/* Leave a public function, before it holds anything, where a pointer it needs is NULL. */
#define ANK_NEED(argument)                                                                                   \
  do {                                                                                                       \
    if (!(argument))                                                                                         \
      return ank_fail(err, ANORANK_ERROR_USAGE, "argument-null", "%s: '%s' must not be NULL", __func__,      \
                      #argument);                                                                            \
  } while (0)

/* The ending of a plural: "%zu row%s", n, ANK_S(n). */
#define ANK_S(n) ((n) == 1 ? "" : "s")

/* Put '?' for each byte of what is no UTF-8 or steers a terminal. */
void ank_make_printable(char *text);

/* Quote text that came from outside for a message: at most `shown` bytes, what ank_make_printable replaces
 * written as \xNN, "..." where it was cut. Returns `buffer`. */
#define ANK_QUOTE_SIZE 128
const char *ank_quote(char buffer[ANK_QUOTE_SIZE], const char *text, size_t length);

/* Tell the caller how far the work is; ANORANK_CANCELLED if it wants to stop. `settings` may be NULL. */
anorank_status ank_progress(const anorank_settings *settings, double share_done, const char *what,
                            anorank_error *err);

#endif
