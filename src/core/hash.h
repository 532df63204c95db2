/* hash.h - hashes for tables in memory. Their key is drawn once per process, so that an attacker cannot
 * prepare inputs that collide. No result may depend on a hash: compare values with equal hashes, and never
 * iterate in hash order. */
#ifndef ANK_CORE_HASH_H
#define ANK_CORE_HASH_H

#include <stddef.h>
#include <stdint.h>

#include "core/wide.h"

/* Hash bytes with SipHash-1-3. */
uint64_t ank_hash_bytes(const void *bytes, size_t length);

/* A family of hash functions of one word, one per index. Two different words collide with probability 2^-64
 * (multiply-shift of Dietzfelbinger). So do the sums over the words of two rows, with one function per
 * column. */
typedef struct ank_word_hash {
  ank_wide factor, term;
} ank_word_hash;

ank_word_hash ank_word_hash_at(uint64_t index);

static inline uint64_t ank_hash_word(const ank_word_hash *hash, uint64_t word) {
  return ank_wide_times_add(hash->factor, word, hash->term).high;
}

#endif
