/* vector_generic.c - the functions of vector.h with what every processor of the family has. */
#define BODY_WIDTH 16
#define BODY_TABLE ank_vector_generic
#include "kernels/vector_body.h"
