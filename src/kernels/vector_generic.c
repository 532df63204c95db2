/* vector_generic.c - the functions of vector.h for any processor. */
#define BODY_WIDTH 16
#define BODY_TABLE ank_vector_generic
#include "kernels/vector_body.h"
