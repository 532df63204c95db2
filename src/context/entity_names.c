/* entity_names.c - see entity_names.h. */
#include "context/entity_names.h"

#include <string.h>

#include "core/alloc.h"
#include "core/hash.h"

void ank_entity_names_free(ank_entity_names *names) {
  ank_free(names->at);
  ank_free(names->hash);
  ank_free(names->older);
  ank_free(names->newer);
  ank_free(names->text);
  ank_free(names->slot);
  *names = (ank_entity_names){0};
}

/* ---- the index --------------------------------------------------------------------------------------- */

/* The slot of a name, or the empty one where it belongs. */
static size_t slot_of(const ank_entity_names *names, const char *name, uint32_t hash) {
  size_t mask = names->slots - 1, at = hash & mask;
  for (; names->slot[at]; at = (at + 1) & mask) {
    size_t e = names->slot[at] - 1;
    if (names->hash[e] == hash && strcmp(ank_entity_name(names, e), name) == 0) break;
  }
  return at;
}

static anorank_status grow_slots(ank_entity_names *names, size_t need, anorank_error *err) {
  size_t count = names->slots ? names->slots : 16;
  uint32_t *grown = NULL;
  while (4 * need > 3 * count) count *= 2;
  if (count == names->slots) return ANORANK_OK;
  ANK_CHECK(ank_alloc(&grown, count, sizeof *grown, err));
  for (size_t e = 0; e < names->count; e++) {
    size_t at = names->hash[e] & (count - 1);
    while (grown[at]) at = (at + 1) & (count - 1);
    grown[at] = (uint32_t)e + 1;
  }
  ank_free(names->slot);
  names->slot = grown;
  names->slots = count;
  return ANORANK_OK;
}

/* Empty a slot; those behind it that would no longer be found move up. */
static void clear_slot(ank_entity_names *names, size_t hole) {
  size_t mask = names->slots - 1;
  for (size_t at = (hole + 1) & mask; names->slot[at]; at = (at + 1) & mask) {
    size_t home = names->hash[names->slot[at] - 1] & mask;
    if (((at - home) & mask) < ((at - hole) & mask)) continue;
    names->slot[hole] = names->slot[at];
    hole = at;
  }
  names->slot[hole] = 0;
}

uint32_t ank_entity_find(const ank_entity_names *names, const char *name) {
  if (names->slots == 0) return ANK_NO_ENTITY;
  return names->slot[slot_of(names, name, (uint32_t)ank_hash_bytes(name, strlen(name)))] - 1;
}

/* ---- the order of use -------------------------------------------------------------------------------- */

static void unlink_number(ank_entity_names *names, uint32_t number) {
  uint32_t older = names->older[number], newer = names->newer[number];
  if (number == names->oldest)
    names->oldest = newer;
  else
    names->newer[older] = newer;
  if (number == names->newest)
    names->newest = older;
  else
    names->older[newer] = older;
}

static void link_newest(ank_entity_names *names, uint32_t number, int alone) {
  names->older[number] = names->newest;
  if (alone)
    names->oldest = number;
  else
    names->newer[names->newest] = number;
  names->newest = number;
}

void ank_entity_touch(ank_entity_names *names, uint32_t number) {
  if (number == names->newest) return;
  unlink_number(names, number);
  link_newest(names, number, 0);
}

/* ---- names ------------------------------------------------------------------------------------------- */

/* Texts of forgotten names are squeezed out once they are more than the others. */
static anorank_status squeeze(ank_entity_names *names, anorank_error *err) {
  size_t used = 0, left = names->text_used - names->text_dead;
  char *text = NULL;
  if (names->text_dead < 4096 || names->text_dead < left) return ANORANK_OK;
  ANK_CHECK(ank_alloc_raw(&text, left + 1, 1, err));
  for (size_t e = 0; e < names->count; e++) {
    size_t length = strlen(ank_entity_name(names, e)) + 1;
    memcpy(text + used, ank_entity_name(names, e), length);
    names->at[e] = used;
    used += length;
  }
  ank_free(names->text);
  names->text = text;
  names->text_used = names->text_capacity = left;
  names->text_dead = 0;
  return ANORANK_OK;
}

anorank_status ank_entity_reserve(ank_entity_names *names, size_t need, size_t text, anorank_error *err) {
  size_t room = names->capacity;
  ANK_CHECK(grow_slots(names, need, err));
  ANK_CHECK(squeeze(names, err));
  ANK_CHECK(ank_reserve(&names->text, &names->text_capacity, names->text_used + text, 1, err));
  if (need <= room) return ANORANK_OK;
  room = need < room + room / 2 ? room + room / 2 : need < 16 ? 16 : need;
  ANK_CHECK(ank_resize(&names->at, room, sizeof *names->at, err));
  ANK_CHECK(ank_resize(&names->hash, room, sizeof *names->hash, err));
  ANK_CHECK(ank_resize(&names->older, room, sizeof *names->older, err));
  ANK_CHECK(ank_resize(&names->newer, room, sizeof *names->newer, err));
  names->capacity = room;
  return ANORANK_OK;
}

uint32_t ank_entity_add(int *evicted, ank_entity_names *names, const char *name, size_t most) {
  size_t length = strlen(name) + 1;
  *evicted = names->count >= most;
  uint32_t e = *evicted ? names->oldest : (uint32_t)names->count;
  if (*evicted) {
    const char *old = ank_entity_name(names, e);
    clear_slot(names, slot_of(names, old, names->hash[e]));
    names->text_dead += strlen(old) + 1;
    unlink_number(names, e);
  }
  names->at[e] = names->text_used;
  memcpy(names->text + names->text_used, name, length);
  names->text_used += length;
  names->hash[e] = (uint32_t)ank_hash_bytes(name, length - 1);
  names->slot[slot_of(names, name, names->hash[e])] = e + 1;
  if (!*evicted) names->count++;
  link_newest(names, e, names->count == 1);
  return e;
}
