/* review_table.c - the answers of a review as a table, and back:
 *
 *   row        of the reviewed table, from 1
 *   ...        its identifiers (settings->id, or columns that look like some), as they are written
 *   label      1, 0, skip; empty while the question is open
 *   reasons    of open questions, for the person who answers them
 *
 * What is read needs label, and row or an identifier; other columns are ignored. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/alloc.h"
#include "model/results.h"
#include "model/row_subset.h"
#include "prepare/labels.h"
#include "prepare/prepare_parts.h"
#include "ranking/review.h"

enum { CELL = 512 }; /* bytes of an identifier that are compared */

static const char *name_of(const anorank_table *table) { return table->source ? table->source : "the table"; }

static int ascending(const void *a, const void *b) {
  double left = *(const double *)a, right = *(const double *)b;
  return left < right ? -1 : left > right;
}

/* Whether a fit would treat the column as an identifier. */
static anorank_status looks_like_id(unsigned char *out, const ank_column *column, size_t rows,
                                    anorank_error *err) {
  double *sorted = NULL;
  size_t filled = 0;
  ank_look look = ANK_LOOKS_PLAIN;
  if (column->kind == ANORANK_CATEGORICAL) {
    for (size_t i = 0; i < rows; i++) filled += column->codes[i] >= 0;
    look = ank_look_at_texts(column->name, &column->levels, filled);
  } else if (column->kind == ANORANK_NUMERIC) {
    ANK_CHECK(ank_alloc_raw(&sorted, rows, sizeof *sorted, err));
    for (size_t i = 0; i < rows; i++)
      if (isfinite(column->numbers[i])) sorted[filled++] = column->numbers[i];
    qsort(sorted, filled, sizeof *sorted, ascending);
    look = ank_look_at_numbers(column->name, column->numbers, rows, sorted, filled);
    ank_free(sorted);
  }
  *out = ank_look_role(look) == ANORANK_ROLE_ID;
  return ANORANK_OK;
}

/* The identifiers of the reviewed table, those of settings->id or, without, what looks like some: chosen[0 .. count - 1], allocated. */
static anorank_status find_ids(size_t **chosen, size_t *count, const anorank_table *table,
                               const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  unsigned char *marks = NULL;
  *count = 0;
  ANK_TRY(ank_alloc(&marks, table->columns, 1, err));
  ANK_TRY(ank_alloc_raw(chosen, table->columns, sizeof **chosen, err));
  ANK_TRY(ank_mark_named(marks, 1, settings->id, "id", table, err));
  for (size_t j = 0; j < table->columns && !*settings->id; j++)
    ANK_TRY(looks_like_id(&marks[j], &table->column[j], table->rows, err));
  for (size_t j = 0; j < table->columns; j++)
    if (marks[j]) (*chosen)[(*count)++] = j;
done:
  ank_free(marks);
  return status;
}

/* ---- reading ----------------------------------------------------------------------------------------- */

/* Match the identifiers of two tables. */
typedef struct pairing {
  const anorank_table *table, *answers;
  size_t *here, *there, count;
  size_t row; /* column of the answers; SIZE_MAX: none */
} pairing;

/* An identifier that looks like a formula was written with an apostrophe before it. */
static int same_cell(const char *here, const char *there) {
  return strcmp(here, there) == 0 ||
         (there[0] == '\'' && here[0] && strchr("=+-@\t\r", here[0]) && strcmp(here, there + 1) == 0);
}

static int same_ids(const pairing *pair, size_t row, size_t i) {
  char here[CELL], there[CELL];
  for (size_t k = 0; k < pair->count; k++) {
    anorank_table_text(pair->table, pair->here[k], row, here, sizeof here);
    anorank_table_text(pair->answers, pair->there[k], i, there, sizeof there);
    if (!same_cell(here, there)) return 0;
  }
  return 1;
}

/* The row of line i of the answers. Where its number and its identifiers disagree, the file was
 * sorted again, and the identifiers decide. */
static anorank_status find_row(size_t *out, const pairing *pair, size_t i, anorank_error *err) {
  double number = pair->row == SIZE_MAX ? NAN : pair->answers->column[pair->row].numbers[i];
  anorank_status status = ANORANK_OK;
  size_t found = 0;
  int valid = number >= 1 && number <= (double)pair->table->rows && number == floor(number);
  if (valid && same_ids(pair, (size_t)number - 1, i)) {
    *out = (size_t)number - 1;
    return ANORANK_OK;
  }
  if (pair->count == 0) {
    status = ank_fail(err, ANORANK_ERROR_DATA, "feedback-row-number",
                      "%s: label %zu refers to row %.10g, but the rows of %s are 1 to %zu",
                      name_of(pair->answers), i + 1, number, name_of(pair->table), pair->table->rows);
    ank_place_row(err, pair->answers->source, i, NULL);
    return status;
  }
  for (size_t row = 0; row < pair->table->rows && found < 2; row++)
    if (same_ids(pair, row, i)) *out = row, found++;
  if (found != 1) {
    status = ank_fail(err, ANORANK_ERROR_DATA, "feedback-row-unknown",
                      "%s: label %zu refers to a row that %s; use the feedback file of this table",
                      name_of(pair->answers), i + 1, found == 0 ? "is not there" : "is there more than once");
    ank_place_row(err, pair->answers->source, i, NULL);
  }
  return status;
}

