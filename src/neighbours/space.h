/* space.h - the spaces that distances are taken in: maps of each column by itself, learned from rows.
 *
 *   standard  y = (x - centre) / unit: the lower median and the standard deviation of the column. Held in
 *             single precision, cut to [-LIMIT, LIMIT] with LIMIT = 1e16 (see references.h); what is not a
 *             number is held as LIMIT.
 *   range     y_j / (its range) / c: each column takes a length of 1, and c, the root of the mean variance
 *             of the columns so made, gives the whole the size of the standard space.
 *   normal    columns whose excess kurtosis is above 5 become Phi^-1((midrank + 1/2) / (n + 1)) over its
 *             standard deviation; the others stay as in the standard space.
 *
 * With `cut`, the standard deviation and the kurtosis (above 3 then) are those of the column with its lowest
 * and highest hundredth, at least one row each, cut to the next value: no single row, however far out,
 * decides how far the others are apart in the first and third space. One anomaly among rows
 * believed normal must not compress the column that reveals similar anomalies. Columns where nothing but the ends
 * differs are not cut. Nor does the normal map see more of the column than that: its knots end where the cuts
 * are, and beyond the last it is `open`: Phi^-1 of upto(last) + log(1 + y - y_last), in units of the standard
 * space, and likewise below. So extremes stay extreme, and far rows keep their order.
 *
 * `scored`: the range space takes the normal scores of heavy-tailed columns in place of their numbers
 * (ank_spaces_score_ranges); beyond the ends these continue as log(y / y_last), the median being 0. A column whose range is more than 20 standard deviations long hardly counts
 * beside others in that space: its rows lie in a corner. Where that is so of more than two in five columns, the
 * space would know little more of the table than its few extreme rows.
 *
 * A column that is constant among the rows of the fit keeps the unit it was given, in every space, and so
 * does one that is `as_given` (scorer.h): divided by its standard deviation, the mark of a rare level would
 * be farther out than any number.
 *
 * The second and third space are functions of the held numbers, so a model that holds rows once has them in
 * all spaces, to the bit, and equal rows are equal in each.
 *
 * Midranks: below(y) = rows below y, upto(y) = rows at or below it, midrank = (below + upto) / 2. A
 * heavy-tailed column has at most 1024 knots: all of its values where it has no more, else its 128 lowest
 * and highest and values evenly spaced in rank between (every value that more than one row in 768 has is
 * among them). At a knot the map is exact, without interpolation. Between two knots it runs in a straight
 * line from Phi^-1 of upto(left) to that of below(right), which are equal where no value was left out: there
 * it is a step function, the midrank of an unseen value. Beyond the ends it is Phi^-1 of below(first) or
 * upto(last). So it never falls. Memory: 20 bytes per knot, file: 12. */
#ifndef ANK_NEIGHBOURS_SPACE_H
#define ANK_NEIGHBOURS_SPACE_H

#include "core/bytes.h"
#include "core/matrix.h"
#include "core/status.h"

enum { ANK_SPACES = 3, ANK_SPACE_KNOTS = 1024 }; /* spaces: anorank_space */

/* Where the rows below, at, and up to a knot's value end up. */
typedef struct ank_knot {
  float below, at, upto;
} ank_knot;

/* An end of a column that one row of the fit has alone. What that row does to the column: it makes the range
 * `stretch` times as long, and without it the variance over the square of the range would be this one. */
typedef struct ank_space_end {
  float value; /* NaN: no row has the end alone, or nothing else differs */
  double stretch, variance;
} ank_space_end;

typedef struct ank_space_column {
  double centre, unit; /* standard */
  double factor;       /* range: times the standard value */
  size_t knots;        /* normal: 0 where the column is as in the standard space */
  double spread;       /* standard deviation of the normal scores */
  float *value;        /* of the knots, ascending */
  uint32_t *below, *upto;
  ank_knot *knot;
  double variance; /* range: of the column over the square of its range; negative: constant, or as given */
  ank_space_end end[2]; /* lowest and highest; these and the variance are known to the fit, not to the file */
} ank_space_column;

typedef struct ank_spaces {
  size_t dim, rows; /* rows of the fit */
  int open;         /* beyond the ends the normal map continues; set by the loader of the maps */
  int scored; /* the range space takes normal scores, where a column has knots; who loads the maps says so */
  ank_space_column *column;
} ank_spaces;

/* At least one row, fewer than 2^32; columns are spread over settings->threads. */
anorank_status ank_spaces_fit(ank_spaces *out, const ank_matrix *rows, const unsigned char *as_given, int cut,
                              const anorank_settings *settings, anorank_error *err);

/* After a fit without `cut`: let the range space take normal scores, if enough columns are ruled by their extremes. */
void ank_spaces_score_ranges(ank_spaces *spaces);

/* Rows as they are held: their places in the standard space. Row-major. */
void ank_spaces_hold(float *out, const ank_spaces *spaces, const double *rows, size_t count);

/* Held rows in one of the spaces. `out` may be `held`. */
void ank_spaces_map(float *out, const ank_spaces *spaces, anorank_space space, const float *held,
                    size_t count);

/* The range space is the one that a single row can move: the row that ends a column. A row that is left out
 * of its neighbours must be left out of its range, too, or rows that come later, which no range has seen, look
 * farther out than the rows that they are compared with. For a held row of the fit: the factors (range) that
 * the columns would have without it. 0: they would be the same, and nothing is written. O(dim). */
int ank_spaces_without(double *factor, const ank_spaces *spaces, const float *held);

/* A held row in the range space with such factors; `left_out`: it is the row that they are without, so that ends
 * which it has alone are not known to the normal scores. */
void ank_spaces_range(float *out, const ank_spaces *spaces, const double *factor, const float *held,
                      int left_out);

/* The first space that is the same map: standard for normal where no column is heavy-tailed. */
anorank_space ank_spaces_first(const ank_spaces *spaces, anorank_space space);

/* Whether this is a valid stored number. */
int ank_spaces_holds(const float *held, size_t count);

/* Memory for `dim` columns without knots; and the knots' places from their counts (space.c and
 * space_fit.c). */
anorank_status ank_spaces_shape(ank_spaces *out, size_t dim, size_t rows, anorank_error *err);
anorank_status ank_space_place_knots(ank_space_column *column, size_t rows, anorank_error *err);

size_t ank_spaces_bytes(const ank_spaces *spaces); /* beyond the struct itself */
anorank_status ank_spaces_save(const ank_spaces *spaces, ank_bytes *out, anorank_error *err);
anorank_status ank_spaces_load(ank_spaces *out, ank_cursor *in, anorank_error *err);
void ank_spaces_free(ank_spaces *spaces); /* what it holds, not the struct */

#endif
