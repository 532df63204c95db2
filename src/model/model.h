/* model.h - the fitted pipeline as one immutable object and one file (docs/model-format.md). */
#ifndef ANK_MODEL_MODEL_H
#define ANK_MODEL_MODEL_H

#include "model/null.h"
#include "prepare/prepare.h"
#include "scorers/scorer.h"

struct anorank_model {
  anorank_settings settings; /* of the fit; callbacks cleared */
  ank_prepare *prepare;
  const ank_scorer_class *type;
  void *scorer;
  double surprise;     /* what each surprise of a row (prepare.h) takes from its score */
  size_t train_rows;   /* of the table, known anomalies among them */
  size_t known_rows;   /* confirmed anomalies that the fit was shown */
  double *calibration; /* scores of rows that their scorer did not see, ascending */
  size_t calibration_count;
  ank_null null;      /* of the calibration scores; worked out anew when the model is loaded */
  double *background; /* prepared training rows to compare with when explaining: background_rows x dim */
  double *cells;      /* the same rows as the table has them (ank_prepare_value): background_rows x columns */
  size_t background_rows;
  size_t usual_rows; /* the first so many of them: without the quarter of lowest scores, if contaminated */
  char **notes;
  size_t note_count;
};

/* `known`: confirmed anomalies besides those that settings->labels names, or NULL. */
anorank_status ank_model_fit(anorank_model **out, const anorank_table *table, const anorank_table *known,
                             const anorank_settings *settings, anorank_error *err);
void ank_model_free(anorank_model *model);
anorank_status ank_model_save(const anorank_model *model, ank_bytes *out, anorank_error *err);
anorank_status ank_model_load(anorank_model **out, const unsigned char *bytes, size_t length,
                              const char *name, anorank_error *err);

/* Scores of prepared rows, on the calling thread: what the scorer says, less the surprises (prepare.h), about
 * which nothing can be learned from rows that have none. */
anorank_status ank_model_score_features(double *scores, const anorank_model *model, const double *features,
                                        size_t rows, anorank_error *err);

/* Scores of table rows, in fixed blocks over threads. */
anorank_status ank_model_score(const anorank_model *model, const ank_match *match, const anorank_table *table,
                               double *scores, const anorank_settings *settings, anorank_error *err);

/* The same as a table to write: the model's id columns as the table has them, then row (from first_row),
 * score and p_value. */
anorank_status ank_model_score_table(anorank_table **out, const anorank_model *model,
                                     const anorank_table *table, size_t first_row,
                                     const anorank_settings *settings, anorank_error *err);

/* P(a normal row scores as low): conformal for a clean model, bulk and tail for a
 * contaminated one (null.h). */
double ank_model_p_value(const anorank_model *model, double score);

/* Once calibration scores, class and settings are there. */
void ank_model_make_null(anorank_model *model);

/* What the p-values of this model are, in a sentence or two. */
const char *ank_model_p_value_words(const anorank_model *model);

#endif
