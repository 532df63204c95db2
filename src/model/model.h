/* model.h - the fitted pipeline as one immutable object and one file (docs/model-format.md). */
#ifndef ANK_MODEL_MODEL_H
#define ANK_MODEL_MODEL_H

#include "context/context.h"
#include "core/notes.h"
#include "core/output.h"
#include "model/calibration.h"
#include "model/limits.h"
#include "model/pipeline.h"

struct anorank_model {
  anorank_settings settings; /* of the fit; held */
  uint64_t file_minor;       /* of the file that it was loaded from; 0: none */
  ank_context *context;      /* NULL: rows are independent of earlier rows */
  ank_pipeline pipeline;
  size_t train_rows;   /* of the table, including known anomalies */
  size_t known_rows;   /* known anomalies used by the fit */
  double *calibration; /* scores of rows that their scorer did not see, ascending */
  size_t calibration_count;
  ank_calibration_order stretches; /* of the calibration rows */
  ank_calibration null;            /* of the calibration scores; recomputed when the model is loaded */
  anorank_calibration about;       /* the same for callers; way and folds come from the fit */
  anorank_model_info info;         /* for callers; written by ank_model_describe */
  anorank_model_column *columns;   /* of the preparation, for callers */
  anorank_dependence dependence;   /* of the training rows */
  ank_limits limits;               /* beyond which a row is apart */
  ank_notes notes;
};

/* Fit a model. `labels` has 1 (anomaly), 0 (normal) or -1 (unknown) per row, or is NULL; settings->labels may also name a
 * column. `known`: known anomalies of another table, or NULL. `row_scores`, unless NULL, receives the scores of rows that
 * the fit scored: held-out rows and, if the scorer supports it, leave-one-out scores of training rows; NaN for others.
 * Rank the rows of the table itself by these scores. */
anorank_status ank_model_fit(anorank_model **out, const anorank_table *table, const signed char *labels,
                             const anorank_table *known, double *row_scores, const anorank_settings *settings,
                             anorank_error *err);

/* Validate the labels of a caller: 1, 0 or -1. NULL: none. */
anorank_status ank_check_labels(const signed char *labels, size_t rows, anorank_error *err);

/* ank_model_fit for rows drawn from `rows` rows (stream/sample.h): gives the same model as all of them. settings->labels
 * must not be set if the sample lacks rows. `row_scores`: of the drawn rows. */
anorank_status ank_model_fit_drawn(anorank_model **out, const anorank_table *table, size_t rows,
                                   const anorank_table *known, double *row_scores,
                                   const anorank_settings *settings, anorank_error *err);
void ank_model_free(anorank_model *model);
/* Loading allocates at most ank_model_budget(length) bytes, so saving refuses a model that would need more. */
anorank_status ank_model_save(const anorank_model *model, ank_output *out, anorank_error *err);
anorank_status ank_model_load(anorank_model **out, const unsigned char *bytes, size_t length,
                              const char *name, anorank_error *err);

/* From the first ANK_MODEL_HEAD bytes of a file (or all, if it is shorter), check that it is a model that this version
 * reads, and get its stated length. */
enum { ANK_MODEL_HEAD = 8 + 5 * 8 };
anorank_status ank_model_head(const unsigned char *bytes, size_t length, uint64_t *whole, anorank_error *err);

/* Return the memory that a file of this length may request: 64 MiB plus 64 times its length. */
size_t ank_model_budget(size_t length);

/* Score all rows of a table. Scores in `row_scores` (or NULL) that are not NaN are used as they are. */
anorank_status ank_model_score(double *scores, const anorank_model *model, const ank_match *match,
                               const anorank_table *table, const double *row_scores,
                               const anorank_settings *settings, anorank_error *err);

/* Return P(a normal row scores as low): conformal for a clean model, bulk and tail for a contaminated one. */
double ank_model_p_value(const anorank_model *model, double score);

/* Derive the other members from pipeline, calibration scores and settings. */
anorank_status ank_model_complete(anorank_model *model, anorank_error *err);

/* Fill in the public information, as the last step. */
void ank_model_describe(anorank_model *model);

/* Write a sentence on the p-values of this model. */
const char *ank_model_p_value_words(const anorank_model *model);

#endif
