/* words.c - sort integers that fit the cache, on one thread; see words.h.
 *
 * One pass distributes the words to about as many cells as there are words, by their distance from the
 * smallest. Most remaining work is then between neighbours. Large cells are sorted the same way: their range
 * is at least 2^5 times smaller, so there are at most 13 rounds. */
#include "kernels/words.h"

#define FEW 16         /* sorted by insertion */
#define MOST_DIGITS 12 /* bits per round: the counts stay in the first-level cache */

/* Sort `in` by insertion into `out`; in == out is allowed. */
static void insert(ank_word *out, const ank_word *in, size_t n) {
  for (size_t i = 0; i < n; i++) {
    uint64_t word = in[i];
    size_t k = i;
    for (; k > 0 && out[k - 1] > word; k--) out[k] = out[k - 1];
    out[k] = word;
  }
}

static unsigned bits_of(uint64_t x) { return x ? 64 - (unsigned)__builtin_clzll(x) : 0; }

void ank_sort_words(ank_word *words, ank_word *scratch, size_t n) {
  if (n <= FEW) {
    insert(words, words, n);
    return;
  }
  uint64_t least = words[0], most = words[0], before = words[0];
  int sorted = 1;
  for (size_t i = 1; i < n; i++) {
    uint64_t word = words[i];
    sorted &= before <= word;
    least = word < least ? word : least;
    most = word > most ? word : most;
    before = word;
  }
  if (sorted) return;

  uint32_t end[1 << MOST_DIGITS];
  unsigned digits = bits_of(n - 1), range = bits_of(most - least);
  if (digits > MOST_DIGITS) digits = MOST_DIGITS;
  unsigned shift = range > digits ? range - digits : 0;
  size_t cells = (size_t)((most - least) >> shift) + 1;
  memset(end, 0, cells * sizeof *end);
  for (size_t i = 0; i < n; i++) end[(words[i] - least) >> shift]++;
  uint32_t sum = 0, largest = 0;
  for (size_t c = 0; c < cells; c++) {
    uint32_t count = end[c];
    end[c] = sum;
    sum += count;
    largest = count > largest ? count : largest;
  }
  for (size_t i = 0; i < n; i++) {
    uint64_t word = words[i];
    scratch[end[(word - least) >> shift]++] = word;
  }
  if (largest <= FEW) {
    insert(words, scratch, n);
    return;
  }
  for (size_t c = 0, begin = 0; c < cells; begin = end[c], c++) {
    size_t count = end[c] - begin;
    if (count <= FEW) {
      insert(words + begin, scratch + begin, count);
    } else {
      if (shift > 0) ank_sort_words(scratch + begin, words + begin, count);
      memcpy(words + begin, scratch + begin, count * sizeof *words);
    }
  }
}
