/* flag.h - words that mean yes and no. */
#ifndef ANK_TABLE_FLAG_H
#define ANK_TABLE_FLAG_H

#include <stddef.h>

/* 1 for yes, Y, true, on, 1, ja ..., 0 for no, N, false, off, 0, nein ..., in either case; -1 for any other
 * text. */
int ank_flag_of(const char *text, size_t length);

#endif
