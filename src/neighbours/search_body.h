/* search_body.h - the walk of search.h, compiled once per instruction set.
 *
 * For one row: the distance to the box of every cell; the cells where the nearest references are likely
 * first, so that the k-th smallest distance so far ("worst") is soon small; then every cell whose box is not
 * farther than that. In a cell, the codes of the references tell which of them can be near enough, and only
 * their distances are computed.
 *
 * Why nothing is lost. A reference r at computed distance D must be looked at if D <= worst (equal distances
 * are ordered by place).
 *
 * (1) Boxes. The distance to a box is computed as distances are, with max(low - x, x - high, 0) in place of
 * the difference. Rounding is monotone, so each rounded difference of a reference inside is at least as
 * large in magnitude, and so is every fused sum: D >= gap, without any margin.
 *
 * (2) Codes. Let g_j be the distance of x_j to the range of the bin of r_j, so that |x_j - r_j| >= g_j, and
 * let the table hold t_j <= scale g_j^2, a whole number up to 255, for every column and bin. A computed sum
 * of d squares has relative error below (d + 2) 2^-24 and underflows by less than d 2^-149, so D <= worst
 * implies, with slack = (d + 8) 2^-23,
 *     sum t_j <= scale |x - r|^2 <= scale (worst (1 + slack) + d 1e-44).
 * Sums above that, rounded up, are passed over; they are cut at 255, and the limit is below that. The table
 * itself is computed in single precision and therefore made from 1 - 1e-5 times the scale. With scale <= 1e30
 * the last term is below 1e-6 for d <= 10^8.
 *
 * The including file defines, for eight floats `vec` (GCC vector extension; vec_anywhere in memory):
 *   SPLAT(v, x)        all lanes of v become x
 *   ADD_SQUARE(sum, d) sum = fma(d, d, sum)
 *   MAXIMUM(high, v)   high = v > high ? v : high
 *   MINIMUM(low, v)    low = v < low ? v : low
 * and the functions
 *   table_column       the table's part of one column
 *   add_up             the sums of a cell's references, cut at 255
 *   mark               a bit for each sum: is it not above the limit?
 *   scan               both at once: a bit for each reference of a cell: is its sum not above the limit?
 *   distances          from a row to up to FLOATS references; a bit for each: is it not above `worst`?
 *   not_above_worst    a bit for each of FLOATS distances: is it not above `worst`?
 *   lane_distances     the same for STRETCH neighbours in the order, from search->lanes
 * and TABLE, the name of the row that this file fills. */
#include <math.h>
#include <string.h>

enum {
  NEAR_CELLS = 3,        /* visited first */
  FEW = 32,              /* up to so many keys are kept in order */
  TOP = 250,             /* of the table's range: what `worst` is when the table is made */
  LOW = 90,              /* below this the table is too coarse */
  ENOUGH = 8 * ANK_CELL, /* scanned references that tell whether codes are of use */
  DENSE = 8,             /* codes are given up when more than one in so many references had to be looked at */
  MOST_LIKELY = 48,      /* for more neighbours than this there is no guessing */
  VECTORS = 2,           /* of references, in a tile */
  STEP = VECTORS * ANK_FLOATS,
  CACHED_FLOATS = 2048 /* of references, that many rows meet */
};

/* ---- the k best --------------------------------------------------------------------------------------- */

static void keep_in_heap(uint64_t *heap, size_t k, uint64_t key) {
  size_t at = 0, child;
  while ((child = 2 * at + 1) < k) {
    if (child + 1 < k && heap[child + 1] > heap[child]) child++;
    if (heap[child] <= key) break;
    heap[at] = heap[child];
    at = child;
  }
  heap[at] = key;
}

static void keep_in_order(uint64_t *keys, size_t k, uint64_t key) {
  size_t at = k - 1;
  for (; at > 0 && keys[at - 1] > key; at--) keys[at] = keys[at - 1];
  keys[at] = key;
}

static void keep(ank_seeker *seeker, float distance, uint32_t place) {
  uint32_t bits;
  memcpy(&bits, &distance, sizeof bits);
  uint64_t key = (uint64_t)bits << 32 | place,
           *largest = seeker->keys + (seeker->k <= FEW ? seeker->k - 1 : 0);
  if (key >= *largest) return;
  if (seeker->k <= FEW)
    keep_in_order(seeker->keys, seeker->k, key);
  else
    keep_in_heap(seeker->keys, seeker->k, key);
  bits = (uint32_t)(*largest >> 32);
  memcpy(&seeker->worst, &bits, sizeof bits);
}

/* ---- one cell ----------------------------------------------------------------------------------------- */

