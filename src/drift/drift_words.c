/* drift_words.c - the sentences about two tables and their columns. */
#include <math.h>
#include <stdio.h>

#include "core/print.h"
#include "drift/drift.h"

enum { NUMBER_TEXT = 32 };

/* Write four digits of a number, "no value" for NaN. */
static const char *number_text(char text[NUMBER_TEXT], double value) {
  ank_print(text, NUMBER_TEXT, isnan(value) ? "no value" : "%.4g", value);
  return text;
}

static const char *share_text(char text[NUMBER_TEXT], double share) {
  double percent = 100 * share;
  ank_print(text, NUMBER_TEXT, percent == 0 ? "none" : percent < 0.1 ? "under 0.1 %%" : "%.3g %%", percent);
  return text;
}

/* Write " (100 times)" if both have one sign and a large ratio. */
static const char *times_text(char text[NUMBER_TEXT], double from, double to) {
  double ratio = to / from;
  text[0] = '\0';
  if (isfinite(ratio) && ratio >= 2)
    ank_print(text, NUMBER_TEXT, ", %.3g times as much", ratio);
  else if (isfinite(ratio) && ratio > 0 && ratio <= 0.5)
    ank_print(text, NUMBER_TEXT, ", 1/%.3g of it", 1 / ratio);
  return text;
}

static int column_text(const anorank_drift_column *c, char *text, size_t size) {
  char a[NUMBER_TEXT], b[NUMBER_TEXT], d[NUMBER_TEXT], e[NUMBER_TEXT], name[ANK_QUOTE_SIZE],
      level[ANK_QUOTE_SIZE];
  ank_print(name, sizeof name, "%s", c->name);
  ank_make_printable(name);
  switch (c->change) {
  case ANORANK_CHANGE_HIGHER:
  case ANORANK_CHANGE_LOWER:
    return ank_print(text, size, "%s is %s: median %s, was %s%s", name,
                     c->change == ANORANK_CHANGE_HIGHER ? "higher" : "lower",
                     number_text(a, c->median[ANK_NEW]), number_text(b, c->median[ANK_OLD]),
                     times_text(d, c->median[ANK_OLD], c->median[ANK_NEW]));
  case ANORANK_CHANGE_WIDER:
  case ANORANK_CHANGE_NARROWER:
    return ank_print(text, size, "%s varies %s: the middle half is %s to %s, was %s to %s", name,
                     c->change == ANORANK_CHANGE_WIDER ? "more" : "less", number_text(a, c->low[ANK_NEW]),
                     number_text(b, c->high[ANK_NEW]), number_text(d, c->low[ANK_OLD]),
                     number_text(e, c->high[ANK_OLD]));
  case ANORANK_CHANGE_MISSING:
    return ank_print(text, size, "%s is missing in %s of the rows, was in %s", name,
                     share_text(a, c->missing[ANK_NEW]), share_text(b, c->missing[ANK_OLD]));
  case ANORANK_CHANGE_NEW_LEVEL:
  case ANORANK_CHANGE_LEVELS:
    ank_print(level, sizeof level, "%s", c->level);
    ank_make_printable(level);
    return ank_print(text, size, "%s is %s in %s of the rows, was in %s", name, level,
                     share_text(a, c->share[ANK_NEW]), share_text(b, c->share[ANK_OLD]));
  default:
    return ank_print(text, size, "%s is at most %s in %s of the rows, was in %s", name, number_text(a, c->at),
                     share_text(b, c->share[ANK_NEW]), share_text(d, c->share[ANK_OLD]));
  }
}

size_t ank_drift_column_text(const anorank_drift_column *column, char *text, size_t size) {
  return (size_t)column_text(column, text, size);
}

void ank_drift_write_verdict(anorank_drift *drift) {
  const anorank_interval *apart = &drift->separation;
  int found = drift->p_value <= 1 - drift->level;
  ank_print(
      drift->verdict, sizeof drift->verdict,
      "%s (p = %.*f). A scorer fitted on half of the rows separates old from new rows on the other half "
      "with probability %.3f (%.4g %% interval %.3f to %.3f; 0.5 is no difference).",
      found ? "The new rows differ in distribution from the old ones" : "No significant difference",
      drift->p_value < 0.01 ? 4 : 3, drift->p_value, apart->estimate, 100 * drift->level, apart->low,
      apart->high);
}
