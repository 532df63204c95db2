/* search_table.h - the internals of search.h: the layout of references in memory, and one row of functions
 * per instruction set, selected like those of vector.h.
 *
 * The references are re-ordered so that near ones are adjacent (search_build.c). Runs of CELL of them are
 * cells; only the last may be short. A cell has a box: the range of each of its columns. A reference also has
 * a code per column: the column minus the centre of its region, clamped and rounded to a whole number of
 * steps (search_codes.c; search_body.h proves that the search stays exact). */
#ifndef ANK_NEIGHBOURS_SEARCH_TABLE_H
#define ANK_NEIGHBOURS_SEARCH_TABLE_H

#include "kernels/words.h"
#include "neighbours/search.h"

enum {
  ANK_CHUNK = 16,          /* cells */
  ANK_CELL = 128,          /* references */
  ANK_FLOATS = 8,          /* of one vector */
  ANK_STRETCH = 32,        /* references whose distances are computed side by side */
  ANK_TILE = 4,            /* rows that share the loaded references */
  ANK_ROOM_AT_END = 8,     /* unused floats that may be read after the last row */
  ANK_SEARCH_MOST = 90,    /* a code, up or down: 2 * (2 MOST) * MOST < 2^15, a pair of products */
  ANK_SEARCH_LENGTH = 146, /* of a row of codes: 1.5 * LENGTH^2 < 2^15 - 1 */
  ANK_NO_ESTIMATE = 32767, /* of unused places, above all others */
  ANK_LISTED = 64,         /* references that a row lists before it computes them */
  ANK_LEAST_ROOM = 120     /* least keys that a row collects before it selects the best; else 2 k */
};

/* A bit for each reference of a cell. */
typedef struct ank_marks {
  uint64_t first, second;
} ank_marks;

/* A run of cells whose codes have the same centre and step. */
typedef struct ank_region {
  double step, per_step;
  double moved; /* the largest rounding error of its references, in steps */
} ank_region;

struct ank_search {
  size_t count, dim;
  size_t pairs;           /* pairs of columns; 0: no codes, because they would not help */
  size_t cells, cells_up; /* and rounded up to whole vectors */
  float *rows;            /* row-major, in the new order */
  float *lanes;           /* again, column j of reference i: [(i / FLOATS * dim + j) * FLOATS + i % FLOATS];
                      * INFINITY up to the end of the last cell */
  uint32_t *places;       /* row i of the new order was row places[i]; padded to whole cells */
  uint32_t *at;           /* and the inverse */
  float *low, *high;      /* box of cell c, column j: [(c / FLOATS * dim + j) * FLOATS + c % FLOATS] */
  double reach;           /* longest length of a row minus the centre, in steps */
  size_t regions;
  ank_region *region;  /* one per cell, of which the first `regions` are in use */
  double *centre;      /* of region r, column j: [r * dim + j] */
  uint32_t *region_of; /* cells */
  int8_t *codes;  /* of reference i of cell c, column j: [((c * pairs + j / 2) * CELL + i) * 2 + j % 2] */
  int16_t *bases; /* of reference i of cell c: [c * CELL + i] */
};

/* State of one row during the search. */
typedef struct ank_seeker {
  const float *row;
  size_t k;
  float *distance; /* room: the best so far, and later candidates */
  uint32_t *place; /* room: their indices */
  ank_word *keys;  /* 2 room: scratch, and the result: distance bits << 32 | index, ascending */
  size_t reference_set, room;
  float worst;              /* references farther than this are not among the k best; INFINITY: unknown */
  uint32_t worst_place;     /* nor are those at this distance with a larger index */
  float *gaps;              /* cells_up: squared distance to the box; INFINITY after the visit */
  const ank_region *region; /* of the present codes; NULL: none yet */
  double *whole;            /* dim: scratch of all rows */
  uint32_t *codes;          /* pairs: codes of two columns + MOST, repeated in one word */
  double norm;              /* squared length of the codes */
  double moved;             /* the largest rounding error of the row and a reference together, in steps */
  int limit;                /* estimates up to this may be near enough; valid for the region and ... */
  float limit_for;          /* ... this `worst` */
  uint32_t *list;           /* LISTED + CELL + 4: references that may be near enough */
  size_t listed;
  size_t scanned, looked_at; /* references of visited cells, and those of them whose distance was computed */
  int give_up;               /* codes decide too little: do without them */
} ank_seeker;

typedef struct ank_search_kernels {
  /* Start: compute distances to all boxes, and visit the most promising cells. */
  void (*start)(const ank_search *search, ank_seeker *seeker);
  /* Visit cells [from, to), at most CHUNK of them. Returns 0, without a change, if codes do not help. */
  int (*visit)(const ank_search *search, ank_seeker *seeker, size_t from, size_t to);
  /* Visit the cells without codes, many rows side by side. */
  void (*visit_wholly)(const ank_search *search, ank_seeker **seekers, size_t count, size_t from, size_t to);
  /* Compute the rest of the list. Then the first k keys are the result, in order. */
  void (*finish)(const ank_search *search, ank_seeker *seeker);
} ank_search_kernels;

extern const ank_search_kernels ank_search_generic;

/* Empty (all NULL) if the compiler lacks these instructions. */
extern const ank_search_kernels ank_search_avx2;

/* Compute the codes of a row in a region (dim). Returns the rounding error in steps. No code exceeds MOST,
 * nor do all together exceed LENGTH. */
double ank_search_round(double *whole, const ank_search *search, size_t region, const float *row);

/* Set everything about codes; rows and their order must exist. */
anorank_status ank_search_encode(ank_search *search, anorank_error *err);

/* Set everything except count, dim and the sizes; memory must exist. */
anorank_status ank_search_build(ank_search *search, const float *rows, anorank_error *err);

#endif
