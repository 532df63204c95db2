/* settings_set.c - settings as objects: create, copy, set from text and write as text. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/alloc.h"
#include "core/number.h"
#include "core/parallel.h"
#include "core/settings.h"
#include "core/shortest.h"
#include "core/status.h"

/* ---- text to values ---------------------------------------------------------------------------------- */

/* Return the word at `index` of "a|b|c", with its length; "" past the end. */
static size_t choice_word(const char **word, const char *choices, int64_t index) {
  for (; index > 0 && choices; index--) {
    choices = strchr(choices, '|');
    if (choices) choices++;
  }
  *word = choices && index == 0 ? choices : "";
  return strcspn(*word, "|");
}

/* Return the index of the text, or -1. */
static int choice_index(const char *choices, const char *text) {
  const char *word;
  size_t length;
  for (int index = 0; (length = choice_word(&word, choices, index)) > 0; index++)
    if (strlen(text) == length && memcmp(word, text, length) == 0) return index;
  return -1;
}

static int parse_unsigned(const char *text, size_t length, uint64_t *value) {
  *value = 0;
  for (size_t i = 0; i < length; i++)
    if (text[i] < '0' || text[i] > '9' || __builtin_mul_overflow(*value, 10u, value) ||
        __builtin_add_overflow(*value, (uint64_t)(text[i] - '0'), value))
      return 0;
  return length > 0;
}

static int parse_integer(const char *text, size_t length, int64_t *value) {
  uint64_t size;
  int negative = length > 0 && *text == '-';
  if (!parse_unsigned(text + negative, length - (size_t)negative, &size) || size > INT64_MAX) return 0;
  *value = negative ? -(int64_t)size : (int64_t)size;
  return 1;
}

static int parse_bytes(const char *text, size_t length, int64_t *value) {
  static const char units[] = "KMGT";
  if (length == 0) return 0;
  const char *unit = memchr(units, text[length - 1] & ~0x20, sizeof units - 1);
  int64_t scale = unit ? (int64_t)1 << (10 * (unit - units + 1)) : 1;
  return parse_integer(text, length - (unit != NULL), value) && !__builtin_mul_overflow(*value, scale, value);
}

static int parse_real(const char *text, size_t length, double *value) {
  static const char blanks[] = " \t\n\r\v\f";
  if (length == 0 || strchr(blanks, text[0]) || strchr(blanks, text[length - 1])) return 0;
  return ank_number_parse(value, text, length) == ANK_NUMBER && isfinite(*value);
}

/* Return whether the text of this row is a pointer (settings.h). */
static int is_long(const anorank_setting *info) {
  return info->kind == ANORANK_SETTING_LIST || (info->kind == ANORANK_SETTING_TEXT && isinf(info->high));
}

static int within(const anorank_setting *info, double value) {
  return value >= info->low && value <= info->high;
}

/* Write the value to the field, and a long text as a pointer. Returns 0 if the text is not valid for this
 * setting. */
static int store(anorank_settings *settings, const ank_setting_row *row, const char *text) {
  char *field = (char *)settings + row->offset;
  const anorank_setting *info = &row->info;
  size_t length = strlen(text);
  union {
    int64_t integer;
    uint64_t whole;
    double real;
    int32_t choice;
  } value;
  switch (info->kind) {
  case ANORANK_SETTING_INTEGER:
  case ANORANK_SETTING_BYTES:
    if (!(info->kind == ANORANK_SETTING_BYTES ? parse_bytes : parse_integer)(text, length, &value.integer) ||
        !within(info, (double)value.integer))
      return 0;
    memcpy(field, &value.integer, sizeof value.integer);
    return 1;
  case ANORANK_SETTING_UNSIGNED:
    if (!parse_unsigned(text, length, &value.whole)) return 0;
    memcpy(field, &value.whole, sizeof value.whole);
    return 1;
  case ANORANK_SETTING_REAL:
    if (!parse_real(text, length, &value.real) || !within(info, value.real)) return 0;
    memcpy(field, &value.real, sizeof value.real);
    return 1;
  case ANORANK_SETTING_CHOICE:
    value.choice = choice_index(info->choices, text);
    if (value.choice < 0) return 0;
    memcpy(field, &value.choice, sizeof value.choice);
    return 1;
  case ANORANK_SETTING_TEXT:
  case ANORANK_SETTING_LIST:
    if (!within(info, (double)length)) return 0;
    memcpy(field, is_long(info) ? (const void *)&text : text, is_long(info) ? sizeof text : length + 1);
    return 1;
  }
  return 0;
}

