/* utf8.h - characters of UTF-8 text. */
#ifndef ANK_CORE_UTF8_H
#define ANK_CORE_UTF8_H

#include <stddef.h>

/* Return the length of the UTF-8 character at `text`, where `left` > 0 bytes remain; 0 if they do not start
 * one. */
size_t ank_utf8_length(const char *text, size_t left);

/* Return whether the text ends in the middle of a character. */
int ank_utf8_is_cut(const char *text, size_t length);

/* Return whether the character of `length` bytes is a control character: C0, DEL, C1, separators of lines and
 * paragraphs, marks and overrides of direction. */
int ank_utf8_steers(const char *text, size_t length);

#endif
