/* drift.h - a test of distribution drift between two tables.
 *
 *   drift_rows.c     samples of both tables, combined in one
 *   drift_test.c     the two-sample test: a scorer fitted on one half, W_phi on the other
 *   drift_columns.c  changes of single columns
 *   drift_words.c    its sentences
 *   drift.c          the whole */
#ifndef ANK_DRIFT_DRIFT_H
#define ANK_DRIFT_DRIFT_H

#include "anorank/criterion.h"
#include "anorank/experimental.h"
#include "core/notes.h"
#include "core/print.h"
#include "prepare/prepare.h"
#include "table/table.h"

enum { ANK_OLD, ANK_NEW };

struct anorank_drift {
  size_t rows[2];  /* of the tables */
  size_t drawn[2]; /* rows of them in the test */
  double level;
  double p_value, joint_p_value;
  const char *phi; /* whose W departs most from chance */
  anorank_interval separation;
  anorank_drift_column *column; /* the most certain change first; names and levels are texts of
                                 * `rows_of_both` */
  size_t columns;
  anorank_table *rows_of_both;
  ank_notes notes;
  char verdict[ANK_SENTENCE_SIZE];
  anorank_drift_info info; /* the public part */
};

/* ---- drift_rows.c ---- */

/* Draw rows of both tables, in random order, and put those of the first before those of the second into
 * drift->rows_of_both. It has the columns that both tables have and `drop` does not name. Sets `rows`,
 * `drawn` and notes. */
anorank_status ank_drift_join(anorank_drift *drift, const anorank_table *old_rows,
                              const anorank_table *new_rows, const anorank_settings *settings,
                              anorank_error *err);

/* Return the names of the list that neither table has, as a list, which the caller frees. */
anorank_status ank_drift_unknown(char **out, const char *list, const anorank_table *old_rows,
                                 const anorank_table *new_rows, anorank_error *err);

/* Choose old[ANK_OLD] of the rows at random: labels[i] = 1 for those. The choice is number `index` of the
 * stream. */
void ank_drift_shuffle(unsigned char *labels, size_t old_count, size_t rows, uint64_t seed, uint64_t index);

/* ---- drift_test.c ---- */

/* Set joint_p_value, phi, separation, and the importance of the columns, whose features `prepare` locates. */
anorank_status ank_drift_test(anorank_drift *drift, const ank_prepare *prepare,
                              const anorank_settings *settings, anorank_error *err);

/* ---- drift_columns.c ---- */

/* Set drift->column for the columns in use: distances, their p-values, and the changes. */
anorank_status ank_drift_columns(anorank_drift *drift, const ank_prepare *prepare,
                                 const anorank_settings *settings, anorank_error *err);

/* ---- drift_words.c ---- */

void ank_drift_write_verdict(anorank_drift *drift);
size_t ank_drift_column_text(const anorank_drift_column *column, char *text, size_t size);

#endif
