/* prepare_notes.c - see prepare_notes.h. Only the first few notes of each kind are written: a table may have ten
 * thousand columns with missing cells. */
#include "prepare/prepare_notes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/alloc.h"
#include "core/ascii.h"
#include "core/print.h"

#define MOST_ALIKE 8 /* notes of one kind */

/* Long format: judgement */
#define LONG_FEWEST 20   /* rows */
#define LONG_REPEATS 1.5 /* rows per time, at least */
#define LONG_OFTEN 1.05  /* and at most, per level */

static anorank_status count_roles(ank_prepare *prepare, anorank_error *err) {
  static const struct {
    anorank_role role;
    const char *word;
  } kinds[] = {{ANORANK_ROLE_NUMERIC, "numeric"},
               {ANORANK_ROLE_CATEGORICAL, "categorical"},
               {ANORANK_ROLE_TIME, "time"}};
  size_t roles[ANORANK_ROLE_TIME + 1] = {0}, used = 0, length = 0, named = 0;
  char text[100] = "";
  for (size_t j = 0; j < prepare->columns; j++) roles[prepare->column[j].role]++;
  for (size_t k = 0; k < 3; k++) used += roles[kinds[k].role];
  for (size_t k = 0; k < 3; k++) {
    size_t count = roles[kinds[k].role];
    if (count == 0) continue;
    if (count == used)
      snprintf(text, sizeof text, "%s%s", used == 1 ? "" : "all ", kinds[k].word);
    else
      length += (size_t)snprintf(text + length, sizeof text - length, "%s%zu %s", named++ ? ", " : "", count,
                                 kinds[k].word);
  }
  if (used == 0)
    return ank_notes_add(&prepare->notes, ANORANK_NOTE_WARNING, err, "columns-constant",
                         "all %zu usable columns are constant, so scores count departures from these values; "
                         "name other columns to use them",
                         roles[ANORANK_ROLE_CONSTANT]);
  return ank_notes_add(&prepare->notes, ANORANK_NOTE_UNDERSTOOD, err, "columns-used", "%zu column%s used: %s",
                       used, ANK_S(used), text);
}

static anorank_status note_time(ank_prepare *prepare, const ank_profile *column, const char *name,
                                anorank_error *err) {
  static const char *const parts[ANK_CIRCLES] = {"the time of day", "the day of the week",
                                                 "the day of the year"};
  char text[80] = "";
  size_t used = 0, left = 0, length = 0;
  for (int kind = 0; kind < ANK_CIRCLES; kind++) used += (size_t)column->circles[kind].used;
  left = used;
  for (int kind = 0; kind < ANK_CIRCLES; kind++) {
    if (!column->circles[kind].used) continue;
    length += (size_t)snprintf(text + length, sizeof text - length, "%s%s", parts[kind],
                               left == 2  ? " and "
                               : left > 2 ? ", "
                                          : "");
    left--;
  }
  return ank_notes_add(&prepare->notes, ANORANK_NOTE_UNDERSTOOD, err, "column-time",
                       "'%s' is a time; %s %s used", name, text, used == 1 ? "is" : "are");
}

