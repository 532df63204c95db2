/* reason_text.c - the statement about one cell, and its words.
 *
 *   amount 41.2 is far above its usual 0.3 to 9.8            outside the 5 to 95 % range of the training rows
 *   amount 4.1 is unusual together with the other columns; similar rows have 0.2 to 0.9
 *   height 4.2 with weight 310: rows with weight 305 to 316 have height 6.1 to 7.4
 *   middle_name 'Eve' where 97 % of rows have no value
 *   income is missing, which never happens
 *   city 'Oslo' was never seen
 *   code = 17 does not occur in 8,000 training rows
 *   country = GB with tier = gold does not occur in 8,000 training rows
 *   city 'Oslo' is rare: in 3 of 8,000 training rows, 220th of 223 levels
 *   amount 1,374 is 9 times what A0259 usually has (12 to 190 in 84 earlier rows)
 *   A0259 has about 31 rows in 24 h, usually 1 to 4 (84 earlier rows)
 *   12 days after the last row of A0259, usually 2 h to 3 days (84 earlier rows)
 *   first row of A0259 with country 'GB' (84 earlier rows)
 *   country 'GB' is rare for A0259: in about 1 % of 84 earlier rows */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/print.h"
#include "ranking/ranking.h"

enum {
  SHOWN = 40,
  PIECE = 64,
  ENOUGH_SIMILAR = 4,
  FEWEST_DIGITS = 3,
  ALL_DIGITS = 17,
  FEW_VALUES = 10,
  PARTNERS = 400,
  JUST_BEFORE = 5 /* phase of anorank_reason */
};

#define RARE 0.05
#define LONGEST_WRITTEN 1e13 /* amounts in small units reach it; beyond, digits are not readable */
#define LEAST_WRITTEN 1e-4
#define FIRST_YEAR 1500 /* whole numbers of this range are written without separators */
#define LAST_YEAR 2200
#define CLEARLY 0.01 /* of the width of a range: what is outside by less is not worth a sentence */
#define ROUNDING 1e-9
#define ROUNDING_OF_STEPS 1e-6
#define OFTEN_MISSING 0.25
#define SELDOM 0.1 /* a level that no more of the similar rows have is unusual among them */

/* ---- statements ------------------------------------------------------------------------------ */

/* 1 above, -1 below the range by more than a small part of its width and, but for ranges of few values, by
 * more than one step of the data; else 0. */
int ank_reason_outside(const anorank_reason *reason, double low, double high) {
  double width = high - low, least = CLEARLY * width,
         step = width >= FEW_VALUES * reason->resolution ? reason->resolution * (1 + ROUNDING_OF_STEPS) : 0;
  if (step > least) least = step;
  if (reason->number - high > least) return 1;
  return low - reason->number > least ? -1 : 0;
}

static anorank_reason_kind kind_of_number(const anorank_reason *reason) {
  int side = ank_reason_outside(reason, reason->usual_low, reason->usual_high);
  if (side != 0) return side > 0 ? ANORANK_REASON_HIGH : ANORANK_REASON_LOW;
  if (reason->similar_rows >= ENOUGH_SIMILAR &&
      ank_reason_outside(reason, reason->similar_low, reason->similar_high) != 0)
    return ANORANK_REASON_TOGETHER;
  return ANORANK_REASON_USUAL;
}

static anorank_reason_kind kind_of_level(const anorank_reason *reason, double missing_share) {
  double filled = (double)reason->training_rows * (1 - missing_share);
  if (reason->share < RARE && (double)(reason->level_rows * reason->levels) < filled * (1 - ROUNDING))
    return ANORANK_REASON_RARE;
  if (reason->similar_rows >= ENOUGH_SIMILAR && reason->similar_share <= SELDOM &&
      reason->similar_level_share > 0.5)
    return ANORANK_REASON_TOGETHER;
  return ANORANK_REASON_USUAL;
}

