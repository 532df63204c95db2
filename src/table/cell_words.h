/* cell_words.h - words in cells that mean "missing", yes or no. */
#ifndef ANK_TABLE_CELL_WORDS_H
#define ANK_TABLE_CELL_WORDS_H

#include "core/status.h"

typedef struct ank_missing_word {
  const char *text;
  size_t length;
} ank_missing_word;

typedef struct ank_missing {
  char *text; /* the words' bytes */
  ank_missing_word *words;
  size_t count;
  unsigned char first[256]; /* whether a word starts with that byte */
  int numbers;              /* whether a word is a number, such as -999 */
} ank_missing;

/* Set the words from the setting `missing`: the defaults and those of its list, or, if it begins with "=",
 * the list alone; "\\," is a comma within a word. Error values of spreadsheets (#N/A) are among the
 * defaults. */
anorank_status ank_missing_set(ank_missing *missing, const char *list, anorank_error *err);

void ank_missing_free(ank_missing *missing);

/* Return whether the trimmed cell is empty or one of the words. */
int ank_missing_has(const ank_missing *missing, const char *text, size_t length);

/* Return whether a word means "missing" among numbers or times, although it may be a value among texts: "-",
 * "n.a.". */
int ank_missing_among_numbers(const char *text, size_t length);

/* Return 1 for yes, Y, true, on, 1, ja ..., 0 for no, N, false, off, 0, nein ..., in any case; -1 for any
 * other text. */
int ank_flag_of(const char *text, size_t length);

#endif