/* The sentence about a column that looks like something else. */
static anorank_status note_look(ank_prepare *prepare, const ank_profile *column, const char *name,
                                const ank_understood *understood, anorank_error *err) {
  static const char *const looks[] = {
      [ANK_LOOKS_NAME] = "an identifier",
      [ANK_LOOKS_ROW_NUMBER] = "a row number",
      [ANK_LOOKS_RISING] = "an identifier that rises from row to row",
      [ANK_LOOKS_UNIX_SHUFFLED] = "a Unix timestamp",
      [ANK_LOOKS_ID] = "an identifier",
  };
  if (column->role == ANORANK_ROLE_ID && understood->time != ANK_TIME_LEARNED)
    return ank_notes_add(
        &prepare->notes, ANORANK_NOTE_LEFT_OUT, err, "column-time-order",
        "'%s' is a time and is not used as a feature: %s; add it to `columns` to use it", name,
        understood->time == ANK_TIME_TOO_SHORT ? "it covers too few days to learn hours or weekdays"
                                               : "no column depends on its hours, weekdays or months");
  if (column->role == ANORANK_ROLE_ID)
    return ank_notes_add(&prepare->notes, ANORANK_NOTE_LEFT_OUT, err, "column-id",
                         "'%s' looks like %s and is not used as a feature; add it to `columns` to use it",
                         name, looks[understood->look]);
  if (column->role == ANORANK_ROLE_DROPPED)
    return ank_notes_add(&prepare->notes, ANORANK_NOTE_LEFT_OUT, err, "column-label",
                         "'%s' looks like a label and is not used; pass it as `labels`, or add it to "
                         "`columns` to use it as a feature",
                         name);
  if (column->role == ANORANK_ROLE_TIME) return note_time(prepare, column, name, err);
  if (column->role != ANORANK_ROLE_UNUSABLE)
    return ank_notes_add(&prepare->notes, ANORANK_NOTE_WARNING, err, "column-may-be-id",
                         "'%s' may be %s but is used as a feature; add it to `id` to only show it", name,
                         looks[understood->look]);
  if (understood->look == ANK_LOOKS_EMPTY)
    return ank_notes_add(&prepare->notes, ANORANK_NOTE_LEFT_OUT, err, "column-empty",
                         "'%s' is empty and is not used", name);
  if (understood->look == ANK_LOOKS_PROSE)
    return ank_notes_add(&prepare->notes, ANORANK_NOTE_LEFT_OUT, err, "column-free-text",
                         "'%s' holds free text and is not used; add it to `id` to show it", name);
  return ank_notes_add(&prepare->notes, ANORANK_NOTE_LEFT_OUT, err, "column-time-unused",
                       "'%s' is a time without an hourly or weekly pattern and is not used", name);
}

/* ---- missing cells: one note for all columns that are treated alike ----------------------------------- */

typedef enum treatment { FILLED, A_LEVEL, MARKED, NO_GAPS } treatment;

static treatment treatment_of(const ank_profile *column) {
  if (!ank_profile_matters(column) || column->missing == 0) return NO_GAPS;
  if (column->kind == ANORANK_CATEGORICAL) return A_LEVEL;
  return column->role == ANORANK_ROLE_CONSTANT || column->role == ANORANK_ROLE_TIME ? MARKED : FILLED;
}

/* "60.9 % of 'age', 7.8 % of 'distance' and 3 more columns are missing: filled with the mean and flagged" */
static anorank_status note_missing(ank_prepare *prepare, treatment which, anorank_error *err) {
  static const char *const words[] = {[FILLED] = "filled with the mean and flagged",
                                      [A_LEVEL] = "treated as a separate level",
                                      [MARKED] = "flagged"};
  char text[ANK_SENTENCE_SIZE], name[ANK_QUOTE_SIZE];
  size_t used = 0, count = 0;
  for (size_t j = 0; j < prepare->columns; j++) {
    const ank_profile *column = &prepare->column[j];
    if (treatment_of(column) != which || ++count > MOST_ALIKE || used > sizeof text / 2) continue;
    double percent = 100 * (double)column->missing / (double)prepare->rows;
    const char *comma = used > 0 ? ", " : "";
    ank_quote(name, column->name, strlen(column->name));
    int length = percent < 0.1
                     ? ank_print(text + used, sizeof text - used, "%sless than 0.1 %% of '%s'", comma, name)
                     : ank_print(text + used, sizeof text - used, "%s%.1f %% of '%s'", comma, percent, name);
    if (length > 0) used += (size_t)length;
  }
  if (count == 0) return ANORANK_OK;
  if (count > MOST_ALIKE)
    snprintf(text + used, sizeof text - used, " and cells of %zu more column%s", count - MOST_ALIKE,
             ANK_S(count - MOST_ALIKE));
  return ank_notes_add(&prepare->notes, ANORANK_NOTE_UNDERSTOOD, err, "columns-with-gaps",
                       "%.700s %s missing: %s", text, count == 1 ? "is" : "are", words[which]);
}

/* The kinds of notes about single columns, in the order in which they come. */
typedef enum note_kind {
  NOTE_LOOK,
  NOTE_STAND_IN,
  NOTE_CONSTANT,
  NOTE_FLAG,
  NOTE_LEVELS,
  NOTE_KINDS
} note_kind;

