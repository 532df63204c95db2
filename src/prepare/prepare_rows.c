/* prepare_rows.c - cells to features.
 *
 * Column by column, since a table is columnar, over so few rows at a time that their part of the matrix stays
 * in the cache. */
#include <math.h>
#include <string.h>

#include "prepare/prepare_parts.h"

#define TILE_FEATURES 8192 /* of the matrix: 64 KiB */

/* A missing cell of a numeric column under on-missing = error: the first by rows, then by columns. */
static anorank_status refuse_missing(const ank_match *match, const anorank_table *table, size_t first,
                                     size_t count, anorank_error *err) {
  const ank_prepare *prepare = match->prepare;
  for (size_t i = first; i < first + count; i++) {
    for (size_t j = 0; j < prepare->columns; j++) {
      const ank_profile *column = &prepare->column[j];
      char name[ANK_QUOTE_SIZE];
      if (!ank_profile_matters(column) || column->kind != ANORANK_NUMERIC) continue;
      if (!isnan(ank_match_number(&table->column[match->column[j].column], i))) continue;
      return ank_fail(err, ANORANK_ERROR_DATA, "cell-missing",
                      "%s: row %zu has no value in column '%s'; fill it in, or fit the model again with "
                      "on-missing = indicator",
                      table->source ? table->source : "the table", match->rows_before + i + 1,
                      ank_quote(name, column->name, strlen(column->name)));
    }
  }
  return ANORANK_OK;
}

static void fill_numbers(double *out, size_t dim, const ank_prepare *prepare, const ank_profile *column,
                         const double *values, size_t count) {
  double unit = column->unit, centre = column->centre, inverse = column->inverse;
  double least = column->least, most = column->most;
  double *at = out + column->first_feature, *surprise = out + dim - 1;
  for (size_t i = 0; i < count; i++, at += dim, surprise += dim) {
    double z = (values[i] * unit - centre) * inverse;
    if (isnan(z)) {
      z = column->fill;
      if (column->missing > 0)
        at[column->mark] = prepare->step;
      else
        *surprise += 1;
    }
    *at = z < least ? least : z > most ? most : z;
  }
}

static void fill_constant(double *out, size_t dim, const ank_prepare *prepare, const ank_profile *column,
                          const double *values, size_t count) {
  double *at = out + column->first_feature, *surprise = out + dim - 1;
  for (size_t i = 0; i < count; i++, at += dim, surprise += dim) {
    if (isnan(values[i]) && column->missing > 0)
      at[column->mark] = prepare->step;
    else if (!(values[i] == column->constant))
      *surprise += 1;
  }
}

static void fill_times(double *out, size_t dim, const ank_prepare *prepare, const ank_profile *column,
                       const ank_column *from, size_t first, size_t count) {
  double *at = out + column->first_feature, *surprise = out + dim - 1, point[2];
  for (size_t i = 0; i < count; i++, at += dim, surprise += dim) {
    double seconds = from->kind == ANORANK_CATEGORICAL ? (double)NAN : ank_seconds_of(from, first + i);
    if (!isfinite(seconds)) {
      if (column->missing > 0)
        at[column->mark] = prepare->step;
      else
        *surprise += 1;
      continue;
    }
    double *feature = at;
    for (int kind = 0; kind < ANK_CIRCLES; kind++) {
      const ank_circle *circle = &column->circles[kind];
      if (!circle->used) continue;
      ank_circle_point(point, (ank_circle_kind)kind, seconds);
      *feature++ = (point[0] - circle->centre[0]) * circle->factor;
      *feature++ = (point[1] - circle->centre[1]) * circle->factor;
    }
  }
}

static void fill_level(double *at, double *surprise, const ank_prepare *prepare, const ank_profile *column,
                       int32_t level) {
  int seen = level >= 0 || (level == ANK_LEVEL_MISSING && column->missing > 0);
  if (!seen && !(level == ANK_LEVEL_UNSEEN && column->expects_new)) *surprise += 1;
  if (column->role == ANORANK_ROLE_CONSTANT) return;
  size_t place = column->other;
  double rarity = column->rarity_unseen;
  if (level >= 0) {
    if ((size_t)level < column->indicators) place = (size_t)level;
    rarity = column->rarity[level];
  } else if (seen) {
    if (column->mark != ANK_NO_FEATURE) place = column->mark;
    rarity = column->rarity_missing;
  }
  if (place != ANK_NO_FEATURE) at[place] = prepare->step;
  at[column->features - 1] = rarity;
}

