/* shortest.h - doubles as the shortest decimal text that reads back to the same double. */
#ifndef ANK_CORE_SHORTEST_H
#define ANK_CORE_SHORTEST_H

#include <stddef.h>

#define ANK_SHORTEST_SIZE 48 /* bytes after the text are scratch */

/* Write `x` without a closing NUL and return the length (at most 24): "12", "-0", "0.1", "1.5e-7", "inf",
 * "-inf", "nan". */
size_t ank_shortest(char text[ANK_SHORTEST_SIZE], double x);

#endif
