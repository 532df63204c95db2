/* words.h - the internals of sort.h: doubles as integers of the same order, and the parallel radix sort of
 * such integers.
 *
 * A value's key is 2^63 plus or minus the bits of its magnitude. So -0 and +0 share a key, and values that
 * end in zero bits (counts, halves) have keys that do too. */
#ifndef ANK_KERNELS_WORDS_H
#define ANK_KERNELS_WORDS_H

#include <math.h>
#include <string.h>

#include "core/status.h"

/* May alias doubles. */
typedef uint64_t ank_word __attribute__((may_alias));

#define ANK_KEY_ZERO ((uint64_t)1 << 63)
#define ANK_BITS_INFINITY ((uint64_t)0x7ff << 52)
#define ANK_KEY_NAN (ANK_KEY_ZERO + ANK_BITS_INFINITY + ((uint64_t)1 << 51))

static inline uint64_t ank_key_of_bits(uint64_t bits) {
  uint64_t magnitude = bits & ~ANK_KEY_ZERO, sign = (uint64_t)0 - (bits >> 63);
  uint64_t key = ANK_KEY_ZERO + ((magnitude ^ sign) - sign);
  return magnitude > ANK_BITS_INFINITY ? ANK_KEY_NAN : key;
}

static inline double ank_value_of_key(uint64_t key) {
  uint64_t bits = key >= ANK_KEY_ZERO ? key - ANK_KEY_ZERO : ANK_KEY_ZERO | (ANK_KEY_ZERO - key);
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* Sort ascending on this thread; `scratch` has room for n < 2^32 words. O(n); sorted words cost one quick
 * pass. */
void ank_sort_words(ank_word *words, ank_word *scratch, size_t n);

/* ---- partition into buckets -------------------------------------------------------------------------- */

#define ANK_CELL_BITS 11
#define ANK_MOST_CELLS ((size_t)1 << ANK_CELL_BITS)

/* The type of the source, and of the buckets. */
typedef enum {
  ANK_KEYS_FROM_WORDS,    /* words to words */
  ANK_KEYS_FROM_DOUBLES,  /* doubles to keys */
  ANK_PACKED_FROM_DOUBLES /* doubles to (leading bits below the bucket, row) */
} ank_partition_kind;

/* The range of keys is cut into equal cells, and each cell into 2^k equal buckets, where k depends on the
 * number of sampled keys in it. So finding the bucket of a key takes one look into a table that fits the
 * cache, and buckets have similar sizes where the density is smooth. */
typedef struct {
  uint64_t least;
  unsigned zeros; /* trailing bits in which all keys agree */
  unsigned cell_shift;
  unsigned row_bits; /* of a packed word; the others hold the key */
  size_t cells, buckets;
  struct {
    uint32_t base;     /* first bucket of the cell */
    uint16_t shift;    /* number of bits below the bucket */
    uint16_t left_out; /* those of them that packing has no room for */
  } cell[ANK_MOST_CELLS];
} ank_plan;

typedef struct {
  ank_plan plan;
  size_t *start; /* buckets + 1: start of each bucket */
  int sorted;    /* the source already ascends: nothing was moved, and `start` is NULL */
} ank_partition;

/* Copy `source` into `target`, bucket by bucket, keeping the order of the source inside each. Fails only for
 * lack of memory. */
anorank_status ank_partition_make(ank_partition *out, ank_word *target, const ank_word *source, size_t n,
                                  ank_partition_kind kind, const anorank_settings *settings,
                                  anorank_error *err);

/* Return the number of key bits that packing leaves out, and those bits. The number is the same within a
 * bucket. */
static inline unsigned ank_plan_left_out(const ank_plan *plan, uint64_t key) {
  return plan->cell[((key - plan->least) >> plan->zeros) >> plan->cell_shift].left_out;
}

static inline uint64_t ank_plan_rest(const ank_plan *plan, uint64_t key, unsigned left_out) {
  return ((key - plan->least) >> plan->zeros) & (((uint64_t)1 << left_out) - 1);
}

/* The work on one bucket, target[begin .. end); `scratch` has room for as many words. */
typedef void (*ank_bucket)(void *context, size_t begin, size_t end, ank_word *scratch);

/* Visit every nonempty bucket, on all threads. Buckets that hold a large part of all words are sorted with
 * all threads first. `scratch`: n words, or NULL to allocate them as needed. */
anorank_status ank_partition_visit(const ank_partition *partition, ank_word *target, ank_word *scratch,
                                   ank_bucket body, void *context, const anorank_settings *settings,
                                   anorank_error *err);

#endif
