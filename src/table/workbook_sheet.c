/* workbook_sheet.c - one sheet as a stream of CSV; see workbook.h.
 *
 * The sheet is parsed twice: once for its width, since a row of a sheet ends at its last cell, and once for
 * the cells. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/alloc.h"
#include "core/ascii.h"
#include "core/number.h"
#include "table/workbook.h"
#include "table/workbook_xml.h"

#define STEP ((size_t)1 << 15)
#define MOST_COLUMNS 16384 /* limit of the format */
#define MOST_CELL                                                                                            \
  32767 /* characters of a cell, limit of the format; at most 4 bytes each, plus the
                            * quotes */

typedef enum cell_type { NUMBER, SHARED, TEXT, BOOLEAN, FAILED, DATE } cell_type;

typedef struct rows {
  const ank_workbook *book;
  char name[512];
  ank_source *part;
  ank_xml xml;
  int measuring;
  size_t width;  /* columns, from the first pass */
  size_t column; /* of the next cell, from 0 */
  size_t filled; /* delimiters written to this row */
  int any;       /* and some cell */
  cell_type type;
  int in_value, in_phonetic;
  unsigned style;
  char *value; /* of the cell so far */
  size_t value_length, value_capacity;
  char *text; /* CSV rows, [from, to) not yet returned */
  size_t from, to, capacity;
  int ended;
  char input[STEP];
} rows;

/* ---- writing ----------------------------------------------------------------------------------------- */

static void put(rows *r, const char *bytes, size_t length) {
  if (r->xml.status != ANORANK_OK) return;
  anorank_status status = ank_reserve(&r->text, &r->capacity, r->to + length, 1, r->xml.err);
  if (status != ANORANK_OK) {
    ank_xml_fail(&r->xml, status);
    return;
  }
  memcpy(r->text + r->to, bytes, length);
  r->to += length;
}

static void put_quoted(rows *r, const char *text, size_t length) {
  put(r, "\"", 1);
  while (length > 0) {
    const char *quote = memchr(text, '"', length);
    size_t step = quote ? (size_t)(quote - text) + 1 : length;
    put(r, text, step);
    if (quote) put(r, "\"", 1);
    text += step;
    length -= step;
  }
  put(r, "\"", 1);
}

static void put_shared(rows *r, const char *value) {
  char *end;
  unsigned long index = strtoul(value, &end, 10);
  if (end == value || *end || index >= r->book->text_count) {
    ank_xml_fail(&r->xml, ank_fail(r->xml.err, ANORANK_ERROR_DATA, "xlsx-cell",
                                   "%s: a cell refers to a missing text; save the workbook again", r->name));
    return;
  }
  const size_t *start = &r->book->starts[index];
  put_quoted(r, r->book->texts + start[0], start[1] - start[0]);
}

static void put_value(rows *r) {
  char date[64];
  const char *value = r->value;
  int is_date = r->style < r->book->style_count && r->book->is_date[r->style];
  switch (r->type) {
  case NUMBER:
    if (is_date) {
      double serial = -1;
      (void)ank_number_parse(&serial, value, r->value_length);
      size_t length = ank_serial_text(date, sizeof date, serial, r->book->from_1904);
      put(r, length ? date : value, length ? length : r->value_length);
    } else {
      put_quoted(r, value, r->value_length);
    }
    break;
  case SHARED: put_shared(r, value); break;
  case BOOLEAN: put(r, *value == '0' ? "FALSE" : "TRUE", *value == '0' ? 5 : 4); break;
  case DATE:
  case TEXT: put_quoted(r, value, r->value_length); break;
  case FAILED: break;
  }
}

/* ---- the XML of a sheet ------------------------------------------------------------------------------ */

/* Return the column of "BC12", 54 from 0; SIZE_MAX if invalid. */
static size_t column_of(const char *reference) {
  size_t column = 0;
  const char *p = reference;
  for (; *p >= 'A' && *p <= 'Z' && column <= MOST_COLUMNS; p++) column = column * 26 + (size_t)(*p - 'A' + 1);
  return p == reference || column > MOST_COLUMNS ? SIZE_MAX : column - 1;
}

