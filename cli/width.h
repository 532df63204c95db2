/* width.h - the width of text on a terminal, independent of the locale. */
#ifndef CLI_WIDTH_H
#define CLI_WIDTH_H

#include <stddef.h>
#include <stdio.h>

/* Return the columns of UTF-8 text: two for wide characters (CJK, most emoji), none for combining characters.
 * A byte of invalid UTF-8 counts as one. */
size_t cli_text_width(const char *text);
size_t cli_width_of(const char *text, size_t length);

/* Return the longest prefix of the text, in bytes, that fits into these columns. Combining characters stay
 * with their base. */
size_t cli_width_cut(const char *text, size_t columns);

/* Print text in exactly these columns, left- or right-aligned; longer text is truncated with "…". Control
 * characters and invalid UTF-8 become '?'. */
void cli_put_cell(FILE *stream, const char *text, size_t columns, int right);

#endif