/* An unseen code or pair; more informative statements on the cell come first. */
static void describe_new(anorank_reason *out, const ank_row_context *row_context, const ank_match *match,
                         const anorank_table *table, size_t row) {
  const ank_new_cell *cell = &row_context->new_cells[out->index];
  int plain = out->kind == ANORANK_REASON_USUAL || out->kind == ANORANK_REASON_TOGETHER;
  if (cell->alone) {
    out->kind = ANORANK_REASON_NEW_CODE;
  } else if (cell->with != SIZE_MAX && (plain || out->kind == ANORANK_REASON_RARE)) {
    ank_cell other =
        ank_prepare_cell(row_context->background->model->pipeline.prepare, match, table, row, cell->with);
    out->kind = ANORANK_REASON_NEW_PAIR;
    out->partners = 1;
    out->partner[0] = (anorank_partner){.column = row_context->background->column[cell->with].name,
                                        .number = other.number,
                                        .level = other.level,
                                        .low = NAN,
                                        .high = NAN};
  } else {
    return;
  }
  out->compared_rows = cell->rows;
}

void ank_reason_describe(anorank_reason *out, const ank_row_context *row_context, const ank_match *match,
                         const anorank_table *table, size_t row, size_t column, double *work) {
  const anorank_model_column *learned = &row_context->background->column[column];
  ank_cell cell =
      ank_prepare_cell(row_context->background->model->pipeline.prepare, match, table, row, column);
  *out = (anorank_reason){.column = learned->name,
                          .index = column,
                          .number = cell.number,
                          .level = cell.level,
                          .share = cell.missing ? learned->missing_share : cell.share,
                          .usual_low = NAN,
                          .usual_high = NAN,
                          .similar_low = NAN,
                          .similar_high = NAN,
                          .similar_share = NAN,
                          .similar_level_share = NAN,
                          .usual_level = NAN,
                          .level_rows = cell.rows,
                          .level_rank = cell.rank,
                          .levels = cell.rank > 0 ? learned->levels : 0,
                          .training_rows =
                              ank_prepare_train_rows(row_context->background->model->pipeline.prepare)};
  size_t twin = row_context->twin[column];
  if (twin != column) out->twin = row_context->background->column[twin].name;
  if (learned->role == ANORANK_ROLE_NUMERIC) {
    out->usual_low = learned->low;
    out->usual_high = learned->high;
    out->share = cell.missing ? learned->missing_share : (double)NAN;
    out->resolution = ank_resolution_with(row_context->background->resolution[column], cell.number);
    out->resolution = ank_resolution_with(ank_resolution_with(out->resolution, learned->low), learned->high);
  } else if (learned->role == ANORANK_ROLE_CONSTANT && !isnan(cell.usual_number)) {
    out->usual_low = out->usual_high = cell.usual_number;
  }
  if (learned->role != ANORANK_ROLE_TIME)
    ank_describe_similar(out, row_context, ank_prepare_value(match, table, row, column), work);
  if (cell.missing)
    out->kind = ANORANK_REASON_MISSING;
  else if (learned->role == ANORANK_ROLE_TIME)
    out->kind = cell.when == ANK_WHEN_HOUR      ? ANORANK_REASON_HOUR
                : cell.when == ANK_WHEN_WEEKDAY ? ANORANK_REASON_WEEKDAY
                                                : ANORANK_REASON_MONTH;
  else if (cell.unseen)
    out->kind = ANORANK_REASON_NEW_LEVEL;
  else if (learned->role == ANORANK_ROLE_CONSTANT)
    out->kind = cell.surprising ? ANORANK_REASON_NEW_VALUE : ANORANK_REASON_USUAL;
  else
    out->kind = learned->role == ANORANK_ROLE_NUMERIC ? kind_of_number(out)
                                                      : kind_of_level(out, learned->missing_share);
  if (!cell.missing && (out->kind == ANORANK_REASON_TOGETHER || out->kind == ANORANK_REASON_USUAL) &&
      learned->missing_share > 1 - RARE) {
    out->kind = ANORANK_REASON_PRESENT;
    out->share = 1 - learned->missing_share;
  }
  if (row_context->new_cells && !cell.missing) describe_new(out, row_context, match, table, row);
}