static int applies(note_kind kind, const ank_profile *column, const ank_understood *understood) {
  int used = column->role == ANORANK_ROLE_NUMERIC || column->role == ANORANK_ROLE_CATEGORICAL;
  switch (kind) {
  case NOTE_LOOK:
    return column->role == ANORANK_ROLE_UNUSABLE || column->role == ANORANK_ROLE_TIME ||
           ((column->role == ANORANK_ROLE_ID || column->role == ANORANK_ROLE_DROPPED) &&
            understood->look != ANK_LOOKS_PLAIN) ||
           (used && !understood->wanted &&
            (understood->look == ANK_LOOKS_RISING || understood->look == ANK_LOOKS_UNIX_SHUFFLED));
  case NOTE_STAND_IN: return used && column->stand_in != 0;
  case NOTE_CONSTANT: return column->role == ANORANK_ROLE_CONSTANT;
  case NOTE_FLAG: return understood->merged && ank_profile_matters(column);
  case NOTE_LEVELS:
    return column->role == ANORANK_ROLE_CATEGORICAL && column->levels.count > column->indicators + 1;
  case NOTE_KINDS: break;
  }
  return 0;
}

static anorank_status note_column(ank_prepare *prepare, note_kind kind, const ank_profile *column,
                                  const ank_understood *understood, anorank_error *err) {
  char name[ANK_QUOTE_SIZE];
  ank_quote(name, column->name, strlen(column->name));
  switch (kind) {
  case NOTE_LOOK: return note_look(prepare, column, name, understood, err);
  case NOTE_STAND_IN:
    return ank_notes_add(&prepare->notes, ANORANK_NOTE_WARNING, err, "column-missing-number",
                         "'%s' is %.0f in several rows, far from all other values; if that means 'no value', "
                         "add it to `missing`",
                         name, column->stand_in);
  case NOTE_CONSTANT:
    return ank_notes_add(&prepare->notes, ANORANK_NOTE_UNDERSTOOD, err, "column-constant",
                         "'%s' has one value in all training rows; any other value will count as unusual",
                         name);
  case NOTE_FLAG:
    return ank_notes_add(&prepare->notes, ANORANK_NOTE_UNDERSTOOD, err, "column-yes-no",
                         "'%s' spells yes and no in several ways; spellings of the same answer were merged",
                         name);
  case NOTE_LEVELS:
    return ank_notes_add(&prepare->notes, ANORANK_NOTE_UNDERSTOOD, err, "column-levels",
                         "'%s' has %zu levels; %zu have an indicator feature%s", name, column->levels.count,
                         column->indicators,
                         column->expects_new ? "; many occur once, so new levels count as normal" : "");
  case NOTE_KINDS: break;
  }
  return ANORANK_OK;
}

/* Whether the text begins with a word for a sum. */
static int says_total(const char *text) {
  static const char *const words[] = {"total",    "sum",      "grand total", "summe",  "gesamt", "insgesamt",
                                      "endsaldo", "subtotal", "totaal",      "totale", "suma",   "somme"};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    size_t length = strlen(words[i]);
    if (strlen(text) >= length && ank_same_start(text, words[i], length) &&
        !ank_is_letter_or_digit((unsigned char)text[length]))
      return 1;
  }
  return 0;
}

/* Totals below a table would be its most abnormal rows. */
static anorank_status note_totals(ank_prepare *prepare, const anorank_table *table, anorank_error *err) {
  enum { LOOKED_AT = 3 };
  char quoted[ANK_QUOTE_SIZE];
  for (size_t i = table->rows > LOOKED_AT ? table->rows - LOOKED_AT : 0; i < table->rows; i++)
    for (size_t j = 0; j < table->columns; j++) {
      const ank_column *column = &table->column[j];
      if (column->kind != ANORANK_CATEGORICAL || column->codes[i] < 0) continue;
      const char *text = column->levels.text[column->codes[i]];
      if (says_total(text))
        return ank_notes_add(&prepare->notes, ANORANK_NOTE_WARNING, err, "row-is-total",
                             "row %zu looks like a total (\"%s\"); remove it from the file", i + 1,
                             ank_quote(quoted, text, strlen(text)));
    }
  return ANORANK_OK;
}

static int ascending(const void *a, const void *b) {
  double left = *(const double *)a, right = *(const double *)b;
  return left < right ? -1 : left > right;
}

