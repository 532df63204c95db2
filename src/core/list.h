/* list.h - settings that are lists: items separated by commas, without the blanks around them. A backslash
 * before a comma, a backslash or '=' makes that character part of the item: "a\,b,c" has the items "a,b" and
 * "c". */
#ifndef ANK_CORE_LIST_H
#define ANK_CORE_LIST_H

#include <stddef.h>

/* Find the next nonempty item, with its backslashes, and move `list` past it. Returns 0 after the last. */
int ank_list_next(const char **list, const char **item, size_t *length);

/* Copy the item without its backslashes; `text` has room for `length` bytes. Returns the number of bytes
 * written. */
size_t ank_list_decode(char *text, const char *item, size_t length);

/* Write a name as an item of a list; `text` has room for 2 `length` bytes. Returns the number of bytes
 * written. */
size_t ank_list_encode(char *text, const char *name, size_t length);

/* Return whether the item, with its backslashes, equals the name. */
int ank_list_item_is(const char *item, size_t length, const char *name, size_t name_length);

int ank_list_has(const char *list, const char *name, size_t name_length);

#endif