static void make_table(const ank_search *search, ank_seeker *seeker, float top) {
  float unit;
  seeker->scale = top > 1e-27F ? (float)TOP / top : 1e29F;
  unit = seeker->scale * (1 - 1e-5F);
  for (size_t j = 0; j < search->dim; j++)
    table_column(seeker->table + j * ANK_BINS, seeker->row[j], search->bin_low + j * ANK_BINS,
                 search->bin_high + j * ANK_BINS, unit);
}

/* Sums up to this may belong to what is wanted. `worst` is finite. The table is made anew when `worst` has
 * become too small, or is too large, for its scale. */
static unsigned code_limit(const ank_search *search, ank_seeker *seeker) {
  double slack = ((double)search->dim + 8) * 0x1p-23, needed = (double)seeker->worst * (1 + slack);
  double limit = needed * (double)seeker->scale + 1;
  if (!(seeker->scale > 0) || !(limit < 255) || (limit < LOW && seeker->worst > 1e-27F)) {
    make_table(search, seeker, seeker->worst);
    limit = needed * (double)seeker->scale + 1;
  }
  return (unsigned)limit;
}

/* The references numbered in `list`. */
static void look_at(const ank_search *search, ank_seeker *seeker, const uint32_t *list, size_t count) {
  for (size_t from = 0; from < count; from += ANK_FLOATS) {
    size_t some = count - from < ANK_FLOATS ? count - from : ANK_FLOATS;
    const float *reference[ANK_FLOATS];
    float distance[ANK_FLOATS];
    for (size_t i = 0; i < ANK_FLOATS; i++)
      reference[i] = search->rows + list[from + (i < some ? i : 0)] * search->dim;
    unsigned near = distances(distance, seeker->row, reference, search->dim, some, seeker->worst);
    for (; near; near &= near - 1) {
      unsigned i = (unsigned)__builtin_ctz(near);
      keep(seeker, distance[i], search->places[list[from + i]]);
    }
  }
}

/* Nothing stands in the last places of the last cell. */
static void cut_off(uint64_t near[ANK_CELL_WORDS], const ank_search *search, size_t cell) {
  size_t count = search->count - cell * ANK_CELL, word = count / 64;
  if (count >= ANK_CELL) return;
  near[word] &= ((uint64_t)1 << count % 64) - 1;
  for (word++; word < ANK_CELL_WORDS; word++) near[word] = 0;
}

static size_t put_on_list(uint32_t *list, const ank_search *search, uint64_t bits, uint32_t first) {
  size_t found = 0;
  for (; bits; bits &= bits - 1) {
    list[found] = first + (uint32_t)__builtin_ctzll(bits);
    __builtin_prefetch(search->rows + list[found++] * search->dim);
  }
  return found;
}

static void look_at_marked(const ank_search *search, ank_seeker *seeker, const uint64_t near[ANK_CELL_WORDS],
                           size_t cell) {
  uint32_t list[ANK_CELL];
  size_t found = 0;
  for (size_t w = 0; w < ANK_CELL_WORDS; w++)
    found += put_on_list(list + found, search, near[w], (uint32_t)(cell * ANK_CELL + w * 64));
  look_at(search, seeker, list, found);
}

static void sums_of(uint8_t sums[ANK_CELL], const ank_search *search, const ank_seeker *seeker, size_t cell) {
  add_up(sums, seeker->table, search->codes + cell * search->dim * ANK_CELL, search->dim);
}

/* The references of the cell that are likely to be among the nearest, at least k; 0 if
 * there is no telling. */
static int likely_ones(uint64_t near[ANK_CELL_WORDS], const ank_search *search, ank_seeker *seeker,
                       size_t cell) {
  uint8_t sums[ANK_CELL];
  unsigned limit = 0;
  make_table(search, seeker, seeker->gaps[cell] + search->usual[cell]);
  sums_of(sums, search, seeker, cell);
  for (unsigned step = 128; step >= 4; step /= 2) { /* the largest limit that fewer than k are within */
    size_t within = 0;
    mark(near, sums, limit + step);
    cut_off(near, search, cell);
    for (size_t w = 0; w < ANK_CELL_WORDS; w++) within += (size_t)__builtin_popcountll(near[w]);
    if (within < seeker->k) limit += step;
  }
  limit += 4;
  if (limit >= 252) return 0; /* and so it is if fewer than k were within any */
  mark(near, sums, limit);
  cut_off(near, search, cell);
  return 1;
}

static int is_wanted(const ank_seeker *seeker, size_t cell) { /* not too far, and not visited yet */
  return seeker->gaps[cell] <= seeker->worst && seeker->gaps[cell] < INFINITY;
}

