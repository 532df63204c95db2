/* list.h - settings that are lists: items separated by commas, without the blanks around them. A backslash before a
 * comma, a backslash or '=' makes that character part of the item: "a\,b,c" has the items "a,b" and "c". */
#ifndef ANK_CORE_LIST_H
#define ANK_CORE_LIST_H

#include <stddef.h>

/* The next item that is not empty, still with its backslashes, and move `list` past it. 0: no more. */
int ank_list_next(const char **list, const char **item, size_t *length);

/* The item without its backslashes; `text` has room for `length` bytes. Returns how many it took. */
size_t ank_list_decode(char *text, const char *item, size_t length);

/* The name as an item of a list; `text` has room for 2 `length` bytes. Returns how many it took. */
size_t ank_list_encode(char *text, const char *name, size_t length);

/* Whether the item, with its backslashes, spells the name. */
int ank_list_item_is(const char *item, size_t length, const char *name, size_t name_length);

int ank_list_has(const char *list, const char *name, size_t name_length);

#endif
