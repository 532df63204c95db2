/* wide.h - an integer of 128 bits, for products of two of 64. */
#ifndef ANK_CORE_WIDE_H
#define ANK_CORE_WIDE_H

__extension__ typedef unsigned __int128 ank_wide;

#endif