static cell_type type_of(const char *word) {
  static const struct {
    const char *word;
    cell_type type;
  } types[] = {{"n", NUMBER},  {"s", SHARED}, {"str", TEXT}, {"inlineStr", TEXT},
               {"b", BOOLEAN}, {"e", FAILED}, {"d", DATE}};
  for (size_t i = 0; word && i < sizeof types / sizeof types[0]; i++)
    if (strcmp(types[i].word, word) == 0) return types[i].type;
  return NUMBER;
}

static void start_cell(rows *r, const char **attributes) {
  const char *reference = ank_xml_attribute(attributes, "r"), *style = ank_xml_attribute(attributes, "s");
  size_t column = reference ? column_of(reference) : r->column;
  if (column == SIZE_MAX || column < r->column || column >= MOST_COLUMNS) {
    ank_xml_fail(&r->xml, ank_fail(r->xml.err, ANORANK_ERROR_DATA, "xlsx-cell",
                                   "%s: a cell is in the wrong position; save the workbook again", r->name));
    return;
  }
  r->column = column;
  r->type = type_of(ank_xml_attribute(attributes, "t"));
  r->style = style ? (unsigned)strtoul(style, NULL, 10) : 0;
  r->value_length = 0;
}

static void start_element(void *data, const XML_Char *element, const XML_Char **attributes) {
  rows *r = ((ank_xml *)data)->state;
  const char *name = ank_xml_local(element);
  if (strcmp(name, "c") == 0)
    start_cell(r, attributes);
  else if (strcmp(name, "v") == 0 || strcmp(name, "t") == 0)
    r->in_value = 1;
  else if (strcmp(name, "rPh") == 0)
    r->in_phonetic = 1;
  else if (strcmp(name, "row") == 0)
    r->column = r->filled = 0, r->any = 0;
}

static void end_cell(rows *r) {
  int empty = r->value_length == 0 || r->type == FAILED;
  size_t column = r->column++;
  if (empty) return;
  if (r->measuring) {
    if (column >= r->width) r->width = column + 1;
    return;
  }
  if (r->xml.status != ANORANK_OK) return;
  for (; r->filled < column; r->filled++) put(r, ",", 1);
  r->value[r->value_length] = '\0';
  r->any = 1;
  put_value(r);
}

static void end_row(rows *r) {
  if (r->measuring || !r->any) return;
  for (; r->filled + 1 < r->width; r->filled++) put(r, ",", 1);
  put(r, "\n", 1);
}

static void end_element(void *data, const XML_Char *element) {
  rows *r = ((ank_xml *)data)->state;
  const char *name = ank_xml_local(element);
  if (strcmp(name, "v") == 0 || strcmp(name, "t") == 0)
    r->in_value = 0;
  else if (strcmp(name, "rPh") == 0)
    r->in_phonetic = 0;
  else if (strcmp(name, "c") == 0)
    end_cell(r);
  else if (strcmp(name, "row") == 0)
    end_row(r);
}

static void character_data(void *data, const XML_Char *bytes, int length) {
  rows *r = ((ank_xml *)data)->state;
  size_t more = (size_t)length;
  if (!r->in_value || r->in_phonetic || r->value_length + more > 4 * MOST_CELL) return;
  anorank_status status =
      ank_reserve(&r->value, &r->value_capacity, r->value_length + more + 1, 1, r->xml.err);
  if (status != ANORANK_OK) {
    ank_xml_fail(&r->xml, status);
    return;
  }
  memcpy(r->value + r->value_length, bytes, more);
  r->value_length += more;
}

/* ---- the stream -------------------------------------------------------------------------------------- */

static anorank_status begin_pass(rows *r, size_t index, int measuring, anorank_error *err) {
  ank_source_free(r->part);
  r->part = NULL;
  ank_xml_end(&r->xml);
  r->measuring = measuring;
  r->column = r->filled = 0;
  r->any = 0;
  r->in_value = r->in_phonetic = 0;
  anorank_status status = ank_xml_begin(&r->xml, r, start_element, end_element, character_data, err);
  return status == ANORANK_OK ? ank_zip_member(&r->part, r->book->zip, index, r->name, err) : status;
}

