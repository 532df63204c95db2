/* search_body.h - the walk of search.h, compiled once per instruction set.
 *
 * For one row: compute the distance to the box of every cell. Then visit the nearest references of the
 * nearest cells, so that the k-th smallest distance so far soon gives a bound ("worst"). Then visit every
 * cell whose box is not farther than that. In a cell, codes give an estimate for each reference, and those
 * that can be near enough are added to a list. When the list has some, and at the end, their distances are
 * computed, and the bound shrinks.
 *
 * Proof that no neighbour is lost. A reference r at computed distance D must be visited if D <= worst (equal
 * distances are ordered by index).
 *
 * (1) Boxes. The distance to a box is computed like other distances, with max(low - x, x - high, 0) in place
 * of the difference. Rounding is monotone, so each rounded difference of a reference inside is at least as
 * large in magnitude, and so is every fused sum: D >= gap, without any margin.
 *
 * (2) Codes. Clamping to a box and shortening to a ball are projections onto convex sets, which never
 * increase the distance of two rows. So if q are the codes, and m the rounding errors of rows in steps,
 *     |q_x - q_r| <= |x - r| / step + m_x + m_r.
 * A computed sum of d squares has relative error below (d + 2) 2^-24 and underflows by less than d 2^-149, so
 * D <= worst implies |x - r| <= sqrt(worst) (1 + slack) + sqrt(d) 1e-22 with slack = (d + 2) 2^-24. The
 * estimate of r is e_r = floor(|q_r|^2 / 2) - q_x . q_r, so |q_x|^2 + 2 e_r <= |q_x - q_r|^2, and r is
 * skipped if that exceeds the square of the right side. Estimates are exact in 16 bits, as no row of codes is
 * longer than LENGTH. Products of bytes need one unsigned side, so rows hold q_x + MOST. The base of a
 * reference, its estimate before any product is subtracted, compensates for that, modulo 2^16.
 *
 * The including file defines, for eight floats `vec` (GCC vector extension; vec_anywhere in memory):
 *   SPLAT(v, x)        all lanes of v become x
 *   ADD_SQUARE(sum, d) sum = fma(d, d, sum)
 *   MAXIMUM(high, v)   high = v > high ? v : high
 *   MINIMUM(low, v)    low = v < low ? v : low
 * and the functions
 *   estimate           the estimates of a cell's references, and a mark for each that is not above the limit
 *   mark               the marks alone
 *   scale_up           (norm + 2 estimate) square for the references of a cell
 *   mark_within        a mark for each of them that is not above the limit
 *   count_within       how many of several numbers are not above a limit; they are padded
 *   ranks              for each of several numbers, how many are below it; they are padded
 *   distances          from a row to up to FLOATS references; a bit for each: is it not above `worst`?
 *   not_above_worst    a bit for each of FLOATS distances: is it not above `worst`?
 *   lane_distances     the same for STRETCH neighbours in the order, from search->lanes
 * and TABLE, the name of the row that this file fills. */
#include <math.h>
#include <string.h>

enum {
  NEAR_CELLS = 3,        /* visited first */
  MOST_NEAR = 6,         /* more of them, for more neighbours */
  RANKED = 128,          /* up to this many keys are sorted by counting */
  ENOUGH = 8 * ANK_CELL, /* scanned references that test whether codes help */
  DENSE = 8,             /* give codes up when more than one reference in this many was computed */
  VECTORS = 2,           /* of references, in a tile */
  STEP = VECTORS * ANK_FLOATS,
  CACHED_FLOATS = 2048 /* of references, that many rows meet */
};

/* ---- the k best --------------------------------------------------------------------------------------- */

/* Return the greatest of `count` values, all finite and at least 0. */
static float greatest(const float *values, size_t count) {
  vec high, more;
  float lane[ANK_FLOATS], most;
  SPLAT(high, 0.0F);
  for (size_t i = 0; i < count / ANK_FLOATS * ANK_FLOATS; i += ANK_FLOATS) {
    LOAD(more, values + i);
    MAXIMUM(high, more);
  }
  STORE(lane, high);
  most = lane[0];
  for (size_t l = 1; l < ANK_FLOATS; l++) most = lane[l] > most ? lane[l] : most;
  for (size_t i = count / ANK_FLOATS * ANK_FLOATS; i < count; i++) most = values[i] > most ? values[i] : most;
  return most;
}

