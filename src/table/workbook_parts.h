/* workbook_parts.h - what workbook.c and workbook_sheet.c share. */
#ifndef ANK_TABLE_WORKBOOK_PARTS_H
#define ANK_TABLE_WORKBOOK_PARTS_H

#include "table/workbook.h"

typedef struct ank_sheet {
  char *name, *relation, *part; /* part: its path in the archive, NULL if the relations do not know it */
  int hidden;
} ank_sheet;

struct ank_workbook {
  ank_zip *zip;
  const char *name; /* of the file, lent */
  size_t limit;
  int from_1904;
  ank_sheet *sheets;
  size_t sheet_count, sheet_capacity;
  unsigned char *is_date; /* for each cell style */
  size_t style_count, style_capacity;
  char *texts; /* the shared ones, one after another: text i is [starts[i], starts[i + 1]) */
  size_t texts_used, texts_capacity;
  size_t *starts, text_count, text_capacity;
};

#endif