/* All references of the cells, before k were seen. */
static void visit_alone(const ank_search *search, ank_seeker *seeker, size_t from, size_t to) {
  for (size_t cell = from; cell < to; cell++) {
    size_t at = cell * ANK_CELL, end = at + ANK_CELL < search->count ? at + ANK_CELL : search->count;
    if (!is_wanted(seeker, cell)) continue;
    for (; at < end; at += ANK_STRETCH) {
      float distance[ANK_STRETCH];
      unsigned near =
          lane_distances(distance, seeker->row, search->lanes + at * search->dim, search->dim, seeker->worst);
      for (; near; near &= near - 1) {
        unsigned i = (unsigned)__builtin_ctz(near);
        if (at + i < end) keep(seeker, distance[i], search->places[at + i]);
      }
    }
  }
}

/* TILE rows, references [at, end); a row that stands there twice is the same one. */
static void visit_part(const ank_search *search, ank_seeker *const tile[ANK_TILE], size_t count, size_t at,
                       size_t end) {
  const float *row[ANK_TILE];
  for (size_t i = 0; i < ANK_TILE; i++) row[i] = tile[i]->row;
  for (; at < end; at += STEP) {
    const float *lanes = search->lanes + at * search->dim, *next = lanes + search->dim * ANK_FLOATS;
    vec sum[ANK_TILE][VECTORS];
    for (size_t i = 0; i < ANK_TILE; i++)
      for (size_t v = 0; v < VECTORS; v++) SPLAT(sum[i][v], 0.0F);
    for (size_t j = 0; j < search->dim; j++, lanes += ANK_FLOATS, next += ANK_FLOATS)
      for (size_t i = 0; i < ANK_TILE; i++) {
        vec x, difference;
        SPLAT(x, row[i][j]); /* cppcheck-suppress uninitvar ; SPLAT writes it */
        difference = x - *(const vec_anywhere *)lanes;
        ADD_SQUARE(sum[i][0], difference);
        difference = x - *(const vec_anywhere *)next;
        ADD_SQUARE(sum[i][1], difference);
      }
    for (size_t i = 0; i < count; i++) { /* mostly, nothing is near */
      float distance[STEP];
      vec least = sum[i][0];
      MINIMUM(least, sum[i][1]);
      memcpy(distance, &least, sizeof least);
      if (!not_above_worst(distance, tile[i]->worst)) continue;
      memcpy(distance, sum[i], sizeof distance);
      for (size_t r = 0; r < STEP && at + r < end; r++)
        if (distance[r] <= tile[i]->worst) keep(tile[i], distance[r], search->places[at + r]);
    }
  }
}

/* Where codes tell too little: a part of a cell, which stays in the first cache, meets all rows. */
static void visit_wholly(const ank_search *search, ank_seeker **seekers, size_t count, size_t from,
                         size_t to) {
  size_t part = CACHED_FLOATS / search->dim / STEP * STEP, end = to * ANK_CELL;
  if (part < STEP) part = STEP;
  if (end > search->count) end = search->count;
  for (size_t at = from * ANK_CELL, next; at < end && count > 0; at = next) {
    size_t cell = at / ANK_CELL, cell_end = (cell + 1) * ANK_CELL < end ? (cell + 1) * ANK_CELL : end;
    next = at + part < cell_end ? at + part : cell_end;
    for (size_t i = 0; i < count;) {
      ank_seeker *tile[ANK_TILE];
      size_t some = 0;
      for (; some < ANK_TILE && i < count; i++)
        if (is_wanted(seekers[i], cell)) tile[some++] = seekers[i];
      if (some == 0) continue;
      for (size_t t = some; t < ANK_TILE; t++) tile[t] = tile[0];
      visit_part(search, tile, some, at, next);
    }
  }
}

/* All of the cell, the likely ones first. */
static void visit_first(const ank_search *search, ank_seeker *seeker, size_t cell) {
  uint64_t first[ANK_CELL_WORDS], near[ANK_CELL_WORDS];
  if (seeker->give_up || seeker->k > MOST_LIKELY || !likely_ones(first, search, seeker, cell)) {
    visit_alone(search, seeker, cell, cell + 1);
    return;
  }
  look_at_marked(search, seeker, first, cell);
  scan(near, seeker->table, search->codes + cell * search->dim * ANK_CELL, search->dim,
       code_limit(search, seeker));
  for (size_t w = 0; w < ANK_CELL_WORDS; w++) near[w] &= ~first[w];
  cut_off(near, search, cell);
  look_at_marked(search, seeker, near, cell);
}

