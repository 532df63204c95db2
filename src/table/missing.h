/* missing.h - cells that mean "no value". */
#ifndef ANK_TABLE_MISSING_H
#define ANK_TABLE_MISSING_H

#include "core/status.h"

typedef struct ank_missing_word {
  const char *text;
  size_t length;
} ank_missing_word;

typedef struct ank_missing {
  char *held; /* the words' bytes */
  ank_missing_word *words;
  size_t count, capacity;
  unsigned char first[256]; /* does some word start with that byte? */
  int numbers;              /* is some word a number, such as -999? */
} ank_missing;

/* From the setting `missing`: words separated by commas; one that holds a comma stands in double quotes; a list
 * that begins with '+' adds to the default list. */
anorank_status ank_missing_set(ank_missing *missing, const char *list, anorank_error *err);

void ank_missing_free(ank_missing *missing);

/* Is the cell, trimmed, empty or one of the words? */
int ank_missing_has(const ank_missing *missing, const char *text, size_t length);

/* Words that mean "no value" among numbers or times, but may be values among texts: "-", "n.a.". */
int ank_missing_among_numbers(const char *text, size_t length);

/* The value of `missing` that also takes this cell for none: "+word", quoted if need be. Cut to size. */
void ank_missing_remedy(char *value, size_t size, const char *list, const char *text, size_t length);

#endif
