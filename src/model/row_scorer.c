/* row_scorer.c - rows from memory, scored without a table (experimental.h: anorank_scorer).
 *
 * A layout is a table without rows: names, kinds and levels. It is matched with the model once. A scratch has
 * a few columns of cells over it, so that rows take the way that all tables take (prepare.h, pipeline.h), and
 * a workspace (core/alloc.h) for the allocations of the scorer's class. How much that is depends
 * on the class and the number of rows, not on what is in them, and is found by scoring rows of zeros once. */
#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "model/model.h"
#include "model/model_context.h"

enum {
  BLOCK = 256,             /* rows at a time */
  FIRST_WORKSPACE = 65536, /* bytes; grows until a block fits */
  UNSEEN = -2              /* code of a text that is no level */
};

struct anorank_scorer {
  const anorank_model *model;
  anorank_table *layout; /* without rows; the last level of a column means an unseen level */
  ank_match *match;
  int32_t **level;  /* of each categorical field: the layout's level of each code; NULL: the code itself */
  size_t *codes;    /* how many codes there are */
  size_t workspace; /* bytes that a block takes */
};

struct anorank_scratch {
  const anorank_scorer *scorer;
  anorank_table view; /* the layout over these cells */
  ank_column *column;
  double *numbers; /* fields x BLOCK */
  int32_t *codes;  /* fields x BLOCK */
  double *features, *scores;
  ank_workspace workspace;
};

/* ---- the layout ---------------------------------------------------------------------------------------- */

void anorank_scorer_free(anorank_scorer *scorer) {
  if (!scorer) return;
  for (size_t j = 0; scorer->level && j < scorer->layout->columns; j++) ank_free(scorer->level[j]);
  ank_free(scorer->level);
  ank_free(scorer->codes);
  ank_match_free(scorer->match);
  ank_table_free(scorer->layout);
  ank_free(scorer);
}

/* A text that no table can have, after all others. */
static anorank_status add_unseen(ank_levels *levels, anorank_error *err) {
  static const char text[] = "\x01never seen";
  int32_t code;
  return ank_levels_code(&code, levels, text, sizeof text - 1, err);
}

static anorank_status add_levels(anorank_scorer *scorer, size_t j, const anorank_field *field,
                                 anorank_error *err) {
  ank_levels *levels = &scorer->layout->column[j].levels;
  scorer->codes[j] = field->level_count;
  ANK_CHECK(ank_alloc_raw(&scorer->level[j], field->level_count, sizeof **scorer->level, err));
  for (size_t k = 0; k < field->level_count; k++) {
    if (!field->levels[k])
      return ank_fail(err, ANORANK_ERROR_USAGE, "scorer-field-text",
                      "field %zu ('%s') has no text for its code %zu; give one", j + 1, field->name, k);
    ANK_CHECK(ank_levels_code(&scorer->level[j][k], levels, field->levels[k], strlen(field->levels[k]), err));
  }
  return add_unseen(levels, err);
}

/* The model's column with that name; their number if there is none. */
static size_t own_column(const anorank_scorer *scorer, const char *name) {
  size_t i = 0, columns = ank_prepare_columns(scorer->model->pipeline.prepare);
  while (i < columns && strcmp(scorer->model->columns[i].name, name) != 0) i++;
  return i;
}

/* The model's levels of the column with that name, in order. */
static anorank_status add_own_levels(anorank_scorer *scorer, size_t j, const char *name, anorank_error *err) {
  const ank_prepare *prepare = scorer->model->pipeline.prepare;
  const char *text;
  int32_t code;
  size_t i = own_column(scorer, name);
  for (size_t k = 0; i < ank_prepare_columns(prepare) && (text = ank_prepare_level(prepare, i, k)); k++) {
    ANK_CHECK(ank_levels_code(&code, &scorer->layout->column[j].levels, text, strlen(text), err));
    scorer->codes[j]++;
  }
  return add_unseen(&scorer->layout->column[j].levels, err);
}

static anorank_status add_field(anorank_scorer *scorer, size_t j, const anorank_field *field,
                                anorank_error *err) {
  if (!field->name)
    return ank_fail(err, ANORANK_ERROR_USAGE, "scorer-field-name", "field %zu has no name; give it one",
                    j + 1);
  ANK_CHECK(ank_table_set_name(scorer->layout, j, field->name, strlen(field->name), err));
  if (strcmp(scorer->layout->column[j].name, field->name) != 0)
    return ank_fail(err, ANORANK_ERROR_USAGE, "scorer-field-twice",
                    "field %zu is named '%s' like an earlier one; rename it", j + 1, field->name);
  ank_table_set_kind(scorer->layout, j, field->kind);
  if (field->kind != ANORANK_CATEGORICAL) return ANORANK_OK;
  return field->levels ? add_levels(scorer, j, field, err) : add_own_levels(scorer, j, field->name, err);
}