void ank_reason_name_partners(anorank_reason *reason, const ank_row_context *row_context,
                              const ank_match *match, const anorank_table *table, size_t row, double *work) {
  const ank_background *background = row_context->background;
  anorank_role role = background->column[reason->index].role;
  size_t columns[2];
  if (reason->kind != ANORANK_REASON_TOGETHER && reason->kind != ANORANK_REASON_USUAL) return;
  if (role != ANORANK_ROLE_NUMERIC && role != ANORANK_ROLE_CATEGORICAL) return;
  if (!ank_find_partners(reason, columns, row_context, work)) return;
  reason->kind = ANORANK_REASON_TOGETHER;
  for (size_t k = 0; k < reason->partners; k++) {
    ank_cell cell = ank_prepare_cell(background->model->pipeline.prepare, match, table, row, columns[k]);
    reason->partner[k].number = cell.number;
    reason->partner[k].level = cell.level;
    reason->partner[k].resolution = ank_resolution_with(reason->partner[k].resolution, cell.number);
  }
}

/* When the row occurs, or a text that is unusual for its entity. */
static anorank_reason reason_beside_numbers(const anorank_reason *reason, const ank_own_past *past) {
  static const anorank_reason_kind kinds[] = {
      [ANK_PAST_GAP] = ANORANK_REASON_OWN_GAP,
      [ANK_PAST_COUNT] = ANORANK_REASON_OWN_COUNT,
      [ANK_PAST_NEW] = ANORANK_REASON_OWN_NEW_LEVEL,
      [ANK_PAST_RARE] = ANORANK_REASON_OWN_RARE_LEVEL,
  };
  int event = past->kind == ANK_PAST_GAP || past->kind == ANK_PAST_COUNT;
  return (anorank_reason){.column = past->column,
                          .index = reason->index,
                          .kind = kinds[past->kind],
                          .contribution = reason->contribution,
                          .number = past->number,
                          .level = past->text,
                          .share = event ? (double)NAN : past->share,
                          .usual_low = event ? past->low : (double)NAN,
                          .usual_high = event ? past->high : (double)NAN,
                          .similar_low = NAN,
                          .similar_high = NAN,
                          .similar_share = NAN,
                          .similar_level_share = NAN,
                          .usual_level = NAN,
                          .training_rows = reason->training_rows,
                          .by = past->by,
                          .entity = past->entity,
                          .earlier_rows = past->rows,
                          .window = past->window,
                          .seconds = past->seconds};
}

int ank_reason_of_past(anorank_reason *reason, const ank_background *background, const ank_own_past *past) {
  size_t c = 0;
  if (!past->column) return 0;
  while (c < background->columns && strcmp(background->column[c].name, past->column) != 0) c++;
  if (past->kind != ANK_PAST_NUMBER) {
    *reason = reason_beside_numbers(reason, past);
    if (c < background->columns) reason->index = c;
    return 1;
  }
  if (!(past->number < past->low || past->number > past->high)) return 0;
  anorank_reason made = {.column = past->column,
                         .index = c < background->columns ? c : reason->index,
                         .kind = ANORANK_REASON_OWN_PAST,
                         .contribution = reason->contribution,
                         .number = past->number,
                         .share = NAN,
                         .usual_low = past->low,
                         .usual_high = past->high,
                         .similar_low = NAN,
                         .similar_high = NAN,
                         .similar_share = NAN,
                         .similar_level_share = NAN,
                         .training_rows = reason->training_rows,
                         .resolution = c < background->columns ? background->resolution[c] : 0,
                         .by = past->by,
                         .entity = past->entity,
                         .earlier_rows = past->rows,
                         .usual_level = past->logs ? past->level : (double)NAN,
                         .phase = past->trends ? JUST_BEFORE : past->season};
  made.resolution = ank_resolution_with(made.resolution, past->number);
  if (ank_reason_outside(&made, past->low, past->high) == 0) return 0;
  *reason = made;
  return 1;
}

int ank_reason_mirrors(const anorank_reason *one, const anorank_reason *other) {
  return one->partners == 1 && other->partners == 1 && one->partner[0].column == other->column &&
         other->partner[0].column == one->column;
}

int ank_reason_is_worth_showing(const anorank_reason *reason) {
  switch (reason->kind) {
  case ANORANK_REASON_USUAL: return 0;
  case ANORANK_REASON_MISSING: return reason->share < OFTEN_MISSING;
  case ANORANK_REASON_HOUR: return reason->share < 0.5 / 24;
  case ANORANK_REASON_WEEKDAY: return reason->share < 0.5 / 7;
  case ANORANK_REASON_MONTH: return reason->share < 0.5 / 12;
  default: return 1;
  }
}

