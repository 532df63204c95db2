/* profile_column.c - the profile of one column, and the layout of its features.
 *
 * Numbers: mean and standard deviation (dividing by n) of the finite training values in two passes, on values
 * brought near 1 by a power of two, so that 1e300 and 1e-300 are as good as 1. The second pass takes out the
 * rounding error of the mean.
 *
 * A value like -999 that many rows share, far beyond all others, is reported as a possible gap.
 *
 * Levels: those of at least two rows, at most ANK_MOST_INDICATORS of them, have an indicator. Rarity is
 *   r = -log((count + 1/2) / (rows + 1)),
 * centred and divided by its standard deviation over the training rows, but at least by 1/2: levels of similar frequency
 * must not be pulled apart.
 *
 * The share of training rows whose level occurs in no other row estimates how often a new row brings a new
 * level (Good 1953). If that is more than one row in a hundred, a new level is no surprise. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/alloc.h"
#include "kernels/sort.h"
#include "prepare/prepare_parts.h"
#include "table/cell_words.h"

#define LEAST_RARITY_SPREAD 0.5
#define MOST_FLAGS 40 /* most levels of a column tested for words for yes and no */
#define FEWEST_SINGLES 10
#define SINGLE_SHARE 0.01
#define MOST_POWER 1000 /* 2^-MOST_POWER is still far from the subnormal numbers */

double ank_step_of(anorank_scale scale) {
  /* Two independent numbers of standard deviation s are sqrt(2) s apart (root mean square), and so are two
   * rows whose levels differ if an indicator is s. A uniform number on [0, 1] has s = 1 / sqrt(12). */
  return scale == ANORANK_SCALE_UNIT ? 0.28867513459481287 : 1.0;
}

void ank_profile_free(ank_profile *column) {
  ank_free(column->name);
  ank_levels_free(&column->levels);
  ank_free(column->counts);
  ank_free(column->rarity);
  *column = (ank_profile){0};
}

/* ---- numbers ----------------------------------------------------------------------------------------- */

/* A power of two that brings the larger of the two magnitudes into [1/2, 1), about. */
static double unit_for(double least, double most) {
  double largest = fmax(fabs(least), fabs(most));
  int power;
  frexp(largest, &power);
  if (power > MOST_POWER) power = MOST_POWER;
  if (power < -MOST_POWER) power = -MOST_POWER;
  return ldexp(1.0, -power);
}

static void mean_and_spread(double *mean, double *spread, const double *values, size_t n, double unit) {
  double sum = 0, squares = 0, rest = 0;
  for (size_t i = 0; i < n; i++) sum += values[i] * unit;
  *mean = sum / (double)n;
  for (size_t i = 0; i < n; i++) {
    double d = values[i] * unit - *mean;
    squares += d * d;
    rest += d;
  }
  *spread = sqrt(fmax(0, (squares - rest * (rest / (double)n)) / (double)n));
}

/* The smallest sorted value below which at least a share q of all lies. */
static double quantile(const double *sorted, size_t n, double q) {
  double place = ceil(q * (double)n);
  size_t k = place < 1 ? 1 : place > (double)n ? n : (size_t)place;
  return sorted[k - 1];
}

static double scaled(const ank_profile *column, double x) {
  return (x * column->unit - column->centre) * column->inverse;
}