/* Bytes of workspace that a block needs, by trial. */
static anorank_status measure(anorank_scorer *scorer, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const ank_pipeline *pipeline = &scorer->model->pipeline;
  ank_workspace workspace = {0};
  double *zeros = NULL, scores[BLOCK];
  size_t bytes = FIRST_WORKSPACE;
  ANK_TRY(ank_alloc(&zeros, BLOCK * ank_prepare_dim(pipeline->prepare), sizeof *zeros, err));
  do {
    ank_workspace_free(&workspace);
    ANK_TRY(ank_workspace_make(&workspace, bytes, err));
    ank_workspace_enter(&workspace);
    status = ank_pipeline_score_features(scores, pipeline, zeros, BLOCK, 0, err);
    ank_workspace_leave();
    scorer->workspace = bytes;
    bytes += workspace.lacking;
  } while (status == ANORANK_OK && workspace.lacking > 0);
done:
  ank_workspace_free(&workspace);
  ank_free(zeros);
  return status;
}

anorank_status anorank_scorer_new(anorank_scorer **out, const anorank_model *model,
                                  const anorank_field *fields, size_t field_count, anorank_error *err) {
  ANK_NEED(out);
  *out = NULL;
  ANK_NEED(model);
  anorank_status status = ANORANK_OK;
  anorank_scorer *scorer = NULL;
  if (fields)
    ANK_CHECK(ank_context_refuse(model, NULL, err)); /* the model's own columns have what came before */
  if (!fields) field_count = ank_prepare_columns(model->pipeline.prepare);
  ANK_TRY(ank_alloc(&scorer, 1, sizeof *scorer, err));
  scorer->model = model;
  ANK_TRY(ank_table_new(&scorer->layout, field_count, err));
  ANK_TRY(ank_alloc(&scorer->level, field_count, sizeof *scorer->level, err));
  ANK_TRY(ank_alloc(&scorer->codes, field_count, sizeof *scorer->codes, err));
  for (size_t j = 0; j < field_count; j++) {
    anorank_field own = {0};
    if (!fields) own = (anorank_field){.name = model->columns[j].name, .kind = model->columns[j].kind};
    ANK_TRY(add_field(scorer, j, fields ? &fields[j] : &own, err));
  }
  ANK_TRY(ank_match_make(&scorer->match, model->pipeline.prepare, scorer->layout, err));
  ANK_TRY(measure(scorer, err));
  ANK_HAND_OVER(out, scorer);
done:
  anorank_scorer_free(scorer);
  return status;
}

double anorank_scorer_code(const anorank_scorer *scorer, size_t field, const char *text) {
  if (!scorer || !text || field >= scorer->layout->columns) return NAN;
  const ank_column *column = &scorer->layout->column[field];
  if (column->kind != ANORANK_CATEGORICAL) return NAN;
  int32_t level = ank_levels_find(&column->levels, text, strlen(text));
  if (level < 0 && !scorer->level[field]) { /* another spelling of one of the model's own levels? */
    const ank_prepare *prepare = scorer->model->pipeline.prepare;
    size_t i = own_column(scorer, column->name);
    if (i < ank_prepare_columns(prepare)) level = ank_prepare_find_level(prepare, i, text);
    return level < 0 ? UNSEEN : level;
  }
  if (level < 0 || (size_t)level + 1 == column->levels.count) return UNSEEN;
  if (!scorer->level[field]) return level;
  for (size_t code = level > 0 ? (size_t)level : 0; code < scorer->codes[field]; code++)
    if (scorer->level[field][code] == level) return (double)code;
  return UNSEEN;
}

/* ---- scratch ------------------------------------------------------------------------------------------- */

void anorank_scratch_free(anorank_scratch *scratch) {
  if (!scratch) return;
  ank_free(scratch->column);
  ank_free(scratch->numbers);
  ank_free(scratch->codes);
  ank_free(scratch->features);
  ank_free(scratch->scores);
  ank_workspace_free(&scratch->workspace);
  ank_free(scratch);
}