/* ---- words for what is refused ----------------------------------------------------------------------- */

static const char *number_text(char text[ANK_SHORTEST_SIZE], double value) {
  text[ank_shortest(text, value)] = '\0';
  return text;
}

static void describe_allowed(const anorank_setting *info, char *text, size_t size) {
  char low[ANK_SHORTEST_SIZE], high[ANK_SHORTEST_SIZE];
  number_text(low, info->low);
  number_text(high, info->high);
  switch (info->kind) {
  case ANORANK_SETTING_CHOICE: snprintf(text, size, "one of %s", info->choices); break;
  case ANORANK_SETTING_TEXT:
  case ANORANK_SETTING_LIST: snprintf(text, size, "at most %s bytes of text", high); break;
  case ANORANK_SETTING_REAL: snprintf(text, size, "a number from %s to %s", low, high); break;
  case ANORANK_SETTING_BYTES: snprintf(text, size, "a size such as 512M or 2G"); break;
  case ANORANK_SETTING_UNSIGNED: snprintf(text, size, "a whole number from 0 to 18446744073709551615"); break;
  case ANORANK_SETTING_INTEGER:
    snprintf(text, size, "a whole number from %lld to %lld", (long long)info->low, (long long)info->high);
    break;
  }
}

static anorank_status refuse(const anorank_setting *info, const char *given, anorank_error *err) {
  char quoted[ANK_QUOTE_SIZE], allowed[256];
  describe_allowed(info, allowed, sizeof allowed);
  ank_fail(err, ANORANK_ERROR_USAGE, "setting-value", "%s is \"%s\"; it takes %s", info->name,
           ank_quote(quoted, given, strlen(given)), allowed);
  ank_error_set_setting(err, info->name);
  return ANORANK_ERROR_USAGE;
}

static anorank_status find(const ank_setting_row **row, const char *name, anorank_error *err) {
  char quoted[ANK_QUOTE_SIZE];
  *row = ank_setting_row_find(name);
  if (*row) return ANORANK_OK;
  return ank_fail(err, ANORANK_ERROR_USAGE, "setting-unknown", "unknown setting \"%s\"; check its spelling",
                  ank_quote(quoted, name, strlen(name)));
}

/* ---- objects ----------------------------------------------------------------------------------------- */

static anorank_settings defaults;
static ank_once_flag defaults_made;

static void make_defaults(void) {
  const ank_setting_row *row;
  for (size_t i = 0; (row = ank_setting_row_at(i)) != NULL; i++)
    (void)store(&defaults, row, row->info.default_value);
}

const anorank_settings *ank_settings_defaults(void) {
  ank_once(&defaults_made, make_defaults);
  return &defaults;
}

const anorank_settings *ank_settings_or_default(const anorank_settings *settings) {
  return settings ? settings : ank_settings_defaults();
}

void ank_settings_default(anorank_settings *settings) { *settings = *ank_settings_defaults(); }

/* Return the address of a long text's pointer. */
static const char **text_of(anorank_settings *settings, const ank_setting_row *row) {
  return (const char **)(void *)((char *)settings + row->offset);
}

/* Free a text, unless it is the table's. */
static void free_text(const char *text, const ank_setting_row *row) {
  union {
    const char *lent;
    char *owned;
  } pointer = {text};
  if (text != row->info.default_value) ank_free(pointer.owned);
}

