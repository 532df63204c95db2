/* model_context.h - tables with entities and times (context/context.h) in models. */
#ifndef ANK_MODEL_MODEL_CONTEXT_H
#define ANK_MODEL_MODEL_CONTEXT_H

#include "context/context.h"
#include "model/model.h"

/* Learn the context of a table, derive its columns, and how to fit on them. `out->context` is NULL, and the table and the
 * settings are those given, where none is wanted. */
typedef struct ank_context_fit_of {
  ank_context *context;       /* for the model; owned until taken */
  anorank_table *own;         /* the derived table, or NULL */
  const anorank_table *table; /* to fit on */
  anorank_settings settings;  /* to fit with; borrows texts from the context and from the lists */
  char *id, *drop, *columns;
  ank_notes notes;     /* for the model */
  size_t rows;         /* that the rows of the table were drawn from */
  size_t learned_rows; /* that levels, spreads and seasons were learned from: the first of the table */
} ank_context_fit_of;

/* First half: learn from the first rows of the table, as many as a fit samples. The history is empty. */
anorank_status ank_context_fit_learn(ank_context_fit_of *out, const anorank_table *table,
                                     const anorank_settings *settings, anorank_error *err);
/* Second half, after a pass over all rows: their state becomes the history, with notes. Takes the run, unless it fails. */
anorank_status ank_context_fit_finish(ank_context_fit_of *fit, ank_context_run *run, anorank_error *err);

/* Both halves: `table` has all rows. */
anorank_status ank_context_fit_make(ank_context_fit_of *out, const anorank_table *table,
                                    const anorank_settings *settings, anorank_error *err);
void ank_context_fit_free(ank_context_fit_of *fit);

/* ank_model_fit with a context that is learned already; takes fit->context. `settings` are the user's. */
anorank_status ank_model_fit_in_context(anorank_model **out, ank_context_fit_of *fit,
                                        const signed char *labels, const anorank_table *known,
                                        double *row_scores, const anorank_settings *settings,
                                        anorank_error *err);

/* The table that the model's preparation sees: `table` itself, or `*own`, to be freed by the caller, which continues from
 * the model's history. */
anorank_status ank_model_view(const anorank_table **out, anorank_table **own, const anorank_model *model,
                              const anorank_table *table, anorank_error *err);

/* anorank_model_score_table of rows whose view is there already; `rows`, unless NULL: those alone, `count` of them. */
anorank_status ank_model_score_view(anorank_table **out, const anorank_model *model,
                                    const anorank_table *table, const anorank_table *view, size_t first_row,
                                    const size_t *rows, size_t count, const anorank_settings *settings,
                                    anorank_error *err);

/* ANORANK_ERROR_USAGE where rows would be taken one by one, without those before them, or by two models at once. `model` may be NULL: what the settings want counts. */
anorank_status ank_context_refuse(const anorank_model *model, const anorank_settings *settings,
                                  anorank_error *err);

#endif
