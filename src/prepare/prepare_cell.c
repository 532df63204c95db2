/* prepare_cell.c - one cell in the light of the training rows, for the words of a reason. */
#include <math.h>
#include <stdio.h>

#include "prepare/prepare_parts.h"

static void look_at_number(ank_cell *cell, const ank_known *column, double value) {
  cell->number = value;
  cell->missing = isnan(value);
  cell->usual_number = column->role == ANORANK_ROLE_CONSTANT ? column->constant : column->median;
  if (cell->missing)
    cell->surprising = column->missing == 0;
  else
    cell->surprising = column->role == ANORANK_ROLE_CONSTANT && value != column->constant;
}

static void look_at_moment(ank_cell *cell, const ank_known *column, double seconds, size_t rows) {
  cell->number = seconds;
  cell->missing = !isfinite(seconds);
  cell->surprising = cell->missing && column->missing == 0;
  if (cell->missing) return;
  double filled = (double)(rows - column->missing);
  cell->by_day = column->circles[ANK_CIRCLE_DAY].used;
  cell->by_week = column->circles[ANK_CIRCLE_WEEK].used;
  cell->hour_share = (double)column->hours[ank_hour_of(seconds)] / filled;
  cell->weekday_share = (double)column->weekdays[ank_weekday_of(seconds)] / filled;
  cell->share = cell->by_day && (!cell->by_week || cell->hour_share <= cell->weekday_share) ? cell->hour_share
                                                                                             : cell->weekday_share;
}

static void look_at_level(ank_cell *cell, const ank_known *column, int32_t level, size_t rows) {
  cell->missing = level == ANK_LEVEL_MISSING;
  cell->surprising = level == ANK_LEVEL_UNSEEN || (cell->missing && column->missing == 0);
  if (level >= 0) cell->share = (double)column->counts[level] / (double)rows;
}

ank_cell ank_prepare_cell(const ank_prepare *prepare, const ank_match *match, const anorank_table *table,
                          size_t row, size_t column) {
  const ank_known *known = &prepare->column[column];
  const ank_matched *matched = &match->column[column];
  ank_cell cell = {.missing = 1, .number = NAN};
  if (!ank_known_matters(known) || matched->column >= table->columns) return cell;
  const ank_column *from = &table->column[matched->column];
  if (known->role == ANORANK_ROLE_TIME) {
    look_at_moment(&cell, known, from->kind == ANORANK_CATEGORICAL ? (double)NAN : ank_seconds_of(from, row),
                   prepare->rows);
    return cell;
  }
  if (known->kind == ANORANK_NUMERIC) {
    look_at_number(&cell, known, ank_match_number(from, row));
    return cell;
  }
  look_at_level(&cell, known, ank_match_level(match, column, from, row), prepare->rows);
  if (cell.missing) return cell;
  if (from->kind == ANORANK_CATEGORICAL)
    cell.level = from->levels.text[from->codes[row]];
  else
    cell.number = from->numbers[row];
  return cell;
}

/* Two digits, never 0 for what is above it; whole numbers, so that no locale has a say. */
static void put_share(char *text, size_t size, double share) {
  double percent = 100 * share;
  if (percent > 0 && percent < 0.1)
    snprintf(text, size, "under 0.1 %%");
  else if (percent < 9.95)
    snprintf(text, size, "%d.%d %%", (int)(percent * 10 + 0.5) / 10, (int)(percent * 10 + 0.5) % 10);
  else
    snprintf(text, size, "%d %%", (int)(percent + 0.5));
}

void ank_cell_moment_text(char *text, size_t size, const ank_cell *cell) {
  static const char *const days[] = {"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"};
  double of_day = cell->number - floor(cell->number / 86400) * 86400;
  int minutes = (int)(of_day / 60), by_day = cell->by_day && (!cell->by_week || cell->hour_share <= cell->weekday_share);
  char share[32];
  put_share(share, sizeof share, by_day ? cell->hour_share : cell->weekday_share);
  if (by_day)
    snprintf(text, size, "at %02d:%02d, when %s of rows happen", minutes / 60, minutes % 60, share);
  else
    snprintf(text, size, "on a %s, when %s of rows happen", days[ank_weekday_of(cell->number)], share);
}

double ank_prepare_number(const ank_prepare *prepare, size_t column, double feature) {
  const ank_known *known = &prepare->column[column];
  return (feature / known->inverse + known->centre) / known->unit;
}
