/* references.c - see references.h. */
#include "neighbours/references.h"

#include <math.h>

#include "core/alloc.h"
#include "core/parallel.h"
#include "core/rng.h"
#include "kernels/sort.h"

#define LIMIT 1e16

enum { MOST_FOR_MEDIAN = 1001 };

static float held(double x, double centre) {
  double moved = x - centre;
  return (float)(moved > LIMIT ? LIMIT : moved < -LIMIT ? -LIMIT : moved);
}

void ank_references_convert(float *out, const ank_references *references, const double *rows, size_t count) {
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < references->dim; j++)
      out[i * references->dim + j] = held(rows[i * references->dim + j], references->centre[j]);
}

static size_t place(const ank_references *references, size_t set, size_t i, size_t column) {
  return set * ank_references_stride(references) + (i / ANK_LANES * references->dim + column) * ANK_LANES +
         i % ANK_LANES;
}

/* Allocate the arrays, and fill the unused lanes of last blocks. */
static anorank_status shape(ank_references *references, size_t dim, size_t sets, size_t count,
                            anorank_error *err) {
  size_t total;
  references->dim = dim;
  references->sets = sets;
  references->count = count;
  references->blocks = (count - 1) / ANK_LANES + 1;
  if (__builtin_mul_overflow(references->blocks, dim * ANK_LANES, &total) ||
      __builtin_mul_overflow(total, sets, &total))
    total = SIZE_MAX;
  ANK_CHECK(ank_alloc_raw(&references->values, total, sizeof *references->values, err));
  for (size_t set = 0; set < sets; set++)
    for (size_t i = count; i < references->blocks * ANK_LANES; i++)
      for (size_t j = 0; j < dim; j++) references->values[place(references, set, i, j)] = INFINITY;
  return ANORANK_OK;
}

static anorank_status find_centre(double *centre, const ank_matrix *x, const anorank_settings *settings,
                                  anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t count = x->rows < MOST_FOR_MEDIAN ? x->rows : MOST_FOR_MEDIAN, step = x->rows / count;
  double *column = NULL;
  ANK_TRY(ank_alloc_raw(&column, count, sizeof *column, err));
  for (size_t j = 0; j < x->dim; j++) {
    for (size_t i = 0; i < count; i++) column[i] = x->values[i * step * x->dim + j];
    ANK_TRY(ank_sort(column, count, settings, err));
    centre[j] = column[(count - 1) / 2];
  }
done:
  ank_free(column);
  return status;
}

typedef struct {
  const ank_references *references;
  const ank_matrix *x;
  uint64_t seed;
} filling;

anorank_status ank_references_draw(size_t **out, size_t set, size_t count, size_t rows, uint64_t seed,
                                   anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_rng rng;
  ANK_TRY(ank_alloc_raw(out, count, sizeof **out, err));
  for (size_t i = 0; i < count; i++) (*out)[i] = i;
  ank_rng_open(&rng, seed, ANK_STREAM_FIT, set);
  if (count < rows) ANK_TRY(ank_rng_sample(&rng, *out, count, rows, err));
done:
  if (status != ANORANK_OK) {
    ank_free(*out);
    *out = NULL;
  }
  return status;
}

static anorank_status fill_set(void *context, size_t set, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const filling *work = context;
  const ank_references *references = work->references;
  size_t *chosen = NULL, count = references->count, dim = references->dim;
  ANK_TRY(ank_references_draw(&chosen, set, count, work->x->rows, work->seed, err));
  for (size_t i = 0; i < count; i++) {
    const double *row = work->x->values + chosen[i] * dim;
    for (size_t j = 0; j < dim; j++)
      references->values[place(references, set, i, j)] = held(row[j], references->centre[j]);
  }
done:
  ank_free(chosen);
  return status;
}

anorank_status ank_references_make(ank_references *out, const ank_matrix *x, size_t sets, size_t count,
                                   const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  filling work = {out, x, settings->seed};
  *out = (ank_references){0};
  ANK_TRY(shape(out, x->dim, sets, count, err));
  ANK_TRY(ank_alloc(&out->centre, x->dim, sizeof *out->centre, err));
  ANK_TRY(find_centre(out->centre, x, settings, err));
  ANK_TRY(ank_parallel(settings, sets, fill_set, &work, err));
done:
  if (status != ANORANK_OK) ank_references_free(out);
  return status;
}

size_t ank_references_bytes(const ank_references *references) {
  return references->sets * ank_references_stride(references) * sizeof *references->values +
         references->dim * sizeof *references->centre;
}

/* The file stores the rows in sequence, without the layout of the kernel. */
anorank_status ank_references_save(const ank_references *references, ank_bytes *out, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t total = references->sets * references->count * references->dim, at = 0;
  float *flat = NULL;
  ANK_TRY(ank_alloc_raw(&flat, total, sizeof *flat, err));
  for (size_t set = 0; set < references->sets; set++)
    for (size_t i = 0; i < references->count; i++)
      for (size_t j = 0; j < references->dim; j++)
        flat[at++] = references->values[place(references, set, i, j)];
  ANK_TRY(ank_bytes_put_u64(out, references->sets, err));
  ANK_TRY(ank_bytes_put_u64(out, references->count, err));
  ANK_TRY(ank_bytes_put_f64s(out, references->centre, references->dim, err));
  ANK_TRY(ank_bytes_put_f32s(out, flat, total, err));
done:
  ank_free(flat);
  return status;
}

static int all_held(const double *centre, size_t dim, const float *values, size_t count) {
  for (size_t j = 0; j < dim; j++)
    if (!isfinite(centre[j])) return 0;
  for (size_t i = 0; i < count; i++)
    if (!(fabsf(values[i]) <= (float)LIMIT)) return 0;
  return 1;
}

anorank_status ank_references_load(ank_references *out, ank_cursor *in, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t sets, count, dim, total, expected, at = 0;
  float *flat = NULL;
  *out = (ank_references){0};
  ANK_TRY(ank_cursor_size(in, &sets, 1, in->length, "the number of reference sets", err));
  ANK_TRY(ank_cursor_size(in, &count, 1, in->length, "the number of references", err));
  ANK_TRY(ank_cursor_f64s(in, &out->centre, &dim, err));
  ANK_TRY(ank_cursor_f32s(in, &flat, &total, err));
  if (__builtin_mul_overflow(sets, count, &expected) || __builtin_mul_overflow(expected, dim, &expected) ||
      dim == 0 || expected != total || !all_held(out->centre, dim, flat, total))
    ANK_FAIL(ANORANK_ERROR_MODEL, "model-reference-rows",
             "the model is damaged: its reference rows are invalid");
  ANK_TRY(shape(out, dim, sets, count, err));
  for (size_t set = 0; set < sets; set++)
    for (size_t i = 0; i < count; i++)
      for (size_t j = 0; j < dim; j++) out->values[place(out, set, i, j)] = flat[at++];
done:
  ank_free(flat);
  if (status != ANORANK_OK) ank_references_free(out);
  return status;
}

void ank_references_free(ank_references *references) {
  ank_free(references->centre);
  ank_free(references->values);
  *references = (ank_references){0};
}