static void learn_scale(ank_profile *out, const double *sorted, size_t finite, anorank_scale scale,
                        size_t below, size_t above) {
  double mean = 0, spread = 0, least = 0, most = 0;
  if (finite > 0) {
    least = sorted[0];
    most = sorted[finite - 1];
    out->low = quantile(sorted, finite, 0.05);
    out->median = quantile(sorted, finite, 0.5);
    out->high = quantile(sorted, finite, 0.95);
  }
  out->unit = unit_for(least, most);
  if (finite > 0) mean_and_spread(&mean, &spread, sorted, finite, out->unit);
  out->centre = scale == ANORANK_SCALE_UNIT ? least * out->unit : mean;
  double width = scale == ANORANK_SCALE_UNIT ? (most - least) * out->unit : spread;
  if (scale == ANORANK_SCALE_UNIT && isinf(most - least)) width = most * out->unit - least * out->unit;
  /* Equal finite values among infinite ones: any width will do. */
  out->inverse = width > 0 ? 1 / width : 1;
  out->fill = (mean - out->centre) * out->inverse;
  out->least = below > 0 ? scaled(out, least) - ANK_INFINITE_MARGIN : -ANK_FEATURE_LIMIT;
  out->most = above > 0 ? scaled(out, most) + ANK_INFINITE_MARGIN : ANK_FEATURE_LIMIT;
  if (out->least < -ANK_FEATURE_LIMIT) out->least = -ANK_FEATURE_LIMIT;
  if (out->most > ANK_FEATURE_LIMIT) out->most = ANK_FEATURE_LIMIT;
}

/* Nines alone, at least two of them, with either sign: -999, 9999. */
static int is_nines(double x) {
  double magnitude = fabs(x);
  for (double nines = 99; nines < 1e12; nines = 10 * nines + 9)
    if (magnitude == nines) return 1;
  return 0;
}

/* The least or the largest value, where it may mean a gap: nines, in several rows, and farther from the next
 * value than all others are from each other. */
static double find_stand_in(const double *sorted, size_t n) {
  enum { FEWEST_ROWS = 3 };
  for (int top = 0; top < 2 && n > 0; top++) {
    double suspect = top ? sorted[n - 1] : sorted[0];
    size_t same = 0;
    while (same < n && sorted[top ? n - 1 - same : same] == suspect) same++;
    if (!is_nines(suspect) || same < FEWEST_ROWS || same == n) continue;
    double first = sorted[top ? 0 : same], last = sorted[top ? n - 1 - same : n - 1];
    if (fabs(suspect - (top ? last : first)) > last - first) return suspect;
  }
  return 0;
}

anorank_status ank_profile_numbers(ank_profile *out, ank_look *look, const double *values, size_t n,
                                   int wanted, const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  double *sorted = NULL;
  size_t finite = 0, below = 0, above = 0;
  *look = ANK_LOOKS_EMPTY;
  out->role = ANORANK_ROLE_UNUSABLE;
  ANK_TRY(ank_alloc_raw(&sorted, n, sizeof *sorted, err));
  out->missing = 0;
  for (size_t i = 0; i < n; i++) {
    if (isfinite(values[i]))
      sorted[finite++] = values[i];
    else if (isnan(values[i]))
      out->missing++;
    else if (values[i] < 0)
      below++;
    else
      above++;
  }
  if (out->missing == n) goto done;
  ANK_TRY(ank_sort(sorted, finite, settings, err));
  *look = ank_look_at_numbers(out->name, values, n, sorted, finite);
  int one = below + above == 0 ? sorted[0] == sorted[finite - 1] : finite == 0 && (below == 0 || above == 0);
  if (one && (wanted || *look != ANK_LOOKS_LABEL)) {
    out->role = ANORANK_ROLE_CONSTANT;
    out->constant = finite > 0 ? sorted[0] : above > 0 ? (double)INFINITY : -(double)INFINITY;
  } else if (!wanted && ank_look_role(*look) != ANORANK_ROLE_NUMERIC) {
    out->role = ank_look_role(*look);
  } else {
    out->role = ANORANK_ROLE_NUMERIC;
    learn_scale(out, sorted, finite, (anorank_scale)settings->scale, below, above);
    out->stand_in = find_stand_in(sorted, finite);
  }
done:
  ank_free(sorted);
  return status;
}

/* ---- texts ------------------------------------------------------------------------------------------- */

typedef struct counted {
  const char *text;
  size_t count;
} counted;

static int most_frequent_first(const void *a, const void *b) {
  const counted *left = a, *right = b;
  if (left->count != right->count) return left->count > right->count ? -1 : 1;
  return strcmp(left->text, right->text);
}

