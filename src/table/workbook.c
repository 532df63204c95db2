/* workbook.c - sheets, shared texts and number formats of a workbook; see workbook.h. */
#include "table/workbook.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/alloc.h"
#include "core/ascii.h"
#include "table/cell_text.h"
#include "table/workbook_xml.h"

#define MOST_SHEETS 10000
#define MOST_FORMATS 100000

/* ---- dates ------------------------------------------------------------------------------------------- */

int ank_is_date_format(unsigned id, const char *code) {
  if ((id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58))
    return 1;
  if (!code || id < 164) return 0;
  for (const char *p = code; *p && *p != ';'; p++) {
    if (*p == '"') { /* text in quotes, an escaped letter, a condition or a colour in brackets */
      const char *close = strchr(p + 1, '"');
      if (!close) return 0;
      p = close;
    } else if (*p == '\\' || *p == '_' || *p == '*') {
      if (!*++p) return 0;
    } else if (*p == '[') {
      if ((p[1] | 0x20) == 'h' || (p[1] | 0x20) == 's' ||
          ((p[1] | 0x20) == 'm' && (p[2] == ']' || (p[2] | 0x20) == 'm')))
        return 1; /* elapsed hours */
      const char *close = strchr(p, ']');
      if (!close) return 0;
      p = close;
    } else if (ank_same_start(p, "general", 7)) {
      return 0;
    } else if (strchr("ymdhsYMDHS", *p)) {
      return 1;
    }
  }
  return 0;
}

size_t ank_serial_text(char *text, size_t size, double serial, int from_1904) {
  if (!(serial >= 0 && serial < 2958466)) return 0; /* up to the year 9999; excludes NaN */
  long days = (long)serial, millis = (long)((serial - (double)days) * 86400000 + 0.5);
  int used = 0;
  if (millis >= 86400000) millis -= 86400000, days++;
  /* Excel treats 1900 as a leap year: day 60 is 29 February 1900, and all later days are one too high. */
  long epoch = from_1904 ? -24107 : days < 60 ? -25568 : -25569;
  if (days > 0 || from_1904) {
    ank_date on = ank_date_of(days + epoch);
    used = snprintf(text, size, "%04lld-%02d-%02d", (long long)on.year, on.month, on.day);
  }
  if (millis > 0 || used == 0) {
    long seconds = millis / 1000;
    used += snprintf(text + used, size - (size_t)used, "%s%02ld:%02ld:%02ld", used ? " " : "", seconds / 3600,
                     seconds / 60 % 60, seconds % 60);
    if (millis % 1000) used += snprintf(text + used, size - (size_t)used, ".%03ld", millis % 1000);
  }
  return (size_t)used;
}

/* ---- workbook.xml and its relations ------------------------------------------------------------------ */

static anorank_status copy_attribute(char **out, const char *value, anorank_error *err) {
  return ank_copy_text(out, value ? value : "", value ? strlen(value) : 0, err);
}

static anorank_status add_sheet(ank_workbook *book, const char **attributes, anorank_error *err) {
  const char *state = ank_xml_attribute(attributes, "state");
  if (book->sheet_count >= MOST_SHEETS) return ANORANK_OK;
  ANK_CHECK(
      ank_reserve(&book->sheets, &book->sheet_capacity, book->sheet_count + 1, sizeof *book->sheets, err));
  ank_sheet *sheet = &book->sheets[book->sheet_count];
  *sheet = (ank_sheet){.hidden = state && strcmp(state, "visible") != 0};
  book->sheet_count++;
  ANK_CHECK(copy_attribute(&sheet->name, ank_xml_attribute(attributes, "name"), err));
  return copy_attribute(&sheet->relation, ank_xml_attribute(attributes, "id"), err);
}

static void start_workbook(void *data, const XML_Char *element, const XML_Char **attributes) {
  ank_xml *xml = data;
  ank_workbook *book = xml->state;
  const char *name = ank_xml_local(element);
  if (strcmp(name, "workbookPr") == 0) {
    const char *value = ank_xml_attribute(attributes, "date1904");
    book->from_1904 = value && (strcmp(value, "1") == 0 || strcmp(value, "true") == 0);
  } else if (strcmp(name, "sheet") == 0) {
    anorank_status status = add_sheet(book, attributes, xml->err);
    if (status != ANORANK_OK) ank_xml_fail(xml, status);
  }
}

/* Targets are relative to xl/, or absolute within the archive. */
static void start_relation(void *data, const XML_Char *element, const XML_Char **attributes) {
  ank_xml *xml = data;
  ank_workbook *book = xml->state;
  const char *id = ank_xml_attribute(attributes, "Id"), *target = ank_xml_attribute(attributes, "Target");
  if (strcmp(ank_xml_local(element), "Relationship") != 0 || !id || !target) return;
  for (size_t i = 0; i < book->sheet_count; i++) {
    char path[300];
    if (strcmp(book->sheets[i].relation, id) != 0 || book->sheets[i].part) continue;
    snprintf(path, sizeof path, "%s%.200s", *target == '/' ? "" : "xl/", target + (*target == '/'));
    anorank_status status = ank_copy_text(&book->sheets[i].part, path, strlen(path), xml->err);
    if (status != ANORANK_OK) ank_xml_fail(xml, status);
  }
}

/* ---- styles.xml -------------------------------------------------------------------------------------- */

typedef struct styles {
  ank_workbook *book;
  unsigned *dates; /* custom date formats */
  size_t date_count, date_capacity;
  int in_cells; /* within cellXfs */
} styles;