/* Return a limit that at least k values are within, and hardly more. All values are at least 0, k are not
 * above `high`, and infinite ones pad the last vector. */
static float limit_of_best(const float *values, size_t count, size_t k, float high) {
  float low = 0;
  for (int turn = 0; turn < 16; turn++) {
    float middle = low + (high - low) / 2;
    size_t within = count_within(values, count, middle);
    if (within < k) {
      low = middle;
      continue;
    }
    high = middle;
    if (within <= k + k / 4) break;
  }
  return high;
}

/* Sort keys by counting the smaller distances of each: no branch depends on them. Returns 0 if some are
 * equal. */
static int rank_keys(ank_seeker *seeker) {
  uint32_t rank[RANKED + ANK_FLOATS], sum = 0, count = (uint32_t)seeker->reference_set;
  ranks(rank, seeker->distance, count);
  for (size_t i = 0; i < count; i++) sum += rank[i];
  if (sum != count * (count - 1) / 2) return 0;
  for (size_t i = 0; i < count; i++) {
    uint32_t bits;
    memcpy(&bits, &seeker->distance[i], sizeof bits);
    seeker->keys[rank[i]] = (uint64_t)bits << 32 | seeker->place[i];
  }
  return 1;
}

/* Sort keys by counting, with equal distances. */
static void rank_ties(ank_seeker *seeker) {
  int64_t all[RANKED];
  size_t count = seeker->reference_set;
  for (size_t i = 0; i < count; i++) all[i] = (int64_t)seeker->keys[i]; /* distances have no sign */
  for (size_t i = 0; i < count; i++) {
    int64_t below = 0;
    for (size_t j = 0; j < count; j++) below += all[j] < all[i];
    seeker->keys[below] = (uint64_t)all[i];
  }
}

static void sort_keys(ank_seeker *seeker) {
  if (seeker->reference_set <= RANKED && rank_keys(seeker)) return;
  for (size_t i = 0; i < seeker->reference_set; i++) {
    uint32_t bits;
    memcpy(&bits, &seeker->distance[i], sizeof bits);
    seeker->keys[i] = (uint64_t)bits << 32 | seeker->place[i];
  }
  if (seeker->reference_set <= RANKED)
    rank_ties(seeker);
  else
    ank_sort_words(seeker->keys, seeker->keys + seeker->room, seeker->reference_set);
}

/* Pad to a whole vector. */
static void pad(ank_seeker *seeker) {
  for (size_t i = 0; i < ANK_FLOATS; i++) seeker->distance[seeker->reference_set + i] = INFINITY;
}

/* Drop keys above the limit. */
static void narrow(ank_seeker *seeker, float limit) {
  size_t left = 0;
  for (size_t i = 0; i < seeker->reference_set; i++) {
    float distance = seeker->distance[i];
    seeker->distance[left] = distance;
    seeker->place[left] = seeker->place[i];
    left += distance <= limit;
  }
  seeker->reference_set = left;
}

/* Keep the k best and hardly more, or with `exactly`, exactly k in order, unless there are fewer. */
static void sort_out(ank_seeker *seeker, int exactly) {
  size_t k = seeker->k;
  if (seeker->reference_set < k) return;
  pad(seeker);
  float most = greatest(seeker->distance, seeker->reference_set);
  if (seeker->reference_set > k + k / 4) {
    most = limit_of_best(seeker->distance, seeker->reference_set, k, most);
    narrow(seeker, most);
    pad(seeker);
  }
  seeker->worst = most;
  seeker->worst_place = UINT32_MAX;
  if (!exactly && seeker->reference_set <= k + k / 4) return;
  sort_keys(seeker);
  for (size_t i = 0; i < k; i++) {
    uint32_t bits = (uint32_t)(seeker->keys[i] >> 32);
    memcpy(&seeker->distance[i], &bits, sizeof bits);
    seeker->place[i] = (uint32_t)seeker->keys[i];
  }
  seeker->worst = seeker->distance[k - 1];
  seeker->worst_place = seeker->place[k - 1];
  seeker->reference_set = k;
}

