/* npy_header.h - the header of an NPY file, shared by its reader and its writer.
 *
 * An NPY file is "\x93NUMPY", two bytes of version, the length of the header (two bytes in version 1, four in
 * 2 and 3, little-endian), the header - a Python literal {'descr': '<f8', 'fortran_order': False, 'shape':
 * (3, 2), } padded with spaces and ended by a newline - and then the binary numbers. */
#ifndef ANK_TABLE_NPY_HEADER_H
#define ANK_TABLE_NPY_HEADER_H

#include "table/source.h"
#include "table/table.h"

typedef struct ank_npy_header {
  anorank_type type;
  size_t item_size; /* bytes of one number: 1, 2, 4 or 8 */
  int swapped;      /* in the opposite byte order of this machine */
  int fortran_order;
  size_t rows, columns; /* a vector is one column */
  size_t data_offset;   /* bytes before the numbers */
  size_t data_bytes;    /* rows * columns * item_size, checked for overflow */
} ank_npy_header;

/* Read the header from the source. ANORANK_ERROR_DATA if the array is not a table of numbers; the message
 * says how to save it as one. */
anorank_status ank_npy_read_header(ank_npy_header *header, ank_source *source, anorank_error *err);

/* The header of a matrix of doubles in C order. It has the same length for any number of rows, so that it can
 * be overwritten when they are known. */
#define ANK_NPY_PREFACE 128
void ank_npy_write_header(unsigned char preface[ANK_NPY_PREFACE], size_t rows, size_t columns);

/* Open the NPY reader for a source with a known length in bytes (a member of an NPZ file); SIZE_MAX if it is
 * unknown. */
anorank_status ank_npy_open(void **out, ank_source *source, size_t bytes, anorank_table *table,
                            const anorank_settings *settings, anorank_error *err);

#endif
