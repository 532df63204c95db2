/* workbook.h - an Excel workbook (.xlsx, Office Open XML) as a stream of delimited text.
 *
 * A sheet becomes CSV: numbers as stored, texts in quotes, dates and times (by the cell's number format) as
 * ISO 8601, booleans as TRUE and FALSE, errors as empty cells, formulas by their saved value. The CSV reader
 * then detects titles, names and kinds as in any other text. */
#ifndef ANK_TABLE_WORKBOOK_H
#define ANK_TABLE_WORKBOOK_H

#include "table/source.h"
#include "table/zip.h"

typedef struct ank_sheet {
  char *name, *relation, *part; /* part: its path in the archive, NULL if the relations lack it */
  int hidden;
} ank_sheet;

typedef struct ank_workbook {
  ank_zip *zip;
  const char *name; /* of the file, borrowed */
  size_t limit;
  int from_1904;
  ank_sheet *sheets;
  size_t sheet_count, sheet_capacity;
  unsigned char *is_date; /* by cell style */
  size_t style_count, style_capacity;
  char *texts; /* shared texts, concatenated: text i is [starts[i], starts[i + 1]) */
  size_t texts_used, texts_capacity;
  size_t *starts, text_count, text_capacity;
} ank_workbook;

/* Open a workbook. `limit`: most bytes of the shared texts, and of each unpacked part. */
anorank_status ank_workbook_open(ank_workbook **out, ank_zip *zip, const char *name, size_t limit,
                                 anorank_error *err);
void ank_workbook_free(ank_workbook *book);

/* Read the rows of one sheet: by name, by number from 1, or "" for the first visible one. Cells are separated
 * by commas; all rows have equal length. The workbook must outlive the source. `*chosen`: the sheet's name,
 * borrowed; `*count`: the number of sheets. */
anorank_status ank_workbook_sheet(ank_source **out, ank_workbook *book, const char *sheet,
                                  const char **chosen, size_t *count, anorank_error *err);

/* Return whether an archive whose first member has that name looks like a workbook, or a document of another
 * office program. */
int ank_workbook_member(const char *name, size_t length);

/* Return whether the number format is one of dates or times; `code` may be NULL for built-in ones. */
int ank_is_date_format(unsigned id, const char *code);

/* Write a serial date of Excel, "2025-12-31 23:59:59"; only the day if it has no time, only the time if it
 * has no day. Returns the length. */
size_t ank_serial_text(char *text, size_t size, double serial, int from_1904);

#endif
