/* skip_copies.h - decides whether a row at distance 0 is a training row, scored by the model fitted on it.
 *
 * Under `contaminated`, the rows to score are the training rows. So one exact copy among the kept rows is
 * skipped in every call: the score remains a function of the row alone.
 *
 * Under `clean`, rows to score are usually new, and if equal rows are common, a copy is evidence of
 * normality. But if no two training rows are equal, nor were before copies were removed (had_copies), a row
 * that equals a kept row is that row, and it is skipped as well. The effect on new rows is small. Let the n
 * training rows and a new one be exchangeable. The new row is affected only if it is in the one pair of equal
 * rows among n + 1, which has probability at most 2 / (n + 1). So P(p <= a) <= a + 2 / (n + 1) still holds
 * for its p-value. */
#ifndef ANK_NEIGHBOURS_SKIP_COPIES_H
#define ANK_NEIGHBOURS_SKIP_COPIES_H

#include "core/matrix.h"
#include "core/status.h"

/* Set `*out` to 1 if a model fitted on `rows` must skip one copy of a row. Rows are compared in single
 * precision, as they are kept. O(rows (dim + log rows)). */
anorank_status ank_skips_copies(int *out, const ank_matrix *rows, int had_copies,
                                const anorank_settings *settings, anorank_error *err);

#endif