static anorank_status add_style(styles *s, unsigned id, anorank_error *err) {
  ank_workbook *book = s->book;
  if (book->style_count >= MOST_FORMATS) return ANORANK_OK;
  ANK_CHECK(ank_reserve(&book->is_date, &book->style_capacity, book->style_count + 1, 1, err));
  int date = ank_is_date_format(id, NULL);
  for (size_t i = 0; i < s->date_count && !date; i++) date = s->dates[i] == id;
  book->is_date[book->style_count++] = (unsigned char)date;
  return ANORANK_OK;
}

static void start_style(void *data, const XML_Char *element, const XML_Char **attributes) {
  ank_xml *xml = data;
  styles *s = xml->state;
  const char *name = ank_xml_local(element), *id = ank_xml_attribute(attributes, "numFmtId");
  unsigned number = id ? (unsigned)strtoul(id, NULL, 10) : 0;
  anorank_status status = ANORANK_OK;
  if (strcmp(name, "cellXfs") == 0) s->in_cells = 1;
  if (strcmp(name, "numFmt") == 0 &&
      ank_is_date_format(number, ank_xml_attribute(attributes, "formatCode")) &&
      s->date_count < MOST_FORMATS) {
    status = ank_reserve(&s->dates, &s->date_capacity, s->date_count + 1, sizeof *s->dates, xml->err);
    if (status == ANORANK_OK) s->dates[s->date_count++] = number;
  }
  if (strcmp(name, "xf") == 0 && s->in_cells) status = add_style(s, number, xml->err);
  if (status != ANORANK_OK) ank_xml_fail(xml, status);
}

static void end_style(void *data, const XML_Char *element) {
  styles *s = ((ank_xml *)data)->state;
  if (strcmp(ank_xml_local(element), "cellXfs") == 0) s->in_cells = 0;
}

/* ---- sharedStrings.xml ------------------------------------------------------------------------------- */

typedef struct texts {
  ank_workbook *book;
  int in_text, in_phonetic; /* within <t>; within <rPh>, a pronunciation */
} texts;

static void start_text(void *data, const XML_Char *element, const XML_Char **attributes) {
  ank_xml *xml = data;
  texts *t = xml->state;
  ank_workbook *book = t->book;
  const char *name = ank_xml_local(element);
  (void)attributes;
  if (strcmp(name, "rPh") == 0) t->in_phonetic = 1;
  if (strcmp(name, "t") == 0) t->in_text = 1;
  if (strcmp(name, "si") != 0) return;
  anorank_status status =
      ank_reserve(&book->starts, &book->text_capacity, book->text_count + 2, sizeof *book->starts, xml->err);
  if (status != ANORANK_OK)
    ank_xml_fail(xml, status);
  else
    book->starts[book->text_count] = book->starts[book->text_count + 1] = book->texts_used,
    book->text_count++;
}

static void end_text(void *data, const XML_Char *element) {
  texts *t = ((ank_xml *)data)->state;
  const char *name = ank_xml_local(element);
  if (strcmp(name, "rPh") == 0) t->in_phonetic = 0;
  if (strcmp(name, "t") == 0) t->in_text = 0;
}

static void more_text(void *data, const XML_Char *bytes, int length) {
  ank_xml *xml = data;
  texts *t = xml->state;
  ank_workbook *book = t->book;
  if (!t->in_text || t->in_phonetic || book->text_count == 0) return;
  anorank_status status =
      ank_reserve(&book->texts, &book->texts_capacity, book->texts_used + (size_t)length, 1, xml->err);
  if (status != ANORANK_OK) {
    ank_xml_fail(xml, status);
    return;
  }
  memcpy(book->texts + book->texts_used, bytes, (size_t)length);
  book->texts_used += (size_t)length;
  book->starts[book->text_count] = book->texts_used;
}

int ank_workbook_member(const char *name, size_t length) {
  static const char *const starts[] = {"[Content_Types].xml", "_rels/",   "xl/",   "docProps/",
                                       "customXml/",          "mimetype", "word/", "ppt/"};
  for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
    size_t start = strlen(starts[i]);
    if (length >= start && memcmp(name, starts[i], start) == 0) return 1;
  }
  return 0;
}

/* ---- the workbook ------------------------------------------------------------------------------------ */

anorank_status ank_workbook_open(ank_workbook **out, ank_zip *zip, const char *name, size_t limit,
                                 anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_workbook *book = NULL;
  styles style = {0};
  *out = NULL;
  ANK_TRY(ank_alloc(&book, 1, sizeof *book, err));
  book->zip = zip;
  book->name = name;
  book->limit = limit;
  style.book = book;
  texts text = {.book = book};
  ANK_TRY(ank_xml_part(zip, "xl/workbook.xml", name, limit, book, start_workbook, NULL, NULL, err));
  ANK_TRY(
      ank_xml_part(zip, "xl/_rels/workbook.xml.rels", name, limit, book, start_relation, NULL, NULL, err));
  ANK_TRY(ank_xml_part(zip, "xl/styles.xml", name, limit, &style, start_style, end_style, NULL, err));
  ANK_TRY(
      ank_xml_part(zip, "xl/sharedStrings.xml", name, limit, &text, start_text, end_text, more_text, err));
  if (book->sheet_count == 0)
    ANK_FAIL(ANORANK_ERROR_DATA, "xlsx-not-a-workbook",
             "%s: is not a readable workbook; save it as .xlsx or as CSV", name);
  *out = book;
  book = NULL;
done:
  ank_free(style.dates);
  ank_workbook_free(book);
  return status;
}

void ank_workbook_free(ank_workbook *book) {
  if (!book) return;
  for (size_t i = 0; i < book->sheet_count; i++) {
    ank_free(book->sheets[i].name);
    ank_free(book->sheets[i].relation);
    ank_free(book->sheets[i].part);
  }
  ank_free(book->sheets);
  ank_free(book->is_date);
  ank_free(book->texts);
  ank_free(book->starts);
  ank_free(book);
}
