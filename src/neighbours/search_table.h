/* search_table.h - the inside of search.h: how references lie in memory, and one row of functions per
 * instruction set, chosen as vector.h chooses.
 *
 * The references are re-ordered so that near ones lie together (search_build.c); runs of CELL of them are
 * cells, only the last may be short. A cell has a box: the range of each of its columns. A reference also has
 * a code per column: the column less the centre of its region, cut and rounded to a whole number of steps
 * (search_codes.c; search_body.h says why that loses nothing). */
#ifndef ANK_NEIGHBOURS_SEARCH_TABLE_H
#define ANK_NEIGHBOURS_SEARCH_TABLE_H

#include "kernels/words.h"
#include "neighbours/search.h"

enum {
  ANK_CHUNK = 16,          /* cells */
  ANK_CELL = 128,          /* references */
  ANK_FLOATS = 8,          /* of one vector */
  ANK_STRETCH = 32,        /* references whose distances are computed side by side */
  ANK_TILE = 4,            /* rows that share what is loaded for that */
  ANK_ROOM_AT_END = 8,     /* floats that may be read, and are not used, after the last row */
  ANK_SEARCH_MOST = 90,    /* a code, up or down: 2 * (2 MOST) * MOST < 2^15, a pair of products */
  ANK_SEARCH_LENGTH = 146, /* of a row of codes: 1.5 * LENGTH^2 < 2^15 - 1 */
  ANK_NO_ESTIMATE = 32767, /* of empty places, above all others */
  ANK_LISTED = 64,         /* references that a row lists before it looks at them */
  ANK_LEAST_ROOM = 120     /* keys that a row collects before it sorts out the best, if 2 k are fewer */
};

/* A bit for each reference of a cell. */
typedef struct ank_marks {
  uint64_t first, second;
} ank_marks;

/* A run of cells whose codes have the same centre and step. */
typedef struct ank_region {
  double step, per_step;
  double moved; /* the most that rounding moved a reference of it, in steps */
} ank_region;

struct ank_search {
  size_t count, dim;
  size_t pairs;           /* of columns; 0: there are no codes, they would tell nothing */
  size_t cells, cells_up; /* and rounded up to whole vectors */
  float *rows;            /* row-major, in the new order */
  float *lanes;      /* again, column j of reference i: [(i / FLOATS * dim + j) * FLOATS + i % FLOATS]; empty
                      * places up to the end of the last cell INFINITY */
  uint32_t *places;  /* row i of the new order was given as places[i]; room for whole cells */
  uint32_t *at;      /* and the other way round */
  float *low, *high; /* box of cell c, column j: [(c / FLOATS * dim + j) * FLOATS + c % FLOATS] */
  double reach;      /* the longest that a row less the centre may be, in steps */
  size_t regions;
  ank_region *region;  /* cells of them, the first `regions` in use */
  double *centre;      /* of region r, column j: [r * dim + j] */
  uint32_t *region_of; /* cells */
  int8_t *codes;  /* of reference i of cell c, column j: [((c * pairs + j / 2) * CELL + i) * 2 + j % 2] */
  int16_t *bases; /* of reference i of cell c: [c * CELL + i] */
};

/* State of one row during the search. */
typedef struct ank_seeker {
  const float *row;
  size_t k;
  float *distance; /* room: of the best so far, and of what came since */
  uint32_t *place; /* room: theirs */
  ank_word *keys;  /* 2 room: scratch, and the answer: distance bits << 32 | place, ascending */
  size_t reference_set, room;
  float worst;              /* no reference farther than this is among the k best; INFINITY: any may be */
  uint32_t worst_place;     /* of those that are as far, none with a larger place */
  float *gaps;              /* cells_up: squared distance to the box; INFINITY once the cell was visited */
  const ank_region *region; /* that the codes are of; NULL: of none yet */
  double *whole;            /* dim: scratch of all rows */
  uint32_t *codes;          /* pairs: codes of two columns + MOST, twice in one word */
  double norm;              /* squared length of the codes */
  double moved;             /* the most that rounding moved the row and a reference, together, in steps */
  int limit;                /* estimates up to this may belong to what is wanted; for the region and ... */
  float limit_for;          /* ... this `worst` */
  uint32_t *list;           /* LISTED + CELL + 4: references that may be near enough */
  size_t listed;
  size_t scanned, looked_at; /* references of visited cells, and those of them whose distance was needed */
  int give_up;               /* codes tell too little: do without them */
} ank_seeker;

typedef struct ank_search_kernels {
  /* Set out: distances to all boxes, then the cells that promise most. */
  void (*start)(const ank_search *search, ank_seeker *seeker);
  /* Go through cells [from, to), at most CHUNK of them; 0, and nothing done, where codes are of no use. */
  int (*visit)(const ank_search *search, ank_seeker *seeker, size_t from, size_t to);
  /* Go through the cells without codes, many rows side by side. */
  void (*visit_wholly)(const ank_search *search, ank_seeker **seekers, size_t count, size_t from, size_t to);
  /* Look at what is left on the list; then the first k keys are the answer, in order. */
  void (*finish)(const ank_search *search, ank_seeker *seeker);
} ank_search_kernels;

extern const ank_search_kernels ank_search_generic;

/* Empty (all NULL) if the compiler lacks these instructions. */
extern const ank_search_kernels ank_search_avx2;

/* The codes of a row in a region (dim); returns the distance that rounding moved it, in steps. No code is
 * above MOST, nor are all together longer than LENGTH. */
double ank_search_round(double *whole, const ank_search *search, size_t region, const float *row);

/* Fill everything about codes; rows and their order are there. */
anorank_status ank_search_encode(ank_search *search, anorank_error *err);

/* Fill everything but count, dim and the sizes; memory is there. */
anorank_status ank_search_build(ank_search *search, const float *rows, anorank_error *err);

#endif
