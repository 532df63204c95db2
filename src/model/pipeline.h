/* pipeline.h - a preparation and a scorer fitted together: owned by a model, and by each fold of a
 * cross-fit. */
#ifndef ANK_MODEL_PIPELINE_H
#define ANK_MODEL_PIPELINE_H

#include "model/entity_scale.h"
#include "prepare/prepare.h"
#include "scorers/scorer.h"

/* The plan of a fit, derived from the settings once (ank_recipe_make). */
typedef struct ank_recipe {
  anorank_settings settings;      /* with "auto" resolved */
  int leaves_out;                 /* 1: the class has leave-one-out scores */
  int out_of_all;                 /* 1: they also leave rows out of units and ranges (scorer.h) */
  size_t most_rows;               /* of the fit of the scorer; drawn at random */
  int keeps_known;                /* 1: the class also gets the known anomalies among its rows, and ensures
                                     that no row is compared with them */
  const anorank_table *known[2];  /* known anomalies, or NULL; borrowed */
  const anorank_table *dismissed; /* rows labelled normal, or NULL; borrowed */
  int had_copies;                 /* 1: copies were removed before the fit (skip_copies.h) */
} ank_recipe;

/* An unknown class or law is ANORANK_ERROR_USAGE. */
anorank_status ank_recipe_make(ank_recipe *out, const anorank_settings *settings, anorank_error *err);

/* The penalty on the score for one feature x: weight * bend((x - centre) / scale), bend as in scorers/blend.h. Rows of one
 * incident are near each other, so distances between rows do not show deviations from the past. */
typedef struct ank_deviation_term {
  size_t feature;
  double centre, scale, weight;
} ank_deviation_term;

enum { ANK_MOST_DEVIATIONS = 4 };

typedef struct ank_pipeline {
  ank_prepare *prepare;
  const ank_scorer_class *type;
  void *scorer;
  size_t deviations; /* features with abnormal high values (context/context.h) */
  ank_deviation_term deviation[ANK_MOST_DEVIATIONS];
  ank_entity_scale entities; /* rescales scores by entity */
  double surprise;           /* subtracted from the score for each surprise of a row */
  size_t fit_rows;           /* in the fit of the scorer */
  size_t contrast_rows;      /* 0: the class uses no contrast rows */
  size_t *fit_row;           /* their row numbers; NULL: all rows */
  double *left_out;          /* their leave-one-out scores; NULL: the class has none */
  double *own;               /* the same without surprises for cells that no other row has */
  double *background;        /* features of background rows: background_rows x dim */
  double *cells;             /* cells of the same rows (ank_prepare_value): background_rows x columns */
  size_t background_rows;
  size_t usual_rows; /* number of usual rows, which come first: without the lowest quarter, if contaminated */
} ank_pipeline;

/* Fit on all rows of the table. The scorer uses a random part of them if there are more than recipe->most_rows, or if the
 * prepared matrix would exceed `most_bytes`. Up to `background_rows` rows are kept, fewer with many columns; 0 for none. */
anorank_status ank_pipeline_fit(ank_pipeline *out, const anorank_table *table, const ank_recipe *recipe,
                                size_t most_bytes, size_t background_rows, anorank_error *err);
void ank_pipeline_free(ank_pipeline *pipeline);

/* Score prepared rows on the calling thread: the score of the scorer minus the surprises (prepare.h), which cannot be
 * learned because training rows have none. Scores of pipelines are finite; otherwise the failure is ANORANK_ERROR_MODEL.
 * `first`: number of rows before, for messages. */
anorank_status ank_pipeline_score_features(double *scores, const ank_pipeline *pipeline,
                                           const double *features, size_t rows, size_t first,
                                           anorank_error *err);

/* Score all rows of a table. The score of a row has the same bits alone and among others. */
anorank_status ank_pipeline_score(double *scores, const ank_pipeline *pipeline, const ank_match *match,
                                  const anorank_table *table, const anorank_settings *settings,
                                  anorank_error *err);

/* The same, only for rows whose score is NaN. */
anorank_status ank_pipeline_score_rest(double *scores, const ank_pipeline *pipeline, const ank_match *match,
                                       const anorank_table *table, const anorank_settings *settings,
                                       anorank_error *err);

/* Free what only the fit needed: fit_row, left_out and own. */
void ank_pipeline_settle(ank_pipeline *pipeline);

#endif
