/* missing.c - see missing.h. */
#include "table/missing.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/alloc.h"
#include "table/number.h"
#include "table/spelling.h"

/* What Excel and LibreOffice show where a formula fails: never a value. */
static const char spreadsheet_errors[] = "#N/A,#DIV/0!,#VALUE!,#REF!,#NAME?,#NUM!,#NULL!,#NV,#WERT!,#BEZUG!,#ZAHL!,#VALEUR!";

/* The next word of a list; moves *list behind it and its comma. */
static void next_word(const char **list, const char **word, size_t *length) {
  const char *p = *list;
  while (*p == ' ' || *p == '\t') p++;
  const char *close = *p == '"' ? strchr(p + 1, '"') : NULL;
  if (close) {
    *word = p + 1;
    *length = (size_t)(close - p - 1);
    p = close + 1;
    p += strcspn(p, ",");
  } else {
    *word = p;
    *length = strcspn(p, ",");
    p += *length;
    ank_trim_cell(word, length);
  }
  *list = p + (*p == ',');
}

static anorank_status add_words(ank_missing *missing, const char *list, anorank_error *err) {
  double value;
  while (*list) {
    ank_missing_word word;
    next_word(&list, &word.text, &word.length);
    if (word.length == 0) continue;
    anorank_status status =
        ank_reserve(&missing->words, &missing->capacity, missing->count + 1, sizeof *missing->words, err);
    if (status != ANORANK_OK) return status;
    missing->words[missing->count++] = word;
    missing->first[(unsigned char)*word.text] = 1;
    missing->numbers |= ank_number_parse(&value, word.text, word.length) == ANK_NUMBER;
  }
  return ANORANK_OK;
}

anorank_status ank_missing_set(ank_missing *missing, const char *list, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  int more = *list == '+';
  memset(missing, 0, sizeof *missing);
  ANK_TRY(ank_copy_text(&missing->held, list + more, strlen(list + more), err));
  ANK_TRY(add_words(missing, missing->held, err));
  if (more) ANK_TRY(add_words(missing, anorank_setting_find("missing")->default_value, err));
  ANK_TRY(add_words(missing, spreadsheet_errors, err));
done:
  return status;
}

void ank_missing_free(ank_missing *missing) {
  ank_free(missing->held);
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
  static const char *const words[] = {"-",    "--",    "---",     "–",   "—",       ".",    "..", "...", "n.a.",
                                      "n. a.", "n/d",   "k.A.",    "k. A.", "missing", "nil",  "unknown", "none",
                                      "na",   "n/a",   "null",    "(null)", "\\N"};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    if (strlen(words[i]) == length && strncasecmp(words[i], text, length) == 0) return 1;
  return 0;
}

void ank_missing_remedy(char *value, size_t size, const char *list, const char *text, size_t length) {
  const char *quote = memchr(text, ',', length) ? "\"" : "", *usual = anorank_setting_find("missing")->default_value;
  int cut = length < size ? (int)length : (int)size;
  if (strcmp(list, usual) == 0)
    snprintf(value, size, "+%s%.*s%s", quote, cut, text, quote);
  else
    snprintf(value, size, "%s%s%s%.*s%s", list, *list ? "," : "", quote, cut, text, quote);
}
