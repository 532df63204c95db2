/* skip_copies.h - is a row at distance 0 the row itself, come back to be scored by the model that was fitted on it?
 *
 * Under `contaminated` the rows to be scored are those of the fit, so one exact copy among the kept rows is
 * skipped in any call: the score stays a function of the row alone.
 *
 * Under `clean`, rows to score are usually new, and if equal rows are common a copy is evidence of normality. But if
 * no two rows of the fit are equal, nor were before copies were removed (had_copies), a row that equals a
 * kept row is that row, and it is skipped as well. The effect on new rows is small: let the n rows of the fit and a new
 * one be exchangeable. The new row is affected only if it is in the one pair of equal rows among n + 1, which
 * has probability 2 / (n + 1) at most. So P(p <= a) <= a + 2 / (n + 1) still holds for its p-value. */
#ifndef ANK_NEIGHBOURS_SKIP_COPIES_H
#define ANK_NEIGHBOURS_SKIP_COPIES_H

#include "core/matrix.h"
#include "core/status.h"

/* 1: one copy of a row is to be skipped by a model fitted on `rows`. They are compared in single precision, as
 * they are kept. O(rows (dim + log rows)). */
anorank_status ank_skips_copies(int *out, const ank_matrix *rows, int had_copies,
                                const anorank_settings *settings, anorank_error *err);

#endif
