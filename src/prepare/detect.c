/* detect.c - what a column looks like: an identifier, a time, a row number, or something to learn from.
 *
 * Identifiers and times say which row it is, not what it is like. Every new row has a new one, so a scorer that learned
 * from them would find all new rows abnormal. The rules need many rows before they exclude a column, and --columns
 * overrules them. */
#include <math.h>
#include <string.h>

#include "core/ascii.h"
#include "prepare/labels.h"
#include "prepare/prepare_parts.h"
#include "table/cell_format.h"

#define FEWEST_ROWS 10       /* for whole numbers in a pattern */
#define FEWEST_NAMES 50      /* a column with more levels than this, most of them different, holds names */
#define FEWEST_TIMES 10      /* a column with more dates than this is a time */
#define FEWEST_IDS 20        /* a column called an id with more values than this is one */
#define MOST_KINDS 40        /* of anomalies in a label */
#define PROSE_BLANKS 3       /* a text with so many blanks, on average, is prose */
#define ENOUGH_ZEROS 0.9     /* share of normal rows beside codes of anomalies */
#define MOST_LOOKED_AT 1000  /* levels tested for times */
#define ENOUGH_RISING 0.75   /* share of steps upward in a column of times */
#define LARGEST_EXACT 0x1p53 /* above, whole numbers have gaps */

/* ---- labels ------------------------------------------------------------------------------------------ */

int ank_looks_like_label(const char *name, const ank_label_counts *counts) {
  ank_label_hint hint = ank_name_says_label(name);
  if (hint == ANK_NAME_NO_LABEL || counts->filled == 0) return 0;
  if (counts->has_normal) return counts->values <= MOST_KINDS; /* beside the names of attacks or faults */
  if (counts->values == 1) return counts->negative == counts->filled;
  if (counts->values != 2) return 0;
  return hint == ANK_NAME_SURELY_LABEL ||
         (counts->negative + counts->positive == counts->filled && counts->positive < counts->negative);
}

void ank_label_counts_add(ank_label_counts *counts, const char *level, size_t rows) {
  static const char *const normal[] = {"normal", "benign", "inlier", "normal.", "-"};
  int label = ank_label_of_word(level);
  counts->values++;
  counts->filled += rows;
  counts->negative += label == 0 ? rows : 0;
  counts->positive += label == 1 ? rows : 0;
  for (size_t i = 0; i < sizeof normal / sizeof normal[0]; i++)
    counts->has_normal |= ank_same_word(level, normal[i]);
}

/* ---- texts ------------------------------------------------------------------------------------------- */

