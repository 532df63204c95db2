/* space.h - the spaces in which distances are measured: maps of single columns, learned from rows.
 *
 *   standard  y = (x - centre) / unit: the lower median and the standard deviation of the column. Stored in
 *             single precision, clamped to [-LIMIT, LIMIT] with LIMIT = 1e16 (see references.h); NaN is stored
 *             as LIMIT.
 *   range     y_j / (its range) / c: each column gets range 1. c, the root of the mean variance of these
 *             columns, gives the whole the size of the standard space.
 *   normal    columns whose excess kurtosis is above 5 become Phi^-1((midrank + 1/2) / (n + 1)) over its
 *             standard deviation; the others stay as in the standard space.
 *
 * With `cut`, the standard deviation and the kurtosis (above 3 then) are those of the column with its lowest
 * and highest hundredth, at least one row each, clamped to the next value. So no single extreme row
 * determines the distances of the others in the first and third space. One anomaly among training rows must
 * not compress the column that reveals similar anomalies. Columns in which only the ends differ are not
 * clamped. The normal map uses no more of the column either: its knots end at the clamps. Beyond the last it
 * is `open`: Phi^-1 of upto(last) + log(1 + y - y_last), in units of the standard space, and likewise below.
 * So extremes stay extreme, and far rows keep their order.
 *
 * `scored`: the range space uses the normal scores of heavy-tailed columns instead of their numbers
 * (ank_spaces_score_ranges); beyond the ends these continue as log(y / y_last), the median being 0. A column
 * whose range is more than 20 standard deviations has little weight in that space: its rows are all in one
 * corner. If more than two in five columns are like that, the space would show little more of the table than
 * its few extreme rows.
 *
 * A column that is constant among the training rows keeps its unit in every space. So does one that is
 * `as_given` (scorer.h): divided by its standard deviation, the 0/1 column of a rare level would be more
 * extreme than any number.
 *
 * The second and third space are functions of the stored numbers. So a model that stores rows once has them
 * in all spaces, to the bit, and equal rows are equal in each.
 *
 * Midranks: below(y) = rows below y, upto(y) = rows at or below it, midrank = (below + upto) / 2. A
 * heavy-tailed column has at most 1024 knots. They are all of its values if these are few enough, else its
 * 128 lowest and highest and values evenly spaced in rank between (which include every value of more than one
 * row in 768). At a knot the map is exact. Between two knots it is a straight line from Phi^-1 of upto(left)
 * to that of below(right). These are equal if no value was left out: then it is a step function, the midrank
 * of an unseen value. Beyond the ends it is Phi^-1 of below(first) or upto(last). So it never falls. Memory:
 * 20 bytes per knot, file: 12. */
#ifndef ANK_NEIGHBOURS_SPACE_H
#define ANK_NEIGHBOURS_SPACE_H

#include "core/bytes.h"
#include "core/matrix.h"
#include "core/status.h"

enum { ANK_SPACES = 3, ANK_SPACE_KNOTS = 1024 }; /* spaces: anorank_space */

/* Normal scores of the rows below, at, and up to a knot's value. */
typedef struct ank_knot {
  float below, at, upto;
} ank_knot;

/* An end of a column that a single training row has. With that row the range is `stretch` times as long;
 * without it, `variance` is the variance over the square of the range. */
typedef struct ank_space_end {
  float value; /* NaN: no row alone has the end, or all other rows are equal */
  double stretch, variance;
} ank_space_end;

typedef struct ank_space_column {
  double centre, unit; /* standard */
  double factor;       /* range: times the standard value */
  size_t knots;        /* normal: 0 if the column is as in the standard space */
  double spread;       /* standard deviation of the normal scores */
  float *value;        /* of the knots, ascending */
  uint32_t *below, *upto;
  ank_knot *knot;
  double variance; /* range: of the column over the square of its range; negative: constant, or as given */
  ank_space_end end[2]; /* lowest and highest; these and the variance exist during the fit only, not in the
                         * file */
} ank_space_column;

typedef struct ank_spaces {
  size_t dim, rows; /* training rows */
  int open;         /* the normal map continues beyond the ends; set when the maps are loaded */
  int scored; /* the range space uses normal scores of columns with knots; set when the maps are loaded */
  ank_space_column *column;
} ank_spaces;

/* Learn the maps from 1 to 2^32 - 1 rows, on settings->threads threads. */
anorank_status ank_spaces_fit(ank_spaces *out, const ank_matrix *rows, const unsigned char *as_given, int cut,
                              const anorank_settings *settings, anorank_error *err);

/* After a fit without `cut`: let the range space use normal scores, if extremes dominate enough columns. */
void ank_spaces_score_ranges(ank_spaces *spaces);

/* Convert rows to their stored form, the standard space. Row-major. */
void ank_spaces_hold(float *out, const ank_spaces *spaces, const double *rows, size_t count);

/* Map stored rows into one of the spaces. `out` may be `held`. */
void ank_spaces_map(float *out, const ank_spaces *spaces, anorank_space space, const float *held,
                    size_t count);

/* Compute the range factors of the columns without a stored training row. Only in the range space can a
 * single row, at the end of a column, move all others. A row that is not its own neighbour must not
 * contribute to its ranges either. Otherwise later rows, which contributed to no range, look more extreme
 * than the rows they are compared with. Returns 0, without output, if the factors stay the same. O(dim). */
int ank_spaces_without(double *factor, const ank_spaces *spaces, const float *held);

/* Map a stored row into the range space with such factors. `left_out`: it is the excluded row, so that its
 * normal scores ignore the ends that it alone has. */
void ank_spaces_range(float *out, const ank_spaces *spaces, const double *factor, const float *held,
                      int left_out);

/* Return the first space with the same map: standard for normal if no column is heavy-tailed. */
anorank_space ank_spaces_first(const ank_spaces *spaces, anorank_space space);

/* Return whether these are valid stored numbers. */
int ank_spaces_holds(const float *held, size_t count);

/* Allocate `dim` columns without knots; assign the knots' memory from their counts (space.c and
 * space_fit.c). */
anorank_status ank_spaces_shape(ank_spaces *out, size_t dim, size_t rows, anorank_error *err);
anorank_status ank_space_place_knots(ank_space_column *column, size_t rows, anorank_error *err);

size_t ank_spaces_bytes(const ank_spaces *spaces); /* beyond the struct itself */
anorank_status ank_spaces_save(const ank_spaces *spaces, ank_bytes *out, anorank_error *err);
anorank_status ank_spaces_load(ank_spaces *out, ank_cursor *in, anorank_error *err);
void ank_spaces_free(ank_spaces *spaces); /* frees its memory, not the struct */

#endif