/* ---- words ------------------------------------------------------------------------------------------- */

/* The number format of one sentence. */
typedef struct {
  double resolution;
  int exponent; /* some are too large or too small to be written out */
  int plain;    /* years: no separators */
} notation;

static int needs_exponent(double value) {
  double magnitude = fabs(value);
  return isfinite(value) && value != 0 && (magnitude >= LONGEST_WRITTEN || magnitude < LEAST_WRITTEN);
}

static notation notation_of(const anorank_reason *reason, double low, double high) {
  notation way = {.resolution = reason->resolution};
  way.exponent = needs_exponent(reason->number) || needs_exponent(low) || needs_exponent(high);
  way.plain = reason->resolution == 1 && low >= FIRST_YEAR && high <= LAST_YEAR;
  return way;
}

/* Decimals that give this number of digits; 0 for larger numbers. */
static int decimals_of(double value, int digits) {
  int before = value == 0 ? 0 : (int)floor(log10(fabs(value)));
  return digits - 1 > before ? digits - 1 - before : 0;
}

/* Commas between the thousands of "-1234567.25". */
static void separate_thousands(char text[PIECE]) {
  char *from = text + (*text == '-');
  size_t whole = strspn(from, "0123456789"), length = strlen(text);
  for (size_t left = whole; left > 3 && length + 1 < PIECE; left -= 3, length++)
    memmove(from + left - 2, from + left - 3, strlen(from + left - 3) + 1), from[left - 3] = ',';
}

static void drop_last_zeros(char text[PIECE]) {
  size_t length = strlen(text);
  if (!strchr(text, '.')) return;
  while (text[length - 1] == '0') length--;
  text[text[length - 1] == '.' ? length - 1 : length] = '\0';
}

/* At most the decimals of the column; without them so many digits, more for whole numbers. */
static void put_number(char text[PIECE], double value, int digits, notation way) {
  value += 0.0; /* -0 becomes 0 */
  if (way.exponent || !isfinite(value)) {
    ank_print(text, PIECE, "%.*g", digits, value);
    return;
  }
  if (way.resolution > 0)
    ank_print(text, PIECE, "%.*f", (int)lround(-log10(way.resolution)), value);
  else if (value == floor(value))
    ank_print(text, PIECE, "%.0f", value);
  else
    ank_print(text, PIECE, "%.*f", decimals_of(value, digits), value);
  drop_last_zeros(text);
  if (strcmp(text, "-0") == 0) strcpy(text, "0");
  if (!way.plain) separate_thousands(text);
}

/* A value and the range that it is outside of, with enough digits to show it. */
static void put_outside(char value[PIECE], char low[PIECE], char high[PIECE], const anorank_reason *reason,
                        double from, double to) {
  notation way = notation_of(reason, from, to);
  double x = reason->number;
  for (int digits = FEWEST_DIGITS; digits <= ALL_DIGITS; digits++) {
    put_number(value, x, digits, way);
    put_number(low, from, digits, way);
    put_number(high, to, digits, way);
    if (strcmp(value, x < from ? low : high) != 0) return;
  }
}

/* Two or three digits: 3 %, 0.4 %; never 0 for positive shares, nor 100 for smaller ones. */
static void put_percent(char text[PIECE], double share) {
  double value = 100 * share;
  if (value > 0 && value < 0.01)
    snprintf(text, PIECE, "under 0.01 %%");
  else if (value > 99 && value < 100)
    snprintf(text, PIECE, "over 99 %%");
  else {
    char number[PIECE];
    ank_print(number, sizeof number, value < 10 ? "%.2g" : "%.0f", value);
    snprintf(text, PIECE, "%.40s %%", number);
  }
}

/* Text from a file, truncated between characters, without control characters. */
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

/* The cell: a number, or a text in quotes. */
static void put_cell(char out[PIECE], const anorank_reason *reason) {
  char level[PIECE];
  if (reason->level) {
    clean(level, reason->level);
    snprintf(out, PIECE, "'%.60s'", level);
  } else {
    put_number(out, reason->number, FEWEST_DIGITS,
               notation_of(reason, reason->usual_low, reason->usual_high));
  }
}

