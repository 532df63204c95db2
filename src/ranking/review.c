/* review.c - see review.h. */
#include "ranking/review.h"

#include <string.h>

#include "core/alloc.h"

anorank_status anorank_review_new(anorank_review **out, const anorank_table *table, anorank_error *err) {
  ANK_NEED(out);
  *out = NULL;
  ANK_NEED(table);
  anorank_status status = ANORANK_OK;
  anorank_review *review = NULL;
  ANK_TRY(ank_alloc(&review, 1, sizeof *review, err));
  review->table = table;
  ANK_TRY(ank_alloc_raw(&review->place, table->rows, sizeof *review->place, err));
  ANK_TRY(ank_alloc_raw(&review->labels, table->rows, sizeof *review->labels, err));
  for (size_t i = 0; i < table->rows; i++) {
    review->place[i] = SIZE_MAX;
    review->labels[i] = -1;
  }
  ANK_HAND_OVER(out, review);
done:
  anorank_review_free(review);
  return status;
}

void anorank_review_free(anorank_review *review) {
  if (!review) return;
  for (size_t i = 0; i < review->count; i++) ank_free(review->asked[i].reasons);
  ank_free(review->asked);
  ank_free(review->place);
  ank_free(review->labels);
  ank_free(review);
}

anorank_status anorank_review_answer(anorank_review *review, size_t row, anorank_answer answer,
                                     anorank_error *err) {
  ANK_NEED(review);
  if (row >= review->table->rows)
    return ank_fail(err, ANORANK_ERROR_USAGE, "row-unknown",
                    "there is no row %zu; the table has only %zu row%s", row + 1, review->table->rows,
                    ANK_S(review->table->rows));
  if (review->place[row] == SIZE_MAX) {
    ANK_CHECK(ank_reserve(&review->asked, &review->capacity, review->count + 1, sizeof *review->asked, err));
    review->place[row] = review->count;
    review->asked[review->count++] = (ank_question){.info = {.row = row, .reasons = ""}};
  }
  review->asked[review->place[row]].info.answer = answer;
  review->labels[row] = answer == ANORANK_ANSWER_ANOMALY ? 1 : answer == ANORANK_ANSWER_NORMAL ? 0 : -1;
  return ANORANK_OK;
}

/* The sentences of a finding; unchanged if it has none. */
static anorank_status take_reasons(char **out, const anorank_ranking *ranking, size_t i, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  char *text = NULL;
  size_t capacity = 0;
  ANK_TRY(ank_ranking_join_reasons(&text, &capacity, ranking, i, err));
  if (text) {
    ank_free(*out);
    ANK_HAND_OVER(out, text);
  }
done:
  ank_free(text);
  return status;
}

anorank_status ank_review_ask(anorank_review *review, const anorank_ranking *ranking, size_t most,
                              anorank_error *err) {
  size_t open = 0;
  if (ranking->rows != review->table->rows)
    return ank_fail(err, ANORANK_ERROR_USAGE, "ranking-other-table",
                    "the ranking has %zu rows and the review %zu; give the ranking of the reviewed table",
                    ranking->rows, review->table->rows);
  for (size_t i = 0; i < review->count; i++) open += review->asked[i].info.answer == ANORANK_ANSWER_OPEN;
  for (size_t i = 0; i < ranking->count; i++) {
    size_t row = ranking->findings[i].row;
    int is_new = review->place[row] == SIZE_MAX;
    if (is_new && open >= most) continue;
    if (is_new) ANK_CHECK(anorank_review_answer(review, row, ANORANK_ANSWER_OPEN, err));
    open += is_new;
    ank_question *asked = &review->asked[review->place[row]];
    if (asked->info.answer != ANORANK_ANSWER_OPEN) continue;
    ANK_CHECK(take_reasons(&asked->reasons, ranking, i, err));
    asked->info.reasons = asked->reasons ? asked->reasons : "";
  }
  return ANORANK_OK;
}

anorank_status anorank_review_ask(anorank_review *review, const anorank_ranking *ranking,
                                  const anorank_settings *settings, anorank_error *err) {
  ANK_NEED(review);
  ANK_NEED(ranking);
  return ank_review_ask(review, ranking, (size_t)ank_settings_or_default(settings)->review_rows, err);
}

size_t anorank_review_count(const anorank_review *review) { return review ? review->count : 0; }

const anorank_question *anorank_review_at(const anorank_review *review, size_t i) {
  return review && i < review->count ? &review->asked[i].info : NULL;
}

const signed char *anorank_review_labels(const anorank_review *review) {
  return review ? review->labels : NULL;
}
