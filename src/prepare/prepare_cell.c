/* prepare_cell.c - one cell compared with the training rows, for the words of a reason. */
#include <math.h>

#include "prepare/prepare_parts.h"

static void look_at_number(ank_cell *cell, const ank_profile *column, double value) {
  cell->number = value;
  cell->missing = isnan(value);
  cell->usual_number = column->role == ANORANK_ROLE_CONSTANT ? column->constant : column->median;
  if (cell->missing)
    cell->surprising = column->missing == 0;
  else
    cell->surprising = column->role == ANORANK_ROLE_CONSTANT && value != column->constant;
}

static void look_at_moment(ank_cell *cell, const ank_profile *column, double seconds, size_t rows) {
  cell->number = seconds;
  cell->missing = !isfinite(seconds);
  cell->surprising = cell->missing && column->missing == 0;
  if (cell->missing) return;
  long year;
  const size_t alike[ANK_CIRCLES] = {column->hours[ank_hour_of(seconds)],
                                     column->weekdays[ank_weekday_of(seconds)],
                                     column->months[ank_month_of(seconds, &year)]};
  static const ank_when when[ANK_CIRCLES] = {ANK_WHEN_HOUR, ANK_WHEN_WEEKDAY, ANK_WHEN_MONTH};
  size_t fewest = SIZE_MAX;
  for (int kind = 0; kind < ANK_CIRCLES; kind++)
    if (column->circles[kind].used && alike[kind] < fewest) {
      fewest = alike[kind];
      cell->when = when[kind];
    }
  cell->share = (double)fewest / (double)(rows - column->missing);
}

static void look_at_level(ank_cell *cell, const ank_profile *column, int32_t level, size_t rows) {
  cell->missing = level == ANK_LEVEL_MISSING;
  cell->surprising =
      (level == ANK_LEVEL_UNSEEN && !column->expects_new) || (cell->missing && column->missing == 0);
  cell->unseen = level == ANK_LEVEL_UNSEEN;
  if (level < 0) return;
  size_t first = (size_t)level;
  while (first > 0 && column->counts[first - 1] == column->counts[level]) first--;
  cell->rows = column->counts[level];
  cell->rank = first + 1;
  cell->share = (double)cell->rows / (double)rows;
}

ank_cell ank_prepare_cell(const ank_prepare *prepare, const ank_match *match, const anorank_table *table,
                          size_t row, size_t column) {
  const ank_profile *profile = &prepare->column[column];
  const ank_matched *matched = &match->column[column];
  ank_cell cell = {.missing = 1, .number = NAN};
  if (!ank_profile_matters(profile) || matched->column >= table->columns) return cell;
  const ank_column *from = &table->column[matched->column];
  if (profile->role == ANORANK_ROLE_TIME) {
    look_at_moment(&cell, profile,
                   from->kind == ANORANK_CATEGORICAL ? (double)NAN : ank_seconds_of(from, row),
                   prepare->rows);
    return cell;
  }
  if (profile->kind == ANORANK_NUMERIC) {
    look_at_number(&cell, profile, ank_match_number(from, row));
    return cell;
  }
  look_at_level(&cell, profile, ank_match_level(match, column, from, row), prepare->rows);
  if (cell.missing) return cell;
  if (from->kind == ANORANK_CATEGORICAL)
    cell.level = from->levels.text[from->codes[row]];
  else
    cell.number = from->numbers[row];
  return cell;
}

double ank_prepare_value(const ank_match *match, const anorank_table *table, size_t row, size_t column) {
  const ank_profile *profile = &match->prepare->column[column];
  size_t at = match->column[column].column;
  if (!ank_profile_matters(profile) || at >= table->columns) return NAN;
  if (profile->kind != ANORANK_CATEGORICAL) return ank_match_number(&table->column[at], row);
  int32_t level = ank_match_level(match, column, &table->column[at], row);
  return level >= 0 ? (double)level : level == ANK_LEVEL_UNSEEN ? -1 : (double)NAN;
}

int ank_prepare_value_fits(const ank_prepare *prepare, size_t column, double value) {
  const ank_profile *profile = &prepare->column[column];
  if (isnan(value)) return 1;
  if (!ank_profile_matters(profile)) return 0;
  if (profile->kind != ANORANK_CATEGORICAL) return 1;
  return value >= 0 && value < (double)profile->levels.count && value == floor(value);
}

double ank_prepare_value_of(const ank_prepare *prepare, size_t column, const double *features) {
  const ank_profile *profile = &prepare->column[column];
  const double *at = features + profile->first_feature;
  if (!ank_profile_matters(profile)) return NAN;
  if (profile->mark != ANK_NO_FEATURE && at[profile->mark] > 0) return NAN;
  if (profile->role == ANORANK_ROLE_NUMERIC)
    return (at[0] / profile->inverse + profile->centre) / profile->unit;
  if (profile->role == ANORANK_ROLE_CONSTANT)
    return profile->kind != ANORANK_CATEGORICAL ? profile->constant : 0;
  for (size_t k = 0; k < profile->indicators; k++)
    if (at[k] > 0) return (double)k;
  return NAN;
}
