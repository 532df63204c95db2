/* hash.c - see hash.h. Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012, with one and three
 * rounds, as in the hash tables of Python and Rust. */
#include "core/hash.h"

#include <string.h>
#include <unistd.h>

#include "core/parallel.h"
#include "core/platform.h"

static uint64_t key[2];
static ank_once_flag key_made;

static void make_key(void) {
  if (ank_entropy(key, sizeof key) == 0) return;
  struct timespec now = ank_clock();
  key[0] ^= (uint64_t)now.tv_nsec << 32 ^ (uint64_t)now.tv_sec;
  key[1] ^= (uint64_t)(uintptr_t)&now ^ (uint64_t)getpid() << 48;
}

static uint64_t rotate(uint64_t x, int bits) { return x << bits | x >> (64 - bits); }

static void round_of(uint64_t v[4]) {
  v[0] += v[1], v[1] = rotate(v[1], 13) ^ v[0], v[0] = rotate(v[0], 32);
  v[2] += v[3], v[3] = rotate(v[3], 16) ^ v[2];
  v[0] += v[3], v[3] = rotate(v[3], 21) ^ v[0];
  v[2] += v[1], v[1] = rotate(v[1], 17) ^ v[2], v[2] = rotate(v[2], 32);
}

static void absorb(uint64_t v[4], uint64_t word) {
  v[3] ^= word;
  round_of(v);
  v[0] ^= word;
}

uint64_t ank_hash_bytes(const void *bytes, size_t length) {
  const unsigned char *at = bytes;
  uint64_t rest = 0, word;
  ank_once(&key_made, make_key);
  uint64_t v[4] = {key[0] ^ 0x736f6d6570736575u, key[1] ^ 0x646f72616e646f6du, key[0] ^ 0x6c7967656e657261u,
                   key[1] ^ 0x7465646279746573u};
  for (size_t left = length; left >= 8; left -= 8, at += 8) {
    memcpy(&word, at, 8);
    absorb(v, word);
  }
  if (length % 8) memcpy(&rest, at, length % 8);
  absorb(v, (uint64_t)length << 56 | rest);
  v[2] ^= 0xFF;
  for (int i = 0; i < 3; i++) round_of(v);
  return v[0] ^ v[1] ^ v[2] ^ v[3];
}

ank_word_hash ank_word_hash_at(uint64_t index) {
  uint64_t words[4];
  for (uint64_t i = 0; i < 4; i++) words[i] = ank_hash_bytes((uint64_t[]){index, i}, 2 * sizeof index);
  return (ank_word_hash){{words[0], words[1]}, {words[2], words[3]}};
}
