/* labels.c - labels from a column of numbers or of words; see labels.h.
 *
 * To accept one more word: add it to `words`. */
#include "prepare/labels.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/alloc.h"
#include "core/print.h"
#include "prepare/prepare_parts.h"
#include "table/cell_words.h"

enum { UNKNOWN = -1, NOT_A_LABEL = -2, SKIPPED = 2 };

static const struct {
  const char *text;
  signed char label;
} words[] = {
    {"1", 1},       {"true", 1},   {"yes", 1},      {"anomaly", 1}, {"anomalous", 1},
    {"outlier", 1}, {"fraud", 1},  {"abnormal", 1}, {"0", 0},       {"false", 0},
    {"no", 0},      {"normal", 0}, {"ok", 0},       {"inlier", 0},
};

/* Letters of ASCII in any case; not by the locale, which would make the answer depend on the machine. */
static int same_word(const char *text, const char *word) {
  for (; *text && *word; text++, word++) {
    char letter = *text >= 'A' && *text <= 'Z' ? (char)(*text - 'A' + 'a') : *text;
    if (letter != *word) return 0;
  }
  return *text == *word;
}

int ank_label_of_word(const char *text) {
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    if (same_word(text, words[i].text)) return words[i].label;
  return ank_flag_of(text, strlen(text));
}

static signed char label_of_text(const char *text) {
  int label = ank_label_of_word(text);
  return label >= 0 ? (signed char)label : NOT_A_LABEL;
}

static anorank_status tell_no_label(const anorank_table *table, const ank_column *column, size_t row,
                                    anorank_error *err) {
  char name[ANK_QUOTE_SIZE], value[ANK_QUOTE_SIZE], number[40];
  const char *text = number;
  if (column->kind != ANORANK_CATEGORICAL)
    ank_print(number, sizeof number, "%.10g", column->numbers[row]);
  else
    text = column->levels.text[column->codes[row]];
  ank_quote(name, column->name, strlen(column->name));
  ank_quote(value, text, strlen(text));
  (void)ank_fail(err, ANORANK_ERROR_DATA, "label-value",
                 "%s: row %zu has \"%s\" in the labels column '%s'; use 1, yes or anomaly, 0, no or normal, "
                 "or an empty cell for unknown",
                 table->source ? table->source : "the table", row + 1, value, name);
  ank_place_row(err, table->source, row, column->name);
  return ANORANK_ERROR_DATA;
}

static anorank_status read_texts(signed char *out, const anorank_table *table, const ank_column *column,
                                 int skip, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  signed char *of_level = NULL;
  ANK_TRY(ank_alloc(&of_level, column->levels.count, sizeof *of_level, err));
  for (size_t k = 0; k < column->levels.count; k++)
    of_level[k] =
        skip && same_word(column->levels.text[k], "skip") ? SKIPPED : label_of_text(column->levels.text[k]);
  for (size_t i = 0; i < table->rows; i++) {
    out[i] = column->codes[i] < 0 ? UNKNOWN : of_level[column->codes[i]];
    if (out[i] == NOT_A_LABEL) ANK_TRY(tell_no_label(table, column, i, err));
  }
done:
  ank_free(of_level);
  return status;
}

static anorank_status read_column(signed char *out, const anorank_table *table, const char *column, int skip,
                                  anorank_error *err) {
  size_t j = 0;
  while (j < table->columns && strcmp(table->column[j].name, column) != 0) j++;
  if (j == table->columns)
    return ank_fail_unknown_column(table, "labels", column, column, strlen(column), err);
  const ank_column *found = &table->column[j];
  if (found->kind == ANORANK_CATEGORICAL) return read_texts(out, table, found, skip, err);
  for (size_t i = 0; i < table->rows; i++) {
    double value = found->numbers[i];
    if (!isnan(value) && value != 0 && value != 1) return tell_no_label(table, found, i, err);
    out[i] = isnan(value) ? UNKNOWN : (signed char)value;
  }
  return ANORANK_OK;
}

anorank_status ank_labels_read(signed char *out, const anorank_table *table, const char *column,
                               anorank_error *err) {
  return read_column(out, table, column, 0, err);
}

anorank_status ank_labels_answers(signed char *out, const anorank_table *table, const char *column,
                                  anorank_error *err) {
  return read_column(out, table, column, 1, err);
}