static int say_range(char *text, size_t size, const char *name, const anorank_reason *reason) {
  char value[PIECE], low[PIECE], high[PIECE];
  int above = reason->kind == ANORANK_REASON_HIGH;
  double width = reason->usual_high - reason->usual_low;
  double beyond = above ? reason->number - reason->usual_high : reason->usual_low - reason->number;
  put_outside(value, low, high, reason, reason->usual_low, reason->usual_high);
  return snprintf(text, size,
                  strcmp(low, high) == 0 ? "%s %s is %s%s its usual %s" : "%s %s is %s%s its usual %s to %s",
                  name, value, beyond > width ? "far " : "", above ? "above" : "below", low, high);
}

/* "weight 310", or the values of similar rows, "weight 305 to 316"; for texts both are equal. */
static int put_partner(char *text, size_t size, const anorank_partner *partner, int similar) {
  char name[PIECE], value[PIECE], low[PIECE], high[PIECE];
  anorank_reason cell = {
      .number = partner->number, .level = partner->level, .resolution = partner->resolution};
  cell.usual_low = partner->low, cell.usual_high = partner->high;
  clean(name, partner->column);
  put_cell(value, &cell);
  if (!similar || isnan(partner->low)) return snprintf(text, size, "%s %s", name, value);
  notation way = notation_of(&cell, partner->low, partner->high);
  put_number(low, partner->low, FEWEST_DIGITS, way);
  put_number(high, partner->high, FEWEST_DIGITS, way);
  return strcmp(low, high) == 0 ? snprintf(text, size, "%s %s", name, low)
                                : snprintf(text, size, "%s %s to %s", name, low, high);
}

static void put_partners(char text[PARTNERS], const anorank_reason *reason, int similar) {
  int used = put_partner(text, PARTNERS, &reason->partner[0], similar);
  if (reason->partners < 2 || used < 0 || used >= PARTNERS) return;
  used += snprintf(text + used, (size_t)(PARTNERS - used), " and ");
  if (used < PARTNERS) put_partner(text + used, (size_t)(PARTNERS - used), &reason->partner[1], similar);
}

/* "height 4.2 with weight 310: rows with weight 305 to 316 have height 6.1 to 7.4" */
static int say_disagreement(char *text, size_t size, const char *name, const anorank_reason *reason) {
  char value[PIECE], low[PIECE], high[PIECE], own[PARTNERS], similar[PARTNERS];
  put_partners(own, reason, 0);
  put_partners(similar, reason, 1);
  if (reason->similar_level) {
    put_cell(value, reason);
    clean(low, reason->similar_level);
    return snprintf(text, size, "%s %s with %s: most rows with %s have %s '%s'", name, value, own, similar,
                    name, low);
  }
  put_outside(value, low, high, reason, reason->similar_low, reason->similar_high);
  return snprintf(text, size,
                  strcmp(low, high) == 0 ? "%s %s with %s: rows with %s have %s %s"
                                         : "%s %s with %s: rows with %s have %s %s to %s",
                  name, value, own, similar, name, low, high);
}

static int say_together(char *text, size_t size, const char *name, const anorank_reason *reason) {
  char value[PIECE], low[PIECE], high[PIECE];
  if (reason->partners > 0) return say_disagreement(text, size, name, reason);
  if (reason->similar_level) {
    put_cell(value, reason);
    clean(low, reason->similar_level);
    return snprintf(text, size,
                    "%s %s is unusual together with the other columns; most similar rows have '%s'", name,
                    value, low);
  }
  put_outside(value, low, high, reason, reason->similar_low, reason->similar_high);
  return snprintf(text, size,
                  strcmp(low, high) == 0
                      ? "%s %s is unusual together with the other columns; similar rows have %s"
                      : "%s %s is unusual together with the other columns; similar rows have %s to %s",
                  name, value, low, high);
}

