/* cell_words.c - see cell_words.h. */
#include "table/cell_words.h"

#include <string.h>

#include "core/alloc.h"
#include "core/ascii.h"
#include "core/list.h"
#include "core/number.h"
#include "table/cell_format.h"

#define USUAL "NA,N/A,n/a,NaN,nan,null,NULL,None,?"

/* Error values of Excel and LibreOffice, which are never values. */
#define SPREADSHEET_ERRORS "#N/A,#DIV/0!,#VALUE!,#REF!,#NAME?,#NUM!,#NULL!,#NV,#WERT!,#BEZUG!,#ZAHL!,#VALEUR!"

/* Parse the words of a list; `text` has room for the whole list. */
static void take_words(ank_missing *missing, char *text, const char *list) {
  double value;
  const char *item;
  size_t length;
  while (ank_list_next(&list, &item, &length)) {
    const char *word = text;
    length = ank_list_decode(text, item, length);
    text += length;
    ank_trim_cell(&word, &length);
    if (length == 0) continue;
    missing->words[missing->count++] = (ank_missing_word){word, length};
    missing->first[(unsigned char)*word] = 1;
    missing->numbers |= ank_number_parse(&value, word, length) == ANK_NUMBER;
  }
}

anorank_status ank_missing_set(ank_missing *missing, const char *list, anorank_error *err) {
  const char *usual = *list == '=' ? "" : USUAL "," SPREADSHEET_ERRORS, *more = list + (*list == '=');
  size_t most = 2, length = strlen(usual);
  for (const char *p = list; *p; p++) most += *p == ',';
  for (const char *p = usual; *p; p++) most += *p == ',';
  memset(missing, 0, sizeof *missing);
  ANK_CHECK(ank_alloc(&missing->text, length + strlen(more) + 1, 1, err));
  ANK_CHECK(ank_alloc(&missing->words, most, sizeof *missing->words, err));
  take_words(missing, missing->text, usual);
  take_words(missing, missing->text + length, more);
  return ANORANK_OK;
}

void ank_missing_free(ank_missing *missing) {
  ank_free(missing->text);
  ank_free(missing->words);
}

int ank_missing_has(const ank_missing *missing, const char *text, size_t length) {
  if (length == 0) return 1;
  if (!missing->first[(unsigned char)*text]) return 0;
  for (size_t i = 0; i < missing->count; i++)
    if (missing->words[i].length == length && memcmp(missing->words[i].text, text, length) == 0) return 1;
  return 0;
}

int ank_missing_among_numbers(const char *text, size_t length) {
  static const char *const words[] = {"-",    "--",    "---", "–",    "—",      ".",       "..",  "...",
                                      "n.a.", "n. a.", "n/d", "k.A.", "k. A.",  "missing", "nil", "unknown",
                                      "none", "na",    "n/a", "null", "(null)", "\\N"};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    if (strlen(words[i]) == length && ank_same_start(words[i], text, length)) return 1;
  return 0;
}

/* To add a word, add it to the list of its meaning. Exclude words that mean yes in one language and no in another. */
enum { LONGEST_FLAG = 12 };

static const char *const flags[2][20] = {
    {"0",     "no",  "n",   "false", "f",   "off", "nein", "non",    "falsch", "faux",
     "falso", "nee", "não", "nao",   "nej", "нет", "否",   "いいえ", "✗",      NULL},
    {"1",    "yes",       "y",    "true", "t",  "on",  "ja", "j",  "oui", "wahr",
     "vrai", "verdadero", "vero", "si",   "sí", "sim", "да", "是", "✓",   NULL},
};

int ank_flag_of(const char *text, size_t length) {
  if (length == 0 || length > LONGEST_FLAG) return -1;
  for (int flag = 0; flag < 2; flag++)
    for (const char *const *word = flags[flag]; *word; word++)
      if (strlen(*word) == length && ank_same_start(text, *word, length)) return flag;
  return -1;
}
