/* model_context.h - tables with entities and times (context/context.h) in models. */
#ifndef ANK_MODEL_MODEL_CONTEXT_H
#define ANK_MODEL_MODEL_CONTEXT_H

#include "context/context.h"
#include "model/model.h"

/* The context of a table, its derived columns, and the settings to fit on them. Without `by` and `time`, `context` is NULL,
 * and table and settings are the given ones. */
typedef struct ank_context_fit_of {
  ank_context *context;       /* for the model; owned until taken */
  anorank_table *own;         /* the derived table, or NULL */
  const anorank_table *table; /* to fit on */
  anorank_settings settings;  /* to fit with; borrows texts from the context and from the lists */
  char *id, *drop, *columns;
  ank_notes notes;     /* for the model */
  size_t rows;         /* from which the rows of the table were drawn */
  size_t learned_rows; /* first rows of the table, from which levels, spreads and seasons were learned */
} ank_context_fit_of;

/* First step: learn from the first rows of the table, as many as a fit samples. The history is empty. */
anorank_status ank_context_fit_learn(ank_context_fit_of *out, const anorank_table *table,
                                     const anorank_settings *settings, anorank_error *err);
/* Second step, after a pass over all rows: their state becomes the history, with notes. Takes ownership of the run on
 * success. */
anorank_status ank_context_fit_finish(ank_context_fit_of *fit, ank_context_run *run, anorank_error *err);

/* Both steps; `table` has all rows. */
anorank_status ank_context_fit_make(ank_context_fit_of *out, const anorank_table *table,
                                    const anorank_settings *settings, anorank_error *err);
void ank_context_fit_free(ank_context_fit_of *fit);

/* ank_model_fit with a learned context; takes ownership of fit->context. `settings` are the user's. */
anorank_status ank_model_fit_in_context(anorank_model **out, ank_context_fit_of *fit,
                                        const signed char *labels, const anorank_table *known,
                                        double *row_scores, const anorank_settings *settings,
                                        anorank_error *err);

/* Return the table for the model's preparation: `table` itself, or `*own`, which continues from the model's history and
 * which the caller frees. */
anorank_status ank_model_view(const anorank_table **out, anorank_table **own, const anorank_model *model,
                              const anorank_table *table, anorank_error *err);

/* anorank_model_score_table with an existing view; `rows`, unless NULL, are the `count` rows to score. */
anorank_status ank_model_score_view(anorank_table **out, const anorank_model *model,
                                    const anorank_table *table, const anorank_table *view, size_t first_row,
                                    const size_t *rows, size_t count, const anorank_settings *settings,
                                    anorank_error *err);

/* Return ANORANK_ERROR_USAGE if rows would be used without earlier rows, or by two models at once. `model` may be NULL:
 * then the settings decide. */
anorank_status ank_context_refuse(const anorank_model *model, const anorank_settings *settings,
                                  anorank_error *err);

#endif