/* Keep those of FLOATS references that are marked in `near`. */
static void keep(ank_seeker *seeker, const float distance[ANK_FLOATS], const uint32_t place[ANK_FLOATS],
                 unsigned near) {
  size_t reference_set = seeker->reference_set;
  if (seeker->worst_place != UINT32_MAX)
    for (size_t i = 0; i < ANK_FLOATS; i++)
      if (distance[i] >= seeker->worst && place[i] > seeker->worst_place) near &= ~(1U << i);
  for (size_t i = 0; i < ANK_FLOATS; i++) {
    seeker->distance[reference_set] = distance[i];
    seeker->place[reference_set] = place[i];
    reference_set += near >> i & 1;
  }
  seeker->reference_set = reference_set;
  if (reference_set > seeker->room - 2 * ANK_FLOATS) sort_out(seeker, 0);
}

/* ---- some references ---------------------------------------------------------------------------------- */

/* Compute the references numbered in `list`. */
static void look_at(const ank_search *search, ank_seeker *seeker, const uint32_t *list, size_t count) {
  for (size_t from = 0; from < count; from += ANK_FLOATS) {
    size_t some = count - from < ANK_FLOATS ? count - from : ANK_FLOATS;
    const float *reference[ANK_FLOATS];
    float distance[ANK_FLOATS];
    uint32_t place[ANK_FLOATS];
    for (size_t i = 0; i < ANK_FLOATS; i++) {
      uint32_t at = list[from + (i < some ? i : 0)];
      reference[i] = search->rows + at * search->dim;
      place[i] = search->places[at];
    }
    unsigned near = distances(distance, seeker->row, reference, search->dim, some, seeker->worst);
    if (near) keep(seeker, distance, place, near);
  }
  seeker->looked_at += count;
}

/* ---- codes -------------------------------------------------------------------------------------------- */

/* Encode the row in the region of a cell. */
static void encode_row(const ank_search *search, ank_seeker *seeker, size_t cell) {
  const ank_region *region = &search->region[search->region_of[cell]];
  double norm = 0, moved = ank_search_round(seeker->whole, search, search->region_of[cell], seeker->row);
  if (search->dim % 2) seeker->codes[search->pairs - 1] = 0;
  for (size_t j = 0; j < search->dim; j++) {
    uint32_t code = (uint32_t)((int)seeker->whole[j] + ANK_SEARCH_MOST) * 0x10001;
    norm += seeker->whole[j] * seeker->whole[j];
    seeker->codes[j / 2] = j % 2 ? seeker->codes[j / 2] | code << 8 : code;
  }
  seeker->region = region;
  seeker->norm = norm;
  seeker->moved = moved + region->moved;
  seeker->limit_for = -1;
}

/* Encode the row in the region of a cell, unless it already is. */
static inline void encode(const ank_search *search, ank_seeker *seeker, size_t cell) {
  if (seeker->region != &search->region[search->region_of[cell]]) encode_row(search, seeker, cell);
}

static void find_limit(const ank_search *search, ank_seeker *seeker) {
  double dim = (double)search->dim, slack = 1 + (dim + 8) * 0x1p-23;
  double length =
      (sqrt((double)seeker->worst) * slack + sqrt(dim) * 1e-22) * seeker->region->per_step + seeker->moved;
  double limit = (length * length * (1 + 1e-9) - seeker->norm) / 2;
  seeker->limit = limit < ANK_NO_ESTIMATE - 1 ? (int)floor(limit) : ANK_NO_ESTIMATE - 1;
  seeker->limit_for = seeker->worst;
}

/* ---- the list ----------------------------------------------------------------------------------------- */

static void clear_list(const ank_search *search, ank_seeker *seeker) {
  look_at(search, seeker, seeker->list, seeker->listed);
  seeker->listed = 0;
  sort_out(seeker, 0);
  seeker->give_up = seeker->scanned >= ENOUGH && seeker->looked_at > seeker->scanned / DENSE;
}

/* Mostly few are marked, unpredictably many. Three are always written, and count only if marked. */
static inline uint32_t *list_marked(uint32_t *list, uint64_t marks, size_t first) {
  uint32_t *end = list + __builtin_popcountll(marks);
  for (size_t i = 0; i < 3; i++, marks &= marks - 1)
    list[i] = (uint32_t)first + (uint32_t)__builtin_ctzll(marks | (uint64_t)1 << 63);
  for (list += 3; list < end; marks &= marks - 1)
    *list++ = (uint32_t)first + (uint32_t)__builtin_ctzll(marks);
  return end;
}

