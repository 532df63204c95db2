/* hull_generic.c - hull.h for any processor. */
#include "kernels/hull_table.h"

#define NAME hulls

#include "kernels/hull_body.h"

ank_hull_kernel *const ank_hull_generic = hulls;
