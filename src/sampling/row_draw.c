/* row_draw.c - see row_draw.h. */
#include "sampling/row_draw.h"

#include "core/alloc.h"
#include "core/rng.h"

enum {
  WORDS = 4,      /* of a block of random numbers */
  CHUNK = 4096,   /* rows whose keys are computed at a time */
  BIN_BITS = 16,  /* leading bits of a key that locate the border */
  TEXT_BYTES = 28 /* approximate bytes of a level that only one row has */
};

size_t ank_draw_most(const anorank_table *table, size_t limit) {
  size_t each = 2 * sizeof(uint64_t); /* key and number of the row */
  for (size_t j = 0; j < table->columns; j++)
    each += table->column[j].kind == ANORANK_CATEGORICAL ? sizeof(int32_t) + TEXT_BYTES : sizeof(double);
  size_t rows = limit / 4 / each;
  return rows < ANK_FEWEST_DRAWN ? ANK_FEWEST_DRAWN : rows > ANK_MOST_DRAWN ? ANK_MOST_DRAWN : rows;
}

void ank_draw_keys(uint64_t *keys, uint64_t seed, size_t first, size_t count) {
  ank_rng rng;
  for (size_t i = 0; i < count;) {
    size_t row = first + i, at = row % WORDS;
    ank_rng_open(&rng, seed, ANK_STREAM_SAMPLE, row / WORDS);
    for (size_t k = 0; k < at; k++) (void)ank_rng_word(&rng);
    for (; at < WORDS && i < count; at++) keys[i++] = ank_rng_word(&rng);
  }
}

uint64_t ank_draw_kth(uint64_t *words, size_t n, size_t k) {
  size_t from = 0, to = n;
  while (to - from > 1) {
    uint64_t pivot = words[from + (to - from) / 2];
    size_t left = from, right = to - 1;
    while (left <= right) { /* right never passes below `from`: the pivot stops it first */
      while (words[left] < pivot) left++;
      while (words[right] > pivot) right--;
      if (left > right) break;
      uint64_t word = words[left];
      words[left++] = words[right];
      words[right] = word;
      if (right == 0) break;
      right--;
    }
    if (k < left && k > right) return words[k]; /* all words in between equal the pivot */
    if (k >= left)
      from = left;
    else
      to = right + 1;
  }
  return words[k];
}

/* Find the largest key that is drawn, and the number of rows with this key that are drawn: the first ones. */
static anorank_status find_border(uint64_t *border, size_t *at_border, size_t count, size_t n, uint64_t seed,
                                  anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t *bins = NULL, before = 0, bin = 0, inside = 0, less = 0;
  uint64_t *keys = NULL, *within = NULL;
  ANK_TRY(ank_alloc(&bins, (size_t)1 << BIN_BITS, sizeof *bins, err));
  ANK_TRY(ank_alloc_raw(&keys, CHUNK, sizeof *keys, err));
  for (size_t first = 0; first < n; first += CHUNK) {
    size_t some = n - first < CHUNK ? n - first : CHUNK;
    ank_draw_keys(keys, seed, first, some);
    for (size_t i = 0; i < some; i++) bins[keys[i] >> (64 - BIN_BITS)]++;
  }
  while (before + bins[bin] < count) before += bins[bin++];
  ANK_TRY(ank_alloc_raw(&within, bins[bin], sizeof *within, err));
  for (size_t first = 0; first < n; first += CHUNK) {
    size_t some = n - first < CHUNK ? n - first : CHUNK;
    ank_draw_keys(keys, seed, first, some);
    for (size_t i = 0; i < some; i++)
      if (keys[i] >> (64 - BIN_BITS) == bin) within[inside++] = keys[i];
  }
  *border = ank_draw_kth(within, inside, count - before - 1);
  for (size_t i = 0; i < inside; i++) less += within[i] < *border;
  *at_border = count - before - less;
done:
  ank_free(bins);
  ank_free(keys);
  ank_free(within);
  return status;
}

anorank_status ank_draw_smallest(size_t **out, size_t count, size_t n, uint64_t seed, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t *drawn = NULL, used = 0, at_border = 0;
  uint64_t *keys = NULL, border = 0;
  *out = NULL;
  ANK_TRY(ank_alloc_raw(&drawn, count, sizeof *drawn, err));
  ANK_TRY(ank_alloc_raw(&keys, CHUNK, sizeof *keys, err));
  if (count > 0) ANK_TRY(find_border(&border, &at_border, count, n, seed, err));
  for (size_t first = 0; first < n && used < count; first += CHUNK) {
    size_t some = n - first < CHUNK ? n - first : CHUNK;
    ank_draw_keys(keys, seed, first, some);
    for (size_t i = 0; i < some; i++)
      if (keys[i] < border || (keys[i] == border && at_border > 0 && at_border--)) drawn[used++] = first + i;
  }
  ANK_HAND_OVER(out, drawn);
done:
  ank_free(drawn);
  ank_free(keys);
  return status;
}
