/* api_review.c - reviews for the outside: arguments are checked here, then inward. */
#include "verdict/review.h"

anorank_status anorank_review_new(anorank_review **out, const anorank_table *table, anorank_error *err) {
  ANK_NEED(out);
  *out = NULL;
  ANK_NEED(table);
  return ank_review_new(out, table, err);
}

void anorank_review_free(anorank_review *review) { ank_review_free(review); }

anorank_status anorank_review_read(anorank_review *review, const anorank_table *answers,
                                   const anorank_settings *settings, anorank_error *err) {
  ANK_NEED(review);
  ANK_NEED(answers);
  return ank_review_read(review, answers, ank_settings_or_default(settings), err);
}

anorank_status anorank_review_ask(anorank_review *review, const anorank_verdict *verdict,
                                  const anorank_settings *settings, anorank_error *err) {
  ANK_NEED(review);
  ANK_NEED(verdict);
  return ank_review_ask(review, verdict, (size_t)ank_settings_or_default(settings)->review_rows, err);
}

anorank_status anorank_review_answer(anorank_review *review, size_t row, anorank_answer answer,
                                     anorank_error *err) {
  ANK_NEED(review);
  return ank_review_answer(review, row, answer, err);
}

anorank_status anorank_review_table(anorank_table **out, const anorank_review *review,
                                    const anorank_settings *settings, anorank_error *err) {
  ANK_NEED(out);
  *out = NULL;
  ANK_NEED(review);
  return ank_review_table(out, review, ank_settings_or_default(settings), err);
}

size_t anorank_review_count(const anorank_review *review) { return review ? review->count : 0; }

const anorank_question *anorank_review_at(const anorank_review *review, size_t i) {
  return review && i < review->count ? &review->asked[i].info : NULL;
}

const signed char *anorank_review_labels(const anorank_review *review) {
  return review ? review->labels : NULL;
}
