/* cell_words.h - cells whose words mean "no value", yes or no. */
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
  unsigned char first[256]; /* does some word start with that byte? */
  int numbers;              /* is some word a number, such as -999? */
} ank_missing;

/* From the setting `missing`: the usual words and those of its list, or, where it begins with "=", its
 * words alone; "\\," is a comma within a word. Errors of spreadsheets (#N/A) are among the usual ones. */
anorank_status ank_missing_set(ank_missing *missing, const char *list, anorank_error *err);

void ank_missing_free(ank_missing *missing);

/* Whether the trimmed cell is empty or one of the words. */
int ank_missing_has(const ank_missing *missing, const char *text, size_t length);

/* Words that mean "no value" among numbers or times, but may be values among texts: "-", "n.a.". */
int ank_missing_among_numbers(const char *text, size_t length);

/* 1 for yes, Y, true, on, 1, ja ..., 0 for no, N, false, off, 0, nein ..., in either case; -1 for any other
 * text. */
int ank_flag_of(const char *text, size_t length);

#endif
