/* hull_ridge_generic.c - hull_ridge.h for any processor. */
#include "neighbours/hull_ridge_table.h"

#define NAME hulls

#include "neighbours/hull_ridge_body.h"

ank_hull_kernel *const ank_hull_generic = hulls;