/* The numbers of a numeric column that the table has as a categorical one: missing, all of them, or words for
 * yes and no, or the match would have refused it. */
static anorank_status fill_empty(double *out, size_t dim, const ank_match *match, size_t j,
                                 const ank_column *from, size_t first, size_t count, anorank_error *err) {
  const ank_profile *column = &match->prepare->column[j];
  for (size_t i = 0; i < count; i++) {
    double value = ank_match_number(from, first + i);
    if (from->codes[first + i] >= 0 && isnan(value))
      return ank_fail(err, ANORANK_ERROR_DATA, "column-categories",
                      "row %zu: column '%.100s' is numeric in the model but not here; pass numbers",
                      match->rows_before + first + i + 1, column->name);
    if (column->role == ANORANK_ROLE_TIME)
      fill_times(out + i * dim, dim, match->prepare, column, from, first + i, 1);
    else
      (column->role == ANORANK_ROLE_NUMERIC ? fill_numbers : fill_constant)(
          out + i * dim, dim, match->prepare, column, &value, 1);
  }
  return ANORANK_OK;
}

static anorank_status fill_column(double *out, const ank_match *match, size_t j, const anorank_table *table,
                                  size_t first, size_t count, anorank_error *err) {
  const ank_prepare *prepare = match->prepare;
  const ank_profile *column = &prepare->column[j];
  const ank_column *from = &table->column[match->column[j].column];
  size_t dim = prepare->dim;
  if (column->kind == ANORANK_NUMERIC && from->kind == ANORANK_CATEGORICAL)
    return fill_empty(out, dim, match, j, from, first, count, err);
  if (column->role == ANORANK_ROLE_TIME) {
    fill_times(out, dim, prepare, column, from, first, count);
    return ANORANK_OK;
  }
  if (column->kind == ANORANK_NUMERIC) {
    (column->role == ANORANK_ROLE_NUMERIC ? fill_numbers : fill_constant)(out, dim, prepare, column,
                                                                          from->numbers + first, count);
    return ANORANK_OK;
  }
  double *at = out + column->first_feature, *surprise = out + dim - 1;
  for (size_t i = 0; i < count; i++, at += dim, surprise += dim)
    fill_level(at, surprise, prepare, column, ank_match_level(match, j, from, first + i));
  return ANORANK_OK;
}

anorank_status ank_prepare_rows(double *out, const ank_prepare *prepare, const ank_match *match,
                                const anorank_table *table, size_t first, size_t count, anorank_error *err) {
  size_t dim = prepare->dim, tile = TILE_FEATURES / dim + 1;
  if (match->prepare != prepare || match->table_columns != table->columns)
    return ank_fail(err, ANORANK_ERROR_USAGE, "match-other-table",
                    "the column match belongs to another table or model; match the columns again");
  if (first > table->rows || count > table->rows - first)
    return ank_fail(err, ANORANK_ERROR_USAGE, "rows-out-of-range",
                    "rows %zu to %zu are out of range; the table has %zu rows", first + 1, first + count,
                    table->rows);
  if (prepare->on_missing == ANORANK_ON_MISSING_ERROR)
    ANK_CHECK(refuse_missing(match, table, first, count, err));
  for (size_t row = 0; row < count; row += tile) {
    size_t now = count - row < tile ? count - row : tile;
    memset(out + row * dim, 0, now * dim * sizeof *out);
    for (size_t j = 0; j < prepare->columns; j++)
      if (ank_profile_matters(&prepare->column[j]))
        ANK_CHECK(fill_column(out + row * dim, match, j, table, first + row, now, err));
  }
  return ANORANK_OK;
}

void ank_match_left_out(double *out, const ank_match *match, const anorank_table *table) {
  const ank_prepare *prepare = match->prepare;
  for (size_t i = 0; i < table->rows; i++) out[i] = 0;
  for (size_t j = 0; j < prepare->columns; j++) {
    const ank_profile *column = &prepare->column[j];
    if (!ank_profile_matters(column)) continue;
    const ank_column *from = &table->column[match->column[j].column];
    for (size_t i = 0; i < table->rows; i++) {
      if (column->kind == ANORANK_NUMERIC) {
        out[i] += column->missing == 1 && isnan(ank_match_number(from, i));
        continue;
      }
      int32_t level = ank_match_level(match, j, from, i);
      if (level >= 0)
        out[i] += column->counts[level] == 1 && !column->expects_new;
      else
        out[i] += column->missing == 1;
    }
  }
}