/* Counts the distinct times in the column, without missing ones. */
static anorank_status count_moments(size_t *count, const ank_column *column, size_t rows,
                                    anorank_error *err) {
  double *moment = NULL;
  size_t filled = 0;
  *count = 0;
  ANK_CHECK(ank_alloc_raw(&moment, rows, sizeof *moment, err));
  for (size_t i = 0; i < rows; i++)
    if (!isnan(column->numbers[i])) moment[filled++] = column->numbers[i];
  qsort(moment, filled, sizeof *moment, ascending);
  for (size_t i = 0; i < filled; i++) *count += i == 0 || moment[i] != moment[i - 1];
  ank_free(moment);
  return ANORANK_OK;
}

/* Long format: time, sensor, value. Each time repeats about once for each level. */
static anorank_status note_long_format(ank_prepare *prepare, const anorank_table *table, anorank_error *err) {
  const ank_profile *sensor = NULL, *value = NULL;
  size_t time = SIZE_MAX, times = 0, sensors = 0, values = 0, moments;
  char names[3][ANK_QUOTE_SIZE];
  for (size_t j = 0; j < prepare->columns; j++) {
    const ank_profile *column = &prepare->column[j];
    if (table->column[j].kind == ANORANK_TIME)
      time = j, times++;
    else if (column->role == ANORANK_ROLE_CATEGORICAL)
      sensor = column, sensors++;
    else if (column->role == ANORANK_ROLE_NUMERIC)
      value = column, values++;
  }
  if (times != 1 || sensors != 1 || values != 1 || table->rows < LONG_FEWEST || sensor->levels.count < 2)
    return ANORANK_OK;
  ANK_CHECK(count_moments(&moments, &table->column[time], table->rows, err));
  double each = (double)table->rows / (double)(moments > 0 ? moments : 1);
  if (each < LONG_REPEATS || each > LONG_OFTEN * (double)sensor->levels.count) return ANORANK_OK;
  ank_quote(names[0], prepare->column[time].name, strlen(prepare->column[time].name));
  ank_quote(names[1], sensor->name, strlen(sensor->name));
  ank_quote(names[2], value->name, strlen(value->name));
  return ank_notes_add(&prepare->notes, ANORANK_NOTE_UNDERSTOOD, err, "table-long-format",
                       "each '%s' has a row per '%s' (long format), so '%s' is compared within each '%s'; to "
                       "compare them together, make a column per '%s'",
                       names[0], names[1], names[2], names[1], names[1]);
}

anorank_status ank_prepare_write_notes(ank_prepare *prepare, const ank_understood *understood,
                                       const anorank_table *table, anorank_error *err) {
  static const char *const rests[] = {
      [NOTE_LOOK] = "with a similar note", [NOTE_STAND_IN] = "with such a value",
      [NOTE_CONSTANT] = "with one value",  [NOTE_FLAG] = "with several spellings of yes and no",
      [NOTE_LEVELS] = "with many levels",
  };
  for (size_t i = 0; i < table->notes.count; i++)
    ANK_CHECK(ank_notes_copy(&prepare->notes, &table->notes.list[i], err));
  ANK_CHECK(note_totals(prepare, table, err));
  ANK_CHECK(count_roles(prepare, err));
  ANK_CHECK(note_long_format(prepare, table, err));
  for (note_kind kind = NOTE_LOOK; kind < NOTE_KINDS; kind++) {
    size_t count = 0;
    for (size_t j = 0; j < prepare->columns; j++) {
      if (!applies(kind, &prepare->column[j], &understood[j])) continue;
      if (++count <= MOST_ALIKE)
        ANK_CHECK(note_column(prepare, kind, &prepare->column[j], &understood[j], err));
    }
    if (count > MOST_ALIKE)
      ANK_CHECK(ank_notes_add(&prepare->notes,
                              kind == NOTE_LOOK ? ANORANK_NOTE_LEFT_OUT : ANORANK_NOTE_UNDERSTOOD, err,
                              "columns-more", "%zu more column%s %s", count - MOST_ALIKE,
                              ANK_S(count - MOST_ALIKE), rests[kind]));
  }
  for (treatment which = FILLED; which < NO_GAPS; which++) ANK_CHECK(note_missing(prepare, which, err));
  return ANORANK_OK;
}
