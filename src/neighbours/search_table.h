/* search_table.h - the inside of search.h: how references lie in memory, and one row of functions per
 * instruction set, chosen as vector.h chooses.
 *
 * The references are re-ordered so that near ones lie together (search_build.c); runs of CELL of them are
 * cells, only the last may be short. A cell has a box: the range of each of its columns. A column has up to
 * BINS bins, consecutive ranges of about as many references each, and a reference has a code per column: the
 * number of its bin. */
#ifndef ANK_NEIGHBOURS_SEARCH_TABLE_H
#define ANK_NEIGHBOURS_SEARCH_TABLE_H

#include "neighbours/search.h"

enum {
  ANK_CHUNK = 16,     /* cells */
  ANK_CELL = 128,     /* references */
  ANK_CELL_WORDS = 2, /* a bit for each of them */
  ANK_BINS = 16,      /* what one shuffle of bytes can look up */
  ANK_FLOATS = 8,     /* of one vector */
  ANK_STRETCH = 32,   /* references whose distances are computed side by side */
  ANK_TILE = 4,       /* rows that share what is loaded for that */
  ANK_ROOM_AT_END = 8 /* floats that may be read, and are not used, after the last row */
};

struct ank_search {
  size_t count, dim;
  size_t cells, cells_up; /* and rounded up to whole vectors */
  float *rows;            /* row-major, in the new order */
  float *lanes;      /* again, column j of reference i: [(i / FLOATS * dim + j) * FLOATS + i % FLOATS]; empty
                      * places up to the end of the last cell INFINITY */
  uint32_t *places;  /* row i of the new order was given as places[i] */
  uint32_t *at;      /* and the other way round */
  uint8_t *codes;    /* of reference i of cell c, column j: [(c * dim + j) * CELL + i] */
  float *usual;      /* cells: squared distance from a reference of the cell to its 10th neighbour there */
  float *low, *high; /* box of cell c, column j: [(c / FLOATS * dim + j) * FLOATS + c % FLOATS] */
  float *bin_low,
      *bin_high; /* range of the references in bin b of column j: [j * BINS + b]; empty: infinite */
};

/* What is known about one row on the way. */
typedef struct ank_seeker {
  const float *row;
  uint64_t *keys; /* k: distance bits << 32 | place. Ascending if k is small, else a heap, largest on top */
  size_t k;
  float *gaps;               /* cells_up: squared distance to the box; INFINITY once the cell was visited */
  uint8_t *table;            /* dim * BINS, see search_body.h */
  float worst;               /* distance of the largest key */
  float scale;               /* of the table; 0: there is none yet */
  size_t scanned, looked_at; /* references of visited cells, and those of them whose distance was needed */
  int give_up;               /* codes told too little about other rows: do without them */
} ank_seeker;

typedef struct ank_search_kernels {
  /* Set out: distances to all boxes, then the cells that promise most. */
  void (*start)(const ank_search *search, ank_seeker *seeker);
  /* Go through cells [from, to), at most CHUNK of them; 0, and nothing done, where codes are of no use. */
  int (*visit)(const ank_search *search, ank_seeker *seeker, size_t from, size_t to);
  /* Go through the cells without codes, many rows side by side. */
  void (*visit_wholly)(const ank_search *search, ank_seeker **seekers, size_t count, size_t from, size_t to);
  /* Put the keys in order. */
  void (*finish)(ank_seeker *seeker);
} ank_search_kernels;

extern const ank_search_kernels ank_search_generic;

/* Empty (all NULL) where the compiler had no such instructions. */
extern const ank_search_kernels ank_search_avx2;

/* Fill everything but count, dim and the sizes; memory is there. */
anorank_status ank_search_build(ank_search *search, const float *rows, anorank_error *err);

#endif