void ank_settings_release(anorank_settings *settings) {
  const ank_setting_row *row;
  for (size_t i = 0; settings->owner == settings && (row = ank_setting_row_at(i)) != NULL; i++)
    if (is_long(&row->info)) free_text(*text_of(settings, row), row);
  memset(settings, 0, sizeof *settings);
}

void ank_settings_move(anorank_settings *to, anorank_settings *from) {
  int owns = from->owner == from;
  *to = *from;
  to->owner = owns ? to : NULL;
  memset(from, 0, sizeof *from);
}

anorank_status ank_settings_hold(anorank_settings *out, const anorank_settings *from, anorank_error *err) {
  const ank_setting_row *row;
  anorank_settings held = *from;
  anorank_status status = ANORANK_OK;
  held.owner = &held;
  held.progress = NULL;
  held.progress_context = NULL;
  held.stop = NULL;
  held.stop_context = NULL;
  memset(out, 0, sizeof *out);
  for (size_t i = 0; (row = ank_setting_row_at(i)) != NULL; i++) {
    if (!is_long(&row->info)) continue;
    const char **text = text_of(&held, row), *given = *text;
    char *copy = NULL;
    if (given == row->info.default_value) continue;
    /* After a failure, clear the rest, so that no text of the other object is released. */
    if (status == ANORANK_OK) status = ank_copy_text(&copy, given, strlen(given), err);
    *text = copy;
  }
  if (status == ANORANK_OK)
    ank_settings_move(out, &held);
  else
    ank_settings_release(&held);
  return status;
}

anorank_status anorank_settings_new(anorank_settings **out, const anorank_settings *from,
                                    anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_settings *settings = NULL;
  ANK_NEED(out);
  *out = NULL;
  from = ank_settings_or_default(from);
  ANK_TRY(ank_alloc(&settings, 1, sizeof *settings, err));
  ANK_TRY(ank_settings_hold(settings, from, err));
  settings->progress = from->progress;
  settings->progress_context = from->progress_context;
  settings->stop = from->stop;
  settings->stop_context = from->stop_context;
  *out = settings;
  settings = NULL;
done:
  ank_free(settings);
  return status;
}

void anorank_settings_free(anorank_settings *settings) {
  if (!settings) return;
  ank_settings_release(settings);
  ank_free(settings);
}

void anorank_settings_on_progress(anorank_settings *settings, anorank_progress callback, void *context) {
  if (!settings) return;
  settings->progress = callback;
  settings->progress_context = context;
}

void anorank_settings_on_stop(anorank_settings *settings, anorank_stop callback, void *context) {
  if (!settings) return;
  settings->stop = callback;
  settings->stop_context = context;
}

/* ---- set --------------------------------------------------------------------------------------------- */

anorank_status ank_settings_lend(anorank_settings *settings, const char *name, const char *text,
                                 anorank_error *err) {
  const ank_setting_row *row;
  ANK_CHECK(find(&row, name, err));
  return store(settings, row, text) ? ANORANK_OK : refuse(&row->info, text, err);
}

anorank_status anorank_settings_set(anorank_settings *settings, const char *name, const char *text,
                                    anorank_error *err) {
  const ank_setting_row *row;
  char *copy;
  ANK_NEED(settings);
  ANK_NEED(name);
  ANK_NEED(text);
  ANK_CHECK(find(&row, name, err));
  if (!is_long(&row->info) || settings->owner != settings)
    return ank_settings_lend(settings, name, text, err);
  ANK_CHECK(ank_copy_text(&copy, text, strlen(text), err));
  free_text(*text_of(settings, row), row); /* `text` may be part of the old value, so free that after the
                                            * copy */
  *text_of(settings, row) = copy;
  return ANORANK_OK;
}