/* "booked is at 03:12, an hour with 0.4 % of rows", or a usual time as say_usual() would put it. */
static int say_when(char *text, size_t size, const char *name, const anorank_reason *reason) {
  static const char *const days[] = {"Monday", "Tuesday",  "Wednesday", "Thursday",
                                     "Friday", "Saturday", "Sunday"};
  static const char *const months[] = {"January", "February", "March",     "April",   "May",      "June",
                                       "July",    "August",   "September", "October", "November", "December"};
  int minutes = ank_minute_of(reason->number);
  long year;
  const char *unit = "an hour";
  char often[PIECE], when[PIECE];
  put_percent(often, reason->share);
  if (reason->kind == ANORANK_REASON_WEEKDAY) {
    unit = "a day";
    snprintf(when, sizeof when, "on a %s", days[ank_weekday_of(reason->number)]);
  } else if (reason->kind == ANORANK_REASON_MONTH) {
    unit = "a month";
    snprintf(when, sizeof when, "in %s", months[ank_month_of(reason->number, &year)]);
  } else {
    snprintf(when, sizeof when, "at %02d:%02d", minutes / 60, minutes % 60);
  }
  if (ank_reason_is_worth_showing(reason))
    return snprintf(text, size, "%s is %s, %s with %s of rows", name, when, unit, often);
  return snprintf(text, size, "%s %s is usual by itself (%s of rows); only the row as a whole is not", name,
                  when, often);
}

static int say_usual(char *text, size_t size, const char *name, const anorank_reason *reason) {
  char value[PIECE], low[PIECE], high[PIECE];
  put_cell(value, reason);
  if (isnan(reason->usual_low)) {
    put_percent(low, reason->share);
    return snprintf(text, size, "%s %s is usual by itself (%s of rows); only the row as a whole is not", name,
                    value, low);
  }
  if (reason->usual_low == reason->usual_high && reason->number == reason->usual_low)
    return snprintf(text, size, "%s %s is as always", name, value);
  if (reason->number < reason->usual_low || reason->number > reason->usual_high)
    return snprintf(text, size, "%s %s is usual by itself; only the row as a whole is not", name, value);
  notation way = notation_of(reason, reason->usual_low, reason->usual_high);
  put_number(low, reason->usual_low, FEWEST_DIGITS, way);
  put_number(high, reason->usual_high, FEWEST_DIGITS, way);
  return snprintf(text, size, "%s %s is usual by itself (%s to %s); only the row as a whole is not", name,
                  value, low, high);
}

/* "amount 1,374 is 9 times what A0259 usually has (12 to 190 in 84 earlier rows)" */
static int say_past(char *text, size_t size, const char *name, const anorank_reason *reason) {
  static const char *const phases[] = {
      "", " at this hour", " on this weekday", " at this hour of the week", " in this month", " just before"};
  char value[PIECE], low[PIECE], high[PIECE], entity[PIECE], who[2 * PIECE], how[PIECE], rows[32],
      after[PIECE] = "";
  int above = reason->number > reason->usual_high, before = reason->phase == JUST_BEFORE;
  double ratio = reason->number / reason->usual_level;
  put_outside(value, low, high, reason, reason->usual_low, reason->usual_high);
  if (above && ratio >= 10 && ratio < LONGEST_WRITTEN)
    snprintf(how, sizeof how, "%s times", ank_count_text(rows, sizeof rows, (size_t)(ratio + 0.5)));
  else if (above && ratio >= 2)
    ank_print(how, sizeof how, "%.2g times", ratio);
  else
    snprintf(how, sizeof how, above ? "above" : "below");
  clean(entity, !reason->entity ? "" : reason->earlier_rows > 0 ? reason->entity : reason->by);
  if (!reason->entity)
    snprintf(who, sizeof who, before ? "what was there" : "what is usual");
  else
    snprintf(who, sizeof who, "what %s%.60s %s", reason->earlier_rows > 0 ? "" : "a new ", entity,
             before ? "had" : "usually has");
  if (reason->earlier_rows > 0)
    snprintf(after, sizeof after, " in %s earlier row%s",
             ank_count_text(rows, sizeof rows, reason->earlier_rows), ANK_S(reason->earlier_rows));
  return snprintf(text, size, "%s %s is %s %s%s (%s to %s%s)", name, value, how, who,
                  reason->phase >= 0 && reason->phase <= JUST_BEFORE ? phases[reason->phase] : "", low, high,
                  after);
}

