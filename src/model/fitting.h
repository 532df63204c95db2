/* fitting.h - the state of a fit, for model_fit.c and fit_notes.c. */
#ifndef ANK_MODEL_FITTING_H
#define ANK_MODEL_FITTING_H

#include "model/duplicate_rows.h"
#include "model/known_anomalies.h"
#include "model/left_out_blocks.h"
#include "model/model.h"

typedef struct ank_fitting {
  anorank_model *model;
  const anorank_table *table; /* the training rows in use */
  anorank_table *sample;      /* owns them if they are a part of the table */
  size_t *sample_rows;        /* their row numbers; NULL: all rows */
  size_t drawn_from;          /* number of rows from which the given rows were drawn */
  ank_duplicates copies;      /* among the drawn rows */
  size_t *copied[2];          /* of the given table: rows left out as copies, and their originals */
  ank_known_anomalies confirmed;
  unsigned char
      *is_known; /* 1: a confirmed anomaly that is among the rows; of the table that the fit was given.
                              NULL: there are none */
  ank_recipe recipe;
  size_t most_bytes; /* of one prepared matrix */
  const anorank_settings *outer;
  double from, to; /* the share of the whole work in the current step */
  unsigned char *part;
  ank_blocks blocks;    /* gap 0: rows are left out at random or one by one */
  size_t *calibrated;   /* rows of `table` with the calibration scores; only with blocks */
  unsigned char *clock; /* 1: the column numbers the rows (dependence.h) */
  char *ids;            /* the setting `id` with the names of those */
  double *row_scores;   /* output for the given table (model.h); NULL: not requested */
} ank_fitting;

/* Write the notes of the fit. */
anorank_status ank_fit_write_notes(ank_fitting *fit, anorank_error *err);

#endif
