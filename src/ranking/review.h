/* review.h - rows of a table to ask a person about, and the answers (anorank.h: anorank_review). */
#ifndef ANK_RANKING_REVIEW_H
#define ANK_RANKING_REVIEW_H

#include "anorank/experimental.h"
#include "ranking/ranking.h"

typedef struct ank_question {
  anorank_question info;
  char *reasons; /* as a sentence; NULL: none */
} ank_question;

struct anorank_review {
  const anorank_table *table; /* borrowed */
  ank_question *asked;        /* in the order they came */
  size_t count, capacity;
  size_t *place;       /* of each row of the table in `asked`; SIZE_MAX: not asked about */
  signed char *labels; /* of each row: 1, 0, -1 */
};

/* Add the next questions: the most abnormal of the ranking not yet asked about, until `most` are open. */
anorank_status ank_review_ask(anorank_review *review, const anorank_ranking *ranking, size_t most,
                              anorank_error *err);

#endif
