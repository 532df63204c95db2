/* flag.c - see flag.h. To add a word: to the list of what it means. A word that is yes in one language and no
 * in another must not stand here. */
#include "table/flag.h"

#include <string.h>

#include "core/ascii.h"

enum { LONGEST = 12 };

static const char *const words[2][20] = {
    {"0",     "no",  "n",   "false", "f",   "off", "nein", "non",    "falsch", "faux",
     "falso", "nee", "não", "nao",   "nej", "нет", "否",   "いいえ", "✗",      NULL},
    {"1",    "yes",       "y",    "true", "t",  "on",  "ja", "j",  "oui", "wahr",
     "vrai", "verdadero", "vero", "si",   "sí", "sim", "да", "是", "✓",   NULL},
};

int ank_flag_of(const char *text, size_t length) {
  if (length == 0 || length > LONGEST) return -1;
  for (int flag = 0; flag < 2; flag++)
    for (const char *const *word = words[flag]; *word; word++)
      if (strlen(*word) == length && ank_same_start(text, *word, length)) return flag;
  return -1;
}
