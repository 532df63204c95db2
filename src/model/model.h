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
  uint64_t file_minor;       /* of the file that it came from, 0 for none */
  ank_context *context;      /* NULL: rows are looked at one by one */
  ank_pipeline pipeline;
  size_t train_rows;   /* of the table, known anomalies among them */
  size_t known_rows;   /* confirmed anomalies that the fit was shown */
  double *calibration; /* scores of rows that their scorer did not see, ascending */
  size_t calibration_count;
  ank_calibration_order stretches; /* of the calibration rows */
  ank_calibration null;            /* of the calibration scores; recomputed when the model is loaded */
  anorank_calibration about;       /* the same for the outside; way and folds come from the fit */
  anorank_model_info info;         /* for the outside; renewed by ank_model_describe */
  anorank_model_column *columns;   /* of the preparation, for the outside */
  anorank_dependence dependence;   /* of the training rows */
  ank_limits limits;               /* beyond which a row is apart */
  ank_notes notes;
};

/* `labels`: of the rows, 1 anomaly, 0 normal, -1 unknown, or NULL; settings->labels may name a column of them
 * besides. `known`: confirmed anomalies of another table, or NULL. `row_scores`, unless NULL, receives the scores of rows that the fit scored: held-out rows and, if the scorer supports
 * it, leave-one-out scores of training rows; NaN for all others. Rank the rows of the table itself by these scores. */
anorank_status ank_model_fit(anorank_model **out, const anorank_table *table, const signed char *labels,
                             const anorank_table *known, double *row_scores, const anorank_settings *settings,
                             anorank_error *err);

/* Validate the labels of a caller: 1, 0 or -1. NULL: none. */
anorank_status ank_check_labels(const signed char *labels, size_t rows, anorank_error *err);

/* ank_model_fit from rows that were drawn from `rows` rows before (stream/sample.h): the model that all of them give.
 * settings->labels must not be set where more were drawn from than are there. `row_scores`: of the drawn rows. */
anorank_status ank_model_fit_drawn(anorank_model **out, const anorank_table *table, size_t rows,
                                   const anorank_table *known, double *row_scores,
                                   const anorank_settings *settings, anorank_error *err);
void ank_model_free(anorank_model *model);
/* Loading allocates at most ank_model_budget(length) bytes, so saving refuses a model that would need more. */
anorank_status ank_model_save(const anorank_model *model, ank_output *out, anorank_error *err);
anorank_status ank_model_load(anorank_model **out, const unsigned char *bytes, size_t length,
                              const char *name, anorank_error *err);

/* The first bytes of a file, ANK_MODEL_HEAD of them or as many as there are: is it a model that this
 * version reads, and how long does it say to be? */
enum { ANK_MODEL_HEAD = 8 + 5 * 8 };
anorank_status ank_model_head(const unsigned char *bytes, size_t length, uint64_t *whole, anorank_error *err);

/* Memory that a file of this length may request: 64 MiB plus 64 times its length. */
size_t ank_model_budget(size_t length);

/* Scores of all rows of a table: those that are not NaN in `row_scores` (or NULL) from there. */
anorank_status ank_model_score(double *scores, const anorank_model *model, const ank_match *match,
                               const anorank_table *table, const double *row_scores,
                               const anorank_settings *settings, anorank_error *err);

/* P(a normal row scores as low): conformal for a clean model, bulk and tail for a contaminated one. */
double ank_model_p_value(const anorank_model *model, double score);

/* Derive the rest from pipeline, calibration scores and settings. */
anorank_status ank_model_complete(anorank_model *model, anorank_error *err);

/* Fill in the public information, last. */
void ank_model_describe(anorank_model *model);

/* A sentence on the p-values of this model. */
const char *ank_model_p_value_words(const anorank_model *model);

#endif