/* "90 s", "24 h", "2.5 days"; without a unit where times are an order. */
static void put_length(char text[PIECE], double length, int seconds, int digits) {
  static const struct {
    double least, unit;
    const char *name;
  } units[] = {{48 * 3600.0, 86400, " days"}, {2 * 3600.0, 3600, " h"}, {120, 60, " min"}, {0, 1, " s"}};
  size_t k = 0;
  char number[PIECE];
  while (seconds && length < units[k].least) k++;
  put_number(number, seconds ? length / units[k].unit : length, digits, (notation){0});
  snprintf(text, PIECE, "%.40s%s", number, seconds ? units[k].name : "");
}

static void put_earlier(char text[PIECE], const anorank_reason *reason) {
  char rows[32];
  snprintf(text, PIECE, "%s earlier row%s", ank_count_text(rows, sizeof rows, reason->earlier_rows),
           ANK_S(reason->earlier_rows));
}

/* "12 days after the last row of A0259, usually 2 h to 3 days (84 earlier rows)" */
static int say_gap(char *text, size_t size, const char *name, const anorank_reason *reason) {
  char value[PIECE], low[PIECE], high[PIECE], entity[PIECE] = "", rows[PIECE];
  for (int digits = 2; digits <= ALL_DIGITS; digits++) {
    put_length(value, reason->number, reason->seconds, digits);
    put_length(low, reason->usual_low, reason->seconds, 2);
    put_length(high, reason->usual_high, reason->seconds, digits);
    if (strcmp(value, high) != 0) break;
  }
  put_earlier(rows, reason);
  if (reason->entity) clean(entity, reason->entity);
  return snprintf(text, size, "%s%s%s after the last row%s%s, usually %s to %s (%s)",
                  reason->seconds ? "" : name, reason->seconds ? "" : " ", value, *entity ? " of " : "",
                  entity, low, high, rows);
}

/* "A0259 has about 31 rows in 24 h, usually 1 to 4 (84 earlier rows)" */
static int say_count(char *text, size_t size, const char *name, const anorank_reason *reason) {
  char value[PIECE], low[PIECE], high[PIECE], entity[PIECE] = "", window[PIECE], rows[PIECE];
  for (int digits = 1; digits <= ALL_DIGITS; digits++) {
    put_number(value, reason->number, digits, (notation){0});
    put_number(low, reason->usual_low, digits, (notation){0});
    put_number(high, reason->usual_high, digits, (notation){0});
    if (strcmp(value, high) != 0) break;
  }
  put_length(window, reason->window, reason->seconds, FEWEST_DIGITS);
  put_earlier(rows, reason);
  if (reason->entity) clean(entity, reason->entity);
  return snprintf(text, size, "%s%sabout %s rows %s %s%s%s, usually %s to %s (%s)", entity,
                  *entity ? " has " : "", value, reason->seconds ? "in" : "within", window,
                  reason->seconds ? "" : " of ", reason->seconds ? "" : name, low, high, rows);
}

/* "first row of A0259 with country 'GB' (84 earlier rows)" */
static int say_own_level(char *text, size_t size, const char *name, const char *value,
                         const anorank_reason *reason) {
  char entity[PIECE] = "", often[PIECE], rows[PIECE];
  put_earlier(rows, reason);
  put_percent(often, reason->share);
  if (reason->entity) clean(entity, reason->entity);
  if (reason->kind == ANORANK_REASON_OWN_NEW_LEVEL)
    return snprintf(text, size, "first row%s%s with %s %s (%s)", *entity ? " of " : "", entity, name, value,
                    rows);
  return snprintf(text, size, "%s %s is rare%s%s: in about %s of %s", name, value, *entity ? " for " : "",
                  entity, often, rows);
}

/* "city 'Oslo' is rare: in 3 of 8,000 training rows, 220th of 223 levels" */
static int say_rare(char *text, size_t size, const char *name, const char *value,
                    const anorank_reason *reason) {
  static const char *const endings[] = {"th", "st", "nd", "rd"};
  char own[32], rows[32], rank[32], levels[32];
  size_t last = reason->level_rank % 10, teen = reason->level_rank / 10 % 10 == 1;
  return snprintf(text, size, "%s %s is rare: in %s of %s training rows, %s%s of %s levels", name, value,
                  ank_count_text(own, sizeof own, reason->level_rows),
                  ank_count_text(rows, sizeof rows, reason->training_rows),
                  ank_count_text(rank, sizeof rank, reason->level_rank), endings[last > 3 || teen ? 0 : last],
                  ank_count_text(levels, sizeof levels, reason->levels));
}

