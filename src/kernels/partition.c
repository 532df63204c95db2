/* partition.c - distribute keys to buckets on all threads; see words.h.
 *
 * Each chunk of the source is counted separately, which gives the position of its keys in every bucket. So
 * the result does not depend on the threads. */
#include "core/alloc.h"
#include "core/parallel.h"
#include "kernels/words.h"

#define LEAST_CHUNK ((size_t)1 << 17)
#define MOST_CHUNKS 64
#define BUCKET_AIM 8192 /* words per bucket: with the scratch they fit the second-level cache */
#define MOST_EXTRA 2048 /* buckets in excess of one per cell */
#define MOST_DEEPER 12
#define MOST_BUCKETS 32768
#define MOST_SAMPLES 32768

typedef struct {
  uint64_t least, most, differing;
  int sorted;
} chunk_range;

typedef struct {
  ank_partition_kind kind;
  const ank_word *source;
  ank_word *target;
  size_t n, chunks, chunk_size;
  const ank_plan *plan;
  chunk_range range[MOST_CHUNKS];
  size_t *place; /* chunks x buckets: counts, then the position of the next key */
} work;

static unsigned bits_of(uint64_t x) { return x ? 64 - (unsigned)__builtin_clzll(x) : 0; }

static inline uint64_t load(const work *w, size_t i) {
  return w->kind == ANK_KEYS_FROM_WORDS ? w->source[i] : ank_key_of_bits(w->source[i]);
}

static size_t chunk_begin(const work *w, size_t chunk) {
  size_t begin = chunk * w->chunk_size;
  return begin < w->n ? begin : w->n;
}

static anorank_status find_range(void *context, size_t chunk, anorank_error *err) {
  (void)err;
  work *w = context;
  size_t begin = chunk_begin(w, chunk), end = chunk_begin(w, chunk + 1);
  uint64_t first = load(w, begin), least = first, most = first, differing = 0;
  uint64_t before = begin > 0 ? load(w, begin - 1) : first;
  int sorted = 1;
  for (size_t i = begin; i < end; i++) {
    uint64_t key = load(w, i);
    sorted &= before <= key;
    differing |= key ^ first;
    least = key < least ? key : least;
    most = key > most ? key : most;
    before = key;
  }
  w->range[chunk] = (chunk_range){least, most, differing, sorted};
  return ANORANK_OK;
}

static chunk_range whole_range(const work *w) {
  chunk_range all = w->range[0];
  for (size_t c = 1; c < w->chunks; c++) {
    const chunk_range *part = &w->range[c];
    all.differing |= part->differing | (all.least ^ part->least);
    if (part->least < all.least) all.least = part->least;
    if (part->most > all.most) all.most = part->most;
    all.sorted &= part->sorted;
  }
  return all;
}

/* For values with many ties: drop up to `deeper` more bits where packed words can then hold all remaining
 * bits, so that ties show without a look at the values. */
static void cut_cells(ank_plan *plan, const uint32_t *seen, size_t samples, size_t n, unsigned deeper) {
  size_t aim = n / BUCKET_AIM, buckets = 0;
  unsigned room = 64 - plan->row_bits;
  if (aim > MOST_EXTRA) aim = MOST_EXTRA;
  for (size_t c = 0; c < plan->cells; c++) {
    unsigned split = samples ? bits_of(seen[c] * aim / samples) : 0, shift = plan->cell_shift;
    if (split > shift) split = shift;
    if (seen[c] > 0 && shift - split > room && shift - split <= room + deeper) split = shift - room;
    shift -= split;
    plan->cell[c].base = (uint32_t)buckets;
    plan->cell[c].shift = (uint16_t)shift;
    plan->cell[c].left_out = (uint16_t)(shift > room ? shift - room : 0);
    buckets += (size_t)1 << split;
  }
  plan->buckets = buckets;
}

static void make_plan(ank_plan *plan, const work *w, chunk_range range, const ank_word *sample,
                      size_t samples) {
  unsigned cell_bits = bits_of(w->n >> 4);
  if (cell_bits < 1) cell_bits = 1;
  if (cell_bits > ANK_CELL_BITS) cell_bits = ANK_CELL_BITS;
  plan->least = range.least;
  plan->zeros = range.differing ? (unsigned)__builtin_ctzll(range.differing) : 0;
  uint64_t spread = (range.most - range.least) >> plan->zeros;
  plan->cell_shift = bits_of(spread) > cell_bits ? bits_of(spread) - cell_bits : 0;
  plan->cells = (size_t)(spread >> plan->cell_shift) + 1;
  plan->row_bits = bits_of(w->n - 1);

  uint32_t seen[ANK_MOST_CELLS];
  memset(seen, 0, plan->cells * sizeof *seen);
  size_t repeated = 0, most = plan->cells + w->n / 256;
  for (size_t s = 0; s < samples; s++) {
    seen[((sample[s] - plan->least) >> plan->zeros) >> plan->cell_shift]++;
    repeated += s > 0 && sample[s] == sample[s - 1];
  }
  if (most > MOST_BUCKETS) most = MOST_BUCKETS;
  unsigned deeper = w->kind == ANK_PACKED_FROM_DOUBLES && repeated > samples / 2 ? MOST_DEEPER : 0;
  cut_cells(plan, seen, samples, w->n, deeper);
  for (; deeper > 0 && plan->buckets > most; deeper -= 4) cut_cells(plan, seen, samples, w->n, deeper - 4);
}

