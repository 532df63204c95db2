/* list.c - see list.h. */
#include "core/list.h"

/* Return whether an escape starts here; `left` is the bytes left of the item, or 2 for a text that ends in
 * NUL. */
static int is_escape(const char *text, size_t left) {
  return left > 1 && text[0] == '\\' && (text[1] == ',' || text[1] == '\\' || text[1] == '=');
}

static int is_blank(char c) { return c == ' ' || c == '\t'; }

int ank_list_next(const char **list, const char **item, size_t *length) {
  const char *rest = *list;
  *length = 0;
  while (*length == 0 && *rest) {
    const char *from = rest;
    while (*rest && *rest != ',') rest += is_escape(rest, 2) ? 2 : 1;
    const char *to = rest;
    rest += *rest == ',';
    while (from < to && is_blank(*from)) from++;
    while (from < to && is_blank(to[-1])) to--;
    *item = from;
    *length = (size_t)(to - from);
  }
  *list = rest;
  return *length > 0;
}

size_t ank_list_decode(char *text, const char *item, size_t length) {
  size_t used = 0;
  for (size_t i = 0; i < length; i++) {
    if (is_escape(item + i, length - i)) i++;
    text[used++] = item[i];
  }
  return used;
}

size_t ank_list_encode(char *text, const char *name, size_t length) {
  size_t used = 0;
  for (size_t i = 0; i < length; i++) {
    if (name[i] == ',' || name[i] == '\\' || (name[i] == '=' && i == 0)) text[used++] = '\\';
    text[used++] = name[i];
  }
  return used;
}

int ank_list_item_is(const char *item, size_t length, const char *name, size_t name_length) {
  size_t at = 0;
  for (size_t i = 0; i < length; i++, at++) {
    if (is_escape(item + i, length - i)) i++;
    if (at == name_length || item[i] != name[at]) return 0;
  }
  return at == name_length;
}

int ank_list_has(const char *list, const char *name, size_t name_length) {
  const char *item;
  size_t length;
  while (ank_list_next(&list, &item, &length))
    if (ank_list_item_is(item, length, name, name_length)) return 1;
  return 0;
}
