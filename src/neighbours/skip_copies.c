/* skip_copies.c - see skip_copies.h. */
#include "neighbours/skip_copies.h"

#include <string.h>

#include "core/alloc.h"
#include "core/settings.h"
#include "kernels/sort.h"

/* Return 53 bits of a hash of a row (FNV-1a over its words, mixed at the end), as a number. Two rows that
 * collide count as copies: then no copy is skipped. */
static double digest(const double *row, size_t dim) {
  uint64_t hash = 0xcbf29ce484222325U;
  for (size_t j = 0; j < dim; j++) {
    float value = (float)row[j] + 0.0F; /* -0 equals 0 */
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    hash = (hash ^ word) * 0x100000001b3U;
    hash ^= hash >> 32;
  }
  hash *= 0x9e3779b97f4a7c15U;
  return (double)(hash >> 11);
}

anorank_status ank_skips_copies(int *out, const ank_matrix *rows, int had_copies,
                                const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  double *digests = NULL;
  *out = 1;
  if (settings->train == ANORANK_TRAIN_CONTAMINATED) return ANORANK_OK;
  *out = !had_copies;
  if (!*out) return ANORANK_OK;
  ANK_TRY(ank_alloc_raw(&digests, rows->rows, sizeof *digests, err));
  for (size_t i = 0; i < rows->rows; i++) digests[i] = digest(rows->values + i * rows->dim, rows->dim);
  ANK_TRY(ank_sort(digests, rows->rows, settings, err));
  for (size_t i = 1; i < rows->rows && *out; i++) *out = digests[i - 1] < digests[i];
done:
  ank_free(digests);
  return status;
}
