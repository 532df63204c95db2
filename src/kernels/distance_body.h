/* distance_body.h - the body of distance.h, compiled once per instruction set.
 *
 * Lanes are references: WIDTH distances are computed side by side, each over the columns in order. A tile is
 * TILE rows by one block: each load is used several times, and enough sums are in flight to hide the latency
 * of the multiply-add.
 *
 * The including file may define WIDTH, 8 floats or 4, and defines, for so many floats `vec` (GCC vector
 * extension):
 *   SPLAT(v, x)        all lanes of v become x
 *   ADD_SQUARE(sum, d) sum = fma(d, d, sum)
 *   MINIMUM(low, v)    low = v < low ? v : low
 * and TABLE, the name of the row that this file fills. */
#ifndef WIDTH
#define WIDTH 8
#endif
enum { VECTORS = ANK_LANES / WIDTH, TILE = 4 };

typedef float vec __attribute__((vector_size(4 * WIDTH)));
typedef float vec_anywhere __attribute__((vector_size(4 * WIDTH), aligned(4), may_alias));

/* Collect the rows of a tile. Past the end the last row is repeated, and its result is ignored. */
static inline void tile_rows(const float *row[TILE], const float *rows, size_t first, size_t count,
                             size_t dim) {
  for (size_t i = 0; i < TILE; i++) row[i] = rows + (first + i < count ? first + i : count - 1) * dim;
}

__attribute__((always_inline)) static inline void
tile_distances(vec sum[TILE][VECTORS], const float *const row[TILE], size_t dim, const float *block) {
  for (size_t i = 0; i < TILE; i++)
    for (size_t v = 0; v < VECTORS; v++) SPLAT(sum[i][v], 0.0F);
  for (size_t j = 0; j < dim; j++, block += ANK_LANES) {
    vec reference[VECTORS];
    for (size_t v = 0; v < VECTORS; v++) reference[v] = *(const vec_anywhere *)(block + v * WIDTH);
    for (size_t i = 0; i < TILE; i++) {
      vec x;
      SPLAT(x, row[i][j]); /* cppcheck-suppress uninitvar ; SPLAT writes it */
      for (size_t v = 0; v < VECTORS; v++) {
        vec difference = x - reference[v];
        ADD_SQUARE(sum[i][v], difference);
      }
    }
  }
}

static void nearest(float *out, const float *rows, size_t count, size_t dim, const float *blocks,
                    size_t block_count) {
  for (size_t first = 0; first < count; first += TILE) {
    const float *row[TILE];
    vec low[TILE][VECTORS], sum[TILE][VECTORS];
    tile_rows(row, rows, first, count, dim);
    tile_distances(low, row, dim, blocks);
    for (size_t b = 1; b < block_count; b++) {
      tile_distances(sum, row, dim, blocks + b * dim * ANK_LANES);
      for (size_t i = 0; i < TILE; i++)
        for (size_t v = 0; v < VECTORS; v++) MINIMUM(low[i][v], sum[i][v]);
    }
    for (size_t i = 0; i < TILE && first + i < count; i++) {
      float least = low[i][0][0];
      for (size_t v = 0; v < VECTORS; v++)
        for (size_t l = 0; l < WIDTH; l++) least = low[i][v][l] < least ? low[i][v][l] : least;
      out[first + i] = least;
    }
  }
}

static void distances(float *out, const float *rows, size_t count, size_t dim, const float *blocks,
                      size_t block_count) {
  for (size_t first = 0; first < count; first += TILE) {
    const float *row[TILE];
    vec sum[TILE][VECTORS];
    tile_rows(row, rows, first, count, dim);
    for (size_t b = 0; b < block_count; b++) {
      tile_distances(sum, row, dim, blocks + b * dim * ANK_LANES);
      for (size_t i = 0; i < TILE && first + i < count; i++)
        for (size_t v = 0; v < VECTORS; v++)
          *(vec_anywhere *)(out + ((first + i) * block_count + b) * ANK_LANES + v * WIDTH) = sum[i][v];
    }
  }
}

/* Compute four references side by side. Past the end the last one is repeated. */
static void to_each(double *out, const float *row, const float *const *references, size_t count, size_t dim) {
  enum { ABREAST = 4 };
  typedef float four __attribute__((vector_size(4 * ABREAST)));
  typedef double wide __attribute__((vector_size(8 * ABREAST)));
  for (size_t first = 0; first < count; first += ABREAST) {
    size_t some = count - first < ABREAST ? count - first : ABREAST;
    const float *r[ABREAST];
    for (size_t i = 0; i < ABREAST; i++) r[i] = references[first + (i < some ? i : some - 1)];
    wide sum = {0};
    for (size_t j = 0; j < dim; j++) {
      four values = {r[0][j], r[1][j], r[2][j], r[3][j]};
      wide difference = __builtin_convertvector(values, wide) - (double)row[j];
      sum += difference * difference;
    }
    for (size_t i = 0; i < some; i++) out[first + i] = sum[i];
  }
}

const ank_distance_table TABLE = {nearest, distances, to_each};
