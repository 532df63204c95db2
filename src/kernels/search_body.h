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
 * and the functions
 *   table_column       the table's part of one column
 *   scan               a bit for each reference of a cell: is its sum not above the limit?
 *   distances          from a row to up to FLOATS references
 * and TABLE, the name of the row that this file fills. */
#include <math.h>
#include <string.h>

enum {
  NEAR_CELLS = 4, /* visited first */
  FEW = 32,       /* up to so many keys are kept in order */
  TOP = 250       /* of the table's range: what `worst` is when the table is made */
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

/* Without branches: where the key belongs cannot be guessed. */
static void keep_in_order(uint64_t *keys, size_t k, uint64_t key) {
  for (size_t i = k - 1; i > 0; i--) {
    uint64_t low = keys[i] < key ? keys[i] : key, before = keys[i - 1];
    keys[i] = before > key ? before : low;
  }
  keys[0] = keys[0] < key ? keys[0] : key;
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

static void make_table(const ank_search *search, ank_seeker *seeker) {
  float unit;
  seeker->scale = seeker->worst > 1e-27F ? (float)TOP / seeker->worst : 1e29F;
  unit = seeker->scale * (1 - 1e-5F);
  for (size_t j = 0; j < search->dim; j++)
    table_column(seeker->table + j * ANK_BINS, seeker->row[j], search->bin_low + j * ANK_BINS,
                 search->bin_high + j * ANK_BINS, unit);
}

static unsigned code_limit(const ank_search *search, const ank_seeker *seeker) {
  double slack = ((double)search->dim + 8) * 0x1p-23;
  double limit = (double)seeker->worst * (1 + slack) * (double)seeker->scale + 1;
  return limit < 254 ? (unsigned)limit : 254;
}

/* The references numbered in `list`. */
static void look_at(const ank_search *search, ank_seeker *seeker, const uint32_t *list, size_t count) {
  for (size_t from = 0; from < count; from += ANK_FLOATS) {
    size_t some = count - from < ANK_FLOATS ? count - from : ANK_FLOATS;
    const float *reference[ANK_FLOATS];
    float distance[ANK_FLOATS];
    for (size_t i = 0; i < ANK_FLOATS; i++)
      reference[i] = search->rows + list[from + (i < some ? i : 0)] * search->dim;
    distances(distance, seeker->row, reference, search->dim, some);
    for (size_t i = 0; i < some; i++)
      if (distance[i] <= seeker->worst) keep(seeker, distance[i], search->places[list[from + i]]);
  }
}

static void visit_cell(const ank_search *search, ank_seeker *seeker, size_t cell) {
  uint32_t list[ANK_CELL], first = (uint32_t)(cell * ANK_CELL);
  size_t count = search->count - first < ANK_CELL ? search->count - first : ANK_CELL, found = 0;
  if (!(seeker->worst < INFINITY)) {
    for (; found < count; found++) list[found] = first + (uint32_t)found;
  } else {
    uint64_t near[ANK_CELL_WORDS];
    if (!(seeker->scale > 0)) make_table(search, seeker);
    scan(near, seeker->table, search->codes + cell * search->dim * ANK_CELL, search->dim,
         code_limit(search, seeker));
    if (count < ANK_CELL) { /* nothing stands in the last places of the last cell */
      size_t word = count / 64;
      near[word] &= ((uint64_t)1 << count % 64) - 1;
      for (word++; word < ANK_CELL_WORDS; word++) near[word] = 0;
    }
    for (size_t w = 0; w < ANK_CELL_WORDS; w++)
      for (uint64_t left = near[w]; left; left &= left - 1)
        list[found++] = first + (uint32_t)(64 * w) + (uint32_t)__builtin_ctzll(left);
  }
  look_at(search, seeker, list, found);
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

static size_t least_gap(const float *gaps, size_t cells) {
  size_t best = 0;
  for (size_t i = 1; i < cells; i++)
    if (gaps[i] < gaps[best]) best = i;
  return best;
}

static void start(const ank_search *search, ank_seeker *seeker) {
  uint32_t bits;
  seeker->worst = INFINITY;
  seeker->scale = 0;
  memcpy(&bits, &seeker->worst, sizeof bits);
  for (size_t i = 0; i < seeker->k; i++) seeker->keys[i] = (uint64_t)bits << 32;
  find_gaps(search, seeker);
  for (size_t i = 0; i < NEAR_CELLS; i++) {
    size_t cell = least_gap(seeker->gaps, search->cells);
    if (!(seeker->gaps[cell] <= seeker->worst) || !(seeker->gaps[cell] < INFINITY)) break;
    visit_cell(search, seeker, cell);
    seeker->gaps[cell] = INFINITY;
  }
}

static void visit(const ank_search *search, ank_seeker *seeker, size_t from, size_t to) {
  for (size_t cell = from; cell < to; cell++)
    if (seeker->gaps[cell] <= seeker->worst && seeker->gaps[cell] < INFINITY)
      visit_cell(search, seeker, cell);
}

static void finish(ank_seeker *seeker) {
  if (seeker->k <= FEW) return;
  for (size_t left = seeker->k; left > 1; left--) {
    uint64_t largest = seeker->keys[0], last = seeker->keys[left - 1];
    keep_in_heap(seeker->keys, left - 1, last);
    seeker->keys[left - 1] = largest;
  }
}

const ank_search_kernels TABLE = {start, visit, finish};