/* Lists are made without branches where they cannot be guessed. */
static int visit(const ank_search *search, ank_seeker *seeker, size_t from, size_t to) {
  uint32_t list[ANK_CHUNK * ANK_CELL], cells[ANK_CHUNK + 1], first[ANK_CHUNK * ANK_CELL_WORDS + 1];
  uint64_t words[ANK_CHUNK * ANK_CELL_WORDS + 1];
  size_t to_visit = 0, marked = 0, found = 0, dim = search->dim;
  float worst = seeker->worst;
  if (!(worst < INFINITY) || seeker->give_up) return 0;
  for (size_t cell = from; cell < to; cell++) {
    cells[to_visit] = (uint32_t)cell;
    to_visit += seeker->gaps[cell] <= worst;
  }
  if (to_visit == 0) return 1;
  unsigned limit = code_limit(search, seeker);
  for (size_t i = 0; i < to_visit; i++) {
    uint64_t near[ANK_CELL_WORDS];
    scan(near, seeker->table, search->codes + cells[i] * dim * ANK_CELL, dim, limit);
    if (cells[i] + 1 == search->cells) cut_off(near, search, cells[i]);
    for (size_t w = 0; w < ANK_CELL_WORDS; w++) {
      words[marked] = near[w];
      first[marked] = cells[i] * ANK_CELL + 64 * (uint32_t)w;
      marked += near[w] != 0;
    }
  }
  for (size_t i = 0; i < marked; i++) found += put_on_list(list + found, search, words[i], first[i]);
  look_at(search, seeker, list, found);
  seeker->scanned += to_visit * ANK_CELL;
  seeker->looked_at += found;
  seeker->give_up = seeker->scanned >= ENOUGH && seeker->looked_at > seeker->scanned / DENSE;
  return 1;
}

/* ---- all cells ---------------------------------------------------------------------------------------- */

static void find_gaps(const ank_search *search, ank_seeker *seeker) {
  const float *low = search->low, *high = search->high;
  for (size_t cell = 0; cell < search->cells_up; cell += ANK_FLOATS) {
    vec sum, zero;
    SPLAT(zero, 0.0F);
    sum = zero;
    for (size_t j = 0; j < search->dim; j++, low += ANK_FLOATS, high += ANK_FLOATS) {
      vec x, below, gap;
      SPLAT(x, seeker->row[j]); /* cppcheck-suppress uninitvar ; SPLAT writes it */
      below = *(const vec_anywhere *)low - x;
      gap = x - *(const vec_anywhere *)high;
      MAXIMUM(gap, below);
      MAXIMUM(gap, zero);
      ADD_SQUARE(sum, gap);
    }
    memcpy(seeker->gaps + cell, &sum, sizeof sum);
  }
}

static size_t least_gap(const float *gaps, size_t cells_up) {
  vec low = *(const vec_anywhere *)gaps;
  float least;
  size_t at = 0;
  for (size_t i = ANK_FLOATS; i < cells_up; i += ANK_FLOATS) MINIMUM(low, *(const vec_anywhere *)(gaps + i));
  least = low[0];
  for (size_t l = 1; l < ANK_FLOATS; l++) least = low[l] < least ? low[l] : least;
  while (gaps[at] > least) at++;
  return at;
}

static void start(const ank_search *search, ank_seeker *seeker) {
  uint32_t bits;
  seeker->worst = INFINITY;
  seeker->scale = 0;
  seeker->scanned = seeker->looked_at = 0;
  memcpy(&bits, &seeker->worst, sizeof bits);
  for (size_t i = 0; i < seeker->k; i++) seeker->keys[i] = (uint64_t)bits << 32;
  find_gaps(search, seeker);
  for (size_t i = 0; i < (seeker->give_up ? 1 : NEAR_CELLS); i++) {
    size_t cell = least_gap(seeker->gaps, search->cells_up);
    if (!is_wanted(seeker, cell)) break;
    if (i == 0)
      visit_first(search, seeker, cell);
    else if (!visit(search, seeker, cell, cell + 1))
      visit_alone(search, seeker, cell, cell + 1);
    seeker->gaps[cell] = INFINITY;
  }
}

static void finish(ank_seeker *seeker) {
  if (seeker->k <= FEW) return;
  for (size_t left = seeker->k; left > 1; left--) {
    uint64_t largest = seeker->keys[0], last = seeker->keys[left - 1];
    keep_in_heap(seeker->keys, left - 1, last);
    seeker->keys[left - 1] = largest;
  }
}

const ank_search_kernels TABLE = {start, visit, visit_wholly, finish};
