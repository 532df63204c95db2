/* nearest_name.c - see nearest_name.h. */
#include "core/nearest_name.h"

#include <string.h>

#include "core/ascii.h"

static int differ(char a, char b) { return ank_lower((unsigned char)a) != ank_lower((unsigned char)b); }

/* Count the edits (insert, delete, change, swap of neighbours) from a to b. Words over 63 bytes are never
 * near. */
static size_t edits(const char *a, const char *b) {
  enum { LONGEST = 64 };
  size_t rows[3][LONGEST];
  size_t a_length = strlen(a), b_length = strlen(b);
  if (a_length >= LONGEST || b_length >= LONGEST) return LONGEST;
  for (size_t j = 0; j <= b_length; j++) rows[0][j] = j;
  for (size_t i = 1; i <= a_length; i++) {
    size_t *now = rows[i % 3], *before = rows[(i + 2) % 3], *earlier = rows[(i + 1) % 3];
    now[0] = i;
    for (size_t j = 1; j <= b_length; j++) {
      size_t best = before[j - 1] + (size_t)differ(a[i - 1], b[j - 1]);
      if (before[j] + 1 < best) best = before[j] + 1;
      if (now[j - 1] + 1 < best) best = now[j - 1] + 1;
      if (i > 1 && j > 1 && !differ(a[i - 1], b[j - 2]) && !differ(a[i - 2], b[j - 1]) &&
          earlier[j - 2] + 1 < best)
        best = earlier[j - 2] + 1;
      now[j] = best;
    }
  }
  return rows[a_length % 3][b_length];
}

const char *ank_nearest_name(const char *typed, const char *(*word_at)(const void *context, size_t i),
                             const void *context) {
  const char *nearest = NULL, *word;
  size_t length = strlen(typed), best = length / 3 + 1;
  if (length == 0) return NULL;
  for (size_t i = 0; (word = word_at(context, i)) != NULL; i++) {
    size_t distance = edits(typed, word);
    if (length >= 3 && ank_same_start(typed, word, length)) distance = 1; /* an abbreviation */
    if (distance < best || (distance == best && !nearest)) {
      best = distance;
      nearest = word;
    }
  }
  return nearest;
}
