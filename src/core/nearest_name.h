/* nearest_name.h - spelling suggestions. */
#ifndef ANK_CORE_NEAREST_NAME_H
#define ANK_CORE_NEAREST_NAME_H

#include <stddef.h>

/* The word with the fewest edits (insert, delete, change, swap of neighbours; case does not count), NULL where none has
 * at most one more than a third of the letters. Three letters or more that a word begins with are near. `word_at`
 * returns NULL past the last word. */
const char *ank_nearest_name(const char *typed, const char *(*word_at)(const void *context, size_t i),
                             const void *context);

#endif