/* Words for yes and no in several spellings (yes, Y, 1; ja) mean the same: one level each, called by the
 * spelling that most rows have. Anything else among them, and all stay as they are. `found` is sorted. */
static size_t merge_flags(counted *found, size_t count) {
  size_t first[2] = {SIZE_MAX, SIZE_MAX}, kept = 0;
  for (size_t i = 0; i < count; i++)
    if (ank_flag_of(found[i].text, strlen(found[i].text)) < 0) return count;
  for (size_t i = 0; i < count; i++) {
    size_t *own = &first[ank_flag_of(found[i].text, strlen(found[i].text))];
    if (*own != SIZE_MAX) {
      found[*own].count += found[i].count;
      continue;
    }
    *own = kept;
    found[kept++] = found[i];
  }
  return kept;
}

static anorank_status keep_levels(ank_profile *out, const counted *found, size_t count, anorank_error *err) {
  ANK_CHECK(ank_alloc(&out->counts, count, sizeof *out->counts, err));
  for (size_t i = 0; i < count; i++) {
    int32_t code;
    ANK_CHECK(ank_levels_code(&code, &out->levels, found[i].text, strlen(found[i].text), err));
    out->counts[i] = found[i].count;
  }
  return ANORANK_OK;
}

anorank_status ank_profile_texts(ank_profile *out, ank_look *look, int *merged, const ank_column *column,
                                 size_t n, int wanted, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t levels = column->levels.count, count = 0, filled = 0;
  counted *found = NULL;
  *look = ANK_LOOKS_EMPTY;
  *merged = 0;
  out->role = ANORANK_ROLE_UNUSABLE;
  ANK_TRY(ank_alloc(&found, levels, sizeof *found, err));
  for (size_t i = 0; i < n; i++)
    if (column->codes[i] >= 0) found[column->codes[i]].count++, filled++;
  out->missing = n - filled;
  /* A table that was read in blocks may know levels that none of its rows has. */
  for (size_t k = 0; k < levels; k++)
    if (found[k].count > 0) found[count++] = (counted){column->levels.text[k], found[k].count};
  if (count == 0) goto done;
  qsort(found, count, sizeof *found, most_frequent_first);
  size_t meanings = count <= MOST_FLAGS ? merge_flags(found, count) : count;
  *merged = meanings < count;
  if (*merged) qsort(found, meanings, sizeof *found, most_frequent_first);
  count = meanings;
  if (count == levels) *look = ank_look_at_texts(out->name, &column->levels, filled);
  if (count < levels) { /* rare enough to afford a copy of the pointers */
    char **texts = NULL;
    ANK_TRY(ank_alloc(&texts, count, sizeof *texts, err));
    for (size_t k = 0; k < count; k++) memcpy(&texts[k], &found[k].text, sizeof texts[k]);
    *look = ank_look_at_texts(out->name, &(ank_levels){.text = texts, .count = count}, filled);
    ank_free(texts);
  }
  ank_label_counts label = {0};
  for (size_t k = 0; k < count && count <= MOST_FLAGS; k++)
    ank_label_counts_add(&label, found[k].text, found[k].count);
  if (ank_looks_like_label(out->name, &label)) *look = ANK_LOOKS_LABEL;
  if ((count > 1 || *look == ANK_LOOKS_LABEL) && !wanted && ank_look_role(*look) != ANORANK_ROLE_NUMERIC) {
    out->role = ank_look_role(*look);
    goto done;
  }
  out->role = count == 1 && out->missing == 0 ? ANORANK_ROLE_CONSTANT : ANORANK_ROLE_CATEGORICAL;
  ANK_TRY(keep_levels(out, found, count, err));
done:
  ank_free(found);
  return status;
}

int32_t ank_profile_level(const ank_profile *column, const char *text, size_t length) {
  const ank_levels *levels = &column->levels;
  int32_t level = ank_levels_find(levels, text, length);
  int flag = level < 0 && levels->count <= MOST_FLAGS ? ank_flag_of(text, length) : -1;
  if (flag < 0) return level;
  for (size_t k = levels->count; k-- > 0;) {
    int other = ank_flag_of(levels->text[k], strlen(levels->text[k]));
    if (other < 0) return -1;
    if (other == flag) level = (int32_t)k;
  }
  return level;
}

