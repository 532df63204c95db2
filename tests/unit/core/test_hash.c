/* Hashes with a key, and inputs crafted to collide without one. Processor time measures collisions: with them
 * it grows with the square of the rows, to ten times the limit and more. */
#include "support/check.h"

#include <stdlib.h>
#include <time.h>

#include "core/hash.h"
#include "model/duplicate_rows.h"
#include "table/table.h"

#define MOST_SECONDS 5.0

static double seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

TEST(equal_bytes_have_equal_hashes_and_others_do_not) {
  char text[40];
  uint64_t seen[40];
  memset(text, 'a', sizeof text);
  for (size_t i = 0; i < 40; i++) {
    seen[i] = ank_hash_bytes(text, i);
    assert_true(seen[i] == ank_hash_bytes(text, i));
    for (size_t j = 0; j < i; j++) assert_true(seen[i] != seen[j]);
  }
}

/* h = (h ^ word) * odd; h ^= h >> 32: a flipped highest bit of one word becomes bits 63 and 31 of what meets the
 * next, whatever h begins with. */
TEST(texts_that_collide_under_any_seed_of_a_simple_hash_do_not) {
  uint64_t plain[2] = {0x6161616161616161u, 0x6262626262626262u};
  uint64_t flipped[2] = {plain[0] ^ 1ull << 63, plain[1] ^ (1ull << 63 | 1ull << 31)};
  assert_true(ank_hash_bytes(plain, sizeof plain) != ank_hash_bytes(flipped, sizeof flipped));
}

TEST(words_that_differ_have_other_hashes_and_so_have_functions) {
  ank_word_hash one = ank_word_hash_at(0), other = ank_word_hash_at(1);
  for (uint64_t i = 0; i < 64; i++) {
    assert_true(ank_hash_word(&one, 1ull << i) != ank_hash_word(&one, 0));
    assert_true(ank_hash_word(&one, 1ull << i) != ank_hash_word(&other, 1ull << i));
  }
}

/* Mix of splitmix64, and back. */
static uint64_t mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

static uint64_t unmix(uint64_t x) {
  x = (x ^ x >> 31 ^ x >> 62) * 0x319642b2d24d8ec3u;
  x = (x ^ x >> 27 ^ x >> 54) * 0x96de1b173f119089u;
  return x ^ x >> 30 ^ x >> 60;
}

static int is_plain(uint64_t word) {
  for (int i = 0; i < 8; i++, word >>= 8)
    if ((word & 0xFF) < '-' || (word & 0xFF) > 'z') return 0;
  return 1;
}

/* Texts of two words whose state after the second is 0 under the hash that levels had in 0.2. */
TEST(levels_that_were_made_to_collide_are_added_in_linear_time) {
  enum { TEXTS = 80000 };
  const uint64_t factor = 0xD6E8FEB86659FD93u, start = 0x9E3779B97F4A7C15u ^ 16;
  ank_levels levels = {0};
  uint64_t words[2];
  int32_t code;
  double spent = 0;
  for (uint64_t i = 0; levels.count < TEXTS; i++) {
    uint64_t x = mix(i);
    words[0] = 0x2d2d2d2d2d2d2d2du + (x & 0x3f3f3f3f3f3f3f3fu);
    words[1] = (start ^ words[0]) * factor;
    words[1] ^= words[1] >> 32;
    if (!is_plain(words[1])) continue;
    double before = seconds();
    assert_ok(ank_levels_code(&code, &levels, (const char *)words, sizeof words, NULL));
    spent += seconds() - before;
    if (spent > MOST_SECONDS) break;
  }
  print_message("%zu levels: %.2f s\n", levels.count, spent);
  assert_int_equal(levels.count, TEXTS);
  ank_levels_free(&levels);
}

/* Rows of two numbers whose hash is 0 under the hash that the search for duplicates had in 0.2. */
TEST(rows_that_were_made_to_collide_are_grouped_in_linear_time) {
  enum { ROWS = 200000 };
  const uint64_t step = 0x9e3779b97f4a7c15u;
  double *data = malloc(2 * ROWS * sizeof *data);
  anorank_settings *settings;
  anorank_table *table;
  ank_duplicates found;
  size_t rows = 0;
  assert_non_null(data);
  for (uint64_t i = 0; rows < ROWS; i++) {
    double *cell = data + 2 * rows;
    cell[0] = (double)(mix(i) >> 12) / 1024 + 0.5;
    uint64_t word;
    memcpy(&word, &cell[0], sizeof word);
    uint64_t first = mix(step + mix(word)), second = unmix(0 - step - first);
    memcpy(&cell[1], &second, sizeof second);
    assert_true(mix(first + step + mix(second)) == 0);
    rows += cell[1] != 0 && cell[1] == cell[1];
  }
  assert_ok(anorank_settings_new(&settings, NULL, NULL));
  assert_ok(anorank_table_from_matrix(&table, data, ROWS, 2, 2, 1, NULL, NULL));
  double before = seconds();
  assert_ok(ank_duplicates_find(&found, table, settings, NULL));
  double spent = seconds() - before;
  print_message("%d rows: %.2f s\n", ROWS, spent);
  assert_true(spent < MOST_SECONDS);
  assert_int_equal(found.copies, 0);
  ank_duplicates_free(&found);
  anorank_table_free(table);
  anorank_settings_free(settings);
  free(data);
}