static anorank_status step(rows *r, anorank_error *err) {
  size_t got;
  r->xml.err = err;
  ANK_CHECK(ank_source_read(r->part, r->input, STEP, &got, err));
  r->ended = got == 0;
  return ank_xml_feed(&r->xml, r->input, got, r->ended, r->name);
}

static anorank_status read_rows(void *state, void *buffer, size_t size, size_t *got, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  rows *r = state;
  if (r->from == r->to) r->from = r->to = 0;
  while (r->to == 0 && !r->ended) ANK_TRY(step(r, err));
  *got = r->to - r->from < size ? r->to - r->from : size;
  if (*got > 0) memcpy(buffer, r->text + r->from, *got);
  r->from += *got;
done:
  if (status != ANORANK_OK) *got = 0;
  return status;
}

static void close_rows(void *state) {
  rows *r = state;
  ank_xml_end(&r->xml);
  ank_source_free(r->part);
  ank_free(r->value);
  ank_free(r->text);
  ank_free(r);
}

/* ---- choosing ---------------------------------------------------------------------------------------- */

static size_t find_sheet(const ank_workbook *book, const char *wanted) {
  char *end;
  for (size_t i = 0; i < book->sheet_count; i++)
    if (wanted[0] ? strcmp(book->sheets[i].name, wanted) == 0 : !book->sheets[i].hidden) return i;
  if (!wanted[0]) return 0;
  for (size_t i = 0; i < book->sheet_count; i++)
    if (ank_same_word(book->sheets[i].name, wanted)) return i;
  unsigned long number = strtoul(wanted, &end, 10);
  return *end == '\0' && number >= 1 && number <= book->sheet_count ? number - 1 : SIZE_MAX;
}

static anorank_status refuse_sheet(const ank_workbook *book, const char *wanted, anorank_error *err) {
  char names[400] = "", quoted[ANK_QUOTE_SIZE], one[ANK_QUOTE_SIZE];
  size_t used = 0;
  for (size_t i = 0; i < book->sheet_count && used + ANK_QUOTE_SIZE + 4 < sizeof names; i++)
    used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "",
                             ank_quote(one, book->sheets[i].name, strlen(book->sheets[i].name)));
  return ank_fail(err, ANORANK_ERROR_USAGE, "xlsx-sheet-unknown", "%s: has no sheet \"%s\"; it has %s",
                  book->name, ank_quote(quoted, wanted, strlen(wanted)), names);
}

anorank_status ank_workbook_sheet(ank_source **out, ank_workbook *book, const char *sheet,
                                  const char **chosen, size_t *count, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  rows *r = NULL;
  char quoted[ANK_QUOTE_SIZE];
  *out = NULL;
  *count = book->sheet_count;
  size_t i = find_sheet(book, sheet);
  if (i == SIZE_MAX) return refuse_sheet(book, sheet, err);
  *chosen = book->sheets[i].name;
  size_t index = book->sheets[i].part ? ank_zip_find(book->zip, book->sheets[i].part) : SIZE_MAX;
  ank_quote(quoted, *chosen, strlen(*chosen));
  if (index == SIZE_MAX)
    ANK_FAIL(ANORANK_ERROR_DATA, "xlsx-sheet-missing",
             "%s: the sheet \"%s\" is not in the file; save the workbook again", book->name, quoted);
  ANK_TRY(ank_alloc(&r, 1, sizeof *r, err));
  r->book = book;
  snprintf(r->name, sizeof r->name, "%.300s[%s]", book->name, quoted);
  ANK_TRY(begin_pass(r, index, 1, err));
  while (!r->ended) ANK_TRY(step(r, err));
  r->ended = 0;
  if (r->width == 0)
    ANK_FAIL(ANORANK_ERROR_DATA, "xlsx-sheet-empty", "%s: the sheet is empty; set sheet to another one",
             r->name);
  ANK_TRY(begin_pass(r, index, 0, err));
  rows *given = r;
  r = NULL; /* close_rows frees it, also on failure */
  status = ank_source_from_callback(out, given->name, read_rows, close_rows, given, err);
done:
  if (r) close_rows(r);
  return status;
}