static int is_bit(double x) { return x == 0 || x == 1; }

int ank_profile_is_flag(const ank_profile *column) {
  if (column->kind != ANORANK_NUMERIC) return 0;
  if (column->role == ANORANK_ROLE_CONSTANT) return is_bit(column->constant);
  return column->role == ANORANK_ROLE_NUMERIC && is_bit(column->low) && is_bit(column->median) &&
         is_bit(column->high);
}

/* ---- layout ------------------------------------------------------------------------------------------ */

static double rarity_of(size_t count, size_t rows) {
  return -log(((double)count + 0.5) / ((double)rows + 1));
}

static int expects_new_levels(const ank_profile *column, size_t rows) {
  size_t singles = 0;
  while (singles < column->levels.count && column->counts[column->levels.count - 1 - singles] == 1) singles++;
  return singles >= FEWEST_SINGLES && (double)singles > SINGLE_SHARE * (double)rows;
}

static anorank_status lay_out_rarity(ank_profile *column, size_t rows, double step, anorank_error *err) {
  size_t levels = column->levels.count;
  double mean = 0, squares = 0;
  ANK_CHECK(ank_alloc(&column->rarity, levels, sizeof *column->rarity, err));
  for (size_t k = 0; k <= levels; k++) {
    size_t count = k < levels ? column->counts[k] : column->missing;
    mean += (double)count / (double)rows * rarity_of(count, rows);
  }
  for (size_t k = 0; k <= levels; k++) {
    size_t count = k < levels ? column->counts[k] : column->missing;
    double d = rarity_of(count, rows) - mean;
    squares += (double)count / (double)rows * d * d;
  }
  double factor = step / fmax(sqrt(squares), LEAST_RARITY_SPREAD);
  for (size_t k = 0; k < levels; k++)
    column->rarity[k] = (rarity_of(column->counts[k], rows) - mean) * factor;
  column->rarity_missing = (rarity_of(column->missing, rows) - mean) * factor;
  column->rarity_unseen = (rarity_of(0, rows) - mean) * factor;
  return ANORANK_OK;
}

/* Places of the features and the rarities, from what was learned. */
static anorank_status lay_out_column(ank_profile *column, size_t first_feature, size_t rows, double step,
                                     anorank_error *err) {
  size_t place = 0;
  column->first_feature = first_feature;
  column->mark = column->other = ANK_NO_FEATURE;
  if (column->role == ANORANK_ROLE_NUMERIC) place = 1;
  if (column->role == ANORANK_ROLE_TIME)
    for (int kind = 0; kind < ANK_CIRCLES; kind++) place += column->circles[kind].used ? 2 : 0;
  if (column->kind == ANORANK_NUMERIC && ank_profile_matters(column) && column->missing > 0)
    column->mark = place++;
  if (column->role == ANORANK_ROLE_CATEGORICAL) {
    while (place < ANK_MOST_INDICATORS && place < column->levels.count && column->counts[place] >= 2) place++;
    column->indicators = place;
    if (column->missing >= 2) column->mark = place++;
    if (column->levels.count > column->indicators || column->missing == 1) column->other = place++;
    place++; /* rarity comes last */
    column->expects_new = expects_new_levels(column, rows);
  }
  column->features = place;
  return column->role == ANORANK_ROLE_CATEGORICAL ? lay_out_rarity(column, rows, step, err) : ANORANK_OK;
}

anorank_status ank_prepare_lay_out(ank_prepare *prepare, anorank_error *err) {
  size_t feature = 0;
  prepare->step = ank_step_of(prepare->scale);
  for (size_t j = 0; j < prepare->columns; j++) {
    ank_profile *column = &prepare->column[j];
    ANK_CHECK(lay_out_column(column, feature, prepare->rows, prepare->step, err));
    feature += column->features;
  }
  prepare->dim = feature + 1;
  return ANORANK_OK;
}
