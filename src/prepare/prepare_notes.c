/* prepare_notes.c - see prepare_notes.h. Of each kind of note only the first few are written out: a table may
 * have ten thousand columns with missing cells. */
#include "prepare/prepare_notes.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/alloc.h"

#define MOST_ALIKE 8 /* notes of one kind */
#define NOTE_SIZE 512

static anorank_status add_note(ank_prepare *prepare, anorank_error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static anorank_status add_note(ank_prepare *prepare, anorank_error *err, const char *format, ...) {
  char text[NOTE_SIZE];
  va_list args;
  anorank_status status = ank_reserve(&prepare->notes, &prepare->note_capacity, prepare->note_count + 1,
                                      sizeof *prepare->notes, err);
  if (status != ANORANK_OK) return status;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  status = ank_copy_text(&prepare->notes[prepare->note_count], text, strlen(text), err);
  if (status == ANORANK_OK) prepare->note_count++;
  return status;
}

static anorank_status count_roles(ank_prepare *prepare, anorank_error *err) {
  size_t roles[ANORANK_ROLE_UNUSABLE + 1] = {0};
  for (size_t j = 0; j < prepare->columns; j++) roles[prepare->column[j].role]++;
  size_t numeric = roles[ANORANK_ROLE_NUMERIC], categorical = roles[ANORANK_ROLE_CATEGORICAL];
  size_t used = numeric + categorical;
  char kinds[100];
  if (categorical == 0)
    snprintf(kinds, sizeof kinds, "%s numeric", numeric == 1 ? "it is" : "all");
  else if (numeric == 0)
    snprintf(kinds, sizeof kinds, "%s categorical", categorical == 1 ? "it is" : "all");
  else
    snprintf(kinds, sizeof kinds, "%zu numeric, %zu categorical", numeric, categorical);
  return add_note(prepare, err, "%zu column%s used: %s", used, ANK_S(used), kinds);
}

/* The sentence about a column that looks like something else; writes none for plain ones. */
static anorank_status note_look(ank_prepare *prepare, const ank_known *column, const char *name,
                                const ank_understood *understood, anorank_error *err) {
  static const char *const looks[] = {
      [ANK_LOOKS_NAME] = "an identifier: most of its texts are different",
      [ANK_LOOKS_TIME] = "a time",
      [ANK_LOOKS_ROW_NUMBER] = "a row number",
      [ANK_LOOKS_UNIX_TIME] = "a Unix timestamp",
      [ANK_LOOKS_RISING] = "an identifier: it rises from row to row",
      [ANK_LOOKS_UNIX_SHUFFLED] = "a Unix timestamp",
  };
  if (column->role == ANORANK_ROLE_UNUSABLE && understood->look == ANK_LOOKS_EMPTY)
    return add_note(prepare, err, "column '%s' holds no values and is left out", name);
  if (column->role == ANORANK_ROLE_ID)
    return add_note(prepare, err, "column '%s' looks like %s%s passed through; name it in columns to use it", name,
                    looks[understood->look], understood->look == ANK_LOOKS_NAME ? ", and is" : " and is");
  if (column->role == ANORANK_ROLE_UNUSABLE)
    return add_note(
        prepare, err, "column '%s' looks like %s and is left out; name it in columns to use it, in id to pass it through",
        name, looks[understood->look]);
  return add_note(prepare, err, "column '%s' may be %s, but is used; name it in id to only pass it through",
                  name, looks[understood->look]);
}

static anorank_status note_missing(ank_prepare *prepare, const ank_known *column, const char *name,
                                   anorank_error *err) {
  double percent = 100 * (double)column->missing / (double)prepare->rows;
  char share[32];
  snprintf(share, sizeof share, percent < 0.1 ? "less than 0.1 %%" : "%.1f %%", percent);
  return add_note(prepare, err, "%s of '%s' is missing: %s", share, name,
                  column->kind == ANORANK_CATEGORICAL     ? "taken as a level of its own"
                  : column->role == ANORANK_ROLE_CONSTANT ? "marked"
                                                          : "filled with the mean and marked");
}

/* The kinds of notes about single columns, in the order in which they come. */
typedef enum note_kind { NOTE_LOOK, NOTE_CONSTANT, NOTE_LEVELS, NOTE_MISSING, NOTE_KINDS } note_kind;

static int applies(note_kind kind, const ank_known *column, const ank_understood *understood) {
  int used = column->role == ANORANK_ROLE_NUMERIC || column->role == ANORANK_ROLE_CATEGORICAL;
  switch (kind) {
  case NOTE_LOOK:
    return column->role == ANORANK_ROLE_UNUSABLE ||
           (column->role == ANORANK_ROLE_ID && understood->look != ANK_LOOKS_PLAIN) ||
           (used && !understood->wanted &&
            (understood->look == ANK_LOOKS_RISING || understood->look == ANK_LOOKS_UNIX_SHUFFLED));
  case NOTE_CONSTANT: return column->role == ANORANK_ROLE_CONSTANT;
  case NOTE_LEVELS:
    return column->role == ANORANK_ROLE_CATEGORICAL && column->levels.count > column->indicators + 1;
  case NOTE_MISSING: return ank_known_matters(column) && column->missing > 0;
  case NOTE_KINDS: break;
  }
  return 0;
}

static anorank_status note_column(ank_prepare *prepare, note_kind kind, const ank_known *column,
                                  const ank_understood *understood, anorank_error *err) {
  char name[ANK_QUOTE_SIZE];
  ank_quote(name, column->name, strlen(column->name));
  switch (kind) {
  case NOTE_LOOK: return note_look(prepare, column, name, understood, err);
  case NOTE_CONSTANT:
    return add_note(prepare, err, "column '%s' has one value in all rows: only a departure from it counts",
                    name);
  case NOTE_LEVELS:
    return add_note(prepare, err, "'%s' has %zu levels, %zu with an indicator of their own%s", name,
                    column->levels.count, column->indicators,
                    column->expects_new ? "; so many occur once that new ones are no surprise" : "");
  case NOTE_MISSING: return note_missing(prepare, column, name, err);
  case NOTE_KINDS: break;
  }
  return ANORANK_OK;
}

anorank_status ank_prepare_write_notes(ank_prepare *prepare, const ank_understood *understood,
                                       const anorank_table *table, anorank_error *err) {
  static const char *const rests[] = {
      [NOTE_LOOK] = "left out or worth a look as well",
      [NOTE_CONSTANT] = "constant as well",
      [NOTE_LEVELS] = "of many levels as well",
      [NOTE_MISSING] = "with missing cells as well",
  };
  anorank_status status = ANORANK_OK;
  for (size_t i = 0; i < table->note_count; i++) ANK_TRY(add_note(prepare, err, "%s", table->notes[i]));
  ANK_TRY(count_roles(prepare, err));
  for (note_kind kind = NOTE_LOOK; kind < NOTE_KINDS; kind++) {
    size_t count = 0;
    for (size_t j = 0; j < prepare->columns; j++) {
      if (!applies(kind, &prepare->column[j], &understood[j])) continue;
      if (++count <= MOST_ALIKE)
        ANK_TRY(note_column(prepare, kind, &prepare->column[j], &understood[j], err));
    }
    if (count > MOST_ALIKE)
      ANK_TRY(add_note(prepare, err, "%zu more column%s %s", count - MOST_ALIKE, ANK_S(count - MOST_ALIKE),
                       rests[kind]));
  }
done:
  return status;
}