/* Sort the keys of rows spread over the source; `*count` is their number. */
static anorank_status draw_sample(ank_word **sample, size_t *count, const work *w, anorank_error *err) {
  size_t samples = w->n / 16;
  if (samples > MOST_SAMPLES) samples = MOST_SAMPLES;
  *count = samples;
  anorank_status status = ank_alloc_raw(sample, 2 * samples, sizeof **sample, err); /* including scratch */
  if (status != ANORANK_OK) return status;
  uint64_t state = 0x9e3779b97f4a7c15;
  for (size_t s = 0; s < samples; s++) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    size_t stride = w->n / samples;
    (*sample)[s] = load(w, s * stride + (size_t)((state >> 33) % stride));
  }
  ank_sort_words(*sample, *sample + samples, samples);
  return ANORANK_OK;
}

static inline size_t bucket_of(const ank_plan *plan, uint64_t key, ank_partition_kind kind, uint64_t row,
                               uint64_t *word) {
  uint64_t relative = (key - plan->least) >> plan->zeros, mask = ((uint64_t)1 << plan->cell_shift) - 1;
  size_t cell = (size_t)(relative >> plan->cell_shift);
  uint64_t inside = relative & mask;
  unsigned shift = plan->cell[cell].shift;
  size_t bucket = plan->cell[cell].base + (size_t)(inside >> shift);
  if (kind == ANK_PACKED_FROM_DOUBLES) {
    uint64_t below = inside & (((uint64_t)1 << shift) - 1);
    *word = (below >> plan->cell[cell].left_out) << plan->row_bits | row;
  } else {
    *word = key;
  }
  return bucket;
}

static anorank_status count(void *context, size_t chunk, anorank_error *err) {
  (void)err;
  work *w = context;
  const ank_plan *plan = w->plan;
  size_t *counts = w->place + chunk * plan->buckets, end = chunk_begin(w, chunk + 1);
  memset(counts, 0, plan->buckets * sizeof *counts);
  for (size_t i = chunk_begin(w, chunk); i < end; i++) {
    uint64_t unused;
    counts[bucket_of(plan, load(w, i), ANK_KEYS_FROM_WORDS, 0, &unused)]++;
  }
  return ANORANK_OK;
}

static anorank_status move(void *context, size_t chunk, anorank_error *err) {
  (void)err;
  work *w = context;
  const ank_plan *plan = w->plan;
  size_t *place = w->place + chunk * plan->buckets, end = chunk_begin(w, chunk + 1);
  ank_partition_kind kind = w->kind;
  for (size_t i = chunk_begin(w, chunk); i < end; i++) {
    uint64_t word;
    size_t bucket = bucket_of(plan, load(w, i), kind, i, &word);
    w->target[place[bucket]++] = word;
  }
  return ANORANK_OK;
}

/* Turn counts into positions: bucket by bucket, and inside a bucket chunk by chunk. */
static void lay_out(const work *w, size_t *start) {
  size_t sum = 0, buckets = w->plan->buckets;
  for (size_t b = 0; b < buckets; b++) {
    start[b] = sum;
    for (size_t c = 0; c < w->chunks; c++) {
      size_t *place = &w->place[c * buckets + b], here = *place;
      *place = sum;
      sum += here;
    }
  }
  start[buckets] = sum;
}

anorank_status ank_partition_make(ank_partition *out, ank_word *target, const ank_word *source, size_t n,
                                  ank_partition_kind kind, const anorank_settings *settings,
                                  anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_word *sample = NULL;
  size_t samples, chunks = n / LEAST_CHUNK;
  if (chunks < 1) chunks = 1;
  if (chunks > MOST_CHUNKS) chunks = MOST_CHUNKS;
  work w = {.kind = kind, .source = source, .target = target, .n = n, .plan = &out->plan};
  w.chunk_size = (n + chunks - 1) / chunks;
  w.chunks = (n + w.chunk_size - 1) / w.chunk_size;
  out->start = NULL;
  ANK_TRY(ank_parallel(settings, w.chunks, find_range, &w, err));
  chunk_range range = whole_range(&w);
  out->sorted = range.sorted;
  if (range.sorted) goto done;
  ANK_TRY(draw_sample(&sample, &samples, &w, err));
  make_plan(&out->plan, &w, range, sample, samples);
  ANK_TRY(ank_alloc_raw(&out->start, out->plan.buckets + 1, sizeof *out->start, err));
  ANK_TRY(ank_alloc_raw(&w.place, w.chunks * out->plan.buckets, sizeof *w.place, err));
  ANK_TRY(ank_parallel(settings, w.chunks, count, &w, err));
  lay_out(&w, out->start);
  ANK_TRY(ank_parallel(settings, w.chunks, move, &w, err));
done:
  ank_free(sample);
  ank_free(w.place);
  if (status != ANORANK_OK) {
    ank_free(out->start);
    out->start = NULL;
  }
  return status;
}
