/* distance_generic.c - distance.h for any processor. */
#include "kernels/distance_table.h"
#include "kernels/fused.h"

#include <math.h>

#define TABLE ank_distance_generic

#define EACH_LANE(statement)                                                                                 \
  do {                                                                                                       \
    for (size_t l = 0; l < WIDTH; l++) statement;                                                            \
  } while (0)

#define SPLAT(v, x) EACH_LANE((v)[l] = (x))
#define ADD_SQUARE(sum, d) EACH_LANE((sum)[l] = ank_fused((d)[l], (d)[l], (sum)[l]))
#define MINIMUM(low, v) EACH_LANE((low)[l] = (v)[l] < (low)[l] ? (v)[l] : (low)[l])

#include "kernels/distance_body.h"
