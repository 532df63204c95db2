/* entity_names.h - names of entities, each with a number from 0 on, in the order in which they were last seen, so that the
 * least recently seen one can be evicted. About 30 bytes and its text per name. */
#ifndef ANK_CONTEXT_ENTITY_NAMES_H
#define ANK_CONTEXT_ENTITY_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "core/status.h"

#define ANK_NO_ENTITY UINT32_MAX

typedef struct ank_entity_names {
  size_t count, capacity; /* numbers in use: all below count */
  size_t *at;             /* where the text of each begins */
  uint32_t *hash;
  uint32_t *older, *newer; /* neighbours in the order of use */
  uint32_t oldest, newest; /* undefined if count is 0 */
  char *text;              /* one after the other, each with its NUL */
  size_t text_used, text_capacity, text_dead;
  uint32_t *slot; /* 1 + number, 0: empty; open addressing */
  size_t slots;
} ank_entity_names;

void ank_entity_names_free(ank_entity_names *names); /* its content, not the struct */

static inline const char *ank_entity_name(const ank_entity_names *names, size_t number) {
  return names->text + names->at[number];
}

/* Return the number of a name; ANK_NO_ENTITY if it is unknown. */
uint32_t ank_entity_find(const ank_entity_names *names, const char *name);

/* Reserve space for `need` names in all, and for so many more bytes of text, each NUL included. */
anorank_status ank_entity_reserve(ank_entity_names *names, size_t need, size_t text, anorank_error *err);

/* A name that is unknown so far becomes the newest; returns its number. There must be room. `most` >= 1 names are kept: if
 * full, the oldest is evicted, *evicted is set, and the new name takes its number. */
uint32_t ank_entity_add(int *evicted, ank_entity_names *names, const char *name, size_t most);

/* Mark a name as the newest. */
void ank_entity_touch(ank_entity_names *names, uint32_t number);

#endif
