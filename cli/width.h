/* width.h - how many columns of a terminal text takes. Own tables, so that nothing depends on the locale. */
#ifndef CLI_WIDTH_H
#define CLI_WIDTH_H

#include <stddef.h>
#include <stdio.h>

/* Columns of UTF-8 text: two for wide characters (CJK, most emoji), none for those that combine with the one
 * before. A byte that is no UTF-8 counts as one. */
size_t cli_text_width(const char *text);
size_t cli_width_of(const char *text, size_t length);

/* The longest beginning of the text, in bytes, that takes at most so many columns. Characters that combine
 * stay with theirs. */
size_t cli_width_cut(const char *text, size_t columns);

/* Text in exactly so many columns, to the left (or right), with blanks around; where it is longer it is cut
 * and ends in "…". Control characters and what is no UTF-8 become '?'. */
void cli_put_cell(FILE *stream, const char *text, size_t columns, int right);

#endif