/* Add the marked references of a cell to the list. */
static inline void list_references(const ank_search *search, ank_seeker *seeker, ank_marks near,
                                   size_t cell) {
  uint32_t *end = seeker->list + seeker->listed;
  end = list_marked(end, near.first, cell * ANK_CELL);
  end = list_marked(end, near.second, cell * ANK_CELL + 64);
  seeker->listed = (size_t)(end - seeker->list);
  if (seeker->listed > ANK_LISTED) clear_list(search, seeker);
}

/* ---- one cell ----------------------------------------------------------------------------------------- */

static int is_wanted(const ank_seeker *seeker, size_t cell) { /* not too far, and not visited yet */
  return seeker->gaps[cell] <= seeker->worst && seeker->gaps[cell] < INFINITY;
}

/* With `estimates` NULL, compute the marks alone. */
static inline ank_marks estimate_cell(int16_t *estimates, const ank_search *search, const ank_seeker *seeker,
                                      size_t cell, int limit) {
  return estimate(estimates, seeker->codes, search->codes + cell * search->pairs * 2 * ANK_CELL,
                  search->bases + cell * ANK_CELL, search->pairs, limit);
}

/* Compute all references of a cell. */
static void visit_alone(const ank_search *search, ank_seeker *seeker, size_t cell) {
  size_t at = cell * ANK_CELL, end = at + ANK_CELL < search->count ? at + ANK_CELL : search->count;
  for (; at < end; at += ANK_STRETCH) {
    float distance[ANK_STRETCH];
    unsigned near =
        lane_distances(distance, seeker->row, search->lanes + at * search->dim, search->dim, seeker->worst);
    if (end - at < ANK_STRETCH) near &= (1U << (end - at)) - 1;
    for (size_t i = 0; i < ANK_STRETCH && near >> i; i += ANK_FLOATS)
      keep(seeker, distance + i, search->places + at + i, near >> i & 0xff);
  }
}

/* Visit references [at, end) with TILE rows, in which a row may be repeated. */
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
        vec x, difference, reference;
        SPLAT(x, row[i][j]); /* cppcheck-suppress uninitvar ; SPLAT writes it */
        LOAD(reference, lanes);
        SUBTRACT(difference, x, reference);
        ADD_SQUARE(sum[i][0], difference);
        LOAD(reference, next);
        SUBTRACT(difference, x, reference);
        ADD_SQUARE(sum[i][1], difference);
      }
    for (size_t i = 0; i < count; i++) { /* mostly, none is near */
      float distance[ANK_FLOATS];
      vec least = sum[i][0];
      MINIMUM(least, sum[i][1]);
      STORE(distance, least);
      if (!not_above_worst(distance, tile[i]->worst)) continue;
      for (size_t v = 0; v < VECTORS && at + v * ANK_FLOATS < end; v++) {
        size_t from = at + v * ANK_FLOATS;
        STORE(distance, sum[i][v]);
        unsigned near = not_above_worst(distance, tile[i]->worst);
        if (end - from < ANK_FLOATS) near &= (1U << (end - from)) - 1;
        if (near) keep(tile[i], distance, search->places + from, near);
      }
    }
  }
}

/* Visit a part of a cell, which fits the first-level cache, with all rows: used where codes decide too
 * little. */
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

/* Visit the wanted cells, and list the references that may be near enough. */
static int visit(const ank_search *search, ank_seeker *seeker, size_t from, size_t to) {
  uint32_t cells[ANK_CHUNK + 1];
  size_t wanted = 0;
  float worst = seeker->worst;
  if (!(worst < INFINITY) || seeker->give_up) return 0;
  for (size_t cell = from; cell < to; cell++) { /* no unpredictable branch */
    cells[wanted] = (uint32_t)cell;
    wanted += seeker->gaps[cell] <= worst;
  }
  for (size_t i = 0; i < wanted; i++) {
    encode(search, seeker, cells[i]);
    if (seeker->limit_for != seeker->worst) find_limit(search, seeker);
    list_references(search, seeker, estimate_cell(NULL, search, seeker, cells[i], seeker->limit), cells[i]);
  }
  seeker->scanned += wanted * ANK_CELL;
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
      LOAD(below, low);
      LOAD(gap, high);
      SUBTRACT(below, below, x);
      SUBTRACT(gap, x, gap);
      MAXIMUM(gap, below);
      MAXIMUM(gap, zero);
      ADD_SQUARE(sum, gap);
    }
    STORE(seeker->gaps + cell, sum);
  }
}