anorank_status anorank_scratch_new(anorank_scratch **out, const anorank_scorer *scorer, anorank_error *err) {
  ANK_NEED(out);
  *out = NULL;
  ANK_NEED(scorer);
  anorank_status status = ANORANK_OK;
  anorank_scratch *made = NULL;
  size_t fields = scorer->layout->columns, dim = ank_prepare_dim(scorer->model->pipeline.prepare);
  ANK_TRY(ank_alloc(&made, 1, sizeof *made, err));
  made->scorer = scorer;
  ANK_TRY(ank_alloc_raw(&made->column, fields, sizeof *made->column, err));
  ANK_TRY(ank_alloc_raw(&made->numbers, fields, BLOCK * sizeof *made->numbers, err));
  ANK_TRY(ank_alloc_raw(&made->codes, fields, BLOCK * sizeof *made->codes, err));
  ANK_TRY(ank_alloc_raw(&made->features, dim, BLOCK * sizeof *made->features, err));
  ANK_TRY(ank_alloc_raw(&made->scores, BLOCK, sizeof *made->scores, err));
  ANK_TRY(ank_workspace_make(&made->workspace, scorer->workspace, err));
  made->view = *scorer->layout;
  made->view.column = made->column;
  for (size_t j = 0; j < fields; j++) {
    made->column[j] = scorer->layout->column[j];
    made->column[j].numbers = made->numbers + j * BLOCK;
    made->column[j].codes = made->codes + j * BLOCK;
  }
  ANK_HAND_OVER(out, made);
done:
  anorank_scratch_free(made);
  return status;
}

/* ---- scoring ------------------------------------------------------------------------------------------- */

/* The layout's level of a code; the last one for levels never seen. */
static int32_t level_of(const anorank_scorer *scorer, size_t j, double code) {
  if (isnan(code) || code == -1) return -1;
  if (!(code >= 0 && code < (double)scorer->codes[j]))
    return (int32_t)scorer->layout->column[j].levels.count - 1;
  size_t whole = (size_t)code;
  return scorer->level[j] ? scorer->level[j][whole] : (int32_t)whole;
}

static void take_cells(anorank_scratch *scratch, const double *cells, size_t count, size_t stride) {
  const anorank_scorer *scorer = scratch->scorer;
  for (size_t j = 0; j < scorer->layout->columns; j++) {
    const ank_column *column = &scratch->column[j];
    for (size_t i = 0; column->kind != ANORANK_CATEGORICAL && i < count; i++)
      column->numbers[i] = cells[i * stride + j];
    for (size_t i = 0; column->kind == ANORANK_CATEGORICAL && i < count; i++)
      column->codes[i] = level_of(scorer, j, cells[i * stride + j]);
  }
  scratch->view.rows = count;
}

anorank_status anorank_scorer_score(const anorank_scorer *scorer, anorank_scratch *scratch,
                                    const double *cells, size_t rows, size_t stride, double *scores,
                                    double *p_values, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ANK_NEED(scorer);
  ANK_NEED(scratch);
  if (rows > 0) ANK_NEED(cells);
  if (rows > 1 && stride < scorer->layout->columns)
    return ank_fail(err, ANORANK_ERROR_USAGE, "scorer-stride",
                    "the stride is %zu cells, but rows have %zu fields; pass a stride of at least that",
                    stride, scorer->layout->columns);
  const ank_pipeline *pipeline = &scorer->model->pipeline;
  if (scratch->scorer != scorer)
    return ank_fail(err, ANORANK_ERROR_USAGE, "scorer-scratch",
                    "the scratch belongs to another scorer; make one for this scorer");
  for (size_t from = 0; from < rows; from += BLOCK) {
    anorank_error inner = {0};
    size_t count = rows - from < BLOCK ? rows - from : BLOCK;
    double *out = scores ? scores + from : scratch->scores;
    take_cells(scratch, cells + from * stride, count, stride);
    status = ank_prepare_rows(scratch->features, pipeline->prepare, scorer->match, &scratch->view, 0, count,
                              &inner);
    if (status != ANORANK_OK) /* it counts rows from the first of the block */
      return ank_fail_around(err, &inner, "in the block after row %zu: %s", from, inner.message);
    ank_workspace_enter(&scratch->workspace);
    status = ank_pipeline_score_features(out, pipeline, scratch->features, count, from, err);
    ank_workspace_leave();
    if (status != ANORANK_OK) return status;
    for (size_t i = 0; p_values && i < count; i++)
      p_values[from + i] = ank_model_p_value(scorer->model, out[i]);
  }
  return status;
}
