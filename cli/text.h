/* text.h - words on a terminal: wrapping, quoting, suggestions. */
#ifndef CLI_TEXT_H
#define CLI_TEXT_H

#include <stddef.h>
#include <stdio.h>

#include "anorank/anorank.h"

#include "width.h"

/* Print like fprintf, independent of the locale; at most 4,000 bytes. */
void cli_print(FILE *stream, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Print untrusted words from column `at`, breaking lines before `width` and indenting the next ones by
 * `indent`. Ends with a newline. */
void cli_wrap(FILE *stream, const char *text, size_t at, size_t indent, size_t width);

/* Print likewise in at most `most` lines, the last one ending in "…" if the text is truncated. Returns the
 * lines; with a `stream` of NULL, only counts them. */
size_t cli_wrap_most(FILE *stream, const char *text, size_t at, size_t indent, size_t width, size_t most);

/* Return whether the word of `length` bytes is in the list of words separated by blanks. */
int cli_is_listed(const char *list, const char *word, size_t length);

/* Write "did you mean 'word'?" if a word is similar, else `otherwise`. Returns `buffer`. */
const char *cli_meant(char *buffer, size_t size, const char *typed, const char *(*word_at)(size_t i),
                      const char *otherwise);

/* Write text as one shell word: unquoted, 'in quotes', or $'in bash\047s quotes' if it has control
 * characters. Returns its length. `size`: at least four bytes per byte of the text, plus 8. */
size_t cli_shell_word(char *buffer, size_t size, const char *text);

/* Copy text for a terminal: control characters and invalid UTF-8 become '?', and it is truncated at `size`. Returns
 * `buffer`. */
const char *cli_printable(char *buffer, size_t size, const char *text);

/* Make text printable in place, keeping newlines. */
void cli_make_printable(char *text);

/* Return whether the text is a number in a human format: 2,5 or 1,234.5 or 12 % or $3. */
int cli_is_written_number(const char *text);

/* Set an error of the program, like those of the library; returns `status`. */
anorank_status cli_fail(anorank_error *err, anorank_status status, const char *code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Allocate, or exit with a message and code 5. Called only before output. */
void *cli_allocate(size_t count, size_t size);

#endif
