/* format_xlsx.c - Excel workbooks: the CSV reader reads one sheet as text; see workbook.h. */
#include <stdio.h>
#include <string.h>

#include "core/alloc.h"
#include "table/format.h"
#include "table/workbook.h"

typedef struct xlsx_state {
  anorank_settings settings; /* for the CSV reader */
  ank_zip *archive;
  ank_workbook *book;
  ank_source *rows;
  void *csv;
} xlsx_state;

static void xlsx_free(void *state) {
  xlsx_state *s = state;
  if (!s) return;
  if (s->csv) ank_format_csv.reader->free(s->csv);
  ank_source_free(s->rows);
  ank_workbook_free(s->book);
  ank_zip_free(s->archive);
  ank_free(s);
}

static int xlsx_recognise(const unsigned char *bytes, size_t length) {
  const char *name;
  size_t name_length;
  return ank_zip_begins(bytes, length, &name, &name_length) && ank_workbook_member(name, name_length);
}

/* Refuse documents of other programs that are zip archives, too. */
static anorank_status refuse_others(const ank_zip *zip, const char *name, anorank_error *err) {
  if (ank_zip_find(zip, "xl/workbook.xml") != SIZE_MAX) return ANORANK_OK;
  if (ank_zip_find(zip, "xl/workbook.bin") != SIZE_MAX)
    return ank_fail(
        err, ANORANK_ERROR_DATA, "xlsx-binary",
        "%s: is a binary workbook (.xlsb); save it as .xlsx, or run 'soffice --headless --convert-to xlsx'",
        name);
  if (ank_zip_find(zip, "content.xml") != SIZE_MAX)
    return ank_fail(
        err, ANORANK_ERROR_DATA, "xlsx-opendocument",
        "%s: is an OpenDocument file; save it as .xlsx, or run 'soffice --headless --convert-to xlsx'", name);
  return ank_fail(err, ANORANK_ERROR_DATA, "xlsx-not-a-workbook",
                  "%s: is not a readable workbook; save it as .xlsx or as CSV", name);
}

static anorank_status xlsx_open(void **state, ank_source *source, anorank_table *table,
                                const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  xlsx_state *s = NULL;
  const char *name = ank_source_name(source), *chosen;
  char quoted[ANK_QUOTE_SIZE];
  size_t sheets;
  *state = NULL;
  ANK_TRY(ank_alloc(&s, 1, sizeof *s, err));
  s->settings = *settings;
  memcpy(s->settings.delimiter, ",", 2);
  ANK_TRY(ank_zip_open(&s->archive, source, ank_memory_limit(settings), err));
  ANK_TRY(refuse_others(s->archive, name, err));
  ANK_TRY(ank_workbook_open(&s->book, s->archive, name, ank_memory_limit(settings), err));
  ANK_TRY(ank_workbook_sheet(&s->rows, s->book, settings->sheet, &chosen, &sheets, err));
  if (sheets > 1 && !settings->sheet[0])
    ANK_TRY(ank_notes_add(&table->notes, ANORANK_NOTE_UNDERSTOOD, err, "xlsx-sheet-chosen",
                          "reading sheet '%s' of %zu; set `sheet` to read another",
                          ank_quote(quoted, chosen, strlen(chosen)), sheets));
  ANK_TRY(ank_format_csv.reader->open(&s->csv, s->rows, table, &s->settings, err));
  *state = s;
  s = NULL;
done:
  xlsx_free(s);
  return status;
}

static anorank_status xlsx_next(void *state, anorank_table *table, size_t most, anorank_error *err) {
  return ank_format_csv.reader->next(((xlsx_state *)state)->csv, table, most, err);
}

static const ank_reader_class read_xlsx = {xlsx_open, xlsx_next, NULL, xlsx_free, 0};

const ank_format ank_format_xlsx = {
    {"xlsx", "an Excel workbook; the setting sheet chooses a sheet", ".xlsx .xlsm", 1, 0},
    0,
    xlsx_recognise,
    &read_xlsx,
    NULL};
