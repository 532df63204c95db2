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
  int leaves_out;                 /* 1: the class can score its training rows as if each were left out */
  int out_of_all;                 /* 1: out of its units and ranges, too (scorer.h) */
  size_t most_rows;               /* the scorer is fitted on no more, drawn at random */
  int keeps_known;                /* 1: the class is given the confirmed anomalies among its rows, too, and
                                     ensures that nothing is compared with them */
  const anorank_table *known[2];  /* confirmed anomalies, or NULL; borrowed */
  const anorank_table *dismissed; /* rows that are known to be normal, or NULL; borrowed */
  int had_copies; /* 1: equal rows were taken out of the table before the fit (skip_copies.h) */
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
  size_t deviations; /* features that are abnormal where they are high (context/context.h) */
  ank_deviation_term deviation[ANK_MOST_DEVIATIONS];
  ank_entity_scale entities; /* scores are put on the scale of their entities */
  double surprise;           /* taken from the score for each surprise of a row */
  size_t fit_rows;           /* that the scorer was fitted on */
  size_t contrast_rows;      /* 0: the class looks at no contrast */
  size_t *fit_row;           /* which rows of the table these are; NULL: all of them */
  double *left_out;   /* what they would score, had each alone been left out; NULL: the class cannot tell */
  double *own;        /* the same by the class alone: without surprises at cells that no other row has */
  double *background; /* prepared rows that the fit kept: background_rows x dim */
  double *cells;      /* the same rows as the table has them (ank_prepare_value): background_rows x columns */
  size_t background_rows;
  size_t usual_rows; /* the first so many of them: without the quarter of lowest scores, if contaminated */
} ank_pipeline;

/* From all rows of the table; the scorer from a random part of them where there are more than
 * recipe->most_rows or the prepared matrix would take more than `most_bytes`. Up to
 * `background_rows` of them are kept, fewer of many columns; 0 for none. */
anorank_status ank_pipeline_fit(ank_pipeline *out, const anorank_table *table, const ank_recipe *recipe,
                                size_t most_bytes, size_t background_rows, anorank_error *err);
void ank_pipeline_free(ank_pipeline *pipeline);

/* Scores of prepared rows, on the calling thread: the score of the scorer, minus the surprises (prepare.h), which
 * cannot be learned because training rows have none. Like all scores of pipelines they are finite; else the
 * failure is ANORANK_ERROR_MODEL. `first`: rows before, for messages. */
anorank_status ank_pipeline_score_features(double *scores, const ank_pipeline *pipeline,
                                           const double *features, size_t rows, size_t first,
                                           anorank_error *err);

/* Scores of all rows of a table. A row's score has the same bits alone and among others. */
anorank_status ank_pipeline_score(double *scores, const ank_pipeline *pipeline, const ank_match *match,
                                  const anorank_table *table, const anorank_settings *settings,
                                  anorank_error *err);

/* The same for rows whose score is NaN only; the others are neither prepared nor scored. */
anorank_status ank_pipeline_score_rest(double *scores, const ank_pipeline *pipeline, const ank_match *match,
                                       const anorank_table *table, const anorank_settings *settings,
                                       anorank_error *err);

/* Free what only the fit needed: fit_row, left_out and own. */
void ank_pipeline_settle(ank_pipeline *pipeline);

#endif