anorank_status anorank_settings_set_number(anorank_settings *settings, const char *name, double value,
                                           anorank_error *err) {
  char text[ANK_SHORTEST_SIZE];
  ANK_NEED(settings);
  ANK_NEED(name);
  const anorank_setting *info = anorank_setting_find(name);
  int whole = value == rint(value) && fabs(value) < 9e15;
  const char *word = "";
  size_t length = whole && info && info->choices ? choice_word(&word, info->choices, (int64_t)value) : 0;
  if (length > 0 && length < sizeof text)
    snprintf(text, sizeof text, "%.*s", (int)length, word);
  else if (whole)
    snprintf(text, sizeof text, "%lld", (long long)value);
  else
    number_text(text, value);
  return anorank_settings_set(settings, name, text, err);
}

/* ---- get --------------------------------------------------------------------------------------------- */

/* The value of the field: as a number, or (TEXT, LIST) as the text itself. */
typedef struct field_value {
  int64_t integer;
  uint64_t whole;
  double number;
  const char *text;
} field_value;

static field_value value_of(const anorank_settings *settings, const ank_setting_row *row) {
  const char *field = (const char *)settings + row->offset;
  field_value value = {.text = NULL};
  int32_t choice;
  switch (row->info.kind) {
  case ANORANK_SETTING_INTEGER:
  case ANORANK_SETTING_BYTES:
    memcpy(&value.integer, field, sizeof value.integer);
    value.number = (double)value.integer;
    break;
  case ANORANK_SETTING_UNSIGNED:
    memcpy(&value.whole, field, sizeof value.whole);
    value.integer = (int64_t)value.whole;
    value.number = (double)value.whole;
    break;
  case ANORANK_SETTING_REAL:
    memcpy(&value.number, field, sizeof value.number);
    if (fabs(value.number) < 9e18) value.integer = (int64_t)value.number;
    break;
  case ANORANK_SETTING_CHOICE:
    memcpy(&choice, field, sizeof choice);
    value.integer = choice;
    value.number = choice;
    break;
  case ANORANK_SETTING_TEXT:
  case ANORANK_SETTING_LIST:
    value.text = field;
    if (is_long(&row->info)) memcpy(&value.text, field, sizeof value.text);
    break;
  }
  return value;
}

size_t anorank_settings_get(const anorank_settings *settings, const char *name, char *text, size_t size) {
  const ank_setting_row *row = ank_setting_row_find(name);
  char digits[ANK_SHORTEST_SIZE];
  const char *word = digits;
  size_t length = 0;
  if (text && size > 0) text[0] = '\0';
  if (!row) return SIZE_MAX;
  field_value value = value_of(ank_settings_or_default(settings), row);
  if (value.text) {
    word = value.text;
    length = strlen(word);
  } else if (row->info.kind == ANORANK_SETTING_CHOICE) {
    length = choice_word(&word, row->info.choices, value.integer);
  } else if (row->info.kind == ANORANK_SETTING_REAL) {
    length = ank_shortest(digits, value.number);
  } else if (row->info.kind == ANORANK_SETTING_UNSIGNED) {
    length = (size_t)snprintf(digits, sizeof digits, "%llu", (unsigned long long)value.whole);
  } else {
    length = (size_t)snprintf(digits, sizeof digits, "%lld", (long long)value.integer);
  }
  if (text && size > 0) {
    size_t copied = length < size ? length : size - 1;
    memcpy(text, word, copied);
    text[copied] = '\0';
  }
  return length;
}

int64_t anorank_settings_integer(const anorank_settings *settings, const char *name) {
  const ank_setting_row *row = ank_setting_row_find(name);
  return row ? value_of(ank_settings_or_default(settings), row).integer : 0;
}

double anorank_settings_number(const anorank_settings *settings, const char *name) {
  const ank_setting_row *row = ank_setting_row_find(name);
  return row ? value_of(ank_settings_or_default(settings), row).number : (double)NAN;
}

const char *anorank_settings_text(const anorank_settings *settings, const char *name) {
  const ank_setting_row *row = ank_setting_row_find(name);
  return row ? value_of(ank_settings_or_default(settings), row).text : NULL;
}