/* Return the cell with the least gap, cells_up if none is a number. */
static size_t least_gap(const float *gaps, size_t cells_up) {
  vec low, next;
  float lane[ANK_FLOATS], least;
  size_t at = 0;
  unsigned here = 0;
  LOAD(low, gaps);
  for (size_t i = ANK_FLOATS; i < cells_up; i += ANK_FLOATS) {
    LOAD(next, gaps + i);
    MINIMUM(low, next);
  }
  STORE(lane, low);
  least = lane[0];
  for (size_t l = 1; l < ANK_FLOATS; l++) least = lane[l] < least ? lane[l] : least;
  while (at < cells_up && !(here = not_above_worst(gaps + at, least))) at += ANK_FLOATS;
  return at < cells_up ? at + (size_t)__builtin_ctz(here) : at;
}

/* Visit the k nearest of the nearest cells, by their estimates. Then list all that may be nearer. */
static void visit_first(const ank_search *search, ank_seeker *seeker, const size_t *cells, size_t count) {
  int16_t estimates[MOST_NEAR][ANK_CELL];
  float about[MOST_NEAR * ANK_CELL], high = 0;
  ank_marks near[MOST_NEAR], rest;
  for (size_t c = 0; c < count; c++) {
    float *own = about + c * ANK_CELL, most;
    encode(search, seeker, cells[c]);
    estimate_cell(estimates[c], search, seeker, cells[c], 0);
    scale_up(own, estimates[c], (float)seeker->norm, (float)(seeker->region->step * seeker->region->step));
    most = greatest(own, ANK_CELL);
    high = most > high ? most : high;
    for (size_t i = search->count - cells[c] * ANK_CELL; i < ANK_CELL; i++) own[i] = INFINITY;
  }
  high = limit_of_best(about, count * ANK_CELL, seeker->k, high);
  for (size_t c = 0; c < count; c++) {
    near[c] = mark_within(about + c * ANK_CELL, high);
    list_references(search, seeker, near[c], cells[c]);
  }
  clear_list(search, seeker);
  seeker->scanned += count * ANK_CELL;
  for (size_t c = 0; c < count; c++) {
    encode(search, seeker, cells[c]);
    find_limit(search, seeker);
    rest = mark(estimates[c], seeker->limit);
    rest.first &= ~near[c].first;
    rest.second &= ~near[c].second;
    list_references(search, seeker, rest, cells[c]);
  }
}

/* A row that is not finite has no neighbours, but gets a result. */
static void set_no_neighbours(ank_seeker *seeker) {
  for (size_t i = 0; i < seeker->k; i++) {
    seeker->distance[i] = INFINITY;
    seeker->place[i] = 0;
  }
  seeker->reference_set = seeker->k;
}

static void start(const ank_search *search, ank_seeker *seeker) {
  size_t cells[MOST_NEAR], count = 0, holds = 0;
  seeker->worst = INFINITY;
  seeker->worst_place = UINT32_MAX;
  seeker->reference_set = seeker->listed = seeker->scanned = seeker->looked_at = 0;
  seeker->region = NULL;
  if (search->pairs == 0) seeker->give_up = 1;
  find_gaps(search, seeker);
  while (seeker->reference_set < seeker->k) {
    while (count < MOST_NEAR && (count < NEAR_CELLS || holds < 2 * seeker->k)) {
      size_t cell = least_gap(seeker->gaps, search->cells_up);
      if (cell == search->cells_up || !(seeker->gaps[cell] < INFINITY)) break;
      holds += cell + 1 < search->cells ? ANK_CELL : search->count - cell * ANK_CELL;
      seeker->gaps[cell] = INFINITY;
      cells[count++] = cell;
      if (seeker->give_up) break;
    }
    if (holds >= seeker->k && !seeker->give_up) {
      visit_first(search, seeker, cells, count);
      return;
    }
    if (count == 0) set_no_neighbours(seeker);
    for (size_t c = 0; c < count; c++) visit_alone(search, seeker, cells[c]);
    count = holds = 0;
  }
  sort_out(seeker, 0);
}

static void finish(const ank_search *search, ank_seeker *seeker) {
  clear_list(search, seeker);
  sort_out(seeker, 1);
}

const ank_search_kernels TABLE = {start, visit, visit_wholly, finish};
