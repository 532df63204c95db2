/* training_index.c - see training_index.h. */
#include "model/training_index.h"

#include <math.h>
#include <string.h>

#include "core/alloc.h"

#define MOST_DUPLICATES 0.1 /* share of the background rows that equal others */

static uint64_t hash_cells(const double *cells, size_t count) {
  uint64_t hash = 0x9E3779B97F4A7C15u;
  for (size_t j = 0; j < count; j++) {
    double value = isnan(cells[j]) ? 0x1p1000 : cells[j] + 0.0; /* one NaN, one zero */
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    hash = (hash ^ bits) * 0xD6E8FEB86659FD93u;
    hash ^= hash >> 32;
  }
  return hash;
}

static int same_cells(const double *a, const double *b, size_t count) {
  for (size_t j = 0; j < count; j++)
    if (!(a[j] == b[j] || (isnan(a[j]) && isnan(b[j])))) return 0;
  return 1;
}

/* The slot of a row like this, or the empty one where it belongs. */
static size_t slot_of(const ank_training_index *index, const double *cells) {
  size_t mask = index->slots - 1, at = (size_t)hash_cells(cells, index->columns) & mask;
  for (; index->slot[at]; at = (at + 1) & mask)
    if (same_cells(index->cells + (index->slot[at] - 1) * index->columns, cells, index->columns)) break;
  return at;
}

anorank_status ank_training_index_make(ank_training_index *out, const anorank_model *model,
                                       anorank_error *err) {
  size_t rows = model->pipeline.background_rows;
  *out = (ank_training_index){.cells = model->pipeline.cells,
                              .columns = ank_prepare_columns(model->pipeline.prepare)};
  for (out->slots = 64; out->slots < 2 * rows;) out->slots *= 2;
  ANK_CHECK(ank_alloc(&out->slot, out->slots, sizeof *out->slot, err));
  for (size_t b = 0; b < rows; b++) {
    size_t at = slot_of(out, out->cells + b * out->columns);
    out->distinct += out->slot[at] == 0;
    out->slot[at] = (uint32_t)(b + 1);
  }
  if ((double)(rows - out->distinct) > MOST_DUPLICATES * (double)rows) out->slots = 0;
  return ANORANK_OK;
}

void ank_training_index_free(ank_training_index *index) { ank_free(index->slot); }

size_t ank_training_index_find(const ank_training_index *index, const double *cells) {
  size_t found = index->slots > 0 ? index->slot[slot_of(index, cells)] : 0;
  return found > 0 ? found - 1 : SIZE_MAX;
}