/* 123e4567-e89b-12d3-a456-426614174000 */
static int is_uuid(const char *text) {
  for (size_t i = 0; i < 36; i++) {
    char c = text[i];
    int hyphen = i == 8 || i == 13 || i == 18 || i == 23;
    int hex = (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f');
    if (hyphen ? c != '-' : !hex) return 0;
  }
  return text[36] == '\0';
}

static size_t count_blanks(const char *text) {
  size_t blanks = 0;
  for (; *text; text++) blanks += *text == ' ';
  return blanks;
}

ank_look ank_look_at_texts(const char *name, const ank_levels *levels, size_t filled) {
  size_t count = levels->count;
  if (count == 0) return ANK_LOOKS_EMPTY;
  size_t looked_at = count < MOST_LOOKED_AT ? count : MOST_LOOKED_AT, times = 0, uuids = 0, blanks = 0;
  for (size_t i = 0; i < looked_at; i++) {
    const char *text = levels->text[i * (count / looked_at)];
    times += ank_moment_orders(text, strlen(text)) != 0;
    uuids += (size_t)is_uuid(text);
    blanks += count_blanks(text);
  }
  if (count > FEWEST_TIMES && times * 10 >= looked_at * 9) return ANK_LOOKS_TIME;
  if (count > 1 && uuids == looked_at) return ANK_LOOKS_ID;
  if (count > FEWEST_IDS && ank_name_says_id(name) == ANK_NAME_SURELY_ID) return ANK_LOOKS_ID;
  int different = count > FEWEST_NAMES ? count > filled / 2 : count == filled && count >= FEWEST_ROWS;
  if (!different) return ANK_LOOKS_PLAIN;
  return blanks >= PROSE_BLANKS * looked_at ? ANK_LOOKS_PROSE : ANK_LOOKS_NAME;
}

/* ---- numbers ----------------------------------------------------------------------------------------- */

static int all_whole(const double *values, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (!(fabs(values[i]) <= LARGEST_EXACT) || values[i] != floor(values[i])) return 0;
  return 1;
}

/* Equal steps between neighbours of a sorted column: also row numbers that were shuffled with the rows. */
static int equal_steps(const double *sorted, size_t n) {
  double step = sorted[1] - sorted[0];
  if (step <= 0) return 0;
  for (size_t i = 2; i < n; i++)
    if (sorted[i] - sorted[i - 1] != step) return 0;
  return 1;
}

/* Count steps up between filled cells; `*steps` counts all steps, `*strictly` is 1 if all are up. */
static size_t rising_steps(const double *values, size_t n, size_t *steps, int *strictly) {
  size_t rising = 0;
  double before = NAN;
  *steps = 0;
  *strictly = 1;
  for (size_t i = 0; i < n; i++) {
    if (!isfinite(values[i])) continue;
    if (!isnan(before)) {
      ++*steps;
      rising += values[i] >= before;
      if (!(values[i] > before)) *strictly = 0;
    }
    before = values[i];
  }
  return rising;
}

static int within(const double *sorted, size_t n, double low, double high) {
  return sorted[0] >= low && sorted[n - 1] <= high;
}

static size_t count_different(const double *sorted, size_t n) {
  size_t different = n > 0;
  for (size_t i = 1; i < n; i++) different += sorted[i] != sorted[i - 1];
  return different;
}

ank_look ank_look_at_numbers(const char *name, const double *values, size_t n, const double *sorted,
                             size_t finite) {
  size_t steps, different = count_different(sorted, finite);
  int strictly;
  ank_label_counts counts = {.values = different, .filled = finite};
  for (size_t i = 0; different <= MOST_KINDS && i < finite; i++) {
    counts.negative += sorted[i] == 0;
    counts.positive += sorted[i] == 1;
  }
  counts.has_normal =
      different > 2 && all_whole(sorted, finite) &&
      (double)counts.negative >= ENOUGH_ZEROS * (double)finite; /* kinds of anomalies as codes */
  if (ank_looks_like_label(name, &counts)) return ANK_LOOKS_LABEL;
  if (finite < FEWEST_ROWS || !all_whole(sorted, finite)) return ANK_LOOKS_PLAIN;
  int epoch = within(sorted, finite, 1e9, 2e9) || within(sorted, finite, 1e12, 2e12);
  int clock = epoch && (sorted[1] - sorted[0] != 1 || ank_name_says_time(name)); /* a log at equal times */
  if (finite == n && !clock && equal_steps(sorted, finite)) return ANK_LOOKS_ROW_NUMBER;
  ank_name_hint hint = ank_name_says_id(name);
  if ((hint == ANK_NAME_SURELY_ID && different > FEWEST_IDS) || (hint != ANK_NAME_PLAIN && different == n))
    return ANK_LOOKS_ID;
  size_t rising = rising_steps(values, n, &steps, &strictly);
  if (sorted[0] < sorted[finite - 1] && epoch)
    return (double)rising >= ENOUGH_RISING * (double)steps || ank_name_says_time(name)
               ? ANK_LOOKS_UNIX_TIME
               : ANK_LOOKS_UNIX_SHUFFLED;
  return strictly && finite == n ? ANK_LOOKS_RISING : ANK_LOOKS_PLAIN;
}

anorank_role ank_look_role(ank_look look) {
  switch (look) {
  case ANK_LOOKS_NAME:
  case ANK_LOOKS_ROW_NUMBER:
  case ANK_LOOKS_ID: return ANORANK_ROLE_ID;
  case ANK_LOOKS_LABEL: return ANORANK_ROLE_DROPPED;
  case ANK_LOOKS_EMPTY:
  case ANK_LOOKS_PROSE:
  case ANK_LOOKS_TIME: return ANORANK_ROLE_UNUSABLE;
  case ANK_LOOKS_UNIX_TIME: return ANORANK_ROLE_TIME;
  case ANK_LOOKS_PLAIN:
  case ANK_LOOKS_RISING:
  case ANK_LOOKS_UNIX_SHUFFLED: break;
  }
  return ANORANK_ROLE_NUMERIC;
}