static anorank_status pair_up(pairing *pair, const anorank_settings *settings, anorank_error *err) {
  size_t ids;
  ANK_CHECK(find_ids(&pair->here, &ids, pair->table, settings, err));
  ANK_CHECK(ank_alloc_raw(&pair->there, ids, sizeof *pair->there, err));
  for (size_t k = 0; k < ids; k++) {
    const char *name = pair->table->column[pair->here[k]].name;
    size_t at = ank_table_find(pair->answers, name, strlen(name));
    if (at == SIZE_MAX) continue;
    pair->here[pair->count] = pair->here[k];
    pair->there[pair->count++] = at;
  }
  pair->row = ank_table_find(pair->answers, "row", 3);
  if (pair->row != SIZE_MAX && pair->answers->column[pair->row].kind == ANORANK_CATEGORICAL)
    pair->row = SIZE_MAX;
  if ((pair->row == SIZE_MAX && pair->count == 0) || ank_table_find(pair->answers, "label", 5) == SIZE_MAX)
    return ank_fail(err, ANORANK_ERROR_DATA, "feedback-columns",
                    "%s is not a feedback file; it needs a column row (or an identifier) and a column label",
                    name_of(pair->answers));
  return ANORANK_OK;
}

anorank_status anorank_review_read(anorank_review *review, const anorank_table *answers,
                                   const anorank_settings *settings, anorank_error *err) {
  ANK_NEED(review);
  ANK_NEED(answers);
  settings = ank_settings_or_default(settings);
  anorank_status status = ANORANK_OK;
  pairing pair = {.table = review->table, .answers = answers};
  signed char *labels = NULL;
  ANK_TRY(pair_up(&pair, settings, err));
  ANK_TRY(ank_alloc_raw(&labels, answers->rows, sizeof *labels, err));
  ANK_TRY(ank_labels_answers(labels, answers, "label", err));
  for (size_t i = 0; i < answers->rows; i++) {
    size_t row = 0;
    ANK_TRY(find_row(&row, &pair, i, err));
    if (labels[i] == ANORANK_ANSWER_OPEN && review->place[row] != SIZE_MAX) continue;
    ANK_TRY(anorank_review_answer(review, row, (anorank_answer)labels[i], err));
  }
done:
  ank_free(labels);
  ank_free(pair.here);
  ank_free(pair.there);
  return status;
}

/* ---- writing ----------------------------------------------------------------------------------------- */

static anorank_status put_text(ank_column *column, size_t i, const char *text, anorank_error *err) {
  column->codes[i] = -1;
  return text ? ank_levels_code(&column->codes[i], &column->levels, text, strlen(text), err) : ANORANK_OK;
}

static const char *label_of(anorank_answer answer) {
  switch (answer) {
  case ANORANK_ANSWER_ANOMALY: return "1";
  case ANORANK_ANSWER_NORMAL: return "0";
  case ANORANK_ANSWER_SKIPPED: return "skip";
  default: return NULL;
  }
}

static anorank_status fill(anorank_table *out, const anorank_review *review, const size_t *ids, size_t count,
                           anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t *rows = NULL;
  ANK_TRY(ank_alloc_raw(&rows, review->count, sizeof *rows, err));
  for (size_t i = 0; i < review->count; i++) {
    const ank_question *asked = &review->asked[i];
    rows[i] = asked->info.row;
    out->column[count].numbers[i] = (double)(asked->info.row + 1);
    ANK_TRY(put_text(&out->column[count + 1], i, label_of(asked->info.answer), err));
    ANK_TRY(put_text(&out->column[count + 2], i,
                     asked->info.answer == ANORANK_ANSWER_OPEN ? asked->reasons : NULL, err));
  }
  for (size_t k = 0; k < count; k++)
    ANK_TRY(ank_copy_cells(&out->column[k], &review->table->column[ids[k]], rows, review->count, err));
  out->rows = review->count;
done:
  ank_free(rows);
  return status;
}

anorank_status anorank_review_table(anorank_table **out, const anorank_review *review,
                                    const anorank_settings *settings, anorank_error *err) {
  ANK_NEED(out);
  *out = NULL;
  ANK_NEED(review);
  settings = ank_settings_or_default(settings);
  static const char *const ours[] = {"row", "label", "reasons"};
  anorank_status status = ANORANK_OK;
  anorank_table *made = NULL;
  size_t *ids = NULL, count;
  ANK_TRY(find_ids(&ids, &count, review->table, settings, err));
  ANK_TRY(ank_table_new(&made, count + 3, err));
  for (size_t k = 0; k < 3; k++) ANK_TRY(ank_table_set_name(made, count + k, ours[k], strlen(ours[k]), err));
  for (size_t k = 1; k < 3; k++) ank_table_set_kind(made, count + k, ANORANK_CATEGORICAL);
  ANK_TRY(ank_results_columns(made, review->table, ids, count, err));
  ANK_TRY(ank_table_reserve(made, review->count, err));
  ANK_TRY(fill(made, review, ids, count, err));
  ANK_HAND_OVER(out, made);
done:
  ank_table_free(made);
  ank_free(ids);
  return status;
}
