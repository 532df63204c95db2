/* nearest_name.h - spelling suggestions. */
#ifndef ANK_CORE_NEAREST_NAME_H
#define ANK_CORE_NEAREST_NAME_H

#include <stddef.h>

/* Return the word with the fewest edits (insert, delete, change, swap of neighbours; case does not count).
 * NULL if all have more edits than a third of the letters plus one. A word is near, too, if it begins with
 * the three or more letters typed. `word_at` returns NULL past the last word. */
const char *ank_nearest_name(const char *typed, const char *(*word_at)(const void *context, size_t i),
                             const void *context);

#endif
