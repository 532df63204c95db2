/* reason_text.c - one reason as words.
 *
 *   amount 41.2 is far above its usual 0.3 to 9.8              outside the 5 to 95 % range of the training
 * rows amount 4.1 is unusual together with the other columns; similar rows have 0.2 to 0.9 income is missing,
 * which never happens city 'Oslo' was never seen                                 or: is rare (0.4 % of rows)
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/format.h"
#include "verdict/verdict.h"

enum { SHOWN = 40, PIECE = 64 };

#define RARE 0.05

/* Three digits, more for whole numbers; no exponent where people would not write one. */
void ank_short_number(char *text, size_t size, double value) {
  double magnitude = fabs(value);
  if (magnitude < 1e7 && value == floor(value))
    ank_format(text, size, "%.0f", value + 0.0); /* -0 becomes 0 */
  else if (magnitude >= 1000 && magnitude < 1e7)
    ank_format(text, size, "%.0f", value);
  else
    ank_format(text, size, "%.3g", value);
}

/* Two or three digits: 3 %, 0.4 %; never 0 for what is above it. */
static void percent(char *text, size_t size, double share) {
  double value = 100 * share;
  if (value > 0 && value < 0.01)
    snprintf(text, size, "under 0.01 %%");
  else
    ank_format(text, size, value < 10 ? "%.2g %%" : "%.0f %%", value);
}

/* Text from a file, cut between characters, without what would upset a terminal. */
static void clean(char out[PIECE], const char *text) {
  size_t length = strlen(text), shown = length;
  if (length > SHOWN)
    for (shown = SHOWN - 3; shown > 0 && ((unsigned char)text[shown] & 0xC0) == 0x80;) shown--;
  for (size_t i = 0; i < shown; i++) {
    unsigned char c = (unsigned char)text[i];
    out[i] = c < 0x20 || c == 0x7F ? '?' : text[i];
  }
  memcpy(out + shown, shown < length ? "..." : "", shown < length ? 4 : 1);
}

static void missing_text(char *text, size_t size, const char *name, double share) {
  char how_often[PIECE];
  percent(how_often, sizeof how_often, share);
  if (share > 0)
    snprintf(text, size, "%s is missing, which happens in %s of rows", name, how_often);
  else
    snprintf(text, size, "%s is missing, which never happens", name);
}

static void level_text(char *text, size_t size, const char *name, const char *level, double share,
                       const ank_reason *reason) {
  char how_often[PIECE];
  percent(how_often, sizeof how_often, share);
  if (!(share > 0))
    snprintf(text, size, "%s '%s' was never seen", name, level);
  else if (share < RARE)
    snprintf(text, size, "%s '%s' is rare (%s of rows)", name, level, how_often);
  else if (reason->contribution > 0)
    snprintf(text, size, "%s '%s' is unusual together with the other columns", name, level);
  else
    snprintf(text, size, "%s '%s' is usual (%s of rows)", name, level, how_often);
}

static void number_text(char *text, size_t size, const char *name, double value,
                        const anorank_model_column *column, const anorank_model *model,
                        const ank_reason *reason) {
  char shown[PIECE], low[PIECE], high[PIECE];
  ank_short_number(shown, sizeof shown, value);
  ank_short_number(low, sizeof low, column->low);
  ank_short_number(high, sizeof high, column->high);
  double width = column->high - column->low, beyond = value > column->high  ? value - column->high
                                                      : value < column->low ? column->low - value
                                                                            : 0;
  if (beyond > 0) {
    snprintf(text, size, "%s %s is %s%s its usual %s to %s", name, shown, beyond > width ? "far " : "",
             value > column->high ? "above" : "below", low, high);
  } else if (reason->contribution > 0) {
    double near_low = ank_prepare_number(model->pipeline.prepare, reason->column, reason->near_low);
    double near_high = ank_prepare_number(model->pipeline.prepare, reason->column, reason->near_high);
    int used = snprintf(text, size, "%s %s is unusual together with the other columns", name, shown);
    if (used < 0 || (size_t)used >= size || (value >= near_low && value <= near_high)) return;
    ank_short_number(low, sizeof low, near_low);
    ank_short_number(high, sizeof high, near_high);
    snprintf(text + used, size - (size_t)used,
             strcmp(low, high) == 0 ? "; similar rows have %s" : "; similar rows have %s to %s", low, high);
  } else {
    snprintf(text, size, "%s %s is within its usual %s to %s", name, shown, low, high);
  }
}

void ank_reason_text(char *text, size_t size, const anorank_model *model, const ank_match *match,
                     const anorank_table *table, size_t row, const ank_reason *reason) {
  anorank_model_column column = ank_prepare_column(model->pipeline.prepare, reason->column);
  ank_cell cell = ank_prepare_cell(model->pipeline.prepare, match, table, row, reason->column);
  char name[PIECE], value[PIECE], usual[PIECE];
  int is_number = isfinite(column.low) && column.role == ANORANK_ROLE_NUMERIC;
  clean(name, column.name);
  if (cell.level)
    clean(value, cell.level);
  else
    ank_short_number(value, sizeof value, cell.number);
  if (cell.missing) {
    missing_text(text, size, name, column.missing_share);
  } else if (is_number) {
    number_text(text, size, name, cell.number, &column, model, reason);
  } else if (column.role == ANORANK_ROLE_CONSTANT && !cell.level) {
    ank_short_number(usual, sizeof usual, cell.usual_number);
    snprintf(text, size, cell.surprising ? "%s %s was never seen; it was always %s" : "%s %s is as always",
             name, value, usual);
  } else {
    level_text(text, size, name, value, cell.share, reason);
  }
}