/* A cell without quotes: as many digits as tell it from others. */
static void put_value(char out[PIECE], double number, const char *level, double resolution) {
  if (level)
    clean(out, level);
  else if (isnan(number))
    snprintf(out, PIECE, "missing");
  else
    put_number(out, number, ALL_DIGITS - 1,
               (notation){.resolution = resolution, .exponent = needs_exponent(number), .plain = 1});
}

/* "country = GB with tier = gold does not occur in 8,000 training rows" */
static int say_new(char *text, size_t size, const char *name, const anorank_reason *reason) {
  char value[PIECE], rows[32], other[PIECE], with[PIECE];
  put_value(value, reason->number, reason->level, reason->resolution);
  ank_count_text(rows, sizeof rows, reason->compared_rows);
  if (reason->kind == ANORANK_REASON_NEW_CODE)
    return snprintf(text, size, "%s = %s does not occur in %s training rows", name, value, rows);
  clean(other, reason->partners > 0 ? reason->partner[0].column : "");
  put_value(with, reason->partner[0].number, reason->partner[0].level, reason->partner[0].resolution);
  return snprintf(text, size, "%s = %s with %s = %s does not occur in %s training rows", name, value, other,
                  with, rows);
}

static int say(char *text, size_t size, const anorank_reason *reason) {
  char name[PIECE], value[PIECE], often[PIECE];
  clean(name, reason->column ? reason->column : "");
  put_cell(value, reason);
  put_percent(often, reason->share);
  switch (reason->kind) {
  case ANORANK_REASON_HIGH:
  case ANORANK_REASON_LOW: return say_range(text, size, name, reason);
  case ANORANK_REASON_TOGETHER: return say_together(text, size, name, reason);
  case ANORANK_REASON_RARE: return say_rare(text, size, name, value, reason);
  case ANORANK_REASON_MISSING:
    if (!(reason->share > 0)) return snprintf(text, size, "%s is missing, which never happens", name);
    return snprintf(text, size, "%s is missing, which happens in %s of rows", name, often);
  case ANORANK_REASON_NEW_LEVEL: return snprintf(text, size, "%s %s was never seen", name, value);
  case ANORANK_REASON_NEW_VALUE:
    put_number(often, reason->usual_low, FEWEST_DIGITS,
               notation_of(reason, reason->usual_low, reason->usual_high));
    return snprintf(text, size, "%s %s was never seen; it was always %s", name, value, often);
  case ANORANK_REASON_HOUR:
  case ANORANK_REASON_WEEKDAY:
  case ANORANK_REASON_MONTH: return say_when(text, size, name, reason);
  case ANORANK_REASON_PRESENT:
    put_percent(often, 1 - reason->share);
    return snprintf(text, size, "%s %s where %s of rows have no value", name, value, often);
  case ANORANK_REASON_NEW_CODE:
  case ANORANK_REASON_NEW_PAIR: return say_new(text, size, name, reason);
  case ANORANK_REASON_OWN_PAST: return say_past(text, size, name, reason);
  case ANORANK_REASON_OWN_GAP: return say_gap(text, size, name, reason);
  case ANORANK_REASON_OWN_COUNT: return say_count(text, size, name, reason);
  case ANORANK_REASON_OWN_NEW_LEVEL:
  case ANORANK_REASON_OWN_RARE_LEVEL: return say_own_level(text, size, name, value, reason);
  case ANORANK_REASON_USUAL: break;
  }
  return say_usual(text, size, name, reason);
}

size_t ank_reason_text(const anorank_reason *reason, char *text, size_t size) {
  int length = say(text, size, reason);
  if (length <= 0) return 0;
  if (!reason->twin) return (size_t)length;
  char twin[PIECE];
  clean(twin, reason->twin);
  size_t used = (size_t)length < size ? (size_t)length : size;
  int more = snprintf(size > used ? text + used : NULL, size - used, " (like %s)", twin);
  return (size_t)length + (more > 0 ? (size_t)more : 0);
}
