/* api_scorer.c - rows from memory for the outside: arguments are checked here, then inward. */
#include <math.h>

#include "model/row_scorer.h"

anorank_status anorank_scorer_new(anorank_scorer **out, const anorank_model *model,
                                  const anorank_field *fields, size_t field_count, anorank_error *err) {
  ANK_NEED(out);
  *out = NULL;
  ANK_NEED(model);
  return ank_row_scorer_make(out, model, fields, field_count, err);
}

void anorank_scorer_free(anorank_scorer *scorer) { ank_row_scorer_free(scorer); }

double anorank_scorer_code(const anorank_scorer *scorer, size_t field, const char *text) {
  return scorer ? ank_row_scorer_code(scorer, field, text) : (double)NAN;
}

anorank_status anorank_scratch_new(anorank_scratch **out, const anorank_scorer *scorer, anorank_error *err) {
  ANK_NEED(out);
  *out = NULL;
  ANK_NEED(scorer);
  return ank_scratch_make(out, scorer, err);
}

void anorank_scratch_free(anorank_scratch *scratch) { ank_scratch_free(scratch); }

anorank_status anorank_scorer_score(const anorank_scorer *scorer, anorank_scratch *scratch,
                                    const double *cells, size_t rows, size_t stride, double *scores,
                                    double *p_values, anorank_error *err) {
  ANK_NEED(scorer);
  ANK_NEED(scratch);
  if (rows > 0) ANK_NEED(cells);
  if (rows > 1 && stride < ank_row_scorer_fields(scorer))
    return ank_fail(err, ANORANK_ERROR_USAGE, "scorer-stride",
                    "the rows are %zu cells apart, but have %zu fields", stride,
                    ank_row_scorer_fields(scorer));
  return ank_row_scorer_score(scorer, scratch, cells, rows, stride, scores, p_values, err);
}
