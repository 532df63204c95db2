/* row_scorer.h - rows from memory through a model, without a request for memory: anorank_scorer. */
#ifndef ANK_MODEL_ROW_SCORER_H
#define ANK_MODEL_ROW_SCORER_H

#include "model/model.h"

size_t ank_row_scorer_fields(const anorank_scorer *scorer);
double ank_row_scorer_code(const anorank_scorer *scorer, size_t field, const char *text);

/* The scratch was made for this scorer, or ANORANK_ERROR_USAGE. */
anorank_status ank_row_scorer_score(const anorank_scorer *scorer, anorank_scratch *scratch,
                                    const double *cells, size_t rows, size_t stride, double *scores,
                                    double *p_values, anorank_error *err);

#endif
